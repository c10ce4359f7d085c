"""Solve backwards: the level, or the number of people, that draws the curve as exactly as is wished."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

import numpy as np

from ldpcore.costs import MEGABYTE, Cost
from ldpcore.estimating.regression import ReportSplit
from ldpcore.experiments.recommending import only, recommended_level, sayable
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
from ldpcore.numerics.bisection import least
from ldpcore.parameters import Declared, Epsilon, Interval, Users
from ldpcore.people.curves import CurveModel
from ldpcore.questions import Progress, Public, Question, Recommendation, no_progress

ErrorWish = Annotated[float, Interval("e", 0, 10, (0.02, 0.5), scale="log", open_low=True)]
PLAN_LEVELS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
LOWEST, HIGHEST, SCANNED = 1e-4, 50.0, 161  # levels, and how many of them are looked at


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
        """The smallest level at which these people are enough; none where no level up to 50 will do.

        Cells are chosen anew at each level, so that the error need not fall all the way: the first of many levels that
        does is found, and then the least between it and the one before.
        """

        def fits(level: float) -> bool:
            both = level, sayable(level) or level  # as it is taken over, too
            return all(tuned_error(self.model, self.n, one, self.kind) <= self.wish**2 for one in both)

        levels = np.geomspace(LOWEST, HIGHEST, SCANNED).tolist()
        place = next((place for place, level in enumerate(levels) if fits(level)), None)
        if place is None:
            return None
        return least(fits, levels[place - 1], levels[place], halvings=20) if place else levels[0]


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
