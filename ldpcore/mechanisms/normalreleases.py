"""What many releases with a curator's normal noise cost together: as much as one whose noise is so much smaller."""

from __future__ import annotations

import math
from typing import ClassVar, Self

import scipy

from ldpcore.laws.channels import GaussianShift
from ldpcore.mechanisms.additivenoise import AdditiveNoise
from ldpcore.mechanisms.gaussiannoise import NormalNoise


class NormalReleases(NormalNoise, AdditiveNoise):
    """A curator's normal noise, released as often as one likes."""

    norm: ClassVar[int] = 2

    def average_width(self, confidence: float, repeats: int) -> float:
        return -float(self.average_spread(repeats) * scipy.special.ndtri((1 - confidence) / 2))

    def of_counts(self, level: float, moved: float) -> Self:
        """The noise of each of many counts, which move together as an arrow of a length: σ of one number so far apart.

        Normal noise is the same in all directions, so that the two laws differ along the arrow alone.
        """
        return self.calibrated(level, moved, self.neighbors, **self._needed())

    def sharing(self, parts: int) -> tuple[Self, int]:
        """Each has σ√m, so that their average has σ: it is one release."""
        return self, 1

    def of_several(self, parts: int) -> Self:
        """With σ√m each: m such releases are together one with σ. Its level is the smallest that keeps the δ."""
        sigma = self.sigma / self.sensitivity * math.sqrt(parts)
        level = GaussianShift(sigma, 1.0).level(self.delta)
        return self.calibrated(level, self.sensitivity, self.neighbors, delta=self.delta, calibration="analytic")
