"""Quantities that are a number and a sign: their neutral form, before a language puts it into its own digits."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from explorer import facts
from explorer.text import numerals
from explorer.text.numerals import NARROW


@dataclass(frozen=True)
class Digits(facts.Quantity):
    """A number that is already written in its neutral form."""

    text: str

    @classmethod
    def of(cls, value: float) -> Digits:
        """Every digit of a number."""
        return cls(numerals.exact(value))


def _share(fact: facts.Share) -> str:
    if fact.spread is None:
        return f"{numerals.percentage(fact.value, fact.digits)}{NARROW}%"
    digits = numerals.percentage_within(fact.value, fact.spread)
    return f"{digits}{NARROW}%" if math.isfinite(fact.value) else digits


def _noticeable(fact: facts.Noticeable) -> str | None:
    seen = fact.value == 0 or not abs(fact.value) < fact.least
    return numerals.number(fact.value, fact.digits) if seen else None


def _times(fact: facts.Times | facts.Odds) -> str:
    """e^level; where its digits would call it 1, the first that tells it from 1, down to a millionth."""
    beyond = math.expm1(fact.level) if fact.level < 700 else math.inf
    told = 1 - math.floor(math.log10(beyond)) if 1e-7 < beyond < 0.005 else 0
    return numerals.significant(1 + beyond, max(fact.digits, min(told, 7)))


_FORMS: dict[type, Callable[[Any], str | None]] = {
    facts.Count: lambda fact: numerals.number(fact.value),
    facts.Number: lambda fact: numerals.number(fact.value, fact.digits),
    facts.Exact: lambda fact: numerals.exact(fact.value),
    facts.Level: lambda fact: numerals.exact(fact.value),
    facts.Share: _share,
    facts.Noticeable: _noticeable,
    facts.Scientific: lambda fact: numerals.scientific(fact.value, fact.digits),
    facts.Odds: lambda fact: f"{_times(fact)}{NARROW}:{NARROW}1",
    facts.Times: _times,
    Digits: lambda fact: fact.text,
}


def neutral(fact: facts.Quantity) -> str | None:
    """The neutral form of a number; None where words are needed."""
    form = _FORMS.get(type(fact))
    return None if form is None else form(fact)
