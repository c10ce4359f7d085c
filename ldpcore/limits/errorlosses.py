"""The cost of an error: losses l(|estimate - truth|), and how fast each may grow.

A loss is regular where l(0) = 0, it never falls and l(3t/2) ≤ a·l(t) for all t with one a: upper bounds need that,
lower bounds only that it never falls. Reference: Rohde, Steinberger (2020), Geometrizing rates of convergence under
local differential privacy constraints, condition on the loss; Steinberger (2019), lecture notes, definition 3.9.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.bisection import least
from ldpcore.parameters import Choice, Declared, Interval, ParameterError

LossScale = Annotated[float, Interval(r"\gamma", 0, 1e9, (0.01, 10), scale="log", open_low=True)]


class Loss(ABC):
    """A non-decreasing function of the absolute error; `regularity` is the least a, None where there is none.

    `power` is its order at 0, l(t) ~ t^power: rates of the squared error turn into its rates with power/2.
    """

    slug: ClassVar[str]
    regularity: ClassVar[float | None]
    power: ClassVar[float]

    @abstractmethod
    def __call__(self, error: ArrayLike) -> Reals:
        """l(t)."""

    def error(self, cost: float) -> float:
        """The error with this cost, the inverse of l by halving; infinite where no error costs it."""
        if not math.isfinite(cost):
            return cost
        low, high = 0.0, 1.0
        while float(self(high)) < cost and math.isfinite(high):
            low, high = high, 2 * high
        return least(lambda error: float(self(error)) >= cost, low, high, halvings=100)

    def spread(self, mean_square: ArrayLike) -> Reals:
        """l(√s), a bound on the mean loss: l(√·) is concave for every usual loss here (Jensen)."""
        return self(np.sqrt(np.asarray(mean_square, dtype=np.float64)))


@dataclass(frozen=True)
class Squared(Loss):
    """t²."""

    slug: ClassVar[str] = "squared"
    regularity: ClassVar[float | None] = 2.25
    power: ClassVar[float] = 2.0

    def __call__(self, error: ArrayLike) -> Reals:
        return np.asarray(error, dtype=np.float64) ** 2

    def error(self, cost: float) -> float:
        return math.sqrt(cost)

    def spread(self, mean_square: ArrayLike) -> Reals:
        return np.asarray(mean_square, dtype=np.float64)


@dataclass(frozen=True)
class Absolute(Loss):
    """t."""

    slug: ClassVar[str] = "absolute"
    regularity: ClassVar[float | None] = 1.5
    power: ClassVar[float] = 1.0

    def __call__(self, error: ArrayLike) -> Reals:
        return np.array(error, dtype=np.float64)


@dataclass(frozen=True)
class Huber(Loss, Declared):
    """t²/2 up to γ, then γ(t - γ/2): squared for small errors, absolute for large ones.

    l(3t/2)/l(t) is 9/4 up to t = γ/1.5 and falls to 3/2.
    """

    gamma: LossScale = 1.0

    slug: ClassVar[str] = "huber"
    regularity: ClassVar[float | None] = 2.25
    power: ClassVar[float] = 2.0

    def __call__(self, error: ArrayLike) -> Reals:
        t = np.asarray(error, dtype=np.float64)
        near = np.minimum(t, self.gamma)
        return np.asarray(near * (t - near / 2), dtype=np.float64)


@dataclass(frozen=True)
class Root(Loss):
    """√t: large errors are hardly worse than small ones."""

    slug: ClassVar[str] = "root"
    regularity: ClassVar[float | None] = math.sqrt(1.5)
    power: ClassVar[float] = 0.5

    def __call__(self, error: ArrayLike) -> Reals:
        return np.sqrt(np.asarray(error, dtype=np.float64))


@dataclass(frozen=True)
class Beyond(Loss, Declared):
    """1{t > c} with c > 0: from 0 to 1 within a factor of 3/2, so that it is not regular."""

    c: Annotated[float, Interval("c", 0, 1e9, (0.01, 10), scale="log", open_low=True)] = 1.0

    slug: ClassVar[str] = "beyond"
    regularity: ClassVar[float | None] = None
    power: ClassVar[float] = math.nan

    def __call__(self, error: ArrayLike) -> Reals:
        return (np.asarray(error) > self.c).astype(np.float64)


@dataclass(frozen=True)
class Exponential(Loss):
    """e^t - 1: it grows by more than every factor, so that it is not regular."""

    slug: ClassVar[str] = "exponential"
    regularity: ClassVar[float | None] = None
    power: ClassVar[float] = 1.0

    def __call__(self, error: ArrayLike) -> Reals:
        return np.expm1(np.asarray(error, dtype=np.float64))


USUAL: Mapping[str, Loss] = MappingProxyType({loss.slug: loss for loss in (Squared(), Absolute(), Huber(), Root())})
REGULAR: tuple[str, ...] = tuple(USUAL)
LossName = Annotated[str, Choice("l", REGULAR)]


def loss_of(slug: str) -> Loss:
    """The usual loss of this name."""
    return USUAL[slug]


def regularity(loss: Loss) -> float:
    """The least a with l(3t/2) ≤ a·l(t); a loss that has none is refused."""
    if loss.regularity is None:
        raise ParameterError("loss_irregular", got=loss.slug)
    return loss.regularity
