"""Several columns of a table at once: everybody sends one report about all of them, and each mean is estimated."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ldpcore.costs import MEGABYTE, Cost
from ldpcore.estimating.intervals import Bounds
from ldpcore.estimating.meanintervals import mean_reach
from ldpcore.experiments import generator
from ldpcore.experiments.vectors.family import METHODS, Method, method
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Confidence, Declared, Epsilon, Seed
from ldpcore.people.rows import NumberRows
from ldpcore.questions import Progress, Question, Result, no_progress


@dataclass(frozen=True)
class VectorSurvey(Question["VectorSurveyResult"], Declared):
    """Everybody's d numbers through one method, and through all others for comparison; d means with their intervals."""

    epsilon: Epsilon
    rows: NumberRows
    chosen: Method = "hypercube"
    confidence: Confidence = 0.95
    seed: Seed = 1

    def cost(self) -> Cost:
        draws = min(self.rows.n, self.rows.people.k * 2 * self.rows.d) * self.rows.d
        chunk = min(self.rows.n, (1 << 19) // self.rows.d) * self.rows.d
        return Cost(64.0 * chunk + 16 * MEGABYTE, len(METHODS) * 1e-7 * draws + self.rows.n * self.rows.d * 5e-8)

    def run(self, progress: Progress = no_progress) -> VectorSurveyResult:
        estimates = np.empty((len(METHODS), self.rows.d))
        for row, slug in enumerate(METHODS):
            mechanism = method(slug, self.epsilon, self.rows.d)
            tally = mechanism.sample_tally(self.rows.people, generator(self.seed, f"{slug} rows"))
            estimates[row] = mechanism.estimate(tally)
            progress((row + 1) / len(METHODS))
        return VectorSurveyResult(self, estimates)


@dataclass(frozen=True, eq=False)
class VectorSurveyResult(Result):
    """One row of estimates for each method, on [-1, 1]."""

    experiment: VectorSurvey
    estimates: Reals

    def masked(self) -> VectorSurveyResult:
        """The collector's view: estimates, and nothing of the people but their number."""
        return replace(self, experiment=replace(self.experiment, rows=self.experiment.rows.hidden()))

    @property
    def chosen(self) -> Reals:
        """The estimates of the chosen method."""
        return np.asarray(self.estimates[METHODS.index(self.experiment.chosen)], dtype=np.float64)

    @cached_property
    def truth(self) -> Reals:
        """The true means of the clipped numbers."""
        return self.experiment.rows.means

    def error(self, slug: str) -> float:
        """The standard error of one mean in the worst case."""
        rows = self.experiment.rows
        return float(np.sqrt(method(slug, self.experiment.epsilon, rows.d).worst_variance() / rows.n))

    @property
    def widths(self) -> float:
        """The half-width of each interval, so that all d hold together: the same share of the error for each."""
        question, rows = self.experiment, self.experiment.rows
        each = 1 - (1 - question.confidence) / rows.d
        return mean_reach(method(question.chosen, question.epsilon, rows.d), rows.n, each)

    @property
    def bounds(self) -> Bounds:
        """The intervals of all means, which hold together; cut to [-1, 1], where means lie."""
        inward = np.maximum(self.chosen, -1) + self.widths
        return Bounds(np.minimum(self.chosen, 1) - self.widths, inward, self.experiment.confidence).within(-1, 1)

    @property
    def best(self) -> str:
        """The method of the smallest error; of equals the first."""
        return min(METHODS, key=lambda slug: float(f"{self.error(slug):.9e}"))
