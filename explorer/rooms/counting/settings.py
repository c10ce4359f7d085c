"""What the reader has set on the page about counting, and what each of its views asks then."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from explorer.facts import Facts, Said, Term
from explorer.rooms.counting import comparing
from explorer.rooms.counting.bounds import ChosenBound
from explorer.settings.cells import Cells, FirstColumns, TableCells
from explorer.settings.noises import LAPLACE, Noise
from explorer.settings.questions import default, query
from explorer.settings.tables import Asked, widths
from ldpcore.experiments.averaging.running import FIRST, AveragingExperiment
from ldpcore.experiments.counting import releases as counting
from ldpcore.experiments.counting.bounding import BoundedSum
from ldpcore.experiments.counting.comparing import ErrorsAlongLevels, ErrorsAtLevel
from ldpcore.experiments.counting.fromtruth import FromTruth
from ldpcore.experiments.counting.handed import HandedOn
from ldpcore.experiments.counting.neighbors import REACH, Bets, TwoTables, TwoTablesResult
from ldpcore.experiments.counting.ratios import RatioOfReleases
from ldpcore.experiments.counting.tableplan import TablePlan
from ldpcore.mechanisms.additivenoise import AdditiveNoise
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.questions import Questions
from ldpcore.tables.queries import ADD_REMOVE
from ldpcore.tables.table import built_in

SURE = 0.95  # of all releases lie within what is told of the one that is handed on
OF_ITS_OWN = "cells", "bound", "errors"  # views that draw other noise than the one that is chosen
LEVELS = 0.01, 50.0  # along which the error is drawn


@dataclass(frozen=True)
class Counting:
    """A question about a table, who counts as its neighbor, how often to try, the seed, the noise, and its picture."""

    question: Asked
    neighbors: str
    repeats: int = 1000
    seed: int = 1
    noise: Noise = LAPLACE
    away: bool = False  # whether pictures of released numbers count from the true answer

    def known(self) -> Facts:
        """What every text may say of the question itself, and whether its answer is one that is handed on."""
        return {**self.question.known(), "handing": Term(f"cases.{'own' if self.question.own else 'invented'}")}

    def verb(self) -> str:
        """What one release answers: a count of people or of rows, a sum or a mean; nothing where it takes two."""
        if self.question.counts and self.question.table.each > 1:
            return "rows"
        return "" if self.question.mean else self.question.verb

    def sized(self) -> bool:
        """Whether it is public how many people there are: neighbors are equally many."""
        return self.question.sized(self.neighbors)

    def failing(self, view: str) -> bool:
        """Whether the level may fail with a probability δ: where a view draws the noise that is chosen."""
        return view not in OF_ITS_OWN and self.mechanism(1.0).failure > 0

    def about(self, view: str) -> str:
        """The guess of which the level speaks: a person who may leave a cell for another is two steps away.

        No record of a sum from 0 to a bound is farther from another than from none.
        """
        return "person" if view == "bound" else self.question.guessed(self.neighbors, twice=view == "cells")

    def asides(self, truth: bool) -> Iterator[Said]:
        """What must be known beside the answer."""
        return self.question.asides(truth)

    def mechanism(self, level: float) -> AdditiveNoise:
        """The noise that one release of this question needs."""
        noise = self.noise if self.counts() else self.noise.real()
        return noise.at(level, self.question.sensitivity(self.neighbors), self.neighbors)

    def handed(self, level: float) -> HandedOn | RatioOfReleases | None:
        """What the answer hands on: one number, or a mean of two."""
        return self.in_two(level) if self.double() else self.single_release(level)

    def single_release(self, level: float) -> HandedOn:
        """One number, with the noise that it has where it is handed on."""
        return HandedOn(self.mechanism(level), self.question.answer, SURE, self.seed)

    def single(self) -> bool:
        """Whether one release answers the question."""
        return self.question.mean is None

    def double(self) -> bool:
        """Whether it takes two releases and their ratio."""
        return not self.single()

    def counts(self) -> bool:
        """Whether people are counted."""
        return self.question.counts and self.single()

    def crowded(self) -> bool:
        """Whether people are counted each of whom has one row, so that a crowd is as large as its table."""
        return self.counts() and self.question.table.each == 1

    def released(self, level: float) -> counting.CountingExperiment:
        """A few releases, and the error of many more."""
        return counting.CountingExperiment(
            self.mechanism(level), self.question.answer, self.question.n, repeats=self.repeats, seed=self.seed
        )

    def tables(self, level: float) -> TwoTables | FromTruth[TwoTablesResult]:
        """One release, and the two tables that it may have come from."""
        asked = TwoTables(self.mechanism(level), self.question.answer, *self.question.possible, self.seed)
        return FromTruth(asked) if self.away else asked

    def bets(self, level: float) -> Bets:
        """Twenty rounds of the bet on where a release came from."""
        return Bets(self.mechanism(level), seed=self.seed)

    def in_two(self, level: float) -> RatioOfReleases | None:
        """The two releases of a mean over a private number of people, in a picture that stays whatever the level."""
        ratio, mean = self.question.in_two(level, self.neighbors, self.seed, self.noise), self.question.mean
        if ratio is None or mean is None:
            return ratio
        width = mean.high - mean.low
        return replace(ratio, reach=min(width / 2, 2 * REACH * width / self.question.n))

    def crowds(self, level: float) -> counting.AgainstUsers:
        """The noise of one release in crowds of every size."""
        return counting.AgainstUsers(self.mechanism(level), self.question.answer, self.question.n)

    def glance(self, level: float) -> Questions:
        """A few releases with their error, and the mean of a thousand, of which these are the first."""
        released = self.released(level)
        averaged = AveragingExperiment(released.mechanism, released.answer, FIRST, self.seed)
        return (FromTruth(released), FromTruth(averaged)) if self.away else (released, averaged)

    def tabled(self, level: float, cells: Cells) -> TablePlan:
        """Whole tables of counts, every cell of them."""
        return TablePlan(
            level,
            cells.counts,
            cells.width,
            cells.confidence,
            self.neighbors,
            cells.names,
            cells.columns,
            self.seed,
            self.question.table.n,
            cells.page,
            self.question.table.each,
            cells.whole,
        )

    def bounded_sum(self, level: float, own: ChosenBound) -> BoundedSum:
        """An invented sum at its upper bound, which is as far as one record moves it for either kind of neighbors."""
        return BoundedSum(level, own.example, own.bound)

    def afterwards(self, level: float) -> counting.Afterwards:
        """Rounding and clamping a released count; where no people are counted, that of nobody."""
        each, answer = self.question.table.each, int(self.question.answer) if self.counts() else 0
        noise = LaplaceMechanism(level, float(each), self.neighbors if each == 1 else ADD_REMOVE)
        return counting.Afterwards(noise, answer, self.question.n)

    def widths(self) -> tuple[float, tuple[float, float]]:
        """A telling width in the unit of the answer, and where others lie."""
        return widths(self.question.sensitivity(self.neighbors), 5)

    def wish(self) -> tuple[float, float]:
        """The width and the confidence that a plan is asked for at first."""
        return self.widths()[0], 0.95

    def plan(self, level: float, wanted: tuple[float, float]) -> counting.CountPlan:
        """The level that keeps the noise within a width."""
        return counting.CountPlan(self.mechanism(level), self.question.n, *wanted)

    def every_level(self, level: float, wanted: tuple[float, float]) -> tuple[counting.ErrorCurve, counting.CountPlan]:
        """The error along all levels, and which of them keeps the noise within a width."""
        grid = counting.level_grid(*LEVELS)
        return counting.ErrorCurve(self.mechanism(1.0), grid, self.repeats, self.seed), self.plan(level, wanted)

    def comparable(self) -> bool:
        """Whether everybody alone could answer too: in one release, about one row each."""
        return self.single() and self.question.table.each == 1

    def delta(self) -> float:
        """The δ with which noises are compared at first: that of the noise that is chosen, if it has one."""
        chosen = dict(self.noise.needs).get("delta", 1e-6)
        return float(chosen)

    def errors(self, level: float, delta: float) -> tuple[ErrorsAtLevel, ErrorsAlongLevels]:
        """The error of every mechanism that can answer, at this level and along all."""
        people = comparing.compared(self.question, self.neighbors, delta)
        return comparing.errors(people, level, self.repeats, self.seed)

    def usual(self, level: float) -> tuple[counting.CountPlan, counting.Afterwards]:
        """What the page's tasks speak of: noise of at most five with 95 percent confidence, and a clamped count."""
        return self.plan(level, (5.0, 0.95)), self.afterwards(level)

    def first_cells(self) -> Cells:
        """The cells that are planned at first, of one column."""
        table = self.question.table
        columns = FirstColumns(table).run()[:1] or table.columns[:1]
        return TableCells.asked(table, columns, self.question.query.where).run()


def of_table(name: str, relation: str, verb: str = "count", who: str = "ready") -> Counting:
    """The question with which a built-in table is met, or another one about it."""
    table = built_in(name)
    asked = Asked.of(query(table, replace(default(table), verb=verb, who=who)), table, relation)
    return Counting(asked, relation)
