"""Numbers of subsets, by their logarithms, and the tails of binomial laws."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ldpcore.numerics.arrays import Counts, Reals

TABLED = (1 << 17) - 1  # up to here they are looked up, which needs nothing of SciPy's
WIDE = 1e7  # a variance from which on a series about the normal law is right to 1e-11


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


def more_than(counts: ArrayLike, n: ArrayLike, chances: ArrayLike) -> Reals:
    """P(C > c) for whole c and C ~ Bin(n, chance), right to 1e-8 for any n, and to 1e-11 up to 10^11.

    By the beta function: SciPy's `bdtrc` is up to 0.4 off from some two million trials on.
    """
    return _tail(counts, n, chances, above=True)


def no_more_than(counts: ArrayLike, n: ArrayLike, chances: ArrayLike) -> Reals:
    """P(C <= c), as `more_than`; nothing is subtracted from 1."""
    return _tail(counts, n, chances, above=False)


def _tail(counts: ArrayLike, n: ArrayLike, chances: ArrayLike, above: bool) -> Reals:
    cuts, trials, p = np.broadcast_arrays(*(np.asarray(each, dtype=np.float64) for each in (counts, n, chances)))
    variances = trials * p * (1 - p)
    wide, inside = variances >= WIDE, (cuts >= 0) & (cuts < trials)
    beta = scipy.special.betainc if above else scipy.special.betaincc
    # Where the other formula serves, any numbers that do no harm.
    low, high = np.where(inside & ~wide, cuts + 1, 1.0), np.where(inside & ~wide, trials - cuts, 1.0)
    ends = (cuts < 0) if above else (cuts >= trials)
    tails = np.where(inside, beta(low, high, p), ends)
    if wide.any():
        series = _series(cuts, np.maximum(trials, 1.0), p, np.where(wide, variances, 1.0), above)
        tails = np.where(wide & inside, series, tails)
    return np.asarray(np.clip(tails, 0, 1), dtype=np.float64)


def _series(cuts: Reals, trials: Reals, p: Reals, variances: Reals, above: bool) -> Reals:
    """The tails by Edgeworth's series about the normal law, a half beyond the cut, less what rounding spreads.

    Two terms beyond the normal law: the next is of the order of the variance to the power -3/2.
    """
    deviations = np.sqrt(variances)
    z, skew, peak = (cuts + 0.5 - trials * p) / deviations, (1 - 2 * p) / deviations, 1 / variances - 6 / trials
    third, fifth = z**3 - 3 * z, z**5 - 10 * z**3 + 15 * z
    terms = skew / 6 * (z * z - 1) + peak / 24 * third + skew**2 / 72 * fifth - z / (24 * variances)
    leans = terms * np.exp(-z * z / 2) / math.sqrt(2 * math.pi)
    return np.asarray(scipy.special.ndtr(-z) + leans if above else scipy.special.ndtr(z) - leans)
