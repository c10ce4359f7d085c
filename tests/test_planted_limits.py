"""Planted mistakes about limits: moduli, bumps, worst worlds, estimators, bounds, cubes, and the page's questions.

As in `test_planted.py`, each breaks one place, and a named test must turn red for it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from ldpcore.experiments import limits
from ldpcore.experiments.limits import plan, rate, vectors
from ldpcore.experiments.limits import worlds as pairs
from ldpcore.laws.guessing import assouad
from ldpcore.limits import bounds, cubes, moduli, worlds
from ldpcore.limits import errorlosses as losses
from ldpcore.limits.constructive import Bit, EstimatorRecipe, Truncated
from ldpcore.limits.problems import (
    BoundedMoment,
    EventShare,
    Exponents,
    HeavyMean,
    SmoothDensity,
    UniformEndpoint,
    bounded,
    density,
    heavy,
)
from ldpcore.numerics import bumps
from ldpcore.numerics.bisection import least_up_to
from ldpcore.numerics.kernels import StepFunction, alternating
from tests import test_limits, test_limits_experiments
from tests.test_planted import Mistake

HEAVY, EVENT, MEAN, ENDPOINT = HeavyMean(2.0, 1.0), EventShare(), BoundedMoment(), UniformEndpoint(3.0)
STEEP = SmoothDensity(2.0, 1, 0.5, 1.0)
ROOTS = moduli.tv_from_hellinger
BOUND, GAP, ETAS = bounds.lower_bound, bounds.tv_gap, bounds.PARTS
DRAWN, KERNEL, CHANCE, DIRECT = EstimatorRecipe.estimates, density.kernel, Bit.chance, SmoothDensity.direct

MODULI = (
    Mistake(
        "half of the Hellinger modulus",
        moduli,
        "tv_from_hellinger",
        lambda h: ROOTS(h) / 2,
        lambda: test_limits.test_the_moduli_of_a_bounded_mean_are_those_of_a_linear_program(MEAN, 0.2),
    ),
    Mistake(
        "the printed modulus in place of the largest",
        heavy.moduli,
        "heavy_tv",
        lambda kappa, bound, eps: (bound / 2) ** (1 / kappa) * np.minimum(eps, 1) ** (1 - 1 / kappa),
        lambda: test_limits.test_the_moduli_of_a_heavy_mean_are_those_of_a_linear_program(2.0, 0.3),
    ),
    Mistake(
        "a modulus of f without its range",
        bounded.moduli,
        "bounded_tv",
        lambda width, eps: np.asarray(eps),
        lambda: test_limits.test_the_moduli_of_a_bounded_mean_are_those_of_a_linear_program(MEAN, 0.2),
    ),
    Mistake(
        "an end of a uniform law by the variation alone",
        UniformEndpoint,
        "hellinger",
        UniformEndpoint.tv,
        lambda: test_limits.test_the_modulus_of_the_endpoint_is_that_of_all_pairs(),
    ),
    Mistake(
        "worlds that are twice as far apart",
        EventShare,
        "pair",
        lambda self, distance: (self.coin(0.5 + distance, "shifted"), self.coin(0.5 - distance, "shifted")),
        lambda: test_limits.test_the_worst_worlds_are_as_far_apart_and_as_different_as_they_say(EVENT),
    ),
)


def inverted_width(self: SmoothDensity) -> float:
    """The fraction under the root upside down."""
    steepest = bumps.largest(self.smoothness + 1)[0]
    return float((2 * bumps.whole() / (self.bound * steepest)) ** (1 / (self.beta + 1)))


BUMPS = (
    Mistake(
        "the width of the first world inverted",
        SmoothDensity,
        "spread",
        property(inverted_width),
        test_limits.test_the_first_world_is_wide_enough_and_the_inverted_width_far_too_narrow,
    ),
    Mistake(
        "a bump under the point for an odd derivative",
        SmoothDensity,
        "shift",
        property(lambda self: 0.0),
        test_limits.test_an_even_bump_under_the_point_says_nothing_of_odd_derivatives_and_a_shifted_one_does,
    ),
    Mistake(
        "more taken than there is",
        SmoothDensity,
        "widest",
        property(lambda self: self.spread),
        lambda: test_limits.test_moved_bumps_stay_in_the_class_and_differ_where_it_is_asked_for(STEEP),
    ),
    Mistake(
        "a derivative of the bump with a sign lost",
        bumps,
        "_numerator",
        lambda order: np.polynomial.Polynomial([1.0] if order == 0 else [0.0, 8.0]),
        lambda: test_limits.test_derivatives_of_the_bump_are_slopes_of_the_one_before(0),
    ),
    Mistake(
        "the bump taken and not put back",
        worlds.Smooth,
        "below",
        lambda self, x: (
            bumps.area(-0.5, (np.asarray(x) - self.x0) / self.width) / bumps.whole()
            - self.height * self.h * bumps.area(-0.5, (np.asarray(x) - self.x0) / self.h + self.shift)
        ),
        lambda: test_limits.test_means_of_the_bit_are_those_of_its_function(SmoothDensity(1.5, 1)),
    ),
    Mistake(
        "an exponent of the integer part of beta",
        SmoothDensity,
        "smoothness",
        property(lambda self: math.floor(self.beta)),
        lambda: test_limits.test_the_largest_bias_is_attained_where_that_is_said(SmoothDensity(2.0)),
    ),
)

ESTIMATORS = (
    Mistake(
        "z₀ without the sum",
        Bit,
        "z0",
        property(lambda self: self.amplitude / -math.expm1(-self.epsilon)),
        lambda: test_limits.test_risks_are_those_of_all_numbers_of_positive_reports(MEAN),
    ),
    Mistake(
        "a variance without the mean's square",
        Bit,
        "variance",
        lambda self, mean: self.z0**2 + 0 * mean,
        lambda: test_limits.test_risks_are_those_of_all_numbers_of_positive_reports(SmoothDensity(2.0)),
    ),
    Mistake(
        "a coin that says twice the mean",
        Bit,
        "chance",
        lambda self, mean: np.clip(2 * CHANCE(self, mean) - 0.5, 0, 1),
        lambda: test_limits.test_no_report_betrays_more_than_the_level_and_some_nearly_that(HEAVY, 1.0),
    ),
    Mistake(
        "a share that is not centered",
        BoundedMoment,
        "middle",
        property(lambda self: 0.0),
        lambda: test_limits.test_no_report_betrays_more_than_the_level_and_some_nearly_that(BoundedMoment(2), 1.0),
    ),
    Mistake(
        "clipping in place of cutting",
        Truncated,
        "__call__",
        lambda self, x: np.clip(x, -self.limit, self.limit),
        lambda: test_limits.test_the_largest_bias_is_attained_where_that_is_said(HEAVY),
    ),
    Mistake(
        "a limit that forgets kappa",
        HeavyMean,
        "limit",
        lambda self, epsilon, n: max(self.radius, n**0.5),
        lambda: test_limits.test_no_other_limit_is_better(4.0, 10**6),
    ),
    Mistake(
        "a width that forgets the level",
        SmoothDensity,
        "best",
        lambda self, constant, power: 0.1,
        lambda: test_limits.test_no_other_width_is_better(SmoothDensity(2.0)),
    ),
    Mistake(
        "weights for the wrong derivative",
        density,
        "kernel",
        lambda order, b: KERNEL(max(order - 1, 0), b),
        lambda: test_limits.test_the_largest_bias_is_attained_where_that_is_said(SmoothDensity(2.0, 1)),
    ),
    Mistake(
        "all weights of one sign",
        test_limits,
        "kernel",
        lambda order, b: StepFunction(alternating(order).edges, tuple(map(abs, alternating(order).heights))),
        lambda: test_limits.test_weights_see_one_derivative_and_are_blind_to_the_others(1, 2),
    ),
    Mistake(
        "the same crowd for every size",
        EstimatorRecipe,
        "estimates",
        lambda self, world, repeats, rng: DRAWN(self, world, repeats, np.random.default_rng(0)) / 2,
        lambda: test_limits_experiments.test_errors_lie_between_the_bounds_at_every_size(EVENT, 1.0),
    ),
)


def doubled(problem: Any, loss: Any, n: int, epsilon: float, eta: float | None = None) -> Any:
    found = BOUND(problem, loss, n, epsilon, eta)
    return bounds.LowerBound(40 * found.value, found.eta, found.decides)


def chained(d: int, n: int, epsilon: float) -> cubes.CubeBound:
    """Coordinates that are told about independently of each other, as if each had its own report."""
    grown = math.expm1(epsilon) / 2 * math.sqrt(n) / d**2
    values = [assouad(delta**2 / 2, np.full(d, min(grown * delta, 1.0))) for delta in np.geomspace(1e-6, 0.99, 300)]
    return cubes.CubeBound(max(values), 0.5)


BOUNDS = (
    Mistake(
        "an effective size at level zero",
        bounds,
        "effective_size",
        lambda n, epsilon: n * math.exp(epsilon) ** 2,
        test_limits.test_a_thousand_people_count_as_many_as_printed,
    ),
    Mistake(
        "a root too few",
        bounds,
        "tv_gap",
        lambda n, epsilon, eta: GAP(n, epsilon, eta) * math.sqrt(2),
        test_limits.test_the_gaps_within_which_no_test_can_tell_are_the_printed_ones,
    ),
    Mistake(
        "a sharper bound that is too sharp",
        bounds,
        "SHARPER",
        math.sqrt(80),
        lambda: test_limits.test_the_sharper_bound_is_larger_and_still_below_what_is_achieved(1.0),
    ),
    Mistake(
        "a kernel that errs more than one bit",
        SmoothDensity,
        "direct",
        lambda self, n: 2 * DIRECT(self, n),
        lambda: test_limits.test_nobody_pays_for_not_being_private(SmoothDensity(2.0, 1)),
    ),
    Mistake(
        "a bound forty times too high",
        bounds,
        "lower_bound",
        doubled,
        test_limits.test_without_privacy_in_the_way_hellinger_decides,
    ),
    Mistake(
        "eta without its best value",
        bounds,
        "PARTS",
        2,
        test_limits.test_a_linear_modulus_and_squared_loss_ask_for_a_third,
    ),
    Mistake(
        "the upper bound where the model is not convex",
        UniformEndpoint,
        "convex",
        True,
        test_limits.test_the_upper_bound_stands_only_where_its_conditions_hold,
    ),
    Mistake(
        "the upper bound from a modulus known from below",
        SmoothDensity,
        "exact_tv",
        True,
        test_limits.test_the_upper_bound_stands_only_where_its_conditions_hold,
    ),
    Mistake(
        "Huber's loss as regular as the absolute one",
        losses.Huber,
        "regularity",
        1.5,
        test_limits.test_a_loss_is_as_regular_as_it_says_and_no_more,
    ),
    Mistake(
        "an irregular loss let in",
        losses.Exponential,
        "regularity",
        3.0,
        test_limits.test_a_loss_is_as_regular_as_it_says_and_no_more,
    ),
    Mistake(
        "one exponent for private and direct",
        SmoothDensity,
        "exponents",
        property(lambda self: Exponents(2 * (self.beta - self.order) / (2 * self.beta + 1), 0.8)),
        test_limits.test_exponents_of_a_density_are_the_printed_ones,
    ),
    Mistake(
        "a report for each coordinate",
        test_limits.cubes,
        "cube_assouad",
        chained,
        lambda: test_limits.test_no_mechanism_for_vectors_errs_less_than_the_cube_allows(100, 0.1),
    ),
)

QUESTIONS = (
    Mistake(
        "an exponent that forgets the loss",
        rate.RateResult,
        "theory",
        property(lambda self: rate.Slopes(-0.5, -0.5, -0.5, -1.0)),
        lambda: test_limits_experiments.test_fitted_slopes_are_the_exponents_for_every_loss(HEAVY, "root"),
    ),
    Mistake(
        "direct people that are never found",
        rate,
        "enough",
        lambda problem, target: 1.0,
        test_limits_experiments.test_the_price_of_a_share_is_that_of_a_fair_coin,
    ),
    Mistake(
        "half an interval",
        rate,
        "quantile",
        lambda confidence: 1.0,
        test_limits_experiments.test_intervals_hold_the_exact_error_about_as_often_as_they_say,
    ),
    Mistake(
        "an achieved error under the mask",
        rate.RatePoint,
        "masked",
        lambda self: self,
        test_limits_experiments.test_nothing_is_drawn_where_nothing_is_asked_for_and_a_mask_takes_what_was,
    ),
    Mistake(
        "what one bit tells, without hiding",
        pairs,
        "_apart",
        lambda bit, first, second, n: min(n * 0.01, 1.0),
        test_limits_experiments.test_the_best_question_tells_worlds_apart_as_randomized_response_does,
    ),
    Mistake(
        "one person too few",
        plan,
        "least_up_to",
        lambda fits, most: (least_up_to(fits, most) or 2) - 1,
        lambda: test_limits_experiments.test_the_plan_names_the_fewest(EVENT),
    ),
    Mistake(
        "errors of vectors shared by all questions",
        vectors,
        "squared_error",
        lambda slug, epsilon, d, n: vectors.method(slug, epsilon, 1).worst_variance() / n / d,
        lambda: test_limits_experiments.test_no_method_for_vectors_is_below_the_bound(0.5),
    ),
    Mistake(
        "a level that no bound reaches",
        limits.AgainstLevel,
        "_meets",
        lambda self: 1.0,
        lambda: test_limits_experiments.test_a_large_level_meets_the_direct_bound_and_a_falling_one_a_plateau(EVENT),
    ),
)
FAMILIES = {"moduli": MODULI, "bumps": BUMPS, "estimators": ESTIMATORS, "bounds": BOUNDS, "questions": QUESTIONS}
ALL = tuple(mistake for family in FAMILIES.values() for mistake in family)


@pytest.fixture(autouse=True)
def tables_are_made_anew() -> Any:
    for cached in (density._hellinger_table, bumps.largest):
        cached.cache_clear()
    yield
    for cached in (density._hellinger_table, bumps.largest):
        cached.cache_clear()


@pytest.mark.parametrize("mistake", ALL, ids=lambda mistake: mistake.name)
def test_a_planted_mistake_about_limits_is_caught(mistake: Mistake, monkeypatch: pytest.MonkeyPatch) -> None:
    mistake.is_caught(monkeypatch)


def test_every_family_of_limits_has_mistakes_of_its_own() -> None:
    assert len(ALL) >= 35 and all(FAMILIES.values())
    assert len({mistake.name for mistake in ALL}) == len(ALL)
