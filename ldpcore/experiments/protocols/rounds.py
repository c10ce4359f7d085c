"""More rounds: the same people asked again, which is local and no longer sequential, for levels add up."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Annotated

import numpy as np

from ldpcore.costs import MEGABYTE, Cost
from ldpcore.experiments.protocols.pairs import quarter_at_least
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Declared, Epsilon, Interval
from ldpcore.protocols import Fixed, Protocol, UniformCrowd, z0
from ldpcore.questions import Progress, Question, Result, no_progress

ROUNDS = 10
ProtocolRounds = Annotated[int, Interval("k", 1, ROUNDS, (1, ROUNDS), integer=True)]


@dataclass(frozen=True)
class MoreRounds(Question["MoreRoundsResult"], Declared):
    """The error of a mean when everybody answers k times, each time at the k-th part of the level."""

    epsilon: Epsilon
    k: ProtocolRounds = 4
    crowd: UniformCrowd = field(default_factory=lambda: UniformCrowd(0.63, 0.1))

    def run(self, progress: Progress = no_progress) -> MoreRoundsResult:
        rounds = np.arange(1, ROUNDS + 1)
        split = np.array([self._squared_error(self.epsilon / k, k) for k in rounds.tolist()])
        anew = np.array([self._squared_error(self.epsilon, k) for k in rounds.tolist()])
        spent = self._level(self.epsilon)
        return MoreRoundsResult(self, rounds, np.sqrt(split / split[0]), np.sqrt(anew / anew[0]), spent)

    def _squared_error(self, each: float, k: int) -> float:
        """n/M² times the squared error, (z₀² - c²)/k + (1 - 1/k) w²/3, of k bits from everybody on the whole range.

        A person's mean of k bits z₀(±1) strays by (z₀² - x²)/k around their own number x, which strays by w²/3.
        """
        center, half_width = self.crowd.center / self.crowd.reach, self.crowd.half_width / self.crowd.reach
        return (z0(each) ** 2 - center**2) / k + (1 - 1 / k) * half_width**2 / 3

    def _level(self, each: float) -> float:
        """The level of k answers of one person, over all transcripts."""
        return Protocol((Fixed(quarter_at_least(3, each)),) * self.k, (0,) * self.k).guarantee()

    def cost(self) -> Cost:
        return Cost(8 * MEGABYTE, 0.01 + 1e-4 * 2**self.k)


@dataclass(frozen=True, eq=False)
class MoreRoundsResult(Result):
    """Typical errors of the crowd's mean from k bits over that from one: the level split, and paid anew.

    `spent` is the level of k answers at the full level each.
    """

    experiment: MoreRounds
    rounds: np.ndarray
    split: Reals
    anew: Reals
    spent: float

    @property
    def ratio(self) -> float:
        """The error of the chosen number of rounds, the level split, over that of one."""
        return float(self.split[self.experiment.k - 1])

    def masked(self) -> MoreRoundsResult:
        """The result without the errors of a level that is split."""
        return replace(self, split=np.full(len(self.rounds), math.nan))
