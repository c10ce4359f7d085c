"""The opening of a reader's file without a process of its own: one for each takes long."""

from __future__ import annotations

import json
import warnings
from typing import Any

from ldpcore.reading import sheetlines, workbooks
from ldpcore.reading.held import UnfitError


def carried_out(raw: bytes, kind: Any, encoding: str, wanted: str, progress: Any) -> tuple[bytes, int]:
    """As `workbooks._carried_out`, by the same code."""
    head: dict[str, Any] = {"sheets": [], "sheet": "", "wrong": "", "about": "", "count": 0, "unsaved": 0}
    lines = []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what pandas says of a file's age is heard in a process by nobody
            held = sheetlines.table_of(raw, kind, encoding, wanted, workbooks.MOST_SHEETS, workbooks.MOST_CELLS)
            head |= {"sheets": held.names, "sheet": held.name, "unsaved": held.unsaved}
            lines = ["\t".join(row).replace('"', "'") for row in held.rows]
    except UnfitError as unfit:
        head |= {"wrong": unfit.wrong, "about": unfit.about, "count": unfit.about}
    return "\n".join([json.dumps(head), *lines, ""]).encode(), 0
