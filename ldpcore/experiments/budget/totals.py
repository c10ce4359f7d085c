"""The level of k questions together by each rule, the number a total pays for, and the level that k may have."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from ldpcore.accounting.composition import (
    advanced_of,
    coin_divergences,
    concentrated_of,
    concentration,
    optimal_of,
    renyi_level,
)
from ldpcore.costs import MEGABYTE, Cost
from ldpcore.experiments.recommending import sayable
from ldpcore.experiments.solving import most_within
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.numerics.roots import brent_root
from ldpcore.parameters import Declared, Delta, Epsilon, Interval
from ldpcore.questions import Progress, Public, Question, Recommendation, no_progress

QuestionCount = Annotated[int, Interval("k", 1, 10**6, (1, 10**4), scale="log", integer=True)]
AgreedTotal = Annotated[float, Interval(r"\varepsilon_\Sigma", 0, 10**6, (0.1, 100), scale="log", open_low=True)]
MOST = 10**9  # questions that are counted; more are told as this number
POINTS = 121
SEARCH = 1.5e-6  # seconds that one outcome takes in all levels together that a search asks for


def total_of(rule: str, epsilon: float, k: int, delta: float) -> float:
    """The level of k questions at ε each by one rule, at this δ over all of them."""
    if rule == "basic":
        return k * epsilon
    if rule == "advanced":
        return advanced_of(epsilon, k, delta)
    if rule == "zcdp":
        return concentrated_of(k * concentration(epsilon), delta)
    if rule == "renyi":
        return renyi_level(k * coin_divergences(epsilon), delta)
    return optimal_of(epsilon, k, delta)


def along(k: int) -> Counts:
    """The numbers of questions along which totals are drawn, from one to twice as many as are asked."""
    return np.unique(np.rint(np.linspace(1, 2 * max(k, 10), POINTS)).astype(np.int64))


BOUNDS: tuple[str, ...] = ("basic", "advanced", "zcdp", "renyi")
RULES: tuple[str, ...] = (*BOUNDS, "exact")


@dataclass(frozen=True)
class TotalLevels(Question["TotalLevelsResult"], Declared):
    """k questions at ε each: their joint cost, and the rest of a total."""

    epsilon: Epsilon
    k: QuestionCount = 100
    total: AgreedTotal = 10.0
    delta: Delta = 1e-6

    def cost(self) -> Cost:
        reach = min(self.total / self.epsilon, math.sqrt(MOST))  # √k of what the total pays for, were a level ε/√k
        outcomes = 12 * reach  # within 12 standard deviations of at most √k/2 to either side
        return Cost(8 * MEGABYTE + 64 * outcomes, 0.15 + SEARCH * outcomes)

    def run(self, progress: Progress = no_progress) -> TotalLevelsResult:
        ks = along(self.k)
        levels = {rule: self._along(rule, ks) for rule in RULES}
        present = {rule: total_of(rule, self.epsilon, self.k, self.delta) for rule in RULES}
        progress(1.0)
        return TotalLevelsResult(self, ks, levels, present, self._pays_for())

    def _along(self, rule: str, ks: Counts) -> Reals:
        return np.array([total_of(rule, self.epsilon, int(k), self.delta) for k in ks])

    def _pays_for(self) -> dict[str, int]:
        """The number of questions the total pays for, by rule; the exact one pays for no fewer than any bound."""
        most = {rule: self._most(rule, 1) for rule in BOUNDS}
        return most | {"exact": self._most("exact", max(1, *most.values()))}

    def _most(self, rule: str, least: int) -> int:
        """The number of questions the total pays for by one rule, which pays for `least` if for any."""

        def price(k: int) -> float:
            return total_of(rule, self.epsilon, k, self.delta)

        limit = self.total * (1 + 1e-12)
        if price(1) > limit:
            return 0
        return MOST if least == MOST else most_within(price, limit, least, MOST)


@dataclass(frozen=True, eq=False)
class TotalLevelsResult(Public):
    """One curve for each rule along the number of questions, and its value at k."""

    experiment: TotalLevels
    ks: Counts
    levels: dict[str, Reals]
    present: dict[str, float]
    pays_for: dict[str, int]

    @property
    def spent(self) -> float:
        """The exact cost of the k questions."""
        return self.present["exact"]

    @property
    def left(self) -> float:
        """The rest of the total; 0 where it is overdrawn."""
        return max(self.experiment.total - self.spent, 0.0)

    @property
    def best_bound(self) -> str:
        """The rule with the smallest level among those beside the exact one."""
        return min(BOUNDS, key=self.present.__getitem__)

    @property
    def advanced_is_worse(self) -> bool:
        """Whether "advanced" says more than adding up does."""
        return self.present["advanced"] > self.present["basic"]

    @cached_property
    def pays(self) -> int:
        """The number of questions from which "advanced" says less than adding up; 0 where it never does."""
        question = self.experiment
        if math.expm1(question.epsilon) >= 1:
            return 0
        # k ε ≥ √(2k ln(1/δ)) ε + k ε (e^ε - 1) exactly from √k = √(2 ln(1/δ))/(2 - e^ε) on.
        return math.ceil(-2 * math.log(question.delta) / (2 - math.exp(question.epsilon)) ** 2)

    def affordable(self, rule: str) -> int:
        """The number of questions the total pays for by a rule, at most a billion."""
        return self.pays_for[rule]


@dataclass(frozen=True)
class BudgetPlan(Question["BudgetPlanResult"], Declared):
    """Solve backwards: which level may each of k questions have if all together may cost the total?"""

    total: AgreedTotal = 10.0
    k: QuestionCount = 100
    delta: Delta = 1e-6

    def cost(self) -> Cost:
        return Cost(8 * MEGABYTE, 0.15)

    def run(self, progress: Progress = no_progress) -> BudgetPlanResult:
        present, ks = {rule: self.each(rule, self.k) for rule in RULES}, along(self.k)
        totals = [total_of("exact", present["exact"], int(k), self.delta) for k in ks]
        return BudgetPlanResult(self, ks, np.array(totals), present)

    def each(self, rule: str, k: int) -> float:
        """The level of each of k questions that uses the total up, at most 50."""
        if rule == "basic":
            return min(self.total / k, 50.0)
        return _root(lambda epsilon: total_of(rule, epsilon, k, self.delta), self.total)


def _root(rising: Callable[[float], float], total: float) -> float:
    """The level at which a rising function reaches a total, between a millionth and 50."""
    low, high = 1e-6, 50.0
    if rising(high) <= total:
        return high
    if rising(low) >= total:
        return low

    def short(log_level: float) -> float:
        return min(rising(math.exp(log_level)), 1e300) - total

    return math.exp(brent_root(short, math.log(low), math.log(high), rtol=1e-9, xtol=1e-9))


@dataclass(frozen=True, eq=False)
class BudgetPlanResult(Public):
    """The level that each of k questions may have, by rule, and the cost of k at the exact one."""

    experiment: BudgetPlan
    ks: Counts
    totals: Reals
    present: dict[str, float]

    @property
    def allowed(self) -> float:
        """The level of each question by the exact rule, below it where it cannot be said."""
        return sayable(self.present["exact"], down=True) or self.present["exact"]

    @property
    def recommended(self) -> tuple[Recommendation, ...]:
        """The level of each question."""
        return (Recommendation.of(epsilon=self.allowed),)

    @property
    def gain(self) -> float:
        """The ratio of the level by the exact rule to the level by adding up."""
        return self.present["exact"] / self.present["basic"]
