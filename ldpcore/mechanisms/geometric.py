"""Two-sided geometric noise on a whole number from a public range: Laplace noise for those who count in ones."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.laws.channels import Pair
from ldpcore.mechanisms.arithmetic import WHOLE, Arithmetic
from ldpcore.mechanisms.base import NumberRandomizer, ReportTally, Witness
from ldpcore.mechanisms.geometricnoise import TwoSidedGeometric
from ldpcore.mechanisms.values import inside
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.numerics.tosses import binomials
from ldpcore.parameters import Epsilon, Interval, ParameterError
from ldpcore.people.populations import Population

IntegerSensitivity = Annotated[
    int, Interval("m", 1, 10**5, (1, 1000), scale="log", integer=True, small=(1, 2, 7), extreme=(1, 1000))
]


@dataclass(frozen=True)
class LocalGeometric(NumberRandomizer):
    """Send a whole number of 0 … m plus noise with P(j) = tanh(ε/2m)·e^{-ε|j|/m}: exact integers, no floating point.

    x in [-1, 1] stands for (x+1)m/2. Variance (4/m²)/(2 sinh²(ε/2m)), below the 8/ε² of Laplace noise and close to it
    for many steps; a number between two whole ones is first rounded to either at random, without bias.
    """

    epsilon: Epsilon
    steps: IntegerSensitivity

    slug: ClassVar[str] = "geometric"
    title: ClassVar[str] = "Local geometric noise"
    reference: ClassVar[str] = (
        "Ghosh, Roughgarden, Sundararajan (2012), Universally utility-maximizing privacy mechanisms, SIAM J. Comput. 41"
    )

    @classmethod
    def usual(cls, epsilon: float = 1.0, steps: int = 100) -> LocalGeometric:
        """The mechanism with a hundred steps, fit for percentages or ages."""
        return cls(epsilon, steps)

    @classmethod
    def between(cls, epsilon: float, low: float, high: float) -> LocalGeometric:
        """For the whole numbers from `low` to `high`, one step each: a report v stands for low + v."""
        if not (float(low).is_integer() and float(high).is_integer()):
            raise ParameterError("steps_not_whole", low=low, high=high)
        return cls(epsilon, int(high - low))

    @property
    def noise(self) -> TwoSidedGeometric:
        """The noise in steps, each of which costs ε/m."""
        return TwoSidedGeometric(self.epsilon / self.steps)

    def place(self, x: ArrayLike) -> tuple[Counts, Reals]:
        """The whole number below (x+1)m/2 and the chance of the next; within 1e-9 of a whole number it is that one."""
        exact = (inside(x) + 1) * self.steps / 2
        exact = np.where(np.abs(exact - np.round(exact)) < 1e-9, np.round(exact), exact)
        below = np.floor(exact)
        return below.astype(np.int64), np.asarray(exact - below, dtype=np.float64)

    def variance_at(self, x: ArrayLike) -> Reals:
        between = self.place(x)[1]
        return np.asarray((2 / self.steps) ** 2 * (self.noise.variance + between * (1 - between)), dtype=np.float64)

    def worst_x(self) -> float:
        return 1 / self.steps - 1  # halfway between two whole numbers

    def most_variance(self, mean: ArrayLike) -> Reals:
        return np.full(np.shape(mean), self.worst_variance())

    def cdf(self, report: ArrayLike, value: float) -> Reals:
        low, chance = self.place(value)
        laws = (self.noise.at_most(np.asarray(report) - int(low) - up) for up in (0, 1))
        return np.asarray((1 - chance) * next(laws) + chance * next(laws), dtype=np.float64)

    def log_density(self, report: int, value: float) -> float:
        low, chance = self.place(value)
        return float(self._logs(np.array([report]), int(low), float(chance))[0])

    def _logs(self, reports: ArrayLike, low: int, chance: float) -> Reals:
        """ln of the law of a number rounded to `low` or, with this chance, to the next one."""
        distance, never = np.asarray(reports) - low, np.full(np.shape(reports), -np.inf)
        near = self.noise.logs(distance) + math.log1p(-chance) if chance < 1 else never
        return np.asarray(np.logaddexp(near, self.noise.logs(distance - 1) + math.log(chance) if chance else never))

    def compare(self, value: float, other: float) -> Pair:
        # ln P(z|j)/P(z|j') = (|z - j'| - |z - j|)ε/m ≤ |j - j'|ε/m ≤ ε, constant beyond both numbers: one outcome each.
        ends = [int(part) for x in (value, other) for part in (self.place(x)[0], np.ceil(sum(self.place(x))))]
        cells = np.arange(min(ends), max(ends) + 1)
        laws, logs = zip(*(self._cells(cells, x) for x in (value, other)), strict=True)
        return Pair(laws[0], laws[1], log_ratio=logs[0] - logs[1])

    def _cells(self, reports: Counts, value: float) -> tuple[Reals, Reals]:
        """The law of all reports up to the first, of each one between, and of all from the last on; and its logs."""
        low, chance = self.place(value)
        return self.noise.folded(self._logs(reports, int(low), float(chance)))

    def witness(self) -> Witness:
        # Any whole number from m on.
        return Witness(1.0, -1.0, self.steps)

    def atoms(self, value: float) -> tuple[Reals, Reals]:
        """The atoms of the law, all but 1e-16 of it."""
        low, reach = int(self.place(value)[0]), math.ceil(37 / self.noise.rate) + 2
        reports = np.arange(low - reach, low + reach + 2)
        return reports.astype(np.float64), np.exp(self._logs(reports, low, float(self.place(value)[1])))

    def largest_report(self) -> float:
        return math.inf

    def decoded(self, reports: ArrayLike) -> Reals:
        return np.asarray(2 * np.asarray(reports) / self.steps - 1, dtype=np.float64)

    def arithmetic(self) -> Arithmetic:
        return Arithmetic(None, WHOLE)

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> Counts:
        low, chance = self.place(values)
        up = rng.random(low.shape) < chance
        return np.asarray(low + up + self.noise.draw(low.size, rng).reshape(low.shape), dtype=np.int64)

    def tally(self, reports: ArrayLike) -> ReportTally:
        return ReportTally(np.asarray(np.sum(reports, dtype=np.int64)), len(np.asarray(reports)))

    def estimate(self, tally: ReportTally) -> Reals:
        return np.asarray(2 * super().estimate(tally) / self.steps - 1, dtype=np.float64)

    def totals(self, population: Population, rounds: int, rng: np.random.Generator) -> NDArray[Any]:
        low, chance = self.place(population.values)
        up = binomials(population.counts, chance, rounds, rng).sum(axis=0) if chance.any() else 0
        return int(np.dot(low, population.counts)) + up + self.noise.sums(population.n, rounds, rng)
