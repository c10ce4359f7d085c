"""Two coins: any design, with its level, its estimate, or the reason why there is none."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ldpcore.mechanisms.base import ReportTally
from ldpcore.mechanisms.coins import TwoCoins
from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.parameters import ParameterError
from ldpcore.people.populations import Population
from tests.conformance import instances
from tests.statistics import accept_counts


def test_two_fair_coins_protect_with_ln_3_and_cost_three_quarters() -> None:
    coins, n = TwoCoins.of_flips(), 1000
    assert (coins.yes_given_yes, coins.yes_given_no) == (0.75, 0.25)
    assert coins.guarantee().epsilon == pytest.approx(math.log(3), rel=1e-15) == pytest.approx(1.098612, abs=5e-7)
    for yes in (0, 300, 1000):
        population = Population.of_categories([n - yes, yes])
        assert coins.variance(population) == pytest.approx([0.75 / n] * 2, rel=1e-15)
    assert coins.estimate(ReportTally(np.array([600, 400]), n)) == pytest.approx([1 - 0.3, 2 * 0.4 - 0.5])


def test_a_yes_proves_little_posterior_one_quarter_where_one_in_ten_is_true() -> None:
    assert TwoCoins.of_flips().posterior(0.1) == pytest.approx(0.25)
    share = np.array([0.05, 0.3, 0.9])
    assert TwoCoins.of_flips().posterior(share) == pytest.approx(3 * share / (1 + 2 * share))
    assert np.array_equal(TwoCoins(0.5, 0.0).posterior([0.0, 0.2]), [np.nan, 1.0], equal_nan=True)


def test_the_best_coins_for_a_level_are_randomized_response() -> None:
    for level in (0.1, 0.5, 1.0, math.log(3), 2.0):
        warner = RandomizedResponse(level)
        coins = TwoCoins(warner.p, warner.q)
        assert coins.guarantee().epsilon == pytest.approx(level, rel=1e-12)
        assert coins.best_guess() == pytest.approx(warner.best_guess())
        population = Population.of_categories([700, 300])
        assert coins.variance(population) == pytest.approx(warner.variance(population), rel=1e-12)


def test_an_answer_impossible_for_one_group_leaves_no_finite_level_but_an_estimate() -> None:
    for coins in (TwoCoins(1.0, 0.5), TwoCoins(0.5, 0.0), TwoCoins(0.0, 0.25), TwoCoins(1.0, 0.0), TwoCoins(0.0, 1.0)):
        assert coins.guarantee().epsilon == math.inf == coins.claim().epsilon
        assert np.isfinite(coins.estimate(ReportTally(np.array([40, 60]), 100))).all()
    assert TwoCoins(0.5, 0.5).guarantee().epsilon == 0 == TwoCoins(1.0, 1.0).guarantee().epsilon


def test_coins_that_ignore_the_truth_are_refused_an_estimate_in_one_sentence() -> None:
    coins = TwoCoins(0.4, 0.4)
    assert np.isinf(coins.variance(Population.of_categories([5, 5]))).all()
    with pytest.raises(ParameterError, match=r"must differ, or the answers carry nothing; got 0\.4"):
        coins.estimate(ReportTally(np.array([6, 4]), 10))
    with pytest.raises(ParameterError, match="at least one report; got 0"):
        TwoCoins.of_flips().estimate(ReportTally(np.array([0, 0]), 0))


def test_estimate_and_variance_are_exact_by_enumeration() -> None:
    for coins in instances(TwoCoins):
        if coins.gap == 0:
            continue
        chances = coins.channel().matrix
        answers = np.array([coins.estimate(ReportTally(np.eye(2, dtype=int)[answer], 1)) for answer in (0, 1)])
        assert chances @ answers == pytest.approx(np.eye(2), abs=1e-12)
        spread = chances @ answers**2 - (chances @ answers) ** 2
        for counts in ([3, 0], [2, 5], [0, 4]):
            population = Population.of_categories(counts)
            exact = population.counts @ spread / population.n**2
            assert coins.variance(population) == pytest.approx(exact, abs=1e-14)
            assert coins.variance_of_shares(population.shares[1], population.n) == pytest.approx(exact[1], abs=1e-14)


def test_both_routes_draw_the_yeses_with_their_exact_law() -> None:
    coins, population = TwoCoins(0.8, 0.3), Population.of_categories([2, 3])
    law = np.array([1.0])
    for chance in (0.3, 0.3, 0.8, 0.8, 0.8):
        law = np.convolve(law, [1 - chance, chance])
    rng = np.random.default_rng(3)
    direct = coins.sample_tally(population, rng, 20_000).counts
    assert (direct.sum(axis=0) == 5).all()
    assert accept_counts(np.bincount(direct[1], minlength=6), law)
    values = np.repeat([0, 1], [2, 3])
    users = np.array([coins.tally(coins.privatize(values, rng)).counts[1] for _ in range(5000)])
    assert accept_counts(np.bincount(users, minlength=6), law)
    assert not accept_counts(np.bincount(direct[0], minlength=6), law), "the noes do not have the law of the yeses"
