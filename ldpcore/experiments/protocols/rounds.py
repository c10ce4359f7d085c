"""More rounds: the same people asked again, which is local and no longer sequential, for levels add up."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from ldpcore.costs import MEGABYTE, Cost, Question
from ldpcore.experiments import Progress
from ldpcore.experiments.protocols.pairs import at_least
from ldpcore.parameters import Declared, Epsilon, Interval
from ldpcore.populations import Reals
from ldpcore.protocols import Fixed, Protocol, z0

ROUNDS = 10
Rounds = Annotated[int, Interval("k", 1, ROUNDS, (1, ROUNDS), integer=True)]


@dataclass(frozen=True)
class MoreRounds(Question, Declared):
    """What becomes of the error when everybody answers k times, each time at the k-th part of the level?"""

    epsilon: Epsilon
    k: Rounds = 4

    def run(self, progress: Progress | None = None) -> MoreRoundsResult:
        rounds = np.arange(1, ROUNDS + 1)
        split = np.array([z0(self.epsilon / k) / math.sqrt(k) for k in rounds]) / z0(self.epsilon)
        return MoreRoundsResult(
            self, rounds, split, 1 / np.sqrt(rounds), self._level(self.epsilon), self._level(self.epsilon / self.k)
        )

    def _level(self, each: float) -> float:
        """The level of k answers of one person, over all transcripts."""
        return Protocol((Fixed(at_least(3, each)),) * self.k, (0,) * self.k).guarantee()

    def cost(self) -> Cost:
        return Cost(8 * MEGABYTE, 0.01 + 1e-4 * 2**self.k)


@dataclass(frozen=True, eq=False)
class MoreRoundsResult:
    """Errors of k bits over that of one, for someone in the middle of the range: the level split, and paid anew.

    `spent` is the level of k answers at the full level each, `shared` that of k answers at its k-th part.
    """

    experiment: MoreRounds
    rounds: np.ndarray
    split: Reals
    anew: Reals
    spent: float
    shared: float

    @property
    def ratio(self) -> float:
        """The error of the chosen number of rounds, the level split, over that of one."""
        return float(self.split[self.experiment.k - 1])

    @property
    def best(self) -> int:
        """The number of rounds with the smallest error."""
        return int(self.rounds[int(np.argmin(self.split))])

    def masked(self) -> MoreRoundsResult:
        """Without the errors of a level that is split."""
        return replace(self, split=np.full(len(self.rounds), math.nan))
