"""Texts of a link that cannot be used as the value of a control, and the reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from explorer.facts import Exact, Names, Quantity
from explorer.text.numerals import read
from ldpcore.parameters import Interval


class UnusableError(ValueError):
    """A text that cannot be used as a value: the key of the sentence that says so, a page's or the project's own."""

    def __init__(self, key: str, page: str | None = None, **facts: Quantity) -> None:
        super().__init__(key)
        self.key, self.page, self.facts = key, page, facts


def reader(declared: Interval, low: float, high: float) -> Callable[[str], Any]:
    """A reader of a number from a link, as people or programs write it, which holds it to its rule."""

    def number(text: str) -> Any:
        kind = "whole" if declared.integer else "number"
        refusal = UnusableError(f"unusable.{kind}", low=Exact(low), high=Exact(high))
        try:
            value = read(text.strip().replace("_", "?"))  # Python alone reads 1_0 as 10
        except ValueError:
            raise refusal from None
        if not declared.admits(value) or not low <= value <= high:
            raise refusal
        return int(value) if declared.integer else float(value)

    return number


def none_of(options: Iterable[str]) -> UnusableError:
    """The error of a link that must name one of a few options, and does not."""
    names = tuple(options)
    return UnusableError("unusable.option", options=Names(names, len(names)))
