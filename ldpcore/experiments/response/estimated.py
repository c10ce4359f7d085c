"""The base of every estimate of a class, from one survey or from many."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

from ldpcore.experiments.response.design import chances
from ldpcore.numerics.binomials import more_than, no_more_than

if TYPE_CHECKING:
    from ldpcore.experiments.response.repeated import RepeatedSurveys
    from ldpcore.experiments.response.survey import ClassSurvey, RealAnswers

FAR = 0.001  # coins that fall further to one side in fewer classes than this are not believed


class Estimated:
    """An estimate with the nearest share that exists, and its reading."""

    experiment: ClassSurvey | RealAnswers
    estimate: float
    interval: tuple[float, float]

    @property
    def answered_yes(self) -> int:
        """The number of yes answers, which the collector sees."""
        raise NotImplementedError

    @property
    def projected(self) -> float:
        """The estimate moved to the nearest share that exists."""
        return min(max(self.estimate, 0.0), 1.0)

    @property
    def outside(self) -> bool:
        """Whether the raw estimate is no share: fewer yes than the lies alone bring, or more than all truths would."""
        return self.estimate < -1e-9 or self.estimate > 1 + 1e-9

    @property
    def beyond(self) -> Literal["below", "above", "neither"]:
        """Whether the raw estimate lies below all shares, the coins alone bringing more yes than came, or above all.

        Its interval then ends where it would had the coins brought exactly what they bring on average.
        """
        if not self.outside:
            return "neither"
        return "below" if self.estimate < 0 else "above"

    @property
    def lies_alone(self) -> float:
        """The expected number of yes answers if nobody's true answer is yes: n b."""
        return self.experiment.n * chances(self.experiment.design)[1]

    @property
    def spread(self) -> float:
        """The standard deviation of the estimate if the nearest share were the true one."""
        return math.sqrt(float(self.experiment.design.variance_of_shares(self.projected, self.experiment.n)))

    @property
    def surprise(self) -> float:
        """The chance of coins at least this far to one side, if the nearest share is the true one; 1 for a share."""
        if not self.outside:
            return 1.0
        n, chance = self.experiment.n, chances(self.experiment.design)[self.estimate < 0]
        if self.answered_yes < n * chance:
            return float(no_more_than(self.answered_yes, n, chance))
        return float(more_than(self.answered_yes - 1, n, chance))

    @property
    def reading(self) -> Literal["blind", "nothing", "far", "outside", "inside"]:
        """The reading of the answers: any share would do, none explains them, or the raw estimate's place among shares.

        "far" means that the nearest share explains the answers worse than one class in a thousand would be explained.
        """
        if self.experiment.design.gap == 0:
            return "blind"
        if self.interval == (0.0, 1.0):
            return "nothing"
        if self.surprise < FAR:
            return "far"
        return "outside" if self.outside else "inside"


class OfKnownClass:
    """The facts of an estimate when the whole class is known: the true share, and the error around it."""

    experiment: ClassSurvey | RepeatedSurveys

    @property
    def truth(self) -> float:
        """The true share of yes."""
        return self.experiment.yes / self.experiment.n

    @property
    def standard_deviation(self) -> float:
        """The exact standard deviation of the estimate, given the class."""
        return math.sqrt(float(self.experiment.design.variance_of_shares(self.truth, self.experiment.n)))
