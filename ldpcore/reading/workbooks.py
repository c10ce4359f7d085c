"""A sheet of a workbook (.xlsx, .ods) as text that `dialects` reads.

The workbook is opened in a process of its own, bounded in memory and time, because a few kilobytes may unpack to more
than any machine has: what bursts there takes nobody else with it.
"""

from __future__ import annotations

import json
import struct
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from ldpcore.reading.files import LARGEST, MEGABYTE, Progress
from ldpcore.tables.table import TableError, shortened

ZIP, PARTS = b"PK\x03\x04", (b"xl/workbook.xml", b"content.xml")
END = struct.Struct("<12xI6x")  # of a zip, behind its list of files, whose size it tells
COMMENT, MARGIN = 1 << 16, 128  # bytes that may stand behind it, and before it where there are very many files
OLE, LOCKED = b"\xd0\xcf\x11\xe0", "EncryptedPackage".encode("utf-16-le")  # how Excel begins to write with a password
MOST_SHEETS, MOST_CELLS = 1_000, 2_000_000
MEMORY, SECONDS = 300 * MEGABYTE, 20  # of the process that opens it
TOO_LARGE = 3  # how it ends where it may not go on, as `sheets` has it
LOOK, PATIENCE = 0.1, 180  # seconds between two looks at whether it is still wanted; on a busy machine at most


@dataclass(frozen=True)
class Sheet:
    """The text of one sheet, what it is called, and which others there are."""

    text: bytes
    name: str
    names: tuple[str, ...]


def is_workbook(raw: bytes) -> bool:
    """Whether a file is a workbook of Excel's or LibreOffice's: a zip that lists such parts, or a locked one."""
    if not raw.startswith(ZIP):
        return is_locked(raw)
    place = raw.rfind(b"PK\x05\x06", max(len(raw) - COMMENT - END.size, 0))
    (size,) = END.unpack_from(raw, place) if 0 <= place <= len(raw) - END.size else (len(raw),)
    end = place if place >= 0 else len(raw)  # a zip whose list is lost may still be a damaged workbook
    return any(raw.find(part, max(end - size - MARGIN, 0), end) >= 0 for part in PARTS)


def is_locked(raw: bytes) -> bool:
    """Whether a file is a workbook that Excel has saved with a password: another container, whatever it holds."""
    return raw.startswith(OLE) and LOCKED in raw


def sheet_of(raw: bytes, name: str, wanted: str = "", progress: Progress | None = None) -> Sheet:
    """The wanted sheet, or the first that holds a table; `progress` may raise, and the process ends."""
    file = shortened(name)
    if is_locked(raw):
        raise TableError("book_locked", file=file)
    text, code = _carried_out(raw, wanted, progress)
    first = text.find(b"\n")
    head = json.loads(text[:first]) if first >= 0 else {"wrong": ""}
    if code == TOO_LARGE or code < 0 or head["wrong"] == "large":
        raise TableError("book_large", file=file, most=MOST_CELLS)
    if head["wrong"] == "sheets":
        raise TableError("book_sheets", file=file, sheets=head["count"], most=MOST_SHEETS)
    if head["wrong"] == "locked":
        raise TableError("book_locked", file=file)
    if code or head["wrong"]:
        raise TableError("book_damaged", file=file)
    return Sheet(text[first + 1 :], head["sheet"], tuple(head["sheets"]))


def _carried_out(raw: bytes, wanted: str, progress: Progress | None) -> tuple[bytes, int]:
    """What the process writes, and how it ends; it is fed and heard through pipes, so that nothing reaches a disk."""
    limits = map(str, (MOST_SHEETS, MOST_CELLS, LARGEST, MEMORY, SECONDS))
    command = [sys.executable, "-m", "ldpcore.reading.sheetlines", *limits, wanted[:200]]
    pipe, home = subprocess.PIPE, Path(__file__).resolve().parents[2]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, cwd=home) as process:
        given, process.stdin = process.stdin, None  # fed beside: `communicate` forgets its input where it must wait
        assert given is not None
        threading.Thread(target=_feed, args=(given, raw), daemon=True).start()
        try:
            for _ in range(int(PATIENCE / LOOK)):
                try:
                    written, _ = process.communicate(timeout=LOOK)
                    return written, process.returncode
                except subprocess.TimeoutExpired:
                    if progress is not None:
                        progress(0.0)
            return b"", -1
        finally:
            process.kill()


def _feed(pipe: IO[bytes], raw: bytes) -> None:
    """Hand a file over, unless the process has ended before."""
    with suppress(BrokenPipeError), pipe:
        pipe.write(raw)
