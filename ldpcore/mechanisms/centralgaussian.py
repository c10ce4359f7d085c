"""Normal noise on a curator's answer, which needs a chance of failure and pays for several numbers only once."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ldpcore.laws.channels import GaussianShift, gaussian_levels
from ldpcore.mechanisms.additivenoise import AdditiveNoise, normal_within
from ldpcore.mechanisms.base import Witness
from ldpcore.mechanisms.gaussiannoise import CLASSICAL_LEVEL, Calibration, NormalNoise, classical_sigma
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Delta, Epsilon, Neighbors, Sensitivity

MOST_RELEASES = 10**15  # that an account counts


@dataclass(frozen=True)
class GaussianMechanism(NormalNoise, AdditiveNoise):
    """Release f(D) + N(0, σ²) where one person moves the answer by Δ₂ at most, in Euclid's distance.

    σ is the smallest with Φ(Δ/2σ - εσ/Δ) - e^ε Φ(-Δ/2σ - εσ/Δ) = δ, or the classical one. For k numbers that one
    person moves by 1 each, Δ₂ is √k, where Laplace noise must be made for k.
    """

    epsilon: Epsilon
    delta: Delta
    sensitivity: Sensitivity = 1.0
    calibration: Calibration = "analytic"
    neighbors: Neighbors = "add-remove"

    slug: ClassVar[str] = "gauss"
    title: ClassVar[str] = "Gaussian mechanism"

    @classmethod
    def usual(
        cls,
        epsilon: float = 1.0,
        delta: float = 1e-6,
        sensitivity: float = 1.0,
        calibration: str = "analytic",
        neighbors: str = "add-remove",
    ) -> GaussianMechanism:
        """With δ = 1e-6 and the smallest σ; the classical one only where it is proved."""
        proved = calibration if epsilon <= CLASSICAL_LEVEL else "analytic"
        return cls(epsilon, delta, sensitivity, proved, neighbors)

    @property
    def scale(self) -> float:
        """σ."""
        return self.sigma

    def release(self, answer: ArrayLike, rng: np.random.Generator, repeats: int | None = None) -> Reals:
        answer = np.asarray(answer, dtype=np.float64)
        if repeats is None:
            return np.asarray(answer + rng.normal(0, self.sigma, answer.shape), dtype=np.float64)
        return np.asarray(answer[..., None] + rng.normal(0, self.sigma, (*answer.shape, repeats)), dtype=np.float64)

    def variance(self) -> float:
        return self.sigma**2

    def mean_absolute_error(self) -> float:
        return self.sigma * math.sqrt(2 / math.pi)

    def compare(self, value: float, other: float) -> GaussianShift:
        return GaussianShift(self.sigma, abs(value - other))

    def worst(self) -> tuple[float, float]:
        return 0.0, self.sensitivity

    def witness(self) -> Witness:
        # Where the loss is ε; every report further out betrays more, which is what δ pays for.
        return Witness(0.0, self.sensitivity, self.sensitivity / 2 - self.epsilon * self.sigma**2 / self.sensitivity)

    def log_density(self, report: float, value: float) -> float:
        return self.log_density_at(report - value)

    def cdf(self, report: ArrayLike, answer: float) -> Reals:
        z = (np.asarray(report, dtype=np.float64) - answer) / self.sigma
        return np.asarray(scipy.special.ndtr(z), dtype=np.float64)

    def relative(self, distances: ArrayLike) -> Reals:
        """e^{-x²/2σ²}."""
        return np.asarray(np.exp(-((np.asarray(distances) / self.sigma) ** 2) / 2), dtype=np.float64)

    def third_moment(self) -> float:
        return 2 * math.sqrt(2 / math.pi) * self.sigma**3

    def within(self, width: float) -> float:
        return normal_within(width / self.sigma)

    def width(self, confidence: float) -> float:
        """σ Φ⁻¹((1 + c)/2)."""
        return -self.sigma * float(scipy.special.ndtri((1 - confidence) / 2))

    # The classical σ is larger than need be, so that just above the level where it ends less noise is drawn.
    def level_within(self, width: float, confidence: float) -> float:
        sigma = -width / self.sensitivity / float(scipy.special.ndtri((1 - confidence) / 2))
        smallest = GaussianShift(sigma, 1.0).level(self.delta)
        if self.calibration == "analytic":
            return smallest
        level = classical_sigma(1.0, self.delta) / sigma
        return level if level <= CLASSICAL_LEVEL else max(smallest, math.nextafter(CLASSICAL_LEVEL, math.inf))

    def error_of_difference(self, share: float) -> float:
        return self.mean_absolute_error() * math.hypot(1, share)

    def sum_of_noise(self, repeats: ArrayLike, rng: np.random.Generator) -> Reals:
        sizes = np.sqrt(np.asarray(repeats, dtype=np.float64))
        return np.asarray(self.sigma * sizes * rng.standard_normal(sizes.shape), dtype=np.float64)

    def average_error(self, repeats: ArrayLike) -> Reals:
        return np.asarray(self.average_spread(repeats) * math.sqrt(2 / math.pi), dtype=np.float64)

    def average_within(self, width: float, repeats: int) -> float:
        return normal_within(width * math.sqrt(repeats) / self.sigma)

    def distinguished(self, times: int = 1) -> GaussianShift:
        """N releases are one whose noise is √N times smaller beside what a person moves: exact, and zCDP's σ too."""
        return GaussianShift(self.sigma, self.sensitivity * math.sqrt(times))

    def prices(self, times: ArrayLike) -> Reals:
        shifts = np.sqrt(np.asarray(times, dtype=np.float64)) * self.sensitivity / self.sigma
        return gaussian_levels(shifts, self.delta)

    def price(self, times: int) -> float:
        return float(self.prices(times))

    def affordable(self, total: float) -> int:
        """N releases are one with √N times the shift, so that the largest shift that a total allows says how many."""

        def short(log_shift: float) -> float:
            return math.log(max(GaussianShift(1.0, math.exp(log_shift)).delta(total), 1e-300)) - math.log(self.delta)

        largest = math.exp(float(scipy.optimize.brentq(short, -60.0, math.log(2 * total + 100), xtol=1e-14)))
        return min(math.floor((largest * self.sigma / self.sensitivity) ** 2 * (1 + 1e-12)), MOST_RELEASES)

    def sharing(self, parts: int) -> tuple[GaussianMechanism, int]:
        """Each has σ√m, so that their average has σ: it is one release."""
        return self, 1

    def of_several(self, parts: int) -> GaussianMechanism:
        """With σ√m each: m such releases are together one with σ. Its level is the smallest that keeps the δ."""
        sigma = self.sigma / self.sensitivity * math.sqrt(parts)
        return replace(self, epsilon=GaussianShift(sigma, 1.0).level(self.delta), calibration="analytic")
