"""Checks of a mechanism's promise: one mechanism, a typed matrix, and a gallery of sound and broken ones.

May import what `ldpcore` may.
"""

from __future__ import annotations

from ldpcore.experiments.verify.gallery import (
    LEVELS,
    Exhibit,
    FakeGallery,
    GalleryResult,
    GallerySize,
    at_small_parameters,
    shuffled,
    specimen,
)
from ldpcore.experiments.verify.matrix import MatrixMerging, MergedMatrix, merging_ladder
from ldpcore.experiments.verify.mechanism import (
    DRAWN_REPORTS,
    DRAWN_VALUES,
    SLACK,
    Densities,
    MechanismCheck,
    MechanismVerdict,
    bounded_densities,
    densities,
    largest_ratio,
    report_names,
    whole_channel,
)
from ldpcore.experiments.verify.trials import TRIALS, AuditPath, AuditResult

__all__ = [
    "DRAWN_REPORTS",
    "DRAWN_VALUES",
    "LEVELS",
    "SLACK",
    "TRIALS",
    "AuditPath",
    "AuditResult",
    "Densities",
    "Exhibit",
    "FakeGallery",
    "GalleryResult",
    "GallerySize",
    "MatrixMerging",
    "MechanismCheck",
    "MechanismVerdict",
    "MergedMatrix",
    "at_small_parameters",
    "bounded_densities",
    "densities",
    "largest_ratio",
    "merging_ladder",
    "report_names",
    "shuffled",
    "specimen",
    "whole_channel",
]
