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


def share_at_least(hits: ArrayLike, trials: ArrayLike, error: float) -> Reals:
    """The lower end of the exact interval for a binomial share: wrong with at most this probability.

    The share at which `hits` or more have probability `error`, the error-quantile of Beta(hits, trials - hits + 1).
    """
    hits, trials = np.asarray(hits, dtype=np.float64), np.asarray(trials, dtype=np.float64)
    inside = scipy.special.betaincinv(np.maximum(hits, 1), np.maximum(trials - hits, 0) + 1, error)
    return np.asarray(np.where(hits > 0, inside, 0.0), dtype=np.float64)


def share_at_most(hits: ArrayLike, trials: ArrayLike, error: float) -> Reals:
    """The upper end of the exact interval for a binomial share: one minus the lower end for the misses."""
    hits, trials = np.asarray(hits, dtype=np.float64), np.asarray(trials, dtype=np.float64)
    inside = scipy.special.betainccinv(hits + 1, np.maximum(trials - hits, 1), error)
    return np.asarray(np.where(hits < trials, inside, 1.0), dtype=np.float64)


@lru_cache(maxsize=4096)
def longest_arm(trials: int, error: float) -> float:
    """The largest distance of a share of hits from the lower end of its interval, whatever the number of hits.

    It rises and falls with the number of hits, and is largest near one half, where the deviation is.
    """
    return highest_whole(lambda hits: hits / trials - share_at_least(hits, trials, error), 0, trials)
