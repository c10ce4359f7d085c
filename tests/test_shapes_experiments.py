"""The questions of the page about shapes: what they answer, from the result alone."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
import pytest
from scipy import stats

from explorer.facts import Number, Share
from explorer.pages.shapes import released as listed
from explorer.pages.shapes.facts import facts, reading
from explorer.pages.shapes.settings import SHARES, Shapes
from explorer.settings.numbers import PeopleSource
from ldpcore.estimating import shapes as distributions
from ldpcore.estimating.adviser import Adviser
from ldpcore.estimating.estimators import NormSub
from ldpcore.experiments.named import NamedResult
from ldpcore.experiments.shapes import distributions as shapes
from ldpcore.parameters import ParameterError
from ldpcore.people.populations import Population
from ldpcore.people.scales import ScaledNumbers, numbers_of_shape
from tests.scenes import STOPS
from tests.sentences import sentences

BELL = ScaledNumbers.synthetic("bell", 10**5, 0, 100)


def test_the_shape_comes_back_where_reports_say_enough_and_stays_flat_where_they_do_not() -> None:
    sharp, blunt = (shapes.Reconstruction(epsilon, BELL).run() for epsilon in (4.0, 0.01))
    assert sharp.distance < 0.005 and not sharp.flat and sharp.gap < 0.02
    assert blunt.flat and reading(NamedResult(blunt, ("",))) == "nothing"
    assert blunt.fit.shares == pytest.approx(np.full(64, 1 / 64), rel=0.05)


def test_quantiles_are_read_in_the_readers_unit() -> None:
    result = shapes.Reconstruction(4.0, BELL).run()
    assert result.true_quantiles(0.5) == pytest.approx(50, abs=1)
    assert result.quantiles(0.5) == pytest.approx(50, abs=1)
    assert (np.diff(result.quantiles(np.linspace(0.01, 0.99, 50))) >= 0).all()
    assert result.edges[0] <= -100 * 0.01 and result.edges[-1] >= 101
    assert int(result.counts.sum()) == result.n == 10**5 and len(result.edges) == len(result.counts) + 1


def test_what_is_masked_knows_nothing_of_the_people() -> None:
    for result in (shapes.Reconstruction(1.0, BELL).run(), shapes.Climb(1.0, BELL).run()):
        hidden = result.masked()
        assert hidden.truth[32] == 1 and hidden.experiment.numbers.n == 10**5
    assert shapes.Reconstruction(1.0, BELL).run().masked().fit.shares.sum() == pytest.approx(1)


def test_both_climbs_start_even_and_keep_the_steps_that_are_shown() -> None:
    result = shapes.Climb(1.0, BELL).run()
    for fit in (result.plain, result.smoothed):
        assert fit.kept[0][0] == 0 and fit.kept[0][1] == pytest.approx(np.full(64, 1 / 64))
        assert [step for step, _ in fit.kept] == [step for step in shapes.STEPS if step <= fit.steps]
    assert result.roughness(result.plain) > result.roughness(result.smoothed) >= 2 - 1e-9
    assert result.distance(result.smoothed) < 0.02


def bins_apart(numbers: ScaledNumbers, level: float, k: int, crowds: int = 3) -> float:
    """How far k bins by the mechanism of least error come from the truth, on average over crowds."""
    people = shapes.people_of(numbers)
    held = Population.of_categories(np.round(distributions.bins_of(people, k) * people.n).astype(np.int64))
    best = Adviser(held, level).run().options[0].randomizer
    raw = best.estimate(best.sample_tally(held, np.random.default_rng(k), crowds))
    shares = NormSub().apply(raw, best, held.n)
    return float(np.mean([distributions.wasserstein_from(people, each) for each in shares.T]))


def test_the_best_number_of_bins_depends_on_the_truth_and_at_small_levels_few_beat_the_wave() -> None:
    best = {
        shape: min(
            (2, 4, 8, 16, 32, 64), key=lambda k, shape=shape: bins_apart(ScaledNumbers.synthetic(shape, 10**5), 2.0, k)
        )  # type: ignore[misc]
        for shape in ("bell", "skewed", "two-point", "uniform")
    }
    assert len(set(best.values())) > 1, best
    few = {shape: bins_apart(ScaledNumbers.synthetic(shape, 10**5), 0.1, 8) for shape in ("bell", "uniform")}
    wave = {shape: shapes.Reconstruction(0.1, ScaledNumbers.synthetic(shape, 10**5)).run().distance for shape in few}
    assert few["bell"] < wave["bell"] and few["uniform"] > wave["uniform"], (few, wave)


def test_equal_questions_have_equal_answers_and_another_seed_other_ones() -> None:
    one, again, other = (shapes.Reconstruction(1.0, BELL, seed=seed).run() for seed in (1, 1, 2))
    assert np.array_equal(one.fit.shares, again.fit.shares) and not np.array_equal(one.counts, other.counts)


def test_bins_of_people_hold_everybody_also_at_the_upper_bound() -> None:
    for k in (2, 7, 64):
        shares = distributions.bins_of(numbers_of_shape("two-point", 1000), k)
        assert shares[0] == pytest.approx(0.7) and shares[-1] == pytest.approx(0.3)
    with pytest.raises(ParameterError, match="counted atoms"):
        shapes.Reconstruction(1.0, ScaledNumbers.smooth("uniform", 1000)).run()


@pytest.mark.parametrize("bins", [1, 10**6])
def test_a_question_of_one_bin_or_a_million_is_refused(bins: int) -> None:
    with pytest.raises(ParameterError, match="bins must be a whole number"):
        shapes.Reconstruction(1.0, BELL, bins)


def test_the_facts_of_a_flat_picture_are_finite_and_the_truth_is_marked() -> None:
    told = facts(Shapes().shape(0.01).run())
    assert all(math.isfinite(getattr(fact, "value", 0.0) or 0.0) for fact in told.values())
    assert {name for name, fact in told.items() if type(fact).__name__ == "Truth"} >= {"distance", "true_half", "gap"}


def test_a_sheet_lists_the_quantiles_that_are_read_back_and_none_of_an_even_spread() -> None:
    asked = Shapes()
    result = asked.shape(1.0).question.run()
    assert isinstance(result, shapes.ReconstructionResult)
    told = listed.quantiles(asked, 1.0, None, lambda question: question.run())
    assert told is not None and len(told.rows) == len(SHARES)
    shares = np.cumsum(result.fit.shares)
    low, high = result.experiment.numbers.scale.low, result.experiment.numbers.scale.high
    for share, value, *_ in told.rows:
        assert isinstance(share, Share) and isinstance(value, Number)
        place = (value.value - low) / (high - low) * len(shares)  # in bins, people evenly within each
        below = np.interp(place, np.arange(len(shares) + 1), [0, *shares])
        assert below == pytest.approx(share.value, abs=1e-5)
    assert listed.quantiles(asked, 0.001, None, lambda question: question.run()) is None


def test_a_step_of_em_costs_few_calls_at_every_stop_so_that_steps_are_drawn_beforehand() -> None:
    """Calls of any function, Python's and NumPy's, over the whole strip: 46 for each step, when it waited."""
    calls = steps = 0

    def count(frame: Any, event: str, argument: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    for level in STOPS:
        question = Shapes().steps(level).question
        sys.setprofile(count)
        try:
            result = question.run()
        finally:
            sys.setprofile(None)
        assert isinstance(result, shapes.ClimbResult)
        steps += result.plain.steps + result.smoothed.steps
    assert steps > 10_000 and calls < 12 * steps, calls / steps


# --- the truth is the people's ---------------------------------------------------------------------------------------

CROWDS = {
    "everybody holds 65": [65.0] * 1000,
    "at both ends": [0.0] * 500 + [100.0] * 500,
    "one person": [37.0],
    "two persons": [0.0, 100.0],
    "few of many": [0.0, 12.5, 12.5, 40.0, 87.5, 87.5, 100.0],
    "ten": [float(x) for x in range(10)],
}


@pytest.mark.parametrize("bins", [8, 64])
@pytest.mark.parametrize("crowd", CROWDS)
def test_true_quantiles_are_those_of_the_people_whatever_is_drawn(crowd: str, bins: int) -> None:
    held = np.array(CROWDS[crowd])
    result = shapes.Reconstruction(1.0, ScaledNumbers.of(held, 0, 100), bins).run()
    levels = np.linspace(0.05, 0.95, 19).round(2)
    expected = np.quantile(held, levels, method="averaged_inverted_cdf")
    assert result.true_quantiles(levels) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("language", ["en", "de"])
def test_people_who_hold_one_number_are_not_said_to_lie_between_two(language: str) -> None:
    alike = {"en": "it lies at 65,", "de": "liegt sie bei 65;"}[language]
    apart = {"en": "it runs from 0 to 100", "de": "reicht sie von 0 bis 100"}[language]
    for crowd, words in (("everybody holds 65", alike), ("at both ends", apart)):
        source = PeopleSource(ScaledNumbers.of(CROWDS[crowd], 0, 100))
        assert words in sentences("shapes", "shape", Shapes(source, 8), 1.0, language)


@pytest.mark.parametrize("crowd", CROWDS)
def test_the_distance_is_from_the_people_and_not_from_their_bins(crowd: str) -> None:
    """Against people moved one by one: both sorted, the histogram as 2 x 10^5 people spread evenly in each bin."""
    held = np.array(CROWDS[crowd]) / 100
    for bins in (2, 8, 64):
        result = shapes.Reconstruction(2.0, ScaledNumbers.of(held, 0, 1), bins).run()
        many = 200_000 // bins
        spots = ((np.arange(bins)[:, None] + (np.arange(many) + 0.5) / many) / bins).ravel()
        weights = np.repeat(result.fit.shares / many, many)
        assert result.distance == pytest.approx(stats.wasserstein_distance(held, spots, None, weights), abs=1e-5)
