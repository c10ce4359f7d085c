"""The odds of a level, with as many digits as tell them from even odds."""

from __future__ import annotations

import math

from explorer.facts import Times


def odds_at(level: float) -> Times:
    """e^level with as many digits as tell it from 1: `2.718`, `1.0101`, `1.000001`."""
    tiny = 0 < level <= 0.1
    return Times(level, min(3 - math.floor(math.log10(level)), 12) if tiny else 4)
