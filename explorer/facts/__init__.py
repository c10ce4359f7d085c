"""Quantities: the findings of a result, as numbers with their unit until the last moment; the catalogue writes them.

`facts(result)` of a page's module names them; a page's texts ask for them by name. A finding to be hidden while people
predict is marked once, as a `Truth`, and one rule masks it everywhere. May import the standard library and `ldpcore`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import Any

MOST_DIGITS, DECIMALS = 12, 6  # of a number that is told as far as it is certain


@dataclass(frozen=True)
class Quantity:
    """A quantity that a text can name."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if type(value).__module__ == "numpy":  # a scalar of an array: the plain number that it stands for
                object.__setattr__(self, field.name, value.item())


@dataclass(frozen=True)
class Count(Quantity):
    """A number of whole things: `2 584`; giants as powers of ten; expected ones to three digits."""

    value: float


@dataclass(frozen=True)
class Number(Quantity):
    """A number to a few significant digits; whole numbers in full."""

    value: float
    digits: int = 3


def precise(value: float, least: int = 5) -> Number:
    """An answer itself: all digits before the decimal mark, and at least `least` in all, as 47 005 or 29.699."""
    whole = math.floor(math.log10(abs(value))) + 1 if value and math.isfinite(value) else 1
    return Number(value, max(least, whole))


def near(value: float, spread: float) -> Number:
    """A number to the second digit of its uncertainty, and to six decimals at most."""
    if not value or not 0 < spread < math.inf:
        return Number(value, 4)
    whole = math.floor(math.log10(abs(value))) + 1
    digits = whole - math.floor(math.log10(spread)) + 1
    rounded = min(max(digits, 1), max(whole + DECIMALS, 3), MOST_DIGITS)
    return Number(float(f"{value:.{rounded - 1}e}"), rounded)


@dataclass(frozen=True)
class Exact(Quantity):
    """A number with every digit that matters, as it was set: `0.015`."""

    value: float


@dataclass(frozen=True)
class Level(Exact):
    """A privacy level, ε or α."""


def reached(level: float) -> Quantity:
    """A level as it was set; a computed one to four digits."""
    return Level(level) if float(f"{level:.6g}") == level else Number(level, 4)


@dataclass(frozen=True)
class Share(Quantity):
    """A part of a whole, 0.011 for `1.1 %`; with a spread, to the second digit of that uncertainty."""

    value: float
    digits: int = 2
    spread: float | None = None


def written_alike(one: float, other: float, digits: int = 3) -> bool:
    """Whether two numbers are written alike, to so many digits."""
    return f"{one:.{digits - 1}e}" == f"{other:.{digits - 1}e}"


def likeness(one: float, other: float, digits: int = 3) -> Term:
    """The case of two numbers in a sentence: written alike, or apart."""
    return Term(f"cases.{'alike' if written_alike(one, other, digits) else 'apart'}")


def is_all(share: float) -> bool:
    """Whether a share cannot be told from all: it has more than eleven nines."""
    return 1 - share <= 1e-11


def at_most(share: float, digits: int = 3) -> Share:
    """An upper bound on a share: near all it is rounded up, so that nothing lies above it."""
    nearest = below_all(share, digits)
    if is_all(share) or nearest.digits == digits:
        return nearest
    return Share(math.ceil(share * 10**nearest.digits - 1e-6) / 10**nearest.digits, nearest.digits)


def below_all(share: float, digits: int = 3) -> Share:
    """A share with the digits that keep it below all, or all."""
    return Share(1.0) if is_all(share) else Share(share, max(digits, 1 - math.floor(math.log10(1 - share))))


@dataclass(frozen=True)
class PercentagePoints(Quantity):
    """A difference of shares, 0.011 for `1.1 percentage points`."""

    value: float
    digits: int = 2


@dataclass(frozen=True)
class Noticeable(Quantity):
    """A number that may be too small to matter: `0.012`, or `less than 10⁻⁶`."""

    value: float
    least: float = 1e-6
    digits: int = 3


@dataclass(frozen=True)
class Scientific(Quantity):
    """A number as a power of ten: `4.3 × 10⁹`."""

    value: float
    digits: int = 2


@dataclass(frozen=True)
class Odds(Quantity):
    """The odds of a bet at a level: even odds become at most e^level to one, `1.11 : 1`."""

    level: float
    digits: int = 3


@dataclass(frozen=True)
class Times(Quantity):
    """e^level, the largest likelihood ratio that a level allows: `1.11`."""

    level: float
    digits: int = 3


@dataclass(frozen=True)
class Duration(Quantity):
    """A time in seconds, told in the unit that suits it: `0.3 seconds`, `2 minutes`."""

    seconds: float


@dataclass(frozen=True)
class Day(Quantity):
    """A day as the language writes one: `29 Feb 2024`."""

    value: date


@dataclass(frozen=True)
class QuantityRange(Quantity):
    """A range from one quantity to another of its kind: `6 to 20`, `6 % to 20 %`; one where both are written alike."""

    low: Quantity
    high: Quantity


@dataclass(frozen=True)
class Name(Quantity):
    """Data: a column, a label, somebody's answer. Never translated, escaped where it lands."""

    text: str


@dataclass(frozen=True)
class Names(Quantity):
    """Several names as a list in the language's way: `a, b and c`, a limited number and then `and 3 more`.

    A name is a text, or a quantity that the catalogue writes.
    """

    names: tuple[str | Quantity, ...]
    most: int = 5

    def __post_init__(self) -> None:
        names = tuple(name if isinstance(name, (Quantity, str)) else str(name) for name in self.names)
        object.__setattr__(self, "names", names)


@dataclass(frozen=True)
class Term(Quantity):
    """A word of the catalogue by its key, `neighbors.add-remove`; its last part selects a case of a sentence."""

    key: str


@dataclass(frozen=True)
class Said(Quantity):
    """A short text of the catalogue, by its key, with facts of its own: a condition, a question, a reason."""

    key: str
    facts: tuple[tuple[str, Quantity], ...] = ()

    @classmethod
    def of(cls, key: str, **facts: Quantity) -> Said:
        """The text of a key with these facts."""
        return cls(key, tuple(facts.items()))


@dataclass(frozen=True)
class All(Quantity):
    """Several quantities, as a list in the language's way."""

    parts: tuple[Quantity, ...]


@dataclass(frozen=True)
class Hidden(Quantity):
    """The placeholder of a truth while people predict."""


@dataclass(frozen=True)
class Truth(Quantity):
    """A truth, which is hidden while people predict."""

    quantity: Quantity


Facts = Mapping[str, Quantity]


def _holds_truth(quantity: Any) -> bool:
    """Whether a quantity is a truth or holds one, as the end of an interval."""
    if not isinstance(quantity, Quantity):
        return False
    return isinstance(quantity, Truth) or any(_holds_truth(getattr(quantity, part.name)) for part in fields(quantity))


def _open(quantity: Any) -> Any:
    """The quantity with every truth taken out of its wrapping."""
    if isinstance(quantity, Truth):
        return _open(quantity.quantity)
    if isinstance(quantity, QuantityRange):
        return replace(quantity, low=_open(quantity.low), high=_open(quantity.high))
    return quantity


def masked(facts: Facts) -> Facts:
    """The facts as they may be told while people predict: a quantity that holds a truth is hidden, whole."""
    hidden = Hidden()
    return {name: hidden if _holds_truth(quantity) else quantity for name, quantity in facts.items()}


def plain(facts: Facts) -> Facts:
    """The facts as they are told when nothing is hidden."""
    return {name: _open(quantity) for name, quantity in facts.items()}
