"""The reports that a mechanism can have made: arrays of reports, checked in one pass."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Possible = NDArray[np.bool_]
PossibleReports = tuple[Possible, str]  # which reports can be made, and which ones these are, in words
ROUNDING = 1e-9  # of a report's size: what a file may have lost


def whole_below(reports: NDArray[Any], ends: int) -> PossibleReports:
    """The whole numbers from 0 up to before `ends`."""
    # A negative number is, read without its sign, larger than any end.
    held = reports.astype(np.int64, copy=False).view(np.uint64)
    return np.asarray(held < np.uint64(ends), dtype=np.bool_), f"a whole number from 0 to {ends - 1}"


def bits_of(k: int, rows: NDArray[Any]) -> Possible:
    """Rows of bytes whose last bits, which stand for no value, are 0."""
    whole = np.asarray((rows >= 0).all(axis=1) & (rows <= 255).all(axis=1), dtype=np.bool_)
    return np.asarray(whole & (rows[:, -1] & ((1 << -k % 8) - 1) == 0), dtype=np.bool_)


def signs_in(reports: NDArray[Any]) -> PossibleReports:
    """The numbers -1 and 1, alone or in rows."""
    signs = np.abs(reports) == 1
    return (signs if signs.ndim == 1 else signs.all(axis=1)), "-1 or 1" if signs.ndim == 1 else "a row of -1 and 1"


def finite_in(reports: NDArray[Any]) -> PossibleReports:
    """Finite numbers, alone or in rows."""
    finite = np.isfinite(reports)
    return (finite if finite.ndim == 1 else finite.all(axis=1)), "finite numbers"
