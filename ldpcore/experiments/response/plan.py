"""Which level, or how many people, a precision takes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Literal

from ldpcore.estimating.adviser import level_needed
from ldpcore.estimating.intervals import half_width
from ldpcore.experiments.recommending import at_level, only
from ldpcore.experiments.response.design import Design, People
from ldpcore.mechanisms.base import CategoryRandomizer
from ldpcore.mechanisms.coins import TwoCoins
from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.parameters import (
    Confidence,
    Declared,
    Interval,
    Probability,
)
from ldpcore.questions import Progress, Public, Question, Recommendation

Width = Annotated[float, Interval("w", 0, 1, (0.01, 0.2), scale="log", open_low=True)]
Unanswered = Annotated[float, Interval("s", 0, 0.95, (0, 0.8))]


@dataclass(frozen=True)
class SurveyPlan(Question["SurveyPlanResult"], Declared):
    """Solve backwards: to know the share in a population to ±w with this confidence, which ε, or how many people?

    Normal half-widths from exact variances. People who are `sampled` stand for a population, which adds f(1-f)/n, most
    where f = ½; else the share meant is the one among the people asked, as in a census. Of the n who are asked, a share
    `unanswered` is expected to stay silent: the widths are those of the answers that come, n(1 - s).
    """

    design: Design
    n: People
    share: Probability = 0.3
    width: Width = 0.05
    confidence: Confidence = 0.95
    sampled: bool = True
    unanswered: Unanswered = 0.0

    @property
    def answers(self) -> int:
        """How many answers are expected, at least one."""
        return max(round(self.n * (1 - self.unanswered)), 1)

    def asking(self, answers: float) -> int | None:
        """How many people are asked so that so many answers can be expected; None where no number does."""
        if not math.isfinite(answers):
            return None
        return math.ceil(math.ceil(answers) / (1 - self.unanswered) * (1 - 1e-12))

    def run(self, progress: Progress | None = None) -> SurveyPlanResult:
        truthful = half_width(self.share, TwoCoins(1.0, 0.0), self.answers, self.confidence, self.sampled)
        # A plan is about the best coins; other designs have no level to turn.
        level = level_needed(RandomizedResponse(1.0), self.fits)
        needed = self.asking(self.people(self.design))
        width = self.half_width(self.design, self.answers)
        return SurveyPlanResult(self, width, level, needed, truthful)

    def people(self, design: CategoryRandomizer) -> float:
        """(half-width of one person / w)²: how many answers make the half-width w."""
        return (self.half_width(design, 1) / self.width) ** 2

    def half_width(self, design: CategoryRandomizer, n: int) -> float:
        """z √((v + s f(1-f))/n), s = 1 where people are sampled."""
        return half_width(self.share, design, n, self.confidence, self.sampled)

    def fits(self, randomizer: CategoryRandomizer) -> bool:
        """Whether another level is precise enough for the answers that are expected."""
        return self.half_width(randomizer, self.answers) <= self.width


@dataclass(frozen=True, eq=False)
class SurveyPlanResult(Public):
    """The present half-width, the level that would do (None: no level), the people to ask, and without lying.

    `truthful` is the half-width of direct answers: where it exceeds the wish, privacy is not what stands in the way.
    """

    experiment: SurveyPlan
    width: float
    epsilon: float | None
    people: int | None
    truthful: float

    @property
    def case(self) -> Literal["possible", "impossible"]:
        """Whether some level does; where truthful people are too few, none does."""
        return "impossible" if self.epsilon is None else "possible"

    @property
    def recommended(self) -> tuple[Recommendation, ...]:
        """The level for these people, or the people for this level where more may be asked."""
        crowd = Recommendation.of(n=max(self.people, 1)) if self.people and self.experiment.sampled else None
        return only(at_level(self.epsilon), crowd)

    @property
    def kept(self) -> bool:
        """Whether the present settings keep what is wished."""
        return self.width <= self.experiment.width * (1 + 1e-9)

    @property
    def truthful_people(self) -> float:
        """How many people would have to be asked if all simply told the truth."""
        question = self.experiment
        return question.n * (self.truthful / question.width) ** 2
