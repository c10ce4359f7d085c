"""The error of one decoded report, whatever its person's number is: the quantities that bounds on sums need.

Every law here is of Z - x for a number x that nobody knows, so that each quantity is a bound over all x. The law for -x
is the mirror image of that for x, so that what bounds one side bounds the other.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ldpcore.numerics.arrays import Reals

GRID = np.linspace(-1, 1, 33)  # numbers at which generating functions are known; between them they are convex in x
FINE = np.linspace(0, 1, 129)  # numbers at which moments, polynomials in x, are compared


class ErrorLaw(ABC):
    """The law of Z - x: its moments, its generating function and its characteristic function, for the worst x."""

    step: float = 0.0  # the distance of neighboring reports where all of them are multiples; 0 elsewhere

    @property
    @abstractmethod
    def variances(self) -> tuple[float, float]:
        """The smallest and the largest variance."""

    @property
    @abstractmethod
    def third(self) -> float:
        """The largest |E(Z - x)³|."""

    @property
    @abstractmethod
    def fourth(self) -> float:
        """The largest E(Z - x)⁴."""

    @abstractmethod
    def log_moments(self, rates: Reals) -> Reals:
        """ln E e^{λZ} for each rate λ > 0 (rows) and each number of `GRID` (columns); convex in x before the ln."""

    @abstractmethod
    def log_excess_within(self, rates: Reals, variance: float) -> Reals:
        """The largest ln E e^{λ(Z - x)}, averaged over people whose average variance is no more than this one."""

    @abstractmethod
    def modulus(self, start: Reals, end: Reals, least: float) -> Reals:
        """The n-th root of the largest |E e^{itΣZ}| over all t between `start` and `end`, at most, up to π/step.

        Of any n people whose average variance is `least` or more.
        """

    def log_excess(self, rates: Reals) -> Reals:
        """The largest ln E e^{λ(Z - x)} over all x, at most, for each rate λ > 0."""
        return np.asarray(np.max(raised(self.log_moments(rates)) - rates[:, None] * GRID, axis=1))


def raised(logs: Reals) -> Reals:
    """Values at `GRID` whose straight connections lie above the logarithm of any convex function with these `logs`.

    Between two points the function is below its chord, and the logarithm of a chord is at most
    max over s of ln(1 + s(e^r - 1)) - s r above the chord of logarithms, r being their difference.
    """
    finite = np.isfinite(logs).all(axis=1)
    if not finite.all():
        tops = np.full_like(logs, np.inf)
        tops[finite] = raised(logs[finite])
        return tops
    steps = np.abs(np.diff(logs, axis=1))
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        peak = (np.expm1(steps) - steps) / (steps * np.expm1(steps))  # where s is best
        above = np.where(steps < 1e-4, steps**2 / 8, np.log1p(peak * np.expm1(steps)) - peak * steps)
        above = np.where(steps > 500, steps, above)
    edges = np.zeros((len(logs), 1))
    return np.asarray(logs + np.maximum(np.hstack([edges, above]), np.hstack([above, edges])))


@dataclass(frozen=True)
class NoiseErrorLaw(ErrorLaw):
    """Laplace noise of scale b, or normal noise of deviation σ, on the number itself: the same law for every x."""

    laplace: bool
    scale: float

    @property
    def variances(self) -> tuple[float, float]:
        one = self.scale**2 * (2 if self.laplace else 1)
        return one, one

    @property
    def third(self) -> float:
        return 0.0

    @property
    def fourth(self) -> float:
        return self.scale**4 * (24 if self.laplace else 3)

    def log_moments(self, rates: Reals) -> Reals:
        return np.asarray(self.log_excess(rates)[:, None] + rates[:, None] * GRID)

    def log_excess(self, rates: Reals) -> Reals:
        squares = (rates * self.scale) ** 2
        if not self.laplace:
            return np.asarray(squares / 2)
        inside = np.minimum(squares, 0.999999)
        return np.where(squares < 0.999999, -np.log1p(-inside), np.inf)

    def log_excess_within(self, rates: Reals, variance: float) -> Reals:
        return self.log_excess(rates)

    def modulus(self, start: Reals, end: Reals, least: float) -> Reals:
        squares = (start * self.scale) ** 2
        return np.asarray(1 / (1 + squares) if self.laplace else np.exp(-squares / 2))


@dataclass(frozen=True)
class RoundedNoise(ErrorLaw):
    """Two-sided geometric noise on a number that is first rounded to one of two neighbors, without bias."""

    rate: float
    step: float

    @property
    def _steps(self) -> tuple[float, float]:
        """The variance and the fourth moment of the noise in steps: κ₂ = 1/A, κ₄ = 1/A + 3/A², A = cosh(rate) - 1."""
        inverse = 1 / (2 * math.sinh(self.rate / 2) ** 2)
        return inverse, inverse + 6 * inverse**2

    @property
    def variances(self) -> tuple[float, float]:
        return self.step**2 * self._steps[0], self.step**2 * (self._steps[0] + 0.25)

    @property
    def third(self) -> float:
        return self.step**3 / (6 * math.sqrt(3))  # f(1-f)(1-2f) at most

    @property
    def fourth(self) -> float:
        square, fourth = self._steps
        return self.step**4 * (fourth + 6 * square / 4 + 1 / 12)  # f(1-f)(1-3f(1-f)) is 1/12 at most

    def log_moments(self, rates: Reals) -> Reals:
        return np.asarray(self.log_excess(rates)[:, None] + rates[:, None] * GRID)

    def log_excess(self, rates: Reals) -> Reals:
        # sinh²(s/2)/(sinh²(s/2) - sinh²(λ/2)) of the noise; what rounding adds is `raised` by one step of the rate.
        steps = rates * self.step
        return np.asarray(self._noise(steps) + raised(np.stack([np.zeros_like(steps), steps], axis=1))[:, 0])

    def _noise(self, steps: Reals) -> Reals:
        """ln E e^{λ noise} for rates per step; infinite from the rate of the noise on."""
        if self.rate >= 600:
            return np.where(steps < 600, 0.0, np.inf)
        share = (np.sinh(np.minimum(steps, 600) / 2) / math.sinh(self.rate / 2)) ** 2
        return np.where(share < 0.999999, -np.log1p(-np.minimum(share, 0.999999)), np.inf)

    def log_excess_within(self, rates: Reals, variance: float) -> Reals:
        rounded = max(variance - self.variances[0], 0.0)  # coins never move anything by more than one step
        return np.asarray(self._noise(rates * self.step) + bennett(rates, rounded, self.step))

    def modulus(self, start: Reals, end: Reals, least: float) -> Reals:
        strength = math.sinh(min(self.rate, 600) / 2) ** 2
        turned = np.sin(np.minimum(start * self.step, math.pi) / 2) ** 2
        rounded = max(least / self.step**2 - self._steps[0], 0.0)  # what is left of the variance is coins'
        return np.asarray(strength / (strength + turned) * np.exp(-2 * rounded * turned))


@dataclass(frozen=True)
class PiecewiseErrorLaw(ErrorLaw):
    """A report is z₀ or -z₀, uniform on a piece that moves with x, uniform on all of [-C, C], or 0 where nobody asked.

    Asked with probability `asked`, and counted 1/asked times. Then a bit with probability `bits`; otherwise on the
    piece of half-width `half` around `slope`·x with probability `near`, and on everything up to `reach` with the rest.
    """

    z0: float
    bits: float
    near: float = 0.0
    rest: float = 0.0
    slope: float = 0.0
    half: float = 0.0
    reach: float = 0.0
    asked: float = 1.0

    @property
    def step(self) -> float:  # type: ignore[override]
        """The width of the grid of reports, 0 where there is none: bits alone have one, with unasked numbers in it."""
        if self.near or self.rest:
            return 0.0
        return (2 * self.z0 if self.asked == 1 else self.z0) / self.asked

    def _moments(self, x: Reals) -> tuple[Reals, Reals, Reals]:
        """Var, E(Z-x)³ and E(Z-x)⁴ at each x: uniforms have E U² = 1/3 and E U⁴ = 1/5 of their half-width's powers."""
        plus = (1 + x / self.z0) / 2 if self.z0 else np.zeros_like(x)
        parts: list[tuple[Any, Any, float]] = [
            (self.asked * self.bits * plus, self.z0, 0.0),
            (self.asked * self.bits * (1 - plus), -self.z0, 0.0),
            (self.asked * self.near, self.slope * x, self.half),
            (self.asked * self.rest, 0.0, self.reach),
            (1 - self.asked, 0.0, 0.0),
        ]
        sums: list[Reals] = [np.zeros_like(x), np.zeros_like(x), np.zeros_like(x)]
        for weight, center, half in parts:
            off, square = center / self.asked - x, (half / self.asked) ** 2
            sums[0] += weight * (off**2 + square / 3)
            sums[1] += weight * (off**3 + off * square)
            sums[2] += weight * (off**4 + 2 * off**2 * square + square**2 / 5)
        return sums[0], sums[1], sums[2]

    @cached_property
    def _largest(self) -> tuple[float, float, float, float]:
        square, cube, fourth = self._moments(FINE)
        return float(square.min()), float(square.max()), 1.001 * float(np.abs(cube).max()), 1.001 * float(fourth.max())

    @property
    def variances(self) -> tuple[float, float]:
        return self._largest[0], self._largest[1]

    @property
    def third(self) -> float:
        return self._largest[2]

    @property
    def fourth(self) -> float:
        return self._largest[3]

    def log_moments(self, rates: Reals) -> Reals:
        pull = rates[:, None] / self.asked
        with np.errstate(divide="ignore"):
            plus = np.log(self.bits * (1 + GRID / max(self.z0, 1)) / 2)
            minus = plus[::-1]
            terms = [
                plus + pull * self.z0,
                minus - pull * self.z0,
                math.log(self.near or 1e-300) + pull * self.slope * GRID + log_sinhc(pull * self.half),
                math.log(self.rest or 1e-300) + log_sinhc(pull * self.reach) + 0 * GRID,
            ]
            logs = np.logaddexp.reduce(terms, axis=0)
            if self.asked < 1:
                logs = np.logaddexp(math.log(self.asked) + logs, math.log1p(-self.asked))
        return np.asarray(logs)

    def log_excess_within(self, rates: Reals, variance: float) -> Reals:
        largest = max(self.z0 if self.bits else 0.0, self.reach if self.rest else 0.0)
        return bennett(rates, variance, largest / self.asked + 1)

    def modulus(self, start: Reals, end: Reals, least: float) -> Reals:
        if self.step and self.asked == 1:
            # Of a coin |φ|² = 1 - 4 p(1-p) sin²(step t/2) ≤ exp(-4 Var sin²/step²): the variances add up.
            turned = np.sin(np.minimum(start * self.z0, math.pi / 2)) ** 2
            return np.asarray(np.exp(-least * turned / (2 * self.z0**2)))
        low, high = start / self.asked, end / self.asked
        # |a + b(cos y + i sin(y) x/z₀)|² is a quadratic function of cos(y), bent upwards: largest at an end.
        still, turning = 1 - self.asked, self.asked * self.bits
        lean = (turning / self.z0) ** 2 if self.z0 else 0.0
        ends = [np.cos(np.minimum(y * self.z0, math.pi)) for y in (low, high)]
        squares = np.maximum(*((still + turning * cos) ** 2 + lean * (1 - cos**2) for cos in ends))
        whole = high * self.z0 > math.pi * (1 + 1e-12)  # beyond a period, and not by rounding alone
        coins = np.where(whole, still + turning, np.sqrt(squares))
        smooth = self.near * falling_sinc(low * self.half) + self.rest * falling_sinc(low * self.reach)
        return np.asarray(np.minimum(coins + self.asked * smooth, 1.0))


@dataclass(frozen=True)
class Bounded(ErrorLaw):
    """A report of [-B, B] of known variance and fourth moment E Z⁴ = `power`, and, where there is one, its density.

    `height` is the largest density and `jump` its variation (|E e^{itZ}| <= jump/|t|); both none where it has no end.
    """

    most: float
    least: float
    reach: float
    power: float
    height: float | None
    jump: float | None

    @property
    def variances(self) -> tuple[float, float]:
        return self.least, self.most

    @property
    def third(self) -> float:
        return math.sqrt(self.fourth * self.most)

    @property
    def fourth(self) -> float:
        # E(Z - x)⁴ ≤ EZ⁴ + 4|E Z³| + 6 EZ² for |x| ≤ 1, and |E Z³| ≤ √(EZ⁴ EZ²).
        return self.power + 4 * math.sqrt(self.power * (self.most + 1)) + 6 * (self.most + 1)

    def log_moments(self, rates: Reals) -> Reals:
        return np.asarray(self.log_excess(rates)[:, None] + rates[:, None] * GRID)

    def log_excess(self, rates: Reals) -> Reals:
        # Bennett: no law of this variance below this end has more than the one on two points.
        return bennett(rates, self.most, self.reach + 1)

    def log_excess_within(self, rates: Reals, variance: float) -> Reals:
        return bennett(rates, variance, self.reach + 1)

    def modulus(self, start: Reals, end: Reals, least: float) -> Reals:
        # |φ|² = E cos(t(Z - Z')) ≤ 1 - vt² + E(Z - Z')⁴ t⁴/24, as long as that falls.
        bend = (2 * self.fourth + 6 * self.most**2) / 24
        squares = np.minimum(start**2, self.least / (2 * bend))
        near = np.sqrt(np.maximum(1 - self.least * squares + bend * squares**2, 0))
        near = np.where(start**2 <= self.least / (2 * bend), near, 1.0)
        if self.jump is None or self.height is None:
            return near
        # Statulevičius (1965): |φ(t)| ≤ exp(-t²/(96 A²(2σ|t| + π)²)) for a density of at most A.
        middle = np.exp(-((start / (self.height * (2 * math.sqrt(self.most) * start + math.pi))) ** 2) / 96)
        return np.asarray(np.minimum(np.minimum(near, middle), self.jump / np.maximum(start, 1e-300)))


def bennett(rates: Reals, variance: float, end: float) -> Reals:
    """The largest ln E e^{λξ} of any ξ <= end of mean 0 and at most this variance: it has two values."""
    share = max(variance / (end**2 + variance), 1e-300)
    return np.asarray(np.logaddexp(math.log1p(-share) - rates * variance / end, math.log(share) + rates * end))


def log_sinhc(y: Reals) -> Reals:
    """ln(sinh(y)/y) of y >= 0, without overflow, right for small y too."""
    large = np.maximum(y, 1e-2)
    return np.where(y < 1e-2, y * y / 6 - y**4 / 180, large + np.log(-np.expm1(-2 * large) / (2 * large)))


def falling_sinc(y: Reals) -> Reals:
    """The smallest falling function above |sin(y)/y| that needs no table: sin(y)/y down to ½, then ½, then 1/y."""
    near = np.minimum(y, 1.8954942670339809)  # where sin(y)/y = ½
    return np.where(y < 1.8954942670339809, np.sinc(near / math.pi), 1 / np.maximum(y, 2.0))
