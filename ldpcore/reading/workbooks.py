"""One table of a workbook (.xlsx, .xls, .ods) or of a file in another form, as text that `dialects` reads.

The file is opened in a process of its own, bounded in memory and time, because a few kilobytes may unpack to more than
any machine has: what bursts there takes nobody else with it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from ldpcore.processes import memory_of, unless_the_reader_ends
from ldpcore.questions import Progress
from ldpcore.reading.files import LARGEST, MEGABYTE, encoding_of
from ldpcore.reading.foreign import TEXTS, FileFormat, is_locked
from ldpcore.reading.held import DAMAGED, TOO_LARGE
from ldpcore.tables.table import TableError, shortened

MOST_SHEETS, MOST_CELLS = 1_000, 2_000_000
MEMORY, SECONDS = 300 * MEGABYTE, 20  # of the process that opens it
LIBRARIES = 450 * MEGABYTE  # of addresses more, where it must load what reads Parquet or Stata, most of them untouched
COLUMNAR: tuple[FileFormat, ...] = ("parquet", "arrow", "stata")
LOOK, PATIENCE = 0.1, 180  # seconds between two looks at whether it is still wanted; on a busy machine at most


@dataclass(frozen=True)
class Sheet:
    """The text of one table, its name, and the names of the others.

    `typed` where its file knows numbers from words, as no web page does; `unsaved` of its cells are formulas without a
    value.
    """

    text: bytes
    name: str
    names: tuple[str, ...]
    typed: bool = True
    unsaved: int = 0


def sheet_of(
    raw: bytes, name: str, wanted: str = "", progress: Progress | None = None, kind: FileFormat = "book"
) -> Sheet:
    """The wanted table, or the first that holds one; `progress` may raise, and the process ends."""
    file = shortened(name)
    if is_locked(raw):
        raise TableError("book_locked", file=file)
    if kind == "drawn":
        raise TableError("file_drawn", file=file)
    encoding = encoding_of(raw, name) if kind in TEXTS else ""
    text, code = _carried_out(raw, kind, encoding, wanted, progress)
    first = text.find(b"\n")
    head: dict[str, Any] = json.loads(text[:first]) if first >= 0 else {"wrong": ""}
    # It says so where a file is damaged; whatever else ends it is want of memory, or of time.
    if code not in (0, DAMAGED) or head["wrong"] == "large":
        raise TableError("book_large", file=file, most=MOST_CELLS)
    if code or head["wrong"]:
        raise _refused(kind, file, head)
    return Sheet(text[first + 1 :], head["sheet"], tuple(head["sheets"]), kind != "html", head["unsaved"])


def _refused(kind: FileFormat, file: str, head: dict[str, Any]) -> TableError:
    """The reason why no table comes out of a file."""
    wrong = head["wrong"]
    if wrong == "sheets":
        return TableError("book_sheets", file=file, sheets=head["count"], most=MOST_SHEETS)
    if wrong == "locked":
        return TableError("book_locked", file=file)
    if wrong == "nested":
        return TableError("file_nested", file=file, kind=kind, column=shortened(str(head["about"])))
    if wrong == "shape":
        return TableError("file_json", file=file)
    if wrong == "no-table":
        return TableError("file_tableless", file=file, kind=kind)
    if kind == "book":
        return TableError("book_damaged", file=file)
    return TableError("file_broken", file=file, kind=kind)


def _carried_out(
    raw: bytes, kind: FileFormat, encoding: str, wanted: str, progress: Progress | None
) -> tuple[bytes, int]:
    """The output of the process, and how it ends; it is fed and heard through pipes, so that nothing reaches a disk."""
    memory = MEMORY + LIBRARIES if kind in COLUMNAR else MEMORY
    limits = map(str, (MOST_SHEETS, MOST_CELLS, LARGEST, memory, SECONDS))
    command = [sys.executable, "-m", "ldpcore.reading.sheetlines", *limits, kind, encoding, wanted[:200]]
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
                    if memory_of(process.pid) > memory:  # not every system can limit it
                        break
                    if progress is not None:
                        progress(0.0)
            return b"", TOO_LARGE
        finally:
            process.kill()


def _feed(pipe: IO[bytes], raw: bytes) -> None:
    """Hand a file over, unless the process has ended before."""
    with unless_the_reader_ends(), pipe:
        pipe.write(raw)
