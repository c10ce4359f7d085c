"""Releases that fall into a pile one by one, and their cost against a total promised beforehand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from ldpcore.experiments.averaging.ratios import AveragedRatio, AveragedRatioResult
from ldpcore.experiments.averaging.running import AveragingExperiment, AveragingResult
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.parameters import Declared, Interval
from ldpcore.questions import Progress, Question, Result, no_progress

COLUMNS = 41  # an odd number, so that one of them has the truth in its middle
Reach = Annotated[float, Interval("r", 0, 1e18, (1, 1000), scale="log", open_low=True)]
TotalLevel = Annotated[float, Interval(r"\varepsilon_{\text{total}}", 0, 1e12, (0.1, 1000), scale="log", open_low=True)]


@dataclass(frozen=True)
class Pile(Question["PileResult"], Declared):
    """Ask N times, sort the releases into columns that stay where they are, and pay for each from a total."""

    question: AveragingExperiment | AveragedRatio
    reach: Reach
    total: TotalLevel = 20.0

    def run(self, progress: Progress = no_progress) -> PileResult:
        return PileResult(self, self.question.run())

    @property
    def epsilon(self) -> float:
        """The level of one release."""
        return self.question.epsilon


@dataclass(frozen=True)
class PileResult(Result):
    """The first thousand releases in their columns, the mean of all of them, and the rest of the total."""

    experiment: Pile
    averaged: AveragingResult | AveragedRatioResult

    def masked(self) -> PileResult:
        """The distances from the truth alone, around a hidden answer."""
        return PileResult(replace(self.experiment, question=self.experiment.question.masked()), self.averaged.masked())

    @property
    def truth(self) -> float:
        """The true answer."""
        return self.averaged.truth

    @property
    def singles(self) -> Reals:
        """The distance of each release in the pile from the truth."""
        return self.averaged.singles

    @property
    def offset(self) -> float:
        """The distance of the mean of all N releases from the truth."""
        return float(self.averaged.offsets[-1])

    @property
    def centers(self) -> Reals:
        """The middle of each column, counted from the truth."""
        places = (2 * np.arange(COLUMNS) - (COLUMNS - 1)) / COLUMNS  # the middle one is exactly 0
        return np.asarray(self.experiment.reach * places, dtype=np.float64)

    @property
    def columns(self) -> Counts:
        """The column of each release; releases beyond all columns belong to the outermost ones."""
        scaled = (self.singles / self.experiment.reach + 1) / 2 * COLUMNS
        return np.asarray(np.clip(np.floor(scaled), 0, COLUMNS - 1), dtype=np.int64)

    def counts(self, paid: bool) -> Counts:
        """The number of releases in each column that the total pays for, or no longer does."""
        columns = self.columns
        chosen = columns[: self.affordable] if paid else columns[self.affordable :]
        return np.bincount(chosen, minlength=COLUMNS)

    @property
    def heights(self) -> Counts:
        """The height of each release in its column: 1 for the first that fell there."""
        columns = self.columns
        order = np.argsort(columns, kind="stable")
        starts = np.searchsorted(columns[order], np.arange(COLUMNS))
        heights = np.empty(len(columns), dtype=np.int64)
        heights[order] = np.arange(len(columns)) - starts[columns[order]] + 1
        return heights

    @property
    def beyond(self) -> Counts:
        """The side on which each release fell beyond the picture: -1 or 1, and 0 for a release inside it."""
        away = np.abs(self.singles) > self.experiment.reach
        return np.asarray(np.sign(self.singles) * away, dtype=np.int64)

    @property
    def affordable(self) -> int:
        """The number of releases the total pays for, counted exactly."""
        return self.experiment.question.affordable(self.experiment.total)

    @property
    def spent(self) -> float:
        """The cost of all N releases."""
        return self.averaged.spent

    @property
    def left(self) -> float:
        """The rest of the total; nothing where it is overdrawn."""
        return max(self.experiment.total - self.spent, 0.0)
