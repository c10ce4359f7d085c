"""The piecewise mechanism: a number near the own one is likelier, by e^ε, than any other."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.mechanisms.plateaus import PlateauRandomizer
from ldpcore.mechanisms.values import inside
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Epsilon


@dataclass(frozen=True)
class PiecewiseMechanism(PlateauRandomizer):
    """Send a number of [-C, C], C = (e^{ε/2}+1)/(e^{ε/2}-1), e^ε times likelier per unit in a piece [l, r] around x.

    l = (C+1)x/2 - (C-1)/2 and r = l + C - 1, with probability e^{ε/2}/(e^{ε/2}+1). Variance
    x²/(e^{ε/2}-1) + (e^{ε/2}+3)/(3(e^{ε/2}-1)²): least at 0, at most 4e^{ε/2}/(3(e^{ε/2}-1)²). Its worst case beats one
    bit above ε = 1.290.
    """

    epsilon: Epsilon

    slug: ClassVar[str] = "pm"
    title: ClassVar[str] = "Piecewise mechanism"
    reference: ClassVar[str] = (
        "Wang, Xiao, Yang, Zhao, Hui, Shin, Shin, Yu (2019), Collecting and analyzing multidimensional data with local "
        "differential privacy, ICDE"
    )

    @property
    def reach(self) -> float:
        """C = 1/tanh(ε/4), the largest report."""
        return 1 / math.tanh(self.epsilon / 4)

    @property
    def width(self) -> float:
        """C - 1 = 2/(e^{ε/2}-1)."""
        return 2 / math.expm1(self.epsilon / 2)

    @property
    def pull(self) -> float:
        """λ = 1 - e^{-ε/2}."""
        return -math.expm1(-self.epsilon / 2)

    @property
    def log_rest(self) -> float:
        return -self.epsilon / 2

    def left(self, value: ArrayLike) -> Reals:
        """l = x - (1-x)(C-1)/2, so that the piece of 1 begins at 1 and that of -1 ends there."""
        x = inside(value)
        return np.asarray(x - (1 - x) * self.width / 2, dtype=np.float64)

    def variance_at(self, x: ArrayLike) -> Reals:
        # e^{ε/2} + 3 = (e^{ε/2} - 1) + 4, so everything is written in w = C - 1 = 2/(e^{ε/2}-1).
        w = self.width
        return np.asarray(inside(x) ** 2 * w / 2 + w / 6 + w * w / 3, dtype=np.float64)
