"""Two kinds of people in the plane: the private rule, the one of honest answers, and the best one of all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from ldpcore.costs import LITTLE, MEGABYTE, Cost
from ldpcore.estimating.regression import accuracy, cells_of, classified, direct, expected_accuracy
from ldpcore.experiments import generator
from ldpcore.experiments.regression.curves import CROWD, sizes_to
from ldpcore.mechanisms.partition import ResponseReports
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.parameters import Declared, Epsilon, Interval, Seed, Users
from ldpcore.people.curves import ClassModel
from ldpcore.people.observed import ObservedPairs
from ldpcore.people.partitions import OUTSIDE, Partition
from ldpcore.people.populations import Population
from ldpcore.questions import Progress, Public, Question, Result, no_progress

Along = Annotated[int, Interval("1/h", 1, 32, (2, 32), scale="log", integer=True, small=(4, 8))]
Labels = ClassModel | ObservedPairs
FEWEST_LABELS = 100
NARROWING = 1 / 8  # h = n^-1/8: n h^4 = √n grows
NARROWEST = 48  # squares along each axis, of two places each


def cells_for(epsilon: float, n: int) -> int:
    """Cells along each axis for n labels at a level: noise and bias of one size for classes as smooth as half the box.

    The noise of a cell is √8/(α√n), its mass h²; the best rule's edge is seen where h² is five times the noise or more.
    """
    return int(min(max(((n * min(epsilon, 3.0) ** 2 / 8) ** 0.5 / 6) ** 0.5, 2), 24))


@dataclass(frozen=True)
class LabelSurvey(Question["LabelSurveyResult"], Declared):
    """Everybody sends their label in noise, cell by cell, with the whole level; each cell's sign is the rule."""

    source: Labels
    n: Users
    epsilon: Epsilon
    along: Along = 8
    seed: Seed = 1

    def run(self, progress: Progress = no_progress) -> LabelSurveyResult:
        people, mechanism = self.source.people(self.n, self.seed), self.mechanism
        sums = mechanism.estimate(mechanism.sample_tally(people, generator(self.seed, "labels")))
        steps = direct(people, mechanism.partition)
        progress(1.0)
        return LabelSurveyResult(self, sums, classified(steps.heights), steps.shares)

    def cost(self) -> Cost:
        return LITTLE.then(self.mechanism.tally_cost(160_000))

    @property
    def mechanism(self) -> ResponseReports:
        """The mechanism that everybody uses."""
        return ResponseReports(self.epsilon, 1 / self.along, 2, 1.0)


@dataclass(frozen=True, eq=False)
class LabelSurveyResult(Result):
    """The private sums of labels, the guesses of honest answers, and the share of people in each cell."""

    experiment: LabelSurvey
    sums: Reals
    honest: NDArray[np.int64]
    shares: Reals

    def masked(self) -> LabelSurveyResult:
        """The result without the rule of honest answers."""
        return replace(self, honest=np.ones_like(self.honest), shares=np.zeros_like(self.shares))

    @property
    def guesses(self) -> NDArray[np.int64]:
        """The private rule."""
        return classified(self.sums)

    @property
    def partition(self) -> Partition:
        """The public cells."""
        return self.experiment.mechanism.partition

    @cached_property
    def right(self) -> float:
        """The chance that the private rule is right: about a new person, or about those of the table."""
        return self._right(self.guesses)

    @cached_property
    def honest_right(self) -> float:
        """The chance that the rule of honest answers is right."""
        return self._right(self.honest)

    @property
    def best(self) -> float:
        """The chance that the best rule is right; of a table, where nobody knows it, the best that cells can do."""
        source = self.experiment.source
        return source.best if isinstance(source, ClassModel) else self.honest_right

    def _right(self, guesses: NDArray[np.int64]) -> float:
        source = self.experiment.source
        if isinstance(source, ClassModel):
            return accuracy(source, self.partition, guesses)
        return agreement(source.rows, self.partition, guesses)

    @property
    def differing(self) -> int:
        """The number of cells in which the private rule differs from honest answers."""
        return int((self.guesses != self.honest).sum())


def agreement(people: Population, partition: Partition, guesses: NDArray[np.int64]) -> float:
    """The share of people in the box whose label is the guess for their cell."""
    cells = partition.cells(people.values[:, :-1])
    inside = cells != OUTSIDE
    right = guesses[cells[inside]] == people.values[inside, -1]
    return float(people.counts[inside][right].sum() / max(people.counts[inside].sum(), 1))


@dataclass(frozen=True)
class LabelErrors(Question["LabelErrorsResult"], Declared):
    """The expected error of the private rule along n, with the same squares and with ones that narrow.

    The noise of all cells together, h^-d √8/(α√n), and what cells miss bound the excess over the best rule: it
    vanishes where h → 0 and n h^2d → ∞ (without noise n h^d → ∞), for every law of places and labels.
    """

    source: ClassModel
    n: Users
    epsilon: Epsilon
    along: Along = 8

    def run(self, progress: Progress = no_progress) -> LabelErrorsResult:
        sizes = sizes_to(CROWD[1], FEWEST_LABELS)
        narrow = [self.narrowing(int(n)) for n in sizes]
        kept = [self.error(int(n), self.along) for n in sizes]
        private = [self.error(int(n), along) for n, along in zip(sizes, narrow, strict=True)]
        honest = [self.error(int(n), along, private=False) for n, along in zip(sizes, narrow, strict=True)]
        return LabelErrorsResult(self, sizes, np.array(kept), np.array(private), np.array(honest))

    def narrowing(self, n: int) -> int:
        """The squares along each axis for n people: these for the question's own n, and narrower for more."""
        return int(min(max(round(self.along * (n / self.n) ** NARROWING), 1), NARROWEST))

    def error(self, n: int, along: int, private: bool = True) -> float:
        """The chance that the rule is wrong about a new person, by the normal law of the sums of labels."""
        mechanism = ResponseReports(self.epsilon, 1 / along, 2, 1.0)
        return 1 - expected_accuracy(self.source, n, mechanism if private else None, mechanism.partition)

    def cost(self) -> Cost:
        return Cost(4 * MEGABYTE, 0.02)


@dataclass(frozen=True, eq=False)
class LabelErrorsResult(Public):
    """Expected errors along the number of people: of the private rule, and of the same rule with honest answers."""

    experiment: LabelErrors
    sizes: Counts
    kept: Reals
    private: Reals
    honest: Reals

    @property
    def here(self) -> float:
        """The expected error of the private rule at the question's own number of people."""
        return self.experiment.error(self.experiment.n, self.experiment.along)

    @property
    def honest_here(self) -> float:
        """The expected error of the same rule with honest answers, at that number of people."""
        return self.experiment.error(self.experiment.n, self.experiment.along, private=False)

    @property
    def best(self) -> float:
        """The error of the best rule of all."""
        return 1 - self.experiment.source.best

    @property
    def left(self) -> float:
        """The error that these squares leave to any number of people."""
        cells = cells_of(self.experiment.source, Partition(1 / self.experiment.along, 2))
        return float((cells.share - np.abs(cells.curve)).sum() / 2)
