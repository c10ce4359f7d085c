"""The questions of each view of a typed matrix: whether it keeps its promise, its δ, the best test."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ldpcore.costs import MEGABYTE, Cost
from ldpcore.experiments.verify import SLACK, largest_ratio
from ldpcore.experiments.verify.promises import BestTestResult, SmallerPromiseResult, best_test, promises
from ldpcore.laws.channels import Finite, Pair
from ldpcore.laws.leaks import Leak, delta_curve_of, largest_delta, largest_loss
from ldpcore.mechanisms.base import Guarantee
from ldpcore.parameters import Epsilon, Probability
from ldpcore.questions import Progress, Public, Question, Result, no_progress
from ldpcore.reading.matrices import TypedMatrix, keeps_within_rounding


@dataclass(frozen=True, eq=False)
class MatrixPromise(Question["MatrixPromiseResult"]):
    """Does a channel keep a promise, and which of its reports break it?"""

    channel: Finite
    promise: Epsilon = 1.0
    printed: TypedMatrix | None = None  # as it was typed: how far rounding moved its entries, and its names

    def run(self, progress: Progress = no_progress) -> MatrixPromiseResult:
        leak = largest_loss(self.channel)
        matrix = self.channel.matrix
        high, low = matrix.max(axis=0), matrix.min(axis=0)
        with np.errstate(divide="ignore"):
            losses = np.where(high > 0, np.log(np.where(high > 0, high, 1)) - np.log(np.where(high > 0, low, 1)), 0.0)
        beyond = np.flatnonzero(losses > self.promise * (1 + SLACK))
        rounded = len(beyond) > 0 and self.printed is not None and keeps_within_rounding(self.printed, self.promise)
        result = MatrixPromiseResult(self, leak, self.channel.pair(leak.value, leak.other), beyond, rounded)
        progress(1.0)
        return result


@dataclass(frozen=True, eq=False)
class MatrixPromiseResult(Result):
    """The level of the channel, the two rows that differ most, and the reports that betray more than the promise."""

    question: MatrixPromise
    leak: Leak
    laws: Pair
    beyond: NDArray[np.intp]
    rounded: bool = False  # whether a channel that is printed like this one keeps the promise that this one breaks

    @property
    def level(self) -> float:
        """The level of the channel."""
        return self.leak.amount

    @property
    def ratio(self) -> float:
        """The largest likelihood ratio."""
        return largest_ratio(self.level)

    @property
    def verdict(self) -> str:
        """The verdict: `single`, `none`, `trivial`, `broken`, `rounded`, `kept` exactly, or with `room`."""
        level, promise = self.level, self.question.promise
        if len(self.question.channel.matrix) == 1:
            return "single"
        if self.rounded:
            return "rounded"
        if math.isinf(level):
            return "none"
        if level <= SLACK:
            return "trivial"
        if level > promise * (1 + SLACK):
            return "broken"
        return "kept" if level >= promise * (1 - SLACK) else "room"

    def masked(self) -> MatrixPromiseResult:
        """The matrix as it was typed, without its level."""
        nowhere = np.empty(0, dtype=np.intp)
        return replace(self, leak=replace(self.leak, amount=math.nan, reports=nowhere), beyond=nowhere, rounded=False)


@dataclass(frozen=True, eq=False)
class SmallerPromiseOfMatrix(Question[SmallerPromiseResult]):
    """Which chance of failure would each smaller promise need, over all pairs of rows of a matrix?"""

    channel: Finite

    def cost(self) -> Cost:
        """Every pair of rows at every report and every promise of the curve."""
        rows, reports = self.channel.matrix.shape
        pairs = 3e-9 * self._points() * rows**2 * reports
        return Cost(64.0 * rows * (reports + rows) + 8 * MEGABYTE, pairs + 0.05)

    def _points(self) -> int:
        """The number of points: fewer where rows and reports are many, so that 500 × 500 takes seconds."""
        rows, reports = self.channel.matrix.shape
        return int(np.clip(2e8 / (rows**2 * reports), 9, 81))

    def run(self, progress: Progress = no_progress) -> SmallerPromiseResult:
        level = largest_loss(self.channel).amount
        grid = promises(self._points(), level)
        deltas = delta_curve_of(self.channel, grid, progress)
        return SmallerPromiseResult(math.nan, level, grid, deltas, math.nan)


@dataclass(frozen=True, eq=False)
class NeededDelta(Question["NeededDeltaResult"]):
    """Which δ does one promise need of a matrix, over all pairs of its rows?"""

    channel: Finite
    alpha: Epsilon = 0.5

    def run(self, progress: Progress = no_progress) -> NeededDeltaResult:
        result = NeededDeltaResult(
            self.alpha, largest_loss(self.channel).amount, largest_delta(self.channel, self.alpha)
        )
        progress(1.0)
        return result


@dataclass(frozen=True, eq=False)
class NeededDeltaResult(Result):
    """The δ, and the level from which on none is needed."""

    alpha: float
    level: float
    leak: Leak

    @property
    def needed(self) -> float:
        """The δ."""
        return self.leak.amount

    @property
    def enough(self) -> bool:
        """Whether the promise holds without any δ: from the exact level on, and nowhere below."""
        return self.alpha >= self.level * (1 - SLACK)

    def masked(self) -> NeededDeltaResult:
        """The promise alone."""
        return replace(self, level=math.nan, leak=replace(self.leak, amount=math.nan))


@dataclass(frozen=True, eq=False)
class BestTestOfMatrix(Question[BestTestResult]):
    """The best test of the two rows of a matrix that differ most, under the promise it is judged against."""

    channel: Finite
    promise: Epsilon = 1.0
    size: Probability = 0.05

    def run(self, progress: Progress = no_progress) -> BestTestResult:
        leak = largest_loss(self.channel)
        result = best_test(self.channel.pair(leak.value, leak.other), Guarantee(self.promise), self.size)
        progress(1.0)
        return result


@dataclass(frozen=True)
class Refused(Question["RefusedResult"]):
    """A typed text that is no channel: the sentence that says why is its own answer."""

    problem: str

    def run(self, progress: Progress = no_progress) -> RefusedResult:
        progress(1.0)
        return RefusedResult(self)


@dataclass(frozen=True)
class RefusedResult(Public):
    """Nothing but the problem."""

    question: Refused
