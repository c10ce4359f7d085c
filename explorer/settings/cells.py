"""The cells of a table of counts: of one column, of two crossed, or of several columns each by itself."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.facts import Count, Name, Names, Said
from explorer.settings.cuts import MOST_BARS, Cut, Parted, cells_of, parted
from explorer.settings.recipes import CallRecipe, Made
from explorer.settings.remarks import Remarked
from ldpcore.experiments.counting.tableplan import Cell
from ldpcore.questions import Progress, Question, no_progress
from ldpcore.tables.conditions import Where
from ldpcore.tables.table import Table, shortened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from ldpcore.tables.table import ColumnKind

COLUMN_KINDS: tuple[ColumnKind, ...] = ("category", "truth", "number")
LAYOUTS = ("one", "crossed", "each")
MOST_CELLS = 5000  # of one table
MOST_TABLES = 4
JUDGED = 30  # columns


@dataclass(frozen=True)
class Cells(Made, Remarked):
    """The cells of each table with names and true counts, each table's name, and the wishes about them."""

    names: tuple[tuple[Cell, ...], ...]
    counts: tuple[tuple[int, ...], ...]
    columns: tuple[str, ...] = ()
    width: float = 5.0
    confidence: float = 0.95
    page: int = 1  # of the picture, where there are more cells than it has room for
    nowhere: int = 0  # people who are asked about and have no value in a column
    joined: tuple[tuple[str, bool], ...] = ()  # columns of more values than there can be cells: are these names?
    fixed: bool = False  # whether all cells follow from what the reader has typed
    counted: TableCells | None = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, counted: TableCells, width: float = 5.0, confidence: float = 0.95, page: int = 1) -> Cells:
        """The cells of a table's columns, the wishes about them, and the page that is drawn."""
        return replace(counted.run(), width=width, confidence=confidence, page=page, counted=counted)

    def recipe(self) -> CallRecipe | None:
        """The recipe by which the cells are counted again."""
        counted = self.counted
        return None if counted is None else CallRecipe(Cells.of, self._asked(counted))

    def _asked(self, counted: TableCells) -> tuple[Any, ...]:
        """The arguments, as `of` takes them."""
        return counted, self.width, self.confidence, self.page

    def asides(self, truth: bool) -> Iterator[Said]:
        """The remarks beside the answer: cells that are not protected, and people who are in none."""
        if not self.fixed:
            yield Said.of("asking.listed")
        for name, of_people in self.joined:
            key = "asking.names" if of_people else "asking.joined"
            yield Said.of(key, column=Name(name), most=Count(MOST_BARS - 1 if of_people else MOST_CELLS))
        if truth and self.nowhere:
            yield Said.of("asking.nowhere", missing=Count(self.nowhere), columns=Names(self.columns))


@dataclass(frozen=True)
class FirstColumns(Question[tuple[str, ...]]):
    """The columns of few values first, one of which is a table that a stranger reads; looked up once for each table."""

    table: Table

    def run(self, progress: Progress = no_progress) -> tuple[str, ...]:
        """The columns of more than two values before those of yes or no; columns after thirty keep their order."""
        options = self.table.of_kind(*COLUMN_KINDS)
        sizes = {name: self.table.distinct(name) for name in options[:JUDGED]}
        few = [name for name, size in sizes.items() if 2 <= size <= MOST_BARS and size < self.table.n / 2]
        telling = [name for name in few if sizes[name] > 2]
        return tuple(dict.fromkeys((*telling, *few, *options)))


def names_people(table: Table, name: str) -> bool:
    """Whether a column has nearly as many different values as there are people, as names and numbers of accounts."""
    return table.kind(name) != "number" and table.distinct(name) > max(MOST_BARS, table.n / 2)


@dataclass(frozen=True)
class TableCells(Question[Cells]):
    """The cells of some columns, each by itself or the first two crossed, among the people asked about."""

    table: Table
    columns: tuple[str, ...]
    where: Where
    crossed: bool = False
    cuts: tuple[Cut, ...] = ()  # of the columns; none where each value has its own cell
    named: tuple[bool, ...] = ()  # of the columns: whether its values are as good as people's names

    @classmethod
    def asked(
        cls, table: Table, columns: tuple[str, ...], where: Where, crossed: bool = False, cuts: tuple[Cut, ...] = ()
    ) -> TableCells:
        """The question about these columns; one with nearly as many values as people would reveal names and number.

        Which columns these are is a setting from then on, one for whatever table stands in for this one.
        """
        named = tuple(names_people(table, name) for name in columns)
        return cls(table, columns, where, crossed, cuts, named if any(named) else ())

    def cut(self, place: int) -> Cut:
        """The cut of a column."""
        return self.cuts[place] if place < len(self.cuts) else Cut()

    def of_names(self, place: int) -> bool:
        """Whether a column's values are as good as people's names."""
        return place < len(self.named) and self.named[place]

    def run(self, progress: Progress = no_progress) -> Cells:
        """Names and counts of all cells; the columns' names are shortened as a figure shows them."""
        rows = self.where.rows(self.table)
        columns = self._parted()
        if self.crossed:
            one, other = columns
            names: tuple[Cell, ...] = tuple((first, second) for first in one.parts for second in other.parts)
            present = (one.codes >= 0) & (other.codes >= 0)
            codes = np.where(present, one.codes * len(other.parts) + other.codes, -1)
            tables: list[tuple[tuple[Cell, ...], NDArray[np.int64]]] = [(names, codes)]
        else:
            tables = [(tuple((part,) for part in column.parts), column.codes) for column in columns]
        counted = tuple(_counted(codes[rows], len(names)) for names, codes in tables)
        return Cells(
            tuple(names for names, _ in tables),
            counted,
            tuple(shortened(self.table.head(name), 24) for name in self.columns),
            nowhere=int(max(np.count_nonzero(codes[rows] < 0) for _, codes in tables)),
            joined=tuple(
                (shortened(self.table.head(name)), self.of_names(place))
                for place, (name, each) in enumerate(zip(self.columns, columns, strict=True))
                if each.joined
            ),
            fixed=all(self.cut(place).fixed for place in range(len(columns))),
        )

    def _parted(self) -> list[Parted]:
        """The cells of each column; of two that make too many together, the longer one gives way."""
        sizes = [cells_of(self.table, name, self.cut(place)) for place, name in enumerate(self.columns)]
        most = [MOST_CELLS] * len(sizes)
        if self.crossed:
            fair = math.isqrt(MOST_CELLS)
            most = [MOST_CELLS // max(min(other, fair), 1) for other in reversed(sizes)]
        most = [MOST_BARS if self.of_names(place) else cells for place, cells in enumerate(most)]
        named = zip(self.columns, most, strict=True)
        alone = len(self.columns) == 1
        return [parted(self.table, name, self.cut(place), cells, alone) for place, (name, cells) in enumerate(named)]


def _counted(codes: NDArray[np.int64], cells: int) -> tuple[int, ...]:
    """The number of rows in each cell."""
    return tuple(np.bincount(codes[codes >= 0], minlength=cells).tolist())
