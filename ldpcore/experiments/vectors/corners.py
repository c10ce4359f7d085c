"""The corners of the cube: how likely each is from two people, and what ties in both halves betray."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from ldpcore.broken.vectors import TiesInBothHalves
from ldpcore.experiments import generator
from ldpcore.mechanisms.hypercube import RULES, HypercubeSampling, Rule
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Declared, Dimension, Epsilon, Interval, Seed
from ldpcore.questions import Progress, Public, Question

Drawn = Annotated[int, Interval("d", 2, 3, (2, 3), integer=True)]
PRINTED = "printed"


@dataclass(frozen=True)
class Corners(Question["CornersResult"], Declared):
    """Two people with d answers each; one of them sends a corner of the cube. How likely is each corner from either?"""

    epsilon: Epsilon
    d: Drawn = 3
    rule: Rule = "lower"
    first: tuple[float, ...] = (1.0, 1.0, 1.0)
    second: tuple[float, ...] = (-1.0, 1.0, 1.0)
    seed: Seed = 1

    def run(self, progress: Progress | None = None) -> CornersResult:
        mechanism = HypercubeSampling(self.epsilon, self.d, self.rule)
        corners = np.array(list(itertools.product((-1, 1), repeat=self.d)))
        people = self.first[: self.d], self.second[: self.d]
        laws = [np.exp([mechanism.log_density(corner, x) for corner in corners]) for x in people]
        rng = generator(self.seed, "corner")
        sender = int(rng.integers(2))
        report = mechanism.privatize(np.array([people[sender]]), rng)[0]
        sent = int(np.flatnonzero((corners == report).all(axis=1))[0])
        return CornersResult(self, corners, laws[0], laws[1], sender, sent)


@dataclass(frozen=True, eq=False)
class CornersResult(Public):
    """All corners, the probability of each from either person, who sent a report, and which corner it is."""

    experiment: Corners
    corners: NDArray[np.int64]
    first: Reals
    second: Reals
    sender: int
    sent: int

    @property
    def loss(self) -> float:
        """ln of how much likelier the corner sent is from the first than from the second."""
        return math.log(float(self.first[self.sent])) - math.log(float(self.second[self.sent]))

    @property
    def level(self) -> float:
        """The largest such logarithm of any corner, for these two."""
        return float(np.abs(np.log(self.first) - np.log(self.second)).max())

    @property
    def best_guess(self) -> float:
        """How often the best guess from one report is right."""
        return float(np.maximum(self.first, self.second).sum()) / 2

    @property
    def bound(self) -> float:
        """B, what a coordinate of the report counts."""
        return HypercubeSampling(self.experiment.epsilon, self.experiment.d, self.experiment.rule).bound


@dataclass(frozen=True)
class Leak(Question["LeakResult"], Declared):
    """What does the printed rule betray for an even number of questions, and what do its repairs cost?"""

    epsilon: Epsilon
    d: Dimension

    def run(self, progress: Progress | None = None) -> LeakResult:
        rules = {rule: HypercubeSampling(self.epsilon, self.d, rule) for rule in RULES}
        made = {PRINTED: TiesInBothHalves(self.epsilon, self.d), **rules}
        levels = np.array([mechanism.guarantee().epsilon for mechanism in made.values()])
        return LeakResult(self, tuple(made), levels, np.array([mechanism.bound for mechanism in made.values()]))


@dataclass(frozen=True, eq=False)
class LeakResult(Public):
    """The real level of each rule, and what a coordinate of its report counts: the printed one first."""

    experiment: Leak
    rules: tuple[str, ...]
    levels: Reals
    bounds: Reals

    @cached_property
    def even(self) -> bool:
        """Whether there are ties at all."""
        return self.experiment.d % 2 == 0

    def level(self, rule: str) -> float:
        """The real level of a rule."""
        return float(self.levels[self.rules.index(rule)])

    def bound(self, rule: str) -> float:
        """What its reports count."""
        return float(self.bounds[self.rules.index(rule)])
