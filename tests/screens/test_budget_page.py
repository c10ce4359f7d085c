"""The page about budgets: its settings, its links, and whatever somebody may type as a ledger."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.screens.opening import answer, answered, looked_at, numbers_in, opened, stage, strip
from tests.workbooks import xlsx


def box(app: AppTest) -> Any:
    """The box of lines."""
    (found,) = app.text_area
    return found


@pytest.mark.all_stops
def test_the_first_view_is_the_total_of_a_hundred_questions_with_its_battery() -> None:
    app = opened("budget")
    assert stage(app).chosen == "totals" and stage(app).level == 0.1
    assert numbers_in(answer(app)) == [100, 0.1, 4.77, 1e-6, 10, 10, 5.23, 346]
    assert len(strip(app)) == 19


def test_only_a_view_in_which_something_is_drawn_can_be_drawn_again() -> None:
    app = opened("budget", budget_tab="ledger", budget_seed="5")
    assert "Draw again" not in [button.label for button in app.button] and app.query_params["budget_seed"] == "5"
    assert "Draw again" in [button.label for button in looked_at(app, "daily").button]
    assert app.number_input(key="budget_seed").value == 5


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


TINY, ENDLESS = "at least 10⁻¹⁰⁰", "standard deviation above 10⁸"


def test_a_ledger_is_added_up_and_an_empty_one_says_so() -> None:
    app = opened("budget", budget_tab="ledger")
    box(app).set_value("laplace 0.5\nany 0.25 x 2").run()
    assert not app.error and {3, 1, 10} <= set(numbers_in(answer(app)))
    box(app).set_value("").run()
    assert "empty" in answer(app) and not app.exception
    assert "budget_rows" not in app.query_params, "what was typed never travels in a link"


def test_the_number_of_questions_stands_where_it_does_something_and_is_kept_elsewhere() -> None:
    app = opened("budget", budget_k="50")
    keys = {each.key for each in app.select_slider}
    app = looked_at(app, "ledger")
    assert "budget_k" in keys and "budget_k" not in {each.key for each in app.select_slider}
    assert app.query_params["budget_k"] == "50"
    for _ in range(2):
        app.run()
    assert app.query_params["budget_k"] == "50"
    assert numbers_in(answer(looked_at(app, "totals")))[0] == 50 and app.query_params["budget_k"] == "50"


def test_a_ledger_comes_from_a_file_of_text_and_from_a_workbook() -> None:
    app = opened("budget", budget_tab="ledger")
    text = "Datum;Frage;Rauschen;Niveau;wie oft\r\n01.03.2026;Tag;Laplace;0,25;4\r\n".encode("cp1252")
    app.file_uploader[0].set_value(("konto.csv", text, "text/csv")).run()
    assert not app.exception and not app.error and {4, 1, 9} <= set(numbers_in(answer(app)))
    table = [["date", "name", "noise", "level", "times"], ["", "day", "laplace", 0.5, 3]]
    app.file_uploader[0].set_value(("ledger.xlsx", xlsx({"Cover": [["Ours"]], "L": table}), "")).run()
    answered(app)
    assert not app.exception and not app.error and {3, 1.5, 8.5} <= set(numbers_in(answer(app)))
    app.file_uploader[0].set_value(("picture.png", b"\x89PNG\r\n\x1a\n" + bytes(40), "")).run()
    assert len(app.error) == 1 and 1.5 in numbers_in(answer(app))


def test_a_drawn_ledger_is_refused_and_what_was_typed_stays() -> None:
    app = opened("budget", budget_tab="ledger")
    box(app).set_value("laplace 0.5 x 3").run()
    app.file_uploader[0].set_value(("ledger.md", b"| noise | level |\n|---|---|\n| laplace | 0.5 |\n", "")).run()
    answered(app)
    assert len(app.error) == 1 and "save the table as CSV or as a workbook" in app.error[0].value
    assert box(app).value == "laplace 0.5 x 3" and 1.5 in numbers_in(answer(app))
