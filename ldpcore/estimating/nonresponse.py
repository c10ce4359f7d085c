"""People who were asked and did not answer: the shares that stay possible whatever they would have said.

Nothing is supposed about them: all of them may hold the value, or none (Manski, 1989, Anatomy of the selection
problem, Journal of Human Resources 24). An interval for those who answered then bounds the share among all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from ldpcore.estimating.intervals import Bounds
from ldpcore.estimating.shares import share_at_least
from ldpcore.parameters import Interval

Silent = Annotated[int, Interval("s", 0, 10**9, (0, 1000), integer=True)]


def worst_case(
    interval: Callable[[float], Bounds], answered: int, silent: int, confidence: float, sampled: bool = False
) -> Bounds:
    """r·low to r·high + 1 - r, with r the share of those who answered, from an interval at a given confidence.

    In a census r is known. In a sample, half of the error is spent on a lower bound of r after Clopper and Pearson,
    half on the interval for those who answer; both ends only need that bound, for they move outward as r falls.
    """
    if not silent:
        return interval(confidence)
    error = (1 - confidence) / 2
    asked = answered + silent
    rate = float(share_at_least(answered, asked, error)) if sampled else answered / asked
    bounds = interval(1 - error if sampled else confidence).clamped()
    return Bounds(bounds.low * rate, 1 - rate * (1 - bounds.high), confidence)
