"""Solve backwards: the level, or the number of people, that makes the mean as exact as is wished."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

from ldpcore.estimating.confidences import quantile
from ldpcore.estimating.meanintervals import mean_reach
from ldpcore.experiments.means.family import Settings, nearest, slugs
from ldpcore.experiments.needs import Need, NeedsPlan, NeedsResult
from ldpcore.experiments.recommending import only
from ldpcore.parameters import Confidence, Epsilon, Interval, Users
from ldpcore.people.scales import UNIT, PublicScale
from ldpcore.questions import Progress, Question, Recommendation, no_progress

MeanWidth = Annotated[float, Interval("w", 0, 2e14, (0.001, 1), scale="log", open_low=True)]


@dataclass(frozen=True)
class MeanPlan(NeedsPlan, Question["MeanPlanResult"]):
    """To be within ±w of the mean with this confidence, whatever numbers people hold: which ε, or how many people?

    By what is proved of the mean of reports for every crowd, as the intervals are; w is in the reader's unit. With
    `sampled`, people are a random sample and the mean of everybody is meant, so that their own differences count too.
    """

    epsilon: Epsilon
    n: Users
    width: MeanWidth
    confidence: Confidence = 0.95
    scale: PublicScale = UNIT
    slugs: tuple[str, ...] = ()
    settings: Settings = ()
    sampled: bool = False

    knots: ClassVar[int] = 17

    def run(self, progress: Progress = no_progress) -> MeanPlanResult:
        needs = tuple(self.need(slug) for slug in self.slugs or slugs())
        progress(1.0)
        return MeanPlanResult(self, needs)

    def anywhere(self) -> MeanPlan:
        return replace(self, epsilon=1.0, slugs=())

    @property
    def normal(self) -> float:
        """The number of people a variance of 1 on [-1, 1] would take by the normal law: where a search begins."""
        return (quantile(self.confidence) * self.scale.half / self.width) ** 2

    def about(self, slug: str, level: float) -> float:
        return self.normal * (nearest(slug, level, self.settings).worst_variance() + self.sampled)

    def reach(self, slug: str, level: float, n: int) -> float:
        """The largest error of the mean of n people, with usual settings where the given ones are refused."""
        member = nearest(slug, level, self.settings)
        return mean_reach(member, n, self.confidence, self.sampled) * self.scale.half


@dataclass(frozen=True)
class MeanPlanResult(NeedsResult[MeanPlan]):
    """The needs of every mechanism, in the order asked for: one's own comes first."""

    @property
    def recommended(self) -> tuple[Recommendation, ...]:
        """The mechanism of the smallest level, one's own, and the people for this level: one's own or the fewest."""
        own, best = self.needs[0], self.best
        other = None if best is None or best.slug == own.slug else self.said(best, mechanism=best.slug)
        return only(self.said(own), other, self.crowd(mechanism=self.fewest.slug))

    def need(self, slug: str) -> Need:
        """The needs of this mechanism."""
        return next(need for need in self.needs if need.slug == slug)
