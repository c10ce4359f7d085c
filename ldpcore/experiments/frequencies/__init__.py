"""Which answer is popular, and who said it? Estimated shares, their error, the top ten, one report, and the plan.

May import what `ldpcore` may.
"""

from __future__ import annotations

from ldpcore.experiments.frequencies.after import AfterEstimate, AfterEstimateResult, ProcessedShares
from ldpcore.experiments.frequencies.brought import RealReports, RealReportsResult
from ldpcore.experiments.frequencies.families import (
    ColumnFamily,
    Exponent,
    PopulationFamily,
    TwoPointFamily,
    UniformFamily,
    ZipfFamily,
)
from ldpcore.experiments.frequencies.plan import (
    BestMechanism,
    BestMechanismResult,
    FrequencyPlan,
    FrequencyPlanResult,
    RivalPlans,
    RivalPlansResult,
    Width,
)
from ldpcore.experiments.frequencies.report import OneReport, OneReportResult
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
    "ColumnFamily",
    "Exponent",
    "FrequencyExperiment",
    "FrequencyPlan",
    "FrequencyPlanResult",
    "FrequencyResult",
    "OneReport",
    "OneReportResult",
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
    "Width",
    "ZipfFamily",
    "expected_error",
    "run_errors",
    "tuned_to",
]
