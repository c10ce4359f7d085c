"""A column of a reader's file as values: numbers where bounds are given, else what its cells look like."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldpcore.library.refused import LibraryRefusal
from ldpcore.reading.dialects import Opened, Understood, read_table
from ldpcore.reading.readings import Reading
from ldpcore.tables.table import Table, label, shortened


@dataclass(frozen=True)
class ColumnValues:
    """The values of a column without its gaps, and how many gaps there are."""

    values: Any
    gaps: int
    numeric: bool


def column_values(raw: bytes, name: str, column: str, numeric: bool, missing: Sequence[str]) -> ColumnValues:
    """The values of a column; `numeric` refuses cells that are no numbers, and those that read `missing` are gaps."""
    table, understood = read_table(raw, name)
    kind = table.kind(column)
    held = table.cells(column)
    present = ~table.empty(column) & ~_read_as(held, kind == "number", missing)
    if numeric and kind == "number" and table.empty(column).any():
        _refuse_endless(raw, name, table, understood, column, missing)
    if kind == "number" or not numeric:
        values = table.numbers(column) if kind == "number" else held
        return ColumnValues(values[present], int((~present).sum()), kind == "number")
    reading = replace(understood.reading, kinds=((column, "number"),))
    numbers = read_table(raw, name, reading)[0].numbers(column)
    if (wrong := np.flatnonzero(present & np.isnan(numbers))).size:
        row = int(wrong[0])
        raise _no_number(raw, table, understood, column, row, label(held[row]))
    return ColumnValues(numbers[present], int((~present).sum()), True)


def _refuse_endless(
    raw: bytes, name: str, table: Table, understood: Understood, column: str, missing: Sequence[str]
) -> None:
    """Refuse a number without end, which a table takes for no number at all, unless it reads `missing`."""
    as_written = replace(understood.reading, kinds=((column, "category"),))
    cells = [label(cell) for cell in read_table(raw, name, as_written)[0].cells(column).tolist()]
    endless = (row for row, cell in enumerate(cells) if cell not in missing and _is_endless(cell))
    if (row := next(endless, None)) is not None:
        raise _no_number(raw, table, understood, column, row, cells[row])


def _is_endless(cell: str) -> bool:
    """Whether a cell reads as an infinite number, such as `inf` or 1e999."""
    try:
        return math.isinf(float(cell))
    except ValueError:
        return False


def _read_as(held: NDArray[Any], numbers: bool, missing: Sequence[str]) -> NDArray[np.bool_]:
    """Whether each cell reads as one of these words."""
    if not numbers:
        return np.array([label(cell) in missing for cell in held.tolist()], dtype=bool) if missing else np.array(False)
    codes = [float(word) for word in missing if Reading().is_number(word)]
    return np.asarray(np.isin(held.astype(np.float64), codes))


def _no_number(raw: bytes, table: Table, understood: Understood, column: str, row: int, cell: str) -> LibraryRefusal:
    """The refusal of a cell that is no number, by its line, or by its row where a file has no lines."""
    line = _line_of(Opened.of(raw, table.name, understood.reading.sheet), understood, row, cell)
    where = f"row {row + 1}" if line is None else f"line {line}"
    file, name = shortened(table.name), shortened(column)
    return LibraryRefusal("table_cell", where=where, file=file, column=name, got=shortened(cell))


def _line_of(opened: Opened, understood: Understood, row: int, cell: str) -> int | None:
    """The line of a text file in which a row ends that holds this cell; none where it cannot be told for certain."""
    reading = understood.reading
    if understood.sheets or reading.separator == " ":
        return None
    above = opened.content[: opened.start].decode(opened.encoding, "replace").splitlines()
    text = opened.content[opened.start :].decode(opened.encoding, "replace")
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=reading.separator, quotechar=reading.quote)
    rows = ((lines.line_num, cells) for cells in lines if any(each.strip() for each in cells))
    names = reading.name_lines if reading.header else 0
    below = ((line, cells) for line, cells in rows if line > reading.skip)
    for place, (line, cells) in enumerate(below, start=-names):
        if place == row:
            return len(above) + line if cell in [each.strip() for each in cells] else None
    return None
