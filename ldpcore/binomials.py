"""Numbers of subsets, by their logarithms."""

from __future__ import annotations

import math

import scipy

from ldpcore.populations import Counts, Reals


def log_choose(n: int, size: int) -> float:
    """ln C(n, size)."""
    return math.lgamma(n + 1) - math.lgamma(size + 1) - math.lgamma(n - size + 1)


def log_choose_each(n: int, sizes: Counts | Reals) -> Reals:
    """ln C(n, size) of each size; right to about 1e-16 n ln n."""
    gammaln = scipy.special.gammaln
    logs: Reals = gammaln(n + 1.0) - gammaln(sizes + 1.0) - gammaln(n - sizes + 1.0)
    return logs
