"""What many releases with a curator's normal noise cost together: as much as one whose noise is so much smaller."""

from __future__ import annotations

import math
from typing import Self

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ldpcore.laws.channels import GaussianShift, gaussian_levels
from ldpcore.mechanisms.additivenoise import AdditiveNoise
from ldpcore.mechanisms.gaussiannoise import NormalNoise
from ldpcore.numerics.arrays import Reals

MOST_RELEASES = 10**15  # that an account counts


class NormalReleases(NormalNoise, AdditiveNoise):
    """A curator's normal noise, released as often as one likes."""

    def average_width(self, confidence: float, repeats: int) -> float:
        return -float(self.average_spread(repeats) * scipy.special.ndtri((1 - confidence) / 2))

    def prices(self, times: ArrayLike) -> Reals:
        # N releases are one whose noise is √N times smaller beside what a person moves: exact, and so say their ρs.
        shifts = np.sqrt(np.asarray(times, dtype=np.float64)) * self.sensitivity / self.sigma
        return gaussian_levels(shifts, self.delta)

    def affordable(self, total: float) -> int:
        """N releases are one with √N times the shift, so that the largest shift that a total allows says how many."""

        def short(log_shift: float) -> float:
            return math.log(max(GaussianShift(1.0, math.exp(log_shift)).delta(total), 1e-300)) - math.log(self.delta)

        largest = math.exp(float(scipy.optimize.brentq(short, -60.0, math.log(2 * total + 100), xtol=1e-14)))
        return min(math.floor((largest * self.sigma / self.sensitivity) ** 2 * (1 + 1e-12)), MOST_RELEASES)

    def sharing(self, parts: int) -> tuple[Self, int]:
        """Each has σ√m, so that their average has σ: it is one release."""
        return self, 1

    def of_several(self, parts: int) -> Self:
        """With σ√m each: m such releases are together one with σ. Its level is the smallest that keeps the δ."""
        sigma = self.sigma / self.sensitivity * math.sqrt(parts)
        level = GaussianShift(sigma, 1.0).level(self.delta)
        return self.calibrated(level, self.sensitivity, self.neighbors, delta=self.delta, calibration="analytic")
