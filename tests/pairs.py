"""Few rows that hold every pair: for choices that are tried together, where all combinations would be too many."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations


def rows(factors: Mapping[str, Sequence[Hashable]]) -> list[dict[str, Hashable]]:
    """Rows with one value of each factor, so that any two values of two factors stand together in one of them.

    Greedy: each row takes, factor after factor, the value that completes the most pairs which no row has yet.
    """
    missing = {
        ((one, left), (other, right))
        for one, other in combinations(factors, 2)
        for left in factors[one]
        for right in factors[other]
    }
    if not missing:
        return [{name: value} for name, values in factors.items() for value in values]
    found = []
    while missing:
        row: dict[str, Hashable] = dict(min(missing, key=repr))
        for name in factors:
            if name not in row:
                row[name] = max(factors[name], key=lambda value: _completed(missing, factors, row | {name: value}))
        missing -= _pairs(factors, row)
        found.append({name: row[name] for name in factors})
    return found


def few(rows: Sequence[tuple[Hashable, ...]], together: int = 2) -> list[tuple[Hashable, ...]]:
    """As few of some rows as hold every pair of values that stands in any of them, greedily, in their order.

    With `together` 1 every value.
    """
    held = [{*combinations(enumerate(row), together)} for row in rows]
    missing, chosen = set[tuple[tuple[int, Hashable], ...]]().union(*held), set[int]()
    while missing:
        best = max(range(len(rows)), key=lambda place: len(missing & held[place]))
        chosen.add(best)
        missing -= held[best]
    return [rows[place] for place in sorted(chosen)]


def _pairs(
    factors: Mapping[str, Sequence[Hashable]], row: Mapping[str, Hashable]
) -> set[tuple[tuple[str, Hashable], tuple[str, Hashable]]]:
    return {((one, row[one]), (other, row[other])) for one, other in combinations([n for n in factors if n in row], 2)}


def _completed(
    missing: set[tuple[tuple[str, Hashable], tuple[str, Hashable]]],
    factors: Mapping[str, Sequence[Hashable]],
    row: Mapping[str, Hashable],
) -> int:
    return len(missing & _pairs(factors, row))
