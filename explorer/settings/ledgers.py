"""The lines of a ledger: as a link says them, and as people type them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from explorer.settings.typed import plain_number
from ldpcore.accounting.lines import Row

MOST_LINKED = 40  # lines that a link carries


def linked(rows: Sequence[Row]) -> str:
    """Lines as a link says them, without their names and their days; of too many only how many there are."""
    if len(rows) > MOST_LINKED:
        return f"own-{len(rows)}"
    return "|".join(",".join(_parts(row)) for row in rows)


def typed(rows: Sequence[Row]) -> str:
    """Lines as people type them."""
    return "\n".join(_line(row) for row in rows)


def merged(rows: Sequence[Row]) -> tuple[Row, ...]:
    """The lines themselves where a link can say them, else those that cost alike as one that is there several times."""
    if len(rows) <= MOST_LINKED:
        return tuple(rows)
    costs = Counter(replace(row, name="", day=None) for row in rows)
    return tuple(replace(row, times=row.times * count) for row, count in costs.items())


def _line(row: Row) -> str:
    before = [row.day.isoformat()] if row.day else []
    return " ".join([*before, *([f"{row.name}:"] if row.name else []), *_parts(row)])


def _parts(row: Row) -> list[str]:
    """What a line costs."""
    second = row.rate if row.kind == "sampled" else row.delta
    more = [plain_number(second)] if second else []
    times = [f"x{row.times}"] if row.times > 1 else []
    return [row.kind, plain_number(row.size), *more, *times]
