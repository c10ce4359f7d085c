"""The base of unary encodings and local hashing: given the true value, a report supports the others independently."""

from __future__ import annotations

import itertools
import math
from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.laws.channels import Finite, Pair
from ldpcore.mechanisms.base import FrequencyOracle, ReportTally, Witness
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import ParameterError
from ldpcore.people.populations import Population


class IndependentSupport(FrequencyOracle):
    """The true value is supported with probability p, each other with q = P(support | not own), all independently.

    Everything follows from the log-odds a = ln p/(1-p) and b = ln q/(1-q), which keep the digits that p and q lose
    near 0 and 1: p = 1/(1+e^-a), p - q = sinh((a-b)/2) / (2 cosh(a/2) cosh(b/2)), and the privacy loss is a - b.
    """

    epsilon: float

    @property
    @abstractmethod
    def log_odds(self) -> tuple[float, float]:
        """a and b: the log-odds that the true value is supported, and that any other is."""

    @abstractmethod
    def report_of(self, support: NDArray[np.bool_]) -> Any:
        """A report that supports exactly these values."""

    @property
    def p(self) -> float:
        return 1 / (1 + math.exp(-self.log_odds[0]))

    @property
    def q(self) -> float:
        return 1 / (1 + math.exp(-self.log_odds[1]))

    @property
    def miss(self) -> float:
        """1 - p, the chance that the true value is not supported, without cancellation."""
        return 1 / (1 + math.exp(self.log_odds[0]))

    @property
    def gap(self) -> float:
        a, b = self.log_odds
        return math.sinh((a - b) / 2) / (2 * math.cosh(a / 2) * math.cosh(b / 2))

    def sample_tally(self, population: Population, rng: np.random.Generator, repeats: int | None = None) -> ReportTally:
        # Exact because the values a report supports are independent given the own one: each count is
        # Bin(n_v, p) + Bin(n - n_v, q), independent over v. The rarer outcome of the true value is the one drawn.
        counts = self.checked(population).counts
        if repeats is not None:
            counts = np.broadcast_to(counts[:, None], (self.k, repeats))
        own = counts - rng.binomial(counts, self.miss) if self.miss < self.p else rng.binomial(counts, self.p)
        return ReportTally(own + rng.binomial(population.n - counts, self.q), population.n)

    def compare(self, value: int, other: int) -> Pair:
        # Only the support of the two values depends on who sends:
        # value alone: p(1-q) against (1-p)q, so the loss is a - b; other alone: b - a;
        # both: pq against qp; neither: (1-p)(1-q) against (1-q)(1-p): no loss.
        p, q, miss = self.p, self.q, self.miss
        first = np.array([p * (1 - q), miss * q, p * q, miss * (1 - q)])
        loss = self.log_odds[0] - self.log_odds[1]
        outcomes = ("value", "other", "both", "neither")
        return Pair(first, first[[1, 0, 2, 3]], outcomes, np.array([loss, -loss, 0.0, 0.0]))

    def channel(self) -> Finite:
        """One column for each of the 2^k sets of values: a report matters only through the set that it supports."""
        if self.k > 12:
            raise ParameterError("channel_too_large", name="k", most=12, got=self.k)
        sets = np.array(list(itertools.product((False, True), repeat=self.k)))
        matrix = np.exp(self._log_chances(sets.sum(axis=1), sets.T))
        return Finite(matrix, tuple(self.report_of(support) for support in sets), sets)

    def _log_chances(self, size: ArrayLike, holds: ArrayLike) -> Reals:
        """ln of the chance of one set of `size` values, given whether it holds the own one."""
        a, b = self.log_odds
        size, own = np.asarray(size), np.asarray(holds, dtype=bool)
        others = size - own
        # ln p = -ln(1 + e^-a) and ln(1-p) = -ln(1 + e^a), and so for q.
        mine = np.where(own, -np.logaddexp(0, -a), -np.logaddexp(0, a))
        return np.asarray(mine - others * np.logaddexp(0, -b) - (self.k - 1 - others) * np.logaddexp(0, b))

    def log_density(self, report: Any, value: int) -> float:
        """ln of the chance of the set of values that the report supports; all else in it is independent noise."""
        support = self.support(report)
        return float(self._log_chances(support.sum(), support[value]))

    @abstractmethod
    def support(self, report: Any) -> NDArray[np.bool_]:
        """The values that one report supports."""

    def witness(self) -> Witness:
        return Witness(0, 1, self.report_of(np.arange(self.k) == 0))

    @property
    def spreads(self) -> tuple[float, float]:
        return self.p * self.miss, self.q * (1 - self.q)

    def best_guess(self) -> float:
        # Any supported value is a best guess: Σ over sets of the largest chance is p (1 - (1-q)^k)/q for the sets
        # that are not empty, and (1-p)(1-q)^(k-1) for the empty one; over k for the uniform prior.
        empty = self.k * math.log1p(-self.q)
        return (self.p / self.q * -math.expm1(empty) + self.miss * math.exp(empty) / (1 - self.q)) / self.k
