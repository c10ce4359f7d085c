"""Normal noise of a curator or of one person: its size and its guarantee."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.laws.channels import GaussianShift, gaussian_levels
from ldpcore.mechanisms.base import Guarantee, Mechanism
from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.roots import brent_root
from ldpcore.parameters import Choice, ParameterError

CLASSICAL_LEVEL = 1.0  # the classical σ is proved for levels up to here
MOST_RELEASES = 10**15  # that an account counts
LEAST_DELTA, WIDEST = 1e-300, 1e8  # beyond these, doubles no longer tell which σ is the smallest
Calibration = Annotated[str, Choice(r"\sigma", ("analytic", "classical"))]


class NormalNoise(Mechanism):
    """N(0, σ²) on numbers that lie up to `distance` apart.

    Analytic: the smallest σ with Φ(Δ/2σ - εσ/Δ) - e^ε Φ(-Δ/2σ - εσ/Δ) = δ. Classical: σ = Δ√(2 ln(1.25/δ))/ε, proved
    for ε up to 1 only, and larger than need be. No σ keeps a level without δ.
    """

    epsilon: float
    delta: float
    calibration: str

    reference: ClassVar[str] = (
        "Balle, Wang (2018), Improving the Gaussian mechanism for differential privacy, theorem 8; classical: Dwork, "
        "Roth (2014), The algorithmic foundations of differential privacy, theorem A.1"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        refuse_endless(self.epsilon, self.delta)
        if self.calibration == "classical" and self.epsilon > CLASSICAL_LEVEL:
            raise ParameterError("gaussian_epsilon", got=self.epsilon)

    @property
    def distance(self) -> float:
        """The largest distance between two inputs."""
        low, high = self.worst()
        return float(abs(high - low))

    @property
    def sigma(self) -> float:
        """The standard deviation of the noise on each number."""
        size = classical_sigma if self.calibration == "classical" else analytic_sigma
        return self.distance * size(self.epsilon, self.delta)

    def guarantee(self) -> Guarantee:
        # No level holds alone, so the level is the smallest one for the declared δ, and δ is what that one needs.
        laws = self.compare(*self.worst())
        level = laws.level(self.delta)
        return Guarantee(level, laws.delta(level))

    def log_density_at(self, away: float) -> float:
        """ln of the noise's density."""
        z = away / self.sigma
        return -z * z / 2 - math.log(self.sigma * math.sqrt(2 * math.pi))

    def prices(self, times: ArrayLike) -> Reals:
        """The levels that these numbers of noises each keep together, with the δ of one, about unchanged numbers."""
        # N of them are one that is √N times smaller beside the distance: exact, and so say their ρs.
        shifts = np.sqrt(np.asarray(times, dtype=np.float64)) * self.distance / self.sigma
        return gaussian_levels(shifts, self.delta)

    def affordable(self, total: float) -> int:
        """The most releases that a total level pays for: N of them are one with √N times the shift."""

        def short(log_shift: float) -> float:
            return math.log(max(GaussianShift(1.0, math.exp(log_shift)).delta(total), 1e-300)) - math.log(self.delta)

        largest = math.exp(brent_root(short, -60.0, math.log(2 * total + 100), xtol=1e-14))
        return min(math.floor((largest * self.sigma / self.distance) ** 2 * (1 + 1e-12)), MOST_RELEASES)


def refuse_endless(epsilon: float, delta: float) -> None:
    """Refuse a δ that is no number to speak of, and a level and δ for which no σ up to `WIDEST` is enough."""
    if delta < LEAST_DELTA:
        raise ParameterError("number_from", name="delta", low=LEAST_DELTA, got=delta)
    # The classical σ is enough up to a level of 1, and what is enough there is enough at every higher level. Most
    # levels are settled by it, without the special functions that the exact δ is made of.
    enough = classical_sigma(min(epsilon, 1.0), delta) <= WIDEST
    if not enough and GaussianShift(WIDEST, 1.0).delta(epsilon) > delta:
        raise ParameterError("sigma_wide", most=WIDEST, epsilon=epsilon, delta=delta)


def classical_sigma(epsilon: float, delta: float) -> float:
    """√(2 ln(1.25/δ))/ε for answers 1 apart, proved for ε up to 1."""
    return math.sqrt(2 * math.log(1.25 / delta)) / epsilon


@lru_cache(maxsize=4096)
def analytic_sigma(epsilon: float, delta: float) -> float:
    """The smallest σ for answers 1 apart: δ falls as σ grows, so that a bracket in ln σ closes in on one number."""

    def short(log_sigma: float) -> float:
        return math.log(max(GaussianShift(math.exp(log_sigma), 1.0).delta(epsilon), 1e-300)) - math.log(delta)

    root = brent_root(short, math.log(1e-3), math.log(1e12), xtol=1e-14, rtol=1e-15)
    return math.exp(root) * (1 + 1e-12)  # rounded towards privacy, so that δ is met and not missed by a last digit
