"""A plan's recommendation as quantities: the level as it is taken, and the settings that a button names."""

from __future__ import annotations

import math

from explorer.facts import All, Count, Facts, Level, Name, Number, Quantity, Said, Term
from explorer.facts.naming import short_of
from ldpcore.experiments.recommending import sayable
from ldpcore.questions import Recommendation, SettingValue


def planned(level: float | None) -> Quantity:
    """The level that a plan takes, as its button sets it; the bare number where there is none to be taken."""
    said = sayable(level)
    return Number(math.nan if level is None else level) if said is None else Level(said)


def facts_of(recommended: Recommendation, symbol: str) -> Facts:
    """The settings of a recommendation in the order of a sentence; `symbol` is the page's name of its level."""
    parts = (_part(name, value, symbol) for name, value in recommended.settings)
    return {"parts": All(tuple(parts))}


def _part(name: str, value: SettingValue, symbol: str) -> Quantity:
    """One setting."""
    return Said.of(f"take.{name}", value=_value(name, value), symbol=Name(symbol))


def _value(name: str, value: SettingValue) -> Quantity:
    if name == "epsilon":
        return Level(float(value))
    if isinstance(value, str):
        return short_of(value) if name == "mechanism" else Term(f"{name}_options.{value}")
    return Count(value)
