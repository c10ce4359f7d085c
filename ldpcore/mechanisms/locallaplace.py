"""Laplace noise on one person's number."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.laws.channels import LaplaceShift, laplace_cdf
from ldpcore.mechanisms.base import NumberRandomizer, ReportTally, Witness
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.mechanisms.values import by_rounds, inside, nearest
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.parameters import Epsilon
from ldpcore.people.populations import PopulationLaw

RANGE = 2.0  # how far two numbers in [-1, 1] can lie apart


class NumberPlusNoise(NumberRandomizer):
    """z = T(x) + W with W independent of x: the same variance for everybody, and sums are drawn at once."""

    @property
    @abstractmethod
    def noise_variance(self) -> float:
        """Var W."""

    @abstractmethod
    def noise_sums(self, n: int, rounds: int, rng: np.random.Generator) -> Reals:
        """Independent sums of n noises."""

    def variance_at(self, x: ArrayLike) -> Reals:
        return np.full(np.shape(x), self.noise_variance)

    def worst_x(self) -> float:
        return 1.0

    def most_variance(self, mean: ArrayLike) -> Reals:
        return np.full(np.shape(mean), self.noise_variance)

    def support(self) -> tuple[float, float]:
        return -math.inf, math.inf

    def sample_tally(
        self, population: PopulationLaw, rng: np.random.Generator, repeats: int | None = None
    ) -> ReportTally:
        # Exact for any people, also where everybody holds a number of their own.
        totals = self.totals(population, 1 if repeats is None else repeats, rng)
        return ReportTally(np.asarray(totals[0]) if repeats is None else totals, population.n)

    def totals(self, population: PopulationLaw, rounds: int, rng: np.random.Generator) -> NDArray[Any]:
        # The numbers add up to what they add up to; only the noise is random.
        return population.mean_of(self.target) * population.n + self.noise_sums(population.n, rounds, rng)


@dataclass(frozen=True)
class LocalLaplace(NumberPlusNoise):
    """Send T(x) + Lap(b) with b = 2/ε: right on average, and the same error for everybody.

    Variance 8/ε². Any two numbers of [-1, 1] lie at most 2 apart, hence the 2. Better than one bit above ε = 2.324.
    """

    epsilon: Epsilon

    slug: ClassVar[str] = "locallaplace"
    title: ClassVar[str] = "Local Laplace noise"
    reference: ClassVar[str] = (
        "Dwork, McSherry, Nissim, Smith (2006), Calibrating noise to sensitivity in private data analysis"
    )

    @property
    def noise(self) -> LaplaceMechanism:
        """The noise for numbers that lie at most 2 apart."""
        return LaplaceMechanism(self.epsilon, RANGE)

    @property
    def noise_variance(self) -> float:
        return self.noise.variance()

    def noise_sums(self, n: int, rounds: int, rng: np.random.Generator) -> Reals:
        return self.noise.sum_of_noise(np.full(rounds, n), rng)

    def counted(self, values: ArrayLike, people: Counts, rng: np.random.Generator) -> Reals:
        sums = (by_rounds(self.target, values) * people).sum(axis=0)
        return np.asarray(sums + self.noise.sum_of_noise(people.sum(axis=0), rng), dtype=np.float64)

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> Reals:
        return self.noise.release(inside(values), rng)

    def compare(self, value: float, other: float) -> LaplaceShift:
        # (|z - T(x')| - |z - T(x)|)/b ≤ |T(x) - T(x')|/b ≤ 2/b = ε, by the triangle inequality and by clipping.
        return LaplaceShift(self.noise.scale, abs(nearest(value) - nearest(other)))

    def witness(self) -> Witness:
        # Anywhere beyond 1 and -1.
        return Witness(1.0, -1.0, 2.0)

    def log_density(self, report: float, value: float) -> float:
        return self.noise.log_density(report, nearest(value))

    def cdf(self, report: ArrayLike, value: float) -> Reals:
        return laplace_cdf(np.asarray(report, dtype=np.float64) - inside(value), self.noise.scale)

    def breakpoints(self, value: float) -> tuple[float, ...]:
        return (nearest(value),)
