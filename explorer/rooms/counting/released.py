"""The numbers that the page about counting releases, each with what the noise may be: what its sheets list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from types import MappingProxyType

from explorer.facts import All, Exact, Interval, Number, Quantity, Share
from explorer.facts.lines import Lines
from explorer.rooms.counting.facts import named
from explorer.rooms.counting.settings import Counting
from explorer.scenes import Answer, Listing
from explorer.settings.cells import Cells
from ldpcore.experiments.counting.releases import CountingResult
from ldpcore.experiments.counting.tableplan import TablePlanResult
from ldpcore.tables.queries import Count

SURE = 0.95  # of all releases lie within what is told


def single(asked: Counting, level: float, own: object, answer: Answer) -> Lines | None:
    """The first release of a count, a sum or a mean, and the bounds of its column."""
    result = answer(asked.released(level))
    assert isinstance(result, CountingResult)
    noise, query = asked.noise(level), asked.question.query
    row: tuple[Quantity, ...] = (asked.question.fact(), Number(float(result.releases[0]), 6), Number(noise.width(SURE)))
    if isinstance(query, Count):
        return Lines("released", ("question", "value", "within"), (row,), heading=(_sure(SURE),))
    ends = Interval(Exact(query.low), Exact(query.high))
    return Lines("released", ("question", "value", "within", "bounds"), ((*row, ends),), heading=(_sure(SURE),))


def cells(asked: Counting, level: float, own: Cells, answer: Answer) -> Lines | None:
    """The release of every cell of a whole table, within what keeps all of them at the same time."""
    result = answer(asked.whole(level, own))
    assert isinstance(result, TablePlanResult)
    names = [All(tuple(map(named, name))) for table in own.names for name in table]
    return _counts(names, list(chain(*result.released)), result.reach, own.confidence)


def _counts(names: Sequence[Quantity], released: Sequence[float], reach: float, confidence: float) -> Lines:
    """Released counts by the names of their cells."""
    rows = tuple((name, Number(float(value), 6), Number(reach)) for name, value in zip(names, released, strict=True))
    return Lines("released", ("cell", "value", "within"), rows, named=True, heading=(_sure(confidence),))


def _sure(confidence: float) -> tuple[str, Quantity]:
    """How sure the widths are."""
    return "confidence", Share(confidence, 3)


_SINGLE = dict.fromkeys(("one", "ten", "plan"), single)
LISTINGS: Mapping[str, Listing] = MappingProxyType({**_SINGLE, "cells": cells})
