"""One table of a file as lines of cells between tabs, by a process that does nothing else: `workbooks` starts it.

The first line of what it writes is JSON: the tables there are, the one that was read, and what is wrong with it.
"""

from __future__ import annotations

import errno
import io
import json
import sys
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from itertools import accumulate, chain, islice
from typing import Any
from xml.parsers.expat import ExpatError
from zipfile import BadZipFile

from python_calamine import (
    CalamineError,
    CalamineSheet,
    CalamineWorkbook,
    PasswordError,
    SheetTypeEnum,
    SheetVisibleEnum,
)

from ldpcore.processes import limit_memory, limit_processor_time
from ldpcore.reading import formulas, records, webtables
from ldpcore.reading.held import DAMAGED, LONGEST_NAME, TOO_LARGE, ReadFile, UnfitError, one_line
from ldpcore.reading.merged import TOP, CellRow, Span, placed, unmerged
from ldpcore.reading.opendocument import is_locked, spans_of
from ldpcore.reading.repacking import repacked

OLD = b"\xd0\xcf\x11\xe0"  # how a workbook begins that was saved before 2007
LOOKED_AT = 200  # rows that tell whether a sheet holds a table
SHORT, MOST_SHORT, COVERED = 20, 8, 10  # rows of what may be a cover; how many of those; it has less than a tenth


def written(cell: Any) -> str:
    """A cell as text that means the same in every country: 1234.5, 2024-05-01, true."""
    if isinstance(cell, str):
        return one_line(cell)
    if isinstance(cell, bytes):
        return one_line(cell.decode("utf-8", "replace"))
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, datetime):
        return cell.date().isoformat() if cell.time() == time() else cell.isoformat(" ", "seconds")
    if isinstance(cell, (date, time)):
        return cell.isoformat()
    return repr(cell.total_seconds()) if isinstance(cell, timedelta) else str(cell)


def opened(raw: bytes) -> tuple[CalamineWorkbook, dict[str, list[Span]]]:
    """A workbook, and of each sheet the merged cells, where calamine does not tell them."""
    if raw.startswith(OLD):
        return CalamineWorkbook.from_filelike(io.BytesIO(raw)), {}
    if is_locked(io.BytesIO(raw)):
        raise UnfitError("locked")
    raw = repacked(raw)
    return CalamineWorkbook.from_filelike(io.BytesIO(raw)), spans_of(io.BytesIO(raw))


def visible(book: CalamineWorkbook) -> list[str]:
    """The names of all sheets that people see."""
    return [
        sheet.name
        for sheet in book.sheets_metadata
        if sheet.typ == SheetTypeEnum.WorkSheet and sheet.visible == SheetVisibleEnum.Visible
    ]


def chosen(book: CalamineWorkbook, names: list[str], wanted: str) -> CalamineSheet | None:
    """The sheet that is wanted, or the first that holds a table; a short one must not be a cover before a long one."""
    for name in names:
        if name[:LONGEST_NAME] == wanted:
            return book.get_sheet_by_name(name)
    several, tables = list[CalamineSheet](), list[CalamineSheet]()
    for name in names:
        sheet = book.get_sheet_by_name(name)
        several += [sheet] if sheet.height > 1 or not several else []
        if is_table(sheet):
            tables.append(sheet)
            if sheet.height >= SHORT or len(tables) == MOST_SHORT:
                break
    longest = max((sheet.height for sheet in tables), default=0)
    first = next((sheet for sheet in tables if sheet.height * COVERED > longest), None)
    return first or max(several, key=lambda sheet: sheet.height > 1, default=None)


def is_table(sheet: CalamineSheet) -> bool:
    """Whether a sheet looks like people in rows: several cells in most of them, and no labels that end with a colon."""
    rows = [[cell for cell in row if cell != ""] for row in islice(sheet.iter_rows(), LOOKED_AT)]
    rows = [row for row in rows if row]
    if len(rows) < 2:
        return False
    labels = sum(isinstance(row[0], str) and row[0].rstrip().endswith(":") for row in rows)
    if 2 * labels >= len(rows):
        return False
    if sheet.width == 1:  # one column: numbers below a name, and not the lines of a text
        return sum(not isinstance(row[0], str) for row in rows) * 2 >= len(rows)
    return 2 * sum(len(row) > 1 for row in rows) >= len(rows)


def lines(sheet: CalamineSheet, spans: list[Span]) -> Iterator[CellRow]:
    """The rows of a sheet's table as text, with what its merged cells show; `spans` count from the sheet's first cell.

    calamine's rows begin with the first of the sheet, but their cells with the first column that holds any.
    """
    start = sheet.start or (0, 0)
    here = placed(spans, start, sheet.width)
    return unmerged(([written(cell) for cell in row] for row in islice(sheet.iter_rows(), start[0], None)), here)


def framed(sheet: CalamineSheet, spans: list[Span]) -> Iterator[CellRow]:
    """The lines without empty columns; those that are not blank are as wide as the widest below them."""
    unused, ends = set(range(sheet.width)), [0] * (TOP + 1)  # the ends of the first rows, and of the longest other
    for place, row in enumerate(lines(sheet, spans)):
        unused = {column for column in unused if not row[column]}
        end = next((column + 1 for column in reversed(range(len(row))) if row[column]), 0)
        ends[min(place, TOP)] = max(ends[min(place, TOP)], end)
    widest = [*accumulate(reversed(ends), max)][::-1]
    for place, row in enumerate(lines(sheet, spans)):
        kept = row[: widest[min(place, TOP)]]
        yield [cell for column, cell in enumerate(kept) if column not in unused] if any(kept) else []


def held_book(raw: bytes, wanted: str, most_sheets: int, most_cells: int) -> ReadFile:
    """The wanted sheet of a workbook, or the first that holds a table."""
    try:
        book, merged = opened(raw)
        names = visible(book)
        if len(names) > most_sheets:
            raise UnfitError("sheets", len(names))
        sheet = chosen(book, names, wanted)
        if sheet is None:
            raise UnfitError("damaged")
        if sheet.height * sheet.width > most_cells:
            raise UnfitError("large")
        spans = sheet.merged_cell_ranges or merged.get(sheet.name, [])
        unsaved = 0 if raw.startswith(OLD) else formulas.unsaved(raw, sheet.name)
    except PasswordError:
        raise UnfitError("locked") from None
    except (CalamineError, BadZipFile, ExpatError, ValueError):
        raise UnfitError("damaged") from None
    short = tuple(name[:LONGEST_NAME] for name in names)
    return ReadFile(short, sheet.name[:LONGEST_NAME], framed(sheet, spans), unsaved)


def held_text(raw: bytes, kind: str, encoding: str, wanted: str, most: int) -> ReadFile:
    """The wanted table of a web page, or the one of JSON."""
    text = raw.decode(encoding, "replace").lstrip("\ufeff")
    return webtables.held(text, wanted, most) if kind == "html" else records.held(text, most)


def table_of(raw: bytes, kind: str, encoding: str, wanted: str, most_sheets: int, most_cells: int) -> ReadFile:
    """The table of a file of any kind that a process of its own opens."""
    if kind == "book":
        return held_book(raw, wanted, most_sheets, most_cells)
    if encoding:
        return held_text(raw, kind, encoding, wanted, most_cells)
    from ldpcore.reading import columnar  # it loads what takes much memory

    read = {"parquet": columnar.held_parquet, "arrow": columnar.held_arrow, "stata": columnar.held_stata}[kind]
    return read(raw, most_cells, written)


def main() -> None:
    """Write the table that the last argument names, or the first, within the limits that the first arguments are."""
    most_sheets, most_cells, room, memory, seconds = map(int, sys.argv[1:6])
    kind, encoding, wanted = sys.argv[6:9]
    limit_memory(memory)  # where the system can; elsewhere `workbooks` looks at what it takes
    limit_processor_time(seconds)
    head: dict[str, Any] = {"sheets": [], "count": 0, "sheet": "", "wrong": "", "about": "", "unsaved": 0}
    rows: Iterator[CellRow] = iter(())
    try:
        held = table_of(sys.stdin.buffer.read(), kind, encoding, wanted, most_sheets, most_cells)
        head |= {"sheets": held.names, "sheet": held.name, "unsaved": held.unsaved}
        first = next(held.rows, None)  # what is wrong with a file may show only now
        rows = held.rows if first is None else chain([first], held.rows)
    except UnfitError as unfit:
        head |= {"wrong": unfit.wrong, "about": unfit.about, "count": unfit.about}
    except RecursionError:
        head["wrong"] = "damaged"
    sys.stdout.buffer.write(json.dumps(head).encode() + b"\n")
    try:
        write(rows, room)
    except UnfitError as unfit:
        sys.exit(TOO_LARGE if unfit.wrong == "large" else DAMAGED)


def write(rows: Iterator[CellRow], room: int) -> None:
    """Write lines, but no more than `room` bytes."""
    quoted = str.maketrans({'"': "'"})  # a quote at the beginning of a cell would open it
    for row in rows:
        room -= sys.stdout.buffer.write("\t".join(row).translate(quoted).encode("utf-8", "replace") + b"\n")
        if room < 0:
            sys.exit(TOO_LARGE)


def ending(trouble: BaseException) -> int:
    """The exit code after an error: for want of memory, which has several names, or because of the file."""
    wanting = isinstance(trouble, MemoryError) or (isinstance(trouble, OSError) and trouble.errno == errno.ENOMEM)
    if isinstance(trouble, ImportError):  # a library that is there and for which no room was left
        wanting = not isinstance(trouble, ModuleNotFoundError)
    elif isinstance(trouble, RuntimeError):  # a thread for which none was left
        wanting = "thread" in str(trouble)
    return TOO_LARGE if wanting else DAMAGED


if __name__ == "__main__":
    try:
        main()
    except SystemExit:
        raise
    except BaseException as trouble:  # calamine's panics are no exceptions
        sys.exit(ending(trouble))
