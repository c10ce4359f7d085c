"""The spread of people's numbers in a public range, the chance of one private yes, and the record of one run."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Declared, Interval, ParameterError

Center = Annotated[float, Interval("c", -1e6, 1e6, (-1, 1))]
CrowdSpread = Annotated[float, Interval("w", 0, 1e6, (0.02, 1), open_low=True)]


def smallest_share(epsilon: float) -> float:
    """1/(1 + e^α): the least chance of a private yes, where a no may be as likely as level α allows."""
    return math.exp(-epsilon) / (1 + math.exp(-epsilon))


def largest_share(epsilon: float) -> float:
    """e^α/(1 + e^α), the largest chance of a private yes."""
    return 1 / (1 + math.exp(-epsilon))


def z0(epsilon: float) -> float:
    """(e^α + 1)/(e^α - 1) = 1/tanh(α/2): the factor that makes a private yes right on average."""
    return 1 / math.tanh(epsilon / 2)


def yes(share: ArrayLike, epsilon: float) -> Reals:
    """The chance of a private yes where this share of people would say yes: between both ends, linear."""
    low = smallest_share(epsilon)
    return np.asarray(low + (1 - 2 * low) * np.asarray(share, dtype=np.float64))


@dataclass(frozen=True)
class UniformCrowd(Declared):
    """Numbers spread evenly over `center` ± `half_width`, inside the public range ± `reach`; mean and median agree."""

    center: Center = 0.6
    half_width: CrowdSpread = 0.1
    reach: CrowdSpread = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if abs(self.center) + self.half_width > self.reach * (1 + 1e-12):
            raise ParameterError("crowd_outside", reach=self.reach, low=self.low, high=self.high)

    @property
    def low(self) -> float:
        """The smallest number that anybody has."""
        return self.center - self.half_width

    @property
    def high(self) -> float:
        """The largest number that anybody has."""
        return self.center + self.half_width

    def above(self, threshold: ArrayLike) -> Reals:
        """P(X > t)."""
        return np.clip((self.high - np.asarray(threshold, dtype=np.float64)) / (2 * self.half_width), 0, 1)

    def held(self, low: ArrayLike, high: ArrayLike) -> Reals:
        """E of the number cut off to [low, high]: low + ∫ P(X > t) dt from low to high."""
        low, high = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
        return np.asarray(high - (self._below(high) - self._below(low)))

    def _below(self, t: Reals) -> Reals:
        """∫ P(X ≤ s) ds up to t."""
        inside = np.clip(t - self.low, 0, 2 * self.half_width)
        return np.asarray(inside**2 / (4 * self.half_width) + np.maximum(t - self.high, 0))

    def draw(self, size: int, rng: np.random.Generator) -> Reals:
        """The numbers of `size` people."""
        return rng.uniform(self.low, self.high, size)


@dataclass(frozen=True, eq=False)
class Run:
    """One run, person after person: the number each held, the question, the report and the collector's belief after it.

    `asked_low` = `asked_high` where the question is "is yours above it?"; else the question is where in this window the
    number stands, and numbers beyond count as its ends. `possible_low` and `possible_high` are what is left then.
    """

    values: Reals
    asked_low: Reals
    asked_high: Reals
    sent: NDArray[np.bool_]
    belief: Reals
    possible_low: Reals
    possible_high: Reals
    epsilon: float

    @property
    def n(self) -> int:
        """The number of people asked."""
        return len(self.values)

    def share(self, person: int, values: ArrayLike) -> Reals:
        """The chance of a yes of this person, counted from 0, without privacy, for each number they might hold."""
        low, high = float(self.asked_low[person]), float(self.asked_high[person])
        x = np.asarray(values, dtype=np.float64)
        return np.asarray(x > low, dtype=np.float64) if low == high else np.clip((x - low) / (high - low), 0, 1)

    def chance(self, person: int, values: ArrayLike) -> Reals:
        """The chance that this person says yes, for each number that they might hold."""
        return yes(self.share(person, values), self.epsilon)

    def loss(self, person: int, values: ArrayLike) -> float:
        """The largest loss of this person's answer over these numbers, after what was sent before."""
        share = self.share(person, values)
        both = yes(share, self.epsilon), yes(1 - share, self.epsilon)  # a no is as likely as a yes to the contrary
        return max(float(np.log(chance.max() / chance.min())) for chance in both)

    def first(self, people: int) -> Run:
        """The beginning of the run, up to this many people."""
        cut: dict[str, Any] = {each.name: getattr(self, each.name)[:people] for each in fields(self)[:-1]}
        return replace(self, **cut)
