"""Numbers of subsets, by their logarithms."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import scipy

from ldpcore.numerics.arrays import Counts, Reals

TABLED = (1 << 17) - 1  # up to here they are looked up, which needs nothing of SciPy's


def log_choose(n: int, size: int) -> float:
    """ln C(n, size)."""
    return math.lgamma(n + 1) - math.lgamma(size + 1) - math.lgamma(n - size + 1)


def log_choose_each(n: int, sizes: Counts | Reals) -> Reals:
    """ln C(n, size) of each size; right to about 1e-16 n ln n."""
    if n <= TABLED:
        logs = _log_factorials(max(n, 1).bit_length())
        places = np.asarray(sizes, dtype=np.int64)
        return np.asarray(logs[n] - logs[places] - logs[n - places], dtype=np.float64)
    gammaln = scipy.special.gammaln
    chosen: Reals = gammaln(n + 1.0) - gammaln(sizes + 1.0) - gammaln(n - sizes + 1.0)
    return chosen


@lru_cache(maxsize=16)
def _log_factorials(bits: int) -> Reals:
    """ln 0!, ln 1!, … for all numbers below 2^bits."""
    logs = np.log(np.arange(1, 1 << bits, dtype=np.longdouble))  # longer where there are longer ones, for the sum
    return np.append(0.0, np.cumsum(logs)).astype(np.float64)
