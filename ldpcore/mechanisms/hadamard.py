"""Hadamard response: report one of K ≥ k+1 numbers, half of which speak for the true value."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.laws.channels import Finite, Pair
from ldpcore.mechanisms.arithmetic import EXACT, Arithmetic
from ldpcore.mechanisms.base import FrequencyOracle, ReportTally, Witness
from ldpcore.mechanisms.butterfly import uniform_on_halves, walsh_hadamard
from ldpcore.mechanisms.possible import PossibleReports, whole_below
from ldpcore.numerics.arrays import Counts
from ldpcore.numerics.tosses import heads_among, toss
from ldpcore.parameters import DomainSize, Epsilon
from ldpcore.people.populations import Population

CELLS = 1 << 21  # of the butterfly at a time: 16 MB, however many repetitions are asked for


@dataclass(frozen=True)
class HadamardResponse(FrequencyOracle):
    """Value v owns the half of K = 2^⌈log₂(k+1)⌉ outputs where row v+1 of the Hadamard matrix is +1.

    A report is uniform on the own half with probability p = e^ε/(e^ε+1), else on the other; rows are orthogonal, so any
    other value's half is hit with q = 1/2 and n·Var = ((e^ε+1)/(e^ε-1))² for a rare value: log₂ K bits, any k.
    """

    epsilon: Epsilon
    k: DomainSize

    slug: ClassVar[str] = "hadamard"
    title: ClassVar[str] = "Hadamard response"
    pace: ClassVar[float] = 1.2e-5
    reference: ClassVar[str] = "Acharya, Sun, Zhang (2019), Hadamard response: estimating distributions privately"

    @property
    def size(self) -> int:
        """K, the smallest power of two above k: row 0 of the matrix is constant and serves no value."""
        return 1 << self.k.bit_length()

    @property
    def p(self) -> float:
        return 1 / (1 + math.exp(-self.epsilon))

    @property
    def q(self) -> float:
        return 0.5

    @property
    def gap(self) -> float:
        return math.tanh(self.epsilon / 2) / 2

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> NDArray[np.uint32]:
        """A uniform output; where its sign is not the one a coin asks for, flipping a bit of the row mends it."""
        rows = (self.categories(values) + 1).astype(np.uint32)
        reports = rng.integers(self.size, size=len(rows), dtype=np.uint32)
        # H[row, y] = (-1)^|row & y|; flipping the lowest set bit of the row is a bijection between its two halves.
        wrong = signs(rows, reports) ^ toss(math.exp(-self.epsilon) * self.p, len(rows), rng)
        return np.where(wrong, reports ^ (rows & (~rows + np.uint32(1))), reports)

    def supports(self, reports: ArrayLike) -> NDArray[np.bool_]:
        rows = np.arange(1, self.k + 1, dtype=np.uint32)
        return ~signs(rows, np.asarray(reports, dtype=np.uint32)[:, None])

    def tally(self, reports: ArrayLike) -> ReportTally:
        answers = np.asarray(reports)
        return ReportTally(self.decode(np.bincount(answers, minlength=self.size).astype(np.int64)), len(answers))

    def decode(self, outputs: Counts) -> Counts:
        """How many reports support each value, from how often each output came: C_v = (n + (H h)_{v+1})/2, exactly."""
        return np.asarray((outputs.sum(axis=0) + walsh_hadamard(outputs)[1 : self.k + 1]) // 2)

    def sample_tally(self, population: Population, rng: np.random.Generator, repeats: int | None = None) -> ReportTally:
        # Exact: with probability 2p - 1 a report is uniform on the own half, else uniform on all K. O(K log K).
        counts = self.checked(population).counts
        if repeats is not None and repeats > (chunk := max(1, CELLS // (2 * self.size))):
            parts = [
                self.sample_tally(population, rng, min(chunk, repeats - start)).counts
                for start in range(0, repeats, chunk)
            ]
            return ReportTally(np.concatenate(parts, axis=1), population.n)
        size = 1 if repeats is None else repeats
        anywhere = 2 * math.exp(-self.epsilon) * self.p
        own = heads_among(counts[:, None], 2 * self.gap, anywhere, rng, (self.k, size))
        anything = rng.multinomial(population.n - own.sum(axis=0), np.full(self.size, 1 / self.size)).T
        masks = np.zeros((self.size, size), dtype=np.int64)
        masks[1 : self.k + 1] = own
        tally = self.decode(anything + uniform_on_halves(masks, rng))
        return ReportTally(tally[:, 0] if repeats is None else tally, population.n)

    def compare(self, value: int, other: int) -> Pair:
        # Both rows agree on half of the outputs (ratio 1); on a quarter each only one of them is +1: ratios e^ε, e^-ε.
        high, low = self.p / 2, math.exp(-self.epsilon) * self.p / 2
        ratios = np.array([self.epsilon, -self.epsilon, 0.0])
        return Pair(np.array([high, low, 0.5]), np.array([low, high, 0.5]), ("value", "other", "alike"), ratios)

    def channel(self) -> Finite:
        outputs = tuple(range(self.size))
        supported = self.supports(np.array(outputs))
        return Finite(np.exp([[self.log_density(y, v) for y in outputs] for v in range(self.k)]), outputs, supported)

    def witness(self) -> Witness:
        # Output 2 = bit 1 set: rows 1 (value 0) and 2 (value 1) differ there, +1 and -1.
        return Witness(0, 1, 2)

    def log_density(self, report: int, value: int) -> float:
        lost = self.epsilon if (report & (value + 1)).bit_count() % 2 else 0.0
        return math.log(2 / self.size) - math.log1p(math.exp(-self.epsilon)) - lost

    @property
    def spreads(self) -> tuple[float, float]:
        # p(1-p) = p² e^-ε keeps its digits at large ε.
        return self.p**2 * math.exp(-self.epsilon), 0.25

    def bits(self) -> float:
        return math.log2(self.size)

    def operations(self) -> float:
        return 4.0  # a number, a coin, a parity, a flip

    def possible(self, reports: NDArray[Any]) -> PossibleReports:
        return whole_below(reports, self.size)

    def arithmetic(self) -> Arithmetic:
        wrong = Fraction(math.exp(-self.epsilon) * self.p)
        return Arithmetic((1 - wrong) / wrong, EXACT)

    def best_guess(self) -> float:
        # Every output supports somebody, but for one of the four when k = 2: there the guess is wrong-sided.
        return (1 + 2 * self.p) / 4 if self.k == 2 else 2 * self.p / self.k


def signs(rows: NDArray[np.uint32], outputs: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Whether H[row, output] is -1: the parity of the bits they share."""
    return np.asarray(np.bitwise_count(rows & outputs) & 1, dtype=np.bool_)
