"""Numbers as they can be written down."""

from __future__ import annotations


def not_above(level: float) -> float:
    """A level rounded down to nine digits, without the floating-point error in its last ones."""
    rounded = float(f"{level:.9g}")
    return rounded if rounded <= level * (1 + 1e-12) else float(f"{level * (1 - 1e-9):.9g}")


def nine_digits_up(whole: int) -> int:
    """A whole number rounded up to nine digits: of a larger one, sums of doubles tell no more."""
    step = int(10 ** max(len(str(whole)) - 9, 0))
    return -(-whole // step) * step
