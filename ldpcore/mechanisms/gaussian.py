"""Normal noise on one person's number, which needs a chance of failure."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, ClassVar

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ldpcore.channels import GaussianShift
from ldpcore.mechanisms.base import Guarantee, Witness, inside, nearest
from ldpcore.mechanisms.shifts import RANGE, NumberPlusNoise
from ldpcore.parameters import Choice, Delta, Epsilon, ParameterError
from ldpcore.populations import Reals

CLASSICAL_LEVEL = 1.0  # the classical σ is proved for levels up to here
Calibration = Annotated[str, Choice(r"\sigma", ("analytic", "classical"))]


@dataclass(frozen=True)
class LocalGaussian(NumberPlusNoise):
    """Send T(x) + N(0, σ²), where δ = Φ(1/σ - εσ/2) - e^ε Φ(-1/σ - εσ/2) must be allowed to go wrong.

    Analytic: the smallest such σ. Classical: σ = 2√(2 ln(1.25/δ))/ε, proved for ε up to 1 only, and larger than need
    be. No σ keeps a level without δ: for every bound some report, far enough out, betrays more (`report_betraying`).
    """

    epsilon: Epsilon
    delta: Delta
    calibration: Calibration

    slug: ClassVar[str] = "gaussian"
    title: ClassVar[str] = "Local Gaussian noise"
    reference: ClassVar[str] = (
        "Balle, Wang (2018), Improving the Gaussian mechanism for differential privacy, theorem 8; classical: Dwork, "
        "Roth (2014), The algorithmic foundations of differential privacy, theorem A.1"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.calibration == "classical" and self.epsilon > CLASSICAL_LEVEL:
            raise ParameterError("gaussian_epsilon", got=self.epsilon)

    @classmethod
    def usual(cls, epsilon: float = 1.0, delta: float = 1e-5, calibration: str = "analytic") -> LocalGaussian:
        """With δ = 1e-5 and the smallest σ."""
        return cls(epsilon, delta, calibration)

    @property
    def sigma(self) -> float:
        """The standard deviation of the noise."""
        size = classical_sigma if self.calibration == "classical" else analytic_sigma
        return RANGE * size(self.epsilon, self.delta)

    def guarantee(self) -> Guarantee:
        # No level holds alone, so the level is the smallest one for the declared δ, and δ is what that one needs.
        laws = self.compare(*self.worst())
        level = laws.level(self.delta)
        return Guarantee(level, laws.delta(level))

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
        z = (report - nearest(value)) / self.sigma
        return -z * z / 2 - math.log(self.sigma * math.sqrt(2 * math.pi))

    def cdf(self, report: ArrayLike, value: float) -> Reals:
        z = (np.asarray(report, dtype=np.float64) - inside(value)) / self.sigma
        return np.asarray(scipy.special.ndtr(z), dtype=np.float64)


def classical_sigma(epsilon: float, delta: float) -> float:
    """√(2 ln(1.25/δ))/ε for answers 1 apart, proved for ε up to 1."""
    return math.sqrt(2 * math.log(1.25 / delta)) / epsilon


@lru_cache(maxsize=4096)
def analytic_sigma(epsilon: float, delta: float) -> float:
    """The smallest σ for answers 1 apart: δ falls as σ grows, so that a bracket in ln σ closes in on one number."""

    def short(log_sigma: float) -> float:
        return math.log(max(GaussianShift(math.exp(log_sigma), 1.0).delta(epsilon), 1e-300)) - math.log(delta)

    root = float(scipy.optimize.brentq(short, math.log(1e-3), math.log(1e12), xtol=1e-14, rtol=1e-15))
    return math.exp(root) * (1 + 1e-12)  # rounded towards privacy, so that δ is met and not missed by a last digit
