"""The lines of a ledger as people type them, and as many as a link can say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from explorer.settings.linked import linked_lines, parts, untold
from ldpcore.accounting.lines import LedgerRow


def typed(rows: Sequence[LedgerRow]) -> str:
    """Lines as people type them."""
    return "\n".join(_line(row) for row in rows)


def merged_lines(rows: Sequence[LedgerRow]) -> tuple[LedgerRow, ...]:
    """The lines themselves where a link can say them, else those that cost alike as one that is there several times."""
    if not untold(linked_lines(rows)):
        return tuple(rows)
    costs = Counter(replace(row, name="", day=None) for row in rows)
    return tuple(replace(row, times=row.times * count) for row, count in costs.items())


def _line(row: LedgerRow) -> str:
    before = [row.day.isoformat()] if row.day else []
    return " ".join([*before, *([f"{row.name}:"] if row.name else []), *parts(row)])
