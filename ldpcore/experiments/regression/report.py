"""One person's report: two numbers for every cell, of which only one pair is about the person."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from ldpcore.costs import Cost
from ldpcore.estimating.regression import USUAL, Tuning
from ldpcore.experiments import generator
from ldpcore.mechanisms.partition import PartitionReports
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Declared, Epsilon, Interval, Seed
from ldpcore.questions import Progress, Question, Result, no_progress

CurvePlace = Annotated[float, Interval("x", 0, 1, (0, 1), small=(0.0, 0.5, 1.0))]
ResponseValue = Annotated[float, Interval("y", -3, 3, (-1, 1), small=(-1.0, 0.0, 1.0))]


@dataclass(frozen=True)
class OnePoint(Question["OnePointResult"], Declared):
    """One report over the cells of a line, from a person at x with the response y."""

    epsilon: Epsilon
    x: CurvePlace = 0.3
    y: ResponseValue = 0.7
    tuning: Tuning = USUAL
    seed: Seed = 1

    def run(self, progress: Progress = no_progress) -> OnePointResult:
        mechanism = self.mechanism
        rows = np.array([[self.x, self.y]])
        report = mechanism.privatize(rows, generator(self.seed, "one point"))[0]
        progress(1.0)
        k = mechanism.partition.k
        return OnePointResult(self, report[:k], report[k:], int(mechanism.partition.cells(rows[:, :1])[0]))

    def cost(self) -> Cost:
        return Cost(1 << 20, 1e-4)

    @property
    def mechanism(self) -> PartitionReports:
        """The mechanism that everybody uses."""
        tuning = self.tuning
        return PartitionReports(self.epsilon, tuning.side, 1, tuning.bound, tuning.part)


@dataclass(frozen=True, eq=False)
class OnePointResult(Result):
    """The noisy numbers of all cells, and the cell in which the person truly is."""

    experiment: OnePoint
    location: Reals
    response: Reals
    cell: int

    def masked(self) -> OnePointResult:
        """The collector's view."""
        return replace(self, cell=0, experiment=replace(self.experiment, x=0.5, y=0.0))

    @property
    def guess(self) -> int:
        """The cell from which this report is likeliest, whatever the response."""
        scores = [self._score(cell) for cell in range(len(self.location))]
        return int(np.argmax(scores))

    def _score(self, cell: int) -> float:
        """How much likelier a report is from somebody in a cell, with the response that fits best, than from nobody."""
        location, response = (noise.scale for noise in self.experiment.mechanism.noises)
        at, bound = float(self.response[cell]), self.experiment.tuning.bound
        own = abs(float(self.location[cell])) - abs(float(self.location[cell]) - 1)
        return own / location + (abs(at) - abs(at - min(max(at, -bound), bound))) / response

    @property
    def right(self) -> bool:
        """Whether this guess is right."""
        return self.guess == self.cell

    @property
    def deviations(self) -> tuple[float, float]:
        """The standard deviations of the noise on a location number and on a response number."""
        location, response = self.experiment.mechanism.noises
        return location.standard_deviation(), response.standard_deviation()

    @property
    def told_apart(self) -> float:
        """The chance that the best guess between two people as different as can be is right, from one report."""
        mechanism = self.experiment.mechanism
        return (1 + mechanism.compare(*mechanism.worst()).delta(0.0)) / 2

    @property
    def limit(self) -> float:
        """e^α."""
        return math.exp(self.experiment.epsilon)
