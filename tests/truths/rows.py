"""What is true of the rows of a table, one by one: who fulfils a condition, and what each row adds to an answer."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import pandas as pd

from ldpcore.tables.queries import Compare, CountQuery, InRange, Mean, Missing, NoneOf, OneOf
from tests.truths import Context

HOLDS = {
    "<": lambda x, y: x < y,
    "≤": lambda x, y: x <= y,
    "=": lambda x, y: x == y,
    "≥": lambda x, y: x >= y,
    ">": lambda x, y: x > y,
}


def fulfilled(condition: Any, cell: Any) -> bool:
    """Whether one cell fulfills a condition; a missing one fulfills none but that of being missing."""
    absent = bool(pd.isna(cell))
    if isinstance(condition, Missing):
        return absent
    if absent:
        return False
    if isinstance(condition, Compare):
        return bool(HOLDS[condition.relation](cell, condition.value))
    if isinstance(condition, InRange):
        return bool(condition.low <= cell <= condition.high)
    if isinstance(condition, OneOf):
        return str(cell) in condition.labels
    return not isinstance(condition, NoneOf) or str(cell) not in condition.labels


@lru_cache(maxsize=64)
def answer(query: Any, table: Any) -> float:
    """What a question is answered by the rows, one by one; nobody's number lies beyond the bounds, or is missing."""
    frame, conditions = table.frame, query.where.conditions
    columns = [frame[each.column].tolist() for each in conditions]
    rows = zip(*columns, strict=True) if columns else [()] * len(frame)
    chosen = [all(map(fulfilled, conditions, row)) for row in rows]
    if isinstance(query, CountQuery):
        return sum(chosen)
    cells = [float(cell) for cell, held in zip(frame[query.column].tolist(), chosen, strict=True) if held]
    assert not any(map(math.isnan, cells)), "a sum over missing cells needs a route of its own"
    total = math.fsum(min(max(cell, query.low), query.high) for cell in cells)
    return total / len(cells) if isinstance(query, Mean) else total


def true_answer(context: Context, mean: bool = False) -> float:
    """The answer to the page's question, or to the mean of which that is the sum."""
    asked = context.asked.question
    return answer(asked.mean if mean else asked.query, asked.table)


def added(context: Context) -> list[float]:
    """What each row adds to the page's sum, or to its mean: its value inside the bounds, nothing where unselected."""
    query, frame = context.asked.question.query, context.asked.question.table.frame
    conditions = query.where.conditions
    chosen = [
        all(fulfilled(each, cell) for each, cell in zip(conditions, row, strict=True))
        for row in (zip(*(frame[each.column] for each in conditions), strict=True) if conditions else [()] * len(frame))
    ]
    if isinstance(query, CountQuery):
        return [float(held) for held in chosen]
    values = [min(max(float(cell), query.low), query.high) for cell in frame[query.column]]
    return [value if held else 0.0 for value, held in zip(values, chosen, strict=True)]
