"""Noise added to a curator's answer: one symmetric law that falls to both sides and does not know the answer."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import ClassVar, Self

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ldpcore.mechanisms.manyreleases import ManyReleases
from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.roots import brent_root
from ldpcore.parameters import declarations

GIVEN = ("epsilon", "sensitivity", "neighbors")  # of every noise; what it needs besides, it declares
BESIDE = 1e-12  # of a place and a sensitivity: how far both sides of a jump are from it


class AdditiveNoise(ManyReleases):
    """A curator's answer plus noise, made for a level, a sensitivity and a relation of neighbors."""

    norm: ClassVar[int] = 1  # L1 or L2: how the moves of many counts add up to one, by which their noise is sized

    epsilon: float
    sensitivity: float
    neighbors: str

    @classmethod
    def needs(cls) -> tuple[str, ...]:
        """The further settings it needs beside level, sensitivity and relation, such as the δ of normal noise."""
        return tuple(name for name in declarations(cls) if name not in GIVEN)

    @classmethod
    def calibrated(cls, epsilon: float, sensitivity: float, neighbors: str, **needs: float | str) -> Self:
        """The noise for a query that one person moves by at most `sensitivity`."""
        moved = int(sensitivity) if cls.whole else sensitivity
        return cls.starting(epsilon=epsilon, sensitivity=moved, neighbors=neighbors, **needs)

    @property
    @abstractmethod
    def scale(self) -> float:
        """The width of the noise as its law is written: b of Laplace noise, σ of normal noise."""

    def jumps(self, reach: float) -> Reals:
        """The distances up to `reach` at which the density jumps; none of a density that is continuous."""
        return np.empty(0)

    def sides(self, low: float, high: float, *answers: float) -> Reals:
        """Both sides of every jump around the answers, between `low` and `high`, so that a line falls upright there."""
        jumps = self.jumps(high - low)
        places = np.concatenate([answer + sign * jumps for answer in answers for sign in (-1, 1)])
        places = places[(low < places) & (places < high)]
        beside = BESIDE * (self.sensitivity + np.abs(places))
        return np.concatenate([places - beside, places + beside])

    @abstractmethod
    def relative(self, distances: ArrayLike) -> Reals:
        """The density of noise of these sizes, as a share of the highest."""

    def beyond(self, width: float) -> float:
        """P(noise > w), from the lower tail, which keeps its digits."""
        return float(self.cdf(-math.floor(width) - 1.0 if self.whole else -width, 0.0))

    def within(self, width: float) -> float:
        """The probability that the noise is at most `width` either way."""
        return 1 - 2 * self.beyond(width)

    @abstractmethod
    def width(self, confidence: float) -> float:
        """The least distance that the noise stays within with this probability."""

    def average_width(self, confidence: float, repeats: int) -> float:
        """The distance from the answer within which an average of `repeats` releases stays with this probability."""
        if repeats == 1:
            return self.width(confidence)
        most = float(self.average_spread(repeats)) / math.sqrt(1 - confidence)  # Chebyshev's
        root = brent_root(lambda w: self.average_within(w, repeats) - confidence, 0.0, most, rtol=1e-12)
        return float(root) * (1 + 1e-12)

    @abstractmethod
    def level_within(self, width: float, confidence: float) -> float:
        """The least level at which this noise stays within the width with the probability; infinite where none does."""

    def at_level(self, epsilon: float) -> Self:
        """This noise, made for another level."""
        return self.calibrated(epsilon, self.sensitivity, self.neighbors, **self._needed())

    def _needed(self) -> dict[str, float | str]:
        """The values of the settings beside level, sensitivity and relation."""
        return {name: value for name, value in self.parameters().items() if name not in GIVEN}

    def of_counts(self, level: float, moved: float) -> Self:
        """The noise of each of many counts at a joint level, where one person moves all by at most `moved` in the norm.

        Made for steps of one at ε/Δ₁: a count that moves by d costs |d| of them at most (group privacy), and as all
        noises are independent, the counts cost Σ|d|ε/Δ₁ ≤ ε together. That holds for any noise that always keeps its
        level, and costs Laplace noise nothing, whose loss grows with the distance.
        """
        return self.calibrated(level / moved, 1.0, self.neighbors, **self._needed())

    def of_several(self, parts: int) -> Self:
        """The noise of each of `parts` releases that together keep the level and δ of this one."""
        return self.at_level(self.epsilon / parts)

    @abstractmethod
    def error_of_difference(self, share: float) -> float:
        """E|X - fY| of two independent noises: the error of a share of two released numbers, to order 1/n."""

    @property
    def chance(self) -> float:
        """The chance that the best bet on one release is right: ½ plus half of what the two laws do not share."""
        return (1 + self.compare(*self.worst()).delta(0.0)) / 2

    @property
    def bound(self) -> float:
        """The largest chance of any bet on a release of this level and δ: (e^ε + δ)/(1 + e^ε)."""
        return (1 + self.failure * math.exp(-self.epsilon)) / (1 + math.exp(-self.epsilon))


def normal_within(ratio: float) -> float:
    """P(|Z| ≤ r) of a normal number."""
    return float(scipy.special.erf(ratio / math.sqrt(2)))
