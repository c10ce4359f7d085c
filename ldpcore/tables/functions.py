"""Functions of one number whose sensitivity is found by trying: x, x + x and 5x, as an introduction shows them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from types import MappingProxyType

FUNCTIONS: Mapping[str, Callable[[float], float]] = MappingProxyType(
    {"once": lambda x: x, "twice": lambda x: x + x, "five": lambda x: 5 * x}
)


def most_moved(function: Callable[[float], float], low: float, high: float) -> float:
    """How far the function moves at most where another value takes the place of one: max |f(x) - f(y)|.

    All pairs among the ends and seven points between are tried: exact for functions that rise all the way. Over an
    unbounded x there is no maximum: a slope is no sensitivity.
    """
    values = [function(low + (high - low) * step / 8) for step in range(9)]
    return max(abs(one - other) for one, other in product(values, repeat=2))
