"""A typed channel, and the level that is left when its reports are merged."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ldpcore.costs import MEGABYTE, Cost
from ldpcore.experiments.verify.mechanism import SLACK
from ldpcore.laws.channels import Finite
from ldpcore.laws.leaks import Leak, largest_loss, merged_reports
from ldpcore.questions import Progress, Question, Result, no_progress


@dataclass(frozen=True, eq=False)
class MatrixMerging(Question["MergedMatrix"]):
    """The level of a channel after some of its reports are merged, without any δ, at once."""

    channel: Finite
    groups: tuple[tuple[int, ...], ...] = ()

    def cost(self) -> Cost:
        return Cost(64.0 * self.channel.matrix.size + 8 * MEGABYTE, 1e-7 * self.channel.matrix.size + 0.05)

    def run(self, progress: Progress = no_progress) -> MergedMatrix:
        leak, after = largest_loss(self.channel), merged_reports(self.channel, self.groups)
        result = MergedMatrix(self, leak, after, largest_loss(after), merging_ladder(self.channel, leak))
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
        """The number of reports that are left, without their evidence."""
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
