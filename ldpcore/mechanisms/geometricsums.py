"""Sums of two-sided geometric noises: the chance to lie within a width and the mean size, by inversion."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ldpcore.mechanisms.geometricnoise import TwoSidedGeometric
from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.quadrature import gauss_legendre


@dataclass(frozen=True)
class GeometricSums:
    """The exact laws of sums of N noises, by the characteristic function φ(t) = 1/(1 + 2v sin²(t/2))."""

    noise: TwoSidedGeometric

    def within(self, width: int, repeats: int) -> float:
        """P(|sum of N noises| ≤ m) = 1/π ∫ sin((m + ½)t)/sin(t/2) φ(t)^N dt over [0, π], φ = 1/(1 + 2v sin²(t/2))."""
        if repeats == 1:
            return 1 - 2 * self.noise.beyond(width)
        if self._never_beyond(width, repeats):
            return 1.0
        t, weights = self._grid(repeats, width + 0.5)
        inner = np.sin((width + 0.5) * t) / np.sin(t / 2) * self._transform(t, repeats)
        return min(max(float(weights @ inner) / math.pi, 0.0), 1.0)

    def _never_beyond(self, width: int, repeats: int) -> bool:
        """Whether P(|sum| > m) is below 10⁻¹⁷ by Markov's inequality for e^{ts}, at some shares t of the rate."""
        a = math.exp(-self.noise.rate)
        for share in (2.0**-j for j in range(1, 20)):
            tilt = self.noise.rate * share
            grown = 2 * math.log1p(-a) - math.log1p(-a * math.exp(tilt)) - math.log1p(-a * math.exp(-tilt))
            if repeats * grown - tilt * (width + 1) < -40:
                return True
        return False

    def mean_size(self, repeats: int) -> float:
        """E|sum of N noises| = 1/π ∫ (1 - φ(t)^N)/(1 - cos t) dt over [0, π]: for k alone it is |k|."""
        if repeats == 1:
            return self.noise.mean_absolute()
        t, weights = self._grid(repeats, 0.0, whole=True)
        inner = -np.expm1(-repeats * np.log1p(2 * self.noise.variance * np.sin(t / 2) ** 2)) / (2 * np.sin(t / 2) ** 2)
        return float(weights @ inner) / math.pi

    def _transform(self, t: Reals, repeats: int) -> Reals:
        """φ(t)^N."""
        return np.asarray(np.exp(-repeats * np.log1p(2 * self.noise.variance * np.sin(t / 2) ** 2)), dtype=np.float64)

    def _grid(self, repeats: int, waves: float, whole: bool = False) -> tuple[Reals, Reals]:
        """Gauss points on [0, π] in panels that double from the width of φ^N on, cut finer where sin(wt) swings.

        They end where φ^N is below 10⁻¹⁷, unless all of [0, π] counts.
        """
        begin = min(2 * math.asin(min(1.0, 1 / math.sqrt(2 * self.noise.variance * repeats))), math.pi)
        end = math.pi
        if not whole and (last := math.expm1(40 / repeats) / (2 * self.noise.variance)) < 1:
            end = min(2 * math.asin(math.sqrt(last)), math.pi)
        edges = [0.0]
        ends = [begin]
        while ends[-1] < end:
            ends.append(min(2 * ends[-1], end))
        for right in ends:
            pieces = 1 + int(waves * (right - edges[-1]) / 8)
            edges.extend(np.linspace(edges[-1], right, pieces + 1)[1:].tolist())
        points, weights = gauss_legendre(24)
        left, half = np.array(edges[:-1])[:, None], np.diff(edges)[:, None] / 2
        return (left + half * (points + 1)).ravel(), (half * weights).ravel()
