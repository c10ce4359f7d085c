"""Questions about frequencies: exact laws beside simulation, equal answers to equal questions, progress and its end."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from ldpcore.estimating.adviser import Adviser, candidates, level_needed, tuned_anew
from ldpcore.estimating.estimators import POSTPROCESSORS
from ldpcore.experiments.frequencies import (
    AfterEstimate,
    CategoryReport,
    ColumnFamily,
    FrequencyExperiment,
    FrequencyPlan,
    RivalPlans,
    Survey,
    TopTen,
    TwoPointFamily,
    ZipfFamily,
    expected_error,
)
from ldpcore.experiments.frequencies.weighing import Weighing
from ldpcore.experiments.repetitions import Repetitions, at_once
from ldpcore.experiments.response import SurveyPlan
from ldpcore.fingerprints import fingerprint
from ldpcore.mechanisms import by_slug
from ldpcore.mechanisms.base import CategoryRandomizer, FrequencyOracle, LocalRandomizer
from ldpcore.mechanisms.grr import GeneralizedRandomizedResponse, RandomizedResponse
from ldpcore.mechanisms.unary import OptimizedUnaryEncoding
from ldpcore.parameters import ParameterError
from ldpcore.people.populations import Population
from tests.rationing import ALL, crossed, shared
from tests.statistics import accept_normal

GRR = GeneralizedRandomizedResponse(1.0, 10)
TOWN = Population.zipf(10, 20_000)
MEMBERS = candidates(1.0, 10)
members = pytest.mark.parametrize("randomizer", MEMBERS, ids=lambda randomizer: randomizer.slug)


class AbandonedError(Exception):
    pass


@members
def test_simulated_error_agrees_with_the_exact_one(randomizer: CategoryRandomizer) -> None:
    # 1 000 repetitions: their mean squared error is a mean of 1 000 bounded terms (normal tail, rate 1e-10).
    result = FrequencyExperiment(randomizer, TOWN, 1000).run()
    assert accept_normal(result.error(), result.expected(), result.error_of())
    assert all(
        accept_normal(bias, 0, math.sqrt(variance / 1000))
        for bias, variance in zip(result.split.bias, result.variance, strict=True)
    )
    for metric, slack in (("mae", 0.01), ("largest", 0.04)):  # normal and independent is an approximation there
        assert math.isclose(result.error(metric), result.expected(metric), rel_tol=slack + 6.5 * 0.01)


@members
def test_the_mean_squared_error_of_a_run_is_that_of_its_estimates(randomizer: CategoryRandomizer) -> None:
    result = FrequencyExperiment(randomizer, TOWN, 30).run()
    off = result.estimates - TOWN.shares[:, None]
    assert result.estimates.shape == (10, 30) and np.array_equal(result.first, result.estimates[:, 0])
    assert np.allclose(result.run_errors, [(off**2).mean(axis=0), np.abs(off).mean(axis=0), np.abs(off).max(axis=0)])
    assert np.allclose(result.mean, result.estimates.mean(axis=1))
    assert np.allclose(result.split.variance, result.estimates.var(axis=1))


def test_the_same_question_has_the_same_answer_and_a_longer_one_begins_with_it() -> None:
    population = Population.zipf(300, 10**6)
    oracle = GeneralizedRandomizedResponse(1.0, 300)
    short, again = (FrequencyExperiment(oracle, population, 12, seed=4).run() for _ in range(2))
    long = FrequencyExperiment(oracle, population, 30, seed=4).run()
    other = FrequencyExperiment(oracle, population, 12, seed=5).run()
    once = FrequencyExperiment(oracle, population, 1, seed=4).run()
    assert np.array_equal(short.estimates, again.estimates) and np.array_equal(short.first, long.first)
    assert np.array_equal(once.first, long.first)
    assert np.array_equal(short.estimates[:, :6], long.estimates[:, :6]) and not np.array_equal(
        short.first, other.first
    )


def test_a_large_experiment_carries_summaries_and_few_estimates() -> None:
    population = Population.zipf(4096, 10**9)
    result = FrequencyExperiment(GeneralizedRandomizedResponse(1.0, 4096), population, 200).run()
    assert result.estimates.shape == (4096, 64) and result.run_errors.shape == (3, 200) and result.split.repeats == 200
    assert accept_normal(result.error(), result.expected(), result.error_of())


def test_one_repetition_has_no_standard_error() -> None:
    assert math.isnan(FrequencyExperiment(GRR, TOWN, 1).run().error_of())


def test_progress_rises_to_one_and_may_abandon_the_work() -> None:
    seen: list[float] = []
    FrequencyExperiment(GRR, TOWN, 2000).run(seen.append)
    assert seen == sorted(seen) and seen[-1] == 1 and len(seen) > 5

    def give_up(share: float) -> None:
        raise AbandonedError

    for question in (FrequencyExperiment(GRR, TOWN, 2000), AfterEstimate(GRR, TOWN), TopTen(GRR, TOWN)):
        with pytest.raises(AbandonedError):
            question.run(give_up)


class Slow(GeneralizedRandomizedResponse):
    """A mechanism without a shortcut: p = e^ε/(e^ε+k-1), users one by one."""

    sample_tally = LocalRandomizer.sample_tally


def test_users_one_by_one_have_the_same_law_and_report_progress_inside_a_repetition() -> None:
    population, seen = Population.zipf(10, 2_000_000), []
    slow = Repetitions(Slow(1.0, 10), population, 3, 1, "test")
    estimates = np.concatenate(list(slow.estimates(seen.append)), axis=1)
    assert estimates.shape == (10, 3) and len(seen) >= 6 and seen == sorted(seen) and math.isclose(seen[-1], 1)
    deviations = np.sqrt(GRR.variance_of_shares(population.shares, population.n))
    # 30 binomial estimates of two million users each, rate 1e-10 by the normal tail.
    assert (np.abs(estimates - population.shares[:, None]) < stats.norm.isf(1e-9 / 60) * deviations[:, None]).all()


def test_the_population_must_fit_the_mechanism() -> None:
    with pytest.raises(ParameterError, match="population must list"):
        FrequencyExperiment(GRR, Population.zipf(11, 100)).run()


@pytest.mark.parametrize("randomizer", shared(MEMBERS, 5), ids=lambda each: each.slug)
def test_intervals_of_a_run_hold_alone_and_all_at_once(randomizer: CategoryRandomizer) -> None:
    # 150 runs: fewer than 121 that enclose all ten shares have probability below 1e-9 at a coverage of 0.945.
    assert stats.binom.cdf(120, 150, 0.945) < 1e-9
    held = 0
    for seed in range(150):
        result = FrequencyExperiment(randomizer, TOWN, 1, seed).run()
        alone, together = result.bounds(), result.bounds(simultaneous=True)
        # Exact ends are shares, so that two of them may meet at 0.
        assert (together.low <= alone.low).all() and (together.high >= alone.high).all()
        assert (together.high - together.low > alone.high - alone.low).all()
        assert alone.encloses(result.first).all()
        held += bool(together.encloses(TOWN.shares).all())
    assert held > 120


def test_the_expected_largest_error_is_that_of_independent_normal_estimates() -> None:
    # 200 000 draws: the standard error is below 0.2 % of the value (rate 1e-10 at 6.5 of them).
    for deviations in (np.full(5, 2.0), np.linspace(0.1, 1, 30), np.array([0.0, 1.0])):
        drawn = np.abs(np.random.default_rng(1).normal(size=(200_000, len(deviations))) * deviations).max(axis=1)
        assert math.isclose(expected_error("largest", deviations), drawn.mean(), rel_tol=6.5 * 0.002)
    assert math.isclose(expected_error("largest", np.ones(1)), math.sqrt(2 / math.pi), rel_tol=1e-6)
    assert expected_error("largest", np.zeros(3)) == 0
    assert math.isclose(expected_error("mae", np.array([3.0])), 3 * stats.halfnorm.mean(), rel_tol=1e-12)


def test_a_column_keeps_its_shares_for_any_n_and_its_most_frequent_values_for_any_k() -> None:
    column = Population.of_categories([10, 50, 5, 35])
    assert np.allclose(ColumnFamily(column).of(4, 1000).shares, column.shares)
    assert np.array_equal(ColumnFamily(column).of(3, 100).counts, [50, 35, 15])
    assert np.array_equal(ColumnFamily(column).of(6, 100).counts, [10, 50, 5, 35, 0, 0])
    assert np.array_equal(TwoPointFamily(0.25).of(3, 100).counts, [75, 25, 0])


def test_the_top_ten_is_found_where_the_noise_is_small_and_missed_where_it_is_large() -> None:
    population = Population.zipf(100, 10**6, 1.2)
    sure = TopTen(GeneralizedRandomizedResponse(10.0, 100), population, 50).run()
    assert sure.mean_right == 10 and (sure.listed == 1).all() and len(sure.false) == 0 and sure.standard_error == 0
    lost = TopTen(GeneralizedRandomizedResponse(0.01, 100), population, 400).run()
    assert lost.mean_right < 3 and len(lost.false) == 10 - lost.belongs[lost.first].sum()
    assert lost.right.sum() == 400 and lost.chosen.sum() == 4000
    assert np.array_equal(np.sort(sure.first), np.arange(10))


def test_pure_noise_finds_ten_of_a_hundred_values_one_time_in_ten() -> None:
    # Estimates that carry almost nothing must not favor the values that come first: one user, 4 000 repetitions.
    # The number right is nearly hypergeometric with mean 1 and variance below 0.9; rate 1e-10 by the normal tail.
    population = Population.of_categories([1] + [0] * 99)
    result = TopTen(GeneralizedRandomizedResponse(1e-6, 100), population, 4000).run()
    listed = result.chosen / 4000
    assert (np.abs(listed - 0.1) < 6.5 * math.sqrt(0.09 / 4000) * 1.2).all()


def test_all_values_belong_to_the_top_where_all_are_equally_frequent() -> None:
    result = TopTen(GRR, Population.uniform(10, 1000), 20, size=3).run()
    assert result.mean_right == 3 and len(result.false) == 0


def test_a_value_that_nobody_holds_is_never_found_however_many_tie_with_it_at_zero() -> None:
    population = Population.of_categories([60, 40] + [0] * 18)
    sure = TopTen(GeneralizedRandomizedResponse(12.0, 20), population, 50).run()
    assert sure.true_top.tolist() == [0, 1] and np.flatnonzero(sure.belongs).tolist() == [0, 1]
    assert sure.mean_right == 2 and (sure.listed == 1).all() and len(sure.first) == 10 and len(sure.false) == 8
    # Where reports carry next to nothing, two of twenty are among ten as often as chance has it, one time in two each.
    lost = TopTen(GeneralizedRandomizedResponse(1e-6, 20), population, 4000).run()
    spread = math.sqrt(2 * (1 / 2) * (1 / 2) * (18 / 19) / 4000)  # hypergeometric
    assert accept_normal(lost.mean_right, 1.0, spread)


@members
def test_one_report_says_about_every_value_what_the_definition_says(randomizer: CategoryRandomizer) -> None:
    for seed in range(20):
        result = CategoryReport(randomizer, 3, seed).run()
        log_chances = np.array([randomizer.log_density(result.report, value) for value in range(10)])
        expected = np.exp(log_chances - log_chances.max())
        assert np.allclose(result.posterior, expected / expected.sum(), rtol=1e-9)
        assert result.loss <= randomizer.guarantee().epsilon + 1e-9
        assert result.posterior[result.guess] == result.posterior.max()
        assert np.array_equal(np.flatnonzero(result.before), [3])
        if isinstance(randomizer, FrequencyOracle):
            assert np.array_equal(result.after, result.before ^ result.flipped)
            assert result.chances[3] == randomizer.p and result.chances[0] == randomizer.q
            expected = np.where(result.after, 1 - randomizer.q, -randomizer.q) / randomizer.gap
            assert np.allclose(result.estimate, expected, rtol=1e-9)
        else:
            assert result.after is None and result.flipped is None and result.chances is None


def test_one_report_of_a_value_outside_the_domain_is_refused() -> None:
    with pytest.raises(ParameterError, match="values must be"):
        CategoryReport(GRR, 10).run()


@members
def test_after_the_estimate_every_fitting_rule_has_bias_squared_plus_variance(randomizer: CategoryRandomizer) -> None:
    result = AfterEstimate(randomizer, TOWN, 500).run()
    assert [row.rule for row in result.rows] == [rule for rule in POSTPROCESSORS if rule.fits(randomizer)]
    for row in result.rows:
        assert math.isclose(row.bias_squared + row.variance, row.mean_squared_error, rel_tol=1e-9)
        assert row.split.repeats == 500
    raw, projected = result.row("raw"), result.row("projection")
    assert projected.mean_squared_error <= raw.mean_squared_error
    assert np.allclose(projected.first, result.row("norm-sub").first, atol=1e-12)
    assert np.allclose(result.row("clip").first, np.maximum(raw.first, 0))


def test_repetitions_in_blocks_split_the_error_as_all_at_once() -> None:
    population = Population.zipf(700, 10**5)
    result = FrequencyExperiment(GeneralizedRandomizedResponse(2.0, 700), population, 9).run()
    off = result.estimates - population.shares[:, None]
    assert np.allclose(result.split.variance, result.estimates.var(axis=1), rtol=1e-9)
    assert np.allclose(result.split.mean_squared_error, (off**2).mean(axis=1), rtol=1e-9)


@members
@pytest.mark.parametrize("sampled", [False, True])
def test_the_plan_is_solved_backwards(randomizer: CategoryRandomizer, sampled: bool) -> None:
    plan = FrequencyPlan(randomizer, 100_000, 0.2, 0.01, 0.9, sampled)
    planned = plan.run()
    assert planned.epsilon is not None

    def normal(tuned: CategoryRandomizer | None, n: float) -> float:
        assert tuned is not None
        return stats.norm.ppf(0.95) * math.sqrt(tuned.variance_of_shares(0.2, 1) / n + 0.2 * 0.8 / n * sampled)

    def fits(level: float) -> bool:
        tuned = tuned_anew(randomizer, level)
        return tuned is not None and plan.fits(tuned)

    assert fits(planned.epsilon) and not fits(planned.epsilon * 0.999)
    assert (
        plan.reach(randomizer, int(planned.people)) <= 0.01 < plan.reach(randomizer, int(planned.people * 0.9998) - 1)
    )
    # So many people are near the normal law, beyond which tallies lie; tails of Laplace noise are lighter at first.
    assert 0.99 < normal(tuned_anew(randomizer, planned.epsilon), 100_000) / 0.01 < 1.0001
    assert 0.9999 < planned.width / normal(randomizer, 100_000) < 1.01


def test_one_plan_for_one_question_a_sample_of_people_is_counted_as_one_on_every_page() -> None:
    """Five people at ±1 % would be a census of five; a population needs thousands, however truthful they are.

    A plan for whatever the share is holds for each share: it asks for no fewer than the plan for one, and for as many
    where that one is hardest.
    """
    for sampled in (True, False):
        survey = SurveyPlan(RandomizedResponse(10.0), 1000, 0.01, 0.95, sampled).run()
        for share in (0.1, 0.5):
            shares = FrequencyPlan(RandomizedResponse(10.0), 1000, share, 0.01, 0.95, sampled).run()
            assert survey.people is not None and shares.people <= survey.people and shares.width <= survey.width
            assert shares.experiment.truthful <= survey.truthful
            assert (shares.people < 100) != sampled
        assert not sampled or math.isclose(shares.width, survey.width, rel_tol=1e-3)
    assert survey.truthful == 0 and survey.people is not None and survey.people < 100


def test_the_plans_chance_is_exact() -> None:
    sample = FrequencyPlan(RandomizedResponse(1.0), 40, 0.25, 0.2).run()
    counts, said = np.arange(41), RandomizedResponse(1.0).q + RandomizedResponse(1.0).gap * 0.25
    off = np.abs((counts / 40 - RandomizedResponse(1.0).q) / RandomizedResponse(1.0).gap - 0.25)
    assert math.isclose(sample.chance, stats.binom.pmf(counts, 40, said)[off <= 0.2 + 1e-12].sum(), rel_tol=1e-9)
    planned = FrequencyPlan(RandomizedResponse(1.0), 40, 0.25, 0.2, sampled=False).run()
    oracle, chance = RandomizedResponse(1.0), 0.0
    for own in range(11):
        for other in range(31):
            off = ((own + other) / 40 - oracle.q) / oracle.gap - 0.25
            if abs(off) <= 0.2 + 1e-12:
                chance += stats.binom.pmf(own, 10, oracle.p) * stats.binom.pmf(other, 30, oracle.q)
    assert math.isclose(planned.chance, chance, rel_tol=1e-9)


def error_at(randomizer: CategoryRandomizer, level: float, share: float) -> float:
    tuned = tuned_anew(randomizer, level)
    assert tuned is not None
    return float(tuned.variance_of_shares(share, 1))


@pytest.mark.parametrize(
    ("slug", "k", "share"),
    [(s, *c) for s, c in crossed(["olh", "subset"], [(20, 0.5), (20, 0.0), (100, 0.1), (7, 0.02), (500, 0.3)])],
)
def test_a_rounded_design_is_asked_for_the_strictest_level_at_which_it_is_precise_enough(
    slug: str, k: int, share: float
) -> None:
    """No level of a dense grid below the one found is precise enough, and every level is judged by its real design."""
    randomizer = by_slug(slug)(1.0, k)
    parts = 8 if ALL else 2  # of a thousandth of the grid
    grid = np.geomspace(0.3, 8, 1000 * parts + 1)
    errors = np.array([error_at(randomizer, float(level), share) for level in grid])
    for wished in errors[25 * parts :: 85 * parts] * 0.9997:
        strictest = level_needed(randomizer, lambda tuned, wished=wished: tuned.variance_of_shares(share, 1) <= wished)
        assert strictest is not None and error_at(randomizer, strictest, share) <= wished
        fitting = grid[errors <= wished]
        assert not len(fitting) or strictest <= fitting[0] * (1 + 1e-9), (strictest, fitting[:1])


def test_the_best_whole_number_of_cells_may_do_at_a_stricter_level_than_the_next_ones() -> None:
    # A plan that looked at levels a few per cent apart said 3.8908: 47 cells do from 3.8370 on, until 48 are taken.
    allowed = 10_000 * (0.015 / stats.norm.ppf(0.975)) ** 2

    def fits(tuned: CategoryRandomizer) -> bool:
        return float(tuned.variance_of_shares(0.5, 1)) <= allowed

    epsilon = level_needed(by_slug("olh")(1.0, 20), fits)
    assert epsilon == pytest.approx(3.83702, abs=5e-6)
    assert fits(by_slug("olh")(epsilon, 20)) and not fits(by_slug("olh")(3.885, 20))


def test_a_plan_that_no_level_satisfies_says_so() -> None:
    unary = by_slug("oue")(1.0, 10)
    planned = FrequencyPlan(unary, 100, 0.5, 0.01, sampled=False).run()
    # The own bit is a fair coin at every level: n·Var stays at f.
    assert planned.epsilon is None and 1 < planned.floor / (1.96 * math.sqrt(0.5 / 100)) < 1.1
    assert planned.people > 100
    assert level_needed(RandomizedResponse(1.0), lambda randomizer: True) == pytest.approx(1e-6)


def test_every_question_has_a_fingerprint_of_its_own() -> None:
    questions = [
        FrequencyExperiment(GRR, TOWN),
        FrequencyExperiment(tuned_anew(GRR, 2.0), TOWN),
        FrequencyExperiment(candidates(1.0, 10)[1], TOWN),
        AfterEstimate(GRR, TOWN),
        TopTen(GRR, TOWN),
        CategoryReport(GRR),
        FrequencyPlan(GRR, 1000),
        RivalPlans(("grr",), 10, 1000),
        RivalPlans(("oue",), 10, 1000),
    ]
    assert len({fingerprint(question) for question in questions}) == len(questions)


def test_the_typical_error_is_the_root_of_the_expected_one_and_counts_people() -> None:
    result = FrequencyExperiment(GRR, TOWN, 50).run()
    deviations = GRR.variance_of_shares(TOWN.shares, TOWN.n)
    assert math.isclose(result.typical_error, math.sqrt(deviations.mean()))
    assert math.isclose(result.off, 20_000 * result.typical_error) and result.top == 0
    assert math.isclose(result.simulated**2, result.error())


def test_a_survey_is_the_experiment_on_the_population_that_it_describes() -> None:
    survey = Survey(GRR, ZipfFamily(), 20_000, 3, seed=2).run()
    assert np.array_equal(survey.estimates, FrequencyExperiment(GRR, TOWN, 3, seed=2).run().estimates)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 2.0, 4.0])
def test_direct_answers_beat_unary_encoding_exactly_below_three_e_to_the_level_plus_two(epsilon: float) -> None:
    weighed = Weighing(Adviser(Population.zipf(20, 1000), epsilon)).run()
    assert weighed.threshold == 3 * math.exp(epsilon) + 2
    for k, better in ((weighed.last, "grr"), (weighed.last + 1, "oue")):
        rare = Adviser(Population.uniform(k, 1000), epsilon, criterion="rare", among=("grr", "oue")).run()
        assert rare.best is not None and rare.best.randomizer.slug == better
    assert weighed.advice.options[0].typical_error ** 2 == pytest.approx(weighed.advice.options[0].error)


def test_a_hundred_repetitions_take_a_blink_for_few_values_and_for_independent_bits() -> None:
    drawn = {randomizer.slug: at_once(type(randomizer), 1024) for randomizer in candidates(1.0, 1024)}
    assert drawn["grr"] and drawn["oue"] and drawn["olh"] and not drawn["subset"] and not drawn["hadamard"]
    assert all(at_once(type(randomizer), 20) for randomizer in candidates(1.0, 20))


def test_a_plan_draws_its_half_width_along_all_levels() -> None:
    plan = FrequencyPlan(GRR, 10_000, 0.1, 0.01)
    levels, widths = plan.curve()
    assert len(levels) == 61 and (np.diff(widths) < 0).all()
    assert np.interp(math.log(plan.run().epsilon or 0), np.log(levels), widths) == pytest.approx(0.01, rel=1e-2)


def test_rivals_are_the_plans_of_each_mechanism_alone() -> None:
    rivals = RivalPlans(("grr", "oue", "rr"), 10, 10_000, 0.1, 0.01).run()
    assert list(rivals.curves) == ["grr", "oue"]  # two answers are too few for ten
    for slug in rivals.curves:
        plan = FrequencyPlan(candidates(1.0, 10, (slug,))[0], 10_000, 0.1, 0.01)
        assert rivals.needed[slug] == plan.run().epsilon and np.array_equal(rivals.curves[slug][1], plan.curve()[1])


def test_the_first_list_holds_the_largest_estimates_of_the_first_repetition() -> None:
    result = TopTen(GRR, TOWN, 20, 4).run()
    assert set(result.first) == set(np.argsort(-result.estimates)[:4])
    assert result.estimates[result.first[-1]] == np.sort(result.estimates)[-4]


def test_the_mean_absolute_error_is_exact_where_few_counts_differ_and_else_says_that_it_is_not() -> None:
    """Beside 2 000 simulated surveys of four answers, whose standard error is theirs; false alarm below 1e-9."""
    people = Population.of_categories([5, 40, 5, 950])
    for mechanism in (GeneralizedRandomizedResponse(1.0, 4), OptimizedUnaryEncoding(1.0, 4)):
        result = FrequencyExperiment(mechanism, people, 2000, 48).run()
        error, exact = result.mean_absolute_error
        assert exact and accept_normal(result.error("mae"), error, result.error_of("mae"))
        assert error == pytest.approx(result.expected("mae"), rel=1e-2)
    many = FrequencyExperiment(GeneralizedRandomizedResponse(1.0, 60), Population.zipf(60, 10**6)).run()
    assert many.mean_absolute_error == (many.expected("mae"), False)


def test_a_level_is_found_where_less_is_proved_at_the_weakest_one() -> None:
    """Summed Laplace noise of forty people drawn is proved to keep ±14 points at 12.5 and not at 50."""
    plan = FrequencyPlan(tuned_of("she", 10), 40, 0.1, 0.14)
    level = plan.needed()
    assert level == pytest.approx(12.526, abs=2e-3)
    assert plan.fits(tuned_of("she", 10, level)) and not plan.fits(tuned_of("she", 10, level * 0.999))
    assert not plan.fits(tuned_of("she", 10, 50.0))


def tuned_of(slug: str, k: int, level: float = 1.0) -> CategoryRandomizer:
    """A mechanism for k values at a level."""
    made = by_slug(slug).starting(epsilon=level, k=k)
    assert isinstance(made, CategoryRandomizer)
    return made
