"""Which cells a table of counts has: their order and their choice follow no count."""

from __future__ import annotations

import pandas as pd

from explorer.settings.cells import MOST_BARS, TableCells, listed
from ldpcore.tables.conditions import Where
from ldpcore.tables.table import Table


def _table(names: list[str], counts: list[int]) -> Table:
    values = [name for name, count in zip(names, counts, strict=True) for _ in range(count)]
    return Table.of(pd.DataFrame({"town": values, "vote": ["no", "yes"] * (len(values) // 2)}), "test")


def test_cells_and_their_order_are_the_same_whatever_the_counts() -> None:
    names = [f"town {place:02d}" for place in range(40)]
    rising, falling = _table(names, [*range(1, 41)]), _table(names, [*range(40, 0, -1)])
    for columns, crossed in ((("town",), False), (("town", "vote"), True), (("town", "vote"), False)):
        one, other = (TableCells(table, columns, Where(), crossed).run() for table in (rising, falling))
        assert one.names == other.names and one.counts != other.counts
        assert all(sum(counts) == rising.n for counts in one.counts)  # nobody is left out
    (cells,) = TableCells(rising, ("town",), Where()).run().names
    assert len(cells) == MOST_BARS and cells[:2] == (("town 00",), ("town 01",)) and cells[-1] == (None,)


def test_thirty_values_have_a_cell_each_and_none_is_missing() -> None:
    names = [f"town {place:02d}" for place in range(MOST_BARS)]
    table = _table(names, [2] * MOST_BARS)
    assert listed(table, "town") == tuple(names)
    found = TableCells(table, ("town",), Where()).run()
    assert found.names == (tuple((name,) for name in names),) and found.counts == ((2,) * MOST_BARS,)


def test_numbers_are_listed_by_size() -> None:
    assert listed(Table.of(pd.DataFrame({"x": [10.0, 9.0, 2.0, 2.0, 100.0]}), "test"), "x") == ("2", "9", "10", "100")
