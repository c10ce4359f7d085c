"""The lines of a ledger as people type them, and as many as a link can hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from explorer.settings.linked import linked_lines, parts, untold

if TYPE_CHECKING:
    from ldpcore.accounting.lines import LedgerRow


def typed(rows: Sequence[LedgerRow]) -> str:
    """Lines as people type them."""
    return "\n".join(_line(row) for row in rows)


def merged_lines(rows: Sequence[LedgerRow]) -> tuple[LedgerRow, ...]:
    """The lines where a link can hold them, else one line, several times, for those of equal cost."""
    if not untold(linked_lines(rows)):
        return tuple(rows)
    costs = Counter(replace(row, name="", day=None) for row in rows)
    return tuple(replace(row, times=row.times * count) for row, count in costs.items())


def _line(row: LedgerRow) -> str:
    before = [row.day.isoformat()] if row.day else []
    return " ".join([*before, *([f"{row.name}:"] if row.name else []), *parts(row)])
