"""A plan for whole tables of counts: which level keeps every cell within ±w at the same time, and which cells survive?

Everybody is in one cell of each table, so that the cells of one table share no level (parallel composition) and tables
do: level ε_i, Δ = 1 where a person comes or goes, 2 where one is replaced and leaves one cell for another.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import scipy
from numpy.typing import NDArray

from ldpcore.experiments import generator
from ldpcore.experiments.counting.releases import SAME_SIZE, Width
from ldpcore.experiments.recommending import at_level, only
from ldpcore.mechanisms.discretelaplace import DiscreteLaplaceMechanism
from ldpcore.mechanisms.geometricnoise import TwoSidedGeometric
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.digits import not_above
from ldpcore.parameters import Confidence, Declared, Epsilon, Neighbors, Seed
from ldpcore.questions import Progress, Question, Recommendation, Result
from ldpcore.tables.queries import ADD_REMOVE
from ldpcore.tables.units import RowsOfOne

DRAWN = 30  # cells for which a picture has room
ROUNDED_TO = 5  # what tables are rounded to elsewhere, without a promise


@dataclass(frozen=True)
class Valued:
    """A number that names a cell, of a column that must be named with it."""

    column: str
    value: str


Part = str | Valued | tuple[float, float] | None  # of a column: a value, a range, or all other values
Cell = tuple[Part, ...]  # what a cell is called, by each of its columns


def all_within(widths: float, levels: Reals, cells: Reals, sensitivity: float) -> float:
    """ln P(every cell is within ±w) = Σ c_i ln(1 - e^{-w ε_i/Δ}): independent Laplace noise of scale Δ/ε_i."""
    return float(np.sum(cells * np.log(-np.expm1(-widths * levels / sensitivity))))


def all_within_whole(width: float, levels: Reals, cells: Reals, sensitivity: float) -> float:
    """ln P(all within w), discrete Laplace: Σ c_i ln P(|W| ≤ w), P(|W| > w) = 2a^{⌊w⌋+1}/(1 + a), a = e^{-ε_i/Δ}."""
    tails = [2 * float(TwoSidedGeometric(level / sensitivity).at_most(-math.floor(width) - 1)) for level in levels]
    return float(np.sum(cells * np.log1p(-np.array(tails))))


@dataclass(frozen=True)
class TablePlan(Question["TablePlanResult"], Declared):
    """Tables of counts about the same people at a level in all, beside the level that a wish takes."""

    epsilon: Epsilon
    tables: tuple[tuple[int, ...], ...]
    width: Width = 5.0
    confidence: Confidence = 0.95
    neighbors: Neighbors = "add-remove"
    names: tuple[tuple[Cell, ...], ...] = ()  # of the cells
    columns: tuple[str, ...] = ()  # of the tables
    seed: Seed = 1
    people: int = 0  # who are known to be there: no cell holds more
    page: int = 1  # of the cells, which is drawn
    each: RowsOfOne = 1  # rows of one person at most
    whole: bool = False  # whether the noise is in whole numbers

    @property
    def sensitivity(self) -> float:
        """How far one person moves all cells of one table together."""
        return self.each * (2.0 if self.neighbors == SAME_SIZE else 1.0)

    @property
    def cells(self) -> Reals:
        """How many cells each table has."""
        return np.array([len(table) for table in self.tables], dtype=np.float64)

    @property
    def pages(self) -> int:
        """How many pictures all cells take."""
        return max(-(-int(self.cells.sum()) // DRAWN), 1)

    @property
    def drawn(self) -> range:
        """The places of the cells that are drawn, among those of all tables; the pages are alike long."""
        cells = int(self.cells.sum())
        size = -(-cells // self.pages)
        first = size * (min(self.page, self.pages) - 1)
        return range(first, min(first + size, cells))

    @property
    def roof(self) -> float:
        """How many people a picture holds: by how many there are and by how many cells they are spread over.

        Where one cell holds more than a few even shares, all people: that is all it tells of the counts.
        """
        some = self.people * min(1.0, 1.4 / math.sqrt(min(self.cells, default=1.0)))
        return some if max((max(table, default=0) for table in self.tables), default=0) <= some else float(self.people)

    def levels(self, price: float) -> Reals:
        """The levels of the tables at the price μ: w ε_i/Δ = ln(1 + c_i μ).

        There ∂/∂ε_i of Σ c_i ln(1 - e^{-w ε_i/Δ}) are equal: no other split of their sum
        keeps all within ±w more often.
        """
        return np.asarray(np.log1p(self.cells * price) * self.sensitivity / self.width, dtype=np.float64)

    def split(self, total: float) -> Reals:
        """The levels of the tables that add up to a total and keep all cells within the narrowest width there is.

        A wish of ±w takes ε(w) = w₁ε(w₁)/w, always in the same proportions, for w and ε stand in the law as w ε alone:
        so the narrowest width at a total is the one that takes just this total, and the split is its split.
        """
        return _shared_out(self._needed(), total)

    def noise(self, level: float) -> LaplaceMechanism | DiscreteLaplaceMechanism:
        """The noise of a table's cells at its level, in nine digits: further ones are those of the wish behind it."""
        level = not_above(level)
        if self.whole:
            return DiscreteLaplaceMechanism(level, int(self.sensitivity), self.neighbors)
        return LaplaceMechanism(level, self.sensitivity, self.neighbors)

    def run(self, progress: Progress | None = None) -> TablePlanResult:
        needed = self._needed()
        levels = _shared_out(needed, self.epsilon)
        released = tuple(self._released(levels, generator(self.seed, "table")))
        law, reach = (all_within_whole, self._whole_reach) if self.whole else (all_within, self._reach)
        joint = law(self.width, levels, self.cells, self.sensitivity)
        return TablePlanResult(
            self, needed, self.in_whole_numbers(needed), levels, math.exp(joint), reach(needed), released
        )

    def _released(self, levels: Reals, rng: np.random.Generator) -> Iterator[Reals]:
        """Every cell of each table with its noise."""
        for table, level in zip(self.tables, levels, strict=True):
            counts = np.array(table, dtype=np.float64)
            noise = self.noise(float(level))
            if self.whole:
                yield noise.release(counts, rng)
            else:  # in units of the scale: it moves, as the level does
                yield counts + rng.laplace(0, self.sensitivity, len(table)) / noise.epsilon

    def _needed(self) -> Reals:
        """The levels that the wish takes, each table's; their sum is the least there is."""

        def short(log_price: float) -> float:
            levels = self.levels(math.exp(log_price))
            return all_within(self.width, levels, self.cells, self.sensitivity) - math.log(self.confidence)

        return self.levels(math.exp(float(scipy.optimize.brentq(short, -30.0, 60.0, xtol=1e-13))))

    def in_whole_numbers(self, needed: Reals) -> float:
        """The level in all that discrete Laplace noise takes, split in the same proportions."""

        def short(log_factor: float) -> float:
            levels = needed * math.exp(log_factor)
            return all_within_whole(self.width, levels, self.cells, self.sensitivity) - math.log(self.confidence)

        return float(needed.sum()) * math.exp(float(scipy.optimize.brentq(short, -9.0, 9.0, xtol=1e-12)))

    def _reach(self, needed: Reals) -> float:
        """The width that all cells keep together with the confidence at the present level: w ε(w) is one number."""
        return self.width * float(needed.sum()) / self.epsilon

    def _whole_reach(self, needed: Reals) -> float:
        """The least whole number that noise in whole numbers keeps to, found by halving; ±0 where nothing is moved."""
        levels = _shared_out(needed, self.epsilon)

        def kept(width: int) -> bool:
            return all_within_whole(width, levels, self.cells, self.sensitivity) >= math.log(self.confidence)

        high = max(math.ceil(self._reach(needed)), 1)
        low = -1
        while not kept(high):
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if kept(middle) else (middle, high)
        return float(high)


def _shared_out(needed: Reals, total: float) -> Reals:
    """A total in the proportions of the levels that a wish takes."""
    return np.asarray(needed * (total / needed.sum()), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class TablePlanResult(Result):
    """The levels needed and those of the present total, the chance and the width now, and one release of all cells."""

    experiment: TablePlan
    needed_levels: Reals
    whole: float
    levels: Reals
    chance: float
    reach: float
    released: tuple[Reals, ...]

    def masked(self) -> TablePlanResult:
        """What is released; each true count gives way to the roof of the picture, which says nothing about a cell."""
        question = self.experiment
        tables = tuple((int(question.roof),) * len(table) for table in question.tables)
        return replace(self, experiment=replace(question, tables=tables))

    @property
    def needed(self) -> float:
        """The level in all that the wish takes."""
        return self.whole if self.experiment.whole else float(self.needed_levels.sum())

    @property
    def other(self) -> float:
        """The level in all that the wish takes with the other noise, in real numbers or in whole ones."""
        return float(self.needed_levels.sum()) if self.experiment.whole else self.whole

    @property
    def alone(self) -> float:
        """The level that the same wish takes for a single count, with the same noise."""
        question = self.experiment
        level = -math.log1p(-question.confidence) * question.each / question.width
        if not question.whole:
            return level
        one = replace(question, tables=((0,),), names=(), neighbors=ADD_REMOVE)
        return one.in_whole_numbers(np.array([level]))

    @property
    def kept(self) -> bool:
        """Whether the present level keeps what is wished."""
        return self.chance >= self.experiment.confidence

    @property
    def recommended(self) -> tuple[Recommendation, ...]:
        """The level in all."""
        return only(at_level(self.needed))

    @property
    def large(self) -> tuple[NDArray[np.bool_], ...]:
        """Which released cells are larger than the noise may be: judged by what is released, which costs nothing."""
        return tuple(released > self.reach for released in self.released)

    @property
    def worth(self) -> int:
        """How many cells these are."""
        return int(sum(int(large.sum()) for large in self.large))

    @property
    def lifted(self) -> float:
        """By how much a cell of nobody is too large on average once negative cells are moved up to 0: half E|noise|."""
        return self.experiment.noise(float(self.levels[0])).mean_absolute_error() / 2

    @property
    def rounding(self) -> tuple[int, int, int]:
        """What the first cell shows when it is rounded to fives, after how many more people the next, and what then.

        The step comes at one certain person: the ratio of both tables' chances is infinite there, and no ε holds.
        """
        count = self.experiment.tables[0][0]
        rounded = ROUNDED_TO * round(count / ROUNDED_TO)
        return rounded, rounded + ROUNDED_TO // 2 + 1 - count, rounded + ROUNDED_TO
