"""Which mechanism errs least here, and where another one does."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ldpcore.costs import LITTLE, Cost
from ldpcore.estimating.adviser import K_RANGE, Advice, Adviser, Change
from ldpcore.parameters import (
    Declared,
)
from ldpcore.questions import Progress, Public, Question


@dataclass(frozen=True)
class WhichOne(Question["WhichOneResult"], Declared):
    """The adviser's answer, and where the choice changes along k and along the level."""

    adviser: Adviser

    def cost(self) -> Cost:
        return LITTLE.times(20)  # thousands of exact errors

    def run(self, progress: Progress | None = None) -> WhichOneResult:
        adviser = self.adviser
        return WhichOneResult(self, adviser.run(), adviser.changes_in_k(), adviser.changes_in_epsilon())


@dataclass(frozen=True)
class WhichOneResult(Public):
    """The ranking, the numbers of categories and the levels at which another mechanism becomes the best."""

    experiment: WhichOne
    advice: Advice
    along_k: tuple[Change, ...]
    along_epsilon: tuple[Change, ...]

    @property
    def range_of_k(self) -> tuple[int, int]:
        """The numbers of categories that were looked at."""
        return K_RANGE

    @property
    def members(self) -> tuple[str, ...]:
        """The mechanisms that are ever the best, or are among those compared here."""
        named = {slug for change in self.along_k for slug in (change.before, change.after) if slug}
        return tuple(sorted(named | {option.randomizer.slug for option in self.advice.options}))

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
