"""Numbers as mechanisms take them: moved into [-1, 1], and formulas of them round by round."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import ParameterError


def by_rounds(formula: Callable[[Reals], Reals], values: ArrayLike) -> Reals:
    """A formula of numbers: one column of them for all rounds, or one for each."""
    held = np.asarray(values)
    return formula(held.ravel()).reshape(len(held), -1)


def inside(values: ArrayLike) -> Reals:
    """Numbers moved into [-1, 1], each to the nearer end; anything but a number is refused."""
    numbers = np.asarray(values)
    if numbers.dtype.kind not in "iuf" or numbers.ndim > 1:
        raise ParameterError("values_not_numbers", dtype=str(numbers.dtype), axes=numbers.ndim)
    if np.isnan(numbers.astype(np.float64, copy=False)).any():
        raise ParameterError("values_nan")
    return np.clip(numbers.astype(np.float64, copy=False), -1.0, 1.0)


def nearest(value: float) -> float:
    """One number moved into [-1, 1], for formulas that are asked point by point."""
    return min(max(float(value), -1.0), 1.0)
