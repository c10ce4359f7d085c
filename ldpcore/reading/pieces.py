"""A file's rows in pieces of bounded size, as pandas reads them; unreadable files are refused in one sentence."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

import pandas as pd

from ldpcore.reading.files import MEGABYTE
from ldpcore.reading.layouts import Expected, without_rows, wrong_encoding
from ldpcore.reading.readings import MISSING, Reading
from ldpcore.tables.table import TableError, shortened

CELLS_AT_ONCE = 1 << 16


def pieces(
    content: bytes, start: int, name: str, reading: Reading, columns: dict[int, Expected], width: int
) -> Iterator[tuple[pd.DataFrame, float]]:
    """The rows of the wanted columns in frames of bounded size, each with the share of the file that has been read."""
    stream = io.BytesIO(content)
    stream.seek(start)
    options: dict[str, Any] = {
        "sep": r"\s+" if reading.separator == " " else reading.separator,
        "encoding": reading.encoding,
        "decimal": reading.decimal,
        "header": reading.name_lines - 1 if reading.header else None,
        "names": list(range(width)),
        "usecols": list(columns) if len(columns) < width else None,
        "dtype": {i: str for i, column in columns.items() if not parsed_in_c(column, reading)},
        "keep_default_na": False,
        "na_values": list(MISSING),
        "skipinitialspace": True,
        "chunksize": rows_at_once(content, start, width),
        "low_memory": False,
        "engine": "c",
        "quotechar": reading.quote or None,
        "quoting": csv.QUOTE_MINIMAL if reading.quote else csv.QUOTE_NONE,
    }
    try:
        with pd.read_csv(stream, **options) as reader:
            for piece in reader:
                if not isinstance(piece.index, pd.RangeIndex):
                    raise TableError("line_longer", file=shortened(name), width=width)
                yield piece, stream.tell() / len(content)
    except pd.errors.EmptyDataError:
        raise without_rows(name) from None
    except pd.errors.ParserError as trouble:
        raise _unreadable(name, width, str(trouble)) from None
    except (UnicodeError, LookupError):
        raise wrong_encoding(name, reading) from None
    except ValueError:  # what the parser says of marks that it cannot use
        raise _unreadable(name, width, "") from None


def rows_at_once(content: bytes, start: int, width: int) -> int:
    """The number of rows whose cells and, where these are long, letters take little memory on the way."""
    lines = content.count(b"\n", start, start + MEGABYTE) + 1
    length = min(len(content) - start, MEGABYTE) / lines
    return max(min(CELLS_AT_ONCE // width, int(MEGABYTE / max(length, 1))), 256)


def parsed_in_c(column: Expected, reading: Reading) -> bool:
    """Whether the parser itself reads this column: numbers in the digits 0 to 9 without thousands marks."""
    plain = not (reading.thousands or reading.signs or reading.leave_out)  # words may stand in the rows left out
    return plain and column.kind == "number" and column.ascii and not column.wanted


def _unreadable(name: str, width: int, trouble: str) -> TableError:
    """The refusal that words what the parser reports."""
    numbers = [int(word) for word in trouble.replace(",", " ").split() if word.isdigit()]
    file = shortened(name)
    if "EOF inside string" in trouble and numbers:
        return TableError("quote_open", file=file, row=numbers[-1] + 1)
    if "Expected" in trouble and len(numbers) == 3:
        return TableError("line_cells", file=file, line=numbers[1], cells=numbers[2], width=width)
    return TableError("file_unreadable", file=file)
