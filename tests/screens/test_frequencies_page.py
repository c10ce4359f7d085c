"""The frequencies page says what the core computes, for every mechanism, any crowd and any table."""

from __future__ import annotations

import importlib
import itertools
import json
import math
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats
from streamlit.testing.v1 import AppTest

from explorer import scenes
from explorer.facts.naming import FRUITS, category_slugs, short_of
from explorer.figures.theme import Look, figure_table, style
from explorer.pages.frequencies import drawings as drawn
from explorer.pages.frequencies import settings
from explorer.pages.frequencies.facts.reports import form
from explorer.pages.frequencies.settings import Answering, Frequencies, Ruled
from explorer.pages.frequencies.widgets import crowds
from explorer.text.catalogue import catalogue_of
from explorer.ui import share
from ldpcore.estimating.adviser import Adviser, member_at
from ldpcore.estimating.estimators import POSTPROCESSORS
from ldpcore.experiments.frequencies import (
    AfterEstimate,
    CategoryReport,
    ColumnFamily,
    FrequencyExperiment,
    FrequencyPlan,
    Survey,
    TopTen,
    TwoPointFamily,
    ZipfFamily,
)
from ldpcore.experiments.frequencies.collecting import CuratorCounts
from ldpcore.experiments.frequencies.enclosing import Enclosing
from ldpcore.experiments.named import Named
from ldpcore.mechanisms import by_slug, of_kind
from ldpcore.mechanisms.base import CategoryRandomizer
from ldpcore.mechanisms.grr import GeneralizedRandomizedResponse
from ldpcore.mechanisms.rappor import Rappor
from ldpcore.mechanisms.thresholding import ThresholdingHistogramEncoding
from ldpcore.people.populations import Population
from ldpcore.tables.table import built_in
from tests.rationing import crossed, shared
from tests.samples.frequencies import samples
from tests.screens.opening import complaints, link_of, opened, stage, values
from tests.test_upload import brought
from tests.written import readings

PAGE = importlib.import_module("pages.frequencies").page
GRR = GeneralizedRandomizedResponse(1.0, 10)
TOWN = Population.zipf(10, 10_000)
MEMBERS = of_kind(CategoryRandomizer)  # type: ignore[type-abstract]
FITTING = [member for member in MEMBERS if crowds.fits(member, 10)]
STOPS = (0.01, 0.1, 1.0, 10.0)
PAIR = {  # p and q by hand, independent of the core
    "grr": lambda e, k: (e / (e + k - 1), 1 / (e + k - 1)),
    "sue": lambda e, k: (math.sqrt(e) / (math.sqrt(e) + 1), 1 / (math.sqrt(e) + 1)),
    "oue": lambda e, k: (0.5, 1 / (e + 1)),
    "blh": lambda e, k: (e / (e + 1), 0.5),
    "hadamard": lambda e, k: (e / (e + 1), 0.5),
}


def made(member: type[CategoryRandomizer] | str, k: int = 10) -> CategoryRandomizer:
    """A mechanism at level 1 as the page starts it."""
    member = by_slug(member) if isinstance(member, str) else member  # type: ignore[assignment]
    assert not isinstance(member, str)
    found = Rappor.usual(1.0, k) if member is Rappor else member_at(member, 1.0, k)
    assert found is not None
    return found


def scene(view: str, told: Frequencies | None = None, level: float = 1.0, own: Any = None, truth: bool = True) -> Any:
    """What a view shows."""
    told = Frequencies() if told is None else told
    found = PAGE.views[view]
    asked = found.at_first(told) if own is None else own
    return scenes.scene(PAGE, found, told, level, Look(truth=truth), own=asked)


def said(shown: scenes.Scene) -> list[float]:
    """Every number in the words of a scene."""
    return readings(" ".join((shown.answer, shown.note)).replace("<strong>", " ").replace("</strong>", " "))


def says(shown: scenes.Scene, number: float, digits: int = 3) -> bool:
    """Whether a number stands there, rounded to so many digits."""
    return any(np.isclose(each, number, rtol=0.6 * 10 ** (1 - digits), atol=0) for each in said(shown))


def trace(shown: scenes.Scene, name: str) -> dict[str, Any]:
    """A trace by the beginning of its name."""
    assert shown.figure is not None
    return next(each for each in shown.figure.data if str(each.get("name")).startswith(name))


def staged(app: AppTest) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any] | None]:
    """What the stage has been given: itself, the words of its scene, and the figure."""
    part = next(part for part in app.get("bidi_component") if part.proto.component_name == "ldp_stage")
    head, words, figure = part.proto.bytes.decode().split("\n")
    return json.loads(head), json.loads(words), json.loads(figure)


def by_hand(slug: str, epsilon: float, shares: np.ndarray, n: int) -> float:
    """The typical error of an oracle, from p and q."""
    p, q = PAIR[slug](math.exp(epsilon), len(shares))
    return math.sqrt(float(np.mean(shares * p * (1 - p) + (1 - shares) * q * (1 - q))) / (n * (p - q) ** 2))


@pytest.mark.parametrize(("slug", "asked"), crossed(PAIR, [(1.0, 20, 10_000), (0.5, 100, 10**6), (2.0, 2, 500)], 3))
def test_the_answer_states_the_typical_error_of_the_formulas(slug: str, asked: tuple[float, int, int]) -> None:
    epsilon, k, n = asked
    told = Frequencies(Answering(k=k, n=n), made(slug, k))
    shares = (1 / np.arange(1, k + 1)) / (1 / np.arange(1, k + 1)).sum()
    error = by_hand(slug, epsilon, shares, n)
    first = FrequencyExperiment(told.at(epsilon), Population.zipf(k, n)).run().first
    shown = readings(scene("bars", told, epsilon).answer.replace("<strong>", "").replace("</strong>", ""))
    exact = [epsilon, n * error, n, 100 * error, *([1] if k > len(FRUITS) else []), shares[0], first[0]]
    assert len(shown) == len(exact), shown
    assert shown[:4] == pytest.approx(exact[:4], rel=6e-3)
    assert shown[4:] == pytest.approx(exact[4:], abs=0.1 * error)


@pytest.mark.parametrize("member", shared(FITTING, 2), ids=lambda member: member.slug)
def test_every_mechanism_that_fits_can_be_chosen_and_has_every_view(member: type[CategoryRandomizer]) -> None:
    app = opened("frequencies", frequencies_mechanism=member.slug)
    assert not complaints(app) and staged(app)[1]["answer"]
    told = Frequencies(mechanism=made(member), repeats=2)
    for view in shared(PAGE.views.values(), 2, FITTING.index(member) // 2):
        if view.only(told):
            shown = scene(view.slug, told)
            assert (shown.figure is None) == (view.slug == "report") and shown.answer and shown.note


def test_two_answers_are_served_by_randomized_response_too_and_unfit_mechanisms_are_left_out() -> None:
    two = opened("frequencies", frequencies_k="2").selectbox(key="frequencies_mechanism").options
    assert by_slug("rr").title in two and by_slug("coins").title not in two
    many = opened("frequencies", frequencies_k="4096").selectbox(key="frequencies_mechanism").options
    assert by_slug("rr").title not in many and by_slug("rappor").title not in many
    assert set(many) == {member.title for member in MEMBERS if crowds.fits(member, 4096)}


def test_the_bars_are_the_first_repetition_with_its_intervals_and_the_truth() -> None:
    shown, result = scene("bars"), FrequencyExperiment(GRR, TOWN, 1).run()
    bounds, estimate = result.bounds(), trace(shown, "estimate")
    assert values(estimate["x"]) == pytest.approx(100 * result.first)
    assert values(estimate["error_x"]["array"]) == pytest.approx(100 * (bounds.high - result.first))
    assert values(estimate["error_x"]["arrayminus"]) == pytest.approx(100 * (result.first - bounds.low))
    assert values(trace(shown, "truth")["x"]) == pytest.approx(100 * TOWN.shares)


@pytest.mark.parametrize(("slug", "level"), crossed(["grr", "oue", "olh", "hadamard", "subset", "the"], STOPS, 4))
def test_what_arrives_is_lies_and_a_rest_that_is_the_estimate_made_small(slug: str, level: float) -> None:
    told = Frequencies(mechanism=made(slug))
    oracle: Any = told.at(level)
    shown = scene("bars", told, level)
    lies, left, estimate = trace(shown, "expected lies"), trace(shown, "what is left"), trace(shown, "estimate")
    assert values(lies["x"]) == pytest.approx(100 * oracle.q)
    assert values(left["base"]) == pytest.approx(values(lies["x"]))
    assert values(left["x"]) == pytest.approx(values(estimate["x"]) * oracle.gap, abs=1e-9)


def test_a_curator_is_as_near_as_laplace_noise_for_a_person_who_moves_from_bar_to_bar() -> None:
    shown = scene("bars", own=settings.Around(curator=True))
    found = CuratorCounts(1.0, ZipfFamily(), 10, 10_000).run()
    assert found.reach == pytest.approx(2 * math.log(20) / 10_000)
    diamonds = trace(shown, "with a curator")
    assert values(diamonds["x"]) == pytest.approx(100 * found.shares)
    assert diamonds["error_x"]["array"] == pytest.approx(np.full(10, 100 * found.reach)) and says(
        shown, 100 * found.reach, 2
    )
    hidden = scene("bars", own=settings.Around(curator=True), truth=False)
    assert not any("curator" in str(each.get("name")) for each in hidden.figure.data)


def test_intervals_for_all_at_once_are_wider_and_those_for_everybody_wider_still() -> None:
    """The interval of ten shares: Šidák's quantile and the sampling variance, by another route than the page's."""
    result = FrequencyExperiment(GeneralizedRandomizedResponse(1.0, 10), ZipfFamily().of(10, 10_000)).run()
    shares, n, k = result.first, 10_000, 10
    kept = stats.norm.isf((1 - 0.95 ** (1 / k)) / 2)
    for around, z, sampling in (
        (settings.Around(), stats.norm.isf(0.025), 0.0),
        (settings.Around(together=True), kept, 0.0),
        (settings.Around(sampled=True), stats.norm.isf(0.025), 1.0),
        (settings.Around(True, True), kept, 1.0),
    ):
        drawn = trace(scene("bars", own=around), "estimate")
        reach = (values(drawn["error_x"]["array"]) + values(drawn["error_x"]["arrayminus"])) / 200
        inside = values(drawn["x"]) > values(drawn["error_x"]["arrayminus"]) + 1e-6  # elsewhere it is cut off at no one
        truth = np.sort(ZipfFamily().of(10, 10_000).shares)[::-1]
        variance = result.experiment.randomizer.variance_of_shares(truth, n) + sampling * truth * (1 - truth) / n
        expected = z * np.sqrt(variance)
        assert reach[inside] == pytest.approx(expected[inside], rel=0.15), around
        assert inside.sum() >= 3 and (reach <= 1.15 * expected).all()
    assert shares.size == k


def test_a_curator_of_a_sample_covers_at_least_as_often_as_stated() -> None:
    """Laplace and normal noise squared and added, against the exact law of their sum, by quadrature."""
    x, weights = np.polynomial.legendre.leggauss(300)
    for level, n, held in itertools.product((0.05, 1.0, 5.0), (40, 10_000, 10**6), (0.02, 0.3)):
        curator = CuratorCounts(level, TwoPointFamily(held), 2, n)
        result, around = curator.run(), Enclosing(sampled=True)
        released = replace(result, shares=np.full(2, held))
        reach, scale = around.reaches(released)[0], 2 / level / n
        normal = 9 * x
        spread = math.sqrt(held * (1 - held) / n)
        inside = stats.laplace.cdf(reach - spread * normal, scale=scale) - stats.laplace.cdf(
            -reach - spread * normal, scale=scale
        )
        covered = float((9 * weights * stats.norm.pdf(normal) * inside).sum())
        assert 0.9499 <= covered < 0.97, (level, n, held, covered)


def test_too_much_noise_leaves_the_picture_with_an_arrow_and_little_noise_is_within() -> None:
    for level, least, most in ((0.01, 6, 10), (1.0, 0, 0), (10.0, 0, 0)):
        arrows = [x for x in trace(scene("bars", level=level), "beyond")["x"] if x is not None]
        assert least <= len(arrows) <= most


def test_of_many_answers_forty_bars_or_a_line_of_at_most_two_thousand_points_are_drawn() -> None:
    many = Frequencies(Answering(k=4096, n=10**9), made("grr", 4096))
    for name in ("expected lies", "what is left", "estimate", "truth"):
        assert len(values(trace(scene("bars", many), name)["x"])) == 40
    dots = [each for each in scene("top", many).figure.data if each["mode"] == "markers"]
    assert 900 < sum(len(values(each["y"])) for each in dots) <= 2000
    listed = [
        place for each in dots if re.match("(rightly |wrongly )?on the list", each["name"]) for place in each["y"]
    ]
    assert sum(place is not None for place in listed) == 10


@pytest.mark.parametrize(("slug", "repeats"), [("grr", 100), ("oue", 100), ("olh", 100), ("subset", 1), ("she", 1)])
def test_a_thousand_answers_take_a_hundred_repetitions_or_one(slug: str, repeats: int) -> None:
    app = opened("frequencies", frequencies_k="1024", frequencies_mechanism=slug)
    key = "frequencies_repeats" if repeats == 100 else "frequencies_long_repeats"
    assert app.session_state[key] == repeats and len(staged(app)[2]["data"]) >= 3  # type: ignore[index]


def test_a_plan_draws_at_most_eight_mechanisms_that_look_different_each_with_the_level_that_it_needs() -> None:
    told = Frequencies(among=tuple(member.slug for member in FITTING)[: settings.MOST_COMPARED])
    lines = [each for each in scene("plan", told).figure.data if each["mode"] == "lines" and each["name"] != "wanted"]
    assert 2 <= len(lines) <= settings.MOST_COMPARED
    assert len({(each["line"]["color"], each["line"]["dash"]) for each in lines}) == len(lines)
    z = stats.norm.isf(0.025)
    for each in lines:
        (slug,) = [slug for slug in told.among if catalogue_of("en").write(short_of(slug)) == each["name"]]
        variance = float(made(slug).variance_of_shares(0.1, 10_000)) + 0.09 / 10_000
        at_one = np.interp(0, np.log(values(each["x"])), np.log(values(each["y"])))
        # A little more than the normal law promises, as steps of a tally and skewed tails want.
        assert 0.995 < math.exp(at_one) / (100 * z * math.sqrt(variance)) < 1.025, slug


def test_the_adviser_names_the_best_mechanism_and_until_when_naming_one_answer_is_better() -> None:
    shown, advice = scene("which"), Adviser(TOWN, 1.0).run()
    assert advice.options[0].randomizer.title in shown.answer and advice.options[1].randomizer.title in shown.note
    for number in (100 * advice.options[0].typical_error, advice.options[0].bits, advice.margins[1]):
        assert says(shown, number)
    (bars,) = shown.figure.data
    listed = sorted(advice.options, key=lambda option: category_slugs().index(option.randomizer.slug))
    assert list(values(bars["x"])) == pytest.approx([100 * math.sqrt(option.error) for option in listed])
    assert bars["marker"]["color"].index(style(advice.options[0].randomizer.slug, category_slugs()).color) == (
        listed.index(advice.options[0])
    )
    assert "3e^α + 2" in shown.note and says(shown, 10)  # 3e + 2 is 10.15: up to ten


def test_the_top_list_counts_what_is_found_and_names_what_is_false() -> None:
    shown, exact = scene("top", level=0.5), TopTen(GeneralizedRandomizedResponse(0.5, 10), TOWN, 100, 5).run()
    found, wrong = trace(shown, "rightly on the list"), trace(shown, "wrongly on the list")
    assert len(values(found["x"])) == exact.belongs[exact.first].sum()
    assert sorted(values(wrong["x"])) == pytest.approx(sorted(100 * exact.estimates[exact.false]))
    assert values(trace(shown, "truth")["x"]) == pytest.approx(100 * TOWN.shares)
    begins = trace(shown, "the list begins")["x"][0]
    assert begins == pytest.approx(min([*values(found["x"]), *values(wrong["x"])]))
    assert says(shown, exact.mean_right) and says(shown, exact.standard_error, 2)
    fruits = FRUITS
    assert len(exact.false) and all(fruits[value] in shown.note for value in exact.false)
    assert Frequencies(Answering(k=2), made("grr", 2)).top(1.0)[0].size == 1
    assert Frequencies(Answering(k=11), made("grr", 11)).top(1.0)[0].size == 10


@pytest.mark.parametrize(("member", "k"), crossed(FITTING, [10, 20]), ids=lambda part: getattr(part, "slug", str(part)))
def test_one_report_is_told_for_every_mechanism_with_the_belief_that_follows(
    member: type[CategoryRandomizer], k: int
) -> None:
    told = Frequencies(Answering(k=k), made(member, k))
    shown, result = scene("report", told, own=3), CategoryReport(told.at(1.0), 3).run()
    assert form(result) != "other"
    assert says(shown, float(result.posterior.max())) and (says(shown, math.exp(result.loss), 4) or result.loss < 1e-4)
    assert f"answer is “{FRUITS[3] if k == 10 else 4}”" in shown.note


@pytest.mark.parametrize(
    ("slug", "k"), crossed(["grr", "sue", "olh", "she", "subset", "hadamard", "rappor"], [2, 20, 1024], 3)
)
def test_a_report_is_drawn_bit_by_bit_and_what_is_not_the_truth_is_marked(slug: str, k: int) -> None:
    names = tuple(f"<b>{place}</b> $x$ " + "long" * 100 for place in range(k))
    family = ColumnFamily(Population.uniform(k, 10_000))
    told = Frequencies(Answering("column", family, k, 10_000, names), made(slug, k))
    result = CategoryReport(told.at(1.0), k - 1).run()
    found, html = drawn.lines(result, names), scene("report", told, own=k - 1).drawing
    assert len(found.seen) <= drawn.MOST_LINES
    assert html.count("stroke-dasharray") == 2 * sum(line.flipped for line in found.seen)
    assert "<b>" not in html and len(html) < 40_000
    if result.after is not None:
        own = next(line for line in found.seen if line.before)
        assert own.label.text == names[k - 1] and own.after.value == int(result.after[k - 1])  # type: ignore[attr-defined]
        assert own.flipped == (not result.after[k - 1])
        assert sum(line.after.value == 1 for line in found.seen) + found.more_set == result.after.sum()  # type: ignore[attr-defined]


@pytest.mark.parametrize("rule", [rule.slug for rule in POSTPROCESSORS])
def test_after_the_estimate_bias_and_variance_stand_apart_beside_the_raw_ones(rule: str) -> None:
    exact = AfterEstimate(GRR, TOWN, 100).run()
    row, raw = exact.row(rule), exact.row("raw")
    for view in ("shares", "split"):
        shown = scene("after", own=Ruled(rule, view))
        for part in (row, raw):
            for number in (part.bias_squared, part.variance, part.mean_squared_error):
                assert says(shown, number), (rule, view, number)
        assert says(shown, raw.chance)
    assert says(scene("after", own=Ruled(rule)), TOWN.shares[0] + row.split.bias[0])
    variance, bias = scene("after", own=Ruled(rule, "split")).figure.data
    total = values(variance["x"]) + values(bias["x"])
    assert total == pytest.approx([part.mean_squared_error for part in exact.rows])


def test_clip_and_renormalize_shrinks_the_favorite() -> None:
    told = Frequencies(Answering(k=100, family=ZipfFamily(1.2)), made("grr", 100))
    shown = scene("after", told, own=Ruled("clip-renormalize"))
    name, mean, truth = readings(shown.figure.layout["title"]["text"])
    assert name == 1 and truth - mean == pytest.approx(0.188, abs=0.01)


def test_the_plan_solves_backwards_says_impossible_and_knows_mechanisms_with_more_settings() -> None:
    plan = FrequencyPlan(GRR, 10_000, 0.1, 0.01, 0.95).run()
    for number in (plan.epsilon, 100 * plan.width, plan.people):
        assert says(scene("plan"), number or 0)
    impossible = FrequencyPlan(made("blh"), 10_000, 0.1, 0.001, 0.95).run()
    shown = scene("plan", Frequencies(mechanism=made("blh")), own=(0.1, 0.001, 0.95))
    assert impossible.epsilon is None and says(shown, 100 * impossible.floor) and says(shown, impossible.people)
    assert "No α" in shown.answer
    assert "more settings" in scene("plan", Frequencies(mechanism=made("rappor"))).note


def test_a_mechanism_whose_report_keeps_a_stricter_level_says_so() -> None:
    level = ThresholdingHistogramEncoding(1.0, 10).guarantee().epsilon
    shown = scene("bars", Frequencies(mechanism=made("the")))
    assert "stricter" in shown.note and says(shown, level, 4)
    assert "stricter" not in scene("bars").note


def test_answers_that_cannot_be_told_apart_get_a_sentence_and_break_nothing() -> None:
    told = Frequencies(mechanism=Rappor.usual(1.0, 10, m=8, cohorts=1), repeats=2)
    for view in PAGE.views.values():
        if view.only(told):
            shown = scene(view.slug, told)
            assert "inf" not in shown.answer + shown.note
    assert "look the same" in scene("bars", told).answer


def test_what_is_taken_away_has_the_answers_names_and_the_code_makes_the_view() -> None:
    wards = samples()[1]
    rows = figure_table(scene("bars", wards).figure)
    assert {row[2] for row in rows[1:]} == set(wards.crowd.names)
    assert {row[2] for row in figure_table(scene("after").figure)[1:]} == set(FRUITS[:10])
    for told in (Frequencies(), wards):
        question = told.collected(1.0)
        names: dict[str, Any] = {}
        exec(share.snippet(question).replace("print(result)", ""), names)
        again = names["result"].result if isinstance(question, Named) else names["result"]
        order = sorted(range(len(again.first)), key=lambda place: told.crowd.names[place : place + 1])
        assert trace(scene("bars", told), "estimate")["x"] == pytest.approx(100 * again.first[order])


def test_who_will_not_wait_gets_less_of_the_same_question() -> None:
    wards = samples()[1]
    assert wards.top(1.0)[0].fewer().question.repeats == 1
    assert wards.after(1.0, Ruled("clip")).fewer().question.estimate.repeats == 2
    assert Survey(GRR, ZipfFamily(), 100, 50).fewer().repeats == 1
    assert wards.report(1.0, 0).fewer() == wards.report(1.0, 0)


@pytest.mark.parametrize("data", ["income", "clinic", "people"])
def test_a_column_of_any_table_is_a_crowd(data: str) -> None:
    app = opened("frequencies", data=data, frequencies_source="column")
    counts = built_in(data).categories(app.session_state["frequencies_column"], None).counts
    _, words, figure = staged(app)
    assert figure is not None and not complaints(app)
    assert sum(counts) in readings(words["answer"].replace("<strong>", "").replace("</strong>", ""))
    truth = next(each for each in figure["data"] if each["name"] == "truth")
    shares = (100 * np.array(counts) / sum(counts)).round(9).tolist()
    assert len(values(truth["x"])) == min(len(counts), 40)
    assert (set(values(truth["x"]).round(9).tolist()) <= set(shares) and len(counts) > 40) or shares == (
        sorted(values(truth["x"]).round(9).tolist(), reverse=True)
    )


def own(content: str) -> AppTest:
    """The page with a table of one's own as its crowd."""
    return brought(content.encode(), app=opened("frequencies", frequencies_source="column"), slug="frequencies")


def test_fifty_thousand_different_values_are_cut_to_the_most_frequent_and_other() -> None:
    app = own("\n".join(["word", *(f"w{place}" for place in range(50_000)), *["top"] * 9]))
    sentence = next(str(text.value) for text in app.caption if "different values" in str(text.value))
    assert readings(sentence.replace("\\", "")) == [50_001, 4096, 50_000 - 4095]
    figure = staged(app)[2]
    assert not complaints(app) and figure is not None and len(values(figure["data"][0]["x"])) == 40


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("answer;x\nyes;1\nyes;1\nyes;1\n", "Every answer"),
        ("answer;x\n;\n;\n", "holds no answer"),
    ],
)
def test_one_value_and_no_value_get_one_sentence_and_a_made_up_crowd(content: str, words: str) -> None:
    app = own(content)
    assert len(complaints(app)) == 1 and words in complaints(app)[0]
    assert "apple" in staged(app)[1]["answer"]


def test_empty_cells_are_left_out_and_counted() -> None:
    app = own("answer\n" + "a\n" * 20 + "b\n" * 10 + "NA\n" * 7)
    assert any(readings(str(text.value)) == [7, 37] for text in app.caption)
    assert 30 in readings(staged(app)[1]["answer"])


def test_hostile_names_show_as_text_and_long_ones_are_shortened() -> None:
    long = "x" * 500
    app = own("answer\n" + "<script>\n" * 9 + "$x$\n" * 8 + f"{long}\n" * 7)
    _, words, figure = staged(app)
    assert figure is not None
    labels = figure["layout"]["yaxis"]["ticktext"]
    assert labels[:2] == ["&#36;x&#36;", "&lt;script&gt;"] and len(labels[2]) <= 24
    assert "<script>" not in words["answer"] and "script" in words["answer"]
    for name in ("top", "report", "after"):
        link_of(app).held["frequencies_tab"] = name
        app.run()
        assert not app.exception and "<script>" not in json.dumps(staged(app))


def test_a_click_on_a_bar_opens_the_report_of_somebody_who_gives_that_answer() -> None:
    """The figure says which answer each of its rows is, and the stage asks for it as `report 3`."""
    app = opened("frequencies")
    drawn_figure = stage(app).figure
    assert drawn_figure is not None
    rows = drawn_figure["layout"]["meta"]["rows"]
    assert rows["view"] == "report" and sorted(rows["values"]) == list(range(10))
    with_level = opened("frequencies", frequencies_tab="report", frequencies_value=str(rows["values"][3]))
    picked(app, f"report {rows['values'][3]}")
    assert stage(app).chosen == "report" and app.selectbox(key="frequencies_value").value == str(rows["values"][3])
    assert stage(app).words == stage(with_level).words


def picked(app: AppTest, chosen: str) -> None:
    """What the stage tells the server when a row of the figure is clicked."""
    view, _, row = chosen.partition(" ")
    link_of(app).starts["frequencies_value"] = row
    link_of(app).held["frequencies_tab"], link_of(app).touched = view, True
    app.run()
