"""The reader's settings on the page about vectors, and the question of each of its views."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from explorer.facts import Exact, Name, Said
from explorer.settings.numbers import cut, telling
from explorer.settings.questions import bounds
from explorer.settings.recipes import CallRecipe, Made
from explorer.settings.remarks import Remarked
from ldpcore.experiments import vectors
from ldpcore.experiments.named import Named
from ldpcore.parameters import ParameterError
from ldpcore.people.rows import NumberRows
from ldpcore.people.scales import PublicScale
from ldpcore.questions import Progress, Question, no_progress
from ldpcore.tables.table import BUILT_IN, built_in, shortened

if TYPE_CHECKING:
    from ldpcore.tables.table import Table

USUAL, CROWD = 10, 5000  # questions and people
MOST_COLUMNS = 8
PEOPLE = ("opposite", "one", "middle")  # possible senders of a corner beside a person with all answers at the top


@dataclass(frozen=True)
class TableRows(Question[NumberRows | None]):
    """Several columns of a table, each between public bounds; None where nobody has a number in all of them."""

    table: Table = field(repr=False)
    columns: tuple[str, ...]
    ends: tuple[tuple[float, float], ...]

    def run(self, progress: Progress = no_progress) -> NumberRows | None:
        """The rows without a gap; the others are counted."""
        scales = [PublicScale(low, high) for low, high in self.ends]
        try:
            return NumberRows.of([self.table.numbers(name) for name in self.columns], scales)
        except ParameterError:
            return None


@dataclass(frozen=True)
class Columns(Made, Remarked):
    """The numbers of all people in several columns, the columns' names, and their source."""

    rows: NumberRows
    names: tuple[str, ...] = ()
    old: tuple[bool, ...] = ()  # the columns whose newly typed bounds cannot be used
    read: TableRows | None = field(default=None, repr=False, compare=False)

    def recipe(self) -> CallRecipe | None:
        """The recipe by which the columns are read again."""
        read = self.read
        return None if read is None else CallRecipe(Columns.of, (read.table, read.columns, read.ends))

    @classmethod
    def of(cls, table: Table, names: Sequence[str], ends: Sequence[tuple[float, float]] = ()) -> Columns | None:
        """Columns between bounds, the usual ones if none are named; None where nobody has all the numbers."""
        chosen = ends or [usual_bounds(table, name) for name in names]
        read = TableRows(table, tuple(names), tuple(chosen))
        rows = read.run()
        return None if rows is None else cls(rows, tuple(shortened(table.head(name), 24) for name in names), read=read)

    def asides(self, truth: bool) -> Iterator[Said]:
        """The remarks beside the answer: bounds that are no longer the typed ones, and those that move a mean far."""
        for scale, old in zip(self.rows.scales, self.old, strict=False):
            if old:
                yield Said.of("asking.old_bounds", low=Exact(scale.low), high=Exact(scale.high))
        for name, clipping in zip(self.names, self.rows.clippings, strict=False):
            if truth and telling(clipping):
                yield Said.of("asking.cut_mean_of", column=Name(name), **cut(clipping))


def usual_bounds(table: Table, column: str) -> tuple[float, float]:
    """Round bounds that are proposed for a column."""
    low, high = bounds(table, column)
    return float(low), float(high)


def usual_columns(table: Table) -> Columns:
    """The first columns of numbers; invented people where there are none."""
    names = table.of_kind("number")[:MOST_COLUMNS]
    return (Columns.of(table, names) if names else None) or invented()


def invented() -> Columns:
    """Four questions to made-up people."""
    return Columns(NumberRows.invented(4, CROWD))


@dataclass(frozen=True)
class VectorsSettings:
    """The number of questions, of people, the method (the level is the handle's), the confidence, the seed."""

    d: int = USUAL
    n: int = CROWD
    method: str = "sampled"
    confidence: float = 0.95
    seed: int = 1

    def questions(self, level: float) -> vectors.AgainstDimension:
        """The error against the number of questions, as lines: the subject of every view."""
        return vectors.AgainstDimension(level, self.d, self.n, 0, self.seed)

    def dimensions(self, level: float) -> vectors.AgainstDimension:
        """The error against the number of questions, with simulated crowds on the lines."""
        return vectors.AgainstDimension(level, self.d, self.n, seed=self.seed)

    def corners(self, level: float, asked: tuple[int, str, str]) -> Named:
        """The probability of every corner, from two people."""
        d, rule, other = asked
        second = {"opposite": (-1.0,) * 3, "one": (-1.0, 1.0, 1.0), "middle": (0.0,) * 3}[other]
        return Named(vectors.Corners(level, d, rule, second=second, seed=self.seed), (other,))

    def first_columns(self) -> Columns:
        """The columns that are asked about at first, of the first built-in table."""
        return usual_columns(built_in(BUILT_IN[0]))

    def table(self, level: float, columns: Columns) -> Named:
        """Several columns at once."""
        question = vectors.VectorSurvey(level, columns.rows, self.method, self.confidence, self.seed)
        return Named(question, columns.names)

    def plan(self, level: float, width: float) -> vectors.VectorPlan:
        """The level, or the people, that bring all means within a width."""
        return vectors.VectorPlan(level, self.d, self.n, width, self.confidence)
