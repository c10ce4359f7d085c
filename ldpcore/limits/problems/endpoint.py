"""The endpoint of a uniform law: easy without privacy, and no easier than a mean with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from numpy.typing import ArrayLike

from ldpcore.limits import moduli
from ldpcore.limits.constructive import Affine, Bit, EstimatorRecipe
from ldpcore.limits.problems.base import Exponents, Problem
from ldpcore.limits.worlds import Flat, World
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Interval

Most = Annotated[float, Interval("M", 0, 1e9, (0.1, 100), scale="log", open_low=True)]


@dataclass(frozen=True)
class UniformEndpoint(Problem):
    """θ of the uniform law on [0, θ], θ ≤ M. The model is not convex, so that no general upper bound holds for it.

    The largest of n numbers errs by 2θ²/((n+1)(n+2)) in the square; a bit about 2x/M - 1 by M²z₀²/n at θ = M.
    """

    most: Most = 1.0

    slug: ClassVar[str] = "endpoint"
    convex: ClassVar[bool] = False
    direct_slug = "maximum"

    def tv(self, distance: ArrayLike) -> Reals:
        return moduli.endpoint_tv(self.most, distance)

    def hellinger(self, distance: ArrayLike) -> Reals:
        return moduli.endpoint_hellinger(self.most, distance)

    @property
    def exponents(self) -> Exponents:
        return Exponents(1.0, 2.0)

    @property
    def guess(self) -> float:
        return (self.most / 2) ** 2

    def direct(self, n: int) -> float:
        return min(2 * self.most**2 / ((n + 1) * (n + 2)), self.guess)

    def tuned(self, epsilon: float, n: int) -> EstimatorRecipe:
        return EstimatorRecipe(
            Bit(epsilon, 1.0),
            n,
            Affine(2 / self.most, -1.0),
            0.0,
            (Flat(self.most),),
            scale=self.most,
            shift=self.most,
        )

    @property
    def range(self) -> tuple[float, float]:
        return -0.05 * self.most, 1.1 * self.most

    def pair(self, distance: float) -> tuple[World, World]:
        return Flat(self.most), Flat(self.most * (1 - min(self.near(distance), 1 - 1e-12)))
