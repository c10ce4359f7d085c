"""The averaging page in Streamlit: its settings, its ledger, its links; what it says is tested without Streamlit."""

from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from ldpcore.experiments.averaging.running import AveragingExperiment, AveragingPlan
from ldpcore.mechanisms.laplace import LaplaceMechanism
from tests.screens.opening import below, complaints, link_of, numbers_in, opened

NOISE = LaplaceMechanism(0.1)


def staged(app: AppTest) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """The stage as the browser gets it: what surrounds the picture, its words, its figure."""
    part = next(part for part in app.get("bidi_component") if "ldp_stage" in part.proto.component_name)
    head, words, figure = map(json.loads, part.proto.bytes.decode().split("\n"))
    return head, words, figure


def answer(app: AppTest) -> str:
    """The sentence that answers the question, without its marks."""
    return str(staged(app)[1]["answer"]).replace("<strong>", "").replace("</strong>", "")


def near(shown: float, exact: float) -> bool:
    """Whether a number on screen is the exact one, rounded to at least two digits."""
    return abs(shown - exact) <= 0.05 * abs(exact)


@pytest.mark.parametrize(("epsilon", "repeats"), [(0.1, 10**6), (0.1, 10), (0.9, 10**12), (50, 1000)])
def test_the_answer_states_the_level_the_number_the_exact_error_and_the_price(epsilon: float, repeats: int) -> None:
    app = opened("averaging", epsilon=str(epsilon), averaging_repeats=str(repeats))
    result = AveragingExperiment(LaplaceMechanism(epsilon), 882, repeats).run()
    shown, exact = numbers_in(answer(app)), [epsilon, repeats, result.error, result.spent]
    assert len(shown) == len(exact), shown
    assert all(map(near, shown, exact)), (shown, exact)


def test_a_hundred_releases_are_asked_for_at_first_and_a_pile_is_shown() -> None:
    head, _, figure = staged(opened("averaging"))
    assert head["chosen"] == "pile" and len(head["views"]) == 6
    dots = next(trace for trace in figure["data"] if trace.get("name") == "releases")
    assert dots["text"] == list(range(1, 101))


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Running mean", "path"),
        ("Error", "error"),
        ("Attacker", "attacker"),
        ("Fixed budget", "shared"),
        ("Ledger", "ledger"),
        ("Plan", "plan"),
        ("path", "path"),
        ("The mean settles", "path"),
    ],
)
def test_a_view_is_found_by_its_slug_and_by_every_title_it_has_had(title: str, slug: str) -> None:
    app = opened("averaging", averaging_tab=title)
    assert staged(app)[0]["chosen"] == slug
    assert not complaints(app)


def test_the_task_about_rounding_counts_releases_only_as_far_as_the_page_does() -> None:
    for epsilon, words in (("0.1", "releases, at a price of ε"), ("0.000002", "More than a trillion")):
        app = below(opened("averaging", epsilon=epsilon), "tasks")
        assert any(words in str(text.value) for text in app.markdown)


def test_the_numbers_of_the_tasks_are_those_of_the_core() -> None:
    app = below(opened("averaging"), "tasks")
    told = [number for text in app.markdown for number in numbers_in(str(text.value))]
    until = AveragingPlan(NOISE, 0.5).run()
    assert until.repeats in told
    assert any(near(number, AveragingExperiment(NOISE, 882, 400).run().error) for number in told)


def test_a_mean_over_a_private_number_of_people_averages_both_of_its_releases() -> None:
    mean = {"ask": "everybody", "ask_verb": "mean", "ask_of": "score", "ask_low": "0", "ask_high": "100"}
    app = opened("averaging", **mean)
    assert [view["slug"] for view in staged(app)[0]["views"]] == ["pile", "path", "ledger"]
    assert "100 noisy sums and 100 noisy counts" in answer(app)
    assert staged(app)[2]["layout"]["title"]["text"].startswith("The ratio of 100 averaged sums and counts")
    why = " ".join(str(text.value) for text in below(app, "why").markdown)
    assert 0.05 in numbers_in(why.replace("}", " "))
    direct = opened("averaging", averaging_neighbors="replace-one", **mean)
    assert len(staged(direct)[0]["views"]) == 6


def ask(app: AppTest, times: int = 1, **texts: str) -> AppTest:
    """Put a question into the ledger."""
    for label, text in texts.items():
        next(box for box in app.text_input if box.label.startswith(label)).set_value(text)
    app.number_input(key="account_times").set_value(times)
    app.button(key="account_ask").click().run()
    assert not app.exception
    return app


def test_ten_questions_of_a_tenth_fill_a_total_of_one_exactly_and_the_eleventh_is_refused() -> None:
    app = opened("averaging", averaging_tab="ledger")
    assert staged(app)[0]["handle"] is None
    for _ in range(10):
        ask(app)
    assert numbers_in(answer(app)) == [1, 1, 0]
    assert any("no further question" in str(text.value) for text in app.markdown)
    assert any("0.9999999999999999" in str(text.value).replace("\\", "") for text in app.caption)
    ask(app)
    assert len(app.error) == 1
    assert "at most what is left" in app.error[0].value
    assert len(app.session_state["_own_ledger"].entries) == 10


def test_the_ledger_stays_while_pages_change_and_starts_over_on_request() -> None:
    app = ask(opened("averaging", averaging_tab="ledger"), Question="<b>wages</b> $x$", Level="0.25")
    app.switch_page("pages/counting.py").run()
    app.query_params["averaging_tab"] = "ledger"
    app.switch_page("pages/averaging.py").run()
    assert len(app.session_state["_own_ledger"].entries) == 1
    assert "<b>wages" not in " ".join(str(piece.proto.body) for piece in app.get("html"))
    app.button(key="account_again").click().run()
    assert app.session_state["_own_ledger"].entries == ()


@pytest.mark.parametrize("level", ["zero", "-1", "0", "nan", "1e999"])
def test_an_unusable_level_in_the_ledger_gets_one_sentence(level: str) -> None:
    app = ask(opened("averaging", averaging_tab="ledger"), Level=level)
    assert len(app.error) == 1
    assert "_own_ledger" not in app.session_state


def test_what_is_typed_into_the_ledger_stays_out_of_the_address_and_of_what_readers_share() -> None:
    app = ask(opened("averaging", averaging_tab="ledger"), Question="a secret question")
    assert "secret" not in str(dict(app.query_params))
    assert app.session_state["_upload"] is True
    link_of(app).held["averaging_tab"] = "pile"
    assert app.run().session_state["_upload"] is False


def test_the_ledger_takes_levels_as_a_german_reader_types_them_and_adds_them_exactly() -> None:
    app = opened("averaging", averaging_tab="ledger", lang="de", epsilon="0.1")
    level = next(box for box in app.text_input if box.key.startswith("account_level"))
    assert level.value == "0,1"
    level.set_value("0,3").run()
    next(button for button in app.button if button.key == "account_ask").click().run()
    assert not app.exception and not app.error
    assert "0,3" in answer(app) and "0,7" in answer(app)
