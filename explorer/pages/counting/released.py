"""The numbers that the page about counting releases, each with the reach of its noise, for its sheets."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from types import MappingProxyType

from explorer.declarations import Listing
from explorer.facts import All, Exact, Names, Quantity, QuantityRange, Said, Share, precise
from explorer.facts.lines import Lines, ReleaseFacts
from explorer.pages.counting.facts import named
from explorer.pages.counting.settings import SURE, Counting
from explorer.scenes import RunQuestion
from explorer.settings.cells import Cells
from explorer.settings.questions import Query, people_fact, question_fact
from ldpcore.experiments.counting.ratios import RatioOfReleasesResult
from ldpcore.experiments.counting.releasednumber import ReleasedNumberResult
from ldpcore.experiments.counting.tableplan import TablePlanResult
from ldpcore.fingerprints import fingerprint
from ldpcore.mechanisms.additivenoise import AdditiveNoise
from ldpcore.tables.queries import CountQuery

HEADS = ("question", "value", "within")


def single(asked: Counting, level: float, own: object, answer: RunQuestion) -> Lines | None:
    """The released count, sum or mean, and the bounds of its column; none where no curator releases."""
    release = of_single(asked, level)
    if release is None:
        return None
    result = answer(asked.released_number(level))
    assert isinstance(result, ReleasedNumberResult)
    heads: tuple[str, ...] = HEADS
    row = _row(release.what, result.released, result.width)
    if release.bounds is not None:
        heads, row = (*HEADS, "bounds"), (*row, _between(*release.bounds))
    return Lines("released", heads, (row,), heading=(_sure(SURE),), release=release)


def of_single(asked: Counting, level: float, own: object = None) -> ReleaseFacts | None:
    """The release of a count, a sum or a mean."""
    if not asked.curated():
        return None
    query, noise = asked.question.query, asked.mechanism(level)
    bounds = None if isinstance(query, CountQuery) else (query.low, query.high)
    key = fingerprint((query, asked.question.table, noise))
    return _release(asked, key, asked.question.verb, level, (noise,), asked.question.fact(), bounds)


def ratio(asked: Counting, level: float, own: object, answer: RunQuestion) -> Lines | None:
    """The released mean in two, with the sum and the count that make it: the widths hold for all three."""
    mean, question, release = asked.question.mean, asked.released_ratio(level), of_ratio(asked, level)
    if mean is None or question is None or release is None:
        return None
    result = answer(question)
    assert isinstance(result, RatioOfReleasesResult)
    whole, *widths = result.widths(SURE)
    rows = [(*_row(release.what, result.released, whole), _between(mean.low, mean.high))]
    ends = ((mean.low, mean.high), (0.0, 1.0))  # a row is counted or not
    parts: tuple[Query, ...] = mean.parts()
    for part, drawn, within, end in zip(parts, result.first, widths, ends, strict=True):
        rows.append(
            (*_row(asked.question.of_each(question_fact(part, asked.question.table)), drawn, within), _between(*end))
        )
    return Lines("released", (*HEADS, "bounds"), tuple(rows), heading=(_sure(SURE),), release=release)


def of_ratio(asked: Counting, level: float, own: object = None) -> ReleaseFacts | None:
    """The release of a mean in two: a sum and a count."""
    mean, question = asked.question.mean, asked.released_ratio(level)
    if mean is None or question is None:
        return None
    noises = question.sum_noise, question.count_noise
    key, bounds = fingerprint((mean, asked.question.table, noises)), (mean.low, mean.high)
    return _release(asked, key, "ratio", level, noises, asked.question.fact(), bounds, (-1, 0, 1))


def _row(what: Quantity, value: float, within: float) -> tuple[Quantity, ...]:
    """A released number and its width, both with every digit before the decimal mark: a file rounds as it is told."""
    return what, precise(value, 6), precise(within, 3)


def _between(low: float, high: float) -> QuantityRange:
    """The bounds of what one row adds."""
    return QuantityRange(Exact(low), Exact(high))


def cells(asked: Counting, level: float, own: Cells, answer: RunQuestion) -> Lines | None:
    """The release of every cell of a whole table, within the width that all of them keep together."""
    result = answer(asked.tabled(level, own))
    assert isinstance(result, TablePlanResult)
    names = [All(tuple(map(named, name))) for table in own.names for name in table]
    rows = tuple(
        _row(name, float(value), result.reach) for name, value in zip(names, chain(*result.released), strict=True)
    )
    heads, heading = ("cell", "value", "within"), (_sure(own.confidence),)
    return Lines("released", heads, rows, not own.fixed, heading, of_cells(asked, level, own))


def of_cells(asked: Counting, level: float, own: Cells) -> ReleaseFacts:
    """The release of a whole table, with the noise of each part."""
    question = asked.tabled(level, own)
    noises, levels = question.noises, tuple(map(float, question.split(level)))
    key = fingerprint((own.counted, own.names, own.counts, own.columns, asked.question.table, noises))
    places = tuple(part for part, names in zip(question.parts, own.names, strict=True) for _ in names)
    release = _release(asked, key, "cells", level, noises, _cells_of(asked, own), of=places)
    moves = (question.sensitivity,) * len(noises)
    return replace(release, read_off=not own.fixed, moves=moves, declared=levels)


def _cells_of(asked: Counting, own: Cells) -> Quantity:
    """The question of a whole table: the count of each cell, and the people."""
    columns, where = Names(own.columns), people_fact(asked.question.query.where, asked.question.table)
    return asked.question.of_each(Said.of("asking.cells_of", columns=columns, people=where))


def _release(
    asked: Counting,
    key: str,
    verb: str,
    level: float,
    noises: tuple[AdditiveNoise, ...],
    what: Quantity,
    bounds: tuple[float, float] | None = None,
    of: tuple[int, ...] = (),
) -> ReleaseFacts:
    """The release, and the unit that it protects."""
    unit = asked.question.table.unit
    moves = tuple(float(noise.sensitivity) for noise in noises)
    scales = tuple(noise.scale for noise in noises)
    failing = max(noise.failure for noise in noises)
    by_scale = all(math.isclose(noise.scale * noise.epsilon, noise.sensitivity) for noise in noises)
    declared = () if by_scale else tuple(noise.epsilon for noise in noises)
    each = unit.most if unit else 0
    who = fingerprint(unit.column) if unit else ""
    slugs = tuple(noise.slug for noise in noises)
    everybody, near = not asked.question.query.where.conditions, asked.neighbors
    return ReleaseFacts(
        key,
        verb,
        what,
        level,
        slugs,
        moves,
        scales,
        near,
        each,
        bounds,
        of,
        delta=failing,
        who=who,
        everybody=everybody,
        declared=declared,
    )


def _sure(confidence: float) -> tuple[str, Quantity]:
    """The confidence of the widths."""
    return "confidence", Share(confidence, 3)


_SINGLE = Listing(single, of_single, offset=True)
LISTINGS: Mapping[str, Listing[Counting]] = MappingProxyType(
    {
        "one": _SINGLE,
        "ten": _SINGLE,
        "plan": Listing(single, of_single, on_screen=False),
        "ratio": Listing(ratio, of_ratio, offset=True),
        "cells": Listing(cells, of_cells),
    }
)
