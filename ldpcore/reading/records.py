"""Tables in JSON, as programs hand them on: a list of records, a record per line, columns by name, or a list of rows.

Records inside a record are columns of their own, "home.city"; lists inside one are refused. Loaded by a process that
has little memory: nothing but the standard library.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain
from typing import Any

from ldpcore.reading.held import ReadFile, UnfitError, one_line
from ldpcore.reading.merged import CellRow

DEEPEST = 4  # records inside each other
MOST_COLUMNS = 2_000  # a file with more is refused for it where it is laid out


def held(text: str, most: int) -> ReadFile:
    """The table in a text of JSON."""
    records = _records(_parsed(text))
    if not records:
        raise UnfitError("shape")
    rows = _of_lists(records) if isinstance(records[0], list) else _of_records(records, most)
    return ReadFile(("JSON",), "JSON", rows)


def _parsed(text: str) -> Any:
    """The value in a text, or the list of the values in its lines."""
    try:
        try:
            return json.loads(text)
        except json.JSONDecodeError as trouble:
            if trouble.msg != "Extra data":
                raise
            return [json.loads(line) for line in text.splitlines() if line.strip()]
    except RecursionError:
        raise UnfitError("shape") from None
    except ValueError:
        raise UnfitError("damaged") from None


def _records(value: Any) -> list[Any]:
    """The records of a table; where they stand beside other things, as in {"data": [...]}, they are the only list."""
    if isinstance(value, list):
        return value if value and isinstance(value[0], (dict, list)) else [{"value": cell} for cell in value]
    if not isinstance(value, dict) or not value:
        raise UnfitError("shape")
    inside = [each for each in value.values() if isinstance(each, list) and each and isinstance(each[0], dict)]
    if len(inside) == 1 and sum(isinstance(each, (list, dict)) for each in value.values()) <= 2:
        return inside[0]
    if all(isinstance(each, list) for each in value.values()):
        return _of_columns({name: dict(enumerate(cells)) for name, cells in value.items()})
    if all(isinstance(each, dict) for each in value.values()):
        return _of_columns(value)
    return [value]


def _of_columns(columns: dict[str, dict[Any, Any]]) -> list[Any]:
    """The records of columns that all have the same rows."""
    places = list(next(iter(columns.values())))
    if any(list(cells) != places for cells in columns.values()):
        raise UnfitError("shape")
    for name, cells in columns.items():
        if any(isinstance(cell, (dict, list)) for cell in cells.values()):
            raise UnfitError("nested", name)
    return [{name: cells[place] for name, cells in columns.items()} for place in places]


def _of_lists(rows: list[Any]) -> Iterator[CellRow]:
    """Rows that are lists, all of one length."""
    width = len(rows[0])
    if any(not isinstance(row, list) or len(row) != width for row in rows):
        raise UnfitError("shape")
    if any(isinstance(cell, (dict, list)) for row in rows for cell in row):
        raise UnfitError("shape")
    return ([_cell(cell) for cell in row] for row in rows)


def _of_records(records: list[Any], most: int) -> Iterator[CellRow]:
    """A line of names, and the records below it, missing values empty. All are looked at before the first."""
    flat, names = [], dict[str, None]()
    for record in records:
        if not isinstance(record, dict):
            raise UnfitError("shape")
        flat.append(dict(_flat(record, "", 0)))
        names |= dict.fromkeys(flat[-1])
        if len(names) > MOST_COLUMNS or len(names) * len(flat) > most:
            raise UnfitError("large")
    below = ([record.get(name, "") for name in names] for record in flat)
    return chain([[one_line(name) for name in names]], below)


def _flat(record: dict[str, Any], before: str, depth: int) -> Iterator[tuple[str, str]]:
    """The cells of a record, and of those inside it."""
    for name, value in record.items():
        if isinstance(value, list) or (isinstance(value, dict) and depth == DEEPEST):
            raise UnfitError("nested", before + name)
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}.", depth + 1)
        else:
            yield before + name, _cell(value)


def _cell(value: Any) -> str:
    """A value as text."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return one_line(value) if isinstance(value, str) else repr(value)
