"""The cost of a design in people."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ldpcore.experiments.response.design import RespondentCount, ResponseDesign
from ldpcore.parameters import Declared, Probability
from ldpcore.questions import Progress, Public, Question, no_progress


@dataclass(frozen=True)
class RandomizationFactor(Question["RandomizationFactorResult"], Declared):
    """The ratio of the people randomized answers need to those of direct answers of a sample, for one precision.

    1 + v/(f(1-f)), v the variance of one person's estimate: at f = ½ and the best coins ((e^ε+1)/(e^ε-1))².
    """

    design: ResponseDesign
    share: Probability = 0.5
    n: RespondentCount = 1000

    def run(self, progress: Progress = no_progress) -> RandomizationFactorResult:
        return RandomizationFactorResult(self, people_factor(self.design, self.share))


def people_factor(design: ResponseDesign, share: float) -> float:
    """1 + v/(f(1-f)); infinite where everybody is alike and one direct answer would do."""
    direct = share * (1 - share)
    return 1 + float(design.variance_of_shares(share, 1)) / direct if direct else math.inf


@dataclass(frozen=True, eq=False)
class RandomizationFactorResult(Public):
    """The factor of the design, applied to a number of people."""

    experiment: RandomizationFactor
    factor: float

    @property
    def effective(self) -> float:
        """The number of direct answers that the n randomized ones are worth."""
        return self.experiment.n / self.factor

    @property
    def instead(self) -> float:
        """The number of randomized answers that stand in for n direct ones."""
        return self.experiment.n * self.factor
