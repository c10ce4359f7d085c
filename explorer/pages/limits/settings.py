"""What the reader has set on the page about limits, and what each of its views asks then."""

from __future__ import annotations

from dataclasses import dataclass, field

from ldpcore.experiments import limits
from ldpcore.limits.problems import HeavyMean, Problem
from ldpcore.questions import Asking, Questions

Bars = tuple[float, ...]
Along = tuple[str, float]  # what the picture goes along, and how near one wishes to be
CROWD = 10_000
FEW = 100  # people, before whom two worst worlds differ enough to be seen
AXES, PARTS = ("people", "level", "falling"), ("exponents", "constants")
USUAL: Along = (AXES[0], 0.1)


@dataclass(frozen=True)
class WorldsChoice:
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

    def people(self, level: float, along: Along) -> Questions:
        """The limit and what is reached, along people or levels, beside what a wish takes; or as the level falls."""
        axis, width = along
        if axis == "falling":
            return limits.FallingLevels(self.problem, level, self.loss)
        plan = limits.LimitPlan(self.problem, level, self.n, width, self.loss)
        if axis == "level":
            return limits.AgainstLevel(self.problem, level, self.n, self.loss), plan
        return limits.Rate(self.problem, level, self.n, self.loss, self.seed), plan

    def worlds(self, level: float, pair: WorldsChoice) -> limits.WorstWorlds | limits.DrawnWorlds:
        """Two worlds that so few reports cannot tell apart."""
        if pair.drawn is not None:
            return limits.DrawnWorlds(*pair.drawn, level, pair.n)
        return limits.WorstWorlds(self.problem, level, pair.n, pair.eta)

    def exponents(self, level: float, part: str) -> Asking:
        """How fast errors fall, with privacy and without; or how loose every bound is."""
        if part == "constants":
            return limits.Constants(self.problem, level, self.n, self.loss)
        return limits.ExponentTable(self.problem, level)

    def vectors(self, level: float, d: int) -> limits.VectorBounds:
        """Several questions at once."""
        return limits.VectorBounds(level, d, self.n)


def levels_it(asked: Limits, part: str) -> bool:
    """Whether the level moves what is said of rates: it moves constants and no exponent."""
    return part == "constants"
