"""Regression: calibration by enumeration, estimators by hand, expected errors by simulation, rates, the choice, S11."""

from __future__ import annotations

import itertools
import math
import tracemalloc
from typing import Any

import numpy as np
import pytest
from scipy import integrate, stats

from ldpcore.estimating.regression import (
    Tuning,
    accuracy,
    cells_of,
    classified,
    direct,
    expected_accuracy,
    expected_direct_error,
    expected_error,
    mean_inverse,
    quotient,
    squared_error,
)
from ldpcore.estimating.tunings import STOPS, Schedule, automatic
from ldpcore.experiments.regression import LabelErrors, LabelSurvey
from ldpcore.laws.channels import LaplaceShift
from ldpcore.laws.laplaceshifts import LaplaceShifts
from ldpcore.mechanisms.partition import PartitionReports, ResponseReports
from ldpcore.mechanisms.partitionhalves import HalfAndHalf
from ldpcore.parameters import ParameterError
from ldpcore.people.curves import CLASSES, LINES, SURFACES, ClassModel, CurveModel
from ldpcore.people.observed import ObservedPairs
from ldpcore.people.partitions import MOST_CELLS, OUTSIDE, Partition, finest
from ldpcore.people.populations import Population
from ldpcore.people.scales import PublicScale
from tests.rationing import crossed, shared
from tests.statistics import accept_normal

# --- what one person sends -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("part", "bound"), crossed([0.1, 0.3, 0.5, 0.8], [0.5, 1.0, 4.0]))
def test_the_printed_calibration_is_attained_for_every_split_and_bound(part: float, bound: float) -> None:
    mechanism = PartitionReports(1.3, 0.25, 1, bound, part)
    deviations = [noise.standard_deviation() for noise in mechanism.noises]
    assert 2**1.5 * (1 / deviations[0] + bound / deviations[1]) == pytest.approx(1.3, rel=1e-12)
    assert deviations == pytest.approx([2**1.5 / (part * 1.3), 2**1.5 * bound / ((1 - part) * 1.3)], rel=1e-12)
    # By enumeration of the density itself: reports on the corners of a box around all centers.
    people = [(x, y) for x in (0.1, 0.3, 2.0) for y in (-bound, bound)]
    reports = [np.array(signs) * 3.0 * max(bound, 1) for signs in itertools.product((-1, 1), repeat=8)]
    logs = np.array([[mechanism.log_density(report, value) for report in reports] for value in people])
    assert np.ptp(logs, axis=0).max() == pytest.approx(1.3, rel=1e-9)


def test_the_equal_split_at_level_one_has_the_numbers_of_the_literature() -> None:
    location, response = PartitionReports(1.0, 0.25, 1, 1.0, 0.5).noises
    assert location.standard_deviation() == pytest.approx(5.65685, abs=5e-6)
    assert response.standard_deviation() == pytest.approx(5.65685, abs=5e-6)
    assert ResponseReports(1.0, 0.25, 2, 1.0).noises[0].standard_deviation() == pytest.approx(2**1.5)


def test_unit_variance_is_scale_one_over_the_root_of_two() -> None:
    location, _ = PartitionReports(1.0, 0.25, 1, 1.0, 0.5).noises
    assert location.scale == pytest.approx(location.standard_deviation() / math.sqrt(2), rel=1e-15)
    draws = np.random.default_rng(1).laplace(scale=1 / math.sqrt(2), size=10**6)  # kurtosis 6: Var(x²) = 5
    assert accept_normal(float((draws**2).mean()), 1.0, math.sqrt(5e-6))


def test_people_in_one_cell_differ_by_their_responses_alone_and_outside_the_box_nobody_is_counted() -> None:
    mechanism = PartitionReports(1.0, 0.5, 1, 1.0, 0.3)
    assert mechanism.compare((0.1, 1.0), (0.2, -1.0)).loss() == pytest.approx(0.7)
    assert mechanism.compare((0.1, 1.0), (0.2, 1.0)).loss() == 0
    assert mechanism.compare((0.1, 1.0), (7.0, 1.0)).loss() == pytest.approx(0.5)
    assert mechanism.compare((5.0, 1.0), (7.0, -1.0)).loss() == 0
    people = Population(np.array([[0.1, 0.5], [3.0, 9.0]]), np.array([3, 1]))
    assert mechanism.truth(people).tolist() == [0.75, 0, 0.375, 0]


def test_half_of_the_people_with_the_whole_level_have_half_the_noise() -> None:
    both, halves = PartitionReports(1.0, 0.25, 1, 1.0, 0.5), HalfAndHalf(1.0, 0.25, 1, 1.0)
    crowd = Population(np.array([[0.1, 0.0]]), np.array([10**6]))
    assert both.variance(crowd)[1] == pytest.approx(32e-6)
    assert halves.variance(crowd)[1] == pytest.approx(16e-6)
    assert [noise.scale for noise in HalfAndHalf(0.5, 0.25, 1, 3.0).noises] == [4.0, 12.0]


@pytest.mark.parametrize("shifts", [(1.0,), (1.0, 1.0), (0.4, 2.0, 0.4), (0.5, 0.5, 1.5, 0.9)])
def test_hockey_sticks_of_several_laplace_numbers_follow_their_convolution(shifts: tuple[float, ...]) -> None:
    # The law of the loss on a fine grid, by repeated convolution of its density with the atoms at both ends.
    step, law, start = 1e-3, np.ones(1), 0.0
    for s in shifts:
        cells = np.arange(round(2 * s / step) + 1) * step - s
        own = np.exp((cells - s) / 2) / 4 * step
        own[0], own[-1] = own[0] / 2 + math.exp(-s) / 2, own[-1] / 2 + 0.5
        law, start = np.convolve(law, own), start - s
    losses = start + np.arange(len(law)) * step
    laws = LaplaceShifts(tuple(LaplaceShift(1.0, s) for s in shifts))
    assert laws.loss() == pytest.approx(sum(shifts))
    for epsilon in (0.0, 0.3, 0.7 * sum(shifts), sum(shifts)):
        numeric = float((law * -np.expm1(np.minimum(epsilon - losses, 0))).sum())
        assert laws.delta(epsilon) == pytest.approx(numeric, abs=2e-6)


# --- public cells ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("side", "dimensions"), [(0.25, 1), (0.3, 1), (1 / 7, 2), (0.4, 3), (1.0, 2)])
def test_every_place_in_the_box_is_in_exactly_one_cell(side: float, dimensions: int) -> None:
    partition = Partition(side, dimensions)
    places = np.random.default_rng(1).random((2000, dimensions))
    cells = partition.cells(places)
    inside = [(partition.edges[:-1] <= x[:, None]) & (x[:, None] < partition.edges[1:] + 1e-12) for x in places.T]
    assert all((axis.sum(axis=1) == 1).all() for axis in inside)
    along = [axis.argmax(axis=1) for axis in inside]
    assert np.array_equal(cells, np.ravel_multi_index(along, (partition.along,) * dimensions))
    assert partition.cells(np.ones((1, dimensions)))[0] == partition.k - 1
    assert partition.cells(np.full((1, dimensions), 1.0001))[0] == OUTSIDE


def test_impossible_partitions_are_refused_with_what_would_work() -> None:
    with pytest.raises(ParameterError, match=r"side must be greater than 0 and at most 1; got 1.5"):
        Partition(1.5, 1)
    with pytest.raises(ParameterError, match=r"at most 65536 cells, so at least 1.52588e-05; got 10000000"):
        Partition(1e-7, 1)
    assert Partition(finest(1), 1).k == MOST_CELLS and Partition(finest(2), 2).k == MOST_CELLS
    for name in ("threshold", "bound"):
        with pytest.raises(ParameterError, match=f"{name} must be greater than 0"):
            Tuning(**{name: 0.0})


# --- estimators ------------------------------------------------------------------------------------------------------


def test_the_ratio_is_zero_below_the_threshold_and_untouched_above() -> None:
    steps = quotient(np.array([0.5, 0.02, -0.1, 0.4, 1.5, 3.0, 9.0, -0.2]), Partition(0.25, 1), 0.1)
    assert steps.heights.tolist() == [3.0, 0, 0, -0.5] and steps.sunk.tolist() == [False, True, True, False]
    assert steps.at(np.array([[0.1], [0.9], [7.0]])).tolist() == [3.0, -0.5, 0.0]


def test_direct_means_are_means_and_empty_cells_are_zero() -> None:
    people = Population(np.array([[0.1, 1.0], [0.2, 4.0], [0.9, -2.0]]), np.array([2, 1, 5]))
    steps = direct(people, Partition(0.5, 1))
    assert steps.heights.tolist() == [2.0, -2.0] and steps.shares.tolist() == [0.375, 0.625]
    assert direct(people, Partition(0.25, 1)).heights.tolist() == [2.0, 0, 0, -2.0]


def test_all_people_in_one_cell_leave_the_others_empty_and_estimates_finite() -> None:
    people = Population(np.array([[0.1, 0.5]]), np.array([10**6]))
    mechanism = Tuning(0.25, 0.1, 1.0, 0.4).randomizer(5.0)
    estimates = mechanism.estimate(mechanism.sample_tally(people, np.random.default_rng(1)))
    steps = quotient(estimates, mechanism.partition, 0.1)
    assert steps.heights[0] == pytest.approx(0.5, abs=0.05) and steps.sunk.tolist() == [False, True, True, True]


def test_the_sign_of_zero_is_plus() -> None:
    assert classified(np.array([-1e-9, 0.0, 3.0])).tolist() == [-1, 1, 1]


def test_rows_without_a_number_are_counted_and_none_at_all_is_refused() -> None:
    pairs = ObservedPairs.of(([1, 2, math.nan, 40],), ((0, 10),), [5, math.inf, 3, 99], PublicScale(0, 10))
    assert (pairs.n, pairs.missing, pairs.outside) == (2, 2, 1)
    with pytest.raises(ParameterError, match="at least one number"):
        ObservedPairs.of(([math.nan],), ((0, 1),), [1.0])


# --- expected errors -------------------------------------------------------------------------------------------------


def simulated(model: CurveModel, n: int, mechanism: Any, threshold: float, rounds: int) -> np.ndarray:
    """Squared errors of rounds with people of their own."""
    errors, (rows, law) = [], model.atoms()
    for seed in range(rounds):
        rng = np.random.default_rng(seed)
        counts = rng.multinomial(n, law)
        people = Population(rows[counts > 0], counts[counts > 0])
        found = mechanism.estimate(mechanism.sample_tally(people, rng))
        errors.append(squared_error(model, quotient(found, mechanism.partition, threshold)))
    return np.array(errors)


@pytest.mark.parametrize(
    ("function", "n", "epsilon", "kind"),
    shared(
        [
            ("sine", 10**6, 1.0, "both"),
            ("step", 10**5, 0.3, "both"),
            ("sine", 3000, 4.0, "halves"),
            ("bump", 10**9, 0.1, "halves"),
        ],
        2,
    ),
)
def test_expected_errors_are_those_of_simulated_surveys(function: str, n: int, epsilon: float, kind: str) -> None:
    model = CurveModel(function, "bell", "heavy")
    tuning = automatic(epsilon, n, 1, model.roughness, kind)
    mechanism = tuning.randomizer(epsilon, 1, kind)
    errors = simulated(model, n, mechanism, tuning.threshold, 200)
    expected = expected_error(model, n, mechanism, tuning.threshold)
    assert accept_normal(float(errors.mean()), expected, 1.3 * float(errors.std()) / math.sqrt(200))


def test_expected_errors_of_honest_answers_are_those_of_simulated_ones() -> None:
    model, partition = CurveModel("sine", "gap", "normal"), Partition(1 / 24, 1)
    errors, (rows, law) = [], model.atoms()
    for seed in range(150):
        counts = np.random.default_rng(seed).multinomial(500, law)
        steps = direct(Population(rows[counts > 0], counts[counts > 0]), partition)
        errors.append(squared_error(model, steps))
    expected = expected_direct_error(model, 500, partition)
    assert accept_normal(float(np.mean(errors)), expected, 1.3 * float(np.std(errors)) / math.sqrt(150))


@pytest.mark.parametrize("rate", [1e-3, 0.5, 3.0, 39.9, 40.1, 500.0])
def test_the_mean_of_one_over_a_number_of_people_is_its_sum(rate: float) -> None:
    k = np.arange(1, 2000)
    assert float(mean_inverse(np.array([rate]))[0]) == pytest.approx(
        float((stats.poisson.pmf(k, rate) / k).sum()), rel=1e-5
    )


def test_the_bias_floor_is_the_quadrature_of_what_cell_means_leave() -> None:
    for m in (4, 12):

        def left(x: float, m: int = m) -> float:
            low = math.floor(x * m) / m
            mean = 0.9 * (math.cos(2 * math.pi * low) - math.cos(2 * math.pi * (low + 1 / m))) / (2 * math.pi) * m
            return (0.9 * math.sin(2 * math.pi * x) - mean) ** 2

        exact = sum(integrate.quad(left, j / m, (j + 1) / m - 1e-12)[0] for j in range(m))
        assert cells_of(CurveModel("sine"), Partition(1 / m, 1)).floor == pytest.approx(exact, rel=1e-4)


@pytest.mark.parametrize("function", ["sine", "step", "bump", "ring"])
def test_at_fixed_cells_the_error_falls_to_the_floor_of_honest_answers(function: str) -> None:
    model = CurveModel(function)
    tuning = Tuning(1 / 8, 0.05, model.largest, 0.4)
    mechanism = tuning.randomizer(1.0, model.dimensions)
    errors = [expected_error(model, 10**power, mechanism, tuning.threshold) for power in range(5, 16)]
    floor = cells_of(model, mechanism.partition).floor
    assert (np.diff(errors) < 0).all() and errors[-1] == pytest.approx(floor, rel=1e-4)
    assert expected_direct_error(model, 10**15, mechanism.partition) == pytest.approx(floor, rel=1e-6)
    honest = expected_error(model, 10**15, Tuning(1 / 8, 0.05, 0.3, 0.4).randomizer(1.0, model.dimensions), 0.05)
    assert honest > floor * 1.2  # responses that are truncated never come back


@pytest.mark.parametrize(
    ("function", "slope", "powers"), [("sine", -1 / 2, (5.6, 8.6)), ("saddle", -1 / 3, (5.6, 8.6))]
)
def test_the_tuned_error_falls_at_the_private_rate_over_three_decades(
    function: str, slope: float, powers: tuple[float, float]
) -> None:
    model, errors = CurveModel(function, scatter="none"), []
    along = sorted({*STOPS[:14], *range(2, 60)}) if model.dimensions == 1 else range(2, 16)
    sizes = np.geomspace(10 ** powers[0], 10 ** powers[1], 10)
    for n in sizes:
        found = [
            (expected_error(model, int(n), Tuning(1 / m, 0.1, 1.0, 0.45).randomizer(1.0, model.dimensions), 0.1), m)
            for m in along
        ]
        errors.append(min(found)[0])
        assert min(found)[1] ** model.dimensions >= 8
    fitted = float(np.polyfit(np.log(sizes), np.log(errors), 1)[0])
    assert fitted == pytest.approx(slope, abs=0.02), fitted


# --- classification --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", CLASSES)
def test_the_excess_risk_of_the_private_rule_falls_to_zero(shape: str) -> None:
    model, left = ClassModel(shape), []
    for n, m in ((10**4, 3), (10**6, 8), (10**8, 16), (10**11, 48), (10**14, 96)):
        left.append(model.best - expected_accuracy(model, n, ResponseReports(1.0, 1 / m, 2, 1.0), Partition(1 / m, 2)))
    assert (np.diff(left) < 0).all() and 0 <= left[-1] < 1e-4


def test_accuracy_is_the_share_of_right_guesses() -> None:
    model, partition = ClassModel("blobs"), Partition(1 / 6, 2)
    mechanism = ResponseReports(1.0, 1 / 6, 2, 1.0)
    found = []
    for seed in range(60):
        sums = mechanism.estimate(mechanism.sample_tally(model.people(20_000, seed), np.random.default_rng(seed)))
        guesses = classified(sums)
        lower, upper = model.densities
        at = guesses[partition.cells(model.places)]
        assert accuracy(model, partition, guesses) == pytest.approx(float(np.where(at > 0, upper, lower).sum()))
        found.append(accuracy(model, partition, guesses))
    expected = expected_accuracy(model, 20_000, mechanism, partition)
    assert accept_normal(float(np.mean(found)), expected, 1.3 * float(np.std(found)) / math.sqrt(60))
    assert expected_accuracy(model, 10**12, None, Partition(1 / 96, 2)) == pytest.approx(model.best, abs=1e-6)


@pytest.mark.parametrize(("shape", "epsilon"), crossed(CLASSES, [0.01, 1.0, 10.0], 3))
def test_the_expected_error_of_the_sign_rule_is_that_of_rules_drawn(shape: str, epsilon: float) -> None:
    model, n, along = ClassModel(shape), 20_000, 4
    drawn = [1 - LabelSurvey(model, n, epsilon, along, seed).run().right for seed in range(80)]
    expected = LabelErrors(model, n, epsilon, along).run().here
    assert accept_normal(float(np.mean(drawn)), expected, 1.3 * float(np.std(drawn)) / math.sqrt(80) + 1e-3)


@pytest.mark.parametrize("shape", CLASSES)
@pytest.mark.parametrize(("n", "along"), [(100, 2), (10**7, 13), (10**9, 32)])
def test_squares_that_stay_leave_an_error_and_squares_that_narrow_do_not(shape: str, n: int, along: int) -> None:
    model = ClassModel(shape)
    question = LabelErrors(model, n, 1.0, along)
    result = question.run()
    assert (result.kept >= result.left - 1e-12).all() and result.left >= result.best - 1e-12
    assert (result.private >= result.best - 1e-12).all() and (result.honest >= result.best - 1e-12).all()
    assert question.error(10**15, along) == pytest.approx(result.left, abs=2e-4)
    assert question.narrowing(n) == along and result.here == pytest.approx(question.error(n, along))


def test_the_excess_error_lies_below_what_cells_miss_and_the_noise_of_all_cells() -> None:
    model = ClassModel("moons")
    for epsilon in (0.5, 1.0, 10.0):
        for n in (10**4, 10**6, 10**9):
            question = LabelErrors(model, n, epsilon, 12)
            along = question.narrowing(n)
            cells = cells_of(model, Partition(1 / along, 2))
            means = cells.curve / np.maximum(cells.share, 1e-300)
            held = Partition(1 / along, 2).cells(model.places)
            missed = float(model.weights @ np.abs(model.curve - means[held]))
            noise = along**2 * math.sqrt((1 + 8 / epsilon**2) / n)
            assert question.error(n, along) - (1 - model.best) <= missed + noise


# --- choices ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("function", "kind"), crossed([*LINES, *SURFACES], ["both", "halves"]))
def test_the_automatic_choice_is_within_1_3_of_the_best_of_a_grid(function: str, kind: str) -> None:
    model = CurveModel(function)
    for n, epsilon in ((10**5, 1.0), (10**8, 1.0), (10**7, 0.3)):
        tuning = automatic(epsilon, n, model.dimensions, model.roughness, kind)
        chosen = expected_error(model, n, tuning.randomizer(epsilon, model.dimensions, kind), tuning.threshold)
        along = 1 / tuning.side
        grid = [
            expected_error(model, n, Tuning(1 / m, c, bound, w).randomizer(epsilon, model.dimensions, kind), c)
            for m in STOPS
            if along / 4 <= m <= along * 4 and m**model.dimensions <= 4096
            for c, bound, w in itertools.product((0.1, 0.4), (1.0, 1.25), (0.35, 0.5) if kind == "both" else (0.5,))
        ]
        assert chosen <= 1.3 * min(grid), (n, epsilon, chosen / min(grid), tuning)


SCHEDULES = [
    (Schedule(), True),
    (Schedule(0.2, 0.1), True),
    (Schedule(0.1, 0.05, "power", 0.05), True),
    (Schedule(0.1, 0.1, "log", dimensions=3), True),
    (Schedule(0.25, 0.25), False),
    (Schedule(0.5, 0.1), False),
    (Schedule(0.0, 0.1), False),
    (Schedule(0.2, 0.0), False),
    (Schedule(0.25, 0.125, "power", 0.2), False),
    (Schedule(0.2, 0.1, "constant"), False),
    (Schedule(-0.1, 0.1), False),
    (Schedule(0.25, 0.125, dimensions=2), False),
    (Schedule(0.2, 0.1, "power", -0.1), False),
]


@pytest.mark.parametrize(("schedule", "good"), SCHEDULES)
def test_schedules_are_judged_as_their_limits_say(schedule: Schedule, good: bool) -> None:
    assert schedule.consistent == good
    # By numbers: what must vanish goes on falling far out, on a scale on which logarithms have lost against powers.
    sizes = 10.0 ** np.array([60, 120, 240, 300])
    for name, values in schedule.along(sizes).items():
        condition = next(each for each in schedule.conditions() if each.name == name)
        assert bool((np.diff(values) < 0).all()) == condition.met, (name, values)


def test_the_example_of_the_literature_is_met_with_a_quarter_of_a_power_to_spare() -> None:
    schedule = Schedule(0.25, 0.125, "log")
    assert schedule.power == pytest.approx(0.25) and schedule.consistent
    edge = Schedule(0.25, 0.25)
    assert edge.power == 0 and [each.reason for each in edge.conditions()][3] == "log_wins"


# --- cost ------------------------------------------------------------------------------------------------------------


def test_a_billion_people_take_no_more_memory_than_a_thousand() -> None:
    mechanism = PartitionReports(1.0, 1 / 64, 1, 1.5, 0.4)
    model = CurveModel()
    peaks = []
    for n in (10**3, 10**9):
        people = model.people(n, 1)
        tracemalloc.start()
        mechanism.sample_tally(people, np.random.default_rng(1))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 5_000_000 and mechanism.tally_cost(14_000).bytes > peaks[1]


def test_the_users_route_stays_in_bounded_memory() -> None:
    mechanism = PartitionReports(1.0, 1 / 1024, 1, 1.5, 0.4)
    people = Population(np.array([[0.1, 0.5], [0.9, -0.5]]), np.array([3000, 2000]))
    tracemalloc.start()
    tally = mechanism.user_by_user(people, np.random.default_rng(1))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert tally.n == 5000 and peak < 100_000_000
