"""Two worlds, the mechanisms whose channel can be listed whole, and the base of every question about them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
import scipy

from ldpcore.costs import MEGABYTE, Cost
from ldpcore.laws import divergences
from ldpcore.laws.channels import Pair
from ldpcore.laws.contraction import pushed
from ldpcore.laws.products import by_ratio
from ldpcore.mechanisms import of_kind
from ldpcore.mechanisms.base import CategoryRandomizer
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Declared, ParameterError, declarations

MOST_OUTCOMES = 12  # answers a person may hold: the channel of every mechanism is listed whole
DOUBLED_USERS = tuple(2**power for power in range(31))  # one to a billion
REACH = 3.0  # standard deviations to either side of a bell's middle that are cut into cells
LARGE = 1e300  # of a weight
Law = tuple[float, ...]


def law(weights: Sequence[float]) -> Law:
    """Weights as probabilities; those that already sum to 1 stay as they are, to the last digit."""
    held = np.asarray(weights, dtype=np.float64)
    if held.size and math.inf > np.abs(held).max() > LARGE:
        held = held / np.abs(held).max()  # whose sum would be endless
    if held.ndim != 1 or not 2 <= len(held) <= MOST_OUTCOMES or not np.isfinite(held).all() or not held.sum() > 0:
        raise ParameterError("weights", least=2, most=MOST_OUTCOMES, got=len(held))
    if (held < 0).any():
        raise ParameterError("law_negative", got=float(held.min()))
    total = float(held.sum())
    return tuple((held if abs(total - 1) < 1e-12 else held / total).tolist())


def bell(shift: float, k: int) -> Law:
    """A normal law of standard deviation 1 around a shift, in k cells; the outer ones hold the tails."""
    edges = np.linspace(-REACH, REACH, k + 1)[1:-1]
    below = scipy.special.ndtr(np.concatenate([[-np.inf], edges, [np.inf]]) - shift)
    return tuple(np.diff(below).tolist())


@dataclass(frozen=True)
class WorldPair:
    """Two laws of what one person holds, and the families around them that a careful test must hold against."""

    first: Law
    second: Law
    around: tuple[Law, ...] = field(default=(), compare=True)
    beyond: tuple[Law, ...] = ()

    def __post_init__(self) -> None:
        divergences.laws(self.first, self.second)

    @classmethod
    def people(cls, k: int) -> WorldPair:
        """Two people who hold different answers: nothing hides them but the channel."""
        return cls(law([1.0] + [0.0] * (k - 1)), law([0.0, 1.0] + [0.0] * (k - 2)))

    @classmethod
    def coins(cls, first: float, second: float) -> WorldPair:
        """Two shares of yes; the families hold all shares that are farther apart."""
        low, high = sorted((first, second))
        less, more = np.linspace(0, low, 4), np.linspace(high, 1, 4)
        families = tuple((1 - p, p) for p in less.tolist()), tuple((1 - p, p) for p in more.tolist())
        if first > second:
            families = families[1], families[0]
        return cls((1 - first, first), (1 - second, second), *families)

    @classmethod
    def bells(cls, shift: float, k: int) -> WorldPair:
        """Two bells this far apart; the families hold those that are farther apart."""
        steps = (shift / 2 + np.array([0.0, 0.5, 1.0])).tolist()
        return cls(
            bell(-shift / 2, k),
            bell(shift / 2, k),
            tuple(bell(-step, k) for step in steps),
            tuple(bell(step, k) for step in steps),
        )

    @classmethod
    def weights(cls, first: Sequence[float], second: Sequence[float]) -> WorldPair:
        """Two rows of bars, of one length."""
        one, other = law(first), law(second)
        if len(one) != len(other):
            raise ParameterError("laws_shapes", first=str(len(one)), second=str(len(other)))
        return cls(one, other)

    @property
    def k(self) -> int:
        """The number of answers that a person may hold."""
        return len(self.first)

    @property
    def families(self) -> tuple[tuple[Law, ...], tuple[Law, ...]]:
        """Both families, each with its world in it."""
        return self.around or (self.first,), self.beyond or (self.second,)


def members(k: int) -> tuple[type[CategoryRandomizer], ...]:
    """The mechanisms for categories whose channel can be listed whole at k."""
    return tuple(member for member in of_kind(CategoryRandomizer) if _lists(member, k))  # type: ignore[type-abstract]


@lru_cache(maxsize=256)
def _lists(member: Any, k: int) -> bool:
    if not {"epsilon", "k"} <= set(declarations(member)):
        return False
    try:
        channel = made(member.slug, 1.0, k).channel()
    except ParameterError:
        return False
    return channel is not None and bool(channel.matrix.size)


def made(slug: str, epsilon: float, k: int) -> CategoryRandomizer:
    """The mechanism of this name at a level, with its usual settings."""
    chosen = {member.slug: member for member in of_kind(CategoryRandomizer)}[slug]  # type: ignore[type-abstract]
    return chosen.starting(epsilon=epsilon, k=k)


def listed(slug: str, epsilon: float, k: int) -> Reals:
    """The channel of one of the `members` at a level, listed whole: rows are answers, columns reports."""
    channel = made(slug, epsilon, k).channel()
    assert channel is not None
    return channel.matrix


@dataclass(frozen=True)
class TwoWorlds(Declared):
    """A mechanism by its name, its level, and two worlds."""

    slug: str
    epsilon: float
    worlds: WorldPair

    def cost(self) -> Cost:
        reports = float(2**self.worlds.k)
        return Cost(8 * MEGABYTE + 64 * self.worlds.k * reports, 0.02 + 1e-5 * reports)

    def channel(self) -> Reals:
        """The channel: rows are answers, columns reports."""
        return listed(self.slug, self.epsilon, self.worlds.k)

    def reports(self) -> Pair:
        """The laws of the report in both worlds, reports of one likelihood ratio merged."""
        matrix = self.channel()
        return Pair(*by_ratio(*(sum_to_one(pushed(each, matrix)) for each in (self.worlds.first, self.worlds.second))))


def sum_to_one(weights: Reals) -> Reals:
    """Weights that sum to 1, without what rounding left over."""
    return np.asarray(weights / weights.sum(), dtype=np.float64)
