"""Asking the same people day after day: fresh coins, whose levels add up, or one answer kept for good.

A kept answer (memoization) costs its level once while nothing changes; but it can be followed, and the day on which a
truth changes shows itself. Reference: Erlingsson, Pihur, Korolova (2014), RAPPOR, section 3; Ding, Kulkarni, Yekhanin
(2017), Collecting telemetry data privately, section 4.
"""

from __future__ import annotations

import math

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ldpcore.numerics.arrays import Reals


def truthful(alpha: float) -> float:
    """p = e^α/(1 + e^α), the chance of the truth."""
    return 1 / (1 + math.exp(-alpha))


def guessed(alpha: float, days: ArrayLike) -> Reals:
    """The chance that the majority of `days` fresh answers is the truth; a tie is decided by a coin."""
    answers = np.asarray(days, dtype=np.float64)
    least = np.floor(answers / 2) + 1
    # P(at least m truths of t) = I_p(m, t - m + 1); half of an exact tie, which only even numbers know.
    majority = scipy.special.betainc(least, answers - least + 1, truthful(alpha))
    even, half = answers % 2 == 0, answers / 2
    logs = scipy.special.gammaln(answers + 1) - 2 * scipy.special.gammaln(half + 1)
    tie = np.where(even, np.exp(logs - half * (alpha + 2 * math.log1p(math.exp(-alpha)))), 0.0)
    return np.asarray(majority + tie / 2, dtype=np.float64)


def change_seen(alpha: float) -> float:
    """p² + q²: the chance that the kept answers to yes and to no differ, so that a change of the truth shows."""
    p = truthful(alpha)
    return p * p + (1 - p) * (1 - p)


def coin_variance(alpha: float) -> float:
    """e^α/(e^α - 1)², of one answer as an unbiased 0 or 1, given the truth."""
    return 1 / (4 * math.sinh(alpha / 2) ** 2)
