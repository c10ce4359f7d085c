"""Which cells a table of counts has: one column, two crossed, or several columns each by itself."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from explorer.facts import Said
from explorer.settings.recipes import Made, Recipe
from explorer.settings.remarks import Remarked
from ldpcore.experiments.counting.tableplan import Cell, Part
from ldpcore.questions import Progress, Question
from ldpcore.tables.conditions import Present, Where
from ldpcore.tables.table import Table, shortened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from ldpcore.tables.table import Kind

KINDS: tuple[Kind, ...] = ("category", "truth", "number")
LAYOUTS = ("one", "crossed", "each")
MOST_BARS = 30  # values of a column that have a cell of their own
FEW_BARS = 6  # where columns are crossed or stand side by side
BINS = 10
MOST_TABLES = 4
JUDGED = 30  # columns


@dataclass(frozen=True)
class Cells(Made, Remarked):
    """Names and true counts of the cells of each table, what each table is called, and what is wished of them."""

    names: tuple[tuple[Cell, ...], ...]
    counts: tuple[tuple[int, ...], ...]
    columns: tuple[str, ...] = ()
    width: float = 5.0
    confidence: float = 0.95
    counted: TableCells | None = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, counted: TableCells, width: float = 5.0, confidence: float = 0.95) -> Cells:
        """The cells of a table's columns, and what is wished of them."""
        return replace(counted.run(), width=width, confidence=confidence, counted=counted)

    def recipe(self) -> Recipe | None:
        """How the cells are counted again."""
        counted = self.counted
        return None if counted is None else Recipe(Cells.of, (counted, self.width, self.confidence))

    def asides(self, truth: bool) -> Iterator[Said]:
        """What must be known beside the answer: which cells there are is not protected."""
        yield Said.of("asking.listed")


@dataclass(frozen=True)
class FirstColumns(Question[tuple[str, ...]]):
    """The columns of few values first, of which one is a table that a stranger reads; looked up once for each table."""

    table: Table

    def run(self, progress: Progress | None = None) -> tuple[str, ...]:
        """More than two values before yes or no; columns behind the first thirty stay in their order."""
        options = self.table.of_kind(*KINDS)
        sizes = {name: self.table.distinct(name) for name in options[:JUDGED]}
        few = [name for name, size in sizes.items() if 2 <= size <= MOST_BARS and size < self.table.n / 2]
        telling = [name for name in few if sizes[name] > 2]
        return tuple(dict.fromkeys((*telling, *few, *options)))


def listed(table: Table, name: str) -> tuple[str, ...]:
    """The first values of a column, numbers by size and others by the alphabet: an order that follows no count."""
    return table.summary(name).first


def edges(table: Table, name: str, bins: int = BINS, most: int = MOST_BARS) -> tuple[float, ...]:
    """Bins between round numbers for a number column of many values; none where each value has its own bar."""
    if table.kind(name) != "number" or table.distinct(name) <= most:
        return ()
    values = table.numbers(name)
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    if not math.isfinite(high - low):
        return tuple(float(edge) for edge in np.linspace(low / bins, high / bins, bins + 1) * bins)  # it overflows
    unit = 10.0 ** math.floor(math.log10(high - low))
    low, high = math.floor(low / unit) * unit, math.ceil(high / unit) * unit
    return tuple(float(edge) for edge in np.linspace(low, high, bins + 1))


@dataclass(frozen=True)
class TableCells(Question[Cells]):
    """The cells of some columns, each by itself or the first two crossed, among those who are asked about."""

    table: Table
    columns: tuple[str, ...]
    where: Where
    crossed: bool = False

    def run(self, progress: Progress | None = None) -> Cells:
        """Names and counts; the columns' names are shortened as a figure shows them."""
        called = tuple(shortened(name, 24) for name in self.columns)
        rows = self.where.rows(self.table)
        if self.crossed:
            one, other = (self._masks(name, FEW_BARS) for name in self.columns[:2])
            names = tuple((first, second) for first in one for second in other)
            counts = tuple(int(np.count_nonzero(a & b & rows)) for a in one.values() for b in other.values())
            return Cells((names,), (counts,), called)
        most = MOST_BARS if len(self.columns) == 1 else 2 * FEW_BARS
        tables = [self._masks(name, most) for name in self.columns]
        counted = tuple(tuple(int(np.count_nonzero(mask & rows)) for mask in cells.values()) for cells in tables)
        return Cells(tuple(tuple((name,) for name in cells) for cells in tables), counted, called)

    def _values(self, name: str, most: int) -> dict[Part, NDArray[np.bool_]]:
        """A cell for each value; of too many, the first by the alphabet have one each, and all others one together."""
        labels = listed(self.table, name)
        own = labels if len(labels) <= most else labels[: most - 1]
        before = f"{shortened(name, 16)} " if self.table.kind(name) == "number" else ""
        masks: dict[Part, NDArray[np.bool_]] = {}
        for text in own:
            part, mask = before + shortened(text, 24), self.table.matches(name, [text])
            masks[part] = masks[part] | mask if part in masks else mask
        if len(own) < len(labels):
            masks[None] = Present(name).rows(self.table) & ~self.table.matches(name, own)
        return masks

    def _masks(self, name: str, most: int) -> dict[Part, NDArray[np.bool_]]:
        """Who is in which cell of a column, by the cell's name; a bare number is told with its column."""
        ends = edges(self.table, name, BINS if most > FEW_BARS else FEW_BARS - 1, most)
        if not ends:
            return self._values(name, most)
        values, last = self.table.numbers(name), ends[-1]
        return {
            (low, high): (values >= low) & ((values <= high) if high == last else (values < high))
            for low, high in pairwise(ends)
        }
