"""The mean of numbers that may be far away, where only a moment of them is known to be bounded."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, ClassVar

from numpy.typing import ArrayLike

from ldpcore.limits import moduli
from ldpcore.limits.constructive import Bit, EstimatorRecipe, Truncated
from ldpcore.limits.problems.base import Exponents, Problem
from ldpcore.limits.worlds import Atoms, World
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Interval

Kappa = Annotated[float, Interval(r"\kappa", 1, 20, (1.25, 8), open_low=True)]
RARE = 1e-3  # a share of people that is far away still has its place in the picture
MomentBound = Annotated[float, Interval("C", 0, 1e6, (0.1, 10), scale="log", open_low=True)]


@dataclass(frozen=True)
class HeavyMean(Problem):
    """E X over all laws with E|X|^κ ≤ C, κ > 1.

    Privately the squared error falls like (n(e^ε-1)²)^{-(κ-1)/κ}, directly like 1/n for κ ≥ 2. A bit asks for X where
    |X| ≤ T and 0 elsewhere: bias at most C·T^{1-κ}, exactly that where people hold 0 or just above T.
    """

    kappa: Kappa = 2.0
    bound: MomentBound = 1.0

    slug: ClassVar[str] = "heavy"

    @property
    def direct_slug(self) -> str:  # type: ignore[override]
        """The mean, or the truncated one where the variance may be infinite."""
        return "mean" if self.kappa >= 2 else "truncated"

    @property
    def radius(self) -> float:
        """C^{1/κ}, the largest |θ|."""
        return float(self.bound ** (1 / self.kappa))

    def tv(self, distance: ArrayLike) -> Reals:
        return moduli.heavy_tv(self.kappa, self.bound, distance)

    def hellinger(self, distance: ArrayLike) -> Reals:
        return moduli.heavy_hellinger(self.kappa, self.bound, distance)

    @property
    def exponents(self) -> Exponents:
        share = (self.kappa - 1) / self.kappa
        return Exponents(share, min(2 * share, 1.0))

    @property
    def guess(self) -> float:
        return self.radius**2

    def direct(self, n: int) -> float:
        """C^{2/κ}/n of the mean; for κ < 2, C²T^{2-2κ} + C·T^{2-κ}/n at the best T, which bounds the truncated mean."""
        if self.kappa >= 2:
            return self.radius**2 / n
        limit = (2 * (self.kappa - 1) * self.bound * n / (2 - self.kappa)) ** (1 / self.kappa)
        bias = self.bound * limit ** (1 - self.kappa)
        return min(float(bias**2 + self.bound * limit ** (2 - self.kappa) / n), self.guess)

    def limit(self, epsilon: float, n: int) -> float:
        """T with T^{2κ} = (κ-1)C²n/z², z = (e^ε+1)/(e^ε-1): least C²T^{2-2κ} + T²z²/n; never below C^{1/κ}."""
        square = float(Bit(epsilon, 1.0).z0) ** 2
        best = ((self.kappa - 1) * self.bound**2 * n / square) ** (1 / (2 * self.kappa))
        return max(float(best), self.radius)

    def tuned(self, epsilon: float, n: int) -> EstimatorRecipe:
        limit = self.limit(epsilon, n)
        bias = self.bound * limit ** (1 - self.kappa)
        return EstimatorRecipe(
            Bit(epsilon, limit), n, Truncated(limit), bias, (self.spike(math.nextafter(limit, math.inf)),), 1 / limit
        )

    @property
    def range(self) -> tuple[float, float]:
        far = float((self.bound / RARE) ** (1 / self.kappa))
        return -far, far

    def spike(self, place: float) -> Atoms:
        """A world with as many people at one place as the moment allows, the others at 0."""
        share = min(self.bound / place**self.kappa, 1.0)
        return Atoms("spike", share * place, (0.0, place), (1 - share, share))

    def pair(self, distance: float) -> tuple[World, World]:
        """An ε-th of the people at (C/ε)^{1/κ} in one world, at minus that in the other, everybody else at 0."""
        share = self.near(distance)
        place = (self.bound / share) ** (1 / self.kappa)
        return (
            Atoms("spike", share * place, (0.0, place), (1 - share, share)),
            Atoms("spike", -share * place, (0.0, -place), (1 - share, share)),
        )
