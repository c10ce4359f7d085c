"""The survey: everybody's number above, everybody's report below, and the mean of the reports with its interval."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any

import numpy as np

from ldpcore.estimating.absoluteerrors import mean_error
from ldpcore.estimating.intervals import Bounds
from ldpcore.estimating.meanintervals import mean_interval
from ldpcore.experiments import generator, settled
from ldpcore.experiments.means.drawing import Route, drawn, normal_error, route_of, shown_round
from ldpcore.experiments.means.family import at
from ldpcore.mechanisms.base import NumberRandomizer
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Confidence, Declared, Interval, Seed
from ldpcore.people.scales import Clipping, PublicScale, ScaledNumbers
from ldpcore.questions import Progress, Question, Result, no_progress

SurveyRounds = Annotated[int, Interval("R", 1, 10**6, (1, 10**4), scale="log", integer=True)]
Pictured = Annotated[int, Interval("s", 0, 200, (20, 200), integer=True)]


@dataclass(frozen=True)
class MeanSurvey(Question["MeanSurveyResult"], Declared):
    """Everybody sends one report; up to 200 people drawn at random are shown with theirs, and all are counted.

    The mean meant is that of the people asked, or, where they are `sampled`, that of everybody behind them.
    """

    randomizer: NumberRandomizer
    numbers: ScaledNumbers
    repeats: SurveyRounds = 1
    seed: Seed = 1
    confidence: Confidence = 0.95
    pictured: Pictured = 200
    sampled: bool = False

    def run(self, progress: Progress = no_progress) -> MeanSurveyResult:
        people, randomizer, scale = self.numbers.people, self.randomizer, self.numbers.scale
        rng = generator(self.seed, f"{randomizer.slug} people")
        count = min(self.pictured, people.n)
        places = np.sort(rng.choice(people.n, count, replace=False, shuffle=False)).astype(np.int64)
        values, reports, estimate = shown_round(randomizer, people, places, rng, progress)
        estimates, route = np.array([estimate]), route_of(randomizer, people)
        if self.repeats > 1:
            more = generator(self.seed, f"{randomizer.slug} rounds")
            further = drawn(randomizer, people, more, self.repeats - 1, progress)
            estimates = np.concatenate([estimates, further.estimates])
        progress(1.0)
        result = MeanSurveyResult(
            self,
            scale.outward(values),
            scale.outward(randomizer.decoded(reports)),
            scale.outward(estimates),
            route,
            normal_error(randomizer, people) if route == "normal" else 0.0,
        )
        return settled(result, "truth", "standard_error", "mean_absolute_error", "price")


@dataclass(frozen=True, eq=False)
class MeanSurveyResult(Result):
    """The people shown, their reports, and one estimate for each round; the first one counts the reports shown.

    `route` says how the estimates were drawn: "sum" (exact), "people" (everybody's report) or "normal", which is an
    approximation whose cdf is within `off` of the true one.
    """

    experiment: MeanSurvey
    values: Reals
    reports: Reals
    estimates: Reals
    route: Route
    off: float

    def masked(self) -> MeanSurveyResult:
        """The collector's view: reports and estimates, and nothing of the people but their number."""
        question = replace(self.experiment, numbers=self.experiment.numbers.hidden())
        return replace(self, experiment=question, values=np.empty(0))

    @property
    def scale(self) -> PublicScale:
        """The public bounds."""
        return self.experiment.numbers.scale

    @property
    def clipping(self) -> Clipping | None:
        """The effect of clipping; none where the people were invented inside the bounds."""
        return self.experiment.numbers.clipping

    @property
    def n(self) -> int:
        """The number of people who took part."""
        return self.experiment.numbers.n

    @cached_property
    def truth(self) -> float:
        """The target of the survey, without noise: the mean of the clipped numbers."""
        return float(self.scale.outward(self.experiment.randomizer.truth(self.experiment.numbers.people)))

    @property
    def unclipped_truth(self) -> float:
        """The mean of the numbers as they stand; the difference to `truth` is the bias of clipping."""
        return self.truth if self.clipping is None else self.clipping.mean

    @property
    def estimate(self) -> float:
        """The mean of all reports of the first round."""
        return float(self.estimates[0])

    @property
    def error(self) -> float:
        """The error of the first estimate."""
        return abs(self.estimate - self.truth)

    @cached_property
    def standard_error(self) -> float:
        """The exact standard deviation of an estimate, given everybody's number."""
        return self.scale.half * math.sqrt(float(self.experiment.randomizer.variance(self.experiment.numbers.people)))

    @cached_property
    def price(self) -> float:
        """The number of people per person of an honest sample: (v + σ²)/σ²; infinite if all are alike."""
        own = self.experiment.numbers.variance
        return (self.report_deviation**2 + own) / own if own > 0 else math.inf

    @cached_property
    def mean_absolute_error(self) -> float:
        """The mean absolute error of an estimate, exactly; where no formula says a report's law, σ√(2/π)."""
        exact = mean_error(self.experiment.randomizer, self.experiment.numbers.people)
        return self.standard_error * math.sqrt(2 / math.pi) if exact is None else self.scale.half * exact

    @property
    def report_deviation(self) -> float:
        """The standard deviation of one report around the number of its person, on average over all people."""
        return self.standard_error * math.sqrt(self.n)

    @cached_property
    def intervals(self) -> Bounds:
        """For each round, the interval that its collector would state for the people asked, whose mean is known."""
        return self.interval_of(self.estimates)

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the first round, cut to the public bounds: no mean lies beyond them."""
        bounds = self.interval_of(self.estimates[:1], self.experiment.sampled)
        bounds = bounds.within(self.scale.low, self.scale.high)
        return float(bounds.low[0]), float(bounds.high[0])

    def interval_of(self, estimates: Any, sampled: bool = False) -> Bounds:
        """The intervals around estimates; `sampled` where people are a sample and everybody's mean is meant."""
        x = (np.asarray(estimates, dtype=np.float64) - self.scale.low) / self.scale.half - 1
        bounds = mean_interval(x, self.experiment.randomizer, self.n, self.experiment.confidence, sampled)
        return Bounds(self.scale.outward(bounds.low), self.scale.outward(bounds.high), bounds.confidence)

    @property
    def covered(self) -> int:
        """The number of rounds whose interval holds the truth."""
        return int(self.intervals.encloses(self.truth).sum())

    @property
    def outside(self) -> int:
        """The number of reports shown that lie outside the public bounds, where no number can be."""
        return int(((self.reports < self.scale.low) | (self.reports > self.scale.high)).sum())

    def standard_error_at(self, factor: float) -> float:
        """The standard error at this many times the level, everything else as it is; NaN where the level is refused."""
        randomizer = self.experiment.randomizer
        parameters: dict[str, Any] = randomizer.parameters()
        other = at(randomizer.slug, parameters.pop("epsilon") * factor, tuple(parameters.items()))
        if other is None:
            return math.nan
        return self.scale.half * math.sqrt(float(other.variance(self.experiment.numbers.people)))

    def standard_error_with(self, factor: float) -> float:
        """The standard error with this many times the people, of the same shape."""
        return self.standard_error / math.sqrt(factor)
