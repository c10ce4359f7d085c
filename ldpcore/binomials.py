"""Numbers of subsets, by their logarithms."""

from __future__ import annotations

import math


def log_choose(n: int, size: int) -> float:
    """ln C(n, size)."""
    return math.lgamma(n + 1) - math.lgamma(size + 1) - math.lgamma(n - size + 1)
