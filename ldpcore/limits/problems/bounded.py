"""Means of a bounded function of what people hold: a moment, the chance of an event, a product moment."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Annotated, ClassVar

from numpy.typing import ArrayLike

from ldpcore.limits import moduli
from ldpcore.limits.constructive import Affine, Bit, EstimatorRecipe, Power
from ldpcore.limits.problems.base import Exponents, Problem
from ldpcore.limits.worlds import Atoms, World
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Interval

MomentExponent = Annotated[int, Interval("m", 1, 9, (1, 4), integer=True)]


class BoundedMean(Problem):
    """θ = E f over all laws, f between two ends that both are taken: moduli are (max f - min f) times a distance.

    The bit asks for f less the middle of its range; the fair coin between the two ends is the worst world of it, and of
    the direct mean.
    """

    direct_slug = "mean"

    @property
    @abstractmethod
    def ends(self) -> tuple[float, float]:
        """The values that a person holds where f is smallest, and where it is largest."""

    @property
    @abstractmethod
    def heights(self) -> tuple[float, float]:
        """min f and max f."""

    @property
    def width(self) -> float:
        """max f - min f."""
        return self.heights[1] - self.heights[0]

    @property
    def middle(self) -> float:
        """The middle of the two, half of their sum."""
        return sum(self.heights) / 2

    def tv(self, distance: ArrayLike) -> Reals:
        return moduli.bounded_tv(self.width, distance)

    def hellinger(self, distance: ArrayLike) -> Reals:
        return moduli.bounded_hellinger(self.width, distance)

    @property
    def exponents(self) -> Exponents:
        return Exponents(1.0, 1.0)

    @property
    def guess(self) -> float:
        return (self.width / 2) ** 2

    def direct(self, n: int) -> float:
        """The variance of a fair coin between the ends, over n."""
        return (self.width / 2) ** 2 / n

    def phi(self) -> Affine | Power:
        """f less its middle, of what a person holds."""
        return Affine(1.0, -self.middle)

    def tuned(self, epsilon: float, n: int) -> EstimatorRecipe:
        return EstimatorRecipe(
            Bit(epsilon, self.width / 2), n, self.phi(), 0.0, (self.coin(0.5, "even"),), shift=self.middle
        )

    @property
    def range(self) -> tuple[float, float]:
        return self.ends

    def coin(self, share: float, slug: str) -> Atoms:
        """A world with this share of people at the upper end, the others at the lower one."""
        theta = share * self.heights[1] + (1 - share) * self.heights[0]
        return Atoms(slug, theta, self.ends, (1 - share, share))

    def pair(self, distance: float) -> tuple[World, World]:
        """½ ± ε/2 at the upper end: apart by ε, and by ε(max f - min f) in the mean."""
        half = self.near(distance) / 2
        return self.coin(0.5 + half, "shifted"), self.coin(0.5 - half, "shifted")


@dataclass(frozen=True)
class BoundedMoment(BoundedMean):
    """E[X^m] of numbers in [-1, 1]; m = 1 is the mean."""

    power: MomentExponent = 1

    slug: ClassVar[str] = "moment"

    @property
    def ends(self) -> tuple[float, float]:
        return (-1.0 if self.power % 2 else 0.0), 1.0

    @property
    def heights(self) -> tuple[float, float]:
        return self.ends

    def phi(self) -> Affine | Power:
        return Power(self.power, self.middle)


@dataclass(frozen=True)
class EventShare(BoundedMean):
    """P(A), the share of people with a property; people hold 1 if they have it and 0 if not."""

    slug: ClassVar[str] = "event"

    @property
    def ends(self) -> tuple[float, float]:
        return 0.0, 1.0

    @property
    def heights(self) -> tuple[float, float]:
        return self.ends


@dataclass(frozen=True)
class ProductMoment(BoundedMean):
    """E[XY] of two numbers in [-1, 1]; a person holds their product.

    It is not the covariance E[XY] - E[X]E[Y], which is not linear in the law, unless both are known to be centered.
    """

    slug: ClassVar[str] = "product"

    @property
    def ends(self) -> tuple[float, float]:
        return -1.0, 1.0

    @property
    def heights(self) -> tuple[float, float]:
        return self.ends
