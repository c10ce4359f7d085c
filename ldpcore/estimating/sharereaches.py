"""The largest error of an estimated share, with a confidence: what plans promise, for any number of people.

Each side is left half of the error. A tally is a whole number, so that its tails fall in steps: between two whole
numbers they are joined by a curve that is never below them, and a reach grows and falls smoothly with what it depends
on. The promise is kept at every whole number: P(C > y) <= tail for each y with tail(y) <= tail.

- People `sampled`: C ~ Bin(n, q + (p-q)f), whose tail is an incomplete beta function of a real count too. Over all f
  the reach is the longest arm of Clopper's and Pearson's interval.
- People who are all there are: C ~ Bin(n f, p) + Bin(n - n f, q), whose law is inverted from its generating function
  where it varies little, and taken at its saddle point elsewhere, as `tallies` does.
- Sums of Laplace noise: what `reaches` proves of them. Bloom bits: the same bounds for scores of known size. Of any
  other mechanism Cantelli's bound.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import scipy

from ldpcore.estimating import reaches, shares, tallies
from ldpcore.estimating.averagereach import average_reach
from ldpcore.estimating.confidences import one_tail
from ldpcore.estimating.errorlaws import GRID, ErrorLaw, bennett
from ldpcore.mechanisms.additive import SummationHistogramEncoding
from ldpcore.mechanisms.base import CategoryRandomizer, FrequencyOracle
from ldpcore.mechanisms.bloomfit import bloom_fit
from ldpcore.mechanisms.bloomrandomizer import BloomRandomizer
from ldpcore.mechanisms.coins import TwoCoins
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.numerics.peaks import highest_whole
from ldpcore.numerics.roots import brent_root

COUNTED = 10**7  # people up to which laws are counted; beyond, a reach falls with the root of their number at least
WINDOW = 256  # whole numbers on which a law that varies little is inverted: nine deviations of eight, and forty more


def share_reach(
    share: float, randomizer: CategoryRandomizer, n: int, confidence: float = 0.95, sampled: bool = False
) -> float:
    """A distance within which the estimate of this share lies with at least the confidence.

    Without `sampled` the share is that of the people asked, rounded to a whole number of them.
    """
    tail = one_tail(confidence)
    if isinstance(randomizer, FrequencyOracle | TwoCoins):
        p, q = supports(randomizer)
        return _reach_of_tally(share, p, q, n, tail, sampled)
    if isinstance(randomizer, SummationHistogramEncoding):
        return _reach_of_noise(share, randomizer.noise.scale, n, tail, sampled)
    if isinstance(randomizer, BloomRandomizer):
        return _reach_of_bits(share, randomizer, n, tail, sampled)
    # Cantelli's, whatever the law is: of any other unbiased estimate the variance alone is known.
    variance = float(randomizer.variance_of_shares(share, 1)) + share * (1 - share) * sampled
    return math.sqrt(variance / n * (1 / tail - 1))


def worst_share_reach(
    randomizer: FrequencyOracle | TwoCoins, n: int, confidence: float = 0.95, sampled: bool = False
) -> float:
    """A distance within which the share nearest to the estimate lies with the confidence, whatever the truth is."""
    return _worst_reach(*supports(randomizer), n, one_tail(confidence), sampled)


@lru_cache(maxsize=1 << 14)
def _worst_reach(p: float, q: float, n: int, tail: float, sampled: bool) -> float:
    """The longer of both arms, of which one alone is computed where yes and no are treated alike."""
    if p == q:
        return math.inf
    counted, shrunk = min(n, COUNTED), math.sqrt(min(COUNTED / n, 1.0))
    mirrored = () if abs(p + q - 1) < 1e-15 else ((1 - q, 1 - p),)
    return max(_worst_arm(each, other, counted, tail, sampled, shrunk) for each, other in ((p, q), *mirrored))


def supports(randomizer: FrequencyOracle | TwoCoins) -> tuple[float, float]:
    """The chances p > q that a report supports the value of somebody who holds it, and of somebody who does not."""
    if isinstance(randomizer, FrequencyOracle):
        return randomizer.p, randomizer.q
    a, b = randomizer.yes_given_yes, randomizer.yes_given_no
    return (a, b) if a >= b else (1 - a, 1 - b)  # where people say the opposite, a no speaks for a yes


@lru_cache(maxsize=1 << 14)
def _reach_of_tally(share: float, p: float, q: float, n: int, tail: float, sampled: bool) -> float:
    """The longer arm of one tally's law around its mean, in shares."""
    if p == q:
        return math.inf
    if n > COUNTED:
        return _reach_of_tally(share, p, q, COUNTED, tail, sampled) * math.sqrt(COUNTED / n)
    if sampled:
        chance = min(q + (p - q) * share, 1.0)
        return max(_arm(chance, n, tail), _arm(1 - chance, n, tail)) / (p - q)
    held = np.array([round(share * n)])
    up, down = _asked_arms(held, n, p, q, tail), _asked_arms(n - held, n, 1 - q, 1 - p, tail)
    return float(max(up[0], down[0])) / (p - q)


def _arm(chance: float, n: int, tail: float) -> float:
    """x/n - chance for the real x from which on Bin(n, chance) has no more than the tail; all there is at most."""
    if not 0 < chance < 1:
        return 0.0
    if n * math.log(chance) >= math.log(tail):
        return 1 - chance
    # P(C >= x) = I(x, n - x + 1) for whole x, and an incomplete beta function of x between them.
    rarest = brent_root(lambda x: float(scipy.special.betainc(x, n - x + 1, chance)) - tail, 1e-9, n, xtol=1e-9)
    return max(rarest / n - chance, 0.0)


def _worst_arm(p: float, q: float, n: int, tail: float, sampled: bool, shrunk: float) -> float:
    """The largest excess of the estimate over any true share, shrunk and then cut to the shares that exist."""
    gap = p - q
    if not sampled:
        # Where tallies vary little, an arm swings with the place of their mean: there it is found to a thousandth.
        return highest_whole(
            lambda held: np.minimum(shrunk * _asked_arms(held, n, p, q, tail) / gap, 1 - held / n), 0, n
        )

    def excess(counts: Counts) -> Reals:
        lows = shares.share_at_least(counts, n, tail)
        reached = np.maximum(lows, q)
        return np.where(lows > p, 0.0, np.minimum(shrunk * (counts / n - reached), p - reached) / gap)

    # Nobody holds the value: the counts between two steps belong to this chance. Beyond the last count none is so rare.
    here, last = min(shrunk * _arm(q, n, tail) / gap, 1.0), math.ceil(n * (p + _arm(p, n, tail)))
    return max(here, highest_whole(excess, math.floor(n * q), min(last, n)))


def _asked_arms(held: Counts, n: int, p: float, q: float, tail: float) -> Reals:
    """(x - E C)/n for the real x from which on C ~ Bin(held, p) + Bin(n - held, q) has no more than the tail."""
    spread = held * p * (1 - p) + (n - held) * q * (1 - q)
    arms = np.zeros(len(held))
    wide = (spread >= tallies.LARGE) & (0 < q) & (p < 1)
    few = (spread > 0) & ~wide
    if wide.any():
        arms[wide] = _saddle_arms(held[wide], n, p, q, tail)
    if few.any():
        arms[few] = _inverted_arms(held[few], n, p, q, tail)
    return arms / n


def _saddle_arms(held: Counts, n: int, p: float, q: float, tail: float) -> Reals:
    """The arms by the saddle point: a real count between two whole ones has the tail of the smaller one, or less.

    Put through the normal law's quantile the tail is nearly a line, so that a few secants find where it is reached.
    """
    mean = held * p + (n - held) * q
    deviation = np.sqrt(held * p * (1 - p) + (n - held) * q * (1 - q))
    wanted = reaches.normal_quantile(tail)

    def rare(z: Reals) -> Reals:
        tails = tallies.saddle_at_least(np.minimum(mean + z * deviation, n), held, n, p, q)
        return -np.asarray(scipy.special.ndtri(np.clip(tails, 1e-300, 1 - 1e-16))) - wanted

    before, after = np.full(len(held), wanted), np.full(len(held), wanted) + 0.5 / deviation + 1e-3
    short = rare(before)
    for _ in range(12):
        if np.max(np.abs(after - before)) < 1e-10:
            break
        left = rare(after)
        slope = np.where(np.abs(left - short) > 1e-15, (after - before) / np.where(left == short, 1.0, left - short), 0)
        before, after, short = after, after - np.clip(left * slope, -1, 1), left
    return np.asarray(np.minimum((after + 1e-9) * deviation, n - mean))


def _inverted_arms(held: Counts, n: int, p: float, q: float, tail: float) -> Reals:
    """Arms from the law itself, by the Fourier transform of its generating function on a window around its mean.

    The logarithm of the tail runs straight from one whole number to the next, which lies above none of them.
    """
    mean = held * p + (n - held) * q
    start = np.floor(mean) - WINDOW // 2
    angles = 2 * math.pi * np.arange(WINDOW // 2 + 1) / WINDOW
    turn = np.exp(1j * angles)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = held[:, None] * np.log(1 - p + p * turn) + (n - held[:, None]) * np.log(1 - q + q * turn)
    shifted = np.exp(np.nan_to_num(logs, nan=-np.inf, neginf=-800.0) - 1j * angles * start[:, None])
    law = np.maximum(np.fft.irfft(np.conj(shifted), WINDOW, axis=1), 0)
    beyond = np.cumsum(law[:, ::-1], axis=1)[:, ::-1]  # P(C >= start + j)
    place = np.argmax(beyond <= tail, axis=1)  # the first whole number that rare
    rows = np.arange(len(held))
    after, before = np.maximum(beyond[rows, place], 1e-300), beyond[rows, np.maximum(place - 1, 0)]
    part = np.log(np.maximum(before, tail) / tail) / np.log(np.maximum(before / after, 1 + 1e-12))
    return np.asarray(np.minimum(start + place - 1 + np.minimum(part, 1.0), n) - mean)


@dataclass(frozen=True)
class NoisyAnswer(ErrorLaw):
    """One yes or no, drawn with a known share of yes, behind Laplace noise: the report less the share."""

    share: float
    scale: float

    @property
    def _drawn(self) -> float:
        return self.share * (1 - self.share)

    @property
    def variances(self) -> tuple[float, float]:
        one = self._drawn + 2 * self.scale**2
        return one, one

    @property
    def third(self) -> float:
        return self._drawn * abs(1 - 2 * self.share)

    @property
    def fourth(self) -> float:
        return self._drawn * (1 - 3 * self._drawn) + 12 * self._drawn * self.scale**2 + 24 * self.scale**4

    def log_moments(self, rates: Reals) -> Reals:
        return np.asarray(self.log_excess(rates)[:, None] + rates[:, None] * GRID)

    def log_excess(self, rates: Reals) -> Reals:
        squares = (rates * self.scale) ** 2
        inside = np.minimum(squares, 0.999999)
        drawn = np.log1p(self.share * np.expm1(np.minimum(rates, 600))) - rates * self.share
        return np.where((squares < 0.999999) & (rates < 600), drawn - np.log1p(-inside), np.inf)

    def log_excess_within(self, rates: Reals, variance: float) -> Reals:
        return self.log_excess(rates)

    def modulus(self, start: Reals, end: Reals, least: float) -> Reals:
        # |1 - f + f e^it|² = 1 - 4f(1-f) sin²(t/2), which falls up to π; the noise's falls for good.
        coins = np.sqrt(1 - 4 * self._drawn * np.sin(np.minimum(start, math.pi) / 2) ** 2)
        return np.asarray(np.where(end <= math.pi, coins, 1.0) / (1 + (start * self.scale) ** 2))


@lru_cache(maxsize=4096)
def _reach_of_noise(share: float, scale: float, n: int, tail: float, sampled: bool) -> float:
    """The reach of a mean of n answers behind Laplace noise: exact in a census, proved where people are drawn."""
    if not sampled or share in (0, 1):
        return scale * average_reach(tail, n)
    return max(reaches.reach(((NoisyAnswer(each, scale), n),), tail) for each in (share, 1 - share))


def _reach_of_bits(share: float, randomizer: BloomRandomizer, n: int, tail: float, sampled: bool) -> float:
    """The reach of the mean of n scores of known size and variance, for the word that is estimated worst.

    Bennett's, Cantelli's, and Berry's and Esseen's bound with E|ξ|³ <= (largest |ξ|) Var ξ; the nearest counts.
    """
    variance, largest = _worst_score(randomizer, share)
    if not math.isfinite(variance):
        return math.inf
    variance += share * (1 - share) * sampled
    deviation, largest = math.sqrt(variance / n), largest + 1
    esseen = min(reaches.BERRY_ESSEEN * largest / math.sqrt(variance * n), 1.0)
    rates = reaches.RATES * math.sqrt(-2 * math.log(tail)) / deviation
    bennetts = float(np.min((n * bennett(rates / n, variance, largest) - math.log(tail)) / rates))
    normal = reaches.NormalBound(deviation, 0.0, esseen).reach(tail)
    return min(normal, bennetts, deviation * math.sqrt(1 / tail - 1))


def _worst_score(randomizer: BloomRandomizer, share: float) -> tuple[float, float]:
    """The variance of one person's part in the estimate of a word of this share, and the largest such part.

    Of the word that is estimated worst, all other words being equally frequent.
    """
    fit, noise = bloom_fit(randomizer.design), randomizer.reported
    if not fit.solver[1].all():
        return math.inf, math.inf
    sums, loaded = fit.each
    own, other = (randomizer.design.cohorts * sums @ [1.0, *randomizer.bit_variances(1)]).T
    largest = max(1 - noise.raised, noise.raised) / abs(noise.gap)
    return float(np.max(share * (own - 1) + (1 - share) * other)), randomizer.design.cohorts * loaded.max() * largest
