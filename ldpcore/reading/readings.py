"""The reading of a file's text, guessed from its first lines: separator, header, marks in numbers, dates.

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
from functools import lru_cache
from itertools import islice

from ldpcore.reading.namelines import lines_of_names
from ldpcore.tables.table import ColumnKind, TableError

SEPARATORS: tuple[str, ...] = (",", ";", "\t", "|", " ")
THOUSANDS: tuple[str, ...] = ("", ",", ".", "'", "’", " ", "\u00a0", "\u202f")
MISSING = ("", "NA", "N/A", "n/a", "<NA>", "NaN", "nan", "NULL", "null", "#N/A")
DATES: tuple[str, ...] = (
    "%Y-%m-%d",
    "%Y/%m/%d",
    "%d.%m.%Y",
    "%d/%m/%Y",
    "%m/%d/%Y",
    "%d-%m-%Y",
    "%Y-%m-%d %H:%M",
    "%Y-%m-%d %H:%M:%S",
    "%Y-%m-%dT%H:%M:%S",
    "%d.%m.%Y %H:%M",
)
LOOKED_AT = 1000  # rows
LONGEST_NUMBER = 400  # letters; a cell that is longer is text, and no pattern looks at it
LONGEST_DATE = 40
ONE_BYTE_ENDS = ("utf-8", "cp1252", "latin-1")  # encodings in which a line ends with one byte
LONGEST_CELL = csv.field_size_limit()  # 131 072 letters, the limit of Python's own reader of such files
# Each pattern goes through what it looks at once, whatever that is.
SLASHED = re.compile(r"\d{1,2}/\d{1,2}/\d{4}")
# A quoted cell starts after a separator or at a line's beginning.
QUOTED = re.compile(r'(?:(?<=[,;\t| \n])|^)"[^"]*+(?:""[^"]*+)*+"')
SIGN = r"(?:[€$£¥₹%٪﷼]|CHF|EUR|USD|GBP|SEK|NOK|DKK|kr|zł|Fr|ریال|تومان)"
SIGNS = re.compile(rf"^{SIGN}[ \u00a0\u202f]?|[ \u00a0\u202f]?{SIGN}$")  # before a number, or behind it
PLAINLY = frozenset({"true", "false", "wahr", "falsch", "vrai", "faux"})  # as programs write what is so or not
TRUTHS = {  # words for yes and for no, in small letters
    **dict.fromkeys(("true", "wahr", "vrai", "yes", "ja", "oui", "sí", "y", "j", "1", "بله"), True),
    **dict.fromkeys(("false", "falsch", "faux", "no", "nein", "non", "n", "0", "خیر"), False),
}
TITLES = 30  # lines that may stand above a table
ROUGHLY_A_NUMBER = re.compile(r"[+-]?[.,\u066b]*+\d[\d.,\u066b\u066c]*+(?:[eE][+-]?\d++)?+|NA|NaN|Q")
DIGIT = "[0-9\u0660-\u0669\u06f0-\u06f9]"  # Latin, Arabic and Persian
ARABIC_DECIMAL, ARABIC_THOUSANDS = "\u066b", "\u066c"  # the marks of the last two, which mean nothing else
ZEROS = "0\u0660\u06f0"


@dataclass(frozen=True)
class Reading:
    """The settings to read a file. Spaces separate by runs; `kinds` overrule what the cells of a column look like.

    `skip` lines stand above the table, `signs` of money or per cent beside its numbers; a workbook has a `sheet`. Names
    stand in `name_lines` lines, one above the other; `leave_out` what looks like totals, notes and empty rows.
    """

    separator: str = ","
    encoding: str = "utf-8"
    decimal: str = "."
    thousands: str = ""
    header: bool = True
    quote: str = '"'
    month_first: bool = False
    kinds: tuple[tuple[str, ColumnKind], ...] = ()
    skip: int = 0
    signs: bool = False
    sheet: str = ""
    name_lines: int = 1
    leave_out: bool = False

    def number(self) -> re.Pattern[str]:
        """The pattern of a number: 1234.5, 1.234,5 or 1 234,5; also 1e-5 and inf. `is_number` limits its length.

        The digits may be Persian or Arabic; their own two marks mean the same whatever the others do.
        """
        return number_pattern(self.decimal, self.thousands, self.signs)

    def is_number(self, cell: str) -> bool:
        """Whether a cell looks like a number and is short enough to be one."""
        return len(cell) <= LONGEST_NUMBER and self.number().fullmatch(cell) is not None


@lru_cache(maxsize=64)
def number_pattern(decimal: str, thousands: str, signs: bool = False) -> re.Pattern[str]:
    """The numbers of a notation, as `Reading.number` says."""
    mark, group = f"[{re.escape(decimal)}{ARABIC_DECIMAL}]", f"[{re.escape(thousands)}{ARABIC_THOUSANDS}]"
    whole = rf"(?:{DIGIT}{{1,3}}(?:{group}{DIGIT}{{3}})+|{DIGIT}+)"
    number = rf"[+-]?(?:(?:{whole}(?:{mark}{DIGIT}*)?|{mark}{DIGIT}+)(?:[eE][+-]?{DIGIT}+)?|(?i:inf|infinity))"
    blank = "[ \u00a0\u202f]?"
    return re.compile(rf"(?:{SIGN}{blank})?{number}(?:{blank}{SIGN})?" if signs else number, re.ASCII)


def guessed(text: str, encoding: str, separator: str = "") -> Reading:
    """The reading that fits the first lines of a file best; a separator that the file names is taken at its word."""
    separator = separator or separator_of(text)
    skip = titles(text, separator) if encoding in ONE_BYTE_ENDS else 0
    rows = _rows_below(text, separator, skip)
    body = rows[1:] or rows
    cells = [cell for row in body for cell in row if len(cell) <= LONGEST_NUMBER]
    decimal, thousands = notation_of([SIGNS.sub("", cell) for cell in cells], separator)
    plain = Reading(separator, encoding, decimal, thousands, skip=skip)
    signed = replace(plain, signs=True)
    reading = signed if any(signed.is_number(cell) and not plain.is_number(cell) for cell in cells) else plain
    first = [cell for row in rows[:1] for cell in row if cell]
    header = not any(reading.is_number(cell) or date_format([cell], False) for cell in first)
    slashed = [cell for row in body for cell in row if len(cell) <= 10 and SLASHED.fullmatch(cell)]
    reading = replace(reading, header=header, month_first=date_format(slashed, False) == "%m/%d/%Y")
    return _with_names_above(text, rows, reading)


def _rows_below(text: str, separator: str, skip: int) -> list[list[str]]:
    """The first rows below some lines."""
    return split(text.split("\n", skip)[skip], separator)


def _with_names_above(text: str, rows: list[list[str]], reading: Reading) -> Reading:
    """The reading with a second line of names, where there is one: below the first, or above what was taken for it."""
    if lines_of_names(rows, reading.is_number, MISSING) > 1:
        return replace(reading, header=True, name_lines=2)
    if reading.skip:
        higher = _rows_below(text, reading.separator, reading.skip - 1)
        above = text.split("\n", reading.skip)[reading.skip - 1]
        if above.strip() and len(higher) > len(rows) and lines_of_names(higher, reading.is_number, MISSING) > 1:
            return replace(reading, header=True, name_lines=2, skip=reading.skip - 1)
    return reading


def titles(text: str, separator: str) -> int:
    """The number of lines above the table: those before the first that fills most of the columns which rows fill.

    Lines narrower than the table, down to an empty one, are no part of it either: a date, an author.
    """
    lines, ends, line = [], csv.reader(io.StringIO(text, newline=""), delimiter=separator), 0
    try:
        for row in islice(ends, 200):
            lines.append((sum(bool(cell.strip()) for cell in row), line))
            line = ends.line_num
    except csv.Error:
        return 0
    widths = Counter(width for width, _ in lines if width > 1)
    if separator == " " or not widths:
        return 0
    usual = max(widths, key=lambda width: (widths[width], width))
    wide = [place for place, (width, _) in enumerate(lines) if width >= max(2, 0.6 * usual)]
    full = next((place for place, (width, _) in enumerate(lines) if width >= usual), len(lines))
    gap = max((place for place in range(min(full, TITLES)) if not lines[place][0]), default=-1)
    first = next((place for place in wide if place > gap), 0)
    above = [width for width, _ in lines[:first]]
    return lines[first][1] if any(above) and lines[first][1] <= TITLES else 0


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
    rows: list[list[str]] = []
    try:
        rows.extend(islice(([cell.strip() for cell in row] for row in lines if row), most))
    except csv.Error:
        raise _too_long(text, quote, len(rows) + 1) from None
    return rows


def _too_long(text: str, quote: str, row: int) -> TableError:
    """The reason why a cell is longer than any cell may be: its length, or a quote that never ends."""
    open_quotes = bool(quote) and QUOTED.sub("", text).count(quote) > 0
    if open_quotes and text.count(quote) % 2:
        return TableError("cell_open", row=row)
    return TableError("cell_long", row=row, most=LONGEST_CELL)


def header_in_doubt(rows: Sequence[Sequence[str]], reading: Reading) -> bool:
    """Whether the first row could be names or the first of the people, whatever the reading takes it for.

    It is names where it differs in kind from what stands below it: a word above numbers, days or truths. It is a
    person where it does not, unless its numbers rise from left to right, as years do that head columns.
    """
    if len(rows) < 2:
        return False
    first, body = rows[0], rows[1:]
    kinds = [kind_of([row[place] for row in body if place < len(row)], reading)[0] for place in range(len(first))]
    own = [kind_of([cell], reading)[0] if cell else "category" for cell in first]
    if reading.header:
        return all(kind == "category" or kind == mine for kind, mine in zip(kinds, own, strict=True))
    numbers = [cell for cell, mine in zip(first, own, strict=True) if mine == "number"]
    return len(numbers) > 1 and all(cell.isdecimal() for cell in numbers) and numbers == sorted(set(numbers))


def number_in_doubt(cells: Iterable[str], reading: Reading) -> str:
    """The first of these numbers that may mean a thousand times as much, where every mark may part thousands.

    1.234 is more than a thousand to some, and to others little more than one; 0.500 and 1.5 tell. Between commas a
    point is decimal.
    """
    if reading.thousands or reading.separator == ",":
        return ""
    marked = [cell for cell in (SIGNS.sub("", cell) for cell in cells) if reading.decimal in cell]
    return marked[0] if marked and all(_may_be_thousands(cell, reading.decimal) for cell in marked) else ""


def _may_be_thousands(number: str, mark: str) -> bool:
    """Whether up to three digits, of which the first is no zero, stand before a mark and three behind it."""
    whole, _, rest = number.lstrip("+-").partition(mark)
    return 1 <= len(whole) <= 3 and len(rest) == 3 and (whole + rest).isdecimal() and whole[0] not in ZEROS


def separator_of(text: str) -> str:
    """The mark that stands equally often in each line outside quotes and cuts the lines into clean cells."""
    masked = QUOTED.sub("Q", text[: 1 << 16])  # what a quoted cell contains must not count
    whole = masked.split("\n")
    if len(text) > 1 << 16 and len(whole) > 1:
        whole.pop()  # cut in the middle
    lines = [line.strip(" ") for line in whole if line.strip()][:200]
    for skip in range(min(TITLES, max(len(lines) - 2, 1))):
        scores = {separator: _score(lines[skip:], separator) for separator in SEPARATORS}
        best = max(SEPARATORS, key=lambda separator: scores[separator])
        if scores[best] > 0.5 and (not skip or _heads(lines[skip:], best)):
            return best
    # One column: any mark that occurs nowhere leaves its cells whole.
    return next((mark for mark in (",", ";", "\t", "|") if mark not in masked), ",")


def _heads(lines: list[str], separator: str) -> bool:
    """Whether a table begins here below a title: words alone, and numbers in the rows below them."""
    cut = [line.split(separator) for line in lines]
    words = all(cell.strip() and not _roughly_a_number(cell.strip()) for cell in cut[0])
    return separator != " " and words and _has_numbers(cut, len(cut[0]))


def _score(lines: list[str], separator: str) -> float:
    cut = [[cell for cell in line.split(" ") if cell] if separator == " " else line.split(separator) for line in lines]
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
    left, blank, right = cell.partition(" ")
    two_numbers = bool(blank) and left.isdecimal() and right.isdecimal()
    return (not marked and not two_numbers) or any(
        Reading(decimal=decimal, thousands=thousands).is_number(cell)
        for decimal, thousands in ((".", ""), (".", ","), (",", ""), (",", "."), (",", " "), (".", " "))
    )


def _has_numbers(cut: list[list[str]], width: int) -> bool:
    """Whether some column below the first line holds numbers: prose has spaces too."""
    body = [row for row in cut[1:] if len(row) == width]
    return any(all(_roughly_a_number(row[i]) for row in body) for i in range(width)) if body else width > 1


def _roughly_a_number(cell: str) -> bool:
    """Whether a cell is digits with any marks, or stands for a missing or a quoted one."""
    return len(cell) <= LONGEST_NUMBER and ROUGHLY_A_NUMBER.fullmatch(cell) is not None


def notation_of(cells: Iterable[str], separator: str) -> tuple[str, str]:
    """The decimal mark and the thousands mark under which most cells are numbers."""
    marked = [
        cell for cell in cells if len(cell) <= LONGEST_NUMBER and not cell.isdigit() and any(map(str.isdecimal, cell))
    ]
    english = [(".", ""), (".", ","), (",", ""), (",", ".")]
    european = [(".", ""), (",", ""), (",", "."), (".", ",")]
    order = english if separator == "," else european
    order += [(mark, group) for group in THOUSANDS[3:] for mark in (".", ",")]
    numbers = {pair: _numbers(marked, pair) for pair in order}
    return max(order, key=lambda pair: numbers[pair])


def _numbers(cells: list[str], pair: tuple[str, str]) -> int:
    reading = Reading(decimal=pair[0], thousands=pair[1])
    return sum(map(reading.is_number, cells))


def date_format(cells: Sequence[str], month_first: bool) -> str:
    """The one form in which all these cells are dates, or nothing; day before month where both fit."""
    for form in sorted(DATES, key="%m/%d/%Y".__eq__, reverse=month_first):
        if cells and all(is_date(cell, form) for cell in cells):
            return form
    return ""


def is_date(cell: str, form: str) -> bool:
    """Whether a cell is a date of this form."""
    if not (8 <= len(cell) <= LONGEST_DATE and cell.lstrip()[:1].isdigit()):  # as every form begins
        return False
    try:
        return datetime.strptime(cell, form).year > 0
    except ValueError:
        return False


def kind_of(cells: Sequence[str], reading: Reading) -> tuple[ColumnKind, str]:
    """The kind of a column by its cells, and the form of its dates. A column without a cell may become anything."""
    present = [cell for cell in cells if cell not in MISSING]
    if all(map(reading.is_number, present)):
        return ("category", "") if any(map(_is_key, present)) else ("number", "")
    if all(cell.lower() in PLAINLY for cell in present):
        return "truth", ""
    form = date_format(present, reading.month_first)
    return ("date", form) if form else ("category", "")


def _is_key(number: str) -> bool:
    """Whether a whole number begins with a zero, as 01234, a postcode or a key: it would lose its zero."""
    digits = number[1:] if number[:1] in "+-" else number
    return len(digits) > 1 and digits[0] in ZEROS and digits.isdecimal()


def unique_names(header: Sequence[str]) -> tuple[str, ...]:
    """Names that are all different: an empty one becomes "#3", a second "age" becomes "age (2)"."""
    taken: set[str] = {name for name in header if name}
    used: set[str] = set()
    tried: dict[str, int] = {}
    names = []
    for place, given in enumerate(header, start=1):
        first = given or f"#{place}"
        name = first
        while name in used or (name != given and name in taken):
            tried[first] = tried.get(first, 1) + 1
            name = f"{first} ({tried[first]})"
        used.add(name)
        names.append(name)
    return tuple(names)
