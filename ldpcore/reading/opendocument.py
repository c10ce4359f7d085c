"""Facts of LibreOffice workbooks that calamine does not tell: merged cells, and whether they are locked."""

from __future__ import annotations

import zipfile
from typing import IO
from xml.parsers import expat

from ldpcore.reading.merged import Span

CONTENT, MERGED = "content.xml", b"-spanned="  # where the sheets stand, and how one says that a cell is merged
PARTS, LOCKED = "META-INF/manifest.xml", b"encryption-data"  # where the parts are listed, and how one is locked
PIECE = 1 << 16  # bytes looked at together


def is_locked(raw: IO[bytes]) -> bool:
    """Whether a workbook was saved with a password."""
    with zipfile.ZipFile(raw) as archive:
        return _mentions(archive, PARTS, LOCKED)


def spans_of(raw: IO[bytes]) -> dict[str, list[Span]]:
    """The merged cells of each sheet of a workbook; none where it is another's."""
    with zipfile.ZipFile(raw) as archive:
        if not _mentions(archive, CONTENT, MERGED):
            return {}
        with archive.open(CONTENT) as content:
            return _Cells().read(content)


def _mentions(archive: zipfile.ZipFile, part: str, mark: bytes) -> bool:
    """Whether a mark stands somewhere in a part of a workbook that may have no such part."""
    if part not in archive.namelist():
        return False
    with archive.open(part) as content:
        end = b""
        while piece := content.read(PIECE):
            if mark in end + piece:
                return True
            end = piece[-len(mark) :]
    return False


class _Cells:
    """The cells of a file, with rows and columns counted on the way through it."""

    def __init__(self) -> None:
        self.spans: dict[str, list[Span]] = {}
        self.sheet, self.row, self.column = "", 0, 0
        self.rows = 1  # that the present one stands for

    def read(self, content: IO[bytes]) -> dict[str, list[Span]]:
        parser = expat.ParserCreate()
        parser.StartElementHandler, parser.EndElementHandler = self._begin, self._end
        parser.ParseFile(content)
        return self.spans

    def _begin(self, element: str, given: dict[str, str]) -> None:
        if element in ("table:table-cell", "table:covered-table-cell"):
            down, right = (int(given.get(f"table:number-{what}-spanned", 1)) for what in ("rows", "columns"))
            if down > 1 or right > 1:
                last = self.row + down - 1, self.column + right - 1
                self.spans.setdefault(self.sheet, []).append(((self.row, self.column), last))
            self.column += int(given.get("table:number-columns-repeated", 1))
        elif element == "table:table-row":
            self.rows, self.column = int(given.get("table:number-rows-repeated", 1)), 0
        elif element == "table:table":
            self.sheet, self.row = given.get("table:name", ""), 0

    def _end(self, element: str) -> None:
        if element == "table:table-row":
            self.row += self.rows
