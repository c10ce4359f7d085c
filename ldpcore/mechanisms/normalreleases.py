"""The joint cost of many releases with a curator's normal noise: that of one release with smaller noise."""

from __future__ import annotations

import math
from typing import ClassVar, Self

import scipy

from ldpcore.laws.channels import GaussianShift
from ldpcore.mechanisms.additivenoise import AdditiveNoise
from ldpcore.mechanisms.gaussiannoise import NormalNoise


class NormalReleases(NormalNoise, AdditiveNoise):
    """A curator's normal noise, released any number of times."""

    norm: ClassVar[int] = 2

    def average_width(self, confidence: float, repeats: int) -> float:
        return -float(self.average_spread(repeats) * scipy.special.ndtri((1 - confidence) / 2))

    def of_counts(self, level: float, moved: float) -> Self:
        """The noise of each of many counts that one person moves by a vector of length `moved`: σ of one such number.

        Normal noise is the same in all directions, so that the two laws differ along the arrow alone.
        """
        return self.calibrated(level, moved, self.neighbors, **self._needed())

    def sharing(self, parts: int) -> tuple[Self, int]:
        """The noise σ√m and m: the average of m such releases has σ and is one release."""
        return self, 1

    def of_several(self, parts: int) -> Self:
        """The noise σ√m of each part, at the smallest level that keeps the δ: m such releases make one with σ.

        Where the δ is kept at any level, however small, it is made for the level of the whole, and its own smaller δ.
        """
        shift = GaussianShift(self.sigma / self.sensitivity * math.sqrt(parts), 1.0)
        level, delta = shift.level(self.delta), self.delta
        if level == 0:
            level, delta = self.epsilon, shift.delta(self.epsilon)
        return self.calibrated(level, self.sensitivity, self.neighbors, delta=delta, calibration="analytic")
