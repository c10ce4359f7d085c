"""Which cells a table of counts has: all of them, in an order that follows no count, or those that the reader made."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest

from explorer.settings.cells import MOST_CELLS, Cells, TableCells
from explorer.settings.cuts import Cut, Group, linked_cut, listed, read_edges, read_groups, unlinked
from explorer.settings.typed import PLAIN, AskError, Habits
from ldpcore.experiments.counting.tableplan import DRAWN_CELLS, TablePlan
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.tables.conditions import Where
from ldpcore.tables.table import Table


def _table(names: list[str], counts: list[int]) -> Table:
    values = [name for name, count in zip(names, counts, strict=True) for _ in range(count)]
    return Table.of(
        pd.DataFrame({"town": values, "vote": [("no", "yes")[place % 2] for place in range(len(values))]}), "test"
    )


def test_cells_and_their_order_are_the_same_whatever_the_counts() -> None:
    names = [f"town {place:03d}" for place in range(139)]
    rising, falling = _table(names, [*range(2, 141)]), _table(names, [*range(140, 1, -1)])
    for columns, crossed in ((("town",), False), (("town", "vote"), True), (("town", "vote"), False)):
        one, other = (TableCells(table, columns, Where(), crossed).run() for table in (rising, falling))
        assert one.names == other.names and one.counts != other.counts
        assert all(sum(counts) == rising.n for counts in one.counts)  # nobody is left out
    cells = TableCells(rising, ("town",), Where()).run()
    assert cells.names == (tuple((name,) for name in names),) and cells.counts == (tuple(range(2, 141)),)


def test_ten_by_three_crossed_are_thirty_cells_counted_one_by_one() -> None:
    rng = np.random.default_rng(3)
    wards, kinds = rng.integers(0, 10, 900), rng.integers(0, 3, 900)
    frame = pd.DataFrame({"ward": [f"w{ward}" for ward in wards], "kind": [f"k{kind}" for kind in kinds]})
    cells = TableCells(Table.of(frame, "test"), ("ward", "kind"), Where(), crossed=True).run()
    counted = Counter(zip(frame["ward"], frame["kind"], strict=True))
    assert dict(zip(cells.names[0], cells.counts[0], strict=True)) == {
        (f"w{ward}", f"k{kind}"): counted[f"w{ward}", f"k{kind}"] for ward in range(10) for kind in range(3)
    }


def test_hundreds_of_values_have_a_cell_each_beyond_those_that_are_kept_at_hand() -> None:
    names = [f"town {place:03d}" for place in range(777)]
    found = TableCells(_table(names, [2] * 777), ("town",), Where()).run()
    assert found.names == (tuple((name,) for name in names),) and set(found.counts[0]) == {2}


def test_long_names_that_begin_and_end_alike_stay_two_cells() -> None:
    names = ["Freie und Hansestadt A, Bezirk Mitte", "Freie und Hansestadt B, Bezirk Mitte"]
    found = TableCells(_table(names, [4, 6]), ("town",), Where()).run()
    assert found.counts == ((4, 6),) and len(set(found.names[0])) == 2


def test_more_values_than_cells_are_joined_and_it_is_said() -> None:
    table = _table([f"town {place:05d}" for place in range(MOST_CELLS + 7)], [2] * (MOST_CELLS + 7))
    found = TableCells(table, ("town",), Where()).run()
    assert len(found.names[0]) == MOST_CELLS and found.counts[0][-1] == 16 and found.joined == (("town", False),)
    assert "asking.joined" in [said.key for said in found.asides(True)]
    crossed = TableCells(table, ("town", "vote"), Where(), crossed=True).run()
    assert len(crossed.names[0]) == MOST_CELLS and sum(crossed.counts[0]) == table.n


def test_a_column_of_names_has_no_cell_for_each_person() -> None:
    table = _table([f"person {place:03d}" for place in range(200)], [1] * 200)
    found = TableCells.asked(table, ("town",), Where()).run()
    (cells,), (counts,) = found.names, found.counts
    assert len(cells) == 30 and cells[-1] == (None,) and sum(counts) == 200 and found.joined == (("town", True),)


def test_who_has_no_value_is_in_no_cell_and_said_only_with_the_truth() -> None:
    frame = pd.DataFrame({"town": ["a", None, "b", "a"], "age": [1.0, 2.0, np.nan, 40.0]})
    found = TableCells(Table.of(frame, "test"), ("town", "age"), Where(), True, (Cut(), Cut(edges=(30.0,)))).run()
    assert found.counts == ((1, 1, 0, 0),) and found.nowhere == 2
    assert [said.key for said in found.asides(True)] == ["asking.listed", "asking.nowhere"]
    assert [said.key for said in found.asides(False)] == ["asking.listed"]


def test_own_ranges_hold_everybody_and_each_begins_with_its_edge() -> None:
    table = Table.of(pd.DataFrame({"x": [-5.0, 20.0, 39.9, 40.0, 1e9]}), "test")
    found = TableCells(table, ("x",), Where(), cuts=(Cut(edges=(20.0, 40.0)),)).run()
    assert found.counts == ((1, 2, 2),) and found.fixed and not list(found.asides(True))
    assert found.names == ((((-math.inf, 20.0),), ((20.0, 40.0),), ((40.0, math.inf),)),)


def test_own_groups_take_their_values_and_others_stay_apart_until_they_are_joined() -> None:
    table, north = _table(["a", "b", "c", "d"], [2, 4, 6, 8]), Group("north", ("a", "c"))
    apart = TableCells(table, ("town",), Where(), cuts=(Cut(groups=(north,)),)).run()
    assert apart.names == ((("north",), ("b",), ("d",)),) and apart.counts == ((8, 4, 8),)
    joined = TableCells(table, ("town",), Where(), cuts=(Cut(groups=(north,), together=True),)).run()
    assert joined.names == ((("north",), (None,)),) and joined.counts == ((8, 12),) and joined.fixed


@pytest.mark.parametrize(
    ("text", "language", "edges"),
    [
        ("40; 20; 60", "en", (20, 40, 60)),
        ("20, 40, 60", "de", (20, 40, 60)),
        ("20,40,60", "en", (20, 40, 60)),
        ("0,5; 1,25", "de", (0.5, 1.25)),
        ("1.000; 2.000", "de", (1000, 2000)),
        ("1,000, 2,000", "en", (1000, 2000)),
        ("20 40 40", "en", (20, 40)),
        (" ", "en", ()),
    ],
)
def test_ranges_are_read_in_the_readers_notation(text: str, language: str, edges: tuple[float, ...]) -> None:
    assert read_edges(text, Habits.of(language)) == edges


def test_groups_are_read_line_by_line_and_a_value_in_two_of_them_is_refused() -> None:
    known = ["Kiel", "Lübeck", "Plön", "Ulm: Mitte", "Rom, Süd"]
    assert read_groups("Nord: Kiel, Lübeck\n\nPlön\nUlm: Mitte\nRom, Süd", known) == (
        Group("Nord", ("Kiel", "Lübeck")),
        Group("Plön", ("Plön",)),
        Group("Ulm: Mitte", ("Ulm: Mitte",)),
        Group("Rom, Süd", ("Rom, Süd",)),
    )
    with pytest.raises(AskError, match="two groups"):
        read_groups("A: Kiel\nB: Plön, Kiel", known)
    with pytest.raises(AskError, match="number"):
        read_edges("20; old", PLAIN)


def test_a_link_says_a_cut_by_places_and_reads_it_again() -> None:
    known = ["a", "b", "c", "d"]
    made = Cut(groups=(Group("north", ("c", "a")), Group("d", ("d",))), together=True)
    assert linked_cut(made, known) == "2_0.3.x" and linked_cut(Cut(edges=(0.5, 20.0)), known) == "0.5_20"
    again = unlinked("2_0.3.x", known)
    assert [group.values for group in again.groups] == [("c", "a"), ("d",)] and again.together
    for broken in ("0_0", "9", "x", "1.1", "a", "-1"):
        with pytest.raises((ValueError, IndexError)):
            unlinked(broken, known)


def test_every_cell_is_on_exactly_one_page_and_pages_are_alike_long() -> None:
    for cells in (1, DRAWN_CELLS, DRAWN_CELLS + 1, 139, 777):
        pages = [TablePlan(LaplaceMechanism(1.0), ((1,) * cells,), page=page).drawn for page in range(1, 99)]
        seen = [place for drawn in dict.fromkeys(pages) for place in drawn]
        assert seen == list(range(cells)) and max(map(len, pages)) <= DRAWN_CELLS


def test_numbers_are_listed_by_size() -> None:
    assert listed(Table.of(pd.DataFrame({"x": [10.0, 9.0, 2.0, 2.0, 100.0]}), "test"), "x") == ("2", "9", "10", "100")


def test_a_recipe_makes_the_same_cells_again() -> None:
    table = Table.of(pd.DataFrame({"x": [1.0, 25.0, 99.0]}), "test", own=True)
    cells = Cells.of(TableCells(table, ("x",), Where(), cuts=(Cut(edges=(20.0,)),)), 3.0, 0.9, 2)
    recipe = cells.recipe()
    assert recipe is not None and recipe.made() == cells
