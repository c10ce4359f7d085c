"""Telling settings of the page about telling worlds apart, and what its views are told there."""

from __future__ import annotations

from explorer.pages.distinguish.settings import GAME, LEFT, Distinguish, grouped
from ldpcore.experiments.distinguish import WorldPair
from ldpcore.tables.table import built_in


def _incomes() -> WorldPair:
    """Incomes of those with and without long schooling."""
    groups = grouped(built_in("income"), "income", "schooling", "16")
    assert groups is not None
    return groups.worlds


def samples() -> tuple[Distinguish, ...]:
    """Telling settings, the default ones first: two people, bells, bars with an answer that one world excludes."""
    return (
        Distinguish(),
        Distinguish(WorldPair.coins(0.3, 0.6), "coins", "oue"),
        Distinguish(WorldPair.people(4), "people", "subset"),
        Distinguish(WorldPair.bells(1.0, 8), "bells", "subset"),
        Distinguish(WorldPair.weights((3, 1, 1, 0), (1, 1, 3, 1)), "bars", "hadamard"),
        Distinguish(WorldPair.coins(0.5, 0.5), "coins", "grr"),
        Distinguish(_incomes(), "groups", "oue"),
    )


TOLD: dict[tuple[int, str], object] = {
    (3, "errors"): (0.05, 0.01),
    (4, "errors"): (0.0, 0.0),
    (1, "before"): ("many", *LEFT[1:]),
    (2, "before"): ("information", *LEFT[1:]),
    (3, "before"): ("sides", *LEFT[1:]),
    (4, "before"): ("sides", *LEFT[1:]),
    (3, "guess"): (*GAME[:2], "any"),
    (4, "guess"): (*GAME[:2], "first"),
}
