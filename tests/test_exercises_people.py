"""Exercises about several people: what each finds, by another route, at both ends of its controls."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from scipy import stats

from explorer.text import listing
from ldpcore.experiments.exercises.deployments import WITH_CURATOR, WITHOUT_CURATOR, LevelsInUse
from ldpcore.experiments.exercises.notions import NotionOfPrivacy, permitted_by_orders, permitted_normally
from ldpcore.experiments.exercises.people import HELD, OwnLevels
from ldpcore.experiments.exercises.schedules import ConsistencySchedule
from ldpcore.laws import divergences
from ldpcore.mechanisms.grr import RandomizedResponse
from tests.cases import for_each
from tests.rationing import ALL, crossed

ENDS = (0.01, 1.0, 10.0)


def said(level: float, number: int, limit: int, report: int) -> float:
    """The chance of a report about whether a number reaches a limit, from the channel's own definition."""
    odds = math.exp(level) if report == (number >= limit) else 1.0
    return odds / (1 + math.exp(level))


def joint(first: float, second: float, listens: bool, held: tuple[int, int]) -> np.ndarray:
    """The chances of the four pairs of reports."""
    law = [
        said(first, held[0], 2, one) * said(second, held[1], ((1, 3)[one] if listens else 2), two)
        for one, two in product((0, 1), repeat=2)
    ]
    return np.array(law)


def changes(of: tuple[bool, bool]) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """All pairs of inputs that differ in these people's numbers and in no other."""
    every = [(first, second) for first in range(HELD) for second in range(HELD)]
    return [(a, b) for a in every for b in every if tuple(x != y for x, y in zip(a, b, strict=True)) == of]


@pytest.mark.parametrize("listens", ["alone", "listens"])
@pytest.mark.parametrize("second", [0.1, 2.0, 5.0])
@pytest.mark.parametrize("first", ENDS)
def test_both_reports_keep_the_larger_level_and_not_the_sum(first: float, second: float, listens: str) -> None:
    result = OwnLevels(first, second, listens).run()
    found = []
    for of in ((True, False), (False, True), (True, True)):
        laws = [
            (joint(first, second, listens == "listens", a), joint(first, second, listens == "listens", b))
            for a, b in changes(of)
        ]
        found.append(max(float(np.log(p / q).max()) for p, q in laws))
    assert found[:2] == pytest.approx([first, second], rel=1e-9)  # each person keeps their own level
    assert result.whole == pytest.approx(max(found[:2]), rel=1e-9)
    assert result.together == pytest.approx(found[2], rel=1e-9) == pytest.approx(first + second, rel=1e-9)


@pytest.mark.parametrize("first", ENDS)
def test_one_who_listens_keeps_the_level_after_every_first_report(first: float) -> None:
    for listens in ("alone", "listens"):
        result = OwnLevels(first, 2.0, listens).run()
        assert [result.kept_after(heard) for heard in (0, 1)] == pytest.approx([2.0, 2.0], rel=1e-9)


def test_after_a_yes_the_drawn_change_of_one_who_listens_cannot_be_seen() -> None:
    alone, listens = (OwnLevels(1.0, 2.0, name).run().ratios((False, True)) for name in ("alone", "listens"))
    assert alone == pytest.approx([-2, 2, -2, 2])
    assert listens == pytest.approx([-2, 2, 0, 0])


@pytest.mark.parametrize("times", [2, 3])
def test_reading_the_same_reports_again_costs_nothing_and_answering_anew_does(times: int) -> None:
    first, second = 0.7, 1.5
    result = OwnLevels(first, second, "listens", times).run()
    copied, fresh = [], []
    for a, b in changes((True, False)) + changes((False, True)):
        p, q = joint(first, second, True, a), joint(first, second, True, b)
        seen = list(product(range(4), repeat=times))
        once = [tuple(p[z[0]] if len(set(z)) == 1 else 0.0 for z in seen), tuple(q[z[0]] for z in seen)]
        copied.append(max(math.log(x / y) for x, y in zip(*once, strict=True) if x))
        fresh.append(max(sum(math.log(p[z] / q[z]) for z in path) for path in seen))
    assert max(copied) == pytest.approx(result.whole)
    assert max(fresh) == pytest.approx(result.anew)


def test_the_law_is_that_of_two_randomized_responses() -> None:
    law = np.exp(OwnLevels(1.3, 0.4).run().log_law)
    assert law.sum(axis=(2, 3)) == pytest.approx(np.ones((HELD, HELD)))
    assert law[3, 0, 1, 0] == pytest.approx(RandomizedResponse(1.3).p * RandomizedResponse(0.4).p)


# --- notions of privacy ----------------------------------------------------------------------------------------------

NOTIONS = ("pure", "approximate", "renyi", "concentrated", "gaussian")


def laws_of(noise: str, level: float, cells: int = 4000) -> tuple[np.ndarray, np.ndarray]:
    """The two laws of a report; of noise on the line, cut into fine cells, which betray a trifle less."""
    if noise == "coin":
        p = 1 / (1 + math.exp(-level))
        return np.array([p, 1 - p]), np.array([1 - p, p])
    law = stats.laplace(scale=1 / level) if noise == "laplace" else stats.norm(scale=1 / level)
    edges = np.linspace(-9 / level, 1 + 9 / level, cells)
    return tuple(  # type: ignore[return-value]
        np.diff(np.concatenate([[0.0], law.cdf(edges - center), [1.0]])) for center in (0.0, 1.0)
    )


@pytest.mark.parametrize("noise", ["coin", "laplace", "normal"])
@pytest.mark.parametrize("level", [0.01, 1.0, 10.0])
def test_the_best_guesses_are_those_of_neyman_and_pearson(noise: str, level: float) -> None:
    p, q = laws_of(noise, level)
    with np.errstate(divide="ignore", invalid="ignore"):
        order = np.argsort(np.where(p > 0, q / p, np.inf))[::-1]  # a 1 is guessed where the ratio is largest
    alarms, missed = np.cumsum(p[order]), 1 - np.cumsum(q[order])
    drawn = NotionOfPrivacy(level, "pure", noise).run()
    known = np.interp(drawn.alarms, np.concatenate([[0.0], alarms]), np.concatenate([[1.0], missed]))
    assert np.abs(drawn.missed - known).max() < 2e-3
    assert (drawn.missed <= known + 1e-9).all()  # no guess from cells is better


@pytest.mark.parametrize(("level", "noise"), crossed([0.01, 0.3, 1.0, 3.0, 10.0], ["coin", "laplace", "normal"]))
def test_no_guess_lies_below_what_its_notion_permits_and_a_smaller_number_forbids_some(
    noise: str, level: float
) -> None:
    for notion in NOTIONS:
        question = NotionOfPrivacy(level, notion, noise, 2.0, 1e-3)
        result = question.run()
        assert (result.permitted <= result.missed + 1e-9).all(), notion
    x = np.geomspace(1e-9, 0.5, 2001)
    laws = NotionOfPrivacy(level, "pure", noise).laws
    assert (permitted_normally(x, laws.mu) <= laws.missed(x) + 1e-12).all()
    assert (permitted_normally(x, 0.99 * laws.mu) > laws.missed(x) + 1e-12).any()
    orders = 1 + np.geomspace(1e-3, 1e3, 400)
    assert (laws.renyi(orders) <= laws.rho * orders * (1 + 1e-9)).all()
    assert laws.rho == pytest.approx(float(laws.renyi(np.array([1.0001]))[0]), rel=2e-3)


@pytest.mark.parametrize("order", [1.1, 2.0, 32.0])
def test_what_an_order_permits_has_exactly_its_divergence(order: float) -> None:
    bound = 0.4
    x = np.linspace(0.02, 0.9, 12)
    y = permitted_by_orders(x, np.array([order]), np.array([bound]))
    for one, other in zip(x.tolist(), y.tolist(), strict=True):
        coins = np.array([1 - other, other]), np.array([one, 1 - one])
        both = max(divergences.renyi(*coins, order), divergences.renyi(*coins[::-1], order))
        assert both == pytest.approx(bound, rel=1e-6) or other == pytest.approx(1 - one)


@pytest.mark.parametrize(
    ("level", "noise"), [(0.5, "laplace"), (3.0, "normal"), (10.0, "coin"), (10.0, "laplace")][: 4 if ALL else 3]
)
def test_what_a_concentrated_notion_permits_is_hardly_less_by_all_orders(level: float, noise: str) -> None:
    question = NotionOfPrivacy(level, "concentrated", noise)
    result, orders = question.run(), 1 + np.geomspace(1e-7, 1e5, 4001)
    some = slice(None, None, 1 if ALL else 4)  # of the drawn places
    every = permitted_by_orders(result.alarms[some], orders, question.parameter * orders)
    assert (result.permitted[some] <= every + 1e-6).all() and (every <= result.permitted[some] + 3e-4).all()


def test_gaussian_noise_keeps_every_notion_but_the_pure_one() -> None:
    kept = {notion: math.isfinite(NotionOfPrivacy(1.0, notion, "normal").parameter) for notion in NOTIONS}
    assert kept == {notion: notion != "pure" for notion in NOTIONS}
    for noise in ("coin", "laplace"):
        assert all(math.isfinite(NotionOfPrivacy(10.0, notion, noise).parameter) for notion in NOTIONS)


@for_each("noise", ["coin", "laplace", "normal"])
@for_each("delta", [1e-9, 0.01, 0.2])
@for_each("level", [0.01, 1.0, 10.0])
def test_a_notion_promises_no_smaller_level_than_the_noise_keeps(level: float, delta: float, noise: str) -> None:
    for notion in NOTIONS:
        for order in (1.1, 2.0, 100.0) if notion == "renyi" else (2.0,):
            question = NotionOfPrivacy(level, notion, noise, order, delta)
            assert question.implied >= question.level_at(delta) - 1e-9, notion


# --- levels in use ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("level", "n"), [(0.01, 100), (1.0, 101), (2.0, 10), (10.0, 100)])
def test_the_error_at_a_level_is_that_of_all_numbers_of_yes(level: float, n: int) -> None:
    question = LevelsInUse(level, n)
    keep = math.exp(level) / (1 + math.exp(level))
    yes = np.arange(n + 1)
    law = stats.binom.pmf(yes, n, 0.5)  # half would say yes, and so half of the reports do
    estimate = (yes / n - (1 - keep)) / (2 * keep - 1)
    mean = float(law @ estimate)
    assert mean == pytest.approx(0.5)
    assert question.reported(level) == pytest.approx(math.sqrt(float(law @ (estimate - mean) ** 2)), rel=1e-9)
    assert question.run().worth == pytest.approx(0.25 / question.reported(level) ** 2, rel=1e-9)


def test_a_curators_error_is_that_of_drawn_people_and_of_noise() -> None:
    question, rng = LevelsInUse(1.0, 100), np.random.default_rng(1)
    drawn = (rng.binomial(100, 0.5, 200_000) + rng.laplace(0, 1.0, 200_000)) / 100
    assert float(drawn.std()) == pytest.approx(question.curated(1.0), rel=0.02)  # 12 standard errors


def test_the_levels_in_use_are_those_of_the_list_with_the_settings() -> None:
    told = listing("labels", "en").text("deployments")
    for levels, symbol in ((WITHOUT_CURATOR, "α"), (WITH_CURATOR, "ε")):
        for level in levels.values():
            assert f"| {symbol} = {level:g} |" in told


def test_at_the_levels_of_apple_most_of_an_answer_is_left() -> None:
    worth = {level: LevelsInUse(level, 10**6).run().worth / 10**6 for level in (0.1, 2.0, 4.0)}
    assert worth[2.0] == pytest.approx(0.58, abs=0.005) and worth[4.0] == pytest.approx(0.93, abs=0.005)
    assert [1000 / worth[level] for level in (4.0, 2.0)] == pytest.approx([1076.1, 1724.1], abs=0.1)
    assert 1000 / worth[0.1] == pytest.approx(400_000, rel=0.01)


# --- consistency -----------------------------------------------------------------------------------------------------


@for_each("dimensions", [1, 2, 3, 10])
@for_each("b", [0.02, 0.125, 0.4])
@for_each("a", [0.02, 0.125, 0.25, 0.5])
def test_a_schedule_holds_where_the_noise_goes_on_falling_far_out(a: float, b: float, dimensions: int) -> None:
    question = ConsistencySchedule(1.0, a, b, dimensions)
    far = np.array([question.noise(log_n) for log_n in (1e4, 2e4, 4e4)])
    assert bool((np.diff(far) < 0).all()) == question.met
    assert question.met == (dimensions <= question.run().most_dimensions)
    assert question.met_in_honesty == (dimensions <= question.run().most_in_honesty)
    assert not question.met or question.met_in_honesty  # privacy never asks for less


@pytest.mark.parametrize("level", [0.01, 1.0, 10.0])
@pytest.mark.parametrize("a", [0.02, 0.125, 0.25])
def test_the_noise_is_above_one_just_before_and_below_it_ever_after(a: float, level: float) -> None:
    question = ConsistencySchedule(level, a, 0.125)
    settled = question.run().settled
    assert settled is not None
    later = [question.noise(math.log(10) * (settled + step)) for step in (0.01, 1, 10, 100)]
    assert all(each < 0 for each in later)
    assert settled == 0 or question.noise(math.log(10) * (settled - 0.01)) > 0


def test_the_drawn_noise_is_that_of_a_million_and_the_level_moves_it_alone() -> None:
    weak, strong = (ConsistencySchedule(level, 0.125, 0.125, 2).run() for level in (1.0, 0.1))
    assert strong.noise / weak.noise == pytest.approx(np.full(len(weak.noise), 100.0))
    assert np.interp(6, np.log10(weak.sizes), np.log10(weak.noise)) == pytest.approx(math.log10(weak.here), abs=1e-3)
    assert weak.most_dimensions == strong.most_dimensions


def test_the_example_of_the_literature_holds_in_one_dimension_and_is_small_at_last() -> None:
    example = ConsistencySchedule(1.0, 0.25, 0.125).run()
    assert (example.most_dimensions, example.most_in_honesty) == (1, 3)
    assert example.settled is not None and 19.9 < example.settled < 20
