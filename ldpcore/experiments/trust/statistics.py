"""Many statistics about the same people: Laplace noise made for k of them, or normal noise made for √k."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from ldpcore.mechanisms.centralgaussian import GaussianMechanism
from ldpcore.mechanisms.gaussiannoise import CLASSICAL_LEVEL
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.parameters import Declared, Delta, Epsilon, Interval
from ldpcore.questions import Progress, Public, Question, no_progress

Statistics = Annotated[int, Interval("k", 1, 10**4, (1, 1000), scale="log", integer=True)]
NOISES: tuple[str, ...] = ("laplace", "analytic", "classical")
MOST = 1000


@dataclass(frozen=True)
class ManyStatistics(Question["ManyStatisticsResult"], Declared):
    """The error of each of k counts that one person moves by 1 each: Δ₁ = k for Laplace, Δ₂ = √k for normal noise."""

    epsilon: Epsilon
    k: Statistics = 10
    delta: Delta = 1e-6

    def run(self, progress: Progress = no_progress) -> ManyStatisticsResult:
        ks = np.unique(np.rint(np.geomspace(1, MOST, 41)).astype(np.int64))
        one = {name: self.error(name, 1) for name in NOISES}
        growth = {name: 1.0 if name == "laplace" else 0.5 for name in NOISES}
        curves = {name: np.asarray(one[name] * ks ** growth[name], dtype=np.float64) for name in NOISES}
        return ManyStatisticsResult(self, ks, curves)

    def error(self, name: str, k: int) -> float:
        """The standard deviation of the noise on each count; not a number where the classical σ is not proved."""
        if name == "laplace":
            return LaplaceMechanism(self.epsilon, float(k)).standard_deviation()
        if name == "classical" and self.epsilon > CLASSICAL_LEVEL:
            return math.nan
        return GaussianMechanism(self.epsilon, self.delta, math.sqrt(k), name).sigma


@dataclass(frozen=True, eq=False)
class ManyStatisticsResult(Public):
    """The error of each count along their number."""

    experiment: ManyStatistics
    ks: Counts
    curves: dict[str, Reals]

    @property
    def crossing(self) -> int:
        """The least number of counts from which normal noise errs less: √2 k/ε > σ√k, so k > (σε)²/2."""
        own = self.experiment.error("analytic", 1) * self.experiment.epsilon
        return math.floor(own**2 / 2) + 1

    @property
    def better(self) -> str:
        """The noise that errs less on the present number of counts."""
        return "normal" if self.experiment.k >= self.crossing else "laplace"
