"""Who is one person: at most m rows of each are kept, and one person moves every answer by exactly what is said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement, product

import numpy as np
import pandas as pd
import pytest

from ldpcore.experiments import generator
from ldpcore.tables.conditions import Compare, Where
from ldpcore.tables.queries import ADD_REMOVE, REPLACE, CountQuery, Mean, Sum, loss_without_clamping
from ldpcore.tables.table import Table, built_in
from ldpcore.tables.units import Unit, bounded, persons, suspected
from tests.cases import for_each
from tests.statistics import accept_counts

RELATIONS = (ADD_REMOVE, REPLACE)
SELECTED = Where((Compare("in", "=", 1),))
Rows = tuple[tuple[float, int], ...]  # of one person: value, and whether it is selected


def visits(seed: int = 1, people: int = 40) -> Table:
    """People with one to nine rows in no order, some rows without a name."""
    rng = np.random.default_rng(seed)
    who = np.repeat([f"p{place}" for place in range(people)], rng.integers(1, 10, people))
    rng.shuffle(who)
    frame = pd.DataFrame({"who": who, "x": rng.normal(size=len(who))})
    frame.loc[::17, "who"] = None
    return Table.of(frame, "visits", own=True)


@pytest.mark.parametrize("most", [1, 3, 9])
def test_at_most_m_rows_of_each_person_are_kept_in_their_order_and_none_without_a_name(most: int) -> None:
    table = visits()
    kept = bounded(table, Unit("who", most), generator(1, "rows"))
    sizes = Counter(table.frame["who"].dropna())
    assert Counter(kept.frame["who"]) == {who: min(most, size) for who, size in sizes.items()}
    assert kept.each == most and kept.own and kept.digest != table.digest
    place = {float(x): row for row, x in enumerate(table.frame["x"])}
    rows = [place[float(x)] for x in kept.frame["x"]]
    assert rows == sorted(rows)


@pytest.mark.parametrize("most", [1, 3])
def test_whoever_comes_or_goes_changes_nobody_else_s_rows_whatever_the_draw(most: int) -> None:
    """So the promise holds for every choice of rows, even one that everybody knows, and not on average alone."""
    table = visits()
    for seed in range(5):
        whole = bounded(table, Unit("who", most), generator(seed, "rows")).frame
        for who in ("p0", "p7", "p39"):
            rest = Table.of(table.frame[table.frame["who"] != who], "visits", own=True)
            without = bounded(rest, Unit("who", most), generator(seed, "rows")).frame
            pd.testing.assert_frame_equal(without, whole[whole["who"] != who].reset_index(drop=True))
            assert 1 <= len(whole) - len(without) <= most


def test_every_set_of_rows_of_a_person_is_chosen_equally_often() -> None:
    """Two of five rows are ten pairs: of five thousand people, and of one in five hundred draws."""
    many = Table.of(pd.DataFrame({"who": np.tile(np.arange(5000), 5), "x": np.repeat(range(5), 5000)}), "t")
    kept = bounded(many, Unit("who", 2), generator(1, "rows")).frame.sort_values("who", kind="stable")
    assert (kept["who"].to_numpy() == np.repeat(np.arange(5000), 2)).all()
    pairs_of = Counter(map(tuple, kept["x"].to_numpy().reshape(-1, 2).tolist()))
    one = Table.of(pd.DataFrame({"who": ["a"] * 5, "x": range(5)}), "t")
    draws = Counter(tuple(bounded(one, Unit("who", 2), generator(seed, "rows")).frame["x"]) for seed in range(500))
    for drawn in (pairs_of, draws):
        assert len(drawn) == 10 and accept_counts(np.array(list(drawn.values())), np.full(10, 0.1))


# What one person moves, by going through all people there can be


def people(low: float, high: float, most: int, least: int) -> list[Rows]:
    """Everybody there can be: up to m rows, each at a bound, in the middle or at nothing, selected or not."""
    cells = list(product(dict.fromkeys((low, high, (low + high) / 2)), (0, 1)))
    return [rows for size in range(least, most + 1) for rows in combinations_with_replacement(cells, size)]


def answered(query: CountQuery | Sum, rows: Rows) -> float:
    """What one person's rows add."""
    asked = [value for value, selected in rows if selected or not query.where.conditions]
    return float(len(asked) if isinstance(query, CountQuery) else sum(asked))


def pairs(relation: str, everybody: list[Rows]) -> Iterator[tuple[Rows, Rows]]:
    yield from (((), rows) for rows in everybody) if relation == ADD_REMOVE else product(everybody, repeat=2)


@for_each("relation", RELATIONS)
@for_each("where", [Where(), SELECTED], ids=["everybody", "selected"])
@for_each(("low", "high"), [(0, 10), (2, 5), (-4, 3), (-9, -2)])
@for_each("most", [2, 3])
def test_a_count_and_a_sum_move_by_their_sensitivity_and_no_farther(
    most: int, low: float, high: float, where: Where, relation: str
) -> None:
    everybody = people(low, high, most, least=1)
    for query in (CountQuery(where), Sum("x", low, high, where)):
        moved = max(abs(answered(query, one) - answered(query, other)) for one, other in pairs(relation, everybody))
        explained = query.explanation(relation, most)
        assert explained.sensitivity == pytest.approx(moved) and query.sensitivity(relation, most) == moved
        assert abs(explained.after - explained.before) == pytest.approx(explained.sensitivity)


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("where", [Where(), SELECTED], ids=["everybody", "selected"])
@pytest.mark.parametrize("kind", [Sum, Mean])
def test_what_bounds_leak_that_nobody_enforces_is_the_largest_over_all_people(
    kind: type[Sum | Mean], where: Where, relation: str
) -> None:
    query, most = kind("x", -1, 4, where), 3
    total, in_two = Sum("x", -1, 4, where), kind is Mean
    shares = [Sum("x", -1, 4, where), CountQuery(where)] if in_two else [total]
    everybody = people(-6.0, 9.0, most, least=1)
    worst = 0.0
    for one, other in pairs(relation, everybody):
        parts = [abs(answered(part, one) - answered(part, other)) / part.sensitivity(relation, most) for part in shares]
        worst = max(worst, sum(parts) / len(parts))
    assert loss_without_clamping(query, -6.0, 9.0, relation, most) == pytest.approx(worst)


def test_a_mean_takes_two_releases_wherever_a_person_may_have_several_rows() -> None:
    """How many rows there are is private then, even where people are replaced."""
    assert Mean("x", 0, 1).direct(REPLACE) and not Mean("x", 0, 1).direct(REPLACE, 2)


# Who


def test_a_column_that_says_who_tells_how_many_people_and_rows_there_are() -> None:
    table = visits()
    told = persons(table, "who")
    sizes = Counter(table.frame["who"].dropna())
    assert (told.people, told.rows, told.largest) == (len(sizes), sum(sizes.values()), max(sizes.values()))
    assert told.unnamed == table.missing("who") and told.repeats


@pytest.mark.parametrize(
    ("columns", "who"),
    [
        ({"patient_id": [1, 1, 2, 2, 3, 4]}, "patient_id"),
        ({"PatientID": [1, 1, 2, 2, 3, 4]}, "PatientID"),
        ({"Kunde": list("aabbcd")}, "Kunde"),
        ({"x": list("aabcde")}, "x"),
        ({"id": [1, 2, 3, 4, 5, 6]}, None),
        ({"pay": [1, 1, 2, 2, 3, 4]}, None),
        ({"ward": list("aaabbb")}, None),
        ({"day": pd.to_datetime(["2024-01-01"] * 2 + ["2024-01-02"] * 4)}, None),
        ({"ward": list("aaabbb"), "Personal-Nr.": [7, 7, 8, 9, 9, 9]}, "Personal-Nr."),
    ],
)
def test_a_column_that_looks_as_if_it_said_who_is_asked_about_where_it_repeats(
    columns: dict[str, list[object]], who: str | None
) -> None:
    assert suspected(Table.of(pd.DataFrame(columns), "t", own=True)) == who


@pytest.mark.parametrize("name", ["income", "clinic", "people"])
def test_in_no_built_in_table_is_anybody_suspected_of_several_rows(name: str) -> None:
    assert suspected(built_in(name)) is None
