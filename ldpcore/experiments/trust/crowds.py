"""Taking the names away is not enough: how many people are alone with what a neighbor may know of them, which columns
single them out, and what coarser columns would do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations, product
from typing import Literal

import numpy as np

from ldpcore.costs import MEGABYTE, Cost
from ldpcore.questions import Progress, Question, Result, no_progress
from ldpcore.tables.coarser import Codes, coarser, crowded, held_by, valued
from ldpcore.tables.table import Table, shortened
from ldpcore.tables.units import named

EDGES = (1, 2, 3, 6, 11, 101)  # crowds of 1, 2, 3 to 5, 6 to 10, 11 to 100, and more
JUDGED = 30  # columns that are tried by themselves
PAIRED = 4_000_000  # rows that are put into crowds for all pairs; of a larger table only pairs with the best way
Way = Literal["present", "without", "ranges", "month", "year", "letters", "rare", "single", "pair"]


@dataclass(frozen=True)
class AnonymityCrowds:
    """How many people stand in crowds of each size, and the smallest, were a column coarser, away, or known alone.

    A `pair` is two columns that are coarser at once, each of which is among its `parts`.
    """

    way: Way
    column: str
    step: float  # how wide ranges are, or how many letters stay
    people: tuple[int, ...]
    smallest: int
    parts: tuple[AnonymityCrowds, ...] = ()

    @classmethod
    def of(cls, way: Way, column: str, step: float, codes: Codes, who: Codes | None = None) -> AnonymityCrowds:
        """The crowds of rows; where `who` says whose they are, a person counts once, in the smallest of theirs."""
        held = held_by(codes, who)
        if who is None:
            sizes = weights = held[held > 0]
        else:
            sizes = np.full(int(who.max(initial=-1)) + 1, len(codes), dtype=np.int64)
            np.minimum.at(sizes, who, held[codes])
            weights = np.ones_like(sizes)
        places = np.searchsorted(np.array(EDGES), sizes, side="right") - 1
        people = np.bincount(places, weights, len(EDGES)).astype(np.int64)
        return cls(way, shortened(column, 24), step, tuple(people.tolist()), int(sizes.min(initial=len(codes))))

    @property
    def alone(self) -> int:
        """The number of people who are alone."""
        return self.people[0]

    @property
    def order(self) -> tuple[int, int]:
        """The order of ways, the best at hiding people first: fewer are alone, then the smallest crowd is larger."""
        return self.alone, -self.smallest

    def masked(self) -> AnonymityCrowds:
        """The way alone, with nobody told apart."""
        return replace(self, people=(0,) * len(EDGES), smallest=0)


Tried = tuple[int, AnonymityCrowds, Codes]  # which of the known columns, what coarser values of it do, and those values


@dataclass(frozen=True)
class WhoIsAlone(Question["WhoIsAloneResult"]):
    """The number of people who share their values in some columns: somebody in a crowd of one is found by the values.

    Every row is a person, or a column says who: then a crowd is the people who have a row with the same values, and who
    has several rows is found by whichever of them is in the smallest crowd. The smallest crowd is k of k-anonymity:
    Sweeney (2002), k-anonymity, a model for protecting privacy. A missing cell counts as a value of its own.
    """

    table: Table = field(repr=False)
    columns: tuple[str, ...] = ()
    who: str = ""

    def cost(self) -> Cost:
        """The cost of grouping all rows once for each way to make a column coarser, and once for each column."""
        rows, known = self.table.n, len(self.columns)
        ways = (6 * known + min(len(self.table.columns), JUDGED)) * (3 if self.who else 1)
        pairs = (PAIRED + 2 * rows * known * known) if known > 1 else 0
        return Cost(64.0 * rows * (known + 4) + 8 * MEGABYTE, 0.02 + 1e-7 * (rows * ways + pairs))

    def run(self, progress: Progress = no_progress) -> WhoIsAloneResult:
        table, who = named(self.table, self.who) if self.who else (self.table, None)
        held = [valued(table, name) for name in self.columns]
        nobody = np.zeros(table.n, dtype=np.int64)
        before, behind = [nobody], [nobody]
        for codes in held:
            before.append(crowded(before[-1], codes))
        for codes in reversed(held):
            behind.insert(0, crowded(behind[0], codes))
        ways: list[AnonymityCrowds] = []
        tried: list[Tried] = []
        for place, name in enumerate(self.columns):
            others = crowded(before[place], behind[place + 1])
            ways.append(AnonymityCrowds.of("without", table.head(name), 0.0, others, who))
            for way, step, codes in coarser(table, name, held[place], who):
                ways.append(AnonymityCrowds.of(way, table.head(name), step, crowded(others, codes), who))
                tried.append((place, ways[-1], codes))
            progress((place + 1) / (len(self.columns) + 2))
        present = AnonymityCrowds.of("present", "", 0.0, before[-1], who)
        single = [
            AnonymityCrowds.of("single", table.head(name), 0.0, valued(table, name), who)
            for name in table.columns[:JUDGED]
        ]
        called = tuple(shortened(table.head(name), 24) for name in self.columns)
        pair = _best_pair(held, tried, who)
        return WhoIsAloneResult(called, present, tuple(ways), tuple(single), pair, shortened(self.who, 24))


def _best_pair(held: list[Codes], tried: list[Tried], who: Codes | None) -> AnonymityCrowds | None:
    """The two coarser columns that hide people best together, if better than any one of them."""
    if not tried or tried[0][0] == tried[-1][0]:
        return None
    alone = min((each for _, each, _ in tried), key=lambda each: each.order)
    pairs = (_paired(first, second, others, who) for first, second, others in _in_pairs(held, tried, alone))
    best = min(pairs, key=lambda each: each.order)
    return best if best.order < alone.order else None


def _in_pairs(held: list[Codes], tried: list[Tried], alone: AnonymityCrowds) -> Iterator[tuple[Tried, Tried, Codes]]:
    """The pairs of ways, each with the crowds by all other columns: all pairs, or those with the best one alone."""
    rows = len(held[0])
    every = rows * len(tried) ** 2 // 2 <= PAIRED
    for one, other in combinations(range(len(held)), 2):
        firsts, seconds = ([each for each in tried if each[0] == place] for place in (one, other))
        pairs = [each for each in product(firsts, seconds) if every or alone in (each[0][1], each[1][1])]
        if pairs:
            others = np.zeros(rows, dtype=np.int64)
            for place, codes in enumerate(held):
                others = others if place in (one, other) else crowded(others, codes)
            yield from ((first, second, others) for first, second in pairs)


def _paired(first: Tried, second: Tried, others: Codes, who: Codes | None) -> AnonymityCrowds:
    """The crowds with two columns coarser at once."""
    together = AnonymityCrowds.of("pair", "", 0.0, crowded(crowded(others, first[2]), second[2]), who)
    return replace(together, parts=(first[1].masked(), second[1].masked()))


@dataclass(frozen=True, eq=False)
class WhoIsAloneResult(Result):
    """The known columns, the people alone with them, with each column coarser or away, and by one column alone."""

    columns: tuple[str, ...]
    present: AnonymityCrowds
    ways: tuple[AnonymityCrowds, ...]
    single: tuple[AnonymityCrowds, ...]
    pair: AnonymityCrowds | None = None  # the best two coarser columns, where they do more than one
    who: str = ""  # the column that says who; none where every row is a person

    def masked(self) -> WhoIsAloneResult:
        """The known columns, with nobody told apart: the width of ranges would tell how far the numbers reach."""
        away = tuple(each.masked() for each in self.ways if each.way == "without")
        return replace(self, present=self.present.masked(), ways=away, single=(), pair=None)

    @property
    def n(self) -> int:
        """The number of people."""
        return sum(self.present.people)

    @property
    def alone(self) -> int:
        """The number of people who are alone."""
        return self.present.alone

    @property
    def smallest(self) -> int:
        """The smallest crowd."""
        return self.present.smallest

    def best(self, away: bool) -> AnonymityCrowds | None:
        """The way that hides people best: a column that is away, or one that is coarser; none where none helps."""
        ways = [each for each in self.ways if (each.way == "without") == away and each.order < self.present.order]
        return min(ways, key=lambda each: each.order, default=None)

    @property
    def telling(self) -> tuple[AnonymityCrowds, ...]:
        """The columns by which alone somebody is found, the most telling first."""
        return tuple(sorted((each for each in self.single if each.alone), key=lambda each: -each.alone))

    def drawn(self, most: int) -> tuple[AnonymityCrowds, ...]:
        """The crowds as they are, and the ways that hide people best, in the order of the columns; last two at once."""
        pairs = () if self.pair is None else (self.pair,)
        chosen = set(sorted(self.ways, key=lambda each: each.order)[: most - len(pairs)])
        return (self.present, *(each for each in self.ways if each in chosen), *pairs)
