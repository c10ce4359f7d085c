"""A plan for whole tables of counts: the level that keeps every cell within ±w at once, and the cells that survive.

Everybody is in one cell of each table. By L1 the cells of one table share no level (parallel composition) and tables
do: level ε_i, Δ₁ = 1 where a person comes or goes, 2 where one is replaced and leaves one cell for another. By L2 all
tables are one release, with the same noise on every cell: Δ₂ = √T, or √(2T).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ldpcore.estimating.adviser import WEAKEST
from ldpcore.experiments import generator
from ldpcore.experiments.counting.releases import SAME_SIZE, AnswerWidth
from ldpcore.experiments.recommending import only, recommended_level
from ldpcore.mechanisms.additivenoise import AdditiveNoise
from ldpcore.mechanisms.discretelaplace import DiscreteLaplaceMechanism
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.bisection import least_whole
from ldpcore.numerics.digits import not_above
from ldpcore.numerics.roots import brent_root
from ldpcore.parameters import Confidence, Declared, Seed
from ldpcore.questions import Progress, Question, Recommendation, Result, no_progress

DRAWN_CELLS = 30  # cells for which a picture has room
ROUNDED_TO = 5  # what tables are rounded to elsewhere, without a promise


@dataclass(frozen=True)
class Valued:
    """A number that names a cell, of a column that must be named with it."""

    column: str
    value: str


CellPart = str | Valued | tuple[float, float] | None  # of a column: a value, a range, or all other values
Cell = tuple[CellPart, ...]  # what a cell is called, by each of its columns


def all_within(width: float, noises: Sequence[AdditiveNoise], sizes: Sequence[int]) -> float:
    """ln P(every cell is within ±w) = Σ c_i ln P(|X_i| ≤ w): the noises of all cells are independent."""
    least = np.finfo(float).tiny
    return math.fsum(
        size * math.log(max(noise.within(width), least)) for noise, size in zip(noises, sizes, strict=True)
    )


def each_within(confidence: float, cells: int) -> float:
    """The confidence of each cell's own width that keeps all of them together: c^(1/N)."""
    return math.exp(math.log(confidence) / cells)


@lru_cache(maxsize=512)
def shares(sizes: tuple[int, ...], confidence: float) -> tuple[float, ...]:
    """The shares of a level with which Laplace noise keeps these numbers of cells within the narrowest common width.

    At the price μ of a level, w ε_i/Δ = ln(1 + c_i μ): there ∂/∂ε_i of Σ c_i ln(1 - e^{-w ε_i/Δ}) are equal, and no
    other split of their sum keeps all within ±w more often. w and ε stand in the law as w ε alone, so that the shares
    are the same for every width. Another noise whose levels add up keeps its level with them too.
    """
    cells = np.array(sizes, dtype=np.float64)

    def short(log_price: float) -> float:
        priced = cells * math.exp(log_price)
        return float(np.sum(cells * (np.log(priced) - np.log1p(priced)))) - math.log(confidence)

    needed = np.log1p(cells * math.exp(brent_root(short, -30.0, 60.0, xtol=1e-13)))
    return tuple((needed / needed.sum()).tolist())


@lru_cache(maxsize=512)
def level_needed(unit: AdditiveNoise, sizes: tuple[int, ...], width: float, confidence: float) -> float:
    """The least level in all with which every cell is within ±w; infinite where none up to 50 does.

    `unit` is the noise of cells that have the level 1. Where all have the level of a cell that is as sure as each must
    be, they are kept often enough, and where none has it they are not: in between lies the least one.
    """
    alone = unit.level_within(width, each_within(confidence, sum(sizes))) / unit.epsilon
    parts = shares(sizes, confidence)
    low, high = alone / max(parts), alone / min(parts)
    if low == high:
        return low

    def short(total: float) -> float:
        noises = [unit.at_level(total * part * unit.epsilon) for part in parts]
        return all_within(width, noises, sizes) - math.log(confidence)

    if low > WEAKEST or (high > WEAKEST and short(WEAKEST) < 0):
        return math.inf
    return _root(short, low, min(high, WEAKEST))


def _root(short: Callable[[float], float], low: float, high: float) -> float:
    """The place where a growing function becomes 0 between two ends; an end, where rounding has put it just beyond."""
    if short(low) >= 0:
        return low
    return brent_root(short, low, high, xtol=1e-13, rtol=1e-14) if short(high) > 0 else high


@dataclass(frozen=True)
class TablePlan(Question["TablePlanResult"], Declared):
    """Tables of counts about the same people at a level in all, beside the level that a wish takes.

    The mechanism is that of a single count, at the level in all: one person moves that by all rows of theirs.
    """

    mechanism: AdditiveNoise
    tables: tuple[tuple[int, ...], ...]
    width: AnswerWidth = 5.0
    confidence: Confidence = 0.95
    names: tuple[tuple[Cell, ...], ...] = ()  # of the cells
    columns: tuple[str, ...] = ()  # of the tables
    seed: Seed = 1
    people: int = 0  # who are known to be there: no cell holds more
    page: int = 1  # of the cells, which is drawn

    @property
    def epsilon(self) -> float:
        """The level in all."""
        return self.mechanism.epsilon

    @property
    def each(self) -> int:
        """The largest number of rows of one person."""
        return int(self.mechanism.sensitivity)

    @property
    def moved(self) -> int:
        """The number of cells that one row moves by one: one of each table, and another one where it is replaced."""
        return len(self.tables) * (2 if self.mechanism.neighbors == SAME_SIZE else 1)

    def together(self, norm: int) -> float:
        """The joint move of all cells by one person: added up (L1), or as the length of an arrow (L2).

        All rows of one person in one cell of each table are as far as any: (Σ|d|²)^½ ≤ Σ|d| within a table, and who
        comes for somebody else is in other cells.
        """
        return float(self.each * self.moved ** (1 / norm))

    @property
    def apart(self) -> bool:
        """Whether each table has a level of its own, as by L1 these add up; by L2 all tables are one release."""
        return self.mechanism.norm == 1

    @property
    def sensitivity(self) -> float:
        """The joint move by one person of the cells that have one level, by the norm that counts."""
        return self.together(self.mechanism.norm) / (len(self.tables) if self.apart else 1)

    @property
    def parts(self) -> tuple[int, ...]:
        """The place of each table's level."""
        return tuple(range(len(self.tables))) if self.apart else (0,) * len(self.tables)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of cells that have each level."""
        sizes = tuple(map(len, self.tables))
        return sizes if self.apart else (sum(sizes),)

    @property
    def cells(self) -> int:
        """The number of cells."""
        return sum(map(len, self.tables))

    @property
    def pages(self) -> int:
        """The number of pictures for all cells."""
        return max(-(-self.cells // DRAWN_CELLS), 1)

    @property
    def drawn(self) -> range:
        """The places of the cells that are drawn, among those of all tables; the pages are alike long."""
        size = -(-self.cells // self.pages)
        first = size * (min(self.page, self.pages) - 1)
        return range(first, min(first + size, self.cells))

    @property
    def roof(self) -> float:
        """The number of people a picture holds: by how many there are and by how many cells they are spread over.

        Where one cell holds more than a few even shares, all people: that is all it tells of the counts.
        """
        some = self.people * min(1.0, 1.4 / math.sqrt(min(map(len, self.tables), default=1)))
        return some if max((max(table, default=0) for table in self.tables), default=0) <= some else float(self.people)

    def split(self, total: float) -> Reals:
        """The levels that add up to a total, of each table or of all at once."""
        return total * np.array(shares(self.sizes, self.confidence))

    def noise(self, level: float) -> AdditiveNoise:
        """The noise of cells at their level, in nine digits: further ones are those of the wish behind it."""
        return self.mechanism.of_counts(not_above(level), self.sensitivity)

    @property
    def noises(self) -> tuple[AdditiveNoise, ...]:
        """The noise of the cells that have each level."""
        return tuple(self.noise(float(level)) for level in self.split(self.epsilon))

    @property
    def needed(self) -> float:
        """The level in all that the wish takes."""
        unit = self.mechanism.of_counts(1.0, self.sensitivity)
        return level_needed(unit, self.sizes, self.width, self.confidence)

    @property
    def rival(self) -> TablePlan:
        """The tables with Laplace noise, or where that is chosen with noise in whole numbers."""
        other = DiscreteLaplaceMechanism if isinstance(self.mechanism, LaplaceMechanism) else LaplaceMechanism
        noise = self.mechanism
        return replace(self, mechanism=other.calibrated(noise.epsilon, noise.sensitivity, noise.neighbors))

    def run(self, progress: Progress = no_progress) -> TablePlanResult:
        noises = self.noises
        released = tuple(self._released(noises, generator(self.seed, "table")))
        chance = math.exp(all_within(self.width, noises, self.sizes))
        return TablePlanResult(self, self.needed, self.split(self.epsilon), chance, self._reach(noises), released)

    def _released(self, noises: Sequence[AdditiveNoise], rng: np.random.Generator) -> Iterator[Reals]:
        """Every cell of each table with its noise."""
        for table, part in zip(self.tables, self.parts, strict=True):
            yield noises[part].release(np.array(table, dtype=np.float64), rng)

    def _reach(self, noises: Sequence[AdditiveNoise]) -> float:
        """The least width that all cells keep together with the confidence; ±0 where whole numbers are not moved.

        Between the narrowest and the widest of the widths that cells keep which are as sure as all must be.
        """
        widths = [noise.width(each_within(self.confidence, self.cells)) for noise in noises]
        low, high = min(widths), max(widths)

        def short(width: float) -> float:
            return all_within(width, noises, self.sizes) - math.log(self.confidence)

        if low == high:
            return high
        if not self.mechanism.whole:
            return _root(short, low, high)
        ends = math.floor(max(low - 1, -1)), math.ceil(high)  # whole numbers already
        return float(least_whole(lambda width: short(width) >= 0, *ends))


@dataclass(frozen=True, eq=False)
class TablePlanResult(Result):
    """The level needed, the parts of the present one, the chance and the width now, and one release of all cells."""

    experiment: TablePlan
    needed: float
    levels: Reals
    chance: float
    reach: float
    released: tuple[Reals, ...]

    def masked(self) -> TablePlanResult:
        """The released cells; the roof of the picture, which says nothing of a cell, replaces each true count."""
        question = self.experiment
        tables = tuple((int(question.roof),) * len(table) for table in question.tables)
        return replace(self, experiment=replace(question, tables=tables))

    @property
    def alone(self) -> float:
        """The level that the same wish takes for a single count, with the same noise."""
        return self.experiment.mechanism.level_within(self.experiment.width, self.experiment.confidence)

    @property
    def kept(self) -> bool:
        """Whether the present level keeps the wish."""
        return self.chance >= self.experiment.confidence

    @property
    def recommended(self) -> tuple[Recommendation, ...]:
        """The level in all."""
        return only(recommended_level(self.needed))

    @property
    def large(self) -> tuple[NDArray[np.bool_], ...]:
        """Whether each released cell is larger than the noise may be: judged by the release alone, at no cost."""
        return tuple(released > self.reach for released in self.released)

    @property
    def worth(self) -> int:
        """The number of cells that are larger than the noise may be."""
        return int(sum(int(large.sum()) for large in self.large))

    @property
    def lifted(self) -> float:
        """The mean excess of an empty cell once negative cells are moved up to 0: half of E|noise|."""
        return self.experiment.noises[0].mean_absolute_error() / 2

    @property
    def rounding(self) -> tuple[int, int, int]:
        """The first cell rounded to fives, the number of further people until the next step, and the value there.

        The step comes at one certain person: the ratio of both tables' chances is infinite there, and no ε holds.
        """
        count = self.experiment.tables[0][0]
        rounded = ROUNDED_TO * round(count / ROUNDED_TO)
        return rounded, rounded + ROUNDED_TO // 2 + 1 - count, rounded + ROUNDED_TO
