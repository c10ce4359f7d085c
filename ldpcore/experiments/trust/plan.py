"""Solve backwards in three models: the level, or the people, that keep a mean's noise within a share of its scale.

Without a curator the plan is that of *Means* for the hybrid mechanism, which is proved for every crowd. Shuffled, the
reports are the same ones at the larger level that shuffling allows; a curator's noise is known exactly.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Annotated

import numpy as np

from ldpcore.accounting.shuffling import HIGHEST_LEVEL, delta_of, deltas, largest_local, numeric
from ldpcore.costs import MEGABYTE, Cost
from ldpcore.experiments.means.plan import MeanPlan
from ldpcore.experiments.recommending import only, recommended_level, sayable
from ldpcore.experiments.solving import ends_of_levels, fewest_people
from ldpcore.experiments.trust.models import MODELS
from ldpcore.mechanisms.hybrid import HybridMechanism
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Confidence, Declared, Delta, Epsilon, Interval
from ldpcore.people.scales import ScaledNumbers
from ldpcore.questions import Progress, Public, Question, Recommendation, no_progress

TRUST_LEVELS = tuple(float(level) for level in np.geomspace(0.01, 10.0, 25))
EVERYBODY, BEYOND = 10**12, 10**18  # more people than this are told as none; more are not looked for
PART = 500  # parts of the people needed where reports are shuffled, one of which may be too much
HALVINGS, SECANTS = 12, 3  # by which the level is looked for that shuffling allows: for a curve, and for one level
CAP = math.log(HIGHEST_LEVEL)
STEP = 5e-4  # by which a level is raised until shuffled reports are large enough
SLUG = HybridMechanism.slug
ScaleShare = Annotated[float, Interval("w", 0, 1, (0.001, 0.5), scale="log", open_low=True)]


@dataclass(frozen=True)
class PeopleByModel(Question["PeopleByModelResult"], Declared):
    """The number of people whose answers keep the noise within a share of the scale, whatever numbers they hold."""

    epsilon: Epsilon
    numbers: ScaledNumbers
    width: ScaleShare = 0.01
    confidence: Confidence = 0.95
    delta: Delta = 1e-6

    def cost(self) -> Cost:
        return Cost(16 * MEGABYTE, 0.02)

    def run(self, progress: Progress = no_progress) -> PeopleByModelResult:
        return PeopleByModelResult(self, {model: self.needed(model) for model in MODELS})

    @property
    def reports(self) -> MeanPlan:
        """The plan of *Means* for reports of this level."""
        scale = self.numbers.scale
        return MeanPlan(self.epsilon, 1, 2 * scale.half * self.width, self.confidence, scale, (SLUG,))

    def reach(self, model: str, n: int) -> float:
        """The largest error of the mean of n people, with the confidence, in the reader's unit."""
        if model == "curator":
            return LaplaceMechanism(self.epsilon, 2 * self.numbers.scale.half / n).width(self.confidence)
        level = largest_local(self.epsilon, n, self.delta) if model == "shuffled" else self.epsilon
        return self.reports.reach(SLUG, level, n)

    def needed(self, model: str) -> float:
        """The fewest people who are enough; infinite above a million millions."""
        if model == "curator":  # its noise shrinks like 1/n
            times = self.reach(model, 1) / self.reports.width
            return float(math.ceil(times)) if times <= EVERYBODY else math.inf
        people = self._shuffled() if model == "shuffled" else self.reports.people(SLUG, EVERYBODY)
        return math.inf if people is None else float(people)

    def _shuffled(self) -> int | None:
        """Enough people whose reports are shuffled: of few the fewest, of many a part in `PART` more at most.

        A crowd that is enough unshuffled is enough here.
        """
        alone, reach, width = self.reports.people(SLUG, EVERYBODY), partial(self.reach, "shuffled"), self.reports.width
        if self.epsilon >= HIGHEST_LEVEL:
            return alone
        # The level that shuffling allows is found to a thousandth: a few more people make up for it.
        about = math.ceil(self._about() * (1 + 0.5 / PART))
        enough = PART < about <= EVERYBODY and reach(about) <= width
        people = about if enough else fewest_people(reach, width, about, EVERYBODY, PART)
        return alone if alone is not None and (people is None or alone < people) and reach(alone) <= width else people

    def _about(self) -> int:
        """The number of people that reports need at the level they may have, by secants from a curve."""
        question = replace(self.reports, epsilon=1.0)
        levels, allowed = _allowed_along(question, self.delta)
        place, before, height = float(np.interp(math.log(self.epsilon), levels, allowed)), 0.0, 0.0
        for turn in range(SECANTS):
            people = replace(question, epsilon=math.exp(place)).people(SLUG, BEYOND) or BEYOND
            if turn == SECANTS - 1:
                break
            chance = min(max(delta_of(math.exp(place), people, self.epsilon), 1e-300), 0.999)
            now = math.log(-math.log(chance)) - math.log(-math.log(self.delta))
            slope = (now - height) / (place - before) if turn and place != before else -2.0
            step = -now / slope if slope < 0 else 0.0
            before, height, place = place, now, min(max(place + max(min(step, 0.1), -0.1), math.log(self.epsilon)), CAP)
        return people


@dataclass(frozen=True, eq=False)
class PeopleByModelResult(Public):
    """The people that each model needs; infinite where a million millions are not enough."""

    experiment: PeopleByModel
    here: dict[str, float]


@lru_cache(maxsize=128)
def _allowed_along(question: MeanPlan, delta: float) -> tuple[Reals, Reals]:
    """The ln of some levels, and roughly that of the level that reports may have among the people they need there.

    Reports of level α take as many people as *Means* says; the larger α, the fewer, and the worse they hide each other.
    So the largest α at which they still do is halved for, at all levels at once.
    """
    levels = np.log(np.geomspace(TRUST_LEVELS[0], HIGHEST_LEVEL, 33))
    low, high = levels, np.full(len(levels), CAP)
    logs = np.linspace(levels[0], CAP, 65)
    curve = np.log(question.people_along(SLUG, np.exp(logs)))
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        hidden = deltas(np.exp(middle), np.ceil(np.exp(np.interp(middle, logs, curve))), np.exp(levels)) <= delta
        low, high = np.where(hidden, middle, low), np.where(hidden, high, middle)
    return levels, low


@dataclass(frozen=True)
class TrustPlan(Question["TrustPlanResult"], Declared):
    """Solve backwards: which level, or how many people, keep the noise of each model within a share of the scale?"""

    numbers: ScaledNumbers
    width: ScaleShare = 0.01
    confidence: Confidence = 0.95
    delta: Delta = 1e-6

    def cost(self) -> Cost:
        return Cost(16 * MEGABYTE, 0.15)

    def run(self, progress: Progress = no_progress) -> TrustPlanResult:
        along, reports = np.array(TRUST_LEVELS), self.at(1.0).reports
        levels, allowed = _allowed_along(reports, self.delta)
        curves = {
            "curator": np.array([self.at(level).needed("curator") for level in TRUST_LEVELS]),
            "shuffled": reports.people_along(SLUG, np.exp(np.interp(np.log(along), levels, allowed))),
            "local": reports.people_along(SLUG, along),
        }
        people = {model: np.where(curve <= EVERYBODY, np.ceil(curve), math.inf) for model, curve in curves.items()}
        return TrustPlanResult(self, {model: self.level(model) for model in MODELS}, along, people)

    def at(self, epsilon: float) -> PeopleByModel:
        """The number of people the same wish takes at a level."""
        return PeopleByModel(epsilon, self.numbers, self.width, self.confidence, self.delta)

    def level(self, model: str) -> float | None:
        """The smallest level from a millionth to 50; None where even 50 is not enough."""
        n, (low, high) = self.numbers.n, ends_of_levels()
        if model == "curator":
            # P(|Lap(b)| > w) = e^{-w/b} = β gives b, and b = (U - L)/(nε) the level.
            level = -math.log1p(-self.confidence) / (self.width * n)
            return max(level, low) if level <= high else None
        local = replace(self.at(1.0).reports, n=n).level(SLUG)
        if model == "local" or local is None or local >= HIGHEST_LEVEL or n < 2:
            return local

        level = max(numeric(local, n, self.delta), low)
        # The level that shuffling allows is found to a thousandth, and what is said is a little larger: both must do.
        while level <= high and not all(self._kept(each, n) for each in (level, sayable(level) or level)):
            level = local if level < local <= level * (1 + STEP) else level * (1 + STEP)
        return level if level <= high else None

    def _kept(self, level: float, n: int) -> bool:
        """Whether n people whose reports are shuffled keep the wish at a level."""
        question = self.at(level)
        return question.reach("shuffled", n) <= question.reports.width * (1 + 1e-10)


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
        return only(*(recommended_level(level, model) for model, level in self.levels.items()))
