"""Two groups whose means are compared, and the spread of one, which takes a second question to the other half."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ldpcore.estimating.intervals import Bounds
from ldpcore.estimating.meanintervals import mean_difference, mean_interval
from ldpcore.experiments import generator, settled
from ldpcore.experiments.means.drawing import drawn
from ldpcore.experiments.means.survey import Rounds
from ldpcore.mechanisms.base import NumberRandomizer
from ldpcore.mechanisms.onebit import OneBit
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Confidence, Declared, ParameterError, Seed
from ldpcore.people.populations import Population, SmoothPopulation
from ldpcore.people.scales import Numbers
from ldpcore.questions import Progress, Question, Result

FEWEST = 40  # people, so that a coin each leaves neither half empty (2^-39)


@dataclass(frozen=True)
class TwoGroups(Question["TwoGroupsResult"], Declared):
    """Is one public group's mean above the other's? Everybody's group is known, nobody's number; one scale for both."""

    randomizer: NumberRandomizer
    first: Numbers
    second: Numbers
    repeats: Rounds = 1
    seed: Seed = 1
    confidence: Confidence = 0.95

    def run(self, progress: Progress | None = None) -> TwoGroupsResult:
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
            if progress is not None:
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
        """The estimates without the people."""
        question = self.experiment
        return replace(
            self, experiment=replace(question, first=question.first.hidden(), second=question.second.hidden())
        )

    @property
    def approximate(self) -> bool:
        """Whether a group was so large, with all numbers different, that its estimate follows an approximation."""
        return self.off > 0

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
        """The exact ones of both means: the small group's is the larger."""
        question = self.experiment
        groups = (question.first, question.second)
        variances = [float(question.randomizer.variance(group.people)) for group in groups]
        return groups[0].scale.half * math.sqrt(variances[0]), groups[1].scale.half * math.sqrt(variances[1])

    @property
    def standard_error(self) -> float:
        """The exact one of the difference: the two add up like the sides of a right triangle."""
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
        """How many of the rounds state an interval that holds the true difference."""
        return int(self.intervals.encloses(self.truth).sum())


@dataclass(frozen=True)
class SpreadFromHalves(Question["SpreadResult"], Declared):
    """How different are people? A fair coin each decides who reports x and who reports 2x² - 1; nobody reports both.

    The estimate is mean(x²) - mean(x)², each from its own half. One bit about x alone cannot show it: P(+) depends on
    the mean and on nothing else.
    """

    randomizer: NumberRandomizer
    numbers: Numbers
    repeats: Rounds = 200
    seed: Seed = 1

    def run(self, progress: Progress | None = None) -> SpreadResult:
        people = self.numbers.people
        if people.n < FEWEST:
            raise ParameterError("too_few_to_split", least=FEWEST, got=people.n)
        if isinstance(people, SmoothPopulation):
            raise ParameterError("people_not_atoms", shape=people.shape)
        rng, parts = generator(self.seed, f"{self.randomizer.slug} halves"), []
        for index in range(self.repeats):
            own = rng.binomial(people.counts, 0.5)
            halves = Population(people.values, own), Population(2 * people.values**2 - 1, people.counts - own)
            parts.append([float(self.randomizer.estimate(self.randomizer.sample_tally(half, rng))) for half in halves])
            if progress is not None:
                progress((index + 1) / self.repeats)
        means, squares = np.array(parts).T
        result = SpreadResult(self, means, (squares + 1) / 2)
        return settled(result, "truth", "standard_error", "bit_about_x", "bit_about_square")


@dataclass(frozen=True, eq=False)
class SpreadResult(Result):
    """For each round the estimated mean of x and of x², on [-1, 1]; what they say about the spread is in the unit."""

    experiment: SpreadFromHalves
    means: Reals
    squares: Reals

    def masked(self) -> SpreadResult:
        """The estimates without the people."""
        return replace(self, experiment=replace(self.experiment, numbers=self.experiment.numbers.hidden()))

    @property
    def estimates(self) -> Reals:
        """The estimated variance among people, for each round; it may be negative."""
        return np.asarray((self.squares - self.means**2) * self.experiment.numbers.scale.half**2, dtype=np.float64)

    @property
    def truth(self) -> float:
        """The true variance among people."""
        return self.experiment.numbers.variance

    @property
    def estimate(self) -> float:
        """The variance estimated in the first round."""
        return float(self.estimates[0])

    @property
    def deviation(self) -> float:
        """The estimated standard deviation among people in the first round; 0 where the estimate is negative."""
        return math.sqrt(max(self.estimate, 0.0))

    @property
    def imaginable(self) -> bool:
        """Whether a variance can be what was estimated: above 0, and at most that of halves at the two bounds."""
        return 0 < self.estimate <= self.experiment.numbers.scale.half**2

    @cached_property
    def _spreads(self) -> tuple[float, float]:
        """The variances of the estimated mean of x and of x², the luck of the split included (halves of n/2)."""
        people, randomizer = self.experiment.numbers.people, self.experiment.randomizer
        mean, square = people.mean_of(lambda x: x), people.mean_of(lambda x: x**2)
        noise = [
            people.mean_of(randomizer.variance_at),
            people.mean_of(lambda x: randomizer.variance_at(2 * x**2 - 1)) / 4,
        ]
        split = [square - mean**2, people.mean_of(lambda x: x**4) - square**2]
        # Half of n people drawn without replacement: S²/(n/2)·(1 - ½).
        return (2 * noise[0] + split[0]) / people.n, (2 * noise[1] + split[1]) / people.n

    @cached_property
    def standard_error(self) -> float:
        """The root of the mean squared error of the estimated variance, with a nearly normal mean of x.

        It is e₂ - 2μe₁ - e₁² for the errors of both halves: Var e₂ + 4μ²Var e₁ + 3(Var e₁)² - 4μ Cov(e₁, e₂). Who is in
        one half is not in the other, so that chance hits both the other way round: Cov(e₁, e₂) = -Cov(x, x²)/n.
        """
        people = self.experiment.numbers.people
        mean, square, cube = people.mean_of(lambda x: x), people.mean_of(lambda x: x**2), people.mean_of(lambda x: x**3)
        one, two = self._spreads
        turned = 4 * mean * (cube - mean * square) / people.n
        return (
            math.sqrt(max(two + 4 * mean**2 * one + 3 * one**2 + turned, 0.0)) * self.experiment.numbers.scale.half**2
        )

    @property
    def bias(self) -> float:
        """E[estimate] - truth = -Var of the estimated mean, because its square is subtracted."""
        return -self._spreads[0] * self.experiment.numbers.scale.half**2

    @cached_property
    def bit_about_x(self) -> tuple[float, float]:
        """P(+) of one bit about x of a random person: among these people, and if all held the mean. Always equal."""
        return self._chances(lambda x: x)

    @cached_property
    def bit_about_square(self) -> tuple[float, float]:
        """P(+) of one bit about 2x² - 1, among these people and if all held the mean: they differ as people do."""
        return self._chances(lambda x: 2 * x**2 - 1)

    def _chances(self, asked: Any) -> tuple[float, float]:
        people, bit = self.experiment.numbers.people, OneBit(level_of(self.experiment.randomizer))
        mean = people.mean_of(lambda x: x)
        return people.mean_of(lambda x: bit.chances(asked(x))), float(bit.chances(asked(np.float64(mean))))


def level_of(randomizer: NumberRandomizer) -> float:
    """The level that a mechanism is asked for."""
    return randomizer.claim().epsilon
