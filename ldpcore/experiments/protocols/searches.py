"""The search: the intervals that one run passes, and the chance that it ends far away."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

from ldpcore.costs import MEGABYTE, Cost
from ldpcore.estimating.shares import share_at_least, share_at_most
from ldpcore.experiments import generator
from ldpcore.experiments.protocols.examples import Example, check_people
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Declared, Epsilon, ParameterError, Repeats, Seed, Users
from ldpcore.protocols import Grid, SearchAlone, SearchByGroups
from ldpcore.questions import Progress, Question, Result, no_progress

CONFIDENCE = 0.95


@dataclass(frozen=True)
class _Search(Question[Result], Declared):
    """A search among a crowd by groups, and by the collector alone."""

    epsilon: Epsilon
    example: Example = field(default_factory=lambda: Example("search"))
    n: Users = 1000
    seed: Seed = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        check_people(self.n)
        if self.example.slug != "search":
            raise ParameterError("choice", name="example", options=("search",), got=self.example.slug)

    @property
    def grid(self) -> Grid:
        """The steps over the range."""
        return self.example.grid

    def groups(self) -> SearchByGroups:
        """The search in which each test asks people of its own."""
        return SearchByGroups(self.epsilon, self.example.crowd, self.n, self.grid)

    def alone(self) -> SearchAlone:
        """The search in which every test reads all reports."""
        return SearchAlone(self.epsilon, self.example.crowd, self.n, self.grid)

    def cost(self) -> Cost:
        return Cost(8 * MEGABYTE, 0.02)


@dataclass(frozen=True)
class SearchPath(_Search):
    """The intervals that one run passes."""

    def run(self, progress: Progress = no_progress) -> SearchPathResult:
        search = self.groups()
        path = self.example.drawn(self.epsilon, self.n, self.seed)
        places, start = [1], 0
        for size in search.groups.tolist():
            places.append(places[-1] + int(2 * path.sent[start : start + size].sum() > size))
            start += size
        return SearchPathResult(self, tuple(places))


@dataclass(frozen=True, eq=False)
class SearchPathResult(Result):
    """The place of the search before each test, and where it ends."""

    experiment: SearchPath
    places: tuple[int, ...]

    @property
    def ends(self) -> tuple[Reals, Reals]:
        """The interval before each test and after the last."""
        grid, tests = self.experiment.grid, range(1, len(self.places) + 1)
        low = np.array([float(grid.low(place)) for place in self.places])
        return low, np.array([float(grid.high(test, place)) for test, place in zip(tests, self.places, strict=True)])

    @property
    def questions(self) -> tuple[Reals, Reals]:
        """Every question that might be asked: number of the test, and the middle that it is about."""
        grid = self.experiment.grid
        pairs = [
            (test, round(float(grid.middle(test, j)), 12))
            for test in range(1, grid.tests + 1)
            for j in range(1, test + 1)
        ]
        tests, middles = np.array(pairs, dtype=np.float64).reshape(-1, 2).T
        return tests, middles

    @property
    def estimate(self) -> float:
        """The middle of the last interval."""
        return float(self.experiment.grid.estimates()[self.places[-1] - 1])

    @property
    def error(self) -> float:
        """The distance of the estimate from the middle of the crowd."""
        return abs(self.estimate - self.experiment.example.crowd.center)

    def masked(self) -> SearchPathResult:
        """The path before the first test."""
        return replace(self, places=self.places[:1])


@dataclass(frozen=True)
class SearchTail(_Search):
    """The chance that the search errs by more than some number of steps, and the bound on it."""

    repeats: Repeats = 1000

    def run(self, progress: Progress = no_progress) -> SearchTailResult:
        alone, groups = self.alone(), self.groups()
        rng = generator(self.seed, "tails of a search")
        errors = np.abs(alone.sample(self.repeats, rng) - self.example.crowd.center)
        limits = np.asarray(np.arange(1, self.grid.cells) * self.grid.delta, dtype=np.float64)
        beyond = (errors > limits[:, None] * (1 + 1e-12)).sum(axis=1)
        low, high = (end(beyond, self.repeats, (1 - CONFIDENCE) / 2) for end in (share_at_least, share_at_most))
        seen = np.asarray(beyond / self.repeats, dtype=np.float64)
        return SearchTailResult(self, limits, alone.bound(), alone.tail(), groups.tail(), seen, low, high)


@dataclass(frozen=True, eq=False)
class SearchTailResult(Result):
    """P(|error| > limit) for limits Δ, 2Δ, …: the bound for the lonely search, exact for both, and from its runs.

    The ends of the runs are those of Clopper and Pearson (1934), at 95 %.
    """

    experiment: SearchTail
    limits: Reals
    bound: Reals
    alone: Reals
    groups: Reals
    simulated: Reals
    low: Reals
    high: Reals

    @property
    def place(self) -> int:
        """The number of the limit that an answer speaks of: two steps, or one where there are hardly more."""
        return int(self.experiment.grid.tests > 2)

    @property
    def reachable(self) -> bool:
        """Whether some estimate of the grid is off by more than that limit."""
        grid, limit = self.experiment.grid, self.limits[self.place] * (1 + 1e-12)
        return bool((np.abs(grid.estimates() - self.experiment.example.crowd.center) > limit).any())

    def masked(self) -> SearchTailResult:
        """The bound alone."""
        gap = np.full(len(self.limits), math.nan)
        return replace(self, alone=gap, groups=gap, simulated=gap, low=gap, high=gap)
