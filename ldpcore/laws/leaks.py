"""The level and the δ curve of a finite channel, the values and reports that attain them, and merged reports."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from ldpcore.laws.channels import Finite, Pair
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import ParameterError
from ldpcore.questions import Progress, no_progress

NEAR = 4.0  # up to this ε a pair is found by distances, which lose e^ε in the last digit


@dataclass(frozen=True, eq=False)
class Leak:
    """The largest level or δ of a channel, and the two values and the set of reports that attain it."""

    amount: float
    value: int
    other: int
    reports: NDArray[np.intp]


def largest_loss(channel: Finite) -> Leak:
    """α = max over reports of ln(max/min) of their column: the pair of rows, and every report that attains it.

    A column that mixes zero and positive entries makes it infinite; a column of zeros is a report that never comes.
    """
    matrix = channel.matrix
    high, low = matrix.max(axis=0), matrix.min(axis=0)
    comes = high > 0
    with np.errstate(divide="ignore"):
        losses = np.where(comes, np.log(np.where(comes, high, 1.0)) - np.log(np.where(comes, low, 1.0)), 0.0)
    column = int(np.argmax(losses))
    value, other = int(np.argmax(matrix[:, column])), int(np.argmin(matrix[:, column]))
    amount = float(losses[column])
    if amount == 0:
        return Leak(0.0, 0, min(1, len(matrix) - 1), np.empty(0, dtype=np.intp))
    ratios = Pair(matrix[value], matrix[other]).ratios()
    attained = (ratios == amount) | (ratios >= amount * (1 - 1e-12)) if math.isfinite(amount) else ratios == amount
    return Leak(amount, value, other, np.flatnonzero(attained))


def largest_delta(channel: Finite, epsilon: float) -> Leak:
    """The largest E_γ at γ = e^ε over all ordered pairs of values, and the event {P > γQ} that attains it."""
    matrix = channel.matrix
    if len(matrix) == 1:
        return Leak(0.0, 0, 0, np.empty(0, dtype=np.intp))
    value, other = _worst_rows(matrix, epsilon)
    gains = _gains(matrix[value], matrix[other], epsilon)
    return Leak(float(gains.sum()), value, other, np.flatnonzero(gains > 0))


def _gains(own: Reals, other: Reals, epsilon: float) -> Reals:
    """max(P - e^ε Q, 0) outcome by outcome, as P·(1 - e^(ε - loss)), which does not cancel."""
    ratios = Pair(own, other).ratios()
    return np.asarray(own * -np.expm1(np.minimum(epsilon - ratios, 0.0)), dtype=np.float64)


def _worst_rows(matrix: Reals, epsilon: float) -> tuple[int, int]:
    """The pair of rows with the largest E_γ = Σ max(p - γq, 0), row against all rows at once."""
    scaled = math.exp(min(epsilon, 700.0)) * matrix
    if epsilon <= NEAR:
        # Σ max(p - γq, 0) = (Σ |p - γq| + 1 - γ)/2 for laws, so the pair that is farthest apart is the worst.
        pair = int(np.argmax(scipy.spatial.distance.cdist(matrix, scaled, "cityblock")))
        return divmod(pair, len(matrix))
    excess, best = np.empty_like(matrix), (-1.0, 0, 0)
    for value, row in enumerate(matrix):
        np.maximum(np.subtract(row, scaled, out=excess), 0, out=excess)
        sums = excess.sum(axis=1)
        other = int(np.argmax(sums))
        best = max(best, (float(sums[other]), value, other))
    return best[1], best[2]


def delta_curve_of(channel: Finite, epsilons: ArrayLike, progress: Progress = no_progress) -> Reals:
    """δ(ε) of a channel: the largest E_γ over all pairs of values, at each ε."""
    grid = np.atleast_1d(np.asarray(epsilons, dtype=np.float64))
    curve = np.empty(len(grid))
    for index, epsilon in enumerate(grid):
        curve[index] = largest_delta(channel, float(epsilon)).amount
        progress((index + 1) / len(grid))
    return curve


def merged_reports(channel: Finite, groups: Iterable[Iterable[int]]) -> Finite:
    """The channel whose reports are merged group by group; reports in no group stay as they are, in their order.

    Merging is post-processing: every event of the merged channel is an event of the first, so its level never rises.
    A group stands where its first report stood.
    """
    columns = channel.matrix.shape[1]
    leader = np.arange(columns)
    seen: set[int] = set()
    for group in groups:
        members = sorted(int(report) for report in group)
        for report in members:
            if not 0 <= report < columns:
                raise ParameterError("group_outside", most=columns - 1, got=report)
            if report in seen:
                raise ParameterError("group_twice", got=report)
            seen.add(report)
        leader[members] = members[0] if members else leader[members]
    heads, place = np.unique(leader, return_inverse=True)
    matrix = np.zeros((len(channel.matrix), len(heads)))
    np.add.at(matrix.T, place, channel.matrix.T)
    return Finite(matrix, tuple(tuple(np.flatnonzero(place == index).tolist()) for index in range(len(heads))))
