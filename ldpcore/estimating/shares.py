"""The exact interval of a binomial share from a number of hits: its two ends, each with its own error.

Reference: Clopper and Pearson (1934), The use of confidence or fiducial limits, Biometrika 26.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.peaks import highest_whole

MANY, WIDE = 1e12, 1e9  # trials and a variance beyond which SciPy's quantiles lose digits, up to all of them
LOST = 1000.0  # the one shape, first or second, at which these are wrong among 10⁹ trials and more


def share_at_least(hits: ArrayLike, trials: ArrayLike, error: float) -> Reals:
    """The lower end of the exact interval for a binomial share: wrong with at most this probability.

    The share at which `hits` or more have probability `error`, the error-quantile of Beta(hits, trials - hits + 1).
    """
    hits, trials = np.asarray(hits, dtype=np.float64), np.asarray(trials, dtype=np.float64)
    inside = scipy.special.betaincinv(_kept(np.maximum(hits, 1), -1), _kept(np.maximum(trials - hits, 0) + 1, 1), error)
    return _where_many(hits, trials, error, np.where(hits > 0, inside, 0.0), below=True)


def share_at_most(hits: ArrayLike, trials: ArrayLike, error: float) -> Reals:
    """The upper end of the exact interval for a binomial share: one minus the lower end for the misses."""
    hits, trials = np.asarray(hits, dtype=np.float64), np.asarray(trials, dtype=np.float64)
    inside = scipy.special.betainccinv(_kept(hits + 1, 1), _kept(np.maximum(trials - hits, 1), -1), error)
    return _where_many(hits, trials, error, np.where(hits < trials, inside, 1.0), below=False)


def _kept(shape: Reals, way: int) -> Reals:
    """A shape, and in place of a lost one a neighbor a part in 10⁹ away, by which the interval grows."""
    return np.asarray(np.where(shape == LOST, LOST * (1 + way * 1e-9), shape), dtype=np.float64)


def _where_many(hits: Reals, trials: Reals, error: float, ends: Reals, below: bool) -> Reals:
    """The ends, and in their place among many trials the root of (h ∓ ½ - nx)² = z² nx(1 - x), z as leaning as x."""
    many = (trials >= MANY) & (hits * (trials - hits) >= WIDE * trials)
    if not many.any():
        return np.asarray(ends, dtype=np.float64)
    side = 1.0 if below else -1.0
    shares = np.where(many, (hits - side / 2) / np.maximum(trials, 1), 0.5)
    z = -float(scipy.special.ndtri(error))
    leaning = z + side * (1 - 2 * shares) * (z * z - 1) / (6 * np.sqrt(trials * shares * (1 - shares)))
    bend = leaning**2 / trials
    root = leaning * np.sqrt((shares * (1 - shares) + bend / 4) / trials)
    return np.asarray(np.where(many, (shares + bend / 2 - side * root) / (1 + bend), ends), dtype=np.float64)


@lru_cache(maxsize=4096)
def longest_arm(trials: int, error: float) -> float:
    """The largest distance of a share of hits from the lower end of its interval, whatever the number of hits.

    It rises and falls with the number of hits, and is largest near one half, where the deviation is.
    """
    return highest_whole(lambda hits: hits / trials - share_at_least(hits, trials, error), 0, trials)
