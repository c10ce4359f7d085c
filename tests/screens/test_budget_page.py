"""The page about budgets: its settings, its links, and whatever somebody may type as a ledger."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.screens.opening import answer, looked_at, moved, numbers_in, opened, stage, strip


def box(app: AppTest) -> Any:
    """The box of lines."""
    (found,) = app.text_area
    return found


def test_the_first_view_is_the_total_of_a_hundred_questions_with_its_battery() -> None:
    app = opened("budget")
    assert stage(app).chosen == "totals" and stage(app).level == 0.1
    assert numbers_in(answer(app)) == [100, 0.1, 4.77, 10, 10, 5.23, 346]
    assert len(stage(app).head["views"]) == 6 and not stage(app).head["more"]
    assert len(strip(app)) == 19


def test_handle_view_and_settings_are_in_the_link() -> None:
    app = looked_at(moved(opened("budget", budget_k="50"), 1.0), "plan")
    assert app.query_params["epsilon"] == "1" and app.query_params["budget_tab"] == "plan"
    assert app.query_params["budget_k"] == "50" and "50" in answer(app)


@pytest.mark.parametrize(
    "text", ["abc", "laplace", "gauss 1", "1 1e-400 3", "nan", "laplace -1", "<b>$x$</b>: 0", "x" * 500]
)
def test_a_line_that_cannot_be_read_gets_one_sentence_and_the_ledger_before_stays(text: str) -> None:
    app = opened("budget", budget_tab="ledger")
    before = answer(app)
    box(app).set_value(f"laplace 0.5\n{text}").run()
    assert not app.exception and len(app.error) == 1
    assert "Line 2" in app.error[0].value and "<b>" not in app.error[0].value
    assert answer(app) == before and box(app).value.endswith(text)


def test_a_ledger_is_added_up_and_an_empty_one_says_so() -> None:
    app = opened("budget", budget_tab="ledger")
    box(app).set_value("laplace 0.5\nany 0.25 x 2").run()
    assert not app.error and {3, 1, 10} <= set(numbers_in(answer(app)))
    box(app).set_value("").run()
    assert "empty" in answer(app) and not app.exception
    assert "budget_rows" not in app.query_params, "what was typed never travels in a link"


@pytest.mark.parametrize("wish", [{"budget_k": "0"}, {"budget_delta": "0"}, {"budget_delta": "1"}, {"epsilon": "x"}])
def test_a_link_that_asks_for_nonsense_is_told_so_and_the_page_stands(wish: dict[str, str]) -> None:
    app = opened("budget", **wish)
    assert not app.exception and numbers_in(answer(app))[0] == 100
