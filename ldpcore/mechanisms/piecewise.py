"""The piecewise mechanism: a number near the own one is likelier, by e^ε, than any other."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.channels import Pair
from ldpcore.mechanisms.base import NumberRandomizer, Witness, inside, nearest
from ldpcore.parameters import Epsilon
from ldpcore.populations import Counts, Population, Reals
from ldpcore.tosses import binomials, uniform_sums


@dataclass(frozen=True)
class PiecewiseMechanism(NumberRandomizer):
    """Send a number of [-C, C], C = (e^{ε/2}+1)/(e^{ε/2}-1), e^ε times likelier per unit in a piece [l, r] around x.

    l = (C+1)x/2 - (C-1)/2 and r = l + C - 1, with probability e^{ε/2}/(e^{ε/2}+1). Variance
    x²/(e^{ε/2}-1) + (e^{ε/2}+3)/(3(e^{ε/2}-1)²): least at 0, at most 4e^{ε/2}/(3(e^{ε/2}-1)²). Its worst case beats one
    bit above ε = 1.290.
    """

    epsilon: Epsilon

    slug: ClassVar[str] = "pm"
    title: ClassVar[str] = "Piecewise mechanism"
    reference: ClassVar[str] = (
        "Wang, Xiao, Yang, Zhao, Hui, Shin, Shin, Yu (2019), Collecting and analyzing multidimensional data with local "
        "differential privacy, ICDE"
    )

    @property
    def reach(self) -> float:
        """C = 1/tanh(ε/4), the largest report."""
        return 1 / math.tanh(self.epsilon / 4)

    @property
    def width(self) -> float:
        """C - 1 = 2/(e^{ε/2}-1), how wide the likelier piece is."""
        return 2 / math.expm1(self.epsilon / 2)

    @property
    def pull(self) -> float:
        """λ = 1 - e^{-ε/2}: a report is uniform on the piece with this probability, and on all of [-C, C] otherwise.

        Less than the probability of the piece, because the second kind of report falls there too.
        """
        return -math.expm1(-self.epsilon / 2)

    def left(self, value: ArrayLike) -> Reals:
        """l, the left end of the likelier piece: x - (1-x)(C-1)/2, so that the piece of 1 begins at 1."""
        x = inside(value)
        return np.asarray(x - (1 - x) * self.width / 2, dtype=np.float64)

    def piece(self, value: float) -> tuple[float, float]:
        """l and r."""
        x, width = nearest(value), self.width
        left = x - (1 - x) * width / 2
        return left, left + width

    def variance_at(self, x: ArrayLike) -> Reals:
        # e^{ε/2} + 3 = (e^{ε/2} - 1) + 4, so everything is written in w = C - 1 = 2/(e^{ε/2}-1).
        w = self.width
        return np.asarray(inside(x) ** 2 * w / 2 + w / 6 + w * w / 3, dtype=np.float64)

    def worst_x(self) -> float:
        return 1.0

    def most_variance(self, mean: ArrayLike) -> Reals:
        # Nobody's square exceeds 1, and people at both ends have every mean.
        return np.full(np.shape(mean), self.worst_variance())

    def compare(self, value: float, other: float) -> Pair:
        # The density has two heights, and the higher one is e^ε times the lower: λ/(C-1) + (1-λ)/2C against (1-λ)/2C.
        width, apart = self.width, abs(float(self.left(value) - self.left(other)))
        alone = min(apart, width)
        high, low = self.pull / width, math.exp(-self.epsilon / 2) / (2 * self.reach)
        lengths = np.array([alone, alone, width - alone, 2 * self.reach - width - alone])
        own = np.array([1.0, 0.0, 1.0, 0.0])
        first, second = ((high * piece + low) * lengths for piece in (own, own[[1, 0, 2, 3]]))
        loss = self.epsilon * np.array([1.0, -1.0, 0.0, 0.0])
        return Pair(first / first.sum(), second / second.sum(), ("value", "other", "both", "neither"), loss)

    def witness(self) -> Witness:
        # The pieces of 1 and of -1 do not meet: [1, C] and [-C, -1].
        return Witness(1.0, -1.0, 1 + self.width / 2)

    def log_density(self, report: float, value: float) -> float:
        left, right = self.piece(value)
        if abs(report) > self.reach * (1 + 1e-12):  # the ends of the piece are rounded
            return -math.inf
        low = -self.epsilon / 2 - math.log(2 * self.reach)
        return low + (self.epsilon if left <= report <= right else 0.0)

    def cdf(self, report: ArrayLike, value: float) -> Reals:
        z, left = np.asarray(report, dtype=np.float64), self.piece(value)[0]
        everywhere = np.clip((z + self.reach) / (2 * self.reach), 0, 1)
        near = np.clip((z - left) / self.width, 0, 1)
        return np.asarray((1 - self.pull) * everywhere + self.pull * near, dtype=np.float64)

    def support(self) -> tuple[float, float]:
        return -self.reach, self.reach

    def breakpoints(self, value: float) -> tuple[float, ...]:
        return (-self.reach, *self.piece(value), self.reach)

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> Reals:
        left = self.left(values)
        near = rng.random(left.shape) < self.pull
        spot = rng.random(left.shape)
        return np.where(near, left + self.width * spot, self.reach * (2 * spot - 1))

    def totals(self, population: Population, rounds: int, rng: np.random.Generator) -> NDArray[Any]:
        return self.sums(population.values, population.counts, rounds, rng)

    def sums(self, values: ArrayLike, people: Counts, rounds: int, rng: np.random.Generator) -> Reals:
        """The sums of all reports, where so many `people` hold each value (in each round, if there is a second axis).

        Exact: reports are uniform on the own piece with probability λ, else on [-C, C], and uniforms add up bit by bit.
        """
        near = binomials(people, self.pull, rounds, rng)
        close = near.sum(axis=0)
        far = people.sum(axis=0) - close
        around = self.left(values) @ near + self.width * uniform_sums(close, rng)
        return np.asarray(around + self.reach * (2 * uniform_sums(far, rng) - far), dtype=np.float64)
