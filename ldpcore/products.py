"""Many independent users, each with the same two laws of one report: how far apart all reports together are.

With two different reports the number of the first kind says all: two binomials, exactly, for any number of users.
With more, all counts are gone through as long as they are few; Hellinger's affinity bounds the rest from both sides.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ldpcore.channels import Pair
from ldpcore.divergences import hellinger_affinity, laws
from ldpcore.parameters import ParameterError
from ldpcore.populations import Reals

MOST = 200_000  # so many tables of counts are gone through


def by_ratio(p: ArrayLike, q: ArrayLike) -> tuple[Reals, Reals]:
    """Reports of one likelihood ratio are merged: nothing about which law is true is lost."""
    first, second = laws(p, q)
    possible = (first > 0) | (second > 0)
    first, second = first[possible], second[possible]
    order = np.argsort(Pair(first, second).ratios(), kind="stable")
    ratios = Pair(first, second).ratios()[order]
    with np.errstate(invalid="ignore"):
        new = np.append(True, ~(np.isclose(ratios[1:], ratios[:-1], rtol=1e-12, atol=1e-15)))
    groups = np.cumsum(new) - 1
    merged = [np.asarray(np.bincount(groups, law[order]), dtype=np.float64) for law in (first, second)]
    return merged[0], merged[1]


@dataclass(frozen=True)
class Between:
    """A number that is known exactly, or between two ends."""

    low: float
    high: float

    @property
    def exact(self) -> bool:
        """Whether both ends are the number itself."""
        return self.low == self.high


def distance_of(p: ArrayLike, q: ArrayLike, n: int) -> Between:
    """The total variation between n reports of one law and n of the other.

    Exact where counts can be gone through, else 1 - ρⁿ ≤ TV ≤ √(1 - ρ²ⁿ) with Hellinger's affinity ρ of one report.
    """
    if n < 1:
        raise ParameterError("whole_from", name="n", low=1, got=n)
    first, second = by_ratio(p, q)
    if len(first) == 1:
        return Between(0.0, 0.0)
    if len(first) == 2:
        exact = _binomial_distance(float(first[1]), float(second[1]), n)
        return Between(exact, exact)
    if math.comb(n + len(first) - 1, len(first) - 1) <= MOST:
        exact = _multinomial_distance(first, second, n)
        return Between(exact, exact)
    log_affinity = math.log(affinity) if (affinity := min(hellinger_affinity(p, q), 1.0)) > 0 else -math.inf
    return Between(-math.expm1(n * log_affinity), math.sqrt(-math.expm1(2 * n * log_affinity)))


def _binomial_distance(p: float, q: float, n: int) -> float:
    """P(X > c) - Q(X > c) for the count c up to which the second law is likelier: the ratio rises in X as p > q."""
    if p == q:
        return 0.0
    if p == 1 or q == 0:
        rise, fall = math.inf, 0.0
        # The first law never misses, or the second never hits: what both allow is one count only.
        sure = n if p == 1 else 0
        return 1 - min(float(scipy.stats.binom.pmf(sure, n, p)), float(scipy.stats.binom.pmf(sure, n, q)))
    rise, fall = math.log(p / q), math.log1p(-q) - math.log1p(-p)
    cut = math.floor(n * fall / (rise + fall) * (1 + 1e-15))
    return max(float(scipy.special.bdtrc(cut, n, p) - scipy.special.bdtrc(cut, n, q)), 0.0)


def _multinomial_distance(first: Reals, second: Reals, n: int) -> float:
    """½ Σ |P - Q| over all tables of counts, each by its logarithm."""
    counts = tables_of(n, len(first))
    ways = scipy.special.gammaln(n + 1) - scipy.special.gammaln(counts + 1).sum(axis=1)
    logs = [ways + scipy.special.xlogy(counts, law).sum(axis=1) for law in (first, second)]
    return min(float(np.abs(np.exp(logs[0]) - np.exp(logs[1])).sum()) / 2, 1.0)


def tables_of(n: int, k: int) -> Reals:
    """All ways to give n to k places, one row each."""
    if k == 1:
        return np.array([[float(n)]])
    rest = [tables_of(n - own, k - 1) for own in range(n + 1)]
    return np.vstack([np.column_stack([np.full(len(part), float(own)), part]) for own, part in enumerate(rest)])


def powers_of(p: float, q: float, n: int, sizes: ArrayLike) -> Reals:
    """The power of the best test of q against p at each size, by the number of ones among n users, with a coin.

    A count of ones has a monotone likelihood ratio, so the best test rejects from a count on, and tosses a coin at it.
    """
    if p < q:
        p, q = 1 - p, 1 - q
    sizes = np.asarray(sizes, dtype=np.float64)
    law, held = scipy.stats.binom(n, q), scipy.stats.binom(n, p)
    edge = law.isf(sizes)  # the smallest count with P(X > edge) ≤ size
    beyond, at = law.sf(edge), law.pmf(edge)
    coin = np.divide(sizes - beyond, at, out=np.zeros_like(sizes), where=at > 0)
    return np.asarray(np.clip(held.sf(edge) + np.clip(coin, 0, 1) * held.pmf(edge), 0, 1), dtype=np.float64)
