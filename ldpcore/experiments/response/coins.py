"""Any two coins beside the best ones of the same level."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from ldpcore.experiments.response.design import RespondentCount, ResponseDesign
from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.parameters import Declared, Epsilon, Probability, declaration
from ldpcore.questions import Progress, Public, Question, no_progress


@dataclass(frozen=True)
class CoinDesign(Question["CoinDesignResult"], Declared):
    """Any two coins against the best ones of the same level: the cost of the level, and what it would have bought."""

    design: ResponseDesign
    n: RespondentCount = 1000
    share: Probability = 0.1

    def run(self, progress: Progress = no_progress) -> CoinDesignResult:
        level = self.design.guarantee().epsilon
        own = self.deviation(self.design)
        best = RandomizedResponse(level) if declaration(Epsilon).admits(level) else None
        least = self.deviation(best) if best else math.nan
        return CoinDesignResult(self, level, own, best, least)

    def deviation(self, design: ResponseDesign) -> float:
        """The exact standard deviation of the estimate, given the class."""
        return math.sqrt(float(design.variance_of_shares(self.share, self.n)))


@dataclass(frozen=True, eq=False)
class CoinDesignResult(Public):
    """The level of the design (infinite where no finite one holds), its error, and that of the best coins.

    `best` is None where the level is zero, infinite or above 50.
    """

    experiment: CoinDesign
    level: float
    standard_deviation: float
    best: RandomizedResponse | None
    best_standard_deviation: float

    @property
    def case(self) -> Literal["blind", "infinite", "finite"]:
        """Whether the answers carry nothing, give somebody away, or hide everybody at a finite level."""
        if self.experiment.design.gap == 0:
            return "blind"
        return "infinite" if math.isinf(self.level) else "finite"

    @property
    def waste(self) -> float:
        """The ratio of the people the design needs to those of the best coins of its level."""
        return (self.standard_deviation / self.best_standard_deviation) ** 2
