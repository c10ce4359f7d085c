"""A typed channel: its level, its worst pair, and what is left when reports are merged."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ldpcore.costs import MEGABYTE, Cost
from ldpcore.experiments.verify.mechanism import SLACK, largest_ratio
from ldpcore.laws.channels import Finite, Pair
from ldpcore.laws.leaks import Leak, delta_curve_of, largest_loss, merged, mixed_columns, unused_columns
from ldpcore.numerics.arrays import Reals
from ldpcore.questions import Progress, Public, Question, Result


@dataclass(frozen=True, eq=False)
class MatrixCheck(Question["MatrixVerdict"]):
    """What does this channel betray, and what is left of it when some of its reports are merged?"""

    channel: Finite
    groups: tuple[tuple[int, ...], ...] = ()

    def cost(self) -> Cost:
        """Every pair of rows at every report and every ε of the curve, and again where reports are merged."""
        rows, reports = self.channel.matrix.shape
        points = int(np.clip(2e8 / (rows**2 * reports), 9, 81))
        curves = 2 if self.groups else 1
        return Cost(64.0 * rows * (reports + rows) + 8 * MEGABYTE, 3e-9 * curves * points * rows**2 * reports + 0.05)

    def run(self, progress: Progress | None = None) -> MatrixVerdict:
        matrix, leak = self.channel.matrix, largest_loss(self.channel)
        high = 1.25 * leak.amount if 0 < leak.amount < math.inf else 5.0
        # Row against row against report: fewer points where there are many, so that 500 × 500 takes seconds.
        points = int(np.clip(2e8 / (matrix.shape[0] ** 2 * matrix.shape[1]), 9, 81))
        epsilons = np.linspace(0, high, points)
        deltas = delta_curve_of(self.channel, epsilons, progress)
        after = merged(self.channel, self.groups)
        return MatrixVerdict(
            self,
            leak,
            self.channel.pair(leak.value, leak.other),
            mixed_columns(self.channel),
            unused_columns(self.channel),
            epsilons,
            deltas,
            after,
            largest_loss(after),
            delta_curve_of(after, epsilons) if self.groups else deltas,
            merging_ladder(self.channel, leak),
        )


@dataclass(frozen=True, eq=False)
class MatrixVerdict(Public):
    """The level of a matrix, its worst pair of rows, its δ curve, and the same after merging."""

    check: MatrixCheck
    leak: Leak
    laws: Pair
    mixed: NDArray[np.intp]
    unused: NDArray[np.intp]
    epsilons: Reals
    deltas: Reals
    merged: Finite
    merged_leak: Leak
    merged_deltas: Reals
    ladder: tuple[tuple[int, float], ...]

    @property
    def ratio(self) -> float:
        """The largest likelihood ratio, e^α."""
        return largest_ratio(self.leak.amount)

    @property
    def trivial(self) -> bool:
        """Whether all rows are equal, so that a report tells nothing: level 0."""
        return self.leak.amount == 0


@dataclass(frozen=True, eq=False)
class MatrixMerging(Question["MergedMatrix"]):
    """What is left of the level of a channel when some of its reports are merged? Without any δ, at once."""

    channel: Finite
    groups: tuple[tuple[int, ...], ...] = ()

    def cost(self) -> Cost:
        return Cost(64.0 * self.channel.matrix.size + 8 * MEGABYTE, 1e-7 * self.channel.matrix.size + 0.05)

    def run(self, progress: Progress | None = None) -> MergedMatrix:
        leak, after = largest_loss(self.channel), merged(self.channel, self.groups)
        result = MergedMatrix(self, leak, after, largest_loss(after), merging_ladder(self.channel, leak))
        if progress:
            progress(1.0)
        return result


@dataclass(frozen=True, eq=False)
class MergedMatrix(Result):
    """The level before and after merging, and on the way to a single report."""

    question: MatrixMerging
    leak: Leak
    merged: Finite
    merged_leak: Leak
    ladder: tuple[tuple[int, float], ...]

    @property
    def same(self) -> bool:
        """Whether the level is what it was."""
        before, after = self.leak.amount, self.merged_leak.amount
        return before == after or abs(before - after) <= SLACK * before

    def masked(self) -> MergedMatrix:
        """How many reports are left, without what they betray."""
        unknown = replace(self.leak, amount=math.nan)
        ladder = tuple((reports, math.nan) for reports, _ in self.ladder)
        return replace(self, leak=unknown, merged_leak=unknown, ladder=ladder)


def merging_ladder(channel: Finite, leak: Leak) -> tuple[tuple[int, float], ...]:
    """The number of reports and the level, as neighbors in the worst pair's ratio are merged two by two."""
    order = np.argsort(channel.pair(leak.value, leak.other).ratios(), kind="stable")
    current = Finite(channel.matrix[:, order])
    steps = [(current.matrix.shape[1], leak.amount)]
    while current.matrix.shape[1] > 1:
        columns = current.matrix.shape[1]
        current = Finite(np.add.reduceat(current.matrix, np.arange(0, columns, 2), axis=1))
        steps.append((current.matrix.shape[1], largest_loss(current).amount))
    return tuple(steps)
