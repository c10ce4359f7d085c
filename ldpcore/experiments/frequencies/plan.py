"""The level, or the number of people, that a precision takes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from ldpcore.costs import LITTLE, Cost
from ldpcore.estimating.adviser import candidates, comparable, level_needed, tuned_anew
from ldpcore.estimating.confidences import quantile
from ldpcore.estimating.intervals import EXACT_USERS, binomial_law, count_law, drawn_variance
from ldpcore.estimating.sharereaches import share_reach
from ldpcore.experiments.frequencies.survey import tuned_to
from ldpcore.experiments.recommending import only, said_level
from ldpcore.experiments.solving import fewest_people
from ldpcore.mechanisms.base import CategoryRandomizer, FrequencyOracle
from ldpcore.mechanisms.coins import TwoCoins
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Confidence, Declared, DomainSize, Interval, Probability, Users
from ldpcore.questions import Progress, Public, Question, Recommendation, no_progress

FrequencyWidth = Annotated[float, Interval("w", 0, 1, (0.001, 0.2), scale="log", open_low=True)]


EVERYBODY = 10**18  # more people than this are called impossible


@dataclass(frozen=True)
class FrequencyPlan(Question["FrequencyPlanResult"], Declared):
    """Solve backwards: to know a share to ±w with this confidence, which ε, or how many people?

    By the exact law of the estimate, or what is proved of it. People who are `sampled` stand for a population, which
    adds f(1-f)/n to the variance; else the share meant is the one among the people asked, as in a census.
    """

    randomizer: CategoryRandomizer
    n: Users
    share: Probability = 0.1
    width: FrequencyWidth = 0.01
    confidence: Confidence = 0.95
    sampled: bool = True

    def cost(self) -> Cost:
        return self.randomizer.setup_cost().then(LITTLE)

    def run(self, progress: Progress = no_progress) -> FrequencyPlanResult:
        now = self.reach(self.randomizer, self.n)
        return FrequencyPlanResult(self, now, self.needed(), self.people(), self.floor(), self.chance())

    def people(self) -> float:
        """The fewest people who are enough at the present level; infinite where no number is."""
        if math.isinf(self.reach(self.randomizer, 1)):
            return math.inf
        about = (quantile(self.confidence) / self.width) ** 2 * float(
            self.randomizer.variance_of_shares(self.share, 1) + drawn_variance(self.share, self.sampled)
        )
        fewest = fewest_people(lambda n: self.reach(self.randomizer, n), self.width, about, EVERYBODY)
        return math.inf if fewest is None else fewest

    def needed(self) -> float | None:
        """The smallest level of the mechanism that is precise enough; None where none is."""
        return level_needed(self.randomizer, self.fits)

    def fits(self, randomizer: CategoryRandomizer) -> bool:
        """Whether another level of the mechanism is precise enough."""
        return self.reach(randomizer, self.n) <= self.width

    def reach(self, randomizer: CategoryRandomizer, n: int) -> float:
        """The distance from the share that the estimate stays within with the confidence, at least."""
        return share_reach(self.share, randomizer, n, self.confidence, self.sampled)

    @property
    def truthful(self) -> float:
        """The reach if all simply told the truth: the error of sampling alone, 0 in a census."""
        return share_reach(self.share, TwoCoins(1.0, 0.0), self.n, self.confidence, self.sampled)

    def floor(self) -> float:
        """The reach at the weakest level that the project knows, the mechanism's best."""
        weakest = tuned_anew(self.randomizer, 50.0)
        return math.nan if weakest is None else self.reach(weakest, self.n)

    def curve(self) -> tuple[Reals, Reals]:
        """Levels, and the reach at each; empty for a mechanism that is not declared by a level."""
        levels = np.geomspace(0.01, 10, 61)
        tuned = [tuned_anew(self.randomizer, float(level)) for level in levels]
        widths = [self.reach(member, self.n) for member in tuned if member is not None]
        return levels[: len(widths)], np.array(widths)

    def usual(self) -> float:
        """The reach at level 1, which a still picture is measured by where there is no curve."""
        return share_reach(self.share, tuned_to(self.randomizer, 1.0), self.n, self.confidence)

    def chance(self) -> float | None:
        """The exact probability that the estimate is within ±w now; None where it is not a matter of counting."""
        oracle = self.randomizer
        if not isinstance(oracle, FrequencyOracle) or self.n > EXACT_USERS:
            return None
        if self.sampled:
            law, truth = binomial_law(self.n, min(oracle.q + oracle.gap * self.share, 1.0)), self.share
        else:
            held = round(self.share * self.n)
            law, truth = count_law(held, self.n, oracle.p, oracle.q), held / self.n
        off = np.abs((law.values() / self.n - oracle.q) / oracle.gap - truth)
        return float(min(law.chances[off <= self.width * (1 + 1e-12)].sum(), 1.0))


@dataclass(frozen=True)
class FrequencyPlanResult(Public):
    """The reach of the present level, the level and the crowd that would be precise enough, and the exact chance now.

    `epsilon` is None where no level is precise enough for n people; `floor` says how far the weakest level gets.
    `people` is a whole number, or infinite where values cannot be told apart.
    """

    experiment: FrequencyPlan
    width: float
    epsilon: float | None
    people: float
    floor: float
    chance: float | None

    @property
    def recommended(self) -> tuple[Recommendation, ...]:
        """The level of one's own mechanism for these people, or the people for this level where more may be asked."""
        crowd = Recommendation.of(n=int(self.people)) if self.experiment.sampled and self.people < 1e18 else None
        return only(None if self.said is None else Recommendation.of(epsilon=self.said), crowd)

    @property
    def said(self) -> float | None:
        """The level as it is taken over, in steps that can be said."""
        return said_level(self.experiment.randomizer, self.epsilon, self.experiment.fits)

    @property
    def case(self) -> str:
        """Whether a level is precise enough; "fixed" for a design that is not tuned by its level alone."""
        if math.isnan(self.floor):
            return "fixed"
        return "impossible" if self.epsilon is None else "possible"


@dataclass(frozen=True)
class RivalPlans(Question["RivalPlansResult"], Declared):
    """One wish, several mechanisms: the error of each along the level, and the level that each needs."""

    slugs: tuple[str, ...]
    k: DomainSize
    n: Users
    share: Probability = 0.1
    width: FrequencyWidth = 0.01
    confidence: Confidence = 0.95
    sampled: bool = True

    def cost(self) -> Cost:
        return LITTLE.times(max(len(self.slugs), 1))

    def plans(self) -> list[FrequencyPlan]:
        """The plans, one for each mechanism that exists for this number of values."""
        wish = self.n, self.share, self.width, self.confidence, self.sampled
        return [FrequencyPlan(one, *wish) for one in (candidates(1.0, self.k, self.slugs) if self.slugs else ())]

    def run(self, progress: Progress = no_progress) -> RivalPlansResult:
        plans = self.plans()
        curves = {plan.randomizer.slug: plan.curve() for plan in plans}
        return RivalPlansResult(self, curves, {plan.randomizer.slug: plan.needed() for plan in plans})


@dataclass(frozen=True, eq=False)
class RivalPlansResult(Public):
    """By mechanism: levels with the reach at each, and the level that is precise enough, None where none is."""

    experiment: RivalPlans
    curves: Mapping[str, tuple[Reals, Reals]]
    needed: Mapping[str, float | None]


@dataclass(frozen=True)
class BestMechanism(Question["BestMechanismResult"], Declared):
    """The mechanism that is precise enough at the smallest level, of those that treat all k answers alike."""

    k: DomainSize
    n: Users
    share: Probability = 0.1
    width: FrequencyWidth = 0.01
    confidence: Confidence = 0.95
    sampled: bool = True

    def cost(self) -> Cost:
        return LITTLE

    def run(self, progress: Progress = no_progress) -> BestMechanismResult:
        levels = {each.slug: level_needed(each, self.fits) for each in comparable(1.0, self.k)}
        able = {slug: level for slug, level in levels.items() if level is not None}
        # Levels are found to eight digits: what is equal up to these keeps the order of the registry.
        best = min(able, key=lambda slug: float(f"{able[slug]:.6e}"), default=None)
        return BestMechanismResult(self, best, None if best is None else able[best])

    def fits(self, randomizer: CategoryRandomizer) -> bool:
        """Whether a mechanism is precise enough at its level."""
        return share_reach(self.share, randomizer, self.n, self.confidence, self.sampled) <= self.width


@dataclass(frozen=True)
class BestMechanismResult(Public):
    """The mechanism of the smallest level and that level; None where no mechanism and no level will do."""

    experiment: BestMechanism
    slug: str | None
    epsilon: float | None

    @property
    def recommended(self) -> tuple[Recommendation, ...]:
        """The mechanism and its level, together."""
        return (
            ()
            if self.slug is None or self.said is None
            else (Recommendation.of(mechanism=self.slug, epsilon=self.said),)
        )

    @property
    def said(self) -> float | None:
        """The level as it is taken over, in steps that can be said."""
        if self.slug is None:
            return None
        (best,) = candidates(1.0, self.experiment.k, (self.slug,))
        return said_level(best, self.epsilon, self.experiment.fits)
