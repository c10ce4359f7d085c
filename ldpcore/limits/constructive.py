"""Estimators that can be built: one bit about a function of what a person holds, and the mean of the bits.

From a direct estimator (1/n)Σ g(X_i): everybody sends ±z₀, P(+) = ½(1 + φ(x)/z₀), where φ is g less the middle of its
range and z₀ = ‖φ‖∞(e^ε+1)/(e^ε-1). The number of + is binomial, so that every risk is exact.
Reference: Rohde, Steinberger (2020), Geometrizing rates of convergence under local differential privacy constraints.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.limits.worlds import Atoms, Flat, World
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.numerics.kernels import StepFunction
from ldpcore.numerics.tosses import leaning
from ldpcore.parameters import Declared, Epsilon, Users


@dataclass(frozen=True)
class Bit(Declared):
    """±z₀ with mean φ(x), for any φ between -amplitude and amplitude; the level is ε where φ reaches both ends."""

    epsilon: Epsilon
    amplitude: float

    @property
    def z0(self) -> float:
        """amplitude/tanh(ε/2)."""
        return self.amplitude / math.tanh(self.epsilon / 2)

    def chance(self, mean: ArrayLike) -> Reals:
        """P(+) = ½(1 + mean/z₀), of one person with φ(x) = mean and of a world with E φ = mean alike."""
        return leaning(np.clip(np.asarray(mean, dtype=np.float64) / self.amplitude, -1, 1), self.epsilon)

    def variance(self, mean: ArrayLike) -> Reals:
        """z₀² - mean², as amplitude²/sinh²(ε/2) + (amplitude - mean)(amplitude + mean), which keeps its digits."""
        at = np.asarray(mean, dtype=np.float64)
        rest = (self.amplitude / math.sinh(self.epsilon / 2)) ** 2
        return np.asarray(rest + (self.amplitude - at) * (self.amplitude + at), dtype=np.float64)


@dataclass(frozen=True)
class Affine:
    """slope·x + intercept."""

    slope: float
    intercept: float

    def __call__(self, x: ArrayLike) -> Reals:
        return np.asarray(self.slope * np.asarray(x, dtype=np.float64) + self.intercept, dtype=np.float64)


@dataclass(frozen=True)
class Power:
    """x^power less the middle of its range on [-1, 1]."""

    power: int
    middle: float = 0.0

    def __call__(self, x: ArrayLike) -> Reals:
        return np.asarray(np.asarray(x, dtype=np.float64) ** self.power - self.middle, dtype=np.float64)


@dataclass(frozen=True)
class Truncated:
    """x where |x| ≤ limit, else 0."""

    limit: float

    def __call__(self, x: ArrayLike) -> Reals:
        values = np.asarray(x, dtype=np.float64)
        return np.where(np.abs(values) <= self.limit, values, 0.0)


@dataclass(frozen=True)
class Window:
    """Steps less the middle of their range."""

    steps: StepFunction

    def __call__(self, x: ArrayLike) -> Reals:
        return np.asarray(self.steps(x) - self.middle, dtype=np.float64)

    @property
    def middle(self) -> float:
        """Half of the largest and the smallest value."""
        return (self.steps.high + self.steps.low) / 2


Phi = Affine | Power | Truncated | Window


@dataclass(frozen=True)
class EstimatorRecipe:
    """A private estimator: the bit that everybody sends, and estimate = shift + scale·mean of the reports ±z₀.

    `tuning` is h where something is tuned, `bias_bound` the largest bias in the model, `rivals` worlds of the model
    that are hard for this tuning.
    """

    bit: Bit
    n: Users
    phi: Phi
    bias_bound: float
    rivals: tuple[World, ...]
    tuning: float | None = None
    scale: float = 1.0
    shift: float = 0.0

    @property
    def risk_bound(self) -> float:
        """The largest bias² + z₀²·scale²/n: a bound on the squared error in every world of the model."""
        return self.bias_bound**2 + float(self.bit.variance(0.0)) * self.scale**2 / self.n

    def mean(self, world: World) -> float:
        """E φ(X)."""
        if isinstance(world, Atoms):
            return world.mean(self.phi)
        if isinstance(self.phi, Window):
            return world.mean_of_steps(self.phi.steps) - self.phi.middle
        assert isinstance(world, Flat)
        assert isinstance(self.phi, Affine)
        return float(self.phi(world.theta / 2))

    def bias(self, world: World) -> float:
        """The expected estimate less θ."""
        return self.shift + self.scale * self.mean(world) - world.theta

    def variance(self, world: World) -> float:
        """The variance of the estimate in a world: (z₀² - (E φ)²)·scale²/n."""
        return float(self.bit.variance(self.mean(world))) * self.scale**2 / self.n

    def risk(self, world: World) -> float:
        """The expected squared error, exactly: bias² + variance."""
        mean = self.mean(world)
        bias = self.shift + self.scale * mean - world.theta
        return bias**2 + float(self.bit.variance(mean)) * self.scale**2 / self.n

    @property
    def worst(self) -> World:
        """The rival in which the squared error is largest; of equals the first."""
        return max(self.rivals, key=self.risk)

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> Counts:
        """One report, ±1, from each person."""
        odds = self.bit.chance(self.phi(np.asarray(values, dtype=np.float64)))
        return np.asarray(np.where(rng.random(odds.shape) < odds, 1, -1), dtype=np.int64)

    def estimate(self, positive: ArrayLike) -> Reals:
        """The estimate from the number of positive reports."""
        mean = self.bit.z0 * (2 * np.asarray(positive, dtype=np.float64) / self.n - 1)
        return np.asarray(self.shift + self.scale * mean, dtype=np.float64)

    def estimates(self, world: World, repeats: int, rng: np.random.Generator) -> Reals:
        """The estimates of `repeats` crowds: people drawn from a world send + with one probability, independently."""
        return self.estimate(rng.binomial(self.n, float(self.bit.chance(self.mean(world))), repeats))
