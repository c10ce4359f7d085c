"""The counting page says what the core computes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

from explorer.numbers import read
from explorer.text import page_text
from explorer.ui import asking, cache, prose
from ldpcore.experiments.counting import Afterwards, CountingExperiment, CountPlan, Crowds, RatioOfReleases
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.queries import Histogram, Mean
from ldpcore.tables import Table
from tests.screens.opening import answer, below, charts, complaints, numbers_in, opened, tabs, values


def near(shown: float, exact: float) -> bool:
    """Whether a number on screen is the exact one, rounded to at least two digits."""
    return bool(np.isclose(shown, exact, rtol=0.05, atol=0)) if exact else shown == 0


def test_the_answer_states_the_exact_error_and_both_shares() -> None:
    for data, count, n in (("income", 882, 2584), ("people", 3, 5)):
        for epsilon in (0.1, 0.9):
            shown = numbers_in(answer(opened("counting", data=data, epsilon=str(epsilon))))
            exact = [epsilon, 1 / epsilon, 1 / epsilon / count, count, 1 / epsilon / n, n]
            assert len(shown) == len(exact), shown
            assert all(map(near, shown, exact)), (shown, exact)


def test_the_density_peaks_at_the_true_answer() -> None:
    density = charts(opened("counting"))[0]["data"][0]
    assert values(density["x"])[np.argmax(values(density["y"]))] == pytest.approx(882)


def test_the_ten_dots_are_the_results_releases() -> None:
    dots = next(trace for trace in charts(opened("counting"))[0]["data"] if trace["mode"] == "markers")
    exact = CountingExperiment(LaplaceMechanism(0.1), 882, 2584, seed=1).run().releases
    assert values(dots["x"]) == pytest.approx(exact)


def test_the_truth_disappears_while_people_predict() -> None:
    shown = opened("counting")
    shown.toggle(key="hide").set_value(True).run()
    assert "882" not in answer(shown)
    assert all(trace.get("name") != "true answer" for trace in charts(shown)[0]["data"])


@pytest.mark.parametrize("tab", tabs("counting"))
def test_no_sentence_names_the_true_count_while_people_predict(tab: str) -> None:
    app = opened("counting", counting_tab=tab)
    app.toggle(key="hide").set_value(True)
    said = []
    for name in ("numbers", "why", "tasks"):
        if name != "numbers" or charts(app.run()):
            below(app, name)
            said += [str(text.value) for text in (*app.markdown, *app.caption)]
    said += [chart["alt"] for chart in charts(app)]
    assert "hidden" in answer(app)
    for told in said:
        assert not {882, 0.341} & set(numbers_in(told)), told
    assert not any(trace.get("name") == "your count" for chart in charts(app) for trace in chart["data"])


def test_one_person_is_spoken_of_in_the_singular() -> None:
    assert "**1** person on average" in answer(opened("counting", epsilon="1"))
    assert "**1.11** people on average" in answer(opened("counting", epsilon="0.9"))


@pytest.mark.parametrize(
    ("verb", "neighbors", "words"),
    [
        ("count", "replace one", "Still by 10. As a share"),
        ("sum", "replace one", "Still by 1"),
        ("mean", "replace one", "By a tenth, "),
        ("mean", "add or remove one", "Still by 1"),
    ],
)
def test_a_crowd_ten_times_as_large_moves_only_a_mean(verb: str, neighbors: str, words: str) -> None:
    asked = {} if verb == "count" else {"ask": "everybody", "ask_verb": verb, "ask_of": "score"}
    app = opened("counting", counting_neighbors=neighbors, **asked)
    below(app, "tasks")
    assert any(str(text.value).replace("\\", "").startswith(words) for text in app.markdown)


SUM_OF_MEAN = page_text("counting")["sum of mean"]
OF_THE_SUM = {
    "ten": "Ask ten times", "error": "The line is the exact mean error", "many": "releases, sorted",
    "flow": "One person more or less", "plan": "Your ε gives",
}  # fmt: skip


@pytest.mark.parametrize("tab", tabs("counting"))
def test_a_mean_in_two_releases_says_above_each_view_of_its_sum_that_it_is_one(tab: str) -> None:
    mean = {"ask": "everybody", "ask_verb": "mean", "ask_of": "score"}
    app = opened("counting", counting_tab=tab, counting_neighbors="add or remove one", **mean)
    said = [str(text.value) for text in app.markdown]
    if tab in OF_THE_SUM:
        place = next(place for place, text in enumerate(said) if OF_THE_SUM[tab] in text)
        assert said[place - 1] == SUM_OF_MEAN
    elif tab in ("crowds", "afterwards"):
        assert page_text("counting")["counts only"] in said and not charts(app)
    assert said.count(SUM_OF_MEAN) == (tab in OF_THE_SUM)


@pytest.mark.parametrize("tab", OF_THE_SUM)
@pytest.mark.parametrize(("verb", "neighbors"), [("sum", "add or remove one"), ("mean", "replace one")])
def test_what_takes_one_release_is_not_called_the_first_of_two(tab: str, verb: str, neighbors: str) -> None:
    asked = {"ask": "everybody", "ask_verb": verb, "ask_of": "score"}
    app = opened("counting", counting_tab=tab, counting_neighbors=neighbors, **asked)
    said = [str(text.value) for text in app.markdown]
    assert any(OF_THE_SUM[tab] in text for text in said)
    assert SUM_OF_MEAN not in said


def test_in_a_mean_the_noise_of_the_sum_is_twice_as_wide_as_with_the_whole_level() -> None:
    mean = Mean("score", 0, 100)
    alone = LaplaceMechanism(0.1, mean.parts()[0].sensitivity("add or remove one"))
    first = RatioOfReleases.of(0.1, mean, 1e5, 2584, "add or remove one", 1).sum_noise
    assert first.scale == pytest.approx(2 * alone.scale)


def test_the_crowds_tab_tells_the_story_of_60_and_260_percent_with_both_signs() -> None:
    app = opened("counting", data="people", counting_tab="crowds")
    told = [numbers_in(str(text.value)) for text in app.markdown]
    low, high = Crowds(LaplaceMechanism(0.1), 3, 5).run().span
    assert any({0.6, round(low, 6), round(high, 6)} <= {round(number, 6) for number in line} for line in told)


def test_the_afterwards_tab_states_the_exact_bias_and_error() -> None:
    app = opened("counting", data="people", counting_tab="afterwards")
    exact = Afterwards(LaplaceMechanism(0.1), 3, 5).run()
    told = [number for text in app.markdown for number in numbers_in(str(text.value))]
    for number in (exact.raw_error, exact.error, exact.bias):
        assert any(near(shown, number) for shown in told), number


def test_the_plan_tab_solves_backwards_and_says_impossible() -> None:
    app = opened("counting", counting_tab="plan", counting_width="5", counting_confidence="0.95")
    plan = CountPlan(LaplaceMechanism(0.1), 2584, 5, 0.95).run()
    told = [number for text in app.markdown for number in numbers_in(str(text.value))]
    for number in (plan.epsilon, plan.width, plan.chance, plan.people):
        assert any(near(shown, number) for shown in told), number
    assert not complaints(app)


@pytest.mark.parametrize(("who", "n"), [("everybody", 2584), ("ready", 882)])
@pytest.mark.parametrize("column", ["schooling", "income"])
def test_each_of_those_asked_about_stands_in_one_bar(who: str, n: int, column: str) -> None:
    app = opened("counting", counting_tab="categories", ask=who, counting_column=column)
    true = next(trace for trace in charts(app)[0]["data"] if trace["name"] == "true count")
    assert values(true["y"]).sum() == n


def test_bars_of_more_values_than_there_is_room_for_say_how_many_are_left_out() -> None:
    cells = [f"c{i}" for i in range(40) for _ in range(40 - i)] + [None] * 7
    table = Table.of(pd.DataFrame({"x": cells}), "many", own=True)
    bars = Histogram("x", limit=30).answer(table)
    assert (len(bars.labels), bars.other, bars.missing) == (30, 55, 7)


@pytest.mark.parametrize("reach", [1.7e308, 1e15, 1.0, 1e-300])
def test_bins_hold_every_number_however_far_apart(reach: float) -> None:
    table = Table.of(pd.DataFrame({"x": reach * np.linspace(-1, 1, 100)}), "far", own=True)
    bars = Histogram("x", edges=asking._edges(table, "x")).answer(table)
    assert sum(bars.counts) == 100 and len(bars.counts) == 10


def test_the_plan_of_a_sum_speaks_of_no_crowd() -> None:
    app = opened("counting", counting_tab="plan", ask_verb="sum", ask_of="score")
    assert any("Your ε gives" in str(text.value) for text in app.markdown)
    assert not any("crowd" in str(text.value) for text in app.markdown)


@dataclass(frozen=True)
class One:
    x: int

    def run(self) -> str:
        return "one"


@dataclass(frozen=True)
class Other:
    x: int

    def run(self) -> str:
        return "other"


def test_two_questions_with_equal_fields_do_not_share_an_answer() -> None:
    assert cache.run(One(1)) == "one"
    assert cache.run(Other(1)) == "other"


def test_data_in_a_sentence_show_as_written() -> None:
    filled = prose.fill("about @{name}", {"name": "<b>$x$ *y* [z](w)"})
    assert "<b>" not in filled and "$x$" not in filled and "*y*" not in filled and "](" not in filled
    assert read("1 %") == 0.01


def test_the_formula_of_a_mean_in_two_releases_is_that_of_both() -> None:
    app = opened("counting", ask="everybody", ask_verb="mean", ask_of="score", epsilon="0.5")
    why = next(str(text.value) for text in below(app, "why").markdown if "Lap" in str(text.value))
    assert [number for number in (100 / 0.25, 1 / 0.25, 0.25) if number not in numbers_in(why.replace("}", " "))] == []
