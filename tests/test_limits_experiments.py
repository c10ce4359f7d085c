"""What the page about limits asks: curves against the core and other routes, and what is true at both ends."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pytest

from ldpcore.experiments import limits
from ldpcore.laws import divergences
from ldpcore.laws.products import distance_of
from ldpcore.limits import bounds, worlds
from ldpcore.limits.errorlosses import REGULAR, loss_of
from ldpcore.limits.problems import (
    BoundedMoment,
    EventShare,
    HeavyMean,
    Problem,
    ProductMoment,
    SmoothDensity,
    UniformEndpoint,
)
from ldpcore.parameters import ParameterError
from tests.cases import for_each
from tests.problems import POWERS, SQUARED, named
from tests.rationing import crossed, shared

PROBLEMS: tuple[Problem, ...] = (
    BoundedMoment(),
    BoundedMoment(2),
    EventShare(),
    ProductMoment(),
    HeavyMean(),
    HeavyMean(1.5),
    HeavyMean(4.0, 3.0),
    UniformEndpoint(2.0),
    SmoothDensity(),
    SmoothDensity(2.0),
    SmoothDensity(2.0, 1),
    SmoothDensity(4.0, 3, 2.0),
)


@pytest.mark.parametrize(("problem", "epsilon"), crossed(PROBLEMS, [0.01, 1.0, 10.0]), ids=named)
def test_errors_lie_between_the_bounds_at_every_size(problem: Problem, epsilon: float) -> None:
    result = limits.Rate(problem, epsilon).run()
    assert (result.lower <= np.minimum(result.exact, result.guess) * (1 + 1e-12)).all()
    assert (result.exact <= result.bound * (1 + 1e-9)).all()
    assert (result.low <= result.simulated).all() and (result.simulated <= result.high).all()
    # 400 squared errors, nearly normal ones: their mean is off by more than half with less than one chance in 10^10.
    far = result.users >= 10**4
    assert (np.abs(result.simulated[far] / result.exact[far] - 1) < 0.55).all()
    assert (result.direct_lower <= result.direct).all()
    assert (np.diff(result.lower) <= 0).all()
    assert result.here.lower == pytest.approx(bounds.sharp_lower_bound(problem, SQUARED, 10_000, epsilon).value)


@pytest.mark.parametrize(("problem", "loss"), crossed(POWERS, REGULAR), ids=named)
def test_fitted_slopes_are_the_exponents_for_every_loss(problem: Problem, loss: str) -> None:
    result = limits.Rate(problem, 1.0, loss=loss, repeats=4000).run()
    for name in ("lower", "achieved", "bound", "direct"):
        assert getattr(result.slopes, name) == pytest.approx(getattr(result.theory, name), abs=0.03), name
    share = loss_of(loss).power / 2
    assert result.theory.bound == -problem.exponents.private * share


def test_intervals_hold_the_exact_error_about_as_often_as_they_say() -> None:
    held = [limits.Rate(EventShare(), 1.0, seed=seed).run() for seed in range(12)]
    inside = sum(int(((each.low <= each.exact) & (each.exact <= each.high)).sum()) for each in held)
    assert 0.9 < inside / (12 * len(limits.RATE_USERS)) < 0.98


def test_the_hardest_world_has_its_name() -> None:
    names = {
        problem.slug: limits.Rate(problem, 1.0, repeats=0).run().here.world
        for problem in (EventShare(), HeavyMean(), UniformEndpoint(), SmoothDensity(1.0))
    }
    assert names == {"event": "even", "heavy": "spike", "endpoint": "uniform", "density": "cusp"}
    assert limits.Rate(SmoothDensity(2.0), 1.0, repeats=0).run().here.world == "arch"
    assert limits.Rate(SmoothDensity(3.0), 1.0, repeats=0).run().here.world == "bump"


def test_the_price_of_a_share_is_that_of_a_fair_coin() -> None:
    for epsilon, price in ((0.1, 400.67), (1.0, 4.68)):
        assert limits.Rate(EventShare(), epsilon, 10**6).run().price == pytest.approx(price, rel=0.01)


def test_nothing_is_drawn_where_nothing_is_asked_for_and_a_mask_takes_what_was() -> None:
    bare = limits.Rate(HeavyMean(), 1.0, repeats=0).run()
    assert np.isnan(bare.simulated).all() and not np.isnan(bare.exact).any()
    assert bare.slopes.achieved == pytest.approx(-0.5, abs=0.01)
    masked = limits.Rate(HeavyMean(), 1.0).run().masked()
    for column in (masked.simulated, masked.low, masked.high, masked.exact):
        assert np.isnan(column).all()
    assert math.isnan(masked.here.achieved) and math.isnan(masked.slopes.achieved)
    assert not math.isnan(masked.slopes.bound)


# Two worlds


@pytest.mark.parametrize("problem", PROBLEMS, ids=named)
def test_two_worlds_are_as_far_apart_as_the_bound_allows(problem: Problem) -> None:
    result = limits.WorstWorlds(problem, 1.0, 10_000, 0.4).run()
    if problem.exact_tv:
        assert result.allowed == pytest.approx(0.6, rel=1e-6)
        assert result.modulus == pytest.approx(result.difference, rel=1e-6)
        assert result.bound == pytest.approx(0.4 / 2 * (result.difference / 2) ** 2, rel=1e-6)
    assert result.told_apart <= result.allowed + 1e-9
    best = bounds.lower_bound(problem, SQUARED, 10_000, 1.0)
    assert result.bound <= best.value * (1 + 1e-6) or not problem.exact_tv
    curves = (
        [result.first_weights, result.second_weights] if result.atoms else [result.first_curve, result.second_curve]
    )
    if result.atoms:
        assert [curve.sum() for curve in curves] == pytest.approx([1, 1])
        assert divergences.total_variation(*curves) == pytest.approx(result.tv)
    else:
        assert [float(np.trapezoid(curve, result.xs)) for curve in curves] == pytest.approx([1, 1], abs=2e-3)
        gap = float(np.trapezoid(np.abs(curves[0] - curves[1]), result.xs)) / 2
        assert gap == pytest.approx(result.tv, rel=0.02, abs=1e-6)


def test_the_best_question_tells_worlds_apart_as_randomized_response_does() -> None:
    result = limits.WorstWorlds(HeavyMean(), 1.0, 200).run()
    share, lie = result.tv, 1 / (1 + math.e)
    odds = [lie + (1 - 2 * lie) * held for held in (share, 0.0)]
    exact = distance_of((1 - odds[0], odds[0]), (1 - odds[1], odds[1]), 200).high
    assert result.told_apart == pytest.approx(exact, rel=1e-9)
    assert math.isnan(result.masked().told_apart)


def test_drawn_worlds_are_those_that_were_drawn() -> None:
    result = limits.DrawnWorlds((3, 1), (1, 3), 1.0, 50).run()
    assert (result.tv, result.difference, result.modulus) == pytest.approx((0.5, 1.0, 1.0))
    assert result.hellinger**2 == pytest.approx(divergences.squared_hellinger([0.75, 0.25], [0.25, 0.75]))
    same = limits.DrawnWorlds((1, 2, 3), (1, 2, 3), 1.0).run()
    assert (same.tv, same.told_apart, same.bound) == (0, 0, 0)
    for bad in (((1,), (1,)), ((1, -1), (1, 1)), ((0, 0), (1, 1)), ((1, 2, 3), (1, 2))):
        with pytest.raises(ParameterError):
            limits.DrawnWorlds(*bad, 1.0)


# Along the level


@pytest.mark.parametrize("problem", PROBLEMS, ids=named)
def test_a_large_level_meets_the_direct_bound_and_a_falling_one_a_plateau(problem: Problem) -> None:
    result = limits.AgainstLevel(problem, 1.0, 10**6).run()
    assert result.meets is not None
    assert (np.diff(result.lower) <= 1e-18).all()
    for factor, meets in ((0.99, False), (1.01, True)):
        value = bounds.sharp_lower_bound(problem, SQUARED, 10**6, result.meets * factor)
        assert (value.decides != "tv") == meets
    assert result.lower[-1] == pytest.approx(result.direct_lower)
    assert (result.lower <= result.bound).all()
    assert (result.bound <= result.recipe).all()
    flat = limits.FallingLevels(problem, 1.0).run()
    assert flat.sizes[-1] == pytest.approx(1, abs=1e-4)
    assert flat.sizes[12] == pytest.approx(10_000 * math.expm1(0.01) ** 2) == pytest.approx(1.0101, abs=5e-5)
    assert flat.lower[-1] == pytest.approx(flat.lower[12], rel=0.02)
    assert flat.bound[-1] == pytest.approx(flat.bound[12], rel=0.02)
    assert flat.direct[-1] < flat.direct[12] / 10


@for_each("problem", PROBLEMS, ids=named)
@for_each("epsilon", [0.01, 1.0, 10.0, 50.0])
def test_a_falling_level_keeps_every_larger_crowd_above_its_floor(problem: Problem, epsilon: float) -> None:
    result = limits.FallingLevels(problem, epsilon).run()
    floor = result.lower[result.flat]
    assert (result.lower[result.flat :] >= floor * (1 - 1e-12)).all()
    assert result.lower[result.flat :].max() <= floor / 0.95 * (1 + 1e-12)
    for n in (10**10, 10**12):
        assert bounds.sharp_lower_bound(problem, SQUARED, n, epsilon / math.sqrt(n)).value >= floor * (1 - 1e-12)


def test_a_falling_level_that_begins_high_lets_the_limit_fall_at_first() -> None:
    result = limits.FallingLevels(BoundedMoment(), 50.0).run()
    assert result.lower[0] > 100 * result.lower[-1] and result.flat > 10
    assert limits.FallingLevels(BoundedMoment(), 0.01).run().flat == 0


def test_at_a_large_level_one_bit_of_a_share_costs_nothing_and_of_a_density_it_does() -> None:
    share = limits.AgainstLevel(EventShare(), 10.0, 10**6).run()
    assert share.here.bound / share.direct == pytest.approx(1, abs=1e-3)
    density = limits.AgainstLevel(SmoothDensity(), 10.0, 10**6).run()
    assert density.here.bound / density.direct > 3


def test_constants_are_as_loose_as_printed() -> None:
    for epsilon, simple, upper in ((0.1, 159.5, 1.379e7), (1.0, 497.7, 4.301e7)):
        result = limits.Constants(BoundedMoment(), epsilon, 10**6).run()
        assert result.simple_ratio == pytest.approx(simple, rel=5e-4)
        assert result.upper is not None
        assert result.upper / result.simple == pytest.approx(upper, rel=5e-4)
        assert (
            result.simple <= result.lower_half <= result.lower <= result.sharp <= (result.bits or 0) <= result.achieved
        )
    assert limits.Constants(BoundedMoment(), 1.0).run().constant.c0 == pytest.approx(10801.38, rel=5e-6)
    for problem, obstacle in ((UniformEndpoint(), "not_convex"), (SmoothDensity(), "modulus_unknown")):
        other = limits.Constants(problem, 1.0).run()
        assert (other.upper, other.obstacles) == (None, (obstacle,))
        assert other.bits is None
        assert other.lower <= other.sharp <= other.achieved


@pytest.mark.parametrize(("epsilon", "n"), crossed([0.01, 0.1, 1.0, 5.0], [1, 10, 10_000, 10**8]))
def test_the_page_says_one_limit_in_every_view(n: int, epsilon: float) -> None:
    problem = BoundedMoment()
    here = limits.Rate(problem, epsilon, n, repeats=0).run().here.lower
    assert limits.AgainstLevel(problem, epsilon, n).run().here.lower == here
    assert limits.LimitPlan(problem, epsilon, n).run().floor == pytest.approx(math.sqrt(here), rel=1e-12)
    assert limits.Constants(problem, epsilon, n).run().sharp == here
    assert limits.VectorBounds(epsilon, 1, n).run().here.lower == pytest.approx(here, rel=1e-6)


# Exponents, vectors, plan


def test_the_table_holds_the_present_problem_once() -> None:
    for problem in PROBLEMS:
        result = limits.ExponentTable(problem, 1.0).run()
        assert sum(row.here for row in result.rows) == 1
        assert result.here.private == problem.exponents.private
        assert (result.private <= result.direct + 1e-12).all()
        if result.variable:
            at = float(np.interp(result.at or 0, result.xs, result.private))
            assert at == pytest.approx(result.here.private, abs=1e-3)


def test_the_printed_exponents_are_in_the_table() -> None:
    rows = {
        (row.slug, row.parameters): (row.private, row.direct)
        for row in limits.ExponentTable(EventShare(), 1.0).run().rows
    }
    assert rows["density", (("beta", 1.0), ("order", 0.0))] == pytest.approx((1 / 2, 2 / 3))
    assert rows["density", (("beta", 2.0), ("order", 0.0))] == pytest.approx((2 / 3, 4 / 5))
    assert rows["density", (("beta", 2.0), ("order", 1.0))] == pytest.approx((1 / 3, 2 / 5))
    assert rows["heavy", (("kappa", 2.0),)] == pytest.approx((1 / 2, 1))
    assert rows["endpoint", ()] == (1, 2)


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 3.0, 10.0])
def test_no_method_for_vectors_is_below_the_bound(epsilon: float) -> None:
    result = limits.VectorBounds(epsilon, 20, 10**5).run()
    assert (result.errors >= result.lower).all()
    assert result.ratio >= 1
    assert result.here.errors[result.here.best] == min(result.here.errors.values())
    assert result.here.lower == max(np.delete(result.here.bounds, 1))
    if epsilon < 1:
        assert result.here.decides == "assouad"
        assert (np.diff(result.lower) > 0).all()


@pytest.mark.parametrize("problem", PROBLEMS, ids=named)
def test_the_plan_names_the_fewest(problem: Problem) -> None:
    plan = limits.LimitPlan(problem, 0.7, width=math.sqrt(problem.guess) / 5)
    result = plan.run()
    assert result.least is not None and result.enough is not None and result.direct is not None
    assert not result.trivial
    for n, error in (
        (result.least, lambda n: plan.least(n, 0.7)),
        (result.enough, lambda n: plan.enough(n, 0.7)),
        (result.direct, problem.direct),
    ):
        assert error(n) <= plan.allowed * (1 + 1e-9)
        assert n == 1 or error(n - 1) > plan.allowed * (1 - 1e-9)
    assert result.least <= result.enough
    if result.level_enough is not None:
        assert plan.enough(plan.n, result.level_enough) == pytest.approx(plan.allowed, rel=1e-6)
    assert result.effective == bounds.effective_size(10_000, 0.7)
    assert result.floor <= result.reach


@pytest.mark.parametrize("loss", REGULAR)
def test_a_wish_costs_what_its_error_costs_whatever_the_loss(loss: str) -> None:
    plan = limits.LimitPlan(HeavyMean(), 1.0, width=0.2, loss=loss)
    squared, result = limits.LimitPlan(HeavyMean(), 1.0, width=0.2).run(), plan.run()
    assert (result.enough, result.direct) == (squared.enough, squared.direct)
    assert plan.allowed == pytest.approx(float(loss_of(loss)(0.2)))
    assert result.least is not None and plan.least(result.least, 1.0) <= plan.allowed
    assert result.least == 1 or plan.least(result.least - 1, 1.0) > plan.allowed
    assert result.reach == pytest.approx(squared.reach) and result.floor <= result.reach


def test_a_wide_plan_needs_nobody() -> None:
    assert limits.LimitPlan(EventShare(), 1.0, width=0.5).run().trivial
    assert limits.LimitPlan(EventShare(), 1.0, width=0.5).run().least == 1
    assert limits.LimitPlan(EventShare(), 1e-6, width=1e-6).run().enough is None


@pytest.mark.parametrize("problem", PROBLEMS, ids=named)
def test_questions_are_values_and_ends_of_every_range_answer(problem: Problem) -> None:
    """By day two of the four corners for each problem, in turn, and each question in one of them."""
    turn = PROBLEMS.index(problem)
    corners = crossed((1e-6, 50.0), (1, 10**18)[:: 1 - 2 * (turn % 2)])
    asked: list[Any] = [
        question
        for place, (epsilon, n) in enumerate(corners)
        for question in shared(
            (
                limits.Rate(problem, epsilon, n, repeats=2),
                limits.WorstWorlds(problem, epsilon, n),
                limits.AgainstLevel(problem, epsilon, n),
                limits.Constants(problem, epsilon, n),
                limits.LimitPlan(problem, epsilon, n),
                limits.FallingLevels(problem, epsilon),
                limits.ExponentTable(problem, epsilon),
            ),
            2,
            place + turn // 2,
        )
    ]
    for question in asked:
        assert pickle.loads(pickle.dumps(question)) == question
        assert question.run() is not None
        assert question.cost().seconds < 1


def test_what_cannot_be_asked_is_refused() -> None:
    for make in (
        lambda: limits.Rate(EventShare(), 1.0, 0),
        lambda: limits.Rate(EventShare(), 0.0),
        lambda: limits.Rate(EventShare(), 1.0, loss="beyond"),
        lambda: limits.WorstWorlds(EventShare(), 1.0, 10, 1.0),
        lambda: limits.LimitPlan(EventShare(), 1.0, width=0.0),
        lambda: limits.VectorBounds(1.0, 0),
        lambda: limits.Rate(EventShare(), 1.0, repeats=-1),
    ):
        with pytest.raises(ParameterError):
            make()


def test_worlds_have_a_place_in_their_picture() -> None:
    for problem in PROBLEMS:
        low, high = problem.range
        result = limits.WorstWorlds(problem, 1.0).run()
        if isinstance(result.first, worlds.Density):
            assert low <= result.xs[0] + 1e-9 or isinstance(problem, UniformEndpoint)
            assert result.xs[-1] <= high + 0.1 * (high - low)
        else:
            assert low <= result.places.min() and result.places.max() <= high
