"""The page about curves: its settings, its links, its tables, and whatever cannot be used."""

from __future__ import annotations

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from ldpcore.tables.table import Table
from tests.screens.opening import answer, complaints, looked_at, moved, numbers_in, opened, stage, strip


def views(app: AppTest) -> list[str]:
    """The slugs in the row."""
    return [view["slug"] for view in stage(app).head["views"]]


@pytest.mark.all_stops
def test_the_first_view_is_the_steps_of_ten_million_people_and_follows_the_handle() -> None:
    app = opened("regression")
    assert stage(app).chosen == "steps" and stage(app).level == 1.0
    assert {10**7, 24} <= set(numbers_in(answer(app)))
    assert len(strip(app)) == 19
    low = moved(app, 0.01)
    assert low.query_params["epsilon"] == "0.01" and "every cell is under water" in answer(low)


def test_two_columns_of_a_table_are_drawn_between_public_bounds() -> None:
    app = opened("regression", regression_source="column", data="income")
    assert not complaints(app) and 2584 in numbers_in(answer(app))
    assert "honest answers make" in answer(app) or "every cell is under water" in answer(app)
    assert views(app) == ["steps", "report", "classes"]


def test_a_table_without_two_columns_of_numbers_says_so_and_shows_invented_people() -> None:
    app = opened("regression", regression_source="column", data="people")
    assert not app.exception and any("two columns of numbers" in each for each in complaints(app))
    assert 10**7 in numbers_in(answer(app))


def test_missing_values_are_counted_and_a_column_of_nothing_is_refused() -> None:
    from explorer.pages.regression.settings import ColumnPairs

    table = Table.of(pd.DataFrame({"x": [1.0, None, 3.0], "y": [2.0, 4.0, None], "z": [None] * 3}), "small")
    pairs = ColumnPairs(table, ("x", "y"), ((0, 10), (0, 10))).run()
    assert pairs is not None and (pairs.n, pairs.missing) == (1, 2)


def test_three_labels_are_refused_and_two_become_minus_and_plus() -> None:
    from explorer.pages.regression.settings import LabeledColumns, labels_of

    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [1.0, 2.0, 3.0], "k": ["u", "v", "w"], "s": ["no", "yes", "no"]})
    table = Table.of(frame, "small")
    bounds = ((0.0, 4.0), (0.0, 4.0))
    assert len(labels_of(table, "k")) == 3 and LabeledColumns(table, ("a", "b"), bounds, "k").run() is None
    pairs = LabeledColumns(table, ("a", "b"), bounds, "s").run()
    assert pairs is not None and sorted(pairs.rows.values[:, 2].tolist()) == [-1.0, -1.0, 1.0]


def test_classes_of_a_table_need_two_numbers_and_two_labels() -> None:
    app = opened("regression", regression_tab="classes", regression_shape="column", data="clinic")
    assert not app.exception and stage(app).chosen == "classes"
    app = looked_at(opened("regression", regression_shape="rings"), "classes")
    assert not app.exception and "noisy reports" in answer(app)
