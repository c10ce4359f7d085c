"""Two tables that stand in for the reader's own where the public reads: nothing of it but its columns is in them.

Whatever a view says alike of both follows from what was set, and from no cell of the table: it is public, though nobody
has told so of each number. What was set stays as it is: the labels and numbers that a question names occur in both.
How many different values a column has stays too, for which answers there are is taken as public wherever they are told.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from explorer.settings.recipes import parts
from ldpcore.tables.table import Table, label

if TYPE_CHECKING:
    import pandas as pd

SIZES = (700, 1900)  # rows, where nobody is to learn how many there are
Order = Callable[[int, int], NDArray[np.int64]]  # (rows, values) -> which value each row holds


def _in_turns(rows: int, values: int) -> NDArray[np.int64]:
    """Each value as often as every other."""
    return np.arange(rows) % values


def _by_size(rows: int, values: int) -> NDArray[np.int64]:
    """The first value most often, the last one at least once where there is room."""
    shares = np.arange(values, 0, -1, dtype=np.float64) ** 2
    places = np.searchsorted(np.cumsum(shares) / shares.sum(), (np.arange(rows) + 0.5) / rows)
    places[: min(rows, values)] = np.arange(min(rows, values))
    return places


ORDERS: tuple[Order, Order] = (_in_turns, _by_size)


def stand_ins(table: Table, settings: Any, sized: bool, present: bool) -> tuple[Table, Table]:
    """Two stand-ins for a table in some settings; of equal `sized` where the number of rows is public, and with the
    same cells empty where it is public who is `present`."""
    told = frozenset(_told(settings))
    sizes = (table.n, table.n) if sized else SIZES
    first, second = (
        _table(table, told, rows, order, place, present)
        for place, (rows, order) in enumerate(zip(sizes, ORDERS, strict=True))
    )
    return first, second


def _told(settings: Any) -> Iterator[str | float | date]:
    """The labels, numbers and days that settings name."""
    if isinstance(settings, (str, int, float, date)) and not isinstance(settings, bool):
        yield settings
        with suppress(ValueError, TypeError):
            yield float(str(settings))
    elif not isinstance(settings, Table):
        for part in parts(settings):
            yield from _told(part)


def _table(table: Table, told: frozenset[Any], rows: int, order: Order, place: int, present: bool) -> Table:
    """A table of so many rows with the same columns."""
    import pandas as pd

    cells = {name: _column(table, name, told, rows, order, place) for name in table.columns}
    frame = pd.DataFrame(cells, columns=list(table.columns))
    if present:
        for name in table.columns:
            frame[name] = frame[name].where(~table.empty(name))
    return Table.of(frame, table.name, own=True)


def _column(table: Table, name: str, told: frozenset[Any], rows: int, order: Order, place: int) -> pd.Series[Any]:
    """The cells of one column."""
    import pandas as pd

    values = _values(table, name, told, place)
    cells: pd.Series[Any] = pd.Series(values, dtype=_dtype(table, name)).take(order(rows, len(values)))
    return cells.reset_index(drop=True)


def _dtype(table: Table, name: str) -> Any:
    kind = table.kind(name)
    return {"number": "float64", "truth": "bool", "date": "datetime64[us]"}.get(kind, "str")


def _values(table: Table, name: str, told: frozenset[Any], place: int) -> Sequence[Any]:
    """The different values of a column of a stand-in; numbers and days are not those of the other one."""
    kind, size = table.kind(name), max(table.distinct(name), 1)
    if kind == "truth":
        return (place == 0, place != 0)[: max(size, 1)]
    if kind == "number":
        return _numbers(_fitting(table, name, told), size, place)
    if kind == "date":
        return _days([each for each in told if isinstance(each, date)], size, place)
    named = [each for each in told if isinstance(each, str) and each in _labels(table, name)]
    width = len(str(size))
    return [*sorted(named), *(f"{place_of:0{width}d}" for place_of in range(1, size - len(named) + 1))][: max(size, 1)]


def _labels(table: Table, name: str) -> frozenset[str]:
    """The labels of a column."""
    return frozenset(label(value) for value in table.column(name).dropna().unique())


def _fitting(table: Table, name: str, told: frozenset[Any]) -> Sequence[float]:
    """The numbers that are told and could stand in a column."""
    values = table.numbers(name)
    low, high = np.nanmin(values, initial=math.inf), np.nanmax(values, initial=-math.inf)
    return sorted({float(each) for each in told if isinstance(each, (int, float)) and low <= each <= high})


def _numbers(told: Sequence[float], size: int, place: int) -> Sequence[float]:
    """The numbers that are told, then some on both sides of them, then others."""
    around = [number + step for step in (0.0, 1.0 + place, -1.0 - place) for number in told]
    more = ((1.0 + place) * step + place for step in range(size))
    return list(dict.fromkeys((*around, *more)))[:size]


def _days(told: Sequence[date], size: int, place: int) -> Sequence[datetime]:
    """Days on both sides of all that are told, then others."""
    around = [day + timedelta(days=step) for day in told for step in (0, 1 + place, -1 - place)]
    more = (date(2000, 1, 1) + timedelta(days=(1 + place) * step + place) for step in range(min(size, 3000)))
    return [datetime(day.year, day.month, day.day) for day in dict.fromkeys((*around, *more))][:size]
