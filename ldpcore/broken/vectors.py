"""Famous mistakes with several numbers at once: the ties of an even dimension, and a constant turned upside down."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from ldpcore.broken.miscounts import Miscount
from ldpcore.mechanisms.base import ReportTally, Witness
from ldpcore.mechanisms.hypercube import HypercubeSampling
from ldpcore.mechanisms.vectors import Vector
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Dimension, Epsilon


@dataclass(frozen=True)
class TiesInBothHalves(HypercubeSampling):
    """Hypercube sampling as printed: corners with ⟨z, v⟩ = 0 belong to the upper half and to the lower one.

    Drawn with probability e^ε/(e^ε+1) from the one and 1/(e^ε+1) from the other, a tie has weight e^ε + 1 where a
    corner of the lower half has 1: for even d the real level is ln(e^ε + 1), 1.3133 where 1 is claimed.
    """

    epsilon: Epsilon
    d: Dimension = 2
    rule: ClassVar[str] = "split"  # type: ignore[misc]

    slug: ClassVar[str] = "ties-twice"
    title: ClassVar[str] = "Hypercube sampling with the ties in both halves"
    reference: ClassVar[str] = (
        "Duchi, Jordan, Wainwright (2018), Minimax optimal procedures for locally private estimation, section 4.2.3, "
        "taken at its word for even d"
    )

    def tie(self) -> float:
        return self.epsilon + math.log1p(math.exp(-self.epsilon))

    def worst(self) -> tuple[Vector, Vector]:
        # A report that ties with one corner and lies below the other, which differs in a single coordinate.
        return (1,) * self.d, ((1,) * (self.d - 1) + (-1,) if self.d % 2 == 0 else (-1,) * self.d)

    def witness(self) -> Witness:
        report = (-1,) * (self.d // 2) + (1,) * (self.d - self.d // 2)
        return Witness(*self.worst(), report)


@dataclass(frozen=True)
class InvertedConstant(HypercubeSampling, Miscount):
    """Hypercube sampling that divides by C_d where it should multiply: B = r/C_d·(e^ε+1)/(e^ε-1).

    The level is kept; every mean comes out C_d² times too small, C_3 = 2 and growing like √d.
    """

    breaks: ClassVar[str] = "estimates_have_the_stated_mean_and_variance"
    slug: ClassVar[str] = "inverted-constant"
    title: ClassVar[str] = "Hypercube sampling with its constant upside down"
    reference: ClassVar[str] = "A bug once published in code for private means of vectors"

    def estimate(self, tally: ReportTally) -> Reals:
        return super().estimate(tally) / (self.bound * math.tanh(self.epsilon / 2)) ** 2
