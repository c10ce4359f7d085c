"""Bisection: the least number that fits, where every larger one fits too."""

from __future__ import annotations

from collections.abc import Callable

HALVINGS = 2200  # of an interval: more than any two doubles have between them


def least(fits: Callable[[float], bool], low: float, high: float, halvings: int = HALVINGS) -> float:
    """The least number above `low` that fits: the double itself, or after fewer halvings one that lies above it.

    `high` is known to fit and `low` is not asked; whatever is returned has been found to fit, or is `high`.
    """
    for _ in range(halvings):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (low, middle) if fits(middle) else (middle, high)
    return high


def least_whole(fits: Callable[[int], bool], low: int, high: int, part: int | None = None) -> int:
    """The least whole number above `low` that fits; with `part`, one that is larger by at most that part of it.

    `high` is known to fit and `low` is not asked.
    """
    while high - low > (1 if part is None else max(high // part, 1)):
        middle = (low + high) // 2
        low, high = (low, middle) if fits(middle) else (middle, high)
    return high


def least_up_to(fits: Callable[[int], bool], most: int, low: int = 0, part: int | None = None) -> int | None:
    """The least whole number above `low` that fits, doubled until one does; None where `most` does not."""
    if not fits(most):
        return None
    high = min(max(low + 1, 1), most)
    while not fits(high):
        low, high = high, min(2 * high, most)
    return least_whole(fits, low, high, part)
