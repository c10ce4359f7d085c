"""The releases of an account, described by their privacy alone, and the account of many of them.

A description knows its guarantee, its concentration, its Rényi divergences and its losses on any lattice; `Account`
asks every rule and the convolution, and says which level is smallest.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated, ClassVar

import numpy as np
import scipy

from ldpcore.accounting.composition import (
    ORDERS,
    advanced,
    basic,
    coin_divergences,
    concentrated_of,
    concentration,
    gaussian_divergences,
    renyi_level,
)
from ldpcore.accounting.privacylosses import TAIL, Lattice, Losses, coin_losses, common_step, convolved, refuse_too_many
from ldpcore.mechanisms.base import Guarantee
from ldpcore.mechanisms.gaussiannoise import analytic_sigma, refuse_endless
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Declared, Delta, Interval, Probability
from ldpcore.questions import Progress, no_progress, part

COMPOSITION_RULES = ("basic", "advanced", "zcdp", "renyi", "exact")
# Levels from here on have squares, and steps of a lattice, that are numbers in full precision.
Level = Annotated[float, Interval(r"\varepsilon", 1e-100, 50, (0.01, 10), scale="log")]
MOST_NORMAL = 1 << 19  # points of normal losses under both inputs; beyond, under the first input alone


class AccountedRelease(Declared, ABC):
    """One release of an account."""

    slug: ClassVar[str]

    @property
    @abstractmethod
    def guarantee(self) -> Guarantee:
        """The level of this release alone."""

    @property
    def failure(self) -> float:
        """The chance of failure beside the loss: it adds up under every rule."""
        return 0.0

    def sharing(self, share: float) -> AccountedRelease:
        """This release where it has a level of its own; else with the share of the allowed δ at which it has one."""
        return self

    pool: ClassVar[str] = ""  # the name of all those whose ρ add up to one that stands for them together

    def pooled(self, rho: float, step: float) -> Lattice:
        """The joint losses of its pool, whose ρ add up to this one, on a lattice."""
        raise NotImplementedError(self.slug)

    @property
    def two_sided(self) -> bool:
        """Whether one person more and one person less make different laws of the losses."""
        return False

    @property
    @abstractmethod
    def rho(self) -> float:
        """The zero-concentration of this release."""

    @abstractmethod
    def divergences(self) -> Reals:
        """The Rényi divergences of this release at `ORDERS`."""

    @abstractmethod
    def lattice(self, step: float) -> Lattice:
        """The losses of this release on a lattice."""

    def mirrored(self, step: float) -> Lattice:
        """The losses where a person is added, on a lattice; `lattice` has those where the person is taken out."""
        return self.lattice(step)

    @abstractmethod
    def reach(self) -> float:
        """The largest loss, but for a chance below `TAIL`."""

    def width(self) -> float:
        """The usual distance of losses from their mean, which sets the lattice."""
        return self.reach()


@dataclass(frozen=True)
class AnyRelease(AccountedRelease):
    """Any (ε, δ)-private release: at worst certain betrayal with probability δ, and the coins of ε otherwise."""

    epsilon: Level
    delta: Probability = 0.0

    slug: ClassVar[str] = "any"

    @property
    def guarantee(self) -> Guarantee:
        return Guarantee(self.epsilon, self.delta)

    @property
    def failure(self) -> float:
        return self.delta

    @property
    def rho(self) -> float:
        return concentration(self.epsilon)

    def divergences(self) -> Reals:
        return coin_divergences(self.epsilon)

    def lattice(self, step: float) -> Lattice:
        return coin_losses(self.epsilon, self.delta, step)

    def reach(self) -> float:
        return self.epsilon


@dataclass(frozen=True)
class LaplaceRelease(AccountedRelease):
    """Laplace noise made for ε, whose losses lie anywhere between -ε and ε: composed, it costs less than coins."""

    epsilon: Level

    slug: ClassVar[str] = "laplace"

    @property
    def guarantee(self) -> Guarantee:
        return Guarantee(self.epsilon)

    @property
    def rho(self) -> float:
        return concentration(self.epsilon)

    def divergences(self) -> Reals:
        """ln(a/(2a-1) e^{(a-1)ε} + (a-1)/(2a-1) e^{-aε})/(a-1). Mironov (2017), proposition 6."""
        a = np.array(ORDERS)
        logs = np.logaddexp(
            np.log(a / (2 * a - 1)) + (a - 1) * self.epsilon, np.log((a - 1) / (2 * a - 1)) - a * self.epsilon
        )
        return np.asarray(np.maximum(logs, 0.0) / (a - 1), dtype=np.float64)

    def lattice(self, step: float) -> Lattice:
        # The loss is ε with mass 1/2, -ε with mass e^{-ε}/2, and has the density e^{(l-ε)/2}/4 between; under the other
        # input e^{-(l+ε)/2}/4.
        refuse_too_many(2 * self.epsilon / step + 3)
        reach = math.ceil(self.epsilon / step)
        ends = np.clip(step * np.arange(-reach, reach + 1), -self.epsilon, self.epsilon)
        first = np.diff(np.exp((ends - self.epsilon) / 2)) / 2
        second = -np.diff(np.exp(-(ends + self.epsilon) / 2)) / 2
        inner = Lattice.of_cells(first, second, -reach, step)
        tips = np.array([self.epsilon, -self.epsilon])
        edge = Lattice.of_outcomes(np.array([0.5, math.exp(-self.epsilon) / 2]), tips, step)
        masses = np.zeros(2 * reach + 3)
        masses[1 : 1 + len(inner.masses)] = inner.masses
        start = edge.lowest + reach + 1
        masses[start : start + len(edge.masses)] += edge.masses[: len(masses) - start]
        return Lattice(step, -reach - 1, masses)

    def reach(self) -> float:
        return self.epsilon


class NormalLosses(AccountedRelease):
    """Normal noise, however its size is said: its losses are normal, and the ρ of many add up to the ρ of all."""

    pool: ClassVar[str] = "normal"

    def pooled(self, rho: float, step: float) -> Lattice:
        return normal_losses(rho, step)

    def divergences(self) -> Reals:
        return gaussian_divergences(self.rho)

    def lattice(self, step: float) -> Lattice:
        return normal_losses(self.rho, step)

    def reach(self) -> float:
        return self.rho + 8.3 * math.sqrt(2 * self.rho)


@dataclass(frozen=True)
class NormalRelease(NormalLosses):
    """Normal noise with the smallest σ for (ε, δ): its losses are normal too, and squares of Δ/σ add up exactly."""

    epsilon: Level
    delta: Delta

    slug: ClassVar[str] = "gauss"

    def __post_init__(self) -> None:
        super().__post_init__()
        refuse_endless(self.epsilon, self.delta)

    @property
    def guarantee(self) -> Guarantee:
        return Guarantee(self.epsilon, self.delta)

    @cached_property
    def rho(self) -> float:
        return 1 / (2 * analytic_sigma(self.epsilon, self.delta) ** 2)


def normal_losses(rho: float, step: float) -> Lattice:
    """Losses with the normal law of mean ρ and variance 2ρ; under the other input the mean is -ρ.

    Where there is no room for the losses that the other input makes likely, they are left out: they betray less.
    """
    width = math.sqrt(2 * rho)
    reach = -scipy.special.ndtri(TAIL) * width
    least, most = -rho - reach, rho + reach
    if (most - least) / step > MOST_NORMAL:
        least = rho - reach
    refuse_too_many((most - least) / step + 2)
    lowest = math.floor(least / step)
    ends = step * np.arange(lowest, math.ceil(most / step) + 1)
    below = scipy.special.ndtr
    first, second = (
        np.where(ends[1:] < mean, np.diff(below((ends - mean) / width)), -np.diff(below((mean - ends) / width)))
        for mean in (rho, -rho)
    )
    cells = Lattice.of_cells(first, second, lowest, step)
    cells.masses[0] += float(below((ends[0] - rho) / width))  # what lies lower still betrays less
    return Lattice(step, lowest, cells.masses, float(below((rho - ends[-1]) / width)))


@dataclass(frozen=True)
class Account(Declared):
    """Releases about the same people, each with its number of times, and the δ allowed for all of them together."""

    releases: tuple[tuple[AccountedRelease, int], ...]
    delta: Delta

    @classmethod
    def sharing(cls, releases: Iterable[tuple[AccountedRelease, int]], delta: float) -> Account:
        """An account in which releases without a δ of their own share half of what the others leave of the allowed one.

        Each then has a level that can be added up; the other half is left to what is composed.
        """
        listed = tuple(releases)
        open_ = math.fsum(times for one, times in listed if math.isinf(one.guarantee.epsilon))
        spent = math.fsum(times * one.guarantee.delta for one, times in listed)
        if spent >= delta:  # then nothing can be added up, and normal noise needs no δ of its own
            spent = math.fsum(times * one.failure for one, times in listed)
        share = max(delta - spent, 0.0) / (2 * open_) if open_ else 0.0
        return cls(tuple((one.sharing(share), times) for one, times in listed), delta)

    @property
    def endless(self) -> bool:
        """Whether some release has no level at all."""
        return any(math.isinf(one.guarantee.epsilon) for one, _ in self.releases)

    @property
    def times(self) -> int:
        """The number of releases."""
        return sum(times for _, times in self.releases)

    @property
    def slack(self) -> float:
        """The part of the allowed δ that single releases leave; 0 or less where they leave nothing."""
        return self.delta - math.fsum(times * one.failure for one, times in self.releases)

    def basic(self) -> Guarantee:
        """Levels and δs added up."""
        return basic(
            [Guarantee(times * one.guarantee.epsilon, times * one.guarantee.delta) for one, times in self.releases]
        )

    def level(self, rule: str, points: int = 1 << 18, progress: Progress = no_progress) -> float:
        """The level of all releases together at the allowed δ by one of `RULES`; infinite where the rule gives none."""
        if not self.releases:
            return 0.0
        if rule == "basic":
            added = self.basic()
            return added.epsilon if added.delta <= self.delta else math.inf
        if rule == "exact":
            return math.inf if self.endless else self.exact(points, progress).level(self.delta)
        return self._bound(rule) if self.slack > 0 else math.inf

    def _bound(self, rule: str) -> float:
        if rule == "advanced":
            spare = self.delta - math.fsum(times * one.guarantee.delta for one, times in self.releases)
            levels = np.array([one.guarantee.epsilon for one, _ in self.releases])
            counts = np.array([times for _, times in self.releases], dtype=np.float64)
            return advanced(levels, spare, counts) if spare > 0 else math.inf
        if rule == "zcdp":
            return concentrated_of(math.fsum(times * one.rho for one, times in self.releases), self.slack)
        total = np.sum([times * one.divergences() for one, times in self.releases], axis=0)
        return renyi_level(total, self.slack)

    def exact(self, points: int = 1 << 18, progress: Progress = no_progress) -> Composed:
        """The convolution of all losses, on about `points` points."""
        return Composed(self, points, progress)


@dataclass(frozen=True)
class Composed:
    """The losses of an account: never below the truth, with a bound on the excess.

    `progress` is told what share is done of `fine` and `coarse` together.
    """

    account: Account
    points: int = 1 << 18
    progress: Progress = field(default=no_progress, compare=False, repr=False)
    mirrored: bool = False  # whether the person is added, where that makes a difference

    @cached_property
    def twin(self) -> Composed | None:
        """The losses of the other side, where they differ: the larger δ of both holds."""
        one_side = self.mirrored or not any(one.two_sided for one, _ in self.account.releases)
        return None if one_side else replace(self, mirrored=True, progress=no_progress)

    @cached_property
    def parts(self) -> tuple[tuple[AccountedRelease, int], ...]:
        """The releases, equal ones together; those of nearly the same level as the larger one where there are many."""
        return tuple(merged(self.account.releases))

    @cached_property
    def step(self) -> tuple[float, bool]:
        """The step of the lattice, and whether all losses lie on it, so that nothing is rounded."""
        width = sum(times * one.width() ** 2 for one, times in self.parts)
        points = self.points if len(self.parts) <= FEW_PARTS else min(self.points, 1 << 16)
        typical = min(2 * sum(times * one.reach() for one, times in self.parts), 17 * math.sqrt(width)) + max(
            one.reach() for one, _ in self.parts
        )
        shared = common_step([one.reach() for one, _ in self.parts])
        if all(isinstance(one, AnyRelease) for one, _ in self.parts) and shared and typical / shared <= points:
            return shared, True
        return typical / points, False

    def _at(self, step: float, progress: Progress) -> tuple[Losses, float]:
        alone = [(one, times) for one, times in self.parts if not one.pool]
        parts = [(one.mirrored(step) if self.mirrored else one.lattice(step), times) for one, times in alone]
        pools = {one.pool: one for one, _ in self.parts if one.pool}
        for name, one in pools.items():
            rho = math.fsum(times * each.rho for each, times in self.parts if each.pool == name)
            parts.append((one.pooled(rho, step), 1))
        return convolved(parts, progress)

    @cached_property
    def fine(self) -> tuple[Losses, float]:
        """The law of the sum of all losses, and the mass that may have been lost."""
        return self._at(self.step[0], part(self.progress, 0.0, 0.6))

    @cached_property
    def coarse(self) -> Losses:
        """The law of the sum on half as many points, which betrays more: the difference bounds what the points cost."""
        return self._at(2 * self.step[0], part(self.progress, 0.6, 1.0))[0]

    def delta(self, epsilon: float) -> float:
        """The δ at ε, never too small."""
        own = min(self.fine[0].delta(epsilon), 1.0)
        return own if self.twin is None else max(own, self.twin.delta(epsilon))

    def error(self, epsilon: float) -> float:
        """A bound on the excess of this δ: the change from halving the points, three times what theory expects."""
        rounding = 0.0 if self.step[1] else max(self.coarse.delta(epsilon) - self.fine[0].delta(epsilon), 0.0)
        own = rounding + self.fine[1]
        return own if self.twin is None else max(own, self.twin.error(epsilon))

    def level(self, delta: float) -> float:
        """The smallest ε at this δ, never too small."""
        own = self.fine[0].level(delta)
        return own if self.twin is None else max(own, self.twin.level(delta))


FEW_PARTS, MOST_PARTS = 48, 256  # different releases; each takes a transform of its own


def merged(releases: Iterable[tuple[AccountedRelease, int]]) -> Iterable[tuple[AccountedRelease, int]]:
    """Equal releases together; of too many different levels of a kind, neighbors at the larger one, which is safe."""
    counts: dict[AccountedRelease, int] = {}
    for one, times in releases:
        counts[one] = counts.get(one, 0) + times
    if len(counts) <= MOST_PARTS:
        return counts.items()
    few: dict[AccountedRelease, int] = {
        one: n for one, n in counts.items() if type(one) not in (AnyRelease, LaplaceRelease)
    }
    for kind in (AnyRelease, LaplaceRelease):
        members = sorted((one for one in counts if type(one) is kind), key=lambda one: one.guarantee.epsilon)
        for group in np.array_split(np.arange(len(members)), min(MOST_PARTS // 2, max(len(members), 1))):
            if len(group):
                top = members[group[-1]]
                delta = max(members[place].failure for place in group)
                safe = AnyRelease(top.guarantee.epsilon, delta) if kind is AnyRelease else top
                few[safe] = few.get(safe, 0) + sum(counts[members[place]] for place in group)
    return few.items()
