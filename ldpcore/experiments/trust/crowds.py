"""Taking the names away is not enough: how many rows are alone with what a neighbor may know of them, which columns
single them out, and what coarser columns would do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ldpcore.costs import MEGABYTE, Cost
from ldpcore.questions import Progress, Question, Result
from ldpcore.tables.table import Table, shortened

EDGES = (1, 2, 3, 6, 11, 101)  # crowds of 1, 2, 3 to 5, 6 to 10, 11 to 100, and more
FEW = 10  # rows: values that fewer hold are put together
JUDGED = 30  # columns that are tried by themselves
STEPS = (1, 2, 5, 10)  # times a power of ten: how wide ranges of numbers are
RANGES = (20, 5)  # about so many of them
Codes = NDArray[np.int64]  # which crowd each row is in
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
        held = [_codes(self.table, name) for name in self.columns]
        nobody = np.zeros(self.table.n, dtype=np.int64)
        before, behind = [nobody], [nobody]
        for codes in held:
            before.append(_both(before[-1], codes))
        for codes in reversed(held):
            behind.insert(0, _both(behind[0], codes))
        ways: list[Crowds] = []
        for place, name in enumerate(self.columns):
            others = _both(before[place], behind[place + 1])
            ways.append(Crowds.of("without", name, 0.0, others))
            for way, step, codes in _coarser(self.table, name, held[place]):
                ways.append(Crowds.of(way, name, step, _both(others, codes)))
            if progress is not None:
                progress((place + 1) / (len(self.columns) + 1))
        single = [Crowds.of("single", name, 0.0, _codes(self.table, name)) for name in self.table.columns[:JUDGED]]
        called = tuple(shortened(name, 24) for name in self.columns)
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


def _codes(table: Table, name: str) -> Codes:
    """Which value each row has; a missing cell is a value too."""
    labels, codes = table.coded(name)
    return np.where(codes < 0, len(labels), codes)


def _both(first: Codes, second: Codes) -> Codes:
    """Which crowd each row is in by two columns at once."""
    import pandas as pd

    return pd.factorize(first * (int(second.max(initial=0)) + 1) + second)[0].astype(np.int64)


def _coarser(table: Table, name: str, codes: Codes) -> Iterator[tuple[Way, float, Codes]]:
    """The ways to make a column coarser that put some of its values together and not all."""
    distinct = len(np.unique(codes))
    for way, step, coarse in _tried(table, name, codes):
        if 1 < len(np.unique(coarse)) < distinct:
            yield way, step, coarse


def _tried(table: Table, name: str, codes: Codes) -> Iterator[tuple[Way, float, Codes]]:
    """Wider ranges of numbers, months and years of days, the first letters of codes, rare values together."""
    kind = table.kind(name)
    if kind == "number":
        values = table.numbers(name)
        for width in _widths(values):
            yield "ranges", width, _grouped(np.floor(values / width))
    elif kind == "date":
        cells = table.cells(name)
        for way, unit in (("month", "datetime64[M]"), ("year", "datetime64[Y]")):
            yield way, 0.0, _grouped(cells.astype(unit).astype(np.int64))  # type: ignore[misc]
    elif kind == "category":
        labels, _ = table.coded(name)
        for letters in _letters(labels):
            heads = {head: place for place, head in enumerate(dict.fromkeys(text[:letters] for text in labels))}
            yield "letters", letters, np.array([*(heads[text[:letters]] for text in labels), len(heads)])[codes]
        yield "rare", FEW, np.where(np.bincount(codes)[codes] < FEW, len(labels) + 1, codes)


def _grouped(values: NDArray[np.generic]) -> Codes:
    """Which of the different values each row has, with one for all that are missing."""
    import pandas as pd

    return pd.factorize(values, use_na_sentinel=False)[0].astype(np.int64)


def _widths(values: NDArray[np.float64]) -> list[float]:
    """Round widths that cut numbers into about twenty and about five ranges."""
    low, high = float(np.nanmin(values, initial=np.inf)), float(np.nanmax(values, initial=-np.inf))
    span = high - low
    if not 0 < span < np.inf:
        return []
    widths = []
    for ranges in RANGES:
        unit = 10.0 ** np.floor(np.log10(span / ranges))
        widths.append(float(next(step * unit for step in STEPS if step * unit >= span / ranges * (1 - 1e-12))))
    return list(dict.fromkeys(widths))


def _letters(labels: Sequence[str]) -> list[int]:
    """How many letters of codes may stay, as of postcodes: none of words."""
    lengths = {len(text) for text in labels}
    if len(lengths) != 1 or not all(any(letter.isdigit() for letter in text) for text in labels):
        return []
    (length,) = lengths
    return [letters for letters in dict.fromkeys((length - 2, 1)) if 0 < letters < length]
