"""Two-sided geometric noise on a whole number from a public range: Laplace noise for those who count in ones."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.channels import Pair
from ldpcore.mechanisms.base import NumberRandomizer, Tally, Witness, inside
from ldpcore.parameters import Epsilon, Interval
from ldpcore.populations import Counts, Population, Reals
from ldpcore.tosses import binomials

LARGEST_POISSON = 1e15  # beyond, a Poisson number is drawn as a rounded normal one, 3e-8 away from it at most
Steps = Annotated[
    int, Interval("m", 1, 10**5, (1, 1000), scale="log", integer=True, small=(1, 2, 7), extreme=(1, 1000))
]


@dataclass(frozen=True)
class LocalGeometric(NumberRandomizer):
    """Send a whole number of 0 … m plus noise with P(j) = tanh(ε/2m)·e^{-ε|j|/m}: exact integers, no floating point.

    x in [-1, 1] stands for (x+1)m/2. Variance (4/m²)/(2 sinh²(ε/2m)), below the 8/ε² of Laplace noise and close to it
    for many steps; a number between two whole ones is first rounded to either at random, without bias.
    """

    epsilon: Epsilon
    steps: Steps

    slug: ClassVar[str] = "geometric"
    title: ClassVar[str] = "Local geometric noise"
    reference: ClassVar[str] = (
        "Ghosh, Roughgarden, Sundararajan (2012), Universally utility-maximizing privacy mechanisms, SIAM J. Comput. 41"
    )

    @classmethod
    def usual(cls, epsilon: float = 1.0, steps: int = 100) -> LocalGeometric:
        """A hundred steps: percentages, or ages."""
        return cls(epsilon, steps)

    @property
    def rate(self) -> float:
        """What one step costs, ε/m."""
        return self.epsilon / self.steps

    def place(self, x: ArrayLike) -> tuple[Counts, Reals]:
        """The whole number below (x+1)m/2 and the chance of the next; within 1e-9 of a whole number it is that one."""
        exact = (inside(x) + 1) * self.steps / 2
        exact = np.where(np.abs(exact - np.round(exact)) < 1e-9, np.round(exact), exact)
        below = np.floor(exact)
        return below.astype(np.int64), np.asarray(exact - below, dtype=np.float64)

    @property
    def noise_variance(self) -> float:
        """In steps: 1/(2 sinh²(ε/2m))."""
        return 1 / (2 * math.sinh(self.rate / 2) ** 2)

    def variance_at(self, x: ArrayLike) -> Reals:
        between = self.place(x)[1]
        return np.asarray((2 / self.steps) ** 2 * (self.noise_variance + between * (1 - between)), dtype=np.float64)

    def worst_x(self) -> float:
        return 1 / self.steps - 1  # halfway between two whole numbers

    def most_variance(self, mean: ArrayLike) -> Reals:
        return np.full(np.shape(mean), self.worst_variance())

    def log_noise(self, distance: ArrayLike) -> Reals:
        """ln P(noise = j)."""
        return np.asarray(math.log(math.tanh(self.rate / 2)) - self.rate * np.abs(distance), dtype=np.float64)

    def below(self, report: ArrayLike, center: int) -> Reals:
        """P(center + noise ≤ report)."""
        d = np.floor(np.asarray(report, dtype=np.float64)) - center
        tail = np.exp(-self.rate * np.where(d < 0, -d, d + 1)) / (1 + math.exp(-self.rate))
        return np.where(d < 0, tail, 1 - tail)

    def cdf(self, report: ArrayLike, value: float) -> Reals:
        low, chance = self.place(value)
        laws = (self.below(report, int(low) + up) for up in (0, 1))
        return np.asarray((1 - chance) * next(laws) + chance * next(laws), dtype=np.float64)

    def log_density(self, report: int, value: float) -> float:
        low, chance = self.place(value)
        return float(self._logs(np.array([report]), int(low), float(chance))[0])

    def _logs(self, reports: ArrayLike, low: int, chance: float) -> Reals:
        """ln of the law of a number rounded to `low` or, with this chance, to the next one."""
        distance, never = np.asarray(reports) - low, np.full(np.shape(reports), -np.inf)
        near = self.log_noise(distance) + math.log1p(-chance) if chance < 1 else never
        return np.asarray(np.logaddexp(near, self.log_noise(distance - 1) + math.log(chance) if chance else never))

    def compare(self, value: float, other: float) -> Pair:
        # ln P(z|j)/P(z|j') = (|z - j'| - |z - j|)ε/m ≤ |j - j'|ε/m ≤ ε, constant beyond both numbers: one outcome each.
        ends = [int(part) for x in (value, other) for part in (self.place(x)[0], np.ceil(sum(self.place(x))))]
        cells = np.arange(min(ends), max(ends) + 1)
        laws, logs = zip(*(self._cells(cells, x) for x in (value, other)), strict=True)
        return Pair(laws[0], laws[1], log_ratio=logs[0] - logs[1])

    def _cells(self, reports: Counts, value: float) -> tuple[Reals, Reals]:
        """The law of all reports up to the first, of each one between, and of all from the last on; and its logs."""
        low, chance = self.place(value)
        logs = self._logs(reports, int(low), float(chance))
        logs[[0, -1]] -= math.log(-math.expm1(-self.rate))  # a geometric tail, which is 1/(1-q) times its first term
        law = np.exp(logs)
        return law / law.sum(), logs

    def witness(self) -> Witness:
        # Any whole number from m on.
        return Witness(1.0, -1.0, self.steps)

    def atoms(self, value: float) -> tuple[Reals, Reals]:
        """All but 1e-16 of the law."""
        low, reach = int(self.place(value)[0]), math.ceil(37 / self.rate) + 2
        reports = np.arange(low - reach, low + reach + 2)
        return reports.astype(np.float64), np.exp(self._logs(reports, low, float(self.place(value)[1])))

    def decoded(self, reports: ArrayLike) -> Reals:
        return np.asarray(2 * np.asarray(reports) / self.steps - 1, dtype=np.float64)

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> Counts:
        # A geometric number less another one is two-sided geometric.
        low, chance = self.place(values)
        noise = rng.geometric(-math.expm1(-self.rate), (2, *low.shape))
        return np.asarray(low + (rng.random(low.shape) < chance) + noise[0] - noise[1], dtype=np.int64)

    def tally(self, reports: ArrayLike) -> Tally:
        return Tally(np.asarray(np.sum(reports, dtype=np.int64)), len(np.asarray(reports)))

    def estimate(self, tally: Tally) -> Reals:
        return np.asarray(2 * super().estimate(tally) / self.steps - 1, dtype=np.float64)

    def totals(self, population: Population, rounds: int, rng: np.random.Generator) -> NDArray[Any]:
        low, chance = self.place(population.values)
        up = binomials(population.counts, chance, rounds, rng).sum(axis=0) if chance.any() else 0
        return int(np.dot(low, population.counts)) + up + self._noise_sums(population.n, rounds, rng)

    def _noise_sums(self, n: int, rounds: int, rng: np.random.Generator) -> Counts:
        """Sums of n noises: a negative binomial number less another one, each a Poisson number of gamma mean."""
        means = rng.standard_gamma(n, (2, rounds)) / math.expm1(self.rate)
        if means.max() < LARGEST_POISSON:
            sums = rng.poisson(means)
            return np.asarray(sums[0] - sums[1], dtype=np.int64)
        gap, wobble = means[0] - means[1], np.sqrt(means) * rng.standard_normal((2, rounds))
        return np.asarray(np.rint(gap + (wobble[0] - wobble[1])), dtype=np.int64)
