"""Largest values of functions that rise and then fall, on grids that close in on them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ldpcore.numerics.arrays import Counts, Reals

LISTED = 257  # whole numbers that are all looked at; of more so many, and then of those around the best
CLOSER = 3  # finer grids, each between the neighbors of the best place of the last one
FINE = 41  # places of a finer grid


def highest_whole(heights: Callable[[Counts], Reals], low: int, high: int) -> float:
    """The largest height at any whole number between two ends: of few all are asked, else those around the largest."""
    best = -np.inf
    while True:
        some = np.unique(np.rint(np.linspace(low, high, min(LISTED, high - low + 1))).astype(np.int64))
        found = heights(some)
        top = int(np.argmax(found))
        best = max(best, float(found[top]))
        if len(some) == high - low + 1:
            return best
        low, high = int(some[max(top - 1, 0)]), int(some[min(top + 1, len(some) - 1)])


def highest(heights: Callable[[Reals], Reals], places: Reals) -> tuple[float, float]:
    """The largest height among rising places, then between the neighbors of the best one, and its place.

    Each of the finer grids is twenty times as fine. Whatever the function, the height is attained at the place.
    """
    best, place = -np.inf, np.nan
    for _ in range(CLOSER + 1):
        found = heights(places)
        top = int(np.argmax(found))
        if found[top] > best:
            best, place = float(found[top]), float(places[top])
        places = np.linspace(places[max(top - 1, 0)], places[min(top + 1, len(places) - 1)], FINE)
    return best, place
