"""Subset selection: report ω of the k values at once, the own one among them with a chosen chance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.laws.channels import Finite, Pair
from ldpcore.mechanisms.arithmetic import EXACT, Arithmetic
from ldpcore.mechanisms.base import FrequencyOracle, ReportTally, Witness
from ldpcore.mechanisms.possible import PossibleReports
from ldpcore.mechanisms.randomsubsets import Halving, random_subsets
from ldpcore.numerics.binomials import log_choose
from ldpcore.numerics.tosses import heads_among, toss
from ldpcore.parameters import DomainSize, Epsilon, ParameterError, SubsetSize
from ldpcore.people.populations import Population

CELLS = 1 << 22  # histogram cells or reported values held at a time
MARKS = 1 << 19  # marks of single people, which stay in the processor's cache


@dataclass(frozen=True)
class SubsetSelection(FrequencyOracle):
    """Report ω of the k values: a set with the true value is e^ε times as likely as one without it.

    p = ωe^ε/(ωe^ε+k-ω); ω = 0 asks for ω = round(k/(e^ε+1)), at least 1, whose mean error over all values is within
    3 % of the best size's. No mechanism here has a smaller one, for any k, at log₂ C(k,ω) bits; ω = 1 is generalized
    randomized response, which can be up to a sixth better for a rare value where the rounding says 2.
    """

    epsilon: Epsilon
    k: DomainSize
    omega: SubsetSize = 0

    slug: ClassVar[str] = "subset"
    title: ClassVar[str] = "Subset selection"
    pace: ClassVar[float] = 5e-5
    reference: ClassVar[str] = "Ye, Barg (2018), Optimal schemes for discrete distribution estimation"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.omega == 0:
            object.__setattr__(self, "omega", max(round(self.k / (math.exp(self.epsilon) + 1)), 1))
        if self.omega >= self.k:
            raise ParameterError("subset_too_large", k=self.k, got=self.omega)

    @property
    def rounded(self) -> int:
        return self.omega

    @property
    def weight(self) -> float:
        """ω + (k-ω)e^-ε, which is (ωe^ε + k - ω)e^-ε and never overflows: every chance below is divided by it."""
        return self.omega + (self.k - self.omega) * math.exp(-self.epsilon)

    @property
    def p(self) -> float:
        return self.omega / self.weight

    @property
    def q(self) -> float:
        # A report names ω values, so p + (k-1)q = ω; solved for q without a difference.
        omega, others = self.omega, (self.k - self.omega) * math.exp(-self.epsilon)
        return omega * (omega - 1 + others) / ((self.k - 1) * self.weight)

    @property
    def gap(self) -> float:
        omega = self.omega
        return -math.expm1(-self.epsilon) * omega * (self.k - omega) / ((self.k - 1) * self.weight)

    @property
    def forced(self) -> float:
        """λ = (p - ω/k)/(1 - ω/k): the chance to put in the true value for certain, else all ω are drawn from all k."""
        return -math.expm1(-self.epsilon) * self.omega / self.weight

    @property
    def free(self) -> float:
        """1 - λ, which keeps its digits where λ is nearly 1."""
        return self.k * math.exp(-self.epsilon) / self.weight

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> NDArray[np.uint16]:
        """Rows of the ω values that one person reports, in ascending order."""
        true = self.categories(values)
        own = np.where(toss(self.free, len(true), rng), -1, true)
        reports = np.empty((len(own), self.omega), dtype=np.uint16)
        for start in range(0, len(own), step := max(1, MARKS // self.k)):
            marks = random_subsets(self.k, self.omega, own[start : start + step], rng)
            reports[start : start + step] = np.flatnonzero(marks).reshape(-1, self.omega) % self.k
        return reports

    def supports(self, reports: ArrayLike) -> NDArray[np.bool_]:
        marks = np.zeros((len(rows := np.asarray(reports)), self.k), dtype=np.bool_)
        np.put_along_axis(marks, rows.astype(np.int64), True, axis=1)
        return marks

    def tally(self, reports: ArrayLike) -> ReportTally:
        rows, counts = np.asarray(reports), np.zeros(self.k, dtype=np.int64)
        for start in range(0, len(rows), step := max(1, CELLS // self.omega)):
            counts += np.bincount(rows[start : start + step].ravel(), minlength=self.k)
        return ReportTally(counts, len(rows))

    def sample_tally(self, population: Population, rng: np.random.Generator, repeats: int | None = None) -> ReportTally:
        # Exact: who is forced is binomial, and the subsets of everybody are drawn at once, down a tree. O(k log k).
        counts = self.checked(population).counts
        parts, wanted = [], repeats or 1
        for start in range(0, wanted, step := max(1, CELLS // (64 * self.k))):
            own = heads_among(counts[:, None], self.forced, self.free, rng, (self.k, min(step, wanted - start)))
            parts.append(Halving(self.k, self.omega, rng).draw(own, population.n - own.sum(axis=0)))
        tallies = np.concatenate(parts, axis=1)
        return ReportTally(tallies[:, 0] if repeats is None else tallies, population.n)

    def compare(self, value: int, other: int) -> Pair:
        # A set with `value` but not `other` is e^ε times as likely under `value`; sets with both or neither are alike.
        k, omega = self.k, self.omega
        high = self.p * (k - omega) / (k - 1)
        low = math.exp(-self.epsilon) * high
        alike = (self.p * (omega - 1) + (k - omega) * (k - 1 - omega) * math.exp(-self.epsilon) / self.weight) / (k - 1)
        ratios = np.array([self.epsilon, -self.epsilon, 0.0])
        return Pair(np.array([high, low, alike]), np.array([low, high, alike]), ("value", "other", "alike"), ratios)

    def channel(self) -> Finite:
        sets = tuple(combinations(range(self.k), self.omega))
        matrix = np.exp([[self.log_density(report, value) for report in sets] for value in range(self.k)])
        return Finite(matrix, sets, self.supports(np.array(sets)))

    def witness(self) -> Witness:
        return Witness(0, 1, (0, *range(2, self.omega + 1)))

    def log_density(self, report: tuple[int, ...], value: int) -> float:
        # Each of the C(k-1, ω-1) sets with the value has probability p over their number; a set without it, e^ε less.
        return math.log(self.p) - log_choose(self.k - 1, self.omega - 1) - (0.0 if value in report else self.epsilon)

    @property
    def spreads(self) -> tuple[float, float]:
        # 1 - p and 1 - q as sums of positive terms keep their digits at large ε.
        k, omega, shrink = self.k, self.omega, math.exp(-self.epsilon)
        own = self.p * (k - omega) * shrink / self.weight
        return own, self.q * (k - omega) * (omega + (k - 1 - omega) * shrink) / ((k - 1) * self.weight)

    def bits(self) -> float:
        return log_choose(self.k, self.omega) / math.log(2)

    def operations(self) -> float:
        return 1.0 + 2 * self.omega

    def possible(self, reports: NDArray[Any]) -> PossibleReports:
        rows = reports.astype(np.int64, copy=False)
        inside = (rows >= 0).all(axis=1) & (rows < self.k).all(axis=1) & (np.diff(rows, axis=1) > 0).all(axis=1)
        words = f"{self.omega} different numbers from 0 to {self.k - 1}, rising"
        return np.asarray(inside, dtype=np.bool_), words

    def arithmetic(self) -> Arithmetic:
        # With probability 1 - λ the true value is put in for certain; each of the C(k-1, ω-1) sets that hold it is as
        # likely as any other, and all C(k, ω) are where nothing is put in: their numbers are as k to ω.
        free = min(Fraction(self.free), Fraction(1))
        return Arithmetic(((1 - free) * Fraction(self.k, self.omega) + free) / free, EXACT)

    def best_guess(self) -> float:
        return self.p / self.omega
