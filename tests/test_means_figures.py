"""What the page about means says and draws, view by view, against independent formulas; no screen."""

from __future__ import annotations

import math
import re
from html import unescape
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from explorer.facts import Number, near
from explorer.figures.plot import Figure
from explorer.figures.theme import Look
from explorer.pages.means.facts import reading
from explorer.pages.means.settings import Means, halved
from explorer.scenes import Scene, scene
from explorer.settings.numbers import ColumnNumbers, PeopleSource, splitting
from explorer.text.catalogue import catalogue_of
from ldpcore.experiments import means
from ldpcore.tables.table import Table, built_in
from pages.means import page
from tests.written import readings

STOPS = (0.01, 0.1, 0.5, 1.0, 3.0, 10.0)
BILLION = Means(PeopleSource.of_shape("skewed", 10**9), "onebit")


def shown(view: str, level: float = 1.0, asked: Means | None = None, **more: Any) -> Scene:
    """A view of the page."""
    told = asked or Means()
    mine = more.pop("own", page.views[view].at_first(told))
    return scene(page, page.views[view], told, level, Look(truth=more.pop("truth", True)), own=mine, **more)


def said(html: str) -> str:
    return unescape(re.sub("<[^>]+>", "", html))


def numbers(html: str) -> list[float]:
    """The numbers of a sentence."""
    return readings(said(html))


def trace(found: Scene, name: str) -> dict[str, Any]:
    """The one trace of a name."""
    assert found.figure is not None
    (one,) = [each for each in found.figure.data if each["name"] == name and each.get("showlegend", True)]
    return one


def figure(found: Scene) -> Figure:
    assert found.figure is not None
    return found.figure


# --- everybody -------------------------------------------------------------------------------------------------------


def test_the_answer_states_interval_estimate_error_and_truth_of_the_clipped_incomes() -> None:
    incomes = np.clip(built_in("income").numbers("income"), 0, 100_000)
    told = numbers(shown("everybody").answer)[:8]  # what stands beside the answer comes after it
    result = Means().survey(1.0).run().result
    error = 50_000 * math.sqrt(8 / 2584)  # Laplace noise of level 1 on half a scale of 50 000
    assert told[:2] == [1, 2584] and told[4] == 0.95
    exact = [*result.interval, result.estimate, error, incomes.mean()]
    assert np.abs(np.array([*told[2:4], *told[5:]]) - exact).max() <= error / 10


def test_everybody_stands_on_their_number_and_their_report_is_below() -> None:
    found = shown("everybody")
    values, reports = trace(found, "true numbers"), trace(found, "reports")
    assert len(values["x"]) == len(reports["x"]) == 200
    assert np.asarray(values["y"]).min() > np.asarray(reports["y"]).max()
    assert np.asarray(values["y"]) - np.asarray(reports["y"]) == pytest.approx(0.55)
    assert (np.asarray(values["x"]) <= 100_000).all()
    low, high = figure(found).layout["xaxis"]["range"]
    at, true, symbols = np.asarray(reports["x"]), np.asarray(reports["customdata"]), reports["marker"]["symbol"]
    inside = np.array([symbol == "circle" for symbol in symbols])
    assert at[inside] == pytest.approx(true[inside]) and ((at > low) & (at < high)).all()
    assert (np.abs(true[~inside] - 50_000) > 0.97 * 200_000).all() and not inside.all()


def test_with_a_small_level_reports_leave_the_picture_and_with_a_large_one_they_stay_at_their_numbers() -> None:
    arrows = [
        sum(symbol != "circle" for symbol in trace(shown("everybody", level), "reports")["marker"]["symbol"])
        for level in (0.05, 1.0, 10.0)
    ]
    assert arrows[0] > 150 and 10 < arrows[1] < 60 and arrows[2] == 0


def test_reports_move_continuously_because_the_noise_only_changes_its_size() -> None:
    one, other = (np.asarray(trace(shown("everybody", level), "reports")["customdata"]) for level in (1.0, 2.0))
    values = np.asarray(trace(shown("everybody"), "true numbers")["x"])
    assert other - values == pytest.approx((one - values) / 2)


def test_clipping_is_counted_and_its_bias_has_a_needle_of_its_own() -> None:
    incomes = built_in("income").numbers("income")
    found = shown("everybody")
    moved, bias = int((incomes > 100_000).sum()), np.clip(incomes, 0, 100_000).mean() - incomes.mean()
    assert moved in numbers(found.note)
    assert any(math.isclose(told, bias, rel_tol=6e-3) for told in numbers(found.note))
    assert trace(found, "before the bounds")["x"] == pytest.approx([incomes.mean()] * 2)
    unmoved = Means(PeopleSource.of_column(built_in("income"), "score", 0, 100))
    assert all(each["name"] != "before the bounds" for each in figure(shown("everybody", asked=unmoved)).data)
    assert "moved" not in shown("everybody", asked=unmoved).note


def test_noise_that_tells_nothing_and_means_beyond_the_bounds_are_told_as_such() -> None:
    assert "tell nothing" in shown("everybody", 0.01).answer
    assert "put the mean" in said(shown("everybody", 1.0).answer)
    seed = next(
        seed
        for seed in range(1, 200)
        if reading(Means(BILLION.source, "onebit", seed=seed).survey(1.0).run()) == "inside"
    )
    assert seed == 1
    few = [Means(PeopleSource.of_shape("two-point", 60), "locallaplace", seed=seed) for seed in range(1, 80)]
    outside = next(told for told in few if reading(told.survey(1.0).run()) == "outside")
    assert "beyond the bounds 0 and 100 by noise alone" in said(shown("everybody", 1.0, outside).answer)


def test_a_billion_people_cost_no_more_and_have_a_needle() -> None:
    found = shown("everybody", 1.0, BILLION)
    low, high = numbers(found.answer)[2:4]
    assert high - low == pytest.approx(2 * 1.96 * 50 * 2.16 / math.sqrt(1e9), rel=0.05)


# --- the other views -------------------------------------------------------------------------------------------------


def test_one_report_states_its_ratio_and_the_best_guess_of_the_channel() -> None:
    told = Means(slug="onebit")
    found = shown("report", 1.0, told)
    assert numbers(found.answer)[1] == pytest.approx(math.e, abs=6e-3)
    assert numbers(found.answer)[2] == pytest.approx(math.e / (1 + math.e), abs=6e-4)
    assert any(math.isclose(each, math.e / (1 + math.e), rel_tol=1e-3) for each in numbers(found.note))
    chances = [each for each in figure(found).data if each["type"] == "bar"]
    assert [float(np.sum(each["y"])) for each in chances] == pytest.approx([100, 100])
    assert np.asarray(chances[0]["customdata"]) == pytest.approx(50_000 + 50_000 * np.array([-2.164, 2.164]), rel=1e-3)


def test_for_the_same_number_no_report_speaks_for_either() -> None:
    assert "as likely from one of the two" in said(shown("report", own=(0.4, 0.4)).answer)


def test_normal_noise_is_told_with_its_delta() -> None:
    told = Means(slug="gaussian")
    assert (
        "keeps no level" in shown("report", 1.0, told).note and "keeps no level" in shown("everybody", 1.0, told).note
    )
    assert "No level" not in shown("report").note


def test_above_its_range_the_classical_noise_gives_way_to_the_analytic_one() -> None:
    told = Means(slug="gaussian", settings=(("delta", 1e-5), ("calibration", "classical")))
    assert [told.randomizer(level).calibration for level in (0.5, 2.0)] == ["classical", "analytic"]  # type: ignore[attr-defined]


def test_over_x_one_bit_is_a_hill_piecewise_a_valley_and_the_hybrid_flat() -> None:
    found = shown("variance")
    bit, piece, hybrid = (np.asarray(trace(found, name)["y"]) for name in ("One bit", "Piecewise", "Hybrid"))
    middle = len(bit) // 2
    assert bit[middle] > bit[0] and piece[middle] < piece[0] and np.ptp(hybrid) < 1e-6 * hybrid[0]
    z0 = (math.e + 1) / (math.e - 1)
    assert bit[middle] == pytest.approx(50_000 * z0) and bit[0] == pytest.approx(50_000 * math.sqrt(z0**2 - 1))
    arrows = [each for each in figure(shown("variance", 0.1)).data if each.get("mode") == "markers"]
    assert len(arrows) == 6 + 1  # all are above the picture, the worst case too
    (worst,) = [each for each in figure(found).data if each["name"] == "its worst case"]
    bold = [each["name"] for each in figure(found).data if each.get("line", {}).get("width") == 5]
    assert bold == ["Hybrid"] and worst["y"][0] == pytest.approx(hybrid.max())


@pytest.mark.parametrize("level", STOPS)
def test_the_best_at_a_level_is_the_one_with_the_smallest_worst_case(level: float) -> None:
    worst = {member.slug: member.worst_variance() for member in means.family(level)}
    best = min(worst.values())
    assert any(
        math.isclose(told, 50_000 * math.sqrt(best / 2584), rel_tol=6e-3)
        for told in numbers(shown("variance", level).answer)
    )


def test_two_public_groups_are_parted_by_another_column_and_their_difference_is_that_of_both_means() -> None:
    table, halves = built_in("income"), halved(Means())
    schooling, incomes = table.numbers("schooling"), np.clip(table.numbers("income"), 0, 100_000)
    value = float(halves.names[-1])
    assert halves.names[0] == "schooling" and halves.first.n == (schooling >= value).sum()
    true = incomes[schooling >= value].mean() - incomes[schooling < value].mean()
    assert Means().groups(1.0, halves).run().result.truth == pytest.approx(true)
    assert "point to a difference" in shown("groups", 1.0).answer
    assert "do not tell the two groups apart" in shown("groups", 0.02).answer


def test_groups_come_from_any_table_and_never_fail() -> None:
    odd = Table.of(pd.DataFrame({"x": [1.0, 2.0, 3.0]}), "own", own=True)
    halves = halved(Means(PeopleSource.of_column(odd, "x", 0, 5)))
    assert (halves.first.n, halves.second.n) == (2, 1) and splitting(odd, "x") == ()
    alike = Table.of(pd.DataFrame({"x": [1.0, 2.0, 3.0], "g": ["a", "a", "a"]}), "own", own=True)
    assert halved(Means(PeopleSource.of_column(alike, "x", 0, 5)), "g", "a").names == ("rows",)
    gone = Table.of(pd.DataFrame({"x": [1.0, None, 3.0], "g": ["a", "b", "a"]}), "own", own=True)
    assert halved(Means(PeopleSource.of_column(gone, "x", 0, 5)), "g", "b").names == ("rows",)
    clinic = Means(PeopleSource.of_column(built_in("clinic"), "age", 0, 120))
    assert halved(clinic).names[1:3] == ("=", "≠") and halved(clinic, "ward", "Surgery").names[0] == "ward"


def test_the_plan_solves_backwards_for_the_level_and_for_the_people() -> None:
    z = stats.norm.ppf(0.975)
    width, _, n, level, reach = numbers(shown("plan").answer)[:5]
    assert (width, n) == (2000, 2584)
    assert z * 50_000 * math.sqrt(8 / level**2 / 2584) == pytest.approx(2000, rel=6e-3)
    assert reach == pytest.approx(z * 50_000 * math.sqrt(8 / 2584), rel=6e-3)
    people = math.ceil(8 * (z * 50_000 / 2000) ** 2)
    assert people in numbers(shown("plan").note)
    few = Means(PeopleSource.of_shape("bell", 10), "onebit")
    assert "too few" in shown("plan", 1.0, few).answer  # one bit of ten people never gets within 2 per cent


# --- numbers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "spread", "written"),
    [
        (43036.17, 2781.6, "43\u202f000"),
        (-579330.3, 278_000, "−580\u202f000"),
        (19.0094963, 0.00007, "19.009496"),
        (3.2, 400.0, "3"),
        (0.0, 1.0, "0"),
    ],
)
def test_a_number_is_written_to_the_second_digit_of_its_uncertainty(value: float, spread: float, written: str) -> None:
    told = near(value, spread)
    assert isinstance(told, Number) and catalogue_of("en").write(told) == written


def test_numbers_of_a_column_are_those_that_are_there() -> None:
    table = Table.of(pd.DataFrame({"x": [1.0, None, 50.0], "e": [None, None, None]}), "own", own=True)
    found = ColumnNumbers(table, "x", 0, 10).run()
    assert found is not None and found.clipping is not None
    assert (found.n, found.clipping.missing, found.clipping.above) == (2, 1, 1)
