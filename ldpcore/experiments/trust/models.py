"""One mean, three answers: a curator adds noise once, reports are shuffled, or nobody is trusted with anything.

Everywhere n is public and one person's number is replaced by another (E5): the curator's noise is Laplace's of scale
(U - L)/(nε). Without one, everybody sends a hybrid report; shuffled, it may have a larger level α for the same ε and δ.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from ldpcore.accounting.shuffling import largest_local, largest_locals
from ldpcore.costs import MEGABYTE, Cost
from ldpcore.estimating.intervals import quantile
from ldpcore.experiments.recommending import at_level, only
from ldpcore.experiments.solving import ends_of_levels, fewest_people, smallest_level
from ldpcore.mechanisms.hybrid import HybridMechanism
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.parameters import Confidence, Declared, Delta, Epsilon, Interval
from ldpcore.people.scales import Numbers
from ldpcore.questions import Progress, Public, Question, Recommendation

MODELS: tuple[str, ...] = ("curator", "shuffled", "local")
SIZES = tuple(int(n) for n in np.unique(np.rint(np.geomspace(10, 10**9, 25)).astype(np.int64)))
LEVELS = tuple(float(level) for level in np.geomspace(0.01, 10.0, 25))
FEW_LEVELS = LEVELS[::3]
EVERYBODY = 10**12  # more people than this are told as none
Part = Annotated[float, Interval("w", 0, 1, (0.001, 0.5), scale="log", open_low=True)]


def noise_error(model: str, epsilon: float, numbers: Numbers, n: int, delta: float) -> float:
    """The standard deviation of the noise in the mean of n people of this shape, in the reader's unit."""
    if model == "curator":
        return LaplaceMechanism(epsilon, 2 * numbers.scale.half / n, "replace-one").standard_deviation()
    return without_curator(largest_local(epsilon, n, delta) if model == "shuffled" else epsilon, numbers, n)


def without_curator(alpha: float, numbers: Numbers, n: int) -> float:
    """The standard deviation of the noise in a mean of n people, in the reader's unit, all reporting at level α."""
    return numbers.scale.half * math.sqrt(numbers.people.mean_of(HybridMechanism(alpha).variance_at) / n)


@dataclass(frozen=True)
class ErrorsOverPeople(Question["ErrorsOverPeopleResult"], Declared):
    """The error of each model along the number of people, for the same question at the same level."""

    epsilon: Epsilon
    numbers: Numbers
    delta: Delta = 1e-6

    def cost(self) -> Cost:
        return Cost(16 * MEGABYTE, 0.2)

    def run(self, progress: Progress | None = None) -> ErrorsOverPeopleResult:
        sizes = (*SIZES, self.numbers.n)
        alphas = largest_locals(self.epsilon, sizes, self.delta).tolist()
        one = without_curator(self.epsilon, self.numbers, 1)
        errors = {
            "curator": np.array([noise_error("curator", self.epsilon, self.numbers, n, self.delta) for n in sizes]),
            "shuffled": np.array(
                [without_curator(alpha, self.numbers, n) for alpha, n in zip(alphas, sizes, strict=True)]
            ),
            "local": one / np.sqrt(sizes),
        }
        curves, here = (
            {model: each[:-1] for model, each in errors.items()},
            {m: float(e[-1]) for m, e in errors.items()},
        )
        return ErrorsOverPeopleResult(self, np.array(SIZES), curves, here, alphas[-1])


@dataclass(frozen=True, eq=False)
class ErrorsOverPeopleResult(Public):
    """One curve for each model, the errors with the people there are, and the level that shuffling allows them."""

    experiment: ErrorsOverPeople
    sizes: Counts
    curves: dict[str, Reals]
    here: dict[str, float]
    alpha: float

    @property
    def factor(self) -> float:
        """How many times as far off the mean is if nobody is trusted."""
        return self.here["local"] / self.here["curator"]

    @property
    def sampling(self) -> Reals:
        """What a sample of people adds in every model, σ/√n."""
        return np.asarray(np.sqrt(self.experiment.numbers.variance / self.sizes), dtype=np.float64)

    @property
    def sampled(self) -> float:
        """What a sample adds with the people there are, σ/√n."""
        return math.sqrt(self.experiment.numbers.variance / self.experiment.numbers.n)


@dataclass(frozen=True)
class PeopleNeeded(Question["PeopleNeededResult"], Declared):
    """How many people of this shape must answer for the noise to stay within a share of the scale?"""

    epsilon: Epsilon
    numbers: Numbers
    width: Part = 0.01
    confidence: Confidence = 0.95
    delta: Delta = 1e-6

    def cost(self) -> Cost:
        return Cost(16 * MEGABYTE, 0.1)

    def run(self, progress: Progress | None = None) -> PeopleNeededResult:
        return PeopleNeededResult(self, {model: self.needed(model, self.epsilon) for model in MODELS})

    def needed(self, model: str, level: float) -> float:
        """The least number of people, by the normal law or the curator's own; infinite above a million millions."""
        target = 2 * self.numbers.scale.half * self.width
        if model == "curator":  # its noise shrinks like 1/n
            one = LaplaceMechanism(level, 2 * self.numbers.scale.half).width(self.confidence)
            return self._counted(one / target)
        one = quantile(self.confidence) * without_curator(level, self.numbers, 1)
        local = self._counted((one / target) ** 2)  # like 1/√n
        if model == "local":
            return local

        def reach(n: int) -> float:
            return quantile(self.confidence) * noise_error(model, level, self.numbers, n, self.delta)

        least = fewest_people(reach, target, min(local, EVERYBODY) / 100, EVERYBODY)
        return math.inf if least is None else float(least)

    def _counted(self, people: float) -> float:
        """A whole number of people."""
        return float(math.ceil(people)) if people <= EVERYBODY else math.inf


@dataclass(frozen=True, eq=False)
class PeopleNeededResult(Public):
    """The people that each model needs; infinite where a million millions are not enough."""

    experiment: PeopleNeeded
    here: dict[str, float]


@dataclass(frozen=True)
class TrustPlan(Question["TrustPlanResult"], Declared):
    """Solve backwards: which level, or how many people, keep the noise of each model within a share of the scale?"""

    numbers: Numbers
    width: Part = 0.01
    confidence: Confidence = 0.95
    delta: Delta = 1e-6

    def cost(self) -> Cost:
        return Cost(16 * MEGABYTE, 0.7)

    def run(self, progress: Progress | None = None) -> TrustPlanResult:
        levels = {model: self.level(model) for model in MODELS}
        people = {model: np.array([self.at(level).needed(model, level) for level in FEW_LEVELS]) for model in MODELS}
        return TrustPlanResult(self, levels, np.array(FEW_LEVELS), people)

    def at(self, epsilon: float) -> PeopleNeeded:
        """How many people the same wish takes at a level."""
        return PeopleNeeded(epsilon, self.numbers, self.width, self.confidence, self.delta)

    @property
    def allowed(self) -> float:
        """The standard deviation that keeps the noise within the width, by the normal law."""
        return 2 * self.numbers.scale.half * self.width / quantile(self.confidence)

    def level(self, model: str) -> float | None:
        """The smallest level from a millionth to 50; None where even 50 is not enough."""
        n = self.numbers.n
        if model == "curator":
            # P(|Lap(b)| > w) = e^{-w/b} = β gives b, and b = (U - L)/(nε) the level.
            level, (low, high) = -math.log1p(-self.confidence) / (self.width * n), ends_of_levels()
            return max(level, low) if level <= high else None
        return smallest_level(lambda level: noise_error(model, level, self.numbers, n, self.delta), self.allowed)


@dataclass(frozen=True, eq=False)
class TrustPlanResult(Public):
    """The level that each model needs, None where none up to 50 is enough, and the people it needs along the level."""

    experiment: TrustPlan
    levels: dict[str, float | None]
    along: Reals
    people: dict[str, Reals]

    @property
    def recommended(self) -> tuple[Recommendation, ...]:
        """The level of each model that can do it."""
        return only(*(at_level(level, model) for model, level in self.levels.items()))
