"""One collection of reports beside a trusted curator's counts, and one rule afterwards."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from ldpcore.costs import LITTLE, Cost
from ldpcore.experiments import generator
from ldpcore.experiments.frequencies import (
    AfterEstimate,
    AfterEstimateResult,
    FrequencyExperiment,
    FrequencyResult,
    PopulationFamily,
    ProcessedShares,
)
from ldpcore.experiments.frequencies.survey import round_above
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Choice, Confidence, Declared, DomainSize, Epsilon, ParameterError, Seed, Users
from ldpcore.questions import Progress, Question, Result, no_progress

By = Annotated[str, Choice("S", ("shares", "split"))]
SENSITIVITY = 2.0  # of all counts together: a person who is replaced leaves one bar and enters another


@dataclass(frozen=True)
class CuratorCounts(Question["CuratorCountsResult"], Declared):
    """A trusted curator sees everybody's value and releases all counts with Laplace noise at the same level."""

    epsilon: Epsilon
    family: PopulationFamily
    k: DomainSize
    n: Users
    seed: Seed = 1
    confidence: Confidence = 0.95

    def cost(self) -> Cost:
        return Cost(LITTLE.bytes + 200.0 * self.k, LITTLE.seconds)

    def run(self, progress: Progress = no_progress) -> CuratorCountsResult:
        counts = self.family.of(self.k, self.n).counts
        released = self.noise.release(counts, generator(self.seed, "curator"))
        return CuratorCountsResult(self, released / self.n, self.noise.width(self.confidence) / self.n)

    @property
    def noise(self) -> LaplaceMechanism:
        """The noise on each count: n is public, as it is where everybody reports, so that people are replaced."""
        return LaplaceMechanism(self.epsilon, SENSITIVITY, "replace-one")


@dataclass(frozen=True, eq=False)
class CuratorCountsResult(Result):
    """The released shares, and the distance that their noise stays within with this confidence, each alone."""

    experiment: CuratorCounts
    shares: Reals
    reach: float

    def masked(self) -> CuratorCountsResult:
        """The result without the shares: they lie so near to the truth that they would tell it."""
        return replace(self, shares=np.full_like(self.shares, math.nan))


@dataclass(frozen=True)
class OneRule(Question["OneRuleResult"], Declared):
    """One of the rules that may follow the raw estimate, beside the raw one answer by answer, or beside all of them."""

    estimate: AfterEstimate
    rule: str = "clip"
    by: By = "shares"

    def fewer(self) -> OneRule:
        """This question with the fewest repetitions that have a spread, for a reader in a hurry."""
        return replace(self, estimate=self.estimate.fewer())

    def cost(self) -> Cost:
        return self.estimate.cost()

    def run(self, progress: Progress = no_progress) -> OneRuleResult:
        rules = self.estimate.run(progress)
        slugs = tuple(row.rule.slug for row in rules.rows)
        if self.rule not in slugs:
            raise ParameterError("choice", name="rule", options=slugs, got=self.rule)
        return OneRuleResult(self, rules)


@dataclass(frozen=True, eq=False)
class OneRuleResult(Result):
    """All the rules, of which one is looked at."""

    experiment: OneRule
    rules: AfterEstimateResult
    ceiling: float | None = None

    @property
    def raw(self) -> ProcessedShares:
        """The raw estimate."""
        return self.rules.row("raw")

    @property
    def chosen(self) -> ProcessedShares:
        """The rule that is looked at."""
        return self.rules.row(self.experiment.rule)

    @property
    def least(self) -> ProcessedShares:
        """The rule of least error over these repetitions, the first of equal ones."""
        return min(self.rules.rows, key=lambda row: float(f"{row.mean_squared_error:.9e}"))

    def mean(self, row: ProcessedShares) -> Reals:
        """The mean share of each value after a rule; unknown without the truth, which it would tell."""
        return np.asarray(self.rules.truth + row.split.bias, dtype=np.float64)

    @property
    def expected(self) -> float:
        """The exact mean squared error of raw estimates of an even crowd at level 1, a measure of a still picture."""
        question = self.experiment.estimate
        even = FrequencyExperiment(question.randomizer, question.population.evened())
        return FrequencyResult.expected_at(even, 1.0)

    @property
    def highest(self) -> float:
        """A power of a half above the largest share, the other measure."""
        return round_above(self.rules.truth) if self.ceiling is None else self.ceiling

    def masked(self) -> OneRuleResult:
        """The result without the truth, and so without the means, which lie near it."""
        question = self.rules.experiment
        hidden = replace(question, population=question.population.evened())
        rules = replace(self.rules, experiment=hidden, truth=np.full_like(self.rules.truth, math.nan))
        return OneRuleResult(replace(self.experiment, estimate=hidden), rules, self.highest)
