"""A sheet of a workbook (.xlsx, .ods) as text that `dialects` reads.

The workbook is opened in a process of its own, bounded in memory and time, because a few kilobytes may unpack to more
than any machine has: what bursts there takes nobody else with it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from ldpcore.files import LARGEST, MEGABYTE, Progress
from ldpcore.tables import TableError, shortened

ZIP, PARTS = b"PK\x03\x04", (b"xl/workbook.xml", b"content.xml")
MOST_CELLS = 5_000_000
MEMORY, SECONDS = 800 * MEGABYTE, 20  # of the process that opens it
LOOK, PATIENCE = 0.1, 180  # seconds between two looks at whether it is still wanted; on a busy machine at most


@dataclass(frozen=True)
class Sheet:
    """The text of one sheet, what it is called, and which others there are."""

    text: bytes
    name: str
    names: tuple[str, ...]


def is_workbook(raw: bytes) -> bool:
    """Whether a file is a workbook of Excel's or LibreOffice's: a zip that names its parts so."""
    return raw.startswith(ZIP) and any(part in raw[: 1 << 12] or part in raw[-(1 << 16) :] for part in PARTS)


def sheet_of(raw: bytes, name: str, wanted: str = "", progress: Progress | None = None) -> Sheet:
    """The wanted sheet, or the first that holds a table; `progress` may raise, and the process ends."""
    text, code = _carried_out(raw, wanted, progress)
    file, first = shortened(name), text.find(b"\n")
    head = json.loads(text[:first]) if first >= 0 else {"wrong": "large"}
    if code != 0 or head["wrong"] == "large":
        raise TableError("book_large", file=file, most=MOST_CELLS)
    if head["wrong"] == "locked":
        raise TableError("book_locked", file=file)
    if head["wrong"]:
        raise TableError("book_damaged", file=file)
    return Sheet(text[first + 1 :], head["sheet"], tuple(head["sheets"]))


def _carried_out(raw: bytes, wanted: str, progress: Progress | None) -> tuple[bytes, int]:
    """What the process writes, and how it ends; it is fed and heard through pipes, so that nothing reaches a disk."""
    limits = map(str, (MOST_CELLS, LARGEST, MEMORY, SECONDS))
    command = [sys.executable, "-m", "ldpcore.sheets", *limits, wanted[:200]]
    pipe, home = subprocess.PIPE, Path(__file__).resolve().parent.parent
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
