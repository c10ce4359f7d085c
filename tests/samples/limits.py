"""Telling settings of the page about limits, and what its views are told there."""

from __future__ import annotations

from explorer.pages.limits.settings import USUAL, Limits, WorldsChoice
from ldpcore.experiments.limits.exponents import LISTED
from ldpcore.limits.problems import BoundedMoment, EventShare, HeavyMean, ProductMoment, SmoothDensity, UniformEndpoint


def samples() -> tuple[Limits, ...]:
    """Telling settings, the default ones first: each problem, other losses, few people and a billion."""
    return (
        Limits(),
        Limits(BoundedMoment(), 10_000, "absolute", 3),
        Limits(HeavyMean(4.0, 9.0), 1000, "huber"),
        Limits(UniformEndpoint(10.0), 10**9),
        Limits(SmoothDensity(2.0, 1), 10**6, "root"),
        Limits(SmoothDensity(), 10),
        Limits(EventShare(), 50_000),
        Limits(ProductMoment(), 10**7),
    )


def _listed() -> tuple[tuple[Limits, str], ...]:
    """The problems that stand in the table of exponents anyway."""
    return tuple((Limits(problem), "exponents") for problem in LISTED)


VARIED = {"exponents": _listed, "exponents constants": lambda: ((Limits(BoundedMoment()), "constants"),)}
TOLD: dict[tuple[int, str], object] = {
    (2, "worlds"): WorldsChoice(1, 0.95),
    (3, "worlds"): WorldsChoice(10_000, 0.05),
    (1, "worlds"): WorldsChoice(drawn=((3.0, 2.0, 1.0, 1.0), (1.0, 1.0, 2.0, 3.0))),
    **{(place, "people"): ("level", 0.5) for place in (2, 5, 7)},
    **{(place, "people"): ("falling", USUAL[1]) for place in (1, 4)},
    **{(place, "exponents"): "constants" for place in (1, 3, 5)},
}
