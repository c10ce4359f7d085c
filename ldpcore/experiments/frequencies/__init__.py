"""Which answer is popular, and who said it? Estimated shares, their error, the top ten, one report, and the plan.

May import what `ldpcore` may.
"""

from __future__ import annotations

from ldpcore.experiments.frequencies.after import AfterEstimate, AfterEstimateResult, ProcessedShares
from ldpcore.experiments.frequencies.brought import RealReports, RealReportsResult
from ldpcore.experiments.frequencies.choice import WhichOne, WhichOneResult
from ldpcore.experiments.frequencies.curve import Axis, Curve, ErrorCurve, ErrorCurveResult
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
    Width,
)
from ldpcore.experiments.frequencies.report import OneReport, OneReportResult
from ldpcore.experiments.frequencies.survey import (
    KEPT_CELLS,
    METRICS,
    FrequencyExperiment,
    FrequencyResult,
    Metric,
    Survey,
    expected_error,
    gauss_legendre,
    run_errors,
    tuned_to,
)
from ldpcore.experiments.frequencies.topten import TopTen, TopTenResult

__all__ = [
    "KEPT_CELLS",
    "METRICS",
    "AfterEstimate",
    "AfterEstimateResult",
    "Axis",
    "BestMechanism",
    "BestMechanismResult",
    "ColumnFamily",
    "Curve",
    "ErrorCurve",
    "ErrorCurveResult",
    "Exponent",
    "FrequencyExperiment",
    "FrequencyPlan",
    "FrequencyPlanResult",
    "FrequencyResult",
    "Metric",
    "OneReport",
    "OneReportResult",
    "PopulationFamily",
    "ProcessedShares",
    "RealReports",
    "RealReportsResult",
    "Survey",
    "TopTen",
    "TopTenResult",
    "TwoPointFamily",
    "UniformFamily",
    "WhichOne",
    "WhichOneResult",
    "Width",
    "ZipfFamily",
    "expected_error",
    "gauss_legendre",
    "run_errors",
    "tuned_to",
]
