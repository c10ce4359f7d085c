"""Numbers that arrive in pieces, kept in the narrowest type that holds every one of them exactly."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

WIDTHS = (np.int8, np.int16, np.int32, np.int64)


class Growing:
    """An array that grows: whole numbers in 1, 2, 4 or 8 bytes, with gaps in single precision where that is exact."""

    def __init__(self, capacity: int) -> None:
        self.n = 0
        # The system hands out memory page by page as it is written: a generous capacity costs nothing.
        self.held: NDArray[Any] = np.empty(max(capacity, 1), dtype=np.int8)

    def add(self, values: NDArray[Any]) -> None:
        """Take in more numbers, NaN where one is missing."""
        values = narrowed(values)
        wanted = np.promote_types(self.held.dtype, values.dtype)
        size = self.n + len(values)
        if wanted != self.held.dtype or size > len(self.held):
            larger = np.empty(max(len(self.held), size + size // 4 if size > len(self.held) else 0), dtype=wanted)
            larger[: self.n] = self.held[: self.n]
            self.held = larger
        self.held[self.n : size] = values
        self.n = size

    def finish(self) -> NDArray[Any]:
        """All numbers, in one array that is not to be written to."""
        done = self.held[: self.n]
        done.flags.writeable = False
        return done


def narrowed(values: NDArray[Any]) -> NDArray[Any]:
    """The numbers in the narrowest type that holds all of them exactly."""
    if values.dtype.kind == "f":
        gaps = np.isnan(values)
        present = values[~gaps]
        largest = float(np.abs(present).max(initial=0))
        if largest >= 2**53 or not (np.rint(present) == present).all():
            return values.astype(np.float64, copy=False)
        if gaps.any():
            # Single precision holds every whole number up to 2^24.
            return values.astype(np.float32 if largest <= 2**24 else np.float64, copy=False)
        values = values.astype(np.int64)
    if not len(values):
        return values.astype(np.int8)
    low, high = int(values.min()), int(values.max())
    for width in WIDTHS:
        if np.iinfo(width).min <= low and high <= np.iinfo(width).max:
            return values.astype(width, copy=False)
    return values
