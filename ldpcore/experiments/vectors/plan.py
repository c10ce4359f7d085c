"""Solve backwards: which level, or how many people, bring all d means within the width that somebody needs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import numpy as np

from ldpcore.costs import Question
from ldpcore.experiments import Progress
from ldpcore.experiments.recommending import Recommendation, at_level, only
from ldpcore.experiments.solving import smallest_level
from ldpcore.experiments.vectors.family import METHODS, method
from ldpcore.intervals import quantile
from ldpcore.parameters import Confidence, Declared, Dimension, Epsilon, Interval, Users
from ldpcore.populations import Reals

Width = Annotated[float, Interval("w", 0, 1, (0.005, 0.5), scale="log", open_low=True)]
EVERYBODY = 10**18  # more people than this are called impossible


@dataclass(frozen=True)
class VectorPlan(Question, Declared):
    """To know all d means to ± w of the scale at once, whatever people answer: which ε, or how many people?

    By the normal law and the worst case of each method; each mean gets the d-th part of what may go wrong (Bonferroni).
    """

    epsilon: Epsilon
    d: Dimension
    n: Users
    width: Width = 0.05
    confidence: Confidence = 0.95

    def run(self, progress: Progress | None = None) -> VectorPlanResult:
        return VectorPlanResult(self, tuple(self._need(slug) for slug in METHODS))

    @property
    def factor(self) -> float:
        """How many standard errors each interval has, so that all d hold together."""
        return float(quantile(1 - (1 - self.confidence) / self.d))

    @property
    def allowed(self) -> float:
        """The variance of one person's report, on [-1, 1], that n people bring within the width."""
        return self.n * (2 * self.width / self.factor) ** 2

    def worst(self, slug: str, level: float) -> float:
        """The worst variance of a method at a level."""
        return method(slug, level, self.d).worst_variance()

    def _need(self, slug: str) -> Need:
        present = self.worst(slug, self.epsilon)
        people = max(math.ceil(self.n * present / self.allowed), 1)
        reach = self.factor * math.sqrt(present / self.n) / 2
        return Need(
            slug,
            smallest_level(partial(self.worst, slug), self.allowed),
            people if people <= EVERYBODY else None,
            reach,
        )


@dataclass(frozen=True)
class Need:
    """What one method needs: the level for n people, the people at the level; `reach` is what it gives now."""

    slug: str
    epsilon: float | None
    people: int | None
    reach: float


@dataclass(frozen=True)
class VectorPlanResult:
    """The needs of every method, in their order."""

    experiment: VectorPlan
    needs: tuple[Need, ...]

    @property
    def best(self) -> Need | None:
        """The method that needs the smallest level; none where no method will do."""
        able = [need for need in self.needs if need.epsilon is not None]
        return min(able, key=lambda need: float(f"{need.epsilon:.9e}"), default=None)

    @property
    def recommended(self) -> tuple[Recommendation, ...]:
        """The method of the smallest level, and the one of the fewest people at this level."""
        best, fewest = self.best, self.fewest
        level = None if best is None else at_level(best.epsilon, method=best.slug)
        crowd = None if fewest.people is None else Recommendation.of(method=fewest.slug, n=fewest.people)
        return only(level, crowd)

    @property
    def fewest(self) -> Need:
        """The method that needs the fewest people at the present level."""
        return min(self.needs, key=lambda need: math.inf if need.people is None else need.people)

    def people_along(self, slug: str, levels: Reals) -> Reals:
        """How many people a method needs at each level."""
        question = self.experiment
        worst = np.array([question.worst(slug, float(level)) for level in levels])
        return np.asarray(np.maximum(question.n * worst / question.allowed, 1.0), dtype=np.float64)
