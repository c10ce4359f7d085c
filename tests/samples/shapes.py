"""Telling settings of the page about shapes, and what its views are told there."""

from __future__ import annotations

from explorer.pages.shapes.settings import Shapes
from explorer.settings.numbers import PeopleSource, usual_source
from ldpcore.tables.table import built_in


def samples() -> tuple[Shapes, ...]:
    """Telling settings, the default ones first: invented crowds of every shape and size, few bins, a raw climb."""
    return (
        Shapes(),
        Shapes(usual_source()),
        Shapes(PeopleSource.of_shape("bell", 10**6), seed=2),
        Shapes(PeopleSource.of_shape("two-point", 500), 16, "plain", 3),
        Shapes(PeopleSource.of_column(built_in("clinic"), "age", 0, 120), 40),
        Shapes(PeopleSource.of_shape("constant", 10_000), 32),
    )


TOLD: dict[tuple[int, str], object] = {(place, "report"): (0.7, 0.3) for place in range(len(samples()))}
