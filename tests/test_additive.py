"""Histogram encodings: the density by quadrature, sums of noise by their closed law, and the best threshold."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy import integrate, optimize, stats

from ldpcore.mechanisms.additive import SummationHistogramEncoding
from ldpcore.mechanisms.base import LocalRandomizer
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.mechanisms.thresholding import ThresholdingHistogramEncoding, best_threshold
from ldpcore.parameters import ParameterError
from ldpcore.people.populations import Population
from tests.cases import for_each
from tests.statistics import accept_counts, accept_sample
from tests.test_unary import fits, law_of_count

LEVELS = (0.1, 1.0, 2.5)


def plane(oracle: SummationHistogramEncoding, steps: int = 100) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points and weights of Gauss-Legendre quadrature over the reports of k = 2, piece by piece between the kinks."""
    nodes, weights = np.polynomial.legendre.leggauss(steps)
    b = oracle.noise.scale
    ends = [-40 * b, -10 * b, 0.0, 1.0, 1 + 10 * b, 1 + 40 * b]
    pieces = [(low, (high - low) / 2) for low, high in pairwise(ends)]
    points = np.concatenate([low + half * (nodes + 1) for low, half in pieces])
    weight = np.concatenate([half * weights for _, half in pieces])
    first, second = np.meshgrid(points, points, indexing="ij")
    return first, second, np.outer(weight, weight)


def density(oracle: SummationHistogramEncoding, first: np.ndarray, second: np.ndarray, value: int) -> np.ndarray:
    """The density of the reports (first, second), by the definition of the noise."""
    own, other = (first, second) if value == 0 else (second, first)
    b = oracle.noise.scale
    return np.exp(-(np.abs(own - 1) + np.abs(other)) / b) / (2 * b) ** 2


@pytest.mark.parametrize("epsilon", LEVELS)
def test_reports_are_unbiased_with_the_stated_variance_by_quadrature(epsilon: float) -> None:
    oracle = SummationHistogramEncoding(epsilon, 2)
    first, second, weight = plane(oracle)
    mass = weight * density(oracle, first, second, 0)
    assert math.isclose(mass.sum(), 1, rel_tol=1e-10)
    for report, mean in ((first, 1.0), (second, 0.0)):
        assert math.isclose((mass * report).sum(), mean, abs_tol=1e-9)
        variance = (mass * (report - mean) ** 2).sum()
        assert math.isclose(variance, float(oracle.variance_of_shares(0.3, 1)), rel_tol=1e-9)
    for point in ((0.3, -0.7), (2.0, 5.0)):
        logs = math.log(density(oracle, np.array(point[0]), np.array(point[1]), 1))
        assert math.isclose(oracle.log_density(np.array(point), 1), logs, rel_tol=1e-12)


@pytest.mark.parametrize("epsilon", LEVELS)
def test_the_delta_curve_and_the_best_guess_by_quadrature(epsilon: float) -> None:
    oracle = SummationHistogramEncoding(epsilon, 2)
    nodes, weights = np.polynomial.legendre.leggauss(400)
    b, s = oracle.noise.scale, epsilon / 2
    # The loss of one number: atoms at ±s, and a density between; the sum of two by a double sum over both.
    losses = np.concatenate([[s, -s], s * nodes])
    masses = np.concatenate([[0.5, math.exp(-s) / 2], s * weights * np.exp((s * nodes - s) / 2) / 4])
    assert math.isclose(masses.sum(), 1, rel_tol=1e-12) and math.isclose(b * s, 1)
    joint, both = np.add.outer(losses, losses), np.outer(masses, masses)
    for share in (0.0, 0.25, 0.5, 0.9):
        level = share * epsilon
        expected = (both * np.maximum(-np.expm1(level - joint), 0)).sum()
        assert math.isclose(oracle.compare(0, 1).delta(level), expected, rel_tol=2e-4)
    assert math.isclose(oracle.best_guess(), (1 + oracle.compare(0, 1).delta(0)) / 2, rel_tol=1e-12)


@pytest.mark.parametrize("epsilon", [1e-6, 1e-3, 1.0, 8.0, 50.0])
def test_the_best_guess_among_two_is_stable_at_both_ends(epsilon: float) -> None:
    expected = 0.5 - math.expm1(-epsilon / 2) / 2 - epsilon / 8 * math.exp(-epsilon / 2)
    assert math.isclose(SummationHistogramEncoding(epsilon, 2).best_guess(), expected, rel_tol=1e-11)


@pytest.mark.parametrize(("epsilon", "k"), [(0.5, 3), (2.0, 5), (6.0, 40)])
def test_the_attacker_who_names_the_largest_number_succeeds_as_often_as_stated(epsilon: float, k: int) -> None:
    oracle = SummationHistogramEncoding(epsilon, k)  # rate 1e-10
    reports = oracle.privatize(np.full(40_000, 1), np.random.default_rng(k))
    # Beyond 1 larger numbers tell nothing more; naming the largest is one of the best guesses.
    right = int((reports.argmax(axis=1) == 1).sum())
    assert accept_counts([right, 40_000 - right], [oracle.best_guess(), 1 - oracle.best_guess()])


@pytest.mark.parametrize("epsilon", LEVELS)
def test_every_number_of_a_report_follows_its_laplace_law(epsilon: float) -> None:
    oracle = SummationHistogramEncoding(epsilon, 3)  # Dvoretzky-Kiefer-Wolfowitz band, rate 1e-10 each
    reports = oracle.privatize(np.full(60_000, 2), np.random.default_rng(4))
    for number, center in zip(reports.T, (0.0, 0.0, 1.0), strict=True):
        assert accept_sample(np.sort(number), oracle.noise.cdf(np.sort(number), center))
        assert not accept_sample(np.sort(number), LaplaceMechanism(epsilon, 1.0).cdf(np.sort(number), center))


def sum_of_three(x: np.ndarray) -> np.ndarray:
    """The cdf of three unit Laplace numbers added up; their density is e^-|x| (x² + 3|x| + 3)/16."""
    tail = np.exp(-np.abs(x)) * (x**2 + 5 * np.abs(x) + 8) / 16
    return np.where(x < 0, tail, 1 - tail)


def test_both_routes_have_the_closed_law_of_three_noises_added_up() -> None:
    oracle, population = SummationHistogramEncoding(1.0, 2), Population.of_categories([2, 1])
    rng, b = np.random.default_rng(6), 2.0
    assert math.isclose(integrate.quad(lambda x: math.exp(-x) * (x * x + 3 * x + 3) / 16, 0, 60)[0], 0.5, rel_tol=1e-9)
    for tally in (
        oracle.sample_tally(population, rng, 40_000),
        LocalRandomizer.sample_tally(oracle, population, rng, 8000),
    ):
        for sums, true in zip(tally.counts, population.counts, strict=True):
            ordered = np.sort((sums - true) / b)
            assert accept_sample(ordered, sum_of_three(ordered))
            assert not accept_sample(ordered, stats.norm.cdf(ordered, scale=math.sqrt(6))) or len(ordered) < 40_000


def test_sums_of_different_values_are_independent_and_a_shared_scale_is_rejected() -> None:
    # Four quarters of each of two sums: sixteen cells of equal probability, rate 1e-10.
    oracle, population = SummationHistogramEncoding(1.0, 2), Population.of_categories([2, 1])
    rng = np.random.default_rng(8)
    independent = (oracle.sample_tally(population, rng, 200_000).counts - population.counts[:, None]) / 2.0
    mixing = np.sqrt(2 * rng.standard_gamma(3, 200_000))
    for sums, holds in ((independent, True), (mixing * rng.standard_normal((2, 200_000)), False)):
        quarter = np.minimum((sum_of_three(sums) * 4).astype(int), 3)
        assert accept_counts(np.bincount(4 * quarter[0] + quarter[1], minlength=16), np.full(16, 1 / 16)) is holds


def test_values_at_level_one() -> None:
    summed, cut = SummationHistogramEncoding(1.0, 10), ThresholdingHistogramEncoding(1.0, 10)
    assert float(summed.variance_of_shares(0, 1)) == 8 and summed.bits() == 640 and cut.bits() == 10
    assert round(cut.theta, 4) == 0.6186 and round(float(cut.variance_of_shares(0, 1)), 4) == 4.8072


@pytest.mark.parametrize("epsilon", [0.05, 0.5, 1.0, 3.0, 10.0, 30.0])
def test_the_best_threshold_is_the_one_a_search_finds(epsilon: float) -> None:
    def variance(theta: float) -> float:
        return float(ThresholdingHistogramEncoding(epsilon, 2, theta).variance_of_shares(0, 1))

    found = optimize.minimize_scalar(variance, bounds=(0.5, 1), method="bounded", options={"xatol": 1e-10})
    assert math.isclose(found.x, best_threshold(epsilon), abs_tol=1e-4)
    assert variance(best_threshold(epsilon)) <= found.fun * (1 + 1e-12)


def test_the_best_threshold_runs_from_a_half_to_one() -> None:
    thresholds = [best_threshold(epsilon) for epsilon in (1e-12, 1e-6, 0.1, 1.0, 5.0, 50.0)]
    assert thresholds == sorted(thresholds) and thresholds[0] >= 0.5 and thresholds[-1] < 1
    assert math.isclose(thresholds[1], 0.5, abs_tol=1e-6)
    assert math.isclose(thresholds[-1], 1 - 2 / 50 * math.log(1.5), rel_tol=1e-9)
    assert ThresholdingHistogramEncoding(2.0, 5) == ThresholdingHistogramEncoding(2.0, 5, best_threshold(2.0))
    for wrong in (math.nan, 0.4999, 1.0001, 0.0):
        with pytest.raises(ParameterError, match=r"theta must be at least 0\.5 and at most 1"):
            ThresholdingHistogramEncoding(1.0, 5, wrong)
    with pytest.raises(ParameterError, match="epsilon must be"):
        ThresholdingHistogramEncoding("abc", 5)  # type: ignore[arg-type]


@for_each("theta", [0.5, 0.6186, 0.9, 1.0])
@for_each("epsilon", [1e-6, *LEVELS, 50.0])
def test_a_bit_is_the_noisy_number_cut_at_the_threshold(epsilon: float, theta: float) -> None:
    oracle = ThresholdingHistogramEncoding(epsilon, 4, theta)
    assert math.isclose(oracle.p, 1 - math.exp(epsilon * (theta - 1) / 2) / 2, rel_tol=1e-12)
    assert math.isclose(oracle.q, math.exp(-epsilon * theta / 2) / 2, rel_tol=1e-12)
    noise = LaplaceMechanism(epsilon, 2.0)
    assert math.isclose(oracle.miss, float(noise.cdf(theta, 1.0)), rel_tol=1e-12)
    assert math.isclose(oracle.q, float(noise.cdf(-theta, 0.0)), rel_tol=1e-12)


def test_cutting_hides_more_than_the_noise_was_asked_to() -> None:
    levels = {epsilon: ThresholdingHistogramEncoding(epsilon, 4).guarantee().epsilon for epsilon in (0.01, 1.0, 4.0)}
    assert all(real < asked for asked, real in levels.items())
    assert round(levels[1.0], 4) == 0.896 and levels[0.01] > 0.0099
    # The set of numbers beyond θ is post-processing, so the δ curve lies below that of the numbers.
    for asked in levels:
        cut, summed = (
            ThresholdingHistogramEncoding(asked, 4).compare(0, 1),
            SummationHistogramEncoding(asked, 4).compare(0, 1),
        )
        assert all(cut.delta(share * asked) <= summed.delta(share * asked) for share in (0.0, 0.3, 0.6, 0.9))


@pytest.mark.parametrize("epsilon", LEVELS)
def test_reports_of_numbers_cut_by_the_collector_are_reports_of_bits(epsilon: float) -> None:
    bits, numbers = ThresholdingHistogramEncoding(epsilon, 3), SummationHistogramEncoding(epsilon, 3)  # rate 1e-10
    cut = numbers.privatize(np.full(60_000, 1), np.random.default_rng(9)) > bits.theta
    channel, place = bits.channel(), 1 << np.arange(3)
    law = np.bincount(channel.supports @ place, weights=channel.matrix[1], minlength=8)
    assert accept_counts(np.bincount(cut @ place, minlength=8), law)


def test_thresholded_counts_have_their_exact_law_by_both_routes() -> None:
    oracle, population = ThresholdingHistogramEncoding(2.0, 6), Population.of_categories([50, 30, 10, 5, 5, 0])
    rng, total = np.random.default_rng(10), law_of_count(oracle, 100, 500)  # rate 1e-10 each
    for tally in (
        oracle.sample_tally(population, rng, 20_000),
        LocalRandomizer.sample_tally(oracle, population, rng, 3000),
    ):
        assert fits(tally.counts[0], law_of_count(oracle, 50, 50)) and fits(tally.counts.sum(axis=0), total)
