"""A class that answers once, or a survey that was really run: the estimate, its interval, and its reading."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import scipy
from numpy.typing import NDArray

from ldpcore.costs import Cost
from ldpcore.estimating.intervals import Bounds
from ldpcore.estimating.nonresponse import Silent, worst_case
from ldpcore.experiments import generator
from ldpcore.experiments.response.design import (
    RespondentCount,
    ResponseDesign,
    Yes,
    answered_alike,
    check_yes,
    coins_of,
    estimate_of,
    exact_cost,
    interval_of,
)
from ldpcore.experiments.response.estimated import Estimated, OfKnownClass
from ldpcore.mechanisms.coins import TwoCoins
from ldpcore.parameters import Confidence, Declared, Seed
from ldpcore.questions import Progress, Public, Question, Result, no_progress

DRAWN = 5000  # people who are drawn one by one; a larger class is drawn group by group


@dataclass(frozen=True)
class Flips:
    """The fall of everybody's coins: the first asks for the truth or hands over to the second, which says yes or no.

    With a > b, the first coin asks for the truth with probability a - b and the second says "yes" with probability
    b/(1 - (a - b)); with a < b the first coin asks for the opposite of the truth instead.
    """

    truth: NDArray[np.bool_]
    honest: NDArray[np.bool_]
    second: NDArray[np.bool_]
    answers: NDArray[np.bool_]


@dataclass(frozen=True)
class ClassSurvey(Question["ClassSurveyResult"], Declared):
    """n people, `yes` of whom truly hold the sensitive answer, answer once."""

    design: ResponseDesign
    n: RespondentCount
    yes: Yes
    confidence: Confidence = 0.95
    seed: Seed = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        check_yes(self.yes, self.n)

    @classmethod
    def of_share(
        cls, design: ResponseDesign, n: int, share: float, confidence: float = 0.95, seed: int = 1
    ) -> ClassSurvey:
        """A class whose true share of yes is as near to `share` as whole people allow."""
        return cls(design, n, round(share * n), confidence, seed)

    def cost(self) -> Cost:
        return exact_cost(self.n)

    def run(self, progress: Progress = no_progress) -> ClassSurveyResult:
        rng = generator(self.seed, "class")
        flips = self.flips(rng) if self.n <= DRAWN else None
        if flips is not None:
            among_yes = int(flips.answers[flips.truth].sum())
            among_no = int(flips.answers[~flips.truth].sum())
        else:
            among_yes, among_no = self.groups(rng)
        answered = among_yes + among_no
        interval = interval_of(self.design, answered, self.n, self.confidence)
        estimate = float(estimate_of(self.design, answered, self.n))
        return ClassSurveyResult(self, flips, among_yes, among_no, estimate, interval)

    def groups(self, rng: np.random.Generator) -> tuple[int, int]:
        """The number of the true yes and of the true no who say yes: the same uniform numbers at every level.

        Each is the quantile of its binomial law at one uniform number, so that it moves with the level and never jumps.
        """

        def answered(people: int, uniform: float, no: float, yes: float) -> int:
            if yes <= no:
                return int(scipy.stats.binom.ppf(uniform, people, yes))
            return people - int(
                scipy.stats.binom.ppf(1 - uniform, people, no)
            )  # by the rarer answer, which does not round

        rows = np.asarray(self.design.channel().matrix)
        first, second = rng.random(2)
        return answered(self.yes, first, *map(float, rows[1])), answered(
            self.n - self.yes, second, *map(float, rows[0])
        )

    def flips(self, rng: np.random.Generator) -> Flips:
        """Everybody's coins, the people in random order.

        Each person has two uniform numbers, one for each coin, whatever the level: while it moves, answers turn one
        after the other. The first decides for the second coin by its small chance, which does not round to none.
        """
        says_yes = coins_of(self.design)[1]
        truth = rng.permutation(np.arange(self.n) < self.yes)
        decides = rng.random(self.n) >= float(answered_alike(self.design).sum())
        second = rng.random(self.n) < says_yes
        says = truth if self.design.gap >= 0 else ~truth
        return Flips(truth, decides, second, np.where(decides, says, second))


@dataclass(frozen=True, eq=False)
class ClassSurveyResult(Result, OfKnownClass, Estimated):
    """The coins, person by person in a class that can be drawn; the answers; the estimate and its interval."""

    experiment: ClassSurvey
    flips: Flips | None
    yes_among_yes: int
    yes_among_no: int
    estimate: float
    interval: tuple[float, float]

    @property
    def answered_yes(self) -> int:
        """The number of yes answers, which the collector sees."""
        return self.yes_among_yes + self.yes_among_no

    @property
    def variance(self) -> float:
        """The exact variance of one person's estimate, given the class."""
        return float(self.experiment.design.variance_of_shares(self.truth, 1))

    def masked(self) -> ClassSurveyResult:
        """The answers alone, of an unknown class."""
        nobody = np.zeros(0, dtype=np.bool_)
        flips = None if self.flips is None else Flips(nobody, nobody, nobody, self.flips.answers)
        return replace(
            self,
            experiment=replace(self.experiment, yes=0),
            flips=flips,
            yes_among_yes=0,
            yes_among_no=self.answered_yes,
        )


@dataclass(frozen=True)
class RealAnswers(Question["RealAnswersResult"], Declared):
    """A survey that was really run with coins or dice: `yes` of `n` said yes, and `silent` more did not answer."""

    design: ResponseDesign
    yes: Yes
    n: RespondentCount
    confidence: Confidence = 0.95
    silent: Silent = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_yes(self.yes, self.n)

    def cost(self) -> Cost:
        return exact_cost(self.n)

    def run(self, progress: Progress = no_progress) -> RealAnswersResult:
        estimate = float(estimate_of(self.design, self.yes, self.n))
        asked, sampled = (self.enclosing(self.confidence, sampled) for sampled in (False, True))
        worst = tuple(self.worst(sampled) for sampled in (False, True))
        return RealAnswersResult(self, estimate, _ends(asked), _ends(sampled), self.direct(estimate), *worst)

    def enclosing(self, confidence: float, sampled: bool) -> Bounds:
        """The interval around the share among those who answered, or in the population behind them."""
        low, high = interval_of(self.design, self.yes, self.n, confidence, sampled)
        return Bounds(np.asarray(low), np.asarray(high), confidence)

    def worst(self, sampled: bool) -> tuple[float, float]:
        """The interval among all who were asked, whatever those who did not answer would have said."""
        at = partial(self.enclosing, sampled=sampled)
        return _ends(worst_case(at, self.n, self.silent, self.confidence, sampled))

    def direct(self, estimate: float) -> tuple[float, float]:
        """The interval had the same people, a sample with this share of yes, answered truthfully."""
        if math.isnan(estimate):
            return 0.0, 1.0
        truthful = TwoCoins(1.0, 0.0)
        return interval_of(truthful, round(min(max(estimate, 0.0), 1.0) * self.n), self.n, self.confidence, True)


def _ends(bounds: Bounds) -> tuple[float, float]:
    return float(bounds.low), float(bounds.high)


@dataclass(frozen=True)
class RealAnswersResult(Public, Estimated):
    """The raw estimate, and intervals for the people asked, for the population they represent, and without lying.

    The two last hold whatever those who did not answer would have said, among all asked and in the population.

    `estimate` is undefined (NaN) where the design makes both answers equally likely for everybody.
    """

    experiment: RealAnswers
    estimate: float
    interval: tuple[float, float]
    sampled_interval: tuple[float, float]
    direct_interval: tuple[float, float]
    worst_interval: tuple[float, float]
    sampled_worst_interval: tuple[float, float]

    @property
    def answered_yes(self) -> int:
        """The number of yes answers, which the collector sees."""
        return self.experiment.yes
