"""Exercises about distances of laws: before and after a channel, of many people, of mixtures, and what they forbid."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, TypeVar

import numpy as np

from ldpcore.laws import divergences
from ldpcore.laws.contraction import information_constant, largest_contraction, pushed
from ldpcore.laws.divergences import FDivergence
from ldpcore.laws.products import distance_of
from ldpcore.mechanisms.grr import GeneralizedRandomizedResponse
from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.binomials import log_choose_each
from ldpcore.parameters import LEVEL_AXIS, Choice, Declared, Epsilon, Interval, Probability
from ldpcore.questions import Progress, Public, Question, no_progress

Chances = TypeVar("Chances", float, Reals)
TWO_LAWS: dict[str, tuple[tuple[float, ...], tuple[float, ...]]] = {
    "swapped": ((0.1, 0.2, 0.3, 0.4), (0.4, 0.2, 0.3, 0.1)),
    "near": ((0.35, 0.3, 0.2, 0.15), (0.25, 0.25, 0.25, 0.25)),
    "excluded": ((0.1, 0.2, 0.3, 0.4), (0.4, 0.3, 0.3, 0.0)),
}
ANSWER_COUNT = 4  # of each of these laws
SQUARED = 2.0  # up to this order a power divergence shrinks like χ², beyond it like total variation
RATIOS = np.linspace(0, 4.2, 211)  # at which the function of a divergence is drawn
MOST_REPORTING = 10**4
CROWDS = np.unique(np.rint(np.geomspace(1, MOST_REPORTING, 61)).astype(np.int64))  # of people, along an axis
PACKED_CROWDS = np.unique(np.rint(np.geomspace(1, MOST_REPORTING, 31)).astype(np.int64))
FAMILY_LEVELS = np.geomspace(*LEVEL_AXIS, 31)  # along which a distance is drawn
MIXED = np.linspace(0, 1, 101)  # shares of one coin in a mixture
ROUNDING = 1e-15  # of a sum of probabilities: what is less is nothing
FUNCTIONS_OF_ANSWERS: dict[str, tuple[float, ...]] = {
    "first": (1.0, -1.0, -1.0, -1.0),
    "half": (1.0, 1.0, -1.0, -1.0),
    "ends": (1.0, -1.0, -1.0, 1.0),
    "line": (1.0, 1 / 3, -1 / 3, -1.0),
}  # an event is a function of 1 where it happens and -1 where it does not

MeasureChoice = Annotated[str, Choice("D_f", ("kl", "tv", "chi2", "h2", "power"))]
PowerOrder = Annotated[float, Interval("a", 0.1, 5, (0.1, 5), scale="log")]
LawsChoice = Annotated[str, Choice("P, Q", tuple(TWO_LAWS))]
FunctionChoice = Annotated[str, Choice(r"\varphi", tuple(FUNCTIONS_OF_ANSWERS))]
CrowdSize = Annotated[int, Interval("n", 1, MOST_REPORTING, (1, MOST_REPORTING), scale="log", integer=True)]
Tosses = Annotated[int, Interval("n", 1, 100, (1, 100), scale="log", integer=True)]
PackedShares = Annotated[int, Interval("m", 2, 9, (2, 9), integer=True)]


def measure_of(slug: str, order: float) -> FDivergence:
    """The divergence of a slug; the order counts for the power divergence alone."""
    if slug == "power":
        return divergences.power_divergence(order)
    return next(each for each in divergences.F_DIVERGENCES if each.slug == slug)


def noisy(chance: Chances, epsilon: float) -> Chances:
    """The chance of heads in a report, where randomized response hides a coin with this chance of heads; or of each."""
    return 0.5 + math.tanh(epsilon / 2) * (chance - 0.5)


def reports_of(laws: str, epsilon: float) -> tuple[Reals, Reals]:
    """Both laws of the reports about one of four answers, by generalized randomized response."""
    channel = GeneralizedRandomizedResponse(epsilon, ANSWER_COUNT).channel().matrix
    first, second = (pushed(law, channel) for law in TWO_LAWS[laws])
    return first, second


@dataclass(frozen=True)
class DivergenceFamily(Question["DivergenceFamilyResult"], Declared):
    """How far apart are two laws by a divergence of one family, before and after a channel?"""

    epsilon: Epsilon
    measure: MeasureChoice = "kl"
    order: PowerOrder = 2.0
    laws: LawsChoice = "swapped"

    def run(self, progress: Progress = no_progress) -> DivergenceFamilyResult:
        first, second = (np.array(law) for law in TWO_LAWS[self.laws])
        left = np.array([self.value(*reports_of(self.laws, float(level))) for level in FAMILY_LEVELS])
        reports = reports_of(self.laws, self.epsilon)
        return DivergenceFamilyResult(self, (first, second), reports, self.value(first, second), left)

    @property
    def divergence(self) -> FDivergence:
        """The divergence by its function."""
        return measure_of(self.measure, self.order)

    def value(self, first: Reals, second: Reals) -> float:
        """The distance of two laws."""
        # Of nearly equal laws t ln t adds up terms of both signs; the same sum has an all positive form.
        direct = {"kl": divergences.kullback_leibler, "h2": divergences.squared_hellinger}
        return direct.get(self.measure, self.divergence)(first, second)

    @property
    def kept(self) -> float:
        """The largest share that a channel of this level keeps: tanh(α/2), or its square."""
        share = largest_contraction(self.epsilon)
        return share if self.plain else share**2

    @property
    def plain(self) -> bool:
        """Whether the share is tanh(α/2) itself and not its square."""
        return self.measure == "tv" or (self.measure == "power" and self.order > SQUARED)


@dataclass(frozen=True, eq=False)
class DivergenceFamilyResult(Public):
    """Two laws, the laws of their reports, how far apart the former are, and along the level the latter."""

    experiment: DivergenceFamily
    answers: tuple[Reals, Reals]
    reports: tuple[Reals, Reals]
    before: float
    left: Reals

    @property
    def after(self) -> float:
        """The distance of both laws of reports."""
        return self.experiment.value(*self.reports)

    @property
    def allowed(self) -> float:
        """The largest distance of reports at this level: a share of the answers' own, or that of the two farthest."""
        asked = self.experiment
        coin = 1 / (1 + np.exp(np.array([-asked.epsilon, asked.epsilon])))
        return min(asked.kept * self.before, asked.value(coin, coin[::-1]))


def likelihood_ratios(first: Reals, second: Reals) -> Reals:
    """p/q of each answer; infinite where the second law excludes it."""
    with np.errstate(divide="ignore"):
        return np.asarray(first / second, dtype=np.float64)


@dataclass(frozen=True)
class ManyCoins(Question["ManyCoinsResult"], Declared):
    """How far apart are n people's reports, if everybody tosses the first coin or everybody the second?"""

    epsilon: Epsilon
    first: Probability = 0.5
    second: Probability = 0.4
    n: CrowdSize = 100

    def run(self, progress: Progress = no_progress) -> ManyCoinsResult:
        curves = [self.distances(int(n)) for n in CROWDS]
        return ManyCoinsResult(self, {name: np.array([each[name] for each in curves]) for name in curves[0]})

    @property
    def reports(self) -> tuple[Reals, Reals]:
        """The laws of one report, heads first."""
        heads = (noisy(chance, self.epsilon) for chance in (self.first, self.second))
        first, second = (np.array([chance, 1 - chance]) for chance in heads)
        return first, second

    @property
    def apart(self) -> float:
        """The total variation of one report: tanh(α/2) times that of the coins."""
        return largest_contraction(self.epsilon) * abs(self.first - self.second)

    @property
    def affinity(self) -> float:
        """The Hellinger affinity of one report, 1 - H²/2, which keeps the digits of nearly equal laws."""
        return 1 - divergences.squared_hellinger(*self.reports) / 2

    def distances(self, n: int) -> dict[str, float]:
        """The total variation of n reports, and what one report says of it: three upper bounds and a lower one."""
        first, second = self.reports
        half = divergences.squared_hellinger(first, second) / 2  # 1 where doubles tell the reports apart for certain
        log_affinity = n * math.log1p(-half) if half < 1 else -math.inf
        return {
            "times": min(n * self.apart, 1.0),
            "pinsker": divergences.pinsker(n * divergences.kullback_leibler(first, second)),
            "root": math.sqrt(-math.expm1(2 * log_affinity)),
            "exact": distance_of(first, second, n).high,
            "least": -math.expm1(log_affinity),
        }

    @property
    def divergence(self) -> float:
        """Kullback-Leibler of n reports in both directions together: n times that of one."""
        first, second = self.reports
        forth, back = (divergences.kullback_leibler(*pair) for pair in ((first, second), (second, first)))
        return self.n * (forth + back)

    @property
    def most_divergence(self) -> float:
        """The bound on it for every channel of the level, by corollary 2.10: 2 min(4, e^2α)(e^α - 1)² n TV²."""
        return 2 * information_constant(self.epsilon) * self.n * (self.first - self.second) ** 2


@dataclass(frozen=True, eq=False)
class ManyCoinsResult(Public):
    """The distance of many reports and its bounds, along the number of people."""

    experiment: ManyCoins
    curves: dict[str, Reals]

    @property
    def here(self) -> dict[str, float]:
        """The distances at the present number of people."""
        return self.experiment.distances(self.experiment.n)


def uniform_distance(n: int) -> float:
    """TV of n numbers below 1 and of n numbers below 1 - 1/n: the chance that one of them gives the first away."""
    return -math.expm1(n * math.log1p(-1 / n)) if n > 1 else 1.0


@dataclass(frozen=True)
class MixedCoins(Question["MixedCoinsResult"], Declared):
    """How far from fair tosses is a coin that always shows one side, if nobody knows which side?"""

    epsilon: Epsilon
    share: Probability = 0.5
    n: Tosses = 2

    def run(self, progress: Progress = no_progress) -> MixedCoinsResult:
        return MixedCoinsResult(self, self.mixed(MIXED), self.mixed(MIXED, 1))

    def laws(self, shares: Reals, n: int | None = None) -> tuple[Reals, Reals]:
        """The laws of the number of heads in n reports: of fair coins, and of each mixture of the two one-sided ones.

        Mixtures and fair tosses say the same of every order of one number of heads, so the number says all.
        """
        n = self.n if n is None else n
        heads = np.arange(n + 1)
        log_ways, sure = log_choose_each(n, heads), noisy(1.0, self.epsilon)
        fair = np.exp(log_ways - n * math.log(2))
        # ln(1 - p) of p = 1/(1 + e^-α), without a difference
        often, rarely = math.log(sure), -self.epsilon + math.log(sure)
        one = np.exp(log_ways + heads * often + (n - heads) * rarely)
        return fair, np.asarray(np.outer(shares, one) + np.outer(1 - shares, one[::-1]), dtype=np.float64)

    def mixed(self, shares: Reals, n: int | None = None) -> Reals:
        """The total variation from fair tosses for each share of the coin that shows heads."""
        fair, mixtures = self.laws(shares, n)
        apart = np.abs(mixtures - fair).sum(axis=1) / 2
        return np.asarray(np.where(apart > ROUNDING, apart, 0.0), dtype=np.float64)

    def affinity(self, share: float) -> float:
        """The Hellinger affinity of fair tosses and of a mixture."""
        fair, mixtures = self.laws(np.array([share]))
        return float(np.sqrt(fair * mixtures[0]).sum())


@dataclass(frozen=True, eq=False)
class MixedCoinsResult(Public):
    """The distance from fair tosses along the share of the coin that shows heads, for n tosses and for one."""

    experiment: MixedCoins
    tossed: Reals
    once: Reals

    @property
    def alone(self) -> float:
        """The distance of either coin alone, over all tosses."""
        return float(self.tossed[-1])

    @property
    def here(self) -> float:
        """The distance of the present mixture."""
        return float(self.experiment.mixed(np.array([self.experiment.share]))[0])

    @property
    def nearest_affinity(self) -> float:
        """The largest affinity of any mixture: at equal shares, since it is concave and both coins are alike."""
        return self.experiment.affinity(0.5)


@dataclass(frozen=True)
class ThreeWays(Question["ThreeWaysResult"], Declared):
    """The total variation of two laws of reports, counted in three ways, and by one function of the reader's."""

    epsilon: Epsilon
    laws: LawsChoice = "swapped"
    function: FunctionChoice = "line"

    def run(self, progress: Progress = no_progress) -> ThreeWaysResult:
        first, second = (np.array(law) for law in TWO_LAWS[self.laws])
        return ThreeWaysResult(self, first - second)


@dataclass(frozen=True, eq=False)
class ThreeWaysResult(Public):
    """The differences of two laws, answer by answer, and report by report."""

    experiment: ThreeWays
    answers: Reals

    @property
    def reports(self) -> Reals:
        """The differences of both laws of reports."""
        first, second = reports_of(self.experiment.laws, self.experiment.epsilon)
        return first - second

    @property
    def more(self) -> float:
        """The excess of the first law."""
        return float(np.maximum(self.reports, 0).sum())

    @property
    def less(self) -> float:
        """The shortfall of the first law."""
        return float(np.maximum(-self.reports, 0).sum())

    @property
    def half(self) -> float:
        """Half of all differences."""
        return float(np.abs(self.reports).sum() / 2)

    @property
    def by_function(self) -> float:
        """Half the difference of the means of the chosen function."""
        values = np.array(FUNCTIONS_OF_ANSWERS[self.experiment.function])
        apart = abs(float(values @ self.reports)) / 2
        return apart if apart > ROUNDING else 0.0


@dataclass(frozen=True)
class LogarithmStep(Question["LogarithmStepResult"], Declared):
    """How much does |ln(a/b)| ≤ |a - b|/min(a, b) lose at the largest ratio that a level allows?"""

    epsilon: Epsilon

    def run(self, progress: Progress = no_progress) -> LogarithmStepResult:
        levels = np.geomspace(*LEVEL_AXIS, 121)
        curves = {"logarithm": levels, "root": 2 * np.sinh(levels / 2), "linear": np.expm1(levels)}
        return LogarithmStepResult(self, levels, {name: np.asarray(each) for name, each in curves.items()})


@dataclass(frozen=True, eq=False)
class LogarithmStepResult(Public):
    """A logarithm and two bounds on it, along the largest ratio."""

    experiment: LogarithmStep
    levels: Reals
    curves: dict[str, Reals]

    @property
    def linear(self) -> float:
        """|a - b|/min(a, b) at a/b = e^α."""
        return math.expm1(self.experiment.epsilon)

    @property
    def root(self) -> float:
        """|a - b|/√(ab) at a/b = e^α, which also bounds the logarithm."""
        return 2 * math.sinh(self.experiment.epsilon / 2)


@dataclass(frozen=True)
class PackedTest(Question["PackedTestResult"], Declared):
    """If one of m shares is true, how often does an estimate name the wrong one, and how often must every test?"""

    epsilon: Epsilon
    shares: PackedShares = 3
    n: CrowdSize = 100

    def run(self, progress: Progress = no_progress) -> PackedTestResult:
        found = [self.errors(int(n)) for n in PACKED_CROWDS]
        return PackedTestResult(self, {name: np.array([each[name] for each in found]) for name in found[0]})

    @property
    def packing(self) -> Reals:
        """The shares, all equally far from the next and the outer ones from 0 and 1."""
        return np.arange(1, self.shares + 1) / (self.shares + 1)

    @property
    def reach(self) -> float:
        """Half of the distance of two neighbors: an estimate that is off by less has the right one next to it."""
        return 0.5 / (self.shares + 1)

    def counts(self, n: int) -> Reals:
        """The laws of the number of yes among n reports by randomized response, a row for each share."""
        yes, heads = noisy(self.packing, self.epsilon), np.arange(n + 1)
        chances = np.log(yes)[:, None] * heads + np.log1p(-yes)[:, None] * (n - heads)
        return np.asarray(np.exp(log_choose_each(n, heads) + chances), dtype=np.float64)

    def errors(self, n: int) -> dict[str, float]:
        """The chances, if each share is true equally often: an estimate off, its nearest share wrong, and two floors.

        `best` is the least chance of an error of any test, by the likeliest share; `proved` what is proved of it, the
        larger of Le Cam's bound by pairs of neighbors and of Fano's, 1 - (I + ln 2)/ln m with the reports' information.
        """
        laws, heads, m = self.counts(n), np.arange(n + 1), self.shares
        estimate = 0.5 + (heads / n - 0.5) / math.tanh(self.epsilon / 2)
        away = np.abs(estimate - self.packing[:, None])
        wrong = away.argmin(axis=0) != np.arange(m)[:, None]
        unlikely = laws.argmax(axis=0) != np.arange(m)[:, None]
        even = m - m % 2  # neighbors in pairs, of an odd number all but the last
        le_cam = float(np.minimum(laws[:even:2], laws[1:even:2]).sum()) / m
        with np.errstate(divide="ignore", invalid="ignore"):
            told = np.where(laws > 0, laws * np.log(laws / laws.mean(axis=0)), 0.0).sum() / m
        fano = 1 - (float(told) + math.log(2)) / math.log(m)
        chances = {"off": away >= self.reach * (1 - 1e-12), "missed": wrong, "best": unlikely}
        errs = {name: min(float(laws[where].sum()) / m, 1.0) for name, where in chances.items()}
        return {**errs, "proved": min(max(le_cam, fano, 0.0), errs["best"])}


@dataclass(frozen=True, eq=False)
class PackedTestResult(Public):
    """The chances of errors along the number of people."""

    experiment: PackedTest
    curves: dict[str, Reals]

    @cached_property
    def here(self) -> dict[str, float]:
        """The chances at the present number of people."""
        return self.experiment.errors(self.experiment.n)
