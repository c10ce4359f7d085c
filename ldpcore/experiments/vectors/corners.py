"""The corners of the cube: the chance of each from two people, also by the rule as printed, which betrays too much."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from ldpcore.broken.vectors import TiesInBothHalves
from ldpcore.experiments import generator
from ldpcore.mechanisms.hypercube import THRESHOLD_RULES, HypercubeSampling
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Choice, Declared, Epsilon, Interval, Seed
from ldpcore.questions import Progress, Public, Question, no_progress

Drawn = Annotated[int, Interval("d", 2, 3, (2, 3), integer=True)]
PRINTED = "printed"  # the rule that has the ties in both halves
DrawnRule = Annotated[str, Choice(r"\tau", (PRINTED, *THRESHOLD_RULES))]


@dataclass(frozen=True)
class Corners(Question["CornersResult"], Declared):
    """Two people with d answers each, one of whom sends a corner of the cube: the chance of each corner from either."""

    epsilon: Epsilon
    d: Drawn = 3
    rule: DrawnRule = "lower"
    first: tuple[float, ...] = (1.0, 1.0, 1.0)
    second: tuple[float, ...] = (-1.0, 1.0, 1.0)
    seed: Seed = 1

    def run(self, progress: Progress = no_progress) -> CornersResult:
        mechanism = self.mechanism
        corners = np.array(list(itertools.product((-1, 1), repeat=self.d)))
        people = self.first[: self.d], self.second[: self.d]
        laws = [np.exp([mechanism.log_density(corner, x) for corner in corners]) for x in people]
        rng = generator(self.seed, "corner")
        sender = int(rng.integers(2))
        report = mechanism.privatize(np.array([people[sender]]), rng)[0]
        sent = int(np.flatnonzero((corners == report).all(axis=1))[0])
        return CornersResult(self, corners, laws[0], laws[1], sender, sent)

    @property
    def mechanism(self) -> HypercubeSampling:
        """The mechanism that both people use."""
        if self.rule == PRINTED:
            return TiesInBothHalves(self.epsilon, self.d)
        return HypercubeSampling(self.epsilon, self.d, self.rule)


@dataclass(frozen=True, eq=False)
class CornersResult(Public):
    """All corners, the probability of each from either person, the sender of a report, and its corner."""

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
        """The largest privacy loss of any corner, for these two."""
        return float(np.abs(np.log(self.first) - np.log(self.second)).max())

    @property
    def leaking(self) -> NDArray[np.bool_]:
        """Whether each corner is more than e^ε times as likely from one of the two as from the other."""
        losses = np.abs(np.log(self.first) - np.log(self.second))
        return np.asarray(losses > self.experiment.epsilon * (1 + 1e-9) + 1e-12, dtype=np.bool_)

    @property
    def best_guess(self) -> float:
        """The chance that the best guess from one report is right."""
        return float(np.maximum(self.first, self.second).sum()) / 2

    @property
    def bound(self) -> float:
        """B, the size of a coordinate of a decoded report."""
        return self.experiment.mechanism.bound
