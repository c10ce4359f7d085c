"""Popular answers and private ones: estimated shares, their error, the top ten, one report, and the plan.

May import what `ldpcore` may.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ldpcore.experiments import deferred

if TYPE_CHECKING:
    from ldpcore.experiments.frequencies.after import AfterEstimate, AfterEstimateResult, ProcessedShares
    from ldpcore.experiments.frequencies.brought import RealReports, RealReportsResult
    from ldpcore.experiments.frequencies.families import (
        ColumnFamily,
        PopulationFamily,
        TwoPointFamily,
        UniformFamily,
        ZipfExponent,
        ZipfFamily,
    )
    from ldpcore.experiments.frequencies.plan import (
        BestMechanism,
        BestMechanismResult,
        FrequencyPlan,
        FrequencyPlanResult,
        FrequencyWidth,
        RivalPlans,
        RivalPlansResult,
    )
    from ldpcore.experiments.frequencies.report import CategoryReport, CategoryReportResult
    from ldpcore.experiments.frequencies.survey import (
        KEPT_CELLS,
        METRICS,
        FrequencyExperiment,
        FrequencyResult,
        Survey,
        expected_error,
        run_errors,
        tuned_to,
    )
    from ldpcore.experiments.frequencies.topten import TopTen, TopTenResult

__all__ = [
    "KEPT_CELLS",
    "METRICS",
    "AfterEstimate",
    "AfterEstimateResult",
    "BestMechanism",
    "BestMechanismResult",
    "CategoryReport",
    "CategoryReportResult",
    "ColumnFamily",
    "FrequencyExperiment",
    "FrequencyPlan",
    "FrequencyPlanResult",
    "FrequencyResult",
    "FrequencyWidth",
    "PopulationFamily",
    "ProcessedShares",
    "RealReports",
    "RealReportsResult",
    "RivalPlans",
    "RivalPlansResult",
    "Survey",
    "TopTen",
    "TopTenResult",
    "TwoPointFamily",
    "UniformFamily",
    "ZipfExponent",
    "ZipfFamily",
    "expected_error",
    "run_errors",
    "tuned_to",
]

__getattr__ = deferred(
    __name__,
    {
        "after": "AfterEstimate AfterEstimateResult ProcessedShares",
        "brought": "RealReports RealReportsResult",
        "families": "ColumnFamily PopulationFamily TwoPointFamily UniformFamily ZipfExponent ZipfFamily",
        "plan": "BestMechanism BestMechanismResult FrequencyPlan FrequencyPlanResult FrequencyWidth RivalPlans "
        "RivalPlansResult",
        "report": "CategoryReport CategoryReportResult",
        "survey": "KEPT_CELLS METRICS FrequencyExperiment FrequencyResult Survey expected_error run_errors tuned_to",
        "topten": "TopTen TopTenResult",
    },
)
