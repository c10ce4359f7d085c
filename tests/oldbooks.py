"""Workbooks as Excel saved them before 2007, written by hand: records in a container of sectors."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any

SECTOR, FREE, END, TABLE = 512, 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


def _record(kind: int, body: bytes) -> bytes:
    return struct.pack("<HH", kind, len(body)) + body


def _begin(kind: int) -> bytes:
    return _record(0x0809, struct.pack("<HHHHII", 0x0600, kind, 0x0DBB, 0x07CC, 0, 6))


def _cell(row: int, column: int, value: Any) -> bytes:
    place = struct.pack("<HHH", row, column, 0)
    if isinstance(value, str):
        return _record(0x0204, place + struct.pack("<HB", len(value), 1) + value.encode("utf-16-le"))
    return _record(0x0203, place + struct.pack("<d", float(value)))


def _sheet(rows: Sequence[Sequence[Any]]) -> bytes:
    width = max(map(len, rows), default=0)
    cells = b"".join(
        _cell(r, c, value) for r, row in enumerate(rows) for c, value in enumerate(row) if value is not None
    )
    size = _record(0x0200, struct.pack("<IIHHH", 0, len(rows), 0, width, 0))
    return _begin(0x0010) + size + cells + _record(0x000A, b"")


def _book(sheets: Mapping[str, Sequence[Sequence[Any]]]) -> bytes:
    """The stream of records: a list of sheets, and each of them."""
    bodies = [_sheet(rows) for rows in sheets.values()]
    names = [struct.pack("<BB", len(name), 1) + name.encode("utf-16-le") for name in sheets]
    at = len(_begin(0x0005)) + sum(4 + 6 + len(name) for name in names) + 4
    listed = b""
    for name, body in zip(names, bodies, strict=True):
        listed += _record(0x0085, struct.pack("<IBB", at, 0, 0) + name)
        at += len(body)
    return _begin(0x0005) + listed + _record(0x000A, b"") + b"".join(bodies)


def _entry(name: str, kind: int, child: int, start: int, size: int) -> bytes:
    """A line of the container's list of streams."""
    text = name.encode("utf-16-le").ljust(64, b"\0")
    place = struct.pack("<HBBIII", 2 * len(name) + 2 if name else 0, kind, 1, FREE, FREE, child)
    return text + place + bytes(16 + 4 + 16) + struct.pack("<IQ", start, size)


def xls(sheets: Mapping[str, Sequence[Sequence[Any]]], stream: str = "Workbook") -> bytes:
    """A workbook, or another file of that time, whose stream has another name."""
    content = _book(sheets)
    content = content.ljust(max(4096, -(-len(content) // SECTOR) * SECTOR), b"\0")
    sectors = len(content) // SECTOR
    assert sectors + 2 <= SECTOR // 4
    chain = [TABLE, END, *range(3, sectors + 2), END]
    table = struct.pack(f"<{SECTOR // 4}I", *chain, *[FREE] * (SECTOR // 4 - len(chain)))
    listed = (
        _entry("Root Entry", 5, 1, END, 0) + _entry(stream, 2, FREE, 2, len(content)) + 2 * _entry("", 0, FREE, 0, 0)
    )
    head = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    head += struct.pack("<IIIIIIIII", 0, 1, 1, 0, 4096, END, 0, END, 0) + struct.pack("<109I", 0, *[FREE] * 108)
    return head + table + listed + content
