"""The numbers that the page about counting releases, each with what the noise may be: what its sheets list."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from types import MappingProxyType

from explorer.facts import All, Exact, Interval, Names, Number, Quantity, Said, Share
from explorer.facts.lines import Lines, Release
from explorer.rooms.counting.facts import named
from explorer.rooms.counting.settings import Counting, Noise
from explorer.scenes import Answer, Listing
from explorer.settings.cells import Cells
from explorer.settings.questions import Query, people_fact, question_fact
from ldpcore.experiments.counting.ratios import RatioOfReleasesResult
from ldpcore.experiments.counting.releases import CountingResult
from ldpcore.experiments.counting.tableplan import TablePlanResult
from ldpcore.fingerprints import fingerprint
from ldpcore.tables.queries import Count, Mean

SURE = 0.95  # of all releases lie within what is told
HEADS = ("question", "value", "within")


def single(asked: Counting, level: float, own: object, answer: Answer) -> Lines | None:
    """The first release of a count, a sum or a mean, and the bounds of its column."""
    query, noise = asked.question.query, asked.released_by(level)
    value, within = _drawn(asked, level, answer)
    heads: tuple[str, ...] = HEADS
    row = _row(asked.question.fact(), value, within)
    bounds = None if isinstance(query, Count) else (query.low, query.high)
    if bounds is not None:
        heads, row = (*HEADS, "bounds"), (*row, _between(*bounds))
    key = fingerprint((query, asked.question.table, noise))
    release = _release(asked, key, asked.question.verb, level, (noise,), row[0], bounds)
    return Lines("released", heads, (row,), heading=(_sure(SURE),), release=release)


def ratio(asked: Counting, level: float, own: object, answer: Answer) -> Lines | None:
    """The first release of a mean in two, with the sum and the count that make it: the widths hold for all three."""
    mean, question = asked.question.mean, asked.in_two(level)
    if mean is None or question is None:
        return None
    result = answer(question)
    assert isinstance(result, RatioOfReleasesResult)
    noises = question.sum_noise, question.count_noise
    parts: tuple[Query, ...] = mean.parts()
    widths = tuple(noise.width(1 - (1 - SURE) / 2) for noise in noises)
    value = mean.ratio(*result.first)
    rows = [(*_row(asked.question.fact(), value, _far(mean, result.first, widths)), _between(mean.low, mean.high))]
    ends = ((mean.low, mean.high), (0.0, 1.0))  # a row is counted or not
    for part, drawn, within, end in zip(parts, result.first, widths, ends, strict=True):
        rows.append(
            (*_row(asked.question.of_each(question_fact(part, asked.question.table)), drawn, within), _between(*end))
        )
    key = fingerprint((mean, asked.question.table, noises))
    release = _release(asked, key, "ratio", level, noises, rows[0][0], (mean.low, mean.high), (-1, 0, 1))
    return Lines("released", (*HEADS, "bounds"), tuple(rows), heading=(_sure(SURE),), release=release)


def _far(mean: Mean, drawn: tuple[float, float], widths: tuple[float, ...]) -> float:
    """How far a mean may be from the released one while both its parts are within their widths."""
    total, count = drawn
    ends = [mean.ratio(total + one * widths[0], count + other * widths[1]) for one in (-1, 1) for other in (-1, 1)]
    return max(abs(end - mean.ratio(total, count)) for end in ends)


def _row(what: Quantity, value: float, within: float) -> tuple[Quantity, ...]:
    """A released number and its width."""
    return what, Number(value, 6), Number(within)


def _between(low: float, high: float) -> Interval:
    """The bounds of what one row adds."""
    return Interval(Exact(low), Exact(high))


def _drawn(asked: Counting, level: float, answer: Answer) -> tuple[float, float]:
    """The released number, and the width that it keeps to in 95 of 100 releases."""
    if asked.in_whole_numbers():
        one = answer(asked.in_one_cell(level, SURE))
        assert isinstance(one, TablePlanResult)
        return float(one.released[0][0]), one.reach
    result = answer(asked.released(level))
    assert isinstance(result, CountingResult)
    return float(result.releases[0]), asked.noise(level).width(SURE)


def cells(asked: Counting, level: float, own: Cells, answer: Answer) -> Lines | None:
    """The release of every cell of a whole table, within what keeps all of them at the same time."""
    result = answer(asked.tabled(level, own))
    assert isinstance(result, TablePlanResult)
    question = result.experiment
    names = [All(tuple(map(named, name))) for table in own.names for name in table]
    rows = tuple(
        _row(name, float(value), result.reach) for name, value in zip(names, chain(*result.released), strict=True)
    )
    noises = tuple(question.noise(float(each)) for each in result.levels)
    key = fingerprint((own.counted, own.names, own.counts, own.columns, asked.question.table, noises))
    places = tuple(place for place, names in enumerate(own.names) for _ in names)
    release = _release(asked, key, "cells", level, noises, _cells_of(asked, own), of=places)
    return Lines("released", ("cell", "value", "within"), rows, not own.fixed, (_sure(own.confidence),), release)


def _cells_of(asked: Counting, own: Cells) -> Quantity:
    """What a whole table asks: how many in each cell, of whom."""
    columns, where = Names(own.columns), people_fact(asked.question.query.where, asked.question.table)
    return asked.question.of_each(Said.of("asking.cells_of", columns=columns, people=where))


def _release(
    asked: Counting,
    key: str,
    verb: str,
    level: float,
    noises: tuple[Noise, ...],
    what: Quantity,
    bounds: tuple[float, float] | None = None,
    of: tuple[int, ...] = (),
) -> Release:
    """What is released, and whom it protects."""
    unit = asked.question.table.unit
    moves = tuple(float(noise.sensitivity) for noise in noises)
    scales = tuple(noise.sensitivity / noise.epsilon for noise in noises)
    each = unit.most if unit else 0
    who = fingerprint(unit.column) if unit else ""
    return Release(key, verb, what, level, noises[0].slug, moves, scales, asked.neighbors, each, bounds, of, who)


def _sure(confidence: float) -> tuple[str, Quantity]:
    """How sure the widths are."""
    return "confidence", Share(confidence, 3)


_SINGLE = dict.fromkeys(("one", "ten", "plan"), single)
LISTINGS: Mapping[str, Listing[Counting]] = MappingProxyType({**_SINGLE, "ratio": ratio, "cells": cells})
