"""Which answer is popular, and who said it? Estimated shares, their error, the top ten, one report, and the plan."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Annotated, Any

import numpy as np
import scipy
from numpy.typing import NDArray

from ldpcore.adviser import K_RANGE, Advice, Adviser, Change, at_level, build, level_needed, treats_values_alike
from ldpcore.costs import LITTLE, Cost, Question
from ldpcore.estimators import POSTPROCESSORS, ErrorSplit, PostProcessor, SimplexProjection
from ldpcore.experiments import Progress, generator
from ldpcore.experiments.repetitions import CELLS, Repetitions
from ldpcore.intervals import (
    EXACT_USERS,
    Bounds,
    Rule,
    binomial_law,
    count_law,
    half_width,
    plug_in_interval,
    quantile,
    share_interval,
)
from ldpcore.mechanisms import by_slug
from ldpcore.mechanisms.base import CategoryRandomizer, FrequencyOracle
from ldpcore.parameters import (
    Choice,
    Confidence,
    Declared,
    DomainSize,
    Epsilon,
    Interval,
    ParameterError,
    Probability,
    Repeats,
    Seed,
    Users,
)
from ldpcore.populations import Population, Reals

KEPT_CELLS = 1 << 18  # estimates that a result carries along; beyond them it carries their summaries only
Metric = Annotated[str, Choice("E", ("mse", "mae", "largest"))]
Axis = Annotated[str, Choice("x", ("epsilon", "n", "k"))]
Exponent = Annotated[float, Interval("s", 0, 10, (0, 3))]
Width = Annotated[float, Interval("w", 0, 1, (0.001, 0.2), scale="log", open_low=True)]


@dataclass(frozen=True)
class FrequencyExperiment(Question, Declared):
    """Collect the population's values through the mechanism, `repeats` times over."""

    randomizer: CategoryRandomizer
    population: Population
    repeats: Repeats = 1
    seed: Seed = 1

    def cost(self) -> Cost:
        drawn = Repetitions(self.randomizer, self.population, self.repeats, self.seed, "").cost()
        kept = 24.0 * min(KEPT_CELLS, self.population.k * self.repeats) + 64 * self.repeats
        return Cost(drawn.bytes + kept, drawn.seconds).then(LITTLE)

    def run(self, progress: Progress | None = None) -> FrequencyResult:
        population = self.randomizer.checked(self.population)
        truth, split = population.shares, None
        kept: list[Reals] = []
        errors: list[Reals] = []
        room = KEPT_CELLS // population.k
        # Mechanisms under comparison must not share their luck.
        purpose = f"{self.randomizer.slug} frequencies"
        repetitions = Repetitions(self.randomizer, population, self.repeats, self.seed, purpose)
        for block in repetitions.estimates(progress):
            if (left := room - sum(part.shape[1] for part in kept)) > 0 or not kept:
                kept.append(block[:, : max(left, 1)])
            errors.append(run_errors(block, truth))
            part = ErrorSplit.of(block, truth)
            split = part if split is None else split + part
        assert split is not None  # repeats is at least 1
        return FrequencyResult(self, truth, np.concatenate(kept, axis=1), split, np.concatenate(errors, axis=1))


def tuned_to(randomizer: CategoryRandomizer, epsilon: float) -> CategoryRandomizer:
    """The same mechanism at another level, with what else it is declared by as it is."""
    member: Any = randomizer
    return at_level(randomizer, epsilon) or replace(member, epsilon=epsilon)


def run_errors(estimates: Reals, truth: Reals) -> Reals:
    """Of every repetition: the mean squared, the mean absolute and the largest absolute error, in this order."""
    off = np.abs(estimates - truth[:, None])
    return np.stack([(off**2).mean(axis=0), off.mean(axis=0), off.max(axis=0)])


METRICS: tuple[str, ...] = ("mse", "mae", "largest")


@dataclass(frozen=True, eq=False)
class FrequencyResult:
    """The truth, the first estimates (k, at most R), bias and variance of each value, and the errors of every run."""

    experiment: FrequencyExperiment
    truth: Reals
    estimates: Reals
    split: ErrorSplit
    run_errors: Reals
    ceiling: float | None = None

    @property
    def first(self) -> Reals:
        """The estimates of the first repetition: what one real collector would see."""
        return np.asarray(self.estimates[:, 0], dtype=np.float64)

    @property
    def mean(self) -> Reals:
        """The mean estimate of each value over all repetitions."""
        return np.asarray(self.truth + self.split.bias, dtype=np.float64)

    @cached_property
    def variance(self) -> Reals:
        """The exact variance of each estimate, given the population."""
        return self.experiment.randomizer.variance(self.experiment.population)

    def expected(self, metric: str = "mse") -> float:
        """The expected error: exact for "mse", for the other two that of normal estimates."""
        return expected_error(metric, np.sqrt(self.variance))

    @property
    def typical_error(self) -> float:
        """The root of the expected squared error, exact: how far off a share typically is."""
        return math.sqrt(self.expected())

    @property
    def case(self) -> str:
        """Whether some values cannot be told apart however many report, or one repetition is all there is."""
        if not math.isfinite(self.typical_error):
            return "lost"
        return "one" if self.experiment.repeats == 1 else ""

    @property
    def off(self) -> float:
        """The same in people."""
        return self.typical_error * self.experiment.population.n

    def typical_error_at(self, factor: float) -> float:
        """The typical error at `factor` times the level, everything else as it is."""
        own: Any = self.experiment.randomizer
        return math.sqrt(self.expected_at(self.experiment, min(own.epsilon * factor, 50.0)))

    @property
    def usual_error(self) -> float:
        """The typical error at level 1, which a still picture is measured by."""
        return math.sqrt(self.expected_at(self.experiment, 1.0))

    @staticmethod
    def expected_at(experiment: FrequencyExperiment, epsilon: float) -> float:
        """The exact mean squared error at another level, everything else as it is."""
        tuned = tuned_to(experiment.randomizer, epsilon)
        return expected_error("mse", np.sqrt(tuned.variance(experiment.population)))

    def typical_error_with(self, factor: float) -> float:
        """The typical error with `factor` times the people, of the same shares."""
        return self.typical_error / math.sqrt(factor)

    @property
    def highest(self) -> float:
        """The largest share, or a round number above it where the truth has been taken out."""
        return float(self.truth.max()) if self.ceiling is None else self.ceiling

    @property
    def supported(self) -> Reals | None:
        """The share of the reports that speak for each value, C_v/n; None where reports support nothing."""
        oracle = self.experiment.randomizer
        return oracle.q + oracle.gap * self.first if isinstance(oracle, FrequencyOracle) else None

    def most_supported(self, levels: tuple[float, ...] = (0.01, 0.1, 1.0, 10.0)) -> float:
        """The largest share of the reports that speak for one value at any of these levels, chance apart."""
        oracles = (tuned_to(self.experiment.randomizer, level) for level in levels)
        return max(one.q + one.gap * self.highest for one in oracles if isinstance(one, FrequencyOracle))

    def masked(self) -> FrequencyResult:
        """Without the truth: of the largest share only the next power of a half is kept."""
        k, n = self.experiment.population.k, self.experiment.population.n
        even = replace(self.experiment, population=Population.uniform(k, n))
        ceiling = 2.0 ** math.ceil(math.log2(self.highest))
        return replace(self, experiment=even, truth=np.full_like(self.truth, math.nan), ceiling=ceiling)

    @property
    def simulated(self) -> float:
        """The root of the simulated squared error."""
        return math.sqrt(self.error())

    @property
    def top(self) -> int:
        """The most frequent value, the first of several."""
        return int(np.argmax(self.truth))

    def error(self, metric: str = "mse") -> float:
        """The simulated error, averaged over the repetitions."""
        return float(self.run_errors[METRICS.index(metric)].mean())

    def error_of(self, metric: str = "mse") -> float:
        """The standard error of the simulated error; undefined for a single repetition."""
        runs = self.run_errors[METRICS.index(metric)]
        return float(runs.std(ddof=1) / math.sqrt(len(runs))) if len(runs) > 1 else math.nan

    def bounds(
        self, confidence: float = 0.95, simultaneous: bool = False, rule: Rule = "sidak", sampled: bool = False
    ) -> Bounds:
        """An interval around each share of the first repetition, alone or so that all hold at once by this rule.

        With `sampled` for the shares in a population from which the people were drawn, else among the people asked.
        """
        randomizer, n = self.experiment.randomizer, self.experiment.population.n
        among = randomizer.k if simultaneous else 1
        if treats_values_alike(type(randomizer)):
            return share_interval(self.first, randomizer, n, confidence, among, rule, sampled)
        # What the variance would be if the projected estimates were the truth.
        likely = SimplexProjection().apply(np.nan_to_num(self.first), randomizer, n)
        variance = randomizer.variance(Population.of_shares(likely, n))
        if sampled:
            variance = variance + likely * (1 - likely) / n
        return plug_in_interval(self.first, variance, confidence, among, rule)


def expected_error(metric: str, deviations: Reals) -> float:
    """From the standard deviations of unbiased estimates; "mse" is exact, "mae" and "largest" suppose normal ones.

    "mae" is √(2/π) times the mean deviation; "largest" further supposes independence, ∫ 1 - Π(2Φ(x/σ_v) - 1) dx.
    """
    if metric == "mse":
        return float((deviations**2).mean())
    if metric == "mae":
        return math.sqrt(2 / math.pi) * float(deviations.mean())
    # Deviations that agree to three digits are taken together: they differ by the share alone.
    top = float(deviations.max())
    if top == 0:
        return 0.0
    sizes, counts = np.unique(np.round(deviations / top, 3), return_counts=True)
    sizes, counts = sizes[sizes > 0], counts[sizes > 0]
    x, weights = gauss_legendre()
    reach = quantile(1 - 1e-13, int(counts.sum()))
    x, weights = (x + 1) * reach / 2, weights * reach / 2
    log_inside = (counts[:, None] * np.log(scipy.special.erf(x / sizes[:, None] / math.sqrt(2)))).sum(axis=0)
    return top * float(weights @ -np.expm1(log_inside))


@lru_cache(maxsize=1)
def gauss_legendre() -> tuple[Reals, Reals]:
    """Points and weights of a quadrature of 80 points on [-1, 1]."""
    x, weights = np.polynomial.legendre.leggauss(80)
    return np.asarray(x, dtype=np.float64), np.asarray(weights, dtype=np.float64)


@dataclass(frozen=True)
class Survey(Question, Declared):
    """The same question put to a population that is described and not listed: its shape, k and n."""

    randomizer: CategoryRandomizer
    family: PopulationFamily
    n: Users
    repeats: Repeats = 1
    seed: Seed = 1

    def fewer(self) -> Survey:
        """The same once only, for who will not wait."""
        return replace(self, repeats=1)

    def cost(self) -> Cost:
        population = self.family.of(self.randomizer.k, self.n)
        return FrequencyExperiment(self.randomizer, population, self.repeats, self.seed).cost()

    def run(self, progress: Progress | None = None) -> FrequencyResult:
        population = self.family.of(self.randomizer.k, self.n)
        return FrequencyExperiment(self.randomizer, population, self.repeats, self.seed).run(progress)


class PopulationFamily(Declared, ABC):
    """A shape of population that exists for any number of people and, where it can, of categories."""

    @abstractmethod
    def of(self, k: int, n: int) -> Population:
        """The member of the family with k categories and n people."""


@dataclass(frozen=True)
class UniformFamily(PopulationFamily):
    """Every category equally frequent."""

    def of(self, k: int, n: int) -> Population:
        return Population.uniform(k, n)


@dataclass(frozen=True)
class ZipfFamily(PopulationFamily):
    """The v-th most frequent category has a share proportional to v^(-s)."""

    exponent: Exponent = 1.0

    def of(self, k: int, n: int) -> Population:
        return Population.zipf(k, n, self.exponent)


@dataclass(frozen=True)
class TwoPointFamily(PopulationFamily):
    """A share of the people holds category 1, the others category 0."""

    share: Probability = 0.1

    def of(self, k: int, n: int) -> Population:
        return Population.two_point(k, n, self.share)


@dataclass(frozen=True)
class ColumnFamily(PopulationFamily):
    """The shares of a column: for fewer categories the most frequent ones and "other", for more ones nobody holds."""

    population: Population

    def of(self, k: int, n: int) -> Population:
        shares = self.population.shares
        if k < len(shares):
            ordered = -np.sort(-shares)
            shares = np.append(ordered[: k - 1], ordered[k - 1 :].sum())
        return Population.of_shares(np.pad(shares, (0, k - len(shares))), n)


@dataclass(frozen=True)
class ErrorCurve(Question, Declared):
    """The error of several mechanisms along ε, n or k: exact lines, and a few simulated dots on them.

    A dot averages as many repetitions as make `draws` estimates, at least two.
    """

    slugs: tuple[str, ...]
    family: PopulationFamily
    k: DomainSize
    n: Users
    epsilon: Epsilon
    along: Axis = "epsilon"
    low: float = 0.1
    high: float = 5.0
    metric: Metric = "mse"
    draws: Repeats = CELLS
    seed: Seed = 1

    def fewer(self) -> ErrorCurve:
        """The same with as few dots as there can be, for who will not wait."""
        return replace(self, draws=1)

    def cost(self) -> Cost:
        total = LITTLE
        for slug in self.slugs:
            for x in self.grid(7):
                randomizer, population = self.at(slug, float(x))
                if randomizer is not None:
                    repeats = max(2, self.draws // population.k)
                    total = total.then(FrequencyExperiment(randomizer, population, repeats, self.seed).cost())
        return total

    def run(self, progress: Progress | None = None) -> ErrorCurveResult:
        line, dots = self.grid(61), self.grid(7)
        curves = []
        for index, slug in enumerate(self.slugs):
            simulated = []
            for position, x in enumerate(dots):
                simulated.append(self.dot(slug, float(x)))
                if progress is not None:
                    progress((index + (position + 1) / len(dots)) / len(self.slugs))
            exact = np.array([self.theory(slug, float(x)) for x in line])
            means, errors = np.array(simulated).T
            curves.append(Curve(slug, exact, means, errors))
        return ErrorCurveResult(self, line, dots, tuple(curves))

    def grid(self, points: int) -> Reals:
        """Points evenly spaced on a log axis, ends included; whole numbers for n and k."""
        if not 0 < self.low < self.high:
            raise ParameterError("range_empty", low=self.low, high=self.high)
        grid = np.geomspace(self.low, self.high, points)
        return grid if self.along == "epsilon" else np.unique(np.round(grid))

    def at(self, slug: str, x: float) -> tuple[CategoryRandomizer | None, Population]:
        """The mechanism and the population at one point of the axis; no mechanism where it does not exist."""
        k, n = int(x) if self.along == "k" else self.k, int(x) if self.along == "n" else self.n
        member: Any = by_slug(slug)
        return build(member, x if self.along == "epsilon" else self.epsilon, k), self.family.of(k, n)

    def theory(self, slug: str, x: float) -> float:
        """The expected error at one point; undefined where the mechanism does not exist."""
        randomizer, population = self.at(slug, x)
        if randomizer is None:
            return math.nan
        return expected_error(self.metric, np.sqrt(randomizer.variance(population)))

    def dot(self, slug: str, x: float) -> tuple[float, float]:
        """The simulated error at one point and its standard error."""
        randomizer, population = self.at(slug, x)
        if randomizer is None:
            return math.nan, math.nan
        repeats = max(2, self.draws // population.k)
        result = FrequencyExperiment(randomizer, population, repeats, self.seed).run()
        return result.error(self.metric), result.error_of(self.metric)

    @property
    def exact(self) -> bool:
        """Whether the lines are exact; those of the other metrics suppose normal estimates."""
        return self.metric == "mse"


@dataclass(frozen=True, eq=False)
class Curve:
    """One mechanism: the line, and the dots with their standard errors."""

    slug: str
    line: Reals
    dots: Reals
    dot_errors: Reals


@dataclass(frozen=True, eq=False)
class ErrorCurveResult:
    """Where the lines and the dots lie, and one curve for each mechanism."""

    experiment: ErrorCurve
    x: Reals
    dot_x: Reals
    curves: tuple[Curve, ...]

    def usual(self) -> tuple[float, float]:
        """The least and the largest expected error of all curves at level 1, which a still picture is measured by."""
        question = self.experiment
        if question.along == "epsilon":
            errors = np.concatenate([curve.line for curve in self.curves])
        else:
            at_one = replace(question, epsilon=1.0)
            errors = np.array([at_one.theory(slug, float(x)) for slug in question.slugs for x in self.dot_x])
        known = errors[np.isfinite(errors) & (errors > 0)]
        return (float(known.min()), float(known.max())) if len(known) else (1e-9, 1.0)


@dataclass(frozen=True)
class TopTen(Question, Declared):
    """Which of the most frequent values are among the estimated most frequent ones, over many repetitions."""

    randomizer: CategoryRandomizer
    population: Population
    repeats: Repeats = 100
    size: Annotated[int, Interval("m", 1, 1000, (1, 100), integer=True)] = 10
    seed: Seed = 1

    def fewer(self) -> TopTen:
        """The same once only, for who will not wait."""
        return replace(self, repeats=1)

    def cost(self) -> Cost:
        return Repetitions(self.randomizer, self.population, self.repeats, self.seed, "").cost().then(LITTLE)

    def run(self, progress: Progress | None = None) -> TopTenResult:
        population = self.randomizer.checked(self.population)
        size = min(self.size, population.k)
        true_top = np.argsort(-population.counts, kind="stable")[:size]
        # A value that nobody holds is no popular one, whatever fits into the list.
        true_top = true_top[population.counts[true_top] > 0]
        # A value that is as frequent as the last of them belongs there just as well.
        belongs = population.counts >= population.counts[true_top[-1]]
        chosen, right, first = np.zeros(population.k, dtype=np.int64), np.zeros(size + 1, dtype=np.int64), None
        ties = generator(self.seed, "ties")
        repetitions = Repetitions(self.randomizer, population, self.repeats, self.seed, "top ten")
        for block in repetitions.estimates(progress):
            # Equal estimates are put in random order: the order of the values would favor the frequent ones.
            # A value that cannot be estimated is never listed.
            known = np.nan_to_num(block, nan=-math.inf)
            order = np.lexsort((ties.random(block.shape), known), axis=0)[::-1][:size]
            first = order[:, 0] if first is None else first
            chosen += np.bincount(order.ravel(), minlength=population.k)
            right += np.bincount(belongs[order].sum(axis=0), minlength=size + 1)
        assert first is not None  # repeats is at least 1
        return TopTenResult(self, true_top, belongs, first, chosen, right)


@dataclass(frozen=True, eq=False)
class TopTenResult:
    """The true and the estimated lists, how often each value was listed, and how many entries were right.

    The true list has no value that nobody holds, so that it may be shorter than the estimated one.
    """

    experiment: TopTen
    true_top: NDArray[np.intp]
    belongs: NDArray[np.bool_]
    first: NDArray[np.intp]
    chosen: NDArray[np.int64]
    right: NDArray[np.int64]

    @property
    def found(self) -> Reals:
        """How often each of the true most frequent values was listed, as a share of the repetitions."""
        return np.asarray(self.chosen[self.true_top] / self.experiment.repeats, dtype=np.float64)

    @property
    def false(self) -> NDArray[np.intp]:
        """The values that the first repetition lists and that do not belong there."""
        return self.first[~self.belongs[self.first]]

    @property
    def case(self) -> str:
        """Whether every value fits into the list, or one repetition is all there is."""
        if len(self.first) == self.experiment.population.k:
            return "all"
        return "one" if self.experiment.repeats == 1 else ""

    def masked(self) -> TopTenResult:
        """Without the truth: what was listed most often, and not a word on whether it belongs there."""
        k, n = self.experiment.population.k, self.experiment.population.n
        even = replace(self.experiment, population=Population.uniform(k, n))
        often = np.argsort(-self.chosen, kind="stable")[: len(self.true_top)]
        return replace(
            self, experiment=even, true_top=often, belongs=np.ones_like(self.belongs), right=np.zeros_like(self.right)
        )

    @property
    def mean_right(self) -> float:
        """The mean number of entries that are right."""
        return float(self.right @ np.arange(len(self.right)) / self.right.sum())

    @property
    def standard_error(self) -> float:
        """Of the mean number of right entries."""
        spread = self.right @ (np.arange(len(self.right)) - self.mean_right) ** 2 / self.right.sum()
        return math.sqrt(float(spread) / self.experiment.repeats)


@dataclass(frozen=True)
class OneReport(Question, Declared):
    """How one person's value becomes one report, and what that report says about every value."""

    randomizer: CategoryRandomizer
    value: Annotated[int, Interval("x", 0, 65535, (0, 100), integer=True)] = 0
    seed: Seed = 1

    def cost(self) -> Cost:
        return self.randomizer.setup_cost().then(LITTLE)

    def run(self, progress: Progress | None = None) -> OneReportResult:
        randomizer = self.randomizer
        reports = randomizer.privatize(randomizer.categories([self.value]), generator(self.seed, "one report"))
        after = np.asarray(randomizer.supports(reports)[0]) if isinstance(randomizer, FrequencyOracle) else None
        posterior = scipy.special.softmax(self.log_chances(reports[0], after))
        return OneReportResult(self, reports[0], after, randomizer.estimate(randomizer.tally(reports)), posterior)

    def log_chances(self, report: Any, after: NDArray[np.bool_] | None) -> Reals:
        """ln of the chance of the report under every value; where it supports a set, only membership matters."""
        if after is None:
            return np.array([self.randomizer.log_density(report, value) for value in range(self.randomizer.k)])
        logs = np.empty(len(after))
        for side in (after, ~after):
            if side.any():
                logs[side] = self.randomizer.log_density(report, int(np.argmax(side)))
        return logs


@dataclass(frozen=True, eq=False)
class OneReportResult:
    """The report itself, the values it supports, its own estimate, and the attacker's posterior from a uniform prior.

    `after` is None where reports support nothing, such as noisy numbers.
    """

    experiment: OneReport
    report: Any
    after: NDArray[np.bool_] | None
    estimate: Reals
    posterior: Reals

    @property
    def before(self) -> NDArray[np.bool_]:
        """The truth, bit by bit: one for the own value."""
        return np.asarray(np.arange(self.experiment.randomizer.k) == self.experiment.value)

    @property
    def chances(self) -> Reals | None:
        """How likely each value was to be supported: p for the own one, q for every other."""
        randomizer = self.experiment.randomizer
        if not isinstance(randomizer, FrequencyOracle):
            return None
        return np.where(self.before, randomizer.p, randomizer.q)

    @property
    def flipped(self) -> NDArray[np.bool_] | None:
        """Where the report disagrees with the truth, bit by bit."""
        return None if self.after is None else np.asarray(self.after != self.before)

    @property
    def guess(self) -> int:
        """The attacker's best guess; the first one where several are equally likely."""
        return int(np.argmax(self.posterior))

    @property
    def loss(self) -> float:
        """ln of the largest over the smallest posterior: what this report betrays, at most ε."""
        with np.errstate(divide="ignore"):
            return float(np.log(self.posterior.max()) - np.log(self.posterior.min()))


@dataclass(frozen=True)
class AfterEstimate(Question, Declared):
    """Every rule that may follow the raw estimate, on the same repetitions."""

    randomizer: CategoryRandomizer
    population: Population
    repeats: Repeats = 200
    seed: Seed = 1

    def fewer(self) -> AfterEstimate:
        """The same with as few repetitions as have a spread, for who will not wait."""
        return replace(self, repeats=2)

    def cost(self) -> Cost:
        return Repetitions(self.randomizer, self.population, self.repeats, self.seed, "").cost().then(LITTLE)

    def run(self, progress: Progress | None = None) -> AfterEstimateResult:
        population = self.randomizer.checked(self.population)
        rules = [rule for rule in POSTPROCESSORS if rule.fits(self.randomizer)]
        firsts: dict[str, Reals] = {}
        splits: dict[str, ErrorSplit] = {}
        repetitions = Repetitions(self.randomizer, population, self.repeats, self.seed, "after")
        for block in repetitions.estimates(progress):
            for rule in rules:
                processed = rule.apply(block, self.randomizer, population.n)
                part = ErrorSplit.of(processed, population.shares)
                firsts.setdefault(rule.slug, processed[:, 0].copy())
                splits[rule.slug] = splits[rule.slug] + part if rule.slug in splits else part
        rows = tuple(ProcessedShares(rule, firsts[rule.slug], splits[rule.slug]) for rule in rules)
        return AfterEstimateResult(self, population.shares, rows)


@dataclass(frozen=True, eq=False)
class ProcessedShares:
    """One rule: the first repetition's shares, and where its error comes from."""

    rule: PostProcessor
    first: Reals
    split: ErrorSplit

    @property
    def bias_squared(self) -> float:
        """The mean over values of the squared bias."""
        return float((self.split.bias**2).mean())

    @property
    def variance(self) -> float:
        """The mean over values of the variance."""
        return float(self.split.variance.mean())

    @property
    def mean_squared_error(self) -> float:
        """Their sum."""
        return float(self.split.mean_squared_error.mean())

    @property
    def chance(self) -> float:
        """The mean squared bias that chance alone makes, so many repetitions being averaged."""
        return float((self.split.bias_error**2).mean())

    def bias_of(self, value: int) -> float:
        """The bias of one value's share."""
        return float(self.split.bias[value])


@dataclass(frozen=True, eq=False)
class AfterEstimateResult:
    """The truth, and one row for each rule that fits, in the order of `POSTPROCESSORS`."""

    experiment: AfterEstimate
    truth: Reals
    rows: tuple[ProcessedShares, ...]

    def row(self, slug: str) -> ProcessedShares:
        """The row of one rule."""
        return next(row for row in self.rows if row.rule.slug == slug)


@dataclass(frozen=True)
class WhichOne(Question, Declared):
    """The adviser's answer, and where the choice changes along k and along the level."""

    adviser: Adviser

    def cost(self) -> Cost:
        return LITTLE.times(20)  # thousands of exact errors

    def run(self, progress: Progress | None = None) -> WhichOneResult:
        adviser = self.adviser
        return WhichOneResult(self, adviser.run(), adviser.changes_in_k(), adviser.changes_in_epsilon())


@dataclass(frozen=True)
class WhichOneResult:
    """The ranking, the numbers of categories and the levels at which another mechanism becomes the best."""

    experiment: WhichOne
    advice: Advice
    along_k: tuple[Change, ...]
    along_epsilon: tuple[Change, ...]

    @property
    def range_of_k(self) -> tuple[int, int]:
        """The numbers of categories that were looked at."""
        return K_RANGE

    @property
    def members(self) -> tuple[str, ...]:
        """The mechanisms that are ever the best, or are among those compared here."""
        named = {slug for change in self.along_k for slug in (change.before, change.after) if slug}
        return tuple(sorted(named | {option.randomizer.slug for option in self.advice.options}))

    @property
    def threshold(self) -> float:
        """3e^ε + 2: for a rare value, direct answers err less than optimized unary encoding exactly for fewer values.

        n·Var is (k-2+e^ε)/(e^ε-1)² against 4e^ε/(e^ε-1)².
        """
        return 3 * math.exp(self.experiment.adviser.epsilon) + 2

    @property
    def last(self) -> int:
        """The largest whole number below the threshold."""
        return math.ceil(self.threshold) - 1


@dataclass(frozen=True)
class FrequencyPlan(Question, Declared):
    """Solve backwards: to know a share to ±w with this confidence, which ε, or how many people?

    Normal half-widths from exact variances. People who are `sampled` stand for a population, which adds f(1-f)/n;
    else the share meant is the one among the people asked, as in a census.
    """

    randomizer: CategoryRandomizer
    n: Users
    share: Probability = 0.1
    width: Width = 0.01
    confidence: Confidence = 0.95
    sampled: bool = True

    def cost(self) -> Cost:
        return self.randomizer.setup_cost().then(LITTLE)

    def run(self, progress: Progress | None = None) -> FrequencyPlanResult:
        now = self.half_width(self.randomizer, self.n)
        # The variance is v/n, so the number of people is z² v/w².
        people = (self.half_width(self.randomizer, 1) / self.width) ** 2
        return FrequencyPlanResult(
            self, now, level_needed(self.randomizer, self.fits), math.ceil(people) if math.isfinite(people) else people,
            self.floor(), self.chance(),
        )  # fmt: skip

    def fits(self, randomizer: CategoryRandomizer) -> bool:
        """Whether another level of the mechanism is precise enough."""
        return self.half_width(randomizer, self.n) <= self.width

    def half_width(self, randomizer: CategoryRandomizer, n: int) -> float:
        """z √((v + s f(1-f))/n), s = 1 where people are sampled."""
        return half_width(self.share, randomizer, n, self.confidence, self.sampled)

    @property
    def truthful(self) -> float:
        """The half-width if all simply told the truth: what sampling alone leaves, 0 in a census."""
        spread = self.share * (1 - self.share) / self.n if self.sampled else 0.0
        return quantile(self.confidence) * math.sqrt(spread)

    def floor(self) -> float:
        """The half-width at the weakest level that the project knows: what the mechanism cannot go below."""
        weakest = at_level(self.randomizer, 50.0)
        return math.nan if weakest is None else self.half_width(weakest, self.n)

    def curve(self) -> tuple[Reals, Reals]:
        """Levels, and the half-width at each; empty for a mechanism that is not declared by a level."""
        levels = np.geomspace(0.01, 10, 61)
        tuned = [at_level(self.randomizer, float(level)) for level in levels]
        widths = [self.half_width(member, self.n) for member in tuned if member is not None]
        return levels[: len(widths)], np.array(widths)

    def usual(self) -> float:
        """The half-width at level 1, which a still picture is measured by where there is no curve."""
        return half_width(self.share, tuned_to(self.randomizer, 1.0), self.n, self.confidence)

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
class FrequencyPlanResult:
    """What the present level gives, the level and the crowd that would be precise enough, and the exact chance now.

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
    def case(self) -> str:
        """Whether a level is precise enough; "fixed" for a design that is not tuned by its level alone."""
        if math.isnan(self.floor):
            return "fixed"
        return "impossible" if self.epsilon is None else "possible"
