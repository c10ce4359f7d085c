"""A file that could not be read, as the session keeps it until it is tried in another way."""

from __future__ import annotations

from dataclasses import dataclass

from ldpcore.reading.readings import Reading
from ldpcore.tables.table import TableError

Trouble = TableError | MemoryError


@dataclass(frozen=True)
class Unread:
    """A file that could not be read: the error, and the tried reading, where another one could help."""

    problem: Trouble
    reading: Reading | None = None
    sheets: tuple[str, ...] = ()
