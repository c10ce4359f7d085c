"""Two-sided geometric noise: the whole numbers' own Laplace law."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.laws.channels import Pair
from ldpcore.numerics.arrays import Counts, Reals

LARGEST_POISSON = 1e15  # beyond, a Poisson number is drawn as a rounded normal one, 3e-8 away from it at most


@dataclass(frozen=True)
class TwoSidedGeometric:
    """P(j) = tanh(s/2)·e^{-s|j|} for every whole number j: one step costs the rate s."""

    rate: float

    @property
    def variance(self) -> float:
        """1/(2 sinh²(s/2))."""
        return 1 / (2 * math.sinh(self.rate / 2) ** 2)

    def logs(self, distance: ArrayLike) -> Reals:
        """ln P(j)."""
        return np.asarray(math.log(math.tanh(self.rate / 2)) - self.rate * np.abs(distance), dtype=np.float64)

    def tail(self) -> float:
        """ln of what all numbers from some j ≥ 0 on have together, over what j has: 1/(1 - e^{-s})."""
        return -math.log(-math.expm1(-self.rate))

    def mean_absolute(self) -> float:
        """E|noise| = 1/sinh(s)."""
        return 1 / math.sinh(self.rate)

    def folded(self, logs: Reals) -> tuple[Reals, Reals]:
        """Consecutive numbers with all those beyond either end folded into it, where the law falls geometrically."""
        logs[[0, -1]] += self.tail()
        law = np.exp(logs)
        return law / law.sum(), logs

    def shifted(self, first: int, second: int) -> Pair:
        """The laws of the noise around two whole numbers: one outcome each between them, and both tails."""
        # ln P(z|i)/P(z|j) = (|z - j| - |z - i|)s is constant beyond both, so that nothing is lost by folding.
        cells = np.arange(min(first, second), max(first, second) + 1)
        one, other = (self.folded(self.logs(cells - center))[0] for center in (first, second))
        return Pair(one, other, log_ratio=self.rate * (np.abs(cells - second) - np.abs(cells - first)))

    def at_most(self, distance: ArrayLike) -> Reals:
        """P(noise ≤ d), from the nearer tail."""
        d = np.floor(np.asarray(distance, dtype=np.float64))
        tail = np.exp(-self.rate * np.where(d < 0, -d, d + 1)) / (1 + math.exp(-self.rate))
        return np.where(d < 0, tail, 1 - tail)

    def draw(self, size: int, rng: np.random.Generator) -> Counts:
        """A geometric number less another one, for each person."""
        noise = rng.geometric(-math.expm1(-self.rate), (2, size))
        return np.asarray(noise[0] - noise[1], dtype=np.int64)

    def sums(self, n: int, rounds: int, rng: np.random.Generator) -> Counts:
        """Sums of n noises: a negative binomial number less another one, each a Poisson number of gamma mean."""
        means = rng.standard_gamma(n, (2, rounds)) / math.expm1(self.rate)
        if means.max() < LARGEST_POISSON:
            sums = rng.poisson(means)
            return np.asarray(sums[0] - sums[1], dtype=np.int64)
        gap, wobble = means[0] - means[1], np.sqrt(means) * rng.standard_normal((2, rounds))
        return np.asarray(np.rint(gap + (wobble[0] - wobble[1])), dtype=np.int64)
