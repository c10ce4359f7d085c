"""Can we learn a curve from answers that nobody can trust? The survey, one report, errors, schedules, classes, a plan.

May import what `ldpcore` may.
"""

from __future__ import annotations

from ldpcore.experiments.regression.classes import (
    AccuracyAlong,
    AccuracyAlongResult,
    LabelSurvey,
    LabelSurveyResult,
    cells_for,
)
from ldpcore.experiments.regression.curves import (
    ChoiceOfSide,
    ChoiceOfSideResult,
    ErrorOverUsers,
    ErrorOverUsersResult,
    PriceOfPrivacy,
    PriceOfPrivacyResult,
)
from ldpcore.experiments.regression.plan import CurvePlan, CurvePlanResult
from ldpcore.experiments.regression.report import OnePoint, OnePointResult
from ldpcore.experiments.regression.schedules import ScheduleCheck, ScheduleCheckResult
from ldpcore.experiments.regression.survey import CuratorCurve, CuratorCurveResult, CurveSurvey, CurveSurveyResult

__all__ = [
    "AccuracyAlong",
    "AccuracyAlongResult",
    "ChoiceOfSide",
    "ChoiceOfSideResult",
    "CuratorCurve",
    "CuratorCurveResult",
    "CurvePlan",
    "CurvePlanResult",
    "CurveSurvey",
    "CurveSurveyResult",
    "ErrorOverUsers",
    "ErrorOverUsersResult",
    "LabelSurvey",
    "LabelSurveyResult",
    "OnePoint",
    "OnePointResult",
    "PriceOfPrivacy",
    "PriceOfPrivacyResult",
    "ScheduleCheck",
    "ScheduleCheckResult",
    "cells_for",
]
