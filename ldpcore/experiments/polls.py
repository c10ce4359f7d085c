"""The evidence of a room's reports about everybody in it, and the cost to one person of further rounds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from ldpcore.accounting.repetition import guessed
from ldpcore.estimating.intervals import Bounds, share_interval
from ldpcore.estimating.meanintervals import mean_interval
from ldpcore.mechanisms.base import CategoryRandomizer, LocalRandomizer
from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.binomials import log_choose_each
from ldpcore.parameters import Confidence, Declared, Interval, ParameterError
from ldpcore.people.scales import UNIT, PublicScale
from ldpcore.protocols.tossing import Toss
from ldpcore.questions import Progress, Public, Question, Result, no_progress

MOST_ROUNDS = 1000
PollRounds = Annotated[int, Interval("t", 0, MOST_ROUNDS, (1, 20), integer=True)]
ReportCount = Annotated[int, Interval("n", 1, 10**6, (10, 1000), scale="log", integer=True)]


@dataclass(frozen=True)
class RoomAnswers(Question["RoomAnswersResult"], Declared):
    """The estimates about the people of a room from the counters of their n reports.

    `scale` holds the public bounds where the answers are numbers.
    """

    toss: Toss
    totals: tuple[int, ...]
    n: ReportCount
    confidence: Confidence = 0.95
    scale: PublicScale = UNIT

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.totals) != self.toss.places:
            raise ParameterError("toss_totals", places=self.toss.places, got=len(self.totals))

    def run(self, progress: Progress = no_progress) -> RoomAnswersResult:
        mechanism, tally = self.toss.mechanism, self.toss.tally(self.totals, self.n)
        estimate = np.asarray(mechanism.estimate(tally), dtype=np.float64)
        return RoomAnswersResult(self, np.atleast_1d(estimate), _bounds(estimate, self.toss, self.n, self.confidence))


def _bounds(estimate: Reals, toss: Toss, n: int, confidence: float) -> Bounds:
    """The interval around each estimate from n reports."""
    mechanism = toss.mechanism
    if isinstance(mechanism, CategoryRandomizer):
        return share_interval(estimate, mechanism, n, confidence)
    return mean_interval(estimate, mechanism, n, confidence)


def _cut(bounds: Bounds, toss: Toss) -> tuple[tuple[float, float], ...]:
    """The ends of each interval, cut to the shares or the means that exist."""
    least = 0.0 if isinstance(toss.mechanism, CategoryRandomizer) else -1.0
    ends = (np.clip(np.atleast_1d(end), least, 1.0) for end in (bounds.low, bounds.high))
    return tuple((float(low), float(high)) for low, high in zip(*ends, strict=True))


@dataclass(frozen=True, eq=False)
class RoomAnswersResult(Public):
    """The unbiased estimates with an interval each: shares of the answers, or one mean on the scale of [-1, 1]."""

    question: RoomAnswers
    estimates: Reals
    bounds: Bounds

    @property
    def intervals(self) -> tuple[tuple[float, float], ...]:
        """The ends of the interval of each estimate, cut to what exists."""
        return _cut(self.bounds, self.question.toss)


@dataclass(frozen=True)
class ShownHands(Question["ShownHandsResult"]):
    """The outcome of a show of hands, beside the reports: true shares of all answers, or one true mean on `scale`."""

    values: tuple[float, ...]
    scale: PublicScale = UNIT

    def run(self, progress: Progress = no_progress) -> ShownHandsResult:
        return ShownHandsResult(self.values, self.scale)


@dataclass(frozen=True)
class ShownHandsResult(Result):
    """The true values; none of them while people predict."""

    values: tuple[float, ...]
    scale: PublicScale

    def masked(self) -> ShownHandsResult:
        """The result without any hands."""
        return ShownHandsResult((), self.scale)


@dataclass(frozen=True)
class RoomReach(Question["RoomReachResult"], Declared):
    """The precision with which a question is known once `people` have answered, where the truth lies in the middle."""

    toss: Toss
    people: tuple[int, ...] = (20, 50, 200)
    confidence: Confidence = 0.95

    def run(self, progress: Progress = no_progress) -> RoomReachResult:
        shares = isinstance(self.toss.mechanism, CategoryRandomizer)
        middle, whole = (np.array([0.5]), 1.0) if shares else (np.array([0.0]), 2.0)
        each = (_cut(_bounds(middle, self.toss, n, self.confidence), self.toss)[0] for n in self.people)
        return RoomReachResult(self, tuple((high - low) / 2 / whole for low, high in each))


@dataclass(frozen=True)
class RoomReachResult(Public):
    """Half the width of the interval for each number of people, as a part of all shares or of the bounds' distance."""

    question: RoomReach
    reaches: tuple[float, ...]


@dataclass(frozen=True)
class RoomRounds(Question["RoomRoundsResult"], Declared):
    """The cost of `rounds` rounds to a person who answers all, with `kept` first reports or fresh tosses."""

    toss: Toss
    rounds: PollRounds
    kept: bool

    def run(self, progress: Progress = no_progress) -> RoomRoundsResult:
        told_apart = told_apart_after(self.toss.mechanism, min(self.rounds, 1) if self.kept else self.rounds)
        return RoomRoundsResult(self, told_apart)


@dataclass(frozen=True)
class RoomRoundsResult(Public):
    """The level of all rounds together, and the chance to tell one phone's answer from another after 0, 1, … rounds.

    With kept reports every further round repeats the first, so that it costs nothing and betrays nothing more.
    """

    question: RoomRounds
    told_apart: tuple[float, ...]

    @property
    def level(self) -> float:
        """The level of all reports of one person together: attained by the reports that speak for one answer alone."""
        rounds = self.question.rounds
        return (min(rounds, 1) if self.question.kept else rounds) * self.question.toss.level

    def fresh(self, rounds: int) -> tuple[float, ...]:
        """The chance to tell one phone's answer from another after 0, 1, … rounds, each with a fresh toss."""
        return told_apart_after(self.question.toss.mechanism, rounds)

    @property
    def right(self) -> float:
        """The chance of a right guess after the last round, where two answers were equally likely before."""
        return self.told_apart[-1]


def told_apart_after(mechanism: LocalRandomizer, rounds: int) -> tuple[float, ...]:
    """The chance of the best guess between a phone's two most different answers, after 0, 1, … fresh rounds.

    Each report speaks for one of the two with a likelihood ratio of e^±ε, or for neither. Among m of t that speak, the
    majority guesses best, a coin where it is even; m is binomial, and alike under both answers.
    """
    pair = mechanism.compare(*mechanism.worst())
    laws = pair.cut(64)
    speaks = float(np.clip(laws.first[laws.ratios() != 0].sum(), 0.0, 1.0))
    level = laws.loss()
    shares = [0.5]
    for t in range(1, rounds + 1):
        speaking = np.arange(t + 1, dtype=np.float64)
        right = np.concatenate([[0.5], guessed(level, speaking[1:])])
        if speaks == 1:
            shares.append(float(right[-1]))
            continue
        logs = log_choose_each(t, speaking) + speaking * math.log(speaks) + (t - speaking) * math.log1p(-speaks)
        shares.append(float(np.exp(logs) @ right))
    return tuple(shares)


@dataclass(frozen=True)
class Spent:
    """The cost of one question of a room to a person who answered all of its rounds."""

    level: float
    rounds: int
    kept: bool

    @property
    def total(self) -> float:
        """The level of the rounds together: once where first reports were repeated, once a round where not."""
        return self.level * (min(self.rounds, 1) if self.kept else self.rounds)


def spent_in_all(questions: tuple[Spent, ...]) -> float:
    """The level of everything that one person has sent in a room: different questions about one person add up."""
    return math.fsum(question.total for question in questions)
