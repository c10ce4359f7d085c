"""Summation with histogram encoding: Laplace noise on each of the k counters of one person's own histogram."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ldpcore.laws.laplaceshifts import LaplaceShifts
from ldpcore.mechanisms.base import CategoryRandomizer, ReportTally, Witness
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.mechanisms.unary import blocks
from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.tosses import random_bytes
from ldpcore.parameters import DomainSize, Epsilon, ParameterError
from ldpcore.people.populations import Population

_BLOCK = 1 << 15  # numbers drawn at once


@dataclass(frozen=True)
class SummationHistogramEncoding(CategoryRandomizer):
    """Add Lap(2/ε) to each of the k numbers of the one-hot vector; the collector adds the reports up.

    n·Var = 8/ε² for every value: two numbers differ between any two people, hence the 2. No coins, but k real numbers.
    """

    epsilon: Epsilon
    k: DomainSize

    slug: ClassVar[str] = "she"
    title: ClassVar[str] = "Summation with histogram encoding"
    reference: ClassVar[str] = (
        "Wang, Blocki, Li, Jha (2017), Locally differentially private protocols for frequency estimation"
    )

    @property
    def noise(self) -> LaplaceMechanism:
        """The noise on one number: sensitivity 2 in sum, so b = 2/ε."""
        return LaplaceMechanism(self.epsilon, 2.0)

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> Reals:
        # An exponential with a fair sign is a Laplace number; both are made in place, in blocks that fit the cache.
        true = self.categories(values)
        reports = np.empty((len(true), self.k))
        for rows in blocks(len(true), _BLOCK // self.k):
            block = rng.standard_exponential(out=reports[rows])
            signs = random_bytes(block.size, rng).view(np.int8).reshape(block.shape)
            np.copysign(block, signs, out=block)
            block *= self.noise.scale
        reports[np.arange(len(true)), true] += 1
        return reports

    def tally(self, reports: Reals) -> ReportTally:
        return ReportTally(reports.sum(axis=0), len(reports))

    def sample_tally(self, population: Population, rng: np.random.Generator, repeats: int | None = None) -> ReportTally:
        # Exact because a sum of n Laplace numbers is b√(2G)Z with G ~ Gamma(n), independent over the k numbers.
        counts = self.checked(population).counts
        if repeats is not None:
            counts = np.broadcast_to(counts[:, None], (self.k, repeats))
        return ReportTally(counts + self.noise.sum_of_noise(np.full(counts.shape, population.n), rng), population.n)

    def estimate(self, tally: ReportTally) -> Reals:
        if tally.n < 1:
            raise ParameterError("no_reports")
        return np.asarray(tally.counts / tally.n, dtype=np.float64)

    def variance_of_shares(self, shares: ArrayLike, n: int) -> Reals:
        return np.full(np.shape(shares), self.noise.variance() / n)

    def compare(self, value: int, other: int) -> LaplaceShifts:
        scale = self.noise.scale
        return LaplaceShifts.of((scale, 1.0), (scale, 1.0)) if value != other else LaplaceShifts(())

    def witness(self) -> Witness:
        # Anywhere with the own number above 1 and the other below 0.
        return Witness(0, 1, np.where(np.arange(self.k) == 0, 2.0, -1.0))

    def log_density(self, report: Reals, value: int) -> float:
        distance = np.abs(report - (np.arange(self.k) == value)).sum()
        return float(-distance / self.noise.scale - self.k * math.log(2 * self.noise.scale))

    def bits(self) -> float:
        return 64 * self.k

    def operations(self) -> float:
        return self.k

    def best_guess(self) -> float:
        """The largest number wins: E[e^M]/k, M the largest of k losses that pure noise would show, by quadrature."""
        # A loss l = (|z| - |z-1|)/b of pure noise has P(at most l) = 1 - e^{-(s+l)/2}/2 on [-s, s), s = 1/b, and
        # E[e^M] = e^-s + ∫ e^l (1 - P^k) dl, a sum of positive terms.
        s = self.epsilon / 2

        def weight(loss: float) -> float:
            return math.exp(loss) * -math.expm1(self.k * math.log1p(-math.exp(-(s + loss) / 2) / 2))

        ends = np.linspace(-s, s, 2 + int(s))
        inner = sum(scipy.integrate.quad(weight, low, high, epsabs=0)[0] for low, high in pairwise(ends))
        return (math.exp(-s) + inner) / self.k
