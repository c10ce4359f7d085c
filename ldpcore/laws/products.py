"""The distance of all reports of many independent users, each with the same two laws of one report.

With two different reports the number of the first kind says all: two binomials, exactly, for any number of users.
With more, the law of the sum of all losses is doubled again and again on a lattice, from below and from above.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate, repeat

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ldpcore.laws.channels import Pair
from ldpcore.laws.divergences import laws
from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.binomials import more_than
from ldpcore.numerics.bisection import least_up_to
from ldpcore.numerics.digits import nine_digits_up
from ldpcore.parameters import ParameterError

STEPS = 60  # of the lattice to one loss of usual size: what rounding hides falls with the square
CELLS = 8192  # more are merged two by two
PLACES = 1 << 18  # of one user's losses, at most: beyond, the step is coarser, and both ends say so
DECIDED = 40.0  # a loss from which on a report has told the worlds apart, but for e^-40
TAIL = 1e-14  # mass beyond the ends of a lattice, each time
ROUNDING = 1e-9  # what all Fourier transforms may add
MOST = 2**40  # users


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
class Bracket:
    """A number that is known exactly, or between two ends."""

    low: float
    high: float

    @property
    def exact(self) -> bool:
        """Whether both ends are the number itself."""
        return self.low == self.high


@dataclass(frozen=True, eq=False)
class Sums:
    """The sum of the losses of some users on one lattice, twice.

    `first` and `second` are the laws of the rounded losses: a function of the reports, and their distance a lower end.
    `upper` is the law under the first world of losses split between two places such that both masses stay: it betrays
    at least as much, `certain` included, and gives the upper end.
    """

    step: float
    lowest: int
    first: Reals
    second: Reals
    bottom: int
    upper: Reals
    certain: float

    @classmethod
    def of_one(cls, p: Reals, q: Reals) -> Sums:
        """The sums of one user; reports that one world excludes are no sum at all, and betray for certain."""
        both = (p > 0) & (q > 0)
        # A loss beyond the ends keeps p e^{DECIDED - loss} at the end, as its q allows, and betrays the rest.
        exact = np.log(p[both]) - np.log(q[both])
        losses, kept = np.clip(exact, -DECIDED, DECIDED), p[both] * np.exp(np.minimum(DECIDED - exact, 0.0))
        usual = math.sqrt(float(np.dot((p + q)[both] / 2, losses**2)))
        step = max(usual / STEPS, float(np.ptp(losses)) / PLACES, 1e-12)
        places, floors = np.round(losses / step).astype(np.int64), np.floor(losses / step).astype(np.int64)
        lowest, bottom = int(places.min()), int(floors.min())
        # p = a + b and q = a e^{-low} + b e^{-high}: the share that goes up is (1 - e^{low - l})/(1 - e^{low - high}).
        up = np.clip(-np.expm1(floors * step - losses) / -math.expm1(-step), 0, 1)
        split = np.zeros(int(floors.max()) - bottom + 2)
        np.add.at(split, floors - bottom, kept * (1 - up))
        np.add.at(split, floors - bottom + 1, kept * up)
        first, second = (np.bincount(places - lowest, law[both]).astype(np.float64) for law in (p, q))
        return cls(step, lowest, first, second, bottom, split, float(p[~both].sum() + (p[both] - kept).sum()))

    def __add__(self, other: Sums) -> Sums:
        """The sums of both groups of users together, on the coarser lattice."""
        one, two = (self, other) if self.step >= other.step else (other, self)
        while two.step < one.step * (1 - 1e-9):
            two = two.coarser()
        total = Sums(
            one.step,
            one.lowest + two.lowest,
            _convolved(one.first, two.first),
            _convolved(one.second, two.second),
            one.bottom + two.bottom,
            _convolved(one.upper, two.upper),
            -math.expm1(math.log1p(-min(one.certain, 1 - 1e-16)) + math.log1p(-min(two.certain, 1 - 1e-16))),
        ).trimmed()
        while len(total.first) > CELLS:
            total = total.coarser()
        return total

    def coarser(self) -> Sums:
        """The sums on a lattice of half as many places: merged for the lower end, split for the upper."""
        first, lowest = _even(self.first, self.lowest)
        second, _ = _even(self.second, self.lowest)
        upper, bottom = _even(self.upper, self.bottom)
        up = 1 - 1 / (1 + math.exp(min(self.step, 700.0)))
        even, odd = upper[::2], upper[1::2]
        split = np.append(even + (1 - up) * odd, 0.0)
        split[1:] += up * odd
        merged = first[::2] + first[1::2], second[::2] + second[1::2]
        return Sums(2 * self.step, lowest // 2, *merged, bottom // 2, split, self.certain)

    def trimmed(self) -> Sums:
        """The sums with far ends made one place each, always on the side that keeps both ends true."""
        both = self.first + self.second
        low, high = _ends(both)
        first, second = (_lumped(law, low, high) for law in (self.first, self.second))
        start, stop = _ends(self.upper)
        upper = self.upper[start:stop].copy()
        upper[0] += self.upper[:start].sum()
        return Sums(
            self.step,
            self.lowest + low,
            first,
            second,
            self.bottom + start,
            upper,
            min(self.certain + float(self.upper[stop:].sum()), 1.0),
        )

    def distance(self) -> Bracket:
        """The total variation, between its two ends."""
        apart = float(np.abs(self.first - self.second).sum())
        apart += 2 - float(self.first.sum()) - float(self.second.sum())  # somebody sent what the other world excludes
        losses = self.step * np.arange(self.bottom, self.bottom + len(self.upper))
        most = float(np.dot(self.upper, -np.expm1(-np.maximum(losses, 0)))) + self.certain
        return Bracket(max(apart / 2 - ROUNDING, 0.0), min(most + ROUNDING, 1.0))


def _convolved(one: Reals, two: Reals) -> Reals:
    return np.maximum(scipy.signal.fftconvolve(one, two), 0.0)


def _even(law: Reals, lowest: int) -> tuple[Reals, int]:
    """A law that begins and ends such that places go in pairs from an even one on."""
    before = lowest % 2
    return np.pad(law, (before, (len(law) + before) % 2)), lowest - before


def _ends(law: Reals) -> tuple[int, int]:
    """Places between which all but a tail at either end lies."""
    below, above = np.cumsum(law), np.cumsum(law[::-1])
    low, high = int(np.searchsorted(below, TAIL)), len(law) - int(np.searchsorted(above, TAIL))
    return min(low, len(law) - 1), max(high, min(low, len(law) - 1) + 1)


def _lumped(law: Reals, low: int, high: int) -> Reals:
    kept = law[low:high].copy()
    kept[0] += law[:low].sum()
    kept[-1] += law[high:].sum()
    return kept


@dataclass(frozen=True, eq=False)
class RepeatedPair:
    """A pair of laws repeated over any number of users: `doubled[j]` is the sum of 2^j of them."""

    first: Reals
    second: Reals
    doubled: tuple[Sums, ...] = ()

    @classmethod
    def of(cls, p: ArrayLike, q: ArrayLike, most: int = MOST) -> RepeatedPair:
        """Two laws, and all doublings up to `most` users; with two different reports none are needed."""
        first, second = by_ratio(p, q)
        if len(first) <= 2 or not ((first > 0) & (second > 0)).any():
            return cls(first, second)
        times = max(most.bit_length() - 1, 0)
        one = Sums.of_one(first, second)
        return cls(first, second, tuple(accumulate(repeat(one, times + 1), lambda total, _: total + total)))

    @property
    def exact(self) -> bool:
        """Whether the distance of any number of reports is a number, and not between two ends."""
        return len(self.first) <= 2 or not self.doubled

    def distance(self, n: int) -> Bracket:
        """The total variation between n reports of one law and n of the other: exact, or between two narrow ends."""
        if n < 1:
            raise ParameterError("whole_from", name="n", low=1, got=n)
        if n == 1 or len(self.first) == 1:
            exact = min(float(np.abs(self.first - self.second).sum()) / 2, 1.0)
        elif len(self.first) == 2:
            exact = _binomial_distance(float(self.first[1]), float(self.second[1]), n)
        elif not self.doubled:
            exact = 1.0  # nothing is possible in both worlds
        else:
            parts = [self.doubled[place] for place in range(n.bit_length()) if n >> place & 1]
            return reduce(lambda one, other: one + other, parts).distance()
        return Bracket(exact, exact)

    def fewest(self, distance: float, most: int = MOST) -> int | None:
        """The fewest users whose reports are at least this far apart, by the lower end; None where `most` are not.

        Exactly the fewest where distances are exact, with nine digits beyond a billion; else a thousandth more at most.
        """
        part = 10**10 if self.exact else 1000
        fewest = least_up_to(lambda n: self.distance(n).low >= distance, most, part=part)
        return fewest if fewest is None else nine_digits_up(fewest)


def distance_of(p: ArrayLike, q: ArrayLike, n: int) -> Bracket:
    """The total variation between n reports of one law and n of the other."""
    if n < 1:
        raise ParameterError("whole_from", name="n", low=1, got=n)
    return RepeatedPair.of(p, q, n).distance(n)


def _binomial_distance(p: float, q: float, n: int) -> float:
    """P(X > c) - Q(X > c) for the count c up to which the second law is likelier: the ratio rises in X as p > q."""
    if p == q:
        return 0.0
    if p == 1 or q == 0:
        # The first law never misses, or the second never hits: what both allow is one count only.
        return float(1 - (q if p == 1 else 1 - p) ** n)
    # By the difference itself, which huge crowds need: log(p/q) would keep nothing of what hardly differs.
    rise, fall = math.log1p((p - q) / q), math.log1p((p - q) / (1 - p))
    cut = math.floor(n * fall / (rise + fall) * (1 + 1e-15))
    return max(float(more_than(cut, n, p) - more_than(cut, n, q)), 0.0)
