"""Formulas of a workbook whose values were not saved with it, as programs that compute none of them write it.

Excel shows numbers in such a workbook; its file holds none. Loaded by a process that has little memory.
"""

from __future__ import annotations

import io
import zipfile
from xml.parsers import expat

BOOK, LINKS, FOLDER = "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/"
BARE = (b"</f></c>", b"</f><v/></c>", b"</f><v /></c>", b"</f><v></v></c>")  # how a formula ends that has no value
PIECE = 1 << 16  # bytes looked at together


def unsaved(raw: bytes, sheet: str) -> int:
    """The number of cells of a sheet that hold a formula and no value; 0 for a file that is not Excel's."""
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        parts = set(archive.namelist())
        if not {BOOK, LINKS} <= parts:
            return 0
        key = _attributes(archive, BOOK, "sheet", "name", "r:id").get(sheet, "")
        target = _attributes(archive, LINKS, "Relationship", "Id", "Target").get(key, "").removeprefix("/")
        part = target if target in parts else FOLDER + target
        return _counted(archive, part) if part in parts else 0


def _attributes(archive: zipfile.ZipFile, part: str, element: str, name: str, value: str) -> dict[str, str]:
    """One attribute of all such elements by another."""
    attributes = dict[str, str]()

    def begin(begun: str, given: dict[str, str]) -> None:
        if begun.rpartition(":")[2] == element:
            attributes[given.get(name, "")] = given.get(value, "")

    parser = expat.ParserCreate()
    parser.StartElementHandler = begin
    with archive.open(part) as content:
        parser.ParseFile(content)
    return attributes


def _counted(archive: zipfile.ZipFile, part: str) -> int:
    """The number of formulas that end without a value."""
    count, longest = 0, max(map(len, BARE)) - 1
    with archive.open(part) as content:
        end = b""
        while piece := content.read(PIECE):
            seen = end + piece
            count += sum(seen.count(mark) - end.count(mark) for mark in BARE)
            end = seen[-longest:]
    return count
