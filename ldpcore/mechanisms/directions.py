"""Random draws behind reports about directions, made before the level is known and shared by many levels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ldpcore.numerics.arrays import Reals


@dataclass(frozen=True, eq=False)
class Directions:
    """A uniform direction of everybody's own half sphere, how long their vectors are, and a number of (-1, 1) each.

    P(luck < length·tanh(ε/2)) = ½(1 + length·tanh(ε/2)): then the direction is sent, else the opposite one.
    """

    own: Reals
    length: Reals
    luck: Reals

    def signs(self, pull: float) -> Reals:
        """1 for everybody who sends their own direction, -1 for the others."""
        return np.where(self.luck < self.length * pull, 1.0, -1.0)

    def sent(self, pull: float) -> Reals:
        """The reports."""
        return self.own * self.signs(pull)[:, None]

    def sums(self, pull: float, rounds: int) -> Reals:
        """The sums of all reports in each of `rounds` rounds: one column for each."""
        people = len(self.own) // rounds
        one = self.signs(pull).reshape(rounds, 1, people) @ self.own.reshape(rounds, people, -1)
        return np.asarray(one[:, 0].T, dtype=np.float64)
