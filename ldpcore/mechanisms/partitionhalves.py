"""Half of the people say where they are, the other half what they have: each with the whole level."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.laws.laplaceshifts import EitherOf
from ldpcore.mechanisms.base import ReportTally, Witness
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.mechanisms.pairs import PairRandomizer, ResponseBound, log_laplace
from ldpcore.mechanisms.partition import REFERENCE
from ldpcore.mechanisms.possible import PossibleReports
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Epsilon
from ldpcore.people.partitions import Dimensions, Side
from ldpcore.people.populations import Population


@dataclass(frozen=True)
class HalfAndHalf(PairRandomizer):
    """By a fair coin send 1{x in A_j} + Lap(2/ε) for every cell, or [y]·1{x in A_j} + Lap(2M/ε); the coin is public.

    n·Var = μ_j + 16/ε² for the location: half the people with the whole level have half the noise variance of all
    people with half the level each, 32/ε². A report begins with its coin, 0 or 1.
    """

    epsilon: Epsilon
    side: Side
    dimensions: Dimensions
    bound: ResponseBound

    slug: ClassVar[str] = "halves"
    title: ClassVar[str] = "Location from one half, response from the other"
    reference: ClassVar[str] = REFERENCE

    @classmethod
    def usual(cls, epsilon: float = 1.0, side: float = 0.125, dimensions: int = 1, bound: float = 1.0) -> HalfAndHalf:
        """The mechanism with eight cells along one axis, for responses of at most 1."""
        return cls(epsilon, side, dimensions, bound)

    @property
    def noises(self) -> tuple[LaplaceMechanism, ...]:
        return LaplaceMechanism(self.epsilon, 2.0), LaplaceMechanism(self.epsilon, 2 * self.bound)

    def possible(self, reports: NDArray[Any]) -> PossibleReports:
        possible = np.isfinite(reports).all(axis=1) & np.isin(reports[:, 0], (0.0, 1.0))
        return possible, "a coin, 0 or 1, and finite numbers"

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> Reals:
        cells, responses = self.pairs(values)
        coins = rng.integers(0, 2, len(cells))
        scales = np.array([noise.scale for noise in self.noises])[coins]
        noise = rng.laplace(size=(len(cells), self.partition.k)) * scales[:, None]
        return np.column_stack([coins, self.one_hot(cells, np.where(coins, responses, 1.0)) + noise])

    def tally(self, reports: Reals) -> ReportTally:
        heads = reports[:, 0] == 0
        return ReportTally(
            np.concatenate([reports[heads, 1:].sum(axis=0), reports[~heads, 1:].sum(axis=0)]), len(reports)
        )

    def estimate(self, tally: ReportTally) -> Reals:
        # Each half speaks for everybody: a person is in it with probability ½, whatever they hold.
        return 2 * super().estimate(tally)

    def variance(self, population: Population) -> Reals:
        # Of 2B(a + N) with a fair coin B: 4(E[B](a² + v) - a²/4) = a² + 2v.
        cells, responses = self.pairs(population.values)
        squares = self.sums(population.counts, cells, responses**2) / population.n
        noise = np.repeat([2 * noise.variance() for noise in self.noises], self.partition.k)
        return np.asarray((squares + noise) / population.n, dtype=np.float64)

    def sample_tally(self, population: Population, rng: np.random.Generator, repeats: int | None = None) -> ReportTally:
        # Exact: the coins of people who hold the same add up to a binomial, and so does the noise of each half.
        cells, responses = self.pairs(population.values)
        rounds = [self._round(population, cells, responses, rng) for _ in range(repeats or 1)]
        return ReportTally(rounds[0] if repeats is None else np.stack(rounds, axis=-1), population.n)

    def _round(self, population: Population, cells: Any, responses: Reals, rng: np.random.Generator) -> Reals:
        heads = rng.binomial(population.counts, 0.5)
        located = self.sums(heads, cells, responses)[: self.partition.k]
        responded = self.sums(population.counts - heads, cells, responses)[self.partition.k :]
        many = (int(heads.sum()), population.n - int(heads.sum()))
        noise = [
            kind.sum_of_noise(np.full(self.partition.k, n), rng) for kind, n in zip(self.noises, many, strict=True)
        ]
        return np.concatenate([located, responded]) + np.concatenate(noise)

    def noise_sums(self, n: int, rounds: int | None, rng: np.random.Generator) -> Reals:
        shape = (self.partition.k,) if rounds is None else (self.partition.k, rounds)
        heads = rng.binomial(n, 0.5, shape[1:])
        parts = zip(self.noises, (heads, n - heads), strict=True)
        return np.concatenate([kind.sum_of_noise(np.broadcast_to(many, shape), rng) for kind, many in parts])

    def compare(self, value: Any, other: Any) -> EitherOf:
        # Whichever way the coin falls, two numbers differ by 1 with noise of scale 2/ε, or by at most M with 2M/ε.
        location, response = self.noises
        return EitherOf(self.between(value, other, location, True), self.between(value, other, response, False))

    def witness(self) -> Witness:
        # A location report: far above in the first person's cell, far below everywhere else.
        value, other = self.worst()
        response = not self.between(value, other, self.noises[0], True).parts
        own = int(self.pairs(np.array([value]))[0][0])
        high = 1 + 2 * max(1.0, self.bound)
        return Witness(value, other, np.append(response, np.where(np.arange(self.partition.k) == own, high, -high)))

    def log_density(self, report: Reals, value: Any) -> float:
        coin = int(report[0])
        cells, responses = self.pairs(np.array([value]))
        center = self.one_hot(cells, responses if coin else np.ones(1))[0]
        inside = log_laplace(report[1:], center, self.noises[coin].scale)
        return inside - math.log(2)
