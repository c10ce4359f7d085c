"""An average that nobody reveals: the survey, one report, errors over the number, and the plan.

May import what `ldpcore` may. All numbers of an answer are in the reader's unit, on the public scale of `Numbers`, but
for privacy levels, numbers of people and what is called `x` or `variance of one person`, which are on [-1, 1].
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ldpcore.experiments import deferred
from ldpcore.experiments.means.family import at, family, nearest, slugs

if TYPE_CHECKING:
    from ldpcore.experiments.means.curves import SideBySide, SideBySideResult, VarianceOverX, VarianceOverXResult
    from ldpcore.experiments.means.drawing import Drawn, drawn, normal_error
    from ldpcore.experiments.means.groups import TwoGroups, TwoGroupsResult
    from ldpcore.experiments.means.plan import MeanPlan, MeanPlanResult
    from ldpcore.experiments.means.report import NumberReportResult, OneReportTwoPeople
    from ldpcore.experiments.means.reported import RealMean, RealMeanResult
    from ldpcore.experiments.means.survey import MeanSurvey, MeanSurveyResult

__all__ = [
    "Drawn",
    "MeanPlan",
    "MeanPlanResult",
    "MeanSurvey",
    "MeanSurveyResult",
    "NumberReportResult",
    "OneReportTwoPeople",
    "RealMean",
    "RealMeanResult",
    "SideBySide",
    "SideBySideResult",
    "TwoGroups",
    "TwoGroupsResult",
    "VarianceOverX",
    "VarianceOverXResult",
    "at",
    "drawn",
    "family",
    "nearest",
    "normal_error",
    "slugs",
]

__getattr__ = deferred(
    __name__,
    {
        "curves": "SideBySide SideBySideResult VarianceOverX VarianceOverXResult",
        "drawing": "Drawn drawn normal_error",
        "groups": "TwoGroups TwoGroupsResult",
        "plan": "MeanPlan MeanPlanResult",
        "report": "NumberReportResult OneReportTwoPeople",
        "reported": "RealMean RealMeanResult",
        "survey": "MeanSurvey MeanSurveyResult",
    },
)
