"""The randomized-response page says what the core computes, and what an independent formula says."""

from __future__ import annotations

import itertools
import json
import math
import re

import numpy as np
import pytest
from scipy import stats
from streamlit.testing.v1 import AppTest

from explorer.drawings import people
from explorer.figures.theme import Look
from explorer.numbers import NARROW, percent_within, readings
from explorer.text import page_text
from explorer.ui.answers import counted
from ldpcore.experiments.response import ClassSurvey, CoinDesign
from ldpcore.mechanisms.coins import TwoCoins
from ldpcore.mechanisms.grr import RandomizedResponse
from tests.screens.opening import answer, below, charts, complaints, numbers_in, opened, values

LN3 = {"epsilon": "1.098612289"}
WORDS = page_text("response")["labels"]["class"]


def texts(app: AppTest) -> list[str]:
    """Every paragraph of the page."""
    return [str(text.value) for text in app.markdown]


def paragraph(app: AppTest, part: str) -> str:
    """The one paragraph that contains these words."""
    found = [text for text in texts(app) if part in text]
    assert len(found) == 1, (part, texts(app))
    return found[0]


def drawing(app: AppTest, name: str) -> str:
    """The HTML of one of the page's drawings."""
    shown = {part.key: part for part in app.get("bidi_component")}
    return str(json.loads(shown[f"response_{name}"].proto.json)["html"])


def near(shown: float, exact: float, rel: float = 6e-3) -> bool:
    """Whether a number on screen is the exact one, rounded to three digits or to a whole number of per cent."""
    return math.isclose(shown, exact, rel_tol=rel, abs_tol=6e-3 if abs(exact) < 2 else 0.51)


def test_the_first_view_needs_no_chart() -> None:
    app = opened("response")
    assert charts(app) == []
    assert "What is true" in drawing(app, "class") and "What is reported" in drawing(app, "class")


@pytest.mark.parametrize(
    ("n", "share", "epsilon", "seed"),
    [(100, 0.3, 1.1, 1), (30, 0.3, 1.1, 4), (800, 0.05, 0.5, 2), (10**6, 0.3, 1.0, 3), (10**9, 0.3, 2.0, 1)],
)
def test_the_answer_states_counts_interval_estimate_and_truth(n: int, share: float, epsilon: float, seed: int) -> None:
    app = opened(
        "response", response_n=str(n), response_share=str(share), epsilon=str(epsilon), response_seed=str(seed)
    )
    result = ClassSurvey(RandomizedResponse(epsilon), n, round(share * n), seed=seed).run()
    shown = numbers_in(answer(app))
    assert shown[:3] == [epsilon, result.answered_yes, n] and shown.pop(5) == 0.95, shown
    b = 1 / (1 + math.exp(epsilon))
    estimate = (result.answered_yes / n - b) / (1 - 2 * b)
    exact = [*result.interval, estimate, *([] if 0 <= estimate <= 1 else [min(max(estimate, 0), 1)]), share]
    assert len(shown[3:]) == len(exact), (shown, exact)
    spread = math.sqrt(math.exp(epsilon) / (math.exp(epsilon) - 1) ** 2 / n)
    for told, true in zip(shown[3:], exact, strict=True):
        assert abs(told - true) <= max(spread / 20, 5.1e-8), (told, true)


def test_a_level_that_hides_everything_says_that_nothing_is_learned() -> None:
    assert "nothing is learned" in answer(opened("response", epsilon="0.01"))


def test_a_raw_estimate_that_is_no_share_is_shown_as_such_with_the_nearest_share() -> None:
    found = next(
        seed for seed in range(1, 60) if ClassSurvey(RandomizedResponse(1.0), 30, 0, seed=seed).run().estimate < 0
    )
    app = opened("response", response_n="30", response_share="0", epsilon="1", response_seed=str(found))
    told = answer(app)
    assert "no share" in told and numbers_in(told)[6] < 0 and numbers_in(told)[7] == 0


@pytest.mark.parametrize("n", [1, 2, 30, 100, 800])
def test_every_person_is_one_dot_in_each_of_the_two_crowds(n: int) -> None:
    result = ClassSurvey(RandomizedResponse(1.1), n, n // 3).run()
    html = people.survey(result, Look(), WORDS)
    paths = re.findall(r'<path d="([^"]*)" stroke="([^"]+)" stroke-width="([^"]+)"', html)
    # Hollow dots are painted twice: once in color, once in paper.
    painted = sum(path.count("M") for path, color, _ in paths if color != Look().paper)
    hollow = sum(path.count("M") for path, color, _ in paths if color == Look().paper)
    assert painted == 2 * n
    assert hollow == (n - result.experiment.yes) + (n - result.answered_yes)


def test_dots_are_legible_on_a_phone_and_bars_take_over_beyond_800() -> None:
    html = people.survey(ClassSurvey(RandomizedResponse(1.1), 800, 240).run(), Look(), WORDS)
    widths = [float(width) for width in re.findall(r'stroke-width="([^"]+)" stroke-linecap', html)]
    assert max(widths) * 358 / 414 > 8  # pixels across on a phone, where the drawing is 358 wide
    large = people.survey(ClassSurvey(RandomizedResponse(1.1), 801, 240).run(), Look(), WORDS)
    assert "<path" not in large and f"width: {100 * 240 / 801:.4g}%" in large


def test_the_crowd_of_reports_shows_what_was_said_and_not_who_lied() -> None:
    # Two classes whose reports agree look the same to the collector, whatever is true and whoever's coin decided.
    result = ClassSurvey(RandomizedResponse(1.1), 40, 12).run()
    html = people.survey(result, Look(), WORDS)
    reports = html.split("What is reported")[1].split("What the collector")[0]
    said = [place for place, yes in enumerate(result.flips.answers) if yes]
    path = re.search(rf'd="([^"]*)" stroke="{people.REPORT}"', reports)
    assert path is not None and path[1].count("M") == len(said)
    assert Look().ink not in reports


def test_hiding_the_truth_hides_it_in_the_drawing_too() -> None:
    app = opened("response")
    assert "30 yes" in drawing(app, "class")
    app.toggle(key="hide").set_value(True).run()
    html = drawing(app, "class")
    assert "30 yes" not in html and "hidden while you predict" in html
    assert "of these" not in html and 'class="truth"' not in html


def test_one_person_is_followed_step_by_step() -> None:
    flips = ClassSurvey(RandomizedResponse(1.1), 100, 30).run().flips
    told = int(np.flatnonzero(flips.honest)[0])
    lied = int(np.flatnonzero(flips.answers != flips.truth)[0])
    for person, stages in ((told, ("tell the truth", "not needed")), (lied, ("toss another coin", "say "))):
        shown = [
            drawing(opened("response", response_stage=stage, response_person=str(person + 1)), "class")
            for stage in ("question", "first", "second", "report")
        ]
        assert [html.count(">…<") for html in shown] == [3, 2, 1, 0]
        assert stages[0] not in shown[0] and stages[0] in shown[1] and stages[1] in shown[2]
        report = shown[3].split("Answer</div>")[1]
        assert re.search(r">(yes|no)<", report)[1] == ("yes" if flips.answers[person] else "no")


def test_a_class_that_shrinks_takes_the_chosen_person_along() -> None:
    app = opened("response", response_stage="report", response_person="90")
    app.number_input(key="response_n").set_value(20).run()
    assert not app.exception
    assert app.number_input(key="response_person").value == 20


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("83 yes of 200", (83, 200)), ("83/200", (83, 200)), ("83 von 200", (83, 200)), ("83 200", (83, 200)),
        ("83 yes, 117 no", (83, 200)), ("1,083 of 2,584", (1083, 2584)), ("1 083 of 2 584", (1083, 2584)),
        (f"1{NARROW}083 yes of 2{NARROW}584", (1083, 2584)), ("-3 of 200", (-3, 200)), ("0/0", (0, 0)),
        ("83", None), ("", None), ("abc", None), ("41 % of 200", None), ("83.5 of 200", None), ("1 2 3", None),
    ],
)  # fmt: skip
def test_counts_are_read_as_people_write_them(text: str, meant: tuple[int, int] | None) -> None:
    assert counted(text) == meant


def test_83_yes_of_200_with_two_coins_is_33_per_cent_with_three_intervals() -> None:
    app = opened("response", response_tab="real")
    said = [*numbers_in(paragraph(app, "said yes. If nobody")), math.nan]
    sampled = [2 * end - 0.5 for end in stats.binomtest(83, 200).proportion_ci(method="exact")]
    direct = stats.binomtest(66, 200).proportion_ci(method="exact")
    assert said[:4] == [83, 200, 50, 0.33]
    assert said[6] == 0.95
    for shown, exact in zip(said[7:11], [*sampled, direct.low, direct.high], strict=True):
        assert near(shown, exact, 0.02), (said, sampled, direct)
    # What is enclosed are whole people among those asked; enumerate the exact law of the tally.
    plausible = []
    for held in range(201):
        law = np.convolve(
            stats.binom.pmf(np.arange(held + 1), held, 0.75), stats.binom.pmf(np.arange(201 - held), 200 - held, 0.25)
        )
        if law[:84].sum() > 0.025 and law[83:].sum() > 0.025:
            plausible.append(held / 200)
    assert near(said[4], plausible[0], 1e-3) and near(said[5], plausible[-1], 1e-3)


@pytest.mark.parametrize(
    ("text", "design", "estimate", "nearest"),
    [("0 of 200", "coins", -0.5, 0.0), ("200 of 200", "coins", 1.5, 1.0), ("40 of 200", "coins", -0.1, 0.0),
     ("0 of 60", "die", -0.25, 0.0), ("0 of 60", "dice", -2 / 9, 0.0), ("60/60", "dice", 10 / 9, 1.0)],
)  # fmt: skip
def test_impossible_estimates_are_shown_raw_beside_the_nearest_share(
    text: str, design: str, estimate: float, nearest: float
) -> None:
    app = opened("response", response_tab="real", response_answers=text, response_design=design)
    shown = numbers_in(paragraph(app, "which no share can be"))
    place = next(place for place, number in enumerate(shown) if near(number, estimate, 0.02))
    assert shown[place + 1] == nearest
    assert ("border" in drawing(app, "real")) and not complaints(app)


@pytest.mark.parametrize("text", ["300 yes of 200", "many", "", "5 of 0", "-1 of 20", "41 %", "<script>$x$", "1e9/2"])
def test_what_cannot_be_used_gets_one_sentence_and_stays_in_its_box(text: str) -> None:
    app = opened("response", response_tab="real", response_design="die")
    before = answer(app)
    app.text_input(key="response_answers").set_value(text).run()
    assert not app.exception
    assert len(complaints(app)) == 1 and "<script>" not in complaints(app)[0]
    assert app.text_input(key="response_answers").value == text
    assert app.selectbox(key="response_design").value == "die" and answer(app) == before


def test_an_unusable_count_in_the_link_gets_one_sentence() -> None:
    assert len(complaints(opened("response", response_tab="real", response_answers="9 of 3"))) == 1


def test_a_yes_behind_two_fair_coins_lifts_ten_per_cent_to_25() -> None:
    app = opened("response", response_tab="deny", **LN3)
    shown = numbers_in(paragraph(app, "are a true yes. Then"))
    assert shown[:2] == [0.1, 0.25] and near(shown[2], 0.1 / 2.8) and shown[-1] == 0.25
    curve = charts(app)[0]["data"][0]
    before, after = values(curve["x"]) / 100, values(curve["y"]) / 100
    assert after == pytest.approx(3 * before / (1 + 2 * before), abs=1e-6)


def test_people_needed_are_those_of_the_table() -> None:
    app = opened("response", response_tab="needed", epsilon="1")
    shown = numbers_in(paragraph(app, "To be as precise"))
    assert shown[:2] == [1, 4.68] and shown[2] == 468 and near(shown[5], 100 / 4.6827)
    table = next(str(part.proto.body) for part in app.get("html") if "ldp-table" in str(part.proto.body))
    cells = [re.findall(r"<td>(.*?)</td>", row) for row in table.split("<tr>")[2:]]
    assert [float(readings(row[1])[0]) for row in cells] == [400.67, 16.67, 4.68, 1.72, 1.08]
    assert [float(readings(row[0])[0]) for row in cells] == [0.1, 0.5, 1, 2, 4]
    for row in cells:
        level, people_needed, worth = (readings(row[place])[0] for place in (0, 2, 3))
        assert near(people_needed, 100 / math.tanh(level / 2) ** 2) and near(worth, 100 * math.tanh(level / 2) ** 2)


@pytest.mark.parametrize(("first", "second"), [(0.5, 0.5), (0.5, 0.8), (0.2, 0.3), (0.9, 0.1)])
def test_two_coins_state_their_level_and_what_they_waste(first: float, second: float) -> None:
    app = opened("response", response_tab="coins", response_first=str(first), response_second=str(second))
    shown = numbers_in(paragraph(app, "These coins say yes"))
    b = (1 - first) * second
    a = b + first
    level = max(math.log(a / b), math.log((1 - b) / (1 - a)))
    own = (0.3 * a * (1 - a) + 0.7 * b * (1 - b)) / first**2
    best = math.exp(level) / (math.exp(level) - 1) ** 2
    keep = math.exp(level) / (1 + math.exp(level))
    exact = [a, b, level, 100, 10 * math.sqrt(own), keep, 10 * math.sqrt(best), own / best, 0.3]
    assert len(shown) == len(exact)
    assert all(near(*pair) for pair in zip(shown, exact, strict=True)), (shown, exact)


@pytest.mark.parametrize(("first", "second", "said"), [
    ("0.5", "1", "no finite level"), ("0.5", "0", "no finite level"), ("1", "0.5", "no finite level"),
    ("0", "0.3", "carry nothing"),
])  # fmt: skip
def test_designs_that_protect_nobody_or_tell_nothing_say_so(first: str, second: str, said: str) -> None:
    app = opened("response", response_tab="coins", response_first=first, response_second=second)
    assert said in paragraph(app, "These coins say yes")
    assert all(trace.get("name") != "your coins" for trace in charts(app)[0]["data"])


def test_every_pair_of_coins_on_the_sliders_has_a_level() -> None:
    for first, second in itertools.product(np.arange(0, 101, 4) / 100, np.arange(0, 101, 4) / 100):
        design = TwoCoins.of_flips(float(first), float(second))
        case = CoinDesign(design).run().case
        assert case == ("blind" if first == 0 else "infinite" if first == 1 or second in (0, 1) else "finite")


def test_other_classes_follow_the_exact_law() -> None:
    app = opened("response", response_tab="again", response_n="30", response_share="0.2", **LN3)
    law = np.convolve(stats.binom.pmf(np.arange(7), 6, 0.75), stats.binom.pmf(np.arange(25), 24, 0.25))
    estimates = 2 * np.arange(31) / 30 - 0.5
    outside = law[(estimates < -1e-9) | (estimates > 1 + 1e-9)].sum()
    shown = numbers_in(paragraph(app, "The same class answers"))
    assert shown[0] == 1000 and near(shown[1], 100 * math.sqrt(0.75 / 30)) and near(shown[2], outside, 0.01)
    bars, line = charts(app)[0]["data"][:2]
    assert values(bars["y"]).sum() == 1000
    drawn = np.interp(100 * estimates, values(line["x"]), values(line["y"]))
    inside = law > 1e-4
    assert drawn[inside] == pytest.approx(1000 * law[inside], rel=1e-4)


def test_the_plan_solves_backwards_for_the_level_and_for_the_people() -> None:
    z = stats.norm.ppf(0.975)
    app = opened("response", response_tab="plan", response_n="2000", epsilon="0.5")
    shown = numbers_in(paragraph(app, "To know the share"))
    v = math.exp(0.5) / (math.exp(0.5) - 1) ** 2
    level = next(at for at in shown if 0.9 < at < 3 and at != 0.95)
    e = math.exp(level)
    assert near(z * math.sqrt((e / (e - 1) ** 2 + 0.21) / 2000), 0.05, 0.01)
    for exact in (z * math.sqrt((v + 0.21) / 2000), math.ceil(z**2 * (v + 0.21) / 0.05**2), z**2 * 0.21 / 0.05**2):
        assert any(near(told, exact) for told in shown), (exact, shown)
    assert "whatever α is" in paragraph(opened("response", response_tab="plan"), "too few")


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


def test_shares_are_written_to_the_second_digit_of_their_uncertainty() -> None:
    for share, spread, written in ((0.34017, 0.08, "34"), (0.2999367, 4e-5, "29.9937"), (-2305.5, 1e3, "−230 550")):
        assert percent_within(share, spread).replace(NARROW, " ") == f"{written} %"
