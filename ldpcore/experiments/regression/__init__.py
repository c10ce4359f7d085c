"""A curve learned from private answers: the survey, one report, errors, classes, a plan.

May import what `ldpcore` may.
"""

from __future__ import annotations

from ldpcore.experiments.regression.classes import (
    LabelErrors,
    LabelErrorsResult,
    LabelSurvey,
    LabelSurveyResult,
    cells_for,
)
from ldpcore.experiments.regression.curves import ChoiceOfSide, ChoiceOfSideResult
from ldpcore.experiments.regression.plan import CurvePlan, CurvePlanResult
from ldpcore.experiments.regression.report import OnePoint, OnePointResult
from ldpcore.experiments.regression.survey import CuratorCurve, CuratorCurveResult, CurveSurvey, CurveSurveyResult

__all__ = [
    "ChoiceOfSide",
    "ChoiceOfSideResult",
    "CuratorCurve",
    "CuratorCurveResult",
    "CurvePlan",
    "CurvePlanResult",
    "CurveSurvey",
    "CurveSurveyResult",
    "LabelErrors",
    "LabelErrorsResult",
    "LabelSurvey",
    "LabelSurveyResult",
    "OnePoint",
    "OnePointResult",
    "cells_for",
]
