"""One bit about any bounded function of a number: named functions, and whatever can be drawn as a broken line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ldpcore.mechanisms.onebit import FUNCTIONS, BinaryMechanism, Function
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Epsilon, ParameterError


@dataclass(frozen=True)
class AlphaBinary(BinaryMechanism):
    """Send one bit about φ(x), +1 with probability ½(1 + φ(x)/z₀), and count it as ±z₀: the mean of φ over all people.

    z₀ = ‖φ‖∞(e^ε+1)/(e^ε-1), here with ‖φ‖∞ = 1: the square for a spread, 1{x > 0} for a share. Variance z₀² - φ(x)².
    Where φ does not reach both ends, as the square does not, reports keep a stricter level than was asked for.
    """

    epsilon: Epsilon
    function: Function

    slug: ClassVar[str] = "abm"
    title: ClassVar[str] = "One bit about a function"
    reference: ClassVar[str] = (
        "Steinberger (2019), Statistisches Schätzen unter differential privacy, lecture notes, definition 3.12; after "
        "Duchi, Jordan, Wainwright (2018)"
    )
    bound: ClassVar[float] = 1.0

    def phi(self, x: Reals) -> Reals:
        if self.function == "positive":
            return (x > 0).astype(np.float64)
        if self.function == "absolute":
            return np.abs(x)
        return np.asarray(x ** (1 + FUNCTIONS.index(self.function)), dtype=np.float64)

    def extremes(self) -> tuple[float, float]:
        return 1.0, 0.0 if self.function in ("square", "absolute", "positive") else -1.0

    def worst_x(self) -> float:
        return 0.0


@dataclass(frozen=True)
class DrawnFunction:
    """A broken line through (xs, ys), constant beyond its ends: any bounded function, as finely as one draws it."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.xs) != len(self.ys) or not self.xs or not np.isfinite([*self.xs, *self.ys]).all():
            raise ParameterError("function_not_pairs", xs=len(self.xs), ys=len(self.ys))
        if not (np.diff(self.xs) > 0).all() or self.xs[0] < -1 or self.xs[-1] > 1:
            raise ParameterError("function_not_rising", xs=self.xs)
        if not any(self.ys):
            raise ParameterError("function_zero")

    def __call__(self, x: Reals) -> Reals:
        return np.asarray(np.interp(x, self.xs, self.ys), dtype=np.float64)


@dataclass(frozen=True)
class CustomBit(BinaryMechanism):
    """One bit about one's own function; multiplying it by a number multiplies z₀ and leaves the channel as it is."""

    epsilon: Epsilon
    function: DrawnFunction

    @property
    def bound(self) -> float:
        return float(np.abs(self.function.ys).max())

    def phi(self, x: Reals) -> Reals:
        return self.function(x)

    def extremes(self) -> tuple[float, float]:
        # A broken line is largest and smallest at its corners.
        return self.function.xs[int(np.argmax(self.function.ys))], self.function.xs[int(np.argmin(self.function.ys))]

    def worst_x(self) -> float:
        """The x where |φ| is smallest: at a zero crossing, else at a corner."""
        xs, ys = np.array(self.function.xs), np.array(self.function.ys)
        falls = np.flatnonzero(ys[:-1] * ys[1:] < 0)
        if falls.size:
            at = falls[0]
            return float(xs[at] - ys[at] * (xs[at + 1] - xs[at]) / (ys[at + 1] - ys[at]))
        return float(xs[np.argmin(np.abs(ys))])
