"""The page about two worlds: its worlds, its links, an own table that stays here, and whatever cannot be used."""

from __future__ import annotations

import pytest

from tests.screens.opening import answer, complaints, looked_at, moved, note, numbers_in, opened, stage, strip
from tests.test_upload import brought

ROWS = "\n".join(f"{'AB'[i % 2]},{['red', 'green', 'blue'][(i * i + i % 2) % 3]}" for i in range(40))
OWN = f"hidden group,secret colour\n{ROWS}\n".encode()


@pytest.mark.all_stops
def test_the_first_view_is_two_people_and_a_region_that_closes_with_the_level() -> None:
    app = opened("distinguish")
    assert stage(app).chosen == "errors" and len(strip(app)) == 19
    assert any(abs(each - 0.136) < 1e-9 for each in numbers_in(answer(app)))
    low = moved(app, 0.01)
    assert low.query_params["epsilon"] == "0.01" and "5.05" in answer(low)


def test_a_test_that_never_or_always_accuses_and_a_factor_of_one_are_no_mistakes() -> None:
    for text in ("0", "1"):
        assert not complaints(opened("distinguish", distinguish_size=text))
    app = opened("distinguish", distinguish_tab="before", distinguish_gamma="1")
    assert not complaints(app) and stage(app).chosen == "before"


def test_rows_of_different_lengths_get_one_sentence_and_the_last_bars_hold() -> None:
    app = opened("distinguish", distinguish_kind="bars", distinguish_bars_first="4|4|2")
    assert not app.exception and len(app.warning) == 1 and "same outcomes" in app.warning[0].value
    assert app.query_params["distinguish_kind"] == ["bars"] or app.query_params["distinguish_kind"] == "bars"
    boxes = {box.key: box for box in app.text_input}
    boxes["distinguish_bars_first"].set_value("1 2 x")
    assert len(app.run().warning) == 1 and not app.exception
    boxes = {box.key: box for box in app.text_input}
    boxes["distinguish_bars_first"].set_value("0,5 0.25 2 1")
    app = app.run()
    assert not app.warning and app.query_params["distinguish_bars_first"] in ("0.5|0.25|2|1", ["0.5|0.25|2|1"])


def test_a_table_of_one_column_says_so_and_shows_bars() -> None:
    app = brought(b"only\na\nb\na\n", "mine.csv", opened("distinguish", distinguish_kind="groups"), "distinguish")
    assert not app.exception and any("two columns" in each.value for each in app.warning)
    assert stage(app).chosen == "errors"


def test_the_condition_that_is_broken_is_struck_through_and_explained() -> None:
    app = opened("distinguish", distinguish_tab="guess", distinguish_loss="any", epsilon="1")
    assert "<s>at least 0.712</s>" in stage(app).words["answer"] and "condition is broken" in answer(app)
    assert "counts one mistake several times" in note(app)
    holds = opened("distinguish", distinguish_tab="guess", epsilon="1")
    assert "<s>" not in stage(holds).words["answer"]
    assert "<s>" in stage(looked_at(app, "guess")).words["answer"]
