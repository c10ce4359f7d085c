"""Several columns of a table at once: everybody sends one report about all of them, and each mean is estimated."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ldpcore.costs import MEGABYTE, Cost, Question
from ldpcore.experiments import Progress, generator
from ldpcore.experiments.vectors.family import METHODS, Method, method
from ldpcore.intervals import quantile
from ldpcore.parameters import Confidence, Declared, Epsilon, Seed
from ldpcore.populations import Reals
from ldpcore.rows import NumberRows


@dataclass(frozen=True)
class VectorSurvey(Question, Declared):
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

    def run(self, progress: Progress | None = None) -> VectorSurveyResult:
        estimates = np.empty((len(METHODS), self.rows.d))
        for row, slug in enumerate(METHODS):
            mechanism = method(slug, self.epsilon, self.rows.d)
            tally = mechanism.sample_tally(self.rows.people, generator(self.seed, f"{slug} rows"))
            estimates[row] = mechanism.estimate(tally)
            if progress is not None:
                progress((row + 1) / len(METHODS))
        return VectorSurveyResult(self, estimates)


@dataclass(frozen=True, eq=False)
class VectorSurveyResult:
    """One row of estimates for each method, on [-1, 1]."""

    experiment: VectorSurvey
    estimates: Reals

    def masked(self) -> VectorSurveyResult:
        """What the collector sees: estimates, and nothing of the people but how many they are."""
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
        """How far an interval reaches to either side, so that all d hold together: a share of the rest for each."""
        rest = (1 - self.experiment.confidence) / self.experiment.rows.d
        return float(quantile(1 - rest)) * self.error(self.experiment.chosen)

    @property
    def best(self) -> str:
        """The method of the smallest error; of equals the first."""
        return min(METHODS, key=lambda slug: float(f"{self.error(slug):.9e}"))
