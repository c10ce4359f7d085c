"""Randomized response and its form for k answers: tell the truth with probability p, else any other answer."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.laws.channels import Finite, Pair
from ldpcore.mechanisms.arithmetic import Arithmetic, coined
from ldpcore.mechanisms.base import FrequencyOracle, ReportTally, Witness
from ldpcore.mechanisms.possible import PossibleReports, whole_below
from ldpcore.numerics.arrays import Counts
from ldpcore.numerics.tosses import heads_among, toss
from ldpcore.parameters import DomainSize, Epsilon
from ldpcore.people.populations import Population


class DirectAnswer(FrequencyOracle):
    """Report one of the k values: the own one with p = e^ε/(e^ε+k-1), each other with q = 1/(e^ε+k-1)."""

    epsilon: float

    names_one: ClassVar[bool] = True

    @property
    def p(self) -> float:
        return 1 / (1 + (self.k - 1) * math.exp(-self.epsilon))

    @property
    def q(self) -> float:
        # 1/(e^ε + k - 1), written with e^-ε so that it never overflows.
        return math.exp(-self.epsilon) * self.p

    @property
    def gap(self) -> float:
        return -math.expm1(-self.epsilon) * self.p

    def possible(self, reports: NDArray[Any]) -> PossibleReports:
        return whole_below(reports, self.k)

    def arithmetic(self) -> Arithmetic:
        return coined(self.k * self.q, self.k)

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> Counts:
        """Draw one of all k with probability k q, else keep the value: the own one then has (1 - k q) + q = p."""
        true = self.categories(values)
        drawn = toss(self.k * self.q, len(true), rng)
        reports = true.copy()
        reports[drawn] = rng.integers(self.k, size=int(drawn.sum()))
        return reports

    def supports(self, reports: ArrayLike) -> NDArray[np.bool_]:
        return np.asarray(np.asarray(reports)[:, None] == np.arange(self.k), dtype=np.bool_)

    def tally(self, reports: ArrayLike) -> ReportTally:
        answers = np.asarray(reports)
        return ReportTally(np.bincount(answers, minlength=self.k).astype(np.int64), len(answers))

    def sample_tally(self, population: Population, rng: np.random.Generator, repeats: int | None = None) -> ReportTally:
        # Exact because (p - q) + k q = 1: the kept ones are binomial, all others one uniform multinomial. O(k).
        counts = self.checked(population).counts
        if repeats is None:
            kept = heads_among(counts, self.gap, self.k * self.q, rng)
            spread = rng.multinomial(population.n - int(kept.sum()), np.full(self.k, 1 / self.k))
            return ReportTally(kept + spread, population.n)
        kept = heads_among(counts[:, None], self.gap, self.k * self.q, rng, (self.k, repeats))
        spread = rng.multinomial(population.n - kept.sum(axis=0), np.full(self.k, 1 / self.k))
        return ReportTally(kept + spread.T, population.n)

    def compare(self, value: int, other: int) -> Pair:
        # ln p/q = ε at the report that names the value, -ε at the one that names the other, 0 at the k - 2 others.
        rest = (self.k - 2) * self.q
        first = np.array([self.p, self.q, rest])
        second = np.array([self.q, self.p, rest])
        return Pair(first, second, ("value", "other", "neither"), np.array([self.epsilon, -self.epsilon, 0.0]))

    def channel(self) -> Finite:
        matrix = np.full((self.k, self.k), self.q)
        np.fill_diagonal(matrix, self.p)
        return Finite(matrix, tuple(range(self.k)), np.eye(self.k, dtype=bool))

    def witness(self) -> Witness:
        return Witness(0, 1, 0)

    def log_density(self, report: int, value: int) -> float:
        return math.log(self.p) - (0.0 if report == value else self.epsilon)

    @property
    def spreads(self) -> tuple[float, float]:
        # 1 - p = (k-1)q and 1 - q = p + (k-2)q keep their digits at large ε.
        return self.p * (self.k - 1) * self.q, self.q * (self.p + (self.k - 2) * self.q)

    def bits(self) -> float:
        return math.log2(self.k)

    def operations(self) -> float:
        return 2

    def best_guess(self) -> float:
        return self.p


@dataclass(frozen=True)
class RandomizedResponse(DirectAnswer):
    """Answer yes or no truthfully with probability p = e^ε/(e^ε+1): the best mechanism for one bit.

    Given the truth, one user's unbiased estimate has variance e^ε/(e^ε-1)².
    """

    epsilon: Epsilon

    slug: ClassVar[str] = "rr"
    title: ClassVar[str] = "Randomized response"
    reference: ClassVar[str] = "Warner (1965), Randomized response, J. Amer. Statist. Assoc. 60"
    k: ClassVar[int] = 2  # type: ignore[misc]


@dataclass(frozen=True)
class GeneralizedRandomizedResponse(DirectAnswer):
    """Name the true value with p = e^ε/(e^ε+k-1), any other with q = 1/(e^ε+k-1): best for few values.

    n·Var = (k-2+e^ε)/(e^ε-1)² for a rare value, which grows with k.
    """

    epsilon: Epsilon
    k: DomainSize

    slug: ClassVar[str] = "grr"
    title: ClassVar[str] = "Generalized randomized response"
    reference: ClassVar[str] = "Kairouz, Bonawitz, Ramage (2016), Discrete distribution estimation under local privacy"
