"""Telling settings of the page about regression, and what its views are told there."""

from __future__ import annotations

from explorer.pages.regression.settings import Classes, Regression, of_columns
from ldpcore.estimating.regression import Tuning
from ldpcore.people.curves import ClassModel, CurveModel
from ldpcore.tables.table import built_in


def samples() -> tuple[Regression, ...]:
    """Telling settings, the default ones first: every curve and design, few people and a billion, two columns."""
    income = built_in("income")
    return (
        Regression(),
        Regression(CurveModel("sawtooth", "bell", "heavy"), 10**9, "halves", seed=3),
        Regression(CurveModel("step", "gap", "none"), 10**4, mode="anew"),
        Regression(CurveModel("constant"), 10**5, mode="own", own=Tuning(0.07, 0.5, 0.4, 0.2)),
        of_columns(income, "score", "schooling", ((0, 100), (5, 21)), mode="anew"),
        Regression(CurveModel("bump", "uniform", "normal"), 10**6, "halves", "anew"),
    )


# A curator beside a curve and beside a table; surfaces; and classes of more people.
TOLD: dict[tuple[int, str], object] = {
    (1, "steps"): "curator",
    (4, "steps"): "curator",
    (1, "sides"): "saddle",
    (2, "sides"): "ring",
    (1, "classes"): Classes(ClassModel("blobs"), picture="people"),
    (2, "classes"): Classes(ClassModel("rings"), 2, picture="people"),
    (5, "classes"): Classes(ClassModel("moons"), 32, picture="people"),
}
