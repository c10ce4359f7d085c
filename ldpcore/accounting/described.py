"""Releases that are described by more or by less than a level: by σ, by ρ, by a share of the people, by their range.

A release without a level of its own gets a share of the allowed δ, at which it has one; rules that do not add levels up
never use it.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Annotated, ClassVar

import numpy as np
import scipy

from ldpcore.accounting.composition import ORDERS, coin_divergences, gaussian_divergences, renyi_level
from ldpcore.accounting.concentrated import ConcentratedLosses
from ldpcore.accounting.privacylosses import TAIL, Lattice, refuse_too_many
from ldpcore.accounting.releases import AccountedRelease, AnyRelease, NormalLosses
from ldpcore.laws.channels import GaussianShift
from ldpcore.mechanisms.base import Guarantee
from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.roots import brent_root
from ldpcore.parameters import Interval, Probability

# A noise below a tenth of what it hides hides nothing; a billion times as much is no number to speak of.
Sigma = Annotated[float, Interval(r"\sigma", 0.1, 1e9, (0.5, 100), scale="log")]
Rho = Annotated[float, Interval(r"\rho", 1e-18, 50, (0.001, 1), scale="log")]
Rate = Annotated[float, Interval("q", 1e-9, 1, (0.001, 1), scale="log")]
LARGEST_ORDER = 128.0  # up to here divergences of a sampled release are computed; beyond, those of the whole one hold


@dataclass(frozen=True)
class ExponentialRelease(AnyRelease):
    """The exponential mechanism, whose losses have a range of ε: concentrated by ε²/8, a quarter of what ε alone says.

    Dong, Durfee, Rogers (2020), Optimal differential privacy composition for exponential mechanisms; Cesar, Rogers
    (2021), Bounding, concentrating, and truncating, lemma 3.4.
    """

    slug: ClassVar[str] = "exponential"

    @property
    def rho(self) -> float:
        return self.epsilon**2 / 8

    def divergences(self) -> Reals:
        return np.minimum(coin_divergences(self.epsilon), gaussian_divergences(self.rho))


class Shared(AccountedRelease, ABC):
    """A release that has no level of its own, but one at each share of the allowed δ; without a share it has none."""

    share: float  # declared by each, behind what describes it

    def sharing(self, share: float) -> AccountedRelease:
        return replace(self, share=share)  # type: ignore[type-var]

    @cached_property
    def guarantee(self) -> Guarantee:
        return Guarantee(self._level(self.share) if self.share else math.inf, self.share)

    @abstractmethod
    def _level(self, delta: float) -> float:
        """The level of the release at a δ."""


@dataclass(frozen=True)
class SigmaRelease(Shared, NormalLosses):
    """Normal noise whose standard deviation is σ times what one person changes: ρ = 1/(2σ²)."""

    sigma: Sigma
    share: Probability = 0.0

    slug: ClassVar[str] = "sigma"

    def _level(self, delta: float) -> float:
        return GaussianShift(self.sigma, 1.0).level(delta)

    @property
    def rho(self) -> float:
        return 1 / (2 * self.sigma**2)


@dataclass(frozen=True)
class RhoRelease(Shared, ConcentratedLosses):
    """Any ρ-concentrated release (zCDP): its divergences are at most aρ, and nothing more is known of its losses."""

    zcdp: Rho
    share: Probability = 0.0

    slug: ClassVar[str] = "zcdp"

    def _level(self, delta: float) -> float:
        return renyi_level(self.divergences(), delta)

    @property
    def rho(self) -> float:
        return self.zcdp


@dataclass(frozen=True)
class SampledRelease(Shared):
    """Normal noise on a sample in which everybody is with probability q (as in private training): mixture and noise.

    With the person the report is (1 - q) N(0, σ²) + q N(1, σ²), without N(0, σ²); both directions are composed.
    Abadi and others (2016), Deep learning with differential privacy; Zhu, Dong, Wang (2022), Optimal accounting of
    differential privacy via characteristic function, theorem 11.
    """

    sigma: Sigma
    rate: Rate
    share: Probability = 0.0

    slug: ClassVar[str] = "sampled"

    @property
    def two_sided(self) -> bool:
        return self.rate < 1

    @property
    def rho(self) -> float:
        """The ρ of the noise on everybody: as orders grow, that of a sample comes to it, and never exceeds it."""
        return 1 / (2 * self.sigma**2)

    def divergences(self) -> Reals:
        """The divergences for one person less, which are the larger ones. Mironov, Talwar, Zhang (2019), theorem 5."""
        return _sampled_divergences(self.sigma, self.rate)

    def _delta(self, epsilon: float) -> float:
        """The δ at ε, the larger of both directions: the report is sure above a threshold, or below one."""
        s, q, below = self.sigma, self.rate, scipy.special.ndtr
        x = float(self._at(np.array([epsilon]))[0]) / s
        out = q * below(1 / s - x) + (1 - q) * below(-x) - math.exp(epsilon + float(scipy.special.log_ndtr(-x)))
        if math.exp(-epsilon) <= 1 - q:  # where a person is added no report says more than 1/(1 - q)
            return max(float(out), 0.0)
        y = float(self._at(np.array([-epsilon]))[0]) / s
        into = below(y) - math.exp(epsilon) * ((1 - q) * below(y) + q * below(y - 1 / s))
        return max(float(out), float(into), 0.0)

    def _level(self, delta: float) -> float:
        if self._delta(0.0) <= delta:
            return 0.0
        most = self.reach()
        if self._delta(most) > delta:
            return min(GaussianShift(self.sigma, 1.0).level(delta), renyi_level(self.divergences(), delta))
        return brent_root(lambda epsilon: self._delta(epsilon) - delta, 0.0, most, xtol=1e-12) + 1e-12

    def _loss(self, x: float) -> float:
        """ln of how much likelier a report is with the person."""
        return float(np.logaddexp(math.log1p(-self.rate) if self.rate < 1 else -np.inf, self._log(x)))

    def _log(self, x: float) -> float:
        return math.log(self.rate) + (2 * x - 1) / (2 * self.sigma**2)

    def _at(self, losses: Reals) -> Reals:
        """The report that has a loss; -∞ for a loss that none has."""
        with np.errstate(divide="ignore", invalid="ignore"):
            rest = np.log1p(-(1 - self.rate) * np.exp(-losses))  # e^l - (1 - q) = e^l (1 - (1 - q) e^{-l})
            place = self.sigma**2 * (losses + rest - math.log(self.rate)) + 0.5
        return np.where(np.isnan(place), -np.inf, place)

    def _cells(self, step: float) -> tuple[Reals, Reals, int, float]:
        """The masses of the losses between each two points with and without the person, and the mass above."""
        top, least = self.reach(), math.log1p(-self.rate) if self.rate < 1 else -self.reach()
        refuse_too_many((top - least) / step + 3)
        lowest, highest = math.floor(least / step), math.ceil(top / step)
        x = self._at(np.asarray(step * np.arange(lowest, highest + 1), dtype=np.float64)) / self.sigma
        if self.rate < 1:
            x[0] = -np.inf
        without = _between(x)
        with_ = (1 - self.rate) * without + self.rate * _between(x - 1 / self.sigma)
        tail = scipy.special.ndtr(-x[-1])
        above = (1 - self.rate) * tail + self.rate * scipy.special.ndtr(1 / self.sigma - x[-1])
        return with_, without, lowest, float(above)

    def lattice(self, step: float) -> Lattice:
        with_, without, lowest, above = self._cells(step)
        return Lattice.of_cells(with_, without, lowest, step, above)

    def mirrored(self, step: float) -> Lattice:
        with_, without, lowest, _ = self._cells(step)
        cells = Lattice.of_cells(without[::-1], with_[::-1], -(lowest + len(without)), step)
        cells.masses[0] += max(1 - float(without.sum()), 0.0)  # what is lower still betrays less
        return cells

    def reach(self) -> float:
        return max(self._loss(1 - self.sigma * float(scipy.special.ndtri(TAIL))), 1e-9)

    @cached_property
    def _spread(self) -> float:
        x = np.linspace(-9 * self.sigma, 1 + 9 * self.sigma, 4001)
        loss = np.array([self._loss(float(each)) for each in x], dtype=np.float64)
        weight = (1 - self.rate) * np.exp(-0.5 * (x / self.sigma) ** 2)
        weight = weight + self.rate * np.exp(-0.5 * ((x - 1) / self.sigma) ** 2)
        return math.sqrt(float(np.sum(weight * loss**2) / np.sum(weight)))

    def width(self) -> float:
        return min(self._spread, self.reach())


def _between(x: Reals) -> Reals:
    """The normal mass between each two places, from the tail that keeps its digits."""
    below = scipy.special.ndtr
    return np.asarray(np.where(x[1:] < 0, np.diff(below(x)), -np.diff(below(-x))), dtype=np.float64)


@lru_cache(maxsize=64)
def _sampled_divergences(sigma: float, rate: float) -> Reals:
    """ln ∫ N(x) (1 - q + q e^{(2x-1)/2σ²})^a dx/(a - 1) by the trapezoidal rule, at `ORDERS`; from above beyond."""
    orders = np.array(ORDERS)
    computed = gaussian_divergences(1 / (2 * sigma**2))
    step = min(sigma / 6, sigma**2 / 3)
    for place, a in enumerate(orders[orders <= LARGEST_ORDER]):
        x = np.arange(-12 * sigma, a + 12 * sigma + step, step)
        ratio = np.logaddexp(math.log1p(-rate) if rate < 1 else -np.inf, math.log(rate) + (2 * x - 1) / (2 * sigma**2))
        logs = a * ratio - 0.5 * (x / sigma) ** 2 - math.log(sigma * math.sqrt(2 * math.pi)) + math.log(step)
        computed[place] = min(computed[place], max(float(scipy.special.logsumexp(logs)), 0.0) * (1 + 1e-9) / (a - 1))
    return computed
