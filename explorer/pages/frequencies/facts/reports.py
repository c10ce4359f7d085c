"""The content of a report, by its shape; every mechanism has its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from explorer.facts import Count, Facts, Name, Names, Quantity, Share
from explorer.facts.naming import called
from ldpcore.experiments.frequencies import CategoryReportResult
from ldpcore.mechanisms.base import FrequencyOracle
from ldpcore.mechanisms.grr import DirectAnswer

MOST_NAMED, MOST_BITS = 8, 24


def form(result: CategoryReportResult) -> str:
    """The shape of a report: a value, a number, a set, bits, noisy numbers, a cell, Bloom bits."""
    report = np.asarray(result.report)
    kind, fields = report.dtype.kind, report.dtype.names
    if fields:
        return {"seed cell": "cell", "cohort bits": "bloom"}.get(" ".join(fields), "other")
    if isinstance(result.experiment.randomizer, DirectAnswer):
        return "value"
    if report.ndim == 0:
        return "number"
    return {"f": "numbers"}.get(kind, "bits" if report.dtype == "uint8" else "set")


def reported(result: CategoryReportResult, names: tuple[str, ...]) -> Facts:
    """The facts of the report by their names in the texts of its shape, and the chance of such a report."""
    report, kind, randomizer = np.asarray(result.report), form(result), result.experiment.randomizer
    k = randomizer.k
    quantities: dict[str, Quantity] = {"k": Count(k)}
    if isinstance(randomizer, FrequencyOracle):
        quantities |= {"own": Share(randomizer.p, 3), "lies": Share(randomizer.q, 3)}
    if kind == "value":
        quantities["reported"] = called(int(report), k, names)
    elif kind == "number":
        quantities["reported"] = Count(int(report))
    elif kind == "set":
        quantities["reported"] = Names(tuple(called(int(place), k, names) for place in report), MOST_NAMED)
        quantities["size"] = Count(len(report))
    elif kind == "bits" and result.after is not None:
        quantities["reported"] = Name(_digits(result.after))
    elif kind == "cell":
        quantities |= {"cell": Count(int(report["cell"]) + 1), "hash": Name(f"{int(report['seed']):016x}")}
    elif kind == "bloom":
        quantities["cohort"] = Count(int(report["cohort"]) + 1)
    return quantities


def _digits(bits: Any) -> str:
    """The first bits of a report."""
    return "".join("1" if bit else "0" for bit in bits[:MOST_BITS]) + ("…" if len(bits) > MOST_BITS else "")
