"""Bounds along the level: where privacy decides, where it costs nothing any more, and the slack of constants."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ldpcore.costs import MEGABYTE, Cost
from ldpcore.experiments.limits.rate import RATE_USERS
from ldpcore.limits.bounds import (
    Constant,
    chance_lower_bound,
    constant,
    effective_size,
    lower_bound,
    obstacles,
    sandwich,
    sharp_lower_bound,
    upper_bound,
)
from ldpcore.limits.confusion import least_loss
from ldpcore.limits.errorlosses import LossName, loss_of
from ldpcore.limits.problems import BoundedMean, Problem
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.numerics.bisection import least
from ldpcore.parameters import LEVEL_AXIS, Declared, Epsilon, Users
from ldpcore.questions import Progress, Public, Question, no_progress

POINTS = 41
FLAT = 0.05  # by which a limit may still rise that is called flat


def _levels() -> Reals:
    return np.geomspace(*LEVEL_AXIS, POINTS)


@dataclass(frozen=True)
class LevelPoint:
    """Bounds at one level; `bound` is of the estimator or of a constant, whichever is less."""

    lower: float
    decides: str
    recipe: float
    bound: float


@dataclass(frozen=True)
class _Bounded(Declared):
    """A problem, a level and a loss."""

    problem: Problem
    epsilon: Epsilon
    n: Users = 10_000
    loss: LossName = "squared"

    def cost(self) -> Cost:
        return Cost(16 * MEGABYTE, 0.1)

    def at(self, epsilon: float, n: int) -> LevelPoint:
        """Bounds at one level."""
        loss = loss_of(self.loss)
        least = sharp_lower_bound(self.problem, loss, n, epsilon)
        square = self.problem.recipe(epsilon, n).risk_bound
        best = min(square, self.problem.guess)
        return LevelPoint(least.value, least.decides, float(loss.spread(square)), float(loss.spread(best)))


@dataclass(frozen=True)
class AgainstLevel(_Bounded, Question["AgainstLevelResult"]):
    """How good can an estimate be at each level, from one crowd? And from which level on is privacy no obstacle?"""

    def run(self, progress: Progress = no_progress) -> AgainstLevelResult:
        loss = loss_of(self.loss)
        points = tuple(self.at(float(level), self.n) for level in _levels())
        return AgainstLevelResult(
            self,
            points,
            float(loss.spread(self.problem.direct(self.n))),
            chance_lower_bound(self.problem, loss, self.n).value,
            self.at(self.epsilon, self.n),
            self._meets(),
        )

    def _meets(self) -> float | None:
        """The level from which on the lower bound is the one without privacy."""
        if not self._met(50.0):
            return None
        return math.exp(least(lambda log: self._met(math.exp(log)), math.log(1e-6), math.log(50.0), halvings=32))

    def _met(self, epsilon: float) -> bool:
        return sharp_lower_bound(self.problem, loss_of(self.loss), self.n, epsilon).decides != "tv"


@dataclass(frozen=True, eq=False)
class AgainstLevelResult(Public):
    """Bounds at each level of the axis; what holds without privacy does not depend on it."""

    experiment: AgainstLevel
    points: tuple[LevelPoint, ...]
    direct: float
    direct_lower: float
    here: LevelPoint
    meets: float | None

    @property
    def levels(self) -> Reals:
        """The levels of the axis."""
        return _levels()

    @property
    def lower(self) -> Reals:
        """The lower bounds: no private estimate errs less in every world."""
        return np.array([point.lower for point in self.points])

    @property
    def recipe(self) -> Reals:
        """The upper bounds of the estimator of one bit."""
        return np.array([point.recipe for point in self.points])

    @property
    def bound(self) -> Reals:
        """The upper bounds of the estimator or of a constant."""
        return np.array([point.bound for point in self.points])


@dataclass(frozen=True)
class FallingLevels(Question["FallingLevelsResult"], Declared):
    """If the level falls with the crowd like ε/√n, does the error still vanish? n(e^ε-1)² stays where it is."""

    problem: Problem
    epsilon: Epsilon
    loss: LossName = "squared"

    def run(self, progress: Progress = no_progress) -> FallingLevelsResult:
        ask, loss = _Bounded(self.problem, self.epsilon, 1, self.loss), loss_of(self.loss)
        levels = self.epsilon / np.sqrt(np.array(RATE_USERS, dtype=np.float64))
        points = tuple(ask.at(float(level), n) for level, n in zip(levels, RATE_USERS, strict=True))
        sizes = np.array([effective_size(n, float(level)) for level, n in zip(levels, RATE_USERS, strict=True)])
        direct = np.array([float(loss.spread(self.problem.direct(n))) for n in RATE_USERS])
        return FallingLevelsResult(self, points, levels, sizes, direct)


@dataclass(frozen=True, eq=False)
class FallingLevelsResult(Public):
    """Bounds for each number of people, each at its own level; `sizes` are the effective ones."""

    experiment: FallingLevels
    points: tuple[LevelPoint, ...]
    levels: Reals
    sizes: Reals
    direct: Reals

    @property
    def users(self) -> Counts:
        """The numbers of people of the axis."""
        return np.array(RATE_USERS)

    @property
    def lower(self) -> Reals:
        """The lower bounds: no private estimate errs less in every world."""
        return np.array([point.lower for point in self.points])

    @property
    def bound(self) -> Reals:
        """The upper bounds of the estimator or of a constant."""
        return np.array([point.bound for point in self.points])

    @property
    def flat(self) -> int:
        """The place where the limit has come within a twentieth of its last value, from below, by privacy alone.

        n(e^{ε/√n}-1)² falls as n grows, so that what privacy forbids there it forbids to every larger crowd.
        """
        near = self.lower >= (1 - FLAT) * self.lower[-1]
        early = [place for place, point in enumerate(self.points) if point.decides != "tv" or not near[place]]
        return min(max(early, default=-1) + 1, len(self.points) - 1)


@dataclass(frozen=True)
class Constants(_Bounded, Question["ConstantsResult"]):
    """How far apart are the proven bounds, and which of them is loose?"""

    def run(self, progress: Progress = no_progress) -> ConstantsResult:
        loss = loss_of(self.loss)
        half = lower_bound(self.problem, loss, self.n, self.epsilon, 0.5)
        sharp = sharp_lower_bound(self.problem, loss, self.n, self.epsilon)
        return ConstantsResult(
            self,
            self.row(self.epsilon),
            half.value,
            obstacles(self.problem, loss),
            constant(loss),
            sharp.value,
            self._bits(),
        )

    def _bits(self) -> float | None:
        if not isinstance(self.problem, BoundedMean):
            return None
        return least_loss(loss_of(self.loss), self.n, self.epsilon, self.problem.width)

    def row(self, epsilon: float) -> ConstantsRow:
        """All bounds at one level."""
        loss = loss_of(self.loss)
        simple, _ = sandwich(self.problem, loss, self.n, epsilon)
        lower = lower_bound(self.problem, loss, self.n, epsilon).value
        achieved = float(loss.spread(self.problem.recipe(epsilon, self.n).risk_bound))
        return ConstantsRow(lower, simple, achieved, upper_bound(self.problem, loss, self.n, epsilon))


@dataclass(frozen=True)
class ConstantsRow:
    """The best lower bound, the simple one, the estimator's, and the general upper one where it applies."""

    lower: float
    simple: float
    achieved: float
    upper: float | None


@dataclass(frozen=True, eq=False)
class ConstantsResult(Public):
    """Bounds at the present level; `obstacles` say why there is no general upper bound."""

    experiment: Constants
    here: ConstantsRow
    lower_half: float  # at η = ½
    obstacles: tuple[str, ...]
    constant: Constant
    sharp: float  # the best lower bound with a sharper inequality between distances
    bits: float | None  # a lower bound for whatever is made of the estimator's own bits; of bounded means alone

    def bound(self, name: str) -> float | None:
        """One of the bounds by its name; none where it does not hold here."""
        bound: float | None = getattr(self, name)
        return bound

    @property
    def lower(self) -> float:
        """The best lower bound now."""
        return self.here.lower

    @property
    def simple(self) -> float:
        """The simple lower bound now."""
        return self.here.simple

    @property
    def achieved(self) -> float:
        """The estimator's bound now."""
        return self.here.achieved

    @property
    def upper(self) -> float | None:
        """The general upper bound now."""
        return self.here.upper

    @property
    def simple_ratio(self) -> float:
        """The estimator's bound over the simple lower one."""
        return self.here.achieved / self.here.simple
