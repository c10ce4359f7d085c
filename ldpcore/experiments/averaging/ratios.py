"""Asking for a mean again: sum and count released many times, each averaged, and the ratio of their averages.

Where the number of people is private, a mean takes two releases with half of the level each. Averaging each of them and
dividing then closes in on the true mean; averaging the ratios would keep their bias.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ldpcore.accounting import Ledger, spent
from ldpcore.experiments import generator
from ldpcore.experiments.averaging.running import (
    AverageCount,
    AverageCurve,
    AveragedNoise,
    AveragedReleases,
    averaged_noise,
)
from ldpcore.experiments.counting.ratios import RatioOfReleases
from ldpcore.mechanisms.additivenoise import AdditiveNoise
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.parameters import Declared
from ldpcore.questions import Progress, Question, no_progress

_PATHS = 2_000  # simulated tries at each number of releases along a curve


def divided(ratio: RatioOfReleases, sums: Reals, counts: Reals) -> Reals:
    """The ratios of two noisy numbers less the true mean, kept within the bounds; a count below one is taken as one."""
    ratios = (ratio.total + sums) / np.maximum(ratio.count + counts, 1.0)
    return np.asarray(np.clip(ratios, ratio.low, ratio.high) - ratio.total / ratio.count, dtype=np.float64)


def tried(ratio: RatioOfReleases, repeats: int, tries: int, rng: np.random.Generator) -> Reals:
    """The distances from the truth in many tries: the noise of all N sums is one draw, and so is that of the counts."""

    def mean_noise(mechanism: AdditiveNoise) -> Reals:
        return mechanism.sum_of_noise(np.full(tries, float(repeats)), rng) / repeats

    return divided(ratio, mean_noise(ratio.sum_noise), mean_noise(ratio.count_noise))


@dataclass(frozen=True)
class AveragedRatio(Question["AveragedRatioResult"], Declared):
    """Release a sum and a count N times, and divide the average sum by the average count."""

    ratio: RatioOfReleases
    repeats: AverageCount = 100

    def run(self, progress: Progress = no_progress) -> AveragedRatioResult:
        ratio = self.ratio
        sums = averaged_noise(ratio.sum_noise, self.repeats, ratio.seed)
        counts = averaged_noise(ratio.count_noise, self.repeats, ratio.seed, " of the count")
        noise = AveragedNoise(
            divided(ratio, sums.singles, counts.singles), sums.repeats, divided(ratio, sums.means, counts.means)
        )
        tries = tried(ratio, self.repeats, ratio.repeats, generator(ratio.seed, "averaged ratio"))
        return AveragedRatioResult(self, noise, tries)

    @property
    def epsilon(self) -> float:
        """The joint cost of a sum and a count."""
        return self.ratio.epsilon

    def price(self, times: int) -> float:
        """The cost of `times` pairs: two releases each, of noises that a person moves alike far in their deviations."""
        sums, counts = self.ratio.sum_noise, self.ratio.count_noise
        return sums.price(2 * times) if sums.failure else float(spent(sums.epsilon + counts.epsilon, times))

    def prices(self, times: Counts) -> Reals:
        """The cost of each of these numbers of pairs, for a picture."""
        return self.ratio.sum_noise.prices(2 * np.asarray(times))

    def affordable(self, total: float) -> int:
        """The number of pairs a total pays for."""
        sums = self.ratio.sum_noise
        releases = sums.affordable(total)
        return Ledger.of(total).affordable(self.epsilon) if releases is None else releases // 2

    @property
    def truth(self) -> float:
        """The true mean."""
        return self.ratio.total / self.ratio.count

    def masked(self) -> AveragedRatio:
        """This question without the total and the number of people, which stay hidden."""
        return replace(self, ratio=replace(self.ratio, total=0.0, count=1.0))


@dataclass(frozen=True)
class AveragedRatioResult(AveragedReleases):
    """The distances of the single ratios and of the ratio of the averages, and those of many simulated tries."""

    experiment: AveragedRatio
    tries: Reals

    @property
    def error(self) -> tuple[float, float]:
        """The mean absolute error of the simulated tries, and its standard error."""
        return _mean(np.abs(self.tries))

    @property
    def spread(self) -> float:
        """The standard deviation of the simulated tries."""
        return float(self.tries.std(ddof=1))

    def curve(self, decades: int) -> AverageCurve:
        """The ends between which 95 of 100 simulated tries fall, at two numbers of releases a decade."""
        ratio, stops = self.experiment.ratio, np.round(np.geomspace(1, 10.0**decades, 2 * decades + 1))
        rng = generator(ratio.seed, "averaged ratio curve")
        tries = np.stack([tried(ratio, int(stop), _PATHS, rng) for stop in stops])
        low, high = np.quantile(tries, (0.025, 0.975), axis=1)
        return AverageCurve(stops, low, high)

    def error_at(self, factor: int) -> float:
        """The mean absolute error of tries with `factor` times as many releases."""
        ratio = self.experiment.ratio
        rng = generator(ratio.seed, f"averaged ratio x {factor}")
        return _mean(np.abs(tried(ratio, factor * self.experiment.repeats, ratio.repeats, rng)))[0]


def _mean(values: Reals) -> tuple[float, float]:
    """A mean and its standard error."""
    return float(values.mean()), float(values.std(ddof=1) / math.sqrt(len(values)))
