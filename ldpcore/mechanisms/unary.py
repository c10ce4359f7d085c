"""Unary encodings: one bit for each of the k values, each bit answered by a coin of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.mechanisms.arithmetic import EXACT, Arithmetic
from ldpcore.mechanisms.base import ReportTally
from ldpcore.mechanisms.independent import IndependentSupport
from ldpcore.mechanisms.possible import PossibleReports, bits_of
from ldpcore.numerics.arrays import Counts
from ldpcore.numerics.tosses import toss
from ldpcore.parameters import DomainSize, Epsilon

Bits = NDArray[np.uint8]
_BLOCK = 1 << 18  # bits handled at once, one byte each: they stay in the processor's cache


class UnaryEncoding(IndependentSupport):
    """A report of k bits: the own bit is 1 with probability p, every other with q, each tossed exactly once.

    A report is a row of bytes, eight bits to the byte, the first value in the highest bit.
    """

    def possible(self, reports: NDArray[Any]) -> PossibleReports:
        return bits_of(self.k, reports), f"{self.k} bits, eight to the byte, and 0 behind them"

    def arithmetic(self) -> Arithmetic:
        # Two rows differ in two bits: the own one is 0 with probability miss, any other 1 with q.
        miss, q = Fraction(self.miss), Fraction(self.q)
        odds = max((1 - miss) / q, q / (1 - miss)) * max((1 - q) / miss, miss / (1 - q))
        return Arithmetic(odds, EXACT)

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> Bits:
        # Every bit is drawn as a foreign one, then the own bit is replaced, never flipped once more.
        true = self.categories(values)
        reports = np.empty((len(true), -(-self.k // 8)), dtype=np.uint8)
        for rows in blocks(len(true), _BLOCK // self.k):
            own = true[rows]
            bits = toss(self.q, len(own) * self.k, rng).reshape(len(own), self.k)
            bits[np.arange(len(own)), own] = ~toss(self.miss, len(own), rng)
            reports[rows] = np.packbits(bits, axis=1)
        return reports

    def supports(self, reports: Bits) -> NDArray[np.bool_]:
        return np.unpackbits(reports, axis=1, count=self.k).view(np.bool_)

    def support(self, report: Bits) -> NDArray[np.bool_]:
        return np.unpackbits(report, count=self.k).view(np.bool_)

    def report_of(self, support: NDArray[np.bool_]) -> Bits:
        return np.packbits(support)

    def tally(self, reports: Bits) -> ReportTally:
        return ReportTally(count_columns(reports, self.k), len(reports))

    def bits(self) -> float:
        return self.k

    def operations(self) -> float:
        return self.k


def count_columns(packed: Bits, k: int) -> Counts:
    """How many rows have each of the k bits set; 255 rows at a time fit a counter of one byte."""
    total = np.zeros(k, dtype=np.int64)
    for rows in blocks(len(packed), 255):
        total += np.add.reduce(np.unpackbits(packed[rows], axis=1, count=k), axis=0, dtype=np.uint8)
    return total


def blocks(n: int, size: int) -> Iterator[slice]:
    """0 … n-1 in slices of at most `size`, and at least one."""
    size = max(size, 1)
    return (slice(start, min(start + size, n)) for start in range(0, n, size))


@dataclass(frozen=True)
class SymmetricUnaryEncoding(UnaryEncoding):
    """Keep each of the k bits with p = e^{ε/2}/(e^{ε/2}+1), flip it with q = 1-p: basic RAPPOR, asked once.

    RAPPOR's f is 2q = 2/(1+e^{ε/2}). n·Var = e^{ε/2}/(e^{ε/2}-1)² for every value, whatever its share.
    """

    epsilon: Epsilon
    k: DomainSize

    slug: ClassVar[str] = "sue"
    title: ClassVar[str] = "Symmetric unary encoding"
    reference: ClassVar[str] = (
        "Erlingsson, Pihur, Korolova (2014), RAPPOR: randomized aggregatable privacy-preserving ordinal response"
    )

    @property
    def log_odds(self) -> tuple[float, float]:
        return self.epsilon / 2, -self.epsilon / 2


@dataclass(frozen=True)
class OptimizedUnaryEncoding(UnaryEncoding):
    """Toss a fair coin for the own bit, p = 1/2, and set each other bit with q = 1/(e^ε+1).

    n·Var = 4e^ε/(e^ε-1)² + f for a value of share f: among unary encodings of level ε the smallest where f is small.
    """

    epsilon: Epsilon
    k: DomainSize

    slug: ClassVar[str] = "oue"
    title: ClassVar[str] = "Optimized unary encoding"
    reference: ClassVar[str] = (
        "Wang, Blocki, Li, Jha (2017), Locally differentially private protocols for frequency estimation"
    )

    @property
    def log_odds(self) -> tuple[float, float]:
        return 0.0, -self.epsilon
