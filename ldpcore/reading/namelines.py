"""Names of columns that stand in two lines, one above the other, without merged cells: years above sexes, units below.

A line of names is told from the first person by what stands below it: words over numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from ldpcore.reading.merged import is_year

IsNumber = Callable[[str], bool]
LOOKED_AT = 50  # rows below the names


def lines_of_names(rows: Sequence[Sequence[str]], is_number: IsNumber, blank: Sequence[str]) -> int:
    """The number of lines of names: two where the second names columns left open above, or gives units; else one."""
    if len(rows) < 3:
        return 1
    width = max(len(rows[0]), len(rows[1]))
    above, below, *body = (_padded(row, width, blank) for row in rows[: LOOKED_AT + 2])
    named = [column for column in range(width) if below[column]]
    if sum(map(bool, above)) < 2 or any(is_number(cell) and not is_year(cell) for cell in (*above, *below)):
        return 1
    numeric = {column for column in range(width) if _are_numbers([row[column] for row in body], is_number)}
    if not numeric & {*named} or any(is_year(below[column]) for column in named if above[column]):
        return 1
    left_open = [column for column in named if not above[column]]
    if left_open and all(above[column] or below[column] for column in range(width)):
        apart = not above[0] or any(not below[column] for column in range(width))  # a person fills the row
        return 2 if apart and any(any(above[:column]) for column in left_open) else 1
    units = all(above) and {*named} <= numeric
    return 2 if units and (len(named) > 1 or len(named) < width) else 1


def joined_names(rows: Sequence[Sequence[str]]) -> list[str]:
    """The names of columns, from the lines in which they stand: one above several heads each of them."""
    if len(rows) == 1:
        return list(rows[0])
    width = max(map(len, rows))
    padded = [[*row, *[""] * (width - len(row))] for row in rows]
    for row, below in pairwise(padded):
        for column in range(1, width):
            if not row[column] and below[column]:
                row[column] = row[column - 1]
    return [" · ".join(dict.fromkeys(filter(None, names))) for names in zip(*padded, strict=True)]


def _padded(row: Sequence[str], width: int, blank: Sequence[str]) -> list[str]:
    """The cells of a row, with blank ones empty."""
    cells = [cell if any(map(str.isalnum, cell)) and cell not in blank else _sign(cell) for cell in row[:width]]
    return [*cells, *[""] * (width - len(row))]


def _sign(cell: str) -> str:
    """The sign of a unit in a cell; a dash, which means none, is nothing."""
    return cell if cell in ("%", "‰", "€", "$", "£", "¥", "°", "#", "(%)", "[%]", "(€)", "[€]", "($)") else ""


def _are_numbers(cells: Sequence[str], is_number: IsNumber) -> bool:
    """Whether a column holds numbers, apart from a total's word or a few gaps."""
    present = [cell for cell in cells if cell]
    return bool(present) and sum(map(is_number, present)) >= 0.8 * len(present)
