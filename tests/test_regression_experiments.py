"""Results of the experiments on curves: what they say of themselves, and how they depend on what is asked."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from ldpcore.estimating.regression import Tuning, expected_direct_error
from ldpcore.estimating.tunings import STOPS, automatic, threshold_for
from ldpcore.experiments import regression
from ldpcore.experiments.regression.curves import FURTHER, best_direct, people_for, sizes_to
from ldpcore.people.curves import CLASSES, ClassModel, CurveModel, curve
from ldpcore.people.observed import ObservedPairs
from ldpcore.people.partitions import Partition
from ldpcore.people.scales import PublicScale
from ldpcore.questions import Question
from tests.rationing import ALL, shared

SINE = CurveModel()


def survey(level: float, n: int = 10**7, seed: int = 1) -> regression.CurveSurveyResult:
    tuning = automatic(1.0, n)
    threshold = threshold_for(level, n, tuning.side, 1, "both", tuning.part)
    own = Tuning(tuning.side, threshold, tuning.bound, tuning.part)
    return regression.CurveSurvey(SINE, n, level, own, seed=seed).run()


def test_as_the_level_falls_the_steps_sink_one_by_one_and_none_comes_back() -> None:
    levels = np.geomspace(10, 0.01, 60)
    sunk = [survey(float(level)).steps.sunk for level in levels]
    counts = [int(each.sum()) for each in sunk]
    assert counts[0] == 0 and counts[-1] >= 22 and max(np.diff(counts)) <= 6
    for before, after in itertools.pairwise(sunk):
        # A cell stands where μ̃ = μ + sζ reaches 2s: once under, it stays under, for s grows as the level falls.
        assert not (before & ~after).any()


def test_noise_and_people_of_a_seed_are_the_same_at_every_level() -> None:
    one, other = survey(1.0), survey(2.0)
    assert np.array_equal(one.direct.heights, other.direct.heights)
    noise = [result.steps.shares - result.direct.shares for result in (one, other)]
    assert noise[0] == pytest.approx(2 * noise[1], rel=1e-9)


def test_a_survey_is_off_by_what_is_expected_and_worse_than_honest_answers() -> None:
    found = [survey(1.0, 10**6, seed) for seed in range(1, 31)]
    squares = np.array([result.error**2 for result in found])
    assert float(squares.mean()) == pytest.approx(found[0].expected ** 2, rel=0.4)
    assert all(result.direct_error < result.error < result.flat_error for result in found)
    assert found[0].floor < found[0].direct_error + 1e-3


def test_a_table_is_measured_by_its_own_honest_answers_in_its_own_unit() -> None:
    x, rng = np.linspace(0, 100, 4000), np.random.default_rng(1)
    pairs = ObservedPairs.of((x,), ((0, 100),), 50 + 30 * np.sin(x / 16) + rng.normal(0, 3, 4000), PublicScale(0, 100))
    result = regression.CurveSurvey(pairs, pairs.n, 50.0, Tuning(0.1, 0.05, 1.0, 0.45)).run()
    assert not result.known and result.direct_error == 0 and 0 < result.error < 10
    assert result.experiment.people.n == 4000


def test_one_report_holds_two_numbers_for_each_cell_and_the_guess_is_right_at_large_levels() -> None:
    right = [regression.OnePoint(40.0, 0.3, 0.7, Tuning(0.1, 0.1, 1.0, 0.5), seed).run().right for seed in range(1, 40)]
    assert all(right)
    result = regression.OnePoint(1.0, 0.3, 0.7, Tuning(0.1, 0.1, 1.0, 0.5)).run()
    assert len(result.location) == len(result.response) == 10 and result.cell == 3
    assert 0.5 < result.told_apart < math.e / (1 + math.e)


def test_honest_errors_beyond_the_grid_of_places_go_on_as_those_on_it() -> None:
    for function in ("sine", "line", "bump"):
        model = CurveModel(function)
        for n in (10**5, 10**6):
            exact = min(expected_direct_error(model, n, Partition(1 / m, 1)) for m in (32, 64, 96, 128, 192, 256))
            assert best_direct(model, n) == pytest.approx(exact, rel=0.1)


@pytest.mark.parametrize("n", [10**5, 10**7])
def test_the_best_cells_of_honest_answers_about_a_surface_are_those_of_its_slopes(n: int) -> None:
    """A cell of side h misses h²/12 of the mean squared slope, and K cells scatter by Kσ²/n."""
    model, h = CurveModel("saddle"), 1e-5
    x, y = (part.ravel() for part in np.meshgrid(*[(np.arange(100) + 0.5) / 100] * 2, indexing="ij"))
    slopes = [
        (curve("saddle", np.column_stack([x + h * a, y + h * b])) - curve("saddle", np.column_stack([x, y]))) / h
        for a, b in ((1, 0), (0, 1))
    ]
    steep = float(sum((slope**2).mean() for slope in slopes))
    variance = float(model.noise[0] ** 2 @ model.noise[1])
    along = np.array(sorted({*STOPS, *FURTHER}), dtype=float)
    best = along[int(np.argmin(steep / along**2 / 12 + along**2 * variance / n))]
    result = regression.ChoiceOfSide(model, n, 1.0).run()
    assert 0.6 < 1 / result.best_honest / best < 1.7 and 1 / result.best < best


def test_the_best_cells_are_fewer_with_privacy_and_the_curve_over_them_is_a_valley() -> None:
    result = regression.ChoiceOfSide(SINE, 10**6, 1.0).run()
    assert result.best > result.best_honest
    bottom = int(result.private.argmin())
    assert 0 < bottom < len(result.private) - 1
    assert (result.private >= result.honest * (1 - 1e-9)).all() and (result.honest >= result.floors * (1 - 1e-9)).all()


def test_the_price_falls_with_the_level_and_is_never_below_one() -> None:
    prices = [regression.CurvePlan(SINE, 10**6, level).run().price for level in (0.1, 0.3, 1.0, 3.0, 10.0)]
    assert (np.diff(prices) < 0).all() and prices[-1] > 1


@pytest.mark.parametrize(("n", "wish"), shared([(10**5, 0.2), (10**7, 0.2), (10**7, 0.1)], 2))
def test_no_smaller_level_is_enough_for_a_curve_whose_error_jumps_with_its_cells(n: int, wish: float) -> None:
    plan = regression.CurvePlan(CurveModel("step"), n, 1.0, wish).run()
    assert plan.level is not None

    def error(level: float) -> float:
        return regression.CurvePlan(CurveModel("step"), n, level, wish).run().error

    said = float(dict(plan.recommended[0].settings)["epsilon"])
    assert error(plan.level) <= wish * (1 + 1e-12) and error(said) <= wish * (1 + 1e-12)
    assert all(
        error(float(level)) > wish for level in np.geomspace(plan.level / 3, plan.level * 0.999, 40 if ALL else 9)
    )


def test_a_plan_gives_the_level_and_the_people_that_meet_the_wish() -> None:
    plan = regression.CurvePlan(SINE, 10**6, 1.0, 0.1).run()
    assert plan.level is not None
    reached = regression.CurvePlan(SINE, 10**6, plan.level, 0.1).run()
    assert reached.error == pytest.approx(0.1, rel=0.03)
    enough = regression.CurvePlan(SINE, math.ceil(plan.needed), 1.0, 0.1).run()
    assert enough.error == pytest.approx(0.1, rel=0.1)
    assert regression.CurvePlan(SINE, 1000, 1.0, 0.02).run().level is None


def test_people_for_an_error_lie_between_those_listed() -> None:
    sizes = sizes_to(10**5)
    errors = 1 / sizes
    assert people_for(1 / 20_000, sizes, errors) == pytest.approx(20_000, rel=1e-6)
    assert people_for(1.0, sizes, errors) == 1000 and people_for(1e-9, sizes, errors) == math.inf


@pytest.mark.parametrize("shape", CLASSES)
def test_private_rules_come_near_the_best_one_with_many_people(shape: str) -> None:
    few, many = (regression.LabelSurvey(ClassModel(shape), n, 1.0, 12).run() for n in (10**4, 10**9))
    assert few.right < many.right <= many.best and many.best - many.right < 0.02
    assert many.honest_right >= many.right - 1e-3
    assert not many.masked().shares.any()


def test_every_question_says_what_it_takes_and_more_cells_cost_more() -> None:
    for question in (
        regression.CurveSurvey(SINE, 10**6, 1.0),
        regression.OnePoint(1.0),
        regression.ChoiceOfSide(SINE, 10**6, 1.0),
        regression.CurvePlan(SINE, 10**6, 1.0),
        regression.LabelSurvey(ClassModel(), 100, 1.0),
    ):
        assert isinstance(question, Question) and 0 < question.cost().seconds <= 1 and question.cost().bytes > 0
    narrow = regression.CurveSurvey(SINE, 10**6, 1.0, Tuning(0.001)).cost()
    assert narrow.bytes > regression.CurveSurvey(SINE, 10**6, 1.0, Tuning(0.1)).cost().bytes


def test_a_curator_at_the_same_level_needs_the_noise_of_one_report_alone() -> None:
    found = survey(1.0, 10**4)
    beside = regression.CuratorCurve(found.experiment).run()
    assert beside.error < found.error and not beside.steps.sunk.any()
    assert abs(beside.steps.shares - found.direct.shares).max() < 60 / 10**4  # Lap(4.5): e^-13 each
    assert not beside.masked().steps.heights.any()


def test_cells_of_every_side_have_an_error_at_the_smallest_level_that_can_be_typed() -> None:
    assert np.isfinite(regression.ChoiceOfSide(SINE, 100, 1e-6).run().private).all()
