"""The mean over a private number of people: two releases, and their ratio."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from ldpcore.experiments import generator
from ldpcore.experiments.counting.releases import TrueAnswer
from ldpcore.mechanisms.additivenoise import AdditiveNoise
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Declared, Interval, Seed
from ldpcore.questions import Progress, Public, Question, no_progress
from ldpcore.tables.queries import Mean


@dataclass(frozen=True)
class RatioOfReleases(Question["RatioOfReleasesResult"], Declared):
    """The mean over a private number of people as a ratio: SUM and COUNT released, which keep the level together.

    The ratio is kept within the bounds and a count below one is taken as one: free post-processing, but biased.
    """

    sum_noise: AdditiveNoise
    count_noise: AdditiveNoise
    total: TrueAnswer
    count: TrueAnswer
    low: float
    high: float
    reach: float = 0.0  # how far a picture goes to either side; half of the bounds' distance where nothing is said
    repeats: Annotated[int, Interval("R", 2, 10**5, (100, 10**5), scale="log", integer=True)] = 10_000
    seed: Seed = 1
    promised: float = 0.0  # the level of both, where their own do not add up to it

    @classmethod
    def of(
        cls, noises: tuple[AdditiveNoise, AdditiveNoise], mean: Mean, total: float, count: int, seed: int = 1
    ) -> RatioOfReleases:
        """The two releases of a mean: the noise that each of sum and count would have alone, at half of the level.

        Both together keep what one would: of noises whose levels add up, each gets half.
        """
        first, second = (noise.of_several(2) for noise in noises)
        return cls(first, second, total, count, mean.low, mean.high, seed=seed, promised=noises[0].epsilon)

    @property
    def epsilon(self) -> float:
        """The level that both releases keep together."""
        return self.promised or self.sum_noise.epsilon + self.count_noise.epsilon

    def run(self, progress: Progress = no_progress) -> RatioOfReleasesResult:
        rng = generator(self.seed, "ratio")
        sums = self.sum_noise.release(self.total, rng, self.repeats)
        counts = self.count_noise.release(self.count, rng, self.repeats)
        ratios = np.clip(sums / np.maximum(counts, 1.0), self.low, self.high)
        return RatioOfReleasesResult(self, ratios, (float(sums[0]), float(counts[0])))


@dataclass(frozen=True)
class RatioOfReleasesResult(Public):
    """The simulated ratios beside the true mean; bias and error with their standard errors."""

    experiment: RatioOfReleases
    ratios: Reals
    first: tuple[float, float]  # the sum and the count of the first ratio

    @property
    def truth(self) -> float:
        """The true mean."""
        return self.experiment.total / self.experiment.count

    @property
    def released(self) -> float:
        """The first ratio."""
        return self._of(*self.first)

    def widths(self, confidence: float) -> tuple[float, float, float]:
        """The distances from the truth of the first ratio, its sum and its count, all three with the confidence.

        Each of both parts misses its width in half of the cases that are left; while neither does, the mean lies within
        the ratios of their ends.
        """
        question, (total, count) = self.experiment, self.first
        far, wide = (noise.width((1 + confidence) / 2) for noise in (question.sum_noise, question.count_noise))
        ends = (self._of(total + one * far, count + other * wide) for one in (-1, 1) for other in (-1, 1))
        return max(abs(end - self.released) for end in ends), far, wide

    def _of(self, total: float, count: float) -> float:
        """The mean from a noisy sum and a noisy count."""
        question = self.experiment
        return min(max(total / max(count, 1.0), question.low), question.high)

    @property
    def bias(self) -> tuple[float, float]:
        """The mean of the ratios minus the truth, and its standard error."""
        return self._mean(self.ratios - self.truth)

    @property
    def error(self) -> tuple[float, float]:
        """The mean absolute error, and its standard error."""
        return self._mean(np.abs(self.ratios - self.truth))

    @property
    def share_of_truth(self) -> float:
        """The mean absolute error as a share of the true mean; infinite for a mean of zero."""
        return self.error[0] / abs(self.truth) if self.truth else math.inf

    def _mean(self, values: Reals) -> tuple[float, float]:
        return float(values.mean()), float(values.std(ddof=1) / math.sqrt(len(values)))
