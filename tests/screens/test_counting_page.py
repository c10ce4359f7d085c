"""The counting page shows what the core computes, with the settings that a reader has made."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl

import numpy as np
import pandas as pd
import pytest

from explorer.pages.counting import settings
from explorer.settings import cuts
from ldpcore.experiments.counting.releases import Afterwards, AgainstUsers, CountingExperiment, CountPlan
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.tables.table import Table
from tests.rationing import crossed
from tests.screens.opening import (
    answer,
    below,
    charts,
    complaints,
    drawings,
    link_of,
    looked_at,
    moved,
    note,
    numbers_in,
    opened,
    stage,
    values,
)
from tests.test_upload import brought

MEAN = {"ask": "everybody", "ask_verb": "mean", "ask_of": "score"}


def near(shown: float, exact: float) -> bool:
    """Whether a number on screen is the exact one, rounded to at least two digits."""
    return bool(np.isclose(shown, exact, rtol=0.05, atol=0)) if exact else shown == 0


def test_the_answer_states_the_exact_error_and_both_shares() -> None:
    for data, count, n in (("income", 882, 2584), ("people", 3, 5)):
        for epsilon in (0.1, 0.9):
            shown = numbers_in(answer(opened("counting", data=data, epsilon=str(epsilon), counting_tab="one")))
            exact = [epsilon, 1 / epsilon, 1 / epsilon / count, count, 1 / epsilon / n, n]
            assert len(shown) == len(exact), shown
            assert all(map(near, shown, exact)), (shown, exact)


def test_the_bells_stand_one_person_apart_around_the_true_answer() -> None:
    inside, outside = charts(opened("counting", counting_tab="one"))[0]["data"][:2]
    tips = [values(bell["x"])[np.argmax(values(bell["y"]))] for bell in (inside, outside)]
    assert tips == [882, 881]


def test_the_ten_dots_are_the_results_releases() -> None:
    figure = charts(opened("counting", counting_tab="ten", epsilon="1"))[0]
    dots = next(trace for trace in figure["data"] if trace["mode"] == "markers")
    exact = CountingExperiment(LaplaceMechanism(1.0), 882, 2584, seed=1).run().releases
    assert values(dots["y"]) == pytest.approx(exact)


def test_a_view_that_is_chosen_stays_while_the_handle_moves() -> None:
    app = looked_at(opened("counting"), "crowds")
    assert stage(app).chosen == "crowds" and app.query_params["counting_tab"] == "crowds"
    assert stage(moved(app, 1.0)).chosen == "crowds"


def test_one_person_is_spoken_of_in_the_singular() -> None:
    assert "off by 1 person on average" in answer(opened("counting", epsilon="1"))
    assert "off by 1.11 people on average" in answer(opened("counting", epsilon="0.9"))


@pytest.mark.parametrize(("tab", "mechanism"), crossed(["one", "ten", "plan", "bound"], ["laplace", "discretelaplace"]))
def test_the_drawing_of_a_release_shows_the_number_that_its_view_shows(tab: str, mechanism: str) -> None:
    app = below(opened("counting", counting_tab=tab, counting_mechanism=mechanism), "why")
    shown = [re.findall(">([^<]+)</text>", drawn) for drawn in drawings(app)]
    if tab == "bound":  # whose formula is about another answer
        assert not shown
        return
    (release,) = {
        numbers_in(texts[place + 1])[0] for texts in shown for place, text in enumerate(texts) if text == "Release"
    }
    if tab == "one":
        assert f"released number is {release:g}" in note(app)
    if tab == "ten":
        dots = next(trace for trace in charts(app)[0]["data"] if trace.get("mode") == "markers")
        assert values(dots["y"])[0] == pytest.approx(release, rel=1e-3)


def test_dragging_the_bound_moves_sensitivity_and_the_way_to_the_loss_of_an_assumed_one() -> None:
    app = opened("counting", counting_tab="bound")
    assert "Bound 100, sensitivity 100" in answer(app) and "101 ÷ 100 = 0.101" in note(app)
    app.select_slider(key="counting_bound_visits").set_value(50.0).run()
    assert "Bound 50, sensitivity 50" in answer(app) and "101 ÷ 50 = 0.202" in note(app)
    assert app.query_params["counting_bound_visits"] == "50"
    (way,) = (piece.proto for piece in app.get("page_link") if "assumed" in piece.proto.label)
    verified = opened("verify", **dict(parse_qsl(way.query_string)))
    assert f"{np.exp(0.202):.4g} times as likely" in answer(verified) and not complaints(verified)


def test_what_is_summed_says_its_unit_and_keeps_its_own_bound() -> None:
    app = opened("counting", counting_tab="bound", counting_example="ages", counting_bound_years="80")
    assert "Bound 80, sensitivity 80" in answer(app)
    assert "years" in charts(app)[0]["layout"]["xaxis"]["title"]["text"]
    app.selectbox(key="counting_example").set_value("five").run()
    assert "Bound 1, sensitivity 5" in answer(app)


def test_beside_an_invented_sum_nothing_of_the_pages_own_question_is_told() -> None:
    asked = {"ask": "everybody", "ask_verb": "sum", "ask_of": "income", "ask_low": "0", "ask_high": "20000"}
    beside = 'class="ldp-aside"'
    assert beside in stage(opened("counting", **asked)).words["answer"]
    assert beside not in stage(opened("counting", counting_tab="bound", **asked)).words["answer"]


@pytest.mark.parametrize(("answered", "exact"), [("count", 10), ("sum", 1000), ("mean", 1000 / 2584)])
def test_a_crowd_ten_times_as_large_moves_only_a_mean(answered: str, exact: float) -> None:
    asked = {} if answered == "count" else {"ask": "everybody", "ask_verb": answered, "ask_of": "score"}
    neighbors = {"counting_neighbors": "replace-one"} if answered == "mean" else {}
    app = below(opened("counting", **neighbors, **asked), "tasks")
    revealed = next(str(text.value) for text in app.markdown if "off by as much as before" in str(text.value))
    same, tenth = (number for number in numbers_in(revealed.replace("A count", "")) if number)
    assert near(same, exact) and near(tenth, exact / 10)


def test_a_mean_in_two_releases_has_the_views_of_two() -> None:
    app = opened("counting", counting_neighbors="add-remove", **MEAN)
    assert stage(app).views == ["ratio", "bound", "cells"]
    assert "in two releases" in answer(app)
    direct = opened("counting", counting_neighbors="replace-one", **MEAN)
    assert "ratio" not in stage(direct).views and "ten" in stage(direct).views
    assert "crowds" not in stage(direct).views  # it counts people


def test_the_formula_of_a_mean_in_two_releases_is_that_of_both() -> None:
    app = opened("counting", epsilon="0.5", **MEAN)
    why = next(str(text.value) for text in below(app, "why").markdown if "Lap" in str(text.value))
    assert [number for number in (100 / 0.25, 1 / 0.25, 0.25) if number not in numbers_in(why.replace("}", " "))] == []


def test_in_a_mean_the_noise_of_the_sum_is_twice_as_wide_as_with_the_whole_level() -> None:
    told = settings.of_table("income", "add-remove", "mean", "everybody")
    question = told.released_ratio(0.1)
    assert question is not None
    assert question.sum_noise.scale == pytest.approx(2 * told.mechanism(0.1).scale)


def test_the_crowds_tell_the_story_of_60_and_260_percent_with_both_signs() -> None:
    app = opened("counting", data="people", counting_tab="crowds")
    low, high = AgainstUsers(LaplaceMechanism(0.1), 3, 5).run().span
    read = {round(number, 6) for number in numbers_in(note(app))}
    assert {0.6, round(low, 6), round(high, 6)} <= read


@pytest.mark.parametrize(("relation", "end"), [("add-remove", "lower end"), ("replace-one", "upper end")])
def test_what_comes_afterwards_states_the_exact_bias_and_error(relation: str, end: str) -> None:
    exact = Afterwards(LaplaceMechanism(0.1, neighbors=relation), 3, 5).run()
    app = below(opened("counting", data="people", counting_neighbors=relation), "tasks")
    said = next(str(text.value) for text in app.markdown if "off by" in str(text.value) and end in str(text.value))
    for number in (exact.raw_error, exact.error, abs(exact.bias)):
        assert any(near(shown, number) for shown in numbers_in(said)), number


def test_the_plan_solves_backwards_and_says_what_is_impossible() -> None:
    app = opened("counting", counting_tab="plan", counting_width="5", counting_confidence="0.95")
    plan = CountPlan(LaplaceMechanism(0.1), 2584, 5, 0.95).run()
    told = numbers_in(answer(app)) + numbers_in(note(app))
    for number in (plan.epsilon, plan.width, plan.chance, plan.people):
        assert any(near(shown, number) for shown in told), number
    assert not complaints(app)
    far = {"ask": "everybody", "ask_verb": "sum", "ask_of": "income", "ask_low": "0", "ask_high": "1e6"}
    assert answer(opened("counting", counting_tab="plan", counting_width="5", **far)).startswith("No level")
    assert "within ±5\u202f000\u202f000 in" in answer(opened("counting", counting_tab="plan", **far))


@pytest.mark.parametrize("verb", ["sum", "mean"])
def test_the_plan_of_a_sum_or_a_mean_compares_with_no_other_crowd(verb: str) -> None:
    asked = {"ask": "everybody", "ask_verb": verb, "ask_of": "score", "counting_neighbors": "replace-one"}
    app = opened("counting", counting_tab="plan", **asked)
    assert "Your ε keeps" in note(app) and "Or keep your ε" not in note(app)


@pytest.mark.parametrize(("who", "n"), [("everybody", 2584), ("ready", 882)])
@pytest.mark.parametrize("column", ["schooling", "income"])
def test_each_of_those_asked_about_stands_in_one_bar(who: str, n: int, column: str) -> None:
    app = opened("counting", counting_tab="cells", ask=who, counting_rows=column)
    true = next(trace for trace in charts(app)[0]["data"] if trace["name"] == "true count")
    assert values(true["x" if "line-ns" in true["marker"]["symbol"] else "y"]).sum() == n  # many bars lie


@pytest.mark.parametrize("reach", [1.7e308, 1e15, 1.0, 1e-300])
def test_bins_hold_every_number_however_far_apart(reach: float) -> None:
    table = Table.of(pd.DataFrame({"x": reach * np.linspace(-1, 1, 100)}), "far", own=True)
    counts, _ = np.histogram(table.numbers("x"), cuts.edges(table, "x"))
    assert counts.sum() == 100 and len(counts) == 10


def test_a_later_page_of_a_large_table_waits_in_its_link_for_the_table() -> None:
    app = opened("counting", counting_tab="cells", data="own", counting_page="3")
    assert len(complaints(app)) == 1 and "counting" not in complaints(app)[0]  # the table, and no page
    assert app.query_params["counting_page"] == "3"
    rows = "".join(f"Quokka {place % 150:03d};{place}\n" for place in range(600))
    app = brought(f"name;x\n{rows}".encode(), app=app)
    (page,) = (each for each in app.number_input if each.label == "Page of the picture")
    assert page.value == 3 and app.query_params["counting_page"] == "3" and not complaints(app)


def test_who_answers_alone_still_does_when_another_question_is_asked() -> None:
    app = opened("counting", data="people", counting_mechanism="rr")
    (verb,) = [each for each in app.segmented_control if "sum" in each.options or "Sum" in each.options]
    verb.set_value("sum").run()
    assert not complaints(app) and "At α = " in answer(app)
    assert link_of(app).known["counting_mechanism"] not in (None, "rr")
    (verb,) = [each for each in app.segmented_control if "sum" in each.options or "Sum" in each.options]
    verb.set_value("count").run()
    assert link_of(app).known["counting_mechanism"] == "rr" and "At α = " in answer(app)
