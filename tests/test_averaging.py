"""The notebook's averages, and every formula of the averaging page by an independent route."""

from __future__ import annotations

import itertools
import math
from dataclasses import fields, is_dataclass, replace

import numpy as np
import pytest
from scipy import integrate, optimize, special, stats

from ldpcore.experiments.averaging import running as averaging
from ldpcore.experiments.averaging.attacks import AttackAlong, far_enough
from ldpcore.experiments.averaging.piles import COLUMNS, Pile
from ldpcore.experiments.averaging.ratios import AveragedRatio
from ldpcore.experiments.averaging.running import Attack, AveragingExperiment, AveragingPlan, checkpoints
from ldpcore.experiments.averaging.shared import SharedBudget
from ldpcore.experiments.counting.ratios import RatioOfReleases
from ldpcore.experiments.counting.releases import CountingExperiment
from ldpcore.laws import averages
from ldpcore.laws.averages import average_error, average_within, central_binomial, median_within
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.parameters import ParameterError
from ldpcore.tables.queries import Mean
from tests.rationing import crossed
from tests.statistics import accept_counts, accept_gamma_mean, accept_normal, accept_variance

NOISE = LaplaceMechanism(0.1)
WOMEN = AveragingExperiment(NOISE, answer=3)
PRINTED = {10: 4.7673721478606, 1000: 3.0630188637169242, 100_000: 2.982683583816403, 1_000_000: 3.0064729060597326}
SEEDS = range(400)


def characteristic(t: np.ndarray, repeats: int) -> np.ndarray:
    """The characteristic function of the average of N releases of Lap(1): (1 + t²/N²)^(-N)."""
    return np.exp(-repeats * np.log1p((t / repeats) ** 2))


def within_by_inversion(width: float, repeats: int) -> float:
    """P(|average| <= w) = (2/π) ∫ φ(t) sin(wt)/t dt, Gil-Pelaez."""
    reach = optimize.brentq(lambda t: repeats * math.log1p((t / repeats) ** 2) - 60, 0, 1e15)
    edges = np.arange(0, reach + math.pi / width, math.pi / width)
    pieces = [
        integrate.quad(lambda t: characteristic(t, repeats) * width * np.sinc(width * t / math.pi), a, b, epsabs=1e-14)[
            0
        ]
        for a, b in itertools.pairwise(edges[:60])
    ]
    return 2 / math.pi * sum(pieces)


@pytest.mark.parametrize(("repeats", "printed"), PRINTED.items())
def test_the_notebooks_averages_lie_within_half_a_standard_error_of_three(repeats: int, printed: float) -> None:
    result = replace(WOMEN, repeats=repeats).run()
    assert abs(printed - 3) <= 0.5 * result.standard_error
    assert result.at(repeats) == result.average


def test_the_notebooks_checkpoints_have_these_errors_and_prices() -> None:
    result = WOMEN.run()
    assert result.marked == (10, 1_000, 100_000, 1_000_000)
    results = [replace(WOMEN, repeats=mark).run() for mark in result.marked]
    assert np.allclose([each.standard_error for each in results], [4.4721, 0.44721, 0.044721, 0.0141421], rtol=2e-5)
    assert [each.spent for each in results] == [1, 100, 10_000, 100_000]


@pytest.mark.parametrize(("repeats", "factor"), [(1, 1), (2, 0.75), (3, 0.625), (4, 0.546875)])
def test_the_error_of_an_average_is_a_central_binomial_coefficient(repeats: int, factor: float) -> None:
    def density(x: float) -> float:
        # of the sum of N Lap(1), by Fourier: positive half as gamma densities with negative binomial weights
        return sum(
            math.comb(repeats - 1 + j, j) / 2 ** (repeats + j) * x**power * math.exp(-x) / math.factorial(power)
            for j in range(repeats)
            for power in [repeats - j - 1]
        )

    quadrature = 2 * integrate.quad(lambda x: x / repeats * density(x), 0, 200)[0]
    assert math.isclose(float(average_error(1, repeats)), factor, rel_tol=1e-14)
    assert math.isclose(quadrature, factor, rel_tol=1e-7)


def test_the_central_binomial_series_joins_the_exact_values_without_a_step() -> None:
    exact = [math.comb(2 * n, n) / 4**n for n in (1000, 1500, 3000)]
    assert np.allclose(central_binomial([1000, 1500, 3000]), exact, rtol=1e-14)
    assert math.isclose(float(central_binomial(10**12)), 1 / math.sqrt(math.pi * 1e12), rel_tol=1e-12)
    assert central_binomial(np.array([[1, 2]])).shape == (1, 2)


@pytest.mark.parametrize("repeats", [2, 3, 10, 100, 5000])
@pytest.mark.parametrize("width", [0.01, 0.05, 0.3])
def test_the_chance_that_an_average_is_near_follows_from_its_characteristic_function(
    repeats: int, width: float
) -> None:
    assert math.isclose(average_within(width, 1, repeats), within_by_inversion(width, repeats), abs_tol=2e-7)


def test_the_chance_of_one_release_is_its_own_law() -> None:
    assert math.isclose(average_within(0.5, 10, 1), NOISE.within(0.5), rel_tol=1e-13)
    assert math.isclose(median_within(0.5, 10, 1), NOISE.within(0.5), rel_tol=1e-13)


def test_the_normal_law_with_its_correction_takes_over_within_a_billionth(monkeypatch: pytest.MonkeyPatch) -> None:
    widths = 10 * math.sqrt(2 / 1e5) * np.linspace(0.001, 6, 50)
    exact = np.array([average_within(width, 10, 100_000) for width in widths])
    monkeypatch.setattr(averages, "_EXACT_UP_TO", 0)
    assert np.allclose([average_within(width, 10, 100_000) for width in widths], exact, rtol=0, atol=1e-10)


def test_the_chance_rises_with_every_further_release() -> None:
    chances = [average_within(0.5, 10, n) for n in (*range(1, 40), *map(int, np.concatenate(checkpoints())[100:]))]
    assert (np.diff(chances) >= -1e-12).all()


def test_the_median_is_near_as_often_as_a_binomial_tail_says() -> None:
    scale, repeats, width = 10, 7, 4.0
    beyond = math.exp(-width / scale) / 2
    tail = sum(math.comb(repeats, i) * beyond**i * (1 - beyond) ** (repeats - i) for i in range(4, 8))
    assert math.isclose(median_within(width, scale, repeats), 1 - 2 * tail, rel_tol=1e-12)


def test_the_median_of_two_is_their_average() -> None:
    for width, scale in ((0.5, 10.0), (0.5, 1.0), (3.0, 1.0), (1e-3, 40.0), (0.5, 0.05)):
        median, averaged = median_within(width, scale, 2), average_within(width, scale, 2)
        assert math.isclose(median, averaged, rel_tol=1e-10, abs_tol=1e-15)
    assert Attack(LaplaceMechanism(1.0), 2).run().ahead == "neither"


@pytest.mark.parametrize(("repeats", "width"), crossed([4, 6, 10, 40], [0.05, 0.5, 2.0], 3))
def test_the_median_of_an_even_number_follows_from_the_joint_density_of_its_two_middle_ones(
    repeats: int, width: float
) -> None:
    """∫∫ N!/((m-1)!)² F(x)^(m-1) (1-F(y))^(m-1) f(x) f(y) over x < y and |x + y| <= 2w, by quadrature."""
    m, law = repeats // 2, stats.laplace()
    factor = math.exp(math.lgamma(repeats + 1) - 2 * math.lgamma(m))

    def inner(x: float) -> float:
        # The inner integral of (1-F(y))^(m-1) f(y) is a power of 1 - F.
        low, high = max(x, -2 * width - x), 2 * width - x
        return float(law.sf(low) ** m - law.sf(high) ** m) / m if high > low else 0.0

    points = sorted({-40.0, -2 * width, -width, 0.0, width})
    chance = sum(
        integrate.quad(
            lambda x: law.cdf(x) ** (m - 1) * law.pdf(x) * inner(x), a, b, epsabs=0, epsrel=1e-11, limit=200
        )[0]
        for a, b in itertools.pairwise(points)
    )
    assert math.isclose(median_within(width, 1.0, repeats), factor * chance, rel_tol=1e-8)


def test_the_median_of_an_even_number_lies_beside_its_odd_neighbors_also_for_very_many() -> None:
    for scale, repeats in ((10.0, 10**3), (100.0, 10**5), (1e4, 10**9), (1e5, 10**12)):
        low, even, high = (median_within(0.5, scale, n) for n in (repeats - 1, repeats, repeats + 1))
        assert abs(even - (low + high) / 2) < 2 / repeats + 1e-9, (scale, repeats)


def test_the_average_is_ahead_where_one_release_nearly_tells_and_the_median_where_noise_is_large() -> None:
    assert Attack(NOISE, 1000).run().ahead == "median"
    assert Attack(LaplaceMechanism(8.0), 3).run().ahead == "average"


def test_the_median_needs_about_half_as_many_releases_as_the_average() -> None:
    assert math.isclose(median_within(0.5, 100, 40_001), average_within(0.5, 100, 80_000), abs_tol=0.01)


def test_the_paths_increments_have_the_laws_of_sums_of_releases() -> None:
    runs = [replace(WOMEN, repeats=10**12, seed=seed).run() for seed in SEEDS]
    stops = runs[0].repeats
    sums = np.array([(run.means - 3) * stops for run in runs])
    single = np.concatenate([sums[:, :1], np.diff(sums[:, :20], axis=1)], axis=1)
    assert accept_gamma_mean(float(np.abs(single).mean()), NOISE.scale, single.size)
    # From 10^6 releases on, a sum of them is normal up to a relative 10⁻⁶: far below what 400 paths can tell.
    for place in np.flatnonzero(np.diff(stops) >= 10**6)[::40]:
        gap = int(stops[place + 1] - stops[place])
        assert accept_variance(sums[:, place + 1] - sums[:, place], 200.0 * gap)
    assert accept_variance(sums[:, -1], 200.0 * 10**12)


def test_increments_that_do_not_touch_are_independent() -> None:
    runs = [replace(WOMEN, repeats=10**12, seed=seed).run() for seed in SEEDS]
    stops = runs[0].repeats
    steps = np.diff(np.array([(run.means - 3) * stops for run in runs]), axis=1)
    wide = steps[:, np.diff(stops) >= 10**6] / np.sqrt(200.0 * np.diff(stops)[np.diff(stops) >= 10**6])
    # Products of neighbors are a sum of many terms of mean 0 and variance 1.
    products = wide[:, 1:] * wide[:, :-1]
    assert accept_normal(float(products.sum()), 0, math.sqrt(products.size))


@pytest.mark.parametrize("repeats", [1, 1000, 10**6, 10**12])
def test_the_band_of_two_standard_errors_covers_as_often_as_the_law_says(repeats: int) -> None:
    covered = 0
    for seed in SEEDS:
        result = replace(WOMEN, repeats=repeats, seed=seed).run()
        covered += abs(result.average - 3) <= 2 * result.standard_error
    inside = average_within(2 * 10 * math.sqrt(2 / repeats), 10, repeats)
    assert accept_counts(np.array([covered, len(SEEDS) - covered]), np.array([inside, 1 - inside]))


def test_a_longer_path_continues_a_shorter_one() -> None:
    long = replace(WOMEN, repeats=10**12).run()
    for repeats in (5000, 10**6, 2 * 10**6):
        short = replace(WOMEN, repeats=repeats).run()
        assert np.array_equal(long.means[: len(short.means)], short.means)
        assert short.repeats[-1] == repeats


def test_a_number_of_releases_between_two_checkpoints_ends_the_path_exactly_there() -> None:
    result = replace(WOMEN, repeats=777_777).run()
    assert result.repeats[-1] == 777_777
    assert 777_777 not in np.concatenate(checkpoints())


def test_asking_n_times_within_one_total_is_worse_by_the_square_root_of_n() -> None:
    result = SharedBudget(NOISE, 10_000).run()
    assert math.isclose(result.factor, 2 * math.sqrt(10_000 / math.pi), rel_tol=1e-4)
    assert math.isclose(result.error, result.factor * NOISE.scale)
    assert math.isclose(float(result.single[list(result.repeats).index(10_000)]), 10 * 10_000)
    assert SharedBudget(NOISE, 1).run().factor == 1


def test_the_simulated_errors_of_shared_questions_follow_the_exact_ones() -> None:
    result = SharedBudget(NOISE, 10, simulated=10_000).run()
    for exact, simulated, spread in zip(result.average, result.simulated, result.standard_error, strict=True):
        assert accept_normal(simulated, exact, spread)


def test_the_plan_finds_the_smallest_number_of_releases_and_its_price() -> None:
    plan = AveragingPlan(NOISE, width=1.0, confidence=0.95).run()
    assert plan.repeats is not None
    assert average_within(1, 10, plan.repeats) >= 0.95 > average_within(1, 10, plan.repeats - 1)
    assert math.isclose(plan.spent or 0, 0.1 * plan.repeats)
    assert math.isclose(plan.at_once().within(1.0), 0.95)


def test_a_plan_beyond_a_trillion_releases_is_impossible() -> None:
    plan = AveragingPlan(LaplaceMechanism(1e-6), width=0.001).run()
    assert plan.repeats is None
    assert plan.spent is None
    assert not plan.possible


def test_a_plan_that_one_release_fulfills_asks_once() -> None:
    assert AveragingPlan(LaplaceMechanism(50), width=5).run().repeats == 1


def test_the_attack_knows_both_estimators_at_the_present_number() -> None:
    result = Attack(NOISE, 1000).run()
    average, median = result.present
    assert average == average_within(0.5, 10, 1000)
    assert median == median_within(0.5, 10, 1000) > average
    assert (np.diff(result.repeats) > 0).all()


@pytest.mark.parametrize("epsilon", [1e-6, 0.1, 50])
@pytest.mark.parametrize("repeats", [1, 10**12])
def test_both_ends_of_every_control_are_answered_without_a_warning(epsilon: float, repeats: int) -> None:
    noise = LaplaceMechanism(epsilon)
    assert np.isfinite(AveragingExperiment(noise, 882, repeats).run().means).all()
    attack = Attack(noise, repeats).run()
    assert ((attack.average >= 0) & (attack.average <= 1) & (attack.median >= 0) & (attack.median <= 1)).all()
    assert np.isfinite(SharedBudget(noise, repeats).run().simulated).all()
    AveragingPlan(noise).run()


def test_a_fractional_number_of_releases_is_refused_with_its_rule() -> None:
    with pytest.raises(ParameterError, match=r"^repeats must be a whole number .*; got 1.5"):
        replace(WOMEN, repeats=1.5)  # type: ignore[arg-type]


def test_the_regularized_pieces_add_up_to_a_half() -> None:
    shapes, weights = averages.gamma_shapes(1000)
    exact = np.exp(
        special.gammaln(1000 + (1000 - shapes))
        - special.gammaln(1000)
        - special.gammaln(1001 - shapes)
        - (2000 - shapes) * math.log(2)
    )
    assert np.allclose(weights, exact, rtol=1e-9)
    assert math.isclose(weights.sum(), 0.5)


def test_the_first_releases_are_those_of_a_page_that_shows_ten() -> None:
    ten = CountingExperiment(NOISE, 3, 5, seed=4).run().offsets()
    assert np.allclose(replace(WOMEN, seed=4, repeats=100).run().singles[:10], ten, rtol=1e-12)


@pytest.mark.parametrize("repeats", [1, 7, 137, 1000])
def test_up_to_a_thousand_the_running_mean_is_that_of_the_releases_that_are_shown(repeats: int) -> None:
    result = replace(WOMEN, repeats=repeats).run()
    assert len(result.singles) == repeats
    assert result.repeats[-1] == repeats
    assert np.allclose(result.offsets, [result.singles[:stop].mean() for stop in result.repeats], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("repeats", [1, 100, 1000, 10**6])
def test_every_release_of_a_pile_lies_in_one_column_and_on_another_one(repeats: int) -> None:
    result = Pile(replace(WOMEN, repeats=repeats), 60.0).run()
    assert (result.counts(paid=True) + result.counts(paid=False)).sum() == len(result.singles) == min(repeats, 1000)
    for column in range(COLUMNS):
        heights = result.heights[result.columns == column]
        assert heights.tolist() == list(range(1, len(heights) + 1))
    inside = result.beyond == 0
    away = np.abs(result.centers[result.columns] - result.singles)[inside]
    assert (away <= 60 / COLUMNS * (1 + 1e-9)).all()
    assert (np.abs(result.singles[~inside]) > 60).all()


def test_a_total_pays_for_as_many_releases_as_decimal_numbers_say() -> None:
    result = Pile(replace(WOMEN, repeats=100), 60.0, total=0.3).run()
    assert (result.affordable, result.left, result.spent) == (3, 0, 10)  # 0.3 // 0.1 is 2 in binary numbers
    assert result.counts(paid=True).sum() == 3
    assert Pile(replace(WOMEN, repeats=100), 60.0, total=20).run().left == 10


BOTH = LaplaceMechanism(0.1, 100.0), LaplaceMechanism(0.1)
SCORES = RatioOfReleases.of(BOTH, Mean("score", 0, 100), 130_000.0, 2584)


def test_a_mean_asked_once_is_off_as_the_ratio_of_two_releases_is() -> None:
    (once, spread), (other, other_spread) = AveragedRatio(SCORES, 1).run().error, SCORES.run().error
    assert accept_normal(once - other, 0, math.hypot(spread, other_spread))


@pytest.mark.parametrize("repeats", [10_000, 10**12])
def test_the_ratio_of_many_averages_has_the_error_of_its_linear_part(repeats: int) -> None:
    """S̄/C̄ - S/C is (X - mY)/C + O(1/N), whose variance is (2b_S² + 2 m² b_C²)/(N C²)."""
    result = AveragedRatio(SCORES, repeats).run()
    mean = SCORES.total / SCORES.count
    variance = 2 * (SCORES.sum_noise.scale**2 + (mean * SCORES.count_noise.scale) ** 2) / repeats / SCORES.count**2
    assert accept_variance(result.tries, variance)
    assert math.isclose(result.error[0], math.sqrt(2 * variance / math.pi), rel_tol=0.05)


def test_the_path_of_a_ratio_divides_the_averages_and_not_the_ratios() -> None:
    result = AveragedRatio(replace(SCORES, count=20, total=1000.0), 1000).run()
    means = [
        averaging.averaged_noise(noise, 1000, 1, part).means[-1]
        for noise, part in ((SCORES.sum_noise, ""), (SCORES.count_noise, " of the count"))
    ]
    assert math.isclose(result.average, (1000 + means[0]) / (20 + means[1]), rel_tol=1e-9)
    assert not math.isclose(float(result.singles.mean()), float(result.offsets[-1]), rel_tol=0.01)
    assert result.spent == 100


def test_the_noises_of_sum_and_count_are_independent() -> None:
    parts = [
        averaging.averaged_noise(NOISE, 1000, seed, part).singles
        for seed in range(40)
        for part in ("", " of the count")
    ]
    first, second = np.concatenate(parts[::2]), np.concatenate(parts[1::2])
    assert accept_normal(float((first * second).sum()), 0, 200 * math.sqrt(len(first)))


def test_an_attack_is_looked_at_along_the_same_numbers_at_every_level() -> None:
    results = [AttackAlong(LaplaceMechanism(epsilon), 100).run() for epsilon in (0.01, 0.1, 10)]
    assert all(np.array_equal(result.repeats, results[0].repeats) for result in results)
    assert results[0].average[-1] > 0.999999  # even the lowest level is sure in the end
    assert far_enough(1, 0.5) == 10**7 and far_enough(1e5, 0.5) == 10**12


@pytest.mark.parametrize("asked", [WOMEN, AveragedRatio(SCORES)], ids=["count", "mean"])
def test_a_masked_pile_keeps_its_distances_and_nothing_of_the_truth(
    asked: AveragingExperiment | AveragedRatio,
) -> None:
    result = Pile(asked, 60.0).run()
    masked = result.masked()
    assert np.array_equal(masked.singles, result.singles) and masked.offset == result.offset
    assert not {3, 130_000.0, 2584} & set(numbers_of(masked))


def numbers_of(value: object) -> list[float]:
    """Every number in a frozen value, however deep."""
    if is_dataclass(value):
        return [number for part in fields(value) for number in numbers_of(getattr(value, part.name))]
    return [value] if isinstance(value, (int, float)) else []
