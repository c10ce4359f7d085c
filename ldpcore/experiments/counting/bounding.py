"""The weight of one person in a sum: the noise that an upper bound takes, against what it cuts off.

Every value x counts as min(U, x), so that one record moves the sum by U at most and noise of scale U/ε is enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Choice, Declared, Epsilon, Interval, Neighbors
from ldpcore.questions import Progress, Public, Question, no_progress
from ldpcore.tables.examples import EXAMPLES, SumExample
from ldpcore.tables.queries import Sum, loss_without_clamping

Example = Annotated[str, Choice("f", tuple(EXAMPLES))]
UpperBound = Annotated[float, Interval("U", 0, 1e6, (1, 1000), open_low=True)]


def off_on_average(scale: ArrayLike, bias: ArrayLike) -> Reals:
    """E|Lap(b) - B| for a bias B ≥ 0, which is B + b e^{-B/b}.

    E|X - B| is E|X| = b at B = 0 and grows with B by P(X < B) - P(X > B) = 1 - e^{-B/b}, whose integral from 0 to B is
    B - b(1 - e^{-B/b}).
    """
    b, away = np.asarray(scale, dtype=np.float64), np.asarray(bias, dtype=np.float64)
    return np.asarray(away + b * np.exp(-away / b), dtype=np.float64)


@dataclass(frozen=True)
class BoundedSum(Question["BoundedSumResult"], Declared):
    """A sum of invented records cut at an upper bound, beside the sums at all other bounds. Exact: nothing is drawn."""

    epsilon: Epsilon
    example: Example = "visits"
    bound: UpperBound = 100.0
    neighbors: Neighbors = "add-remove"

    @property
    def records(self) -> SumExample:
        """The invented records."""
        return EXAMPLES[self.example]

    def run(self, progress: Progress = no_progress) -> BoundedSumResult:
        values, bounds = self.records.values, self.records.bounds
        scales = np.array([self.noise(float(bound)).mean_absolute_error() for bound in bounds])
        return BoundedSumResult(self, values, bounds, scales, self.cut(bounds))

    def sensitivity(self, bound: float) -> float:
        """The largest move of the sum by one record, over all tables: f rises with x, which lies between 0 and U."""
        return self.records.times * Sum("x", 0, bound).sensitivity(self.neighbors)

    def noise(self, bound: float) -> LaplaceMechanism:
        """The noise that an enforced bound takes."""
        return LaplaceMechanism(self.epsilon, self.sensitivity(bound), self.neighbors)

    def cut(self, bounds: ArrayLike) -> Reals:
        """The part of the sum that each bound cuts off, Σ f(x) - f(min(U, x)): the bias of the bounded sum."""
        above = np.maximum(self.records.values[:, None] - np.atleast_1d(np.asarray(bounds, dtype=np.float64)), 0.0)
        return np.asarray(self.records.times * above.sum(axis=0), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class BoundedSumResult(Public):
    """The records, and along the bounds the scale of the noise and the part cut off; all of it is invented."""

    experiment: BoundedSum
    values: Reals
    bounds: Reals
    scales: Reals
    cuts: Reals

    @property
    def errors(self) -> Reals:
        """The mean absolute error of the released sum at every bound that is compared."""
        return off_on_average(self.scales, self.cuts)

    @property
    def best(self) -> int:
        """The place of the bound whose sum is off by the least on average."""
        return int(self.errors.argmin())

    @property
    def moved(self) -> float:
        """The largest move of the sum by one record at the present bound."""
        return self.experiment.sensitivity(self.experiment.bound)

    @property
    def scale(self) -> float:
        """The mean absolute error of the noise alone at the present bound, b = Δ/ε."""
        return self.experiment.noise(self.experiment.bound).mean_absolute_error()

    @property
    def cut(self) -> float:
        """The part of the sum that the present bound cuts off."""
        return float(self.experiment.cut(self.experiment.bound)[0])

    @property
    def error(self) -> float:
        """The mean absolute error at the present bound, noise and bias together."""
        return float(off_on_average(self.scale, self.cut))

    @property
    def above(self) -> int:
        """The number of records above the present bound."""
        return int(np.count_nonzero(self.values > self.experiment.bound))

    @property
    def unenforced(self) -> float:
        """The real level where the bound is assumed, not enforced, and the newcomer comes: ε r/U for a record r > U."""
        question = self.experiment
        assumed = Sum("x", 0, question.bound)
        loss = loss_without_clamping(assumed, 0, question.records.newcomer, question.neighbors)
        return question.epsilon * max(loss, 1.0)
