"""Questions to a curator: a count, a sum or a mean of the selected rows, and the largest effect of one person.

Sensitivity is global: the largest change over all pairs of neighboring tables, derived from the question and its
public bounds, never read off the data at hand.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ldpcore.parameters import Neighbors, declaration
from ldpcore.tables.conditions import (
    RELATIONS,
    Compare,
    Condition,
    InRange,
    Missing,
    NoneOf,
    OneOf,
    Present,
    QueryError,
    Relation,
    Where,
    checked,
)
from ldpcore.tables.table import Table

__all__ = [
    "BUILT_IN_QUERIES",
    "RELATIONS",
    "Clamping",
    "Compare",
    "Condition",
    "CountQuery",
    "Explanation",
    "InRange",
    "Mean",
    "Missing",
    "NoneOf",
    "OneOf",
    "Present",
    "QueryError",
    "Relation",
    "Sum",
    "Where",
    "clamped",
    "loss_without_clamping",
]

REPLACE, ADD_REMOVE = "replace-one", "add-remove"
LARGEST_BOUND = 1e14  # so that every sensitivity fits its declaration
EVERYBODY = Where()


@dataclass(frozen=True)
class Explanation:
    """The reason for a sensitivity: the key of a sentence, and the numbers that go into it.

    One row's contribution goes from `before` to `after` in the worst case; their distance is `sensitivity`.
    """

    key: str
    before: float
    after: float
    sensitivity: float


def _replacing(neighbors: str) -> bool:
    declaration(Neighbors).check("neighbors", neighbors)
    return neighbors == REPLACE


def _exchanged(neighbors: str, each: int, where: Where) -> tuple[tuple[int, int], ...]:
    """The numbers of rows one person adds before and after, where a sum may move the farthest: it is convex in both.

    Somebody who is there has a row at least; under a condition perhaps none that is selected.
    """
    return ((0 if where.conditions else 1, each), (each, each)) if _replacing(neighbors) else ((0, each),)


def _ends(low: float, high: float, before: int, after: int) -> tuple[float, float]:
    """The sums one person adds before and after, with rows between low and high, where they differ the most."""
    rising, falling = (before * low, after * high), (before * high, after * low)
    return max(rising, falling, key=lambda ends: abs(ends[1] - ends[0]))


def _checked_bounds(low: float, high: float) -> None:
    for which, bound in (("lower", low), ("upper", high)):
        if isinstance(bound, bool) or not math.isfinite(bound) or abs(bound) > LARGEST_BOUND:
            raise QueryError("bound_outside", which=which, got=bound)
    if low >= high:
        raise QueryError("bounds_order", low=low, high=high)


@dataclass(frozen=True)
class Clamping:
    """The effect of forcing values into [low, high]: the number moved, and the shift of their sum and mean."""

    low: float
    high: float
    n: int
    below: int
    above: int
    missing: int
    filled: float
    total: float
    clamped_total: float

    @property
    def sum_bias(self) -> float:
        """The clamped sum minus the sum of the values as they stand, where a missing value adds nothing."""
        return self.clamped_total - self.total

    @property
    def mean_bias(self) -> float:
        """The clamped mean minus the mean of the values present; NaN where there is nobody to average."""
        present = self.n - self.missing
        return self.clamped_total / self.n - self.total / present if present else math.nan


def clamped(values: NDArray[Any], low: float, high: float) -> Clamping:
    """The effect of clamping on these values: x becomes min(high, max(low, x)).

    A missing value counts as the number of [low, high] nearest to zero, so that every row contributes something
    inside the bounds and the bounds alone decide the sensitivity.
    """
    _checked_bounds(low, high)
    values = np.asarray(values, dtype=np.float64)
    filled = min(max(0.0, float(low)), float(high))
    missing = int(np.count_nonzero(np.isnan(values)))
    present = values[~np.isnan(values)] if missing else values
    # Whole numbers add up exactly below 2^53; others by pairs, to about 15 digits.
    inside = float(np.clip(present, low, high).sum()) + missing * filled
    below, above = int(np.count_nonzero(present < low)), int(np.count_nonzero(present > high))
    return Clamping(low, high, len(values), below, above, missing, filled, float(present.sum()), inside)


@dataclass(frozen=True)
class CountQuery:
    """The number of selected rows. Good for shares and for every yes-or-no question."""

    verb: ClassVar[str] = "count"
    where: Where = EVERYBODY

    def answer(self, table: Table) -> int:
        return self.where.count(table)

    def sensitivity(self, neighbors: str, each: int = 1) -> float:
        return self.explanation(neighbors, each).sensitivity

    def explanation(self, neighbors: str, each: int = 1) -> Explanation:
        """One row is selected or not, and another in its place may be where it was not; of `each` person up to all."""
        if each > 1:
            _replacing(neighbors)
            least = 1 if _replacing(neighbors) and not self.where.conditions else 0
            return Explanation("count-rows", least, each, each - least)
        return Explanation("count-replace" if _replacing(neighbors) else "count-add-remove", 0, 1, 1)


@dataclass(frozen=True)
class Sum:
    """The sum of a column clamped to public bounds, over the selected rows: sum of min(high, max(low, x))."""

    verb: ClassVar[str] = "sum"
    column: str
    low: float
    high: float
    where: Where = EVERYBODY

    def __post_init__(self) -> None:
        _checked_bounds(self.low, self.high)

    def values(self, table: Table) -> NDArray[np.float64]:
        """The values of the selected rows as they stand, missing ones as NaN."""
        checked(table, self.column, "number")
        values = table.numbers(self.column)
        return values[self.where.rows(table)] if self.where.conditions else values

    def clamping(self, table: Table) -> Clamping:
        """The effect of clamping on the selected values."""
        return clamped(self.values(table), self.low, self.high)

    def answer(self, table: Table) -> float:
        return self.clamping(table).clamped_total

    def sensitivity(self, neighbors: str, each: int = 1) -> float:
        return self.explanation(neighbors, each).sensitivity

    def explanation(self, neighbors: str, each: int = 1) -> Explanation:
        """A row adds between low and high, or nothing where it is absent or not selected.

        Replace one, everybody selected: from low to high, high - low. A row that comes or goes: max(|low|, |high|).
        Replace one under a condition: a row may also leave the selection, max(|low|, |high|, high - low).
        With up to `each` rows of a person: the largest of |a·high - b·low| and |a·low - b·high| over b rows before and
        a rows after.
        """
        if each > 1:
            pairs = _exchanged(neighbors, each, self.where)
            ends = (_ends(self.low, self.high, before, after) for before, after in pairs)
            before, after = max(ends, key=lambda pair: abs(pair[1] - pair[0]))
            return Explanation("sum-rows", before, after, abs(after - before))
        across = Explanation("sum-replace", self.low, self.high, self.high - self.low)
        end = max(self.low, self.high, key=abs)
        absent = Explanation("sum-add-remove", 0, end, abs(end))
        if not _replacing(neighbors):
            return absent
        if not self.where.conditions or across.sensitivity >= absent.sensitivity:
            return across
        return Explanation("sum-replace-selected", 0, end, abs(end))


@dataclass(frozen=True)
class Mean:
    """The mean of a clamped column over the selected rows.

    Where one row is replaced and everybody is asked, n is public: one release with sensitivity (high - low) / n.
    Otherwise the number of rows is itself private: `parts()` releases SUM and COUNT with half of the level each, and
    their `ratio()` is labeled as biased.
    """

    verb: ClassVar[str] = "mean"
    column: str
    low: float
    high: float
    where: Where = EVERYBODY

    def __post_init__(self) -> None:
        _checked_bounds(self.low, self.high)

    def clamping(self, table: Table) -> Clamping:
        """The effect of clamping on the selected values."""
        return Sum(self.column, self.low, self.high, self.where).clamping(table)

    def answer(self, table: Table) -> float:
        """The exact clamped mean; the mean of nobody is refused."""
        done = self.clamping(table)
        if done.n == 0:
            raise QueryError("mean_of_nobody")
        return done.clamped_total / done.n

    def direct(self, neighbors: str, each: int = 1) -> bool:
        """Whether the mean is released in one piece, its number of rows being public."""
        return _replacing(neighbors) and not self.where.conditions and each == 1

    def sensitivity(self, neighbors: str, n: int) -> float:
        return self.explanation(neighbors, n).sensitivity

    def explanation(self, neighbors: str, n: int) -> Explanation:
        if not self.direct(neighbors):
            raise QueryError("mean_in_parts")
        if n < 1:
            raise QueryError("mean_rows", got=n)
        # Before and after in units of the mean: x/n changes from low/n to high/n while the other rows stay.
        return Explanation("mean-direct", self.low / n, self.high / n, (self.high - self.low) / n)

    def parts(self) -> tuple[Sum, CountQuery]:
        """The two questions whose ratio is the mean; each gets half of the level, and sequential composition adds."""
        return Sum(self.column, self.low, self.high, self.where), CountQuery(self.where)

    def ratio(self, noisy_sum: float, noisy_count: float) -> float:
        """The mean from two noisy parts, kept within the bounds: post-processing, biased and free of charge.

        A noisy count below one says nothing about a mean and is counted as one.
        """
        return min(max(noisy_sum / max(noisy_count, 1.0), self.low), self.high)


def loss_without_clamping(query: Sum | Mean, low: float, high: float, neighbors: str, each: int = 1) -> float:
    """The real loss, in units of ε, where the bounds are assumed but not enforced and rows add from `low` to `high`.

    A hundred visits assumed, a record with 101: the loss is 1.01 ε, and the guarantee is broken. Let l be the lesser of
    `low` and the lower bound, h the greater of `high` and the upper one. Where every row adds between l and h, one that
    is replaced moves the sum by up to h - l, and one that comes or goes by up to max(|l|, |h|).
    """
    total = query if isinstance(query, Sum) else query.parts()[0]
    scale = total.sensitivity(neighbors, each)
    low, high = min(query.low, low), max(query.high, high)
    in_two = isinstance(query, Mean) and not query.direct(neighbors, each)
    worst = 0.0
    for before, after in _exchanged(neighbors, each, query.where):
        start, end = _ends(low, high, before, after)
        moved = abs(end - start) / scale
        # Half of the level is for the sum and half for the count, which moves with the number of rows.
        counted = (after - before) / CountQuery(query.where).sensitivity(neighbors, each) if in_two else 0.0
        worst = max(worst, (moved + counted) / 2 if in_two else moved)
    return worst


BUILT_IN_QUERIES: Mapping[str, CountQuery] = MappingProxyType(
    {
        "income": CountQuery(Where((Compare("schooling", "<", 16), Compare("income", ">", 33_761)))),
        "clinic": CountQuery(Where((Compare("diabetes", "=", 1),))),
        "people": CountQuery(Where((OneOf("sex", ("F",)),))),
    }
)
