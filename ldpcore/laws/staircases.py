"""The law of staircase noise: what one person moves is 1, and the likelihood falls by e^ε once in each length of 1."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.laws.channels import Pair
from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.quadrature import gauss_legendre
from ldpcore.numerics.roots import brent_root

ALIKE = 1e-14  # two ends of steps that are no farther apart are one
NEARLY_LAPLACE = 1e-4  # a level below which its errors are those of Laplace noise, to eight digits


@dataclass(frozen=True)
class StaircaseLaw:
    """Density sinh(ε/2)·e^{-kε} where k - 1 + γ ≤ |x| < k + γ, with γ = 1/(1 + e^{ε/2}), which errs least on average.

    Its characteristic function is that of two-sided geometric noise of rate ε times that of a rounding error, which
    is even on [-γ, γ] with probability 1 - γ and on [-(1-γ), 1-γ] otherwise: so it is the sum of both.
    """

    rate: float

    @cached_property
    def fall(self) -> float:
        """s = e^{-ε/2}, the probability beyond the first step."""
        return math.exp(-self.rate / 2)

    @cached_property
    def gamma(self) -> float:
        """γ = s/(1 + s), the end of the first step."""
        return self.fall / (1 + self.fall)

    @cached_property
    def height(self) -> float:
        """sinh(ε/2), the density of the first step."""
        return math.sinh(self.rate / 2)

    def steps(self, distance: ArrayLike) -> Reals:
        """The number of steps from the center down to a distance."""
        return np.asarray(np.floor(np.abs(distance) + 1 - self.gamma), dtype=np.float64)

    def beyond(self, distance: ArrayLike) -> Reals:
        """P(|noise| > w): e^{-kε} times the tail beyond the rest u of w = k + u, s + 2(γ - u)sinh(ε/2) up to γ.

        Beyond γ the tail is e^{-ε} + (1 - u)(s - s³). Every term is positive, so that rare noise keeps its digits.
        """
        w = np.asarray(distance, dtype=np.float64)
        k = np.floor(w)
        return np.asarray(np.exp(-self.rate * k) * self._left(w - k), dtype=np.float64)

    def _left(self, u: Reals) -> Reals:
        """P(|noise| > u) of u below 1."""
        s = self.fall
        first = s + 2 * np.maximum(self.gamma - u, 0.0) * self.height
        return np.where(u < self.gamma, first, s * s + (1 - u) * s * -math.expm1(-self.rate))

    def width(self, confidence: float) -> float:
        """The distance that the noise stays within with this probability: the root of a straight piece of `beyond`."""
        left = 1 - confidence
        k = math.floor(-math.log(left) / self.rate)
        rest = left * math.exp(self.rate * k)
        if rest >= self.fall:
            return k + (1 - rest) / (2 * self.height)
        return k + 1 - (rest - self.fall**2) / (self.fall * -math.expm1(-self.rate))

    def variance(self) -> float:
        """The variance of the whole numbers, 1/(2 sinh²(ε/2)), plus that of the rounding error, γ(1-γ)/3."""
        return 1 / (2 * self.height**2) + self.gamma * (1 - self.gamma) / 3

    def mean_absolute(self) -> float:
        """E|noise| = 1/(2 sinh(ε/2)): of all noise that keeps ε the least (Geng and Viswanath)."""
        return 1 / (2 * self.height)

    def third_moment(self) -> float:
        """E|noise|³: even on the first step with probability 1 - s, otherwise γ + U + G, G geometric from 0 on."""
        y, g = self.gamma, 1 / math.expm1(self.rate)
        first, square, cube = y + 1 / 2, y * y + y + 1 / 3, y**3 + 1.5 * y * y + y + 1 / 4
        farther = g * (1 + 6 * g + 6 * g * g) + 3 * g * (1 + 2 * g) * first + 3 * g * square + cube
        return -math.expm1(-self.rate / 2) * y**3 / 4 + self.fall * farther

    def shifted(self, shift: float) -> Pair:
        """The laws of the noise around 0 and around a shift, by how many steps the likelihoods lie apart.

        Between the outer ends of both first steps every piece counts; beyond them pieces repeat, e^{-ε} times each.
        """
        ends = np.arange(math.ceil(shift) + 2) + self.gamma
        points = np.sort(np.concatenate([ends, -ends, shift + ends, shift - ends]))
        low, high = -self.gamma, shift + self.gamma
        points = points[(points >= low - 1 - ALIKE) & (points <= high + 1 + ALIKE)]
        points = points[np.diff(points, prepend=-math.inf) > ALIKE * (1 + shift)]
        middles, lengths = (points[1:] + points[:-1]) / 2, np.diff(points)
        lengths = np.where((middles < low) | (middles > high), lengths / -math.expm1(-self.rate), lengths)
        down = self.steps(middles), self.steps(middles - shift)
        apart = np.asarray(down[1] - down[0], dtype=np.int64)
        classes, place = np.unique(apart, return_inverse=True)
        one, other = (
            np.bincount(place, self.height * lengths * np.exp(-self.rate * each), len(classes)) for each in down
        )
        return Pair(one / one.sum(), other / other.sum(), log_ratio=self.rate * classes.astype(np.float64))

    def level_within(self, width: float, confidence: float) -> float:
        """The least rate at which P(|noise| > w) = 1 - c, which falls as ε grows.

        With w = k + u it is s^{2k} T(s), of s = e^{-ε/2}, and both grow with s: T is 1 - u(1/s - s) where u < γ, else
        s² + (1-u)(s - s³), whose slope 2s + (1-u)(1 - 3s²) is concave in s, 1 - u at 0 and 2u at 1, so nowhere below 0.
        """
        k, left = math.floor(width), 1 - confidence
        u = width - k

        def short(rate: float) -> float:
            return -rate * k + math.log(float(StaircaseLaw(rate)._left(np.asarray(u)))) - math.log(left)

        most = 1 + 2 * math.log(2 / left) + (2 * math.log(1 / width) if width < 1 else 0.0)
        return brent_root(short, 0.0, most, xtol=1e-300, rtol=1e-14) * (1 + 1e-12)

    def farther(self, distance: ArrayLike) -> Reals:
        """E max(|noise| - w, 0), the integral of `beyond`: e^{-kε} times what its piece leaves and all that follow."""
        w = np.asarray(distance, dtype=np.float64)
        k, s, y = np.floor(w), self.fall, self.gamma
        u, b = w - k, self.fall**2
        # Both pieces are straight, so that their middles say how much lies below them.
        first = np.where(u < y, (y - u) * self._left((u + y) / 2), 0.0)
        start = np.maximum(u, y)
        inner = first + (1 - start) * self._left((start + 1) / 2)
        whole = y * (1 + s) / 2 + (1 - y) * (s + b) / 2
        return np.asarray(np.exp(-self.rate * k) * (inner + whole / math.expm1(self.rate)), dtype=np.float64)

    def size_of_difference(self, share: float) -> float:
        """E|X - fY| of two such noises: E|X - c| = c + E max(|X| - c, 0), over all Y ≥ 0, piece by piece.

        Between two ends of steps, its own and those that f brings there, it is a parabola: two points tell all.
        """
        if self.rate < NEARLY_LAPLACE:
            return (1 + share + share * share) / (1 + share) / self.rate
        reach = 42 / self.rate + 2
        own = np.arange(math.ceil(reach)) + self.gamma
        if not share:
            return self.mean_absolute()
        turns = np.concatenate([np.arange(math.ceil(reach * share)), np.arange(math.ceil(reach * share)) + self.gamma])
        edges = np.unique(np.concatenate([[0.0], own, turns / share]))
        places, weights = gauss_legendre(2)
        half, middle = np.diff(edges)[:, None] / 2, (edges[1:] + edges[:-1])[:, None] / 2
        y = middle + half * places
        likely = 2 * self.height * np.exp(-self.rate * self.steps(middle)) * half * weights
        return float((likely * (share * y + self.farther(share * y))).sum())
