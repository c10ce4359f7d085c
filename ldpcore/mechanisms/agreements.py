"""Corners of a cube by how many coordinates they agree in with a given one: weights, their sums, and the best cap."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from ldpcore.numerics.arrays import Reals


@dataclass(frozen=True, eq=False)
class Cap:
    """ln of the weight of a corner that agrees in A = 0 … d coordinates."""

    log_weights: Reals

    @property
    def d(self) -> int:
        """The number of coordinates."""
        return len(self.log_weights) - 1

    @property
    def top(self) -> float:
        """ln of the largest weight, by which all are divided so that none overflows."""
        return float(self.log_weights.max())

    def agreements(self) -> Reals:
        """The probability of A agreements, C(d, A)·weight over the sum of all."""
        chances = fair(self.d) * np.exp(self.log_weights - self.top)
        return np.asarray(chances / chances.sum(), dtype=np.float64)

    def scale(self) -> float:
        """B = d/E[2A - d], which makes B times the corner right on average.

        Σ C(d,A)(2A-d)w(A) is summed over A > d/2 as C(d,A)(2A-d)(w(A) - w(d-A)): nothing cancels.
        """
        weights, d, corners = self.log_weights, self.d, fair(self.d)
        upper = np.arange(d // 2 + 1, d + 1)
        gaps = np.exp(weights[upper] - self.top) * -np.expm1(weights[d - upper] - weights[upper])
        pull = float((corners[upper] * (2 * upper - d) * gaps).sum())
        return d * float((corners * np.exp(weights - self.top)).sum()) / pull

    def log_total(self) -> float:
        """ln of the sum of the weights of all 2^d corners."""
        total = float((fair(self.d) * np.exp(self.log_weights - self.top)).sum())
        return self.top + math.log(total) + self.d * math.log(2)

    def log_mean(self, law: Reals) -> float:
        """ln of the mean weight where A follows a law, as ln(1 + E[weight - 1]) where weights hardly differ."""
        if self.top < 1:
            return math.log1p(float((law * np.expm1(self.log_weights)).sum()))
        return self.top + math.log(float((law * np.exp(self.log_weights - self.top)).sum()))


@lru_cache(maxsize=256)
def fair(d: int) -> Reals:
    """C(d, A)/2^d for A = 0 … d: quotients of whole numbers, each right to the last digit."""
    corners = np.array([math.comb(d, agree) / 2**d for agree in range(d + 1)])
    corners.flags.writeable = False
    return corners


@lru_cache(maxsize=1024)
def best_cap(epsilon: float, d: int) -> int:
    """The fewest agreements a for which 1/B = (e^ε-1) C(d-1, a-1)/(e^ε·#{A ≥ a} + #{A < a}) is largest."""
    corners, rare = fair(d), math.exp(-epsilon)
    above = np.cumsum(corners[::-1])[::-1][1:]
    below = np.cumsum(corners)[:-1]
    pull = np.array([math.comb(d - 1, least - 1) / 2**d for least in range(1, d + 1)]) / (above + rare * below)
    # Caps above and below the middle may tie for small ε: the higher one of equals, to twelve digits.
    return 1 + int(np.flatnonzero(pull >= pull.max() * (1 - 1e-12))[-1])


def agreement_law(kinds: list[tuple[float, int]]) -> Reals:
    """P(A agreements) over kinds of coordinates, each with its number and chance to agree: binomials added up."""
    law = np.ones(1)
    for chance, size in kinds:
        agree = np.arange(size + 1)
        ways = np.array([float(math.comb(size, count)) for count in agree])
        law = np.convolve(law, ways * chance**agree * (1 - chance) ** (size - agree))
    return law


def law_with(split: list[tuple[Any, int, int]], side: int) -> Reals:
    """P(A agreements) with one of two rows, for a report whose number of +1 in each kind of coordinate is given."""
    kinds = []
    for pair, plus, size in split:
        chance = (1 + float(pair[side])) / 2
        kinds += [(chance, plus), (1 - chance, size - plus)]
    return agreement_law(kinds)
