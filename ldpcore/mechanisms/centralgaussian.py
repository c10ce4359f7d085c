"""Normal noise on a curator's answer, which needs a chance of failure and pays for several numbers only once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ldpcore.laws.channels import GaussianShift
from ldpcore.mechanisms.additivenoise import normal_within
from ldpcore.mechanisms.base import Witness
from ldpcore.mechanisms.gaussiannoise import (
    CLASSICAL_LEVEL,
    Calibration,
    analytic_sigma,
    classical_sigma,
    refuse_endless,
)
from ldpcore.mechanisms.normalreleases import NormalReleases
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Declared, Delta, Epsilon, Neighbors, Sensitivity

ABOVE = CLASSICAL_LEVEL * 1.001  # where the classical σ is proved no longer, and the smallest one is drawn


@dataclass(frozen=True)
class GaussianMechanism(NormalReleases):
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
        beyond = calibration == "classical" and epsilon > CLASSICAL_LEVEL
        made = UnprovedClassical if beyond else GaussianMechanism
        return made(epsilon, delta, sensitivity, calibration, neighbors)

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
        return level if level <= CLASSICAL_LEVEL else max(smallest, ABOVE)

    def error_of_difference(self, share: float) -> float:
        return self.mean_absolute_error() * math.hypot(1, share)

    def sum_of_noise(self, repeats: ArrayLike, rng: np.random.Generator) -> Reals:
        sizes = np.sqrt(np.asarray(repeats, dtype=np.float64))
        return np.asarray(self.sigma * sizes * rng.standard_normal(sizes.shape), dtype=np.float64)

    def average_error(self, repeats: ArrayLike) -> Reals:
        return np.asarray(self.average_spread(repeats) * math.sqrt(2 / math.pi), dtype=np.float64)

    def average_within(self, width: float, repeats: int) -> float:
        return normal_within(width * math.sqrt(repeats) / self.sigma)


@dataclass(frozen=True)
class UnprovedClassical(GaussianMechanism):
    """Normal noise asked for by the classical rule where that is not proved: the smallest σ stands for it."""

    def __post_init__(self) -> None:
        Declared.__post_init__(self)
        refuse_endless(self.epsilon, self.delta)

    @property
    def sigma(self) -> float:
        return self.sensitivity * analytic_sigma(self.epsilon, self.delta)
