"""A workbook or another file that a process of its own must open, and that becomes the text of a box."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import partial

from explorer.ui import uploads, work
from explorer.ui.shown import Shown
from ldpcore.questions import Progress
from ldpcore.reading.foreign import kind_of_file
from ldpcore.reading.workbooks import sheet_of
from ldpcore.tables.table import TableError


def text_of(
    shown: Shown, waiting: tuple[str, bytes] | None, ended: Callable[[], object], place: str
) -> str | TableError | None:
    """The text of the waiting file's first sheet with a table, or the reason why there is none; none without a file.

    It is opened as long work that is asked for at `place`; once it has `ended`, the file waits no more.
    """
    if waiting is None:
        return None
    name, raw = waiting
    key = (len(raw), hashlib.blake2b(raw, digest_size=16).hexdigest())
    outcome = work.carry_out(key, partial(_of_sheet, raw, name), place, uploads.WORKBOOK)
    if isinstance(outcome, work.Waiting):
        words = {each: shown.catalogue.label(f"frame.{each}") for each in ("queued", "stop")}
        work.watch(working=shown.catalogue.label("own.reading"), **words, place=place)
        return None
    ended()
    return None if isinstance(outcome, work.Stopped) else outcome.answer


def _of_sheet(raw: bytes, name: str, progress: Progress) -> str | TableError:
    try:
        return sheet_of(raw, name, progress=progress, kind=kind_of_file(raw)).text.decode()
    except TableError as problem:
        return TableError(problem.key, **problem.fields)
