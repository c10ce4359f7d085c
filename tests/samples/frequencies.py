"""Telling settings of the page about frequencies, and what its views are told there."""

from __future__ import annotations

from typing import Any

from explorer.pages.frequencies.settings import ALONE, Answering, Around, BroughtReports, Frequencies, Ruled
from ldpcore.estimating.adviser import member_at
from ldpcore.experiments.frequencies import ColumnFamily, TwoPointFamily, UniformFamily, ZipfFamily
from ldpcore.mechanisms import by_slug
from ldpcore.mechanisms.base import CategoryRandomizer
from ldpcore.mechanisms.rappor import Rappor
from ldpcore.people.populations import Population


def _built(slug: str, k: int) -> CategoryRandomizer:
    member: Any = by_slug(slug)
    built = member_at(member, 1.0, k)
    assert built is not None
    return built


def samples() -> tuple[Frequencies, ...]:
    """Settings that are telling, the default ones first."""
    wards = Answering(
        "column",
        ColumnFamily(Population.of_categories([14, 9, 8, 5, 4])),
        5,
        40,
        ("Cardiology", "<b>Surgery</b>", "$x$", "Neurology", "other"),
        "ward",
    )
    return (
        Frequencies(),
        Frequencies(wards, Rappor.usual(1.0, 5), repeats=2),
        Frequencies(Answering(k=100, n=10**6, family=ZipfFamily(1.2)), _built("oue", 100), ("grr", "oue", "olh")),
        Frequencies(Answering("two", TwoPointFamily(0.9), 2, 1), _built("blh", 2), repeats=1),
        Frequencies(Answering("uniform", UniformFamily(), 12, 10**9), _built("she", 12)),
        Frequencies(mechanism=Rappor.usual(1.0, 10, m=8, cohorts=1), repeats=1),
    )


WARDS = BroughtReports((620, 580, 390), 1000, ("Cardiology", "<b>Surgery</b>", "$x$"), Around(True, True), 250)
VARIED = {"decoding": lambda: ((Frequencies(Answering(k=4), Rappor.usual(1.0, 4, m=32, cohorts=8)), ALONE),)}
TOLD: dict[tuple[int, str], object] = {
    (2, "real"): WARDS,
    (3, "real"): WARDS,
    (2, "after"): Ruled("norm-sub", "split"),
    (5, "after"): Ruled("clip", "split"),
}
