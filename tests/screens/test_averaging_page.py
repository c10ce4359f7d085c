"""The averaging page in Streamlit: its settings, its links; what it says is tested without Streamlit."""

from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from ldpcore.experiments.averaging.running import AveragingExperiment, AveragingPlan
from ldpcore.mechanisms.laplace import LaplaceMechanism
from tests.screens.opening import below, numbers_in, opened

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
    assert head["chosen"] == "pile"
    dots = next(trace for trace in figure["data"] if trace.get("name") == "releases")
    assert dots["text"] == list(range(1, 101))


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
    assert [view["slug"] for view in staged(app)[0]["views"]] == ["pile", "path"]
    assert "100 noisy sums and 100 noisy counts" in answer(app)
    assert staged(app)[2]["layout"]["title"]["text"].startswith("The ratio of 100 averaged sums and counts")
    why = " ".join(str(text.value) for text in below(app, "why").markdown)
    assert 0.05 in numbers_in(why.replace("}", " "))
    direct = opened("averaging", averaging_neighbors="replace-one", **mean)
    assert "plan" in [view["slug"] for view in staged(direct)[0]["views"]]
