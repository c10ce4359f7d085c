"""Laplace noise on several numbers of one report: the laws of two people who differ in a few of them."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from functools import reduce
from itertools import product

import numpy as np

from ldpcore.laws.channels import Comparison, LaplaceShift, Pair
from ldpcore.numerics.arrays import Reals


@dataclass(frozen=True)
class LaplaceShifts(Comparison):
    """Independent Laplace noise around several pairs of centers; their losses add up and are attained together."""

    parts: tuple[LaplaceShift, ...]

    @classmethod
    def of(cls, *pairs: tuple[float, float]) -> LaplaceShifts:
        """The shifts of pairs (scale, shift), those that do not shift left out."""
        return cls(tuple(LaplaceShift(scale, abs(shift)) for scale, shift in pairs if shift))

    def loss(self) -> float:
        return sum(part.loss() for part in self.parts)

    def delta(self, epsilon: float) -> float:
        """E_γ at γ = e^ε for ε of at least 0: a sum over the 2^m corners of the m losses, all integrals closed."""
        # One loss L has P-mass 1/2 at s, e^-s/2 at -s and density e^((l-s)/2)/4 between. With e^(l/2) taken out that is
        # ½δ(s) + ½δ(-s) + ¼1(-s, s), in terms of what lies below a point a: (½ + ¼I) at s and (½ - ¼I) at -s with
        # I = integration of 1(l < a). A product of such terms is a polynomial in I at the point Σ ±s, and
        # ∫ (e^(l/2) - e^(ε - l/2)) I^k = 2e^(ε/2)·J_k(a - ε) with J_k the k-fold integral of sinh(D/2).
        whole, total = self.loss(), 0.0
        groups = Counter(part.loss() for part in self.parts)  # equal losses share a corner for each number of minuses
        for lost in product(*(range(times + 1) for times in groups.values())):
            gap = whole - epsilon - 2 * sum(minus * loss for minus, loss in zip(lost, groups, strict=True))
            if gap > 0:
                weights = reduce(np.convolve, map(_corner, groups.values(), lost), np.ones(1))
                total += sum(float(w) * iterated_sinh(gap, k) for k, w in enumerate(weights))
        return min(max(2 * math.exp((epsilon - whole) / 2) * total, 0.0), 1.0)

    def cut(self, pieces: int = 64) -> Pair:
        """The events of each number, merged in order of the ratio."""
        if not self.parts:
            return Pair(np.ones(1), np.ones(1))
        each = max(round(pieces ** (1 / len(self.parts))), 3)
        first = second = np.ones(1)
        for part in self.parts:
            own = part.cut(each)
            first, second = np.outer(first, own.first).ravel(), np.outer(second, own.second).ravel()
        return Pair(first, second).cut(pieces)


def _corner(times: int, minuses: int) -> Reals:
    """C(m, r)·(½ + ¼I)^(m-r)·(½ - ¼I)^r as a polynomial in I."""
    factors = [np.array([0.5, -0.25 if place < minuses else 0.25]) for place in range(times)]
    return np.asarray(math.comb(times, minuses) * reduce(np.convolve, factors), dtype=np.float64)


def iterated_sinh(end: float, times: int) -> float:
    """sinh(u/2) integrated `times` times from 0 to `end`: 2^k Σ (end/2)^(2i+1+k)/(2i+1+k)!, positive terms only."""
    half, power = end / 2, times + 1
    term = half**power / math.factorial(power)
    total = 0.0
    while term > total * 1e-17:
        total += term
        term *= half * half / ((power + 1) * (power + 2))
        power += 2
    return float(total * 2**times)


@dataclass(frozen=True)
class EitherOf(Comparison):
    """A fair coin, seen by everybody, decides which of two laws a report follows."""

    heads: Comparison
    tails: Comparison

    def loss(self) -> float:
        return max(self.heads.loss(), self.tails.loss())

    def delta(self, epsilon: float) -> float:
        return (self.heads.delta(epsilon) + self.tails.delta(epsilon)) / 2

    def cut(self, pieces: int = 64) -> Pair:
        one, other = (law.cut(max(pieces // 2, 3)) for law in (self.heads, self.tails))
        first = np.concatenate([one.first, other.first]) / 2
        return Pair(first, np.concatenate([one.second, other.second]) / 2)
