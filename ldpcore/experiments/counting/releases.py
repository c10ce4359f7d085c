"""The noise that hides one person in a count: releases, their error, crowds, afterwards, and the plan."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from ldpcore.estimating.estimatedanswers import EstimatedCount
from ldpcore.experiments import generator
from ldpcore.experiments.counting.cutting import proof
from ldpcore.experiments.recommending import only, recommended_level, sayable
from ldpcore.mechanisms.additivenoise import AdditiveNoise
from ldpcore.mechanisms.noisyanswers import NoisyAnswers
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Confidence, Declared, Epsilon, Interval, Repeats, Seed, Users, declaration
from ldpcore.questions import Progress, Question, Recommendation, Result, no_progress

TrueAnswer = Annotated[float, Interval("f(D)", -1e30, 1e30, (0, 1e6))]
AnswerWidth = Annotated[float, Interval("w", 0, 1e12, (1, 1000), scale="log", open_low=True)]
SIZES = (10.0, 100.0, 1_000.0, 10_000.0, 100_000.0)  # of the crowds beside one's own
FARTHEST, TERMS = 1e-18, 200_000  # the chance of noise that is left out, and the most terms of a sum over it
SAME_SIZE = "replace-one"  # the relation whose neighbors have equally many people, so that n is no secret


@dataclass(frozen=True)
class CountingExperiment(Question["CountingResult"], Declared):
    """One number about n people, released a few times, with the error of many more releases."""

    mechanism: NoisyAnswers
    answer: TrueAnswer
    n: Users
    releases: Repeats = 10
    repeats: Repeats = 1000
    seed: Seed = 1

    def run(self, progress: Progress = no_progress) -> CountingResult:
        releases = self.mechanism.release(self.answer, generator(self.seed, "releases"), self.releases)
        rounds = self.mechanism.rounds(self.repeats)
        total = self.mechanism.total_absolute_error(rounds, generator(self.seed, "error"))
        return CountingResult(self, releases, total / rounds)


@dataclass(frozen=True)
class CountingResult(Result):
    """The releases that are shown, and the error in people and as a share."""

    experiment: CountingExperiment
    releases: Reals
    simulated_error: float

    @property
    def error(self) -> float:
        """The exact mean absolute error; of Laplace noise b = Δ/ε."""
        return self.experiment.mechanism.mean_absolute_error()

    @property
    def standard_error(self) -> float:
        """The standard error of the simulated error: the deviation of |noise|, of Laplace noise b itself, over √R."""
        return self.experiment.mechanism.deviation_of_error / math.sqrt(self.rounds)

    @property
    def rounds(self) -> int:
        """The number of simulated releases."""
        return self.experiment.mechanism.rounds(self.experiment.repeats)

    @property
    def share_of_answer(self) -> float:
        """The error as a share of the true answer; infinite for an answer of zero."""
        return self.error / abs(self.experiment.answer) if self.experiment.answer else math.inf

    @property
    def share_of_crowd(self) -> float:
        """The error as a share of all people."""
        return self.error / self.experiment.n

    def error_at(self, factor: float) -> float:
        """The error at this many times the level, as far as levels go."""
        noise = self.experiment.mechanism
        level = factor * noise.epsilon
        return noise.at_level(level if declaration(Epsilon).admits(level) else noise.epsilon).mean_absolute_error()

    def offsets(self) -> Reals:
        """The distance of each release shown from the true answer."""
        return self.releases - self.experiment.answer

    def masked(self) -> CountingResult:
        """The distances from the truth alone, around a hidden answer."""
        blind = replace(self.experiment, mechanism=self.experiment.mechanism.blind(), answer=0.0)
        if blind.mechanism is not self.experiment.mechanism:  # how far off it is would tell what people hold
            return blind.run()
        return replace(self, experiment=blind, releases=self.offsets())


@dataclass(frozen=True)
class ErrorCurve(Question["ErrorCurveResult"], Declared):
    """The mean absolute error of R releases along a grid of levels, each drawn at once."""

    mechanism: NoisyAnswers
    epsilons: tuple[float, ...]
    repeats: Repeats = 1000
    seed: Seed = 1

    def run(self, progress: Progress = no_progress) -> ErrorCurveResult:
        rng = generator(self.seed, "curve")
        members = [self.mechanism.at_level(epsilon) for epsilon in self.epsilons]
        rounds = self.mechanism.rounds(self.repeats)
        simulated = [member.total_absolute_error(rounds, rng) / rounds for member in members]
        exact = np.array([member.mean_absolute_error() for member in members])
        spread = np.array([member.deviation_of_error for member in members]) / math.sqrt(rounds)
        return ErrorCurveResult(self, np.array(simulated), exact, spread)


@dataclass(frozen=True)
class ErrorCurveResult(Result):
    """Simulated and exact mean absolute error, and the standard error of the simulated one."""

    experiment: ErrorCurve
    simulated: Reals
    exact: Reals
    standard_error: Reals

    def masked(self) -> ErrorCurveResult:
        """The errors as known to someone who does not know the answer."""
        blind = self.experiment.mechanism.blind()
        return self if blind is self.experiment.mechanism else replace(self.experiment, mechanism=blind).run()


@dataclass(frozen=True)
class AgainstUsers(Question["AgainstUsersResult"], Declared):
    """The size of one noise beside crowds of every size. Exact: nothing is drawn."""

    mechanism: AdditiveNoise
    answer: TrueAnswer
    n: Users

    def run(self, progress: Progress = no_progress) -> AgainstUsersResult:
        sizes = np.unique([*SIZES, float(self.n)])
        return AgainstUsersResult(self, sizes, self.mechanism.mean_absolute_error() / sizes)


@dataclass(frozen=True)
class AgainstUsersResult(Result):
    """The error as a share of the crowd; it falls as 1/n because the noise does not know n."""

    experiment: AgainstUsers
    sizes: Reals
    shares: Reals

    def masked(self) -> AgainstUsersResult:
        """The error alone, which does not know the answer."""
        return replace(self, experiment=replace(self.experiment, answer=0))

    def likely(self, confidence: float) -> Reals:
        """The distance that the noise stays within with this probability, as a share of the crowd."""
        return np.asarray(self.experiment.mechanism.width(confidence) / self.sizes, dtype=np.float64)

    @property
    def true_share(self) -> float:
        """The true answer as a share of the crowd."""
        return self.experiment.answer / self.experiment.n

    @property
    def error_share(self) -> float:
        """The mean absolute error as a share of the crowd."""
        return self.experiment.mechanism.mean_absolute_error() / self.experiment.n

    @property
    def span(self) -> tuple[float, float]:
        """The published share one mean error below and above the truth: the noise has both signs."""
        return self.true_share - self.error_share, self.true_share + self.error_share

    @property
    def size_is_public(self) -> bool:
        """Whether the size of the crowd may be divided by at no cost: only where neighbors are equally many."""
        return self.experiment.mechanism.neighbors == SAME_SIZE

    @property
    def error_share_of_private_size(self) -> float:
        """The mean error of the share where the size is released too, with half of the level each; to order 1/n.

        (count + X)/(n + Y) - f = (X - f Y)/n, with X and Y of releases that keep the level together.
        """
        return self.experiment.mechanism.of_several(2).error_of_difference(self.true_share) / self.experiment.n


@dataclass(frozen=True)
class Afterwards(Question["AfterwardsResult"], Declared):
    """The released count, rounded and clamped to the possible counts: free of privacy cost, but not of bias.

    A count is at least 0. It is at most n where neighbors have equally many people; where one has a person more, n is
    private itself, and only a public `limit` may clamp from above.
    """

    mechanism: AdditiveNoise
    answer: Annotated[int, Interval("f(D)", 0, 10**18, (0, 1e6), integer=True)]
    n: Users
    limit: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.limit is not None:
            declaration(Users).check("limit", self.limit)

    @property
    def ceiling(self) -> float:
        """The upper end of the clamping; infinite where no public number of people limits the count."""
        if self.limit is not None:
            return float(self.limit)
        return float(self.n) if self.mechanism.neighbors == SAME_SIZE else math.inf

    def run(self, progress: Progress = no_progress) -> AfterwardsResult:
        return AfterwardsResult(self)

    def moved(self) -> tuple[float, float]:
        """The mean distances by which the count, rounded and clamped, lies above the truth and below it.

        ∑ P(R ≥ m) over m = 1 … t - c and over m = 1 … c, of the rounded noise R and a ceiling t: E max(R, 0) is the sum
        over all m, and is cut at the ends. A count beyond the ceiling is pulled down to it, and then by its noise.
        """
        beyond = max(self.answer - self.ceiling, 0.0)
        up = self._part(self.ceiling - self.answer)
        return up, beyond + self._part(self.answer) - self._part(beyond)

    def _part(self, most: float) -> float:
        """∑ P(R ≥ m) over m = 1 … `most`, where R ≥ m if the noise is m - ½ or more, as often as it is ½ - m or less.

        From the lower tail, which keeps its digits, as far as it holds 1e-18. Of very wide noise one m stands for the
        block around it, over which the law is straight to the square of block over width.
        """
        reach = max(self.mechanism.scale, 1.0)
        while float(self.mechanism.cdf(-reach, 0.0)) > FARTHEST:
            reach *= 2
        end = max(min(most, math.ceil(reach)), 0)
        ends = np.append(np.arange(0.0, end, 2 * (end // TERMS) + 1), end)  # of blocks with a middle m
        middles = (ends[1:] + ends[:-1]) / 2
        return float(np.diff(ends) @ self.mechanism.cdf(-middles, 0.0))


@dataclass(frozen=True)
class AfterwardsResult(Result):
    """The bias and the error that clamping causes at the true count, rounded first."""

    experiment: Afterwards

    def masked(self) -> AfterwardsResult:
        """The bias and error at a count of 0."""
        return replace(self, experiment=replace(self.experiment, answer=0))

    @property
    def bias(self) -> float:
        """The bias at the true count of the experiment, rounded and clamped."""
        up, down = self.experiment.moved()
        return up - down

    @property
    def error(self) -> float:
        """The mean absolute error at the true count, rounded and clamped."""
        return sum(self.experiment.moved())

    @property
    def raw_error(self) -> float:
        """The mean absolute error as released."""
        return self.experiment.mechanism.mean_absolute_error()


@dataclass(frozen=True)
class CountPlan(Question["CountPlanResult"], Declared):
    """Solve backwards: to be within ±w people with this confidence, which ε, or how many people?"""

    mechanism: AdditiveNoise | EstimatedCount
    n: Users
    width: AnswerWidth = 5.0
    confidence: Confidence = 0.95

    def run(self, progress: Progress = no_progress) -> CountPlanResult:
        needed = self.mechanism.level_within(self.width, self.confidence)
        possible = declaration(Epsilon).admits(needed)
        present = self.mechanism.width(self.confidence)
        people = math.ceil(present / (self.width / self.n))
        return CountPlanResult(self, needed, possible, present, self.mechanism.within(self.width), people)


@dataclass(frozen=True)
class CountPlanResult(Result):
    """The level that is needed, what the present one gives, and the crowd that would make it precise enough."""

    experiment: CountPlan
    epsilon: float
    possible: bool
    width: float
    chance: float
    people: int

    def masked(self) -> CountPlanResult:
        """The plan as known to someone who does not know the answer."""
        blind = self.experiment.mechanism.blind()
        return self if blind is self.experiment.mechanism else replace(self.experiment, mechanism=blind).run()

    @property
    def recommended(self) -> tuple[Recommendation, ...]:
        """The level, where there is one."""
        return only(recommended_level(self.epsilon))

    @property
    def proof(self) -> float:
        """The chance that noise cut off at the width gives a person away for certain, at the level that is needed."""
        question = self.experiment
        return proof(sayable(self.epsilon) or self.epsilon, question.mechanism.span, question.width)

    @property
    def kept(self) -> bool:
        """Whether the present settings keep the wish."""
        return self.chance >= self.experiment.confidence


def level_grid(low: float = 0.01, high: float = 10.0, points: int = 31) -> tuple[float, ...]:
    """Levels evenly spaced on a log axis, ends included."""
    grid: NDArray[np.float64] = np.geomspace(low, high, points)
    return tuple(float(level) for level in grid)
