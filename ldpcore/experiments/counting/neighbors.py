"""Two tables that differ in one person, one release, and bets on which of them it came from."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Annotated, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ldpcore.experiments import generator
from ldpcore.experiments.counting.releases import TrueAnswer
from ldpcore.mechanisms.additivenoise import AdditiveNoise
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Declared, Interval, Seed
from ldpcore.questions import Progress, Public, Question, Result, no_progress

REACH = 60.0  # how far a still picture goes to either side of the truth, in spans of the noise
DensityCurve: TypeAlias = tuple[Reals, Reals]  # places and heights
ClippingBound = Annotated[float, Interval("L", -1e30, 1e30, (0, 1e6))]
AttackRounds = Annotated[int, Interval("R", 1, 10_000, (10, 200), integer=True)]


@dataclass(frozen=True)
class TwoTables(Question["TwoTablesResult"], Declared):
    """One number released about a table, and its law beside that of the table without one person."""

    mechanism: AdditiveNoise
    answer: TrueAnswer
    low: ClippingBound  # the least and the greatest answer that such a table can have
    high: ClippingBound
    seed: Seed = 1

    def run(self, progress: Progress = no_progress) -> TwoTablesResult:
        # The same draw as the first one of a counting experiment, in units of the scale: it moves, as the level does.
        released = self.mechanism.release(self.answer, generator(self.seed, "releases"), 1)
        return TwoTablesResult(self, float(released[0]))


@dataclass(frozen=True)
class TwoTablesResult(Result):
    """The release, and how likely each distance from the truth is under either table."""

    experiment: TwoTables
    released: float

    @property
    def offset(self) -> float:
        """The distance of the release from the true answer."""
        return self.released - self.experiment.answer

    def masked(self) -> TwoTablesResult:
        """The distances from the truth alone, around a hidden answer."""
        return replace(self, experiment=replace(self.experiment, answer=0.0), released=self.offset)

    @property
    def reach(self) -> float:
        """The distance from the middle of the picture to either side."""
        return REACH * self.experiment.mechanism.span

    @property
    def stepped(self) -> bool:
        """Whether the law is one of single numbers."""
        return self.experiment.mechanism.whole

    @property
    def likely(self) -> tuple[float, float]:
        """The ends around the released number within which 95 of 100 noises stay."""
        width = self.experiment.mechanism.width(0.95)
        return self.released - width, self.released + width

    def curve(self, other: bool) -> DensityCurve:
        """The chance of each distance, as a share of the likeliest, around the answer or around the `other` table's."""
        distances, noise = self.distances(), self.experiment.mechanism
        return distances, noise.relative(distances + noise.sensitivity if other else distances)

    @property
    def common(self) -> float:
        """The common part of both laws, ∫ min: the best bet cannot tell it apart."""
        return 2 * (1 - self.experiment.mechanism.chance)

    def distances(self, points: int = 241) -> Reals:
        """The distances at which both laws are drawn: evenly, at their two tips, and on both sides of every jump."""
        noise = self.experiment.mechanism
        tips = np.array([0.0, -noise.sensitivity])
        if noise.whole:
            return np.arange(-math.floor(self.reach), math.floor(self.reach) + 1.0)[:: max(int(self.reach) // 1000, 1)]
        sides = noise.sides(-self.reach, self.reach, *tips)
        return np.unique(np.concatenate([np.linspace(-self.reach, self.reach, points), tips, sides]))


@dataclass(frozen=True)
class Bets(Question["BetsResult"], Declared):
    """Rounds of a game: a coin decides whether one person is in the table, a release is shown, the room bets."""

    mechanism: AdditiveNoise
    rounds: AttackRounds = 20
    seed: Seed = 1

    def run(self, progress: Progress = no_progress) -> BetsResult:
        rng = generator(self.seed, "bets")
        inside = rng.random(self.rounds) < 0.5
        truths = np.where(inside, 0.0, -self.mechanism.sensitivity)
        return BetsResult(self, inside, truths + self.mechanism.release(np.zeros(self.rounds), rng))


@dataclass(frozen=True)
class BetsResult(Public):
    """The table behind each release, and the distance of the release from the answer with that person."""

    experiment: Bets
    inside: NDArray[np.bool_]
    offsets: Reals

    @property
    def middle(self) -> float:
        """Half-way between both answers."""
        return -self.experiment.mechanism.sensitivity / 2

    @property
    def guesses(self) -> NDArray[np.bool_]:
        """The best bet on each release: the table whose answer is nearer."""
        return np.asarray(self.offsets > self.middle)

    @property
    def right(self) -> int:
        """The number of best bets that were right."""
        return int((self.guesses == self.inside).sum())

    @property
    def chance(self) -> float:
        """The chance that the best bet is right: the noise stays on its side of the middle."""
        return self.experiment.mechanism.chance

    @property
    def bound(self) -> float:
        """The chance that any bet on any mechanism of this level can be right, at most."""
        return self.experiment.mechanism.bound

    @property
    def reach(self) -> float:
        """The distance from the middle of the picture to either side."""
        return REACH * self.experiment.mechanism.sensitivity
