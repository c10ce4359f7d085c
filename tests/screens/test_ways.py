"""Ways on the page: every step opens as it says, and one key leads from one to the next, hidden and then shown.

`tests/browser/test_lecture.py` tells whole ways in the browser; here each step is opened by its link.
"""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from explorer.text import languages
from explorer.text.catalogue import catalogue_of
from explorer.ui.sessionkeys import ROOM
from explorer.ways import ORDER, Way, way_of
from explorer.ways.words import told_at
from tests.rationing import crossed, shared
from tests.screens.opening import answer, complaints, opened

STEPS = [(way_of(slug), place) for slug in ORDER for place in range(1, len(way_of(slug).steps) + 1)]
HIDDEN = {language: catalogue_of(language).label("app.hidden_answer") for language in languages()}


def at(way: Way, place: int, **more: str) -> AppTest:
    """The page at a step of a way, as its address opens it."""
    link = way.steps[place - 1].link
    return opened(link.page, **link.parameters, way=way.slug, step=str(place), **more)


def said(app: AppTest) -> str:
    """Everything that the page says beside its picture."""
    words = " ".join(str(text.value) for text in (*app.markdown, *app.caption, *app.warning, *app.title))
    return words.replace("\\", "").replace("*", "")


@pytest.mark.parametrize(("way", "place"), shared(STEPS, 5), ids=lambda part: getattr(part, "slug", str(part)))
def test_a_step_opens_by_its_link_which_is_written_as_its_page_writes_it(way: Way, place: int) -> None:
    step, more = way.steps[place - 1], {}
    if step.predict:
        more["hide"] = "true"
    app = at(way, place, **more)
    assert not complaints(app), complaints(app)
    assert dict(app.query_params) == {**step.link.parameters, "way": way.slug, "step": str(place), **more}
    assert not step.predict or HIDDEN["en"] in answer(app)
    words, notes = said(app), told_at(step, way, catalogue_of("en"))
    assert f"Step {place} of {len(way.steps)} · " in words
    assert notes.do in words
    assert not [text for _, text in notes.notes() if text in words], "notes are the speaker's"


BOTH = [(way, place) for way, place in STEPS if way.alone and way.room and way.steps[place - 1].predict]


@pytest.mark.parametrize(("step", "language"), crossed(BOTH[::4], languages(), 3), ids=str)
def test_one_alone_is_asked_and_then_told_where_a_speaker_asks_and_tells_a_room(
    step: tuple[Way, int], language: str
) -> None:
    way, place = step
    notes = told_at(way.steps[place - 1], way, catalogue_of(language))
    app = at(way, place, hide="true", lang=language)
    assert notes.do in said(app) and notes.seen not in said(app) and HIDDEN[language] in answer(app)
    next(button for button in app.button if button.key == "task_next").click().run()
    assert notes.seen in said(app) and notes.do not in said(app) and HIDDEN[language] not in answer(app)
    told = said(at(way, place, hide="true", lang=language, lecture="true"))
    assert not [text for text in (notes.do, notes.seen, *(text for _, text in notes.notes())) if text in told]


def test_a_step_that_a_way_does_not_have_is_named_in_one_sentence() -> None:
    for step, language in crossed(("0", "15", "x", "-1", "²", "9" * 5000), languages(), 3):
        app = opened("counting", way="lecture", step=step, lang=language)
        assert len(complaints(app)) == 1 and step[:10] in re.sub("[\\\\\u2060]", "", complaints(app)[0])
        assert "way" not in app.query_params and "step" not in app.query_params
        assert answer(app)


def test_a_way_that_does_not_exist_is_named_in_one_sentence() -> None:
    app = opened("counting", way="lectures", step="2")
    assert len(complaints(app)) == 1 and "lectures" in complaints(app)[0]
    assert not {"way", "step"} & set(app.query_params)


def pressed(app: AppTest, label: str) -> AppTest:
    """The page after a button below it was pressed."""
    next(button for button in app.button if button.label == label and button.key != "task_next").click().run()
    assert not app.exception
    return app


def test_buttons_lead_forth_and_back_as_the_keys_do() -> None:
    app, lecture = at(way_of("lecture"), 3, hide="true"), way_of("lecture")
    assert HIDDEN["en"] in answer(app)
    assert HIDDEN["en"] not in answer(pressed(app, "Next"))
    assert (app.query_params["step"], "hide" in app.query_params) == ("3", False)
    pressed(app, "Next")
    point = app.session_state[ROOM.name]["way"]
    assert (point.way, point.place) == (lecture, 4) and app.session_state[ROOM.name]["hide"]


def test_a_way_is_left_by_its_button_and_the_page_stays() -> None:
    app = pressed(at(way_of("lecture"), 5), "End the tour")
    assert not {"way", "step"} & set(app.query_params) and "4.77" in answer(app)


@pytest.mark.parametrize("language", languages())
def test_the_notes_have_a_window_of_their_own(language: str) -> None:
    for asked, warned in (("lecture", 0), ("five", 0), ("lectures", 1), ("", 0)):
        app = opened("overview", notes=asked, lang=language)
        assert len(app.warning) == warned and not app.title, asked
