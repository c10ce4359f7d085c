"""One report: the best test between two families of worlds, and the information that it carries."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ldpcore.costs import Cost
from ldpcore.experiments.distinguish.worlds import TwoWorlds, WorldPair, listed
from ldpcore.laws.besttests import CertifiedTest, minimax_test
from ldpcore.laws.channels import Pair
from ldpcore.laws.guessing import mutual_information
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import LEVEL_AXIS
from ldpcore.questions import Progress, Question, Result, no_progress


@dataclass(frozen=True)
class Minimax(TwoWorlds, Question["MinimaxResult"]):
    """Which test of one report is best, whichever members of two families of worlds are true?"""

    def run(self, progress: Progress = no_progress) -> MinimaxResult:
        matrix, (around, beyond) = self.channel(), self.worlds.families
        rows = np.array([*around, *beyond]) @ matrix
        rows /= rows.sum(axis=1, keepdims=True)
        one, other = rows[: len(around)], rows[len(around) :]
        columns = np.argsort(-(rows.max(axis=0)), kind="stable")
        places = listed(self.slug, LEVEL_AXIS[0], self.worlds.k).shape[1]
        return MinimaxResult(self, minimax_test(one, other), one, other, columns, places)


@dataclass(frozen=True, eq=False)
class MinimaxResult(Result):
    """The best test, the laws of the reports that it must hold against, and reports from the most frequent on."""

    experiment: Minimax
    test: CertifiedTest
    first: Reals
    second: Reals
    order: NDArray[np.intp]
    places: int  # reports at the smallest level, where there are most

    @property
    def errors(self) -> tuple[float, float]:
        """The largest chance of accusing wrongly, and of missing."""
        chances = self.test.chances
        return float((self.first @ chances).max()), float((1 - self.second @ chances).max())

    @property
    def mixtures(self) -> tuple[Reals, Reals]:
        """The two mixtures that are hardest to tell apart."""
        return self.test.first_weights @ self.first, self.test.second_weights @ self.second

    def telling(self, most: int) -> list[int]:
        """The `most` most frequent reports, from those that speak for the first mixture to those for the second."""
        first, second = self.mixtures
        ratios = Pair(first, second).ratios()
        often = np.asarray(self.order[:most])
        return [int(place) for place in often[np.argsort(-np.round(ratios[often], 9), kind="stable")]]

    def masked(self) -> MinimaxResult:
        """The result without the test."""
        hidden = replace(
            self.test, chances=np.full(len(self.test.chances), np.nan), attained=math.nan, certificate=math.nan
        )
        return replace(self, test=hidden)


@dataclass(frozen=True)
class Information(TwoWorlds, Question["InformationResult"]):
    """The information of a report about which of the two worlds it came from, along the level."""

    def run(self, progress: Progress = no_progress) -> InformationResult:
        levels = np.geomspace(*LEVEL_AXIS, 41)
        along = np.array([_told(self.slug, float(level), self.worlds) for level in levels])
        held = np.array([self.worlds.first, self.worlds.second])
        half = np.full(2, 0.5)
        return InformationResult(
            self, levels, along, _told(self.slug, self.epsilon, self.worlds), mutual_information(half, held)
        )

    def cost(self) -> Cost:
        return super().cost().times(42)


def _told(slug: str, epsilon: float, worlds: WorldPair) -> float:
    """The mutual information of a report and a fair coin that chose the world."""
    laws = TwoWorlds(slug, epsilon, worlds).reports()
    return mutual_information([0.5, 0.5], np.array([laws.first, laws.second]))


@dataclass(frozen=True, eq=False)
class InformationResult(Result):
    """Information in nats: along the level, at the present one, and without privacy."""

    experiment: Information
    levels: Reals
    along: Reals
    here: float
    open: float

    def masked(self) -> InformationResult:
        """The result without this mechanism's information."""
        return replace(self, along=np.full(len(self.levels), np.nan), here=math.nan)
