"""What the reader has set on the page about limits, and what each of its views asks then."""

from __future__ import annotations

from dataclasses import dataclass, field

from ldpcore.experiments import limits
from ldpcore.limits.problems import (
    HeavyMean,
    Problem,
)

CROWD = 10_000
FEW = 100  # people, before whom two worst worlds differ enough to be seen
Bars = tuple[float, ...]


@dataclass(frozen=True)
class Pair:
    """Which two worlds are looked at: the worst pair of the problem, or two that were drawn."""

    n: int = FEW
    eta: float = 0.5
    drawn: tuple[Bars, Bars] | None = None


@dataclass(frozen=True)
class Limits:
    """What is to be estimated, by how many people, and what an error costs; the level is the handle's."""

    problem: Problem = field(default_factory=HeavyMean)
    n: int = CROWD
    loss: str = "squared"
    seed: int = 1

    def known(self, level: float) -> limits.Rate:
        """The limit and what is reached, without a simulated crowd: what every view is about."""
        return limits.Rate(self.problem, level, self.n, self.loss, self.seed, 0)

    def people(self, level: float) -> limits.Rate:
        """The limit and what is reached along the number of people, with simulated crowds."""
        return limits.Rate(self.problem, level, self.n, self.loss, self.seed)

    def worlds(self, level: float, pair: Pair) -> limits.Worlds | limits.DrawnWorlds:
        """Two worlds that so few reports cannot tell apart."""
        if pair.drawn is not None:
            return limits.DrawnWorlds(*pair.drawn, level, pair.n)
        return limits.Worlds(self.problem, level, pair.n, pair.eta)

    def levels(self, level: float) -> limits.AgainstLevel:
        """Against the level."""
        return limits.AgainstLevel(self.problem, level, self.n, self.loss)

    def plateau(self, level: float) -> limits.Plateau:
        """A level that falls while the crowd grows."""
        return limits.Plateau(self.problem, level, self.loss)

    def constants(self, level: float) -> limits.Constants:
        """How loose every bound is."""
        return limits.Constants(self.problem, level, self.n, self.loss)

    def exponents(self, level: float) -> limits.ExponentTable:
        """How fast errors fall, with privacy and without."""
        return limits.ExponentTable(self.problem, level)

    def vectors(self, level: float, d: int) -> limits.VectorBounds:
        """Several questions at once."""
        return limits.VectorBounds(level, d, self.n)

    def plan(self, level: float, width: float) -> limits.LimitPlan:
        """How many people a wish takes at least, and how many are enough."""
        return limits.LimitPlan(self.problem, level, self.n, width)
