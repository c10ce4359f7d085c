"""Costs of the mechanisms for categories beside their error: bandwidth, the sender's work, the loss of one report."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from ldpcore.estimating.adviser import Advice, Adviser, Option
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Choice, Declared
from ldpcore.questions import Progress, Public, Question, Recommendation, no_progress

WeighedQuantity = Annotated[str, Choice("Q", ("error", "bits", "operations", "guess"))]


@dataclass(frozen=True)
class Weighing(Question["WeighedAdvice"], Declared):
    """The adviser's ranking by error, and one of the four quantities along it."""

    adviser: Adviser
    by: WeighedQuantity = "error"

    def run(self, progress: Progress = no_progress) -> WeighedAdvice:
        return WeighedAdvice(self, self.adviser.run(progress))


@dataclass(frozen=True)
class WeighedAdvice(Public):
    """The mechanisms in order of their error, each with its costs."""

    experiment: Weighing
    advice: Advice

    @property
    def recommended(self) -> tuple[Recommendation, ...]:
        """The mechanism that errs least."""
        best = self.advice.best
        return () if best is None else (Recommendation.of("one", mechanism=best.randomizer.slug),)

    @property
    def weights(self) -> Reals:
        """The quantity that is looked at, of each mechanism in the order of their errors."""
        return np.array([weight(option, self.experiment.by) for option in self.advice.options])

    @property
    def threshold(self) -> float:
        """3e^ε + 2: for a rare value, direct answers err less than optimized unary encoding exactly for fewer values.

        n·Var is (k-2+e^ε)/(e^ε-1)² against 4e^ε/(e^ε-1)².
        """
        return 3 * math.exp(self.experiment.adviser.epsilon) + 2

    @property
    def last(self) -> int:
        """The largest whole number below the threshold."""
        return math.ceil(self.threshold) - 1

    @property
    def highest(self) -> float:
        """The largest of the weights at level 0.1 or 10, the measure of a still picture."""
        return max(self._largest(level) for level in (0.1, 1.0, 10.0))

    def _largest(self, level: float) -> float:
        options = replace(self.advice.experiment, epsilon=level).run().options
        return max(weight(option, self.experiment.by) for option in options)


def weight(option: Option, by: str) -> float:
    """The typical error, the bits of a report, its sender's operations, or how often one report is guessed."""
    if by == "error":
        return option.typical_error
    if by == "bits":
        return option.bits
    return option.randomizer.operations() if by == "operations" else option.randomizer.best_guess()
