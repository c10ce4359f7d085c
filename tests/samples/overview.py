"""Telling settings of the overview, and what its views are told there."""

from __future__ import annotations

from explorer.pages.overview.settings import Overview


def samples() -> tuple[Overview, ...]:
    """Some telling settings, the default ones first: a full bar, an empty one, and what lies between."""
    numbers = (Overview(report=report) for report in (0.7, 0.5, -2.5))
    return Overview(), Overview("coin"), *numbers, Overview("coin", said="no")


TOLD: dict[tuple[int, str], object] = {}
