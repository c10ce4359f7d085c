"""Acceptance regions whose false-alarm rate is a theorem, not an approximation: a failure means a bug."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import stats

from ldpcore.estimating.intervals import Bounds, count_law, share_interval
from ldpcore.mechanisms.base import FrequencyOracle

RATE = 1e-10  # of one assertion; the whole suite makes fewer than ten thousand of them (counted: 3 642 in the laws)


def accept_counts(observed: np.ndarray, law: np.ndarray, rate: float = RATE) -> bool:
    """Whether multinomial counts fit their law: each cell's exact binomial tail, a union bound over the cells."""
    observed, law = np.asarray(observed), np.asarray(law, dtype=float)
    total = int(observed.sum())
    possible = law > 0
    if observed[~possible].any():
        return False
    counts, law = observed[possible], np.minimum(law[possible], 1.0)
    tails = np.minimum(stats.binom.cdf(counts, total, law), stats.binom.sf(counts - 1, total, law))
    return bool(tails.min() * 2 * len(law) >= rate)


def accept_sample(sample: np.ndarray, cdf: np.ndarray, rate: float = RATE) -> bool:
    """Whether a sample of a continuous law fits its cdf (given at the sorted sample), by Massart's DKW inequality."""
    n = len(sample)
    above = np.arange(1, n + 1) / n - cdf
    below = cdf - np.arange(n) / n
    return float(max(above.max(), below.max())) <= math.sqrt(math.log(2 / rate) / (2 * n))


def accept_gamma_mean(mean: float, scale: float, repeats: int, rate: float = RATE) -> bool:
    """Whether a mean of `repeats` exponentials of this scale is likely, by the exact gamma law."""
    law = stats.gamma(repeats, scale=scale / repeats)
    return bool(min(law.cdf(mean), law.sf(mean)) * 2 >= rate)


def accept_bounded_mean(mean: float, expected: float, repeats: int, rate: float = RATE) -> bool:
    """Whether the mean of `repeats` independent numbers between 0 and 1 is near its expectation, by Hoeffding."""
    return abs(mean - expected) <= math.sqrt(math.log(2 / rate) / (2 * repeats))


def accept_normal(value: float, mean: float, standard_error: float, rate: float = RATE) -> bool:
    """Whether a sum of very many bounded terms is near its mean; the normal tail is exact enough only then."""
    return abs(value - mean) <= stats.norm.isf(rate / 2) * standard_error


def accept_variance(errors: np.ndarray, variance: float, rate: float = RATE) -> bool:
    """Whether independent nearly normal errors of mean 0 have this variance, by the χ² law of their sum of squares."""
    law, score = stats.chi2(len(errors)), float((errors**2).sum()) / variance
    return bool(min(law.cdf(score), law.sf(score)) * 2 >= rate)


class Counted:
    """A generator that counts the numbers that are asked of it."""

    def __init__(self, seed: int) -> None:
        self.rng, self.drawn = np.random.default_rng(seed), 0

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.rng, name)

        def counted(*args: Any, **more: Any) -> Any:
            numbers = method(*args, **more)
            self.drawn += np.size(numbers)
            return numbers

        return counted


def accept_spread(errors: np.ndarray, variance: float) -> bool:
    """Whether nearly normal errors have the mean 0 and this variance: two assertions of `RATE` each."""
    return accept_normal(errors.mean(), 0, math.sqrt(variance / len(errors))) and accept_variance(errors, variance)


def coverage(
    oracle: FrequencyOracle, n: int, held: int, maker: Callable[..., Bounds] = share_interval, **options: Any
) -> float:
    """How often the interval of a value that `held` people hold encloses its share, by the exact law of its tally."""
    law = count_law(held, n, oracle.p, oracle.q)
    comes = law.chances > 1e-14
    bounds = maker((law.values()[comes] / n - oracle.q) / oracle.gap, oracle, n, **options)
    return float(law.chances[comes][bounds.encloses(held / n)].sum())
