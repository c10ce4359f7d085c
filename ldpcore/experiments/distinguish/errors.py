"""Both errors of every test of one report, and the report itself in both worlds."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ldpcore.estimating.audit import best_power, power_bound
from ldpcore.experiments.distinguish.worlds import TwoWorlds
from ldpcore.laws import divergences
from ldpcore.laws.channels import Pair
from ldpcore.laws.products import by_ratio
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Probability
from ldpcore.questions import Progress, Question, Result, no_progress

SHOWN = 12  # reports of the picture in the corner: of more, neighbors in order of their ratio are put together


@dataclass(frozen=True)
class TellApart(TwoWorlds, Question["TellApartResult"]):
    """How often is the second world found, when the first is wrongly accused at this rate?

    The limit is that of level α, which with probability δ may fail.
    """

    size: Probability = 0.05
    delta: Probability = 0.0

    def run(self, progress: Progress = no_progress) -> TellApartResult:
        reports, held = self.reports(), Pair(*by_ratio(self.worlds.first, self.worlds.second))
        kink = (1 - self.delta) / (1 + math.exp(min(self.epsilon, 700.0)))  # where both lines of the limit meet
        corners = [np.cumsum(laws.first[np.argsort(laws.ratios(), kind="stable")]) for laws in (reports, held)]
        ends = [0.0, kink, 1 - self.delta, self.size, 1.0]
        sizes = np.unique(np.clip(np.concatenate([ends, *corners]), 0, 1))
        turned, direct = Pair(reports.second, reports.first), Pair(held.second, held.first)
        bound = power_bound(sizes, self.epsilon, self.delta)
        return TellApartResult(
            self,
            reports.cut(SHOWN),
            sizes,
            bound,
            best_power(turned, sizes),
            best_power(direct, sizes),
            float(power_bound(self.size, self.epsilon, self.delta)),
            float(best_power(turned, self.size)),
            float(best_power(direct, self.size)),
            divergences.total_variation(reports.first, reports.second),
            reports.level(self.delta),
        )


@dataclass(frozen=True, eq=False)
class TellApartResult(Result):
    """Powers at every size: by the level's bound, by this mechanism, and without privacy."""

    experiment: TellApart
    reports: Pair | None
    sizes: Reals
    bound: Reals
    private: Reals
    direct: Reals
    allowed: float
    reached: float
    open: float
    distance: float  # the total variation of the two reports: one minus the smallest sum of both errors
    level: float  # the smallest level that these two reports keep, where δ may fail

    @property
    def direct_distance(self) -> float:
        """The total variation without privacy."""
        return divergences.total_variation(self.experiment.worlds.first, self.experiment.worlds.second)

    def masked(self) -> TellApartResult:
        """The bound of the level alone, without this mechanism's power."""
        nothing = np.full(len(self.sizes), np.nan)
        return replace(self, reports=None, private=nothing, reached=math.nan, distance=math.nan, level=math.nan)
