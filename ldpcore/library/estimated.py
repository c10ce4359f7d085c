"""Estimates from a tally: a number for each label, its standard error, and an interval that holds.

Which interval a mechanism has is written down once, here; the intervals themselves are those of `ldpcore.estimating`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ldpcore.estimating import shares
from ldpcore.estimating.averagereach import average_reach
from ldpcore.estimating.confidences import one_tail, quantile
from ldpcore.estimating.intervals import Bounds, drawn_variance, exact_bounds, share_interval
from ldpcore.estimating.meanintervals import mean_interval, mean_reach
from ldpcore.library.drawn import Bar, SelfDrawn, bars, drawing, label_of, table
from ldpcore.library.extras import require
from ldpcore.library.refused import LibraryRefusal
from ldpcore.mechanisms.additive import SummationHistogramEncoding
from ldpcore.mechanisms.additivenoise import AdditiveNoise
from ldpcore.mechanisms.base import CategoryRandomizer, CentralRelease, FrequencyOracle, NumberRandomizer
from ldpcore.mechanisms.base import ReportTally as Counted
from ldpcore.mechanisms.bloomrandomizer import BloomRandomizer
from ldpcore.mechanisms.coins import TwoCoins
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.mechanisms.pairs import PairRandomizer
from ldpcore.mechanisms.partitionhalves import HalfAndHalf
from ldpcore.mechanisms.selector import Selector
from ldpcore.mechanisms.vectors import VectorRandomizer
from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.bisection import least_up_to
from ldpcore.parameters import ParameterError
from ldpcore.people.populations import Population

if TYPE_CHECKING:
    import pandas as pd

    from ldpcore.library.designs import Design

FARTHEST = 1 << 62  # that noise is looked for from the answer
FINE = 10**9  # people to whom estimated shares are apportioned where a formula asks for a crowd


@dataclass(frozen=True)
class Line:
    """One estimated number: its label, its standard error, and the ends of its interval."""

    label: Any
    value: float
    standard_error: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Estimate(SelfDrawn):
    """Unbiased numbers, one for each label, with standard errors and intervals; never clipped.

    The standard error is the exact formula at the estimate; where it depends on more than the estimate, it is the
    largest that people with this estimate can have. `proved` says whether the intervals hold at least as often as
    stated for any crowd of any size, or only approximately.

    >>> import ldpcore
    >>> coin = ldpcore.build("rr", 1.0, ["no", "yes"])
    >>> estimate = coin.tally([1] * 60 + [0] * 40).estimate()
    >>> print(estimate)
    label    estimate   standard error   95 % interval
    no        0.28360          0.09595   0.09 to 0.48
    yes       0.71640          0.09595   0.52 to 0.91
    n = 100
    """

    labels: tuple[object, ...]
    values: Reals
    standard_errors: Reals
    low: Reals
    high: Reals
    confidence: float
    n: int
    proved: bool

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Estimate):
            return NotImplemented
        return self._told == other._told and all(map(_equal, self._columns, other._columns))

    def __hash__(self) -> int:
        return hash(self._told)

    @property
    def _told(self) -> tuple[object, ...]:
        return self.labels, self.confidence, self.n, self.proved

    @property
    def _columns(self) -> tuple[Reals, ...]:
        return self.values, self.standard_errors, self.low, self.high

    def __iter__(self) -> Iterator[Line]:
        columns = (column.tolist() for column in self._columns)
        return (Line(*row) for row in zip(self.labels, *columns, strict=True))

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, label: Any) -> Line:
        return next(line for line in self if line.label == label)

    def __str__(self) -> str:
        width = max(5, *(len(label_of(label)) for label in self.labels))
        interval = f"{100 * self.confidence:g} % interval"
        head = f"{'label':<{width}}  {'estimate':>10}   {'standard error':>14}   {interval}"
        rows = [
            f"{label_of(line.label):<{width}}  {line.value:>10.5f}   {line.standard_error:>14.5f}   "
            f"{_end(line.low, line.standard_error)} to {_end(line.high, line.standard_error)}"
            for line in self
        ]
        return "\n".join([head, *rows, f"n = {self.n}"])

    def _repr_html_(self) -> str:
        interval = f"{100 * self.confidence:g} % interval"
        ends = [f"{_end(line.low, line.standard_error)} to {_end(line.high, line.standard_error)}" for line in self]
        rows = [
            (label_of(line.label), f"{line.value:.5f}", f"{line.standard_error:.5f}", told)
            for line, told in zip(self, ends, strict=True)
        ]
        kinds = dict[object, list[Bar]]()  # numbers of different kinds have axes of their own
        for line in self:
            bar = Bar(label_of(line.label), line.value, line.low, line.high)
            kinds.setdefault(_kind(line.label), []).append(bar)
        panels = [bars(each, f"estimate, {interval}") for each in kinds.values()]
        return drawing(f"n = {self.n}", table(("label", "estimate", "standard error", interval), rows), *panels)

    def table(self) -> pd.DataFrame:
        """The estimate as a table of pandas, a row for each label."""
        require("tables", "pandas")
        from ldpcore.library.tabled import table_of

        return table_of(self)

    def record(self) -> dict[str, object]:
        """The estimate as plain values, for JSON; an infinite or unknown one is None."""
        rows = [{name: _plain(value) for name, value in vars(line).items()} | {"label": line.label} for line in self]
        return {"n": self.n, "confidence": self.confidence, "proved": self.proved, "estimates": rows}


def _equal(one: Reals, other: Reals) -> bool:
    """Whether two columns hold the same numbers, with unknown ones in the same places."""
    return np.array_equal(one, other, equal_nan=True)


def _kind(label: Any) -> object:
    """The kind of an estimated number, where several are told apart by it."""
    return label[0] if isinstance(label, tuple) else None


def _plain(value: Any) -> float | None:
    return float(value) if isinstance(value, float) and math.isfinite(value) else None


def _end(value: float, error: float) -> str:
    """An end of an interval to a fifth of its standard error, all the digits it can claim."""
    if not (math.isfinite(value) and 0 < error < math.inf):
        return f"{value:.6g}"
    return f"{value:.{min(max(math.ceil(-math.log10(error / 5)), 0), 12)}f}"


@dataclass(frozen=True, eq=False)
class Found:
    """Estimates on the scale of the mechanism."""

    values: Reals
    errors: Reals
    bounds: Bounds
    proved: bool


def estimate_of(
    design: Design, counts: NDArray[Any], n: int, confidence: float, together: bool, sampled: bool
) -> Estimate:
    """The estimate of a design from counts of n reports, in the unit of its values."""
    mechanism, labels = design.mechanism, design.labels
    one_tail(confidence)
    if n < 1:
        raise ParameterError("no_reports")
    # Of m intervals that all hold at once each may err an m-th as often, however they depend on each other.
    each = 1 - (1 - confidence) / len(labels) if together else confidence
    if sampled and not design.domain.of_people:
        raise LibraryRefusal("sampled_unfit", slug=design.slug)
    part = design.domain.found(mechanism, Counted(counts, n), each, sampled)
    unit, outward = design.domain.unit(mechanism), design.domain.outward
    ends = [outward(np.atleast_1d(end), mechanism) for end in (part.bounds.low, part.bounds.high)]
    values = outward(np.atleast_1d(part.values), mechanism)
    return Estimate(labels, values, np.atleast_1d(part.errors * unit), ends[0], ends[1], confidence, n, part.proved)


def of_shares(mechanism: CategoryRandomizer, tally: Counted, confidence: float, sampled: bool) -> Found:
    """Shares of categories."""
    values = mechanism.estimate(tally)
    inside = np.clip(values, 0, 1)
    drawn = drawn_variance(inside, sampled) / tally.n
    if isinstance(mechanism, BloomRandomizer):
        return _of_words(mechanism, tally, values, drawn, confidence)
    errors = np.sqrt(mechanism.variance_of_shares(inside, tally.n) + drawn)
    if isinstance(mechanism, TwoCoins):
        return Found(values, errors, _of_coins(mechanism, tally, confidence, sampled), True)
    bounds = share_interval(values, mechanism, tally.n, confidence, sampled=sampled)
    return Found(values, errors, bounds, isinstance(mechanism, (FrequencyOracle, SummationHistogramEncoding)))


def _of_coins(mechanism: TwoCoins, tally: Counted, confidence: float, sampled: bool) -> Bounds:
    a, b = mechanism.yes_given_yes, mechanism.yes_given_no
    yes = exact_bounds([int(tally.counts[1])], tally.n, a, b, confidence, sampled=sampled)
    ends = np.array([1 - yes.high[0], yes.low[0]]), np.array([1 - yes.low[0], yes.high[0]])
    return Bounds(*ends, confidence)


def _of_words(mechanism: BloomRandomizer, tally: Counted, values: Reals, drawn: Reals, confidence: float) -> Found:
    """Normal intervals: how far a word's share is off depends on the words beside it, at the shares that fit best."""
    fitting = np.nan_to_num(np.maximum(mechanism.decode(tally), 0.0))
    total = float(fitting.sum())
    weights = fitting / total if total > 0 else np.full(mechanism.k, 1 / mechanism.k)
    variance = mechanism.variance(Population.of_shares(weights, FINE)) * (FINE / tally.n)
    errors = np.sqrt(np.where(np.isnan(values), np.inf, variance + np.nan_to_num(drawn)))
    reach = quantile(confidence) * errors
    known = np.nan_to_num(values)
    return Found(values, errors, Bounds(known - reach, known + reach, confidence), False)


def of_mean(mechanism: NumberRandomizer, tally: Counted, confidence: float, sampled: bool) -> Found:
    """A mean of numbers."""
    mean = mechanism.estimate(tally)
    inside = np.clip(mean, -1, 1)
    # A sampled person's number varies by at most 1 - m² around its mean m, for numbers of [-1, 1].
    errors = np.sqrt((mechanism.most_variance(inside) + (1 - inside**2) * sampled) / tally.n)
    return Found(mean, errors, mean_interval(mean, mechanism, tally.n, confidence, sampled), True)


def of_means(mechanism: VectorRandomizer, tally: Counted, confidence: float, sampled: bool) -> Found:
    """Means of several numbers, column by column."""
    means = mechanism.estimate(tally)
    inside = np.clip(means, -1, 1)
    errors = np.sqrt((mechanism.most_variance(inside) + (1 - inside**2) * sampled) / tally.n)
    reach = mean_reach(mechanism, tally.n, confidence, sampled)
    return Found(means, errors, Bounds(np.minimum(means, 1) - reach, np.maximum(means, -1) + reach, confidence), True)


def of_cells(mechanism: PairRandomizer, tally: Counted, confidence: float, sampled: bool) -> Found:
    """Shares of cells, and the responses in them."""
    values, n, k = mechanism.estimate(tally), tally.n, mechanism.partition.k
    if not isinstance(mechanism, HalfAndHalf):  # the noise alone is random, and known
        errors = np.repeat([math.sqrt(noise.variance() / n) for noise in mechanism.noises], k)
        reach = np.repeat([noise.scale * average_reach(one_tail(confidence), n) for noise in mechanism.noises], k)
        return Found(values, errors, Bounds(values - reach, values + reach, confidence), True)
    # What people hold enters by its squares: at most the estimated share for the place, and M² times that.
    shares = np.clip(values[:k], 0, 1)
    squares = np.concatenate([shares, mechanism.bound**2 * shares])
    noise_part = np.repeat([2 * noise.variance() for noise in mechanism.noises], k)
    errors = np.sqrt((squares + noise_part) / n)
    reach = quantile(confidence) * errors
    return Found(values, errors, Bounds(values - reach, values + reach, confidence), False)


def of_releases(mechanism: CentralRelease, tally: Counted, confidence: float, sampled: bool) -> Found:
    """A curator's answer, from one release or the mean of several."""
    mean, n = np.atleast_1d(tally.counts / tally.n), tally.n
    tail = one_tail(confidence)
    error = mechanism.standard_deviation() / math.sqrt(n)
    if isinstance(mechanism, LaplaceMechanism):
        reach = mechanism.scale * average_reach(tail, n)
    elif mechanism.whole:
        reach = _whole_reach(mechanism, tail) if n == 1 else error / math.sqrt(2 * tail)  # Chebyshev's
    elif isinstance(mechanism, AdditiveNoise):
        reach = mechanism.average_width(confidence, n)
    else:
        reach = quantile(confidence) * error
    return Found(mean, np.array([error]), Bounds(mean - reach, mean + reach, confidence), True)


def _whole_reach(mechanism: CentralRelease, tail: float) -> float:
    """The smallest whole number that the noise exceeds upwards with at most this probability."""
    found = least_up_to(lambda reach: float(mechanism.cdf(-reach - 1, 0.0)) <= tail, FARTHEST, low=-1)
    return math.inf if found is None else float(found)


def of_choices(mechanism: Selector, tally: Counted, confidence: float, sampled: bool) -> Found:
    """The chance of each candidate to be chosen; a binomial share each, where the scores are the same."""
    values = np.asarray(tally.counts / tally.n, dtype=np.float64)
    tail = one_tail(confidence)
    bounds = Bounds(
        shares.share_at_least(tally.counts, tally.n, tail),
        shares.share_at_most(tally.counts, tally.n, tail),
        confidence,
    )
    return Found(values, np.sqrt(values * (1 - values) / tally.n), bounds, True)
