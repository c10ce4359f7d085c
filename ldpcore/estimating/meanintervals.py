"""Intervals for means, for their differences and for several at once, exact or conservative for any people.

Chance is in the reports alone: the people asked are given, whatever their numbers are, and their mean is meant. With
`sampled` they are a random sample, and the mean of everybody behind them is meant. Laplace and normal noise have known
sums; one bit is counted exactly; everything else is bounded in `reaches`.

An estimate beyond -1 or 1 is no mean. The end that points inwards is never nearer than it would be had the estimate
been the nearest mean, so that no interval lies where no mean can be.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.estimating import reaches, shares
from ldpcore.estimating.averagereach import average_reach
from ldpcore.estimating.confidences import one_tail
from ldpcore.estimating.errorlaws import ErrorLaw, NoiseErrorLaw, PiecewiseErrorLaw
from ldpcore.estimating.intervals import Bounds
from ldpcore.estimating.reportlaws import error_law
from ldpcore.mechanisms.base import LocalRandomizer, NumberRandomizer
from ldpcore.numerics.arrays import Reals

DIGITS_LOST = 10**12  # people from which on the quantiles of the beta law are no longer exact
MANY = 4096  # of more estimates the ends are found on as many steps, each rounded outwards


def mean_interval(
    estimate: ArrayLike, randomizer: NumberRandomizer, n: int, confidence: float = 0.95, sampled: bool = False
) -> Bounds:
    """The means that the reports of n people do not contradict, on the scale of [-1, 1]; ends beyond it not cut off."""
    means, tail = np.asarray(estimate, dtype=np.float64), one_tail(confidence)
    if is_bit(law := error_law(randomizer)):
        assert isinstance(law, PiecewiseErrorLaw)
        return bit_interval(means, law.z0, n, confidence)
    low = _low(np.minimum(means, 1), law, n, tail, sampled)
    return Bounds(low, -_low(np.minimum(-means, 1), law, n, tail, sampled), confidence)


def is_bit(law: ErrorLaw) -> bool:
    """Whether a report is ±z₀ and nothing else."""
    return isinstance(law, PiecewiseErrorLaw) and law.step > 0 and law.asked == 1


def bit_interval(estimate: Reals, z0: float, n: int, confidence: float = 0.95) -> Bounds:
    """The interval after Clopper and Pearson, from the number of +1: never less than the stated confidence, for any n.

    For a random sample of people the number is binomial. For given people it is a sum of unequal coins, which strays
    less than a binomial number of the same mean beyond one from it (Hoeffding, 1956); within one of it lies more than a
    quarter on either side, but where all coins but less than one fall alike, and there the other side has no error. So
    from a confidence of one half on the interval is right and, where numbers differ much, wider than need be; the bits
    themselves cannot tell.
    """
    tail = one_tail(confidence)
    count = np.clip(np.rint((np.asarray(estimate) / z0 + 1) * n / 2), 0, n)
    low, high = shares.share_at_least(count, n, tail), shares.share_at_most(count, n, tail)
    return Bounds(z0 * (2 * low - 1), z0 * (2 * high - 1), confidence)


def _low(means: Reals, law: ErrorLaw, n: int, tail: float, sampled: bool) -> Reals:
    """The lower ends: the highest of those that each bound proves."""
    if not sampled and isinstance(law, NoiseErrorLaw):
        return np.asarray(means - _noise_reach(law, n, tail))
    judged = reaches.Sampled(law) if sampled else law
    ends = _low_by_reach(means, judged, n, tail)
    if np.all(means - ends <= reaches.NEAR * _normal_reach(judged, n, tail)):
        return ends
    if means.size <= MANY:
        return np.maximum(ends, reaches.low_ends(means, judged, n, tail))
    steps = np.linspace(means.min(), means.max(), MANY)
    lows = reaches.low_ends(steps, judged, n, tail)  # they rise with the estimate
    return np.maximum(ends, lows[np.searchsorted(steps, means, side="right") - 1])


def _low_by_reach(means: Reals, law: ErrorLaw, n: int, tail: float) -> Reals:
    """The estimates minus the proved reach; of a sample, less at either end of the scale."""
    groups = ((law, n),)
    if not isinstance(law, reaches.Sampled):
        return np.asarray(means - reaches.reach(groups, tail))
    bound = reaches.fourier(groups, tail)
    if math.isinf(z := bound.quantile(tail)):
        return np.asarray(means - reaches.reach(groups, tail))
    # (m̂ - m)² = z²(V - m²/n) with its discriminant, without the cancelling m̂²; V holds people at both ends.
    moved, bend = means - bound.shift, z * z / n
    spread = z * z * bound.deviation**2 * (1 + bend) - bend * moved**2
    return np.asarray((moved - np.sqrt(np.maximum(spread, 0))) / (1 + bend))


def _normal_reach(law: ErrorLaw, n: int, tail: float) -> float:
    return reaches.normal_quantile(tail) * math.sqrt(law.variances[1] / n)


def _noise_reach(law: NoiseErrorLaw, n: int, tail: float) -> float:
    """The one-sided distance that the mean of n noises exceeds with probability `tail`."""
    if law.laplace:
        return law.scale * average_reach(tail, n)
    return law.scale * reaches.normal_quantile(tail) / math.sqrt(n)


@lru_cache(maxsize=1 << 14)
def mean_reach(randomizer: LocalRandomizer, n: int, confidence: float = 0.95, sampled: bool = False) -> float:
    """The largest reach of a mean's interval from its estimate: for plans, whatever numbers people hold.

    Of a vector it is that of one of its means, for the confidence that this one is given.
    """
    tail, law = one_tail(confidence), error_law(randomizer)
    if is_bit(law):
        assert isinstance(law, PiecewiseErrorLaw)
        return _bit_reach(law.z0, n, confidence)
    if isinstance(law, NoiseErrorLaw) and not sampled:
        return _noise_reach(law, n, tail)
    return reaches.reach(((reaches.Sampled(law) if sampled else law, n),), tail)


def _bit_reach(z0: float, n: int, confidence: float) -> float:
    """The longest arm of the exact interval, which it has somewhat off the middle.

    Beyond 10¹² people the quantiles of the beta law lose their digits; there the reach falls with the root of the
    number, to a millionth of itself.
    """
    if n > DIGITS_LOST:
        return _bit_reach(z0, DIGITS_LOST, confidence) * math.sqrt(DIGITS_LOST / n)
    return 2 * z0 * shares.longest_arm(n, one_tail(confidence))


def mean_difference(
    one: ArrayLike,
    other: ArrayLike,
    randomizer: NumberRandomizer,
    sizes: tuple[int, int],
    confidence: float = 0.95,
) -> Bounds:
    """The differences, first less second, that the reports of two groups of these sizes do not contradict."""
    between = np.asarray(one, dtype=np.float64) - np.asarray(other, dtype=np.float64)
    reach = difference_reach(randomizer, sizes, confidence)
    return Bounds(np.minimum(between, 2) - reach, np.maximum(between, -2) + reach, confidence)


def difference_reach(randomizer: NumberRandomizer, sizes: tuple[int, int], confidence: float = 0.95) -> float:
    """The largest error of the difference of the means of two groups, with the confidence: their errors add up."""
    tail, law = one_tail(confidence), error_law(randomizer)
    if isinstance(law, NoiseErrorLaw) and not law.laplace:
        return math.hypot(*(_noise_reach(law, n, tail) for n in sizes))
    return reaches.reach(tuple((law, n) for n in sizes), tail)
