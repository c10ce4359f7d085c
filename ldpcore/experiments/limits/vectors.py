"""Limits of the errors of d means at once: lower bounds beside the mechanisms that exist."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ldpcore.costs import MEGABYTE, Cost
from ldpcore.experiments import vectors
from ldpcore.limits.cubes import cube_assouad, cube_direct, cube_fano, cube_le_cam
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.parameters import Declared, Dimension, Epsilon, Users
from ldpcore.questions import Progress, Public, Question, no_progress

ROUTES = ("le_cam", "fano", "assouad", "direct")
ADAPTIVE = (0, 2, 3)  # those that hold for people who know the reports before theirs, too


def squared_error(slug: str, epsilon: float, d: int, n: int) -> float:
    """The squared error of a mean in the harder of two worlds: everybody holds what is worst, or d fair coins of ±1."""
    mechanism = vectors.method(slug, epsilon, d)
    coins = float(mechanism.variance_at(np.ones((1, d))).max()) + 1
    return max(mechanism.worst_variance(), coins) / n


@dataclass(frozen=True)
class VectorBounds(Question["VectorBoundsResult"], Declared):
    """How good can d private means of answers in [-1, 1] be, and how good are those that we know?

    All numbers are squared errors of one mean. Fano's bound is for reports that are sent without knowing the others',
    so that the lower bound does without it: it holds for all ways to ask that end with one report from each person.
    """

    epsilon: Epsilon
    d: Dimension = 10
    n: Users = 10_000

    def cost(self) -> Cost:
        return Cost(16 * MEGABYTE, 0.15)

    def run(self, progress: Progress = no_progress) -> VectorBoundsResult:
        direct = cube_direct(1, self.n).value
        bounds = np.array([self.bounds(d, direct) for d in vectors.DIMENSIONS]).T
        errors = np.array(
            [[squared_error(slug, self.epsilon, d, self.n) for d in vectors.DIMENSIONS] for slug in vectors.METHODS]
        )
        mine = {slug: squared_error(slug, self.epsilon, self.d, self.n) for slug in vectors.METHODS}
        here = VectorPoint(self.bounds(self.d, direct), mine)
        return VectorBoundsResult(self, bounds, errors, here)

    def bounds(self, d: int, direct: float) -> tuple[float, ...]:
        """Lower bounds on the mean squared error of one coordinate, in the order of `ROUTES`."""
        private = (route(d, self.n, self.epsilon).value / d for route in (cube_le_cam, cube_fano, cube_assouad))
        return *private, direct


@dataclass(frozen=True, eq=False)
class VectorPoint:
    """Bounds and errors with one number of questions."""

    bounds: tuple[float, ...]
    errors: Mapping[str, float]

    @property
    def lower(self) -> float:
        """The largest bound that holds however people are asked."""
        return max(self.bounds[place] for place in ADAPTIVE)

    @property
    def decides(self) -> str:
        """The route that gives the largest bound."""
        return ROUTES[max(ADAPTIVE, key=lambda place: self.bounds[place])]

    @property
    def best(self) -> str:
        """The method that errs least; of equals the first."""
        return min(vectors.METHODS, key=lambda slug: float(f"{self.errors[slug]:.9e}"))


@dataclass(frozen=True, eq=False)
class VectorBoundsResult(Public):
    """A row for each route to a bound and one for each method; columns are numbers of questions."""

    experiment: VectorBounds
    bounds: Reals
    errors: Reals
    here: VectorPoint

    @property
    def dimensions(self) -> Counts:
        """The numbers of questions of the axis."""
        return np.array(vectors.DIMENSIONS)

    @property
    def methods(self) -> tuple[str, ...]:
        """The slugs of the methods, in their order."""
        return vectors.METHODS

    @property
    def le_cam(self) -> Reals:
        """Le Cam's bounds, from two worlds."""
        return np.asarray(self.bounds[0], dtype=np.float64)

    @property
    def fano(self) -> Reals:
        """Fano's bounds, from 2d worlds; for reports that do not depend on each other."""
        return np.asarray(self.bounds[1], dtype=np.float64)

    @property
    def assouad(self) -> Reals:
        """Assouad's bounds, from 2^d worlds."""
        return np.asarray(self.bounds[2], dtype=np.float64)

    @property
    def lower(self) -> Reals:
        """The largest bounds that hold however people are asked, including the one without privacy."""
        return np.asarray(self.bounds[list(ADAPTIVE)].max(axis=0), dtype=np.float64)

    @property
    def ratio(self) -> float:
        """The ratio of the best method's error to the lower bound, with the reader's number of questions."""
        return self.here.errors[self.here.best] / self.here.lower
