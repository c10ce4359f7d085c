"""What many releases with a curator's normal noise cost together: as much as one whose noise is so much smaller."""

from __future__ import annotations

import math
from typing import Self

from ldpcore.laws.channels import GaussianShift
from ldpcore.mechanisms.additivenoise import AdditiveNoise
from ldpcore.mechanisms.gaussiannoise import NormalNoise


class NormalReleases(NormalNoise, AdditiveNoise):
    """A curator's normal noise, released as often as one likes."""

    def sharing(self, parts: int) -> tuple[Self, int]:
        """Each has σ√m, so that their average has σ: it is one release."""
        return self, 1

    def of_several(self, parts: int) -> Self:
        """With σ√m each: m such releases are together one with σ. Its level is the smallest that keeps the δ."""
        sigma = self.sigma / self.sensitivity * math.sqrt(parts)
        level = GaussianShift(sigma, 1.0).level(self.delta)
        return self.calibrated(level, self.sensitivity, self.neighbors, delta=self.delta, calibration="analytic")
