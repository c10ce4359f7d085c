"""The questions of each view of a promise: the laws of two values' reports, the δ of a smaller promise, the best test.

The promise is the mechanism's own claim; what is asked of a typed matrix is in `matrixpromises`.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import MISSING, dataclass, fields, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldpcore.estimating.audit import best_power, delta_curve, outputs_of_largest_loss, power_bound
from ldpcore.experiments.verify import SLACK, whole_channel
from ldpcore.experiments.verify.mechanism import along, has_densities
from ldpcore.laws.channels import Pair
from ldpcore.mechanisms.base import Guarantee, Mechanism
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Declared, Epsilon, Interval, ParameterError, Probability, declaration
from ldpcore.questions import Progress, Question, Result, no_progress

NAMED = 16  # reports that are told apart one by one; more of them in classes of one likelihood ratio
REACH = 4.5  # how far the densities are drawn, in distances between the two values
PROMISES = (0.005, 20.0)  # the smallest and the largest promise of a δ curve, at every level


# --- the laws of two values' reports ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class TwoLaws(Question["TwoLawsResult"], Declared):
    """Which reports do two values give that differ most, and at which of them is the ratio largest?"""

    mechanism: Mechanism

    def run(self, progress: Progress = no_progress) -> TwoLawsResult:
        mechanism = self.mechanism
        value, other = mechanism.worst()
        result = _densities(self, value, other) or _outcomes(self, value, other)
        progress(1.0)
        return result


@dataclass(frozen=True, eq=False)
class TwoLawsResult(Result):
    """The two laws, on named reports, on classes of reports, or as densities along `reports`.

    `highest` is the largest probability at any usual level (of densities, the height of the peak) and `most` the
    largest number of outcomes, so that pictures at two levels can be compared.
    """

    question: TwoLaws
    values: tuple[object, object]
    names: tuple[str, ...]
    first: Reals
    second: Reals
    attained: NDArray[np.bool_]
    highest: float
    reports: Reals | None = None
    most: int = 0

    def masked(self) -> TwoLawsResult:
        """The result without the reports at which the ratio is largest."""
        return replace(self, attained=np.zeros_like(self.attained))


def _densities(question: TwoLaws, value: Any, other: Any) -> TwoLawsResult | None:
    """Two densities on a grid that is the same at every level; none where reports are discrete or several numbers."""
    mechanism = question.mechanism
    report: Any = mechanism.witness().report
    if not has_densities(mechanism, value, other):
        return None
    center, reach = (value + other) / 2, REACH * abs(other - value)
    grid = along(mechanism, center - reach, center + reach, (value, other), 451)
    first, second = (np.exp([mechanism.log_density(float(z), x) for z in grid]) for x in (value, other))
    attained = np.zeros(len(grid), dtype=np.bool_)
    if mechanism.claim().delta == 0 and abs(report - center) <= reach:
        attained[int(np.argmin(np.abs(grid - report)))] = True
    highest = float(max(first.max(), second.max()))
    return TwoLawsResult(question, (value, other), (), first, second, attained, highest, grid)


def _outcomes(question: TwoLaws, value: Any, other: Any) -> TwoLawsResult:
    """Every report of a small channel by its name, else classes of one likelihood ratio, in the order of the ratio."""
    pair, names = _pair(question.mechanism, value, other)
    if not names:
        order = np.argsort(-pair.ratios(), kind="stable")
        pair = Pair(pair.first[order], pair.second[order])
    highest, most = _largest(question.mechanism)
    highest, most = max(highest, float(pair.first.max()), float(pair.second.max())), max(most, len(pair.first))
    attained = outputs_of_largest_loss(pair)
    return TwoLawsResult(question, (value, other), names, pair.first, pair.second, attained, highest, None, most)


def _pair(mechanism: Mechanism, value: Any, other: Any) -> tuple[Pair, tuple[str, ...]]:
    """The two laws with the names of their reports or classes."""
    channel = whole_channel(mechanism)
    if channel is not None and channel.matrix.shape[1] <= NAMED and _same_reports(mechanism):
        return channel.pair(value, other), tuple(map(str, channel.reports))
    cut = mechanism.compare(value, other).cut()
    return cut, tuple(cut.outcomes)


def _same_reports(mechanism: Mechanism) -> bool:
    """Whether there are as many reports at every level, so that pictures at two levels can be compared."""
    channels = [whole_channel(each) for each in _at_usual_levels(mechanism)]
    return len({None if channel is None else channel.matrix.shape for channel in channels}) <= 1


def _largest(mechanism: Mechanism) -> tuple[float, int]:
    """The largest probability, and the largest number, of reports (or classes) at any usual level."""
    if mechanism.level is None:
        return 1.0, 0
    try:
        return _largest_at_usual_levels(_at(mechanism, 1.0))
    except ParameterError:
        return 0.0, 0


def _at_usual_levels(mechanism: Mechanism) -> list[Mechanism]:
    """The mechanism at the ends of the usual levels and between them, but where it refuses the level."""
    declared = declaration(Epsilon)
    assert isinstance(declared, Interval)
    low, high = declared.typical
    mechanisms = []
    for epsilon in (low, math.sqrt(low * high), 1.0, high) if mechanism.level is not None else ():
        with suppress(ParameterError):
            mechanisms.append(_at(mechanism, epsilon))
    return mechanisms


def _at(mechanism: Mechanism, epsilon: float) -> Mechanism:
    """The mechanism asked for another level; what may be left out (a best threshold) follows the level."""
    made: Any = type(mechanism)
    required = {field.name for field in fields(made) if field.default is MISSING}
    kept = {name: value for name, value in mechanism.parameters().items() if name in required}
    rebuilt: Mechanism = made(**kept | {"epsilon": epsilon})
    return rebuilt


@lru_cache(maxsize=256)
def _largest_at_usual_levels(mechanism: Mechanism) -> tuple[float, int]:
    highest, most = 0.0, 0
    for made in _at_usual_levels(mechanism):
        pair, _ = _pair(made, *made.worst())
        highest = max(highest, float(pair.first.max()), float(pair.second.max()))
        most = max(most, len(pair.first))
    return highest, most


# --- a smaller promise -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SmallerPromise(Question["SmallerPromiseResult"], Declared):
    """Which chance of failure would a smaller promise need, for the pair of values that differs most?"""

    mechanism: Mechanism
    alpha: Epsilon = 0.5

    def run(self, progress: Progress = no_progress) -> SmallerPromiseResult:
        laws = self.mechanism.compare(*self.mechanism.worst())
        level = laws.loss()
        grid = promises(161, level)
        result = SmallerPromiseResult(self.alpha, level, grid, delta_curve(laws, grid), laws.delta(self.alpha))
        progress(1.0)
        return result


@dataclass(frozen=True, eq=False)
class SmallerPromiseResult(Result):
    """δ along promises that are the same at every level, and at the promise that is asked about."""

    alpha: float
    level: float
    epsilons: Reals
    deltas: Reals
    needed: float

    @property
    def enough(self) -> bool:
        """Whether the promise that is asked about holds without any δ: from the exact level on, and nowhere below.

        Of Gaussian noise no promise does, however small a δ becomes: rounding makes nothing of it far out.
        """
        return self.alpha >= self.level * (1 - SLACK)

    def masked(self) -> SmallerPromiseResult:
        """The promise that is asked about, without the δ that it needs."""
        nothing = np.full(len(self.epsilons), np.nan)
        return replace(self, level=math.nan, deltas=nothing, needed=math.nan)


def promises(points: int, level: float) -> Reals:
    """Promises on a log grid, and the exact level among them, where the curve ends."""
    grid = np.geomspace(*PROMISES, points)
    inside = PROMISES[0] < level < PROMISES[1]
    return np.union1d(grid, [level]) if inside else grid


# --- the best test of one report -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BestTest(Question["BestTestResult"], Declared):
    """How often can somebody who wrongly accuses at this rate rightly accuse, and how often does the promise allow?"""

    mechanism: Mechanism
    size: Probability = 0.05

    def run(self, progress: Progress = no_progress) -> BestTestResult:
        laws, claim = self.mechanism.compare(*self.mechanism.worst()).cut(), self.mechanism.claim()
        result = best_test(laws, claim, self.size)
        progress(1.0)
        return result


@dataclass(frozen=True, eq=False)
class BestTestResult(Result):
    """Power against size: of the best test, and the most that the promise allows."""

    claim: Guarantee
    size: float
    sizes: Reals
    bound: Reals
    best: Reals
    allowed: float
    reached: float

    @property
    def beyond(self) -> bool:
        """Whether the best test does somewhere more than the promise allows."""
        return bool((self.best > self.bound * (1 + SLACK) + 1e-12).any())

    def masked(self) -> BestTestResult:
        """The bound by the promise, without the values of the reports."""
        return replace(self, best=np.full(len(self.best), np.nan), reached=math.nan)


def best_test(laws: Pair, claim: Guarantee, size: float) -> BestTestResult:
    """The power of the best test of two laws at each size, beside the bound of a guarantee."""
    # The corners of both lines are among the points, so that straight lines between the points are exact.
    corners = np.cumsum(laws.second[np.argsort(-laws.ratios(), kind="stable")])
    kink = math.exp(-claim.epsilon) * (1 - claim.delta) / (1 + math.exp(-claim.epsilon))
    sizes = np.unique(np.clip(np.concatenate([[0.0, kink, 1.0], corners]), 0, 1))
    allowed, reached = power_bound([size], claim.epsilon, claim.delta), best_power(laws, [size])
    return BestTestResult(
        claim,
        size,
        sizes,
        power_bound(sizes, claim.epsilon, claim.delta),
        best_power(laws, sizes),
        float(allowed[0]),
        float(reached[0]),
    )
