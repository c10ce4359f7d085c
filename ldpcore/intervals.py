"""How far an estimated share may be from the truth: intervals for one share, for all shares at once, and exact ones.

The share meant is the one among the people asked; with `sampled=True` it is the share in a large population from
which they were drawn at random, which adds f(1-f)/n to the variance.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from ldpcore.mechanisms.base import CategoryRandomizer, NumberRandomizer
from ldpcore.mechanisms.hybrid import HybridMechanism
from ldpcore.mechanisms.onebit import BinaryMechanism
from ldpcore.parameters import Confidence, ParameterError, declaration
from ldpcore.populations import Reals

EXACT_USERS = 10**7  # the exact law is convolved in windows of a few thousand points up to here


@dataclass(frozen=True, eq=False)
class Bounds:
    """Lower and upper ends that enclose the truth with this confidence; they may lie outside what is possible."""

    low: Reals
    high: Reals
    confidence: float

    def clamped(self) -> Bounds:
        """The same interval cut to the shares that exist, 0 to 1; it encloses the truth exactly as often."""
        return Bounds(np.clip(self.low, 0, 1), np.clip(self.high, 0, 1), self.confidence)

    def encloses(self, truth: float | Reals) -> NDArray[np.bool_]:
        """Where the truth lies inside, ends included."""
        return np.asarray((self.low <= truth) & (self.high >= truth), dtype=np.bool_)


def quantile(confidence: float, among: int = 1, rule: Literal["bonferroni", "sidak"] = "sidak") -> float:
    """z such that `among` standard normal estimates all stay within ±z with this confidence, at least.

    Šidák's 1-(1-β)^{1/m} per estimate is exact for independent ones and, by his inequality, safe for jointly normal
    ones however they depend on each other; Bonferroni's β/m needs no normal law.
    """
    declaration(Confidence).check("confidence", confidence)
    if rule == "bonferroni":
        return -NormalDist().inv_cdf((1 - confidence) / (2 * among))
    # 1 - (1-β)^{1/m} by expm1, so that no digit is lost for large m.
    return -NormalDist().inv_cdf(-math.expm1(math.log(confidence) / among) / 2)


def score_interval(
    estimate: ArrayLike,
    randomizer: CategoryRandomizer,
    n: int,
    confidence: float = 0.95,
    among: int = 1,
    rule: Literal["bonferroni", "sidak"] = "sidak",
    sampled: bool = False,
) -> Bounds:
    """All f with (f̂ - f)² ≤ z² v(f)/n, where v(f)/n is the exact variance at f: Wilson's interval through p and q.

    v is affine in f, so that this is one quadratic; `among` many intervals enclose all their truths at once.
    """
    found = np.asarray(estimate, dtype=np.float64)
    factor = quantile(confidence, among, rule) ** 2 / n
    constant, slope = affine_variance(randomizer)
    # (1 + s·factor) f² - (2f̂ + factor (b + s)) f + f̂² - factor a = 0, with s = 1 where people were sampled.
    bend = factor if sampled else 0.0
    linear = slope + 1 if sampled else slope
    middle = found + factor * linear / 2
    # The discriminant with its two f̂² taken out, for where the error is far below f̂ nothing would be left of it.
    spread = constant * (1 + bend) + found * (linear - found * sampled) + factor * linear**2 / 4
    root = np.sqrt(factor * np.maximum(spread, 0))
    return Bounds((middle - root) / (1 + bend), (middle + root) / (1 + bend), confidence)


def plug_in_interval(
    estimate: Reals,
    variance: Reals,
    confidence: float = 0.95,
    among: int = 1,
    rule: Literal["bonferroni", "sidak"] = "sidak",
) -> Bounds:
    """f̂ ± z times an estimated standard deviation, where the error of a value depends on all shares at once."""
    reach = quantile(confidence, among, rule) * np.sqrt(variance)
    return Bounds(estimate - reach, estimate + reach, confidence)


def affine_variance(randomizer: CategoryRandomizer) -> tuple[float, float]:
    """a and b of n·Var[f̂] = a + b f, given everybody's value."""
    ends = randomizer.variance_of_shares(np.array([0.0, 1.0]), 1)
    return float(ends[0]), float(ends[1] - ends[0])


def half_width(share: float, randomizer: CategoryRandomizer, n: int, confidence: float = 0.95) -> float:
    """z times the exact standard deviation at this share: the normal half-width, for planning."""
    return quantile(confidence) * math.sqrt(float(randomizer.variance_of_shares(share, n)))


@dataclass(frozen=True, eq=False)
class CountLaw:
    """The law of a whole number: `chances[i]` is the probability of `start + i`; what is left out is below 1e-16."""

    start: int
    chances: Reals

    def values(self) -> Reals:
        """The numbers that the probabilities belong to."""
        return np.arange(self.start, self.start + len(self.chances), dtype=np.float64)

    def at_most(self, count: float) -> float:
        """P(C <= count)."""
        inside = math.floor(count) - self.start + 1
        return float(min(self.chances[: max(inside, 0)].sum(), 1.0))

    def at_least(self, count: float) -> float:
        """P(C >= count)."""
        inside = math.ceil(count) - self.start
        return float(min(self.chances[max(inside, 0) :].sum(), 1.0))


def mean_interval(
    estimate: ArrayLike, randomizer: NumberRandomizer, n: int, confidence: float = 0.95, sampled: bool = False
) -> Bounds:
    """The means that the reports of n people do not contradict; on the scale of [-1, 1], ends beyond it not cut off.

    Other mechanisms than bits: all m with (m̂ - m)² ≤ z² v/n, v the largest variance that people can cause (with
    `sampled`, when they are a random sample and the mean of everybody is meant, v + 1 - m²). At least the stated
    confidence, from some thirty people on; exactly it where the variance does not depend on the numbers.
    """
    found = np.asarray(estimate, dtype=np.float64)
    if isinstance(randomizer, HybridMechanism) and not randomizer.weight:
        return bit_interval(found, randomizer.parts[1], n, confidence)
    if isinstance(randomizer, BinaryMechanism):
        return bit_interval(found, randomizer, n, confidence)
    most, factor = float(np.max(randomizer.most_variance(np.zeros(1)))), quantile(confidence) ** 2 / n
    bend = factor if sampled else 0.0
    # (1 + bend) m² - 2 m̂ m + m̂² - factor (v + sampled) = 0, its discriminant without the cancelling m̂².
    middle = found / (1 + bend)
    spread = factor * (most + sampled) * (1 + bend) - bend * found**2
    reach = np.sqrt(np.maximum(spread, 0)) / (1 + bend)
    return Bounds(middle - reach, middle + reach, confidence)


def bit_interval(estimate: Reals, randomizer: BinaryMechanism, n: int, confidence: float = 0.95) -> Bounds:
    """After Clopper and Pearson, from the number of +1: never less than the stated confidence, for any n.

    For a random sample of people the number is binomial. For given people it is a sum of unequal coins, which strays
    less than a binomial number of the same mean (Hoeffding, 1956), so that the interval is right and, where the numbers
    differ much, wider than need be; the bits themselves cannot tell.
    """
    declaration(Confidence).check("confidence", confidence)
    tail, z0 = (1 - confidence) / 2, randomizer.z0
    count = np.clip(np.rint((estimate / z0 + 1) * n / 2), 0, n)
    low = np.where(count == 0, 0.0, scipy.special.betaincinv(np.maximum(count, 1), n - count + 1, tail))
    high = np.where(count == n, 1.0, scipy.special.betainccinv(count + 1, np.maximum(n - count, 1), tail))
    return Bounds(z0 * (2 * low - 1), z0 * (2 * high - 1), confidence)


def difference(one: ArrayLike, of_one: Bounds, other: ArrayLike, of_other: Bounds) -> Bounds:
    """An interval for a difference of two independent estimates from their own: square and add (Newcombe, 1998)."""
    first, second = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    low = first - second - np.hypot(first - of_one.low, of_other.high - second)
    high = first - second + np.hypot(of_one.high - first, second - of_other.low)
    return Bounds(np.asarray(low), np.asarray(high), of_one.confidence)


def binomial_law(n: int, p: float) -> CountLaw:
    """Bin(n, p) where it is not negligible: within nine standard deviations and a little more."""
    if p > 0.5:
        others = binomial_law(n, 1 - p)
        return CountLaw(n + 1 - others.start - len(others.chances), others.chances[::-1])
    reach = 9 * math.sqrt(n * p * (1 - p)) + 40
    low, high = max(0, math.floor(n * p - reach)), min(n, math.ceil(n * p + reach))
    # P(c + 1) / P(c) = (n - c)/(c + 1) · p/(1 - p); what is left out is negligible, so that the sum is one.
    odds = math.log(p) - math.log1p(-p) if p > 0 else -math.inf
    after = np.arange(low + 1, high + 1, dtype=np.float64)
    logs = np.append(0.0, np.cumsum(np.log((n + 1 - after) / after) + odds))
    chances = np.exp(logs - logs.max())
    return CountLaw(low, chances / chances.sum())


def count_law(held: int, n: int, p: float, q: float) -> CountLaw:
    """The exact law of one value's tally, Bin(n_v, p) + Bin(n - n_v, q): everybody's report is independent."""
    own, others = binomial_law(held, p), binomial_law(n - held, q)
    if min(len(own.chances), len(others.chances)) < 2000:
        chances = np.convolve(own.chances, others.chances)
    else:  # by Fourier transform: the error is about 1e-16 of the largest probability
        chances = np.maximum(scipy.signal.fftconvolve(own.chances, others.chances), 0)
    return CountLaw(own.start + others.start, np.asarray(chances, dtype=np.float64))


def exact_interval(
    count: int, n: int, p: float, q: float, confidence: float = 0.95, sampled: bool = False
) -> tuple[float, float]:
    """The shares that a two-sided test of half the error each side does not reject, after Clopper and Pearson.

    Never less than the stated confidence. The tally is Bin(n_v, p) + Bin(n - n_v, q) for the people asked, and
    Bin(n, q + (p-q)f) where they were sampled; both move one way with the share, so that bisection finds the ends.
    """
    declaration(Confidence).check("confidence", confidence)
    if not (0 <= count <= n and 1 <= n <= EXACT_USERS):
        raise ParameterError(f"count must be at least 0 and at most n, and n at most {EXACT_USERS}; got {count} of {n}")
    if p == q:
        return 0.0, 1.0
    if p < q:  # the answers speak for the opposite: count those that do not support the value
        count, p, q = n - count, 1 - p, 1 - q
    tail = (1 - confidence) / 2
    if sampled:
        return _sampled_interval(count, n, p, q, tail)
    # The ends are numbers of people: the fewest who make so many reports plausible, the most who make so few.
    fewest = _first(n, lambda held: count_law(held, n, p, q).at_least(count) > tail)
    most = n - _first(n, lambda spared: count_law(n - spared, n, p, q).at_most(count) > tail)
    return min(fewest, n) / n, max(most, 0) / n


def _sampled_interval(count: int, n: int, p: float, q: float, tail: float) -> tuple[float, float]:
    low = 0.0 if count == 0 else float(scipy.special.betaincinv(count, n - count + 1, tail))
    high = 1.0 if count == n else float(scipy.special.betainccinv(count + 1, n - count, tail))
    ends = [min(max((x - q) / (p - q), 0.0), 1.0) for x in (low, high)]
    return ends[0], ends[1]


def _first(n: int, holds: Callable[[int], bool]) -> int:
    """The first of 0 … n at which a condition holds that stays true once it is; n where it never does."""
    low, high = 0, n
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low
