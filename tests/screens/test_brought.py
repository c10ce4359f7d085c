"""Answers and reports that a reader brings are the page: question, headline, figure, formula and code speak of them."""

from __future__ import annotations

from functools import cache

import pytest
from streamlit.testing.v1 import AppTest

from tests.screens.opening import answer, below, complaints, link_of, note, opened, stage, values
from tests.test_upload import brought, forget

REAL = {"frequencies_tab": "real"}


def typed(app: AppTest, text: str) -> AppTest:
    """The table of counts in its box."""
    app.text_area(key="frequencies_counts").set_value(text).run()
    assert not app.exception
    return app


def names(app: AppTest) -> list[str]:
    figure = stage(app).figure
    assert figure is not None
    return list(figure["layout"]["yaxis"]["ticktext"])


@pytest.mark.parametrize(
    ("slug", "own", "invented"),
    [
        ("response", "What do your answers tell?", "Can a lie tell the truth?"),
        ("frequencies", "What do your reports tell?", "Which answers are popular, when nobody tells the truth?"),
    ],
)
def test_the_question_is_about_what_was_brought_and_changes_with_the_view(slug: str, own: str, invented: str) -> None:
    app = opened(slug, **{f"{slug}_tab": "real"})
    assert app.title[0].value == own
    assert [text for text in app.caption if "not invented people" in str(text.value)]
    link_of(app).held[f"{slug}_tab"] = "plan"
    assert app.run().title[0].value == invented


def test_the_settings_of_invented_people_are_folded_away_and_kept() -> None:
    app = opened("response", response_tab="real", response_n="321")
    assert any("invented" in fold.label for fold in app.expander)
    link_of(app).held["response_tab"] = "everybody"
    assert "321" in answer(app.run())


def test_real_answers_have_their_own_formula_and_no_tasks_about_a_class() -> None:
    app = opened("response", response_tab="real", response_answers="340/900", response_design="die")
    text = " ".join(str(part.value) for part in below(app, "why").markdown)
    assert "340" in text and "900" in text and "100$" not in text
    code = below(opened("response", response_tab="real", response_answers="340/900"), "take_away").code[-1].value
    assert "RealAnswers" in code and "340" in code and "ClassSurvey" not in code


def test_those_who_did_not_answer_are_told_with_their_worst_case() -> None:
    app = opened("response", response_tab="real", response_answers="340/900", response_silent="100")
    assert "Of 1 000 who were asked, 100 did not answer" in note(app).replace("\u202f", " ")
    assert not complaints(app)


def test_a_pasted_table_with_german_numbers_is_the_page() -> None:
    app = typed(opened("frequencies", lang="de", **REAL), "Station;Anzahl\nInnere;1.234\nChirurgie;987\nHals, Nase;745")
    assert not complaints(app) and "Innere" in answer(app)
    assert names(app) == ["Innere", "Chirurgie", "Hals, Nase"]
    assert "frequencies_counts" in app.query_params and app.query_params["frequencies_counts"] == "1234-987-745"
    code = below(app, "take_away").code[-1].value
    assert "RealReports" in code and "1234" in code and "Survey" not in code


def test_a_link_carries_the_counts_and_no_name() -> None:
    app = opened("frequencies", frequencies_counts="50-30-20", **REAL)
    assert names(app) == ["1", "2", "3"] and not complaints(app)
    assert complaints(opened("frequencies", frequencies_counts="50", **REAL))
    assert complaints(opened("frequencies", frequencies_counts="9" * 5000, **REAL))
    assert complaints(opened("frequencies", frequencies_counts="3-x", **REAL))


@cache
def sound() -> AppTest:
    """The page with counts that can be used, in one session for one nonsense after the other."""
    return typed(opened("frequencies", **REAL), "x;60\ny;40")


@pytest.mark.parametrize(
    "text", ["", "hello", "a;12,5\nb;3", "a;1\na;2", "1,120\n2,90", "a;b;c\n" * 3, "\x00;1\n", "😀" * 400]
)
def test_nonsense_gets_one_sentence_and_the_page_goes_on_with_what_was_there(text: str) -> None:
    before = answer(sound())
    app = typed(sound(), text)
    assert len(complaints(app)) == 1 and answer(app) == before


def test_bits_are_told_how_many_people_reported_and_direct_answers_are_not() -> None:
    app = typed(opened("frequencies", frequencies_mechanism="oue", **REAL), "a;620\nb;580\nc;390")
    assert app.number_input(key="frequencies_reports_n").value == 1000
    assert values(stage(app).figure["data"][1]["base"]).shape == (3,)  # type: ignore[index]
    app = typed(app, "a;920\nb;780\nc;690\ntotal;2.000")
    assert not complaints(app) and "2 000" in answer(app).replace("\u202f", " ")
    app = typed(opened("frequencies", **REAL), "a;620\nb;580\ntotal;900")
    assert len(complaints(app)) == 1


def test_reports_that_cannot_be_counted_answer_by_answer_are_read_as_direct_ones_and_said() -> None:
    app = opened("frequencies", frequencies_mechanism="rappor", **REAL)
    assert len(complaints(app)) == 1 and "direct answers" in complaints(app)[0]


def test_hostile_names_are_shown_as_text() -> None:
    app = typed(opened("frequencies", **REAL), "<script>alert(1)</script>\t60\n$x$ **b**\t40")
    assert "<script>" not in stage(app).words["answer"] and names(app)[0].startswith("&lt;script")


def test_a_column_of_reported_answers_is_counted_and_forgotten_with_its_table() -> None:
    content = "person;said\n" + "".join(f"{place};{'abc'[place % 3 if place % 5 else 0]}\n" for place in range(300))
    app = brought(content.encode(), app=opened("frequencies", frequencies_reports="column", **REAL), slug="frequencies")
    assert not complaints(app) and names(app)[0] == "a" and len(names(app)) == 3
    assert "own-" in str(app.query_params["data"]) or "data" in app.query_params
    assert "frequencies_counts" not in app.query_params and "abc" not in str(app.query_params)
    box = next(box for box in app.number_input if box.label == "Possible answers")
    app = box.set_value(5).run()
    assert len(names(app)) == 5 and not app.exception
    app = forget(app)
    assert not app.exception and "said" not in str(link_of(app).known)


def test_columns_of_bits_are_counted_one_for_each_answer() -> None:
    content = "name;a;b;c\n" + "".join(
        f"p{place};{place % 2};{place % 3 == 0:d};{place % 5 < 3:d}\n" for place in range(120)
    )
    app = opened("frequencies", frequencies_reports="column", frequencies_mechanism="sue", **REAL)
    app = brought(content.encode(), app=app, slug="frequencies")
    assert not complaints(app) and set(names(app)) == {"a", "b", "c"}
    assert "120" in answer(app)


def test_a_table_without_reports_gets_one_sentence() -> None:
    app = opened("frequencies", frequencies_reports="column", frequencies_mechanism="oue", **REAL)
    app = brought(b"city;x\nBerlin;3.5\nParis;4.5\n", app=app, slug="frequencies")
    assert len(complaints(app)) == 1


def test_a_column_of_answers_is_counted_on_randomized_response() -> None:
    content = "person;answer\n" + "".join(f"{place};{'ja' if place % 3 == 0 else 'nein'}\n" for place in range(300))
    app = opened("response", response_tab="real", response_reports="column")
    app = brought(content.encode(), app=app, slug="response")
    assert not complaints(app) and "100 of 300" in answer(app)
    assert "response_answers" not in app.query_params
    box = next(box for box in app.selectbox if box.label.startswith("Which one"))
    other = next(option for option in box.options if option != box.value)
    assert "200 of 300" in answer(box.set_value(other).run())


def test_a_column_of_three_answers_gets_one_sentence() -> None:
    content = "x\n" + "a\nb\nc\n" * 9
    app = opened("response", response_tab="real", response_reports="column")
    app = brought(content.encode(), app=app, slug="response")
    assert len(complaints(app)) == 1
