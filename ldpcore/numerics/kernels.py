"""Weights that read a density, or a derivative of it, from the people near a point: steps on [-1, 1]."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.numerics.arrays import Reals

INNER = 0.35  # width of the second kernel where two are combined to reach a higher order


@dataclass(frozen=True)
class StepFunction:
    """A function that is constant between rising edges, and 0 beyond them."""

    edges: tuple[float, ...]
    heights: tuple[float, ...]

    def __call__(self, x: ArrayLike) -> Reals:
        padded = np.array([0.0, *self.heights, 0.0])
        return np.asarray(padded[np.searchsorted(self.edges, np.asarray(x, dtype=np.float64), side="right")])

    @property
    def high(self) -> float:
        """The largest value, at least 0, which is taken outside."""
        return max(0.0, *self.heights)

    @property
    def low(self) -> float:
        """The smallest value, at most 0."""
        return min(0.0, *self.heights)

    def moment(self, power: int) -> float:
        """∫ ψ(u) u^power du."""
        ends = np.array(self.edges) ** (power + 1)
        return float(np.dot(np.diff(ends), self.heights)) / (power + 1)

    def reach(self, power: float) -> float:
        """∫ |ψ(u)| |u|^power du."""
        ends = np.sign(self.edges) * np.abs(self.edges) ** (power + 1)
        return float(np.dot(np.diff(ends), np.abs(self.heights))) / (power + 1)

    @property
    def square(self) -> float:
        """∫ ψ²."""
        return float(np.dot(np.diff(self.edges), np.square(self.heights)))

    def around(self, place: float, h: float, order: int) -> StepFunction:
        """h^{-order-1} ψ((x - place)/h)."""
        return StepFunction(
            tuple(place + h * edge for edge in self.edges), tuple(np.divide(self.heights, h ** (order + 1)))
        )


def alternating(order: int) -> StepFunction:
    """m! 2^{m-1} sign(U_m(u)), U_m Chebyshev's polynomial of the second kind.

    ∫ ψ u^j is 0 for j < m and m! for j = m; of all such weights on [-1, 1] it has the smallest maximum.
    """
    # Zeros and ends are cosines of multiples of π/(m+1); as sines they are exactly symmetric.
    edges = [math.sin(math.pi * place / (2 * order + 2)) for place in range(-order - 1, order + 2, 2)]
    height = math.factorial(order) * 2.0 ** (order - 1)
    return StepFunction(tuple(edges), tuple(height * (-1) ** (order - place) for place in range(order + 1)))


@lru_cache(maxsize=16)
def kernel(order: int, smoothness: int) -> StepFunction:
    """Weights for the m-th derivative that are blind to all other powers up to `smoothness`, at most m + 3.

    By symmetry the alternating ones are so up to m + 1; beyond, two widths are combined such that power m + 2 vanishes.
    """
    outer = alternating(order)
    if smoothness <= order + 1:
        return outer
    share = 1 / (1 - INNER**2)
    inner = outer.around(0.0, INNER, order)
    edges = sorted({*outer.edges, *inner.edges})
    middles = (np.array(edges[1:]) + edges[:-1]) / 2
    return StepFunction(tuple(edges), tuple((share * inner(middles) + (1 - share) * outer(middles)).tolist()))
