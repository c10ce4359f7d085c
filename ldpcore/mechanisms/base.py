"""The kinds: what a mechanism of each kind promises. Laws attach to kinds, so that no law needs a skip-list."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.costs import MEGABYTE, Cost
from ldpcore.laws.channels import Comparison, Finite
from ldpcore.mechanisms.arithmetic import FLOATING, WHOLE, Arithmetic
from ldpcore.mechanisms.possible import PossibleReports, finite_in
from ldpcore.mechanisms.values import inside
from ldpcore.numerics.arrays import Counts, RealOrWhole, Reals
from ldpcore.parameters import Declared, Interval, ParameterError, declarations
from ldpcore.people.populations import Population, PopulationLaw, SmoothPopulation

ATOMS_AT_ONCE = 1 << 21  # draws of one block of repetitions, so that memory stays bounded


@dataclass(frozen=True)
class Guarantee:
    """The promise that no report makes any input more than e^ε times likelier than another, but for a probability δ.

    >>> import ldpcore
    >>> kept = ldpcore.build("the", 1.0, 10).guarantee()  # cutting hides more than was asked for
    >>> round(kept.epsilon, 3), kept.delta
    (0.896, 0.0)
    """

    epsilon: float
    delta: float = 0.0


@dataclass(frozen=True)
class Witness:
    """A pair of values and a report at which the privacy loss is attained."""

    value: object
    other: object
    report: object


@dataclass(frozen=True)
class ReportTally:
    """The collector's summary of n reports; `counts` may carry a second axis of independent repetitions."""

    counts: RealOrWhole
    n: int

    def __add__(self, other: ReportTally) -> ReportTally:
        return ReportTally(self.counts + other.counts, self.n + other.n)


class Mechanism(Declared, ABC):
    """A frozen value that turns true data into private data and can prove what it promises."""

    slug: ClassVar[str]
    title: ClassVar[str]
    reference: ClassVar[str]
    without_curator: ClassVar[bool] = False  # whether nobody is trusted, so that the level is called α
    settable: ClassVar[tuple[str, ...]] = ()  # parameters that have a default and are asked for all the same

    @abstractmethod
    def compare(self, value: Any, other: Any) -> Comparison:
        """The laws of the output for two inputs."""

    @abstractmethod
    def worst(self) -> tuple[Any, Any]:
        """A pair of inputs that no other pair exceeds in privacy loss."""

    @abstractmethod
    def witness(self) -> Witness:
        """A pair of values and a report where the loss is attained: inside a plateau, never on an edge."""

    @abstractmethod
    def log_density(self, report: Any, value: Any) -> float:
        """ln of the probability (density) of a report, given the value: the definition of the mechanism."""

    @classmethod
    def usual(cls, *given: Any, **named: Any) -> Self | None:
        """The member with its usual settings beside the given ones; none where it needs no others."""
        return None

    @classmethod
    def starting(cls, **given: Any) -> Self:
        """The member with the given settings, and with its usual ones where it needs others."""
        return cls.usual(**given) or cast("Self", cast("type[Any]", cls)(**given))

    @property
    def level(self) -> float | None:
        """The level among its own parameters; none where it is declared by others."""
        epsilon = self.parameters().get("epsilon")
        return None if epsilon is None else float(epsilon)

    def channel(self) -> Finite | None:
        """The matrix of its reports' probabilities; none where its values or reports cannot be listed."""
        return None

    def claim(self) -> Guarantee:
        """The level that the declared parameters ask for."""
        return Guarantee(**{name: value for name, value in self.parameters().items() if name in ("epsilon", "delta")})

    def guarantee(self) -> Guarantee:
        """The level, recomputed from the report laws and never echoed from a field."""
        return Guarantee(self.compare(*self.worst()).loss())

    def lifelong(self) -> Guarantee | None:
        """The level of any number of reports about one value, recomputed; None if each draws anew and none is finite.

        Where there is one, it is what the parameters ask for; `guarantee` is then the stricter one of a single report.
        """
        return None


class Reporter(Mechanism):
    """A mechanism that makes one report of each value, and whose reports a collector adds up."""

    gaps: ClassVar[bool] = False  # whether a report may have places that say nothing
    names_one: ClassVar[bool] = False  # whether each report names one label, so that counts sum to their number
    counts_people: ClassVar[bool] = False  # whether no count of a tally is larger than the number of reports

    @abstractmethod
    def privatize(self, values: Any, rng: np.random.Generator) -> Any:
        """One report for each value; the only method that sees true values one by one."""

    @abstractmethod
    def tally(self, reports: Any) -> ReportTally:
        """The collector's sufficient statistic, computed from reports alone."""

    @abstractmethod
    def variance_among(self, people: Population) -> Reals:
        """The exact variance of each estimated number, given everybody's value."""

    def possible(self, reports: NDArray[Any]) -> PossibleReports:
        """The reports among these that the mechanism can have made; and the possible ones, in words."""
        return finite_in(reports)

    def arithmetic(self) -> Arithmetic:
        """The level its arithmetic keeps, known from how its reports are drawn."""
        return Arithmetic(None, FLOATING)


class CentralRelease(Reporter):
    """A curator's query plus noise; the sensitivity and the neighbor relation are part of it."""

    whole: ClassVar[bool] = False  # whether answers and releases are whole numbers, with probabilities and no density

    @abstractmethod
    def release(self, answer: ArrayLike, rng: np.random.Generator, repeats: int | None = None) -> Reals:
        """The noisy answer; with `repeats`, that many independent ones along a new last axis."""

    @abstractmethod
    def variance(self) -> float:
        """The variance of one released number, given the data."""

    def standard_deviation(self) -> float:
        """The square root of the variance."""
        return math.sqrt(self.variance())

    @abstractmethod
    def mean_absolute_error(self) -> float:
        """The mean absolute error of one released number."""

    @abstractmethod
    def cdf(self, report: ArrayLike, answer: float) -> Reals:
        """The probability that the released number is at most `report`."""

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> Reals:
        return np.asarray(self.release(values, rng))

    def tally(self, reports: NDArray[Any]) -> ReportTally:
        """The sum of the released numbers."""
        whole = np.rint(reports).astype(np.int64) if self.whole else reports
        return ReportTally(np.asarray(whole.sum()), len(reports))

    def variance_among(self, people: Population) -> Reals:
        return np.array([self.variance() / people.n])

    def possible(self, reports: NDArray[Any]) -> PossibleReports:
        if self.whole:
            return np.isfinite(reports) & (reports == np.rint(reports)), "a whole number"
        return np.isfinite(reports), "a finite number"

    def arithmetic(self) -> Arithmetic:
        return Arithmetic(None, WHOLE if self.whole else FLOATING)


class LocalRandomizer(Reporter):
    """One person's value becomes one report before it leaves the person."""

    without_curator: ClassVar[bool] = True

    @abstractmethod
    def estimate(self, tally: ReportTally) -> Reals:
        """The unbiased estimate: never clipped, never renormalized."""

    @abstractmethod
    def truth(self, population: Population) -> Reals:
        """The quantity that is estimated: the expectation of the estimate, given everybody's true value."""

    @abstractmethod
    def variance(self, population: Population) -> Reals:
        """The exact variance of each estimate, given everybody's true value."""

    def variance_among(self, people: Population) -> Reals:
        return self.variance(people)

    def sample_tally(self, population: Population, rng: np.random.Generator, repeats: int | None = None) -> ReportTally:
        """A tally with the law of `tally(privatize(...))`: here drawn user by user."""
        return self.user_by_user(population, rng, repeats)

    def user_by_user(
        self, population: PopulationLaw, rng: np.random.Generator, repeats: int | None = None
    ) -> ReportTally:
        """The tally of real reports, made user by user in chunks of bounded memory."""
        if repeats is not None:
            rounds = [self.user_by_user(population, rng) for _ in range(repeats)]
            return ReportTally(np.stack([tally.counts for tally in rounds], axis=-1), population.n)
        chunks = (self.tally(self.privatize(values, rng)) for values in population.users(self.users_at_once()))
        return sum(chunks, start=next(chunks))

    def users_at_once(self) -> int:
        """The number of users in one chunk of `user_by_user`."""
        return 1 << 17


class CategoryRandomizer(LocalRandomizer):
    """A local randomizer of one of k categories 0 … k-1, from which the share of each category is estimated."""

    k: int
    pace: ClassVar[float] = 2e-6  # seconds that one value takes in a tally

    @classmethod
    def serves(cls, k: int) -> bool:
        """Whether it is made for k categories: the number that it is fixed to, or one that its parameter admits."""
        size = declarations(cls).get("k")
        return size.admits(k) if isinstance(size, Interval) else cls.k == k

    @property
    def rounded(self) -> int:
        """The whole number to which the design rounds at its level; errors fall with the level while it stays."""
        return 0

    @abstractmethod
    def bits(self) -> float:
        """The number of bits in one report."""

    @abstractmethod
    def operations(self) -> float:
        """The rough number of elementary operations (random draws, hashes, writes) one report costs its sender."""

    @abstractmethod
    def best_guess(self) -> float:
        """The chance that an attacker's best single guess from one report is right, all values equally likely."""

    @abstractmethod
    def variance_of_shares(self, shares: ArrayLike, n: int) -> Reals:
        """The variance of an estimate whose true share is f, given everybody's value."""

    def setup_cost(self) -> Cost:
        """The cost of the work done once, before any tally is estimated or any variance known."""
        return Cost(0, 0)

    def tally_cost(self, n: int, together: int = 1) -> Cost:
        """The cost of a tally of n people and its estimate: a few binomials for each value, or every user's report.

        The seconds are those of one tally, the bytes those of as many as are drawn `together`.
        """
        if type(self).sample_tally is not LocalRandomizer.sample_tally:
            return Cost(2048 * self.k + 16 * MEGABYTE, self.pace * self.k)
        chunk = min(self.users_at_once(), n)
        return Cost(16 * chunk * (1 + self.bits() / 8) + MEGABYTE, n * 2e-8 * (1 + self.operations()))

    def tallies_at_once(self) -> int:
        """The most tallies that are drawn together, of which a longer row of them by one generator is made alike."""
        return 1 << 30

    def users_at_once(self) -> int:
        # The reports of one chunk take at most 16 MB, however long one report is.
        return max(1, int(min(super().users_at_once(), (1 << 27) / self.bits())))

    def truth(self, population: Population) -> Reals:
        return self.checked(population).shares

    def variance(self, population: Population) -> Reals:
        return self.variance_of_shares(self.checked(population).shares, population.n)

    def worst(self) -> tuple[int, int]:
        return 0, 1

    def checked(self, population: Population) -> Population:
        """The population, refused unless it lists the k categories of this mechanism."""
        if population.k != self.k or not np.array_equal(population.values, np.arange(self.k)):
            raise ParameterError("population_categories", most=self.k - 1, got=population.k)
        return population

    def categories(self, values: ArrayLike) -> Counts:
        """The users' values as categories, refused where one lies outside 0 … k-1."""
        categories = np.asarray(values)
        if categories.ndim != 1 or categories.dtype.kind not in "iu":
            raise ParameterError("values_not_whole", dtype=str(categories.dtype), axes=categories.ndim)
        if categories.size and not (0 <= categories.min() and categories.max() < self.k):
            worst = categories.min() if categories.min() < 0 else categories.max()
            raise ParameterError("values_outside", most=self.k - 1, got=int(worst))
        return categories.astype(np.int64, copy=False)


class FrequencyOracle(CategoryRandomizer):
    """A report supports a set of the k values: the true value with probability p, any other with q.

    Estimate and variance follow from p and q alone, f̂_v = (C_v/n - q)/(p - q), and are written once, here.
    """

    counts_people: ClassVar[bool] = True

    @property
    @abstractmethod
    def p(self) -> float:
        """The probability that a report supports the value its sender holds."""

    @property
    @abstractmethod
    def q(self) -> float:
        """The probability that a report supports any one value its sender does not hold."""

    @property
    def gap(self) -> float:
        """p - q, overridden where the difference would cancel at small ε."""
        return self.p - self.q

    @property
    def spreads(self) -> tuple[float, float]:
        """p(1-p) and q(1-q), overridden where 1 - p or 1 - q would cancel at large ε."""
        return self.p * (1 - self.p), self.q * (1 - self.q)

    @abstractmethod
    def supports(self, reports: Any) -> NDArray[np.bool_]:
        """One row per report, one column per value: whether the report supports the value."""

    @abstractmethod
    def channel(self) -> Finite:
        """The whole channel, report by report; for small k only."""

    def tally(self, reports: Any) -> ReportTally:
        supported = self.supports(reports)
        return ReportTally(supported.sum(axis=0, dtype=np.int64), len(supported))

    def estimate(self, tally: ReportTally) -> Reals:
        if tally.n < 1:
            raise ParameterError("no_reports")
        return np.asarray((tally.counts / tally.n - self.q) / self.gap, dtype=np.float64)

    def variance_of_shares(self, shares: ArrayLike, n: int) -> Reals:
        """[f p(1-p) + (1-f) q(1-q)] / (n (p-q)²)."""
        f, (own, foreign) = np.asarray(shares, dtype=np.float64), self.spreads
        return np.asarray((f * own + (1 - f) * foreign) / (n * self.gap**2), dtype=np.float64)


class NumberRandomizer(LocalRandomizer):
    """A local randomizer of one number x in [-1, 1], from which the mean over all people is estimated.

    A number beyond the ends is moved to the nearer one first, T(x) = min(max(x, -1), 1): without that no level holds.
    A report becomes a number that is right on average when it is `decoded`; the estimate is the mean of these.
    """

    @abstractmethod
    def variance_at(self, x: ArrayLike) -> Reals:
        """The exact variance of the decoded report of one person who holds x."""

    @abstractmethod
    def worst_x(self) -> float:
        """A number at which this variance is largest."""

    @abstractmethod
    def cdf(self, report: ArrayLike, value: float) -> Reals:
        """The probability that a report is at most `report`, given the value."""

    @abstractmethod
    def most_variance(self, mean: ArrayLike) -> Reals:
        """The largest variance of one report, averaged over any people with this estimated mean; used for intervals."""

    def largest_report(self) -> float:
        """The largest size of a decoded report; infinite where noise has no end."""
        ends = np.abs(self.decoded(self.atoms(1.0)[0]))
        return max(float(ends.max(initial=0.0)), *map(abs, self.support() or (0.0, 0.0)))

    @abstractmethod
    def totals(self, population: Population, rounds: int, rng: np.random.Generator) -> NDArray[Any]:
        """The `tally` counts summed over a population of counted atoms, in `rounds` independent rounds at once."""

    def counted(self, values: ArrayLike, people: Counts, rng: np.random.Generator) -> Reals:
        """The sums of the reports' counts in each round; `people` says how many hold each value (rows) in it (columns).

        The values may differ between rounds. Here round by round; mechanisms that draw all rounds at once override it.
        """
        sums, held = np.zeros(people.shape[1]), np.asarray(values)
        for at in np.flatnonzero(people.any(axis=0)):
            crowd = Population(held if held.ndim == 1 else held[:, at], people[:, at])
            sums[at] = float(self.estimate(ReportTally(self.totals(crowd, 1, rng)[0], crowd.n))) * crowd.n
        return sums

    def support(self) -> tuple[float, float] | None:
        """The interval on which reports have a density; none where each report has a probability of its own."""
        return None

    def breakpoints(self, value: float) -> tuple[float, ...]:
        """The points where the density of this value's report, or its slope, jumps; the support's ends included."""
        return ()

    def atoms(self, value: float) -> tuple[Reals, Reals]:
        """The reports that have a probability of their own, and their probabilities."""
        return np.empty(0), np.empty(0)

    def target(self, values: ArrayLike) -> Reals:
        """The mean of the decoded report of a value: the number itself unless the mechanism says otherwise."""
        return inside(values)

    def decoded(self, reports: Any) -> Reals:
        """Reports as unbiased numbers on the scale of [-1, 1]."""
        return np.asarray(reports, dtype=np.float64)

    def worst_variance(self) -> float:
        """The largest variance that one person's decoded report can have."""
        return float(self.variance_at(self.worst_x()))

    def worst(self) -> tuple[float, float]:
        return 1.0, -1.0

    def truth(self, population: PopulationLaw) -> Reals:
        return np.asarray(population.mean_of(self.target), dtype=np.float64)

    def variance(self, population: PopulationLaw) -> Reals:
        return np.asarray(population.mean_of(self.variance_at) / population.n, dtype=np.float64)

    def tally(self, reports: Any) -> ReportTally:
        return ReportTally(np.asarray((decoded := self.decoded(reports)).sum()), len(decoded))

    def estimate(self, tally: ReportTally) -> Reals:
        if tally.n < 1:
            raise ParameterError("no_reports")
        return np.asarray(tally.counts / tally.n, dtype=np.float64)

    def sample_tally(
        self, population: PopulationLaw, rng: np.random.Generator, repeats: int | None = None
    ) -> ReportTally:
        # Exact: people who hold the same number are exchangeable, so that each atom is drawn at once.
        if isinstance(population, SmoothPopulation):
            return self.user_by_user(population, rng, repeats)
        rounds, size = repeats if repeats is not None else 1, max(1, ATOMS_AT_ONCE // population.k)
        blocks = range(0, rounds, size)
        totals = np.concatenate([self.totals(population, min(size, rounds - done), rng) for done in blocks])
        return ReportTally(np.asarray(totals[0]) if repeats is None else totals, population.n)
