"""A class looked at more closely: coins that turn one after the other, curators, surveys on an axis that stays."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from ldpcore.experiments.response import ClassSurvey, RealAnswers, RepeatedSurveys, ResponseDesign, chances
from ldpcore.experiments.response.classes import ClassMember, CuratorSurvey, SurveyHistogram, still_reach
from ldpcore.mechanisms.coins import TwoCoins
from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.parameters import ParameterError
from tests.statistics import accept_counts

LEVELS = (0.01, 0.1, 0.5, 1.1, 2.0, 5.0, 10.0)
DESIGNS = (RandomizedResponse(1.1), TwoCoins(0.9, 0.4), TwoCoins(0.2, 0.9))


@pytest.mark.parametrize("seed", range(5))
def test_an_answer_that_has_turned_to_the_truth_stays_true_while_the_level_grows(seed: int) -> None:
    flips = [ClassSurvey(RandomizedResponse(level), 300, 90, seed=seed).run().flips for level in LEVELS]
    for before, after in pairwise(flips):
        assert before is not None and after is not None
        assert np.array_equal(before.truth, after.truth) and np.array_equal(before.second, after.second)
        assert (after.honest >= before.honest).all()
        right = before.answers == before.truth
        assert (after.answers == after.truth)[right & before.honest].all()


def test_large_classes_move_with_the_level_too_and_never_back() -> None:
    results = [ClassSurvey(RandomizedResponse(level), 10**6, 3 * 10**5, seed=4).run() for level in LEVELS]
    assert (np.diff([result.yes_among_yes for result in results]) >= 0).all()
    assert (np.diff([result.yes_among_no for result in results]) <= 0).all()


@pytest.mark.parametrize(("yes", "n"), [(0, 10**5), (10**5, 10**5), (1, 10**5)])
def test_large_classes_in_which_all_are_alike_can_be_asked(yes: int, n: int) -> None:
    result = ClassSurvey(RandomizedResponse(1.0), n, yes).run()
    assert 0 <= result.yes_among_yes <= yes and 0 <= result.yes_among_no <= n - yes


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize(("n", "yes"), [(1, 1), (30, 6), (100, 30), (10**6, 10**5)])
def test_surveys_in_still_bins_follow_the_exact_law(design: ResponseDesign, n: int, yes: int) -> None:
    survey = RepeatedSurveys(design, n, yes, 100_000)
    histogram, law = SurveyHistogram(survey, 1e3).run(), survey.run()
    assert histogram.counts.sum() == 100_000 and histogram.outside == 0 and (np.diff(histogram.edges) > 0).all()
    assert math.isclose(histogram.chances.sum(), 1, rel_tol=1e-6)
    assert accept_counts(histogram.counts, histogram.chances)
    middle = (histogram.edges[1:] + histogram.edges[:-1]) / 2
    assert math.isclose(float(middle @ histogram.chances), 0, abs_tol=law.standard_deviation / 50)


def test_the_law_of_a_few_numbers_has_one_step_for_each_of_them() -> None:
    histogram = SurveyHistogram(RepeatedSurveys(RandomizedResponse(10.0), 100, 30), still_reach(100)).run()
    steps = np.diff(histogram.edges) * 100 * RandomizedResponse(10.0).gap
    assert np.allclose(steps, 1)  # no bin holds more than one number of yes
    a, b = chances(RandomizedResponse(10.0))
    exact = np.convolve(stats.binom.pmf(range(31), 30, a), stats.binom.pmf(range(71), 70, b))
    assert histogram.chances.max() == pytest.approx(exact.max(), rel=1e-9)


@pytest.mark.parametrize("n", [1, 30, 100, 800, 10**6, 10**9])
def test_a_still_picture_shows_the_bell_of_two_fair_coins_and_loses_that_of_a_tenth_of_the_level(n: int) -> None:
    reach = still_reach(n)
    at = {level: RandomizedResponse(level).variance_of_shares(0.3, n) ** 0.5 for level in (0.1, 1.1, 10.0)}
    assert 4.5 < reach / at[1.1] < 13 and reach / at[0.1] < 1.2 and reach / at[10.0] > 500


def test_an_area_of_the_still_picture_is_a_share() -> None:
    for level in (0.5, 1.1, 5.0):
        histogram = SurveyHistogram(RepeatedSurveys(RandomizedResponse(level), 200, 60), still_reach(200)).run()
        area = float(histogram.per_unit(histogram.chances) @ np.diff(histogram.edges)) / histogram.unit
        assert area == pytest.approx(histogram.chances.sum(), rel=1e-12)


def test_masked_results_know_no_truth() -> None:
    survey = ClassSurvey(RandomizedResponse(1.1), 50, 20)
    hidden = survey.run().masked()
    assert hidden.truth == 0 and hidden.answered_yes == survey.run().answered_yes and hidden.yes_among_yes == 0
    assert hidden.flips is not None and len(hidden.flips.truth) == len(hidden.flips.honest) == 0
    person = ClassMember(survey, 3).run()
    assert person.masked().crowd == () and person.masked().answer == person.answer
    surveys = SurveyHistogram(RepeatedSurveys(RandomizedResponse(1.1), 50, 20), 0.5).run()
    assert surveys.masked().truth == 0 and np.array_equal(surveys.masked().edges, surveys.edges)


def test_one_person_is_the_one_of_the_class() -> None:
    survey = ClassSurvey(RandomizedResponse(1.1), 40, 12, seed=2)
    flips = survey.run().flips
    assert flips is not None
    for person in (1, 17, 40):
        result = ClassMember(survey, person).run()
        place = person - 1
        assert (result.truth, result.honest, result.second, result.answer) == (
            flips.truth[place],
            flips.honest[place],
            flips.second[place],
            flips.answers[place],
        )
    with pytest.raises(ParameterError, match="person must be at most n = 40; got 41"):
        ClassMember(survey, 41)


def test_a_curator_of_the_same_level_knows_far_more() -> None:
    noise = LaplaceMechanism(1.1, 1.0, "replace-one")
    curator = CuratorSurvey(noise, 30, 100).run()
    assert curator.half_width == pytest.approx(math.log(20) / 1.1 / 100)
    assert 0 <= curator.interval[0] <= curator.estimate <= curator.interval[1] <= 1
    local = ClassSurvey(RandomizedResponse(1.1), 100, 30).run().interval
    assert local[1] - local[0] > 5 * (curator.interval[1] - curator.interval[0])
    x = np.linspace(-2, 2, 400_001)
    assert float(curator.law(x).sum() * (x[1] - x[0])) == pytest.approx(1, rel=1e-3)


def test_a_curators_interval_holds_the_truth_as_often_as_it_says() -> None:
    noise = LaplaceMechanism(0.5, 1.0, "replace-one")
    question = CuratorSurvey(noise, 30, 100)
    # |Lap(b)| <= b ln 20 with probability 1 - e^{-ln 20} = 0.95, exactly; cutting at 0 and 1 loses no truth.
    assert noise.within(question.run().half_width * 100) == pytest.approx(0.95, rel=1e-12)


@pytest.mark.parametrize(("yes", "n"), [(0, 60), (5, 60), (20, 200), (199, 200)])
def test_what_is_not_believed_happens_in_less_than_one_class_of_a_thousand(yes: int, n: int) -> None:
    fair = TwoCoins(0.75, 0.25)
    for confidence in (0.5, 0.95, 0.99):
        result = RealAnswers(fair, yes, n, confidence).run()
        exact = stats.binom.cdf(yes, n, 0.25) if result.estimate < 0 else stats.binom.sf(yes - 1, n, 0.75)
        assert result.surprise == pytest.approx(exact, rel=1e-9)
        assert (result.reading == "far") == (exact < 0.001)
