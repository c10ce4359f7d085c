"""The numbers in a page's sentences, by name: printed by the Python code that a reader takes along from a page.

print(headline(facts, results, "answer", "error"))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from explorer.facts import Facts, Quantity, QuantityRange, plain
from explorer.text.writing import neutral


def written(quantity: Quantity) -> str | None:
    """A number as the page says it, in the digits 0 to 9 and with a decimal point; None of anything else."""
    if isinstance(quantity, QuantityRange):
        low, high = written(quantity.low), written(quantity.high)
        return None if low is None or high is None else f"{low} – {high}"
    return neutral(quantity)


def headline(facts: Callable[[Any], Facts], results: Iterable[Any], *names: str) -> str:
    """A line for each name: what `facts`, the page's own function, finds of it in the results."""
    known: dict[str, Quantity] = {}
    for result in results:
        known |= plain(facts(result))
    numbers = {name: written(known[name]) for name in names if name in known}
    return "\n".join(f"{name}: {number}" for name, number in numbers.items() if number is not None)
