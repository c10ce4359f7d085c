"""The information in a report: the laws of the reports of two values, side by side.

A `Comparison` holds the two laws that one pair of inputs gives and answers what an observer can learn from a report.
`Pair` is the finite one, on the coarsest partition of the reports that keeps the likelihood ratio, so that its cost
does not grow with the number of reports; `Finite` is a whole channel, report by report, for small cases and matrices.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from itertools import permutations

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.roots import brent_root

CLASSES = 4096  # of reports by their ratio, which are told apart
LARGEST = 700.0  # e^700 is the largest power that a double holds; a level beyond it is called infinite


class Comparison(ABC):
    """The report laws P and Q of two inputs."""

    @abstractmethod
    def loss(self) -> float:
        """The largest privacy loss in either direction, max(D_inf(P||Q), D_inf(Q||P)); infinite if one excludes."""

    @abstractmethod
    def delta(self, epsilon: float) -> float:
        """The hockey-stick divergence E_γ at γ = e^ε, the larger of both directions: sup_A P(A) - e^ε Q(A)."""

    @abstractmethod
    def cut(self, pieces: int = 64) -> Pair:
        """The two laws on finitely many events, no finer than `pieces`: post-processing, so the loss never grows."""

    def level(self, delta: float = 0.0) -> float:
        """The smallest ε with E_γ ≤ δ at γ = e^ε, in both directions; with δ = 0 the largest log ratio itself."""
        if delta == 0:
            return self.loss()
        most = delta * (1 + 1e-12)  # where the curve lies flat at δ, its beginning counts
        if self.delta(0.0) <= most:
            return 0.0
        high = min(self.loss(), LARGEST)
        if self.delta(high) > most:
            return math.inf
        return brent_root(lambda epsilon: self.delta(epsilon) - most, 0.0, high, xtol=1e-13)


@dataclass(frozen=True, eq=False)
class Pair(Comparison):
    """Two laws on finitely many outcomes, which may be classes of reports with one likelihood ratio.

    `log_ratio`, when given, is ln(P/Q) outcome by outcome, computed where probabilities alone would lose digits.
    """

    first: Reals
    second: Reals
    outcomes: tuple[str, ...] = ()
    log_ratio: Reals | None = None

    def ratios(self) -> Reals:
        """The privacy loss ln(P/Q) of each outcome; ±inf where only one value allows it, 0 where neither does."""
        if self.log_ratio is not None:
            return np.where((self.first > 0) | (self.second > 0), self.log_ratio, 0.0)
        with np.errstate(divide="ignore"):
            logs = np.log(self.first), np.log(self.second)
        possible = (self.first > 0) | (self.second > 0)
        return np.subtract(*logs, out=np.zeros(len(self.first)), where=possible)

    def loss(self) -> float:
        return float(np.max(np.abs(self.ratios()), initial=0.0))

    def delta(self, epsilon: float) -> float:
        """The hockey-stick divergence as ΣP·max(1 - e^(ε - loss), 0), exact where P - e^ε Q would cancel."""
        ratios = self.ratios()
        with np.errstate(over="ignore"):
            forth = self.first * -np.expm1(np.minimum(epsilon - ratios, 0))
            back = self.second * -np.expm1(np.minimum(epsilon + ratios, 0))
        return float(max(forth.sum(), back.sum(), 0.0))

    def cut(self, pieces: int = 64) -> Pair:
        """The events of the two largest ratios; the rest merged with their neighbors in order of the ratio."""
        if len(self.first) <= pieces:
            return self
        order = np.argsort(self.ratios(), kind="stable")
        groups = [order[:1], *np.array_split(order[1:-1], pieces - 2), order[-1:]]
        first, second = (np.array([law[group].sum() for group in groups]) for law in (self.first, self.second))
        return Pair(first, second)


@dataclass(frozen=True)
class LaplaceShift(Comparison):
    """Laplace noise of one scale around two centers that lie `shift` apart."""

    scale: float
    shift: float

    def loss(self) -> float:
        # ln p(z)/q(z) = (|z - shift| - |z|)/b, which the triangle inequality bounds by shift/b; equality beyond
        # either center.
        return self.shift / self.scale

    def delta(self, epsilon: float) -> float:
        # P - e^ε Q is positive left of z* = (shift - ε b)/2, where it sums to 1 - e^((ε - shift/b)/2) exactly.
        return float(-np.expm1(min((epsilon - self.loss()) / 2, 0.0)))

    def cut(self, pieces: int = 64) -> Pair:
        """The events of both tails, where the loss is attained, and of equal steps between the centers."""
        edges = np.linspace(0, self.shift, max(pieces - 1, 2))
        first, second = (
            masses(laplace_cdf(edges - center, self.scale), laplace_cdf(center - edges, self.scale))
            for center in (0.0, self.shift)
        )
        # Within a cell both laws fall like e^{∓z/b}, so that its ratio is that of its middle, to the last digit.
        loss = self.loss()
        inner = (self.shift - edges[1:] - edges[:-1]) / self.scale
        return Pair(first, second, (), np.concatenate([[loss], inner, [-loss]]))


@dataclass(frozen=True)
class GaussianShift(Comparison):
    """Normal noise of one standard deviation around two centers that lie `shift` apart: no finite pure level."""

    scale: float
    shift: float

    def loss(self) -> float:
        # ln p(z)/q(z) = (shift² - 2 z shift)/(2σ²), which no bound holds as z runs away from the second center.
        return np.inf if self.shift else 0.0

    def delta(self, epsilon: float) -> float:
        """Φ(r/2 - ε/r) - e^ε Φ(-r/2 - ε/r) with r = shift/σ (Balle and Wang, 2018, the analytic Gaussian)."""
        if not self.shift:
            return 0.0
        r = self.shift / self.scale
        near, far = r / 2 - epsilon / r, r / 2 + epsilon / r
        # e^ε φ(far) = φ(near), so both terms share one factor and only scaled tails are subtracted: nothing overflows.
        peak = np.exp(-(near**2) / 2) / 2
        own = peak * scipy.special.erfcx(-near / np.sqrt(2)) if near < 0 else scipy.special.ndtr(near)
        return float(max(own - peak * scipy.special.erfcx(far / np.sqrt(2)), 0.0))

    def cut(self, pieces: int = 64) -> Pair:
        """The events of equal steps over six standard deviations beyond either center, and of the tails."""
        edges = np.linspace(-6 * self.scale, self.shift + 6 * self.scale, max(pieces - 1, 2))
        first, second = (
            masses(scipy.special.ndtr((edges - center) / self.scale), scipy.special.ndtr((center - edges) / self.scale))
            for center in (0.0, self.shift)
        )
        return Pair(first, second)


def gaussian_levels(shifts: ArrayLike, delta: float) -> Reals:
    """The smallest levels with Φ(r/2 - ε/r) - e^ε Φ(-r/2 - ε/r) ≤ δ for many shifts r, in standard deviations."""
    r = np.asarray(shifts, dtype=np.float64)
    low, high = np.zeros_like(r), r * r / 2 + r * math.sqrt(-2 * math.log(delta))
    for _ in range(70):
        level = (low + high) / 2
        lost = np.exp(scipy.special.log_ndtr(r / 2 - level / r))
        excess = lost - np.exp(level + scipy.special.log_ndtr(-r / 2 - level / r))
        low, high = np.where(excess > delta, level, low), np.where(excess > delta, high, level)
    apart = scipy.special.erf(r / np.sqrt(8))  # δ at the level 0
    return np.asarray(np.where(apart <= delta, 0.0, high), dtype=np.float64)


def together(one: Pair, other: Pair, most: int = CLASSES) -> Pair:
    """Two independent reports at once: probabilities multiply and losses add up; equal losses are one class."""
    ratios = np.add.outer(one.ratios(), other.ratios()).ravel()
    return classes(np.outer(one.first, other.first).ravel(), np.outer(one.second, other.second).ravel(), ratios, most)


def classes(first: Reals, second: Reals, ratios: Reals, most: int = CLASSES) -> Pair:
    """Outcomes of one ratio merged, which loses nothing; of more than `most`, neighbors in the middle are merged too.

    That is post-processing: the largest losses stay as they are, and δ between them comes out at most too small.
    """
    order = np.argsort(ratios, kind="stable")
    first, second, ratios = first[order], second[order], ratios[order]
    reach = 1e-12 * max(float(np.abs(ratios).max(initial=0.0)), 1e-300)
    starts = np.flatnonzero(np.concatenate([[True], np.diff(ratios) > reach]))
    kept = ratios[np.concatenate([starts[1:] - 1, [len(ratios) - 1]])]
    kept = np.where(kept > 0, kept, ratios[starts])
    first, second = np.add.reduceat(first, starts), np.add.reduceat(second, starts)
    if len(starts) > most:
        groups = np.concatenate([[0], np.linspace(1, len(starts) - 1, most - 1).astype(np.int64)])
        first, second = np.add.reduceat(first, groups), np.add.reduceat(second, groups)
        tiny = np.finfo(float).tiny
        merged = np.log(np.maximum(first, tiny)) - np.log(np.maximum(second, tiny))
        last = np.concatenate([groups[1:], [len(starts)]]) - 1  # a merged ratio lies between those it comes from
        kept = np.clip(merged, kept[groups], kept[last])
    return Pair(first, second, (), kept)


def masses(below: Reals, above: Reals) -> Reals:
    """The mass of each cell between edges, both ends included, from P(at most) and P(above) at the edges.

    A mass is a difference of the smaller tail at that place, so that rare cells keep their digits.
    """
    inner = np.where(below[1:] < 0.5, np.diff(below), -np.diff(above))
    return np.concatenate([below[:1], inner, above[-1:]])


def laplace_cdf(x: ArrayLike, scale: float) -> Reals:
    """P(Lap(b) <= x) = ½e^{x/b} below 0, 1 - ½e^{-x/b} above."""
    x = np.asarray(x, dtype=np.float64)
    tail = np.exp(-np.abs(x) / scale) / 2
    return np.asarray(np.where(x < 0, tail, 1 - tail), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Finite:
    """A channel as a matrix: one row per value, one column per report; `supports` says which values a report names."""

    matrix: Reals
    reports: tuple[object, ...] = ()
    supports: NDArray[np.bool_] | None = field(default=None)

    def pair(self, value: int, other: int) -> Pair:
        """The laws of the reports of two values."""
        return Pair(self.matrix[value], self.matrix[other])

    def worst(self) -> tuple[int, int]:
        """A pair of values whose loss is largest."""
        best = max(((*column_extremes(column), column) for column in self.matrix.T), key=lambda item: item[0])
        return best[1], best[2]

    def loss(self) -> float:
        """max over columns of ln(max/min); infinite where a column mixes zero and positive."""
        return max((column_extremes(column)[0] for column in self.matrix.T), default=0.0)

    def delta(self, epsilon: float) -> float:
        """The largest E_γ at γ = e^ε over all pairs of values."""
        rows = range(len(self.matrix))
        return max((self.pair(*pair).delta(epsilon) for pair in permutations(rows, 2)), default=0.0)


def column_extremes(column: Reals) -> tuple[float, int, int]:
    """ln(max/min) of one column, and the values that attain it; a column of zeros is a report that never comes."""
    high, low = int(np.argmax(column)), int(np.argmin(column))
    if column[high] == 0:
        return 0.0, high, low
    if column[low] == 0:
        return np.inf, high, low
    return float(np.log(column[high]) - np.log(column[low])), high, low
