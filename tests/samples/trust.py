"""Telling settings of the page about trust, and what its views are told there."""

from __future__ import annotations

from explorer.rooms.trust.settings import Trust
from explorer.settings.numbers import Source
from ldpcore.tables.table import built_in


def samples() -> tuple[Trust, ...]:
    """Telling settings, the default ones first: a crowd, few patients, a billion, all alike."""
    clinic = built_in("clinic")
    return (
        Trust(),
        Trust(Source.of_column(clinic, "age", 0, 120), 1e-3, seed=4),
        Trust(Source.of_shape("skewed", 10**9), 1e-9),
        Trust(Source.of_shape("constant", 20), 0.01, 0.8),
    )


TOLD: dict[tuple[int, str], object] = {}
