"""Solve backwards: the level, or the number of people, that brings all d means within a width."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from ldpcore.estimating.confidences import quantile
from ldpcore.estimating.meanintervals import mean_reach
from ldpcore.experiments.needs import NeedsPlan, NeedsResult
from ldpcore.experiments.recommending import only
from ldpcore.experiments.vectors.family import METHODS, method
from ldpcore.parameters import Confidence, Dimension, Epsilon, Interval, Users
from ldpcore.questions import Progress, Question, Recommendation, no_progress

VectorWidth = Annotated[float, Interval("w", 0, 1, (0.005, 0.5), scale="log", open_low=True)]


@dataclass(frozen=True)
class VectorPlan(NeedsPlan, Question["VectorPlanResult"]):
    """To know all d means to ± w of the scale at once, whatever people answer: which ε, or how many people?

    By what is proved of each method for every crowd; each mean gets the d-th part of what may go wrong (Bonferroni).
    """

    epsilon: Epsilon
    d: Dimension
    n: Users
    width: VectorWidth = 0.05
    confidence: Confidence = 0.95

    knots: ClassVar[int] = 13

    def run(self, progress: Progress = no_progress) -> VectorPlanResult:
        return VectorPlanResult(self, tuple(self.need(slug) for slug in METHODS))

    @property
    def each(self) -> float:
        """The confidence of each interval, so that all d hold together."""
        return 1 - (1 - self.confidence) / self.d

    @property
    def normal(self) -> float:
        """The number of people a variance of 1 on [-1, 1] would take by the normal law: where a search begins."""
        return (quantile(self.each) / (2 * self.width)) ** 2

    def reach(self, slug: str, level: float, n: int) -> float:
        """The largest error of a mean of n people's reports, as a share of the scale."""
        return mean_reach(method(slug, level, self.d), n, self.each) / 2

    def about(self, slug: str, level: float) -> float:
        return self.normal * method(slug, level, self.d).worst_variance()


@dataclass(frozen=True)
class VectorPlanResult(NeedsResult[VectorPlan]):
    """The needs of every method, in their order."""

    @property
    def recommended(self) -> tuple[Recommendation, ...]:
        """The method of the smallest level, and the one of the fewest people at this level."""
        best = self.best
        level = None if best is None else self.said(best, method=best.slug)
        return only(level, self.crowd(method=self.fewest.slug))
