"""Solve backwards: which level, or how many people, make the mean as exact as somebody needs it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Annotated

import numpy as np

from ldpcore.estimating.intervals import quantile
from ldpcore.estimating.meanintervals import mean_reach
from ldpcore.experiments.means.family import Settings, nearest, slugs
from ldpcore.experiments.recommending import at_level, only
from ldpcore.experiments.solving import fewest_people, smallest_level
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Confidence, Declared, Epsilon, Interval, Users
from ldpcore.people.scales import UNIT, PublicScale
from ldpcore.questions import Progress, Public, Question, Recommendation, no_progress

Width = Annotated[float, Interval("w", 0, 2e14, (0.001, 1), scale="log", open_low=True)]
EVERYBODY = 10**18  # more people than this are called impossible
KNOTS = 17  # levels at which a curve of people is searched; between them the normal law carries it


@dataclass(frozen=True)
class MeanPlan(Question["MeanPlanResult"], Declared):
    """To be within ±w of the mean with this confidence, whatever numbers people hold: which ε, or how many people?

    By what is proved of the mean of reports for every crowd, as the intervals are; w is in the reader's unit. With
    `sampled`, people are a random sample and the mean of everybody is meant, so that their own differences count too.
    """

    epsilon: Epsilon
    n: Users
    width: Width
    confidence: Confidence = 0.95
    scale: PublicScale = UNIT
    slugs: tuple[str, ...] = ()
    settings: Settings = ()
    sampled: bool = False

    def run(self, progress: Progress = no_progress) -> MeanPlanResult:
        chosen = self.slugs or slugs()
        needs = tuple(self._need(slug) for slug in chosen)
        progress(1.0)
        return MeanPlanResult(self, needs)

    @property
    def normal(self) -> float:
        """How many people a variance of 1 on [-1, 1] would take by the normal law: where a search begins."""
        return (quantile(self.confidence) * self.scale.half / self.width) ** 2

    def _need(self, slug: str) -> Need:
        return Need(slug, self._level(slug), self.people(slug), self.reach(slug, self.epsilon, self.n))

    def people(self, slug: str, most: int = EVERYBODY) -> int | None:
        """The fewest people who are enough at the present level; none where `most` are too few."""
        about = nearest(slug, self.epsilon, self.settings).worst_variance() + self.sampled
        return fewest_people(partial(self.reach, slug, self.epsilon), self.width, self.normal * about, most)

    def _level(self, slug: str) -> float | None:
        return level_within(replace(self, epsilon=1.0, slugs=(slug,)))

    def reach(self, slug: str, level: float, n: int) -> float:
        """How far off the mean of n people is at most, with its usual settings where these are refused at a level."""
        member = nearest(slug, level, self.settings)
        return mean_reach(member, n, self.confidence, self.sampled) * self.scale.half


@lru_cache(maxsize=512)
def level_within(question: MeanPlan) -> float | None:
    """The smallest level at which the one mechanism asked about is as exact as is wished, whatever its level is now."""
    (slug,) = question.slugs
    return smallest_level(lambda level: question.reach(slug, level, question.n), question.width)


@lru_cache(maxsize=512)
def _people_at_knots(question: MeanPlan) -> tuple[Reals, Reals]:
    """ln of some levels, and ln of how many times as many people as the normal law's they take."""
    (slug,) = question.slugs
    logs, more = np.log(np.geomspace(0.005, 20, KNOTS)), []
    for log in logs:
        level = math.exp(log)
        about = question.normal * (nearest(slug, level, question.settings).worst_variance() + question.sampled)
        people = fewest_people(partial(question.reach, slug, level), question.width, about, 10**30)
        more.append(math.log(max(people or 1, 1) / about))
    return logs, np.array(more)


def people_along(question: MeanPlan, levels: Reals) -> Reals:
    """How many people the one mechanism asked about takes at each level, to a few per cent where they are few."""
    logs, more = _people_at_knots(replace(question, epsilon=1.0, n=1))
    members = [nearest(question.slugs[0], float(level), question.settings) for level in levels]
    about = question.normal * np.array([member.worst_variance() + question.sampled for member in members])
    return np.asarray(np.maximum(about * np.exp(np.interp(np.log(levels), logs, more)), 1.0), dtype=np.float64)


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
class MeanPlanResult(Public):
    """The needs of every mechanism, in the order asked for."""

    experiment: MeanPlan
    needs: tuple[Need, ...]

    def need(self, slug: str) -> Need:
        """What this mechanism needs."""
        return next(need for need in self.needs if need.slug == slug)

    def people_along(self, slug: str, levels: Reals) -> Reals:
        """How many people a mechanism needs at each level."""
        return people_along(replace(self.experiment, slugs=(slug,)), levels)

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
