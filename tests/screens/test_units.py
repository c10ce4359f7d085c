"""Who is one person in a reader's own table: asked once, held on every page, and its column never in a link."""

from __future__ import annotations

from typing import Any

from streamlit.testing.v1 import AppTest

from tests.screens.opening import answer, below, complaints, looked_at, opened, plain
from tests.test_upload import brought, forget

VISITS = b"patient;cost\n" + b"".join(
    b"Quokka %d;%d\n" % (place % 20, 10 + place % 7) for place in range(100)
)  # five of each


def press(app: AppTest, label: str) -> AppTest:
    """A button is pressed."""
    app = next(button for button in app.button if button.label == label).click().run()
    assert not app.exception, [error.value for error in app.exception]
    return app


def box(app: AppTest, label: str) -> Any:
    return next(each for each in [*app.selectbox, *app.number_input] if each.label == label)


def captions(app: AppTest) -> str:
    return " ".join(str(each.value) for each in app.caption)


def test_a_column_that_repeats_is_asked_about_until_the_reader_has_said() -> None:
    app = brought(VISITS)
    assert any("repeats" in str(each.value) for each in app.markdown)
    assert "of the true 100" in plain(answer(app)), "until then every row is a person"
    press(app, "“patient” says who")
    assert not any("repeats" in str(each.value) for each in app.markdown)
    assert box(app, "Who is one person?").value == "patient"
    assert "20 of 100 rows count, one for each of 20 people" in captions(app)
    assert "of the true 20" in plain(answer(app))


def test_whoever_says_that_every_row_is_a_person_is_not_asked_again() -> None:
    app = press(brought(VISITS), "every row")
    assert not any("repeats" in str(each.value) for each in app.markdown)
    assert box(app, "Who is one person?").value == ""


def test_more_rows_of_each_person_take_so_many_times_the_noise() -> None:
    app = press(brought(VISITS), "“patient” says who")
    box(app, "Rows of one person, at most").set_value(3).run()
    said = plain(answer(app))
    assert "off by 30 rows" in said and "of the true 60" in said
    assert "Crowd size" not in str([each.options for each in app.button_group])


def test_the_other_pages_take_one_row_of_each_person() -> None:
    app = press(brought(VISITS), "“patient” says who")
    box(app, "Rows of one person, at most").set_value(3).run()
    app.switch_page("pages/means.py").run()
    assert not app.exception
    assert "20 of 100 rows count, one for each of 20 people" in captions(app)
    assert box(app, "Who is one person?").value == "patient"
    assert not [each for each in app.number_input if each.label == "Rows of one person, at most"]


def test_the_link_says_how_many_rows_and_never_which_column() -> None:
    app = press(brought(VISITS), "“patient” says who")
    box(app, "Rows of one person, at most").set_value(3).run()
    looked_at(app, "one")
    below(app, "take_away")
    release, link, *_, code = (str(each.value) for each in app.code)
    assert "each=3" in link and "patient" not in link
    assert "table = bounded(table, Unit(column='patient', most=3), generator(1, 'rows'))" in code
    assert "most=3" in release and "d_in=3, d_out=0.1" in release
    assert "Quokka" not in code + release


def test_whoever_opens_such_a_link_is_told_what_it_cannot_carry() -> None:
    app = opened("counting", data="own-100x2", each="3")
    said = " ".join(complaints(app))
    assert "3 rows of each person" in said and "no link says" in said
    assert "“each”" not in said, "and nothing is called unknown"


def test_who_is_one_person_is_forgotten_with_the_table() -> None:
    app = press(brought(VISITS), "“patient” says who")
    assert "_own_unit" in app.session_state
    forget(app)
    assert "_own_unit" not in app.session_state
    assert not [box for box in app.selectbox if box.label == "Who is one person?"]
