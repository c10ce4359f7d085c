"""How far an estimated share is off at most: enumerated by SciPy's binomials, for crowds from one person on."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from ldpcore.estimating import sharereaches
from ldpcore.estimating.adviser import candidates, comparable
from ldpcore.estimating.sharereaches import share_reach, worst_share_reach
from ldpcore.mechanisms.base import FrequencyOracle
from ldpcore.mechanisms.coins import TwoCoins
from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.mechanisms.rappor import Rappor
from ldpcore.people.populations import Population
from tests.rationing import crossed, shared

LEVELS = (0.05, 0.5, 1.0, 2.0, 4.0, 10.0, 50.0)
CONFIDENCES = (0.5, 0.9, 0.95, 0.999)
CROWDS = (1, 2, 3, 5, 17, 25, 60, 100)
DESIGNS = (TwoCoins(1.0, 0.0), TwoCoins(3 / 4, 1 / 4), TwoCoins(11 / 12, 1 / 6), TwoCoins(0.2, 0.9), TwoCoins(0.5, 0.0))
EVERY = (*map(RandomizedResponse, LEVELS), *DESIGNS)


def chances(design: RandomizedResponse | TwoCoins) -> tuple[float, float]:
    """P(yes | yes) and P(yes | no), from the channel."""
    matrix = design.channel().matrix
    return float(matrix[1, 1]), float(matrix[0, 1])


def law_of(n: int, held: int, a: float, b: float) -> np.ndarray:
    """The law of the number of yes of n people of whom so many are a true yes."""
    own, others = stats.binom.pmf(range(held + 1), held, a), stats.binom.pmf(range(n - held + 1), n - held, b)
    return np.convolve(own, others)


def least_coverage(design: RandomizedResponse | TwoCoins, n: int, width: float, sampled: bool) -> float:
    """How often the nearest share is within the width of the truth, where it is so least often.

    The chance changes its law only where the truth passes an estimate's end, so that both sides of each such place,
    and some between, hold its least.
    """
    a, b = chances(design)
    estimates = np.clip((np.arange(n + 1) / n - b) / (a - b), 0, 1)
    if not sampled:
        kept = [np.abs(estimates - held / n) <= width + 1e-9 for held in range(n + 1)]
        return min(float(law_of(n, held, a, b)[kept[held]].sum()) for held in range(n + 1))
    ends = np.concatenate([estimates + width, estimates - width])
    truths = np.unique(np.clip(np.concatenate([np.linspace(0, 1, 41), ends - 1e-7, ends + 1e-7]), 0, 1))
    laws = stats.binom.pmf(np.arange(n + 1), n, np.clip(b + (a - b) * truths, 0, 1)[:, None])
    return float((laws * (np.abs(estimates - truths[:, None]) <= width + 1e-9)).sum(axis=1).min())


@pytest.mark.parametrize(("design", "n"), crossed(EVERY, CROWDS, 3), ids=str)
def test_the_nearest_share_is_within_the_reach_as_often_as_is_said_whatever_the_truth_is(
    design: RandomizedResponse | TwoCoins, n: int
) -> None:
    for confidence, sampled in crossed(CONFIDENCES, (n % 2 == 0, n % 2 == 1)):
        reach = worst_share_reach(design, n, confidence, sampled)
        kept = least_coverage(design, n, reach, sampled)
        assert kept >= confidence - 1e-9, (confidence, sampled, reach, kept)


@pytest.mark.parametrize("alpha", [0.5, 1.0, 2.0, 10.0])
def test_a_step_and_a_half_less_would_not_keep_it(alpha: float) -> None:
    """No wider than need be: a step and a half of the tally narrower, some truth is missed more often than is said."""
    design = RandomizedResponse(alpha)
    for n in (25, 100):
        narrower = worst_share_reach(design, n, 0.95, True) - 1.5 / n / design.gap
        assert least_coverage(design, n, narrower, True) < 0.95


@pytest.mark.parametrize(
    "design", [RandomizedResponse(0.7), RandomizedResponse(4.0), TwoCoins(11 / 12, 1 / 6)], ids=str
)
@pytest.mark.parametrize("sampled", [False, True])
def test_many_people_are_promised_what_is_counted_out_for_them(
    design: RandomizedResponse | TwoCoins, sampled: bool
) -> None:
    """Where laws are taken at their saddle points or at some numbers of holders, SciPy's whole law says the same."""
    a, b = chances(design)
    for n in shared((300, 1000, 5000), 2):
        for confidence in (0.5, 0.95, 0.999):
            reach = worst_share_reach(design, n, confidence, sampled)
            for share in (0.0, 0.03, 0.41, 0.5, 0.83, 1.0):
                held = round(share * n)
                whole = stats.binom.pmf(range(n + 1), n, b + (a - b) * held / n) if sampled else law_of(n, held, a, b)
                estimates = np.clip((np.arange(n + 1) / n - b) / (a - b), 0, 1)
                assert whole[np.abs(estimates - held / n) <= reach + 1e-12].sum() >= confidence - 1e-9


@pytest.mark.parametrize(("n", "level", "confidence"), [(1824, 0.0236, 0.5), (257, 1.0, 0.95), (1979, 0.054, 0.9)])
def test_no_number_of_yes_strays_farther_than_the_reach_of_a_sample(n: int, level: float, confidence: float) -> None:
    """By SciPy's beta quantiles for every number of yes: x is rarer than the tail below this chance."""
    design = RandomizedResponse(level)
    yes, (p, q) = np.arange(1, n + 1), chances(design)
    rare = stats.beta.ppf((1 - confidence) / 2, yes, n - yes + 1)
    held = np.maximum(rare, q)[rare <= p]
    farthest = np.minimum(yes[rare <= p] / n - held, p - held).max() / (p - q)
    reach = worst_share_reach(design, n, confidence, True)
    assert farthest * (1 - 1e-9) <= reach <= farthest + 1 / n / (p - q)


@pytest.mark.parametrize(("n", "level", "confidence"), [(683, 4.65, 0.5), (300, 4.0, 0.95), (511, 7.0, 0.8)])
def test_no_number_of_holders_strays_farther_than_the_reach_of_a_census(
    n: int, level: float, confidence: float
) -> None:
    """By SciPy's whole law for every number of holders, on the side of more: to a thousandth of it."""
    design = RandomizedResponse(level)
    (p, q), farthest = chances(design), 0.0
    for held in range(n + 1):
        beyond = np.cumsum(law_of(n, held, p, q)[::-1])[::-1]
        last = int(np.flatnonzero(beyond > (1 - confidence) / 2 + 1e-11)[-1])
        off = (last - held * p - (n - held) * q) / n / (p - q)
        farthest = max(farthest, min(off, 1 - held / n))
    assert farthest * (1 - 1e-3) <= worst_share_reach(design, n, confidence)


@pytest.mark.parametrize("slug", [each.slug for each in comparable(1.0, 10) if isinstance(each, FrequencyOracle)])
def test_a_known_share_is_estimated_within_its_reach_as_often_as_is_said(slug: str) -> None:
    for turn, (level, confidence) in enumerate(((0.3, 0.95), (1.0, 0.999), (5.0, 0.5))):
        (oracle,) = candidates(level, 10, (slug,))
        assert isinstance(oracle, FrequencyOracle)
        for n in shared(CROWDS, 2, turn):
            for share in (0.0, 0.1, 0.5, 1.0):
                held, estimates = round(share * n), (np.arange(n + 1) / n - oracle.q) / oracle.gap
                drawn = stats.binom.pmf(range(n + 1), n, min(oracle.q + oracle.gap * share, 1.0))
                for sampled, law, truth in (
                    (True, drawn, share),
                    (False, law_of(n, held, oracle.p, oracle.q), held / n),
                ):
                    reach = share_reach(share, oracle, n, confidence, sampled)
                    assert law[np.abs(estimates - truth) <= reach + 1e-9].sum() >= confidence - 1e-9


@pytest.mark.parametrize("sampled", [False, True])
@pytest.mark.parametrize(("level", "n"), [(0.5, 3), (2.0, 40), (10.0, 400)])
def test_sums_of_laplace_noise_are_within_their_reach_as_often_as_is_said(level: float, n: int, sampled: bool) -> None:
    """A sum of n Laplace numbers is the difference of two gamma numbers; by chance this fails once in 10⁹ runs."""
    (noisy,), share, runs = candidates(level, 10, ("she",)), 0.3, 100_000
    rng, confidence = np.random.default_rng(11), 0.95
    yes = rng.binomial(n, share, runs) if sampled else np.full(runs, round(share * n))
    noise = (rng.gamma(n, 1.0, runs) - rng.gamma(n, 1.0, runs)) * 2 / level
    truth = share if sampled else round(share * n) / n
    kept = np.mean(np.abs((yes + noise) / n - truth) <= share_reach(share, noisy, n, confidence, sampled))
    assert kept >= confidence - 6 * math.sqrt(confidence * (1 - confidence) / runs)


@pytest.mark.parametrize("n", [60, 3000])
def test_bloom_bits_are_within_their_reach_as_often_as_is_said(n: int) -> None:
    """The word that is estimated worst, in a census; by chance this fails once in 10⁹ runs."""
    words, runs, confidence = Rappor(1.5, 6, 16, 2, 4, 0.5, 0.75), 4_000, 0.9
    reach = share_reach(0.25, words, n, confidence)
    for word in range(6):
        counts = np.full(6, n * 0.75 / 5)
        counts[word] = n / 4
        held = np.floor(counts).astype(np.int64)
        held[(word + 1) % 6] += n - held.sum()
        tally = words.sample_tally(Population.of_categories(held), np.random.default_rng(word), runs)
        off = np.abs(words.estimate(tally)[word] - held[word] / n)
        assert np.mean(off <= reach) >= confidence - 6 * math.sqrt(confidence * (1 - confidence) / runs)


def test_a_reach_is_never_longer_for_more_people_by_more_than_a_step() -> None:
    for alpha, sampled in crossed((0.5, 4.0), (False, True)):
        reaches = [worst_share_reach(RandomizedResponse(alpha), n, 0.95, sampled) for n in range(1, 300)]
        assert (np.diff(reaches) <= 1.0 / np.arange(1, 299) ** 1.5).all()
    many = [worst_share_reach(RandomizedResponse(1.0), n, 0.95, True) * math.sqrt(n) for n in (10**4, 10**7, 10**9)]
    assert many[0] > many[1] and many[1] == pytest.approx(many[2])


def test_answers_that_carry_nothing_reach_everywhere() -> None:
    assert math.isinf(worst_share_reach(TwoCoins(0.5, 0.5), 100)) and math.isinf(
        share_reach(0.1, TwoCoins(0.5, 0.5), 9)
    )
    assert worst_share_reach(TwoCoins(1.0, 0.0), 100) == share_reach(0.1, TwoCoins(1.0, 0.0), 9) == 0


def test_the_normal_law_would_promise_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mistake that this replaces, planted: 25 people at α = 10 would be promised ± 19.6 points."""
    design = RandomizedResponse(10.0)
    normal = stats.norm.ppf(0.975) * math.sqrt(design.variance_of_shares(0.5, 25) + 0.25 / 25)
    monkeypatch.setattr(sharereaches, "_worst_reach", lambda *asked: normal)
    assert least_coverage(design, 25, worst_share_reach(design, 25, 0.95, True), True) < 0.95


@pytest.mark.parametrize(("level", "n"), [(1e-4, 10**9), (1e-5, 10**12), (1e-6, 10**14)])
def test_a_reach_of_billions_is_the_normal_one_where_that_of_millions_is_everything(level: float, n: int) -> None:
    """z/(2√n tanh(ε/2)): to ten million people all shares remain, whatever they say, and to n not."""
    for sampled in (True, False):
        assert worst_share_reach(RandomizedResponse(level), 10**7, 0.95, sampled) == 1
        reach = worst_share_reach(RandomizedResponse(level), n, 0.95, sampled)
        assert reach == pytest.approx(1.959964 / (2 * math.sqrt(n) * math.tanh(level / 2)), rel=1e-3)
