"""Two ways to pay for several questions: a part of the level for each, or a few questions for each person."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from ldpcore.mechanisms.coordinates import CoordinateByCoordinate, Each
from ldpcore.parameters import Dimension, Epsilon

ROUND = 2.5  # of a level: where one more coordinate is worth asking for


@dataclass(frozen=True)
class SplitLevel(CoordinateByCoordinate):
    """Everybody answers all d questions, each at level ε/d: Var = 8d²/ε² for each coordinate with Laplace noise.

    Levels add up, so that every further question makes the noise of all the others larger.
    """

    epsilon: Epsilon
    d: Dimension
    each: Each = "locallaplace"

    slug: ClassVar[str] = "split"
    title: ClassVar[str] = "Split level"
    reference: ClassVar[str] = (
        "Dwork, McSherry, Nissim, Smith (2006), Calibrating noise to sensitivity; why it falls behind: Duchi, Jordan, "
        "Wainwright (2018), Minimax optimal procedures for locally private estimation"
    )

    @property
    def m(self) -> int:
        return self.d


@dataclass(frozen=True)
class SampledCoordinates(CoordinateByCoordinate):
    """Everybody answers m = max(1, min(d, ⌊ε/2.5⌋)) of the d questions, drawn at random, each at ε/m, times d/m.

    Below ε = 5 that is one question at the whole level: d groups of n/d people each.
    """

    epsilon: Epsilon
    d: Dimension
    each: Each = "hm"

    slug: ClassVar[str] = "sampled"
    title: ClassVar[str] = "Sampled coordinates"
    reference: ClassVar[str] = (
        "Wang, Xiao, Yang, Zhao, Hui, Shin, Shin, Yu (2019), Collecting and analyzing multidimensional data with local "
        "differential privacy, ICDE, algorithm 4"
    )

    @property
    def m(self) -> int:
        return max(1, min(self.d, math.floor(self.epsilon / ROUND)))
