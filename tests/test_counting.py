"""The notebook's numbers, and every formula of the counting page by an independent route."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import integrate, stats

from ldpcore.experiments.counting.ratios import RatioOfReleases
from ldpcore.experiments.counting.releases import (
    Afterwards,
    AgainstUsers,
    CountingExperiment,
    CountPlan,
    ErrorCurve,
    level_grid,
)
from ldpcore.experiments.counting.tableplan import TablePlan
from ldpcore.mechanisms import of_kind
from ldpcore.mechanisms.additivenoise import AdditiveNoise
from ldpcore.mechanisms.centralgaussian import GaussianMechanism
from ldpcore.mechanisms.discretelaplace import DiscreteLaplaceMechanism
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.mechanisms.staircase import StaircaseMechanism
from ldpcore.parameters import ParameterError
from ldpcore.tables.queries import Mean
from tests.statistics import RATE, accept_gamma_mean, accept_normal, accept_sample

NOISE = LaplaceMechanism(0.1)
RELATIONS = ("add-remove", "replace-one")
WOMEN = CountingExperiment(NOISE, answer=3, n=5)
INCOME = CountingExperiment(NOISE, answer=882, n=2584)
TEN_RELEASES = (3.262, 7.938, -14.134, -7.367, -7.230, 7.133, -1.879, 21.059, -3.646, 1.239)


def test_a_counts_noise_at_level_a_tenth_has_scale_ten_and_deviation_14() -> None:
    assert NOISE.scale == 10
    assert math.isclose(math.sqrt(NOISE.variance()), 14.142, abs_tol=5e-4)


def test_ten_releases_differ_and_may_be_negative_or_larger_than_the_crowd() -> None:
    releases = WOMEN.run().releases
    assert len(set(releases)) == 10
    assert releases.min() < 0 or releases.max() > 5


def test_the_notebooks_ten_releases_are_likely_under_the_exact_law() -> None:
    assert accept_sample(np.sort(TEN_RELEASES), NOISE.cdf(np.sort(TEN_RELEASES), 3))
    assert abs(np.mean(TEN_RELEASES) - 3) <= 3 * math.sqrt(NOISE.variance() / 10)
    assert math.isclose(np.mean(TEN_RELEASES), 0.638, abs_tol=6e-4)


@pytest.mark.parametrize(
    ("epsilon", "printed", "expected", "standard_error"),
    [
        (0.1, 10.195913853593376, 10, 0.31623),
        (0.1, 10.162349224130608, 10, 0.31623),
        (0.9, 1.1435958179320247, 1.1111, 0.03514),
    ],
)
def test_the_notebooks_mean_deviation_of_1000_runs_is_within_three_standard_errors(
    epsilon: float, printed: float, expected: float, standard_error: float
) -> None:
    result = replace(INCOME, mechanism=LaplaceMechanism(epsilon), repeats=1000).run()
    assert math.isclose(result.error, expected, abs_tol=5e-5)
    assert math.isclose(result.standard_error, standard_error, abs_tol=5e-6)
    assert abs(printed - result.error) <= 3 * result.standard_error


@pytest.mark.parametrize(("epsilon", "low", "high"), [(0.1, 8.53, 11.63), (0.9, 0.9476, 1.2916)])
def test_acceptance_region_of_1000_runs_is_the_exact_gamma_one(epsilon: float, low: float, high: float) -> None:
    law = stats.gamma(1000, scale=1 / epsilon / 1000)
    assert law.ppf(5e-7) == pytest.approx(low, abs=6e-3 / epsilon / 10)
    assert law.isf(5e-7) == pytest.approx(high, abs=6e-3 / epsilon / 10)


@pytest.mark.parametrize("repeats", [1, 1000, 10**9, 10**12])
def test_simulated_error_of_many_releases_fits_the_gamma_law(repeats: int) -> None:
    for seed in range(5):
        result = replace(WOMEN, repeats=repeats, seed=seed).run()
        assert accept_gamma_mean(result.simulated_error, 10, repeats, RATE)


def test_total_error_drawn_at_once_has_the_law_of_errors_added_one_by_one() -> None:
    rng = np.random.default_rng(3)
    at_once = np.sort([NOISE.total_absolute_error(3, rng) for _ in range(20_000)])
    assert accept_sample(at_once, stats.gamma(3, scale=10).cdf(at_once))
    one_by_one = np.sort(np.abs(rng.laplace(0, 10, (20_000, 3))).sum(axis=1))
    assert accept_sample(one_by_one, stats.gamma(3, scale=10).cdf(one_by_one))


def test_five_people_are_drowned_by_200_percent() -> None:
    errors = AgainstUsers(NOISE, answer=3, n=5).run()
    assert errors.true_share == pytest.approx(0.60)
    assert errors.error_share == pytest.approx(2.00)
    assert errors.span == pytest.approx((-1.40, 2.60)), "the story's 260 % is one end of a range with both signs"


def test_2584_people_lose_four_thousandths() -> None:
    errors = AgainstUsers(NOISE, answer=882, n=2584).run()
    assert errors.true_share == pytest.approx(0.34133, abs=5e-6)
    assert errors.error_share == pytest.approx(0.00387, abs=5e-6)
    assert errors.span[1] == pytest.approx(0.3452, abs=5e-5)
    assert AgainstUsers(LaplaceMechanism(0.9), 882, 2584).run().error_share == pytest.approx(0.00043, abs=5e-6)


def test_error_does_not_depend_on_the_crowd_and_its_share_falls_as_one_over_n() -> None:
    assert WOMEN.run().error == INCOME.run().error == 10
    curve = AgainstUsers(NOISE, 3, 5).run()
    assert np.allclose(curve.shares * curve.sizes, 10)
    assert 5.0 in curve.sizes


def test_error_curve_is_scale_over_level_with_its_standard_error() -> None:
    curve = ErrorCurve(LaplaceMechanism(1.0, sensitivity=2), level_grid(), repeats=10**9).run()
    assert np.allclose(curve.exact, 2 / np.array(level_grid()))
    assert np.allclose(curve.standard_error, curve.exact / math.sqrt(10**9))
    assert all(
        accept_gamma_mean(simulated, exact, 10**9)
        for simulated, exact in zip(curve.simulated, curve.exact, strict=True)
    )


def test_categories_released_together_get_noise_of_the_histograms_sensitivity() -> None:
    counts = (10, 0, 7) * 5000
    result = TablePlan(LaplaceMechanism(0.5, neighbors="replace-one"), (counts,)).run()
    assert result.lifted == 2
    noise = np.sort(result.released[0] - counts)
    assert accept_sample(noise, stats.laplace(scale=4).cdf(noise))


AFTERWARDS = [
    Afterwards(LaplaceMechanism(0.1), 3, 5),
    Afterwards(LaplaceMechanism(0.1, neighbors="replace-one"), 3, 5),
    Afterwards(LaplaceMechanism(1.0), 0, 5),
    Afterwards(LaplaceMechanism(0.3), 8, 20, limit=10),
    Afterwards(LaplaceMechanism(0.3, neighbors="replace-one"), 5, 5),
    Afterwards(LaplaceMechanism(3.0), 2, 9, limit=2),
    Afterwards(LaplaceMechanism(0.4), 9, 20, limit=4),
    Afterwards(GaussianMechanism(0.4, 1e-6), 9, 20, limit=14),
    Afterwards(GaussianMechanism(0.8, 1e-5, neighbors="replace-one"), 3, 7),
    Afterwards(DiscreteLaplaceMechanism(0.5), 2, 20, limit=6),
    Afterwards(StaircaseMechanism(0.7), 5, 20, limit=4),
    Afterwards(StaircaseMechanism(3.0), 1, 20),
]


@pytest.mark.parametrize("question", AFTERWARDS)
def test_bias_and_error_of_rounding_and_clamping_equal_enumeration(question: Afterwards) -> None:
    """Over all whole numbers near enough, by the noise's own distribution from ½ below to ½ above each."""
    whole = np.arange(-2000, 2001)
    law = np.diff(question.mechanism.cdf(np.append(whole, 2001) - 0.5, 0.0))
    clamped = np.clip(question.answer + whole, 0, question.ceiling) - question.answer
    result = question.run()
    assert law.sum() == pytest.approx(1, abs=1e-12)
    assert result.bias == pytest.approx(law @ clamped, abs=1e-9)
    assert result.error == pytest.approx(law @ np.abs(clamped), abs=1e-9)


@pytest.mark.parametrize("member", of_kind(AdditiveNoise), ids=lambda member: member.slug)  # type: ignore[type-abstract]
def test_a_count_that_is_rounded_afterwards_has_the_noise_that_was_drawn(member: type[AdditiveNoise]) -> None:
    """By a hundred thousand releases of each mechanism; at 1e-10 each."""
    question = Afterwards(member.starting(epsilon=0.2), 6, 40)
    released = question.mechanism.release(np.full(10**5, 6), np.random.default_rng(7))
    off = np.abs(np.maximum(np.rint(released), 0) - 6)
    result = question.run()
    assert accept_normal(float(off.mean()), result.error, float(off.std()) / math.sqrt(off.size))
    assert accept_normal(
        float(np.abs(released - 6).mean()), result.raw_error, float(np.std(np.abs(released - 6))) / math.sqrt(off.size)
    )
    laplace = replace(question, mechanism=LaplaceMechanism(0.2)).run()
    assert member.slug == "laplace" or abs(result.error - laplace.error) > 1e-4


@pytest.mark.parametrize("epsilon", [1e-4, 1e-5])
@pytest.mark.parametrize("answer", [3, 20_001, 10**6])
def test_very_wide_noise_is_added_up_in_blocks_as_its_closed_form_says(epsilon: float, answer: int) -> None:
    """Laplace noise of scale b, rounded: ½u(1 - e^{-c/b}) below and ½u above, with u = 1/(2 sinh(1/2b)) in all."""
    up, down = Afterwards(LaplaceMechanism(epsilon), answer, 10**7).moved()
    unit = 1 / (2 * math.sinh(epsilon / 2))
    assert (2 * up, 2 * down) == pytest.approx((unit, -unit * math.expm1(-answer * epsilon)), rel=1e-6)
    whole = Afterwards(DiscreteLaplaceMechanism(epsilon), answer, 10**7).moved()
    assert whole == pytest.approx((up, down), rel=1e-6)


def test_what_is_published_after_clamping_never_depends_on_a_number_of_people_that_is_private() -> None:
    """Two neighbors share every rule that is applied afterwards; with one person more, n would tell them apart."""
    for relation, neighbor in (("add-remove", 6), ("replace-one", 5)):
        noise = LaplaceMechanism(0.5, neighbors=relation)
        assert Afterwards(noise, 3, 5).ceiling == Afterwards(noise, 4, neighbor).ceiling
        assert Afterwards(noise, 3, 5, limit=7).ceiling == Afterwards(noise, 4, neighbor, limit=7).ceiling == 7
    with pytest.raises(ParameterError, match="limit"):
        Afterwards(NOISE, 3, 5, limit=0)


def test_a_share_of_a_crowd_of_private_size_costs_the_size_too() -> None:
    private, public = (AgainstUsers(LaplaceMechanism(0.5, neighbors=one), 30, 100).run() for one in RELATIONS)
    assert public.size_is_public and not private.size_is_public
    # E|X - fY| for two Laplace noises of half of the level each, by quadrature over Y.
    scale, share = 4.0, 0.3

    def beside(y: float) -> float:  # E|X - fy| = |fy| + b e^{-|fy|/b}
        off = abs(share * y)
        return (off + scale * math.exp(-off / scale)) * stats.laplace.pdf(y, scale=scale)

    exact = 2 * integrate.quad(beside, 0, 400, epsabs=1e-12, limit=400)[0] / 100
    assert private.error_share_of_private_size == pytest.approx(exact, rel=1e-8)


def test_plan_solves_backwards_what_the_width_says_forwards() -> None:
    plan = CountPlan(NOISE, n=2584, width=5, confidence=0.95).run()
    needed = LaplaceMechanism(plan.epsilon)
    assert plan.possible
    assert 1 - 2 * float(needed.cdf(-5, 0)) == pytest.approx(0.95)
    assert NOISE.within(plan.width) == pytest.approx(0.95)
    assert plan.chance == pytest.approx(1 - math.exp(-0.5))
    assert plan.people * (5 / 2584) >= plan.width > (plan.people - 1) * (5 / 2584)


def test_plan_says_when_no_level_is_enough() -> None:
    assert not CountPlan(NOISE, n=10, width=0.01, confidence=0.99).run().possible


def test_ten_dots_do_not_move_when_more_repeats_are_asked_for() -> None:
    assert np.array_equal(INCOME.run().releases, replace(INCOME, repeats=10**6).run().releases)
    assert not np.array_equal(INCOME.run().releases, replace(INCOME, seed=2).run().releases)


def test_a_question_about_nobody_is_refused_with_a_sentence() -> None:
    with pytest.raises(ParameterError, match="n must be a whole number at least 1 and at most"):
        replace(INCOME, n=0)


def test_a_mean_in_two_releases_spends_half_of_the_level_on_each_and_is_biased_as_quadrature_says() -> None:
    mean = Mean("income", 0.0, 100.0)
    pair = RatioOfReleases.of((LaplaceMechanism(0.4, 100.0), LaplaceMechanism(0.4)), mean, 600.0, 12, seed=3)
    assert (pair.sum_noise.epsilon, pair.count_noise.epsilon) == (0.2, 0.2)
    assert (pair.sum_noise.sensitivity, pair.count_noise.sensitivity) == (100.0, 1.0)
    result = replace(pair, repeats=10**5).run()
    assert result.truth == 50
    # The exact mean of the ratio: over the noisy count by quadrature, the clipped noisy sum in closed form.
    exact, noise = 0.0, stats.laplace(scale=5.0)
    grid = np.linspace(-150, 170, 40_001)
    top, spread = 100.0 * np.maximum(grid, 1), pair.sum_noise.scale
    below = (
        600
        - spread / 2 * (1 - np.exp(-600 / spread))
        + np.where(top >= 600, spread / 2 * (1 - np.exp(-np.maximum(top - 600, 0) / spread)), 0)
    )
    low_top = spread / 2 * (np.exp(-(600 - np.minimum(top, 600)) / spread) - np.exp(-600 / spread))
    clipped = np.where(top >= 600, below, top - low_top)
    exact = float(integrate.trapezoid(clipped / np.maximum(grid, 1) * noise.pdf(grid - 12), grid))
    assert accept_normal(result.truth + result.bias[0], exact, result.bias[1])
    assert abs(exact - 50) > 1, "the bias is real"


@pytest.mark.parametrize(
    ("released", "truth", "epsilon"), [(3.5097225331848074, 3, 0.1), (884.5207973093482, 882, 0.1)]
)
def test_the_printed_releases_of_the_teaching_material_are_ordinary_draws(
    released: float, truth: int, epsilon: float
) -> None:
    noise = LaplaceMechanism(epsilon, 1, "add-remove")
    beyond = 1 - noise.within(abs(released - truth))
    assert beyond == pytest.approx(math.exp(-abs(released - truth) * epsilon), rel=1e-12)
    assert beyond > 0.5  # half of all releases lie farther away
