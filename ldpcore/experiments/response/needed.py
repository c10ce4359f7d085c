"""How many people a design costs."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ldpcore.experiments.response.design import LEAST, MOST, Design, People
from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import (
    Declared,
    Epsilon,
    Probability,
)
from ldpcore.questions import Progress, Public, Question


@dataclass(frozen=True)
class PeopleNeeded(Question["PeopleNeededResult"], Declared):
    """How many times as many people randomized answers need, to be as precise as direct answers of a sample.

    1 + v/(f(1-f)), v the variance of one person's estimate: at f = ½ and the best coins ((e^ε+1)/(e^ε-1))².
    """

    design: Design
    share: Probability = 0.5
    n: People = 1000
    low: Epsilon = LEAST
    high: Epsilon = MOST

    def run(self, progress: Progress | None = None) -> PeopleNeededResult:
        levels = np.geomspace(self.low, self.high, 99)
        factors = np.array([people_factor(RandomizedResponse(float(level)), self.share) for level in levels])
        return PeopleNeededResult(self, people_factor(self.design, self.share), levels, factors)

    def at(self, level: float) -> PeopleNeeded:
        """This question about the best coins of another level."""
        return replace(self, design=RandomizedResponse(level))


def people_factor(design: Design, share: float) -> float:
    """1 + v/(f(1-f)); infinite where everybody is alike and one direct answer would do."""
    direct = share * (1 - share)
    return 1 + float(design.variance_of_shares(share, 1)) / direct if direct else math.inf


@dataclass(frozen=True, eq=False)
class PeopleNeededResult(Public):
    """The factor of the design, and those of the best coins along ε."""

    experiment: PeopleNeeded
    factor: float
    levels: Reals
    factors: Reals

    @property
    def effective(self) -> float:
        """How many direct answers the n randomized ones are worth."""
        return self.experiment.n / self.factor

    @property
    def instead(self) -> float:
        """How many randomized answers stand in for n direct ones."""
        return self.experiment.n * self.factor
