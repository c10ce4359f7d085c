"""Taking the names away is not enough: how many rows are alone with what a neighbor may know of them, which columns
single them out, and what coarser columns would do."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from ldpcore.costs import MEGABYTE, Cost
from ldpcore.questions import Progress, Question, Result
from ldpcore.tables.coarser import Codes, coarser, crowded, valued
from ldpcore.tables.table import Table, shortened

EDGES = (1, 2, 3, 6, 11, 101)  # crowds of 1, 2, 3 to 5, 6 to 10, 11 to 100, and more
JUDGED = 30  # columns that are tried by themselves
Way = Literal["present", "without", "ranges", "month", "year", "letters", "rare", "single"]


@dataclass(frozen=True)
class Crowds:
    """How many rows stand in crowds of each size, and the smallest, were a column coarser, away, or known alone."""

    way: Way
    column: str
    step: float  # how wide ranges are, or how many letters stay
    people: tuple[int, ...]
    smallest: int

    @classmethod
    def of(cls, way: Way, column: str, step: float, codes: Codes) -> Crowds:
        """The crowds of these rows."""
        sizes = np.bincount(codes)
        sizes = sizes[sizes > 0]
        places = np.searchsorted(np.array(EDGES), sizes, side="right") - 1
        people = np.bincount(places, sizes, len(EDGES)).astype(np.int64)
        return cls(way, shortened(column, 24), step, tuple(people.tolist()), int(sizes.min(initial=len(codes))))

    @property
    def alone(self) -> int:
        """How many are alone."""
        return self.people[0]

    @property
    def order(self) -> tuple[int, int]:
        """What comes first hides people better: fewer are alone, then the smallest crowd is larger."""
        return self.alone, -self.smallest

    def masked(self) -> Crowds:
        """The way alone, with nobody told apart."""
        return replace(self, people=(0,) * len(EDGES), smallest=0)


@dataclass(frozen=True)
class WhoIsAlone(Question["WhoIsAloneResult"]):
    """How many rows of a table share their values in some columns: a crowd of one is found by whoever knows the values.

    The smallest crowd is k of k-anonymity: Sweeney (2002), k-anonymity, a model for protecting privacy. A missing cell
    counts as a value of its own.
    """

    table: Table = field(repr=False)
    columns: tuple[str, ...] = ()

    def cost(self) -> Cost:
        """Each row's values are put together once for each way to make a column coarser, and once for each column."""
        rows = self.table.n
        ways = 6 * len(self.columns) + min(len(self.table.columns), JUDGED)
        return Cost(64.0 * rows * (len(self.columns) + 2) + 8 * MEGABYTE, 0.02 + 1e-7 * rows * ways)

    def run(self, progress: Progress | None = None) -> WhoIsAloneResult:
        held = [valued(self.table, name) for name in self.columns]
        nobody = np.zeros(self.table.n, dtype=np.int64)
        before, behind = [nobody], [nobody]
        for codes in held:
            before.append(crowded(before[-1], codes))
        for codes in reversed(held):
            behind.insert(0, crowded(behind[0], codes))
        ways: list[Crowds] = []
        for place, name in enumerate(self.columns):
            others = crowded(before[place], behind[place + 1])
            ways.append(Crowds.of("without", self.table.head(name), 0.0, others))
            for way, step, codes in coarser(self.table, name, held[place]):
                ways.append(Crowds.of(way, self.table.head(name), step, crowded(others, codes)))
            if progress is not None:
                progress((place + 1) / (len(self.columns) + 1))
        single = [
            Crowds.of("single", self.table.head(name), 0.0, valued(self.table, name))
            for name in self.table.columns[:JUDGED]
        ]
        called = tuple(shortened(self.table.head(name), 24) for name in self.columns)
        return WhoIsAloneResult(called, Crowds.of("present", "", 0.0, before[-1]), tuple(ways), tuple(single))


@dataclass(frozen=True, eq=False)
class WhoIsAloneResult(Result):
    """The columns that are known, who is alone then, with each of them coarser or away, and by one column alone."""

    columns: tuple[str, ...]
    present: Crowds
    ways: tuple[Crowds, ...]
    single: tuple[Crowds, ...]

    def masked(self) -> WhoIsAloneResult:
        """The columns that are known, with nobody told apart: how wide ranges are tells how far the numbers reach."""
        away = tuple(each.masked() for each in self.ways if each.way == "without")
        return replace(self, present=self.present.masked(), ways=away, single=())

    @property
    def n(self) -> int:
        """How many people there are."""
        return sum(self.present.people)

    @property
    def alone(self) -> int:
        """How many are alone."""
        return self.present.alone

    @property
    def smallest(self) -> int:
        """The smallest crowd."""
        return self.present.smallest

    def best(self, away: bool) -> Crowds | None:
        """The way that hides people best: a column that is away, or one that is coarser; none where none helps."""
        ways = [each for each in self.ways if (each.way == "without") == away and each.order < self.present.order]
        return min(ways, key=lambda each: each.order, default=None)

    @property
    def telling(self) -> tuple[Crowds, ...]:
        """The columns by which alone somebody is found, the most telling first."""
        return tuple(sorted((each for each in self.single if each.alone), key=lambda each: -each.alone))

    def drawn(self, most: int) -> tuple[Crowds, ...]:
        """As it is, and the ways that hide people best, in the order of the columns."""
        chosen = set(sorted(self.ways, key=lambda each: each.order)[:most])
        return (self.present, *(each for each in self.ways if each in chosen))
