"""The adviser's choice is the argmin of simulated error, and its crossings are where the formulas put them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ldpcore.estimating.adviser import Adviser, candidates, comparable, member_at, treats_values_alike
from ldpcore.experiments.frequencies import FrequencyPlan
from ldpcore.mechanisms import of_kind
from ldpcore.mechanisms.additive import SummationHistogramEncoding
from ldpcore.mechanisms.base import CategoryRandomizer
from ldpcore.mechanisms.grr import GeneralizedRandomizedResponse, RandomizedResponse
from ldpcore.parameters import ParameterError
from ldpcore.people.populations import Population
from tests.rationing import shared
from tests.statistics import RATE

GRID = [(epsilon, k) for epsilon in (0.5, 1.0, 2.0, 4.0) for k in (2, 6, 12, 50)]


def simulated_errors(adviser: Adviser, repeats: int) -> dict[str, tuple[float, float]]:
    """Mean squared error over all values, and its standard error, of each candidate."""
    found = {}
    for randomizer in comparable(adviser.epsilon, adviser.population.k):
        tally = adviser.population, np.random.default_rng(11), repeats
        squares = (randomizer.estimate(randomizer.sample_tally(*tally)) - adviser.population.shares[:, None]) ** 2
        by_run = squares.mean(axis=0)
        found[randomizer.slug] = float(by_run.mean()), float(by_run.std() / math.sqrt(repeats))
    return found


@pytest.mark.parametrize(("epsilon", "k"), shared(GRID, 5))
def test_the_choice_is_the_argmin_of_simulated_error(epsilon: float, k: int) -> None:
    # The best by simulation is the adviser's, or nearer to it than 6.5 standard errors of the difference (rate 1e-10
    # by the normal tail of a mean of 3 000 runs); the exact error of every candidate is within as many of its mean.
    adviser = Adviser(Population.zipf(k, 5000), epsilon)
    advice, simulated = adviser.run(), simulated_errors(adviser, 3000)
    assert {option.randomizer.slug for option in advice.options} == set(simulated)
    for option in advice.options:
        mean, error = simulated[option.randomizer.slug]
        assert abs(mean - option.error) <= 6.5 * error, (option, mean, error)
    chosen = simulated[advice.best.randomizer.slug]
    argmin = min(simulated.values())
    assert chosen[0] - argmin[0] <= 6.5 * math.hypot(chosen[1], argmin[1]) and RATE == 1e-10
    clear = [option for option, margin in zip(advice.options, advice.margins, strict=True) if margin > 1.5]
    assert all(simulated[option.randomizer.slug][0] > argmin[0] for option in clear)


def test_the_mean_over_values_does_not_depend_on_the_population() -> None:
    for randomizer in comparable(1.0, 12):
        for population in (
            Population.uniform(12, 6000),
            Population.zipf(12, 6000),
            Population.two_point(12, 6000, 0.3),
        ):
            error = Adviser(population, 1.0).error(randomizer)
            assert math.isclose(error, float(randomizer.variance(population).mean()), rel_tol=1e-10)
            worst = Adviser(population, 1.0, criterion="worst").error(randomizer)
            assert math.isclose(worst, float(randomizer.variance(population).max()), rel_tol=1e-12)
            rare = Adviser(population, 1.0, criterion="rare").error(randomizer)
            assert math.isclose(rare, float(randomizer.variance_of_shares(0.0, 6000)), rel_tol=1e-12)


@pytest.mark.parametrize(("epsilon", "first"), [(1.0, 11), (2.0, 25), (4.0, 166)])
def test_direct_answers_lose_to_unary_encoding_from_k_of_3_e_to_the_epsilon_plus_2(epsilon: float, first: int) -> None:
    # 3e^ε + 2 = 10.15, 24.17 and 165.79 at ε = 1, 2 and 4.
    people = (Population.uniform(k, 1000) for k in range(2, 2 * first))
    best = [Adviser(each, epsilon, criterion="rare", among=("grr", "oue")).run().best for each in people]
    assert [option.randomizer.slug for option in best if option] == ["grr"] * (first - 2) + ["oue"] * first
    assert first == math.ceil(3 * math.exp(epsilon) + 2)


def test_a_cap_on_bits_leaves_only_short_reports() -> None:
    population = Population.zipf(64, 1000)
    free, capped = Adviser(population, 1.0).run(), Adviser(population, 1.0, bits=8).run()
    assert capped.best.bits <= 8 < free.best.bits or free.best.bits <= 8
    assert capped.best.error >= free.best.error
    affordable = [option.affordable for option in capped.options]
    assert affordable == sorted(affordable, reverse=True) and not all(affordable)
    impossible = Adviser(population, 1.0, bits=1).run()
    assert impossible.best is None


def test_error_margins_are_ratios_to_the_best() -> None:
    advice = Adviser(Population.zipf(40, 1000), 1.0).run()
    assert advice.margins[0] == 1 and list(advice.margins) == sorted(advice.margins)
    variances = [float(option.randomizer.variance_of_shares(1 / 40, 1000)) for option in advice.options]
    assert advice.margins == pytest.approx([variance / variances[0] for variance in variances])


def test_members_without_a_level_or_for_one_k_only_are_no_candidates() -> None:
    assert member_at(RandomizedResponse, 1.0, 2) is None
    assert member_at(GeneralizedRandomizedResponse, 1.0, 2) == GeneralizedRandomizedResponse(1.0, 2)
    assert member_at(GeneralizedRandomizedResponse, 1.0, 1) is None
    slugs = {randomizer.slug for randomizer in candidates(1.0, 5)}
    assert slugs <= {member.slug for member in of_kind(CategoryRandomizer)} and "grr" in slugs
    for randomizer in candidates(1.0, 5):
        assert randomizer.guarantee().epsilon <= 1.0 + 1e-9, randomizer


def test_the_adviser_refuses_unknown_criteria() -> None:
    with pytest.raises(ParameterError, match="criterion must be one of"):
        Adviser(Population.uniform(3, 10), 1.0, criterion="best")
    with pytest.raises(ParameterError, match="bits must be"):
        Adviser(Population.uniform(3, 10), 1.0, bits=0.0)


def test_equal_errors_keep_the_order_of_the_registry() -> None:
    # Both have n·Var = ((e^ε+1)/(e^ε-1))² for every share, written with different roundings.
    for epsilon in (0.1, 1.0, 2.7):
        first, second = Adviser(Population.uniform(20, 1000), epsilon, among=("hadamard", "blh")).run().options
        assert (first.randomizer.slug, second.randomizer.slug) == ("blh", "hadamard")
        assert math.isclose(first.error, second.error, rel_tol=1e-12)


def test_only_mechanisms_that_treat_all_values_alike_are_compared() -> None:
    chosen, all_of_them = comparable(1.0, 6), candidates(1.0, 6)
    assert len(chosen) >= 9 and [randomizer for randomizer in all_of_them if randomizer in chosen] == list(chosen)
    for randomizer in chosen:
        # Moving the shares around moves the variances with them.
        variance = randomizer.variance(Population.of_categories([50, 20, 10, 10, 5, 5]))
        moved = randomizer.variance(Population.of_categories([5, 5, 10, 10, 20, 50]))
        assert np.allclose(variance, moved[::-1], rtol=1e-12) and treats_values_alike(type(randomizer))
    assert comparable(1.0, 6, among=("rappor",)) == ()


@pytest.mark.parametrize(("n", "share", "width", "confidence"), [(50, 0.02, 0.081, 0.95), (200, 0.02, 0.051, 0.99)])
def test_of_summed_noise_the_first_level_is_needed_where_less_is_proved_of_higher_ones(
    n: int, share: float, width: float, confidence: float
) -> None:
    plan = FrequencyPlan(SummationHistogramEncoding(1.0, 4), n, share, width, confidence)
    needed = plan.needed()
    assert needed is not None and 14 < needed < 15
    for level in (*np.geomspace(0.01, 0.9999 * needed, 40), needed):
        fits = plan.reach(SummationHistogramEncoding(float(level), 4), n) <= width
        assert fits == (level == needed), level
