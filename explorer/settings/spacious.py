"""Public bounds far wider than the numbers of a reader's own table: the remark about them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from explorer.facts import Exact, Name, Said
from ldpcore.tables.table import Table, shortened

TIMES = 4  # how much wider bounds may be before it is said


def spacious(table: Table, column: str, low: float, high: float) -> Iterator[Said]:
    """The remark that all numbers of an own column lie in a small part of its bounds; none where bounds move any.

    The numbers themselves must not choose the bounds, which are public: the range of possible values does.
    """
    if not table.own:
        return
    numbers = table.numbers(column)
    numbers = numbers[np.isfinite(numbers)]
    least, most = (float(numbers.min()), float(numbers.max())) if len(numbers) else (low, high)
    if low <= least < most <= high and TIMES * (most - least) <= high - low:
        yield Said.of("asking.spacious", column=Name(shortened(column)), least=Exact(least), most=Exact(most))
