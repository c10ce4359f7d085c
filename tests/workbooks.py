"""Small workbooks, written by hand: what Excel and LibreOffice save, without either."""

from __future__ import annotations

import datetime as dt
import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any
from xml.sax.saxutils import escape

from openpyxl.utils import range_boundaries

Rows = Sequence[Sequence[Any]]
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>'
_DAYS = dt.date(1899, 12, 30)
_STYLES = (
    f'<styleSheet xmlns="{_MAIN}"><fonts count="1"><font/></fonts><fills count="1"><fill/></fills>'
    '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>'
    '<cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/>'
    '<xf numFmtId="10" applyNumberFormat="1"/></cellXfs></styleSheet>'
)
_OFFICE = "urn:oasis:names:tc:opendocument:xmlns"
_ODS = (
    f'<office:document-content xmlns:office="{_OFFICE}:office:1.0" xmlns:table="{_OFFICE}:table:1.0" '
    f'xmlns:text="{_OFFICE}:text:1.0" office:version="1.2"><office:body><office:spreadsheet>%s'
    "</office:spreadsheet></office:body></office:document-content>"
)


class Formula(str):
    """A formula whose value, 42, was saved with it."""


class Percent(float):
    """A share that is shown as per cent."""


def place_of(row: int, column: int) -> str:
    """A cell's name, as B3."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return f"{letters}{row + 1}"


def _cell(value: Any, where: str) -> str:
    if value is None:
        return ""
    if isinstance(value, Formula):
        return f'<c r="{where}"><f>{escape(value)}</f><v>42</v></c>'
    if isinstance(value, bool):
        return f'<c r="{where}" t="b"><v>{int(value)}</v></c>'
    if isinstance(value, dt.date):
        return f'<c r="{where}" s="1"><v>{(value - _DAYS).days}</v></c>'
    if isinstance(value, (int, float)):
        style = ' s="2"' if isinstance(value, Percent) else ""
        return f'<c r="{where}"{style}><v>{float(value)!r}</v></c>'
    return f'<c r="{where}" t="inlineStr"><is><t xml:space="preserve">{escape(value)}</t></is></c>'


def _sheet(rows: Rows, merged: Sequence[str]) -> str:
    lines = (
        f'<row r="{r + 1}">{"".join(_cell(value, place_of(r, c)) for c, value in enumerate(row))}</row>'
        for r, row in enumerate(rows)
    )
    spans = "".join(f'<mergeCell ref="{span}"/>' for span in merged)
    joined = f'<mergeCells count="{len(merged)}">{spans}</mergeCells>' if merged else ""
    return f'{_HEAD}<worksheet xmlns="{_MAIN}"><sheetData>{"".join(lines)}</sheetData>{joined}</worksheet>'


def packed(files: Mapping[str, str]) -> bytes:
    """A zip of texts."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return held.getvalue()


def altered(raw: bytes, old: str, new: str) -> bytes:
    """A workbook in whose files one text stands for another."""
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        return packed({name: archive.read(name).decode().replace(old, new) for name in archive.namelist()})


def xlsx(sheets: Mapping[str, Rows], merged: Mapping[str, Sequence[str]] | None = None) -> bytes:
    """A workbook as Excel saves one."""
    spans, kind = merged or {}, "application/vnd.openxmlformats-officedocument.spreadsheetml"
    names = list(sheets)
    parts = "".join(
        f'<Override PartName="/xl/worksheets/sheet{i}.xml" ContentType="{kind}.worksheet+xml"/>'
        for i in range(1, len(names) + 1)
    )
    listed = "".join(
        f'<sheet name="{escape(name)}" sheetId="{i}" r:id="r{i}"/>' for i, name in enumerate(names, start=1)
    )
    links = "".join(
        f'<Relationship Id="r{i}" Type="{_LINKS}/worksheet" Target="worksheets/sheet{i}.xml"/>'
        for i in range(1, len(names) + 1)
    )
    files = {
        "[Content_Types].xml": f'{_HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{kind}.sheet.main+xml"/>{parts}</Types>',
        "_rels/.rels": f'{_HEAD}<Relationships xmlns="{_PACKAGE}"><Relationship Id="r1" '
        f'Type="{_LINKS}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'{_HEAD}<workbook xmlns="{_MAIN}" xmlns:r="{_LINKS}"><sheets>{listed}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'{_HEAD}<Relationships xmlns="{_PACKAGE}">{links}<Relationship Id="s" '
        f'Type="{_LINKS}/styles" Target="styles.xml"/></Relationships>',
        "xl/styles.xml": f"{_HEAD}{_STYLES}",
    }
    for i, name in enumerate(names, start=1):
        files[f"xl/worksheets/sheet{i}.xml"] = _sheet(sheets[name], spans.get(name, ()))
    return packed(files)


def locked_xlsx() -> bytes:
    """How a workbook begins that Excel has saved with a password: a container of which only the list is readable."""
    names = ("Root Entry", "EncryptionInfo", "EncryptedPackage")
    listed = b"".join(name.encode("utf-16-le").ljust(128, b"\0") for name in names)
    return bytes.fromhex("d0cf11e0a1b11ae1").ljust(512, b"\0") + listed + bytes(4096)


def locked_ods() -> bytes:
    """A workbook that LibreOffice has saved with a password: what it lists is readable, what it holds is not."""
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = (
        f'{_HEAD}<manifest:manifest xmlns:manifest="{_OFFICE}:manifest:1.0">'
        f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{kind}"/>'
        '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml">'
        "<manifest:encryption-data/></manifest:file-entry></manifest:manifest>"
    )
    return packed({"mimetype": kind, "content.xml": "\x8f\x03" * 500, "META-INF/manifest.xml": manifest})


def unfolding(cells: int, width: int = 100) -> bytes:
    """A workbook of so many cells that are all alike, and therefore of a few kilobytes."""
    row = f"<row>{'<c><v>1</v></c>' * width}</row>"
    whole = xlsx({"A": [["HERE"]]})
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        files = {name: archive.read(name).decode() for name in archive.namelist()}
    sheet = "xl/worksheets/sheet1.xml"
    begins, ends = files[sheet].index("<row"), files[sheet].index("</sheetData>")
    return packed(files | {sheet: files[sheet][:begins] + row * (cells // width) + files[sheet][ends:]})


def _open_cell(value: Any, spanned: str = "") -> str:
    if value is None:
        return f"<table:table-cell{spanned}/>"
    if isinstance(value, bool):
        return f'<table:table-cell{spanned} office:value-type="boolean" office:boolean-value="{str(value).lower()}"/>'
    if isinstance(value, dt.date):
        return f'<table:table-cell{spanned} office:value-type="date" office:date-value="{value.isoformat()}"/>'
    if isinstance(value, (int, float)):
        return f'<table:table-cell{spanned} office:value-type="float" office:value="{float(value)!r}"/>'
    return f'<table:table-cell{spanned} office:value-type="string"><text:p>{escape(value)}</text:p></table:table-cell>'


def _open_rows(rows: Rows, merged: Sequence[str]) -> str:
    """Rows, of which empty cells and empty rows that follow each other are written once, as LibreOffice does."""
    corners = map(range_boundaries, merged)
    spans = {(top - 1, left - 1): (bottom - top + 1, right - left + 1) for left, top, right, bottom in corners}
    lines = ""
    for r, row in enumerate(rows):
        cells = []
        for c, value in enumerate(row):
            down, right = spans.get((r, c), (1, 1))
            told = f' table:number-rows-spanned="{down}" table:number-columns-spanned="{right}"'
            cells.append(_open_cell(value, told if (down, right) != (1, 1) else ""))
        runs = ((cell, len(list(same))) for cell, same in groupby(cells))
        line = "".join(_repeated(cell, "columns", n) for cell, n in runs)
        lines += f"<table:table-row>{line or _open_cell(None)}</table:table-row>"
    blank = "<table:table-row><table:table-cell/></table:table-row>"
    return re.sub(f"(?:{blank})+", lambda run: _repeated(blank, "rows", len(run[0]) // len(blank)), lines)


def _repeated(element: str, what: str, times: int) -> str:
    """An element that stands for several."""
    return re.sub(r"(?=[ />])", f' table:number-{what}-repeated="{times}"', element, count=1)


def ods(sheets: Mapping[str, Rows], merged: Mapping[str, Sequence[str]] | None = None) -> bytes:
    """A workbook as LibreOffice saves one."""
    tables = "".join(
        f'<table:table table:name="{escape(name)}">{_open_rows(rows, (merged or {}).get(name, ()))}</table:table>'
        for name, rows in sheets.items()
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = (
        f'{_HEAD}<manifest:manifest xmlns:manifest="{_OFFICE}:manifest:1.0">'
        f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{kind}"/>'
        '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>'
    )
    return packed({"mimetype": kind, "META-INF/manifest.xml": manifest, "content.xml": _HEAD + _ODS % tables})
