"""The experiments on means: printed crossings found numerically, people who add up, and approximations called so."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from scipy import stats

from ldpcore.estimating.confidences import quantile
from ldpcore.estimating.meanintervals import mean_reach
from ldpcore.experiments import means
from ldpcore.experiments.means import (
    MeanPlan,
    MeanSurvey,
    OneReportTwoPeople,
    SideBySide,
    TwoGroups,
    VarianceOverX,
    at,
    drawn,
    family,
    normal_error,
    report,
    slugs,
)
from ldpcore.experiments.means.drawing import normal_estimates
from ldpcore.fingerprints import fingerprint
from ldpcore.mechanisms.onebit import OneBit
from ldpcore.mechanisms.piecewise import PiecewiseMechanism
from ldpcore.parameters import ParameterError
from ldpcore.people.populations import Population, SmoothPopulation
from ldpcore.people.scales import PublicScale, ScaledNumbers
from tests.rationing import ALL, shared
from tests.statistics import accept_normal, accept_variance

INCOMES = ScaledNumbers.synthetic("skewed", 10**6, 0, 100_000)
FOUR_HUNDRED = Population.of_shares(INCOMES.people.shares, 400).counts
FEWER = ScaledNumbers(Population(INCOMES.people.values, FOUR_HUNDRED), INCOMES.scale)


# --- the survey ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", slugs())
def test_the_reports_shown_are_the_estimate_where_everybody_is_shown(slug: str) -> None:
    numbers = ScaledNumbers.of(np.linspace(20, 70, 150), 0, 100)
    result = MeanSurvey(at(slug, 1.0), numbers, seed=3).run()
    assert len(result.values) == len(result.reports) == 150
    assert np.sort(result.values) == pytest.approx(np.linspace(20, 70, 150))
    assert result.reports.mean() == pytest.approx(result.estimate, rel=1e-9)
    assert result.truth == pytest.approx(45) and result.error == pytest.approx(abs(result.estimate - 45))


@pytest.mark.parametrize("slug", slugs())
def test_estimates_of_a_survey_have_the_exact_standard_error_and_its_intervals_hold_the_truth(slug: str) -> None:
    """1 000 rounds, rate 1e-10 each."""
    result = MeanSurvey(at(slug, 1.0), INCOMES, repeats=1000, seed=2).run()
    errors = result.estimates - result.truth
    assert accept_variance(errors, result.standard_error**2)
    assert accept_normal(float(errors.mean()), 0, result.standard_error / math.sqrt(1000))
    assert stats.binom.cdf(result.covered, 1000, 0.95) > 1e-9
    assert result.interval[0] < result.estimate < result.interval[1]
    assert len(result.values) == 200 and result.route == "sum"


def test_the_first_round_counts_those_who_are_shown_and_more_rounds_change_nothing_of_it() -> None:
    once, often = (MeanSurvey(OneBit(1.0), INCOMES, repeats=repeats).run() for repeats in (1, 50))
    assert once.estimate == often.estimate and np.array_equal(once.reports, often.reports)
    assert len(often.estimates) == 50
    other = MeanSurvey(OneBit(1.0), INCOMES, seed=2).run()
    assert other.estimate != once.estimate
    # Others' law when 200 are shown: over seeds the first estimates still have the full variance (rate 1e-10).
    firsts = np.array([MeanSurvey(OneBit(1.0), FEWER, seed=seed).run().estimate for seed in range(500)])
    exact = MeanSurvey(OneBit(1.0), FEWER).run()
    assert accept_variance(firsts - exact.truth, exact.standard_error**2)


def test_at_a_small_level_most_reports_lie_off_the_scale_and_at_a_large_one_few() -> None:
    wild, calm = (MeanSurvey(PiecewiseMechanism(epsilon), INCOMES).run() for epsilon in (0.1, 10.0))
    assert wild.outside > 180 and calm.outside < 40
    assert wild.report_deviation > 10 * calm.report_deviation
    assert wild.standard_error_at(100) == pytest.approx(calm.standard_error, rel=1e-9)
    assert wild.standard_error_with(4) == pytest.approx(wild.standard_error / 2)


def test_clipping_moves_what_is_estimated_and_says_so() -> None:
    numbers = ScaledNumbers.of([10.0, 20.0, 90.0], 0, 50)
    result = MeanSurvey(OneBit(1.0), numbers).run()
    assert result.truth == pytest.approx(80 / 3) and result.unclipped_truth == pytest.approx(40)
    assert result.clipping.bias == pytest.approx(80 / 3 - 40) and result.values.max() == 50


@pytest.mark.parametrize("slug", ["locallaplace", "onebit", "pm", "hm", "gaussian", "geometric"])
@pytest.mark.parametrize("n", [30, 10**5])
def test_all_different_numbers_are_gone_through_one_by_one_and_shown_people_belong_to_them(slug: str, n: int) -> None:
    numbers = ScaledNumbers.smooth("skewed", n)
    result = MeanSurvey(at(slug, 1.0), numbers, repeats=3).run()
    assert result.route == ("sum" if slug in ("locallaplace", "gaussian") else "people") and result.off == 0
    people = np.concatenate(list(numbers.people.users()))
    assert np.isin(np.round(result.values, 9), np.round(people, 9)).all()
    assert np.abs(result.estimates - result.truth).max() < 7 * result.standard_error
    if n == 30:
        assert result.reports.mean() == pytest.approx(result.estimate, rel=1e-9)


def test_above_ten_million_different_numbers_the_result_says_that_it_is_an_approximation() -> None:
    for slug in ("onebit", "pm", "hm"):
        result = MeanSurvey(at(slug, 1.0), ScaledNumbers.smooth("uniform", 10**9), repeats=400).run()
        assert result.route == "normal" and 0 < result.off < 1e-4
        assert accept_variance(result.estimates - result.truth, result.standard_error**2)
    assert MeanSurvey(at("locallaplace", 1.0), ScaledNumbers.smooth("uniform", 10**9)).run().route == "sum"


def distance_to_normal(law: np.ndarray, mean: float, deviation: float) -> float:
    """The largest distance of the cdf of a whole number from the normal one, on both sides of every step."""
    at_most, counts = np.cumsum(law), np.arange(len(law))
    normal = stats.norm.cdf(counts, mean, deviation)
    return float(max(np.abs(at_most - normal).max(), np.abs(np.append(0, at_most[:-1]) - normal).max()))


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 4.0])
def test_the_bound_on_the_normal_approximation_holds_at_a_million_people(epsilon: float) -> None:
    """The exact law of the number of +1 of 10⁶ people on 21 numbers, by convolving 21 binomials, against the normal."""
    bit, people = OneBit(epsilon), Population(np.linspace(-1, 1, 21), Population.uniform(21, 10**6).counts)
    law, start = np.ones(1), 0
    for value, count in zip(people.values, people.counts, strict=True):
        p = float(bit.chances(value))
        reach = 10 * math.sqrt(count * p * (1 - p)) + 40
        low, high = max(0, int(count * p - reach)), min(int(count), int(count * p + reach))
        law, start = np.convolve(law, stats.binom.pmf(np.arange(low, high + 1), count, p)), start + low
    assert law.sum() == pytest.approx(1, rel=1e-9)
    mean = people.n * (float(bit.truth(people)) / bit.z0 + 1) / 2
    deviation = people.n * math.sqrt(float(bit.variance(people))) / (2 * bit.z0)
    far = distance_to_normal(law, mean - start, deviation)
    bound = normal_error(bit, people)
    assert 0.05 * bound < far <= bound < 2e-3


@pytest.mark.parametrize("slug", shared(["onebit", "hm", "pm"], 2))
def test_the_approximation_agrees_with_a_million_people_gone_through_one_by_one(slug: str) -> None:
    """30 rounds of different numbers: mean and variance as stated, within the bands of the normal law (1e-9).

    Of 10⁶ people, by day of a fifth of them.
    """
    mechanism, people, rounds = at(slug, 1.0), SmoothPopulation("skewed", 10**6 if ALL else 2 * 10**5), 30
    found = drawn(mechanism, people, np.random.default_rng(4), rounds)
    assert found.route == "people" and found.off == 0
    errors = found.estimates - float(mechanism.truth(people))
    deviation = math.sqrt(float(mechanism.variance(people)))
    assert accept_variance(errors, deviation**2) and accept_normal(
        float(errors.mean()), 0, deviation / math.sqrt(rounds)
    )
    cdf = stats.norm.cdf(np.sort(errors), 0, deviation)
    steps = np.arange(1, rounds + 1) / rounds
    band = math.sqrt(math.log(2 / 1e-9) / (2 * rounds)) + normal_error(mechanism, people)
    assert max(np.abs(steps - cdf).max(), np.abs(steps - 1 / rounds - cdf).max()) <= band
    normal = normal_estimates(mechanism, people, np.random.default_rng(5), 4000) - float(mechanism.truth(people))
    assert accept_variance(normal, deviation**2)


def test_a_survey_says_how_far_it_is_and_can_be_abandoned() -> None:
    steps: list[float] = []
    MeanSurvey(OneBit(1.0), ScaledNumbers.smooth("uniform", 500_000), repeats=2).run(steps.append)
    assert steps[-1] == 1 and len(steps) > 4

    def stop(share: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        MeanSurvey(OneBit(1.0), ScaledNumbers.smooth("uniform", 500_000)).run(stop)


def test_questions_are_values() -> None:
    questions = [
        MeanSurvey(OneBit(1.0), INCOMES),
        OneReportTwoPeople(OneBit(1.0)),
        VarianceOverX(1.0),
        SideBySide(1.0, INCOMES),
        TwoGroups(OneBit(1.0), INCOMES, INCOMES),
        MeanPlan(1.0, 1000, 0.1),
    ]
    digests = {fingerprint(question) for question in questions}
    assert len(digests) == len(questions)
    for question in questions:
        assert fingerprint(pickle.loads(pickle.dumps(question))) == fingerprint(question)


# --- one report ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", [*slugs(), "abm"])
def test_the_two_laws_that_are_drawn_have_mass_one_and_the_report_is_one_of_theirs(slug: str) -> None:
    mechanism = at(slug, 1.0, (("function", "cube"),)) if slug == "abm" else at(slug, 1.0)
    senders = set[int]()
    for seed in range(12):
        result = OneReportTwoPeople(mechanism, seed=seed).run()
        senders.add(result.sender)
        drawn_mass = [
            (np.trapezoid(law, result.grid) if len(result.grid) else 0.0)
            + (chances.sum() if len(chances) <= 2 else 0.0)
            for law, chances in ((result.first, result.first_chances), (result.second, result.second_chances))
        ]
        assert slug == "geometric" or drawn_mass == pytest.approx([1, 1], abs=5e-3)
        assert abs(result.loss) <= result.level * (1 + 1e-9) and result.keeps
    assert senders == {0, 1}


def test_guessing_the_likelier_sender_is_right_as_often_as_the_distance_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """200 reports (Hoeffding, rate 1e-9), without the densities that are drawn behind each."""
    monkeypatch.setattr(report, "report_grid", lambda *given: np.empty(0))
    mechanism = PiecewiseMechanism(2.0)
    results = [OneReportTwoPeople(mechanism, 1.0, -1.0, seed).run() for seed in range(200)]
    score = sum(0.5 if r.loss == 0 else float((r.loss > 0) == (r.sender == 0)) for r in results) / 200
    assert abs(score - results[0].best_guess) <= math.sqrt(math.log(2 / 1e-9) / 400)


def test_equal_people_cannot_be_told_apart_and_numbers_beyond_the_scale_are_refused() -> None:
    result = OneReportTwoPeople(OneBit(1.0), 0.3, 0.3).run()
    assert result.loss == 0 and result.level == 0 and result.best_guess == 0.5 and result.odds == 1
    with pytest.raises(ParameterError, match="first must be at least -1"):
        OneReportTwoPeople(OneBit(1.0), 1.5)


# --- curves ----------------------------------------------------------------------------------------------------------


def ahead(level: float, better: str, worse: str) -> bool:
    """Whether the first mechanism has the smaller worst case, by more than rounding."""
    one, other = (at(slug, level).worst_variance() for slug in (better, worse))
    return one < other * (1 - 1e-12)


def crossing(better: str, worse: str, low: float = 0.02, high: float = 12.0) -> float:
    """The level from which on the first mechanism has the smaller worst case, by bisection."""
    assert not ahead(low, better, worse) and ahead(high, better, worse)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if ahead(middle, better, worse) else (middle, high)
    return high


def test_the_printed_crossings_are_found_numerically() -> None:
    assert crossing("hm", "onebit") == pytest.approx(0.6094, abs=5e-5)
    assert crossing("hm", "onebit") == pytest.approx(0.6093525, abs=1e-7)
    assert crossing("pm", "onebit") == pytest.approx(1.28978, abs=5e-6)
    assert (laplace := crossing("locallaplace", "onebit")) == pytest.approx(2.32417, abs=5e-6)
    assert 1 / math.tanh(laplace / 2) ** 2 == pytest.approx(8 / laplace**2, rel=1e-9)
    for level in np.geomspace(0.02, 12, 60).tolist():
        assert not ahead(level, "locallaplace", "pm")
        assert not any(ahead(level, other, "hm") for other in ("locallaplace", "onebit", "pm"))


def test_averages_over_people_lie_below_the_worst_case_and_the_best_is_the_hybrid_at_one() -> None:
    for level in (0.1, 0.3, 1.0, 4.0):
        beside = SideBySide(level, INCOMES).run()
        assert all(one <= most * (1 + 1e-12) for one, most in zip(beside.average, beside.worst, strict=True))
        assert beside.best() in (("hm",) if level >= 1 else ("onebit", "hm"))
        assert beside.worst[beside.slugs.index("onebit")] == pytest.approx(1 / math.tanh(level / 2) ** 2)


def test_variance_over_x_says_who_pays_and_where_nobody_does() -> None:
    result = VarianceOverX(1.0).run()
    assert result.constant("hm") and result.constant("locallaplace") and not result.constant("onebit")
    assert result.worst("pm") == pytest.approx(5.2236, abs=5e-5)
    assert at("pm", 1.0).variance_at(0.0) == pytest.approx(3.6821, abs=5e-5)
    assert result.best == "hm" and VarianceOverX(0.5).run().best in ("onebit", "hm")
    assert not VarianceOverX(0.5, ("hm",)).run().constant("hm")


def test_an_open_sample_needs_fewer_people_by_what_noise_adds_to_their_own_differences() -> None:
    result = MeanSurvey(OneBit(1.0), INCOMES).run()
    x = (INCOMES.people.values, INCOMES.people.counts / INCOMES.n)
    own = float(x[0] ** 2 @ x[1]) - float(x[0] @ x[1]) ** 2
    noise = 1 / math.tanh(0.5) ** 2 - float(x[0] ** 2 @ x[1])
    assert result.price == pytest.approx((noise + own) / own, rel=1e-9)
    assert MeanSurvey(OneBit(1.0), ScaledNumbers.synthetic("constant", 100)).run().price == math.inf
    assert result.standard_error_with(100) == pytest.approx(result.standard_error / 10)


# --- groups --------------------------------------------------------------------------------------------------------


def test_a_difference_of_two_groups_has_its_error_and_its_interval() -> None:
    """2 000 rounds, rate 1e-10."""
    first, second = ScaledNumbers.synthetic("bell", 5000, 0, 10), ScaledNumbers.synthetic("skewed", 500, 0, 10)
    result = TwoGroups(PiecewiseMechanism(1.0), first, second, repeats=2000).run()
    assert result.truth == pytest.approx(first.mean - second.mean)
    assert accept_variance(result.first - result.second - result.truth, result.standard_error**2)
    assert result.standard_errors[1] > 3 * result.standard_errors[0]
    assert stats.binom.cdf(result.covered, 2000, 0.95) > 1e-9
    assert result.told_apart == (not result.interval[0] <= 0 <= result.interval[1])
    with pytest.raises(ParameterError, match="one scale"):
        TwoGroups(OneBit(1.0), first, ScaledNumbers.synthetic("bell", 10, 0, 11)).run()


# --- the plan --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [0.01, 0.05, 0.3])
def test_the_plan_solved_backwards_gives_the_width_forwards(width: float) -> None:
    plan = MeanPlan(1.0, 10_000, width).run()
    for need in plan.needs:
        if need.epsilon is not None and need.epsilon > 1e-6:
            back = mean_reach(at(need.slug, need.epsilon), 10_000)
            assert back <= width * (1 + 1e-9) and back == pytest.approx(width, rel=2e-3)
        assert mean_reach(at(need.slug, 1.0), need.people) <= width
        fewer = min(need.people - 1, math.floor(need.people * 0.999))
        assert need.people == 1 or mean_reach(at(need.slug, 1.0), max(fewer, 1)) > width
        # The normal law with the worst variance says nearly the same, and is never above what is proved.
        normal = (quantile(0.95) / width) ** 2 * at(need.slug, 1.0).worst_variance()
        assert 0.97 * normal <= need.people <= 2 * normal + 2
    assert plan.best.slug in ("hm", "pm", "onebit") and plan.fewest.slug == "hm"


def test_a_plan_for_sampled_people_counts_their_own_differences_and_bits_already_hold_them() -> None:
    given, sampled = (MeanPlan(1.0, 10_000, 0.05, sampled=flag).run() for flag in (False, True))
    z = quantile(0.95)
    for slug in slugs():
        more = 0 if slug == "onebit" else 1
        width = z * math.sqrt((at(slug, 1.0).worst_variance() + more) / 10_000)
        assert sampled.need(slug).reach == pytest.approx(width, rel=0.02)
        assert sampled.need(slug).reach >= max(given.need(slug).reach, 0.999 * width)
        # The worst people for a sample stand at both ends; the exact variance of a report of a random one of them.
        ends = (float(at(slug, 1.0).variance_at(1.0)) + float(at(slug, 1.0).variance_at(-1.0))) / 2 + 1
        assert ends <= at(slug, 1.0).worst_variance() + more + 1e-9
    assert sampled.need("onebit") == given.need("onebit")


def test_bits_of_too_few_people_are_too_few_at_any_level_and_units_scale() -> None:
    plan = MeanPlan(1.0, 100, 0.05).run()
    assert plan.need("onebit").epsilon is None, "even an honest bit rounds: 100 of them are 0.2 off"
    assert plan.need("locallaplace").epsilon is not None
    unit = MeanPlan(1.0, 100, 0.05 * 500, scale=PublicScale(0, 1000)).run()
    assert unit.need("hm").epsilon == pytest.approx(plan.need("hm").epsilon, rel=1e-9)
    assert unit.need("hm").reach == pytest.approx(500 * plan.need("hm").reach)


def test_mechanisms_at_a_level_take_the_settings_that_they_know_and_none_where_refused() -> None:
    settings = (("delta", 1e-3), ("steps", 7), ("calibration", "classical"))
    made = {randomizer.slug: randomizer for randomizer in family(0.5, (), settings)}
    assert set(made) == set(slugs()) and made["gaussian"].delta == 1e-3 and made["geometric"].steps == 7
    assert at("gaussian", 2.0, settings) is None and "gaussian" not in {m.slug for m in family(2.0, (), settings)}
    classical = MeanPlan(2.0, 10**6, 0.1, slugs=("gaussian",), settings=settings).run().need("gaussian")
    assert classical.epsilon is not None and classical.epsilon <= 1
    analytic = MeanPlan(2.0, 10**6, 0.1, slugs=("gaussian",), settings=settings[:2]).run().need("gaussian")
    assert classical.people == analytic.people  # above its range the page's noise is the analytic one
    with pytest.raises(ParameterError, match="slug must be a mechanism for numbers"):
        at("grr", 1.0)


@pytest.mark.parametrize("n", [10**12, 10**13 + 1, 4_875_427_938_430_466, 10**18])
def test_the_reach_of_one_bit_keeps_its_digits_for_more_people_than_there_are(n: int) -> None:
    """Of so many coins of one half the share is off by z/(2 √n), and the estimate by 2 z₀ times that."""
    z0 = (math.exp(1.0) + 1) / (math.exp(1.0) - 1)
    assert mean_reach(at("onebit", 1.0), n) == pytest.approx(quantile(0.95) * z0 / math.sqrt(n), rel=1e-5)


@pytest.mark.parametrize("slug", means.slugs())
def test_the_mean_absolute_error_of_a_survey_is_that_of_its_rounds(slug: str) -> None:
    """Beside 2 000 simulated rounds, whose standard error is exact; false alarm below 1e-9 for each."""
    numbers = ScaledNumbers.synthetic("skewed", 300, 0, 100)
    result = means.MeanSurvey(means.nearest(slug, 1.0), numbers, repeats=2000, seed=48).run()
    spread = math.sqrt(result.standard_error**2 - result.mean_absolute_error**2) / math.sqrt(2000)
    assert accept_normal(float(np.abs(result.estimates - result.truth).mean()), result.mean_absolute_error, spread)
