"""The expected columns of a file: names, kinds and first rows, from its beginning and a reading."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from ldpcore.reading.files import MEGABYTE, beginning
from ldpcore.reading.namelines import joined_names
from ldpcore.reading.readings import (
    DATES,
    MISSING,
    ONE_BYTE_ENDS,
    Reading,
    header_in_doubt,
    is_date,
    kind_of,
    number_in_doubt,
    split,
    unique_names,
)
from ldpcore.tables.table import ColumnKind, TableError, shortened

MOST_COLUMNS = 2000
NAMED = ",;\t|:!#$%&*/@^_~ "  # what a first line may name: no letter, no digit, no mark of a number


@dataclass(frozen=True)
class Expected:
    """A column as its first cells look; `wanted` where the reading overrules them, `form` how dates are written.

    `ascii` where no other digits than 0 to 9 stand in its first cells.
    """

    name: str
    kind: ColumnKind
    form: str = ""
    wanted: bool = False
    ascii: bool = True


@dataclass(frozen=True)
class Layout:
    """The expected columns, the first rows as they stand in the file, and how many names had to be changed.

    `doubtful` where the first line may just as well hold names as people, and `number_in_doubt` a number whose mark may
    part thousands or decimals, so that their reader must be asked.
    """

    columns: tuple[Expected, ...]
    first: tuple[tuple[str, ...], ...]
    renamed: int
    doubtful: bool = False
    number_in_doubt: str = ""

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.columns)


def announced(content: bytes, encoding: str) -> tuple[int, str]:
    """The start of the table, and the separator named in Excel's first line `sep=;` if there is one.

    Only marks of ASCII separate; a line that names another is passed over, and the separator is guessed.
    """
    if encoding in ONE_BYTE_ENDS:
        line = content[:16].removeprefix(b"\xef\xbb\xbf").split(b"\n")[0].rstrip(b"\r").strip(b'"')
        if len(line) == 5 and line.startswith(b"sep=") and b"\n" in content:
            mark = chr(line[4])
            return content.index(b"\n") + 1, mark if mark in NAMED else ""
    return 0, ""


def below(content: bytes, start: int, reading: Reading) -> int:
    """The start of the table below the lines that are no part of it."""
    for _ in range(reading.skip if reading.encoding in ONE_BYTE_ENDS else 0):
        end = content.find(b"\n", start)
        if end < 0:
            break
        start = end + 1
    return start


def laid_out(
    content: bytes, start: int, name: str, reading: Reading, without: Container[int] = (), typed: bool = False
) -> Layout:
    """The layout of a file under a reading, as the rows `without` some tell it; a file without a row is refused.

    The numbers of a `typed` file are none that may be a thousand times as large.
    """
    try:
        text = beginning(content[start : start + MEGABYTE], reading.encoding)
    except (LookupError, UnicodeError):
        raise wrong_encoding(name, reading) from None
    if "\n" not in text and len(content) - start > len(text):
        refuse_wide_line(content[start:], name, reading)
    rows = split(text, reading.separator, reading.quote)
    named = reading.name_lines if reading.header else 0
    if len(rows) <= named:
        raise without_rows(name)
    header = joined_names(rows[:named]) if named else []
    body = [row for place, row in enumerate(rows[named:]) if place not in without] or rows[named:]
    # The parser settles the width by the first row; a later one that is longer is an error with its line number.
    width = max(len(header), len(body[0]))
    if width > MOST_COLUMNS:
        raise too_many_columns(name, width)
    given = completed(header, body, width)
    names = unique_names(given)
    columns = [expected(used, [row[i] for row in body if i < len(row)], reading) for i, used in enumerate(names)]
    renamed = sum(one != two for one, two in zip(given, names, strict=True)) if reading.header else 0
    first, doubtful = tuple(tuple(row) for row in body[:5]), named < 2 and header_in_doubt(rows, reading)
    numbers = [row[i] for i, column in enumerate(columns) if column.kind == "number" for row in body if i < len(row)]
    return Layout(tuple(columns), first, renamed, doubtful, "" if typed else number_in_doubt(numbers, reading))


def refuse_wide_line(content: bytes, name: str, reading: Reading) -> None:
    """Count the columns of a first line that goes on beyond all that is looked at first."""
    ends = [place for mark in (b"\n", b"\r") if (place := content.find(mark)) >= 0]
    line = content[: min(ends, default=len(content))]
    width = line.count(reading.separator.encode(reading.encoding)) + 1
    if width > MOST_COLUMNS:
        raise too_many_columns(name, width)


def too_many_columns(name: str, width: int) -> TableError:
    """The refusal of a table that is too wide."""
    return TableError("file_wide", file=shortened(name), columns=width, most=MOST_COLUMNS)


def expected(name: str, cells: Sequence[str], reading: Reading) -> Expected:
    """The expected kind of a column: as its cells look, unless the reading wants it otherwise."""
    kind, form = kind_of(cells, reading)
    wanted = dict(reading.kinds).get(name)
    if wanted == "date" and not form:
        present = [cell for cell in cells if cell not in MISSING]
        form = max(DATES, key=lambda one: sum(is_date(cell, one) for cell in present))
    return Expected(name, wanted or kind, form, wanted is not None, all(map(str.isascii, cells)))


def completed(header: list[str], body: list[list[str]], width: int) -> list[str]:
    """A header as wide as the rows: unnamed row names come first (R writes them so), trailing marks last."""
    short = width - len(header)
    if short == 1 and header and any(len(row) == width and row[-1] for row in body):
        return ["", *header]
    return [*header, *[""] * short]


def wrong_encoding(name: str, reading: Reading) -> TableError:
    """The refusal of bytes that are no text in the encoding chosen."""
    return TableError("file_encoding", file=shortened(name), encoding=reading.encoding)


def without_rows(name: str) -> TableError:
    """The refusal of a file with column names only."""
    return TableError("file_no_rows", file=shortened(name))
