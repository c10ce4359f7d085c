"""Two tables that stand in for one whose values must not be kept: nothing of it but its columns is in them.

Findings alike in both follow from the question, and from no cell of the table. The number of
different values of a column stays as it is: the possible answers are public wherever they are kept.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldpcore.fingerprints import fingerprint
from ldpcore.tables.table import Table, label

SIZES = (700, 1900)  # rows, where nobody is to learn how many there are
Order = Callable[[int, int], NDArray[np.int64]]  # (rows, values) -> which value each row holds


def _in_turns(rows: int, values: int) -> NDArray[np.int64]:
    """Values in turns, each as often as every other."""
    return np.arange(rows) % values


def _by_size(rows: int, values: int) -> NDArray[np.int64]:
    """Values by size: the first most often, the last one at least once where there is room."""
    shares = np.arange(values, 0, -1, dtype=np.float64) ** 2
    places = np.searchsorted(np.cumsum(shares) / shares.sum(), (np.arange(rows) + 0.5) / rows)
    places[: min(rows, values)] = np.arange(min(rows, values))
    return places


ORDERS: tuple[Order, Order] = (_in_turns, _by_size)


def stand_ins(table: Table, kept: frozenset[object], sized: bool, present: bool) -> tuple[Table, Table]:
    """Two stand-ins for a table, in which the labels, numbers and days occur that are `kept`.

    They are as long as the table where they are `sized`, with the same cells empty where it is public who is `present`.
    """
    sizes = (table.n, table.n) if sized else SIZES
    first, second = (
        _table(table, kept, rows, order, place, present)
        for place, (rows, order) in enumerate(zip(sizes, ORDERS, strict=True))
    )
    return first, second


def _table(table: Table, kept: frozenset[object], rows: int, order: Order, place: int, present: bool) -> Table:
    """A table of `rows` rows with the same columns; columns that nobody has named hold one value."""
    import pandas as pd

    filled = pd.DataFrame({name: _column(table, name, kept, rows, order, place) for name in table.columns})
    if present and rows == table.n:
        for name in (name for name in table.columns if name in kept):
            filled[name] = filled[name].where(~table.empty(name))
    digest = fingerprint((table.digest, sorted(map(repr, kept)), rows, place))
    return Table(table.name, filled, digest, own=True, unit=table.unit)


def _column(table: Table, name: str, kept: frozenset[object], rows: int, order: Order, place: int) -> Any:
    """The cells of one column."""
    import pandas as pd

    kind, values = table.kind(name), _values(table, name, kept, place, table.distinct(name) if name in kept else 1)
    held = order(rows, len(values))
    if kind == "category":
        return pd.Categorical.from_codes(held, categories=pd.Index(list(values)))
    return np.array(values, dtype={"number": "f8", "truth": "?", "date": "M8[us]"}[kind])[held]


def _values(table: Table, name: str, kept: frozenset[object], place: int, distinct: int) -> Sequence[Any]:
    """The different values of a column of a stand-in; numbers and days are not those of the other one."""
    kind, size = table.kind(name), max(distinct, 1)
    if kind == "truth":
        return (place == 0, place != 0)[: max(size, 1)]
    if kind == "number":
        return _numbers(_fitting(table, name, kept), size, place)
    if kind == "date":
        return _days([each for each in kept if isinstance(each, date)], size, place)
    words = {each for each in kept if isinstance(each, str)}
    named = words & _labels(table, name) if name in kept else set()
    width = len(str(size))
    return [*sorted(named), *(f"{place_of:0{width}d}" for place_of in range(1, size - len(named) + 1))][: max(size, 1)]


def _labels(table: Table, name: str) -> frozenset[str]:
    """The labels of a column."""
    return frozenset(label(value) for value in table.column(name).dropna().unique())


def _fitting(table: Table, name: str, kept: frozenset[object]) -> Sequence[float]:
    """The numbers that are kept and could stand in a column."""
    values = table.numbers(name)
    low, high = np.nanmin(values, initial=math.inf), np.nanmax(values, initial=-math.inf)
    return sorted({float(each) for each in kept if isinstance(each, (int, float)) and low <= each <= high})


def _numbers(kept: Sequence[float], size: int, place: int) -> Sequence[float]:
    """The numbers that are kept, then some on both sides of them, then others."""
    around = [number + step for step in (0.0, 1.0 + place, -1.0 - place) for number in kept]
    more = ((1.0 + place) * step + place for step in range(size))
    return list(dict.fromkeys((*around, *more)))[:size]


def _days(kept: Sequence[date], size: int, place: int) -> Sequence[datetime]:
    """Days on both sides of all that are kept, then others."""
    around = [day + timedelta(days=step) for day in kept for step in (0, 1 + place, -1 - place)]
    more = (date(2000, 1, 1) + timedelta(days=(1 + place) * step + place) for step in range(min(size, 3000)))
    return [datetime(day.year, day.month, day.day) for day in dict.fromkeys((*around, *more))][:size]
