"""Sums of numbers that are even on [-1, 1]: their distribution, and their mean shortfall below a point."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.quadrature import gauss_legendre

POWERS = 12  # terms up to which sums of powers lose no more than five of sixteen digits
FADED = 22  # terms from which on what lies beyond the first zero of sinc^n is below 10⁻¹⁴


@dataclass(frozen=True)
class UniformSums:
    """The law of V₁ + … + V_n: by powers up to twelve, from there on by its characteristic function (sin t/t)^n."""

    n: int

    def at_most(self, z: ArrayLike) -> Reals:
        """P(V₁ + … + V_n ≤ z)."""
        z = np.asarray(z, dtype=np.float64)
        below = self._below(-np.abs(z), 0)
        return np.where(z > 0, 1 - below, below)

    def shortfall(self, z: ArrayLike) -> Reals:
        """E max(z - V₁ - … - V_n, 0), which exceeds its value at -z by z."""
        z = np.asarray(z, dtype=np.float64)
        return np.asarray(np.maximum(z, 0.0) + self._below(-np.abs(z), 1), dtype=np.float64)

    def _below(self, z: Reals, more: int) -> Reals:
        """The probability of less than z ≤ 0, or its integral up to there; nothing where Hoeffding leaves e⁻⁴⁰."""
        below, near = np.zeros(z.shape), (z > -self.n) & (z > -math.sqrt(80 * self.n))
        inner = z[near]
        if self.n <= POWERS:
            powers = self.n + more
            terms = [(-1) ** i * math.comb(self.n, i) * _power(inner + self.n - 2 * i, powers) for i in range(self.n)]
            below[near] = sum(terms) / (2**self.n * math.factorial(powers)) if self.n else 0.0
        elif inner.size:
            below[near] = self._by_quadrature(inner, more)
        return below

    def _by_quadrature(self, z: Reals, more: int) -> Reals:
        """½ + 1/π ∫ sin(zt)/t φ, and (z + 2/π ∫ (1 - cos(zt)φ)/t²)/2."""
        end = math.sqrt(193 / self.n) if self.n >= FADED else 12.0
        points, weights = gauss_legendre(24)
        panels = 4 + int(end * float(-z.min()) / 8)
        half = end / panels / 2
        t = ((2 * np.arange(panels)[:, None] + 1) * half + half * points).ravel()
        weights = np.tile(half * weights, panels)
        faded = sinc(t)[0] ** self.n
        if self.n >= FADED:
            faded = np.exp(self.n * np.log1p(sinc(t)[1]))
        turned = np.outer(z, t)
        if not more:
            return np.asarray(0.5 + (np.sin(turned) / t * faded) @ weights / math.pi, dtype=np.float64)
        away = (1 - np.cos(turned) * faded) / t**2
        return np.asarray(z / 2 + (away @ weights + 1 / end) / math.pi, dtype=np.float64)


def _power(base: Reals, power: int) -> Reals:
    """A power of a number above 0, else 0."""
    return np.where(base > 0, base, 0.0) ** power


def sinc(y: Reals) -> tuple[Reals, Reals]:
    """sin(y)/y, and its distance from 1, which keeps its digits near 0."""
    square = y * y
    series = -square / 6 * (1 - square / 20 * (1 - square / 42))
    away = np.where(square < 1e-3, series, np.sin(y) / np.where(y == 0, 1.0, y) - 1)
    return 1 + away, away
