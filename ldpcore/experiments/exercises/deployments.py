"""Published levels of privacy, and what a yes-or-no answer would cost at them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Declared, Epsilon, Interval
from ldpcore.questions import Progress, Public, Question, no_progress

# What was published, by the key of its name; each protects one day of a person, the census a whole record.
WITHOUT_CURATOR = {"health": 2.0, "emoji": 4.0}
WITH_CURATOR = {"symptoms": 1.68, "vaccination": 2.19, "census": 19.61}
AnsweringPeople = Annotated[int, Interval("n", 1, 10**12, (100, 10**9), scale="log", integer=True)]
LEVELS_SHOWN = (0.01, 25.0)  # so that the census is among them


@dataclass(frozen=True)
class LevelsInUse(Question["LevelsInUseResult"], Declared):
    """The error of an estimated share of yes, in a crowd of which half would say yes, at a level and at those in use.

    1/(2√n) of honest answers, 1/(2√n tanh(α/2)) without a curator, √(1/(4n) + 2/(nε)²) with one.
    """

    epsilon: Epsilon
    n: AnsweringPeople = 10**6

    def run(self, progress: Progress = no_progress) -> LevelsInUseResult:
        levels = np.geomspace(*LEVELS_SHOWN, 69)
        reported = np.array([self.reported(level) for level in levels.tolist()])
        curated = np.array([self.curated(level) for level in levels.tolist()])
        return LevelsInUseResult(self, levels, reported, curated)

    @property
    def honest(self) -> float:
        """The standard error of honest answers: people are drawn at random."""
        return 0.5 / math.sqrt(self.n)

    def reported(self, level: float) -> float:
        """The standard error of randomized response: half of the reports are yes, and p - q of the truth is left."""
        return self.honest / RandomizedResponse(level).gap

    def curated(self, level: float) -> float:
        """The standard error of a curator who adds Laplace noise to the count."""
        return math.hypot(self.honest, LaplaceMechanism(level, 1.0).standard_deviation() / self.n)


@dataclass(frozen=True, eq=False)
class LevelsInUseResult(Public):
    """The errors over the levels."""

    experiment: LevelsInUse
    levels: Reals
    reported: Reals
    curated: Reals

    @property
    def worth(self) -> float:
        """The number of honest answers that err as much."""
        asked = self.experiment
        return asked.n * RandomizedResponse(asked.epsilon).gap ** 2
