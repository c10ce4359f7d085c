"""Notions of privacy side by side: what each permits the two errors of a guess to be, for one noise."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np
import scipy

from ldpcore.accounting.composition import gaussian_divergences, renyi_level
from ldpcore.laws.channels import Comparison, GaussianShift, LaplaceShift
from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Choice, Declared, Delta, Epsilon, Interval
from ldpcore.questions import Progress, Public, Question, no_progress

Notion = Annotated[str, Choice(r"\text{notion}", ("pure", "approximate", "renyi", "concentrated", "gaussian"))]
NoiseShape = Annotated[str, Choice(r"Q", ("coin", "laplace", "normal"))]
DivergenceOrder = Annotated[float, Interval("a", 1, 100, (1.1, 32), scale="log", open_low=True)]
FEW_ORDERS = 1 + np.geomspace(1e-4, 300, 200)  # of a ρ, in the picture: right to 3e-4 of its height
HALVINGS = 45  # of an interval in which an error lies


class PairLaws(ABC):
    """The reports of two inputs as far apart as inputs can be: the laws P and Q of one noise at a level."""

    def __init__(self, level: float) -> None:
        self.level = level

    @property
    @abstractmethod
    def comparison(self) -> Comparison:
        """The two laws side by side."""

    @abstractmethod
    def missed(self, alarms: Reals) -> Reals:
        """The smallest error of the second kind at each error of the first kind: the trade-off curve."""

    @abstractmethod
    def renyi(self, orders: Reals) -> Reals:
        """Rényi's divergence D_a(P‖Q) at orders above 1; alike in both directions."""

    @property
    @abstractmethod
    def divergence(self) -> float:
        """Kullback and Leibler's divergence, the order 1."""

    @property
    @abstractmethod
    def even(self) -> float:
        """The error at which both kinds are equally likely."""

    @property
    def rho(self) -> float:
        """The smallest ρ with D_a ≤ ρ a at all orders a: D_a/a never rises with a, so that the order 1 decides."""
        return self.divergence

    @property
    def mu(self) -> float:
        """The smallest μ whose normal pair is nowhere harder to tell apart: by the point of equal errors."""
        return float(-2 * scipy.special.ndtri(self.even))


class CoinLaws(PairLaws):
    """Randomized response."""

    @property
    def comparison(self) -> Comparison:
        return RandomizedResponse(self.level).compare(0, 1)

    def missed(self, alarms: Reals) -> Reals:
        return permitted_purely(alarms, self.level)

    def renyi(self, orders: Reals) -> Reals:
        # ln(p^a q^{1-a} + q^a p^{1-a})/(a - 1), with ln p - ln q = ε.
        p, q = -np.log1p(math.exp(-self.level)), -self.level - np.log1p(math.exp(-self.level))
        excess = orders - 1
        return np.asarray(np.logaddexp(p + excess * self.level, q - excess * self.level) / excess, dtype=np.float64)

    @property
    def divergence(self) -> float:
        return self.level * math.tanh(self.level / 2)

    @property
    def even(self) -> float:
        return float(scipy.special.expit(-self.level))


class LaplaceLaws(PairLaws):
    """Laplace noise of scale 1/α around two numbers that lie 1 apart."""

    @property
    def comparison(self) -> Comparison:
        return LaplaceShift(1 / self.level, 1.0)

    def missed(self, alarms: Reals) -> Reals:
        # A threshold between the centers errs with e^{-t}/2 and e^{t - ε}/2: their product is e^{-ε}/4.
        middle = math.exp(-self.level) / np.maximum(4 * alarms, 1e-300)
        low, high = 1 - math.exp(self.level) * alarms, math.exp(-self.level) * (1 - alarms)
        return np.where(alarms < self.even**2 * 2, low, np.where(alarms > 0.5, high, middle))

    def renyi(self, orders: Reals) -> Reals:
        # Mironov (2017), proposition 6: a/(2a - 1) e^{(a-1)ε} + (a - 1)/(2a - 1) e^{-aε}.
        forth = np.log(orders / (2 * orders - 1)) + (orders - 1) * self.level
        back = np.log((orders - 1) / (2 * orders - 1)) - orders * self.level
        return np.asarray(np.logaddexp(forth, back) / (orders - 1), dtype=np.float64)

    @property
    def divergence(self) -> float:
        return self.level + math.expm1(-self.level)

    @property
    def even(self) -> float:
        return math.exp(-self.level / 2) / 2


class NormalLaws(PairLaws):
    """Normal noise of standard deviation 1/α around two numbers that lie 1 apart."""

    @property
    def comparison(self) -> Comparison:
        return GaussianShift(1 / self.level, 1.0)

    def missed(self, alarms: Reals) -> Reals:
        return permitted_normally(alarms, self.level)

    def renyi(self, orders: Reals) -> Reals:
        return np.asarray(orders * self.level**2 / 2, dtype=np.float64)

    @property
    def divergence(self) -> float:
        return self.level**2 / 2

    @property
    def even(self) -> float:
        return float(scipy.special.ndtr(-self.level / 2))


LAWS: dict[str, type[PairLaws]] = {"coin": CoinLaws, "laplace": LaplaceLaws, "normal": NormalLaws}


def permitted_purely(alarms: Reals, epsilon: float, delta: float = 0.0) -> Reals:
    """The least error of the second kind under (ε, δ): max(0, 1 - δ - e^ε x, e^{-ε}(1 - δ - x))."""
    steep, flat = 1 - delta - math.exp(epsilon) * alarms, math.exp(-epsilon) * (1 - delta - alarms)
    return np.maximum(np.maximum(steep, flat), 0.0)


def permitted_normally(alarms: Reals, mu: float) -> Reals:
    """The least error of the second kind under Gaussian privacy: Φ(Φ⁻¹(1 - x) - μ)."""
    return np.asarray(scipy.special.ndtr(-scipy.special.ndtri(alarms) - mu), dtype=np.float64)


def permitted_by_orders(alarms: Reals, orders: Reals, bounds: Reals) -> Reals:
    """The least error of the second kind where D_a ≤ bound at each order, by halving.

    A guess turns both laws into coins, whose divergences are smaller (data processing); and a pair of coins that keeps
    the bounds is itself a mechanism that the notion permits. So no error is left out, and none is too many.
    """
    x = np.clip(alarms, 1e-300, 1 - 1e-16)
    low, high = np.zeros_like(x), 1 - x
    for _ in range(HALVINGS):
        y = (low + high) / 2
        kept = _coins_keep(x, y, orders, bounds)
        low, high = np.where(kept, low, y), np.where(kept, y, high)
    return high


def _coins_keep(x: Reals, y: Reals, orders: Reals, bounds: Reals) -> np.ndarray:
    """Whether the coins (1 - y, y) and (x, 1 - x) keep all bounds, in both directions."""
    with np.errstate(divide="ignore"):
        one, other = (np.log1p(-y), np.log(y)), (np.log(x), np.log1p(-x))
    excess, most = (orders - 1)[:, None], (bounds * (orders - 1))[:, None]
    forth = np.logaddexp(one[0] + excess * (one[0] - other[0]), one[1] + excess * (one[1] - other[1]))
    back = np.logaddexp(other[0] + excess * (other[0] - one[0]), other[1] + excess * (other[1] - one[1]))
    return np.asarray((np.maximum(forth, back) <= most + 1e-15).all(axis=0))


@dataclass(frozen=True)
class NotionOfPrivacy(Question["NotionOfPrivacyResult"], Declared):
    """One notion, one noise: the smallest parameter with which the noise keeps the notion, and what that permits."""

    epsilon: Epsilon
    notion: Notion = "approximate"
    noise: NoiseShape = "laplace"
    order: DivergenceOrder = 2.0
    delta: Delta = 0.01

    def run(self, progress: Progress = no_progress) -> NotionOfPrivacyResult:
        alarms = np.unique(np.concatenate([np.geomspace(1e-6, 0.1, 40), np.linspace(0.1, 1, 61), [self.laws.even]]))
        return NotionOfPrivacyResult(self, alarms, self.laws.missed(alarms), self.permitted(alarms))

    @property
    def laws(self) -> PairLaws:
        """The two laws of the reports."""
        return LAWS[self.noise](self.epsilon)

    def level_at(self, delta: float) -> float:
        """The smallest ε that the noise keeps with this δ, exactly."""
        return self.laws.comparison.level(delta)

    @cached_property
    def parameter(self) -> float:
        """The smallest parameter of the notion; infinite where no number is large enough."""
        found: dict[str, Callable[[], float]] = {
            "pure": self.laws.comparison.loss,
            "approximate": lambda: self.level_at(self.delta),
            "renyi": lambda: float(self.laws.renyi(np.array([self.order]))[0]),
            "concentrated": lambda: self.laws.rho,
            "gaussian": lambda: self.laws.mu,
        }
        return float(found[self.notion]())

    @property
    def implied(self) -> float:
        """The ε that every mechanism with this parameter of the notion keeps with δ."""
        if self.notion == "renyi":  # Canonne, Kamath, Steinke (2020), proposition 12
            a = self.order
            return max(self.parameter + math.log1p(-1 / a) - math.log(self.delta * a) / (a - 1), 0.0)
        if self.notion == "concentrated":
            return max(renyi_level(gaussian_divergences(self.parameter), self.delta), 0.0)
        if self.notion == "gaussian":
            return GaussianShift(1.0, self.parameter).level(self.delta)
        if self.notion == "pure" and math.isfinite(self.parameter):  # the worst is a coin
            return RandomizedResponse(self.parameter).compare(0, 1).level(self.delta)
        return self.parameter

    def permitted(self, alarms: Reals) -> Reals:
        """The least error of the second kind that the notion permits at each of the first kind."""
        if self.notion == "pure":
            return permitted_purely(alarms, self.parameter) if math.isfinite(self.parameter) else 0 * alarms
        if self.notion == "approximate":
            return permitted_purely(alarms, self.parameter, self.delta)
        if self.notion == "gaussian":
            return permitted_normally(alarms, self.parameter)
        if self.notion == "renyi":
            return permitted_by_orders(alarms, np.array([self.order]), np.array([self.parameter]))
        return permitted_by_orders(alarms, FEW_ORDERS, self.parameter * FEW_ORDERS)


@dataclass(frozen=True, eq=False)
class NotionOfPrivacyResult(Public):
    """The errors of the best guesses about one noise, and the least errors that the notion permits."""

    experiment: NotionOfPrivacy
    alarms: Reals
    missed: Reals
    permitted: Reals
