"""The level, or the number of people, that a precision takes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Literal

from ldpcore.estimating.adviser import level_needed
from ldpcore.estimating.confidences import quantile
from ldpcore.estimating.sharereaches import worst_share_reach
from ldpcore.experiments.recommending import only, said_level
from ldpcore.experiments.response.design import RespondentCount, ResponseDesign
from ldpcore.experiments.solving import fewest_people
from ldpcore.mechanisms.base import CategoryRandomizer
from ldpcore.mechanisms.coins import TwoCoins
from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.parameters import Confidence, Declared, Interval
from ldpcore.questions import Progress, Public, Question, Recommendation, no_progress

SurveyWidth = Annotated[float, Interval("w", 0, 1, (0.01, 0.2), scale="log", open_low=True)]
Unanswered = Annotated[float, Interval("s", 0, 0.95, (0, 0.8))]
EVERYBODY = 10**15  # more answers than this are called impossible
BEST = RandomizedResponse(1.0)  # a plan is about the best coins; other designs have no level to turn
HONEST = TwoCoins(1.0, 0.0)


@dataclass(frozen=True)
class SurveyPlan(Question["SurveyPlanResult"], Declared):
    """Solve backwards: to know a share to ±w with this confidence, whatever it is: which ε, or how many people?

    By the exact law of the number of yes. People who are `sampled` stand for a population, whose share is meant; else
    the share meant is the one among the people asked, as in a census. Of the n who are asked, a share `unanswered` is
    expected to stay silent: the widths are those of the answers that come, n(1 - s).
    """

    design: ResponseDesign
    n: RespondentCount
    width: SurveyWidth = 0.05
    confidence: Confidence = 0.95
    sampled: bool = True
    unanswered: Unanswered = 0.0

    @property
    def answers(self) -> int:
        """The expected number of answers, at least one."""
        return max(math.floor(self.n * (1 - self.unanswered) * (1 + 1e-12)), 1)

    def asking(self, answers: int | None) -> int | None:
        """The number of people to ask so that these answers can be expected; None where no number does."""
        return None if answers is None else math.ceil(answers / (1 - self.unanswered) * (1 - 1e-12))

    def run(self, progress: Progress = no_progress) -> SurveyPlanResult:
        level = _level_within(self.width, self.answers, self.confidence, self.sampled)
        people, truthful = (self.asking(self.people(design)) for design in (self.design, HONEST))
        return SurveyPlanResult(self, self.reach(self.design), level, people, truthful, self.reach(HONEST))

    def people(self, design: ResponseDesign) -> int | None:
        """The fewest answers that a design takes; None where no number is enough."""
        return _fewest_within(self.width, design, self.confidence, self.sampled)

    def reach(self, design: ResponseDesign) -> float:
        """The distance from the truth, whatever it is, that the nearest share stays within with the confidence."""
        return worst_share_reach(design, self.answers, self.confidence, self.sampled)

    def fits(self, randomizer: CategoryRandomizer) -> bool:
        """Whether another level is precise enough for the answers that are expected."""
        assert isinstance(randomizer, RandomizedResponse)
        return self.reach(randomizer) <= self.width * (1 + 1e-12)


@lru_cache(maxsize=512)
def _level_within(width: float, answers: int, confidence: float, sampled: bool) -> float | None:
    """The strictest level at which this number of answers is precise enough, whatever the level is now."""
    return level_needed(BEST, SurveyPlan(BEST, answers, width, confidence, sampled).fits)


@lru_cache(maxsize=4096)
def _fewest_within(width: float, design: ResponseDesign, confidence: float, sampled: bool) -> int | None:
    """The fewest answers that are precise enough; the search begins where the normal law puts it."""
    if design.gap == 0:
        return None
    variance = float(design.variance_of_shares(0.5, 1)) + 0.25 * sampled
    about = (quantile(confidence) / width) ** 2 * variance
    return fewest_people(lambda n: worst_share_reach(design, n, confidence, sampled), width, about, EVERYBODY)


@dataclass(frozen=True, eq=False)
class SurveyPlanResult(Public):
    """The present reach, the level that would do (None: no level), and the people to ask, beside those without lies.

    `truthful` is the reach of direct answers: where it exceeds the wish, privacy is not what stands in the way.
    """

    experiment: SurveyPlan
    width: float
    epsilon: float | None
    people: int | None
    truthful_people: int | None
    truthful: float

    @property
    def case(self) -> Literal["possible", "impossible"]:
        """Whether some level does; where truthful people are too few, none does."""
        return "impossible" if self.epsilon is None else "possible"

    @property
    def said(self) -> float | None:
        """The level as it is taken over, in steps that can be said."""
        return said_level(BEST, self.epsilon, self.experiment.fits)

    @property
    def recommended(self) -> tuple[Recommendation, ...]:
        """The level for these people, or the people for this level where more may be asked."""
        crowd = Recommendation.of(n=self.people) if self.people and self.experiment.sampled else None
        return only(None if self.said is None else Recommendation.of(epsilon=self.said), crowd)

    @property
    def kept(self) -> bool:
        """Whether the present settings keep the wish."""
        return self.width <= self.experiment.width * (1 + 1e-9)
