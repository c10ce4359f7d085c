"""Solve backwards: which level, or how many people, make the mean as exact as somebody needs it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import numpy as np

from ldpcore.costs import Question
from ldpcore.experiments import Progress
from ldpcore.experiments.means.family import Settings, nearest, slugs
from ldpcore.experiments.recommending import Recommendation, at_level, only
from ldpcore.experiments.solving import smallest_level
from ldpcore.intervals import quantile
from ldpcore.mechanisms.hybrid import HybridMechanism
from ldpcore.mechanisms.onebit import BinaryMechanism
from ldpcore.parameters import Confidence, Declared, Epsilon, Interval, Users
from ldpcore.populations import Reals
from ldpcore.scales import UNIT, PublicScale

Width = Annotated[float, Interval("w", 0, 2e14, (0.001, 1), scale="log", open_low=True)]
EVERYBODY = 10**18  # more people than this are called impossible


@dataclass(frozen=True)
class MeanPlan(Question, Declared):
    """To be within ±w of the mean with this confidence, whatever numbers people hold: which ε, or how many people?

    By the normal law and the worst case of each mechanism; w is in the reader's unit. With `sampled`, people are a
    random sample and the mean of everybody is meant, so that their own differences count too.
    """

    epsilon: Epsilon
    n: Users
    width: Width
    confidence: Confidence = 0.95
    scale: PublicScale = UNIT
    slugs: tuple[str, ...] = ()
    settings: Settings = ()
    sampled: bool = False

    def run(self, progress: Progress | None = None) -> MeanPlanResult:
        chosen = self.slugs or slugs()
        needs = tuple(self._need(slug) for slug in chosen)
        if progress is not None:
            progress(1.0)
        return MeanPlanResult(self, needs)

    @property
    def allowed(self) -> float:
        """The variance of one person's report that n people bring within the width."""
        return self.n * (self.width / self.scale.half / quantile(self.confidence)) ** 2

    def _need(self, slug: str) -> Need:
        present = self.worst(slug, self.epsilon)
        people = math.ceil(self.n * present / self.allowed)
        width = quantile(self.confidence) * math.sqrt(present / self.n) * self.scale.half
        return Need(
            slug,
            smallest_level(partial(self.worst, slug), self.allowed),
            max(people, 1) if people <= EVERYBODY else None,
            width,
        )

    def worst(self, slug: str, level: float) -> float:
        """The worst variance of a mechanism at a level, with its usual settings where these are refused there."""
        member = nearest(slug, level, self.settings)
        # Numbers differ by a variance of at most 1; a bit of a random person is ±z₀ and its variance z₀² at most.
        bits = isinstance(member, BinaryMechanism) or (isinstance(member, HybridMechanism) and not member.weight)
        return member.worst_variance() + (self.sampled and not bits)


@dataclass(frozen=True)
class Need:
    """What one mechanism needs: the level for n people (none: no level up to 50 will do), the people at the level.

    `width` is what it gives now; `people` is none where even 10¹⁸ would be too few.
    """

    slug: str
    epsilon: float | None
    people: int | None
    width: float


@dataclass(frozen=True)
class MeanPlanResult:
    """The needs of every mechanism, in the order asked for."""

    experiment: MeanPlan
    needs: tuple[Need, ...]

    def need(self, slug: str) -> Need:
        """What this mechanism needs."""
        return next(need for need in self.needs if need.slug == slug)

    def people_along(self, slug: str, levels: Reals) -> Reals:
        """How many people a mechanism needs at each level."""
        question = self.experiment
        worst = np.array([question.worst(slug, float(level)) for level in levels])
        return np.asarray(np.maximum(question.n * worst / question.allowed, 1.0), dtype=np.float64)

    @property
    def best(self) -> Need | None:
        """The mechanism that needs the smallest level; none where no mechanism will do."""
        able = [need for need in self.needs if need.epsilon is not None]
        return min(able, key=lambda need: need.epsilon or math.inf, default=None)

    @property
    def recommended(self) -> tuple[Recommendation, ...]:
        """The mechanism of the smallest level, one's own, and the people for this level: one's own or the fewest."""
        own, best, fewest = self.needs[0], self.best, self.fewest
        other = None if best is None or best.slug == own.slug else at_level(best.epsilon, mechanism=best.slug)
        crowd = None if fewest.people is None else Recommendation.of(mechanism=fewest.slug, n=fewest.people)
        return only(at_level(own.epsilon), other, crowd)

    @property
    def fewest(self) -> Need:
        """The mechanism that needs the fewest people at the present level."""
        return min(self.needs, key=lambda need: math.inf if need.people is None else need.people)
