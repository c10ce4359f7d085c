"""Axes of numbers: measured by the public bounds and by nothing else, so that too much noise leaves the picture."""

from __future__ import annotations

from typing import Any

import numpy as np

from explorer.figures import marks
from ldpcore.numerics.arrays import Reals
from ldpcore.people.scales import PublicScale

REACH, FAR = 4.0, 8.0  # halves of the scale to either side of its middle
UPRIGHT = 8.0  # letters beside an upright axis whose numbers are written in full
ABOVE = 3.6  # letters above a picture whose upper axis stands on top, so that the axes of two panels never meet


def span_of(scale: PublicScale, reach: float) -> list[float]:
    """The ends of an axis around the middle of the scale."""
    middle = scale.low + scale.half
    return [middle - reach * scale.half, middle + reach * scale.half]


def within(scale: PublicScale, values: Any, reach: float) -> tuple[Reals, list[str]]:
    """Values of the reader's unit moved to the edges of a picture, and the symbol of each."""
    return marks.within(np.atleast_1d(np.asarray(values, dtype=float)), reach * scale.half, scale.low + scale.half)


def in_full(scale: PublicScale) -> dict[str, Any]:
    """Numbers along an axis written in full as long as people can read them."""
    return {"exponentformat": "none", "separatethousands": True} if 0.1 <= scale.half < 1e7 else {}
