"""Guessing games on a cube: each group of people lives in one of two worlds, and somebody guesses all of them.

Le Cam plays with two corners, Fano with all of them as a list, Assouad with one coordinate at a time. What each then
says of the mean loss holds under a condition on the loss, which is checked corner by corner.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from ldpcore.costs import MEGABYTE, Cost
from ldpcore.experiments.distinguish.worlds import DOUBLED_USERS, TwoWorlds
from ldpcore.laws.guessing import Unseparated, assouad, fano, le_cam, least_apart, mutual_information, separation
from ldpcore.laws.products import Bracket, RepeatedPair
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Interval
from ldpcore.questions import Progress, Question, Result, no_progress

HypothesisCount = Annotated[int, Interval("d", 2, 6, (2, 6), integer=True)]
CornerLoss = Literal["each", "any", "first"]
LOSSES: tuple[CornerLoss, ...] = ("each", "any", "first")
GAMES = ("assouad", "fano", "le_cam")
STEP = 0.5  # δ of Assouad's condition: each wrong group must lose 2δ = 1
SILENT = 5e-4  # a mean loss below this is told as none


def lost(loss: CornerLoss, true: Sequence[int], guess: Sequence[int]) -> float:
    """The loss of a guess: each wrong group, whether any is wrong, or whether the first is."""
    wrong = [one != other for one, other in zip(true, guess, strict=True)]
    return float({"each": sum(wrong), "any": any(wrong), "first": wrong[0]}[loss])


def least_loss(loss: CornerLoss, distance: float, groups: int) -> float:
    """The mean loss of the best guess: each group by its likelier world, wrong in (1 - TV)/2 of cases."""
    wrong = (1 - distance) / 2
    return {"each": groups * wrong, "any": -math.expm1(groups * math.log1p(-wrong)), "first": wrong}[loss]


@dataclass(frozen=True)
class Guessing(TwoWorlds, Question["GuessingResult"]):
    """How much does every guess lose on average, with n people in each group?"""

    n: int = 100
    groups: HypothesisCount = 4
    loss: CornerLoss = "each"

    def run(self, progress: Progress = no_progress) -> GuessingResult:
        reports = self.reports()
        one = mutual_information([0.5, 0.5], np.array([reports.first, reports.second]))
        crowd = RepeatedPair.of(reports.first, reports.second)
        breaches = self.breaches()
        along = [self._bounds(crowd.distance(n), n, one) for n in DOUBLED_USERS]
        here = self._bounds(crowd.distance(self.n), self.n, one)
        curves = {game: np.array([bounds[game] for bounds in along]) for game in (*GAMES, "best")}
        return GuessingResult(self, one, curves, here, breaches)

    def _bounds(self, distance: Bracket, n: int, one: float) -> dict[str, float]:
        """The bound of every game with n people in each group, and the loss of the best guess."""
        learned = min(n * one, math.log(2))  # of one group; all of them are independent
        apart = distance.high
        return {
            "assouad": assouad(STEP, [apart] * self.groups),
            "fano": fano(self.groups * learned, 2**self.groups),
            "le_cam": le_cam(apart),
            "best": least_loss(self.loss, apart, self.groups),
        }

    def breaches(self) -> dict[str, Unseparated | None]:
        """The first two corners, for each game, that lose less than its condition asks for.

        Assouad asks for 2δ for each coordinate, Fano for 2δ between any two corners, Le Cam between his two.
        """

        def loss(one: Sequence[int], other: Sequence[int]) -> float:
            return lost(self.loss, one, other)

        return {
            "assouad": separation(loss, self.groups, STEP),
            "fano": least_apart(loss, self.groups, 2 * STEP),
            "le_cam": None if lost(self.loss, (1, 1), (-1, 1)) >= 2 * STEP else Unseparated((1, 1), (-1, 1), 0.0, 1.0),
        }

    def cost(self) -> Cost:
        return super().cost().then(Cost(64 * MEGABYTE, 0.2 if self.worlds.k > 2 else 0.05))


@dataclass(frozen=True, eq=False)
class GuessingResult(Result):
    """Lower bounds on the mean loss against the number of people in a group, and the loss of the best guess."""

    experiment: Guessing
    information: float
    curves: dict[str, Reals]
    here: dict[str, float]
    breaches: dict[str, Unseparated | None]

    def holds(self, game: str) -> bool:
        """Whether the condition of a game is met."""
        return self.breaches[game] is None

    @property
    def blind(self) -> float:
        """The loss of a guess without any report."""
        return least_loss(self.experiment.loss, 0.0, self.experiment.groups)

    def masked(self) -> GuessingResult:
        """The game without its bounds."""
        curves = {name: np.full(len(curve), math.nan) for name, curve in self.curves.items()}
        return replace(self, information=math.nan, curves=curves, here=dict.fromkeys(self.here, math.nan))
