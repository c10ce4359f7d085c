"""The distance of the reports of two values by every measure that the theory uses, beside the promise's bound."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.laws import divergences
from ldpcore.laws.channels import Finite, Pair
from ldpcore.laws.leaks import largest_loss
from ldpcore.mechanisms.base import Mechanism
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Declared, Epsilon
from ldpcore.questions import Progress, Question, Result, no_progress

MEASURES: Mapping[str, Callable[[ArrayLike, ArrayLike], float]] = MappingProxyType(
    {
        "max": divergences.max_divergence,
        "tv": divergences.total_variation,
        "errors": divergences.testing_affinity,
        "kl": divergences.kullback_leibler,
        "renyi": partial(divergences.renyi, order=2.0),
        "chi2": divergences.chi_square,
        "h2": divergences.squared_hellinger,
    }
)


@dataclass(frozen=True)
class Measures(Question["MeasuresResult"], Declared):
    """How far apart are the two values that differ most, of a mechanism with countable reports, under its own claim?"""

    mechanism: Mechanism

    def run(self, progress: Progress = no_progress) -> MeasuresResult:
        laws = self.mechanism.compare(*self.mechanism.worst()).cut()
        return measured(laws, self.mechanism.claim().epsilon)


@dataclass(frozen=True, eq=False)
class MeasuresOfMatrix(Question["MeasuresResult"]):
    """How far apart are the two rows of a matrix that differ most, under the promise it is judged by?"""

    channel: Finite
    promise: Epsilon = 1.0

    def run(self, progress: Progress = no_progress) -> MeasuresResult:
        leak = largest_loss(self.channel)
        return measured(self.channel.pair(leak.value, leak.other), self.promise)


@dataclass(frozen=True)
class MeasureRow:
    """One measure, of the first law against the second and the other way round; the most that the promise allows.

    Of the smallest sum of both errors of a test it is the least.
    """

    slug: str
    forth: float
    back: float
    allowed: float


@dataclass(frozen=True)
class MeasuresResult(Result):
    """The measures in the order of `MEASURES`, and the promise."""

    promise: float
    rows: tuple[MeasureRow, ...]

    def masked(self) -> MeasuresResult:
        """The bounds by the promise, without the values of the reports."""
        return replace(self, rows=tuple(replace(row, forth=math.nan, back=math.nan) for row in self.rows))


def measured(laws: Pair, promise: float) -> MeasuresResult:
    """Every measure of two laws; one bit of randomized response bounds each of any pair that keeps a promise.

    Every such pair is a function of that bit (Kairouz, Oh, Viswanath, 2015), and no function raises a divergence.
    """
    first, second = (_whole(law) for law in (laws.first, laws.second))
    bit = _bit(promise)
    rows = tuple(
        MeasureRow(slug, measure(first, second), measure(second, first), measure(*bit))
        for slug, measure in MEASURES.items()
    )
    return MeasuresResult(promise, rows)


def _bit(promise: float) -> tuple[Reals, Reals]:
    """The reports of one bit of randomized response at a level, given a one and given a zero."""
    lie = 1 / (1 + math.exp(promise)) if promise < 700 else 0.0
    return np.array([1 - lie, lie]), np.array([lie, 1 - lie])


def _whole(law: Reals) -> Reals:
    """A law without what rounding left over."""
    return np.asarray(law / law.sum(), dtype=np.float64)
