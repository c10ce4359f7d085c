"""An average that nobody reveals: the survey, one report, errors over the number, and the plan.

May import what `ldpcore` may. All numbers of an answer are in the reader's unit, on the public scale of `Numbers`, but
for privacy levels, numbers of people and what is called `x` or `variance of one person`, which are on [-1, 1].

All but the family, which pages about other questions need, is loaded when it is first asked for.
"""

from __future__ import annotations

import importlib
from types import MappingProxyType
from typing import TYPE_CHECKING

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

_PLACES = MappingProxyType(
    {
        "Drawn": "drawing",
        "MeanPlan": "plan",
        "MeanPlanResult": "plan",
        "MeanSurvey": "survey",
        "MeanSurveyResult": "survey",
        "NumberReportResult": "report",
        "OneReportTwoPeople": "report",
        "RealMean": "reported",
        "RealMeanResult": "reported",
        "SideBySide": "curves",
        "SideBySideResult": "curves",
        "TwoGroups": "groups",
        "TwoGroupsResult": "groups",
        "VarianceOverX": "curves",
        "VarianceOverXResult": "curves",
        "drawn": "drawing",
        "normal_error": "drawing",
    }
)


def __getattr__(name: str) -> object:
    """A public name, loaded now."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return vars(importlib.import_module(f"{__name__}.{_PLACES[name]}"))[name]
