"""Answers estimated without a curator: their laws, errors, averages and prices, by another route each."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from ldpcore.estimating.estimatedanswers import EstimatedAnswer, EstimatedCount, EstimatedNumber
from ldpcore.experiments.averaging.running import AveragingExperiment
from ldpcore.experiments.counting.alone import EstimatesInCrowds, OneEstimate, ReportBets
from ldpcore.experiments.counting.comparing import reporters
from ldpcore.experiments.counting.releases import CountingExperiment
from ldpcore.mechanisms import by_slug
from ldpcore.mechanisms.base import FrequencyOracle, NumberRandomizer
from ldpcore.people.populations import Population
from tests.rationing import crossed, shared
from tests.statistics import accept_counts, accept_normal, accept_sample
from tests.truths.alone import law

LEVELS = 0.1, 1.0, 5.0
NUMBERS = Population(np.array([-1.0, -0.2, 0.7]), np.array([3, 9, 8]))


def count(held: int, n: int, level: float, again: bool = True) -> EstimatedCount:
    """A count of yes by randomized response."""
    (slug,) = reporters("count")
    oracle = by_slug(slug).starting(epsilon=level)
    assert isinstance(oracle, FrequencyOracle)
    return EstimatedCount.asked(oracle, held, n, again)


def number(slug: str, level: float, again: bool = True) -> EstimatedNumber:
    """A sum of 20 numbers between 0 and 10 by a mechanism."""
    randomizer = by_slug(slug).starting(epsilon=level)
    assert isinstance(randomizer, NumberRandomizer)
    return EstimatedNumber(randomizer, NUMBERS, 5.0 * NUMBERS.n, again)


def every(level: float) -> list[EstimatedAnswer]:
    """An estimate by each mechanism without a curator."""
    return [count(3, 5, level), *(number(slug, level) for slug in reporters("sum"))]


def named(estimate: EstimatedAnswer) -> str:
    """How a red line names it."""
    return f"{estimate.randomizer.slug}-{estimate.epsilon}"


REPEATS = 1500  # surveys of real people: their error is seen to within a sixth of itself
ALL = [each for level in LEVELS for each in every(level)]


@pytest.mark.parametrize(("held", "n"), [(0, 1), (1, 1), (3, 5), (882, 2584), (2584, 2584)])
@pytest.mark.parametrize("level", [0.05, 1.0, 9.0])
def test_an_estimated_count_has_the_law_of_two_binomials(held: int, n: int, level: float) -> None:
    estimate = count(held, n, level)
    errors, chances = law(held, n, level)
    assert chances @ errors == pytest.approx(0, abs=1e-8 * n / level)
    assert estimate.mean_absolute_error() == pytest.approx(chances @ np.abs(errors), rel=1e-7)
    assert estimate.variance() == pytest.approx(chances @ errors**2, rel=1e-8)
    for confidence in (0.5, 0.95, 0.999):
        width = estimate.width(confidence)
        inside = chances[np.abs(errors) <= width * (1 + 1e-9)].sum()
        assert inside == pytest.approx(estimate.within(width), abs=1e-12)
        assert inside >= confidence - 1e-12
        assert chances[np.abs(errors) < width * (1 - 1e-9)].sum() < confidence


@pytest.mark.parametrize("level", LEVELS)
def test_estimated_counts_are_drawn_from_that_law(level: float) -> None:
    """In as many cells as have weight, at a false-alarm rate of 1e-10."""
    estimate, (errors, chances) = count(30, 90, level), law(30, 90, level)
    drawn = estimate.release(30.0, np.random.default_rng(5), 60_000) - 30
    edges = np.quantile(errors[chances > 1e-3], np.linspace(0, 1, 9)[1:-1]) + 1e-6
    seen = np.bincount(np.searchsorted(edges, drawn), minlength=8)
    expected = np.bincount(np.searchsorted(edges, errors), chances, minlength=8)
    assert accept_counts(seen, expected / expected.sum())


@pytest.mark.parametrize("estimate", ALL, ids=named)
def test_an_estimate_errs_as_if_everybody_reports_one_by_one(estimate: EstimatedAnswer) -> None:
    """Against people who privatize their values themselves: mean, size and square, at a false-alarm rate of 1e-10."""
    rng, member = np.random.default_rng(17), estimate.randomizer
    held = np.repeat(estimate.people.values, estimate.people.counts)
    true = float(np.atleast_1d(member.truth(estimate.people))[-1])
    rounds = [member.estimate(member.tally(member.privatize(held, rng))) for _ in range(REPEATS)]
    errors = estimate.unit * (np.array([np.atleast_1d(each)[-1] for each in rounds]) - true)
    deviation, size = math.sqrt(estimate.variance()), estimate.mean_absolute_error()
    assert accept_normal(float(errors.mean()), 0.0, deviation / math.sqrt(REPEATS))
    assert accept_normal(float(np.abs(errors).mean()), size, estimate.deviation_of_error / math.sqrt(REPEATS))
    drawn = estimate.release(7.0, rng, estimate.singly) - 7
    assert accept_normal(float(np.abs(drawn).mean()), size, estimate.deviation_of_error / math.sqrt(len(drawn)))


@pytest.mark.parametrize("estimate", ALL, ids=named)
def test_the_average_of_surveys_is_one_survey_of_as_many_people_more(estimate: EstimatedAnswer) -> None:
    """Exactly; and the sums of drawn ones err as much, at a false-alarm rate of 1e-10 each."""
    people = Population(estimate.people.values, 6 * estimate.people.counts)
    whole = replace(estimate, people=people, unit=6 * estimate.unit)
    assert 6 * float(estimate.average_error(6)) == pytest.approx(whole.mean_absolute_error(), rel=1e-6)
    sums = estimate.sum_of_noise(np.full(2000, 6), np.random.default_rng(3))
    spread = whole.deviation_of_error / math.sqrt(2000)
    assert accept_normal(float(np.abs(sums).mean()), whole.mean_absolute_error(), spread)
    few, trillion = (float(estimate.average_error(10**power)) * 10 ** (power / 2) for power in (6, 12))
    assert few == pytest.approx(trillion, rel=1e-3)
    assert trillion == pytest.approx(math.sqrt(2 * estimate.variance() / math.pi), rel=1e-6)


def test_a_sum_of_very_many_surveys_is_drawn_part_by_part_and_is_normal() -> None:
    estimate = count(882, 10**8, 1.0)
    sums = estimate.sum_of_noise(np.full(2000, 10**12), np.random.default_rng(9))
    assert accept_sample(np.sort(sums), stats.norm(scale=1e6 * math.sqrt(estimate.variance())).cdf(np.sort(sums)))


@pytest.mark.parametrize("estimate", every(0.5), ids=named)
def test_a_few_estimates_are_the_first_of_more(estimate: EstimatedAnswer) -> None:
    few, more = (estimate.release(0.0, np.random.default_rng(4), many) for many in (10, 100))
    assert np.array_equal(few, more[:10])
    path = AveragingExperiment(estimate, 40.0, 1000, seed=2).run()
    shown = CountingExperiment(estimate, 40.0, estimate.n, seed=2).run().releases
    assert path.singles[:10] + 40 == pytest.approx(shown)
    assert path.means[9] == pytest.approx(shown.mean())


@pytest.mark.parametrize("estimate", every(0.5), ids=named)
def test_whoever_repeats_the_first_report_pays_once_and_never_comes_nearer(estimate: EstimatedAnswer) -> None:
    kept = replace(estimate, again=False)
    path = AveragingExperiment(kept, 40.0, 10**9, seed=2).run()
    assert np.ptp(path.means) == 0
    assert path.error == pytest.approx(kept.mean_absolute_error())
    assert path.standard_error == pytest.approx(math.sqrt(kept.variance()))
    assert path.spent == kept.epsilon
    assert AveragingExperiment(kept, 40.0, 1).affordable(0.4) == 0
    assert AveragingExperiment(kept, 40.0, 1).affordable(0.5) >= 10**12


@pytest.mark.parametrize("times", [1, 10, 1000])
def test_normal_reports_cost_together_what_keeps_their_delta(times: int) -> None:
    """N of them are one of √N times the shift, whose δ is SciPy's; everything else adds up."""
    noisy = number("gaussian", 0.5)
    shift = math.sqrt(times) * 2 / noisy.randomizer.sigma  # type: ignore[attr-defined]
    price = noisy.price(times)
    beyond = stats.norm.cdf(shift / 2 - price / shift) - math.exp(price) * stats.norm.cdf(-shift / 2 - price / shift)
    assert beyond == pytest.approx(noisy.failure, rel=1e-6)
    assert count(3, 5, 0.5).price(times) == pytest.approx(0.5 * times)


@pytest.mark.parametrize("level", LEVELS)
def test_a_report_lets_a_guess_be_right_as_often_as_its_level_says(level: float) -> None:
    result = OneEstimate(count(882, 2584, level), 882.0).run()
    assert result.best_guess == pytest.approx(1 / (1 + math.exp(-level)))
    places, heights = result.curve(other=True)
    errors, chances = law(881, 2584, level)
    assert np.interp(places[:5], errors - 1, chances / chances.max()) == pytest.approx(heights[:5], abs=1e-9)


@pytest.mark.parametrize("estimate", ALL, ids=named)
def test_the_best_bet_on_a_report_is_right_as_often_as_is_said(estimate: EstimatedAnswer) -> None:
    """Of a quarter of a million rounds, at a false-alarm rate of 1e-10; and no level allows more than its bound."""
    result = replace(ReportBets(estimate, 3.0, 10_000, 1), rounds=10_000).run()
    rights = [replace(result.experiment, seed=seed).run().right for seed in range(25)]
    spread = math.sqrt(result.chance * (1 - result.chance) / 250_000)
    assert accept_normal(sum(rights) / 250_000, result.chance, spread)
    assert result.chance <= result.bound + 1e-12


@pytest.mark.parametrize(
    ("people", "width"),
    crossed([(1, 1), (1, 2), (2, 4), (3, 5), (30, 100), (882, 2584)], [0.05, 0.5, 5.0, 60.0]),
    ids=str,
)
def test_from_the_planned_level_on_estimates_stay_within_the_width(people: tuple[int, int], width: float) -> None:
    held, n = people
    for confidence in (0.5, 0.95):
        level = count(held, n, 1.0).level_within(width, confidence)
        for higher in shared(np.geomspace(1 + 1e-9, 2.5, 400), 4):
            errors, chances = law(held, n, float(level * higher))
            assert chances[np.abs(errors) <= width + 1e-9].sum() >= confidence - 1e-9
        errors, chances = law(held, n, (1 - 1e-6) * level)
        # Where every level is enough, the plan names the strictest that it looks at.
        assert level <= 1.1e-6 or chances[np.abs(errors) <= width].sum() < confidence


def test_the_error_in_crowds_falls_like_one_over_the_root_of_their_size() -> None:
    result = EstimatesInCrowds(count(882, 2584, 1.0)).run()
    large = result.sizes >= 1000
    assert (result.shares * np.sqrt(result.sizes))[large] == pytest.approx(0.765, rel=2e-3)  # √(2/π)/(2 sinh ½)
    likely = result.likely(0.95) * np.sqrt(result.sizes)
    assert likely[large] == pytest.approx(1.96 / (2 * math.sinh(0.5)), rel=0.02)


@pytest.mark.parametrize("slug", ["count", *reporters("sum")])
def test_who_must_not_know_the_answer_learns_nothing_from_how_far_off_estimates_are(slug: str) -> None:
    """Two crowds of equally many people have the same results once these are masked."""
    if slug == "count":
        pair: list[EstimatedAnswer] = [count(held, 40, 1.0) for held in (3, 29)]
    else:
        one = number(slug, 1.0)
        pair = [one, replace(one, people=Population(np.array([0.1, 0.9]), np.array([4, 16])))]
    first, second = (CountingExperiment(each, each.unit * each.truth, each.n).run().masked() for each in pair)
    assert first.releases == pytest.approx(second.releases, abs=1e-6)
    assert first.error == pytest.approx(second.error)
    paths = [AveragingExperiment(each, each.unit * each.truth, 50).run().masked() for each in pair]
    assert paths[0].means == pytest.approx(paths[1].means, abs=1e-6)
    assert paths[0].error == pytest.approx(paths[1].error)
