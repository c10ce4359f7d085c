"""A count without a curator: one estimate from everybody's report with its exact law, and crowds of every size."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from ldpcore.estimating.estimatedanswers import EstimatedAnswer, EstimatedCount
from ldpcore.experiments import generator
from ldpcore.experiments.counting.neighbors import REACH, AttackRounds, DensityCurve
from ldpcore.experiments.counting.releases import SIZES, TrueAnswer
from ldpcore.mechanisms.base import FrequencyOracle, LocalRandomizer, NumberRandomizer
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Declared, Interval, Seed
from ldpcore.questions import Progress, Public, Question, Result, no_progress

DRAWN = 500  # estimates of a law, at most
Apart = Annotated[float, Interval("r", 0, 1e18, (1, 1000), scale="log", open_low=True)]


@dataclass(frozen=True)
class OneEstimate(Question["OneEstimateResult"], Declared):
    """One estimate of a count from everybody's report, beside its law if one person's answer is the other."""

    mechanism: EstimatedCount
    answer: TrueAnswer
    seed: Seed = 1

    @property
    def low(self) -> float:
        """The least possible answer."""
        return 0.0

    @property
    def high(self) -> float:
        """The greatest possible answer."""
        return float(self.mechanism.n)

    def run(self, progress: Progress = no_progress) -> OneEstimateResult:
        # The first of the estimates that a counting experiment shows.
        released = self.mechanism.release(self.answer, generator(self.seed, "releases"), 1)
        return OneEstimateResult(self, float(released[0]))


@dataclass(frozen=True)
class OneEstimateResult(Result):
    """The estimate, and how likely each distance from the truth is."""

    experiment: OneEstimate
    released: float

    def masked(self) -> OneEstimateResult:
        """The estimate for a crowd of the same size with nobody counted: its error would tell the number counted."""
        return replace(self.experiment, mechanism=self.experiment.mechanism.blind(), answer=0.0).run()

    @property
    def offset(self) -> float:
        """The distance of the estimate from the true answer."""
        return self.released - self.experiment.answer

    @property
    def reach(self) -> float:
        """The distance from the middle of the picture to either side."""
        return REACH * self.experiment.mechanism.span

    @property
    def stepped(self) -> bool:
        """Whether the law is one of single numbers."""
        return True

    @property
    def likely(self) -> tuple[float, float]:
        """The ends around the estimate within which 95 of 100 estimates stay."""
        width = self.experiment.mechanism.width(0.95)
        return self.released - width, self.released + width

    @property
    def best_guess(self) -> float:
        """The chance that the best guess of a person's answer, of two equally likely, is right from the report."""
        member = self.experiment.mechanism.randomizer
        return (1 + member.gap) / 2

    def curve(self, other: bool) -> DensityCurve:
        """The chance of each distance, as a share of the likeliest; also if one person's answer is the `other`."""
        mechanism, moved = self.experiment.mechanism, 0
        if other:
            moved = -1 if mechanism.held else 1
            mechanism = EstimatedCount.asked(mechanism.randomizer, mechanism.held + moved, mechanism.n)
        distances, heights = mechanism.errors + moved, mechanism.law.chances / mechanism.law.chances.max()
        inside = np.abs(distances) <= self.reach
        every = max(math.ceil(inside.sum() / DRAWN), 1)
        return distances[inside][::every], heights[inside][::every]


@dataclass(frozen=True)
class ReportBets(Question["ReportBetsResult"], Declared):
    """Rounds of a game: a coin decides which of two values a person holds, the report is seen, the room bets.

    The two values lie `apart` in the unit of what people report.
    """

    mechanism: EstimatedAnswer
    apart: Apart = 1.0
    rounds: AttackRounds = 20
    seed: Seed = 1

    def run(self, progress: Progress = no_progress) -> ReportBetsResult:
        rng, member = generator(self.seed, "bets"), self.mechanism.randomizer
        inside = rng.random(self.rounds) < 0.5
        low, high = _ends(member)
        counted = _counted(member, member.privatize(np.where(inside, high, low), rng))
        return ReportBetsResult(self, inside, (counted - high) / (high - low) * self.apart)


def _ends(member: LocalRandomizer) -> tuple[float, float]:
    """The two values that are hardest to hide: no and yes, or both ends of the scale."""
    low, high = sorted(member.worst())
    return low, high


def _counted(member: LocalRandomizer, reports: Reals) -> Reals:
    """The contribution of each report to the estimate."""
    if isinstance(member, FrequencyOracle):
        return np.asarray((member.supports(reports)[:, 1] - member.q) / member.gap, dtype=np.float64)
    assert isinstance(member, NumberRandomizer)
    return member.decoded(reports)


@dataclass(frozen=True)
class ReportBetsResult(Public):
    """The people who held the upper value, and the distance of each report's contribution from it."""

    experiment: ReportBets
    inside: NDArray[np.bool_]
    offsets: Reals

    @property
    def middle(self) -> float:
        """Half-way between both values."""
        return -self.experiment.apart / 2

    @property
    def right(self) -> int:
        """The number of best bets, on the nearer value, that were right."""
        return int(((self.offsets > self.middle) == self.inside).sum())

    @property
    def chance(self) -> float:
        """The chance that the best bet is right: ½ plus half of what the two laws do not have in common."""
        member = self.experiment.mechanism.randomizer
        return (1 + member.compare(*member.worst()).delta(0.0)) / 2

    @property
    def bound(self) -> float:
        """A bound on the chance of any bet on a report of this level and δ: (e^α + δ)/(1 + e^α)."""
        mechanism = self.experiment.mechanism
        return (1 + mechanism.failure * math.exp(-mechanism.epsilon)) / (1 + math.exp(-mechanism.epsilon))

    @property
    def reach(self) -> float:
        """The distance from the upper value to either end of the picture."""
        return REACH / 2 * self.experiment.apart


@dataclass(frozen=True)
class EstimatesInCrowds(Question["EstimatesInCrowdsResult"], Declared):
    """How far off is an estimate in crowds of every size with the same share of those who are counted?"""

    mechanism: EstimatedCount

    @property
    def n(self) -> int:
        """The number of people."""
        return self.mechanism.n

    def run(self, progress: Progress = no_progress) -> EstimatesInCrowdsResult:
        return EstimatesInCrowdsResult(self, np.unique([*SIZES, float(self.n)]))


@dataclass(frozen=True)
class EstimatesInCrowdsResult(Result):
    """The error as a share of the crowd, which falls as 1/√n, for everybody adds noise."""

    experiment: EstimatesInCrowds
    sizes: Reals

    def masked(self) -> EstimatesInCrowdsResult:
        """The estimates for crowds in which nobody is counted."""
        return replace(self, experiment=EstimatesInCrowds(self.experiment.mechanism.blind()))

    @property
    def crowds(self) -> tuple[EstimatedCount, ...]:
        """The estimates in all crowds."""
        return tuple(self.experiment.mechanism.of_crowd(int(size)) for size in self.sizes)

    @property
    def shares(self) -> Reals:
        """The mean absolute errors as shares."""
        return np.array([each.mean_absolute_error() / each.n for each in self.crowds])

    def likely(self, confidence: float) -> Reals:
        """The distances that the estimates stay within with this probability, as shares."""
        return np.array([each.width(confidence) / each.n for each in self.crowds])

    def error_at(self, n: int) -> float:
        """The mean absolute error in a crowd of another size, as a share of it."""
        crowd = self.experiment.mechanism.of_crowd(n)
        return crowd.mean_absolute_error() / crowd.n
