"""Intervals for an estimated share: for one share, for all shares at once, and exact ones.

The share meant is the one among the people asked; with `sampled=True` it is the share in a large population from
which they were drawn at random, which adds f(1-f)/n to the variance.

An estimate below 0 or above 1 is no share. The two-sided test then rejects every share, or all but the last, and its
interval would be a point, read as certainty. So the end that points inwards is never nearer than it would be had the
estimate been the nearest share: every interval encloses what the test does not reject, and covers at least as often.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from ldpcore.estimating import reaches, shares, tallies
from ldpcore.estimating.averagereach import average_reach
from ldpcore.estimating.confidences import Rule, one_tail, quantile
from ldpcore.estimating.errorlaws import NoiseErrorLaw
from ldpcore.mechanisms.additive import SummationHistogramEncoding
from ldpcore.mechanisms.base import CategoryRandomizer, FrequencyOracle
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.parameters import ParameterError

EXACT_USERS = 10**7  # the exact law is summed over windows of a few thousand points up to here
MOST_USERS = 10**15  # counts keep all their digits up to here


@dataclass(frozen=True, eq=False)
class Bounds:
    """Lower and upper ends that enclose the truth with this confidence; they may lie outside the possible values."""

    low: Reals
    high: Reals
    confidence: float

    def clamped(self) -> Bounds:
        """This interval cut to the shares that exist, 0 to 1; it encloses the truth exactly as often."""
        return self.within(0, 1)

    def within(self, least: float, most: float) -> Bounds:
        """The interval cut to the numbers from `least` to `most`, where those lie that can be the truth."""
        return Bounds(np.clip(self.low, least, most), np.clip(self.high, least, most), self.confidence)

    def encloses(self, truth: float | Reals) -> NDArray[np.bool_]:
        """Whether the truth lies inside, ends included, entry by entry."""
        return np.asarray((self.low <= truth) & (self.high >= truth), dtype=np.bool_)


def score_interval(
    estimate: ArrayLike,
    randomizer: CategoryRandomizer,
    n: int,
    confidence: float = 0.95,
    among: int = 1,
    rule: Rule = "sidak",
    sampled: bool = False,
) -> Bounds:
    """All f with (f̂ - f)² ≤ z² v(f)/n, where v(f)/n is the exact variance at f: Wilson's interval through p and q.

    v is affine in f, so that this is one quadratic; `among` many intervals enclose all their truths at once.
    """
    shares = np.asarray(estimate, dtype=np.float64)
    factor = quantile(confidence, among, rule) ** 2 / n
    terms = *affine_variance(randomizer), factor, sampled
    low, high = _score_ends(np.minimum(shares, 1), *terms)[0], _score_ends(np.maximum(shares, 0), *terms)[1]
    return Bounds(low, high, confidence)


def _score_ends(shares: Reals, constant: float, slope: float, factor: float, sampled: bool) -> tuple[Reals, Reals]:
    """The roots of (1 + s·factor) f² - (2f̂ + factor (b + s)) f + f̂² - factor a = 0; s = 1 where people are sampled."""
    bend = factor if sampled else 0.0
    linear = slope + 1 if sampled else slope
    middle = shares + factor * linear / 2
    # The discriminant with its two f̂² taken out, for where the error is far below f̂ nothing would be left of it.
    spread = constant * (1 + bend) + shares * (linear - shares * sampled) + factor * linear**2 / 4
    root = np.sqrt(factor * np.maximum(spread, 0))
    return (middle - root) / (1 + bend), (middle + root) / (1 + bend)


def share_interval(
    estimate: ArrayLike,
    randomizer: CategoryRandomizer,
    n: int,
    confidence: float = 0.95,
    among: int = 1,
    rule: Rule = "sidak",
    sampled: bool = False,
) -> Bounds:
    """An interval for the share of each value, estimated from n reports, that holds at least as often as it says.

    Exact for tallies and for sums of Laplace noise; elsewhere the score interval, whose confidence is approximate.
    """
    given = np.asarray(estimate, dtype=np.float64)
    tail = one_tail(confidence, among, rule)
    if isinstance(randomizer, SummationHistogramEncoding):
        low = _noise_ends(np.minimum(given, 1), randomizer.noise.scale, n, tail, sampled)[0]
        return Bounds(low, _noise_ends(np.maximum(given, 0), randomizer.noise.scale, n, tail, sampled)[1], confidence)
    if not isinstance(randomizer, FrequencyOracle):
        return score_interval(given, randomizer, n, confidence, among, rule, sampled)
    support = given.ravel() * randomizer.gap + randomizer.q
    counts = np.clip(np.rint(support * n), 0, n).astype(np.int64)
    exact = _bounds_of(counts, n, randomizer.p, randomizer.q, confidence, tail, sampled)
    low, high = np.minimum(exact.low, given.ravel()), np.maximum(exact.high, given.ravel())  # the estimate is inside
    return Bounds(low.reshape(given.shape), high.reshape(given.shape), confidence)


def _noise_ends(estimated: Reals, scale: float, n: int, tail: float, sampled: bool) -> tuple[Reals, Reals]:
    """Both ends around a share plus the mean of n Laplace noises; for a sample the chance of the draw is added."""
    if not sampled:
        return estimated - scale * average_reach(tail, n), estimated + scale * average_reach(tail, n)
    drawn: reaches.RandomizerGroups = (
        (reaches.Sampled(NoiseErrorLaw(True, 2 * scale)), n),
    )  # on [-1, 1], of twice the length
    z = reaches.fourier(drawn, tail).quantile(tail)
    if math.isfinite(z):
        return _score_ends(estimated, 2 * scale**2, 0.0, z * z / n, True)
    return estimated - reaches.reach(drawn, tail) / 2, estimated + reaches.reach(drawn, tail) / 2


def plug_in_interval(
    estimate: Reals,
    variance: Reals,
    confidence: float = 0.95,
    among: int = 1,
    rule: Rule = "sidak",
) -> Bounds:
    """f̂ ± z times an estimated standard deviation, where the error of a value depends on all shares at once."""
    reach = quantile(confidence, among, rule) * np.sqrt(variance)
    return Bounds(np.minimum(estimate, 1) - reach, np.maximum(estimate, 0) + reach, confidence)


def affine_variance(randomizer: CategoryRandomizer) -> tuple[float, float]:
    """a and b of n·Var[f̂] = a + b f, given everybody's value."""
    ends = randomizer.variance_of_shares(np.array([0.0, 1.0]), 1)
    return float(ends[0]), float(ends[1] - ends[0])


def drawn_variance(shares: ArrayLike, sampled: bool) -> Reals:
    """The variance that drawing one person from a population adds to the noise of the report, f(1-f); 0 in a census."""
    f = np.asarray(shares, dtype=np.float64)
    return np.asarray(f * (1 - f) * sampled)


@dataclass(frozen=True, eq=False)
class CountLaw:
    """The law of a whole number: `chances[i]` is the probability of `start + i`; the rest is below 1e-16."""

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


def binomial_law(n: int, p: float) -> CountLaw:
    """Bin(n, p) without its negligible tails: within nine standard deviations and a little more."""
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
    """The exact interval of one tally, as two numbers."""
    bounds = exact_bounds(np.array([count]), n, p, q, confidence, sampled=sampled)
    return float(bounds.low[0]), float(bounds.high[0])


def exact_bounds(
    counts: ArrayLike,
    n: int,
    p: float,
    q: float,
    confidence: float = 0.95,
    among: int = 1,
    rule: Rule = "sidak",
    sampled: bool = False,
) -> Bounds:
    """The shares that a two-sided test of half the error each side does not reject, after Clopper and Pearson.

    Never less than the stated confidence. The tally is Bin(n_v, p) + Bin(n - n_v, q) for the people asked, and
    Bin(n, q + (p-q)f) where they were sampled; both move one way with the share, so that bisection finds the ends.
    Fewer reports than lies alone bring, n q, are read as n q where the upper end is sought, and more than n p as
    n p where the lower is: the interval widens, and ends in a point only where one person more would hardly be missed.
    """
    reports = np.atleast_1d(np.asarray(counts, dtype=np.int64))
    if not (1 <= n <= MOST_USERS and reports.min(initial=0) >= 0 and reports.max(initial=0) <= n):
        least, most = int(reports.min(initial=0)), int(reports.max(initial=0))
        raise ParameterError("count_outside", users=MOST_USERS, least=least, most=most, n=n)
    return _bounds_of(reports, n, p, q, confidence, one_tail(confidence, among, rule), sampled)


def _bounds_of(reports: Counts, n: int, p: float, q: float, confidence: float, tail: float, sampled: bool) -> Bounds:
    """The shares that tests of this tail on either side do not reject, for any number of people."""
    if p == q:
        return Bounds(np.zeros(len(reports)), np.ones(len(reports)), confidence)
    if p < q:  # the answers speak for the opposite: count those that do not support the value
        reports, p, q = n - reports, 1 - p, 1 - q
    distinct, place = np.unique(reports, return_inverse=True)
    ends = _sampled_ends if sampled else _asked_ends
    low, high = ends(np.minimum(distinct, math.ceil(n * p)), np.maximum(distinct, math.floor(n * q)), n, p, q, tail)
    return Bounds(low[place], high[place], confidence)


def _asked_ends(fewer: Counts, more: Counts, n: int, p: float, q: float, tail: float) -> tuple[Reals, Reals]:
    """The fewest people who make at least the count of reports plausible, and the most who make at most it so."""
    few, many = _guess(fewer, n, p, q, tail)[0], _guess(more, n, p, q, tail)[1]
    fewest = _first(n, few, lambda i, held: tallies.at_least(fewer[i], held, n, p, q) > tail)
    spared = _first(n, n - many, lambda i, spared: tallies.at_most(more[i], n - spared, n, p, q) > tail)
    return fewest / n, (n - spared) / n


def _sampled_ends(fewer: Counts, more: Counts, n: int, p: float, q: float, tail: float) -> tuple[Reals, Reals]:
    low, high = shares.share_at_least(fewer, n, tail), shares.share_at_most(more, n, tail)
    return np.clip((low - q) / (p - q), 0, 1), np.clip((high - q) / (p - q), 0, 1)


def _guess(counts: Counts, n: int, p: float, q: float, tail: float) -> tuple[Reals, Reals]:
    """The approximate ends, in people: those of the score interval."""
    constant = q * (1 - q) / (p - q) ** 2
    slope = p * (1 - p) / (p - q) ** 2 - constant
    low, high = _score_ends((counts / n - q) / (p - q), constant, slope, NormalDist().inv_cdf(tail) ** 2 / n, False)
    return low * n, high * n


def _first(n: int, guess: Reals, holds: Callable[[Counts, Counts], NDArray[np.bool_]]) -> Counts:
    """For each, the first of 0 … n at which a condition holds that stays true once it is; n where it never does.

    `holds` is asked about some of them, by place, at one number each. The search walks from a guess in doubling steps
    until the end lies between two numbers and halves from there: a good guess spares most questions.
    """
    low, high = np.zeros(len(guess), dtype=np.int64), np.full(len(guess), n, dtype=np.int64)
    middle, step = np.clip(np.ceil(guess), 0, n - 1).astype(np.int64), 1
    while (left := np.flatnonzero(low < high)).size:
        asked = middle[left]
        true = holds(left, asked)
        high[left[true]], low[left[~true]] = asked[true], asked[~true] + 1
        walked = np.where(true, asked - step, asked + step)
        near = (walked >= low[left]) & (walked < high[left])
        middle[left] = np.where(near, walked, (low[left] + high[left]) // 2)
        step *= 2
    return high
