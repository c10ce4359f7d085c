"""k questions for one level: everybody answers all of them at ε/k, or a k-th of the people each."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ldpcore.estimating.sharereaches import worst_share_reach
from ldpcore.experiments.budget.totals import QuestionCount
from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.parameters import Confidence, Declared, Epsilon, Users
from ldpcore.questions import Progress, Public, Question, no_progress

SPLITS: tuple[str, ...] = ("level", "people")
MOST_SPLIT = 200
PLACES = 9  # numbers of questions at which a curve is computed, beside the one asked about


@dataclass(frozen=True)
class SplitChoice(Question["SplitChoiceResult"], Declared):
    """The largest error of k shares of yes, all at once, if n people split their level or themselves.

    By randomized response, whatever the shares are; an estimate that is no share counts as the nearest one. For all k
    to hold together, each gets the confidence 1 - (1-β)/k (Bonferroni). Splitting the level, each question is a census
    at α/k. Splitting the people, each has n//k of them at α, drawn without replacement from all n: their reports that
    say yes are a sum of independent unequal coins, which leaves no interval around its mean more often than the
    binomial law of people drawn one by one (Hoeffding, 1956, theorem 5). A question for nobody may be off by all.
    """

    epsilon: Epsilon
    k: QuestionCount = 10
    n: Users = 10_000
    confidence: Confidence = 0.95

    def run(self, progress: Progress = no_progress) -> SplitChoiceResult:
        most = min(MOST_SPLIT, max(2 * self.k, 20))
        places = np.rint(np.geomspace(1, most, PLACES))
        ks = np.unique(np.append(places, min(self.k, most))).astype(np.int64)
        reaches = {split: np.array([self.reach(split, int(k)) for k in ks]) for split in SPLITS}
        return SplitChoiceResult(self, ks, reaches)

    def reach(self, split: str, k: int) -> float:
        """The largest error of each of k shares where the level or the people are split, as a share."""
        people, confidence = self.n if split == "level" else self.n // k, 1 - (1 - self.confidence) / k
        if people < 1 or confidence == 1:  # nobody is asked, or a double knows no such confidence
            return 1.0
        level = self.epsilon / (k if split == "level" else 1)
        drawn = split == "people" and k > 1
        return min(worst_share_reach(RandomizedResponse(level), people, confidence, drawn), 1.0)


@dataclass(frozen=True, eq=False)
class SplitChoiceResult(Public):
    """The largest error of k shares along k, for both ways to split."""

    experiment: SplitChoice
    ks: Counts
    reaches: dict[str, Reals]

    def at(self, split: str) -> float:
        """The largest error with k questions."""
        return self.experiment.reach(split, self.experiment.k)

    @property
    def better(self) -> str:
        """The way to split that errs less; neither for a single question."""
        level, people = self.at("level"), self.at("people")
        if math.isclose(level, people, rel_tol=1e-9):
            return "alike"
        return "level" if level < people else "people"

    @property
    def factor(self) -> float:
        """The ratio of the worse way's error to the better one's."""
        errors = sorted((self.at("level"), self.at("people")))
        return errors[1] / errors[0]
