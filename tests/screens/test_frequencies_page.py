"""The frequencies page says what the core computes, for every mechanism, any crowd and any table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from explorer.drawings import report as drawn
from explorer.figures.theme import Look
from explorer.naming import short
from explorer.text import page_text
from explorer.ui import crowds, patience, share
from ldpcore.adviser import Adviser, build, candidates
from ldpcore.estimators import POSTPROCESSORS
from ldpcore.experiments import Progress
from ldpcore.experiments.frequencies import (
    AfterEstimate,
    ErrorCurve,
    FrequencyExperiment,
    FrequencyPlan,
    OneReport,
    Survey,
    TopTen,
    ZipfFamily,
)
from ldpcore.fingerprints import fingerprint
from ldpcore.mechanisms import by_slug, of_kind
from ldpcore.mechanisms.base import CategoryRandomizer
from ldpcore.mechanisms.grr import GeneralizedRandomizedResponse
from ldpcore.mechanisms.rappor import Rappor
from ldpcore.mechanisms.thresholding import ThresholdingHistogramEncoding
from ldpcore.populations import Population
from ldpcore.tables import built_in
from tests.screens.opening import answer, below, charts, complaints, numbers_in, opened, tabs, values
from tests.test_upload import brought

GRR = GeneralizedRandomizedResponse(1.0, 20)
TOWN = Population.zipf(20, 10_000)
FITTING = [member for member in of_kind(CategoryRandomizer) if crowds.fits(member, 20)]
PAIR = {  # p and q by hand, independent of the core
    "grr": lambda e, k: (e / (e + k - 1), 1 / (e + k - 1)),
    "sue": lambda e, k: (math.sqrt(e) / (math.sqrt(e) + 1), 1 / (math.sqrt(e) + 1)),
    "oue": lambda e, k: (0.5, 1 / (e + 1)),
    "blh": lambda e, k: (e / (e + 1), 0.5),
    "hadamard": lambda e, k: (e / (e + 1), 0.5),
}


def tab(name: str, **parameters: str) -> AppTest:
    """The page with one of its tabs open."""
    return opened("frequencies", frequencies_tab=name, **parameters)


def told(app: AppTest) -> list[float]:
    """Every number in the page's paragraphs."""
    return [number for text in app.markdown for number in numbers_in(str(text.value))]


def said(app: AppTest, number: float, digits: int = 3) -> bool:
    """Whether a number stands in a paragraph, rounded to so many digits."""
    return any(np.isclose(shown, number, rtol=0.6 * 10 ** (1 - digits), atol=0) for shown in told(app))


def by_hand(slug: str, epsilon: float, shares: np.ndarray, n: int) -> float:
    """The typical error of an oracle, from p and q."""
    p, q = PAIR[slug](math.exp(epsilon), len(shares))
    return math.sqrt(float(np.mean(shares * p * (1 - p) + (1 - shares) * q * (1 - q))) / (n * (p - q) ** 2))


@pytest.mark.parametrize("slug", PAIR)
@pytest.mark.parametrize(("epsilon", "k", "n"), [(1.0, 20, 10_000), (0.5, 100, 10**6), (2.0, 2, 500)])
def test_the_answer_states_the_typical_error_of_the_formulas(slug: str, epsilon: float, k: int, n: int) -> None:
    app = opened(
        "frequencies", epsilon=str(epsilon), frequencies_k=str(k), frequencies_n=str(n), frequencies_mechanism=slug
    )
    shares = (1 / np.arange(1, k + 1)) / (1 / np.arange(1, k + 1)).sum()
    error = by_hand(slug, epsilon, shares, n)
    first = FrequencyExperiment(build(by_slug(slug), epsilon, k), Population.zipf(k, n)).run().first  # type: ignore[arg-type]
    shown = numbers_in(answer(app))
    exact = [epsilon, n * error, error, n, 1, shares[0], first[0]]
    assert len(shown) == len(exact), shown
    assert shown[:5] == pytest.approx(exact[:5], rel=6e-3)
    assert shown[5:] == pytest.approx(exact[5:], abs=0.1 * error)


@pytest.mark.parametrize("member", FITTING, ids=lambda member: member.slug)
def test_every_mechanism_that_fits_can_be_chosen_and_opens_every_tab(member: type[CategoryRandomizer]) -> None:
    app = opened("frequencies", frequencies_mechanism=member.slug)
    assert not complaints(app) and numbers_in(answer(app))
    for key in page_text("frequencies"):
        if key.startswith("tab "):
            app = tab(key.removeprefix("tab "), frequencies_mechanism=member.slug)
            assert not complaints(app) and len(charts(app)) == (key != "tab report")


def test_two_answers_are_served_by_randomized_response_too_and_unfit_mechanisms_are_left_out() -> None:
    two = opened("frequencies", frequencies_k="2").selectbox(key="frequencies_mechanism").options
    assert by_slug("rr").title in two and by_slug("coins").title not in two
    many = opened("frequencies", frequencies_k="4096").selectbox(key="frequencies_mechanism").options
    assert by_slug("rr").title not in many and by_slug("rappor").title not in many
    assert set(many) == {member.title for member in of_kind(CategoryRandomizer) if crowds.fits(member, 4096)}


def test_the_bars_are_the_first_repetition_with_its_intervals_and_the_truth() -> None:
    bars, truth = charts(opened("frequencies"))[0]["data"]
    result = FrequencyExperiment(GRR, TOWN, 100).run()
    bounds = result.bounds()
    assert values(bars["y"]) == pytest.approx(100 * result.first)
    assert values(bars["error_y"]["array"]) == pytest.approx(100 * (bounds.high - result.first))
    assert values(bars["error_y"]["arrayminus"]) == pytest.approx(100 * (result.first - bounds.low))
    assert values(truth["y"]) == pytest.approx(100 * TOWN.shares)
    app = opened("frequencies")
    assert said(app, result.typical_error) and said(app, result.simulated)


def test_the_truth_disappears_while_people_predict() -> None:
    app = opened("frequencies")
    app.toggle(key="hide").set_value(True).run()
    assert all(trace.get("name") != "truth" for chart in charts(app) for trace in chart["data"])
    assert not numbers_in(answer(app))
    shares = tab("after")
    shares.toggle(key="hide").set_value(True).run()
    top = f"{100 * TOWN.shares[0]:.3g}"
    assert not any(f"is {top}" in str(text.value) for text in shares.markdown)
    assert top not in charts(shares)[0]["layout"]["title"]["text"].split("is")[1]


def test_of_many_answers_forty_bars_or_a_line_of_at_most_two_thousand_points_are_drawn() -> None:
    many = {"frequencies_k": "4096", "frequencies_n": "1000000000"}
    for trace in charts(opened("frequencies", **many))[0]["data"]:
        assert len(values(trace["y"])) == 40
    for trace in charts(opened("frequencies", frequencies_shown="ranks", **many))[0]["data"]:
        assert 900 < len(values(trace["y"])) <= 2000


@pytest.mark.parametrize(("slug", "repeats"), [("grr", 100), ("oue", 100), ("olh", 100), ("subset", 1), ("she", 1)])
def test_a_thousand_answers_of_a_billion_people_take_a_hundred_repetitions_or_one(slug: str, repeats: int) -> None:
    app = opened("frequencies", frequencies_k="1024", frequencies_n="1000000000", frequencies_mechanism=slug)
    randomizer: Any = build(by_slug(slug), 1.0, 1024)
    result = Survey(randomizer, ZipfFamily(), 10**9, repeats).run()
    assert said(app, result.simulated)
    assert any(("single repetition" in str(text.value)) == (repeats == 1) for text in app.markdown[1:])


def test_a_comparison_names_at_most_eight_mechanisms_that_look_different_with_their_errors() -> None:
    traces = charts(opened("frequencies", frequencies_compare="true"))[0]["data"]
    drawn_ones = [trace for trace in traces if trace["name"] != "truth"]
    assert 2 <= len(drawn_ones) <= crowds.MOST_COMPARED
    assert len({(trace["marker"]["color"], trace["marker"]["symbol"]) for trace in drawn_ones}) == len(drawn_ones)
    for trace, randomizer in zip(drawn_ones, candidates(1.0, 20), strict=False):
        name, _, error = trace["name"].partition(" ± ")
        exact = math.sqrt(randomizer.variance(TOWN).mean())
        assert name == short(type(randomizer)) and numbers_in(error)[0] == pytest.approx(exact, rel=0.06)
        first = FrequencyExperiment(randomizer, TOWN).run().first
        assert values(trace["y"]) == pytest.approx(100 * first[:10])


def test_a_link_names_the_mechanisms_that_are_compared() -> None:
    app = opened("frequencies", frequencies_compare="true", frequencies_among="oue,subset")
    names = [trace["name"].partition(" ±")[0] for trace in charts(app)[0]["data"]]
    assert not complaints(app) and names == ["OUE", "Subset selection", "truth"]
    assert len(complaints(opened("frequencies", frequencies_compare="true", frequencies_among="oue,nothing"))) == 1
    app = tab("error", frequencies_compare="true", frequencies_among="oue,subset")
    assert sum(trace["mode"] == "lines" for trace in charts(app)[0]["data"]) == 2


@pytest.mark.parametrize("metric", ["mse", "mae", "largest"])
@pytest.mark.parametrize(("along", "low", "high"), [("epsilon", 0.1, 10), ("n", 100, 1e9), ("k", 2, 4096)])
def test_the_error_tab_draws_the_exact_line_the_simulated_dots_and_the_present_settings(
    metric: str, along: str, low: float, high: float
) -> None:
    app = tab("error", frequencies_along=along, frequencies_metric=metric)
    line, dots, ring = charts(app)[0]["data"]
    exact = ErrorCurve(("grr",), ZipfFamily(), 20, 10_000, 1.0, along, low, high, metric).run()
    assert values(line["y"]) == pytest.approx(exact.curves[0].line)
    assert values(dots["y"]) == pytest.approx(exact.curves[0].dots)
    assert values(dots["error_y"]["array"]) == pytest.approx(2 * exact.curves[0].dot_errors)
    assert ring["x"] == [{"epsilon": 1.0, "n": 10_000, "k": 20}[along]]
    assert np.interp(np.log(ring["x"][0]), np.log(exact.x), np.log(exact.curves[0].line)) == pytest.approx(
        math.log(ring["y"][0]), abs=0.05
    )


def test_the_error_along_the_level_follows_the_formula() -> None:
    line = charts(tab("error"))[0]["data"][0]
    for x, y in zip(values(line["x"]), values(line["y"]), strict=True):
        assert math.sqrt(y) == pytest.approx(by_hand("grr", float(x), TOWN.shares, TOWN.n))


def test_the_adviser_names_the_best_mechanism_and_where_the_choice_changes() -> None:
    app = tab("which")
    advice = Adviser(TOWN, 1.0).run()
    text = " ".join(str(piece.value) for piece in app.markdown)
    assert advice.options[0].randomizer.title in text and advice.options[1].randomizer.title in text
    for number in (advice.options[0].typical_error, advice.options[0].bits, advice.margins[1], 3 * math.e + 2, 10):
        assert said(app, number)
    for change in Adviser(TOWN, 1.0).changes_in_epsilon():
        assert said(app, change.at, 4)
    (bars,) = charts(app)[0]["data"]
    errors = [100 * math.sqrt(option.error) for option in advice.options]
    assert list(values(bars["x"]))[::-1] == pytest.approx(errors)


def test_the_top_ten_tab_counts_what_is_found_and_names_what_is_false() -> None:
    app = tab("top")
    exact = TopTen(GRR, TOWN, 100).run()
    found, wrong = charts(app)[0]["data"]
    assert values(found["y"]) == pytest.approx(100 * exact.found)
    assert set(values(wrong["y"])) <= set(100 * exact.chosen[~exact.belongs] / 100)
    assert said(app, exact.mean_right) and said(app, exact.standard_error, 2) and said(app, len(exact.false))
    text = " ".join(str(piece.value) for piece in app.markdown)
    assert ", ".join(str(value + 1) for value in exact.false) in text.replace("\\", "")
    assert "holds them all" in " ".join(str(piece.value) for piece in tab("top", frequencies_k="10").markdown)


@pytest.mark.parametrize("member", FITTING, ids=lambda member: member.slug)
def test_one_report_is_told_for_every_mechanism_with_the_belief_that_follows(member: type[CategoryRandomizer]) -> None:
    app = tab("report", frequencies_mechanism=member.slug, frequencies_value="3")
    randomizer: Any = Rappor.usual(1.0, 20) if member is Rappor else build(member, 1.0, 20)
    result = OneReport(randomizer, 3).run()
    assert drawn.form(result) != "other"
    assert said(app, float(result.posterior.max())) and (said(app, result.loss, 4) or result.loss < 1e-9)
    text = " ".join(str(piece.value) for piece in app.markdown)
    assert f"answer is “{4}”" in text
    for word in drawn.written(result, [str(place) for place in range(1, 21)]).values():
        assert word.replace("…", "") in text.replace("\\", "").replace("\u2060", "")


@pytest.mark.parametrize("k", [2, 20, 1024])
@pytest.mark.parametrize("slug", ["grr", "sue", "olh", "she", "subset", "hadamard", "rappor"])
def test_a_report_is_drawn_bit_by_bit_and_what_is_not_the_truth_is_marked(slug: str, k: int) -> None:
    randomizer: Any = Rappor.usual(1.0, k) if slug == "rappor" else build(by_slug(slug), 1.0, k)
    names = [f"<b>{place}</b> $x$ " + "long" * 100 for place in range(k)]
    result = OneReport(randomizer, k - 1).run()
    found = drawn.lines(result, names)
    html = drawn.report(found, Look(), page_text("frequencies")["labels"]["report"])
    assert len(found.shown) <= drawn.MOST_LINES
    assert html.count("stroke-dasharray") == 2 * sum(line.flipped for line in found.shown)
    assert "<b>" not in html and len(html) < 40_000
    if result.after is not None:
        own = next(line for line in found.shown if line.before)
        assert own.label == names[k - 1] and own.after == str(int(result.after[k - 1]))
        assert own.flipped == (not result.after[k - 1])
        assert sum(line.after == "1" for line in found.shown) + found.more_set == result.after.sum()


@pytest.mark.parametrize("rule", [rule.slug for rule in POSTPROCESSORS])
def test_after_the_estimate_bias_and_variance_stand_apart_beside_the_raw_ones(rule: str) -> None:
    exact = AfterEstimate(GRR, TOWN, 100).run()
    row, raw = exact.row(rule), exact.row("raw")
    for view in ("shares", "split"):
        app = tab("after", frequencies_rule=rule, frequencies_after_view=view)
        for part in (row, raw):
            for number in (part.bias_squared, part.variance, part.mean_squared_error):
                assert said(app, number), (rule, view, number)
        assert said(app, TOWN.shares[0] + row.bias_of(0)) and said(app, raw.chance)
    variance, bias = charts(app)[0]["data"]
    total = values(variance["x"]) + values(bias["x"])
    assert total[::-1] == pytest.approx([part.mean_squared_error for part in exact.rows])


def test_clip_and_renormalize_shrinks_the_favorite() -> None:
    app = tab("after", frequencies_k="100", frequencies_exponent="1.2", frequencies_rule="clip-renormalize")
    name, mean, truth = numbers_in(charts(app)[0]["layout"]["title"]["text"])
    assert name == 1 and truth - mean == pytest.approx(0.188, abs=0.01)


def test_the_plan_tab_solves_backwards_says_impossible_and_knows_mechanisms_with_more_settings() -> None:
    app = tab("plan")
    plan = FrequencyPlan(GRR, 10_000, 0.1, 0.01, 0.95).run()
    for number in (plan.epsilon, plan.width, plan.people):
        assert said(app, number or 0)
    bits: Any = build(by_slug("blh"), 1.0, 20)
    impossible = FrequencyPlan(bits, 10_000, 0.1, 0.001, 0.95).run()
    app = tab("plan", frequencies_mechanism="blh", frequencies_width="0.001")
    assert impossible.epsilon is None and said(app, impossible.floor) and said(app, impossible.people)
    assert "more settings" in " ".join(str(text.value) for text in tab("plan", frequencies_mechanism="rappor").markdown)


def test_a_mechanism_whose_report_keeps_a_stricter_level_says_so() -> None:
    level = ThresholdingHistogramEncoding(1.0, 20).guarantee().epsilon
    shown = [numbers_in(str(text.value)) for text in opened("frequencies", frequencies_mechanism="the").caption]
    assert any(np.isclose(numbers, level, rtol=1e-3).any() for numbers in shown if numbers)
    assert not any("stricter" in str(text.value) for text in opened("frequencies").caption)


def test_settings_that_contradict_each_other_get_one_sentence_and_the_usual_ones() -> None:
    app = opened("frequencies", frequencies_mechanism="rappor", frequencies_rappor_p="0.9", frequencies_rappor_q="0.2")
    assert len(complaints(app)) == 1 and "usual" in complaints(app)[0]


@pytest.mark.parametrize("name", tabs("frequencies"))
def test_answers_that_cannot_be_told_apart_get_a_sentence_and_break_nothing(name: str) -> None:
    app = tab(name, frequencies_mechanism="rappor", frequencies_rappor_m="8", frequencies_rappor_cohorts="1")
    assert math.inf in numbers_in(answer(app))
    if name == "bars":
        assert any("look the same" in str(text.value) for text in app.markdown)


@pytest.mark.parametrize("slug", ["grr", "she"])
def test_the_folds_put_the_present_numbers_in_and_the_tasks_are_computed(slug: str) -> None:
    app = opened("frequencies", frequencies_mechanism=slug)
    taken = [str(block.value) for block in below(app, "take_away").code]
    formula = next(str(text.value) for text in below(app, "why").markdown if "hat f_v" in str(text.value))
    below(app, "tasks")
    randomizer: Any = build(by_slug(slug), 1.0, 20)
    typical = math.sqrt(randomizer.variance(TOWN).mean())
    half = math.sqrt(build(by_slug(slug), 0.5, 20).variance(TOWN).mean())  # type: ignore[union-attr]
    for number in (typical / 2, half, Adviser(TOWN, 1.0).run().options[0].typical_error):
        assert said(app, number), number
    assert randomizer.reference[:6] in formula.replace("\\", "")
    if slug == "grr":
        assert "0.1252" in formula and "0.04604" in formula
    assert any("ZipfFamily" in source for source in taken)


@pytest.mark.parametrize("data", ["income", "clinic", "people"])
def test_a_column_of_any_table_is_a_crowd(data: str) -> None:
    app = opened("frequencies", data=data, frequencies_source="column")
    column = app.session_state["frequencies_column"]
    counts = built_in(data).categories(column, None).counts
    shown = numbers_in(answer(app))
    assert not complaints(app) and sum(counts) in shown
    truth = next(trace for trace in charts(app)[0]["data"] if trace["name"] == "truth")
    assert values(truth["y"]) == pytest.approx(100 * np.array(counts[:40]) / sum(counts))


def own(content: str) -> AppTest:
    """The page with a table of one's own as its crowd."""
    return brought(content.encode(), app=opened("frequencies", frequencies_source="column"), slug="frequencies")


def test_fifty_thousand_different_values_are_cut_to_the_most_frequent_and_other() -> None:
    app = own("\n".join(["word", *(f"w{place}" for place in range(50_000)), *["top"] * 9]))
    sentence = next(str(text.value) for text in app.caption if "different values" in str(text.value))
    assert numbers_in(sentence) == [50_001, 4096, 50_000 - 4095]
    assert not complaints(app) and 50_009 in numbers_in(answer(app))
    assert len(values(charts(app)[0]["data"][0]["y"])) == 40


@pytest.mark.parametrize(("content", "words"), [
    ("answer;x\nyes;1\nyes;1\nyes;1\n", "Every answer"),
    ("answer;x\n;\n;\n", "holds no answer"),
])  # fmt: skip
def test_one_value_and_no_value_get_one_sentence_and_a_made_up_crowd(content: str, words: str) -> None:
    app = own(content)
    assert len(complaints(app)) == 1 and words in complaints(app)[0]
    assert 10_000 in numbers_in(answer(app)) and charts(app)


def test_empty_cells_are_left_out_and_counted() -> None:
    app = own("answer\n" + "a\n" * 20 + "b\n" * 10 + "NA\n" * 7)
    assert any(numbers_in(str(text.value)) == [7, 37] for text in app.caption)
    assert 30 in numbers_in(answer(app))


def test_hostile_names_show_as_text_and_long_ones_are_shortened() -> None:
    long = "x" * 500
    app = own("answer\n" + "<script>\n" * 9 + "$x$\n" * 8 + f"{long}\n" * 7)
    labels = charts(app)[0]["layout"]["xaxis"]["ticktext"]
    assert labels[:2] == ["&lt;script&gt;", "&#36;x&#36;"] and len(labels[2]) <= 24
    assert "<script>" not in answer(app) and "script" in answer(app)
    assert all(len(str(text.value)) < 2000 for text in app.markdown)
    for name in ("top", "report", "after"):
        app.session_state["frequencies_tab"] = name
        app.run()
        assert not app.exception
        assert not any("<script>" in str(text.value) for text in app.markdown)


def test_the_snippet_reproduces_the_estimates() -> None:
    question = Survey(GRR, ZipfFamily(), 10_000, 100, 1)
    names: dict[str, Any] = {}
    exec(share.snippet(question).replace("print(result)", ""), names)
    assert np.array_equal(names["result"].first, FrequencyExperiment(GRR, TOWN, 100).run().first)


@dataclass(frozen=True)
class Long:
    """A question that says how far it is, in as many steps as it is asked for."""

    steps: int

    def run(self, progress: Progress | None = None) -> int:
        for step in range(self.steps):
            if progress is not None:
                progress((step + 1) / self.steps)
        return self.steps


class Shelf:
    """A page whose notice is only remembered."""

    notice: Any = None

    def label(self, name: str) -> str:
        return name


def test_long_work_is_done_once_and_asks_for_less_once_it_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    moved: list[float] = []
    monkeypatch.setattr(patience.Bar, "move", lambda self, share: moved.append(share))
    monkeypatch.setattr(patience, "_offer_to_go_on", lambda page, key: moved.append(-1.0))
    stopped: set[str] = set()
    monkeypatch.setattr(patience, "_stopped", lambda: stopped)
    page: Any = Shelf()
    assert patience.run(page, Long(7), fewer=Long(1)) == 7 and len(moved) == 7
    assert patience.run(page, Long(7), fewer=Long(1)) == 7 and len(moved) == 7
    stopped.add(fingerprint(Long(7)))
    assert patience.run(page, Long(7), fewer=Long(1)) == 1 and moved[7:] == [-1.0, 1.0]


def test_a_stopped_page_shows_one_repetition_until_the_reader_goes_on() -> None:
    question = Survey(GRR, ZipfFamily(), 10_000, 100, 1)
    app = opened("frequencies")
    app.session_state["_stopped"] = {fingerprint(question)}
    app.run()
    assert any("Stopped" in str(text.value) for text in app.caption)
    assert any("single repetition" in str(text.value) for text in app.markdown)
    next(button for button in app.button if button.label == "Do them all").click().run()
    assert any("Over 100 repetitions" in str(text.value) for text in app.markdown)
