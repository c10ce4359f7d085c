"""The exact interval of a binomial share from a number of hits: its two ends, each with its own error.

Reference: Clopper and Pearson (1934), The use of confidence or fiducial limits, Biometrika 26.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ldpcore.numerics.arrays import Counts, Reals

LISTED = 256  # trials up to which every number of hits, or of those who hold a value, is looked at
STEPS = 33  # numbers that stand for many


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
def rare_hits(trials: int, error: float) -> tuple[Counts, Reals]:
    """Numbers of hits, all of a few trials, else those around the middle; and the shares below which each is that rare.

    Hits per trial less such a share are most near one half, where the deviation is, and bend smoothly around it.
    """
    middle = trials / 2 + math.sqrt(trials) * np.linspace(-1, 3, STEPS)
    some = np.concatenate([np.clip(middle, 0, trials), np.linspace(0, trials, STEPS)])
    counts = np.arange(trials + 1) if trials <= LISTED else np.unique(np.rint(some))
    return np.asarray(counts, dtype=np.int64), share_at_least(counts, trials, error)
