"""One bit for one number: the reports ±z₀ of a bounded function of the number, and their sum drawn as binomials."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.laws.channels import Pair
from ldpcore.mechanisms.arithmetic import Arithmetic, one_bit
from ldpcore.mechanisms.base import NumberRandomizer, ReportTally, Witness
from ldpcore.mechanisms.possible import PossibleReports, signs_in
from ldpcore.mechanisms.values import by_rounds, inside
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.numerics.tosses import binomials, leaning
from ldpcore.parameters import Choice, Epsilon, ParameterError
from ldpcore.people.populations import Population

FUNCTIONS: tuple[str, ...] = ("identity", "square", "cube", "absolute", "positive")
Function = Annotated[str, Choice(r"\varphi", FUNCTIONS)]


class BinaryMechanism(NumberRandomizer):
    """A report is +1 with probability ½(1 + φ(x)/z₀), else -1, and ±z₀ once decoded: E = φ(x).

    z₀ = ‖φ‖∞·(e^ε+1)/(e^ε-1). φ is any bounded function; only φ/‖φ‖∞ matters to the channel. The level is ε where φ
    reaches both ±‖φ‖∞, and less where it does not.
    """

    epsilon: float

    counts_people: ClassVar[bool] = True

    @abstractmethod
    def phi(self, x: Reals) -> Reals:
        """The bounded function, on [-1, 1]."""

    @property
    @abstractmethod
    def bound(self) -> float:
        """‖φ‖∞."""

    @abstractmethod
    def extremes(self) -> tuple[float, float]:
        """The x where φ is largest and the x where it is smallest."""

    @property
    def z0(self) -> float:
        """The size of a decoded report, ‖φ‖∞ / tanh(ε/2)."""
        return self.bound / math.tanh(self.epsilon / 2)

    def chances(self, x: ArrayLike, sign: int = 1) -> Reals:
        """P(report = sign | x) = ½(1 ± φ(x)/z₀), kept in full where it is as small as 1/(e^ε+1)."""
        return leaning(sign * self.target(x) / self.bound, self.epsilon)

    def target(self, values: ArrayLike) -> Reals:
        return np.asarray(self.phi(inside(values)), dtype=np.float64)

    def variance_at(self, x: ArrayLike) -> Reals:
        """z₀² - φ(x)², as ‖φ‖²/sinh²(ε/2) + (‖φ‖ - φ)(‖φ‖ + φ), which keeps its digits at large ε."""
        return self._spread(self.target(x))

    def most_variance(self, mean: ArrayLike) -> Reals:
        # The mean of φ² is at least the square of the mean: people who are all alike vary most.
        return self._spread(np.clip(np.asarray(mean, dtype=np.float64), -self.bound, self.bound))

    def _spread(self, phi: Reals) -> Reals:
        rest = (self.bound / math.sinh(self.epsilon / 2)) ** 2
        return np.asarray(rest + (self.bound - phi) * (self.bound + phi), dtype=np.float64)

    def worst(self) -> tuple[float, float]:
        return self.extremes()

    def compare(self, value: float, other: float) -> Pair:
        # Two reports only; φ = ±‖φ‖ gives (1 + tanh(ε/2))/(1 - tanh(ε/2)) = e^ε, and |φ| ≤ ‖φ‖ never gives more.
        laws = [np.array([float(self.chances(x, sign)) for sign in (-1, 1)]) for x in (value, other)]
        logs = [np.array([self.log_density(sign, x) for sign in (-1, 1)]) for x in (value, other)]
        return Pair(laws[0], laws[1], ("-1", "+1"), logs[0] - logs[1])

    def witness(self) -> Witness:
        # The rarer report has the larger ratio, whichever of the two it is.
        high, low = self.worst()
        down, up = self.compare(high, low).ratios()
        return Witness(high, low, 1) if up >= -down else Witness(low, high, -1)

    def log_density(self, report: int, value: float) -> float:
        pull = math.copysign(1, report) * float(self.target(value)) / self.z0
        if abs(pull) < 0.5:  # where two chances hardly differ, their logarithms keep the difference
            return math.log1p(pull) - math.log(2)
        return math.log(float(self.chances(value, int(math.copysign(1, report)))))

    def possible(self, reports: NDArray[Any]) -> PossibleReports:
        return signs_in(reports)

    def arithmetic(self) -> Arithmetic:
        high, low = (float(self.chances(np.array(end))) for end in self.extremes())
        return one_bit(high, low)

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> Counts:
        chances = self.chances(values)
        return np.asarray(np.where(rng.random(chances.shape) < chances, 1, -1), dtype=np.int64)

    def decoded(self, reports: ArrayLike) -> Reals:
        return np.asarray(self.z0 * np.asarray(reports), dtype=np.float64)

    def tally(self, reports: ArrayLike) -> ReportTally:
        """The number of reports that are +1."""
        bits = np.asarray(reports)
        return ReportTally(np.asarray((bits > 0).sum(dtype=np.int64)), len(bits))

    def totals(self, population: Population, rounds: int, rng: np.random.Generator) -> NDArray[Any]:
        drawn = binomials(population.counts, self.chances(population.values), rounds, rng)
        return np.asarray(drawn.sum(axis=0))

    def counted(self, values: ArrayLike, people: Counts, rng: np.random.Generator) -> Reals:
        ones = binomials(people, by_rounds(self.chances, values), people.shape[1], rng).sum(axis=0)
        return np.asarray(self.z0 * (2 * ones - people.sum(axis=0)), dtype=np.float64)

    def estimate(self, tally: ReportTally) -> Reals:
        if tally.n < 1:
            raise ParameterError("no_reports")
        return np.asarray(self.z0 * (2 * tally.counts - tally.n) / tally.n, dtype=np.float64)

    def atoms(self, value: float) -> tuple[Reals, Reals]:
        return np.array([-1.0, 1.0]), self.compare(value, value).first

    def cdf(self, report: ArrayLike, value: float) -> Reals:
        z, (never, _) = np.asarray(report, dtype=np.float64), self.compare(value, value).first
        return np.where(z < -1, 0.0, np.where(z < 1, never, 1.0))


@dataclass(frozen=True)
class OneBit(BinaryMechanism):
    """Send one bit, +1 with probability ½(1 + T(x)/z₀), z₀ = (e^ε+1)/(e^ε-1), and count it as ±z₀: best for small ε.

    Variance z₀² - T(x)², largest at 0. The bits of all people together show their mean, and nothing else about them.
    """

    epsilon: Epsilon

    slug: ClassVar[str] = "onebit"
    title: ClassVar[str] = "One bit"
    reference: ClassVar[str] = (
        "Duchi, Jordan, Wainwright (2018), Minimax optimal procedures for locally private estimation"
    )
    bound: ClassVar[float] = 1.0

    def phi(self, x: Reals) -> Reals:
        return x

    def extremes(self) -> tuple[float, float]:
        return 1.0, -1.0

    def worst_x(self) -> float:
        return 0.0
