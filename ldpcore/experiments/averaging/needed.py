"""The least number of releases whose average lies within a width of the answer with a confidence."""

from __future__ import annotations

import math
from collections.abc import Callable

from ldpcore.mechanisms.additivenoise import AdditiveNoise
from ldpcore.numerics.bisection import least_whole

SURE = 1e-9  # relative difference of two numbers of releases below which chances are no longer told apart


def least_releases(noise: AdditiveNoise, width: float, confidence: float, most: int) -> int | None:
    """The first number of releases that is enough, of those that a whole width allows; none up to `most`.

    Where the noise is log-concave an average only gets more peaked (Proschan, 1965). An average of whole numbers lies
    on a grid: of all numbers of releases whose grid has as many places within the width the first is the best, and
    only those are looked at.
    """
    steps = 1 if not noise.whole else width

    def releases(place: int) -> int:
        return place if not noise.whole else max(math.ceil(place / steps * (1 - 1e-15)), 1)

    def reached(place: int) -> bool:
        return noise.average_within(width, releases(place)) >= confidence

    if reached(0 if noise.whole else 1):  # one whole number may do where an average of several is off by a step
        return 1
    low, high = 0, 1
    while not reached(high):
        if releases(high) >= most:
            return None
        low, high = high, 2 * high
    times = releases(least_whole(reached, low, high))
    if not noise.peaked:
        times = _first(lambda many, room: noise.average_within(room * width, many) >= confidence, times)
    return times if times <= most else None


def _first(reached: Callable[[int, float], bool], enough: int) -> int:
    """The first number of releases that is enough, where more of them may be worse and `enough` is one that is.

    A sum of symmetric noises with one peak only spreads as it grows (Wintner 1938, Anderson 1955). So where a sum of n
    lies within r n w too rarely, none of the sums of n to r n noises lies within its own width often enough.
    """
    times = 1
    while times < enough:
        if reached(times, 1.0):
            return times
        room = math.sqrt(enough / times)
        while times * room >= times + 1 and reached(times, room):
            room = math.sqrt(room)
        if enough < times * (1 + SURE):
            return enough
        times = min(max(math.floor(times * room), times) + 1, enough)
    return enough
