"""Can anyone tell two people, or two worlds, apart after a private report? Errors, distances, crowds, tests, guesses.

A world is a law of what one person holds; a channel of level α turns it into a law of what one person reports. The
worlds are known and nothing is drawn: every number here is exact, or an end of a stated interval.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np
import scipy

from ldpcore import divergences
from ldpcore.audit import best_power, power_bound
from ldpcore.channels import Pair
from ldpcore.contraction import dobrushin, largest_contraction, largest_distance, pushed, strong_contraction
from ldpcore.costs import MEGABYTE, Cost, Question
from ldpcore.experiments import Progress
from ldpcore.guessing import fano, le_cam, mutual_information
from ldpcore.mechanisms import of_kind
from ldpcore.mechanisms.base import CategoryRandomizer
from ldpcore.parameters import Declared, ParameterError, Probability, declarations
from ldpcore.populations import Reals
from ldpcore.products import Between, Crowd, by_ratio
from ldpcore.testing import BestTest, minimax_test

MOST = 12  # answers a person may hold: the channel of every mechanism is listed whole
LEVELS = (0.01, 10.0)
USERS = tuple(2**power for power in range(31))  # one to a billion
REACH = 3.0  # bells are cut into cells over so many standard deviations to either side of their middle
Law = tuple[float, ...]


def law(weights: Sequence[float]) -> Law:
    """Weights as probabilities."""
    held = np.asarray(weights, dtype=np.float64)
    if held.ndim != 1 or not 2 <= len(held) <= MOST or not np.isfinite(held).all() or not held.sum() > 0:
        raise ParameterError("weights", least=2, most=MOST, got=len(held))
    if (held < 0).any():
        raise ParameterError("law_negative", got=float(held.min()))
    return tuple((held / held.sum()).tolist())


def bell(shift: float, k: int) -> Law:
    """A normal law of standard deviation 1 around a shift, in k cells; the outer ones hold the tails."""
    edges = np.linspace(-REACH, REACH, k + 1)[1:-1]
    below = scipy.special.ndtr(np.concatenate([[-np.inf], edges, [np.inf]]) - shift)
    return tuple(np.diff(below).tolist())


@dataclass(frozen=True)
class Worlds:
    """Two laws of what one person holds, and the families around them that a careful test must hold against."""

    first: Law
    second: Law
    around: tuple[Law, ...] = field(default=(), compare=True)
    beyond: tuple[Law, ...] = ()

    def __post_init__(self) -> None:
        divergences.laws(self.first, self.second)

    @classmethod
    def people(cls, k: int) -> Worlds:
        """Two people who hold different answers: nothing hides them but the channel."""
        return cls(law([1.0] + [0.0] * (k - 1)), law([0.0, 1.0] + [0.0] * (k - 2)))

    @classmethod
    def coins(cls, first: float, second: float) -> Worlds:
        """Two shares of yes; the families hold all shares that are farther apart."""
        low, high = sorted((first, second))
        less, more = np.linspace(0, low, 4), np.linspace(high, 1, 4)
        families = tuple((1 - p, p) for p in less.tolist()), tuple((1 - p, p) for p in more.tolist())
        if first > second:
            families = families[1], families[0]
        return cls((1 - first, first), (1 - second, second), *families)

    @classmethod
    def bells(cls, shift: float, k: int) -> Worlds:
        """Two bells this far apart; the families hold those that are farther apart."""
        steps = (shift / 2 + np.array([0.0, 0.5, 1.0])).tolist()
        return cls(bell(-shift / 2, k), bell(shift / 2, k), tuple(bell(-step, k) for step in steps),
                   tuple(bell(step, k) for step in steps))  # fmt: skip

    @classmethod
    def weights(cls, first: Sequence[float], second: Sequence[float]) -> Worlds:
        """Two rows of bars, of one length."""
        one, other = law(first), law(second)
        if len(one) != len(other):
            raise ParameterError("laws_shapes", first=str(len(one)), second=str(len(other)))
        return cls(one, other)

    @property
    def k(self) -> int:
        """How many answers a person may hold."""
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
    if not {"epsilon", "k"} <= set(declarations(member)) or not hasattr(member, "channel"):
        return False
    try:
        matrix: Reals = made(member.slug, 1.0, k).channel().matrix
    except ParameterError:
        return False
    return bool(matrix.size)


def made(slug: str, epsilon: float, k: int) -> Any:
    """The mechanism of this name at a level, with its usual settings."""
    chosen: Any = {member.slug: member for member in of_kind(CategoryRandomizer)}[slug]  # type: ignore[type-abstract]
    return getattr(chosen, "usual", chosen)(epsilon=epsilon, k=k)


@dataclass(frozen=True)
class _Asked(Question, Declared):
    """A mechanism by its name, its level, and two worlds."""

    slug: str
    epsilon: float
    worlds: Worlds

    def cost(self) -> Cost:
        reports = float(2**self.worlds.k)
        return Cost(8 * MEGABYTE + 64 * self.worlds.k * reports, 0.02 + 1e-5 * reports)

    def channel(self) -> Reals:
        """Rows are answers, columns reports."""
        matrix: Reals = made(self.slug, self.epsilon, self.worlds.k).channel().matrix
        return matrix

    def reports(self) -> Pair:
        """The laws of the report in both worlds, reports of one likelihood ratio merged."""
        matrix = self.channel()
        return Pair(*by_ratio(*(_sum_to_one(pushed(each, matrix)) for each in (self.worlds.first, self.worlds.second))))


def _sum_to_one(weights: Reals) -> Reals:
    """What rounding left over is taken out."""
    return np.asarray(weights / weights.sum(), dtype=np.float64)


@dataclass(frozen=True)
class TellApart(_Asked):
    """How often is the second world found, when the first is wrongly accused at this rate?"""

    size: Probability = 0.05

    def run(self, progress: Progress | None = None) -> TellApartResult:
        reports, held = self.reports(), Pair(*by_ratio(self.worlds.first, self.worlds.second))
        kink = 1 / (1 + math.exp(min(self.epsilon, 700.0)))
        corners = [np.cumsum(laws.first[np.argsort(laws.ratios(), kind="stable")]) for laws in (reports, held)]
        sizes = np.unique(np.clip(np.concatenate([[0.0, kink, self.size, 1.0], *corners]), 0, 1))
        turned, direct = Pair(reports.second, reports.first), Pair(held.second, held.first)
        return TellApartResult(
            self, reports, sizes, power_bound(sizes, self.epsilon), best_power(turned, sizes),
            best_power(direct, sizes), float(power_bound(self.size, self.epsilon)),
            float(best_power(turned, self.size)), float(best_power(direct, self.size)),
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class TellApartResult:
    """Powers at every size: what the level allows, what this mechanism leaves, and what holds without privacy."""

    experiment: TellApart
    reports: Pair
    sizes: Reals
    bound: Reals
    private: Reals
    direct: Reals
    allowed: float
    reached: float
    open: float

    @property
    def distance(self) -> float:
        """The total variation of the two reports: one minus the smallest sum of both errors."""
        return divergences.total_variation(self.reports.first, self.reports.second)

    @property
    def direct_distance(self) -> float:
        """The same without privacy."""
        return divergences.total_variation(self.experiment.worlds.first, self.experiment.worlds.second)

    def masked(self) -> TellApartResult:
        """What the level allows, without what this mechanism leaves."""
        nothing = np.full(len(self.sizes), np.nan)
        return replace(self, private=nothing, reached=math.nan)


DISTANCES = ("tv", "h2", "kl", "chi2")


@dataclass(frozen=True)
class BeforeAfter(_Asked):
    """How much of each distance does the channel leave, and how much might it leave at most?"""

    def run(self, progress: Progress | None = None) -> BeforeAfterResult:
        reports, worlds = self.reports(), self.worlds
        by_slug = {each.slug: each for each in divergences.F_DIVERGENCES}
        before = tuple(by_slug[slug](worlds.first, worlds.second) for slug in DISTANCES)
        after = tuple(by_slug[slug](reports.first, reports.second) for slug in DISTANCES)
        matrix = self.channel()
        merged = matrix / matrix.sum(axis=1, keepdims=True)
        weak = dobrushin(merged)
        strong = strong_contraction(merged) if merged.shape[1] <= COLUMNS else weak
        return BeforeAfterResult(self, before, after, (weak, strong, strong, strong), inequalities(reports))


COLUMNS = 256  # so many reports are gone through for the sharp coefficient; with more, Dobrushin's stands for it


@dataclass(frozen=True)
class Inequality:
    """One side that never exceeds the other."""

    slug: str
    smaller: float
    larger: float

    @property
    def share(self) -> float:
        """How much of the larger side the smaller one is; nothing where the larger is infinite or both are zero."""
        if self.larger == 0 or math.isinf(self.larger):
            return 0.0
        return self.smaller / self.larger


def inequalities(laws: Pair) -> tuple[Inequality, ...]:
    """The inequalities between distances, for two laws: Pinsker, Hellinger and total variation, affinities."""
    p, q = laws.first, laws.second
    tv, kl, h2 = (measure(p, q) for measure in (
        divergences.total_variation, divergences.kullback_leibler, divergences.squared_hellinger))  # fmt: skip
    affinity, common = divergences.hellinger_affinity(p, q), divergences.testing_affinity(p, q)
    return (
        Inequality("pinsker", tv, math.sqrt(kl / 2)),
        Inequality("half_hellinger", h2 / 2, tv),
        Inequality("hellinger", tv, math.sqrt(h2)),
        Inequality("hellinger_kl", math.sqrt(h2), math.sqrt(kl)),
        Inequality("affinities", common, affinity),
        Inequality("root", affinity, math.sqrt(common * (2 - common))),
    )


@dataclass(frozen=True, eq=False)
class BeforeAfterResult:
    """Distances of what is held and of what is reported, in the order of `DISTANCES`."""

    experiment: BeforeAfter
    before: tuple[float, ...]
    after: tuple[float, ...]
    channel: tuple[float, ...]  # what this channel leaves of the distance of any two worlds, at most
    inequalities: tuple[Inequality, ...]

    @property
    def left(self) -> tuple[float, ...]:
        """The share of each distance that is left; none of an infinite one."""
        return tuple(after / before if 0 < before < math.inf else 0.0
                     for before, after in zip(self.before, self.after, strict=True))  # fmt: skip

    @property
    def allowed(self) -> tuple[float, ...]:
        """The share that a channel of this level leaves at most: tanh(α/2), of the others its square."""
        weak = largest_contraction(self.experiment.epsilon)
        return weak, weak**2, weak**2, weak**2

    def masked(self) -> BeforeAfterResult:
        """Without what this channel leaves."""
        nothing = (math.nan,) * len(self.before)
        return replace(self, after=nothing, channel=nothing, inequalities=())


@dataclass(frozen=True)
class ManyPeople(_Asked):
    """How far apart are the reports of n people from either world, for n from one to a billion?"""

    n: int = 100

    def run(self, progress: Progress | None = None) -> ManyPeopleResult:
        reports, worlds = self.reports(), self.worlds
        private, direct = Crowd.of(reports.first, reports.second), Crowd.of(worlds.first, worlds.second)
        tv = divergences.total_variation(worlds.first, worlds.second)
        return ManyPeopleResult(
            self, tuple(map(private.distance, USERS)), tuple(map(direct.distance, USERS)),
            np.array([largest_distance(self.epsilon, tv, n) for n in USERS]), private.distance(self.n),
            direct.distance(self.n), private.fewest(RIGHT), direct.fewest(RIGHT),
        )  # fmt: skip

    def cost(self) -> Cost:
        return super().cost().then(Cost(64 * MEGABYTE, 0.4 if self.worlds.k > 2 else 0.05))


RIGHT = 0.8  # of this total variation nine of ten guesses are right


@dataclass(frozen=True, eq=False)
class ManyPeopleResult:
    """Total variation against the number of people: private and direct, and what the level leaves possible."""

    experiment: ManyPeople
    private: tuple[Between, ...]
    direct: tuple[Between, ...]
    bound: Reals
    here: Between
    here_direct: Between
    needed: int | None
    needed_direct: int | None

    def masked(self) -> ManyPeopleResult:
        """Without what this mechanism leaves."""
        gap = Between(math.nan, math.nan)
        return replace(self, private=(gap,) * len(self.private), here=gap, needed=None)


@dataclass(frozen=True)
class Minimax(_Asked):
    """Which test of one report is best, whichever members of two families of worlds are true?"""

    def run(self, progress: Progress | None = None) -> MinimaxResult:
        matrix, (around, beyond) = self.channel(), self.worlds.families
        rows = np.array([*around, *beyond]) @ matrix
        rows /= rows.sum(axis=1, keepdims=True)
        one, other = rows[: len(around)], rows[len(around) :]
        columns = np.argsort(-(rows.max(axis=0)), kind="stable")
        places: int = made(self.slug, LEVELS[0], self.worlds.k).channel().matrix.shape[1]
        return MinimaxResult(self, minimax_test(one, other), one, other, columns, places)


@dataclass(frozen=True, eq=False)
class MinimaxResult:
    """The best test, the laws of the reports that it must hold against, and reports from the most frequent on."""

    experiment: Minimax
    test: BestTest
    first: Reals
    second: Reals
    order: Any
    places: int  # reports at the smallest level, where there are most

    @property
    def errors(self) -> tuple[float, float]:
        """The largest chance of accusing wrongly, and of missing."""
        chances = self.test.chances
        return float((self.first @ chances).max()), float((1 - self.second @ chances).max())

    @property
    def mixtures(self) -> tuple[Reals, Reals]:
        """The two mixtures that are hardest to tell apart."""
        return self.test.first_weights @ self.first, self.test.second_weights @ self.second

    def masked(self) -> MinimaxResult:
        """Without the test."""
        hidden = replace(self.test, chances=np.full(len(self.test.chances), np.nan), attained=math.nan)
        return replace(self, test=hidden)


@dataclass(frozen=True)
class Guessing(_Asked):
    """How many of several worlds can be told apart by n people? Guessing wrong is bounded from below."""

    n: int = 100
    count: int = 8

    def run(self, progress: Progress | None = None) -> GuessingResult:
        matrix = self.channel()
        steps = np.linspace(0, 1, self.count)[:, None]
        held = (1 - steps) * np.array(self.worlds.first) + steps * np.array(self.worlds.second)
        told = held @ matrix
        told /= told.sum(axis=1, keepdims=True)
        prior = np.full(self.count, 1 / self.count)
        one, open_one = mutual_information(prior, told), mutual_information(prior, held)
        ends = Crowd.of(told[0], told[-1])
        two = np.array([le_cam(ends.distance(n).high) for n in USERS])
        return GuessingResult(self, one, open_one, np.array([fano(n * one, self.count) for n in USERS]),
                              np.array([fano(n * open_one, self.count) for n in USERS]), two,
                              fano(self.n * one, self.count), le_cam(ends.distance(self.n).high))  # fmt: skip

    def cost(self) -> Cost:
        return super().cost().then(Cost(64 * MEGABYTE, 0.2 if self.worlds.k > 2 else 0.05))


@dataclass(frozen=True, eq=False)
class GuessingResult:
    """Lower bounds on the chance of a wrong guess, against the number of people."""

    experiment: Guessing
    information: float
    open_information: float
    fano: Reals
    open_fano: Reals
    le_cam: Reals
    here: float
    here_two: float


@dataclass(frozen=True)
class Information(_Asked):
    """How much does a report tell about which of the two worlds it came from, along the level?"""

    def run(self, progress: Progress | None = None) -> InformationResult:
        levels = np.geomspace(*LEVELS, 41)
        along = np.array([_told(self.slug, float(level), self.worlds) for level in levels])
        held = np.array([self.worlds.first, self.worlds.second])
        half = np.full(2, 0.5)
        return InformationResult(
            self, levels, along, _told(self.slug, self.epsilon, self.worlds), mutual_information(half, held)
        )

    def cost(self) -> Cost:
        return super().cost().times(42)


def _told(slug: str, epsilon: float, worlds: Worlds) -> float:
    """The mutual information of a report and a fair coin that chose the world."""
    laws = _Asked(slug, epsilon, worlds).reports()
    return mutual_information([0.5, 0.5], np.array([laws.first, laws.second]))


@dataclass(frozen=True, eq=False)
class InformationResult:
    """Information in nats: along the level, at the present one, and without privacy."""

    experiment: Information
    levels: Reals
    along: Reals
    here: float
    open: float

    def masked(self) -> InformationResult:
        """Without what this mechanism tells."""
        return replace(self, along=np.full(len(self.levels), np.nan), here=math.nan)
