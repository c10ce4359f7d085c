"""A mean in two stages: the first half of the people finds the crowd, the second half answers in a narrow window.

Its rival asks everybody one bit on the whole public range.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy

from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.parameters import Declared, Epsilon, ParameterError, Users
from ldpcore.protocols.crowd import Run, UniformCrowd, yes, z0

CAUTION = 3.0  # standard errors of the first stage that the window holds beyond the crowd's own width


def bit_squared_error(share: Reals | float, n: int, radius: float, epsilon: float) -> Reals:
    """The variance of radius·z₀·(2·mean of bits - 1), bits being yes with this chance: r² z₀² 4p(1 - p)/n."""
    return np.asarray((radius * z0(epsilon)) ** 2 * 4 * share * (1 - np.asarray(share)) / n)


@dataclass(frozen=True)
class OneStage(Declared):
    """Everybody sends one bit on the whole range; the mean of the stretched bits is unbiased."""

    epsilon: Epsilon
    crowd: UniformCrowd
    n: Users

    @property
    def chance(self) -> float:
        """The chance of a yes: ½(1 + mean/(M z₀))."""
        return float(yes((1 + self.crowd.center / self.crowd.reach) / 2, self.epsilon))

    def squared_error(self) -> float:
        """The variance, M² z₀² 4p(1 - p)/n, exactly."""
        return float(bit_squared_error(self.chance, self.n, self.crowd.reach, self.epsilon))

    def sample(self, repeats: int, rng: np.random.Generator) -> Reals:
        """Independent estimates: bits are counted, not drawn one by one."""
        counts = rng.binomial(self.n, self.chance, repeats)
        return np.asarray(self.crowd.reach * z0(self.epsilon) * (2 * counts / self.n - 1))


@dataclass(frozen=True)
class TwoStages(Declared):
    """Half of the people send one bit on the whole range, the others one bit on a window around what that says.

    The window's radius is public beforehand: r = min(M, w + 3 M z₀/√(n/2)), the crowd's half-width and three
    standard errors. Numbers beyond the window count as its ends, and the second half alone makes the estimate. It
    beats one stage about where 2r² < M², and has about twice its squared error where the window stays the range.
    """

    epsilon: Epsilon
    crowd: UniformCrowd
    n: Users

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.n < 2:
            raise ParameterError("whole_from", name="n", low=2, got=self.n)

    @property
    def halves(self) -> tuple[int, int]:
        """The number of people each stage asks."""
        return self.n // 2, self.n - self.n // 2

    @property
    def radius(self) -> float:
        """Half the width of the window."""
        crowd = self.crowd
        return min(crowd.reach, crowd.half_width + CAUTION * crowd.reach * z0(self.epsilon) / math.sqrt(self.halves[0]))

    def center(self, yeses: Counts) -> Reals:
        """The middle of the window after this number of first yeses, such that the window lies in the range."""
        middle = self.crowd.reach * z0(self.epsilon) * (2 * np.asarray(yeses) / self.halves[0] - 1)
        room = self.crowd.reach - self.radius
        return np.clip(middle, -room, room)

    def chance(self, center: Reals) -> Reals:
        """The chance of a yes in the second stage: ½(1 + E T/z₀), T the place in the window from -1 to 1."""
        place = (self.crowd.held(center - self.radius, center + self.radius) - center) / self.radius
        return yes((1 + place) / 2, self.epsilon)

    def squared_error(self) -> float:
        """The mean squared error, summed over all counts of the first stage: exact up to rounding."""
        first, second = self.halves
        yeses = np.arange(first + 1)
        chance = OneStage(self.epsilon, self.crowd, self.n).chance
        weights = scipy.stats.binom.pmf(yeses, first, chance)
        centers = self.center(yeses)
        chances = self.chance(centers)
        bias = centers + self.radius * z0(self.epsilon) * (2 * chances - 1) - self.crowd.center
        spread = bit_squared_error(chances, second, self.radius, self.epsilon)
        return float(np.dot(weights, bias**2 + spread) / weights.sum())

    def sample(self, repeats: int, rng: np.random.Generator) -> Reals:
        """Independent estimates: both halves' bits are counted, the second half's given the first's."""
        first, second = self.halves
        centers = self.center(rng.binomial(first, OneStage(self.epsilon, self.crowd, self.n).chance, repeats))
        counts = rng.binomial(second, self.chance(centers))
        return np.asarray(centers + self.radius * z0(self.epsilon) * (2 * counts / second - 1))

    def run(self, rng: np.random.Generator) -> Run:
        """One run with everybody's number, window and bit."""
        first, second = self.halves
        reach, radius, stretch = self.crowd.reach, self.radius, z0(self.epsilon)
        values, coins = self.crowd.draw(self.n, rng), rng.random(self.n)
        early = coins[:first] < yes((1 + values[:first] / reach) / 2, self.epsilon)
        center = float(self.center(np.array([early.sum()]))[0])
        place = np.clip((values[first:] - center) / radius, -1, 1)
        late = coins[first:] < yes((1 + place) / 2, self.epsilon)
        beliefs = [
            middle + half * stretch * (2 * np.cumsum(bits) / np.arange(1, len(bits) + 1) - 1)
            for middle, half, bits in ((0.0, reach, early), (center, radius, late))
        ]
        low = np.repeat([-reach, center - radius], [first, second])
        high = np.repeat([reach, center + radius], [first, second])
        return Run(values, low, high, np.concatenate([early, late]), np.concatenate(beliefs), low, high, self.epsilon)
