"""Plans solve backwards: the smallest level at which a worst variance is allowed."""

from __future__ import annotations

import math
from collections.abc import Callable

import scipy

from ldpcore.mechanisms.hybrid import THRESHOLD
from ldpcore.parameters import Epsilon, Interval, declaration


def ends_of_levels() -> tuple[float, float]:
    """Between which levels a plan looks."""
    declared = declaration(Epsilon)
    assert isinstance(declared, Interval)
    low, high = declared.extreme
    return low, high


def smallest_level(worst: Callable[[float], float], allowed: float) -> float | None:
    """The smallest level with worst(level) ≤ allowed; none up to 50 where it never is.

    The worst case falls as the level grows, but where the hybrid mechanism begins it may jump up, as it does for one of
    several questions: each side of that is searched by itself, the lower one first.
    """
    low, high = ends_of_levels()

    def over(log_level: float) -> float:
        return math.log(worst(math.exp(log_level))) - math.log(allowed)

    for start, end in ((low, THRESHOLD * (1 - 1e-12)), (THRESHOLD * (1 + 1e-12), high)):
        ends = math.log(start), math.log(end)
        if over(ends[0]) <= 0:
            return start
        if over(ends[1]) <= 0:
            return math.exp(float(scipy.optimize.brentq(over, *ends, xtol=1e-12)))
    return None
