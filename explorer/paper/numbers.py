"""The numbers of a picture as files for spreadsheets and programs.

For a spreadsheet as it is set up in the reader's language, for a program as plain CSV whose first line names the
columns, and for large tables by columns (Parquet). The source stands below, beside (`origin`) or inside; a note that
they are for the room alone stands in every file itself.
"""

from __future__ import annotations

import csv
import io
import json
import unicodedata
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

_COMMANDS = ("=", "+", "-", "@")  # with these a spreadsheet begins a formula
_UNSEEN = ("Cc", "Cf")  # control signs, and signs without width
LARGE = 1000  # rows: from here on Parquet is offered too
_BORN = (1980, 1, 1, 0, 0, 0)  # when each file in an archive was made: the same numbers are the same file

SheetRows = Sequence[Sequence[object]]


@dataclass(frozen=True)
class NumbersSource:
    """The source of the numbers, term by term; the warning before them, and the column above which it stands."""

    lines: tuple[tuple[str, str], ...]
    warning: str = ""
    head: str = ""


def cell(value: Any) -> Any:
    """Text that a spreadsheet would run as a formula gets a quote in front; numbers are untouched.

    Spreadsheets look behind blanks and invisible signs, and read the wide forms of East Asian keyboards likewise.
    """
    if isinstance(value, str):
        seen = unicodedata.normalize("NFKC", value)
        start = next((sign for sign in seen if not sign.isspace() and unicodedata.category(sign) not in _UNSEEN), "")
        return "'" + value if start in _COMMANDS or seen.startswith(("\t", "\r", "\n")) else value
    value = value.item() if isinstance(value, np.generic) else value
    return "" if value is None else value


def _lines(rows: Iterable[Sequence[Any]], separator: str = ",") -> str:
    target = io.StringIO()
    csv.writer(target, delimiter=separator).writerows(rows)
    return target.getvalue()


def to_csv(rows: SheetRows) -> str:
    """Rows as CSV for programs: names first, point and comma, and rows alone."""
    return _lines([cell(value) for value in row] for row in rows)


def program(rows: SheetRows, source: NumbersSource) -> str:
    """CSV for programs; a warning is a column of its own."""
    return to_csv(_warned(rows, source))


def _warned(rows: SheetRows, source: NumbersSource) -> SheetRows:
    if not source.warning:
        return rows
    return [[*row, source.warning if place else source.head] for place, row in enumerate(rows)]


def spreadsheet(rows: SheetRows, source: NumbersSource, decimal: str) -> str:
    """CSV as a spreadsheet in the reader's language opens it by itself: marked as Unicode, with its decimal mark.

    Below the table, after an empty row, stands the source.
    """
    separator = ";" if decimal == "," else ","
    above = [[source.warning], []] if source.warning else []
    table = [[_local(cell(value), decimal) for value in row] for row in rows]
    below = [[cell(part) for part in line] for line in source.lines]
    return "\ufeff" + _lines([*above, *table, [], *below], separator)


def _local(value: Any, decimal: str) -> Any:
    return repr(value).replace(".", decimal) if isinstance(value, float) else value


def origin(source: NumbersSource) -> str:
    """The source of the numbers, as a file beside them."""
    first = {source.head: source.warning} if source.warning else {}
    return json.dumps(first | dict(source.lines), ensure_ascii=False, indent=2) + "\n"


def parquet(rows: SheetRows, source: NumbersSource) -> bytes:
    """The columns as Parquet, of numbers where all of them are; the source is in the file's own metadata."""
    import pyarrow as pa  # only here: no page needs it to be shown
    import pyarrow.parquet

    head, *body = _warned(rows, source)
    names = _unlike([str(name) for name in head])
    columns = {name: _column([row[place] for row in body]) for place, name in enumerate(names)}
    table = pa.table(columns).replace_schema_metadata({"origin": origin(source)})
    target = pa.BufferOutputStream()
    pa.parquet.write_table(table, target)
    return bytes(target.getvalue().to_pybytes())


def _column(values: Sequence[Any]) -> list[Any]:
    plain = [value.item() if isinstance(value, np.generic) else value for value in values]
    kinds = {type(value) for value in plain if value is not None}
    if kinds <= {int, float}:
        return [float(value) if float in kinds and value is not None else value for value in plain]
    return [value if value is None else str(value) for value in plain]


def _unlike(names: Sequence[str]) -> list[str]:
    """Names made unlike each other."""
    unlike: list[str] = []
    for name in names:
        others = (f"{name} {place}" for place in range(2, len(names) + 2))
        unlike.append(next(each for each in (name, *others) if each not in unlike))
    return unlike


def packed(files: Mapping[str, str | bytes]) -> bytes:
    """Several files in one archive."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, _BORN), content, zipfile.ZIP_DEFLATED)
    return target.getvalue()
