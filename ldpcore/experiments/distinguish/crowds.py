"""Many people's reports: their distance in two worlds, and the number it takes to tell the worlds apart."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ldpcore.costs import MEGABYTE, Cost
from ldpcore.experiments.distinguish.worlds import DOUBLED_USERS, TwoWorlds
from ldpcore.laws import divergences
from ldpcore.laws.contraction import largest_distance
from ldpcore.laws.products import Bracket, RepeatedPair
from ldpcore.numerics.arrays import Reals
from ldpcore.questions import Progress, Question, Result, no_progress


@dataclass(frozen=True)
class ManyPeople(TwoWorlds, Question["ManyPeopleResult"]):
    """How far apart are the reports of n people from either world, for n from one to a billion?"""

    n: int = 100

    def run(self, progress: Progress = no_progress) -> ManyPeopleResult:
        reports, worlds = self.reports(), self.worlds
        private, direct = RepeatedPair.of(reports.first, reports.second), RepeatedPair.of(worlds.first, worlds.second)
        tv, h2 = (
            law(worlds.first, worlds.second) for law in (divergences.total_variation, divergences.squared_hellinger)
        )
        return ManyPeopleResult(
            self,
            tuple(map(private.distance, DOUBLED_USERS)),
            tuple(map(direct.distance, DOUBLED_USERS)),
            np.array([largest_distance(self.epsilon, tv, n, h2) for n in DOUBLED_USERS]),
            private.distance(self.n),
            direct.distance(self.n),
            private.fewest(RIGHT),
            direct.fewest(RIGHT),
        )

    def cost(self) -> Cost:
        return super().cost().then(Cost(64 * MEGABYTE, 0.4 if self.worlds.k > 2 else 0.05))


RIGHT = 0.8  # of this total variation nine of ten guesses are right


@dataclass(frozen=True, eq=False)
class ManyPeopleResult(Result):
    """Total variation against the number of people: private, direct, and the level's bound."""

    experiment: ManyPeople
    private: tuple[Bracket, ...]
    direct: tuple[Bracket, ...]
    bound: Reals
    here: Bracket
    here_direct: Bracket
    needed: int | None
    needed_direct: int | None

    def masked(self) -> ManyPeopleResult:
        """The result without this mechanism's values."""
        gap = Bracket(math.nan, math.nan)
        return replace(self, private=(gap,) * len(self.private), here=gap, needed=None)
