"""A question that was put to a table: its exact answer, and one person's largest effect on it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from explorer.facts import Count as Counted
from explorer.facts import Exact, Facts, Name, Number, Said, Share, Term, precise
from explorer.settings.noises import LAPLACE, ChosenNoise
from explorer.settings.questions import Outcome, Query, TableQuestion, question_fact
from explorer.settings.spacious import spacious
from ldpcore.tables.queries import (
    ADD_REMOVE,
    REPLACE,
    Clamping,
    CountQuery,
    Explanation,
    Mean,
    Sum,
    loss_without_clamping,
)
from ldpcore.tables.table import Table, shortened

if TYPE_CHECKING:
    from ldpcore.experiments.counting.ratios import RatioOfReleases

Scope = Literal["global", "session"]


def table_fact(table: Table) -> Said:
    """The name of a table, or the size of the reader's own."""
    key = "own.title" if table.own else f"parameters.data_{table.name}"
    return Said.of(key, rows=Counted(table.n), columns=Counted(len(table.columns)), n=Counted(table.n))


@dataclass(frozen=True)
class AnsweredQuestion:
    """A question put to a table, its exact answer, and one person's largest effect on it."""

    query: Query
    table: Table = field(repr=False)
    own: bool
    mean: Mean | None = None  # the mean of two releases, the first being `query`
    old: bool = False  # whether something else is typed by now that cannot be asked

    @classmethod
    def of(cls, query: Query, table: Table, neighbors: str) -> AnsweredQuestion:
        """The question; a mean over a private number of people takes two releases, and its sum is the first of them."""
        if isinstance(query, Mean) and not query.direct(neighbors, table.each):
            return cls(query.parts()[0], table, table.own, query)
        return cls(query, table, table.own)

    def fact(self) -> Said:
        """The question in words, of a mean that takes two releases the mean; and the rows of each person that count."""
        return self.of_each(question_fact(self.mean or self.query, self.table))

    def of_each(self, asked: Said) -> Said:
        """The question, and the number of rows per person that count where a column says who."""
        unit = self.table.unit
        return asked if unit is None else Said.of("unit.asked", question=asked, each=Counted(unit.most))

    def data(self) -> Said:
        """The description of the table."""
        return table_fact(self.table)

    def alone(self) -> AnsweredQuestion:
        """The question as it is put to everybody alone: of a mean itself, for the number of answers is public."""
        return self if self.mean is None else AnsweredQuestion(self.mean, self.table, self.own, None, self.old)

    @property
    def alone_too(self) -> bool:
        """Whether everybody alone can answer: each about one row, and a mean about nobody chosen by what is private."""
        asked = self.mean or self.query
        return self.table.each == 1 and not (isinstance(asked, Mean) and asked.where.conditions)

    @property
    def verb(self) -> str:
        """The verb of the question: count, sum or mean."""
        return self.query.verb

    @property
    def counts(self) -> bool:
        """Whether people are counted; sums and means have the unit of their column."""
        return isinstance(self.query, CountQuery)

    @property
    def scope(self) -> Scope:
        """The place where results may be kept: those of an upload stay in its session."""
        return "session" if self.own else "global"

    @cached_property
    def outcome(self) -> Outcome:
        """The exact answer, and the effects of selecting and clamping; only the curator knows it."""
        return TableQuestion(self.query, self.table).run()

    def answered(self, answer: Outcome) -> AnsweredQuestion:
        """The question with an answer that was found already, so that no table is gone through twice."""
        vars(self)["outcome"] = answer
        return self

    @property
    def answer(self) -> float:
        """The exact answer; a whole number for a count."""
        return self.outcome["answer"]

    @property
    def selected(self) -> int:
        """The number of rows that the answer is about."""
        return int(self.outcome["selected"])

    @property
    def n(self) -> int:
        """The number of people in the table."""
        return self.table.n

    @property
    def possible(self) -> tuple[float, float]:
        """The least and the greatest answer that a table with this number of rows can have."""
        if isinstance(self.query, CountQuery):
            return 0.0, float(self.n)
        low, high = self.query.low, self.query.high
        if isinstance(self.query, Mean):
            return low, high
        return min(0.0, self.n * low), max(0.0, self.n * high)

    def known(self) -> Facts:
        """The facts of the question for every text: whether its bounds or missing values change the answer."""
        clamping = self.outcome["clamping"]
        averaged = isinstance(self.mean or self.query, Mean)
        asks = "rows" if self.counts and self.table.each > 1 else "mean" if self.mean else self.verb
        asked: Facts = {"asks": Term(f"asks.{asks}")}
        if clamping is None or not (clamping.mean_bias if averaged else clamping.sum_bias):
            return {**asked, "inside": Term("inside.whole")}
        return {**asked, "inside": Term(f"inside.{'bounds' if clamping.below or clamping.above else 'gaps'}")}

    def asides(self, truth: bool) -> Iterator[Said]:
        """The remarks beside the answer: that it is an old one, its people, the effects of bounds and gaps."""
        if self.old:
            asked = self.mean or self.query
            if isinstance(asked, CountQuery):
                yield Said.of("asking.old", question=self.fact())
            else:
                yield Said.of("asking.old_within", question=self.fact(), low=Exact(asked.low), high=Exact(asked.high))
        if not truth:
            return
        if self.query.where.conditions and self.selected in (0, self.n):
            yield Said.of("asking.nobody_selected" if not self.selected else "asking.all_selected")
        if self.outcome["clamping"] is not None:
            yield from self._changed(self.outcome["clamping"])
        if not isinstance(asked := self.mean or self.query, CountQuery):
            yield from spacious(self.table, asked.column, asked.low, asked.high)

    def _changed(self, clamping: Clamping) -> Iterator[Said]:
        """The remarks on values cut off by the bounds, and on missing ones."""
        averaged, present = isinstance(self.mean or self.query, Mean), clamping.n - clamping.missing
        inside = clamping.clamped_total - clamping.missing * clamping.filled
        size = present if averaged else 1
        if clamping.below or clamping.above:
            whole, bias = clamping.total / size, (inside - clamping.total) / size
            cut = {"moved": Counted(clamping.below + clamping.above), "n": Counted(clamping.n), "bias": Number(bias)}
            if averaged:
                yield Said.of("asking.cut_mean", mean=precise(whole), **cut)
            else:
                share = Share(abs(bias / whole)) if whole else Number(math.inf)
                yield Said.of("asking.cut_sum", total=precise(whole), share=share, **cut)
        if clamping.missing:
            column = Name(shortened(self.table.head((self.mean or self.query).column)))  # type: ignore[union-attr]
            gaps = {"missing": Counted(clamping.missing), "n": Counted(clamping.n), "column": column}
            if averaged and present:
                known = precise(inside / present)
                yield Said.of("asking.gaps_mean", filled=Number(clamping.filled), known=known, **gaps)
            else:
                yield Said.of("asking.gaps_sum", filled=Number(clamping.filled), **gaps)

    def guessed(self, neighbors: str, twice: bool = False) -> str:
        """The subject of the attacker's guess at the level itself: a person, or whether they took `part`.

        Where a person more or less makes two tables neighbors, one who is replaced is two steps away, and so is one who
        leaves a cell for another (`twice`), or whose value goes from one end of a sum's bounds to the other side of
        nothing: e^{2ε}. A mean that takes two releases is none of these.
        """
        sums = self.mean is None and isinstance(self.query, Sum) and self.query.low < 0 < self.query.high
        return "part" if (twice or sums) and neighbors == ADD_REMOVE else "person"

    def direct(self, neighbors: str) -> bool:
        """Whether one release answers the question; a mean over a private number of people is the ratio of two."""
        return not isinstance(self.query, Mean) or self.query.direct(neighbors, self.table.each)

    def sized(self, neighbors: str) -> bool:
        """Whether the number of rows is public: neighbors have equally many people, and each has one row."""
        return neighbors == REPLACE and self.table.each == 1

    def explanation(self, neighbors: str) -> Explanation:
        """The reason of the sensitivity."""
        if isinstance(self.query, Mean):
            return self.query.explanation(neighbors, self.n)
        return self.query.explanation(neighbors, self.table.each)

    def sensitivity(self, neighbors: str) -> float:
        """The sensitivity: one person's largest effect on the answer, over all tables."""
        return self.explanation(neighbors).sensitivity

    def unclamped_loss(self, neighbors: str) -> float:
        """The real loss of this table, in units of ε, if the bounds were assumed and not enforced."""
        if isinstance(self.query, CountQuery) or self.outcome["reach"] is None:
            return 1.0
        low, high = self.outcome["reach"]
        return loss_without_clamping(self.query, low, high, neighbors, self.table.each)

    def ratio_of_releases(
        self, epsilon: float, neighbors: str, seed: int, noise: ChosenNoise = LAPLACE
    ) -> RatioOfReleases | None:
        """The two releases that a mean over a private number of people takes; None where one release answers."""
        if self.mean is None or not self.selected:
            return None
        from ldpcore.experiments.counting.ratios import RatioOfReleases  # of one view

        moved = [part.sensitivity(neighbors, self.table.each) for part in self.mean.parts()]
        both = noise.real().at(epsilon, moved[0], neighbors), noise.at(epsilon, moved[1], neighbors)
        return RatioOfReleases.of(both, self.mean, self.answer, self.selected, seed)


def widths(sensitivity: float, times: float) -> tuple[float, tuple[float, float]]:
    """A multiple of one person's effect, in one digit, and the marks of other widths: in the unit of the answer."""
    unit = float(f"{sensitivity:.0e}")
    return float(f"{times * sensitivity:.0e}"), (unit, 1000 * unit)
