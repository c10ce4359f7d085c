"""Can a lie tell the truth? A class answers with coins: its estimate, its deniability, its cost in people, its plan.

A design is anything that says "yes" with probability a to a true yes and b to a true no: randomized response at its
level, or any two coins. Shares are shares of yes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Annotated, Literal

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from ldpcore.adviser import level_needed
from ldpcore.costs import LITTLE, Cost, Question
from ldpcore.experiments import Progress, generator
from ldpcore.intervals import (
    EXACT_USERS,
    CountLaw,
    count_law,
    exact_interval,
    half_width,
    score_interval,
)
from ldpcore.mechanisms.base import CategoryRandomizer
from ldpcore.mechanisms.coins import TwoCoins
from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.parameters import (
    Confidence,
    Declared,
    Epsilon,
    Interval,
    ParameterError,
    Probability,
    Repeats,
    Seed,
    declaration,
)
from ldpcore.populations import Counts, Reals

Design = RandomizedResponse | TwoCoins
People = Annotated[int, Interval("n", 1, 10**9, (10, 10**6), scale="log", integer=True)]
Yes = Annotated[int, Interval("y", 0, 10**9, (0, 1000), integer=True)]
Width = Annotated[float, Interval("w", 0, 1, (0.01, 0.2), scale="log", open_low=True)]
ClassSize = Annotated[int, Interval("n", 1, 10**9, (30, 800), integer=True)]
# What people hold in their hands. Two coins: heads, the truth; tails, the second coin says yes or no. A die: 1-4 the
# truth, 5 yes, 6 no. Two dice: a sum of 2-4 (6 of 36 ways) yes, of 5-10 (27) the truth, of 11 or 12 (3) no.
DESIGNS: Mapping[str, TwoCoins] = MappingProxyType(
    {"coins": TwoCoins(3 / 4, 1 / 4), "die": TwoCoins(5 / 6, 1 / 6), "dice": TwoCoins(11 / 12, 1 / 6)}
)
LEVELS = (0.1, 0.5, 1.0, 2.0, 4.0)  # from hardly an answer to hardly a lie
LEAST, MOST = 0.01, 10.0  # the levels along which curves are drawn
FAR = 0.001  # coins that fall further to one side in fewer classes than this are not believed
DRAWN = 5000  # people who are drawn one by one; a larger class is drawn group by group


def designed(slug: str, epsilon: float) -> Design:
    """A design that people hold in their hands, or the best coins of a level."""
    return DESIGNS[slug] if slug in DESIGNS else RandomizedResponse(epsilon)


def chances(design: Design) -> tuple[float, float]:
    """a = P(yes | yes) and b = P(yes | no)."""
    matrix = design.channel().matrix
    return float(matrix[1, 1]), float(matrix[0, 1])


def estimate_of(design: Design, yes: ArrayLike, n: int) -> Reals:
    """(C/n - b)/(a - b), unbiased and never clipped; undefined where the answers carry nothing."""
    if design.gap == 0:
        return np.full(np.shape(yes), np.nan)
    _, b = chances(design)
    return np.asarray((np.asarray(yes, dtype=np.float64) / n - b) / design.gap, dtype=np.float64)


def interval_of(design: Design, yes: int, n: int, confidence: float, sampled: bool = False) -> tuple[float, float]:
    """Exact up to ten million people; beyond them the score interval, whose error has vanished there."""
    if n <= EXACT_USERS:
        return exact_interval(yes, n, *chances(design), confidence, sampled)
    if design.gap == 0:
        return 0.0, 1.0
    bounds = score_interval(estimate_of(design, yes, n), design, n, confidence, sampled=sampled).clamped()
    return float(bounds.low), float(bounds.high)


def _exact_cost(n: int) -> Cost:
    """Of exact laws and intervals of n people: windows of some standard deviations, a few dozen times."""
    windows = math.sqrt(min(n, EXACT_USERS))
    return LITTLE.then(Cost(4000 * windows + LITTLE.bytes, 3e-4 * windows))


def _check_yes(yes: int, n: int) -> None:
    if yes > n:
        raise ParameterError("yes_outside", n=n, got=yes)


@dataclass(frozen=True)
class Flips:
    """What everybody's coins did: the first coin asks for the truth or hands over to the second, which says yes or no.

    With a > b, the first coin asks for the truth with probability a - b and the second says "yes" with probability
    b/(1 - (a - b)); with a < b the first coin asks for the opposite of the truth instead.
    """

    truth: NDArray[np.bool_]
    honest: NDArray[np.bool_]
    second: NDArray[np.bool_]
    answers: NDArray[np.bool_]


def coins_of(design: Design) -> tuple[float, float]:
    """The chance that the first coin decides, |a - b|, and the chance that the second one says yes."""
    common = _common(design)
    handed_over = float(common.sum())
    return abs(design.gap), float(common[1]) / handed_over if handed_over else 0.0


def _common(design: Design) -> Reals:
    """How often both groups answer no, and yes, alike: the parts of 1 - |a - b|, however small."""
    return np.asarray(design.channel().matrix.min(axis=0), dtype=np.float64)


class Estimated:
    """What every estimate is told with: the nearest share that exists, and how it reads."""

    experiment: ClassSurvey | RealAnswers
    estimate: float
    interval: tuple[float, float]

    @property
    def answered_yes(self) -> int:
        """What the collector sees: how many said yes."""
        raise NotImplementedError

    @property
    def projected(self) -> float:
        """The estimate moved to the nearest share that exists."""
        return min(max(self.estimate, 0.0), 1.0)

    @property
    def outside(self) -> bool:
        """Whether the raw estimate is no share: fewer yes than the lies alone bring, or more than all truths would."""
        return self.estimate < -1e-9 or self.estimate > 1 + 1e-9

    @property
    def beyond(self) -> Literal["below", "above", "neither"]:
        """Whether the raw estimate lies below all shares, the coins alone bringing more yes than came, or above all.

        Its interval then ends where it would had the coins brought exactly what they bring on average.
        """
        if not self.outside:
            return "neither"
        return "below" if self.estimate < 0 else "above"

    @property
    def lies_alone(self) -> float:
        """How many yes answers are expected if nobody's true answer is yes: n b."""
        return self.experiment.n * chances(self.experiment.design)[1]

    @property
    def spread(self) -> float:
        """The standard deviation of the estimate if the nearest share were the true one."""
        return math.sqrt(float(self.experiment.design.variance_of_shares(self.projected, self.experiment.n)))

    @property
    def surprise(self) -> float:
        """How often coins fall at least so far to one side, were the nearest share the true one; 1 for a share."""
        if not self.outside:
            return 1.0
        n, chance = self.experiment.n, chances(self.experiment.design)[self.estimate < 0]
        if self.answered_yes < n * chance:
            return float(scipy.special.bdtr(self.answered_yes, n, chance))
        return float(scipy.special.bdtrc(self.answered_yes - 1, n, chance))

    @property
    def reading(self) -> Literal["blind", "nothing", "far", "outside", "inside"]:
        """How the answers read: any share would do, none explains them, or how the raw estimate lies to the shares.

        "far" means that the nearest share explains the answers worse than one class in a thousand would be explained.
        """
        if self.experiment.design.gap == 0:
            return "blind"
        if self.interval == (0.0, 1.0):
            return "nothing"
        if self.surprise < FAR:
            return "far"
        return "outside" if self.outside else "inside"


@dataclass(frozen=True)
class ClassSurvey(Question, Declared):
    """n people, `yes` of whom truly hold the sensitive answer, answer once."""

    design: Design
    n: People
    yes: Yes
    confidence: Confidence = 0.95
    seed: Seed = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_yes(self.yes, self.n)

    @classmethod
    def of_share(cls, design: Design, n: int, share: float, confidence: float = 0.95, seed: int = 1) -> ClassSurvey:
        """A class whose true share of yes is as near as whole people come."""
        return cls(design, n, round(share * n), confidence, seed)

    def cost(self) -> Cost:
        return _exact_cost(self.n)

    def run(self, progress: Progress | None = None) -> ClassSurveyResult:
        rng = generator(self.seed, "class")
        flips = self.flips(rng) if self.n <= DRAWN else None
        if flips is not None:
            among_yes = int(flips.answers[flips.truth].sum())
            among_no = int(flips.answers[~flips.truth].sum())
        else:
            among_yes, among_no = self.groups(rng)
        answered = among_yes + among_no
        interval = interval_of(self.design, answered, self.n, self.confidence)
        estimate = float(estimate_of(self.design, answered, self.n))
        return ClassSurveyResult(self, flips, among_yes, among_no, estimate, interval)

    def groups(self, rng: np.random.Generator) -> tuple[int, int]:
        """How many of the true yes and of the true no say yes: the same uniform numbers at every level.

        Each is the quantile of its binomial law at one uniform number, so that it moves with the level and never jumps.
        """

        def answered(people: int, uniform: float, no: float, yes: float) -> int:
            if yes <= no:
                return int(scipy.stats.binom.ppf(uniform, people, yes))
            return people - int(
                scipy.stats.binom.ppf(1 - uniform, people, no)
            )  # by the rarer answer, which does not round

        rows = np.asarray(self.design.channel().matrix)
        first, second = rng.random(2)
        return answered(self.yes, first, *map(float, rows[1])), answered(
            self.n - self.yes, second, *map(float, rows[0])
        )

    def flips(self, rng: np.random.Generator) -> Flips:
        """Everybody's coins, the people in random order.

        Each person has two uniform numbers, one for each coin, whatever the level: while it moves, answers turn one
        after the other. The first decides for the second coin by its small chance, which does not round to none.
        """
        says_yes = coins_of(self.design)[1]
        truth = rng.permutation(np.arange(self.n) < self.yes)
        decides = rng.random(self.n) >= float(_common(self.design).sum())
        second = rng.random(self.n) < says_yes
        says = truth if self.design.gap >= 0 else ~truth
        return Flips(truth, decides, second, np.where(decides, says, second))


class OfKnownClass:
    """What is known of an estimate when the whole class is: the true share, and how far one estimate strays from it."""

    experiment: ClassSurvey | RepeatedSurveys

    @property
    def truth(self) -> float:
        """The true share of yes."""
        return self.experiment.yes / self.experiment.n

    @property
    def standard_deviation(self) -> float:
        """The exact standard deviation of the estimate, given the class."""
        return math.sqrt(float(self.experiment.design.variance_of_shares(self.truth, self.experiment.n)))


@dataclass(frozen=True, eq=False)
class ClassSurveyResult(OfKnownClass, Estimated):
    """The coins, person by person in a class that can be drawn; the answers; the estimate and its interval."""

    experiment: ClassSurvey
    flips: Flips | None
    yes_among_yes: int
    yes_among_no: int
    estimate: float
    interval: tuple[float, float]

    @property
    def answered_yes(self) -> int:
        """What the collector sees: how many said yes."""
        return self.yes_among_yes + self.yes_among_no

    @property
    def variance(self) -> float:
        """The exact variance of one person's estimate, given the class."""
        return float(self.experiment.design.variance_of_shares(self.truth, 1))

    @property
    def answered_share(self) -> float:
        """The share of yes among the answers."""
        return self.answered_yes / self.experiment.n

    def masked(self) -> ClassSurveyResult:
        """The answers alone, of a class of which nothing is known."""
        nobody = np.zeros(0, dtype=np.bool_)
        flips = None if self.flips is None else Flips(nobody, nobody, nobody, self.flips.answers)
        return replace(
            self, experiment=replace(self.experiment, yes=0), flips=flips, yes_among_yes=0,
            yes_among_no=self.answered_yes,
        )  # fmt: skip


@dataclass(frozen=True)
class RealAnswers(Question, Declared):
    """A survey that was really run with coins or dice: `yes` of `n` said yes."""

    design: Design
    yes: Yes
    n: People
    confidence: Confidence = 0.95

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_yes(self.yes, self.n)

    def cost(self) -> Cost:
        return _exact_cost(self.n)

    def run(self, progress: Progress | None = None) -> RealAnswersResult:
        estimate = float(estimate_of(self.design, self.yes, self.n))
        asked = interval_of(self.design, self.yes, self.n, self.confidence)
        sampled = interval_of(self.design, self.yes, self.n, self.confidence, sampled=True)
        return RealAnswersResult(self, estimate, asked, sampled, self.direct(estimate))

    def direct(self, estimate: float) -> tuple[float, float]:
        """The interval had the same people, a sample with this share of yes, answered truthfully."""
        if math.isnan(estimate):
            return 0.0, 1.0
        truthful = TwoCoins(1.0, 0.0)
        return interval_of(truthful, round(min(max(estimate, 0.0), 1.0) * self.n), self.n, self.confidence, True)


@dataclass(frozen=True)
class RealAnswersResult(Estimated):
    """The raw estimate, and intervals for the people asked, for the population they represent, and without lying.

    `estimate` is undefined (NaN) where the design makes both answers equally likely for everybody.
    """

    experiment: RealAnswers
    estimate: float
    interval: tuple[float, float]
    sampled_interval: tuple[float, float]
    direct_interval: tuple[float, float]

    @property
    def answered_yes(self) -> int:
        """What the collector sees: how many said yes."""
        return self.experiment.yes


@dataclass(frozen=True)
class Deniability(Question, Declared):
    """What one answer proves: the posterior of a true yes along the prior, and at one prior."""

    design: Design
    prior: Probability = 0.1

    def run(self, progress: Progress | None = None) -> DeniabilityResult:
        priors = np.linspace(0, 1, 201)
        after_yes, after_no = (posterior(self.design, priors, answer) for answer in (True, False))
        chosen_yes, chosen_no = (float(posterior(self.design, self.prior, answer)) for answer in (True, False))
        return DeniabilityResult(self, priors, after_yes, after_no, chosen_yes, chosen_no)


def posterior(design: Design, prior: ArrayLike, answered_yes: bool) -> Reals:
    """P(true yes | answer) = πa/(πa + (1-π)b), with 1-a and 1-b for a no; undefined where the answer never comes.

    For a fair coin and a second fair coin it is 3π/(1 + 2π) after a yes.
    """
    a, b = chances(design) if answered_yes else tuple(1 - chance for chance in chances(design))
    share = np.asarray(prior, dtype=np.float64)
    own, total = share * a, share * a + (1 - share) * b
    return np.asarray(np.divide(own, total, out=np.full(share.shape, np.nan), where=total > 0), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class DeniabilityResult:
    """The posterior of a true yes after a yes and after a no, along all priors and at the chosen one."""

    experiment: Deniability
    priors: Reals
    after_yes: Reals
    after_no: Reals
    chosen_after_yes: float
    chosen_after_no: float

    @property
    def most(self) -> float:
        """What no answer can push the posterior above: the prior odds times e^ε."""
        prior, level = self.experiment.prior, self.experiment.design.guarantee().epsilon
        return prior / (prior + (1 - prior) * math.exp(-level)) if prior else 0.0


@dataclass(frozen=True)
class PeopleNeeded(Question, Declared):
    """How many times as many people randomized answers need, to be as precise as direct answers of a sample.

    1 + v/(f(1-f)), v the variance of one person's estimate: at f = ½ and the best coins ((e^ε+1)/(e^ε-1))².
    """

    design: Design
    share: Probability = 0.5
    n: People = 1000
    low: Epsilon = LEAST
    high: Epsilon = MOST

    def run(self, progress: Progress | None = None) -> PeopleNeededResult:
        levels = np.geomspace(self.low, self.high, 99)
        factors = np.array([people_factor(RandomizedResponse(float(level)), self.share) for level in levels])
        return PeopleNeededResult(self, people_factor(self.design, self.share), levels, factors)

    def at(self, level: float) -> PeopleNeeded:
        """The same question about the best coins of another level."""
        return replace(self, design=RandomizedResponse(level))


def people_factor(design: Design, share: float) -> float:
    """1 + v/(f(1-f)); infinite where everybody is alike and one direct answer would do."""
    direct = share * (1 - share)
    return 1 + float(design.variance_of_shares(share, 1)) / direct if direct else math.inf


@dataclass(frozen=True, eq=False)
class PeopleNeededResult:
    """The factor of the design, and those of the best coins along ε."""

    experiment: PeopleNeeded
    factor: float
    levels: Reals
    factors: Reals

    @property
    def effective(self) -> float:
        """How many direct answers the n randomized ones are worth."""
        return self.experiment.n / self.factor

    @property
    def instead(self) -> float:
        """How many randomized answers stand in for n direct ones."""
        return self.experiment.n * self.factor


@dataclass(frozen=True)
class RepeatedSurveys(Question, Declared):
    """Ask the same class again and again: a histogram of the estimates beside their exact law."""

    design: Design
    n: People
    yes: Yes
    repeats: Repeats = 1000
    bins: Annotated[int, Interval("B", 5, 500, (20, 100), integer=True)] = 61
    seed: Seed = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_yes(self.yes, self.n)
        if self.design.gap == 0:
            raise ParameterError("design_blind")

    def cost(self) -> Cost:
        return _exact_cost(self.n)

    def run(self, progress: Progress | None = None) -> RepeatedSurveysResult:
        law = count_law(self.yes, self.n, *chances(self.design))
        edges, binned = _binned(law, self.bins)
        counts = generator(self.seed, "surveys").multinomial(self.repeats, binned / binned.sum())
        return RepeatedSurveysResult(self, law, estimate_of(self.design, edges, self.n), binned, counts)


def _binned(law: CountLaw, bins: int) -> tuple[Reals, Reals]:
    """The edges and chances of runs of equally many consecutive counts, at most `bins`, where the law has weight."""
    cumulative = np.cumsum(law.chances)
    inside = np.flatnonzero((cumulative > 1e-7) & (cumulative[-1] - cumulative + law.chances > 1e-7))
    width = max(1, math.ceil((inside[-1] - inside[0] + 1) / bins))
    starts = np.arange(inside[0], inside[-1] + 1, width)
    chances = np.add.reduceat(law.chances, starts)
    # What lies before the first and after the last run, two parts in ten million, goes to the two ends.
    chances[0] += law.chances[: starts[0]].sum()
    edges = law.start + np.append(starts, starts[-1] + width) - 0.5
    return np.asarray(edges, dtype=np.float64), np.asarray(chances, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class RepeatedSurveysResult(OfKnownClass):
    """The exact law of the number of yes, the edges of the bins as estimates, and law and histogram over the bins."""

    experiment: RepeatedSurveys
    law: CountLaw
    edges: Reals
    chances: Reals
    counts: Counts

    @property
    def estimates(self) -> Reals:
        """The estimate of every possible number of yes, beside `law.chances`."""
        return estimate_of(self.experiment.design, self.law.values(), self.experiment.n)

    @property
    def impossible(self) -> float:
        """The exact probability of an estimate below 0 or above 1."""
        estimates = self.estimates
        return float(self.law.chances[(estimates < -1e-12) | (estimates > 1 + 1e-12)].sum())

    def within(self, width: float) -> float:
        """The exact probability that an estimate is at most `width` off."""
        off = np.abs(self.estimates - self.truth)
        return float(min(self.law.chances[off <= width * (1 + 1e-12)].sum(), 1.0))


@dataclass(frozen=True)
class CoinDesign(Question, Declared):
    """Any two coins against the best ones of the same level: what the level costs, and what it would have bought."""

    design: Design
    n: People = 1000
    share: Probability = 0.1

    def run(self, progress: Progress | None = None) -> CoinDesignResult:
        level = self.design.guarantee().epsilon
        own = self.deviation(self.design)
        best = RandomizedResponse(level) if declaration(Epsilon).admits(level) else None
        least = self.deviation(best) if best else math.nan
        levels = np.geomspace(LEAST, MOST, 99)
        errors = np.array([self.deviation(RandomizedResponse(float(at))) for at in levels])
        known = {slug: (made.guarantee().epsilon, self.deviation(made)) for slug, made in DESIGNS.items()}
        return CoinDesignResult(self, level, own, best, least, levels, errors, known)

    def deviation(self, design: Design) -> float:
        """The exact standard deviation of the estimate, given the class."""
        return math.sqrt(float(design.variance_of_shares(self.share, self.n)))


@dataclass(frozen=True, eq=False)
class CoinDesignResult:
    """The level of the design (infinite where no finite one holds), its error, and that of the best coins.

    `best` is None where the level is zero, infinite or above 50; `errors` are those of the best coins along `levels`,
    `known` the level and error of each of `DESIGNS`.
    """

    experiment: CoinDesign
    level: float
    standard_deviation: float
    best: RandomizedResponse | None
    best_standard_deviation: float
    levels: Reals
    errors: Reals
    known: Mapping[str, tuple[float, float]]

    @property
    def case(self) -> Literal["blind", "infinite", "finite"]:
        """Whether the answers carry nothing, give somebody away, or hide everybody at a finite level."""
        if self.experiment.design.gap == 0:
            return "blind"
        return "infinite" if math.isinf(self.level) else "finite"

    @property
    def waste(self) -> float:
        """How many times as many people the design needs as the best coins of its level."""
        return (self.standard_deviation / self.best_standard_deviation) ** 2


@dataclass(frozen=True)
class SurveyPlan(Question, Declared):
    """Solve backwards: to know the share in a population to ±w with this confidence, which ε, or how many people?

    Normal half-widths from exact variances. People who are `sampled` stand for a population, which adds f(1-f)/n, most
    where f = ½; else the share meant is the one among the people asked, as in a census.
    """

    design: Design
    n: People
    share: Probability = 0.3
    width: Width = 0.05
    confidence: Confidence = 0.95
    sampled: bool = True

    def run(self, progress: Progress | None = None) -> SurveyPlanResult:
        people = self.people(self.design)
        truthful = half_width(self.share, TwoCoins(1.0, 0.0), self.n, self.confidence, self.sampled)
        # A plan is about the best coins; other designs have no level to turn.
        level = level_needed(RandomizedResponse(1.0), self.fits)
        needed = math.ceil(people) if math.isfinite(people) else None
        levels = np.geomspace(LEAST, MOST, 99)
        along = np.array([self.people(RandomizedResponse(float(at))) for at in levels])
        width = self.half_width(self.design, self.n)
        return SurveyPlanResult(self, width, level, needed, truthful, levels, along)

    def people(self, design: CategoryRandomizer) -> float:
        """(half-width of one person / w)²: how many people make the half-width w."""
        return (self.half_width(design, 1) / self.width) ** 2

    def half_width(self, design: CategoryRandomizer, n: int) -> float:
        """z √((v + s f(1-f))/n), s = 1 where people are sampled."""
        return half_width(self.share, design, n, self.confidence, self.sampled)

    def fits(self, randomizer: CategoryRandomizer) -> bool:
        """Whether another level is precise enough for n people."""
        return self.half_width(randomizer, self.n) <= self.width


@dataclass(frozen=True, eq=False)
class SurveyPlanResult:
    """The present half-width, the level that would do (None: no level), the people who would do, and without lying.

    `truthful` is the half-width of direct answers: where it exceeds the wish, privacy is not what stands in the way.
    `along` are the people needed by the best coins along `levels`.
    """

    experiment: SurveyPlan
    width: float
    epsilon: float | None
    people: int | None
    truthful: float
    levels: Reals
    along: Reals

    @property
    def case(self) -> Literal["possible", "impossible"]:
        """Whether some level does; where truthful people are too few, none does."""
        return "impossible" if self.epsilon is None else "possible"

    @property
    def truthful_people(self) -> float:
        """How many people would do if all simply told the truth."""
        question = self.experiment
        return question.n * (self.truthful / question.width) ** 2
