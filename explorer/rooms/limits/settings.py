"""What the reader has set on the page about limits, and what each of its views asks then."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ldpcore.experiments import limits
from ldpcore.limits.problems import (
    BoundedMoment,
    EventShare,
    HeavyMean,
    Problem,
    ProductMoment,
    SmoothDensity,
    UniformEndpoint,
)

CROWD = 10_000
WIDTH = 0.1  # what a plan is to promise at first
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
        """The same along the number of people, with simulated crowds."""
        return limits.Rate(self.problem, level, self.n, self.loss, self.seed)

    def worlds(self, level: float, pair: Pair | None = None) -> limits.Worlds | limits.DrawnWorlds:
        """Two worlds that so few reports cannot tell apart."""
        asked = pair or Pair()
        if asked.drawn is not None:
            return limits.DrawnWorlds(*asked.drawn, level, asked.n)
        return limits.Worlds(self.problem, level, asked.n, asked.eta)

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

    def vectors(self, level: float, d: int = 10) -> limits.VectorBounds:
        """Several questions at once."""
        return limits.VectorBounds(level, d, self.n)

    def plan(self, level: float, width: float = WIDTH) -> limits.LimitPlan:
        """How many people a wish takes at least, and how many are enough."""
        return limits.LimitPlan(self.problem, level, self.n, width)


def samples() -> tuple[Limits, ...]:
    """Telling settings, the default ones first: each problem, other losses, few people and a billion."""
    return (
        Limits(),
        Limits(BoundedMoment(), 10_000, "absolute", 3),
        Limits(HeavyMean(4.0, 9.0), 1000, "huber"),
        Limits(UniformEndpoint(10.0), 10**9),
        Limits(SmoothDensity(2.0, 1), 10**6, "root"),
        Limits(SmoothDensity(), 10),
        Limits(EventShare(), 50_000),
        Limits(ProductMoment(), 10**7),
    )


def own(view: str, settings: Limits) -> Any:
    """What a view asks the reader at first."""
    if view == "worlds":
        drawn = ((3.0, 2.0, 1.0, 1.0), (1.0, 1.0, 2.0, 3.0)) if settings.loss == "absolute" else None
        return Pair(drawn=drawn)
    return {"vectors": 10, "plan": WIDTH}.get(view)
