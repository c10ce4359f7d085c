"""The stops of a slider: round numbers, on a log scale or on an even one."""

from __future__ import annotations

import math
from functools import lru_cache

from ldpcore.parameters import Interval

_STOPS = (1, 1.5, 2, 3, 5, 7)
_WHOLE_STOPS = (1, 2, 5)
MOST_STEPS = 100  # on an even scale; what lies between is typed beside the slider


@lru_cache(512)
def log_grid(low: float, high: float, integer: bool = False) -> tuple[float, ...]:
    """The stops of a control on a log scale: round numbers from `low` to `high`, both ends included."""
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    round_ones = [float(f"{stop}e{decade}") for decade in decades for stop in (_WHOLE_STOPS if integer else _STOPS)]
    stops = sorted({low, high, *(stop for stop in round_ones if low < stop < high)})
    return tuple(int(stop) if integer else float(stop) for stop in stops)


@lru_cache(512)
def even_grid(low: float, high: float) -> tuple[float, ...]:
    """The stops of a control on an even scale: at most a hundred round steps apart, both ends included."""
    if low == high:  # as of the people among whom one is chosen, where there is but one
        return (float(low),)
    least = (high - low) / MOST_STEPS
    decade = math.floor(math.log10(least))
    step, digits = next(
        (factor * 10.0**power, max(-power, 0))
        for power in (decade, decade + 1)
        for factor in _WHOLE_STOPS
        if factor * 10.0**power >= least * (1 - 1e-9)
    )
    stops = (round(place * step, digits) for place in range(math.floor(low / step), math.ceil(high / step) + 1))
    return tuple(sorted({float(low), float(high), *(stop for stop in stops if low < stop < high)}))


def grid(declared: Interval, ends: tuple[float, float], typical: tuple[float, float] | None) -> tuple[float, ...]:
    """The stops of a slider on its declared scale."""
    if declared.scale != "log":
        return even_grid(*ends)
    low, high = typical or declared.typical
    return log_grid(max(low, ends[0]), min(high, ends[1]), declared.integer)
