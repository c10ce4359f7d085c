"""Questions about randomized response: known cases, printed values, exact laws, and what coins cost."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from ldpcore.estimating.sharereaches import worst_share_reach
from ldpcore.experiments.response import (
    DRAWN,
    ClassSurvey,
    CoinDesign,
    Deniability,
    RandomizationFactor,
    RealAnswers,
    RepeatedSurveys,
    ResponseDesign,
    SurveyPlan,
    chances,
    coins_of,
    designed,
    people_factor,
    posterior,
)
from ldpcore.fingerprints import fingerprint
from ldpcore.mechanisms.coins import TwoCoins
from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.parameters import ParameterError
from tests.cases import for_each
from tests.statistics import RATE, accept_counts

FAIR = TwoCoins(0.75, 0.25)
DESIGNS = (FAIR, RandomizedResponse(1.0), TwoCoins(0.9, 0.4), TwoCoins(1.0, 0.5), TwoCoins(0.2, 0.9))


def test_two_fair_coins_say_yes_three_times_in_four_and_once_in_four() -> None:
    assert chances(TwoCoins.of_flips()) == (0.75, 0.25)
    result = CoinDesign(FAIR).run()
    assert math.isclose(result.level, math.log(3), rel_tol=1e-12) and math.isclose(result.waste, 1, rel_tol=1e-9)


@pytest.mark.parametrize("design", DESIGNS)
def test_first_and_second_coin_make_up_the_design(design: RandomizedResponse | TwoCoins) -> None:
    first, says_yes = coins_of(design)
    a, b = chances(design)
    told_yes, told_no = (1.0, 0.0) if a >= b else (0.0, 1.0)
    assert math.isclose(first * told_yes + (1 - first) * says_yes, a, abs_tol=1e-12)
    assert math.isclose(first * told_no + (1 - first) * says_yes, b, abs_tol=1e-12)


@pytest.mark.parametrize("design", DESIGNS)
def test_answers_of_a_class_follow_the_coins(design: RandomizedResponse | TwoCoins) -> None:
    # 5 000 people one by one, then ten million group by group: exact binomial tails, rate 1e-10 each.
    a, b = chances(design)
    for n in (DRAWN, 10**7):
        result = ClassSurvey(design, n, n // 5).run()
        assert (result.flips is not None) == (n <= DRAWN)
        for yes, among, chance in (
            (result.yes_among_yes, n // 5, a),
            (result.yes_among_no, n - n // 5, b),
        ):
            assert accept_counts(np.array([yes, among - yes]), np.array([chance, 1 - chance]))
        assert math.isclose(result.estimate, (result.answered_yes / n - b) / (a - b), rel_tol=1e-12)


def test_the_flips_of_a_class_explain_every_answer() -> None:
    for design in DESIGNS:
        flips = ClassSurvey(design, 300, 60).flips(np.random.default_rng(1))
        says = flips.truth if chances(design)[0] >= chances(design)[1] else ~flips.truth
        assert flips.truth.sum() == 60
        assert np.array_equal(flips.answers, (flips.honest & says) | (~flips.honest & flips.second))


def test_a_class_is_the_same_for_the_same_seed_only() -> None:
    one, again, other = (ClassSurvey(FAIR, 100, 20, seed=seed).run() for seed in (1, 1, 2))
    assert np.array_equal(one.flips.answers, again.flips.answers)
    assert not np.array_equal(one.flips.answers, other.flips.answers)


def test_83_yes_of_200_with_two_fair_coins_estimate_33_per_cent() -> None:
    result = RealAnswers(FAIR, 83, 200).run()
    # 2·P(yes) - ½.
    assert math.isclose(result.estimate, 2 * 0.415 - 0.5, rel_tol=1e-12) and not result.outside
    low, high = result.interval
    assert low < 0.33 < high
    assert result.sampled_interval[0] < low < high < result.sampled_interval[1]
    direct = stats.binomtest(66, 200).proportion_ci(method="exact")
    assert result.direct_interval == pytest.approx((direct.low, direct.high), rel=1e-9)
    wilson = stats.binomtest(83, 200).proportion_ci(method="exact")
    assert result.sampled_interval == pytest.approx((2 * wilson.low - 0.5, 2 * wilson.high - 0.5), rel=1e-9)


@pytest.mark.parametrize(
    ("yes", "estimate", "projected"), [(0, -0.5, 0.0), (200, 1.5, 1.0), (40, -0.1, 0.0), (50, 0.0, 0.0)]
)
def test_fewer_yes_than_the_lies_alone_give_a_negative_estimate_shown_as_such(
    yes: int, estimate: float, projected: float
) -> None:
    result = RealAnswers(FAIR, yes, 200).run()
    assert math.isclose(result.estimate, estimate, abs_tol=1e-12) and result.projected == projected
    assert result.outside == (estimate < 0 or estimate > 1) and result.lies_alone == 50
    for low, high in (result.interval, result.sampled_interval, result.direct_interval):
        assert 0 <= low <= high <= 1


def test_answers_that_carry_nothing_estimate_nothing() -> None:
    result = RealAnswers(TwoCoins(0.5, 0.5), 83, 200).run()
    assert math.isnan(result.estimate) and result.interval == result.sampled_interval == (0.0, 1.0)
    assert people_factor(TwoCoins(0.5, 0.5), 0.5) == math.inf
    with pytest.raises(ParameterError, match="answers depend on the truth"):
        RepeatedSurveys(TwoCoins(0.5, 0.5), 10, 5)
    assert SurveyPlan(TwoCoins(0.5, 0.5), 100).run().people is None


def test_a_design_that_rewards_the_opposite_answer_is_read_backwards() -> None:
    straight, reverse = (
        RealAnswers(TwoCoins(0.75, 0.25), 83, 200).run(),
        RealAnswers(TwoCoins(0.25, 0.75), 117, 200).run(),
    )
    assert math.isclose(straight.estimate, reverse.estimate, rel_tol=1e-12)
    assert straight.interval == pytest.approx(reverse.interval)


def test_impossible_answers_are_refused_in_a_sentence() -> None:
    for bad in (
        lambda: RealAnswers(FAIR, 201, 200),
        lambda: ClassSurvey(FAIR, 10, 11),
        lambda: RepeatedSurveys(FAIR, 5, 6),
    ):
        with pytest.raises(ParameterError, match="yes must be at most n"):
            bad()
    for bad_n in (0, -1, 2.5, "many", None, True):
        with pytest.raises(ParameterError, match="n must be"):
            RealAnswers(FAIR, 0, bad_n)
    with pytest.raises(ParameterError, match="yes must be"):
        RealAnswers(FAIR, -1, 10)


@pytest.mark.parametrize("design", [RandomizedResponse(1.0), TwoCoins(0.2, 0.7)])
def test_how_surprising_answers_are_never_depends_on_the_confidence_that_is_asked_for(design: ResponseDesign) -> None:
    no, yes = (float(chance) for chance in design.channel().matrix[:, 1])
    for answered in range(31):
        results = [RealAnswers(design, answered, 30, confidence).run() for confidence in (0.5, 0.95, 0.999)]
        tails = {
            "neither": 1.0,
            "below": sum(
                stats.binom.pmf(c, 30, no) for c in range(31) if (c <= answered if yes > no else c >= answered)
            ),
            "above": sum(
                stats.binom.pmf(c, 30, yes) for c in range(31) if (c >= answered if yes > no else c <= answered)
            ),
        }
        for each in results:
            assert each.surprise == pytest.approx(tails[each.beyond], rel=1e-9)
            assert (each.reading == "far") == (each.surprise < 1e-3 and each.interval != (0, 1))


def test_fewer_yes_than_the_coins_alone_bring_never_read_as_nobody() -> None:
    result = RealAnswers(RandomizedResponse(1.0), 3, 30).run()
    assert result.beyond == "below" and result.lies_alone > 8 and result.estimate < 0
    for low, high in (result.interval, result.sampled_interval):
        assert low == 0 and high > 0.3
    result = RealAnswers(RandomizedResponse(1.0), 28, 30).run()
    assert result.beyond == "above" and result.interval[1] == 1 and result.interval[0] < 0.7
    assert RealAnswers(RandomizedResponse(1.0), 15, 30).run().beyond == "neither"


def test_the_interval_of_a_class_covers_its_truth_95_times_in_100() -> None:
    # Enumeration over all counts: the exact law of the answers, the interval of each.
    n, yes = 40, 11
    for design in DESIGNS:
        result = RepeatedSurveys(design, n, yes).run()
        covered = 0.0
        for count, chance in zip(result.law.values(), result.law.chances, strict=True):
            low, high = RealAnswers(design, int(count), n).run().interval
            covered += chance * (low - 1e-12 <= yes / n <= high + 1e-12)
        assert covered >= 0.95, design


def test_a_yes_behind_two_fair_coins_proves_3_pi_over_1_plus_2_pi() -> None:
    result = Deniability(FAIR, 0.1).run()
    assert math.isclose(result.chosen_after_yes, 0.25, rel_tol=1e-12)
    assert np.allclose(result.after_yes, 3 * result.priors / (1 + 2 * result.priors), rtol=1e-12)
    assert np.allclose(result.after_no, result.priors / (3 - 2 * result.priors), rtol=1e-12)
    assert math.isclose(result.most, 0.25, rel_tol=1e-12)


def test_no_answer_pushes_the_odds_further_than_e_to_the_epsilon() -> None:
    for design in DESIGNS:
        for prior in (0.0, 0.01, 0.1, 0.5, 0.9, 0.99):
            result = Deniability(design, prior).run()
            assert result.chosen_after_yes <= result.most + 1e-12 and result.chosen_after_no <= result.most + 1e-12
    assert math.isclose(posterior(TwoCoins(1.0, 0.5), 0.3, answered_yes=False), 0, abs_tol=1e-15)
    assert np.isnan(posterior(TwoCoins(0.0, 0.5), 1.0, answered_yes=True))


@pytest.mark.parametrize(("epsilon", "factor"), [(0.1, 400.67), (0.5, 16.67), (1.0, 4.68), (2.0, 1.72), (4.0, 1.08)])
def test_people_needed_at_one_half(epsilon: float, factor: float) -> None:
    result = RandomizationFactor(RandomizedResponse(epsilon), 0.5, 1000).run()
    assert round(result.factor, 2) == factor
    assert math.isclose(result.factor, 1 / math.tanh(epsilon / 2) ** 2, rel_tol=1e-9)
    assert math.isclose(result.effective, 1000 / result.factor, rel_tol=1e-12)


def test_nobody_needs_privacy_where_all_are_alike() -> None:
    assert people_factor(FAIR, 0.0) == people_factor(FAIR, 1.0) == math.inf


@for_each("design", DESIGNS)
@for_each(("n", "yes"), [(1, 0), (30, 6), (800, 100), (10**6, 3 * 10**5), (10**9, 10**7)])
def test_repeated_surveys_follow_their_exact_law(design: RandomizedResponse | TwoCoins, n: int, yes: int) -> None:
    result = RepeatedSurveys(design, n, yes, 100_000).run()
    law, estimates = result.law.chances, result.estimates
    mean = float(law @ estimates)
    assert math.isclose(law.sum(), 1, rel_tol=1e-8) and math.isclose(mean, yes / n, rel_tol=1e-7, abs_tol=1e-9)
    spread = math.sqrt(float(law @ (estimates - mean) ** 2))
    assert math.isclose(spread, result.standard_deviation, rel_tol=1e-5, abs_tol=1e-12)
    assert result.counts.sum() == 100_000 and len(result.edges) == len(result.chances) + 1
    assert len(result.counts) <= 61 + 1 and math.isclose(result.chances.sum(), 1, rel_tol=1e-6)
    assert accept_counts(result.counts, result.chances) and RATE == 1e-10


def test_bins_add_up_the_exact_law() -> None:
    result = RepeatedSurveys(FAIR, 30, 6, bins=500).run()
    # With a bin for each number of yes the law over the bins is the convolution of Bin(6, ¾) and Bin(24, ¼).
    convolved = np.convolve(stats.binom.pmf(range(7), 6, 0.75), stats.binom.pmf(range(25), 24, 0.25))
    kept = convolved[convolved > 1e-6]
    assert set(np.round(kept, 9)) <= set(np.round(np.append(result.chances, convolved), 9))
    assert math.isclose(result.impossible, convolved[:8].sum() + convolved[23:].sum(), rel_tol=1e-9)
    near = [count for count in range(31) if abs(2 * count / 30 - 0.5 - 0.2) <= 0.1 + 1e-12]
    assert math.isclose(result.within(0.1), convolved[near].sum(), rel_tol=1e-9)


def test_a_design_that_hides_one_answer_only_has_no_finite_level() -> None:
    result = CoinDesign(TwoCoins(1.0, 0.5)).run()
    assert result.level == math.inf and result.best is None and math.isnan(result.waste)
    wasteful = CoinDesign(TwoCoins(0.9, 0.3)).run()
    # (1-b)/(1-a) = 7 against a/b = 3: the level is ln 7, and the best coins of that level err less.
    assert math.isclose(wasteful.level, math.log(7), rel_tol=1e-12) and wasteful.waste > 1


@pytest.mark.parametrize("share", [0.05, 0.3, 0.5, 0.95])
def test_no_two_coins_beat_the_best_ones_of_their_level_at_one_half_or_on_average(share: float) -> None:
    # At f and 1-f together: swapping the answers swaps the groups, so that only the sum is a fair comparison.
    for a in (0.55, 0.7, 0.9):
        for b in (0.05, 0.2, 0.4):
            results = [CoinDesign(TwoCoins(a, b), share=value).run() for value in (share, 1 - share)]
            best = sum(result.best_standard_deviation**2 for result in results)
            assert sum(result.standard_deviation**2 for result in results) >= best * (1 - 1e-12)


def test_the_plan_of_a_survey_is_solved_backwards() -> None:
    """A level and a number of people that just keep the width, a little beyond where the normal law puts them."""
    plan, z = SurveyPlan(FAIR, 2000, 0.05).run(), stats.norm.ppf(0.975)
    assert plan.people is not None and plan.epsilon is not None and plan.said is not None
    e = math.exp(plan.epsilon)
    normal = z * math.sqrt((e / (e - 1) ** 2 + 0.25) / 2000)
    assert 0.985 < plan.width / (z * math.sqrt((0.75 + 0.25) / 2000)) < 1.015 and 0.985 < normal / 0.05 < 1
    assert worst_share_reach(RandomizedResponse(plan.said), 2000, 0.95, True) <= 0.05
    assert worst_share_reach(RandomizedResponse(plan.epsilon * 0.999), 2000, 0.95, True) > 0.05
    assert 1 < plan.people / (z**2 / 0.05**2) < 1.03
    assert (
        worst_share_reach(FAIR, plan.people, 0.95, True) <= 0.05 < worst_share_reach(FAIR, plan.people - 1, 0.95, True)
    )


def test_people_of_a_plan_are_whole_with_and_without_lies() -> None:
    """At α = 10 hardly anybody lies: a crowd hardly larger than one that tells the truth, both counted out."""
    for width, confidence in ((0.1, 0.8), (0.05, 0.95), (0.05, 0.99)):
        plan = SurveyPlan(RandomizedResponse(10.0), 1000, width, confidence).run()
        honest = TwoCoins(1.0, 0.0)
        assert isinstance(plan.people, int) and isinstance(plan.truthful_people, int)
        assert 0 <= plan.people - plan.truthful_people <= 2
        assert worst_share_reach(honest, plan.truthful_people, confidence, True) <= width
        assert worst_share_reach(honest, plan.truthful_people - 1, confidence, True) > width
        assert plan.truthful_people > stats.norm.ppf((1 + confidence) / 2) ** 2 * 0.25 / width**2


def test_small_crowds_at_a_high_level_keep_what_their_plan_promises() -> None:
    """At α = 10, ± 20 points were kept in 93.1 % for 95 by 25 people, in 85.6 for 90 by 17, in 33.8 for 50 by 5."""
    for n, confidence in ((25, 0.95), (17, 0.9), (5, 0.5)):
        plan = SurveyPlan(RandomizedResponse(10.0), n, 0.2, confidence).run()
        assert plan.width > 0.2 and not plan.kept and plan.people is not None and plan.people > n
        share, crowd = np.linspace(0, 1, 2001), np.arange(plan.people + 1)
        oracle = plan.experiment.design
        laws = stats.binom.pmf(crowd, plan.people, (oracle.q + oracle.gap * share)[:, None])
        near = np.abs(np.clip((crowd / plan.people - oracle.q) / oracle.gap, 0, 1) - share[:, None]) <= 0.2 + 1e-9
        assert (laws * near).sum(axis=1).min() >= confidence


def test_a_plan_that_fails_without_lies_too_has_no_level() -> None:
    plan = SurveyPlan(FAIR, 100, 0.05).run()
    assert plan.epsilon is None and plan.truthful > 0.05 and plan.people is not None and plan.people > 100


def test_every_question_about_responses_has_a_fingerprint_of_its_own() -> None:
    questions = [
        *(make(design, 100, 20) for design in DESIGNS for make in (ClassSurvey, RepeatedSurveys)),
        *(RealAnswers(design, 20, 100) for design in DESIGNS),
        *(make(design) for design in DESIGNS for make in (Deniability, RandomizationFactor, CoinDesign)),
        SurveyPlan(FAIR, 100),
    ]
    assert len({fingerprint(question) for question in questions}) == len(questions)


@pytest.mark.parametrize(("slug", "odds"), [("coins", 3), ("die", 5), ("dice", 10)])
def test_what_people_hold_in_their_hands_has_a_level(slug: str, odds: int) -> None:
    design = designed(slug, 1.0)
    assert designed("level", 1.0) == RandomizedResponse(1.0)
    assert math.isclose(design.guarantee().epsilon, math.log(odds), rel_tol=1e-9)
    assert math.isclose(CoinDesign(design).run().level, math.log(odds), rel_tol=1e-9)


def test_two_dice_are_counted_out() -> None:
    # All 36 throws: 2-4 yes, 5-10 the truth, 11 and 12 no.
    sums = [one + other for one in range(1, 7) for other in range(1, 7)]
    yes, truth = sum(2 <= at <= 4 for at in sums) / 36, sum(5 <= at <= 10 for at in sums) / 36
    assert chances(designed("dice", 1.0)) == pytest.approx((yes + truth, yes))


@pytest.mark.parametrize(
    ("design", "yes", "n", "reading"),
    [
        (FAIR, 83, 200, "inside"),
        (FAIR, 40, 200, "outside"),
        (FAIR, 0, 200, "far"),
        (FAIR, 200, 200, "far"),
        (FAIR, 1, 2, "nothing"),
        (TwoCoins(0.5, 0.5), 1, 2, "blind"),
        (RandomizedResponse(50.0), 0, 1, "inside"),
    ],
)
def test_an_estimate_says_how_it_reads(design: RandomizedResponse | TwoCoins, yes: int, n: int, reading: str) -> None:
    result = RealAnswers(design, yes, n).run()
    assert result.reading == reading and result.answered_yes == yes


def test_a_class_has_the_whole_number_of_people_nearest_to_its_share() -> None:
    for n, share, yes in ((100, 0.3, 30), (7, 0.5, 4), (5, 0.0, 0), (5, 1.0, 5)):
        assert abs(ClassSurvey.of_share(FAIR, n, share).yes - yes) <= (0 if n != 7 else 1)


def test_a_reach_that_stays_where_it_is_keeps_the_wish_that_it_is() -> None:
    """Two people, one half: from the level on at which P(both are wrong) is a quarter the reach stays 0.5."""
    plan = SurveyPlan(RandomizedResponse(1.0), 2, 0.5, 0.5).run()
    assert plan.epsilon == pytest.approx(1.8662640, abs=1e-6)
