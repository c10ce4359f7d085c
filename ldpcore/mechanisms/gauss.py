"""Normal noise on a curator's answer, which needs a chance of failure and pays for several numbers only once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ldpcore.channels import GaussianShift
from ldpcore.mechanisms.base import CentralRelease, Guarantee, Witness
from ldpcore.mechanisms.gaussian import CLASSICAL_LEVEL, Calibration, analytic_sigma, classical_sigma
from ldpcore.parameters import Delta, Epsilon, Neighbors, ParameterError, Sensitivity
from ldpcore.populations import Reals


@dataclass(frozen=True)
class GaussianMechanism(CentralRelease):
    """Release f(D) + N(0, σ²) where one person moves the answer by Δ₂ at most, in Euclid's distance.

    Analytic: the smallest σ with Φ(Δ/2σ - εσ/Δ) - e^ε Φ(-Δ/2σ - εσ/Δ) = δ. Classical: σ = Δ√(2 ln(1.25/δ))/ε, proved
    for ε up to 1. For k numbers that one person moves by 1 each, Δ₂ is √k, where Laplace noise must be made for k.
    """

    epsilon: Epsilon
    delta: Delta
    sensitivity: Sensitivity = 1.0
    calibration: Calibration = "analytic"
    neighbors: Neighbors = "add-remove"

    slug: ClassVar[str] = "gauss"
    title: ClassVar[str] = "Gaussian mechanism"
    reference: ClassVar[str] = (
        "Balle, Wang (2018), Improving the Gaussian mechanism for differential privacy, theorem 8; classical: Dwork, "
        "Roth (2014), The algorithmic foundations of differential privacy, theorem A.1"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.calibration == "classical" and self.epsilon > CLASSICAL_LEVEL:
            raise ParameterError("gaussian_epsilon", got=self.epsilon)

    @classmethod
    def usual(cls, epsilon: float = 1.0, delta: float = 1e-6, sensitivity: float = 1.0) -> GaussianMechanism:
        """With δ = 1e-6 and the smallest σ."""
        return cls(epsilon, delta, sensitivity)

    @property
    def sigma(self) -> float:
        """The standard deviation of the noise on each number."""
        size = classical_sigma if self.calibration == "classical" else analytic_sigma
        return self.sensitivity * size(self.epsilon, self.delta)

    def release(self, answer: ArrayLike, rng: np.random.Generator, repeats: int | None = None) -> Reals:
        answer = np.asarray(answer, dtype=np.float64)
        if repeats is None:
            return np.asarray(answer + rng.normal(0, self.sigma, answer.shape), dtype=np.float64)
        return np.asarray(answer[..., None] + rng.normal(0, self.sigma, (*answer.shape, repeats)), dtype=np.float64)

    def guarantee(self) -> Guarantee:
        # No level holds alone, so the level is the smallest one for the declared δ, and δ is what that one needs.
        laws = self.compare(*self.worst())
        level = laws.level(self.delta)
        return Guarantee(level, laws.delta(level))

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
        z = (report - value) / self.sigma
        return -z * z / 2 - math.log(self.sigma * math.sqrt(2 * math.pi))

    def cdf(self, report: ArrayLike, answer: float) -> Reals:
        z = (np.asarray(report, dtype=np.float64) - answer) / self.sigma
        return np.asarray(scipy.special.ndtr(z), dtype=np.float64)
