"""One design of every registered mechanism, and people for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import ldpcore
from ldpcore.library.designs import Design
from ldpcore.mechanisms import REGISTRY
from ldpcore.mechanisms.base import Mechanism
from ldpcore.parameters import declarations

COLORS = ["red", "green", "blue"]
DOMAINS: tuple[tuple[Any, list[Any]], ...] = (
    (ldpcore.Categories(COLORS), [*COLORS, "red"] * 50),
    (ldpcore.Categories(["no", "yes"]), ["no", "yes", "yes"] * 60),
    (ldpcore.Numbers(0, 100), [float(age) for age in range(0, 100, 2)]),
    (ldpcore.Vectors({"x": (0, 1), "y": (-5, 5), "z": (0, 2)}), [[0.1 * i, i - 5.0, 0.2 * i] for i in range(10)] * 8),
    (ldpcore.Pairs([(0, 24)], 10, cells=4), [[float(i), i - 9.0] for i in range(20)] * 5),
    (ldpcore.Answers(2), [10, 20, 30]),
    (ldpcore.Candidates(["north", "south", "east"]), [[1, 2, 3]] * 60),
)
SETTINGS: dict[str, dict[str, Any]] = {  # what has no usual value, and what is dear at its usual one
    "coins": {"yes_given_yes": 0.75, "yes_given_no": 0.25},
    "abm": {"function": "square"},
    "rappor": {"m": 32, "cohorts": 4},
}


def design_of(member: type[Mechanism], level: float = 1.0) -> tuple[Design, list[Any]]:
    """A design of the mechanism at this level, and values for it."""
    domain, values = next((domain, values) for domain, values in DOMAINS if domain.serves(member))
    given = level if "epsilon" in declarations(member) else None
    return ldpcore.build(member.slug, given, domain, **SETTINGS.get(member.slug, {})), values


def designs() -> Iterator[tuple[Design, list[Any]]]:
    """A design of every member of the registry."""
    for member in REGISTRY:
        yield design_of(member)
