"""One sheet of a workbook as lines of cells between tabs, by a process that does nothing else: `workbooks` starts it.

The first line of what it writes is JSON: the sheets there are, the one that was read, and what is wrong with it.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from itertools import accumulate, islice
from typing import Any
from xml.parsers.expat import ExpatError
from zipfile import BadZipFile

from python_calamine import (
    CalamineError,
    CalamineSheet,
    CalamineWorkbook,
    SheetTypeEnum,
    SheetVisibleEnum,
)

from ldpcore.reading.merged import Row, Span, headed, placed, spread
from ldpcore.reading.opendocument import is_locked, spans_of

TOP = 30  # rows among which names may stand one above the other
LONGEST_NAME = 200  # letters of a sheet's name; Excel allows 31
TOO_LARGE = 3  # how a process ends that may not go on, as `workbooks` has it
_SEPARATING = str.maketrans("\t\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029", " " * 11)


def written(cell: Any) -> str:
    """A cell as text that means the same in every country: 1234.5, 2024-05-01, true."""
    if isinstance(cell, str):
        return (cell if cell.isprintable() else cell.translate(_SEPARATING)).strip()
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
    if is_locked(io.BytesIO(raw)):
        raise PermissionError
    return CalamineWorkbook.from_filelike(io.BytesIO(raw)), spans_of(io.BytesIO(raw))


def visible(book: CalamineWorkbook) -> list[str]:
    """The names of all sheets that people see."""
    return [
        sheet.name
        for sheet in book.sheets_metadata
        if sheet.typ == SheetTypeEnum.WorkSheet and sheet.visible == SheetVisibleEnum.Visible
    ]


def chosen(book: CalamineWorkbook, names: list[str], wanted: str) -> CalamineSheet | None:
    """The sheet that is wanted, or the first that holds two rows."""
    sheet = None
    for name in [name for name in names if name[:LONGEST_NAME] == wanted] or names:
        sheet = book.get_sheet_by_name(name)
        if sheet.height > 1:
            break
    return sheet


def lines(sheet: CalamineSheet, spans: list[Span]) -> Iterator[Row]:
    """The rows of a sheet's table as text, with what its merged cells show; `spans` count from the sheet's first cell.

    calamine's rows begin with the first of the sheet, but their cells with the first column that holds any.
    """
    start = sheet.start or (0, 0)
    here = placed(spans, start, sheet.width)
    rows = spread(([written(cell) for cell in row] for row in islice(sheet.iter_rows(), start[0], None)), here)
    yield from headed(list(islice(rows, TOP)), here)
    yield from rows


def framed(sheet: CalamineSheet, spans: list[Span]) -> Iterator[Row]:
    """The lines without columns that hold nothing; those that are not blank are as wide as the widest below them."""
    unused, ends = set(range(sheet.width)), [0] * (TOP + 1)  # the ends of the first rows, and of the longest other
    for place, row in enumerate(lines(sheet, spans)):
        unused = {column for column in unused if not row[column]}
        end = next((column + 1 for column in reversed(range(len(row))) if row[column]), 0)
        ends[min(place, TOP)] = max(ends[min(place, TOP)], end)
    widest = [*accumulate(reversed(ends), max)][::-1]
    for place, row in enumerate(lines(sheet, spans)):
        kept = row[: widest[min(place, TOP)]]
        yield [cell for column, cell in enumerate(kept) if column not in unused] if any(kept) else []


def limit(memory: int, seconds: int) -> None:
    """Let this process end rather than take more, where the system can."""
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def main() -> None:
    """Write the sheet that the last argument names, or the first, within the limits that the others are."""
    most_sheets, most_cells, room, memory, seconds = map(int, sys.argv[1:6])
    limit(memory, seconds)
    head: dict[str, Any] = {"sheets": [], "count": 0, "sheet": "", "wrong": ""}
    sheet, spans = None, list[Span]()
    try:
        book, merged = opened(sys.stdin.buffer.read())
        names = visible(book)
        head["count"] = len(names)
        if len(names) <= most_sheets and (sheet := chosen(book, names, sys.argv[6])):
            head |= {"sheets": [name[:LONGEST_NAME] for name in names], "sheet": sheet.name[:LONGEST_NAME]}
            spans = sheet.merged_cell_ranges or merged.get(sheet.name, [])
    except PermissionError:
        head["wrong"] = "locked"
    except (CalamineError, BadZipFile, ExpatError, ValueError):
        head["wrong"] = "damaged"
    if head["count"] > most_sheets:
        head["wrong"] = "sheets"
    elif sheet is not None and sheet.height * sheet.width > most_cells:
        head["wrong"] = "large"
    sys.stdout.buffer.write(json.dumps(head).encode() + b"\n")
    if sheet is not None and not head["wrong"]:
        write(sheet, spans, room)


def write(sheet: CalamineSheet, spans: list[Span], room: int) -> None:
    """Write the lines of a sheet, but no more than so many bytes."""
    quoted = str.maketrans({'"': "'"})  # a quote at the beginning of a cell would open it
    for row in framed(sheet, spans):
        room -= sys.stdout.buffer.write("\t".join(row).translate(quoted).encode() + b"\n")
        if room < 0:
            sys.exit(TOO_LARGE)


if __name__ == "__main__":
    try:
        main()
    except MemoryError:
        sys.exit(TOO_LARGE)
