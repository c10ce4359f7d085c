"""Shares that are estimated once or many times over, and their errors."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import scipy

from ldpcore.costs import LITTLE, Cost
from ldpcore.estimating.absoluteerrors import count_error
from ldpcore.estimating.adviser import treats_values_alike, tuned_anew
from ldpcore.estimating.confidences import Rule, quantile
from ldpcore.estimating.estimators import ErrorSplit, SimplexProjection
from ldpcore.estimating.intervals import Bounds, drawn_variance, plug_in_interval, share_interval
from ldpcore.experiments.frequencies.families import PopulationFamily
from ldpcore.experiments.repetitions import Repetitions
from ldpcore.mechanisms.base import CategoryRandomizer, FrequencyOracle
from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.quadrature import gauss_legendre
from ldpcore.parameters import Declared, Repeats, Seed, Users
from ldpcore.people.populations import Population
from ldpcore.questions import Progress, Question, Result, no_progress

KEPT_CELLS = 1 << 18  # estimates that a result carries along; beyond them it carries their summaries only
FEW_COUNTS = 32  # different numbers of people, up to which each answer's error is found by its exact law


@dataclass(frozen=True)
class FrequencyExperiment(Question["FrequencyResult"], Declared):
    """Collect the population's values through the mechanism, `repeats` times over."""

    randomizer: CategoryRandomizer
    population: Population
    repeats: Repeats = 1
    seed: Seed = 1

    def cost(self) -> Cost:
        drawn = Repetitions(self.randomizer, self.population, self.repeats, self.seed, "").cost()
        kept = 24.0 * min(KEPT_CELLS, self.population.k * self.repeats) + 64 * self.repeats
        return Cost(drawn.bytes + kept, drawn.seconds).then(LITTLE)

    def run(self, progress: Progress = no_progress) -> FrequencyResult:
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


def round_above(shares: Reals) -> float:
    """The least power of a half that is no smaller than any of some shares."""
    return float(2.0 ** math.ceil(math.log2(float(shares.max()))))


def tuned_to(randomizer: CategoryRandomizer, epsilon: float) -> CategoryRandomizer:
    """The randomizer at another level, with its other parameters as they are."""
    member: Any = randomizer
    return tuned_anew(randomizer, epsilon) or replace(member, epsilon=epsilon)


def run_errors(estimates: Reals, truth: Reals) -> Reals:
    """The mean squared, mean absolute and largest absolute error of each repetition, in this order."""
    off = np.abs(estimates - truth[:, None])
    return np.stack([(off**2).mean(axis=0), off.mean(axis=0), off.max(axis=0)])


METRICS: tuple[str, ...] = ("mse", "mae", "largest")


@dataclass(frozen=True, eq=False)
class FrequencyResult(Result):
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
        """The root of the expected squared error, exact: the typical error of a share."""
        return math.sqrt(self.expected())

    @cached_property
    def mean_absolute_error(self) -> tuple[float, bool]:
        """The mean absolute error of a share over all answers, and whether it is exact, or by the normal law.

        Exact where reports support answers, held by few different numbers of people.
        """
        oracle, people = self.experiment.randomizer, self.experiment.population
        held, answers = np.unique(people.counts, return_counts=True)
        if not isinstance(oracle, FrequencyOracle) or len(held) > FEW_COUNTS or not math.isfinite(self.typical_error):
            return self.expected("mae"), False
        errors = [count_error(oracle, int(count), people.n) for count in held]
        return float(np.dot(answers, errors)) / people.k / people.n, True

    @property
    def case(self) -> str:
        """The case of the result: values that cannot be told apart however many report, or a single repetition."""
        if not math.isfinite(self.typical_error):
            return "lost"
        return "one" if self.experiment.repeats == 1 else ""

    @property
    def off(self) -> float:
        """The typical error of a share, in people."""
        return self.typical_error * self.experiment.population.n

    def typical_error_at(self, factor: float) -> float:
        """The typical error at `factor` times the level, everything else as it is."""
        own: Any = self.experiment.randomizer
        return math.sqrt(self.expected_at(self.experiment, min(own.epsilon * factor, 50.0)))

    @property
    def _even(self) -> FrequencyExperiment:
        """The question about a crowd of the same size whose answers are evenly spread."""
        return replace(self.experiment, population=self.experiment.population.evened())

    @property
    def usual_error(self) -> float:
        """The typical error at level 1 of an even crowd of the same size, the measure of a still picture."""
        return math.sqrt(self.expected_at(self._even, 1.0))

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
        """A power of a half above the largest share: all that a still picture tells of it, hidden or not."""
        return round_above(self.truth) if self.ceiling is None else self.ceiling

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
        """The result without the truth: of the largest share only the next power of a half is kept."""
        unknown = np.full_like(self.truth, math.nan)
        return replace(self, experiment=self._even, truth=unknown, ceiling=self.highest)

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
        variance = randomizer.variance(Population.of_shares(likely, n)) + drawn_variance(likely, sampled) / n
        return plug_in_interval(self.first, variance, confidence, among, rule)


def expected_error(metric: str, deviations: Reals) -> float:
    """The expected error, from standard deviations of unbiased estimates; "mse" exact, "mae" and "largest" if normal.

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
    x, weights = gauss_legendre(80)
    reach = quantile(1 - 1e-13, int(counts.sum()))
    x, weights = (x + 1) * reach / 2, weights * reach / 2
    log_inside = (counts[:, None] * np.log(scipy.special.erf(x / sizes[:, None] / math.sqrt(2)))).sum(axis=0)
    return top * float(weights @ -np.expm1(log_inside))


@dataclass(frozen=True)
class Survey(Question[FrequencyResult], Declared):
    """A survey of a population that is described and not listed: its shape, k and n."""

    randomizer: CategoryRandomizer
    family: PopulationFamily
    n: Users
    repeats: Repeats = 1
    seed: Seed = 1

    def fewer(self) -> Survey:
        """This question asked once only, for a reader in a hurry."""
        return replace(self, repeats=1)

    def cost(self) -> Cost:
        population = self.family.of(self.randomizer.k, self.n)
        return FrequencyExperiment(self.randomizer, population, self.repeats, self.seed).cost()

    def run(self, progress: Progress = no_progress) -> FrequencyResult:
        population = self.family.of(self.randomizer.k, self.n)
        return FrequencyExperiment(self.randomizer, population, self.repeats, self.seed).run(progress)
