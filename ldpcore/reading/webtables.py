"""The tables of a web page, as the browser lays them out; many programs save such pages under the name of a workbook.

Loaded by a process that has little memory: nothing but the standard library.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

from ldpcore.reading.held import LONGEST_NAME, ReadFile, UnfitError, one_line
from ldpcore.reading.merged import CellRow, Span, unmerged

WIDEST, HIGHEST = 1000, 65_534  # cells that one may span, as the standard of the web has it
SILENT = ("script", "style", "template")  # what they hold is not seen
BREAKS = ("br", "p", "div", "li")  # what begins a new line within a cell


@dataclass
class _Table:
    """A table on its way: the cells of each row by their column, those that span, and what reaches down."""

    title: str = ""
    rows: list[dict[int, str]] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    covered: dict[int, int] = field(default_factory=dict)  # columns that a cell above covers, to which row
    column: int = 0
    text: list[str] | None = None  # of the cell or the title that is open
    titled: bool = False

    def begin_row(self) -> None:
        self.close()
        self.rows.append({})
        self.column = 0

    def begin_cell(self, down: int, right: int) -> None:
        if not self.rows:
            self.begin_row()
        self.close()
        row = len(self.rows) - 1
        while self.covered.get(self.column, -1) >= row:
            self.column += 1
        if down > 1 or right > 1:
            self.spans.append(((row, self.column), (row + down - 1, self.column + right - 1)))
            self.covered |= dict.fromkeys(range(self.column, self.column + right), row + down - 1)
        self.text = []
        self.rows[row][self.column] = ""
        self.column += right

    def close(self) -> None:
        """The end of a cell, whether it is said or not."""
        if self.text is None:
            return
        text = " ".join("".join(self.text).split())
        if self.titled:
            self.title = one_line(text)
        else:
            last = self.rows[-1]
            last[max(last)] = one_line(text)
        self.text, self.titled = None, False

    @property
    def width(self) -> int:
        """The columns there are."""
        return max((max(row) + 1 for row in self.rows if row), default=0)

    def __iter__(self) -> Iterator[CellRow]:
        """The rows with spanning cells filled, as the browser shows them."""
        width, high = self.width, len(self.rows)
        spans = [((a, b), (min(c, high - 1), min(d, width - 1))) for (a, b), (c, d) in self.spans if b < width]
        spans = sorted(span for span in spans if span[0] != span[1])
        rows = ([row.get(column, "") for column in range(width)] for row in self.rows)
        return filter(any, unmerged(rows, spans))


class _Page(HTMLParser):
    """The tables of a page, each without those that stand inside it; limited in the number of cells in all."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.tables: list[_Table] = []
        self.open: list[_Table] = []
        self.silent, self.room = 0, most

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.silent += tag in SILENT
        if tag == "table":
            self.open.append(_Table())
            self.tables.append(self.open[-1])
        if not self.open:
            return
        table = self.open[-1]
        if tag == "tr":
            table.begin_row()
        elif tag in ("td", "th"):
            given = dict(attrs)
            right, down = _span(given.get("colspan"), WIDEST), _span(given.get("rowspan"), HIGHEST)
            self.room -= right
            if self.room < 0:
                raise UnfitError("large")
            table.begin_cell(down, right)
        elif tag == "caption":
            table.close()
            table.text, table.titled = [], True
        elif tag in BREAKS and table.text is not None:
            table.text.append(" ")

    def handle_endtag(self, tag: str) -> None:
        self.silent -= tag in SILENT and self.silent > 0
        if self.open and tag in ("td", "th", "tr", "caption", "table"):
            self.open[-1].close()
            if tag == "table":
                self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1].text is not None and not self.silent:
            self.open[-1].text.append(data)


def _span(given: str | None, most: int) -> int:
    """The number of cells one covers; what cannot be read is one, as browsers have it."""
    text = (given or "").strip()
    return min(max(int(text), 1), most) if text.isascii() and text.isdecimal() and len(text) < 9 else 1


def held(text: str, wanted: str, most: int) -> ReadFile:
    """The wanted table of a page, or the largest; one without two rows or two columns lays out a page alone."""
    page = _Page(most)
    page.feed(text)
    page.close()
    for table in page.open:
        table.close()
    tables = [table for table in page.tables if sum(map(bool, table.rows)) > 1 and table.width]
    if not tables:
        raise UnfitError("no-table")
    sizes = [len(table.rows) * table.width for table in tables]
    # Each with its place: what they are called may be nothing, or the same twice.
    names = tuple(f"{place}. {table.title}"[:LONGEST_NAME].rstrip(". ") for place, table in enumerate(tables, start=1))
    place = names.index(wanted) if wanted in names else max(range(len(sizes)), key=sizes.__getitem__)
    if sizes[place] > most:
        raise UnfitError("large")
    return ReadFile(names, names[place], iter(tables[place]))
