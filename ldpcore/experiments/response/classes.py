"""A class in detail: one person's coins, a curator's answer, and surveys on an axis that stays."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from ldpcore.costs import Cost
from ldpcore.estimating.intervals import CountLaw
from ldpcore.experiments import generator
from ldpcore.experiments.response import ClassSize, ClassSurvey, RepeatedSurveys, Yes, chances, estimate_of
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.parameters import Confidence, Declared, Interval, ParameterError, Seed
from ldpcore.questions import Progress, Public, Question, Result, no_progress

STEPS = ("question", "first", "second", "report")
FINEST, COARSEST = 61, 50  # bins across a narrow law, and from the truth to the edge of a picture for a wide one
CoinStep = Literal["question", "first", "second", "report"]
Reach = Annotated[float, Interval("w", 0, 1e6, (0.001, 10), scale="log", open_low=True)]


def still_reach(n: int) -> float:
    """The distance from the truth to either end of a still picture of the estimates of n people.

    Five typical errors behind two fair coins, √(3/4n), or a little more: the next of 1, 2, 5 times a power of ten.
    """
    least = 5 * math.sqrt(0.75 / n)
    power = 10.0 ** math.floor(math.log10(least))
    return float(next(power * stop for stop in (1, 2, 5, 10) if power * stop >= least))


@dataclass(frozen=True)
class ClassMember(Question["ClassMemberResult"], Declared):
    """One person of a class, whose coins fall one after the other, up to a step."""

    survey: ClassSurvey
    person: ClassSize = 1
    step: CoinStep = "report"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.person > self.survey.n:
            raise ParameterError("person_outside", n=self.survey.n, got=self.person)

    def run(self, progress: Progress = no_progress) -> ClassMemberResult:
        flips = self.survey.flips(generator(self.survey.seed, "class"))
        own = self.person - 1
        truth, honest, second = bool(flips.truth[own]), bool(flips.honest[own]), bool(flips.second[own])
        return ClassMemberResult(self, truth, honest, second, bool(flips.answers[own]), tuple(map(bool, flips.truth)))


@dataclass(frozen=True)
class ClassMemberResult(Result):
    """The truth of the person, whether the first coin asks for it, the second coin's word, and the answer.

    `crowd` is what is true of everybody; empty where nobody may see it.
    """

    experiment: ClassMember
    truth: bool
    honest: bool
    second: bool
    answer: bool
    crowd: tuple[bool, ...]

    def masked(self) -> ClassMemberResult:
        """The answer alone: with the coins beside it, it would tell the truth."""
        survey = replace(self.experiment.survey, yes=0)
        return replace(self, experiment=replace(self.experiment, survey=survey), truth=False, crowd=())


@dataclass(frozen=True)
class CuratorSurvey(Question["CuratorSurveyResult"], Declared):
    """The share that a trusted curator would publish about the same class at this level."""

    noise: LaplaceMechanism
    yes: Yes
    n: ClassSize
    confidence: Confidence = 0.95
    seed: Seed = 1

    def run(self, progress: Progress = no_progress) -> CuratorSurveyResult:
        released = float(self.noise.release(self.yes, generator(self.seed, "curator")))
        return CuratorSurveyResult(self, released / self.n)


@dataclass(frozen=True)
class CuratorSurveyResult(Public):
    """The released share, and the shares from which it can have come with this confidence."""

    experiment: CuratorSurvey
    estimate: float

    @property
    def half_width(self) -> float:
        """How far the noise moves the share with this confidence, at most: b ln(1/(1-c))/n."""
        return self.experiment.noise.width(self.experiment.confidence) / self.experiment.n

    def law(self, distances: Reals) -> Reals:
        """The density of released shares at these distances from the true share: that of the noise, over n."""
        n = self.experiment.n
        return n * self.experiment.noise.density(n * np.asarray(distances, dtype=np.float64), 0.0)

    @property
    def interval(self) -> tuple[float, float]:
        """The released share give or take the half-width, cut to the shares that exist."""
        low, high = np.clip([self.estimate - self.half_width, self.estimate + self.half_width], 0, 1)
        return float(low), float(high)


@dataclass(frozen=True)
class SurveyHistogram(Question["SurveyHistogramResult"], Declared):
    """The estimates of many surveys of one class as distances from its true share, up to a reach that stays."""

    survey: RepeatedSurveys
    reach: Reach

    def cost(self) -> Cost:
        law = self.survey.cost()
        return Cost(2 * law.bytes, law.seconds)  # the law once more, as sums and as what was drawn

    def run(self, progress: Progress = no_progress) -> SurveyHistogramResult:
        surveys = self.survey.run()
        starts = self.bins(surveys.law)
        cuts = np.clip(starts - surveys.law.start, 0, len(surveys.law.chances))
        cumulative = np.concatenate([[0.0], np.cumsum(surveys.law.chances)])
        inside = np.diff(cumulative[cuts])
        beyond = max(1 - float(inside.sum()), 0.0)
        drawn = generator(self.survey.seed, "classes").multinomial(self.survey.repeats, [*inside, beyond])
        edges = estimate_of(self.survey.design, starts - 0.5, self.survey.n) - surveys.truth
        if self.survey.design.gap < 0:  # the more say yes, the smaller the estimate
            edges, inside, drawn = edges[::-1], inside[::-1], np.append(drawn[-2::-1], drawn[-1])
        seen = np.abs(edges[1:] + edges[:-1]) <= 2 * self.reach  # the bins whose middle stands in the picture
        outside = self.survey.repeats - int(drawn[:-1][seen].sum())
        return SurveyHistogramResult(
            self, edges, inside, drawn[:-1], outside, surveys.standard_deviation, surveys.impossible
        )

    def bins(self, law: CountLaw) -> Counts:
        """The numbers of yes at which the bins begin and the last one ends.

        They are as wide as the picture likes them, finer where the whole law is narrow, and never finer than one
        number of yes: a law of three numbers is three steps, not a triangle.
        """
        n, (_, b) = self.survey.n, chances(self.survey.design)
        step = 1 / (n * abs(self.survey.design.gap))
        weighty = np.flatnonzero(law.chances > 1e-9 * law.chances.max())
        size = max(1, min(int(self.reach / COARSEST / step), math.ceil((weighty[-1] - weighty[0] + 1) / FINEST)))
        middle = n * b + self.survey.yes * self.survey.design.gap
        low = max(law.start + int(weighty[0]), math.floor(middle - self.reach / step) - size)
        high = min(law.start + int(weighty[-1]) + 1, math.ceil(middle + self.reach / step) + size)
        return np.arange(low, max(high, low + 1) + size, size, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class SurveyHistogramResult(Result):
    """Bins by their edges, as distances of an estimate from the true share; their chances, and the surveys in them.

    `outside` of the surveys lie beyond the last bins; `impossible` is the chance of an estimate that is no share.
    """

    experiment: SurveyHistogram
    edges: Reals
    chances: Reals
    counts: Counts
    outside: int
    standard_deviation: float
    impossible: float

    @property
    def unit(self) -> float:
        """The width per which the picture counts its surveys, so that a bell of any width has the same area."""
        return self.experiment.reach / COARSEST

    @property
    def truth(self) -> float:
        """The true share."""
        return self.experiment.survey.yes / self.experiment.survey.n

    def per_unit(self, shares: Reals) -> Reals:
        """The contents of the bins, as a share for each unit of their width."""
        return np.asarray(shares * self.unit / np.diff(self.edges), dtype=np.float64)

    def masked(self) -> SurveyHistogramResult:
        """The distances from the true share alone, around a hidden share."""
        survey = replace(self.experiment.survey, yes=0)
        return replace(self, experiment=replace(self.experiment, survey=survey), impossible=math.nan)
