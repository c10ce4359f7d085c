"""Numbers as they can be written down."""

from __future__ import annotations


def not_above(level: float) -> float:
    """A level in nine digits; what floating point has left of its last ones is no level, and none is rounded up."""
    rounded = float(f"{level:.9g}")
    return rounded if rounded <= level * (1 + 1e-12) else float(f"{level * (1 - 1e-9):.9g}")
