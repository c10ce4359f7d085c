"""The evidence of one report: two people answer differently, and one report is seen."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Annotated

from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.parameters import Declared, Interval
from ldpcore.questions import Progress, Question, Result, no_progress

NO, YES = 0, 1  # what the two would say in truth
LOW, HIGH = -2.5, 3.5  # the reports that are worth looking at: beyond them all is as at the ends
Report = Annotated[float, Interval("z", -1e6, 1e6, (LOW, HIGH), small=(-1.0, 0.5, 2.0))]


@dataclass(frozen=True)
class PrivacyLossOfReport(Question["PrivacyLossOfReportResult"], Declared):
    """The likelihood ratio of `report` between two people, who would truly say 0 and 1."""

    mechanism: LaplaceMechanism | RandomizedResponse
    report: Report

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.mechanism, RandomizedResponse):
            self.mechanism.categories([self.report])

    def run(self, progress: Progress = no_progress) -> PrivacyLossOfReportResult:
        # The two logarithms share their constant, so that what is left is the privacy loss of the report.
        return PrivacyLossOfReportResult(self, self.log_likely(self.report, NO) - self.log_likely(self.report, YES))

    def log_likely(self, report: float, person: int) -> float:
        """ln of the probability of a report from a person, or of its density where it is a number."""
        if isinstance(self.mechanism, RandomizedResponse):
            return self.mechanism.log_density(int(report), person)
        return self.mechanism.log_density(report, person)


@dataclass(frozen=True)
class PrivacyLossOfReportResult(Result):
    """The privacy loss of a report: ln of how much likelier it is for the truth 0 than for the truth 1."""

    experiment: PrivacyLossOfReport
    loss: float

    @property
    def limit(self) -> float:
        """The level, recomputed from the laws of the reports: no loss is larger."""
        return self.experiment.mechanism.guarantee().epsilon

    @property
    def filled(self) -> float:
        """The part of the level that this report uses up, from 0 (it tells nothing) to 1 (as much as any may)."""
        return min(abs(self.loss) / self.limit, 1.0)

    def likely(self, report: float, person: int) -> float:
        """The likelihood of a report from a person: a share of answers, or a number's density relative to its peak."""
        question = self.experiment
        peak = 0.0 if isinstance(question.mechanism, RandomizedResponse) else question.log_likely(person, person)
        return math.exp(question.log_likely(report, person) - peak)

    def masked(self) -> PrivacyLossOfReportResult:
        """The two people and the report, without its evidence about them."""
        return replace(self, loss=math.nan)
