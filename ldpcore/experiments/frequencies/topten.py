"""The most frequent values as the estimates have them, beside the true ones."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from ldpcore.costs import LITTLE, Cost
from ldpcore.experiments import generator
from ldpcore.experiments.repetitions import Repetitions
from ldpcore.mechanisms.base import CategoryRandomizer
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Declared, Interval, Repeats, Seed
from ldpcore.people.populations import Population
from ldpcore.questions import Progress, Question, Result, no_progress


@dataclass(frozen=True)
class TopTen(Question["TopTenResult"], Declared):
    """The true most frequent values among the estimated most frequent ones, over many repetitions."""

    randomizer: CategoryRandomizer
    population: Population
    repeats: Repeats = 100
    size: Annotated[int, Interval("m", 1, 1000, (1, 100), integer=True)] = 10
    seed: Seed = 1

    def fewer(self) -> TopTen:
        """This question asked once only, for a reader in a hurry."""
        return replace(self, repeats=1)

    def cost(self) -> Cost:
        return Repetitions(self.randomizer, self.population, self.repeats, self.seed, "").cost().then(LITTLE)

    def run(self, progress: Progress = no_progress) -> TopTenResult:
        population = self.randomizer.checked(self.population)
        size = min(self.size, population.k)
        true_top = np.argsort(-population.counts, kind="stable")[:size]
        # A value that nobody holds is no popular one, whatever fits into the list.
        true_top = true_top[population.counts[true_top] > 0]
        # A value that is as frequent as the last of them belongs there just as well.
        belongs = population.counts >= population.counts[true_top[-1]]
        chosen, right = np.zeros(population.k, dtype=np.int64), np.zeros(size + 1, dtype=np.int64)
        first: tuple[Reals, NDArray[np.intp]] | None = None
        ties = generator(self.seed, "ties")
        repetitions = Repetitions(self.randomizer, population, self.repeats, self.seed, "top ten")
        for block in repetitions.estimates(progress):
            # Equal estimates are put in random order: the order of the values would favor the frequent ones.
            # A value that cannot be estimated is never listed.
            known = np.nan_to_num(block, nan=-math.inf)
            order = np.lexsort((ties.random(block.shape), known), axis=0)[::-1][:size]
            first = first or (block[:, 0].copy(), order[:, 0])
            chosen += np.bincount(order.ravel(), minlength=population.k)
            right += np.bincount(belongs[order].sum(axis=0), minlength=size + 1)
        assert first is not None  # repeats is at least 1
        return TopTenResult(self, true_top, belongs, *first, chosen, right)


@dataclass(frozen=True, eq=False)
class TopTenResult(Result):
    """The true list, the first repetition's estimates and list, how often each value was listed, how many were right.

    The true list has no value that nobody holds, so that it may be shorter than the estimated one.
    """

    experiment: TopTen
    true_top: NDArray[np.intp]
    belongs: NDArray[np.bool_]
    estimates: Reals
    first: NDArray[np.intp]
    chosen: NDArray[np.int64]
    right: NDArray[np.int64]

    @property
    def listed(self) -> Reals:
        """The share of the repetitions in which each of the true most frequent values was listed."""
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
        """The result without the truth: the values listed most often, without whether they belong there."""
        even = replace(self.experiment, population=self.experiment.population.evened())
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
        """The standard error of the mean number of right entries."""
        spread = self.right @ (np.arange(len(self.right)) - self.mean_right) ** 2 / self.right.sum()
        return math.sqrt(float(spread) / self.experiment.repeats)
