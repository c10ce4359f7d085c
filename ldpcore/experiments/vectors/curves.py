"""The error of each mean against the number of questions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

import numpy as np

from ldpcore.costs import MEGABYTE, Cost
from ldpcore.experiments import generator
from ldpcore.experiments.vectors.family import METHODS, method
from ldpcore.mechanisms.ball import BallSampling
from ldpcore.mechanisms.base import ReportTally
from ldpcore.mechanisms.directions import Directions
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.parameters import Declared, Dimension, Epsilon, Interval, Seed, Users
from ldpcore.people.rows import NumberRows
from ldpcore.questions import Progress, Public, Question, no_progress

DIMENSIONS = (1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 25, 32, 40, 50, 64, 80, 100)
DOTTED = (2, 5, 10, 20)  # numbers of questions at which crowds are simulated
DRAWS = 1 << 17  # normal numbers that a dot may cost where everybody's report is drawn
Means = Annotated[int, Interval("R", 0, 1000, (20, 200), integer=True)]


def worst_error(slug: str, epsilon: float, d: int, n: int) -> float:
    """The standard error of one mean in the worst case, as a share of half the scale."""
    return math.sqrt(_worst_variance(slug, epsilon, d) / n)


@lru_cache(maxsize=1 << 13)
def _worst_variance(slug: str, epsilon: float, d: int) -> float:
    """The worst variance, cached, as every line and most sentences need it."""
    return method(slug, epsilon, d).worst_variance()


@lru_cache(maxsize=2 * len(DOTTED))
def _directions(seed: int, d: int, n: int, rounds: int) -> Directions:
    """The random draws behind the ball's reports of invented crowds, most of the work, the same at every level."""
    everybody = np.concatenate(list(_invented(d, n).people.users()))
    ball = BallSampling(1.0, d, math.sqrt(d))
    return ball.directions(np.tile(everybody, (rounds, 1)), generator(seed, f"ball {d}"))


@lru_cache(maxsize=2 * len(DOTTED))
def _invented(d: int, n: int) -> NumberRows:
    return NumberRows.invented(d, n)


@dataclass(frozen=True)
class AgainstDimension(Question["AgainstDimensionResult"], Declared):
    """The error of each of the means of d answers at one level, with 1, 2, … 100 questions.

    Lines are exact in the worst case; dots are simulated crowds, `means` of which are measured at each of a few d.
    """

    epsilon: Epsilon
    d: Dimension
    n: Users
    means: Means = 40
    seed: Seed = 1

    def cost(self) -> Cost:
        return Cost(32 * MEGABYTE, 0.05 + len(DOTTED) * len(METHODS) * 0.003)

    def run(self, progress: Progress = no_progress) -> AgainstDimensionResult:
        exact = np.array([[worst_error(slug, self.epsilon, d, self.n) for d in DIMENSIONS] for slug in METHODS])
        dots = np.full((len(METHODS), len(DOTTED)), np.nan)
        for column, d in enumerate(DOTTED if self.means else ()):
            rows = _invented(d, self.n)
            for row, slug in enumerate(METHODS):
                dots[row, column] = self._simulated(slug, rows)
            progress((column + 1) / len(DOTTED))
        return AgainstDimensionResult(self, exact, dots)

    def _simulated(self, slug: str, rows: NumberRows) -> float:
        """The root mean square error of a few crowds' means; NaN where drawing them would take too long."""
        mechanism = method(slug, self.epsilon, rows.d)
        rounds = max(1, self.means // rows.d)
        if isinstance(mechanism, BallSampling):
            rounds = min(rounds, DRAWS // (rows.n * rows.d))
            if rounds < 1:
                return math.nan
            drawn = _directions(self.seed, rows.d, rows.n, rounds)
            tally = ReportTally(mechanism.bound * drawn.sums(mechanism.pull, rounds), rows.n)
        else:
            tally = mechanism.sample_tally(rows.people, generator(self.seed, f"{slug} {rows.d}"), rounds)
        errors = mechanism.estimate(tally) - mechanism.truth(rows.people)[:, None]
        return math.sqrt(float((errors**2).mean()))


@dataclass(frozen=True, eq=False)
class AgainstDimensionResult(Public):
    """One row for each method, in their order; one column for each number of questions."""

    experiment: AgainstDimension
    exact: Reals
    dots: Reals

    @property
    def dimensions(self) -> Counts:
        """The numbers of questions of the lines."""
        return np.array(DIMENSIONS)

    def at(self, slug: str, d: int = 0) -> float:
        """The error of one mean with d questions; by default the question's own number."""
        question = self.experiment
        return worst_error(slug, question.epsilon, d or question.d, question.n)

    @property
    def best(self) -> str:
        """The method that errs least with the reader's questions; of equals the first."""
        return min(METHODS, key=lambda slug: float(f"{self.at(slug):.9e}"))

    @property
    def alone(self) -> float:
        """The error of a single question at the whole level, with the best method for it."""
        return min(self.at(slug, 1) for slug in METHODS)
