"""The reader's settings on the page about limits, and the question of each of its views."""

from __future__ import annotations

from dataclasses import dataclass, field

from ldpcore.experiments import limits
from ldpcore.limits.problems import HeavyMean, Problem
from ldpcore.questions import Asking, Questions

Bars = tuple[float, ...]
Along = tuple[str, float]  # what the picture goes along, and how near one wishes to be
CROWD = 10_000
FEW = 100  # people: at this number two worst worlds differ enough to be seen
AXES, PARTS = ("people", "level", "falling"), ("exponents", "constants")
USUAL: Along = (AXES[0], 0.1)


@dataclass(frozen=True)
class WorldsChoice:
    """The two worlds to look at: the worst pair of the problem, or two that were drawn."""

    n: int = FEW
    eta: float = 0.5
    drawn: tuple[Bars, Bars] | None = None


@dataclass(frozen=True)
class Limits:
    """The quantity to be estimated, the number of people, and the loss; the level is the handle's."""

    problem: Problem = field(default_factory=HeavyMean)
    n: int = CROWD
    loss: str = "squared"
    seed: int = 1

    def known(self, level: float) -> limits.Rate:
        """The limit and the reached loss, without a simulated crowd: the subject of every view."""
        return limits.Rate(self.problem, level, self.n, self.loss, self.seed, 0)

    def people(self, level: float, along: Along) -> Questions:
        """The limit and the reached loss, along people or levels, beside the cost of a wish; or as the level falls."""
        axis, width = along
        if axis == "falling":
            return limits.FallingLevels(self.problem, level, self.loss)
        plan = limits.LimitPlan(self.problem, level, self.n, width, self.loss)
        if axis == "level":
            return limits.AgainstLevel(self.problem, level, self.n, self.loss), plan
        return limits.Rate(self.problem, level, self.n, self.loss, self.seed), plan

    def worlds(self, level: float, pair: WorldsChoice) -> limits.WorstWorlds | limits.DrawnWorlds:
        """Two worlds that this number of reports cannot tell apart."""
        if pair.drawn is not None:
            return limits.DrawnWorlds(*pair.drawn, level, pair.n)
        return limits.WorstWorlds(self.problem, level, pair.n, pair.eta)

    def exponents(self, level: float, part: str) -> Asking:
        """The speed at which errors fall, with privacy and without; or the looseness of every bound."""
        if part == "constants":
            return limits.Constants(self.problem, level, self.n, self.loss)
        return limits.ExponentTable(self.problem, level)

    def vectors(self, level: float, d: int) -> limits.VectorBounds:
        """Several questions at once."""
        return limits.VectorBounds(level, d, self.n)


def levels_it(asked: Limits, part: str) -> bool:
    """Whether the level moves the texts about rates: it moves constants and no exponent."""
    return part == "constants"
