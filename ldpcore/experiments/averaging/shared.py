"""Many questions that share one total level, and the error of their average."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ldpcore.experiments import generator
from ldpcore.experiments.averaging.running import AverageCount
from ldpcore.mechanisms.additivenoise import AdditiveNoise
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Declared, Repeats, Seed
from ldpcore.questions import Progress, Public, Question, no_progress

MOST_SHARED = 10**6  # questions with noise in whole numbers that share a level, in a curve


@dataclass(frozen=True)
class SharedBudget(Question["SharedBudgetResult"], Declared):
    """N questions share one total level: each gets ε/N, and their average is worse than one answer by about √N."""

    mechanism: AdditiveNoise
    repeats: AverageCount
    simulated: Repeats = 1000
    seed: Seed = 1

    @property
    def error(self) -> float:
        """The mean absolute error of the average of the N answers, exactly."""
        member, times = self.mechanism.sharing(self.repeats)
        return float(member.average_error(times))

    def run(self, progress: Progress = no_progress) -> SharedBudgetResult:
        stops = {10**decade for decade in range(13)} | {self.repeats}
        numbers = np.array([n for n in sorted(stops) if not self.mechanism.whole or n <= MOST_SHARED], dtype=np.float64)
        rng = generator(self.seed, "shared budget")
        singles, exact, simulated, spread = [], [], [], []
        for n in numbers:
            member, times = self.mechanism.sharing(int(n))
            error = float(member.average_error(times))
            sums = member.sum_of_noise(np.full(self.simulated, float(times)), rng)
            exact.append(error)
            singles.append(member.mean_absolute_error() * math.sqrt(n / times))
            simulated.append(float(np.mean(np.abs(sums / times))))
            # E X² and E|X| are exact, and so is the standard error of the simulated mean of |X|.
            spread.append(math.sqrt(max(member.variance() / times - error**2, 0) / self.simulated))
        columns = (np.array(each) for each in (exact, singles, simulated, spread))
        return SharedBudgetResult(self, numbers, *columns)


@dataclass(frozen=True)
class SharedBudgetResult(Public):
    """The error of the average and of each answer where N questions share one total."""

    experiment: SharedBudget
    repeats: Reals
    average: Reals
    single: Reals
    simulated: Reals
    standard_error: Reals

    @property
    def error(self) -> float:
        """The typical error of the average of the N answers."""
        return self.experiment.error

    @property
    def share(self) -> float:
        """The level of each question, ε/N."""
        return self.experiment.mechanism.epsilon / self.experiment.repeats

    @property
    def factor(self) -> float:
        """The ratio to the error of asking once with the whole total: 2N·C(2N, N)/4^N, about 1.13 √N."""
        return self.error / self.experiment.mechanism.mean_absolute_error()
