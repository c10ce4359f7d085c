"""Tails of binomial laws of millions of people, and how many people tell two worlds apart."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import special

from ldpcore.estimating import reaches, tallies
from ldpcore.estimating.reaches import Sampled
from ldpcore.estimating.reportlaws import error_law
from ldpcore.estimating.shares import share_at_least, share_at_most
from ldpcore.experiments.exercises.bit import BitAboutSpread
from ldpcore.laws.products import RepeatedPair
from ldpcore.mechanisms.hybrid import HybridMechanism
from ldpcore.numerics.binomials import more_than, no_more_than


def test_tails_of_a_hundred_million_coins_are_the_sum_of_their_chances() -> None:
    """P(C > c) = P(C = c + 1)(1 + r + r r' + …), the first by Stirling's series: nothing of SciPy's."""
    n, chance, cut = 10**8, 0.500001, 50_000_050

    def stirling(m: int) -> float:
        return 1 / (12 * m) - 1 / (360 * m**3)

    k, rest = cut + 1, n - cut - 1
    one = k * math.log1p((n * chance - k) / k) + rest * math.log1p((n * (1 - chance) - rest) / rest)
    point = math.exp(one + stirling(n) - stirling(k) - stirling(rest)) * math.sqrt(n / (2 * math.pi * k * rest))
    counts = np.arange(k, k + 60_000)
    total = point * (1 + np.cumprod((n - counts) / (counts + 1) * chance / (1 - chance)).sum())
    assert float(more_than(cut, n, chance)) == pytest.approx(total, abs=1e-9)
    assert float(no_more_than(cut, n, chance)) == pytest.approx(1 - total, abs=1e-9)


def test_tails_of_any_number_of_coins_add_up_to_one() -> None:
    n = 10.0 ** np.arange(1, 19)
    for z in (-1.0, 0.3):
        counts = np.floor(n / 2 + z * np.sqrt(n) / 2)
        above, below = more_than(counts, n, 0.5), no_more_than(counts, n, 0.5)
        assert above + below == pytest.approx(1, abs=1e-9)
        place = (counts + 0.5 - n / 2) / (np.sqrt(n) / 2)
        assert above[3:] == pytest.approx([math.erfc(each / math.sqrt(2)) / 2 for each in place[3:]], abs=1e-5)


def test_millions_of_bits_tell_two_worlds_apart_as_the_normal_law_has_it() -> None:
    """d = 2Φ(√n tanh(ε/2)) - 1, all but exact where one coin hardly leans: 0.8 is Φ⁻¹(0.9) = 1.2816 of it."""
    lean = math.tanh(1e-4 / 2)
    pair = RepeatedPair.of(((1 + lean) / 2, (1 - lean) / 2), ((1 - lean) / 2, (1 + lean) / 2))
    assert pair.fewest(0.8) == pytest.approx((1.2815515655446004 / lean) ** 2, abs=3)
    for n in (10**7, 10**9):
        assert pair.distance(n).low == pytest.approx(math.erf(math.sqrt(n / 2) * lean), abs=1e-8)


@pytest.mark.parametrize(("level", "needed"), [(1e-6, 6_569_497_670_000), (1e-5, 65_694_976_700), (1e-4, 656_949_767)])
def test_the_reports_about_a_spread_have_as_many_digits_as_are_right(level: float, needed: int) -> None:
    """By 60 digits of the normal law: 6 569 497 660 598.7, 65 694 976 605.4 and 656 949 765.5."""
    assert BitAboutSpread(level, 1.0).run().needed == needed


def test_a_tally_is_beyond_its_mean_as_often_as_its_law_leans() -> None:
    """Beside its mean the saddle point's formula is 0/0: with 1000 coins of 0.9005, P(C >= 901) is 0.5056, not ½."""
    (tail,) = tallies.at_least(np.array([901]), np.array([1000]), 1000, 0.9005, 0.1)
    exact = float(more_than(900, 1000, 0.9005))
    assert exact < tail < exact * (1 + 0.3 / (1000 * 0.9005 * 0.0995))


@pytest.mark.parametrize("trials", [10**9, 10**12, 10**15, 10**18])
def test_the_ends_of_a_share_of_huge_crowds_are_as_rare_as_they_should_be(trials: int) -> None:
    """SciPy puts the lower end of 1000 hits at 14 901 for 10¹² trials; of 10¹⁷ it loses all digits of an upper end."""
    for hits in (1000, 999, trials * 0.55, trials * 0.9):
        low, high = share_at_least(hits, trials, 0.025), share_at_most(hits, trials, 0.025)
        assert float(more_than(hits - 1, trials, low)) == pytest.approx(0.025, rel=1e-4)
        assert float(no_more_than(hits, trials, high)) == pytest.approx(0.025, rel=1e-4)


@pytest.mark.parametrize("trials", [10**9, 10**11])
def test_an_interval_of_a_thousand_misses_less_one_holds_the_share_as_that_of_its_neighbors_does(trials: int) -> None:
    """SciPy's quantile of the beta law is wrong at the shape 1000, of the hits as of the misses."""
    for misses in (998, 999, 1000, 1001):
        low, high = (end(trials - misses, trials, 0.025) for end in (share_at_least, share_at_most))
        assert 1 - low == pytest.approx(special.gammaincinv(misses + 1, 0.975) / trials, rel=1e-4)
        assert 1 - high == pytest.approx(special.gammaincinv(misses, 0.025) / trials, rel=1e-4)


def test_a_reach_of_very_many_people_is_not_made_of_rounding() -> None:
    """Chernoff's logarithms are right to 1e-16 each, which for 10¹⁸ people was 80 and gave reaches below 0."""
    law = Sampled(error_law(HybridMechanism(26.8)))
    for n in (10**9, 10**12, 10**14, 10**16, 10**18):
        normal = reaches.normal_quantile(0.025) * math.sqrt(law.variances[1] / n)
        assert 1 - 1e-9 < reaches.reach(((law, n),), 0.025) / normal < 3.3, n
