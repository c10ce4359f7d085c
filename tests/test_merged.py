"""Merged cells are read as a sheet shows them, wherever its table begins: what is expected, LibreOffice shows."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import openpyxl
import pytest

from ldpcore.reading import workbooks
from ldpcore.reading.dialects import read_table
from tests.opened_here import carried_out
from tests.rationing import crossed
from tests.workbooks import ods

EMPTY = None
Cells = Mapping[str, Any]


@dataclass(frozen=True)
class Sheet:
    """Rows of cells from a cell on, others beside them, what is merged, and the table that is to be read."""

    start: str
    rows: tuple[tuple[Any, ...], ...]
    merged: tuple[str, ...]
    names: tuple[str, ...]
    people: tuple[tuple[Any, ...], ...]
    beside: Cells | None = None

    def book(self) -> openpyxl.Workbook:
        """The workbook, as openpyxl writes it."""
        book = openpyxl.Workbook()
        page = book.active
        left, top = openpyxl.utils.cell.coordinate_from_string(self.start)
        first = openpyxl.utils.column_index_from_string(left)
        for r, row in enumerate(self.rows):
            for c, value in enumerate(row):
                page.cell(top + r, first + c).value = value
        for place, value in (self.beside or {}).items():
            page[place] = value
        for span in self.merged:
            page.merge_cells(span)
        return book

    def xlsx(self) -> bytes:
        """Its bytes."""
        held = io.BytesIO()
        self.book().save(held)
        return held.getvalue()

    def ods(self) -> bytes:
        """The bytes of the same cells in a workbook of LibreOffice's."""
        page = self.book().active
        rows = [[cell.value for cell in row] for row in page.iter_rows(min_row=1, min_col=1)]
        return ods({page.title: rows}, {page.title: self.merged})


STAFF = (("ward", "name", "age"), ("North", "Ada", 36), (EMPTY, "Ben", EMPTY), (EMPTY, "Cem", 29), ("South", "Dan", 51))
READ = (("North", "Ada", 36), ("North", "Ben", EMPTY), ("North", "Cem", 29), ("South", "Dan", 51))
BEDS = (("N", 1, 2, 3, 4), ("S", 5, 6, 7, 8))

SHEETS = {
    "from A1": Sheet("A1", STAFF, ("A2:A4",), STAFF[0], READ),
    "from B1": Sheet("B1", STAFF, ("B2:B4",), STAFF[0], READ),
    "from C5": Sheet("C5", STAFF, ("C6:C8",), STAFF[0], READ),
    "a missing value beside what is merged stays missing": Sheet(
        "B1",
        (("id", "ward", "age"), (1, "North", 36), (2, EMPTY, EMPTY), (3, "South", EMPTY)),
        ("C2:C3",),
        ("id", "ward", "age"),
        ((1, "North", 36), (2, "North", EMPTY), (3, "South", EMPTY)),
    ),
    "a title wider than the table": Sheet(
        "B2", (("All staff, 2024",), (), *STAFF), ("B2:AZ2", "B5:B7"), STAFF[0], READ
    ),
    "a title two rows high": Sheet("C1", (("All staff",), (), *STAFF), ("C1:E2", "C4:C6"), STAFF[0], READ),
    "merged cells that end beyond the table": Sheet(
        "C5",
        (*STAFF, ("West", "no answer")),
        ("C6:C8", "D10:XFD10"),
        STAFF[0],
        (*READ, ("West", "no answer", EMPTY)),
    ),
    "a gap between people and a note below them": Sheet(
        "B1",
        (*STAFF, (), ("West", "Eve", 44), (), ("Source: the wards",)),
        ("B2:B4", "B9:D10"),
        STAFF[0],
        (*READ, ("West", "Eve", 44), ("Source: the wards", EMPTY, EMPTY)),
    ),
    "a gap between columns": Sheet(
        "B3",
        (("ward", EMPTY, "name"), ("North", EMPTY, "Ada"), (EMPTY, EMPTY, "Ben"), ("South", EMPTY, "Cem")),
        ("B4:B5",),
        ("ward", "name"),
        (("North", "Ada"), ("North", "Ben"), ("South", "Cem")),
    ),
    "a note beside the table": Sheet(
        "A1",
        (("ward", "n"), ("North", 1), ("South", 2), ("West", 3)),
        ("D2:E3",),
        ("ward", "n", "#3"),
        (("North", 1, "without day clinics"), ("South", 2, "without day clinics"), ("West", 3, EMPTY)),
        {"D2": "without day clinics"},
    ),
    "a block of several rows and columns": Sheet(
        "B2",
        (("ward", "name", "age"), ("North", "nobody", EMPTY), ("South", EMPTY, EMPTY), ("West", "Ada", 36)),
        ("C3:D4",),
        ("ward", "name", "age"),
        (("North", "nobody", EMPTY), ("South", "nobody", EMPTY), ("West", "Ada", 36)),
    ),
    "a person two rows high": Sheet(
        "B1",
        (("ward", "age"), ("North", 36), (), ("South", 41)),
        ("B2:B3", "C2:C3"),
        ("ward", "age"),
        (("North", 36), ("South", 41)),
    ),
    "names two rows high": Sheet(
        "C5",
        (("ward", "age"), (), ("North", 36), ("South", 41)),
        ("C5:C6", "D5:D6"),
        ("ward", "age"),
        (("North", 36), ("South", 41)),
    ),
    "names below names": Sheet(
        "C5",
        (("Ward", "2023", EMPTY, "2024", EMPTY), (EMPTY, "women", "men", "women", "men"), *BEDS),
        ("C5:C6", "D5:E5", "F5:G5"),
        ("Ward", "2023 · women", "2023 · men", "2024 · women", "2024 · men"),
        BEDS,
    ),
    "years below names, under a title": Sheet(
        "B1",
        (("Beds",), ("Ward", "women", EMPTY, "men", EMPTY), (EMPTY, 2023, 2024, 2023, 2024), *BEDS),
        ("B1:F1", "B2:B3", "C2:D2", "E2:F2"),
        ("Ward", "women · 2023", "women · 2024", "men · 2023", "men · 2024"),
        BEDS,
    ),
    "names in three rows": Sheet(
        "B2",
        (
            ("Ward", "2024", EMPTY, EMPTY, EMPTY),
            (EMPTY, "women", EMPTY, "men", EMPTY),
            (EMPTY, "full", "part", "full", "part"),
            *BEDS,
        ),
        ("B2:B4", "C2:F2", "C3:D3", "E3:F3"),
        ("Ward", "2024 · women · full", "2024 · women · part", "2024 · men · full", "2024 · men · part"),
        BEDS,
    ),
    "a name over two columns of people": Sheet(
        "B1",
        (("Name", EMPTY, "Age"), ("Ada", "Byron", 36), ("Ben", "Hur", 41)),
        ("B1:C1",),
        ("Name", "Name (2)", "Age"),
        (("Ada", "Byron", 36), ("Ben", "Hur", 41)),
    ),
    "a merged cell among the first people": Sheet(
        "B1",
        (("name", "age", "height"), ("Ada", "no answer", EMPTY), ("Ben", 41, 180), ("Cem", 29, 170)),
        ("C2:D2",),
        ("name", "age", "height"),
        (("Ada", "no answer", EMPTY), ("Ben", "41", 180), ("Cem", "29", 170)),
    ),
}


@pytest.mark.parametrize(("name", "kind"), crossed(SHEETS, ["xlsx", "ods"]))
def test_merged_cells_are_read_as_the_sheet_shows_them(kind: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name != next(iter(SHEETS)):  # one by the process of its own
        monkeypatch.setattr(workbooks, "_carried_out", carried_out)
    sheet = SHEETS[name]
    frame = read_table(getattr(sheet, kind)(), "staff")[0].frame
    cells = frame.astype(object).mask(frame.isna(), EMPTY)
    assert tuple(frame.columns) == sheet.names
    assert tuple(map(tuple, cells.to_numpy().tolist())) == sheet.people


def test_what_a_merged_cell_hides_is_not_read() -> None:
    """Some programs leave values behind a merged cell; nobody sees them."""
    book = Sheet("B1", STAFF, (), (), ()).book()
    book.active["B3"] = "hidden"
    book.active.merged_cells.add("B2:B4")  # not by `merge_cells`, which empties them
    held = io.BytesIO()
    book.save(held)
    frame = read_table(held.getvalue(), "staff.xlsx")[0].frame
    assert frame["ward"].tolist() == ["North", "North", "North", "South"]
