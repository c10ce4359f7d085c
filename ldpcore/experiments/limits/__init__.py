"""Limits of private estimates: lower bounds beside what one bit from each person achieves.

May import what `ldpcore` may. Errors are in the unit of what is asked for; all bounds are proven for every number of
people, and what is drawn is the exact law of the tally.
"""

from __future__ import annotations

from ldpcore.experiments.limits.exponents import ExponentRow, ExponentTable, ExponentTableResult
from ldpcore.experiments.limits.levels import (
    AgainstLevel,
    AgainstLevelResult,
    Constants,
    ConstantsResult,
    ConstantsRow,
    FallingLevels,
    FallingLevelsResult,
    LevelPoint,
)
from ldpcore.experiments.limits.plan import LimitPlan, LimitPlanResult
from ldpcore.experiments.limits.rate import RATE_USERS, Rate, RatePoint, RateResult, Slopes
from ldpcore.experiments.limits.vectors import ROUTES, VectorBounds, VectorBoundsResult, VectorPoint
from ldpcore.experiments.limits.worlds import DrawnWorlds, Eta, WorstWorlds, WorstWorldsResult

__all__ = [
    "RATE_USERS",
    "ROUTES",
    "AgainstLevel",
    "AgainstLevelResult",
    "Constants",
    "ConstantsResult",
    "ConstantsRow",
    "DrawnWorlds",
    "Eta",
    "ExponentRow",
    "ExponentTable",
    "ExponentTableResult",
    "FallingLevels",
    "FallingLevelsResult",
    "LevelPoint",
    "LimitPlan",
    "LimitPlanResult",
    "Rate",
    "RatePoint",
    "RateResult",
    "Slopes",
    "VectorBounds",
    "VectorBoundsResult",
    "VectorPoint",
    "WorstWorlds",
    "WorstWorldsResult",
]
