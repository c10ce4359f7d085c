"""Telling settings of the page about means, and what its views are told there."""

from __future__ import annotations

from explorer.pages.means.settings import Means, Reported
from explorer.settings.numbers import PeopleSource
from ldpcore.tables.table import built_in


def samples() -> tuple[Means, ...]:
    """Telling settings, the default ones first: bounds that clip, few people, many, all alike, every mechanism."""
    clinic, people = built_in("clinic"), built_in("people")
    return (
        Means(),
        Means(PeopleSource.of_shape("skewed", 10**5), "pm", seed=3, sampled=True),
        Means(PeopleSource.of_column(clinic, "age", 0, 120), "geometric", (("steps", 120),), 0.8),
        Means(PeopleSource.of_shape("two-point", 500), "onebit"),
        Means(PeopleSource.of_column(people, "year of birth", 1900, 1960), "hm"),
        Means(PeopleSource.of_shape("constant", 10_000), "gaussian", (("delta", 1e-5), ("calibration", "classical"))),
    )


# Reports that say more than there is, so that the mean of few lies beyond the bounds; and of one person.
TOLD: dict[tuple[int, str], object] = {(1, "real"): Reported(30, 13.5), (3, "real"): Reported(1)}
