"""Files as people have them, one case each: read as they show it, asked about, or refused in a sentence that helps."""

from __future__ import annotations

import io
import json
import re
import time
import zipfile
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
import pytest

from ldpcore.reading import workbooks
from ldpcore.reading.dialects import Understood, read_table
from ldpcore.reading.files import MEGABYTE
from ldpcore.reading.foreign import MOST_FILES, kind_of_file, opens_apart
from ldpcore.reading.readings import Reading
from ldpcore.tables.table import Table, TableError
from tests.cases import for_each
from tests.oldbooks import xls
from tests.opened_here import carried_out
from tests.workbooks import Formula, ods, packed, xlsx

PEOPLE = [["name", "age", "wage"], ["Ada", 36, 1200.5], ["Ben", 41, 987], ["Cem", 29, 3100]]
SEEN = {"name": ["Ada", "Ben", "Cem"], "age": [36, 41, 29], "wage": [1200.5, 987, 3100]}
FRAME = pd.DataFrame(SEEN)
CSV = "name,age,wage\nAda,36,1200.5\nBen,41,987\nCem,29,3100\n"
LONG = [["name", "age"], *([f"p{i}", 20 + i % 50] for i in range(40))]
WEB = "<tr><td>Ada<td>36<td>1200.5</tr><tr><td>Ben<td>41<td>987</tr><tr><td>Cem<td>29<td>3100</tr>"
HEAD = "<tr><th>name<th>age<th>wage</tr>"


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Open files here, by the same code, because a process for each takes long; some tests take the process."""
    if "process" in request.node.nodeid.partition("::")[2]:
        return
    monkeypatch.setattr(workbooks, "_carried_out", carried_out)


def parquet(frame: pd.DataFrame, **more: Any) -> bytes:
    held = io.BytesIO()
    frame.to_parquet(held, **more)
    return held.getvalue()


def feather(frame: pd.DataFrame) -> bytes:
    held = io.BytesIO()
    frame.to_feather(held, compression="uncompressed")
    return held.getvalue()


def stata(frame: pd.DataFrame, version: int = 118, **more: Any) -> bytes:
    held = io.BytesIO()
    frame.to_stata(held, write_index=False, version=version, **more)
    return held.getvalue()


def zipped(files: dict[str, bytes]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, raw in files.items():
            archive.writestr(name, raw, zipfile.ZIP_STORED if name == "mimetype" else None)
    return held.getvalue()


def rewritten(raw: bytes, encoding: str = "utf-8", way: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A workbook with its texts in another encoding, as its first line says, and packed in another way."""
    held = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(raw)) as archive, zipfile.ZipFile(held, "w", way) as anew:
        for name in archive.namelist():
            if not name.endswith((".xml", ".rels")):
                anew.writestr(name, archive.read(name), zipfile.ZIP_STORED)
                continue
            text = re.sub("<[?]xml.*?[?]>", "", archive.read(name).decode("utf-8"))
            anew.writestr(name, f'<?xml version="1.0" encoding="{encoding.upper()}"?>\n{text}'.encode(encoding))
    return held.getvalue()


def unlocked_sign(raw: bytes) -> bytes:
    """A zip that says that its file is locked with a password."""
    place = raw.rfind(b"PK\x01\x02")
    return raw[:6] + b"\x01" + raw[7 : place + 8] + b"\x01" + raw[place + 9 :]


def without_values(raw: bytes) -> bytes:
    """A workbook as programs write it that compute no formula."""
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        return packed({name: archive.read(name).decode().replace("<v>42</v>", "") for name in archive.namelist()})


def words_for_numbers() -> bytes:
    frame = pd.DataFrame({"sex": pd.Categorical(["f", "m", "f"]), "age": [36, 41, 29]})
    return stata(frame)


@dataclass(frozen=True)
class Right:
    """A file that is read as it shows itself: these cells, and what else was understood."""

    raw: bytes | str
    cells: dict[str, list[Any]] = field(default_factory=lambda: SEEN)
    sheet: str = ""
    beside: int = 0
    unsaved: int = 0
    number: str = ""


@dataclass(frozen=True)
class Wrong:
    """A file that is refused, by this rule, in a sentence with these words."""

    raw: bytes | str
    key: str
    words: str = ""


def bytes_of(raw: bytes | str) -> bytes:
    return raw.encode() if isinstance(raw, str) else raw


TWO_LINES = {"ward": ["North", "South"], "2023 · women": [1, 5], "2023 · men": [2, 6], "2024 · women": [3, 7]}
GROUPED = [["ward", 2023, None, 2024], [None, "women", "men", "women"], ["North", 1, 2, 3], ["South", 5, 6, 7]]
COVER = [["Staff of the city"], ["Author:", "Ada"], ["Year:", 2024], ["Version:", 3]]
LISTED = [dict(zip(PEOPLE[0], row, strict=True)) for row in PEOPLE[1:]]

READ: dict[str, Right] = {
    # Workbooks
    "xlsx": Right(xlsx({"A": PEOPLE}), sheet="A"),
    "ods": Right(ods({"A": PEOPLE}), sheet="A"),
    "xls": Right(xls({"A": PEOPLE}), sheet="A"),
    "xls with a cover": Right(xls({"Cover": [["Staff"]], "Data": PEOPLE}), sheet="Data"),
    "cover with labels": Right(xlsx({"Cover": COVER, "People": PEOPLE}), sheet="People"),
    "cover with a text": Right(xlsx({"Read me": [["One"], ["Two"], ["Three"]], "People": PEOPLE}), sheet="People"),
    "cover with a short table": Right(
        xlsx({"Cover": [["by", "Ada"], ["n", 3], ["v", 2]], "L": LONG}), {"age": [20 + i % 50 for i in range(40)]}, "L"
    ),
    "short table before a lookup": Right(xlsx({"P": PEOPLE, "Codes": PEOPLE[:1] + PEOPLE[1:] * 2}), sheet="P"),
    "cover of an ods": Right(ods({"Cover": COVER, "People": PEOPLE}), sheet="People"),
    "formula with its value": Right(xlsx({"A": [["a", "b"], [1, Formula("A2*2")]]}), {"a": [1], "b": [42]}),
    "formula without its value": Right(
        without_values(xlsx({"A": [["a", "b"], [1, Formula("A2")], [2, 5]]})), {"a": [1, 2], "b": [None, 5]}, unsaved=1
    ),
    "names in two rows": Right(xlsx({"A": GROUPED}), TWO_LINES),
    "names in two rows of an ods": Right(ods({"A": GROUPED}), TWO_LINES),
    "units below the names": Right(
        xlsx({"A": [["name", "height", "wage"], [None, "cm", "€"], ["Ada", 180, 5], ["Ben", 170, 6]]}),
        {"name": ["Ada", "Ben"], "height · cm": [180, 170], "wage · €": [5, 6]},
    ),
    # Lines of names in text, totals, notes, rows of nothing
    "csv with names in two rows": Right("ward;2023;;2024\n;women;men;women\nNorth;1;2;3\nSouth;5;6;7\n", TWO_LINES),
    "a title above two rows of names": Right(
        "Beds;;;\n;;;\nward;2023;;2024\n;women;men;women\nNorth;1;2;3\nSouth;5;6;7\n", TWO_LINES
    ),
    "an unnamed column is no second row": Right(
        "name,,age\nAda,x,k.A.\nBen,y,3\nCem,z,4\n", {"name": ["Ada", "Ben", "Cem"], "age": ["k.A.", "3", "4"]}
    ),
    "the first person lacks a number": Right(
        "name;age\nAda;unknown\nBen;41\nCem;29\n", {"age": ["unknown", "41", "29"]}
    ),
    "Summe": Right("name;age\nAda;30\nBen;41\nSumme;71\n", {"age": [30, 41, 71]}, beside=1),
    "Total:": Right("name,age\nAda,30\nBen,41\nTotal:,71\n", {"age": [30, 41, 71]}, beside=1),
    "Gesamt 2023": Right("name;age\nAda;30\nBen;41\nGesamt 2023;71\n", {"age": [30, 41, 71]}, beside=1),
    "Total beside numbers": Right("id,age\n1,30\n2,41\nTotal,71\n", {"age": [30, 41, 71]}, beside=1),
    "subtotals": Right(
        "ward;n\nA;3\nA;4\nZwischensumme;7\nB;5\nB;6\nZwischensumme;11\nGesamtsumme;18\n",
        {"n": [3, 4, 7, 5, 6, 11, 18]},
        beside=3,
    ),
    "a total without a word": Right("name;age\nAda;30\nBen;40\nCem;50\n;120\n", {"age": [30, 40, 50, 120]}, beside=1),
    "an average": Right("name;age\nAda;30\nBen;40\nMittelwert;35\n", {"age": [30, 40, 35]}, beside=1),
    "total of a workbook": Right(xlsx({"A": [*PEOPLE, ["Summe", 106, 5287.5]]}), {"age": [36, 41, 29, 106]}, beside=1),
    "a person who lacks a name": Right("name;age\nAda;30\nBen;40\nCem;50\n;20\n", {"age": [30, 40, 50, 20]}),
    "an answer that is called total": Right(
        "q;n\ntotal;1\npartial;2\ntotal;3\npartial;4\n", {"q": ["total", "partial", "total", "partial"]}
    ),
    "a firm that is called Total": Right("firm;n\nTotal Energies of all France;1\nShell;2\n", {"n": [1, 2]}),
    "notes below": Right(
        "name;age\nAda;30\nBen;41\n\nQuelle: Statistik;\nStand: 2024;\n", {"age": [30, 41, None, None]}, beside=2
    ),
    "rows of nothing": Right("name;age\nAda;30\n;\n;\n", {"age": [30, None, None]}, beside=2),
    "one column with an empty answer": Right('"age"\n30\n""\n41\n', {"age": [30, None, 41]}),
    # Web pages
    "web page": Right(f"<!DOCTYPE html><html><body><h1>Staff</h1><table>{HEAD}{WEB}</table></body></html>"),
    "bare table of the web": Right(f"<table border=1>{HEAD}{WEB}</table>"),
    "web page as xls": Right(
        f'<html xmlns:x="urn:schemas-microsoft-com:office:excel"><table>{HEAD}{WEB}</table></html>'
    ),
    "web page in utf-16": Right(f"<html><table>{HEAD}{WEB}</table></html>".encode("utf-16")),
    "largest of several": Right(
        f"<html><table><tr><td>Menu<td>Home</table><table><caption>Staff</caption>{HEAD}{WEB}</table></html>",
        sheet="1. Staff",
    ),
    "cells that span": Right(
        "<table><tr><th rowspan=2>ward<th colspan=2>2023<th>2024<tr><th>women<th>men<th>women"
        "<tr><td>North<td>1<td>2<td>3<tr><td>South<td>5<td>6<td>7</table>",
        TWO_LINES,
    ),
    "table in a table": Right(f"<table><tr><td><table>{HEAD}{WEB}</table><td>x</table>"),
    "scripts and entities": Right(
        "<table><tr><th>a<th>b<tr><td>1<script>x='<td>'</script><td>x&amp;<br>y<tr><td>2<td>z</table>",
        {"a": [1, 2], "b": ["x& y", "z"]},
    ),
    "numbers of a web page are written by people": Right(
        "<table><tr><th>a<th>b<tr><td>1.234<td>x<tr><td>2.500<td>y</table>", {"a": [1.234, 2.5]}, number="1.234"
    ),
    "csv whose names are tags": Right("<b>a</b>;<i>b</i>\n1;x\n2;y\n", {"<b>a</b>": [1, 2]}),
    # JSON
    "json records": Right(json.dumps(LISTED)),
    "json records within": Right(json.dumps({"meta": "x", "data": LISTED})),
    "json lines": Right("\n".join(map(json.dumps, LISTED))),
    "json columns": Right(json.dumps(SEEN)),
    "json of pandas": Right(FRAME.to_json()),
    "json with its schema": Right(FRAME.to_json(orient="table", index=False)),
    "json rows": Right(json.dumps(PEOPLE)),
    "json that lacks a key": Right('[{"a": 1, "b": "x"}, {"b": "y", "a": 2}, {"b": "z"}]', {"a": [1, 2, None]}),
    "json record in a record": Right('[{"a": 1, "h": {"c": "x"}}, {"a": 2}]', {"a": [1, 2], "h.c": ["x", None]}),
    "json with a mark and blanks": Right("\ufeff \n" + json.dumps(LISTED, indent=2)),
    "json keys are words": Right('[{"id": "007"}, {"id": "012"}]', {"id": ["007", "012"]}),
    "json list": Right("[3, 4, 5]", {"value": [3, 4, 5]}),
    "csv that begins with a bracket": Right("[a],[b]\n1,x\n2,y\n", {"[a]": [1, 2], "[b]": ["x", "y"]}),
    # Files of programs
    "parquet": Right(parquet(FRAME), sheet="Parquet"),
    "parquet with an index": Right(parquet(FRAME.set_index(pd.Index([5, 6, 7])), index=True)),
    "parquet with days and short numbers": Right(
        parquet(pd.DataFrame({"d": pd.to_datetime(["2024-02-29", None]), "f": pd.Series([0.1, 2], dtype="float32")})),
        {"d": [pd.Timestamp("2024-02-29"), None], "f": [0.1, 2]},
    ),
    "arrow": Right(feather(FRAME), sheet="Arrow"),
    "stata": Right(stata(FRAME), sheet="Stata"),
    "stata of 2013": Right(stata(FRAME, 117)),
    "stata of 2005": Right(stata(FRAME, 114)),
    "stata words for numbers": Right(words_for_numbers(), {"sex": ["f", "m", "f"], "age": [36, 41, 29]}),
    # From a Mac and other programs
    "workbook in utf-16": Right(rewritten(xlsx({"A": PEOPLE}), "utf-16"), sheet="A"),
    "workbook in utf-8 with a mark": Right(rewritten(xlsx({"A": PEOPLE}), "utf-8-sig").replace(b"UTF-8-SIG", b"UTF-8")),
    "workbook packed by bzip2": Right(rewritten(xlsx({"A": PEOPLE}), way=zipfile.ZIP_BZIP2)),
    "workbook that is not packed": Right(rewritten(xlsx({"A": PEOPLE}), way=zipfile.ZIP_STORED)),
    "ods in utf-16": Right(rewritten(ods({"A": PEOPLE}), "utf-16"), sheet="A"),
    "mark, old line ends, semicolons and decimal commas": Right(
        "\ufeffname;wage\rAda;1.234,5\rBen;2.000,25\rCem;3,5\r", {"wage": [1234.5, 2000.25, 3.5]}
    ),
    "excel of an old mac": Right(
        "name;stadt\rJörg;Köln\rÄnne;Düren\r".encode("mac-roman"), {"stadt": ["Köln", "Düren"]}
    ),
    "excel of a mac with other line ends": Right(
        "ville,n\nSète,1\nNîmes,2\n".encode("mac-roman"), {"ville": ["Sète", "Nîmes"]}
    ),
    "western names that a mac would read otherwise": Right(
        "a;b\nŠárka;Žižkov\nZoë;Škoda “x” – 5 €…\n".encode("cp1252"), {"b": ["Žižkov", "Škoda “x” – 5 €…"]}
    ),
    "western signs alone": Right(
        "a;b\ndon’t;…\nŠimon;kůň\n".replace("ůň", "un").encode("cp1252"), {"a": ["don’t", "Šimon"]}
    ),
    # Archives
    "zip of a csv": Right(zipped({"staff.csv": CSV.encode()})),
    "zip of a mac": Right(zipped({"s/staff.csv": CSV.encode(), "__MACOSX/s/._staff.csv": b"\0", "s/.DS_Store": b"x"})),
    "zip with a readme": Right(zipped({"readme.txt": b"hello", "staff.csv": CSV.encode(), "plan.pdf": b"%PDF"})),
    "zip of a workbook": Right(zipped({"staff.xlsx": xlsx({"A": PEOPLE})}), sheet="A"),
    "zip of parquet": Right(zipped({"part.parquet": parquet(FRAME)})),
    # What resembles a drawn table
    "bars and dashes that stand for nothing": Right("a|b\n-|-\n1|x\n", {"a": ["-", "1"]}),
    "a drawn table in a cell": Right('id,note\n1,"a | b\n---|---\n1 | x"\n2,y\n', {"id": [1, 2]}),
    "a table of LaTeX in a cell": Right('id,note\n1,"\n\\begin{tabular}{ll}"\n2,\\begin{tabular}\n', {"id": [1, 2]}),
}

ZIPPED = zipped({"a.csv": CSV.encode()})
DRAWN = {
    "markdown": "# Staff\n\n| name | age |\n|:--|--:|\n| Ada | 36 |\n| **Ben** | 41 |\n\nEnd",
    "markdown without outer bars": "name | age\n--- | ---\nAda | 36\nBen | 41\n",
    "markdown of one column": "| name |\n|------|\n| Ada |\n",
    "markdown with a bar in a cell": "| a \\| b | c |\n|---|---|\n| 1 | 2 |\n",
    "terminal of a database": " name | age\n------+-----\n Ada | 36\n(1 row)\n",
    "boxes of a database": "+---+---+\n| a | b |\n+===+===+\n| 1 | x |\n+---+---+\n",
    "boxes of a terminal": "┌───┬───┐\n│ a │ b │\n├───┼───┤\n│ 1 │ x │\n└───┴───┘\n",
    "latex": "\\begin{tabular}{lr}\nname & age \\\\\nAda & 36 \\\\\n\\end{tabular}\n",
    "latex as a document": "\\documentclass{article}\n\\begin{document}\n\\centering\\begin{longtable}{l}\nAda",
    "latex in utf-16": "\\begin{tblr}{ll} a & b \\\\ \\end{tblr}",
    "torn latex": "$$\\begin{pmatrix} 1 & 2",
}

REFUSED: dict[str, Wrong] = {
    "page without a table": Wrong("<!doctype html><html><p>Hello, you</p></html>", "file_tableless", "web page"),
    "page that is too large": Wrong("<table>" + "<tr><td colspan=1000>x" * 2001 + "</table>", "book_large"),
    "xml": Wrong('<?xml version="1.0"?><Workbook><Row/></Workbook>', "file_foreign", "an XML file"),
    "web archive": Wrong("MIME-Version: 1.0\nContent-Type: multipart/related\n", "file_foreign", "web archive"),
    "nested json": Wrong('[{"a": 1}, {"a": 2, "b": [3]}]', "file_nested", "column 'b'"),
    "ragged json": Wrong("[[1, 2], [3]]", "file_json"),
    "json of nothing": Wrong("{}", "file_json"),
    "torn json": Wrong('[{"a": 1}, {"a":', "file_broken", "a JSON file"),
    "json without a bottom": Wrong("[" * 100_000, "file_json"),
    "torn parquet": Wrong(parquet(FRAME)[:-40], "file_broken", "a Parquet file"),
    "parquet of lists": Wrong(parquet(pd.DataFrame({"a": [[1, 2], [3]]})), "file_nested", "column 'a'"),
    "torn stata": Wrong(stata(FRAME)[:300], "file_broken", "a Stata file"),
    "spss": Wrong(b"$FL2@(#) SPSS DATA FILE" + bytes(100), "file_foreign", "an SPSS file"),
    "sas": Wrong(bytes(12) + b"\xc2\xea\x81\x60" + bytes(100), "file_foreign", "a SAS file"),
    "r": Wrong(b"RDX3\nX\n\0\0\0\3" + bytes(100), "file_foreign", "an R data file"),
    "zip of two tables": Wrong(zipped({"a.csv": b"a\n1\n", "b.csv": b"a\n1\n"}), "file_zip", "got 2"),
    "zip of nothing": Wrong(zipped({}), "file_no_text"),
    "zip in a zip": Wrong(zipped({"a.zip": zipped({"a.csv": b"a\n1\n"})}), "file_foreign", "a ZIP archive"),
    "zip with a password": Wrong(unlocked_sign(zipped({"a.csv": b"a\n1\n"})), "file_zip_locked"),
    "torn zip": Wrong(zipped({"a.csv": CSV.encode() * 9})[:-9], "file_zip_damaged"),
    "zip whose list begins before it": Wrong(ZIPPED[:30] + ZIPPED[40:], "file_zip_damaged"),
    "zip of very many": Wrong(packed({f"{i}.csv": "" for i in range(MOST_FILES + 1)}), "file_zip"),
    "zip that bursts": Wrong(zipped({"a.csv": b"0" * (61 * MEGABYTE)}), "file_unpacks_large"),
    "document of Word": Wrong(packed({"word/document.xml": "<w/>"}), "file_foreign", "a document with text"),
    "text of LibreOffice": Wrong(
        zipped({"mimetype": b"application/vnd.oasis.opendocument.text", "content.xml": b""}), "file_foreign", "document"
    ),
    "presentation": Wrong(packed({"ppt/presentation.xml": "<p/>"}), "file_foreign", "a presentation"),
    "numbers of Apple": Wrong(packed({"Index/Document.iwa": ""}), "file_foreign", "export it as Excel or CSV"),
    "numbers of Apple, packed by a mac": Wrong(
        packed({"staff.numbers": "x", "__MACOSX/._staff.numbers": ""}), "file_foreign", "an Apple Numbers document"
    ),
    "numbers of Apple, a folder": Wrong(
        packed({"staff.numbers/Index.zip": "x", "staff.numbers/preview.jpg": ""}), "file_foreign", "Apple Numbers"
    ),
    "binary workbook": Wrong(packed({"xl/workbook.bin": ""}), "file_foreign", "a binary Excel workbook"),
    "old document": Wrong(xls({"A": PEOPLE}, "WordDocument"), "file_foreign", "an old Office document"),
    "torn xls, in a process": Wrong(xls({"A": PEOPLE})[:1500], "book_damaged"),
    **{name: Wrong(text, "file_drawn", "save it as CSV or a workbook") for name, text in DRAWN.items()},
}


def cells_of(table: Table, name: str) -> list[Any]:
    column: Any = table.frame[name]
    return column.astype(object).where(column.notna(), None).tolist()


def read(raw: bytes | str, reading: Reading | None = None) -> tuple[Table, Understood]:
    return read_table(bytes_of(raw), "staff.xyz", reading)


@for_each("name", READ)
def test_a_file_is_read_as_it_shows_itself(name: str) -> None:
    case = READ[name]
    table, understood = read(case.raw)
    assert {column: cells_of(table, column) for column in case.cells} == case.cells
    assert (understood.beside, understood.unsaved, understood.number_in_doubt) == (
        case.beside,
        case.unsaved,
        case.number,
    )
    assert case.sheet in ("", understood.reading.sheet)


@pytest.mark.parametrize("name", REFUSED)
def test_a_file_is_refused_in_a_sentence_that_helps(name: str) -> None:
    case = REFUSED[name]
    with pytest.raises(TableError) as caught:
        read(case.raw)
    assert caught.value.key == case.key
    assert case.words in str(caught.value) and "staff.xyz" in str(caught.value)


@pytest.mark.parametrize("name", ["Summe", "Total beside numbers", "subtotals", "notes below", "rows of nothing"])
def test_rows_that_are_no_people_are_left_out_once_their_reader_says_so(name: str) -> None:
    case = READ[name]
    table, understood = read(case.raw, Reading(";" if ";" in str(case.raw) else ",", leave_out=True))
    (column, cells), *_ = [(column, cells) for column, cells in case.cells.items()]
    people = [cell for cell in cells if cell is not None]
    kept = {"Summe": people[:-1], "Total beside numbers": people[:-1], "subtotals": [3, 4, 5, 6]}.get(name, people)
    assert cells_of(table, column) == kept and understood.beside == 0
    assert {each.name: each.kind for each in understood.columns}[column] == "number"
    if name == "Total beside numbers":
        assert cells_of(table, "id") == [1, 2]


def test_the_row_that_is_asked_about_is_shown() -> None:
    assert read(READ["Summe"].raw)[1].beside_first == ("Summe", "71")
    assert read(READ["rows of nothing"].raw)[1].beside_first == ()


def test_another_table_of_a_page_can_be_chosen() -> None:
    page = f"<table><tr><td>a<td>b<tr><td>1<td>2</table><table>{HEAD}{WEB}</table>"
    table, understood = read(page)
    assert understood.sheets == ("1", "2") and cells_of(table, "age") == SEEN["age"]
    assert cells_of(read(page, Reading("\t", sheet="1"))[0], "b") == [2]


@pytest.mark.parametrize("name", ["xls", "web page", "json records", "parquet", "stata"])
def test_the_process_of_its_own_reads_the_same(name: str) -> None:
    case = READ[name]
    table, _ = read(case.raw)
    assert {column: cells_of(table, column) for column in case.cells} == case.cells


@pytest.mark.parametrize("name", ["torn parquet", "json without a bottom", "nested json"])
def test_the_process_of_its_own_refuses_the_same(name: str) -> None:
    with pytest.raises(TableError) as caught:
        read(REFUSED[name].raw)
    assert caught.value.key == REFUSED[name].key


def test_a_process_that_needs_more_memory_than_it_may_have_ends_in_a_sentence() -> None:
    with pytest.raises(TableError) as caught:
        read("[" + "[[]]," * (4 * MEGABYTE) + "[[]]]")
    assert caught.value.key == "book_large"


def test_what_a_process_opens_is_told_by_its_beginning() -> None:
    for name, case in READ.items():
        raw = bytes_of(case.raw)
        assert opens_apart(raw) == (kind_of_file(raw) != "" or raw.startswith(b"PK")), name
    assert not any(opens_apart(bytes_of(text)) for text in DRAWN.values()), "refused without a process"


SECONDS = 10  # of work; what grows with the square of the length takes minutes
ENDLESS = {
    "cells": "<table>" + "<tr><td>" * 50_000,
    "tags": "<" * 100_000,
    "comment": "<table><!--" + "-" * 100_000,
    "bars": "| a |\n|--|\n" + "|" * 100_000,
    "quotes": '"\n' * 30_000,
    "records": '{"a":' * 50_000,
}


@pytest.mark.parametrize("name", ENDLESS)
def test_a_text_that_never_ends_is_read_or_refused_at_once(name: str) -> None:
    started = time.process_time()
    with suppress(TableError):
        assert read(ENDLESS[name])[0].n > 0
    assert time.process_time() - started < SECONDS
