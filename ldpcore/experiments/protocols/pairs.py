"""Two people, whole: everything they may send, its probability, and its loss after every history."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Choice, Declared, Epsilon, Interval
from ldpcore.protocols import ChainRule, Fixed, Kernel, Listening, Protocol, Turn, largest_share, smallest_share
from ldpcore.questions import Progress, Question, Result, no_progress

DESIGNS = ("listens", "ignores", "breaks")
KINDS = 4  # quarters of the range
PairDesign = Annotated[str, Choice("design", DESIGNS)]
Quarter = Annotated[int, Interval("x", 1, KINDS, (1, KINDS), integer=True)]
PairAnswer = Annotated[int, Interval("z", 0, 1, (0, 1), integer=True)]


def quarter_at_least(quarter: int, epsilon: float) -> tuple[tuple[float, float], ...]:
    """Randomized response to "is yours in this quarter or a higher one?": columns are no and yes."""
    low, high = smallest_share(epsilon), largest_share(epsilon)
    return tuple((low, high) if held >= quarter else (high, low) for held in range(1, KINDS + 1))


@dataclass(frozen=True)
class TwoPeople(Question["TwoPeopleResult"], Declared):
    """The reports of two people who hold these quarters, the second one asked after the first has answered."""

    epsilon: Epsilon
    design: PairDesign = "listens"
    first: Quarter = 4
    second: Quarter = 4
    history: PairAnswer = 1

    def protocol(self) -> Protocol:
        """The protocol: the first is asked about the upper half; the second about half of the rest, or the same again.

        The one that breaks asks after a yes at twice the level.
        """
        half = quarter_at_least(3, self.epsilon)
        second: Kernel = Fixed(half)
        if self.design != "ignores":
            level = 2 * self.epsilon if self.design == "breaks" else self.epsilon
            second = Listening(quarter_at_least(2, self.epsilon), (((1,), quarter_at_least(4, level)),))
        return Protocol((Fixed(half), second))

    @property
    def asked(self) -> tuple[int, int]:
        """The quarter from which on the second is asked about, after a no and after a yes."""
        return (3, 3) if self.design == "ignores" else (2, 4)

    def run(self, progress: Progress = no_progress) -> TwoPeopleResult:
        protocol, held = self.protocol(), (self.first - 1, self.second - 1)
        mirrored = (KINDS - self.first, KINDS - self.second)
        return TwoPeopleResult(
            self, protocol.joint(held), protocol.turns(), protocol.guarantee(), protocol.chain_rule(held, mirrored)
        )


@dataclass(frozen=True, eq=False)
class TwoPeopleResult(Result):
    """The law of both answers (0 no, 1 yes), the loss of each question after each history, and the chain rule.

    The chain rule compares with two people who hold the mirror images of these quarters.
    """

    experiment: TwoPeople
    joint: Reals
    turns: tuple[Turn, ...]
    level: float
    rule: ChainRule

    @property
    def branch(self) -> float:
        """The chance of the history that is looked at."""
        return float(self.joint[self.experiment.history].sum())

    @property
    def path(self) -> float:
        """The chance of that history and then a yes."""
        return float(self.joint[self.experiment.history, 1])

    @property
    def loss(self) -> float:
        """The loss of the second person's question after the history that is looked at."""
        return next(turn.loss for turn in self.turns if turn.history == (self.experiment.history,))

    @property
    def kept(self) -> bool:
        """Whether every question keeps the level after every history."""
        return self.level <= self.experiment.epsilon * (1 + 1e-9) + 1e-9

    def masked(self) -> TwoPeopleResult:
        """The result without the law of the answers."""
        gaps = (math.nan, math.nan)
        return replace(self, joint=np.full((2, 2), np.nan), rule=ChainRule(math.nan, gaps))
