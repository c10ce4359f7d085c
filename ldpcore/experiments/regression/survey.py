"""The survey: everybody's report, its step function, and the one that honest answers would make."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ldpcore.costs import Cost
from ldpcore.estimating.regression import (
    USUAL,
    CellSteps,
    ReportSplit,
    Tuning,
    cells_of,
    direct,
    expected_error,
    quotient,
    squared_error,
)
from ldpcore.estimating.tunings import CAUTION, SMALLEST_THRESHOLD
from ldpcore.experiments import generator
from ldpcore.mechanisms.pairs import PairRandomizer
from ldpcore.parameters import Declared, Epsilon, Seed, Users
from ldpcore.people.curves import CurveModel
from ldpcore.people.observed import ObservedPairs
from ldpcore.people.populations import Population
from ldpcore.questions import Progress, Question, Result, no_progress

PairsSource = CurveModel | ObservedPairs
ATOMS = 40_000  # different people on a line, at most


@dataclass(frozen=True)
class CurveSurvey(Question["CurveSurveyResult"], Declared):
    """Everybody sends one report; their sums, cell by cell, make a curve."""

    source: PairsSource
    n: Users
    epsilon: Epsilon
    tuning: Tuning = USUAL
    kind: ReportSplit = "both"
    seed: Seed = 1

    def run(self, progress: Progress = no_progress) -> CurveSurveyResult:
        people, randomizer = self.people, self.randomizer
        # One purpose for all levels: the noise of each cell stays the same and only its size moves.
        tally = randomizer.sample_tally(people, generator(self.seed, "curve"))
        steps = quotient(randomizer.estimate(tally), randomizer.partition, self.tuning.threshold)
        progress(1.0)
        return CurveSurveyResult(self, steps, direct(people, randomizer.partition))

    def cost(self) -> Cost:
        return self.randomizer.tally_cost(ATOMS * self.source.dimensions**3)

    @property
    def people(self) -> Population:
        """The people who take part: drawn at random, or those of the table."""
        return self.source.people(self.n, self.seed)

    @property
    def randomizer(self) -> PairRandomizer:
        """The mechanism that everybody uses."""
        return self.tuning.randomizer(self.epsilon, self.source.dimensions, self.kind)


@dataclass(frozen=True, eq=False)
class CurveSurveyResult(Result):
    """The private steps, and the steps from the same people's honest answers."""

    experiment: CurveSurvey
    steps: CellSteps
    direct: CellSteps

    def masked(self) -> CurveSurveyResult:
        """The result without the steps of honest answers."""
        nothing = np.zeros_like(self.direct.heights)
        return replace(self, direct=replace(self.direct, heights=nothing, shares=nothing))

    @property
    def known(self) -> bool:
        """Whether the true curve is known: of invented people."""
        return isinstance(self.experiment.source, CurveModel)

    @property
    def cells(self) -> int:
        """The number of cells."""
        return self.steps.partition.k

    @property
    def sunk(self) -> int:
        """The number of cells that do not reach the threshold and are set to 0."""
        return int(self.steps.sunk.sum())

    @cached_property
    def error(self) -> float:
        """The root of the integrated squared error of the private steps; of a table, their distance to honest ones."""
        return math.sqrt(self._square(self.steps))

    @cached_property
    def absolute_error(self) -> float:
        """The integrated absolute error of the private steps; of a table, their mean distance to honest ones."""
        source = self.experiment.source
        if isinstance(source, CurveModel):
            return float(np.dot(source.weights, np.abs(source.curve - self.steps.at(source.places))))
        return float(np.dot(self.direct.shares, np.abs(self.direct.heights - self.steps.heights))) * source.scale.half

    @cached_property
    def direct_error(self) -> float:
        """The root of the integrated squared error of the steps that honest answers make."""
        return math.sqrt(self._square(self.direct))

    def _square(self, steps: CellSteps) -> float:
        source = self.experiment.source
        if isinstance(source, CurveModel):
            return squared_error(source, steps)
        return float(np.dot(self.direct.shares, (self.direct.heights - steps.heights) ** 2)) * source.scale.half**2

    @cached_property
    def flat_error(self) -> float:
        """The root of the integrated squared error of a curve that is 0 everywhere, which asks nobody."""
        return math.sqrt(self._square(replace(self.steps, heights=np.zeros(self.cells))))

    @cached_property
    def floor(self) -> float:
        """The error that these cells leave however many people answer: the root of the squared bias."""
        source = self.experiment.source
        return math.sqrt(max(cells_of(source, self.steps.partition).floor, 0.0)) if self.known else 0.0

    @cached_property
    def expected(self) -> float:
        """The error to expect, by the normal law of the sums."""
        question = self.experiment
        assert isinstance(question.source, CurveModel)
        return math.sqrt(expected_error(question.source, question.n, question.randomizer, question.tuning.threshold))

    @cached_property
    def truncated(self) -> float:
        """The share of people whose response was moved to M."""
        people = self.experiment.people
        beyond = np.abs(people.values[:, -1]) > self.experiment.tuning.bound
        return float(people.counts[beyond].sum() / people.n)


@dataclass(frozen=True)
class CuratorCurve(Question["CuratorCurveResult"], Declared):
    """The curve of a curator who knows the truth, with the noise of a single report added to all sums together.

    Replacing one person moves two counts by 1 each and two sums by M at most, as it moves a single report.
    """

    survey: CurveSurvey

    def run(self, progress: Progress = no_progress) -> CuratorCurveResult:
        asked = self.survey
        people, mechanism = asked.people, self.randomizer
        noise = mechanism.noise_sums(1, None, generator(asked.seed, "curator's curve"))
        sums = mechanism.sums(people.counts, *mechanism.pairs(people.values)) + noise
        location = mechanism.noises[0].standard_deviation()
        level = max(SMALLEST_THRESHOLD, CAUTION * location / people.n / mechanism.partition.volume)
        progress(1.0)
        return CuratorCurveResult(self, quotient(sums / people.n, mechanism.partition, level))

    def cost(self) -> Cost:
        return self.survey.cost()

    @property
    def randomizer(self) -> PairRandomizer:
        """The randomizer whose noise is added: a report of both parts, as one person moves both sums."""
        return self.survey.tuning.randomizer(self.survey.epsilon, self.survey.source.dimensions)


@dataclass(frozen=True, eq=False)
class CuratorCurveResult(Result):
    """The curator's steps."""

    experiment: CuratorCurve
    steps: CellSteps

    def masked(self) -> CuratorCurveResult:
        """The result without the steps: they lie so near to the truth that they would tell it."""
        return replace(self, steps=replace(self.steps, heights=np.zeros_like(self.steps.heights)))

    @cached_property
    def error(self) -> float:
        """The root of the integrated squared error; of a table, the distance to honest answers."""
        asked = self.experiment.survey
        return CurveSurveyResult(asked, self.steps, direct(asked.people, self.steps.partition)).error
