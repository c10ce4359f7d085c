"""Roots of continuous functions, by Brent's method: the one that SciPy has, without the rest of its package."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable

STEPS = 100  # within which every function of this library is solved
ROUNDING = 4 * sys.float_info.epsilon


def brent_root(
    function: Callable[[float], float],
    low: float,
    high: float,
    xtol: float = 2e-12,
    rtol: float = ROUNDING,
    must_settle: bool = True,
) -> float:
    """The root of a function between two ends where it has different signs, within `xtol` + `rtol` of its size.

    Inverse quadratic interpolation, the secant where only two places are known, and bisection wherever either would
    leave the bracket or does not halve the last step but one (Brent 1973, *Algorithms for Minimization without
    Derivatives*, chapter 4). Step by step what `scipy.optimize.brentq` does, so that both give the same double; that
    package is an eighth of a second to load, this is needed for a first picture. Where the function has not settled
    after a hundred steps, it is an error, or the last place is the answer (`must_settle`).
    """
    before, here = float(low), float(high)
    value_before, value = _at(function, before), _at(function, here)
    if value_before == 0:
        return before
    if value == 0:
        return here
    if math.copysign(1.0, value_before) == math.copysign(1.0, value):
        raise ValueError(f"the function must have different signs at {low} and {high}")
    across, value_across, last, step = 0.0, 0.0, 0.0, 0.0
    for _ in range(STEPS):
        if value_before != 0 and value != 0 and math.copysign(1.0, value_before) != math.copysign(1.0, value):
            across, value_across, last, step = before, value_before, here - before, here - before
        if abs(value_across) < abs(value):
            before, here, across = here, across, here
            value_before, value, value_across = value, value_across, value
        near, half = (xtol + rtol * abs(here)) / 2, (across - here) / 2
        if value == 0 or abs(half) < near:
            return here
        tried = math.inf
        if abs(last) > near and abs(value) < abs(value_before):
            tried = _interpolated((before, here, across), (value_before, value, value_across))
        last, step = (step, tried) if 2 * abs(tried) < min(abs(last), 3 * abs(half) - near) else (half, half)
        before, value_before = here, value
        here += step if abs(step) > near else math.copysign(near, half)
        value = _at(function, here)
    if must_settle:
        raise RuntimeError(f"the root must be found within {STEPS} steps; got to {here}")
    return here


def _at(function: Callable[[float], float], place: float) -> float:
    """The value at a place, which must be a number."""
    value = float(function(place))
    if math.isnan(value):
        raise ValueError(f"the function must have a value at {place}; got nan")
    return value


def _interpolated(places: tuple[float, float, float], values: tuple[float, float, float]) -> float:
    """The step to the root of the parabola through three places, or of the line through two; infinity for none."""
    (before, here, across), (value_before, value, value_across) = places, values
    if before == across:
        return -value * (here - before) / (value - value_before)
    slope_before = (value_before - value) / (before - here)
    slope_across = (value_across - value) / (across - here)
    below = slope_across * slope_before * (value_across - value_before)
    above = -value * (value_across * slope_across - value_before * slope_before)
    return above / below if below else math.inf
