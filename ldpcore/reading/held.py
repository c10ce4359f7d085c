"""The findings of a process that opens one file: its tables by name, and the rows of one of them as text.

Loaded by a process that has little memory: nothing but the standard library.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ldpcore.reading.merged import CellRow

TOO_LARGE, DAMAGED = 3, 4  # how the process ends that may not go on, or cannot
LONGEST_NAME = 200  # letters of a table's name; Excel allows 31
SEPARATING = str.maketrans("\t\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029", " " * 11)


@dataclass(frozen=True)
class ReadFile:
    """The tables of a file, and the rows of the chosen one; `unsaved` of its cells are formulas without a value."""

    names: tuple[str, ...]
    name: str
    rows: Iterator[CellRow]
    unsaved: int = 0


class UnfitError(Exception):
    """The reason why no table comes out of a file, as `workbooks` words it: a slug, and its subject."""

    def __init__(self, wrong: str, about: str | int = "") -> None:
        super().__init__(wrong)
        self.wrong, self.about = wrong, about


def one_line(text: str) -> str:
    """The text of a cell without what ends lines and parts cells."""
    return (text if text.isprintable() else text.translate(SEPARATING)).strip()
