"""One mean, three answers: a curator adds noise once, reports are shuffled, or nobody is trusted with anything.

Everywhere n is public and one person's number is replaced by another (E5): the curator's noise is Laplace's of scale
(U - L)/(nε). Without one, everybody sends a hybrid report; shuffled, it may have a larger level α for the same ε and δ.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ldpcore.accounting.shuffling import largest_local, largest_locals
from ldpcore.costs import MEGABYTE, Cost
from ldpcore.mechanisms.hybrid import HybridMechanism
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.parameters import Declared, Delta, Epsilon
from ldpcore.people.scales import ScaledNumbers
from ldpcore.questions import Progress, Public, Question, no_progress

MODELS: tuple[str, ...] = ("curator", "shuffled", "local")
SIZES = tuple(int(n) for n in np.unique(np.rint(np.geomspace(10, 10**9, 25)).astype(np.int64)))


def noise_error(model: str, epsilon: float, numbers: ScaledNumbers, n: int, delta: float) -> float:
    """The standard deviation of the noise in the mean of n people of this shape, in the reader's unit."""
    if model == "curator":
        return LaplaceMechanism(epsilon, 2 * numbers.scale.half / n, "replace-one").standard_deviation()
    return without_curator(largest_local(epsilon, n, delta) if model == "shuffled" else epsilon, numbers, n)


def without_curator(alpha: float, numbers: ScaledNumbers, n: int) -> float:
    """The standard deviation of the noise in a mean of n people, in the reader's unit, all reporting at level α."""
    return numbers.scale.half * math.sqrt(numbers.people.mean_of(HybridMechanism(alpha).variance_at) / n)


@dataclass(frozen=True)
class ErrorsNow(Question["ErrorsNowResult"], Declared):
    """The error of each model with the people there are, for the same question at the same level."""

    epsilon: Epsilon
    numbers: ScaledNumbers
    delta: Delta = 1e-6

    def run(self, progress: Progress = no_progress) -> ErrorsNowResult:
        people, n = self.numbers, self.numbers.n
        here = {model: noise_error(model, self.epsilon, people, n, self.delta) for model in MODELS}
        return ErrorsNowResult(self, here, largest_local(self.epsilon, n, self.delta))


@dataclass(frozen=True, eq=False)
class ErrorsNowResult(Public):
    """The errors with the people there are, and the level that shuffling allows them."""

    experiment: ErrorsNow
    here: dict[str, float]
    alpha: float

    @property
    def factor(self) -> float:
        """The ratio of the error if nobody is trusted to the curator's."""
        return self.here["local"] / self.here["curator"]

    @property
    def sampled(self) -> float:
        """The error that a sample adds with the people there are, σ/√n."""
        return math.sqrt(self.experiment.numbers.variance / self.experiment.numbers.n)


@dataclass(frozen=True)
class ErrorsOverPeople(Question["ErrorsOverPeopleResult"], Declared):
    """The error of each model along the number of people, for the same question at the same level."""

    epsilon: Epsilon
    numbers: ScaledNumbers
    delta: Delta = 1e-6

    def cost(self) -> Cost:
        return Cost(16 * MEGABYTE, 0.2)

    def run(self, progress: Progress = no_progress) -> ErrorsOverPeopleResult:
        alphas = largest_locals(self.epsilon, SIZES, self.delta).tolist()
        one = without_curator(self.epsilon, self.numbers, 1)
        curves = {
            "curator": np.array([noise_error("curator", self.epsilon, self.numbers, n, self.delta) for n in SIZES]),
            "shuffled": np.array(
                [without_curator(alpha, self.numbers, n) for alpha, n in zip(alphas, SIZES, strict=True)]
            ),
            "local": one / np.sqrt(SIZES),
        }
        now = ErrorsNow(self.epsilon, self.numbers, self.delta).run()
        return ErrorsOverPeopleResult(self, np.array(SIZES), curves, now)


@dataclass(frozen=True, eq=False)
class ErrorsOverPeopleResult(Public):
    """One curve for each model, and the errors with the people there are."""

    experiment: ErrorsOverPeople
    sizes: Counts
    curves: dict[str, Reals]
    now: ErrorsNowResult

    @property
    def sampling(self) -> Reals:
        """The error that a sample of people adds in every model, σ/√n."""
        return np.asarray(np.sqrt(self.experiment.numbers.variance / self.sizes), dtype=np.float64)
