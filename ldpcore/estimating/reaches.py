"""The reach of a mean of independent reports: a proved bound on its error, for every crowd.

Four bounds, of which the nearest counts. Each promises P(mean - truth >= reach) <= tail whatever numbers people hold.

- Chernoff: e^{-λd} E e^{λ(mean - truth)} at the best λ, the generating function at its largest: right for any n.
- Fourier: the normal law, corrected by everything that its characteristic function may differ by from that of the mean
  (for |φ - normal| <= δ the distribution functions differ by at most (1/π)∫δ(t)/t dt): sharp from some hundred people.
- Berry and Esseen: within 0.56 Σ E|ξ|³/(Σ E ξ²)^{3/2} of the normal law; Shevtsova (2010), for unequal terms.
- Cantelli, Var/(Var + d²): where confidence is low and people are few.

References: Feller (1971), An introduction to probability theory and its applications II, XVI.3-5; Esseen (1945),
Fourier analysis of distribution functions, Acta Math. 77; Bennett (1962), JASA 57.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import scipy
from numpy.typing import NDArray

from ldpcore.estimating.errorlaws import GRID, ErrorLaw, raised
from ldpcore.numerics.arrays import Reals

BERRY_ESSEEN = 0.56  # Shevtsova (2010), On the accuracy of the normal approximation for sums of independent variables
HUMP = 0.17850  # the largest (z² - 1)φ(z), at z = √3
SMOOTHING = 24 / math.pi  # Esseen's constant for what lies beyond the last frequency
RATES = np.geomspace(0.02, 5, 28)  # λ in units of the normal law's best one
NEAR = 1.1  # times the normal law's distance: nearer than Chernoff's bound comes for any tail in use
GOOD = 1.01  # times the normal law's distance: no sharper bound is looked for
LISTED = 64  # numbers of people up to which each has a bound of its own
ROUNDED = 4e-16  # by which a logarithm near 0 may be too small: for each of 10¹⁸ people, that is more than all the rest
SHARES = (0.97, 0.9, 0.75, 0.5)  # of the variance that Chernoff's bound can stand for
RandomizerGroups = tuple[tuple[ErrorLaw, int], ...]


@dataclass(frozen=True)
class Sampled(ErrorLaw):
    """The law of Z - m where a person is drawn at random from people of mean m: their own difference is added.

    Its generating function is largest for people at both ends, because that of a report is convex in its number.
    """

    given: ErrorLaw

    @property
    def step(self) -> float:  # type: ignore[override]
        return self.given.step

    @property
    def variances(self) -> tuple[float, float]:
        least, most = self.given.variances
        return least, most + 1

    @property
    def third(self) -> float:
        # E(X - m)³ is 4/(3√3) at most, E|X - m| is 1 at most; the mixed term is 3 E v(X)(X - m).
        least, most = self.given.variances
        return self.given.third + 1.5 * (most - least) + 4 / (3 * math.sqrt(3))

    @property
    def fourth(self) -> float:
        return self.given.fourth + 4 * self.given.third + 6 * self.given.variances[1] + 4 / 3

    def log_moments(self, rates: Reals) -> Reals:
        ends = self.given.log_moments(rates)[:, [0, -1]]
        up, finite = (1 + GRID) / 2, np.isfinite(ends).all(axis=1)
        logs = np.full((len(rates), len(GRID)), np.inf)
        with np.errstate(divide="ignore"):
            logs[finite] = np.logaddexp(np.log(1 - up) + ends[finite, :1], np.log(up) + ends[finite, 1:])
        return logs

    def log_excess_within(self, rates: Reals, variance: float) -> Reals:
        return self.log_excess(rates)

    def modulus(self, start: Reals, end: Reals, least: float) -> Reals:
        return self.given.modulus(start, end, self.given.variances[0])


@dataclass(frozen=True)
class NormalBound:
    """P(mean - truth >= shift + zσ) <= Φ(-z) + skew·|z² - 1|φ(z) + off for every z >= 0, σ the largest deviation."""

    deviation: float
    skew: float
    off: float
    shift: float = 0.0

    def quantile(self, tail: float) -> float:
        """The smallest z found by which no more than `tail` is left; infinite where the error alone is more."""
        z = max(normal_quantile(tail), 0.0)
        for _ in range(60):
            hump = abs(z * z - 1) * math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
            left = tail - self.off - self.skew * (hump if z > math.sqrt(3) else max(hump, HUMP))
            if left <= 0:
                return math.inf
            after = max(normal_quantile(min(left, 0.5)), z)  # from below, so that the first fixed point counts
            if after - z < 1e-12:
                return after
            z = after
        return math.inf

    def reach(self, tail: float) -> float:
        """shift + zσ."""
        return self.shift + self.deviation * self.quantile(tail)


def deviations(groups: RandomizerGroups) -> tuple[float, float]:
    """The smallest and the largest variance of the mean's error, or of the sum of the errors of means."""
    least, most = (sum(law.variances[end] / n for law, n in groups) for end in (0, 1))
    return least, most


def reach(groups: RandomizerGroups, tail: float) -> float:
    """The least proved distance that the error exceeds on one side with at most this probability."""
    most = deviations(groups)[1]
    normal, near = normal_quantile(tail) * math.sqrt(most), fourier(groups, tail).reach(tail)
    if near <= NEAR * normal:
        return near
    near = min(near, berry_esseen(groups).reach(tail), math.sqrt(most * (1 / tail - 1)))
    # Chernoff's bound is never much nearer than the normal law: it is left out where another one is as near.
    return near if near <= NEAR * normal else min(near, chernoff(groups, tail))


def normal_quantile(tail: float) -> float:
    """z such that the normal law leaves `tail` beyond it."""
    return -float(scipy.special.ndtri(tail))


@lru_cache(maxsize=1024)
def berry_esseen(groups: RandomizerGroups) -> NormalBound:
    """The normal law within Berry and Esseen's distance."""
    least, most = deviations(groups)
    cubes = sum(math.sqrt(law.fourth * law.variances[1]) / n**2 for law, n in groups)
    return NormalBound(math.sqrt(most), 0.0, min(BERRY_ESSEEN * cubes / max(least, 1e-200) ** 1.5, 1.0))


def chernoff(groups: RandomizerGroups, tail: float) -> float:
    """min over λ of (Σ ln E e^{λ error} + ln(1/tail))/λ."""
    rates = rates_for(groups, tail)
    total = sum(n * (law.log_excess(rates / n) + ROUNDED) for law, n in groups)
    return float(np.min((total - math.log(tail)) / rates))


def rates_for(groups: RandomizerGroups, tail: float) -> Reals:
    """The grid of candidates for the best λ: around √(2 ln(1/tail)/Var), the normal law's, and mostly below it."""
    return np.asarray(RATES * math.sqrt(-2 * math.log(tail) / max(deviations(groups)[1], 1e-300)))


def low_ends(estimates: Reals, law: ErrorLaw, n: int, tail: float) -> Reals:
    """The smallest means that Chernoff's bound does not reject: sharper than one reach for all where laws are skewed.

    People of mean m have Σ ln E e^{λZ} of at most n times the concave hull in m, which is the tallest for the crowd.
    """
    lows = np.full(np.shape(estimates), -np.inf)
    for edges, means in _rejections(law, n, tail):
        lows = np.maximum(lows, np.interp(estimates, edges, means, left=-np.inf, right=1.0))
    return lows


@lru_cache(maxsize=64)
def _rejections(law: ErrorLaw, n: int, tail: float) -> tuple[tuple[Reals, Reals], ...]:
    """For each rate the means of the hull's corners, and the estimates from which on each is rejected.

    That is (hull(m) + ln(1/tail)/n)/λ, which grows with m.
    """
    rates = rates_for(((law, n),), tail) / n
    tops, bounds = raised(law.log_moments(rates)), []
    for rate, top in zip(rates, tops, strict=True):
        if np.isfinite(top).all():
            kept = hull(GRID, top)
            bounds.append(((top[kept] + ROUNDED - math.log(tail) / n) / rate, GRID[kept]))
    return tuple(bounds)


def hull(x: Reals, y: Reals) -> NDArray[np.intp]:
    """The places of the points of the upper concave hull: the two ends of a convex part, all of a concave one."""
    bends = np.diff(y, 2)
    if (bends >= 0).all() or (bends <= 0).all():
        return np.array([0, len(x) - 1]) if (bends >= 0).all() else np.arange(len(x))
    kept: list[int] = []
    for place in range(len(x)):
        while len(kept) > 1:
            one, two = kept[-2], kept[-1]
            if (y[two] - y[one]) * (x[place] - x[one]) > (y[place] - y[one]) * (x[two] - x[one]):
                break
            kept.pop()
        kept.append(place)
    return np.array(kept)


def fourier(groups: RandomizerGroups, tail: float) -> NormalBound:
    """The sharpest of the bounds by characteristic functions for this tail; of one group for a few people less.

    The more people, the nearer the normal law: what is true of the next smaller number of a list is true of n, and the
    reach falls with n whatever the list. So nearby numbers share one computation.
    """
    if len(groups) > 1 or (n := groups[0][1]) <= LISTED:
        return _sharpest(groups, tail)
    fewer = math.floor(2 ** (math.floor(16 * math.log2(n)) / 16))
    bound, share = _sharpest(((groups[0][0], fewer),), tail), fewer / n
    return NormalBound(bound.deviation * math.sqrt(share), bound.skew, bound.off, bound.shift * share)


@lru_cache(maxsize=4096)
def _sharpest(groups: RandomizerGroups, tail: float) -> NormalBound:
    """The bound for exactly these people.

    A crowd that varies much less than another can is no danger: Bennett's inequality alone leaves it less than `tail`
    beyond the reach. So the normal law need not be near for crowds of a smaller variance than a share of the largest.
    """
    least, most = deviations(groups)
    plain = corrected(groups, least)
    law, n = groups[0]
    near = plain.quantile(tail) <= GOOD * normal_quantile(tail)
    if near or len(groups) > 1 or least > SHARES[-1] * most or isinstance(law, Sampled):
        return plain
    for share in SHARES:
        floor = share * most * normal_quantile(tail) ** 2 / (-2 * math.log(tail))
        if floor <= least:
            break
        bound = corrected(groups, floor)
        distance, rates = bound.reach(tail), rates_for(groups, tail)
        if math.isinf(distance):
            continue
        logs = n * (law.log_excess_within(rates / n, floor * n) + ROUNDED) - rates * distance
        if float(logs.min()) <= math.log(tail):
            return bound if distance < plain.reach(tail) else plain
    return plain


def corrected(groups: RandomizerGroups, least: float) -> NormalBound:
    """The normal law corrected by its characteristic function's distance from that of the mean.

    For every crowd with at least this variance of the mean. With κ the third cumulant and r the largest remainder of
    the logarithm, φ lies within e^{-Vt²/2}(r e^r + (κt³)²/72) of the reference e^{-Vt²/2}(1 - iκt³/6), and beyond some
    t both are small. Where reports lie on a grid, a uniform number of its width is added: it moves nothing by more than
    half a step, and its own frequencies make the rest.
    """
    most = deviations(groups)[1]
    floors = [least * n if len(groups) == 1 else law.variances[0] for law, n in groups]
    step = next((law.step / n for law, n in groups if law.step), 0.0)
    skew = sum(law.third / n**2 for law, n in groups)
    most, least = most + step**2 / 12, least + step**2 / 12
    if not 0 < least < math.inf:
        return NormalBound(math.sqrt(most), 0.0, 1.0)
    last = math.pi / step if step else 1e9 / math.sqrt(least)
    t = np.geomspace(min(0.02 / math.sqrt(most), last / 2), last, 220)
    sizes = [_log_sizes(law, n, t, floor) for (law, n), floor in zip(groups, floors, strict=True)]
    normal, cube = np.exp(-least * t**2 / 2), skew * t**3 / 6
    rest = _remainders(groups, t, step)
    with np.errstate(over="ignore", invalid="ignore"):
        near = np.where(rest < 300, normal * (rest * np.exp(np.minimum(rest, 300)) + cube**2 / 2), np.inf)
    far = np.exp(sum(sizes)) * np.sinc(t[:-1] * step / 2 / math.pi) + (normal * (1 + cube))[:-1]
    inner = np.minimum(np.maximum(near[1:], near[:-1]), far)
    # Beyond the last frequency: Esseen's smoothing; of a grid the echoes around 2πk/step, in all step²/4 ∫δ|φ|ⁿdδ.
    bent = skew / least**1.5
    beyond = SMOOTHING * (0.4 + bent) / math.sqrt(least) / last
    if step:
        lattice = next(place for place, (law, _) in enumerate(groups) if law.step)
        echo = float((np.exp(sizes[lattice]) * np.diff(t) * t[1:]).sum()) + t[0] ** 2 / 2
        beyond = (step**2 / 4 * echo + float(normal[-1]) * (1 + cube[-1]) / (least * last**2)) / math.pi
    off = float(inner.sum()) * math.log(t[1] / t[0]) / math.pi + beyond
    return NormalBound(math.sqrt(most), bent / 6, min(off, 1.0), step / 2)


def _log_sizes(law: ErrorLaw, n: int, t: Reals, floor: float) -> Reals:
    """ln of the largest characteristic function of one group's mean between every two frequencies."""
    with np.errstate(divide="ignore"):
        return np.asarray(n * np.log(law.modulus(t[:-1] / n, t[1:] / n, floor)))


def _remainders(groups: RandomizerGroups, t: Reals, step: float) -> Reals:
    """The remainder of the characteristic function's logarithm after the second and third cumulants, at most.

    Of one term |φ - 1 + vt²/2 + iκt³/6| <= μ₄t⁴/24, and |ln(1+w) - w| <= |w|²/(2(1-|w|)) with |w| <= vt²/2.
    """
    parts = [(law.fourth / n**3, law.variances[1] / n**2, n) for law, n in groups]
    if step:
        parts.append((step**4 / 80, step**2 / 12, 1))
    rest = np.zeros_like(t)
    for fourth, variance, n in parts:
        away = variance * t**2 / 2
        inside = np.minimum(away, 0.9)
        rest += np.where(away < 0.9, fourth * t**4 / 24 + n * inside**2 / (2 * (1 - inside)), np.inf)
    return rest
