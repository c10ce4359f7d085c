"""Planted mistakes about limits: moduli, bumps, worst worlds, estimators, bounds, cubes, and the page's questions.

As in `test_planted.py`, each breaks one place, and a named test must turn red for it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from ldpcore.experiments.limits import plan, rate
from ldpcore.laws.guessing import assouad
from ldpcore.limits import bounds, cubes, moduli
from ldpcore.limits.constructive import Truncated
from ldpcore.limits.problems import BoundedMoment, EventShare, HeavyMean, density
from ldpcore.numerics import bumps
from ldpcore.numerics.bisection import least_up_to
from tests import test_limits, test_limits_experiments
from tests.test_planted import Mistake

HEAVY, EVENT, MEAN = HeavyMean(2.0, 1.0), EventShare(), BoundedMoment()
ROOTS = moduli.tv_from_hellinger

MODULI = (
    Mistake(
        "a modulus: half of the Hellinger modulus",
        (moduli, "tv_from_hellinger", lambda h: ROOTS(h) / 2),
        lambda: test_limits.test_the_moduli_of_a_bounded_mean_are_those_of_a_linear_program(MEAN, 0.2),
    ),
    Mistake(
        "the worst worlds: worlds that are twice as far apart",
        (
            EventShare,
            "pair",
            lambda self, distance: (self.coin(0.5 + distance, "shifted"), self.coin(0.5 - distance, "shifted")),
        ),
        lambda: test_limits.test_the_worst_worlds_are_as_far_apart_and_as_different_as_they_say(EVENT),
    ),
)


ESTIMATORS = (
    Mistake(
        "an estimator's risk: clipping in place of cutting",
        (Truncated, "__call__", lambda self, x: np.clip(x, -self.limit, self.limit)),
        lambda: test_limits.test_the_largest_bias_is_attained_where_that_is_said(HEAVY),
    ),
    Mistake(
        "a best setting: a limit that forgets kappa",
        (HeavyMean, "limit", lambda self, epsilon, n: max(self.radius, n**0.5)),
        lambda: test_limits.test_no_other_limit_is_better(4.0, 10**6),
    ),
)


def chained(d: int, n: int, epsilon: float) -> cubes.CubeBound:
    """Coordinates that are told about independently of each other, as if each had its own report."""
    grown = math.expm1(epsilon) / 2 * math.sqrt(n) / d**2
    values = [assouad(delta**2 / 2, np.full(d, min(grown * delta, 1.0))) for delta in np.geomspace(1e-6, 0.99, 300)]
    return cubes.CubeBound(max(values), 0.5)


BOUNDS = (
    Mistake(
        "a lower bound: a sharper bound that is too sharp",
        (bounds, "SHARPER", math.sqrt(80)),
        lambda: test_limits.test_the_sharper_bound_is_larger_and_still_below_what_is_achieved(1.0),
    ),
    Mistake(
        "a lower bound: a report for each coordinate",
        (test_limits.cubes, "cube_assouad", chained),
        lambda: test_limits.test_no_mechanism_for_vectors_errs_less_than_the_cube_allows(100, 0.1),
    ),
)

QUESTIONS = (
    Mistake(
        "an exponent: an exponent that forgets the loss",
        (rate.RateResult, "theory", property(lambda self: rate.Slopes(-0.5, -0.5, -0.5, -1.0))),
        lambda: test_limits_experiments.test_fitted_slopes_are_the_exponents_for_every_loss(HEAVY, "root"),
    ),
    Mistake(
        "the fewest people: one person too few",
        (plan, "least_up_to", lambda fits, most: (least_up_to(fits, most) or 2) - 1),
        lambda: test_limits_experiments.test_the_plan_names_the_fewest(EVENT),
    ),
)
ALL = (*MODULI, *ESTIMATORS, *BOUNDS, *QUESTIONS)


@pytest.fixture(autouse=True)
def tables_are_made_anew() -> Any:
    for cached in (density._hellinger_table, bumps.largest):
        cached.cache_clear()
    yield
    for cached in (density._hellinger_table, bumps.largest):
        cached.cache_clear()


@pytest.mark.parametrize("mistake", ALL, ids=str)
def test_a_planted_mistake_about_limits_is_caught(mistake: Mistake, monkeypatch: pytest.MonkeyPatch) -> None:
    mistake.is_caught(monkeypatch)
