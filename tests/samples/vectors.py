"""Telling settings of the page about vectors, and what its views are told there."""

from __future__ import annotations

from explorer.pages.vectors.settings import VectorsSettings, usual_columns
from ldpcore.tables.table import built_in


def samples() -> tuple[VectorsSettings, ...]:
    """Telling settings, the default ones first: an odd number of questions, one alone, a hundred, many people."""
    return (
        VectorsSettings(),
        VectorsSettings(7, 10**6, "tuned", 0.9, 3),
        VectorsSettings(1, 5000, "hypercube"),
        VectorsSettings(100, 10**9, "ball"),
        VectorsSettings(2, 10_000, "split"),
    )


TOLD: dict[tuple[int, str], object] = {
    (1, "mine"): usual_columns(built_in("clinic")),
    (1, "leak"): (3, "lower", "opposite"),
    (2, "leak"): (3, "printed", "one"),
    (3, "leak"): (2, "printed", "middle"),
    (4, "leak"): (2, "split", "middle"),
}
