"""Reports that were really collected, answer by answer: the shares behind them, and their uncertainty."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import scipy

from ldpcore.costs import Cost
from ldpcore.estimating.intervals import EXACT_USERS, Bounds, share_interval
from ldpcore.estimating.nonresponse import Silent, worst_case
from ldpcore.experiments.frequencies.survey import tuned_to
from ldpcore.mechanisms.base import CategoryRandomizer, FrequencyOracle, ReportTally
from ldpcore.mechanisms.grr import DirectAnswer
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Confidence, Declared, ParameterError, Users
from ldpcore.questions import Progress, Public, Question, no_progress

FAR = 0.001  # counts that stray further in fewer collections than this are not believed


@dataclass(frozen=True)
class RealReports(Question["RealReportsResult"], Declared):
    """Reports of n people, `counts` of which speak for each answer; `silent` more were asked and did not report.

    With a mechanism that names one answer the counts are of answers; with bits, hashes or sets, of reports that hold 1
    for an answer or have it among theirs, and one report may be counted for several.
    """

    randomizer: CategoryRandomizer
    counts: tuple[int, ...]
    n: Users
    confidence: Confidence = 0.95
    together: bool = False
    sampled: bool = False
    silent: Silent = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.randomizer, FrequencyOracle):
            raise ParameterError("reports_uncounted")
        if len(self.counts) != self.randomizer.k:
            raise ParameterError("population_categories", most=self.randomizer.k - 1, got=len(self.counts))
        if max(self.counts) > self.n:
            raise ParameterError("reports_fewer", count=max(self.counts), n=self.n)
        if isinstance(self.randomizer, DirectAnswer) and sum(self.counts) != self.n:
            raise ParameterError("reports_unlike", n=self.n, got=sum(self.counts))

    def cost(self) -> Cost:
        return Cost(1e6, 2e-5 * len(self.counts) + 3e-4 * math.sqrt(min(self.n, EXACT_USERS)))

    def run(self, progress: Progress = no_progress) -> RealReportsResult:
        estimates = self.randomizer.estimate(ReportTally(np.array(self.counts, dtype=np.int64), self.n))
        around = partial(self.around, estimates)
        worst = worst_case(around, self.n, self.silent, self.confidence, self.sampled)
        return RealReportsResult(self, estimates, around(self.confidence), worst)

    def around(self, estimates: Reals, confidence: float) -> Bounds:
        """The interval of each share, alone or so that all hold at once."""
        among = self.randomizer.k if self.together else 1
        return share_interval(estimates, self.randomizer, self.n, confidence, among, sampled=self.sampled)


@dataclass(frozen=True, eq=False)
class RealReportsResult(Public):
    """The unbiased estimates, their intervals, and the intervals whatever those who did not report would have said."""

    experiment: RealReports
    estimates: Reals
    bounds: Bounds
    worst: Bounds

    @property
    def oracle(self) -> FrequencyOracle:
        """The mechanism, whose reports speak for answers."""
        assert isinstance(self.experiment.randomizer, FrequencyOracle)
        return self.experiment.randomizer

    @property
    def supported(self) -> Reals:
        """The share of the reports that speak for each answer."""
        return np.array(self.experiment.counts) / self.experiment.n

    @property
    def top(self) -> int:
        """The answer of the largest estimate, the first of several."""
        return int(np.argmax(self.estimates))

    @property
    def spread(self) -> float:
        """The root of the variance averaged over the answers, if the nearest shares were the true ones."""
        nearest = np.clip(self.estimates, 0, 1)
        return math.sqrt(float(np.mean(self.oracle.variance_of_shares(nearest, self.experiment.n))))

    @cached_property
    def surprise(self) -> float:
        """The chance of a count this far off, were the nearest possible share the true one; the rarest, times k.

        Bin(n, q) where nobody holds the answer, Bin(n, p) where all do; 1 where every estimate is a share.
        """
        n, counts = self.experiment.n, np.array(self.experiment.counts)
        few = scipy.stats.binom.cdf(counts, n, self.oracle.q)
        many = scipy.stats.binom.sf(counts - 1, n, self.oracle.p)
        rarest = np.where(self.estimates < 0, few, np.where(self.estimates > 1, many, 1.0)).min()
        return float(min(rarest * self.oracle.k, 1.0))

    @property
    def reading(self) -> str:
        """Whether the counts cannot come from this mechanism, say nothing even of the first answer, or tell shares."""
        if self.surprise < FAR:
            return "far"
        low, high = float(self.bounds.low[self.top]), float(self.bounds.high[self.top])
        return "nothing" if low <= 0 and high >= 1 else ""

    def at(self, level: float) -> tuple[Reals, float]:
        """The estimates and their spread, were the reports of another level: the measure of a still picture."""
        question = self.experiment
        other = tuned_to(question.randomizer, level)
        assert isinstance(other, FrequencyOracle)
        estimates = other.estimate(ReportTally(np.array(question.counts, dtype=np.int64), question.n))
        variance = other.variance_of_shares(np.clip(estimates, 0, 1), question.n)
        return estimates, math.sqrt(float(np.mean(variance)))
