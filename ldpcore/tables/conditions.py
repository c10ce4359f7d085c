"""Conditions on the rows of a table, as frozen values that are compared, hashed and put into cache keys.

A row is judged by its own cells alone, so one person can enter or leave a selection but never move another. A missing
cell satisfies no condition except `Missing`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ldpcore.refusals import Refusal
from ldpcore.tables.table import ColumnKind, Table, shortened

SelectedRows = NDArray[np.bool_]
Relation = Literal["<", "≤", "=", "≥", ">"]
RELATIONS: tuple[Relation, ...] = ("<", "≤", "=", "≥", ">")


class QueryError(Refusal):
    """A question that cannot be asked of this table, in one sentence: the object, the rule and the value."""


def checked(table: Table, column: str, wanted: ColumnKind | None = None) -> ColumnKind:
    """The kind of a column, refused where the table does not have it or it is of another kind."""
    if column not in table.columns:
        raise QueryError("column_unknown", column=shortened(column), columns=len(table.columns))
    kind = table.kind(column)
    if wanted not in (None, kind):
        raise QueryError("column_kind", column=shortened(column), wanted=wanted, kind=kind)
    return kind


def checked_value(which: str, value: object) -> float | date:
    """A finite number or a date; all else is refused as the `lower` or `upper` bound or as the `compared` value."""
    if isinstance(value, datetime):
        raise QueryError("day_with_time", which=which, got=value)
    if isinstance(value, date):
        return value
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise QueryError("not_number_or_day", which=which, got=value)
    return value


_COMPARISONS = (np.less, np.less_equal, np.equal, np.greater_equal, np.greater)


def _related(cells: NDArray[Any], relation: Relation, value: Any) -> SelectedRows:
    return np.asarray(_COMPARISONS[RELATIONS.index(relation)](cells, value), dtype=np.bool_)


def _compared(table: Table, column: str, relation: Relation, value: float | date) -> SelectedRows:
    if isinstance(value, date):
        checked(table, column, "date")
        # Whole days are compared: "= 29 February" holds at every hour of it. NaT satisfies no relation.
        return _related(table.cells(column).astype("datetime64[D]"), relation, np.datetime64(value, "D"))
    checked(table, column, "number")
    cells = table.cells(column)
    if cells.dtype.kind not in "iu":
        # A double on the right makes NumPy compare in double precision, buffer by buffer, whatever the column's width.
        cells = cells if cells.dtype.kind == "f" else table.numbers(column)
        return _related(cells, relation, np.float64(value))
    # Whole numbers are compared as whole numbers, exact beyond 2^53: x < 2.5 is x < 3, x <= 2.5 is x <= 2.
    if relation == "=" and value != math.floor(value):
        return np.zeros(len(cells), dtype=np.bool_)
    bound = math.ceil(value) if relation in ("<", "≥") else math.floor(value)
    return _related(cells, relation, bound)


@dataclass(frozen=True)
class Compare:
    """Cells that stand in a relation to a number or a date: schooling < 16."""

    column: str
    relation: Relation
    value: float | date

    def __post_init__(self) -> None:
        if self.relation not in RELATIONS:
            raise QueryError("relation_unknown", options=RELATIONS, got=self.relation)
        checked_value("compared", self.value)

    def rows(self, table: Table) -> SelectedRows:
        return _compared(table, self.column, self.relation, self.value)


@dataclass(frozen=True)
class InRange:
    """Cells from low to high, both included; numbers or dates."""

    column: str
    low: float | date
    high: float | date

    def __post_init__(self) -> None:
        low, high = checked_value("lower", self.low), checked_value("upper", self.high)
        if isinstance(low, date) != isinstance(high, date):
            raise QueryError("bounds_mixed", low=low, high=high)
        if low > high:  # type: ignore[operator]
            raise QueryError("bounds_crossed", low=low, high=high)

    def rows(self, table: Table) -> SelectedRows:
        return _compared(table, self.column, "≥", self.low) & _compared(table, self.column, "≤", self.high)


@dataclass(frozen=True)
class OneOf:
    """Cells whose label is one of these: sex is F; ward is one of Surgery, Medicine."""

    column: str
    labels: tuple[str, ...]

    def rows(self, table: Table) -> SelectedRows:
        checked(table, self.column)
        return table.matches(self.column, self.labels)


@dataclass(frozen=True)
class NoneOf:
    """Present cells whose label is none of these: sex is not F."""

    column: str
    labels: tuple[str, ...]

    def rows(self, table: Table) -> SelectedRows:
        checked(table, self.column)
        return ~table.matches(self.column, self.labels) & Present(self.column).rows(table)


@dataclass(frozen=True)
class Missing:
    """Empty cells."""

    column: str

    def rows(self, table: Table) -> SelectedRows:
        checked(table, self.column)
        return table.empty(self.column)


@dataclass(frozen=True)
class Present:
    """Cells that are not empty."""

    column: str

    def rows(self, table: Table) -> SelectedRows:
        return ~Missing(self.column).rows(table)


Condition = Compare | InRange | OneOf | NoneOf | Missing | Present


@dataclass(frozen=True)
class Where:
    """All conditions at once; none of them selects everybody."""

    conditions: tuple[Condition, ...] = ()

    def rows(self, table: Table) -> SelectedRows:
        """Whether each row is selected."""
        selected = np.ones(table.n, dtype=np.bool_)
        for condition in self.conditions:
            selected &= condition.rows(table)
        return selected

    def count(self, table: Table) -> int:
        """The number of selected rows."""
        return int(np.count_nonzero(self.rows(table))) if self.conditions else table.n

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that the conditions look at, each once."""
        return tuple(dict.fromkeys(condition.column for condition in self.conditions))
