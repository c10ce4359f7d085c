"""Limits of private estimation: printed values, moduli against linear programs, risks and bounds by other routes."""

from __future__ import annotations

import math
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from ldpcore.experiments.vectors import METHODS, method
from ldpcore.laws.contraction import largest_distance
from ldpcore.laws.products import distance_of
from ldpcore.limits import bounds, confusion, cubes, worlds
from ldpcore.limits import errorlosses as losses
from ldpcore.limits.constructive import EstimatorRecipe
from ldpcore.limits.errorlosses import Absolute, Beyond, Exponential, Huber, Loss, Root, Squared
from ldpcore.limits.moduli import tv_from_hellinger
from ldpcore.limits.problems import (
    PROBLEMS,
    BoundedMoment,
    EventShare,
    HeavyMean,
    Problem,
    ProductMoment,
    SmoothDensity,
    UniformEndpoint,
    problem_of,
)
from ldpcore.numerics import bumps
from ldpcore.numerics.kernels import StepFunction, kernel
from ldpcore.parameters import ParameterError
from tests.cases import for_each
from tests.finitemodels import FiniteModel
from tests.problems import POWERS, SQUARED, named
from tests.rationing import ALL, crossed, shared
from tests.statistics import accept_counts, accept_variance

NODES, WEIGHTS = np.polynomial.legendre.leggauss(120)
EVERY: tuple[Problem, ...] = (
    BoundedMoment(),
    BoundedMoment(2),
    BoundedMoment(3),
    EventShare(),
    ProductMoment(),
    HeavyMean(2.0, 1.0),
    HeavyMean(4.0, 2.0),
    HeavyMean(1.5, 0.5),
    UniformEndpoint(1.0),
    UniformEndpoint(3.0),
    SmoothDensity(0.5, 0),
    SmoothDensity(1.0, 0, 2.0),
    SmoothDensity(1.5, 0),
    SmoothDensity(1.5, 1),
    SmoothDensity(2.0, 0),
    SmoothDensity(2.0, 1, 0.5, 1.0),
    SmoothDensity(3.0, 0),
    SmoothDensity(3.0, 2),
    SmoothDensity(4.0, 1),
    SmoothDensity(4.0, 3),
)
DENSITIES = tuple(problem for problem in EVERY if isinstance(problem, SmoothDensity))


# Printed values


def test_a_thousand_people_count_as_many_as_printed() -> None:
    assert round(bounds.effective_size(1000, 1.0)) == 2952
    assert round(bounds.effective_size(1000, 0.1), 2) == 11.06
    assert bounds.effective_size(10_000, 0.01) == pytest.approx(1.0101, abs=5e-5)


def test_the_gaps_within_which_no_test_can_tell_are_the_printed_ones() -> None:
    assert float(bounds.hellinger_gap(100, 0.5)) == pytest.approx(0.0464501, abs=5e-8)
    assert float(bounds.tv_gap(100, 1.0, 0.5)) == pytest.approx(0.3535534 / (10 * (math.e - 1)), rel=1e-7)
    assert float(bounds.hellinger_gap(1, 0.5)) == pytest.approx(0.464501, abs=5e-7)


def printed_heavy(kappa: float, bound: float, n: int, epsilon: float, eta: float = 0.5) -> float:
    """(η/8)(C/2)^{2/κ}((1-η)²/(2n(e^ε-1)²))^{(κ-1)/κ}: from a simpler pair of worlds, smaller than `lower_bound`."""
    gap = float(bounds.tv_gap(n, epsilon, eta))
    return float(eta / 8 * (bound / 2) ** (2 / kappa) * gap ** (2 * (kappa - 1) / kappa))


@pytest.mark.parametrize(
    ("kappa", "n", "printed"), [(2, 1000, 2.03334e-4), (2, 10_000, 6.42999e-5), (4, 10_000, 4.12483e-6)]
)
def test_the_printed_bound_for_a_mean_and_the_sharper_one(kappa: float, n: int, printed: float) -> None:
    assert printed_heavy(kappa, 1.0, n, 1.0) == pytest.approx(printed, rel=5e-6)
    assert bounds.lower_bound(HeavyMean(kappa), SQUARED, n, 1.0, 0.5).value > 2 * printed


@pytest.mark.parametrize(("n", "printed"), [(10, 0.0151515), (100, 1.94137e-4), (1000, 1.99401e-6)])
def test_the_largest_number_errs_as_printed_and_by_quadrature(n: int, printed: float) -> None:
    assert UniformEndpoint().direct(n) == pytest.approx(printed, rel=5e-6)
    area = integrate.quad(lambda x: (1 - x) ** 2 * n * x ** (n - 1), 0, 1)[0]
    assert UniformEndpoint().direct(n) == pytest.approx(area, rel=1e-6)


@pytest.mark.parametrize(
    ("loss", "a", "c0", "exponent"),
    [
        (Absolute(), 1.5, 427.148, 7),
        (SQUARED, 2.25, 10801.38, 7),
        (Huber(), 2.25, 10801.38, 7),
        (Root(), 1.2247, 69.511, 6),
    ],
)
def test_the_constant_of_each_loss_is_the_printed_one(loss: Loss, a: float, c0: float, exponent: int) -> None:
    found = bounds.constant(loss)
    assert found.a == pytest.approx(a, abs=5e-5)
    assert found.c0 == pytest.approx(c0, rel=5e-6)
    assert found.exponent == exponent
    if isinstance(loss, (Absolute, Squared)):
        assert found.c == pytest.approx({1.5: 3.48230, 2.25: 3.73440}[found.a], abs=5e-6)


@pytest.mark.parametrize(("epsilon", "wide", "narrow"), [(0.1, 1.379e7, 159.5), (1.0, 4.301e7, 497.7)])
def test_the_sandwich_is_as_wide_as_printed(epsilon: float, wide: float, narrow: float) -> None:
    for problem in (BoundedMoment(), EventShare()):
        low, high = bounds.sandwich(problem, SQUARED, 10**6, epsilon)
        assert high is not None
        assert high / low == pytest.approx(wide, rel=5e-4)
        assert problem.recipe(epsilon, 10**6).risk_bound / low == pytest.approx(narrow, rel=5e-4)
        uncentered = 1 / math.tanh(epsilon / 2) ** 2 / 10**6  # f in [0, 1] sent as it is
        if isinstance(problem, EventShare):
            assert uncentered / low == pytest.approx({0.1: 638, 1.0: 1991}[epsilon], rel=1e-3)


def test_the_bump_has_the_printed_area_height_and_roughness() -> None:
    assert bumps.whole() == pytest.approx(0.2219969, abs=5e-8)
    assert bumps.largest(0)[0] == pytest.approx(0.367879, abs=5e-7)
    assert bumps.largest(2)[0] == pytest.approx(30.9988, abs=5e-5)
    multiples = [round(math.e * float(bumps.bump(0.0, order)), 6) for order in range(7)]
    assert multiples == [1, 0, -8, 0, -192, 0, -7680]
    assert bumps.whole() == pytest.approx(integrate.quad(lambda u: math.exp(-1 / (1 - 4 * u * u)), -0.5, 0.5)[0])
    part = integrate.quad(lambda u: math.exp(-1 / (1 - 4 * u * u)), -0.3, 0.2)[0]
    assert float(bumps.area(-0.3, 0.2)) == pytest.approx(part, abs=1e-12)


def roughness(order: int, exponent: float) -> float:
    """sup |κ₀^(order)(x) - κ₀^(order)(y)|/|x - y|^exponent, the Hölder constant: over a grid of pairs of places."""
    places = np.linspace(-0.5, 0.5, 801)
    heights = bumps.bump(places, order)
    gaps = np.abs(places[:, None] - places[None, :])
    np.fill_diagonal(gaps, np.inf)
    return float((np.abs(heights[:, None] - heights[None, :]) / gaps**exponent).max())


def test_the_first_world_is_wide_enough_and_the_inverted_width_far_too_narrow() -> None:
    problem = SmoothDensity(1.5, 0)
    assert problem.spread == pytest.approx(9.515, abs=5e-4)
    steepest, area = bumps.largest(2)[0], bumps.whole()
    inverted = (2 * area / steepest) ** (1 / 2.5)
    assert inverted == pytest.approx(0.183, abs=5e-4)
    for width, proven, true in ((problem.spread, 0.5, 0.0917), (inverted, 9749, 1788)):
        assert steepest / (width**2.5 * area) == pytest.approx(proven, rel=5e-4)
        assert roughness(1, 0.5) / (width**2.5 * area) == pytest.approx(true, rel=5e-4)
    for each in DENSITIES:
        true = roughness(each.smoothness, each.beta - each.smoothness) / (each.spread ** (each.beta + 1) * area)
        assert true <= each.bound / 2


@pytest.mark.parametrize("order", [0, 1, 2, 3])
def test_derivatives_of_the_bump_are_slopes_of_the_one_before(order: int) -> None:
    for u in (-0.4, -0.1, 0.05, 0.33, 0.46):
        slope = (float(bumps.bump(u + 1e-6, order)) - float(bumps.bump(u - 1e-6, order))) / 2e-6
        assert slope == pytest.approx(float(bumps.bump(u, order + 1)), rel=1e-4, abs=1e-6)


# Losses


def test_a_loss_is_as_regular_as_it_says_and_no_more() -> None:
    t = np.geomspace(1e-4, 1e4, 4001)
    for loss in (SQUARED, Absolute(), Huber(), Huber(0.1), Root()):
        growth = loss(1.5 * t) / loss(t)
        assert growth.max() == pytest.approx(losses.regularity(loss), rel=1e-9), loss
        assert float(loss(0.0)) == 0
        assert (np.diff(loss(t)) >= 0).all()
        if loss.power:
            assert math.log(float(loss(2e-6) / loss(1e-6))) / math.log(2) == pytest.approx(loss.power, rel=1e-6)
    for irregular in (Beyond(1.0), Exponential()):
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            assert np.nanmax(irregular(1.5 * t) / irregular(t)) > 1e6
        with pytest.raises(ParameterError, match="loss"):
            losses.regularity(irregular)
        assert bounds.upper_bound(BoundedMoment(), irregular, 100, 1.0) is None
        assert bounds.obstacles(BoundedMoment(), irregular) == ("loss_irregular",)


@given(st.lists(st.floats(0, 100), min_size=1, max_size=9))
def test_an_average_loss_is_at_most_that_of_the_root_mean_square(errors: list[float]) -> None:
    for slug in losses.REGULAR:
        loss = losses.loss_of(slug)
        most = float(loss.spread(np.mean(np.square(errors))))
        assert float(loss(np.array(errors)).mean()) <= most * (1 + 1e-9) + 1e-12


# Moduli


@for_each("distance", [0.01, 0.2, 0.7, 1.0])
@for_each("problem", EVERY[:5], ids=named)
def test_the_moduli_of_a_bounded_mean_are_those_of_a_linear_program(problem: Problem, distance: float) -> None:
    assert isinstance(problem, (BoundedMoment, EventShare, ProductMoment))
    low, high = problem.heights
    model = FiniteModel(tuple(np.linspace(low, high, 5).tolist()))
    assert model.tv(distance) == pytest.approx(float(problem.tv(distance)), rel=1e-9)
    attained = model.hellinger(distance)
    assert 0.99 * float(problem.hellinger(distance)) <= attained <= float(problem.hellinger(distance)) * (1 + 1e-9)


@pytest.mark.parametrize(("kappa", "distance"), crossed([1.3, 1.5, 2.0, 3.0], [0.05, 0.3, 0.8], 3))
def test_the_moduli_of_a_heavy_mean_are_those_of_a_linear_program(kappa: float, distance: float) -> None:
    problem = HeavyMean(kappa, 0.7)
    far = np.geomspace(1e-3, 200, 120 if ALL else 80)
    model = FiniteModel((*(-far[::-1]).tolist(), 0.0, *far.tolist()), kappa, 0.7)
    for attained, exact in (
        (model.tv(distance), problem.tv(distance)),
        (model.hellinger(distance), problem.hellinger(distance)),
    ):
        assert 0.97 * float(exact) <= attained <= float(exact) * (1 + 1e-7)


def test_the_modulus_of_the_endpoint_is_that_of_all_pairs() -> None:
    problem, ends = UniformEndpoint(2.0), np.linspace(0.01, 2.0, 200)
    low, high = np.minimum(*np.meshgrid(ends, ends)), np.maximum(*np.meshgrid(ends, ends))
    apart, roots = 1 - low / high, np.sqrt(2 * (1 - np.sqrt(low / high)))
    for distance in (0.005, 0.1, 0.5, 0.9):
        assert float((high - low)[apart <= distance].max()) == pytest.approx(float(problem.tv(distance)), abs=0.01)
        found = float((high - low)[roots <= distance].max())
        assert found <= float(problem.hellinger(distance)) * (1 + 1e-12)
        assert found >= float(problem.hellinger(distance)) - 0.011


def test_the_largest_variation_at_a_hellinger_distance_is_that_of_two_coins() -> None:
    for s in (0.01, 0.2, 0.49):
        h = math.sqrt(2 - 4 * math.sqrt((0.5 + s) * (0.5 - s)))
        assert float(tv_from_hellinger(h)) == pytest.approx(2 * s, rel=1e-9)


@pytest.mark.parametrize("problem", shared(EVERY, 2), ids=named)
def test_the_worst_worlds_are_as_far_apart_and_as_different_as_they_say(problem: Problem) -> None:
    for distance in shared((1e-6, 1e-3, 0.05, 0.6), 2, EVERY.index(problem) // 2):
        one, other = problem.pair(distance)
        apart, h = worlds.total_variation(one, other), math.sqrt(worlds.squared_hellinger(one, other))
        assert apart <= distance * (1 + 1e-6)
        assert abs(one.theta - other.theta) == pytest.approx(float(problem.tv(distance)), rel=1e-6)
        assert abs(one.theta - other.theta) <= float(problem.hellinger(h)) * (1 + 2e-3) + 1e-15
        if problem.exact_tv:
            assert apart == pytest.approx(distance, rel=1e-6)
        if not one.atoms:
            x = np.linspace(-20, 20, 200_001)
            for world in (one, other):
                assert (world.curve(x) >= -1e-15).all()
                assert float(np.trapezoid(world.curve(x), x)) == pytest.approx(1, abs=3e-4)


@for_each("problem", EVERY, ids=named)
def test_moduli_rise_and_hellingers_is_the_smaller(problem: Problem) -> None:
    distances = np.geomspace(1e-7, 1.4, 60)
    for modulus in (problem.tv, problem.hellinger):
        assert (np.diff(modulus(distances)) >= -1e-15).all()
    assert (problem.hellinger(distances) <= problem.tv(distances) * (1 + 1e-9)).all()
    assert float(problem.tv(0.0)) == float(problem.hellinger(0.0)) == 0


def derivative(world: worlds.Smooth, x: np.ndarray, order: int) -> np.ndarray:
    away = x - world.x0
    base = bumps.bump(away / world.width, order) / (world.width ** (order + 1) * bumps.whole())
    y = away / world.h + world.shift
    moved = bumps.bump(y + 1, order) - bumps.bump(y, order)
    return np.asarray(base + world.height / world.h**order * moved)


@pytest.mark.parametrize("problem", DENSITIES, ids=named)
def test_moved_bumps_stay_in_the_class_and_differ_where_it_is_asked_for(problem: SmoothDensity) -> None:
    for h in (problem.widest, problem.widest / 7):
        plain, moved = problem.worlds(h)
        low, high = moved.ends
        x = np.linspace(low, high, 1201)
        assert (moved.curve(np.linspace(low, high, 100_001)) >= 0).all()
        values = derivative(moved, x, problem.smoothness)
        gaps = np.abs(x[:, None] - x[None, :]) ** (problem.beta - problem.smoothness)
        np.fill_diagonal(gaps, np.inf)
        assert float((np.abs(values[:, None] - values[None, :]) / gaps).max()) <= problem.bound
        at = np.array([problem.x0])
        for world in (plain, moved):
            assert world.theta == pytest.approx(float(derivative(world, at, problem.order)[0]), rel=1e-9, abs=1e-15)
        assert abs(plain.theta - moved.theta) == pytest.approx(float(problem.difference(h)), rel=1e-9)


def test_an_even_bump_under_the_point_says_nothing_of_odd_derivatives_and_a_shifted_one_does() -> None:
    for order, beta in ((1, 2.0), (3, 4.0)):
        assert float(bumps.bump(0.0, order)) == 0
        problem = SmoothDensity(beta, order)
        assert problem.shift > 0.1
        assert float(problem.tv(1e-3)) > 0
        assert problem.widest * (problem.shift + 0.5) <= problem.spread / 2


# Estimators


def expected(recipe: EstimatorRecipe, world: worlds.World) -> float:
    """E φ by quadrature or by the sum over atoms, through the function itself."""
    if isinstance(world, worlds.Atoms):
        pairs = zip(world.places, world.weights, strict=True)
        return sum(weight * float(recipe.phi(np.array([place]))[0]) for place, weight in pairs)
    assert isinstance(world, worlds.Density)
    low, high = world.ends
    edges = {low, high}
    steps = getattr(recipe.phi, "steps", None)
    edges |= {edge for edge in (steps.edges if isinstance(steps, StepFunction) else ()) if low < edge < high}
    if isinstance(world, worlds.Cusp):
        edges |= {world.x0 + sign * world.radius * 2.0**-k for k in range(30) for sign in (1, -1)}
    if isinstance(world, worlds.Smooth):
        edges |= {world.x0 + world.h * (k / 4 - world.shift) for k in range(-6, 3)}
    total, ends = 0.0, sorted(edges)
    for start, end in pairwise(ends):
        x = (start + end) / 2 + (end - start) / 2 * NODES
        total += float((world.curve(x) * recipe.phi(x)) @ WEIGHTS) * (end - start) / 2
    return total


@for_each("problem", EVERY, ids=named)
def test_means_of_the_bit_are_those_of_its_function(problem: Problem) -> None:
    recipe = problem.recipe(1.0, 10_000)
    for world in recipe.rivals:
        scale = recipe.bit.amplitude
        assert recipe.mean(world) / scale == pytest.approx(expected(recipe, world) / scale, abs=2e-6)


@for_each("epsilon", [1e-6, 0.1, 1.0, 5.0, 50.0])
@for_each("problem", EVERY, ids=named)
def test_no_report_betrays_more_than_the_level_and_some_nearly_that(problem: Problem, epsilon: float) -> None:
    recipe = problem.recipe(epsilon, 10_000)
    x = np.unique(np.concatenate([np.linspace(-2, 2, 4001), [-recipe.bit.amplitude, recipe.bit.amplitude]]))
    if not isinstance(problem, (HeavyMean, SmoothDensity)):
        x = x[(x >= 0 if isinstance(problem, (UniformEndpoint, EventShare)) else x >= -1) & (x <= 1)]
    if isinstance(problem, SmoothDensity):
        assert isinstance(recipe.tuning, float)
        x = problem.x0 + recipe.tuning * x
    phi = recipe.phi(x)
    assert np.abs(phi).max() <= recipe.bit.amplitude * (1 + 1e-12)
    for sign in (1, -1):
        odds = recipe.bit.chance(sign * phi)
        loss = math.log(odds.max()) - math.log(odds.min())
        assert loss <= epsilon * (1 + 1e-9)
    if not isinstance(problem, UniformEndpoint) or problem.most == 1:
        assert loss >= epsilon * (1 - 1e-6)


@pytest.mark.parametrize("problem", EVERY[::3], ids=named)
def test_risks_are_those_of_all_numbers_of_positive_reports(problem: Problem) -> None:
    recipe = problem.recipe(0.7, 12)
    for world in recipe.rivals:
        positive = np.arange(13)
        law = stats.binom.pmf(positive, 12, (1 + expected(recipe, world) / recipe.bit.z0) / 2)
        risk = float(law @ (recipe.estimate(positive) - world.theta) ** 2)
        assert recipe.risk(world) == pytest.approx(risk, rel=1e-5)


@pytest.mark.parametrize("problem", EVERY[1::4], ids=named)
def test_reports_of_drawn_people_have_the_chance_of_their_world(problem: Problem) -> None:
    recipe, rng = problem.recipe(1.0, 1000), np.random.default_rng(5)
    world = recipe.worst
    reports = recipe.privatize(world.sample(200_000, rng), rng)
    chance = (1 + expected(recipe, world) / recipe.bit.z0) / 2
    assert accept_counts(np.array([(reports > 0).sum(), (reports < 0).sum()]), np.array([chance, 1 - chance]))
    errors = recipe.estimates(world, 20_000, rng) - world.theta - recipe.bias(world)
    assert accept_variance(errors, recipe.variance(world))


@for_each("problem", EVERY, ids=named)
@for_each("epsilon", [0.1, 1.0, 4.0])
def test_the_risk_at_the_worst_world_lies_between_both_bounds(problem: Problem, epsilon: float) -> None:
    for n in (100, 10_000, 10**6, 10**9):
        recipe = problem.recipe(epsilon, n)
        risk = recipe.risk(recipe.worst)
        low = bounds.lower_bound(problem, SQUARED, n, epsilon).value
        assert low <= min(risk, problem.guess)
        assert risk <= recipe.risk_bound * (1 + 1e-9)
        assert abs(recipe.bias(recipe.worst)) <= recipe.bias_bound * (1 + 1e-6) + 1e-15


@pytest.mark.parametrize(
    "problem",
    [
        HeavyMean(),
        HeavyMean(3.0),
        UniformEndpoint(),
        BoundedMoment(),
        SmoothDensity(0.7),
        SmoothDensity(1.0),
        SmoothDensity(2.0),
        SmoothDensity(2.0, 1),
    ],
    ids=named,
)
def test_the_largest_bias_is_attained_where_that_is_said(problem: Problem) -> None:
    recipe = problem.recipe(1.0, 10**6)
    biases = [abs(recipe.bias(world)) for world in recipe.rivals]
    assert max(biases) == pytest.approx(recipe.bias_bound, rel=1e-6, abs=1e-15)


@given(st.lists(st.floats(-30, 30), min_size=1, max_size=6), st.integers(10, 10**6), st.floats(1.1, 4))
def test_no_law_of_bounded_moment_is_worse_than_the_bound(places: list[float], n: int, kappa: float) -> None:
    moment = float(np.mean(np.abs(places) ** kappa))
    problem = HeavyMean(kappa, max(moment, 1e-3))
    recipe = problem.recipe(1.0, n)
    world = worlds.Atoms("any", float(np.mean(places)), tuple(places), (1 / len(places),) * len(places))
    assert recipe.risk(world) <= recipe.risk_bound * (1 + 1e-9)


@pytest.mark.parametrize(("kappa", "n"), [(2.0, 10**4), (4.0, 10**6), (1.5, 10**5)])
def test_no_other_limit_is_better(kappa: float, n: int) -> None:
    problem = HeavyMean(kappa)
    best, square = problem.recipe(1.0, n).risk_bound, (math.e + 1) ** 2 / (math.e - 1) ** 2
    others = [t ** (2 - 2 * kappa) + t * t * square / n for t in np.geomspace(1, 1e4, 2001)]
    assert best <= min(others) * (1 + 1e-9)
    assert best == pytest.approx(min(others), rel=1e-4)


@pytest.mark.parametrize("problem", DENSITIES, ids=named)
def test_no_other_width_is_better(problem: SmoothDensity) -> None:
    n, recipe = 10**6, problem.recipe(1.0, 10**6)
    amplitude = (problem.weights.high - problem.weights.low) / 2 * (math.e + 1) / (math.e - 1)
    for factor in (0.9, 0.99, 1.01, 1.1):
        h = factor * float(recipe.tuning or 0)
        assert problem.bias_at(h) ** 2 + (amplitude / h ** (problem.order + 1)) ** 2 / n > recipe.risk_bound


@pytest.mark.parametrize(("order", "smoothness"), [(m, m + more) for m in range(4) for more in range(4) if m + more])
def test_weights_see_one_derivative_and_are_blind_to_the_others(order: int, smoothness: int) -> None:
    weights = kernel(order, smoothness)
    for power in range(smoothness + 1):
        parts = [
            height * integrate.quad(lambda u, p=power: u**p, low, high)[0]
            for low, high, height in zip(weights.edges, weights.edges[1:], weights.heights, strict=False)
        ]
        assert sum(parts) == pytest.approx(math.factorial(order) if power == order else 0, abs=1e-9)


# Bounds


def test_the_best_eta_is_better_than_any_and_each_is_valid() -> None:
    for problem, loss in product(EVERY[::2], (SQUARED, Absolute(), Root())):
        best = bounds.lower_bound(problem, loss, 10_000, 0.5)
        tried = [bounds.lower_bound(problem, loss, 10_000, 0.5, eta).value for eta in (0.1, 1 / 3, 0.5, 0.9)]
        assert best.value >= max(tried) * (1 - 1e-9)
        assert bounds.lower_bound(problem, loss, 10_000, 0.5, best.eta).value == pytest.approx(best.value)


def test_a_linear_modulus_and_squared_loss_ask_for_a_third() -> None:
    assert bounds.lower_bound(BoundedMoment(), SQUARED, 10**6, 0.1).eta == pytest.approx(1 / 3)


def test_without_privacy_in_the_way_hellinger_decides() -> None:
    for problem in EVERY:
        strong = bounds.lower_bound(problem, SQUARED, 10**6, 12.0)
        assert strong.decides == "hellinger"
        assert strong.value == pytest.approx(bounds.direct_lower_bound(problem, SQUARED, 10**6))
        assert strong.value <= problem.direct(10**6)
        assert bounds.lower_bound(problem, SQUARED, 10**6, 0.1).decides == "tv"


@pytest.mark.parametrize("epsilon", [0.05, 0.5, 1.0])
def test_worlds_that_the_bound_uses_cannot_be_told_apart_by_randomized_response(epsilon: float) -> None:
    for n, eta in product((50, 5000), (0.2, 0.5)):
        apart = float(bounds.tv_gap(n, epsilon, eta))
        lie = 1 / (1 + math.exp(epsilon))
        shares = [lie + (1 - 2 * lie) * (0.5 + sign * apart / 2) for sign in (1, -1)]
        left = distance_of(*[(share, 1 - share) for share in shares], n).high
        assert left <= largest_distance(epsilon, apart, n) + 1e-12
        assert left <= 1 - eta + 1e-12


def test_the_upper_bound_stands_only_where_its_conditions_hold() -> None:
    assert bounds.obstacles(BoundedMoment(), SQUARED) == ()
    assert bounds.obstacles(HeavyMean(), Root()) == ()
    assert bounds.obstacles(UniformEndpoint(), SQUARED) == ("not_convex",)
    assert bounds.obstacles(SmoothDensity(), SQUARED) == ("modulus_unknown",)
    assert bounds.obstacles(UniformEndpoint(), Exponential()) == ("not_convex", "loss_irregular")
    for problem in EVERY:
        for loss in map(losses.loss_of, losses.REGULAR):
            high = bounds.upper_bound(problem, loss, 10**5, 0.3)
            assert (high is None) == bool(bounds.obstacles(problem, loss))
            if high is not None:
                assert high > float(loss.spread(min(problem.recipe(0.3, 10**5).risk_bound, problem.guess)))


@given(st.integers(0, 10**6), st.floats(0.02, 4), st.integers(2, 5))
def test_a_private_report_of_two_worlds_says_no_more_than_the_sharper_inequality(
    seed: int, epsilon: float, k: int
) -> None:
    rng = np.random.default_rng(seed)
    channel, (one, two) = _channel(k, epsilon, rng), rng.dirichlet(np.ones(k) / 2, 2)
    far = np.eye(k)[:2]  # the worst pairs have atoms of their own
    for first, second in ((one, two), far):
        apart = float(np.abs(first - second).sum()) / 2
        said, heard = first @ channel, second @ channel
        assert float((said * np.log(said / heard)).sum()) <= math.expm1(epsilon) ** 2 / 2 * apart**2 * (1 + 1e-9)


@pytest.mark.parametrize("epsilon", [0.05, 0.5, 1.0, 3.0])
def test_the_sharper_bound_is_larger_and_still_below_what_is_achieved(epsilon: float) -> None:
    for problem, n in product(EVERY, (100, 10**4, 10**8)):
        sharp = bounds.sharp_lower_bound(problem, SQUARED, n, epsilon)
        plain = bounds.lower_bound(problem, SQUARED, n, epsilon)
        assert plain.value <= sharp.value <= min(problem.recipe(epsilon, n).risk_bound, problem.guess)
        for loss in (Absolute(), Root(), Huber()):
            others = bounds.sharp_lower_bound(problem, loss, n, epsilon).value
            best = min(problem.recipe(epsilon, n).risk_bound, problem.guess)
            assert bounds.lower_bound(problem, loss, n, epsilon).value <= others <= float(loss.spread(best))
    linear = bounds.sharp_lower_bound(BoundedMoment(), SQUARED, 10**9, 0.1).value
    assert linear == pytest.approx(8 * bounds.lower_bound(BoundedMoment(), SQUARED, 10**9, 0.1).value)
    # Randomized response itself: n coins, exactly.
    for n in (10, 1000):
        apart = min(float(bounds.SHARPER * bounds.tv_gap(n, epsilon, 0.5)), 1.0)
        pull = math.tanh(epsilon / 2) * apart / 2
        assert distance_of((0.5 - pull, 0.5 + pull), (0.5 + pull, 0.5 - pull), n).high <= 0.5 + 1e-12


@for_each("problem", EVERY, ids=named)
def test_nobody_pays_for_not_being_private(problem: Problem) -> None:
    for n, epsilon in product((1, 10, 1000, 10**7), (0.1, 10.0, 50.0)):
        assert problem.direct(n) <= min(problem.recipe(epsilon, n).risk_bound, problem.guess) * (1 + 1e-9)
        chance = bounds.chance_lower_bound(problem, SQUARED, n).value
        assert bounds.direct_lower_bound(problem, SQUARED, n) <= chance <= problem.direct(n)


@pytest.mark.parametrize("n", [1, 2, 3, 10, 101, 1000, 10**6, 10**6 + 1, 10**8, 10**12])
def test_coins_are_confused_as_their_laws_say(n: int) -> None:
    for told in (0.05, 0.5, 1.2, 1.5):
        half = min(told / math.sqrt(n), 1.0) / 2
        if n <= 1000:
            tallies = [stats.binom.pmf(np.arange(n + 1), n, 0.5 + sign * half) for sign in (1, -1)]
            exact = float(np.minimum(*tallies).sum())
            assert float(confusion.coins_confused(n, 2 * half)) == pytest.approx(exact, rel=1e-9)
        else:
            exact = float(2 * stats.binom.sf((n - 1 + n % 2) // 2, n - 1 + n % 2, 0.5 - half)) if n < 10**9 else None
            exact = exact or float(2 * stats.norm.sf(told))
            assert n == 10**6 or float(confusion.coins_confused(n, 2 * half)) <= exact
            assert float(confusion.coins_confused(n, 2 * half)) == pytest.approx(exact, rel=2e-5)


def test_no_estimate_from_open_answers_beats_the_coins() -> None:
    """The minimax estimate of a share has the squared error 1/(4(1+√n)²) in every world, exactly."""
    for n in (1, 2, 10, 1000, 10**7):
        chance = bounds.chance_lower_bound(EventShare(), SQUARED, n)
        exact = 1 / (4 * (1 + math.sqrt(n)) ** 2)
        assert chance.decides == "coins"
        assert 0.16 * exact < chance.value <= exact


def test_plateau_no_number_of_people_makes_up_for_a_level_that_falls_like_its_root() -> None:
    for problem in EVERY:
        low = [bounds.lower_bound(problem, SQUARED, n, n**-0.5).value for n in (10**4, 10**6, 10**8)]
        assert max(low) <= min(low) * 1.03
        assert bounds.effective_size(10**8, 1e-4) == pytest.approx(1, abs=2e-4)


@pytest.mark.parametrize("problem", POWERS, ids=named)
def test_slopes_over_three_decades_are_the_exponents(problem: Problem) -> None:
    people = np.geomspace(10**6, 10**9, 13)
    logs, rng = np.log(people), np.random.default_rng(11)
    exact, simulated, low, direct = [], [], [], []
    for n in people.astype(np.int64).tolist():
        recipe = problem.recipe(1.0, n)
        exact.append(recipe.risk(recipe.worst))
        errors = recipe.estimates(recipe.worst, 20_000, rng) - recipe.worst.theta
        simulated.append(float((errors**2).mean()))
        low.append(bounds.lower_bound(problem, SQUARED, n, 1.0).value)
        direct.append(problem.direct(n))
    slopes = [float(np.polyfit(logs, np.log(values), 1)[0]) for values in (exact, simulated, low, direct)]
    private = problem.exponents.private
    assert slopes[:3] == pytest.approx([-private] * 3, abs=0.03)
    assert slopes[3] == pytest.approx(-problem.exponents.direct, abs=0.03)


def test_exponents_of_a_density_are_the_printed_ones() -> None:
    for beta, order, private, direct in ((1, 0, 1 / 2, 2 / 3), (2, 0, 2 / 3, 4 / 5), (2, 1, 1 / 3, 2 / 5)):
        exponents = SmoothDensity(float(beta), order).exponents
        assert (exponents.private, exponents.direct) == pytest.approx((private, direct))


# The cube


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.floats(0.05, 3), st.floats(0.05, 0.9), st.integers(1, 3))
def test_a_private_report_says_of_all_corners_together_no_more_than_is_used(
    seed: int, epsilon: float, delta: float, d: int
) -> None:
    rng = np.random.default_rng(seed)
    corners = np.array(list(product((-1, 1), repeat=d)))
    channel = _channel(len(corners), epsilon, rng)
    laws = {tuple(v): ((1 + delta * corners * v) / 2).prod(axis=1) for v in corners}
    total = 0.0
    for v in corners:
        for place in range(d):
            other = np.where(np.arange(d) == place, -v, v)
            one, two = laws[tuple(v)] @ channel, laws[tuple(other)] @ channel
            total += float((one * np.log(one / two)).sum()) / len(corners)
    assert total <= math.expm1(epsilon) ** 2 / 2 * delta**2 / (1 - delta**2) * (1 + 1e-9)
    even = np.full(len(corners), 1 / len(corners))
    leaning = [even * (1 + sign * delta * corners[:, place]) for place in range(d) for sign in (1, -1)]
    apart = [float(((law @ channel) * np.log((law @ channel) / (even @ channel))).sum()) for law in leaning]
    assert np.mean(apart) <= math.expm1(epsilon) ** 2 / 8 * delta**2 / d * (1 + 1e-9)
    ones, others = [np.where((corners == sign).all(axis=1), 1.0, 0.0) for sign in (1, -1)]
    mixed = [(0.5 + sign * delta / 2) * ones + (0.5 - sign * delta / 2) * others for sign in (1, -1)]
    first, second = (law @ channel for law in mixed)
    assert float((first * np.log(first / second)).sum()) <= math.expm1(epsilon) ** 2 / 2 * delta**2 * (1 + 1e-9)


def _channel(inputs: int, epsilon: float, rng: np.random.Generator) -> np.ndarray:
    """A random channel of this level: rows between a base and e^ε times it, closed by what is left of each."""
    high = rng.random((inputs, 6)) < 0.5
    rows = np.where(high, math.exp(epsilon), 1.0) * rng.dirichlet(np.ones(6))
    short = rows.sum(axis=1).max() - rows.sum(axis=1)
    # What is missing goes half into each of two more outputs, whose own ratio is kept by a common part.
    common = max(short.max() / math.expm1(epsilon), 1e-12)
    rows = np.column_stack([rows, (common + short)])
    rows /= rows.sum(axis=1, keepdims=True)
    assert (rows.max(axis=0) / rows.min(axis=0) <= math.exp(epsilon) * (1 + 1e-9)).all()
    return np.asarray(rows)


@pytest.mark.parametrize("d", [1, 2, 5, 20, 100])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_no_mechanism_for_vectors_errs_less_than_the_cube_allows(d: int, epsilon: float) -> None:
    n = 10**6
    least = max(
        found.value
        for found in (
            cubes.cube_le_cam(d, n, epsilon),
            cubes.cube_fano(d, n, epsilon),
            cubes.cube_assouad(d, n, epsilon),
            cubes.cube_direct(d, n),
        )
    )
    errors = [(method(slug, epsilon, d).worst_variance() + 1) / n for slug in METHODS]
    assert 0 < least / d <= min(errors)


def test_assouad_grows_with_the_square_of_the_questions_and_le_cam_does_not() -> None:
    n, epsilon = 10**8, 0.5
    for d in (2, 10, 50):
        exact = 8 / 27 * d**2 / (n * math.expm1(epsilon) ** 2)
        assert cubes.cube_assouad(d, n, epsilon).value == pytest.approx(exact, rel=0.01)
        assert cubes.cube_le_cam(d, n, epsilon).value == pytest.approx(exact / d, rel=0.01)
        fano = cubes.cube_fano(d, n, epsilon).value
        assert fano <= cubes.cube_assouad(d, n, epsilon).value


@pytest.mark.parametrize("d", [1, 2, 10, 100])
def test_no_other_worlds_prove_more_of_the_cube(d: int) -> None:
    """The bound of a cube is the largest of many corners, for few people and low levels too."""
    deltas = np.unique(np.concatenate([np.linspace(0.001, 1, 2001), np.geomspace(1e-14, 1, 6001)]))
    for n, epsilon in product((1, 2, 100, 10**6), (0.01, 0.5, 3.0, 20.0)):
        grown = math.expm1(epsilon)
        alike = d * deltas**2 / 2 * (1 - grown * deltas * math.sqrt(n) / 2)
        single = deltas**2 / 2 * (1 - (n * grown**2 * deltas**2 / (8 * d) + math.log(2)) / math.log(2 * d))
        with np.errstate(divide="ignore"):
            corners = d * deltas**2 / 2 * (1 - grown / 2 * deltas * np.sqrt(n / d / (1 - deltas**2)))
        for found, others in (
            (cubes.cube_le_cam(d, n, epsilon), alike),
            (cubes.cube_fano(d, n, epsilon), single if d > 1 else np.zeros(1)),
            (cubes.cube_assouad(d, n, epsilon), corners),
        ):
            assert others.max() <= found.value * (1 + 1e-12)
            assert found.value == pytest.approx(others.max(), rel=1e-3)


@for_each("loss", [*losses.USUAL.values()], ids=lambda loss: loss.slug)
@for_each("problem", [*EVERY], ids=named)
def test_no_other_error_sum_proves_more(problem: Problem, loss: Loss) -> None:
    etas = np.linspace(0, 1, 5002)[1:-1]
    for n, epsilon in ((1, 0.01), (1, 1.0), (100, 0.1), (10**6, 3.0)):
        private = problem.tv(np.minimum(2 * (1 - etas) / math.sqrt(n * math.expm1(epsilon) ** 2), 1.0))
        size = bounds.effective_size(n, epsilon)
        for found, gaps in (
            (bounds.private_lower_bound(problem, loss, size).value, private),
            (bounds.direct_lower_bound(problem, loss, n), problem.hellinger(bounds.hellinger_gap(n, etas))),
        ):
            others = loss(gaps / 2) * etas / 2
            assert others.max() <= found * (1 + 1e-9)


@pytest.mark.parametrize("n", [1, 2, 3, 101, 10**4])
def test_no_other_two_coins_prove_more(n: int) -> None:
    deltas = np.linspace(0, min(1.0, 8 / math.sqrt(n)), 20_001)
    mistaken = 2 * stats.binom.cdf((n + 1) // 2 - 1, 2 * ((n + 1) // 2) - 1, (1 + deltas) / 2)
    assert cubes.cube_direct(1, n).value == pytest.approx(float((deltas**2 / 2 * mistaken).max()), rel=1e-7)


# Refusals


@pytest.mark.parametrize(
    ("slug", "fields", "said"),
    [
        ("heavy", {"kappa": 1.0}, "kappa must be greater than 1"),
        ("heavy", {"bound": 0.0}, "bound must be greater"),
        ("heavy", {"bound": -1.0}, "bound must be greater"),
        ("density", {"bound": 0.0}, "bound must be greater"),
        ("density", {"beta": 1.0, "order": 1}, "beta must be greater than the order of the derivative, 1; got 1.0"),
        ("density", {"beta": 0.0}, "beta must be greater than 0"),
        ("density", {"x0": 11.0}, "x0 must be at least -10"),
        ("endpoint", {"most": 0.0}, "most must be greater"),
        ("moment", {"power": 0}, "power must be a whole number"),
    ],
)
def test_what_is_no_problem_is_refused(slug: str, fields: dict[str, float], said: str) -> None:
    with pytest.raises(ParameterError, match="must be") as caught:
        problem_of(slug)(**fields)
    assert said in str(caught.value)


def test_nobody_and_no_level_are_refused_everywhere() -> None:
    for problem in EVERY:
        for n, epsilon in ((0, 1.0), (100, 0.0), (100, 51.0)):
            with pytest.raises(ParameterError):
                problem.recipe(epsilon, n)
            with pytest.raises(ParameterError):
                bounds.lower_bound(problem, SQUARED, n, epsilon)
        with pytest.raises(ParameterError):
            problem.pair(0.0)
    for bound in (cubes.cube_le_cam, cubes.cube_fano, cubes.cube_assouad):
        for d, n in ((0, 10), (2, 0)):
            with pytest.raises(ParameterError):
                bound(d, n, 1.0)


def test_every_problem_is_registered_once() -> None:
    slugs = [problem.slug for problem in PROBLEMS]
    assert len(set(slugs)) == len(slugs) == 6
    assert [type(problem) for problem in EVERY if problem == type(problem)()]
    assert {type(problem) for problem in EVERY} == set(PROBLEMS)
