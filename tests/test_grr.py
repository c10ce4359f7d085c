"""Randomized response for two and for k answers: the printed numbers, and both routes against the exact law."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ldpcore.mechanisms.base import LocalRandomizer
from ldpcore.mechanisms.grr import GeneralizedRandomizedResponse, RandomizedResponse
from ldpcore.people.populations import Population
from tests.statistics import accept_normal, accept_variance
from tests.test_unary import fits, law_of_count


@pytest.mark.parametrize(
    ("epsilon", "p", "variance"),
    [
        (0.1, 0.524979, 99.9167),
        (0.5, 0.622459, 3.917698),
        (1.0, 0.731059, 0.920674),
        (math.log(3), 0.75, 0.75),
        (2.0, 0.880797, 0.181015),
    ],
)
def test_two_answers_have_the_printed_chance_of_truth_and_variance(epsilon: float, p: float, variance: float) -> None:
    oracle = RandomizedResponse(epsilon)
    assert round(oracle.p, 6) == p and oracle.bits() == 1
    digits = 5e-5 if epsilon < 0.2 else 5e-7
    for share in (0.0, 0.4, 1.0):
        assert float(oracle.variance_of_shares(share, 1)) == pytest.approx(variance, abs=digits)


def test_the_strictest_level_is_a_fair_coin_and_costs_one_over_its_square() -> None:
    oracle = RandomizedResponse(1e-6)
    assert oracle.p == pytest.approx(0.5 + 1e-6 / 4, rel=1e-15)
    assert 1e-12 * float(oracle.variance_of_shares(0.3, 1)) == pytest.approx(1, rel=1e-12)


@pytest.mark.parametrize(("k", "variance"), [(2, 0.9207), (4, 1.5981), (10, 3.6302), (32, 11.0816)])
def test_variance_of_a_rare_value_at_level_one_is_the_printed_one(k: int, variance: float) -> None:
    assert round(float(GeneralizedRandomizedResponse(1.0, k).variance_of_shares(0, 1)), 4) == variance


@pytest.mark.parametrize(
    ("epsilon", "k", "p", "q"),
    [(1.0, 10, 0.231969, 0.085337), (1.0, 15, 0.162593, 0.059815), (2.0, 15, 0.345460, 0.046753)],
)
def test_chances_of_truth_and_of_each_lie_are_the_printed_ones(epsilon: float, k: int, p: float, q: float) -> None:
    oracle = GeneralizedRandomizedResponse(epsilon, k)
    assert (round(oracle.p, 6), round(oracle.q, 6)) == (p, q)
    assert oracle.best_guess() == oracle.p and oracle.bits() == math.log2(k)


@pytest.mark.parametrize("epsilon", [1e-6, 0.1, 1.0, 4.0, 50.0])
def test_variance_equals_its_closed_form_at_both_ends(epsilon: float) -> None:
    # [q(1-q) + f(p-q)(1-p-q)]/(p-q)² is ((e^ε+k-2) + f(e^ε-1)(k-2))/(e^ε-1)².
    whole = math.expm1(epsilon)
    for k in (2, 7, 10_000):
        for f in (0.0, 0.25, 1.0):
            exact = (whole + k - 1 + f * whole * (k - 2)) / whole**2
            found = float(GeneralizedRandomizedResponse(epsilon, k).variance_of_shares(f, 1))
            assert math.isclose(found, exact, rel_tol=1e-12), (k, f)


def test_both_routes_have_the_exact_law_of_a_count_and_covariances_that_independent_counts_have_not() -> None:
    # n = 400, rate 1e-10 each. Two counts together: every report names one value, so their covariance is negative.
    oracle, population = GeneralizedRandomizedResponse(1.0, 6), Population.of_categories([200, 120, 60, 20, 0, 0])
    rng, counts = np.random.default_rng(31), population.counts
    routes = (
        oracle.sample_tally(population, rng, 20_000).counts,
        LocalRandomizer.sample_tally(oracle, population, rng, 3000).counts,
    )
    shape = (6, 20_000)
    own, others = counts[:, None], 400 - counts[:, None]
    independent = rng.binomial(own, oracle.p, shape) + rng.binomial(others, oracle.q, shape)
    law = law_of_count(oracle, 200, 200)
    e = math.e
    # One of the first two values is named with (e+1)/(e+5) by their holders, with 2/(e+5) by all others.
    high, low = (e + 1) / (e + 5), 2 / (e + 5)
    variance = 320 * high * (1 - high) + 80 * low * (1 - low)
    for draws in routes:
        assert (draws.sum(axis=0) == 400).all() and fits(draws[0], law)
        together = draws[0] + draws[1] - (320 * high + 80 * low)
        assert accept_normal(together.mean(), 0, math.sqrt(variance / len(together)))
        assert accept_variance(together, variance)
    assert fits(independent[0], law)
    apart = independent[0] + independent[1] - (320 * high + 80 * low)
    assert not accept_variance(apart, variance), "the control must fail"
