"""How a file's text is to be read, guessed from its first lines: separator, header, marks in numbers, dates.

A `Reading` says it all and can be corrected; the guess only proposes one.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice

from ldpcore.tables import Kind, TableError

SEPARATORS: tuple[str, ...] = (",", ";", "\t", "|", " ")
THOUSANDS: tuple[str, ...] = ("", ",", ".", "'", "’", " ", "\u00a0", "\u202f")
MISSING = ("", "NA", "N/A", "n/a", "<NA>", "NaN", "nan", "NULL", "null", "#N/A")
DATES: tuple[str, ...] = (
    "%Y-%m-%d", "%Y/%m/%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y",
    "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%d.%m.%Y %H:%M",
)  # fmt: skip
LOOKED_AT = 1000  # rows


@dataclass(frozen=True)
class Reading:
    """How to read a file. Spaces separate by runs; `kinds` overrule what the cells of a column look like."""

    separator: str = ","
    encoding: str = "utf-8"
    decimal: str = "."
    thousands: str = ""
    header: bool = True
    quote: str = '"'
    month_first: bool = False
    kinds: tuple[tuple[str, Kind], ...] = ()

    def number(self) -> re.Pattern[str]:
        """What a number looks like: 1234.5, 1.234,5 or 1 234,5; also 1e-5 and inf."""
        mark, group = re.escape(self.decimal), re.escape(self.thousands)
        whole = rf"(?:\d{{1,3}}(?:{group}\d{{3}})+|\d+)" if group else r"\d+"
        return re.compile(rf"[+-]?(?:(?:{whole}(?:{mark}\d*)?|{mark}\d+)(?:[eE][+-]?\d+)?|(?i:inf|infinity))", re.ASCII)


def guessed(text: str, encoding: str, separator: str = "") -> Reading:
    """The reading that fits the first lines of a file best; a separator that the file names is taken at its word."""
    separator = separator or separator_of(text)
    rows = split(text, separator)
    body = rows[1:] or rows
    decimal, thousands = notation_of((cell for row in body for cell in row), separator)
    reading = Reading(separator, encoding, decimal, thousands)
    first = [cell for row in rows[:1] for cell in row if cell]
    header = not any(reading.number().fullmatch(cell) or date_format([cell], False) for cell in first)
    slashed = [cell for row in body for cell in row if re.fullmatch(r"\d{1,2}/\d{1,2}/\d{4}", cell)]
    return replace(reading, header=header, month_first=date_format(slashed, False) == "%m/%d/%Y")


def split(text: str, separator: str, quote: str = '"', most: int = LOOKED_AT) -> list[list[str]]:
    """The cells of the first rows, without the spaces around them; empty lines are passed over."""
    if separator == " ":
        text = "\n".join(line.strip(" ") for line in text.split("\n"))
    lines = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=separator,
        quotechar=quote or None,
        quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE,
        skipinitialspace=True,
    )
    try:
        return list(islice(([cell.strip() for cell in row] for row in lines if row), most))
    except csv.Error:
        raise TableError("a quoted cell does not end; close the quote, or read the file without quotes") from None


def separator_of(text: str) -> str:
    """The mark that stands equally often in each line outside quotes and cuts the lines into clean cells."""
    # A quoted cell starts after a separator or at a line's beginning; what it contains must not count.
    masked = re.sub(r'(?:(?<=[,;\t| \n])|^)"(?:[^"]|"")*"', "Q", text[: 1 << 16])
    lines = [line.strip(" ") for line in masked.split("\n") if line.strip()][:200]
    scores = {separator: _score(lines, separator) for separator in SEPARATORS}
    best = max(SEPARATORS, key=lambda separator: scores[separator])
    if scores[best] > 0.5:
        return best
    # One column: any mark that occurs nowhere leaves its cells whole.
    return next((mark for mark in (",", ";", "\t", "|") if mark not in masked), ",")


def _score(lines: list[str], separator: str) -> float:
    cut = [re.split(" +", line) if separator == " " else line.split(separator) for line in lines]
    widths = Counter(map(len, cut))
    width, agreeing = widths.most_common(1)[0] if widths else (1, 0)
    # A first line without the mark: a column of decimal commas under its name is one column.
    if width == 1 or len(cut[0]) == 1 or (separator == " " and not _has_numbers(cut, width)):
        return 0.0
    cells = [cell.strip() for row in cut for cell in row]
    return agreeing / len(cut) * sum(map(_clean, cells)) / len(cells)


def _clean(cell: str) -> bool:
    """Whether a cell shows no trace of another separator: `1,5` is a number, `a;b` is two cells."""
    marked = any(mark in cell for mark in ",;|\t")
    return (not marked and not re.fullmatch(r"\d+ \d+", cell)) or any(
        Reading(decimal=decimal, thousands=thousands).number().fullmatch(cell)
        for decimal, thousands in ((".", ""), (".", ","), (",", ""), (",", "."), (",", " "), (".", " "))
    )


def _has_numbers(cut: list[list[str]], width: int) -> bool:
    """Whether some column below the first line holds numbers: prose has spaces too."""
    body = [row for row in cut[1:] if len(row) == width]
    number = re.compile(r"[+-]?[\d.,]*\d[\d.,]*(?:[eE][+-]?\d+)?|NA|NaN|Q")
    return any(all(number.fullmatch(row[i]) for row in body) for i in range(width)) if body else width > 1


def notation_of(cells: Iterable[str], separator: str) -> tuple[str, str]:
    """The decimal mark and the thousands mark under which most cells are numbers."""
    marked = [cell for cell in cells if re.search(r"\d", cell) and not cell.isdigit()]
    english = [(".", ""), (".", ","), (",", ""), (",", ".")]
    european = [(".", ""), (",", ""), (",", "."), (".", ",")]
    order = english if separator == "," else european
    order += [(mark, group) for group in THOUSANDS[3:] for mark in (".", ",")]
    found = {pair: _numbers(marked, pair) for pair in order}
    return max(order, key=lambda pair: found[pair])


def _numbers(cells: list[str], pair: tuple[str, str]) -> int:
    number = Reading(decimal=pair[0], thousands=pair[1]).number()
    return sum(number.fullmatch(cell) is not None for cell in cells)


def date_format(cells: Sequence[str], month_first: bool) -> str:
    """The one form in which all these cells are dates, or nothing; day before month where both fit."""
    for form in sorted(DATES, key="%m/%d/%Y".__eq__, reverse=month_first):
        if cells and all(is_date(cell, form) for cell in cells):
            return form
    return ""


def is_date(cell: str, form: str) -> bool:
    """Whether a cell is a date of this form."""
    try:
        return len(cell) >= 8 and datetime.strptime(cell, form).year > 0
    except ValueError:
        return False


def kind_of(cells: Sequence[str], reading: Reading) -> tuple[Kind, str]:
    """What a column's cells look like, and the form of its dates. A column without a cell may become anything."""
    present = [cell for cell in cells if cell not in MISSING]
    number = reading.number()
    if all(number.fullmatch(cell) for cell in present):
        # 01234 is a postcode or a key: as a number it would lose its zero.
        return ("category", "") if any(re.fullmatch(r"[+-]?0\d+", cell) for cell in present) else ("number", "")
    if all(cell.lower() in ("true", "false") for cell in present):
        return "truth", ""
    form = date_format(present, reading.month_first)
    return ("date", form) if form else ("category", "")


def unique_names(header: Sequence[str]) -> tuple[str, ...]:
    """Names that are all different: an empty one becomes "column 3", a second "age" becomes "age (2)"."""
    taken: set[str] = {name for name in header if name}
    used: set[str] = set()
    names = []
    for place, given in enumerate(header, start=1):
        first = given or f"column {place}"
        name, again = first, 1
        while name in used or (name != given and name in taken):
            again += 1
            name = f"{first} ({again})"
        used.add(name)
        names.append(name)
    return tuple(names)
