"""Solve backwards: how many people any private method needs at least, how many are enough, and which level."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from ldpcore.experiments.recommending import only, recommended_level
from ldpcore.experiments.solving import smallest_level
from ldpcore.limits.bounds import effective_size, sharp_lower_bound
from ldpcore.limits.errorlosses import LossName, loss_of
from ldpcore.limits.problems import Problem
from ldpcore.numerics.bisection import least_up_to
from ldpcore.parameters import Declared, Epsilon, Interval, Users
from ldpcore.questions import Progress, Public, Question, Recommendation, no_progress

LimitWidth = Annotated[float, Interval("w", 0, 1e6, (0.001, 1), scale="log", open_low=True)]
LOWEST = 1e-6  # the smallest level that is looked at
EVERYBODY = 10**18  # more people than this are called impossible


@dataclass(frozen=True)
class LimitPlan(Question["LimitPlanResult"], Declared):
    """A plan for an expected loss as that of an error of `width` in every world: the people or the level it takes."""

    problem: Problem
    epsilon: Epsilon
    n: Users = 10_000
    width: LimitWidth = 0.1
    loss: LossName = "squared"

    @property
    def allowed(self) -> float:
        """The loss of that error."""
        return float(loss_of(self.loss)(self.width))

    def run(self, progress: Progress = no_progress) -> LimitPlanResult:
        allowed = self.allowed
        return LimitPlanResult(
            self,
            effective_size(self.n, self.epsilon),
            self._people(lambda n: self.least(n, self.epsilon)),
            self._people(lambda n: self.enough(n, self.epsilon)),
            self._people(self.direct),
            self._excluded(),
            smallest_level(lambda level: self.enough(self.n, level), allowed),
        )

    def _people(self, error: Callable[[int], float]) -> int | None:
        """The fewest people whose error, which falls with their number, is allowed."""
        return least_up_to(lambda n: error(n) <= self.allowed, EVERYBODY)

    def _excluded(self) -> float | None:
        """The level below which the bound allows no method; 0 where it excludes none, None where it excludes all."""
        level = smallest_level(lambda level: self.least(self.n, level), self.allowed)
        return 0.0 if level is not None and level <= LOWEST else level

    def least(self, n: int, epsilon: float) -> float:
        """The lower bound: no private method errs less in every world."""
        return sharp_lower_bound(self.problem, loss_of(self.loss), n, epsilon).value

    def enough(self, n: int, epsilon: float) -> float:
        """The upper bound of the estimator of one bit in any world."""
        return float(loss_of(self.loss).spread(self.problem.recipe(epsilon, n).risk_bound))

    def direct(self, n: int) -> float:
        """The upper bound of an estimator without privacy."""
        return float(loss_of(self.loss).spread(self.problem.direct(n)))

    @property
    def blind(self) -> float:
        """The upper bound of a constant, without asking anybody."""
        return float(loss_of(self.loss).spread(self.problem.guess))


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
    level_least: float | None
    level_enough: float | None

    @property
    def recommended(self) -> tuple[Recommendation, ...]:
        """The level for these people, or the people for this level; with one bit from each. Nothing for nobody."""
        if self.trivial:
            return ()
        return only(recommended_level(self.level_enough), Recommendation.of(n=self.enough) if self.enough else None)

    @property
    def trivial(self) -> bool:
        """Whether a constant keeps the wish, without asking anybody."""
        return self.experiment.blind <= self.experiment.allowed * (1 + 1e-12)

    @property
    def reach(self) -> float:
        """The error that costs what the estimator loses now, or a constant where that is better, at most."""
        question = self.experiment
        loss = min(question.enough(question.n, question.epsilon), question.blind)
        return loss_of(question.loss).error(loss)

    @property
    def floor(self) -> float:
        """The error that no private method beats now."""
        question = self.experiment
        return loss_of(question.loss).error(question.least(question.n, question.epsilon))
