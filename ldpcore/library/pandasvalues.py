"""Values that pandas holds, where somebody uses pandas: it is asked only when it is loaded already."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas as pd


def _loaded() -> Any:
    """The module pandas if it is loaded: only then can a value be one of its own."""
    return sys.modules.get("pandas")


def _categorical(values: Any) -> pd.Categorical | None:
    pandas = _loaded()
    if pandas is None:
        return None
    held = values.array if isinstance(values, (pandas.Series, pandas.Index)) else values
    return held if isinstance(held, pandas.Categorical) else None


def categories_of(values: Any) -> list[Any] | None:
    """The categories of a pandas categorical in their order, or the different values of another series, sorted."""
    categorical = _categorical(values)
    if categorical is not None:
        return list(categorical.categories)
    pandas = _loaded()
    if pandas is not None and isinstance(values, pandas.Series):
        return sorted(values.dropna().unique().tolist())
    return None


def codes_of(values: Any) -> tuple[NDArray[np.int64], list[Any]] | None:
    """The codes of a pandas categorical, -1 for a gap, and what they stand for; None for anything else."""
    categorical = _categorical(values)
    if categorical is None:
        return None
    return np.asarray(categorical.codes, dtype=np.int64), list(categorical.categories)


def columns_of(values: Any, names: Sequence[str] | None) -> Any:
    """The columns of a pandas table as rows of numbers, in this order; anything else as it is."""
    pandas = _loaded()
    if pandas is None or not isinstance(values, pandas.DataFrame):
        return values
    return (values if names is None else values[list(names)]).to_numpy()


def columns_in(chunk: Any) -> dict[str, Any] | None:
    """The columns of a mapping or of a pandas table; None for anything else."""
    pandas = _loaded()
    if isinstance(chunk, Mapping):
        return {str(name): column for name, column in chunk.items()}
    if pandas is not None and isinstance(chunk, pandas.DataFrame):
        return {str(name): chunk[name].to_numpy() for name in chunk.columns}
    return None


def is_whole(reports: Any) -> bool:
    """Whether reports are one array, table or series, or a mapping of columns, and not several chunks."""
    pandas = _loaded()
    kinds = (np.ndarray, Mapping) if pandas is None else (np.ndarray, Mapping, pandas.DataFrame, pandas.Series)
    return isinstance(reports, kinds)
