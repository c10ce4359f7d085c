"""One sheet of a workbook as lines of cells between tabs, by a process that does nothing else: `workbooks` starts it.

The first line of what it writes is JSON: the sheets there are, the one that was read, and what is wrong with it.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from itertools import chain, islice
from typing import Any

from python_calamine import (
    CalamineError,
    CalamineSheet,
    CalamineWorkbook,
    PasswordError,
    SheetTypeEnum,
    SheetVisibleEnum,
)

TOP = 30  # rows among which names may stand one above the other
Span = tuple[tuple[int, int], tuple[int, int]]
Cells = list[str]
_SEPARATING = str.maketrans("\t\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029", " " * 11)


def written(cell: Any) -> str:
    """A cell as text that means the same in every country: 1234.5, 2024-05-01, true."""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, datetime):
        return cell.date().isoformat() if cell.time() == time() else cell.isoformat(" ", "seconds")
    if isinstance(cell, (date, time)):
        return cell.isoformat()
    if isinstance(cell, timedelta):
        return repr(cell.total_seconds())
    return str(cell).translate(_SEPARATING).strip()


def chosen(book: CalamineWorkbook, wanted: str) -> tuple[list[str], CalamineSheet | None]:
    """The names of all sheets that people see, and the wanted one or the first that holds two rows."""
    names = [
        sheet.name
        for sheet in book.sheets_metadata
        if sheet.typ == SheetTypeEnum.WorkSheet and sheet.visible == SheetVisibleEnum.Visible
    ]
    sheet = None
    for name in [wanted] if wanted in names else names:
        sheet = book.get_sheet_by_name(name)
        if sheet.height > 1:
            break
    return names, sheet


def joined(top: list[Cells], spans: list[Span]) -> list[Cells]:
    """Names that stand one above the other become one: 2023 above women and men is "2023 · women", "2023 · men".

    A cell over several columns heads them where the row below names each; over all of them it is a title.
    """
    for row, below in zip(range(len(top)), range(1, len(top)), strict=False):
        wide = [(first, last) for first, last in spans if first[0] == last[0] == row and first[1] < last[1]]
        if not wide or sum(map(bool, top[row])) < 2 or sum(map(bool, top[below])) < sum(map(bool, top[row])):
            continue
        for first, last in wide:
            for column in range(first[1], last[1] + 1):
                top[row][column] = top[row][first[1]]
        pairs = zip(top[row], top[below], strict=True)
        top[below] = [" · ".join(dict.fromkeys(filter(None, pair))) for pair in pairs]
        top[row] = [""] * len(top[row])
        break
    return top


def filled(rows: Iterator[Cells], spans: list[Span]) -> Iterator[Cells]:
    """A cell over several rows stands in each of them: a department beside all of its people."""
    high = [(first, last) for first, last in spans if first[0] < last[0] and first[1] == last[1]]
    starts = {first: last[0] for first, last in high}
    held: dict[int, tuple[int, str]] = {}
    columns = {first[1] for first, _ in high}
    for place, row in enumerate(rows):
        for column in columns:
            if (last := starts.get((place, column))) is not None:
                held[column] = last, row[column]
            elif column in held and place <= held[column][0] and not row[column]:
                row[column] = held[column][1]
        yield row


def lines(sheet: CalamineSheet) -> Iterator[Cells]:
    """The rows of a sheet as text, without columns that hold nothing at all."""
    spans = list(sheet.merged_cell_ranges or ())
    rows = ([written(cell) for cell in row] for row in sheet.iter_rows())
    top = joined(list(islice(rows, TOP)), spans)
    every = list(filled(chain(top, rows), spans))
    used = [any(column) for column in zip(*every, strict=True)]
    for row in every:
        yield [cell for cell, some in zip(row, used, strict=True) if some]


def limit(memory: int, seconds: int) -> None:
    """Let this process end rather than take more, where the system can."""
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def main() -> None:
    """Write the sheet that the last argument names, or the first; the others limit cells, bytes, memory and time."""
    most_cells, room, memory, seconds = map(int, sys.argv[1:5])
    limit(memory, seconds)
    out = sys.stdout.buffer
    head: dict[str, Any] = {"sheets": [], "sheet": "", "wrong": ""}
    sheet = None
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(sys.stdin.buffer.read()))
        head["sheets"], sheet = chosen(book, sys.argv[5])
    except PasswordError:
        head["wrong"] = "locked"
    except CalamineError:
        head["wrong"] = "damaged"
    if sheet is not None:
        head["sheet"] = sheet.name
        if sheet.total_height * sheet.total_width > most_cells:
            head["wrong"] = "large"
    out.write(json.dumps(head).encode() + b"\n")
    if sheet is not None and not head["wrong"]:
        quoted = str.maketrans({'"': "'"})  # a quote at the beginning of a cell would open it
        for row in lines(sheet):
            room -= out.write(("\t".join(row).translate(quoted).rstrip("\t") if any(row) else "").encode() + b"\n")
            if room < 0:
                sys.exit(3)  # too large


if __name__ == "__main__":
    main()
