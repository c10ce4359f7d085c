"""Solve backwards: which level, or how many people, bring all d means within the width that somebody needs."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Annotated

import numpy as np

from ldpcore.estimating.intervals import quantile
from ldpcore.estimating.meanintervals import mean_reach
from ldpcore.experiments.recommending import at_level, only
from ldpcore.experiments.solving import fewest_people, smallest_level
from ldpcore.experiments.vectors.family import METHODS, method
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Confidence, Declared, Dimension, Epsilon, Interval, Users
from ldpcore.questions import Progress, Public, Question, Recommendation, no_progress

Width = Annotated[float, Interval("w", 0, 1, (0.005, 0.5), scale="log", open_low=True)]
EVERYBODY = 10**18  # more people than this are called impossible
TRIES = 40  # levels that can be said, one above the other
KNOTS = 13  # levels at which a curve of people is searched; between them the normal law carries it


@dataclass(frozen=True)
class VectorPlan(Question["VectorPlanResult"], Declared):
    """To know all d means to ± w of the scale at once, whatever people answer: which ε, or how many people?

    By what is proved of each method for every crowd; each mean gets the d-th part of what may go wrong (Bonferroni).
    """

    epsilon: Epsilon
    d: Dimension
    n: Users
    width: Width = 0.05
    confidence: Confidence = 0.95

    def run(self, progress: Progress = no_progress) -> VectorPlanResult:
        return VectorPlanResult(self, tuple(self._need(slug) for slug in METHODS))

    @property
    def each(self) -> float:
        """The confidence of each interval, so that all d hold together."""
        return 1 - (1 - self.confidence) / self.d

    @property
    def normal(self) -> float:
        """How many people a variance of 1 on [-1, 1] would take by the normal law: where a search begins."""
        return (quantile(self.each) / (2 * self.width)) ** 2

    def reach(self, slug: str, level: float, n: int) -> float:
        """How far off a mean of n people's reports is at most, as a share of the scale."""
        return mean_reach(method(slug, level, self.d), n, self.each) / 2

    def _need(self, slug: str) -> Need:
        about = self.normal * method(slug, self.epsilon, self.d).worst_variance()
        people = fewest_people(partial(self.reach, slug, self.epsilon), self.width, about, EVERYBODY)
        return Need(
            slug, level_within(replace(self, epsilon=1.0), slug), people, self.reach(slug, self.epsilon, self.n)
        )


@lru_cache(maxsize=512)
def level_within(question: VectorPlan, slug: str) -> float | None:
    """The smallest level at which a method is as exact as is wished, whatever the level is now."""
    return smallest_level(lambda level: question.reach(slug, level, question.n), question.width)


@lru_cache(maxsize=512)
def _people_at_knots(question: VectorPlan, slug: str) -> tuple[Reals, Reals]:
    """ln of some levels, and ln of how many times as many people as the normal law's they take."""
    logs, more = np.log(np.geomspace(0.005, 20, KNOTS)), []
    for log in logs:
        level = math.exp(log)
        about = question.normal * method(slug, level, question.d).worst_variance()
        people = fewest_people(partial(question.reach, slug, level), question.width, about, 10**30)
        more.append(math.log(max(people or 1, 1) / about))
    return logs, np.array(more)


@dataclass(frozen=True)
class Need:
    """What one method needs: the level for n people, the people at the level; `reach` is what it gives now."""

    slug: str
    epsilon: float | None
    people: int | None
    reach: float


@dataclass(frozen=True)
class VectorPlanResult(Public):
    """The needs of every method, in their order."""

    experiment: VectorPlan
    needs: tuple[Need, ...]

    @property
    def best(self) -> Need | None:
        """The method that needs the smallest level; none where no method will do."""
        able = [need for need in self.needs if need.epsilon is not None]
        return min(able, key=lambda need: float(f"{need.epsilon:.9e}"), default=None)

    def _kept(self, best: Need) -> Recommendation | None:
        """The next level that can be said and at which what is proved of the `best` method keeps the width.

        What is proved need not become sharper at every step of the level.
        """
        question, level = self.experiment, best.epsilon
        for _ in range(TRIES):
            offered = at_level(level, method=best.slug)
            if offered is None:
                return None
            level = float(dict(offered.settings)["epsilon"])
            if question.reach(best.slug, level, question.n) <= question.width:
                return offered
            level *= 1.001
        return None

    @property
    def recommended(self) -> tuple[Recommendation, ...]:
        """The method of the smallest level, and the one of the fewest people at this level."""
        best, fewest = self.best, self.fewest
        level = None if best is None else self._kept(best)
        crowd = None if fewest.people is None else Recommendation.of(method=fewest.slug, n=fewest.people)
        return only(level, crowd)

    @property
    def fewest(self) -> Need:
        """The method that needs the fewest people at the present level."""
        return min(self.needs, key=lambda need: math.inf if need.people is None else need.people)

    def people_along(self, slug: str, levels: Reals) -> Reals:
        """How many people a method needs at each level."""
        question = self.experiment
        logs, more = _people_at_knots(replace(question, epsilon=1.0, n=1), slug)
        variances = [method(slug, float(level), question.d).worst_variance() for level in levels]
        about = question.normal * np.array(variances) * np.exp(np.interp(np.log(levels), logs, more))
        return np.asarray(np.maximum(about, 1.0), dtype=np.float64)
