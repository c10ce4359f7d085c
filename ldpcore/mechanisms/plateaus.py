"""Reports that are likelier on a piece around the own number than elsewhere, and equally likely on either."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.laws.channels import Pair
from ldpcore.mechanisms.base import NumberRandomizer, Witness
from ldpcore.mechanisms.possible import ROUNDING, PossibleReports
from ldpcore.mechanisms.values import by_rounds
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.numerics.tosses import binomials, uniform_sums
from ldpcore.people.populations import Population


class PlateauRandomizer(NumberRandomizer):
    """A report of [-C, C] has density e^ε·low on a piece of one width around the own number, and low elsewhere.

    That is: uniform on the piece with probability λ, uniform on everything otherwise.
    """

    epsilon: float

    @property
    @abstractmethod
    def reach(self) -> float:
        """C, the largest report."""

    @property
    @abstractmethod
    def width(self) -> float:
        """The width of the likelier piece."""

    @property
    @abstractmethod
    def pull(self) -> float:
        """λ: a report is uniform on the piece with this probability, and on all of [-C, C] otherwise.

        Less than the probability of the piece, because the second kind of report falls there too.
        """

    @property
    @abstractmethod
    def log_rest(self) -> float:
        """ln(1 - λ), which keeps its digits where λ is nearly 1."""

    @abstractmethod
    def left(self, value: ArrayLike) -> Reals:
        """The left end of the likelier piece."""

    def piece(self, value: float) -> tuple[float, float]:
        """Both ends of the likelier piece."""
        left = float(self.left(value))
        return left, left + self.width

    def worst_x(self) -> float:
        return 1.0

    def most_variance(self, mean: ArrayLike) -> Reals:
        # Nobody's square exceeds 1, and people at both ends have every mean.
        return np.full(np.shape(mean), self.worst_variance())

    def compare(self, value: float, other: float) -> Pair:
        # The density has two heights, and the higher one is e^ε times the lower.
        width, apart = self.width, abs(float(self.left(value) - self.left(other)))
        alone = min(apart, width)
        high, low = self.pull / width, math.exp(self.log_rest) / (2 * self.reach)
        lengths = np.array([alone, alone, width - alone, 2 * self.reach - width - alone])
        own = np.array([1.0, 0.0, 1.0, 0.0])
        first, second = ((high * piece + low) * lengths for piece in (own, own[[1, 0, 2, 3]]))
        loss = self.epsilon * np.array([1.0, -1.0, 0.0, 0.0])
        return Pair(first / first.sum(), second / second.sum(), ("value", "other", "both", "neither"), loss)

    def witness(self) -> Witness:
        # Beyond 1 lies the piece of 1, and no report there is in that of -1.
        return Witness(1.0, -1.0, 1 + (self.reach - 1) / 2)

    def log_density(self, report: float, value: float) -> float:
        left, right = self.piece(value)
        if abs(report) > self.reach * (1 + 1e-12):  # the ends of the piece are rounded
            return -math.inf
        low = self.log_rest - math.log(2 * self.reach)
        return low + (self.epsilon if left <= report <= right else 0.0)

    def cdf(self, report: ArrayLike, value: ArrayLike) -> Reals:
        z, left = np.asarray(report, dtype=np.float64), self.left(value)
        everywhere = np.clip((z + self.reach) / (2 * self.reach), 0, 1)
        near = np.clip((z - left) / self.width, 0, 1)
        return np.asarray((1 - self.pull) * everywhere + self.pull * near, dtype=np.float64)

    def support(self) -> tuple[float, float]:
        return -self.reach, self.reach

    def breakpoints(self, value: float) -> tuple[float, ...]:
        return (-self.reach, *self.piece(value), self.reach)

    def possible(self, reports: NDArray[Any]) -> PossibleReports:
        reach = self.reach
        return np.abs(reports) <= reach * (1 + ROUNDING), f"a number from {-reach:.6g} to {reach:.6g}"

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> Reals:
        left = self.left(values)
        near = rng.random(left.shape) < self.pull
        spot = rng.random(left.shape)
        return np.where(near, left + self.width * spot, self.reach * (2 * spot - 1))

    def totals(self, population: Population, rounds: int, rng: np.random.Generator) -> NDArray[Any]:
        return self.decoded(self.sums(population.values, population.counts, rounds, rng))

    def counted(self, values: ArrayLike, people: Counts, rng: np.random.Generator) -> Reals:
        return self.decoded(self.sums(values, people, people.shape[1], rng))

    def sums(self, values: ArrayLike, people: Counts, rounds: int, rng: np.random.Generator) -> Reals:
        """The sums of all reports; `people` says how many hold each value (in each round, if there is a second axis).

        Exact: reports are uniform on the own piece with probability λ, else on [-C, C], and uniforms add up bit by bit.
        """
        near = binomials(people, self.pull, rounds, rng)
        close = near.sum(axis=0)
        far = people.sum(axis=0) - close
        around = (by_rounds(self.left, values) * near).sum(axis=0) + self.width * uniform_sums(close, rng)
        return np.asarray(around + self.reach * (2 * uniform_sums(far, rng) - far), dtype=np.float64)
