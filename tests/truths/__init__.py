"""What is true on screen, recomputed: for each result that marks a `Truth`, its values by another route.

A function says by the class of a result what its true facts are, from the people themselves: their numbers one by one,
the rows of their table, the laws of two worlds, the history of a run. `told` are the facts that the same result says
openly, such as an estimate, for what is the distance of a truth from what was released. A result of a new class, or a
new truth of an old one, is red in `tests/test_truths.py` until its people are asked here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from explorer.facts import Facts, Names, Noticeable, Quantity, QuantityRange, Said, Term, Times


@dataclass(frozen=True)
class Context:
    """What is known besides a result: what the page and the view have asked the reader, and the names of the data."""

    asked: Any
    own: Any = None
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Near:
    """A number that another route finds only as nearly as this."""

    value: float
    within: float


Expected = Mapping[str, Any]  # by the name of a fact: a number, both ends of an interval, a word, a list, a quantity
Recomputed = Callable[[Any, Facts, Context], Expected]  # (result, what it tells openly, what is known besides)
RECOMPUTED: dict[type, Recomputed] = {}


def of(kind: type) -> Callable[[Recomputed], Recomputed]:
    """Declare how the truths of a class of results are recomputed."""

    def declared(function: Recomputed) -> Recomputed:
        assert kind not in RECOMPUTED, kind
        RECOMPUTED[kind] = function
        return function

    return declared


def agrees(fact: Quantity, expected: Any) -> bool:
    """Whether a fact is what was recomputed, to nine digits, or as far as the fact itself was rounded."""
    if isinstance(expected, Quantity):
        return fact == expected
    if isinstance(fact, QuantityRange) and isinstance(expected, Near):
        low, high = (getattr(end, "value", math.nan) for end in (fact.low, fact.high))
        return bool(low - expected.within <= expected.value <= high + expected.within)
    if isinstance(fact, QuantityRange):
        return isinstance(expected, tuple) and agrees(fact.low, expected[0]) and agrees(fact.high, expected[1])
    if isinstance(fact, Term):
        return bool(fact.key.rpartition(".")[2] == expected)
    if isinstance(fact, Names):
        return len(fact.names) == len(expected) and all(map(_named, fact.names, expected))
    if isinstance(fact, Said):
        return _named(fact, expected)
    if isinstance(expected, Near):
        told = fact.level if isinstance(fact, Times) else getattr(fact, "value", math.nan)
        return abs(told - expected.value) <= expected.within
    value = fact.level if isinstance(fact, Times) else getattr(fact, "value", math.nan)
    if isinstance(expected, str) or isinstance(value, str):
        return bool(getattr(fact, "text", value) == expected)
    if not math.isfinite(value) or not math.isfinite(expected):
        return value == expected or (math.isnan(value) and math.isnan(expected))
    least = fact.least * 1e-3 if isinstance(fact, Noticeable) else 1e-12
    return math.isclose(value, expected, rel_tol=1e-9, abs_tol=least) or abs(value - expected) <= _rounding(fact, value)


def _named(name: Any, expected: Any) -> bool:
    """Whether a name in a list is the one expected: a text, or a said thing as (word, {fact: value})."""
    if isinstance(name, Said):
        word, facts = expected
        known = {key: getattr(each, "value", getattr(each, "text", None)) for key, each in name.facts}
        return name.key.rpartition(".")[2] == word and all(known[key] == value for key, value in facts.items())
    return name == expected or (isinstance(name, Quantity) and agrees(name, expected))


def _rounding(fact: Quantity, value: float) -> float:
    """Half of the last digit of a fact whose value was rounded before it was told; nothing of any other."""
    digits = getattr(fact, "digits", 0)
    if not digits or not value or float(f"{value:.{digits - 1}e}") != value:
        return 0.0
    return 0.500001 * 10.0 ** (math.floor(math.log10(abs(value))) + 1 - digits)
