"""Rows of a table that look like no people: totals, notes below it, and empty rows.

Nobody but the reader knows, so that they are asked about; a row of totals that is counted would be a person with the
incomes of all.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpcore.reading.totals import is_total
from ldpcore.tables.table import label

END = 200  # rows at the end that are looked at as notes
FEW_WORDS = 5_000  # different words of a column that are looked at; of one that has more, those at its end
LABELED = 4  # first columns that may say that a row is a total
CELLS = 5_000_000  # of the largest table of which every row is looked at
OFTEN = 0.5  # share of rows from which on a word is an answer, and no total
SHOWN = 4  # cells that show which row is meant
NOTE = 12  # letters from which on a lone cell at the end is a note


def rows_beside(frame: pd.DataFrame) -> NDArray[np.intp]:
    """The places of the rows that look like no people, in order."""
    rows, columns = frame.shape
    places = set[int](_totals(frame))
    if columns > 1:
        places |= set(_empty(frame)) | set(_notes(frame))
    places |= set(_unlabeled(frame, places))
    return np.array(sorted(places) if len(places) < rows else [], dtype=np.intp)


def _empty(frame: pd.DataFrame) -> list[int]:
    """The empty rows; most tables have none, which their first columns tell."""
    places = np.arange(0 if frame.size <= CELLS else max(len(frame) - END, 0), len(frame))
    for name in frame.columns:
        missing = frame[name].isna().to_numpy(dtype=bool)
        places = places[missing[places]]
        if not len(places):
            break
    return places.tolist()


def _totals(frame: pd.DataFrame) -> list[int]:
    """The rows whose first nonempty cell says that they are totals."""
    rows = len(frame)
    free = np.ones(rows, dtype=bool)  # rows of which nothing has been seen yet
    totals = list[int]()
    for name in frame.columns[:LABELED]:
        cells: Any = frame[name]
        if isinstance(cells.dtype, pd.CategoricalDtype) or cells.dtype == "str":
            places = _saying(cells)
            if len(places) == 1 or len(places) < OFTEN * rows:
                totals += [place for place in places if free[place]]
        free &= cells.isna().to_numpy(dtype=bool)
    return totals


def _saying(cells: Any) -> list[int]:
    """The places where a column says that a row is a total."""
    if isinstance(cells.dtype, pd.CategoricalDtype) and len(cells.cat.categories) <= FEW_WORDS:
        codes = [code for code, word in enumerate(cells.cat.categories) if is_total(str(word))]
        return np.flatnonzero(np.isin(cells.cat.codes.to_numpy(), codes)).tolist() if codes else []
    start = max(len(cells) - END, 0)
    end = cells.iloc[start:].tolist()
    return [start + place for place, cell in enumerate(end) if isinstance(cell, str) and is_total(cell)]


def _notes(frame: pd.DataFrame) -> list[int]:
    """The last rows that hold one longer text in their first cell and nothing beside it, below a full row."""
    start = max(len(frame) - END, 0)
    ends = frame.iloc[start:]
    present = ends.notna().to_numpy(dtype=bool)
    places = list[int]()
    for place in reversed(range(len(ends))):
        if present[place, 1:].any():
            break
        cell = ends.iat[place, 0]
        if isinstance(cell, str) and (len(cell) >= NOTE or ":" in cell):
            places.append(start + place)
        elif present[place].any():
            break
    return places


def _unlabeled(frame: pd.DataFrame, known: set[int]) -> list[int]:
    """The last row, if it holds no word though each row above does, and a number in it is the sum of those above."""
    rows = [place for place in range(max(len(frame) - END, 0), len(frame)) if place not in known]
    if len(rows) < 3 or frame.size > CELLS:
        return []
    last = rows[-1]
    above = np.setdiff1d(np.arange(last), np.array(sorted(known), dtype=np.intp))
    words = [name for name in frame.columns if frame[name].dtype.kind not in "iufb"]
    full = [name for name in words if frame[name].iloc[above].notna().all()]
    if not full or frame[words].iloc[last].notna().any():
        return []
    for name in frame.columns:
        cells: Any = frame[name]
        if cells.dtype.kind in "iuf":
            total, most = float(cells.iloc[last]), float(cells.iloc[above].sum())
            if np.isfinite(total) and total and abs(total - most) <= 1e-9 * abs(most):
                return [last]
    return []


def shown_row(frame: pd.DataFrame, places: NDArray[np.intp]) -> tuple[str, ...]:
    """The first of these rows that holds anything, as its reader finds it again: its first cells."""
    for place in places[:END]:
        row = frame.iloc[int(place)]
        if row.notna().any():
            return tuple("" if cell is None or cell != cell else label(cell) for cell in row.tolist()[:SHOWN])
    return ()
