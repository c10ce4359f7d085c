"""Solve backwards: the level, or the number of people, that draws the curve as exactly as is wished."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

import numpy as np

from ldpcore.costs import MEGABYTE, Cost
from ldpcore.estimating.regression import ReportSplit
from ldpcore.experiments.recommending import only, recommended_level
from ldpcore.experiments.regression.curves import (
    FAR,
    FEWEST,
    direct_errors,
    people_for,
    sizes_to,
    tuned_error,
    tuned_errors,
)
from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.roots import brent_root
from ldpcore.parameters import Declared, Epsilon, Interval, Users
from ldpcore.people.curves import CurveModel
from ldpcore.questions import Progress, Public, Question, Recommendation, no_progress

ErrorWish = Annotated[float, Interval("e", 0, 10, (0.02, 0.5), scale="log", open_low=True)]
PLAN_LEVELS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
HIGHEST = 50.0


@lru_cache(maxsize=128)
def people_along(model: CurveModel, kind: ReportSplit, wish: float) -> Reals:
    """The number of people the wish takes at each of a few levels; infinite where 10¹⁵ are too few."""
    needs = [people_for(wish**2, sizes_to(FAR), tuned_errors(model, kind, level)) for level in PLAN_LEVELS]
    return np.array(needs)


@dataclass(frozen=True)
class CurvePlan(Question["CurvePlanResult"], Declared):
    """To draw the curve within a typical error: which level for these people, how many people at this level?"""

    model: CurveModel
    n: Users
    epsilon: Epsilon
    wish: ErrorWish = 0.1
    kind: ReportSplit = "both"

    def run(self, progress: Progress = no_progress) -> CurvePlanResult:
        needed = people_for(self.wish**2, sizes_to(FAR), tuned_errors(self.model, self.kind, self.epsilon))
        own = math.sqrt(tuned_error(self.model, self.n, self.epsilon, self.kind))
        progress(1.0)
        along = people_along(self.model, self.kind, self.wish)
        honest = people_for(self.wish**2, sizes_to(FAR, FEWEST), direct_errors(self.model))
        return CurvePlanResult(self, along, self._enough(needed), self._level(), own, honest)

    def cost(self) -> Cost:
        return Cost(16 * MEGABYTE, 0.3)

    def _enough(self, about: float) -> float:
        """The first number of people, in steps of 2 % from one that was looked up between others, that is enough."""
        while about < FAR and tuned_error(self.model, math.ceil(about), self.epsilon, self.kind) > self.wish**2:
            about *= 1.02
        return about if about < FAR else math.inf

    def _level(self) -> float | None:
        """The smallest level at which these people are enough; none where no level up to 50 will do."""

        def over(log_level: float) -> float:
            return math.log(tuned_error(self.model, self.n, math.exp(log_level), self.kind)) - 2 * math.log(self.wish)

        low, high = math.log(1e-4), math.log(HIGHEST)
        if over(high) > 0:
            return None
        if over(low) <= 0:
            return math.exp(low)
        return math.exp(brent_root(over, low, high, xtol=1e-3, must_settle=False))


@dataclass(frozen=True, eq=False)
class CurvePlanResult(Public):
    """The people that the wish takes along the level and at the present one, the level that it takes, and the error.

    `honest` is how many honest answers would do, each with the best cells for them; infinite where none would.
    """

    experiment: CurvePlan
    along: Reals
    needed: float
    level: float | None
    error: float
    honest: float

    @property
    def price(self) -> float:
        """The number of people per honest answer where the wish is met; infinite where it never is."""
        return self.needed / self.honest if math.isfinite(self.honest) else math.inf

    @property
    def recommended(self) -> tuple[Recommendation, ...]:
        """The level for these people, or the people for this level; both choose their cells anew."""
        crowd = Recommendation.of(n=math.ceil(self.needed), mode="anew") if math.isfinite(self.needed) else None
        return only(recommended_level(self.level, mode="anew"), crowd)
