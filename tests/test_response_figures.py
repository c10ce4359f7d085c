"""What the page about randomized response says and draws, view by view, against independent formulas; no screen."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from html import unescape
from typing import Any

import numpy as np
import pytest
from scipy import stats

from explorer.drawings import crowd
from explorer.facts import Share
from explorer.figures.theme import Look
from explorer.pages.response.facts import reading
from explorer.pages.response.settings import HeldDevice, ResponseSettings, Stage, SurveyWish, TypedClass
from explorer.scenes import Scene, scene
from explorer.text.catalogue import catalogue_of
from ldpcore.experiments.response import ClassSurvey
from ldpcore.mechanisms.grr import RandomizedResponse
from pages.response import page
from tests.written import NARROW, readings

LN3 = math.log(3)
STOPS = (0.01, 0.1, 0.5, 1.1, 3.0, 10.0)
MOVING = tuple(
    slug for slug, view in page.views.items() if view.follows(ResponseSettings(), view.at_first(ResponseSettings()))
)


def shown(view: str, level: float = 1.1, asked: ResponseSettings | None = None, **more: Any) -> Scene:
    """A view of the page."""
    look, mine = Look(truth=more.pop("truth", True)), more.pop("own", page.views[view].at_first(ResponseSettings()))
    return scene(page, page.views[view], asked or ResponseSettings(), level, look, own=mine)


def said(html: str) -> str:
    return unescape(re.sub("<[^>]+>", "", html))


def numbers(html: str) -> list[float]:
    """The numbers of a sentence."""
    return readings(said(html))


def near(told: float, exact: float, rel: float = 6e-3) -> bool:
    """Whether a number on screen is the exact one, rounded to three digits or to a whole number of per cent."""
    return math.isclose(told, exact, rel_tol=rel, abs_tol=6e-3 if abs(exact) < 2 else 0.51)


def panels(html: str) -> list[str]:
    """The two crowds of a drawing."""
    return re.findall(r"<svg.*?</svg>", html)


def dots(svg: str, color: str) -> int:
    """How many single dots of a color a crowd has."""
    return sum(path.count("h0") for path, ink in re.findall(r'<path d="([^"]*)" stroke="([^"]+)"', svg) if ink == color)


@pytest.mark.parametrize(
    ("n", "share", "level", "seed"),
    [
        (100, 0.3, 1.1, 1),
        (30, 0.3, 1.1, 4),
        (800, 0.05, 0.5, 2),
        (10**6, 0.3, 1.0, 3),
        (10**9, 0.3, 2.0, 1),
    ],
)
def test_the_answer_states_counts_interval_estimate_and_truth(n: int, share: float, level: float, seed: int) -> None:
    result = ClassSurvey(RandomizedResponse(level), n, round(share * n), seed=seed).run()
    found = numbers(shown("everybody", level, ResponseSettings(n, share, seed=seed)).answer)
    assert reading(result) == "inside" and found[:3] == [level, result.answered_yes, n] and found.pop(3) == 0.95
    b = 1 / (1 + math.exp(level))
    exact = [*result.interval, (result.answered_yes / n - b) / (1 - 2 * b), share]
    spread = math.sqrt(math.exp(level) / (math.exp(level) - 1) ** 2 / n)
    assert len(found[3:]) == len(exact), found
    for told, true in zip(found[3:], exact, strict=True):
        assert abs(told - true) <= max(spread / 20, 5.1e-8), (told, true)


def test_a_level_that_hides_everything_says_that_nothing_is_learned() -> None:
    assert "nothing is learned" in shown("everybody", 0.01).answer


def test_fewer_yes_than_coins_bring_are_told_as_such_with_a_raw_estimate_below_every_share() -> None:
    seed = next(
        seed
        for seed in range(1, 60)
        if reading(ClassSurvey(RandomizedResponse(1.0), 30, 0, seed=seed).run()) == "below"
    )
    answer = shown("everybody", 1.0, ResponseSettings(30, 0.0, seed=seed)).answer
    assert "fewer than the coins alone bring" in answer and "no share can be" in answer and min(numbers(answer)) < 0


def test_what_is_written_as_a_share_is_not_called_impossible() -> None:
    result = ClassSurvey(RandomizedResponse(10.0), 10, 0).run()
    assert result.outside and reading(result) == "inside"
    assert "no share" not in shown("everybody", 10.0, ResponseSettings(10, 0.0)).answer


@pytest.mark.parametrize("n", [1, 2, 7, 30, 100, 799, 800])
def test_every_person_is_one_dot_in_each_of_the_two_crowds(n: int) -> None:
    asked = ResponseSettings(n, 0.3)
    result = asked.survey(1.1).run()
    for svg, color, yes in zip(
        panels(shown("everybody", 1.1, asked).drawing or ""),
        (Look().ink, crowd.REPORT),
        (result.experiment.yes, result.answered_yes),
        strict=True,
    ):
        rows = re.findall(r"M0 (\d+)H([\d.]+)", re.findall(r'<path d="([^"]*)"', svg)[0])
        assert sum(math.ceil(float(end)) for _, end in rows) == n
        assert dots(svg, color) == yes


def test_dots_turn_one_after_the_other_and_the_truth_stays() -> None:
    scenes = [panels(shown("everybody", level).drawing or "") for level in STOPS]
    assert len({truth for truth, _ in scenes}) == 1
    assert len({reports for _, reports in scenes}) == len(STOPS)
    result = ResponseSettings().survey(10.0).run()
    assert dots(scenes[-1][1], crowd.REPORT) == result.experiment.yes


def test_more_people_than_can_be_told_apart_are_areas_side_by_side() -> None:
    html = shown("everybody", 1.1, ResponseSettings(801, 0.3)).drawing or ""
    assert not panels(html) and f"height: {100 * 240 / 801:.4g}%" in html


def test_the_crowd_of_reports_shows_what_was_said_and_not_who_lied() -> None:
    # Two classes whose reports agree look the same to the collector, whatever is true and whoever's coin decided.
    _, reports = panels(shown("everybody", 1.1, ResponseSettings(40, 0.3)).drawing or "")
    assert Look().ink not in reports


def test_another_class_is_drawn_alike_whatever_is_true_while_people_predict() -> None:
    found = [shown("again", 1.1, ResponseSettings(100, share), truth=False) for share in (0.3, 0.7)]
    ranges = [
        (each.figure.layout["xaxis"]["range"], each.figure.layout["yaxis"]["range"]) for each in found if each.figure
    ]
    assert ranges[0] == ranges[1] and ranges[0][0] == [-50.0, 50.0]
    names = [{trace.get("name") for trace in each.figure.data} for each in found if each.figure]
    assert names[0] == names[1] and names[0] <= {"simulated", "exact law", "truth", None}  # at zero


def test_the_thin_interval_of_a_curator_stands_in_the_wide_one() -> None:
    for slug in ("everybody", "real"):
        html = shown(slug, 1.1, ResponseSettings(curator=True)).drawing or ""
        wide, thin = (
            float(re.findall(rf'class="{kind}" style="left: [\d.]+%; width: ([\d.]+)%', html)[0])
            for kind in ("reach", "inner")
        )
        assert 0 < 4 * thin < wide, slug
        assert 'class="inner"' not in (shown(slug).drawing or "")


def test_one_person_is_followed_step_by_step() -> None:
    flips = ResponseSettings().survey(1.1).run().flips
    assert flips is not None
    told, lied = int(np.flatnonzero(flips.honest)[0]), int(np.flatnonzero(flips.answers != flips.truth)[0])
    for person, faces in ((told, ("tell the truth", "not needed")), (lied, ("toss another coin", "say "))):
        steps = [shown("everybody", own=Stage(step, person + 1)) for step in ("question", "first", "second", "report")]
        html = [each.drawing or "" for each in steps]
        assert [each.count(">…<") for each in html] == [3, 2, 1, 0]
        assert faces[0] not in html[0] and faces[0] in html[1] and faces[1] in html[2]
        report = re.search(r">(yes|no)<", html[3].split("Answer</div>")[1])
        assert report is not None and report[1] == ("yes" if flips.answers[person] else "no")
        assert len({each.answer for each in steps}) == 4 and f"{person + 1}" in steps[3].answer


def test_while_people_predict_an_answer_stands_without_the_coins_that_would_tell_the_truth() -> None:
    html = shown("everybody", own=Stage("report", 5), truth=False).drawing or ""
    assert html.count(">?<") == 3 and not re.search("heads|tails", html)


def test_83_yes_of_200_with_two_coins_is_33_per_cent_with_three_intervals() -> None:
    found = shown("real")
    answer, note = numbers(found.answer), numbers(found.note)
    sampled = [2 * end - 0.5 for end in stats.binomtest(83, 200).proportion_ci(method="exact")]
    direct = stats.binomtest(66, 200).proportion_ci(method="exact")
    assert answer[:2] == [83, 200] and answer[-2:] == [0.95, 0.33] and note[0] == 50
    for told, exact in zip(note[-4:], [*sampled, direct.low, direct.high], strict=True):
        assert near(told, exact, 0.02)
    # What is enclosed are whole people among those asked; enumerate the exact law of the tally.
    plausible = []
    for held in range(201):
        law = np.convolve(
            stats.binom.pmf(np.arange(held + 1), held, 0.75), stats.binom.pmf(np.arange(201 - held), 200 - held, 0.25)
        )
        if law[:84].sum() > 0.025 and law[83:].sum() > 0.025:
            plausible.append(held / 200)
    assert near(answer[2], plausible[0], 1e-3) and near(answer[3], plausible[-1], 1e-3)


@pytest.mark.parametrize(
    ("yes", "n", "design", "estimate", "nearest"),
    [
        (0, 200, "coins", -0.5, 0.0),
        (200, 200, "coins", 1.5, 1.0),
        (40, 200, "coins", -0.1, 0.0),
        (0, 60, "die", -0.25, 0.0),
        (0, 60, "dice", -2 / 9, 0.0),
        (60, 60, "dice", 10 / 9, 1.0),
    ],
)
def test_impossible_estimates_are_shown_raw_beside_the_nearest_share(
    yes: int, n: int, design: str, estimate: float, nearest: float
) -> None:
    found = shown("real", own=TypedClass(yes, n, design))
    told = numbers(found.note)
    assert "no share can be" in found.note and near(told[0], estimate, 0.02) and told[1] == nearest


def test_the_level_moves_real_answers_only_where_no_design_in_hand_has_its_own() -> None:
    view = page.views["real"]
    followed = {
        slug: view.follows(ResponseSettings(), TypedClass(design=slug)) for slug in ("coins", "die", "dice", "level")
    }
    assert [slug for slug, moves in followed.items() if moves] == ["level"]
    assert shown("real", 0.1).answer == shown("real", 10.0).answer
    assert (
        shown("real", 0.5, own=TypedClass(design="level")).answer
        != shown("real", 2.0, own=TypedClass(design="level")).answer
    )
    die = HeldDevice(design="die")
    assert shown("deny", 0.1, own=die).answer == shown("deny", 10.0, own=die).answer


def test_a_yes_behind_two_fair_coins_lifts_ten_per_cent_to_25() -> None:
    found = shown("deny", LN3)
    told = numbers(found.note)
    assert told[:2] == [0.1, 0.25] and near(told[2], 0.1 / 2.8) and told[-1] == 0.25 and 3 in told
    assert found.figure is not None
    curve = next(trace for trace in found.figure.data if trace["name"] == "after a “yes”")
    before, after = curve["x"] / 100, curve["y"] / 100
    assert after == pytest.approx(3 * before / (1 + 2 * before), abs=1e-6)


def test_the_plan_says_what_an_honest_answer_is_worth_beside_the_device_and_in_its_table() -> None:
    found = shown("plan", 1.0, own=SurveyWish(device="spinner"))
    honest, others = re.findall(r'<path d="([^"]*)" stroke="#\w+" stroke-width="0.8"', found.drawing or "")
    assert honest.count("h0") == 1
    rows = re.findall(r"M(\d+) \d+H([\d.]+)", others)
    assert sum(math.ceil(float(end) - int(start)) for start, end in rows) == 5  # 4.68, rounded up
    table = found.table or []
    assert [row[0] for row in table[1:]] == [0.1, 0.5, 1, 2, 4]
    assert [row[1] for row in table[1:]] == [400.67, 16.67, 4.68, 1.72, 1.08]
    for level, _, wished, worth in table[1:]:
        normal = stats.norm.ppf(0.975) ** 2 * 0.25 / 0.05**2 / math.tanh(level / 2) ** 2
        assert isinstance(wished, int) and normal < wished < 1.06 * normal  # near the normal law, and never fewer
        assert worth == pytest.approx(100 * math.tanh(level / 2) ** 2)
    assert "says as much as one answer that may be a lie" in (
        shown("plan", 10.0, own=SurveyWish(device="spinner")).drawing or ""
    )


@pytest.mark.parametrize(("first", "second"), [(0.5, 0.5), (0.5, 0.8), (0.2, 0.3), (0.9, 0.1)])
def test_two_coins_state_their_level_and_what_they_waste(first: float, second: float) -> None:
    found = shown("deny", own=HeldDevice(0.1, "own", first, second))
    b = (1 - first) * second
    a = b + first
    level = max(math.log(a / b), math.log((1 - b) / (1 - a)))
    waste = (0.3 * a * (1 - a) + 0.7 * b * (1 - b)) / first**2 / (math.exp(level) / (math.exp(level) - 1) ** 2)
    own_error = 10 * math.sqrt(0.3 * a * (1 - a) + 0.7 * b * (1 - b)) / first
    told = numbers(found.answer)
    assert near(told[0], level) and near(told[2], 0.1 * a / (0.1 * a + 0.9 * b))
    assert near(told[3], waste) if len(told) > 3 else near(1, waste)
    assert all(any(near(number, exact) for number in numbers(found.note)) for exact in (a, b, own_error))


@pytest.mark.parametrize(
    ("tosses", "words"),
    [
        ((0.5, 1.0), "no finite level"),
        ((0.5, 0.0), "no finite level"),
        ((1.0, 0.5), "no finite level"),
        ((0.0, 0.3), "carry nothing"),
    ],
)
def test_designs_that_protect_nobody_or_tell_nothing_say_so(tosses: tuple[float, float], words: str) -> None:
    found = shown("deny", own=HeldDevice(0.1, "own", *tosses))
    assert words in said(found.answer) and found.figure is not None
    (ring,) = [trace for trace in found.figure.data if trace["mode"] == "markers"]
    assert 0 <= ring["y"][0] <= 100


def test_other_classes_follow_the_exact_law() -> None:
    found = shown("again", LN3, ResponseSettings(30, 0.2))
    law = np.convolve(stats.binom.pmf(np.arange(7), 6, 0.75), stats.binom.pmf(np.arange(25), 24, 0.25))
    distances = 100 * (2 * np.arange(31) / 30 - 0.5 - 0.2)
    outside = law[(distances < -20 - 1e-7) | (distances > 80 + 1e-7)].sum()
    assert numbers(found.answer) == pytest.approx([1.0986, 30, 100 * math.sqrt(0.75 / 30)], rel=1e-3)
    assert any(near(told, outside, 0.01) for told in numbers(found.note))
    assert found.figure is not None
    bars, line = found.figure.data[:2]
    assert bars["customdata"].sum() == pytest.approx(100)
    unit = 100 * 1 / 50 / (100 * 2 / 30)  # the reach of 100 points over 50, against one number of yes
    drawn = np.interp(distances, line["x"], line["y"])
    inside = law > 1e-4
    assert drawn[inside] == pytest.approx(100 * unit * law[inside], rel=1e-3)


def test_the_plan_solves_backwards_for_the_level_and_for_the_people_whatever_the_share_is() -> None:
    z = stats.norm.ppf(0.975)
    found = shown("plan", 0.5, ResponseSettings(2000))
    v = math.exp(0.5) / (math.exp(0.5) - 1) ** 2
    width, level, n, reach = numbers(found.answer)
    e = math.exp(level)
    assert (width, n) == (5, 2000) and near(z * math.sqrt((e / (e - 1) ** 2 + 0.25) / 2000), 0.05, 0.015)
    assert near(reach, 100 * z * math.sqrt((v + 0.25) / 2000), 0.02)
    for normal in (z**2 * (v + 0.25) / 0.05**2, z**2 * 0.25 / 0.05**2):
        assert any(normal < told < 1.06 * normal and told == round(told) for told in numbers(found.note)), normal
    assert shown("plan", 0.5, ResponseSettings(2000, share=0.05)).answer == found.answer
    assert "honest answers would reach" in said(shown("plan").answer)


def test_shares_are_written_to_the_second_digit_of_their_uncertainty() -> None:
    write = catalogue_of("en").write
    for share, spread, written in ((0.34017, 0.08, "34"), (0.2999367, 4e-5, "29.9937"), (-2305.5, 1e3, "−230 550")):
        assert write(Share(share, spread=spread)).replace(NARROW, " ") == f"{written} %"


def test_the_settings_ask_what_they_say() -> None:
    asked = replace(ResponseSettings(), n=20, share=0.5, seed=7)
    assert asked.survey(2.0) == ClassSurvey(RandomizedResponse(2.0), 20, 10, seed=7)
    assert set(page.views) - set(MOVING) == {"real"}
