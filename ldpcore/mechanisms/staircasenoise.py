"""Staircase noise as it is drawn: two-sided geometric noise and a rounding error, single or added up by the billion."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.laws.staircases import StaircaseLaw
from ldpcore.mechanisms.geometricnoise import TwoSidedGeometric, geometric_total
from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.tosses import uniform_sums


@dataclass(frozen=True)
class StaircaseNoise(StaircaseLaw):
    """The law, and draws from it."""

    @property
    def whole(self) -> TwoSidedGeometric:
        """The part in whole numbers."""
        return TwoSidedGeometric(self.rate)

    def draw(self, shape: tuple[int, ...], rng: np.random.Generator) -> Reals:
        """Whole numbers and rounding errors."""
        whole = self.whole.draw(math.prod(shape), rng).reshape(shape)
        wide = np.where(rng.random(shape) < self.gamma, 1 - self.gamma, self.gamma)
        return np.asarray(whole + wide * (2 * rng.random(shape) - 1), dtype=np.float64)

    def totals(self, sizes: ArrayLike, rng: np.random.Generator) -> Reals:
        """Sums of as many noises as each entry of `sizes`: whole numbers add up, and rounding errors bit by bit."""
        many = np.asarray(sizes, dtype=np.float64).astype(np.int64)
        wide = rng.binomial(many, self.gamma)
        errors = [(2 * uniform_sums(each, rng) - each) for each in (many - wide, wide)]
        rounding = self.gamma * errors[0] + (1 - self.gamma) * errors[1]
        return np.asarray(self.whole.any_totals(many, rng) + rounding, dtype=np.float64)

    def total_size(self, repeats: int, rng: np.random.Generator) -> float:
        """The sum of |noise| over `repeats` noises: beyond the first step they are γ + U + G, G geometric from 0 on."""
        far = int(rng.binomial(repeats, self.fall))
        near, rest = (float(uniform_sums(np.array(each), rng)) for each in (repeats - far, far))
        return self.gamma * (near + far) + rest + geometric_total(far, self.rate, rng)
