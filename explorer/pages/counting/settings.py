"""The reader's settings on the page about counting, and the question of each of its views."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from explorer.facts import Facts, Said, Term
from explorer.pages.counting.bounds import ChosenBound
from explorer.settings.cells import Cells, FirstColumns, TableCells
from explorer.settings.everybody import compared, estimated
from explorer.settings.noises import LAPLACE, Alone, ChosenNoise
from explorer.settings.questions import default, query
from explorer.settings.tables import AnsweredQuestion, widths
from ldpcore.estimating.estimatedanswers import EstimatedAnswer, EstimatedCount
from ldpcore.experiments.averaging.running import FIRST, AveragingExperiment
from ldpcore.experiments.counting import releases as counting
from ldpcore.experiments.counting.alone import EstimatesInCrowds, OneEstimate, OneEstimateResult, ReportBets
from ldpcore.experiments.counting.bounding import BoundedSum
from ldpcore.experiments.counting.comparing import Compared, ErrorsAlongLevels, ErrorsAtLevel
from ldpcore.experiments.counting.fromtruth import FromTruth
from ldpcore.experiments.counting.neighbors import REACH, Bets, TwoTables, TwoTablesResult
from ldpcore.experiments.counting.ratios import RatioOfReleases
from ldpcore.experiments.counting.releasednumber import ReleasedNumber
from ldpcore.experiments.counting.tableplan import TablePlan
from ldpcore.mechanisms.additivenoise import AdditiveNoise
from ldpcore.mechanisms.noisyanswers import NoisyAnswers
from ldpcore.questions import Questions
from ldpcore.tables.queries import ADD_REMOVE
from ldpcore.tables.table import built_in

SURE = 0.95  # of all releases lie within what is told of the one that is released
LEVELS, POINTS = (0.01, 50.0), 25  # along which errors are drawn


@dataclass(frozen=True)
class Counting:
    """A question about a table, its neighbors, the number of trials, the seed, the noise, and its picture."""

    question: AnsweredQuestion
    neighbors: str
    repeats: int = 1000
    seed: int = 1
    noise: ChosenNoise = LAPLACE
    away: bool = False  # whether pictures of released numbers count from the true answer
    alone: Alone | None = None  # by which everybody answers in the place of a curator

    def known(self) -> Facts:
        """The facts of the question itself for every text, and whether its answer can be released."""
        return {**self.question.known(), "whose": Term(f"cases.{'own' if self.question.own else 'invented'}")}

    def verb(self) -> str:
        """The verb of one release: a count of people or of rows, a sum or a mean; empty where the answer takes two."""
        if self.question.counts and self.question.table.each > 1:
            return "rows"
        if self.alone is not None:
            return "local" if self.question.counts else "local number"
        return "" if self.question.mean else self.question.verb

    def case(self, result: counting.CountingResult) -> str:
        """The case of the answer that holds: by the answering party and the verb, or that of a true answer of zero."""
        named = self.verb() or self.question.verb
        return named if self.question.answer or not self.curated() else "zero"

    def model(self, view: str) -> str:
        """The party that a view trusts: a curator in a comparison of both, and in an invented example."""
        return "central" if self.curated() or view in ("errors", "bound") else "local"

    def curated(self) -> bool:
        """Whether a curator answers."""
        return self.alone is None

    def sized(self) -> bool:
        """Whether the number of people is public: neighbors are equally many."""
        return self.question.sized(self.neighbors)

    def failing(self) -> bool:
        """Whether the level may fail with a probability δ."""
        return self.answering(1.0).failure > 0

    def about(self, view: str) -> str:
        """The subject of the attacker's guess: a membership, or (for `cells`) a move between cells, which is two steps.

        No record of a sum from 0 to a bound is farther from another than from none.
        """
        return "person" if view == "bound" else self.question.guessed(self.neighbors, twice=view == "cells")

    def asides(self, truth: bool) -> Iterator[Said]:
        """The remarks beside the answer."""
        return self.question.asides(truth)

    def mechanism(self, level: float) -> AdditiveNoise:
        """The noise that one release of this question needs."""
        noise = self.noise if self.counts() else self.noise.real()
        return noise.at(level, self.question.sensitivity(self.neighbors), self.neighbors)

    @cached_property
    def everybody(self) -> Compared:
        """The values that everybody holds, where people could answer alone."""
        return compared(self.question, self.neighbors, self.delta())

    def reported(self, level: float) -> EstimatedAnswer:
        """The answer as it is estimated without a curator."""
        assert self.alone is not None
        return estimated(self.everybody, self.alone, level)

    def answering(self, level: float) -> NoisyAnswers:
        """The noise of one answer, a curator's or everybody's."""
        return self.mechanism(level) if self.curated() else self.reported(level)

    def released_answer(self, level: float) -> ReleasedNumber | RatioOfReleases | None:
        """The released answer, one number or a mean of two; none without a curator."""
        if not self.curated():
            return None
        return self.released_number(level) if self.single() else self.released_ratio(level)

    def released_number(self, level: float) -> ReleasedNumber:
        """One number, with the noise of its release."""
        return ReleasedNumber(self.mechanism(level), self.question.answer, SURE, self.seed)

    def single(self) -> bool:
        """Whether one release answers the question."""
        return self.question.mean is None

    def divided(self) -> bool:
        """Whether the answer takes two releases and their ratio."""
        return not self.single()

    def counts(self) -> bool:
        """Whether people are counted."""
        return self.question.counts and self.single()

    def lawful(self) -> bool:
        """Whether the law of one answer is known: a release's, or that of an estimated count."""
        return self.single() if self.curated() else self.counts()

    def crowded(self) -> bool:
        """Whether people with one row each are counted, so that a crowd is as large as its table."""
        return self.counts() and self.question.table.each == 1

    def experiment(self, level: float) -> counting.CountingExperiment:
        """A few releases, and the error of many more."""
        return counting.CountingExperiment(
            self.answering(level), self.question.answer, self.question.n, repeats=self.repeats, seed=self.seed
        )

    def law(self, level: float) -> TwoTables | OneEstimate | FromTruth[TwoTablesResult] | FromTruth[OneEstimateResult]:
        """One release, and the two tables that it may have come from; without a curator the law of the estimate."""
        if not self.curated():
            mechanism = self.reported(level)
            assert isinstance(mechanism, EstimatedCount)
            estimate = OneEstimate(mechanism, self.question.answer, self.seed)
            return FromTruth(estimate) if self.away else estimate
        asked = TwoTables(self.mechanism(level), self.question.answer, *self.question.possible, self.seed)
        return FromTruth(asked) if self.away else asked

    def bets(self, level: float) -> Bets | ReportBets:
        """Twenty rounds of the bet on the table behind a release, or on the value of a report's sender."""
        if not self.curated():
            apart = 1.0 if self.counts() else 2 * self.everybody.scale.half
            return ReportBets(self.reported(level), apart, seed=self.seed)
        return Bets(self.mechanism(level), seed=self.seed)

    def released_ratio(self, level: float) -> RatioOfReleases | None:
        """The two releases of a mean over a private number of people, in a picture that stays whatever the level."""
        ratio, mean = self.question.ratio_of_releases(level, self.neighbors, self.seed, self.noise), self.question.mean
        if ratio is None or mean is None:
            return ratio
        width = mean.high - mean.low
        return replace(ratio, reach=min(width / 2, 2 * REACH * width / self.question.n))

    def crowds(self, level: float) -> counting.AgainstUsers | EstimatesInCrowds:
        """The noise of one release in crowds of every size."""
        if not self.curated():
            mechanism = self.reported(level)
            assert isinstance(mechanism, EstimatedCount)
            return EstimatesInCrowds(mechanism)
        return counting.AgainstUsers(self.mechanism(level), self.question.answer, self.question.n)

    def glance(self, level: float) -> Questions:
        """A few releases with their error, and the mean of a thousand, these being the first."""
        released = self.experiment(level)
        averaged = AveragingExperiment(released.mechanism, released.answer, FIRST, self.seed)
        return (FromTruth(released), FromTruth(averaged)) if self.away else (released, averaged)

    def tabled(self, level: float, cells: Cells) -> TablePlan:
        """Whole tables of counts, every cell of them."""
        table = self.question.table
        return TablePlan(
            self.noise.at(level, float(table.each), self.neighbors),
            cells.counts,
            cells.width,
            cells.confidence,
            cells.names,
            cells.columns,
            self.seed,
            table.n,
            cells.page,
        )

    def bounded_sum(self, level: float, own: ChosenBound) -> BoundedSum:
        """An invented sum at its upper bound, which is as far as one record moves it for either kind of neighbors."""
        return BoundedSum(level, own.example, own.bound)

    def afterwards(self, level: float) -> counting.Afterwards:
        """Rounding and clamping a released count; where no people are counted, a count of nobody."""
        each, answer = self.question.table.each, int(self.question.answer) if self.counts() else 0
        noise = self.noise.at(level, float(each), self.neighbors if each == 1 else ADD_REMOVE)
        return counting.Afterwards(noise, answer, self.question.n)

    def widths(self) -> tuple[float, tuple[float, float]]:
        """A telling width in the unit of the answer, and the places of others."""
        return widths(self.question.sensitivity(self.neighbors), 5)

    def wish(self) -> tuple[float, float]:
        """The first width and confidence of a plan."""
        return self.widths()[0], 0.95

    def plan(self, level: float, wanted: tuple[float, float]) -> counting.CountPlan:
        """The level that keeps the noise within a width."""
        noise = self.mechanism(level) if self.curated() else self.reported(level)
        assert isinstance(noise, (AdditiveNoise, EstimatedCount))
        return counting.CountPlan(noise, self.question.n, *wanted)

    def every_level(self, level: float, wanted: tuple[float, float]) -> tuple[counting.ErrorCurve, counting.CountPlan]:
        """The error along all levels, and the level that keeps the noise within a width."""
        grid = counting.level_grid(*LEVELS)
        return counting.ErrorCurve(self.answering(1.0), grid, self.repeats, self.seed), self.plan(level, wanted)

    def comparable(self) -> bool:
        """Whether everybody alone could answer too: in one release, about one row each."""
        return self.single() and self.question.table.each == 1

    def delta(self) -> float:
        """The first δ for a comparison of noises: that of the chosen noise, if it has one."""
        chosen = dict(self.noise.needs).get("delta", 1e-6)
        return float(chosen)

    def errors(self, level: float, delta: float) -> tuple[ErrorsAtLevel, ErrorsAlongLevels]:
        """The error of every mechanism that can answer, at this level and along all."""
        people = replace(self.everybody, delta=delta)
        along = ErrorsAlongLevels(people, counting.level_grid(*LEVELS, POINTS), repeats=self.repeats, seed=self.seed)
        return ErrorsAtLevel(people, level, self.repeats, self.seed), along

    def usual(self, level: float) -> tuple[counting.CountPlan, counting.Afterwards] | tuple[()]:
        """The questions behind the page's tasks: noise of at most five with 95 percent confidence, and a clamped count.

        Without a curator they ask for nothing else.
        """
        if not self.curated():
            return ()
        return self.plan(level, (5.0, 0.95)), self.afterwards(level)

    def first_cells(self) -> Cells:
        """The first cells of a plan, of one column."""
        table = self.question.table
        columns = FirstColumns(table).run()[:1] or table.columns[:1]
        return TableCells.asked(table, columns, self.question.query.where).run()


def of_table(name: str, relation: str, verb: str = "count", who: str = "ready") -> Counting:
    """The first question about a built-in table, or another one about it."""
    table = built_in(name)
    asked = AnsweredQuestion.of(query(table, replace(default(table), verb=verb, who=who)), table, relation)
    return Counting(asked, relation)
