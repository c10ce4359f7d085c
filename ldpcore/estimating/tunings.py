"""Side, threshold, largest response and split of the level, chosen before anybody answers; and schedules along n.

The choice knows how many people there are, the level, and what is assumed of the curve: that it lies between -1 and 1,
and how rough it may be. It never sees anybody's data.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Literal

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.estimating.regression import ReportSplit, Tuning
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Choice, Declared, Interval
from ldpcore.people.curves import Roughness
from ldpcore.people.partitions import MOST_CELLS

SWING = Roughness(16.0)  # a curve that goes up and down once, where nobody knows better
SPLIT = 0.45  # about the best for curves of a root mean square near 0.6: w/(1-w) = (0.6/M)^(2/3)
HEIGHT, PEAK, DEVIATION = 0.6, 0.65, 0.3  # assumed: root mean square and top of a curve, scatter of people around it
BOUNDS = tuple(float(bound) for bound in np.linspace(1, 3, 41))  # largest responses to choose from
CAUTION = 2.0  # standard deviations of a cell's share below which it says nothing
SMALLEST_THRESHOLD, LARGEST_THRESHOLD = 0.1, 1e6  # under the largest that may be set every cell sinks
STOPS: tuple[int, ...] = tuple(sorted({1, *(2**k for k in range(1, 11)), *(3 * 2**k for k in range(9))}))  # cells


def truncation_bias(bounds: ArrayLike) -> Reals:
    """The assumed loss of a response by truncation at M: E(Y - M)⁺ of a normal Y around 0.65, deviation 0.3."""
    reach = (np.asarray(bounds, dtype=np.float64) - PEAK) / DEVIATION
    density = np.exp(-(reach**2) / 2) / math.sqrt(2 * math.pi)
    beyond = np.vectorize(math.erfc, otypes=[np.float64])(reach / math.sqrt(2)) / 2
    return np.asarray(DEVIATION * (density - reach * beyond), dtype=np.float64)


def noise_of(kind: ReportSplit, epsilon: float, bound: float, part: float) -> tuple[float, float]:
    """n times the variance that the noise alone gives a cell's estimates: of its share, and of its response."""
    if kind == "halves":  # 2·(half the people)·2(2/ε)²
        return 16 / epsilon**2, 16 * bound**2 / epsilon**2
    return 8 / (part * epsilon) ** 2, 8 * (bound / ((1 - part) * epsilon)) ** 2


@lru_cache(maxsize=4096)
def automatic(
    epsilon: float,
    n: int,
    dimensions: int = 1,
    rough: Roughness = SWING,
    kind: ReportSplit = "both",
) -> Tuning:
    """The tuning for n people at a level: where truncation, bias and noise together are smallest.

    bias²(h) + truncation²(M) + (σ_ν² + m²σ_μ²)/(n h^2d) + s²/(n h^d) over fixed lists of sides and bounds; the
    threshold lies two standard deviations of the noise above nothing.
    """
    along = np.array([stop for stop in STOPS if stop**dimensions <= MOST_CELLS])[:, None]
    bounds = np.array(BOUNDS)
    location, response = noise_of(kind, epsilon, 1.0, SPLIT)
    noise = (response * bounds**2 + HEIGHT**2 * location) / n * along ** (2.0 * dimensions)
    bias = np.array([[rough.bias(1 / stop, dimensions)] for stop in along[:, 0].tolist()])
    total = bias + truncation_bias(bounds) ** 2 + noise + DEVIATION**2 / n * along ** float(dimensions)
    place, bound = (int(index) for index in np.unravel_index(int(total.argmin()), total.shape))
    side = 1 / int(along[place, 0])
    return Tuning(side, threshold_for(epsilon, n, side, dimensions, kind, SPLIT), BOUNDS[bound], SPLIT)


def threshold_for(epsilon: float, n: int, side: float, dimensions: int, kind: ReportSplit, part: float) -> float:
    """Threshold c: two standard deviations of the noise of a cell's share, over h^d; it rises as the level falls."""
    location, _ = noise_of(kind, epsilon, 1.0, part)
    return min(max(SMALLEST_THRESHOLD, CAUTION * math.sqrt(location / n) / side**dimensions), LARGEST_THRESHOLD)


# --- schedules -------------------------------------------------------------------------------------------------------

Growth = Annotated[str, Choice("M_n", ("log", "power", "constant"))]
RateExponent = Annotated[float, Interval("a", -1, 1, (0, 0.5), small=(0.125, 0.25))]
Name = Literal["side", "threshold", "bound", "noise", "growth"]
Reason = Literal["falls", "stays", "rises", "grows", "log_wins", "power_wins", "power_loses", "shrinks"]


@dataclass(frozen=True)
class Condition:
    """One condition of strong consistency: whether a schedule meets it, why, and the power of n that decides."""

    name: Name
    met: bool
    reason: Reason
    exponent: float


@dataclass(frozen=True)
class Schedule(Declared):
    """h = n^-a, c = n^-b, and M = ln n, n^g or a constant 1, in d dimensions.

    Strongly universally consistent (Berrett, Györfi, Walk, 2021) if h → 0, c → 0, M → ∞ and (ln n)³/(n c² h^2d) → 0,
    with E Y² finite and finitely many cells for each n. The last condition is made for M of the order ln n; another M
    needs M² ln n/(n α² c² h^2d) → 0 for the noise of the responses to vanish (derived here, the level being fixed).
    """

    a: RateExponent = 0.25
    b: RateExponent = 0.125
    growth: Growth = "log"
    g: RateExponent = 0.1
    dimensions: Annotated[int, Interval("d", 1, 10, (1, 5), integer=True)] = 1

    @property
    def power(self) -> float:
        """The growth of the printed condition: n^(1 - 2b - 2da) must beat (ln n)³."""
        return _clean(1 - 2 * self.b - 2 * self.dimensions * self.a)

    @property
    def growing(self) -> float:
        """The power of n with which M grows."""
        return self.g if self.growth == "power" else 0.0

    def conditions(self) -> tuple[Condition, ...]:
        """All conditions in the order in which one tells them."""
        left = _clean(self.power - 2 * self.growing)
        noise: Reason = "power_wins" if self.power > 0 else "log_wins" if self.power == 0 else "power_loses"
        also: Reason = "power_wins" if left > 0 else "log_wins" if left == 0 else "power_loses"
        return (
            _falling("side", -self.a),
            _falling("threshold", -self.b),
            self._bound(),
            Condition("noise", self.power > 0, noise, self.power),
            Condition("growth", left > 0, also, left),
        )

    def _bound(self) -> Condition:
        if self.growth == "log":
            return Condition("bound", True, "grows", 0.0)
        power = self.growing
        return Condition("bound", power > 0, "grows" if power > 0 else "shrinks" if power < 0 else "stays", power)

    @property
    def consistent(self) -> bool:
        """Whether all conditions are met."""
        return all(condition.met for condition in self.conditions())

    def along(self, sizes: Reals, epsilon: float = 1.0) -> dict[Name, Reals]:
        """The quantities that must vanish, for each n: h, c, 1/M, (ln n)³/(n c² h^2d), M² ln n/(n α² c² h^2d)."""
        n, logs = np.asarray(sizes, dtype=np.float64), np.log(sizes)
        bound = {"log": logs, "power": n**self.g, "constant": np.ones_like(n)}[self.growth]
        share = n**self.power
        return {
            "side": n**-self.a,
            "threshold": n**-self.b,
            "bound": 1 / bound,
            "noise": logs**3 / share,
            "growth": bound**2 * logs / (share * epsilon**2),
        }


def _falling(name: Name, exponent: float) -> Condition:
    return Condition(name, exponent < 0, "falls" if exponent < 0 else "rises" if exponent > 0 else "stays", exponent)


def _clean(value: float) -> float:
    """A sum of exponents, 0 where it is 0 up to rounding."""
    return 0.0 if abs(value) < 1e-12 else value
