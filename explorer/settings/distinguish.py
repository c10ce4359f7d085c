"""What the reader has set on the page about two worlds, and what each of its views asks then."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from ldpcore.experiments import distinguish
from ldpcore.experiments.distinguish import MOST, Worlds
from ldpcore.parameters import ParameterError

KINDS = ("people", "coins", "bells", "bars")
MANY = 64  # reports: more are not drawn one by one
_BARS = re.compile(r"[\s;]+")


def bars(text: str) -> tuple[float, ...]:
    """Up to twelve numbers with blanks or semicolons between, with a decimal point or a decimal comma."""
    parts = [part for part in _BARS.split(text[:400].strip()) if part]
    try:
        heights = tuple(float(part.replace(",", ".")) for part in parts)
    except ValueError:
        raise ParameterError("weights", least=2, most=MOST, got=len(parts)) from None
    distinguish.law(heights)
    return heights


@dataclass(frozen=True)
class Distinguish:
    """Two worlds, and the mechanism that stands between them and the collector; its level is the handle's."""

    worlds: Worlds = field(default_factory=lambda: Worlds.people(2))
    kind: str = "people"
    slug: str = "grr"

    def errors(self, level: float, size: float = 0.05) -> distinguish.TellApart:
        """Both errors of every test."""
        return distinguish.TellApart(self.slug, level, self.worlds, size)

    def before(self, level: float) -> distinguish.BeforeAfter:
        """Distances before and after."""
        return distinguish.BeforeAfter(self.slug, level, self.worlds)

    def many(self, level: float, n: int = 100) -> distinguish.ManyPeople:
        """Many people."""
        return distinguish.ManyPeople(self.slug, level, self.worlds, n)

    def best(self, level: float) -> distinguish.Minimax:
        """The best test between two families."""
        return distinguish.Minimax(self.slug, level, self.worlds)

    def guess(self, level: float, n: int = 100) -> distinguish.Guessing:
        """Guessing one of several worlds."""
        return distinguish.Guessing(self.slug, level, self.worlds, n)

    def information(self, level: float) -> distinguish.Information:
        """What a report tells."""
        return distinguish.Information(self.slug, level, self.worlds)

    @property
    def quick(self) -> bool:
        """Whether all stops are computed in the blink of an eye: two answers need no sums."""
        return bool(self.worlds.k == 2 and self.slug == "grr")

    @property
    def small(self) -> bool:
        """Whether the reports of the mechanism are few."""
        return int(2**self.worlds.k) <= 256


def samples() -> tuple[Distinguish, ...]:
    """Telling settings, the default ones first: two people, bells, bars with an answer that one world excludes."""
    return (
        Distinguish(),
        Distinguish(Worlds.coins(0.3, 0.6), "coins", "oue"),
        Distinguish(Worlds.people(4), "people", "subset"),
        Distinguish(Worlds.bells(1.0, 8), "bells", "subset"),
        Distinguish(Worlds.weights((3, 1, 1, 0), (1, 1, 3, 1)), "bars", "hadamard"),
        Distinguish(Worlds.coins(0.5, 0.5), "coins", "grr"),
    )


def own(view: str, settings: Distinguish) -> Any:
    """What a view asks the reader at first."""
    return {"errors": 0.05, "many": 100, "guess": 100}.get(view)
