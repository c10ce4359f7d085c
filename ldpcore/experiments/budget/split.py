"""k questions for one level: does everybody answer all of them at a k-th of it, or a k-th of the people each?"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.accounting.repetition import coin_variance
from ldpcore.estimating.intervals import quantile
from ldpcore.experiments.budget.totals import Questions
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.parameters import Confidence, Declared, Epsilon, Users
from ldpcore.questions import Progress, Public, Question

SPLITS: tuple[str, ...] = ("level", "people")
MOST_SPLIT = 200


@dataclass(frozen=True)
class SplitChoice(Question["SplitChoiceResult"], Declared):
    """How far the shares of k yes-or-no questions may be off, all at once, if n people split their level or themselves.

    By randomized response and the normal law. Splitting the level, each share has the error √(v(α/k)/n) with
    v(α) = e^α/(e^α-1)²; splitting the people, √((v(α) + f(1-f)(1 - 1/k)) k/n) at worst, f = ½: those who are asked
    something else are missed. For all k intervals to hold together, each gets the confidence 1 - β/k (Bonferroni).
    """

    epsilon: Epsilon
    k: Questions = 10
    n: Users = 10_000
    confidence: Confidence = 0.95

    def run(self, progress: Progress | None = None) -> SplitChoiceResult:
        most = min(MOST_SPLIT, max(2 * self.k, 20))
        ks = np.arange(1, most + 1)
        return SplitChoiceResult(self, ks, {split: self.reach(split, ks) for split in SPLITS})

    def reach(self, split: str, ks: ArrayLike) -> Reals:
        """Half the width of each interval, as a share."""
        counts = np.atleast_1d(np.asarray(ks, dtype=np.int64))
        wide = np.array([quantile(1 - (1 - self.confidence) / int(k)) for k in counts])
        return wide * np.sqrt([self.variance(split, int(k)) for k in counts])

    def variance(self, split: str, k: int) -> float:
        """The variance of one estimated share, where the level or the people are split among k questions."""
        if split == "level":
            return coin_variance(self.epsilon / k) / self.n
        return (coin_variance(self.epsilon) + (1 - 1 / k) / 4) * k / self.n


@dataclass(frozen=True, eq=False)
class SplitChoiceResult(Public):
    """Half the width of the intervals along k, for both ways to split."""

    experiment: SplitChoice
    ks: Counts
    reaches: dict[str, Reals]

    def at(self, split: str) -> float:
        """With k questions."""
        return float(self.experiment.reach(split, self.experiment.k)[0])

    @property
    def better(self) -> str:
        """The way to split that errs less; neither for a single question."""
        level, people = self.at("level"), self.at("people")
        if math.isclose(level, people, rel_tol=1e-9):
            return "alike"
        return "level" if level < people else "people"

    @property
    def factor(self) -> float:
        """How many times as far off the worse way is."""
        errors = sorted((self.at("level"), self.at("people")))
        return errors[1] / errors[0]
