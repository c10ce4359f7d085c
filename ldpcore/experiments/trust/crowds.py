"""Taking the names away is not enough: how many rows are alone with what a neighbor may know of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ldpcore.costs import MEGABYTE, Cost
from ldpcore.questions import Progress, Question, Result
from ldpcore.tables.table import Table, crowd_sizes, shortened

EDGES = (1, 2, 3, 6, 11, 101)  # crowds of 1, 2, 3 to 5, 6 to 10, 11 to 100, and more


@dataclass(frozen=True)
class WhoIsAlone(Question["WhoIsAloneResult"]):
    """How many rows share their values in some columns: a crowd of one is found by whoever knows the values.

    `crowds` has each size of a crowd, and how many rows stand in crowds of that size.
    """

    crowds: tuple[tuple[int, int], ...]
    columns: tuple[str, ...] = ()

    @classmethod
    def of(cls, table: Table, columns: Sequence[str]) -> WhoIsAlone:
        """The crowds of a table's rows."""
        sizes, rows = np.unique(crowd_sizes(table, columns), return_counts=True)
        crowds = tuple(zip(sizes.tolist(), rows.tolist(), strict=True))
        return cls(crowds, tuple(shortened(name, 24) for name in columns))

    def run(self, progress: Progress | None = None) -> WhoIsAloneResult:
        sizes, rows = (np.array([pair[place] for pair in self.crowds], dtype=np.int64) for place in (0, 1))
        places = np.searchsorted(np.array(EDGES), sizes, side="right") - 1
        people = np.bincount(places, rows, len(EDGES)).astype(np.int64)
        return WhoIsAloneResult(self.columns, people, int(sizes.min(initial=sizes.max(initial=0))))


@dataclass(frozen=True)
class RowsAlone(Question["WhoIsAloneResult"]):
    """How many rows of a table share their values in some columns, where it is too large to be looked up before?"""

    table: Table = field(repr=False)
    columns: tuple[str, ...] = ()

    def cost(self) -> Cost:
        """Each row's values are put together, whatever they are."""
        cells = self.table.n * max(len(self.columns), 1)
        return Cost(48.0 * cells + 8 * MEGABYTE, 0.05 + 3e-7 * cells)

    def run(self, progress: Progress | None = None) -> WhoIsAloneResult:
        return WhoIsAlone.of(self.table, self.columns).run(progress)


@dataclass(frozen=True, eq=False)
class WhoIsAloneResult(Result):
    """The columns that are known, how many people stand in crowds of each size, and the smallest crowd."""

    columns: tuple[str, ...]
    people: NDArray[np.int64]
    smallest: int

    def masked(self) -> WhoIsAloneResult:
        """The columns alone, with nobody told apart yet."""
        return replace(self, people=np.zeros_like(self.people), smallest=0)

    @property
    def n(self) -> int:
        """How many people there are."""
        return int(self.people.sum())

    @property
    def alone(self) -> int:
        """How many are alone."""
        return int(self.people[0])
