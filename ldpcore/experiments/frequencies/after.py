"""The rules that may follow the raw estimate, on the same repetitions."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ldpcore.costs import LITTLE, Cost
from ldpcore.estimating.estimators import POSTPROCESSORS, ErrorSplit, PostProcessor
from ldpcore.experiments.repetitions import Repetitions
from ldpcore.mechanisms.base import CategoryRandomizer
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Declared, Repeats, Seed
from ldpcore.people.populations import Population
from ldpcore.questions import Progress, Public, Question, no_progress


@dataclass(frozen=True)
class AfterEstimate(Question["AfterEstimateResult"], Declared):
    """Every rule that may follow the raw estimate, on the same repetitions."""

    randomizer: CategoryRandomizer
    population: Population
    repeats: Repeats = 200
    seed: Seed = 1

    def fewer(self) -> AfterEstimate:
        """This question with the fewest repetitions that have a spread, for a reader in a hurry."""
        return replace(self, repeats=2)

    def cost(self) -> Cost:
        return Repetitions(self.randomizer, self.population, self.repeats, self.seed, "").cost().then(LITTLE)

    def run(self, progress: Progress = no_progress) -> AfterEstimateResult:
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
    """One rule: the first repetition's shares, and the parts of its error."""

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
        """The mean squared error, the sum of squared bias and variance."""
        return float(self.split.mean_squared_error.mean())

    @property
    def chance(self) -> float:
        """The mean squared bias that chance alone makes in the average of these repetitions."""
        return float((self.split.bias_error**2).mean())


@dataclass(frozen=True, eq=False)
class AfterEstimateResult(Public):
    """The truth, and one row for each rule that fits, in the order of `POSTPROCESSORS`."""

    experiment: AfterEstimate
    truth: Reals
    rows: tuple[ProcessedShares, ...]

    def row(self, slug: str) -> ProcessedShares:
        """The row of one rule."""
        return next(row for row in self.rows if row.rule.slug == slug)
