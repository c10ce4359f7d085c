"""One bit from each person, about any function φ of the answer: what it tells of two laws, of a mean, of a spread.

A report is ±z₀, + with probability ½(1 + φ(x)/z₀), z₀ = ‖φ‖∞(e^α+1)/(e^α-1), so that its expectation is φ(x).
Reference: Rohde, Steinberger (2020), Geometrizing rates of convergence under local differential privacy constraints.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Annotated, Any

import numpy as np
import scipy

from ldpcore.costs import MEGABYTE, Cost
from ldpcore.experiments.distinguish import RIGHT, TwoWorlds, WorldPair, bell, law
from ldpcore.experiments.distinguish.worlds import sum_to_one
from ldpcore.laws import divergences
from ldpcore.laws.contraction import pushed
from ldpcore.laws.products import RepeatedPair
from ldpcore.limits.moduli import bounded_hellinger
from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.binomials import log_choose_each, more_than, no_more_than
from ldpcore.numerics.digits import nine_digits_up
from ldpcore.parameters import LEVEL_AXIS, Declared, Epsilon, Interval, ParameterError
from ldpcore.questions import Progress, Public, Question, Result, no_progress
from ldpcore.reading.notations import float_of, parts_of

Phi = tuple[float, ...]  # the values of φ, one for each answer
PRESETS: tuple[str, ...] = ("even", "last", "middle")
BitPeople = Annotated[int, Interval("n", 1, 10**4, (1, 10**4), scale="log", integer=True)]
SpreadDeviation = Annotated[float, Interval(r"\sigma", 0.05, 1, (0.05, 1))]
ReportPeople = Annotated[int, Interval("n", 1, 10**6, (1, 10**6), scale="log", integer=True)]
LEVELS = np.geomspace(*LEVEL_AXIS, 61)
COUNTED_REPORTS = 10**9  # up to which the fewest are counted
LEFT_LEVELS = LEVELS[::2]
FOUR = WorldPair(law((0.1, 0.2, 0.3, 0.4)), law((0.4, 0.1, 0.4, 0.1)))  # two laws of four answers
SMALL = 1e-12  # below, a difference of sums is rounding


@lru_cache(maxsize=1)
def eight_cells() -> WorldPair:
    """Two bells, one standard deviation apart, in eight cells each."""
    return WorldPair(bell(-0.5, 8), bell(0.5, 8))


def preset_values(name: str, k: int) -> Phi:
    """A function that rises evenly, that asks for the last answer, or for one in the middle, on k answers."""
    if name == "even":
        return tuple(np.linspace(-1, 1, k).tolist())
    if name == "last":
        return (*[-1.0] * (k - 1), 1.0)
    aside = max(1, k // 4)
    return tuple(1.0 if aside <= place < k - aside else -1.0 for place in range(k))


def read_phi(text: str, k: int) -> Phi:
    """The values of φ in a text: k numbers from -1 to 1 with blanks between, with a decimal point or comma."""
    values = []
    for part in parts_of(text[:400]):
        try:
            values.append(float_of(part))
        except ValueError:
            raise ParameterError("phi_text", got=part[:24]) from None
    return checked_phi(values, k)


def checked_phi(values: Sequence[float], k: int) -> Phi:
    """Values of φ, one for each of k answers, each from -1 to 1 and one of them not 0."""
    if len(values) != k:
        raise ParameterError("phi_count", answers=k, got=len(values))
    for value in values:
        if not -1 <= value <= 1:
            raise ParameterError("phi_outside", got=float(value))
    if not any(values):
        raise ParameterError("phi_zero")
    return tuple(float(value) for value in values)


def bit_size(phi: Phi, epsilon: float) -> float:
    """The size of a report about φ."""
    return max(map(abs, phi)) / math.tanh(epsilon / 2)


@dataclass(frozen=True)
class BestFunction:
    """The function whose means in two laws differ most: half of the difference, and a bound that none exceeds."""

    values: Phi
    attained: float
    bound: float


@lru_cache(maxsize=64)
def best_function(first: Phi, second: Phi) -> BestFunction:
    """The largest ½(E₀φ - E₁φ) over -1 ≤ φ ≤ 1, a linear program, with the value of its dual.

    The prices a, b ≥ 0 of the bounds at 1 and -1 have a - b = ½(p - q), so ½Σφ(p - q) ≤ Σ(a + b) for every φ.
    """
    half = (np.asarray(first) - np.asarray(second)) / 2
    solved: Any = scipy.optimize.linprog(-half, bounds=(-1, 1), method="highs")
    above, below = -np.asarray(solved.upper.marginals), np.asarray(solved.lower.marginals)
    left_over = np.abs(above - below - half)  # what rounding leaves of the equation is paid for too
    phi = np.where(np.abs(half) > SMALL / 2, np.clip(solved.x, -1, 1), 1.0)
    return BestFunction(tuple(phi.tolist()), float(phi @ half), float((above + below + left_over).sum()))


@dataclass(frozen=True)
class BitAboutTwo(Question["BitAboutTwoResult"], Declared):
    """How far apart do one bit about φ leave two laws of a few answers, and one about the best φ?"""

    epsilon: Epsilon
    worlds: WorldPair
    phi: Phi

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_phi(self.phi, self.worlds.k)

    def run(self, progress: Progress = no_progress) -> BitAboutTwoResult:
        first, second = self.worlds.first, self.worlds.second
        means = tuple(float(np.dot(self.phi, each)) for each in (first, second))
        half = abs(means[0] - means[1]) / (2 * max(map(abs, self.phi)))
        return BitAboutTwoResult(
            self,
            (means[0], means[1]),
            half if half > SMALL else 0.0,
            best_function(first, second),
            divergences.total_variation(first, second),
        )


@dataclass(frozen=True, eq=False)
class BitAboutTwoResult(Public):
    """Both means of φ, half of their difference over ‖φ‖∞, the best function, and the distance of the laws."""

    experiment: BitAboutTwo
    means: tuple[float, float]
    half: float
    best: BestFunction
    apart: float

    @property
    def left(self) -> float:
        """The total variation of the reports: |E₀φ - E₁φ|/(2z₀)."""
        return self.half * math.tanh(self.experiment.epsilon / 2)

    @property
    def most(self) -> float:
        """The total variation of reports about the best function."""
        return self.best.attained * math.tanh(self.experiment.epsilon / 2)

    @property
    def bound(self) -> float:
        """A bound on the total variation of reports about any function."""
        return self.best.bound * math.tanh(self.experiment.epsilon / 2)

    def curve(self, best: bool) -> Reals:
        """The distance along `LEVELS`, of this function or of the best."""
        return np.asarray((self.best.attained if best else self.half) * np.tanh(LEVELS / 2), dtype=np.float64)


@dataclass(frozen=True)
class BitEstimate(Question["BitEstimateResult"], Declared):
    """How well do n people's bits about φ tell its mean in one crowd?"""

    epsilon: Epsilon
    people: Phi
    phi: Phi
    n: BitPeople = 1000

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_phi(self.phi, len(self.people))

    def run(self, progress: Progress = no_progress) -> BitEstimateResult:
        mean, square = (float(np.dot(np.power(self.phi, power), self.people)) for power in (1, 2))
        return BitEstimateResult(self, mean, math.sqrt(max(square - mean**2, 0.0) / self.n))


@dataclass(frozen=True, eq=False)
class BitEstimateResult(Public):
    """The true mean of φ in the crowd, the error of the answers themselves, and the law of the estimate."""

    experiment: BitEstimate
    mean: float
    direct: float

    @property
    def plus(self) -> float:
        """The probability of a plus, from a person of the crowd."""
        return (1 + self.mean / bit_size(self.experiment.phi, self.experiment.epsilon)) / 2

    @property
    def spread(self) -> float:
        """The standard deviation of the estimate, √((z₀² - (Eφ)²)/n)."""
        return self.spread_at(self.experiment.epsilon)

    def spread_at(self, epsilon: float) -> float:
        """The standard deviation at another level; z₀² - m² as ‖φ‖²/sinh² + (‖φ‖ - m)(‖φ‖ + m), which keeps digits."""
        size = max(map(abs, self.experiment.phi))
        rest = (size / math.sinh(epsilon / 2)) ** 2
        return math.sqrt((rest + (size - self.mean) * (size + self.mean)) / self.experiment.n)

    def law(self, most: int = 400) -> tuple[Reals, Reals]:
        """Values of the estimate and the probability of each, at most so many of those that ever happen."""
        n, plus = self.experiment.n, self.plus
        reach = 8 * math.sqrt(n * plus * (1 - plus)) + 8
        low, high = max(0, math.floor(n * plus - reach)), min(n, math.ceil(n * plus + reach))
        counts = np.arange(low, high + 1, max(1, -(-(high - low) // most)))
        logs = log_choose_each(n, counts) + counts * math.log(plus) + (n - counts) * math.log1p(-plus)
        values = bit_size(self.experiment.phi, self.experiment.epsilon) * (2 * counts - n) / n
        return np.asarray(values, dtype=np.float64), np.exp(logs)

    def beyond(self, low: float, high: float) -> tuple[float, float]:
        """The probabilities of an estimate below the one number, and above the other."""
        n, size = self.experiment.n, bit_size(self.experiment.phi, self.experiment.epsilon)
        under, over = (math.ceil(n * (1 + low / size) / 2) - 1, math.floor(n * (1 + high / size) / 2))
        return float(no_more_than(under, n, self.plus)), float(more_than(over, n, self.plus))


@dataclass(frozen=True)
class BitAboutSpread(Question["BitAboutSpreadResult"], Declared):
    """Does one bit about x, or one about x², show whether people differ: half of them at σ and half at -σ?"""

    epsilon: Epsilon
    deviation: SpreadDeviation = 0.5

    def run(self, progress: Progress = no_progress) -> BitAboutSpreadResult:
        spread, alike = (self.plus_about_square(each) for each in (self.deviation, 0.0))
        pair = RepeatedPair.of((spread, 1 - spread), (alike, 1 - alike))
        needed = pair.fewest(RIGHT, COUNTED_REPORTS) or self._by_normal_law(spread, alike)
        return BitAboutSpreadResult(self, spread, alike, needed)

    def _by_normal_law(self, spread: float, alike: float) -> int:
        """The fewest reports where there are many: by the gap itself, of which the two chances keep few digits.

        n gap is divided between both laws in the proportion of their deviations; right to a few reports.
        """
        gap = self.deviation**2 * math.tanh(self.epsilon / 2)
        deviations = math.sqrt(spread * (1 - spread)) + math.sqrt(alike * (1 - alike))
        return nine_digits_up(math.ceil((scipy.special.ndtri((1 + RIGHT) / 2) * deviations / gap) ** 2))

    def plus_about_square(self, deviation: float) -> float:
        """The chance of a plus where people are asked about 2x² - 1."""
        return (1 + (2 * deviation**2 - 1) * math.tanh(self.epsilon / 2)) / 2


@dataclass(frozen=True, eq=False)
class BitAboutSpreadResult(Result):
    """The chance of a plus about x², for people who differ and for people at 0, and the reports that tell which."""

    experiment: BitAboutSpread
    plus: float
    alike: float
    needed: int

    @property
    def about_number(self) -> float:
        """The chance of a plus about x: both halves together give ½(1 + 0)."""
        return 0.5

    def masked(self) -> BitAboutSpreadResult:
        """The result without the chances about x² and what follows from them."""
        return replace(self, plus=math.nan, alike=math.nan, needed=0)


@dataclass(frozen=True)
class ReportModulus(Question["ReportModulusResult"], Declared):
    """How much may means of numbers from -1 to 1 differ while single reports are within 1/√n of each other?"""

    epsilon: Epsilon
    n: ReportPeople = 100

    def run(self, progress: Progress = no_progress) -> ReportModulusResult:
        near = np.array([self.n**-0.5])
        return ReportModulusResult(
            self, float(report_modulus(near, self.epsilon)[0]), float(bounded_hellinger(2.0, near)[0])
        )


def report_modulus(distance: Reals, epsilon: float) -> Reals:
    """The largest difference of means while one bit from everybody is within `distance` in Hellinger's distance.

    Reports with chances ½ ± s lie farthest apart in their chances, by h√(1 - h²/4) = tanh(ε/2)·|m₀ - m₁|/2.
    """
    largest = bounded_hellinger(2.0, distance) / math.tanh(epsilon / 2)
    return np.asarray(np.minimum(largest, 2.0), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class ReportModulusResult(Result):
    """The modulus of one-bit reports and that of the numbers themselves, at 1/√n."""

    experiment: ReportModulus
    private: float
    direct: float

    @property
    def everything(self) -> bool:
        """Whether even the farthest means are allowed."""
        return self.private >= 2.0

    def masked(self) -> ReportModulusResult:
        """The result without the modulus of the reports."""
        return replace(self, private=math.nan)


@dataclass(frozen=True)
class LeftByChannel(TwoWorlds, Question["LeftByChannelResult"]):
    """How much of two laws' total variation does a mechanism leave in one report, and how much may its level leave?"""

    def run(self, progress: Progress = no_progress) -> LeftByChannelResult:
        apart = divergences.total_variation(self.worlds.first, self.worlds.second)
        curve = _left_along(self.slug, self.worlds.first, self.worlds.second)
        return LeftByChannelResult(self, apart, self._left(), np.array(curve))

    def cost(self) -> Cost:
        return super().cost().then(Cost(MEGABYTE, 1e-8 * len(LEFT_LEVELS) * self.worlds.k**2 * 2.0**self.worlds.k))

    def _left(self) -> float:
        reports = (pushed(np.asarray(each), self.channel()) for each in (self.worlds.first, self.worlds.second))
        left = divergences.total_variation(*map(sum_to_one, reports))
        return left if left > SMALL else 0.0


@lru_cache(maxsize=32)
def _left_along(slug: str, first: Phi, second: Phi) -> tuple[float, ...]:
    """The distance of a mechanism's reports along `LEFT_LEVELS`, the same wherever the handle stands."""
    worlds = WorldPair(first, second)
    return tuple(LeftByChannel(slug, float(level), worlds)._left() for level in LEFT_LEVELS)


@dataclass(frozen=True, eq=False)
class LeftByChannelResult(Result):
    """The total variation of two laws, of the reports at this level, and of the reports along all levels."""

    experiment: LeftByChannel
    apart: float
    left: float
    curve: Reals

    @property
    def bound(self) -> float:
        """The most that any channel of the level leaves, tanh(ε/2) of the laws' distance."""
        return self.apart * math.tanh(self.experiment.epsilon / 2)

    def masked(self) -> LeftByChannelResult:
        """The result without what this mechanism leaves."""
        return replace(self, left=math.nan, curve=np.full_like(self.curve, math.nan))
