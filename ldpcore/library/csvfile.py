"""Reports in a CSV file: a line of column names, then one report a line, read piece by piece."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from ldpcore.library.forms import Form
from ldpcore.library.refused import LibraryRefusal

LINES = 1 << 16  # lines held as texts at a time, which take much more memory than their numbers


def csv_chunks(form: Form, path: Path, at_once: int) -> Iterator[dict[str, NDArray[Any]]]:
    """The columns of reports, `at_once` rows at a time; a file that was cut or holds something else is refused."""
    _refuse_cut(path)
    with path.open(encoding="utf-8-sig", newline="") as file:
        yield from _rows(form, path, file, min(at_once, LINES))


def _refuse_cut(path: Path) -> None:
    """Refuse a file that ends in the middle of a line: half a number would be a number too."""
    with path.open("rb") as file:
        if not file.seek(0, 2):
            raise LibraryRefusal("file_column", file=path.name, wanted=("a line of names",), got=("nothing",))
        file.seek(-1, 2)
        if file.read(1) not in b"\r\n":
            file.seek(0)
            raise LibraryRefusal(
                "file_cut", file=path.name, line=1 + sum(block.count(b"\n") for block in _blocks(file))
            )


def _blocks(file: IO[bytes]) -> Iterator[bytes]:
    while block := file.read(1 << 20):
        yield block


def _rows(form: Form, path: Path, file: IO[str], at_once: int) -> Iterator[dict[str, NDArray[Any]]]:
    lines = csv.reader(file, strict=True)
    try:
        names = next(lines)
        if missing := tuple(name for name in form.columns if name not in names):
            raise LibraryRefusal("file_column", file=path.name, wanted=missing, got=tuple(names))
        places, first = [names.index(name) for name in form.columns], lines.line_num + 1
        while rows := list(islice(lines, at_once)):
            yield _columns(form, path, rows, len(names), places, first)
            first = lines.line_num + 1
    except (csv.Error, UnicodeDecodeError) as broken:
        raise LibraryRefusal("file_row", file=path.name, reason=f"line {lines.line_num}: {broken}") from None


def _columns(
    form: Form, path: Path, rows: list[list[str]], width: int, places: list[int], first: int
) -> dict[str, NDArray[Any]]:
    if set(map(len, rows)) != {width}:
        at, row = next((at, row) for at, row in enumerate(rows) if len(row) != width)
        raise LibraryRefusal("file_line", line=first + at, file=path.name, wanted=width, got=len(row))
    cells = list(zip(*rows, strict=True))
    return {
        name: _numbers(form, path, name, cells[place], first) for name, place in zip(form.columns, places, strict=True)
    }


def _numbers(form: Form, path: Path, name: str, cells: tuple[str, ...], first: int) -> NDArray[Any]:
    """A column of numbers; where a mechanism leaves gaps, an empty cell is one."""
    kind = np.dtype(np.float64) if form.sample.dtype.kind == "f" else np.dtype(np.int64)
    if form.sample.dtype.names is not None and name in form.sample.dtype.names:
        kind = form.sample.dtype[name].base
    texts = tuple(cell or "nan" for cell in cells) if form.gaps else cells
    try:
        return np.array(texts).astype(kind)
    except (ValueError, OverflowError):
        at = next(at for at, text in enumerate(texts) if not _reads(text, kind))
        raise LibraryRefusal("file_cell", line=first + at, file=path.name, column=name, got=cells[at]) from None


def _reads(text: str, kind: np.dtype[Any]) -> bool:
    try:
        np.array([text]).astype(kind)
    except (ValueError, OverflowError):
        return False
    return True
