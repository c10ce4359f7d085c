"""A census or a sample, and those who did not answer: intervals cover what they speak of, by enumeration."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from ldpcore.estimating.intervals import count_law, drawn_variance, exact_interval
from ldpcore.estimating.nonresponse import worst_case
from ldpcore.experiments.frequencies import FrequencyPlan
from ldpcore.experiments.response import RealAnswers, SurveyPlan
from ldpcore.mechanisms.coins import TwoCoins
from ldpcore.mechanisms.grr import RandomizedResponse
from tests.rationing import crossed
from tests.test_share_reaches import chances

DESIGNS = [RandomizedResponse(1.0), TwoCoins(11 / 12, 1 / 6), TwoCoins(1.0, 0.25)]


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_in_a_census_the_share_among_those_asked_is_covered(design: TwoCoins, confidence: float) -> None:
    a, b = chances(design)
    n = 14
    intervals = [exact_interval(count, n, a, b, confidence) for count in range(n + 1)]
    for yes in range(n + 1):
        law = np.convolve(stats.binom.pmf(range(yes + 1), yes, a), stats.binom.pmf(range(n - yes + 1), n - yes, b))
        inside = [low <= yes / n + 1e-12 and yes / n - 1e-12 <= high for low, high in intervals]
        assert law[inside].sum() >= confidence - 1e-12


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_in_a_sample_the_share_of_the_population_is_covered(design: TwoCoins, confidence: float) -> None:
    a, b = chances(design)
    n = 14
    intervals = [exact_interval(count, n, a, b, confidence, sampled=True) for count in range(n + 1)]
    for share in np.linspace(0, 1, 41):
        law = stats.binom.pmf(range(n + 1), n, b + (a - b) * share)
        inside = [low <= share + 1e-12 and share - 1e-12 <= high for low, high in intervals]
        assert law[inside].sum() >= confidence - 1e-12


@pytest.mark.parametrize("design", DESIGNS)
def test_in_a_census_the_silent_may_say_what_they_like(design: TwoCoins) -> None:
    """Whoever answers, and whatever the silent hold: the share among all twenty is covered."""
    a, b = chances(design)
    answered, silent = 12, 8
    worst = [RealAnswers(design, count, answered, 0.9, silent).run().worst_interval for count in range(answered + 1)]
    for yes in range(answered + 1):
        law = np.convolve(
            stats.binom.pmf(range(yes + 1), yes, a), stats.binom.pmf(range(answered - yes + 1), answered - yes, b)
        )
        for hidden in range(silent + 1):
            share = (yes + hidden) / (answered + silent)
            inside = [low <= share + 1e-12 and share - 1e-12 <= high for low, high in worst]
            assert law[inside].sum() >= 0.9 - 1e-12


@pytest.mark.parametrize(("design", "rate"), crossed(DESIGNS, [0.35, 0.8, 0.97], 3))
def test_in_a_sample_the_silent_may_say_what_they_like(design: TwoCoins, rate: float) -> None:
    """Both are random, how many answer and how many of them say yes: their joint law, enumerated.

    Where everybody happens to answer, the reader says that nobody is silent, which is counted as not covered here.
    """
    a, b = chances(design)
    n, confidence = 18, 0.9
    ends = {
        (count, answered): RealAnswers(design, count, answered, confidence, n - answered).run().sampled_worst_interval
        for answered in range(1, n)
        for count in range(answered + 1)
    }
    (count, answered), (low, high) = np.array([*ends]).T, np.array([*ends.values()]).T
    for own, others in [(0.0, 0.0), (0.3, 1.0), (0.3, 0.0), (1.0, 0.0), (1.0, 1.0), (0.6, 0.5)]:
        share = rate * own + (1 - rate) * others  # of yes in the population, given who would answer
        covered = stats.binom.pmf(0, n, rate) + stats.binom.pmf(n, n, rate)  # nobody or everybody answers
        chance = stats.binom.pmf(answered, n, rate) * stats.binom.pmf(count, answered, b + (a - b) * own)
        covered += chance[(low <= share + 1e-12) & (share - 1e-12 <= high)].sum()
        assert covered >= confidence - 1e-12, (own, others)


def test_where_nobody_is_silent_the_worst_case_is_the_interval_itself() -> None:
    result = RealAnswers(RandomizedResponse(1.1), 340, 900).run()
    assert result.worst_interval == result.interval and result.sampled_worst_interval == result.sampled_interval


def test_the_more_are_silent_the_wider_the_worst_case() -> None:
    for sampled in (False, True):
        widths = []
        for silent in (0, 1, 10, 100, 10_000):
            question = RealAnswers(RandomizedResponse(1.1), 340, 900, silent=silent)
            low, high = question.worst(sampled)
            widths.append(high - low)
        assert widths == sorted(widths) and widths[-1] > 0.9


def test_a_worst_case_is_asked_for_at_the_confidence_that_it_needs() -> None:
    asked: list[float] = []
    question = RealAnswers(RandomizedResponse(1.0), 5, 10)

    def interval(confidence: float):  # type: ignore[no-untyped-def]
        asked.append(confidence)
        return question.enclosing(confidence, True)

    worst_case(interval, 10, 3, 0.9, True)
    worst_case(interval, 10, 3, 0.9, False)
    assert asked == pytest.approx([0.95, 0.9])


def shortest(n: int, law: np.ndarray, estimates: np.ndarray, share: float, confidence: float = 0.95) -> float:
    """The distance that the estimate keeps with this chance, from its whole law."""
    off = np.abs(estimates - share)
    order = np.argsort(off)
    return float(off[order][np.searchsorted(np.cumsum(law[order]), confidence)])


@pytest.mark.parametrize(
    ("alpha", "share", "census", "sample"),
    [(1.1, 0.3, 0.061, 0.069), (1.0, 0.3, 0.068, 0.075), (1.1, 0.5, 0.061, 0.070), (1.0, 0.5, 0.068, 0.076)],
)
def test_eight_hundred_employees_are_known_better_as_a_census(
    alpha: float, share: float, census: float, sample: float
) -> None:
    """The plan's widths to a tenth of a point, no narrower than the exact laws of the number of yes allow."""
    design, n = RandomizedResponse(alpha), 800
    for sampled, width in ((False, census), (True, sample)):
        planned = FrequencyPlan(design, n, share, sampled=sampled).run().width
        assert round(planned, 3) == width
        assert SurveyPlan(design, n, sampled=sampled).run().width >= planned * (1 - 1e-9)  # whatever the share is
        law = np.asarray(stats.binom.pmf(range(n + 1), n, design.q + design.gap * share))
        if not sampled:
            exact = count_law(round(n * share), n, design.p, design.q)
            law = np.zeros(n + 1)
            law[exact.start : exact.start + len(exact.chances)] = exact.chances
        estimates = (np.arange(n + 1) / n - design.q) / design.gap
        least = shortest(n, law, estimates, share)
        assert least - 1e-9 <= planned <= least + 2 / (n * design.gap)


def test_drawing_people_adds_their_own_variance_and_a_census_adds_none() -> None:
    assert drawn_variance(0.3, True) == pytest.approx(0.21) and drawn_variance([0.3, 0.5], False).tolist() == [0, 0]
    assert math.isclose(float(drawn_variance(0.5, True)), 0.25)


def test_how_many_of_a_population_would_answer_is_uncertain_too() -> None:
    """All who answer are a true yes, nobody else is, and answers are direct: only who answers is left to chance."""
    n, rate, covered = 400, 0.5, 0.0
    for answered in range(1, n):
        low, high = RealAnswers(TwoCoins(1.0, 0.0), answered, answered, 0.9, n - answered).run().sampled_worst_interval
        covered += float(stats.binom.pmf(answered, n, rate)) * (low <= rate <= high)
    assert covered >= 0.9
