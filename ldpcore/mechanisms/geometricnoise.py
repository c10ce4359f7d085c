"""Two-sided geometric noise: the whole numbers' own Laplace law."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.laws.channels import Pair
from ldpcore.numerics.arrays import Counts, Reals

MOST_TERMS = 1_000_000  # of a sum over the sizes of a noise; at lower rates the rest is less than a digit
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
        """ln of the probability of all numbers from some j ≥ 0 on, over that of j: 1/(1 - e^{-s})."""
        return -math.log(-math.expm1(-self.rate))

    def mean_absolute(self) -> float:
        """E|noise| = 1/sinh(s)."""
        return 1 / math.sinh(self.rate)

    def third_moment(self) -> float:
        """E|noise|³ = 2 tanh(s/2) Σ j³ a^j = 2 tanh(s/2) a(1 + 4a + a²)/(1 - a)⁴ with a = e^{-s}."""
        a = math.exp(-self.rate)
        return 2 * math.tanh(self.rate / 2) * a * (1 + 4 * a + a * a) / math.expm1(-self.rate) ** 4

    def beyond(self, distance: int) -> float:
        """P(noise > d) of a whole number d from 0 on."""
        return math.exp(-self.rate * (distance + 1)) / (1 + math.exp(-self.rate))

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
        return self.totals(np.full(rounds, n), rng)

    def totals(self, sizes: ArrayLike, rng: np.random.Generator) -> Counts:
        """Sums of as many noises as each of `sizes` says, drawn at once."""
        return np.asarray(self.any_totals(sizes, rng), dtype=np.int64)

    def any_totals(self, sizes: ArrayLike, rng: np.random.Generator) -> Reals:
        """Sums of as many noises as each of `sizes` says, even beyond integers of 64 bits; exact below 2⁵³."""
        many = np.asarray(sizes, dtype=np.float64)
        shape = many.shape
        means = rng.standard_gamma(many, (2, *shape)) / math.expm1(self.rate)
        if means.max(initial=0.0) < LARGEST_POISSON:
            sums = rng.poisson(means)
            return np.asarray(sums[0] - sums[1], dtype=np.float64)
        gap, wobble = means[0] - means[1], np.sqrt(means) * rng.standard_normal((2, *shape))
        return np.asarray(np.rint(gap + (wobble[0] - wobble[1])), dtype=np.float64)

    def total_size(self, repeats: int, rng: np.random.Generator) -> int:
        """The sum of |noise| over `repeats` noises: those that are not 0 are geometric from 1 on."""
        others = int(rng.binomial(repeats, 1 - math.tanh(self.rate / 2)))
        return others + geometric_total(others, self.rate, rng)

    def size_of_difference(self, share: float) -> float:
        """E|X - fY| of two such noises: over all Y, E|X - c| = c + 2 E max(X - c, 0) for c ≥ 0, a geometric series."""
        a, most = math.exp(-self.rate), math.ceil(40 / self.rate) + 1
        other = np.arange(min(most, MOST_TERMS) + 1.0)
        places = share * other
        last = np.floor(places)
        left = 1 - (places - last)
        over = math.tanh(self.rate / 2) * np.exp(-self.rate * (last + 1)) * (left / (1 - a) + a / (1 - a) ** 2)
        law = np.exp(self.logs(other)) * np.where(other > 0, 2.0, 1.0)
        return float(law @ (places + 2 * over) / law.sum())


def geometric_total(many: int, rate: float, rng: np.random.Generator) -> int:
    """The sum of `many` geometric numbers from 0 on, e^{-s} times as likely at each step: Poisson of a gamma mean."""
    if not many:
        return 0
    mean = float(rng.standard_gamma(many)) / math.expm1(rate)
    if mean < LARGEST_POISSON:
        return int(rng.poisson(mean))
    return round(mean + math.sqrt(mean) * float(rng.standard_normal()))
