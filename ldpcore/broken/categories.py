"""Famous mistakes with answers from the reports of single people: the category randomizers and their relatives."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.laws.channels import Finite, Pair
from ldpcore.mechanisms.base import Witness
from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.mechanisms.unary import Bits, OptimizedUnaryEncoding
from ldpcore.numerics.arrays import Counts


@dataclass(frozen=True)
class ImpossibleAnswer(RandomizedResponse):
    """A coin on which one answer is impossible for one group: who holds "yes" always says so, others toss a coin.

    A reported "no" proves a true "no", so no finite level holds.
    """

    slug: ClassVar[str] = "impossible-answer"
    title: ClassVar[str] = "A coin that never hides a yes"
    reference: ClassVar[str] = "Seen in teaching material"

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> Counts:
        true = self.categories(values)
        return np.where(true == 1, 1, rng.integers(2, size=len(true)))

    def compare(self, value: int, other: int) -> Pair:
        return self.channel().pair(value, other)

    def channel(self) -> Finite:
        return Finite(np.array([[0.5, 0.5], [0.0, 1.0]]), (0, 1), np.eye(2, dtype=bool))

    def log_density(self, report: int, value: int) -> float:
        mass = float(self.channel().matrix[value, report])
        return math.log(mass) if mass else -math.inf


@dataclass(frozen=True)
class KeptNoiseBit(OptimizedUnaryEncoding):
    """Optimized unary encoding that lets a noise bit stand on the own position: P(1|1) = 1/2 + q/2 instead of 1/2.

    Where the noise has already set the own bit, the coin that should decide it is skipped; perturbing a lost 1 a
    second time does the same. The real level is ln(e^ε + 2): 1.5514 where 1 is claimed.
    """

    slug: ClassVar[str] = "kept-noise-bit"
    title: ClassVar[str] = "Unary encoding that keeps the noise on the true bit"
    reference: ClassVar[str] = (
        "Samuel-Maddock/pure-LDP, issue 11 (2023), found by Arcolezi and Gambs (2023), arXiv:2309.01597; "
        "Wang et al. (2017) is right"
    )

    @property
    def log_odds(self) -> tuple[float, float]:
        # With q = 1/(e^ε+1): (1+q)/(1-q) = (e^ε+2)/e^ε.
        return math.log1p(2 * math.exp(-self.epsilon)), -self.epsilon


@dataclass(frozen=True)
class BareBit(OptimizedUnaryEncoding):
    """Optimized unary encoding whose loop over the bits starts at 1, so that bit 0 goes out as it is: P(1|1) = 1.

    Everybody who holds value 0 is known for certain: no finite level holds, however small a level is claimed.
    """

    slug: ClassVar[str] = "bare-bit"
    title: ClassVar[str] = "Unary encoding that leaves one bit without noise"
    reference: ClassVar[str] = "Seen in teaching material: positions counted from one"

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> Bits:
        reports = super().privatize(values, rng)
        bits = np.unpackbits(reports, axis=1, count=self.k)
        bits[:, 0] = np.asarray(values) == 0
        return np.packbits(bits, axis=1)

    def compare(self, value: int, other: int) -> Pair:
        if 0 in (value, other):
            return Pair(np.array([1.0, 0.0]), np.array([0.0, 1.0]), ("value", "other"))
        return super().compare(value, other)

    def channel(self) -> Finite:
        whole = super().channel()
        reports = [np.asarray(report, dtype=np.uint8) for report in whole.reports]
        matrix = np.exp([[self.log_density(report, value) for report in reports] for value in range(self.k)])
        return Finite(matrix, whole.reports, whole.supports)

    def witness(self) -> Witness:
        return Witness(0, 1, self.report_of(np.arange(self.k) == 0))

    def log_density(self, report: Bits, value: int) -> float:
        support = self.support(report)
        if bool(support[0]) != (value == 0):
            return -math.inf
        chances = np.where(np.arange(1, self.k) == value, self.p, self.q)
        return float(np.log(np.where(support[1:], chances, 1 - chances)).sum())
