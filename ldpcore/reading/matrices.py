"""A channel that somebody typed: its entries, and their fault in one sentence.

One row per value, one column per report, each row a distribution. Commas, semicolons, tabs, spaces, decimal commas,
fractions, per cents and brackets are understood, and Persian digits and marks.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ldpcore.laws.channels import LARGEST, Finite
from ldpcore.numerics.arrays import Reals
from ldpcore.reading.matrixtext import decimal_commas, entries_in, several, unbracketed
from ldpcore.reading.notations import UNSEEN, in_latin
from ldpcore.refusals import Refusal

CELLS = 500_000  # entries of the largest matrix that is read: 707 × 707, in less than a second
LETTERS = 30 * CELLS
LONGEST = 400  # letters of one entry: the longest decimals that a double can tell apart have fewer
_MARKS = tuple(zip("\u2212\u066b\u066a؛،\u00a0\u202f", "-.%;,  ", strict=True))
ROUNDED = 2500  # entries of the largest matrix whose rounding is judged
LARGEST_ENTRY = 1e300  # whose row can still be added up
PER_CENT = 100  # what rows sum to that are typed in per cents
SLACK = 1e-9  # how far a row's sum may be from one before it is said; decimals cannot hold 1/3


class MatrixError(Refusal):
    """A text that cannot be a channel, in one sentence: the place, the rule and the value."""


@dataclass(frozen=True, eq=False)
class TypedMatrix:
    """Non-negative entries as they were typed, every row with something in it, the rows' sums not yet judged.

    `halves` is how far rounding may have moved each entry: half a unit of the last digit that was typed, 0 for
    fractions and for a bare 0 or 1 among decimals. `values` and `reports` are names where the text has them.
    """

    entries: Reals
    halves: Reals | None = None
    values: tuple[str, ...] = ()
    reports: tuple[str, ...] = ()

    @property
    def sums(self) -> Reals:
        """The sums of the rows."""
        return np.asarray(self.entries.sum(axis=1), dtype=np.float64)

    @property
    def unbalanced(self) -> tuple[int, ...]:
        """The rows, counted from 0, that do not sum to one."""
        return tuple(int(row) for row in np.flatnonzero(np.abs(self.sums - 1) > SLACK))

    @property
    def counted(self) -> bool:
        """Whether the rows are counts of trials, which prove nothing exactly however they are divided."""
        whole = bool((self.entries == np.rint(self.entries)).all())
        return whole and bool(self.unbalanced) and not bool((self.sums == PER_CENT).all())

    @property
    def turned(self) -> bool:
        """Whether the columns sum to one and the rows do not: each column is a person's value, perhaps."""
        return bool(self.unbalanced) and bool((np.abs(self.entries.sum(axis=0) - 1) <= SLACK).all())

    @property
    def complaint(self) -> MatrixError | None:
        """The fault of the rows that do not sum to one; nothing where all do."""
        if not self.unbalanced:
            return None
        if self.counted:
            return MatrixError("matrix_counts", got=int(self.sums[self.unbalanced[0]]))
        if self.turned:
            return MatrixError(
                "matrix_turned", row=self.unbalanced[0] + 1, got=float(f"{self.sums[self.unbalanced[0]]:.10g}")
            )
        row, *others = self.unbalanced
        got = float(f"{self.sums[row]:.10g}")
        if others:
            return MatrixError("row_sums", row=row + 1, got=got, others=len(others))
        return MatrixError("row_sum", row=row + 1, got=got)

    def normalized(self) -> TypedMatrix:
        """The matrix with each row divided by its sum: an offer, since it is no longer the matrix that was typed."""
        with np.errstate(over="ignore"):  # of a row that hardly sums to anything
            halves = None if self.halves is None else np.minimum(self.halves / self.sums[:, None], 1.0)
        return TypedMatrix(self.entries / self.sums[:, None], halves, self.values, self.reports)

    def channel(self) -> Finite:
        """The channel, refused while a row does not sum to one; what rounding left over is spread over the row."""
        if self.complaint is not None:
            raise self.complaint
        return Finite(self.normalized().entries, tuple(range(self.entries.shape[1])))


def read_matrix(text: str) -> TypedMatrix:
    """The matrix in a typed or pasted text, one line (or bracket) per value."""
    if len(text) > LETTERS:
        raise MatrixError("text_long", most=LETTERS, got=len(text))
    _refuse_large(text)
    rows = _cells(entries_in(text))
    if not rows:
        raise MatrixError("matrix_empty")
    values, reports, rows = _named(rows)
    if len(rows) * len(rows[0]) > CELLS:
        raise MatrixError("matrix_large", most=CELLS, rows=len(rows), columns=len(rows[0]))
    for number, row in enumerate(rows[1:], start=2):
        if len(row) != len(rows[0]):
            raise MatrixError("row_length", row=number, width=len(rows[0]), got=len(row))
    numbers = [
        [_number(cell, row, column) for column, cell in enumerate(cells, start=1)]
        for row, cells in enumerate(rows, start=1)
    ]
    return replace(checked_matrix(numbers), halves=_halves(rows), values=values, reports=reports)


def bare_rows(text: str) -> tuple[tuple[str, ...], ...]:
    """The entries of a text that is a matrix, as they were typed, without the names of values and reports."""
    _, _, rows = _named(_cells(entries_in(text)))
    return tuple(map(tuple, rows))


def _refuse_large(text: str) -> None:
    """Refuse a text of more lines or entries than any matrix has before it is cut into pieces."""
    lines = max(text.count("\n"), text.count("\r")) + 1
    marks = max(text.count(mark) for mark in ",;\t،؛")
    if max(lines, marks) > 2 * CELLS:
        raise MatrixError("matrix_large", most=CELLS, rows=lines, columns=max(marks // lines, 1))


def _named(rows: list[list[str]]) -> tuple[tuple[str, ...], tuple[str, ...], list[list[str]]]:
    """The names of values and of reports, and the rest: a first row or column without any number is one of names.

    A first row may lack the corner above the names of the values. A text without any number is refused as it stands.
    """
    head = rows[0] if len(rows) > 1 and not any(map(_is_number, rows[0])) else []
    body = rows[1:] if head else rows
    if not any(_is_number(cell) for row in body for cell in row):
        return (), (), rows
    named = len(body[0]) > 1 and not any(row and _is_number(row[0]) for row in body)
    values = tuple(row[0] for row in body) if named else ()
    cut = [row[1:] for row in body] if named else body
    reports = tuple(head[1:] if named and len(head) == len(body[0]) else head)
    return (values, reports, cut) if len(reports) in (0, len(cut[0])) else ((), (), rows)


def _is_number(cell: str) -> bool:
    try:
        _number(cell, 1, 1)
    except MatrixError:
        return False
    return True


def _halves(rows: list[list[str]]) -> Reals | None:
    """Half a unit of the last digit of each cell; None where nothing was rounded to two digits or more."""
    places = [[_places(cell) for cell in row] for row in rows]
    finest = max((place for row in places for place in row if place is not None), default=-1)
    whole = finest == 0 and all(cell.isdecimal() and int(cell) > 1 for row in rows for cell in row)
    if finest < 2 and not whole:
        return None
    halves = [
        [0.0 if place is None or (place == 0 and not whole) else 0.5 * 10.0**-place for place in row] for row in places
    ]
    return np.array(halves)


def _places(cell: str) -> int | None:
    """The number of decimals in a cell, two more where it counts per cents; None for fractions and powers."""
    bare, percent = cell.removesuffix("%"), 2 if cell.endswith("%") else 0
    digits = bare.replace(".", "", 1)
    if not digits.isdecimal():
        return None
    return len(bare.partition(".")[2]) + percent


def keeps_within_rounding(matrix: TypedMatrix, level: float) -> bool:
    """Whether some channel that is printed like this one keeps a level: a linear program over the unrounded entries.

    Each entry lies within `halves` of what is printed, each row sums to one, and each column between its least entry t
    and e^level t. Larger matrices than 2 500 entries are read as they stand.
    """
    if matrix.halves is None or matrix.entries.size > ROUNDED:
        return False
    rows, columns = matrix.entries.shape
    size, least = rows * columns, rows * columns + columns
    low = np.maximum(matrix.entries - matrix.halves, 0).ravel()
    high = np.minimum(matrix.entries + matrix.halves, 1).ravel()
    cell, column = np.arange(size), size + np.tile(np.arange(columns), rows)
    ones = np.ones(size)
    below = scipy.sparse.csr_array(
        (
            np.concatenate([-ones, ones, ones, -math.exp(min(level, LARGEST)) * ones]),
            (np.concatenate([cell, cell, size + cell, size + cell]), np.concatenate([cell, column, cell, column])),
        ),
        shape=(2 * size, least),
    )
    sums = scipy.sparse.csr_array((ones, (np.repeat(np.arange(rows), columns), cell)), shape=(rows, least))
    bounds = np.stack([np.append(low, np.zeros(columns)), np.append(high, np.ones(columns))], axis=1)
    solve: Any = scipy.optimize.linprog  # its types know no sparse matrices
    solved = solve(np.zeros(least), A_ub=below, b_ub=np.zeros(2 * size), A_eq=sums, b_eq=np.ones(rows), bounds=bounds)
    return bool(solved.status == 0)


def checked_matrix(entries: ArrayLike) -> TypedMatrix:
    """The matrix of these numbers, refused where an entry or a row cannot belong to a channel."""
    matrix = np.array(entries, dtype=np.float64)
    if matrix.ndim != 2 or not matrix.size:
        raise MatrixError("matrix_shape", shape=str(matrix.shape))
    if matrix.size > CELLS:
        raise MatrixError("matrix_entries", most=CELLS, got=matrix.size)
    for row, column in np.argwhere(~np.isfinite(matrix))[:1].tolist():
        raise MatrixError("entry_infinite", row=row + 1, column=column + 1, got=float(matrix[row, column]))
    for row, column in np.argwhere(matrix < 0)[:1].tolist():
        raise MatrixError("entry_negative", row=row + 1, column=column + 1, got=float(matrix[row, column]))
    for row, column in np.argwhere(matrix > LARGEST_ENTRY)[:1].tolist():
        raise MatrixError("entry_large", row=row + 1, column=column + 1, got=float(matrix[row, column]))
    empty = np.flatnonzero(~matrix.any(axis=1))
    if empty.size:
        raise MatrixError("row_zero", row=int(empty[0]) + 1)
    matrix.flags.writeable = False
    return TypedMatrix(matrix)


def _cells(text: str) -> list[list[str]]:
    """The rows of a text, cut into cells by the strongest separator in use: semicolon, tab, comma, or blanks.

    No pattern looks at the text, so that the time grows with its length alone, whatever it contains.
    """
    plain = text.replace("\r", "\n")
    if not plain.isascii():
        for mark, usual in (*_MARKS, *((chr(code), "") for code in UNSEEN)):  # many times as fast as a translation
            plain = plain.replace(mark, usual)
    while "  " in plain:  # halved in each round, so that a run of any length is gone after a few
        plain = plain.replace("  ", " ")
    plain = plain.strip(" ")
    if plain.count(" ") > 4 * CELLS:  # with marks beside them, two of an entry, and those around a fraction's bar
        raise MatrixError("matrix_large", most=CELLS, rows=plain.count("\n") + 1, columns=plain.count(" "))
    plain = plain.replace(" /", "/").replace("/ ", "/").replace(" %", "%")
    lines = [line.strip(" ;,") for line in unbracketed(plain).split("\n")]
    lines = [line for line in lines if line.strip()]
    if len(lines) == 1 and ";" in lines[0]:
        parts = [part.strip(" ,") for part in lines[0].split(";")]
        if all(several(part) or ("," in part and "." in part) for part in parts):  # 0.7 0.3; 0.2 0.8 on one line
            lines = parts
    joined = "\n".join(lines)
    separator = next((mark for mark in ";\t" if mark in joined), None)
    if decimal_commas(lines, blanks=separator is None):
        lines = [line.replace(",", ".") for line in lines]
    elif separator is None and "," in joined:
        separator = ","
    return [[_latin(cell.strip()) for cell in line.split(separator)] for line in lines]


def _latin(cell: str) -> str:
    """A number in the digits 0 to 9; a name stays as it is."""
    latin = cell if cell.isascii() else in_latin(cell)
    return latin if latin == cell or _is_number(latin) else cell


def _number(cell: str, row: int, column: int) -> float:
    """The value of a cell: 3/4, 75%, 0.75 and 7.5e-1 are one number."""
    try:
        if "_" in cell or len(cell) > LONGEST:  # Python would read 1_0 as ten
            raise ValueError
        if cell.endswith("%"):
            return float(cell[:-1]) / 100
        top, slash, bottom = cell.partition("/")
        return float(top) / float(bottom) if slash else float(cell)
    except (ValueError, ZeroDivisionError):
        written = cell if len(cell) <= 20 else cell[:20] + "…"
        raise MatrixError("entry_no_number", row=row, column=column, got=written) from None
