"""The error of several mechanisms along the level, the people or the answers."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np

from ldpcore.costs import LITTLE, Cost
from ldpcore.estimating.adviser import build
from ldpcore.experiments.frequencies.families import PopulationFamily
from ldpcore.experiments.frequencies.survey import FrequencyExperiment, Metric, expected_error
from ldpcore.experiments.repetitions import CELLS
from ldpcore.mechanisms import by_slug
from ldpcore.mechanisms.base import CategoryRandomizer
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import (
    Choice,
    Declared,
    DomainSize,
    Epsilon,
    ParameterError,
    Repeats,
    Seed,
    Users,
)
from ldpcore.people.populations import Population
from ldpcore.questions import Progress, Public, Question

Axis = Annotated[str, Choice("x", ("epsilon", "n", "k"))]


@dataclass(frozen=True)
class ErrorCurve(Question["ErrorCurveResult"], Declared):
    """The error of several mechanisms along ε, n or k: exact lines, and a few simulated dots on them.

    A dot averages as many repetitions as make `draws` estimates, at least two.
    """

    slugs: tuple[str, ...]
    family: PopulationFamily
    k: DomainSize
    n: Users
    epsilon: Epsilon
    along: Axis = "epsilon"
    low: float = 0.1
    high: float = 5.0
    metric: Metric = "mse"
    draws: Repeats = CELLS
    seed: Seed = 1

    def fewer(self) -> ErrorCurve:
        """This question with as few dots as there can be, for who will not wait."""
        return replace(self, draws=1)

    def cost(self) -> Cost:
        total = LITTLE
        for slug in self.slugs:
            for x in self.grid(7):
                randomizer, population = self.at(slug, float(x))
                if randomizer is not None:
                    repeats = max(2, self.draws // population.k)
                    total = total.then(FrequencyExperiment(randomizer, population, repeats, self.seed).cost())
        return total

    def run(self, progress: Progress | None = None) -> ErrorCurveResult:
        line, dots = self.grid(61), self.grid(7)
        curves = []
        for index, slug in enumerate(self.slugs):
            simulated = []
            for position, x in enumerate(dots):
                simulated.append(self.dot(slug, float(x)))
                if progress is not None:
                    progress((index + (position + 1) / len(dots)) / len(self.slugs))
            exact = np.array([self.theory(slug, float(x)) for x in line])
            means, errors = np.array(simulated).T
            curves.append(Curve(slug, exact, means, errors))
        return ErrorCurveResult(self, line, dots, tuple(curves))

    def grid(self, points: int) -> Reals:
        """Points evenly spaced on a log axis, ends included; whole numbers for n and k."""
        if not 0 < self.low < self.high:
            raise ParameterError("range_empty", low=self.low, high=self.high)
        grid = np.geomspace(self.low, self.high, points)
        return grid if self.along == "epsilon" else np.unique(np.round(grid))

    def at(self, slug: str, x: float) -> tuple[CategoryRandomizer | None, Population]:
        """The mechanism and the population at one point of the axis; no mechanism where it does not exist."""
        k, n = int(x) if self.along == "k" else self.k, int(x) if self.along == "n" else self.n
        member: Any = by_slug(slug)
        return build(member, x if self.along == "epsilon" else self.epsilon, k), self.family.of(k, n)

    def theory(self, slug: str, x: float) -> float:
        """The expected error at one point; undefined where the mechanism does not exist."""
        randomizer, population = self.at(slug, x)
        if randomizer is None:
            return math.nan
        return expected_error(self.metric, np.sqrt(randomizer.variance(population)))

    def dot(self, slug: str, x: float) -> tuple[float, float]:
        """The simulated error at one point and its standard error."""
        randomizer, population = self.at(slug, x)
        if randomizer is None:
            return math.nan, math.nan
        repeats = max(2, self.draws // population.k)
        result = FrequencyExperiment(randomizer, population, repeats, self.seed).run()
        return result.error(self.metric), result.error_of(self.metric)

    @property
    def exact(self) -> bool:
        """Whether the lines are exact; those of the other metrics suppose normal estimates."""
        return self.metric == "mse"


@dataclass(frozen=True, eq=False)
class Curve:
    """One mechanism: the line, and the dots with their standard errors."""

    slug: str
    line: Reals
    dots: Reals
    dot_errors: Reals


@dataclass(frozen=True, eq=False)
class ErrorCurveResult(Public):
    """Where the lines and the dots lie, and one curve for each mechanism."""

    experiment: ErrorCurve
    x: Reals
    dot_x: Reals
    curves: tuple[Curve, ...]

    def usual(self) -> tuple[float, float]:
        """The least and the largest expected error of all curves at level 1, which a still picture is measured by."""
        question = self.experiment
        if question.along == "epsilon":
            errors = np.concatenate([curve.line for curve in self.curves])
        else:
            at_one = replace(question, epsilon=1.0)
            errors = np.array([at_one.theory(slug, float(x)) for slug in question.slugs for x in self.dot_x])
        known = errors[np.isfinite(errors) & (errors > 0)]
        return (float(known.min()), float(known.max())) if len(known) else (1e-9, 1.0)
