"""Plans of means: the level, or the people, that each mechanism needs so that all means are within a width."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import ClassVar, Generic, Self, TypeVar

import numpy as np

from ldpcore.experiments.recommending import sayable
from ldpcore.experiments.solving import fewest_people, smallest_level
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Declared
from ldpcore.questions import Public, Recommendation

EVERYBODY = 10**18  # more people than this are called impossible
TRIES = 40  # levels that can be said, one above the other


@dataclass(frozen=True)
class Need:
    """The needs of one mechanism: the level for n people (none: no level up to 50 will do), the people at the level.

    `reach` is how far off it is at most now; `people` is none where even 10¹⁸ would be too few.
    """

    slug: str
    epsilon: float | None
    people: int | None
    reach: float


class NeedsPlan(Declared):
    """A question for the level, or the number of people, that keeps what is proved of each mechanism within a width."""

    epsilon: float
    n: int
    width: float
    knots: ClassVar[int]  # levels at which a curve of people is searched; between them the normal law carries it

    @abstractmethod
    def reach(self, slug: str, level: float, n: int) -> float:
        """The largest error of a mean of n people's reports, in the unit of the width."""

    @abstractmethod
    def about(self, slug: str, level: float) -> float:
        """The number of people a mechanism takes at a level by the normal law: where a search begins."""

    def anywhere(self) -> Self:
        """The plan without the settings on which no level for its people depends."""
        return replace(self, epsilon=1.0)  # type: ignore[type-var]

    def need(self, slug: str) -> Need:
        """The needs of a mechanism."""
        return Need(slug, self.level(slug), self.people(slug), self.reach(slug, self.epsilon, self.n))

    def level(self, slug: str) -> float | None:
        """The smallest level at which a mechanism is as exact as is wished, whatever the level is now."""
        return level_within(self.anywhere(), slug)

    def people(self, slug: str, most: int = EVERYBODY) -> int | None:
        """The fewest people who are enough at the present level; none where `most` are too few."""
        reach = partial(self.reach, slug, self.epsilon)
        return fewest_people(reach, self.width, self.about(slug, self.epsilon), most)

    def people_along(self, slug: str, levels: Reals) -> Reals:
        """The number of people a mechanism takes at each level, to a few per cent where they are few."""
        logs, more = people_at_knots(replace(self.anywhere(), n=1), slug)  # type: ignore[type-var]
        about = np.array([self.about(slug, float(level)) for level in levels])
        return np.asarray(np.maximum(about * np.exp(np.interp(np.log(levels), logs, more)), 1.0), dtype=np.float64)


@lru_cache(maxsize=512)
def level_within(plan: NeedsPlan, slug: str) -> float | None:
    """The smallest level at which a mechanism keeps the width of a plan; none up to 50 where it never does."""
    return smallest_level(lambda level: plan.reach(slug, level, plan.n), plan.width)


@lru_cache(maxsize=512)
def people_at_knots(plan: NeedsPlan, slug: str) -> tuple[Reals, Reals]:
    """ln of some levels, and ln of the ratio of the people they take to the normal law's."""
    logs, more = np.log(np.geomspace(0.005, 20, plan.knots)), []
    for log in logs:
        level = math.exp(log)
        about = plan.about(slug, level)
        people = fewest_people(partial(plan.reach, slug, level), plan.width, about, 10**30)
        more.append(math.log(max(people or 1, 1) / about))
    return logs, np.array(more)


Plan = TypeVar("Plan", bound=NeedsPlan)


@dataclass(frozen=True)
class NeedsResult(Public, Generic[Plan]):
    """The needs of every mechanism, in the order asked for."""

    experiment: Plan
    needs: tuple[Need, ...]

    @property
    def best(self) -> Need | None:
        """The mechanism that needs the smallest level, the first of equals; none where no mechanism will do."""
        # What a solver leaves of equal levels differs in the last digits.
        able = [need for need in self.needs if need.epsilon is not None]
        return min(able, key=lambda need: float(f"{need.epsilon:.9e}"), default=None)

    @property
    def fewest(self) -> Need:
        """The mechanism that needs the fewest people at the present level, the first of equals."""
        return min(self.needs, key=lambda need: math.inf if need.people is None else need.people)

    def people_along(self, slug: str, levels: Reals) -> Reals:
        """The number of people a mechanism needs at each level."""
        return self.experiment.people_along(slug, levels)

    def said(self, need: Need, **chosen: str) -> Recommendation | None:
        """The next level that can be said and at which what is proved of a mechanism keeps the width.

        The proved bound need not become sharper at every step of the level.
        """
        plan, level = self.experiment, sayable(need.epsilon)
        for _ in range(TRIES):
            if level is None:
                break
            if plan.reach(need.slug, level, plan.n) <= plan.width:
                return Recommendation.of(**chosen, epsilon=level)
            level = sayable(level * 1.001)
        return None

    def crowd(self, **chosen: str) -> Recommendation | None:
        """The fewest people who are enough at the present level, with the settings that this takes."""
        return None if self.fewest.people is None else Recommendation.of(**chosen, n=self.fewest.people)
