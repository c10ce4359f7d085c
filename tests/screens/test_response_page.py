"""The randomized-response page on the screen: its settings, what people type, its links, and what opens below."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from explorer.facts import Count
from explorer.text import languages
from explorer.text.catalogue import catalogue_of
from ldpcore.experiments.response import ClassSurvey
from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.reading.answers import MOST_PEOPLE, YesCount, read_answers
from tests.rationing import crossed, shared
from tests.screens.opening import below, complaints, looked_at, numbers_in, opened
from tests.written import NARROW, readings

LN3 = {"epsilon": "1.098612289"}


def stage(app: AppTest) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the stage is told of itself, and the words of its scene."""
    parts = [part for part in app.get("bidi_component") if "ldp_stage" in part.proto.component_name]
    head, words, _ = parts[0].proto.bytes.decode().split("\n")
    return json.loads(head), json.loads(words)


def paragraph(app: AppTest, part: str) -> str:
    """The one paragraph that contains these words."""
    found = [str(text.value) for text in app.markdown if part in str(text.value)]
    assert len(found) == 1, (part, [str(text.value) for text in app.markdown])
    return found[0]


def test_the_first_view_is_the_class_and_needs_no_chart() -> None:
    head, words = stage(opened("response"))
    assert head["chosen"] == "everybody" and head["handle"]["stops"][head["handle"]["index"]] == 1.1
    assert "What is true" in words["drawing"] and "What is reported" in words["drawing"]


@pytest.mark.parametrize(
    ("parameters", "handle"),
    [
        ({"response_tab": "real"}, False),
        ({"response_tab": "real", "response_design": "level"}, True),
        ({"response_tab": "deny", "response_held": "own"}, False),
        ({"response_tab": "deny"}, True),
        ({"response_tab": "plan"}, True),
    ],
)
def test_there_is_a_handle_only_where_the_level_matters(parameters: dict[str, str], handle: bool) -> None:
    assert (stage(opened("response", **parameters))[0]["handle"] is not None) == handle


def test_a_million_people_are_asked_stop_by_stop() -> None:
    head, words = stage(opened("response", response_n="1000000"))
    assert head["handle"] is not None and NARROW.join(("of 1", "000", "000")) in words["answer"]


def test_a_class_that_shrinks_takes_the_chosen_person_along() -> None:
    app = opened("response", response_stage="report", response_person="90")
    app.number_input(key="response_n").set_value(20).run()
    assert not app.exception
    assert app.number_input(key="response_person").value == 20


def test_a_class_that_is_too_large_follows_nobody() -> None:
    app = opened("response", response_stage="report", response_person="90")
    app.number_input(key="response_n").set_value(2000).run()
    assert not app.exception and "area" in stage(app)[1]["drawing"]


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(
    ("yes", "n"), [(0, 1), (83, 200), (340, 900), (1083, 2584), (12345, 1000000), (5, MOST_PEOPLE)]
)
def test_answers_in_the_words_of_a_language_are_read_as_they_were_written(language: str, yes: int, n: int) -> None:
    written = catalogue_of(language).label("answers_written", "response", {"yes": Count(yes), "n": Count(n)})
    assert read_answers(written) == YesCount(yes, n)


@pytest.mark.parametrize(
    ("text", "language", "echo"),
    [
        ("560 no, 340 yes", "en", "340 yes of 900"),
        ("340 yes out of 900 (no names)", "en", "340 yes of 900"),
        ("340 ja, 560 nein", "de", "340 Ja von 900"),
        ("340 ja, 560 nein", "en", "340 yes of 900"),
    ],
)
def test_what_was_read_is_echoed_answered_and_linked_without_a_word(text: str, language: str, echo: str) -> None:
    app = opened("response", response_tab="real", response_answers="40/90", lang=language)
    app.text_input(key="response_answers").set_value(text).run()
    assert not complaints(app) and echo in " ".join(str(said.value) for said in app.caption).replace("*", "")
    assert echo.partition(" ")[0] in stage(app)[1]["answer"] and "900" in stage(app)[1]["answer"]
    assert app.query_params["response_answers"] == "340/900"


UNCLEAR = ("83 200", "many", "41 %", "83.5 of 200", "3 yes, 4 no, 5 maybe", "1e9/2")


@pytest.mark.parametrize("text", UNCLEAR)
def test_a_text_that_does_not_say_which_number_is_which_asks_for_two_fields(text: str) -> None:
    app = opened("response", response_tab="real", response_answers="40/90")
    before = stage(app)[1]
    app.text_input(key="response_answers").set_value(text).run()
    assert len(complaints(app)) == 1 and stage(app)[1] == before
    if text not in shared(UNCLEAR, 3):  # whatever the text was, the two fields are the same
        return
    app.number_input(key="response_answers_n").set_value(200).run()
    app.number_input(key="response_answers_yes").set_value(82).run()
    assert not app.exception and app.query_params["response_answers"] == "82/200"
    app.number_input(key="response_answers_n").set_value(50).run()
    assert not app.exception and app.query_params["response_answers"] == "50/50"


@pytest.mark.parametrize(
    "text", ["300 yes of 200", "many", "", "5 of 0", "-1 of 20", "41 %", "<script>$x$", "3 yes, 4 no of 9"]
)
def test_what_cannot_be_used_gets_one_sentence_stays_in_its_box_and_changes_nothing(text: str) -> None:
    app = opened("response", response_tab="real", response_design="die", response_answers="40 of 90")
    before = stage(app)[1]
    app.text_input(key="response_answers").set_value(text).run()
    assert not app.exception
    assert (
        len(complaints(app)) == 1
        and "<script>" not in complaints(app)[0]
        and "the previous count" in complaints(app)[0]
    )
    assert app.text_input(key="response_answers").value == text
    assert app.selectbox(key="response_design").value == "die" and stage(app)[1] == before


def test_the_design_says_what_people_are_to_do() -> None:
    assert "5: say yes" in paragraph(opened("response", response_tab="real", response_design="die"), "One die")


def test_the_formula_holds_the_numbers_of_the_answer() -> None:
    app = opened("response", response_n="200", response_seed="3", **LN3)
    below(app, "why")
    said = ClassSurvey(RandomizedResponse(math.log(3)), 200, 60, seed=3).run().answered_yes
    why = readings(paragraph(app, "With a curator").replace("\\,", NARROW).replace("\\%", "%").replace("}", " "))
    assert why[:5] == pytest.approx([said / 200, 0.25, 0.75, 0.25, 2 * said / 200 - 0.5], abs=6e-3)
    assert 0.75 in why[7:] and 200 in why[7:]


def test_the_tasks_reveal_what_the_formulas_say() -> None:
    app = opened("response", response_n="200", **LN3)
    below(app, "tasks")
    assert numbers_in(paragraph(app, "from coins alone. The"))[0] == 50
    assert numbers_in(paragraph(app, "sure, no more")) == [0.25]
    assert numbers_in(paragraph(app, "half the α takes"))[0] == 401


@pytest.mark.parametrize(("kind", "language"), crossed(["coins", "dice", "spinner"], ["en", "de"]))
def test_a_survey_kit_is_offered_for_every_device_at_both_ends(kind: str, language: str) -> None:
    for level in ("0.01", "1.1", "10"):
        app = opened("response", response_tab="plan", response_device=kind, epsilon=level, lang=language)
        assert not complaints(app) and app.query_params["response_tab"] == "plan"
        assert len([button for button in app.get("download_button") if button.proto.id.endswith("response_kit")]) == 1


def test_a_plan_leads_to_the_evaluation_at_the_level_of_what_people_hold() -> None:
    app = opened("response", response_tab="plan", epsilon="0.9", basis="census")
    app.button(key="response_evaluate").click().run()
    assert not app.exception and not complaints(app)
    assert app.query_params["response_tab"] == "real" and app.query_params["response_design"] == "level"
    assert float(app.query_params["epsilon"]) == pytest.approx(math.log(5 / 3))  # three coins
    assert app.query_params.get("basis", "census") == "census"


def test_a_pasted_list_of_answers_is_counted_into_the_box_and_the_link_carries_its_two_numbers() -> None:
    app = opened("response", response_tab="real", response_answers="40/90")
    app.text_area(key="response_list").set_value("Antwort\nja\nnein\n\nja\nja\n").run()
    assert not app.exception and app.text_input(key="response_answers").value == "3 yes of 4"
    assert app.query_params["response_answers"] == "3/4" and "list" not in str(dict(app.query_params))
    assert "below the heading" in str([each.value for each in app.caption])
    app.text_area(key="response_list").set_value("ja\nvielleicht").run()
    assert app.query_params["response_answers"] == "3/4"
    assert any("vielleicht" in str(each.value) for each in app.warning)


def test_beside_a_plan_no_true_share_is_stated_and_the_link_keeps_it() -> None:
    app = opened("response", response_tab="plan", response_share="0.4")
    assert "True share of yes" not in {each.label for each in (*app.number_input, *app.slider, *app.select_slider)}
    assert app.query_params["response_share"] == "0.4" and not complaints(app)
    looked_at(app, "again")
    (shown,) = (each for each in (*app.slider, *app.select_slider) if each.label == "True share of yes")
    assert shown.value == 0.4 and app.query_params["response_share"] == "0.4"
