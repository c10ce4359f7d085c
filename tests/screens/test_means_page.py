"""The page about means: its settings, its links, and whatever somebody may type as a bound."""

from __future__ import annotations

from functools import cache
from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from ldpcore.tables.table import Table
from tests.screens.opening import answer, below, complaints, headline, note, numbers_in, opened, stage, strip


def box(app: AppTest, label: str) -> Any:
    """The one text box of a label."""
    (found,) = [each for each in app.text_input if each.label == label]
    return found


def captions(app: AppTest) -> str:
    return " ".join(str(each.value) for each in app.caption)


@pytest.mark.all_stops
def test_the_first_view_is_everybody_with_the_incomes_and_their_public_bounds() -> None:
    app = opened("means")
    assert stage(app).chosen == "everybody" and stage(app).level == 1.0
    assert [box(app, f"{which} bound {letter}").value for which, letter in (("Lower", "L"), ("Upper", "U"))] == [
        "0",
        "100000",
    ]
    assert numbers_in(answer(app))[:2] == [1, 2584]
    assert {204, 2584} <= set(numbers_in(captions(app)))  # moved to the upper bound
    assert len(strip(app)) == 19


@cache
def bounded() -> tuple[AppTest, object, str]:
    """The page with a bound, in one session for one after the other that cannot be used; its figure and its answer."""
    app = opened("means", means_high="80000")
    return app, stage(app).figure, headline(app)


@pytest.mark.parametrize("text", ["", "abc", "nan", "inf", "-inf", "1e400", "1e15", "<b>$x$", "0", "-5"])
def test_a_bound_that_cannot_be_used_gets_one_sentence_and_the_picture_stays(text: str) -> None:
    app, before, sentence = bounded()
    box(app, "Upper bound U").set_value(text).run()
    assert not app.exception
    assert len(complaints(app)) == 1 and "still shows the previous bounds" in complaints(app)[0]
    assert "<b>" not in complaints(app)[0]
    assert stage(app).figure == before and headline(app) == sentence and box(app, "Upper bound U").value == text
    assert "Still with the last bounds, 0 to 80\u202f000." in answer(app)


def test_each_column_has_bounds_of_its_own() -> None:
    app = opened("means", means_column="schooling")
    assert box(app, "Upper bound U").value == "20"
    box(app, "Upper bound U").set_value("25").run()
    column = next(each for each in app.get("button_group") if each.label == "Column")
    column.set_value("score").run()
    assert box(app, "Upper bound U").value == "100" and not complaints(app)


def test_all_values_outside_become_a_bound_and_the_page_says_so() -> None:
    app = opened("means", data="people", means_low="0", means_high="10")
    assert not complaints(app) and "5 of 5" in captions(app)
    assert "tell nothing" in answer(app) or numbers_in(answer(app))


def test_invented_people_have_a_number_and_a_shape() -> None:
    app = opened("means", means_source="constant", means_n="1000000000", means_mechanism="pm")
    assert not complaints(app) and 10**9 in numbers_in(answer(app))
    assert not any("bound" in each.label for each in app.text_input)


def test_the_classical_noise_says_where_it_ends() -> None:
    app = opened("means", means_mechanism="gaussian", means_gaussian_calibration="classical", epsilon="3")
    assert not complaints(app) and "proved for α below 1" in captions(app)


def test_groups_are_parted_by_a_public_column_and_travel_in_the_link() -> None:
    app = opened("means", means_tab="groups", means_group="score", means_split="90")
    assert not complaints(app) and "score ≥ 90" in note(app)
    box(app, "Split at").set_value("abc").run()
    assert len(complaints(app)) == 1 and "split at a number" in complaints(app)[0]
    box(app, "Split at").set_value("1000").run()
    assert len(complaints(app)) == 1 and "do not make two groups" in complaints(app)[0]


def _private(page: Any, table: Table) -> Table:
    page.private = True
    return table


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"x": ["1", "2", "3"]}, "no column of numbers"),
        ({"d": ["2024-01-01", "2024-01-02"]}, "no column of numbers"),
        ({"x": [float("nan"), float("nan")]}, "page asks invented people instead"),
    ],
)
def test_a_table_without_numbers_gets_one_sentence(
    monkeypatch: pytest.MonkeyPatch, columns: dict[str, list[Any]], said: str
) -> None:
    table = Table.of(pd.DataFrame(columns), "own", own=True)
    monkeypatch.setattr("explorer.ui.controls.dataset", lambda page: _private(page, table))
    app = opened("means")
    assert len(complaints(app)) == 1 and said in complaints(app)[0]
    assert 10_000 in numbers_in(answer(app))


def test_a_constant_column_is_known_like_any_other(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table.of(pd.DataFrame({"x": [3.0] * 500}), "own", own=True)
    monkeypatch.setattr("explorer.ui.controls.dataset", lambda page: _private(page, table))
    for tab in ("everybody", "variance", "groups"):
        app = opened("means", means_tab=tab)
        assert not complaints(app), tab


def test_the_formula_holds_the_numbers_of_the_answer_and_the_tasks_reveal() -> None:
    app = below(opened("means"), "why")
    assert any("Lap" in str(each.value) and "42\\,300" in str(each.value) for each in app.markdown)
    below(app, "tasks")
    assert any("Four times as many" in str(each.value) for each in app.markdown)


@pytest.mark.parametrize(("page", "long"), [("means", True), ("counting", False)])
def test_code_that_holds_long_data_is_folded(page: str, long: bool) -> None:
    app = below(opened(page), "take_away")
    code = str(app.code[-1].value)
    folded = [str(each.value) for fold in app.expander for each in fold.code]
    assert folded == ([code] if long else []) and (len(code) > 2500) is long
