"""Largest values of functions that rise and then fall, on grids that close in on them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ldpcore.numerics.arrays import Counts, Reals

LISTED = 257  # whole numbers that are all looked at; of more so many, and then of those around the best


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
