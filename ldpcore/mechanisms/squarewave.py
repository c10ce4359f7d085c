"""The square wave: a report within b of the own number is e^ε times likelier, so that the shape of a crowd survives."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.mechanisms.plateaus import PlateauRandomizer
from ldpcore.mechanisms.values import inside
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Epsilon

SERIES = 0.5  # up to here both differences below are summed as series, which do not cancel


@dataclass(frozen=True)
class SquareWave(PlateauRandomizer):
    """On [0, 1]: send a number of [-b, 1+b] of density p within b of the own one and q = p/e^ε elsewhere.

    b = (εe^ε - e^ε + 1)/(2e^ε(e^ε - 1 - ε)) keeps most information between report and number; q = 1/(2be^ε + 1). Here
    everything is stretched to [-1, 1], so that C = 1 + 2b. Decoded by 1/λ, λ = 2b(p - q), a report is unbiased, with
    variance (λ(1-λ)x² + 4λb²/3 + (1-λ)(1+2b)²/3)/λ²; the distribution of all numbers is decoded by EM.
    """

    epsilon: Epsilon

    slug: ClassVar[str] = "sw"
    title: ClassVar[str] = "Square wave"
    reference: ClassVar[str] = (
        "Li, Wang, Lopuhaä-Zwakenberg, Škorić, Li (2020), Estimating numerical distributions under local differential "
        "privacy, SIGMOD"
    )

    @cached_property  # asked for at every point of a density
    def b(self) -> float:
        """Half the width of the wave on [0, 1]: ½ for small ε, 0 for large."""
        if self.epsilon < SERIES:
            powers = [2 * self.epsilon ** (k - 2) / math.factorial(k) for k in range(2, 20)]
            return math.fsum((-1) ** k * power for k, power in enumerate(powers)) / (2 * math.fsum(powers))
        return (self.epsilon + math.expm1(-self.epsilon)) / (2 * (math.expm1(self.epsilon) - self.epsilon))

    @property
    def p(self) -> float:
        """The density of a report near the own number, on [0, 1]."""
        return 1 / (2 * self.b + math.exp(-self.epsilon))

    @property
    def q(self) -> float:
        """The density of any other report, on [0, 1]."""
        return 1 / (2 * self.b * math.exp(self.epsilon) + 1)

    @property
    def reach(self) -> float:
        """C = 1 + 2b."""
        return 1 + 2 * self.b

    @property
    def width(self) -> float:
        """4b, as a length of 1 on [0, 1] is 2 here."""
        return 4 * self.b

    @property
    def pull(self) -> float:
        """λ = 2b(p - q)."""
        return 2 * self.b * self.q * math.expm1(self.epsilon)

    @property
    def log_rest(self) -> float:
        return math.log(self.q) + math.log1p(2 * self.b)

    def left(self, value: ArrayLike) -> Reals:
        """x - 2b."""
        return np.asarray(inside(value) - 2 * self.b, dtype=np.float64)

    def decoded(self, reports: Any) -> Reals:
        # E[report] = λx, because everything else lies evenly around 0.
        return np.asarray(np.asarray(reports, dtype=np.float64) / self.pull, dtype=np.float64)

    def largest_report(self) -> float:
        return self.reach / self.pull

    def variance_at(self, x: ArrayLike) -> Reals:
        pull, rest = self.pull, math.exp(self.log_rest)
        around = pull * 4 * self.b**2 / 3 + rest * self.reach**2 / 3
        return np.asarray((pull * rest * inside(x) ** 2 + around) / pull**2, dtype=np.float64)
