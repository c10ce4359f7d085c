"""Normal noise on a curator's answer, which needs a chance of failure and pays for several numbers only once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ldpcore.laws.channels import GaussianShift
from ldpcore.mechanisms.base import CentralRelease, Witness
from ldpcore.mechanisms.gaussiannoise import Calibration, NormalNoise
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Delta, Epsilon, Neighbors, Sensitivity


@dataclass(frozen=True)
class GaussianMechanism(NormalNoise, CentralRelease):
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
    def usual(cls, epsilon: float = 1.0, delta: float = 1e-6, sensitivity: float = 1.0) -> GaussianMechanism:
        """With δ = 1e-6 and the smallest σ."""
        return cls(epsilon, delta, sensitivity)

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
