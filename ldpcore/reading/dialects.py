"""From a reader's file to a table, in pieces, with a report of what was understood.

A caller who disagrees with the report passes the corrected `Reading`. Memory stays within a small multiple of the file:
whole numbers are kept in as few bytes as they need, repeated words once each.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpcore.questions import Progress
from ldpcore.reading.beside import rows_beside, shown_row
from ldpcore.reading.files import MEGABYTE, beginning, encoding_of, uncompressed
from ldpcore.reading.foreign import ZIP, is_workbook, kind_of_file, only_table
from ldpcore.reading.growing import Growing
from ldpcore.reading.layouts import Expected, Layout, announced, below, laid_out, without_rows
from ldpcore.reading.pieces import CELLS_AT_ONCE, parsed_in_c, pieces
from ldpcore.reading.readings import (
    ARABIC_DECIMAL,
    ARABIC_THOUSANDS,
    LONGEST_NUMBER,
    SIGNS,
    TRUTHS,
    Reading,
    guessed,
    separator_of,
)
from ldpcore.reading.workbooks import sheet_of
from ldpcore.tables.table import ColumnKind, Table, TableError, shortened, tallied

MOST_ROWS = 10**7  # of which every question is answered within a second or two
NOBODY = np.empty(0, dtype=np.intp)  # rows that are left out
FEW_WORDS = 1000
FEW_CELLS = 1000  # for which Python is faster than what pandas sets up; a table may have thousands of short columns
Oddity = Literal["missing", "infinite", "mixed", "not-numbers"]
Cells = Any  # a pandas Series of a type that only its column knows


@dataclass(frozen=True)
class ReadColumn:
    """The reading of a column: its kind, and the cells that are missing, infinite, or numbers among words."""

    name: str
    kind: ColumnKind
    missing: int
    infinite: int = 0
    numbers: int = 0
    not_numbers: int = 0

    @property
    def mixed(self) -> bool:
        """Whether a category column mixes numbers and words: read as numbers, it loses `not_numbers` cells."""
        return self.kind == "category" and self.numbers > 0 and self.not_numbers > 0

    @property
    def odd(self) -> tuple[Oddity, ...]:
        """The oddities of a column, to look at before asking: missing or infinite cells, words among numbers."""
        oddities: list[tuple[Oddity, bool]] = [
            ("missing", self.missing > 0),
            ("infinite", self.infinite > 0),
            ("mixed", self.mixed),
            ("not-numbers", self.kind == "number" and self.not_numbers > 0),
        ]
        return tuple(slug for slug, so in oddities if so)


@dataclass(frozen=True)
class Understood:
    """The reading of a file: the reading in full, its size, its columns and its first rows as they stand in the file.

    `number_in_doubt` is a number that may be a thousand times larger, where none of the file tells. The rows `beside`
    the people are totals, notes or nothing, and `beside_first` shows one. `unsaved` formulas have no value.
    """

    reading: Reading
    rows: int
    columns: tuple[ReadColumn, ...]
    first: tuple[tuple[str, ...], ...]
    size: int
    compressed: bool
    renamed: int
    header_in_doubt: bool = False
    number_in_doubt: str = ""
    sheets: tuple[str, ...] = ()
    beside: int = 0
    beside_first: tuple[str, ...] = ()
    unsaved: int = 0

    @property
    def odd(self) -> tuple[ReadColumn, ...]:
        """Every column with something to look at, wherever it stands."""
        return tuple(column for column in self.columns if column.odd)


def read_table(
    raw: bytes, name: str, reading: Reading | None = None, progress: Progress | None = None, sheet: str = ""
) -> tuple[Table, Understood]:
    """The table in a file's bytes, and how they were understood; `reading` overrules the guess, for a sheet or not."""
    return Opened.of(raw, name, reading.sheet if reading else sheet, progress).read(reading, progress)


@dataclass(frozen=True)
class Opened:
    """A file as text: its bytes and encoding, where the table starts, a separator it names; of a workbook one sheet."""

    name: str
    content: bytes
    encoding: str
    start: int
    separator: str
    compressed: bool = False
    sheet: str = ""
    sheets: tuple[str, ...] = ()
    typed: bool = False
    unsaved: int = 0

    @classmethod
    def of(cls, raw: bytes, name: str, wanted: str = "", progress: Progress | None = None) -> Opened:
        """The file called `name`; of a workbook the sheet that is wanted, or the first that holds a table."""
        content = uncompressed(raw, name)
        if content.startswith(ZIP) and not is_workbook(content):
            content, _ = only_table(content, name)
        kind = kind_of_file(content)
        if kind:
            sheet = sheet_of(content, name, wanted, progress, kind)
            if not sheet.text.strip():
                raise TableError("book_empty", file=shortened(name))
            about = False, sheet.name, sheet.names, sheet.typed, sheet.unsaved
            return cls(name, sheet.text, "utf-8", 0, "\t", *about)
        encoding = encoding_of(content, name)
        return cls(name, content, encoding, *announced(content, encoding), compressed=content is not raw)

    def read(self, reading: Reading | None = None, progress: Progress | None = None) -> tuple[Table, Understood]:
        """The table, and how it was understood; `reading` overrules the guess, and leaves no doubts."""
        sure = reading is not None
        reading = reading or self.guess()
        start = below(self.content, self.start, reading)
        layout = laid_out(self.content, start, self.name, reading, typed=self.typed)
        frame, columns = gathered(self.content, start, self.name, reading, layout, progress)
        beside = rows_beside(frame)
        if reading.leave_out and len(beside):
            layout = laid_out(self.content, start, self.name, reading, frozenset(beside.tolist()), self.typed)
            frame, columns = gathered(self.content, start, self.name, reading, layout, progress, beside)
            beside = beside[:0]
        digest = hashlib.blake2b(repr(reading).encode(), digest_size=16)
        digest.update(self.content)
        table = Table(self.name, frame, digest.hexdigest(), own=True)
        about = len(self.content), self.compressed, layout.renamed
        understood = Understood(
            reading, len(frame), columns, layout.first, *about, sheets=self.sheets, unsaved=self.unsaved
        )
        if sure:
            return table, understood
        return table, replace(
            understood,
            header_in_doubt=layout.doubtful,
            number_in_doubt=layout.number_in_doubt,
            beside=len(beside),
            beside_first=shown_row(frame, beside),
        )

    def guess(self) -> Reading:
        """The reading that fits best."""
        return replace(guessed(self.beginning, self.encoding, self.separator), sheet=self.sheet)

    def proposal(self) -> Reading:
        """The reading to begin with where the file could not be read: the guess, as far as it can be made."""
        try:
            return self.guess()
        except TableError:  # a cell that does not end
            return Reading(self.separator or separator_of(self.beginning), self.encoding, sheet=self.sheet)

    @property
    def beginning(self) -> str:
        """The first lines."""
        return beginning(self.content[self.start : self.start + MEGABYTE], self.encoding)


def gathered(
    content: bytes,
    start: int,
    name: str,
    reading: Reading,
    layout: Layout,
    progress: Progress | None,
    without: NDArray[np.intp] = NOBODY,
) -> tuple[pd.DataFrame, tuple[ReadColumn, ...]]:
    """All columns, of all rows but some; one that breaks its promise further down is read again.

    It may hold numbers in other digits there; else it holds categories.
    """
    lines = max(content.count(b"\n"), content.count(b"\r")) + 1
    finished: dict[int, tuple[Any, ReadColumn]] = {}
    columns = dict(enumerate(layout.columns))
    done = 0.0
    while columns:
        gatherers = {i: gatherer(column, reading, lines) for i, column in columns.items()}
        rows = 0
        for piece, fraction in pieces(content, start, name, reading, columns, layout.width):
            kept = np.ones(len(piece), dtype=bool)
            kept[without[(without >= rows) & (without < rows + len(piece))] - rows] = False
            rows += len(piece)
            if rows > MOST_ROWS:
                raise TableError("file_long", file=shortened(name), most=MOST_ROWS)
            for i, cells in gatherers.items():
                cells.add(piece[i] if kept.all() else piece[i][kept])
            done = max(done, fraction if len(columns) == layout.width else (1 + fraction) / 2)
            if progress is not None:
                progress(min(done, 1.0))
        finished |= {i: (cells.finish(), cells.report()) for i, cells in gatherers.items() if not cells.broken}
        columns = {i: _instead(columns[i], reading, content) for i, cells in gatherers.items() if cells.broken}
    ordered = [finished[i] for i in range(layout.width)]
    if not len(ordered[0][0]):
        raise without_rows(name)
    frame = pd.DataFrame({report.name: cells for cells, report in ordered}, copy=False)
    return frame, tuple(report for _, report in ordered)


def _instead(column: Expected, reading: Reading, content: bytes) -> Expected:
    """The next expectation of a column that has broken one: numbers in other digits, if there may be any, or words."""
    other_digits = parsed_in_c(column, reading) and not content.isascii()
    return replace(column, ascii=False) if other_digits else Expected(column.name, "category")


def numeric(cells: Cells, reading: Reading) -> Any:
    """Whether each cell is a number in the notation of a reading; no pattern sees a cell that is too long to be one."""
    if len(cells) <= FEW_CELLS:
        return np.array([isinstance(cell, str) and reading.is_number(cell) for cell in cells.tolist()], dtype=bool)
    matches = np.empty(len(cells), dtype=bool)
    for start in range(0, len(cells), CELLS_AT_ONCE):  # words become objects on the way, ten times as large
        part = cells.iloc[start : start + CELLS_AT_ONCE]
        short = part.where(part.str.len() <= LONGEST_NUMBER)
        matches[start : start + len(part)] = short.str.fullmatch(reading.number().pattern, na=False).to_numpy(
            dtype=bool
        )
    return matches


class Numbers:
    """A column that the parser has read as numbers; infinite ones become missing and are counted."""

    def __init__(self, expected: Expected, reading: Reading, lines: int) -> None:
        self.expected, self.reading = expected, reading
        self.held = Growing(lines)
        self.broken = False
        self.missing = self.infinite = self.not_numbers = 0

    def add(self, cells: Cells) -> None:
        if self.broken or cells.dtype.kind not in "iuf" or not isinstance(cells.dtype, np.dtype):
            self.broken, self.held = True, Growing(0)
            return
        self.take(cells.to_numpy())

    def take(self, values: Any) -> None:
        """Numbers as they come, NaN where one is missing."""
        if values.dtype.kind == "f":
            infinite = np.isinf(values)
            self.infinite += int(np.count_nonzero(infinite))
            values = np.where(infinite, np.nan, values) if infinite.any() else values
            self.missing += int(np.count_nonzero(np.isnan(values)))
        self.held.add(values)

    def finish(self) -> Any:
        return self.held.finish()

    def report(self) -> ReadColumn:
        return ReadColumn(
            self.expected.name, "number", self.missing, self.infinite, self.held.n - self.missing, self.not_numbers
        )


class Spelled(Numbers):
    """A column of numbers with thousands marks or other digits, or one that shall be numbers whatever it contains."""

    def add(self, cells: Cells) -> None:
        if self.broken:
            return
        cells = cells.str.strip()
        fits = numeric(cells, self.reading)
        strange = int(np.count_nonzero(~fits & cells.notna().to_numpy()))
        if strange and not self.expected.wanted:
            self.broken, self.held = True, Growing(0)
            return
        self.not_numbers += strange
        plain = cells[fits].str.replace(SIGNS, "", regex=True) if self.reading.signs else cells[fits]
        if self.reading.thousands:
            plain = plain.str.replace(self.reading.thousands, "", regex=False)
        if self.reading.decimal != ".":
            plain = plain.str.replace(self.reading.decimal, ".", regex=False)
        plain = plain.str.replace(ARABIC_THOUSANDS, "", regex=False).str.replace(ARABIC_DECIMAL, ".", regex=False)
        values = np.full(len(cells), np.nan)
        # Python's own float() rounds correctly and knows all digits; it is called once for each cell.
        values[fits] = plain.to_numpy(dtype=object).astype(np.float64)
        self.take(values)


class Dates:
    """A column of dates in one form; anything else breaks it, or is missing where dates are wanted."""

    def __init__(self, expected: Expected) -> None:
        self.expected = expected
        self.held: list[Any] = []
        self.broken = False

    def add(self, cells: Cells) -> None:
        cells = cells.str.strip()
        days: Cells = pd.to_datetime(cells, format=self.expected.form, errors="coerce")
        days = days.dt.as_unit("s")
        if (days.isna() & cells.notna()).any() and not self.expected.wanted:
            self.broken, self.held = True, []
        if not self.broken:
            self.held.append(days.to_numpy())

    def finish(self) -> Any:
        self.held = [np.concatenate(self.held or [np.empty(0, dtype="datetime64[s]")])]
        return self.held[0]

    def report(self) -> ReadColumn:
        return ReadColumn(self.expected.name, "date", int(np.isnat(self.held[0]).sum()))


class Truths:
    """A column of true and false in any case, or of yes and no; any other cell breaks it, or is missing."""

    def __init__(self, expected: Expected, lines: int) -> None:
        self.expected = expected
        self.held = Growing(lines)
        self.broken = False

    def add(self, cells: Cells) -> None:
        cells = cells.str.strip().str.lower()
        codes = cells.map(TRUTHS).map({True: 1, False: 0}).fillna(-1).to_numpy(dtype=np.int8)
        if ((codes < 0) & cells.notna().to_numpy()).any() and not self.expected.wanted:
            self.broken, self.held = True, Growing(0)
        if not self.broken:
            self.held.add(codes)

    def finish(self) -> Any:
        codes = self.held.finish()
        truths = codes > 0
        return pd.arrays.BooleanArray(truths, codes < 0) if (codes < 0).any() else truths

    def report(self) -> ReadColumn:
        return ReadColumn(self.expected.name, "truth", int(np.count_nonzero(self.held.finish() < 0)))


class WordColumn:
    """A column of categories: each word once and a code per cell, or plain text where most words are different."""

    broken = False

    def __init__(self, expected: Expected, reading: Reading, lines: int) -> None:
        self.expected, self.reading = expected, reading
        self.codes = Growing(lines)
        self.words: dict[str, int] = {}
        self.texts: list[Any] = []

    def add(self, cells: Cells) -> None:
        cells = cells.str.strip()
        cells = cells.where(cells != "")
        if self.texts:
            self.texts.append(cells)
            return
        codes, words = pd.factorize(cells)
        place = np.array([self.words.setdefault(word, len(self.words)) for word in words] + [-1], dtype=np.int32)
        self.codes.add(place[codes])
        if len(self.words) > max(FEW_WORDS, self.codes.n // 2):
            self.texts = [self.coded().astype("str")]
            self.words, self.codes = {}, Growing(0)

    def coded(self) -> Cells:
        """The cells so far, as categories."""
        categories = pd.Index(list(self.words), dtype="str")
        return pd.Series(pd.Categorical.from_codes(self.codes.finish(), categories=categories))

    def finish(self) -> Any:
        self.texts = [pd.concat(self.texts, ignore_index=True) if self.texts else self.coded()]
        return self.texts[0]

    def report(self) -> ReadColumn:
        cells = self.texts[0]
        if len(cells) <= FEW_CELLS:
            texts = [cell for cell in cells.tolist() if isinstance(cell, str)]
            numbers = sum(map(self.reading.is_number, texts))
            return ReadColumn(self.expected.name, "category", len(cells) - len(texts), 0, numbers, len(texts) - numbers)
        counted = tallied(cells) if isinstance(cells.dtype, pd.CategoricalDtype) else None
        words = cells if counted is None else counted.index.to_series().astype("str")
        fits = numeric(words, self.reading)
        numbers = int(np.count_nonzero(fits) if counted is None else counted.to_numpy()[fits].sum())
        present = int(cells.count() if counted is None else counted.sum())
        return ReadColumn(self.expected.name, "category", len(cells) - present, 0, numbers, present - numbers)


def gatherer(expected: Expected, reading: Reading, lines: int) -> Any:
    """The object that collects the cells of a column of this kind."""
    if expected.kind == "number":
        return (Numbers if parsed_in_c(expected, reading) else Spelled)(expected, reading, lines)
    if expected.kind == "date":
        return Dates(expected)
    return Truths(expected, lines) if expected.kind == "truth" else WordColumn(expected, reading, lines)
