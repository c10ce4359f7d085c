"""The averaging page says what the core computes."""

from __future__ import annotations

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from ldpcore.experiments.averaging import Attack, AveragingExperiment, AveragingPlan, SharedBudget
from ldpcore.mechanisms.laplace import LaplaceMechanism
from tests.screens.opening import answer, below, charts, complaints, numbers_in, opened, values
from tests.screens.test_counting_page import near

NOISE = LaplaceMechanism(0.1)


def told(app: AppTest) -> list[float]:
    """Every number in the paragraphs of a page."""
    return [number for text in app.markdown for number in numbers_in(str(text.value))]


def trace(app: AppTest, name: str) -> dict[str, object]:
    return next(trace for trace in charts(app)[0]["data"] if trace.get("name") == name)


@pytest.mark.parametrize(("epsilon", "repeats"), [(0.1, 10**6), (0.1, 10), (0.9, 10**12), (1e-6, 1), (50, 1000)])
def test_the_answer_states_the_number_the_level_the_exact_error_and_the_price(epsilon: float, repeats: int) -> None:
    app = opened("averaging", epsilon=str(epsilon), averaging_repeats=str(repeats))
    result = AveragingExperiment(LaplaceMechanism(epsilon), 882, repeats).run()
    shown, exact = numbers_in(answer(app)), [repeats, epsilon, result.error, result.spent]
    assert len(shown) == len(exact), shown
    assert all(map(near, shown, exact)), (shown, exact)


def test_the_path_on_screen_is_the_results_and_its_marks_are_the_notebooks() -> None:
    app = opened("averaging", data="people")
    result = AveragingExperiment(NOISE, 3).run()
    path = trace(app, "running mean")
    assert values(path["y"]) == pytest.approx(result.means)
    marks = trace(app, "10, 1\u202f000, 100\u202f000, 1\u202f000\u202f000")
    assert values(marks["x"]).tolist() == [10, 1000, 100_000, 1_000_000]


def test_the_band_is_two_exact_standard_errors_wide() -> None:
    app = opened("averaging")
    upper = trace(app, "truth ± 2 SE (exact)")
    x, y = values(upper["x"]), values(upper["y"])
    releases = x / 0.1  # the band lies on the axis of the price
    assert np.abs(y - 882) == pytest.approx(2 * 10 * np.sqrt(2 / releases))
    assert (y[: len(y) // 2] < 882).all() and (y[len(y) // 2 :] > 882).all()


def test_the_second_axis_is_the_price_of_the_first() -> None:
    layout = charts(opened("averaging", epsilon="0.5"))[0]["layout"]
    assert np.subtract(layout["xaxis2"]["range"], layout["xaxis"]["range"]) == pytest.approx(np.log10(0.5))
    assert layout["xaxis2"]["side"] == "top" and "spent" in layout["xaxis2"]["title"]["text"]


def test_nothing_on_the_path_tells_the_truth_while_people_predict() -> None:
    app = opened("averaging", data="people", averaging_repeats="1")
    app.toggle(key="hide").set_value(True).run()
    names = [trace.get("name") for trace in charts(app)[0]["data"]]
    assert "true answer" not in names and "truth ± 2 SE (exact)" not in names
    low, high = charts(app)[0]["layout"]["yaxis"]["range"]
    assert (low + high) / 2 == pytest.approx(AveragingExperiment(NOISE, 3, 1).run().average)


def test_the_attackers_chances_are_the_exact_ones() -> None:
    app = opened("averaging", averaging_tab="attacker", averaging_repeats="500")
    for chance in Attack(NOISE, 500).run().present:
        assert any(near(number, chance) for number in told(app)), chance


def test_a_shared_total_tells_its_factor_and_both_errors() -> None:
    app = opened("averaging", averaging_tab="shared", averaging_repeats="100")
    found = SharedBudget(NOISE, 100).run()
    for number in (found.error, found.factor, found.share, NOISE.scale):
        assert any(near(shown, number) for shown in told(app)), number


def test_the_plan_tells_the_number_the_price_and_the_single_level() -> None:
    app = opened("averaging", averaging_tab="plan", averaging_width="1")
    found = AveragingPlan(NOISE, 1.0).run()
    assert found.repeats is not None and found.spent is not None
    for number in (found.repeats, found.spent, found.once):
        assert any(near(shown, number) for shown in told(app)), number
    assert not complaints(app)


@pytest.mark.parametrize(("width", "word"), [("0.001", "not enough"), ("1000000", "takes **1 release**")])
def test_the_plan_says_when_a_trillion_releases_are_not_enough(width: str, word: str) -> None:
    app = opened("averaging", averaging_tab="plan", averaging_width=width, epsilon="0.00001" if width < "1" else "0.1")
    assert any(word in str(text.value) for text in app.markdown)


@pytest.mark.parametrize(("epsilon", "words"), [("0.1", "releases, at a price of ε"), ("0.000002", "More than 1")])
def test_the_task_counts_releases_only_as_far_as_the_page_does(epsilon: str, words: str) -> None:
    app = below(opened("averaging", epsilon=epsilon), "tasks")
    until = next(str(text.value) for text in app.markdown if words in str(text.value))
    assert 0 not in numbers_in(until)


@pytest.mark.parametrize(
    ("width", "epsilon", "way"),
    [
        ("1", "0.1", "releases, or one with"),
        ("0.01", "0.00001", "out of reach"),
        ("0.1", "0.00001", "one release with"),
    ],
)
def test_the_plans_title_promises_only_what_the_plan_found(width: str, epsilon: str, way: str) -> None:
    app = opened("averaging", averaging_tab="plan", averaging_width=width, epsilon=epsilon)
    found = AveragingPlan(LaplaceMechanism(float(epsilon)), float(width)).run()
    title = charts(app)[0]["layout"]["title"]["text"]
    assert way in title, (title, found.case)
    assert (found.repeats is not None) == ("releases" in title)


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
    for _ in range(10):
        ask(app)
    said = next(str(text.value) for text in app.markdown if str(text.value).startswith("Spent"))
    assert numbers_in(said)[:4] == [1, 1, 0, 0]
    assert any("0.9999999999999999" in str(text.value).replace("\\", "") for text in app.caption)
    ask(app)
    assert len(app.error) == 1
    assert "at most what is left" in app.error[0].value
    assert len(app.session_state["_own_ledger"].entries) == 10


def test_the_ledger_stays_while_pages_change_and_starts_over_on_request() -> None:
    app = ask(opened("averaging", averaging_tab="ledger"), Question="<b>wages</b> $x$", Level="0.25")
    app.switch_page("pages/counting.py").run()
    app.switch_page("pages/averaging.py").run()
    app.session_state["averaging_tab"] = "ledger"
    app.run()
    assert len(app.session_state["_own_ledger"].entries) == 1
    assert "<b>wages" not in " ".join(str(piece.proto.body) for piece in app.get("html"))
    app.button(key="account_again").click().run()
    assert app.session_state["_own_ledger"].entries == ()


@pytest.mark.parametrize("level", ["zero", "-1", "0", "nan", "1e999"])
def test_an_unusable_level_in_the_ledger_gets_one_sentence(level: str) -> None:
    app = ask(opened("averaging", averaging_tab="ledger"), Level=level)
    assert len(app.error) == 1
    assert "_own_ledger" not in app.session_state
