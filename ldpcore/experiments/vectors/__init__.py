"""The cost of each extra question: errors against their number, the cube's corners, and the plan.

May import what `ldpcore` may. A method is a mechanism for vectors with its usual settings, by a slug of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ldpcore.experiments import deferred

if TYPE_CHECKING:
    from ldpcore.experiments.vectors.corners import Corners, CornersResult
    from ldpcore.experiments.vectors.curves import DIMENSIONS, AgainstDimension, AgainstDimensionResult
    from ldpcore.experiments.vectors.family import METHODS, method
    from ldpcore.experiments.vectors.plan import VectorPlan, VectorPlanResult
    from ldpcore.experiments.vectors.survey import VectorSurvey, VectorSurveyResult

__all__ = [
    "DIMENSIONS",
    "METHODS",
    "AgainstDimension",
    "AgainstDimensionResult",
    "Corners",
    "CornersResult",
    "VectorPlan",
    "VectorPlanResult",
    "VectorSurvey",
    "VectorSurveyResult",
    "method",
]

__getattr__ = deferred(
    __name__,
    {
        "corners": "Corners CornersResult",
        "curves": "DIMENSIONS AgainstDimension AgainstDimensionResult",
        "family": "METHODS method",
        "plan": "VectorPlan VectorPlanResult",
        "survey": "VectorSurvey VectorSurveyResult",
    },
)
