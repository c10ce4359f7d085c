"""The level of one person, shared by a family: the best bet about g people who come or go together."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from ldpcore.accounting.composition import group
from ldpcore.laws.channels import GaussianShift, LaplaceShift
from ldpcore.mechanisms.base import Guarantee
from ldpcore.mechanisms.gaussiannoise import analytic_sigma
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.parameters import Declared, Delta, Epsilon, Interval
from ldpcore.questions import Progress, Public, Question, no_progress

GroupSize = Annotated[int, Interval("g", 1, 1000, (1, 100), scale="log", integer=True)]
SIZES = tuple(range(1, 101))


@dataclass(frozen=True)
class GroupBets(Question["GroupBetsResult"], Declared):
    """The best bet from one release on whether g people took part: how often it is right, by promise and in truth."""

    epsilon: Epsilon
    g: GroupSize = 5
    delta: Delta = 1e-6

    def run(self, progress: Progress = no_progress) -> GroupBetsResult:
        sizes = np.unique(np.array([*SIZES, self.g]))
        bets = {name: np.array([self.bet(name, int(size)) for size in sizes]) for name in BETS}
        return GroupBetsResult(self, sizes, bets)

    def promise(self, size: int) -> Guarantee:
        """The promise to g people of (ε, δ) for one person."""
        return group(Guarantee(self.epsilon, self.delta), size)

    def bet(self, name: str, size: int) -> float:
        """(1 + TV)/2: at most (e^{gε} + δ_g)/(1 + e^{gε}); 1 - e^{-gε/2}/2 for Laplace, Φ(g/2σ) for normal noise."""
        if name == "promise":
            promise = self.promise(size)
            return min((1 + promise.delta * math.exp(-promise.epsilon)) / (1 + math.exp(-promise.epsilon)), 1.0)
        if name == "laplace":
            return (1 + LaplaceShift(1 / self.epsilon, size).delta(0.0)) / 2
        return (1 + GaussianShift(analytic_sigma(self.epsilon, self.delta), size).delta(0.0)) / 2


BETS: tuple[str, ...] = ("promise", "laplace", "normal")


@dataclass(frozen=True, eq=False)
class GroupBetsResult(Public):
    """The best bet along the size of the group: by the rule's bound, and under two kinds of noise."""

    experiment: GroupBets
    sizes: Counts
    bets: dict[str, Reals]

    def at(self, name: str) -> float:
        """The bet about the present group."""
        return self.experiment.bet(name, self.experiment.g)

    @property
    def together(self) -> Guarantee:
        """The promise to the present group."""
        return self.experiment.promise(self.experiment.g)
