"""The core's refusals as facts: the fields of a refusal become quantities, and the catalogue words them."""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any, Protocol

from explorer.facts import All, Day, Name, Names, Quantity, Said
from explorer.text.writing import Digits

_LONGEST = 60  # letters of a value that is neither a number nor a text


class RefusalLike(Protocol):
    """The core's refusal as a value: the key of its rule, and the fields that the rule names."""

    key: str
    fields: Mapping[str, Any]


def reason(problem: RefusalLike) -> Said:
    """The reason of a refusal, as a sentence of the catalogue."""
    return Said.of(f"refusals.{problem.key}", **{name: _quantity(value) for name, value in problem.fields.items()})


def _quantity(value: Any) -> Quantity:
    """A field as the quantity that it is."""
    match value:
        case Quantity():
            return value
        case bool() | str():
            return Name(str(value))
        case numbers.Integral():
            return Digits.of(int(value))
        case numbers.Real():
            return Digits.of(float(value))
        case Decimal():
            near = float(value)
            return Digits.of(near) if Decimal(repr(near)) == value else Digits(f"{value:f}")
        case date():
            return Day(value)
        case tuple() | list() | frozenset():
            if all(isinstance(item, str) for item in value):
                return Names(tuple(value), most=max(len(value), 1))
            return All(tuple(_quantity(item) for item in value))
        case _:
            return Name(str(value)[:_LONGEST])
