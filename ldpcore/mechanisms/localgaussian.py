"""Normal noise on one person's number, which needs a chance of failure."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ldpcore.laws.channels import GaussianShift
from ldpcore.mechanisms.base import Witness
from ldpcore.mechanisms.gaussiannoise import Calibration, NormalNoise
from ldpcore.mechanisms.locallaplace import RANGE, NumberPlusNoise
from ldpcore.mechanisms.values import inside, nearest
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Delta, Epsilon


@dataclass(frozen=True)
class LocalGaussian(NormalNoise, NumberPlusNoise):
    """Send T(x) + N(0, σ²), where δ = Φ(1/σ - εσ/2) - e^ε Φ(-1/σ - εσ/2) must be allowed to go wrong.

    For every bound on the level some report, far enough out, betrays more (`report_betraying`).
    """

    epsilon: Epsilon
    delta: Delta
    calibration: Calibration

    slug: ClassVar[str] = "gaussian"
    title: ClassVar[str] = "Local Gaussian noise"

    @classmethod
    def usual(cls, epsilon: float = 1.0, delta: float = 1e-5, calibration: str = "analytic") -> LocalGaussian:
        """The mechanism with δ = 1e-5 and the smallest σ."""
        return cls(epsilon, delta, calibration)

    @property
    def noise_variance(self) -> float:
        return self.sigma**2

    def noise_sums(self, n: int, rounds: int, rng: np.random.Generator) -> Reals:
        return np.asarray(self.sigma * math.sqrt(n) * rng.standard_normal(rounds), dtype=np.float64)

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> Reals:
        true = inside(values)
        return np.asarray(true + self.sigma * rng.standard_normal(true.shape), dtype=np.float64)

    def compare(self, value: float, other: float) -> GaussianShift:
        return GaussianShift(self.sigma, abs(nearest(value) - nearest(other)))

    def report_betraying(self, level: float) -> float:
        """The report at which 1 is e^level times likelier than -1, z = level·σ²/2: there is one for every level."""
        return level * self.sigma**2 / RANGE

    def witness(self) -> Witness:
        # Where the loss is ε; every report beyond betrays more, which is what δ pays for.
        return Witness(1.0, -1.0, self.report_betraying(self.epsilon))

    def log_density(self, report: float, value: float) -> float:
        return self.log_density_at(report - nearest(value))

    def cdf(self, report: ArrayLike, value: float) -> Reals:
        z = (np.asarray(report, dtype=np.float64) - inside(value)) / self.sigma
        return np.asarray(scipy.special.ndtr(z), dtype=np.float64)
