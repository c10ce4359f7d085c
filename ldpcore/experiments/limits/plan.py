"""Solve backwards: how many people any private method needs at least, how many are enough, and which level."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from ldpcore.experiments.limits.levels import LEVELS, POINTS
from ldpcore.experiments.recommending import at_level, only
from ldpcore.experiments.solving import smallest_level
from ldpcore.limits.bounds import chance_lower_bound, effective_size, private_lower_bound, sharp_lower_bound
from ldpcore.limits.constructive import Bit
from ldpcore.limits.errorlosses import Squared
from ldpcore.limits.problems import Problem
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Declared, Epsilon, Interval, Users
from ldpcore.questions import Progress, Public, Question, Recommendation

Width = Annotated[float, Interval("w", 0, 1e6, (0.001, 1), scale="log", open_low=True)]
LOWEST = 1e-6  # the smallest level that is looked at
EVERYBODY = 10**18  # more people than this are called impossible
SIZES = (math.log(1e-20), math.log(1e40))
SQUARED = Squared()


def fewest(error: Callable[[int], float], allowed: float) -> int | None:
    """The fewest people with error(n) ≤ allowed, for an error that falls with n; None where no 10¹⁸ are enough."""
    if error(EVERYBODY) > allowed:
        return None
    low, high = 0, 1
    while error(high) > allowed:
        low, high = high, min(2 * high, EVERYBODY)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if error(middle) <= allowed else (middle, high)
    return high


def least_size(error: Callable[[float], float], allowed: float) -> float:
    """The smallest effective size with error(size) ≤ allowed, for an error that falls with it; halved on a log scale.

    Sizes beyond both ends are far beyond what any crowd at any level of the axis comes to.
    """
    low, high = SIZES
    if error(math.exp(low)) <= allowed:
        return 0.0
    if error(math.exp(high)) > allowed:
        return math.inf
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if error(math.exp(middle)) <= allowed else (middle, high)
    return math.exp(high)


@dataclass(frozen=True)
class LimitPlan(Question["LimitPlanResult"], Declared):
    """For a root mean square error of `width` in every world: how many people, or which level?"""

    problem: Problem
    epsilon: Epsilon
    n: Users = 10_000
    width: Width = 0.1

    @property
    def allowed(self) -> float:
        """The squared error."""
        return self.width**2

    def run(self, progress: Progress | None = None) -> LimitPlanResult:
        problem, allowed = self.problem, self.allowed
        return LimitPlanResult(
            self,
            effective_size(self.n, self.epsilon),
            fewest(lambda n: self.least(n, self.epsilon), allowed),
            fewest(lambda n: self.enough(n, self.epsilon), allowed),
            fewest(problem.direct, allowed),
            self._along(),
            self._excluded(),
            smallest_level(lambda level: self.enough(self.n, level), allowed),
        )

    def _excluded(self) -> float | None:
        """Below this level the bound allows no method; 0 where it excludes no level, None where it excludes all."""
        level = smallest_level(lambda level: self.least(self.n, level), self.allowed)
        return 0.0 if level is not None and level <= LOWEST else level

    def least(self, n: int, epsilon: float) -> float:
        """No private method errs less in every world."""
        return sharp_lower_bound(self.problem, SQUARED, n, epsilon).value

    def enough(self, n: int, epsilon: float) -> float:
        """The estimator of one bit errs no more in any."""
        return self.problem.recipe(epsilon, n).risk_bound

    def _along(self) -> tuple[Reals, Reals]:
        """People at each level, without solving anew: bounds depend on n(e^ε-1)² or n, the estimator on n/z₀²."""
        levels = np.geomspace(*LEVELS, POINTS)
        whole = fewest(lambda n: chance_lower_bound(self.problem, SQUARED, n).value, self.allowed)
        size = least_size(lambda size: private_lower_bound(self.problem, SQUARED, size).value, self.allowed)
        few = fewest(lambda n: self.enough(n, 1.0), self.allowed)
        square = np.array([Bit(float(level), 1.0).z0 ** 2 for level in levels]) / Bit(1.0, 1.0).z0 ** 2
        least = np.maximum(size / np.expm1(levels) ** 2, whole or math.nan)
        return np.maximum(least, 1.0), np.maximum((few or math.nan) * square, 1.0)


@dataclass(frozen=True)
class LimitPlanResult(Public):
    """People at the level and levels for the people; None where 10¹⁸ people, or a level of 50, are not enough.

    `level_least` is 0 where no level is excluded.
    """

    experiment: LimitPlan
    effective: float
    least: int | None
    enough: int | None
    direct: int | None
    along: tuple[Reals, Reals]
    level_least: float | None
    level_enough: float | None

    @property
    def levels(self) -> Reals:
        """The levels of the axis."""
        return np.geomspace(*LEVELS, POINTS)

    @property
    def least_along(self) -> Reals:
        """How many people any private method needs at each level."""
        return self.along[0]

    @property
    def enough_along(self) -> Reals:
        """How many are enough for the estimator of one bit."""
        return self.along[1]

    @property
    def recommended(self) -> tuple[Recommendation, ...]:
        """The level for these people, or the people for this level; with one bit from each. Nothing for nobody."""
        if self.trivial:
            return ()
        return only(at_level(self.level_enough), Recommendation.of(n=self.enough) if self.enough else None)

    @property
    def trivial(self) -> bool:
        """Whether a constant is as good as that, without asking anybody."""
        return self.experiment.problem.guess <= self.experiment.allowed * (1 + 1e-12)

    @property
    def guessing(self) -> bool:
        """Whether a constant promises as much as one bit from each of the people there are."""
        question = self.experiment
        return question.enough(question.n, question.epsilon) >= question.problem.guess

    @property
    def reach(self) -> float:
        """The root mean square error of the estimator now, or of a constant where that is better, at most."""
        question = self.experiment
        return math.sqrt(min(question.enough(question.n, question.epsilon), question.problem.guess))

    @property
    def floor(self) -> float:
        """The one that no private method beats now."""
        question = self.experiment
        return math.sqrt(question.least(question.n, question.epsilon))
