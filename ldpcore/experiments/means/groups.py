"""Two groups whose means are compared."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

from ldpcore.estimating.intervals import Bounds
from ldpcore.estimating.meanintervals import mean_difference, mean_interval
from ldpcore.experiments import generator, settled
from ldpcore.experiments.means.drawing import drawn
from ldpcore.experiments.means.survey import SurveyRounds
from ldpcore.mechanisms.base import NumberRandomizer
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Confidence, Declared, ParameterError, Seed
from ldpcore.people.scales import ScaledNumbers
from ldpcore.questions import Progress, Question, Result, no_progress


@dataclass(frozen=True)
class TwoGroups(Question["TwoGroupsResult"], Declared):
    """Is one public group's mean above the other's? Everybody's group is known, nobody's number; one scale for both."""

    randomizer: NumberRandomizer
    first: ScaledNumbers
    second: ScaledNumbers
    repeats: SurveyRounds = 1
    seed: Seed = 1
    confidence: Confidence = 0.95

    def run(self, progress: Progress = no_progress) -> TwoGroupsResult:
        if self.first.scale != self.second.scale:
            first, second = self.first.scale, self.second.scale
            raise ParameterError(
                "scales_differ",
                first_low=first.low,
                first_high=first.high,
                second_low=second.low,
                second_high=second.high,
            )
        parts = []
        for index, group in enumerate((self.first, self.second)):
            rng = generator(self.seed, f"{self.randomizer.slug} group {index}")
            parts.append(drawn(self.randomizer, group.people, rng, self.repeats))
            progress((index + 1) / 2)
        estimates = [self.first.scale.outward(part.estimates) for part in parts]
        result = TwoGroupsResult(self, estimates[0], estimates[1], sum(part.off for part in parts))
        return settled(result, "truth", "standard_errors")


@dataclass(frozen=True, eq=False)
class TwoGroupsResult(Result):
    """The estimates of both means, one for each round, in the reader's unit.

    `off` is 0 where both follow their exact law, else a bound on how far the cdfs of approximate ones are from theirs.
    """

    experiment: TwoGroups
    first: Reals
    second: Reals
    off: float = 0.0

    def masked(self) -> TwoGroupsResult:
        """The result without the people: the estimates alone."""
        question = self.experiment
        return replace(
            self, experiment=replace(question, first=question.first.hidden(), second=question.second.hidden())
        )

    @property
    def truth(self) -> float:
        """The true difference of the clipped means, first less second."""
        return self.experiment.first.mean - self.experiment.second.mean

    @property
    def estimate(self) -> float:
        """The estimated difference of the first round."""
        return float(self.first[0] - self.second[0])

    @cached_property
    def standard_errors(self) -> tuple[float, float]:
        """The exact standard errors of both means: the small group's is the larger."""
        question = self.experiment
        groups = (question.first, question.second)
        variances = [float(question.randomizer.variance(group.people)) for group in groups]
        return groups[0].scale.half * math.sqrt(variances[0]), groups[1].scale.half * math.sqrt(variances[1])

    @property
    def standard_error(self) -> float:
        """The exact standard error of the difference: the two add up like the sides of a right triangle."""
        return math.hypot(*self.standard_errors)

    @cached_property
    def intervals(self) -> Bounds:
        """For each round, the interval of the difference, cut to those that are possible."""
        question, scale = self.experiment, self.experiment.first.scale
        one, other = ((each - scale.low) / scale.half - 1 for each in (self.first, self.second))
        sizes = (question.first.n, question.second.n)
        bounds = mean_difference(one, other, question.randomizer, sizes, question.confidence).within(-2, 2)
        return Bounds(scale.half * bounds.low, scale.half * bounds.high, bounds.confidence)

    def interval_of(self, group: int) -> tuple[float, float]:
        """The interval of one group's mean in the first round."""
        interval = self._interval(group)
        return float(interval.low[0]), float(interval.high[0])

    def _interval(self, index: int) -> Bounds:
        group = (self.experiment.first, self.experiment.second)[index]
        scale, estimates = group.scale, (self.first, self.second)[index]
        x = (estimates - scale.low) / scale.half - 1
        bounds = mean_interval(x, self.experiment.randomizer, group.n, self.experiment.confidence).within(-1, 1)
        return Bounds(scale.outward(bounds.low), scale.outward(bounds.high), bounds.confidence)

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the difference in the first round."""
        return float(self.intervals.low[0]), float(self.intervals.high[0])

    @property
    def told_apart(self) -> bool:
        """Whether this interval leaves out zero, so that the first round shows which group is higher."""
        return not self.interval[0] <= 0 <= self.interval[1]

    @property
    def covered(self) -> int:
        """The number of rounds whose interval holds the true difference."""
        return int(self.intervals.encloses(self.truth).sum())
