"""Intervals enclose the truth as often as they say: by enumeration for small n, by simulation for many values."""

from __future__ import annotations

import itertools
import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from scipy import stats

from ldpcore.estimating import tallies
from ldpcore.estimating.adviser import comparable
from ldpcore.estimating.confidences import quantile
from ldpcore.estimating.intervals import (
    EXACT_USERS,
    MOST_USERS,
    affine_variance,
    binomial_law,
    count_law,
    exact_bounds,
    exact_interval,
    score_interval,
)
from ldpcore.mechanisms.base import FrequencyOracle
from ldpcore.mechanisms.grr import GeneralizedRandomizedResponse, RandomizedResponse
from ldpcore.mechanisms.unary import SymmetricUnaryEncoding
from ldpcore.parameters import ParameterError
from ldpcore.people.populations import Population
from tests.rationing import crossed, shared
from tests.statistics import coverage


def oracles(epsilon: float, k: int) -> list[FrequencyOracle]:
    return [randomizer for randomizer in comparable(epsilon, k) if isinstance(randomizer, FrequencyOracle)]


def test_the_law_of_a_tally_is_the_convolution_of_two_binomials() -> None:
    for held, n, p, q in ((0, 5, 0.7, 0.3), (2, 5, 0.7, 0.3), (5, 5, 0.9, 0.0), (3, 9, 1.0, 0.5), (40, 100, 0.6, 0.1)):
        law = count_law(held, n, p, q)
        by_hand = np.zeros(n + 1)
        for own, other in itertools.product(range(held + 1), range(n - held + 1)):
            by_hand[own + other] += stats.binom.pmf(own, held, p) * stats.binom.pmf(other, n - held, q)
        full = np.zeros(n + 1)
        full[law.start : law.start + len(law.chances)] = law.chances
        assert np.allclose(full, by_hand, rtol=0, atol=1e-14)
        assert math.isclose(law.at_most(2) + law.at_least(3), 1, rel_tol=1e-12)


def test_tails_are_told_where_in_doubles_nobody_lies() -> None:
    """The bits of unary encoding at level 50: a half of its own, and one of e⁵⁰ of all others."""
    counts, held = np.array([4_900, 5_100]), np.array([10_000, 10_000])
    law = stats.binom(10_000, 0.5)
    assert tallies.at_most(counts, held, 10**6, 0.5, math.exp(-50)) == pytest.approx(law.cdf(counts), rel=1e-9)
    assert tallies.at_least(counts, held, 10**6, 0.5, math.exp(-50)) == pytest.approx(law.sf(counts - 1), rel=1e-9)


def test_the_law_of_a_large_tally_keeps_its_mass_and_moments() -> None:
    for n in (10**5, 10**7):
        law = count_law(n // 10, n, 0.6, 0.2)
        values = law.values()
        mean = n * (0.1 * 0.6 + 0.9 * 0.2)
        assert math.isclose(law.chances.sum(), 1, rel_tol=1e-9)
        assert math.isclose(law.chances @ values, mean, rel_tol=1e-9)
        variance = n * (0.1 * 0.24 + 0.9 * 0.16)
        assert math.isclose(law.chances @ (values - mean) ** 2, variance, rel_tol=1e-6)
    assert binomial_law(10, 0.0).at_most(0) == 1


@pytest.mark.parametrize("n", [1, 7, 30, 60])
def test_exact_interval_covers_at_least_as_often_as_it_says_for_every_true_count(n: int) -> None:
    for oracle in shared(oracles(1.0, 2) + oracles(3.0, 3), 2, n):
        intervals = [exact_interval(count, n, oracle.p, oracle.q) for count in range(n + 1)]
        assert all(low <= high for low, high in intervals)
        for held in range(n + 1):
            law = count_law(held, n, oracle.p, oracle.q)
            inside = [intervals[int(count)][0] <= held / n <= intervals[int(count)][1] for count in law.values()]
            assert law.chances[inside].sum() >= 0.95, (oracle, n, held)


@pytest.mark.parametrize("n", [1, 7, 30])
def test_exact_interval_for_a_sample_covers_at_least_as_often_as_it_says(n: int) -> None:
    oracle = RandomizedResponse(1.0)
    intervals = np.array([exact_interval(count, n, oracle.p, oracle.q, sampled=True) for count in range(n + 1)])
    for share in np.linspace(0, 1, 41):
        chances = stats.binom.pmf(np.arange(n + 1), n, oracle.q + oracle.gap * share)
        inside = (intervals[:, 0] <= share + 1e-12) & (share - 1e-12 <= intervals[:, 1])
        assert chances[inside].sum() >= 0.95 - 1e-12


def test_score_interval_covers_95_per_cent_on_average_and_never_far_less() -> None:
    for oracle, n in crossed(oracles(1.0, 2) + oracles(1.0, 8), (60, 400)):
        coverage = []
        for held in range(n + 1):
            law = count_law(held, n, oracle.p, oracle.q)
            bounds = score_interval((law.values() / n - oracle.q) / oracle.gap, oracle, n)
            coverage.append(law.chances[bounds.encloses(held / n)].sum())
        # An estimate that is no share widens its interval, so that shares near the edges are enclosed more often.
        assert 0.945 <= np.mean(coverage) <= 0.98 and min(coverage) >= 0.93, (oracle, n, min(coverage))


def test_score_interval_of_a_sample_is_wilsons_through_p_and_q() -> None:
    oracle, n, count = RandomizedResponse(1.0), 200, 83
    bounds = score_interval((count / n - oracle.q) / oracle.gap, oracle, n, sampled=True)
    wilson = stats.binomtest(count, n).proportion_ci(method="wilson")
    for mine, theirs in ((bounds.low, wilson.low), (bounds.high, wilson.high)):
        assert math.isclose(float(mine), (theirs - oracle.q) / oracle.gap, rel_tol=1e-12)


def plainly_inverted(count: int, n: int, p: float, q: float, tail: float) -> list[int]:
    """The numbers of holders that the two-sided test does not reject, one by one and without any search."""
    laws = [count_law(held, n, p, q) for held in range(n + 1)]
    return [held for held, law in enumerate(laws) if law.at_most(count) > tail and law.at_least(count) > tail]


@pytest.mark.parametrize(("epsilon", "n"), [(0.5, 12), (1.0, 30), (3.0, 25), (8.0, 20)])
def test_the_exact_interval_is_the_inverted_test_and_wider_only_where_the_estimate_is_no_share(
    epsilon: float, n: int
) -> None:
    for oracle in (RandomizedResponse(epsilon), GeneralizedRandomizedResponse(epsilon, 5)):
        bounds = exact_bounds(np.arange(n + 1), n, oracle.p, oracle.q)
        for count in range(n + 1):
            held = plainly_inverted(count, n, oracle.p, oracle.q, 0.025)
            low, high = float(bounds.low[count]) * n, float(bounds.high[count]) * n
            if math.floor(n * oracle.q) <= count <= math.ceil(n * oracle.p):
                assert (round(low), round(high)) == (held[0], held[-1]), (oracle, count)
            elif held:
                assert low <= held[0] + 1e-9 and high >= held[-1] - 1e-9, (oracle, count)


@pytest.mark.parametrize("n", [10, 30, 100, 1000])
def test_no_interval_is_a_point_at_the_edge_and_all_cover_as_often_as_they_say(n: int) -> None:
    """By enumeration over every tally, for everybody's true count (n = 1 000: every seventh, and both edges)."""
    for epsilon in (0.3, 1.0, 3.0):
        oracle = RandomizedResponse(epsilon)
        bounds = exact_bounds(np.arange(n + 1), n, oracle.p, oracle.q)
        assert (np.diff(bounds.low) >= 0).all() and (np.diff(bounds.high) >= 0).all()
        # Three yes of thirty are fewer than the coins alone bring, and never mean that nobody did it.
        assert (bounds.low < bounds.high).all(), (epsilon, n, np.flatnonzero(bounds.low >= bounds.high))
        for held in sorted({*range(0, n + 1, 7 if n == 1000 else 1), 1, 2, n - 2, n - 1, n}):
            law = count_law(held, n, oracle.p, oracle.q)
            inside = bounds.encloses(held / n)[law.values().astype(int)]
            assert law.chances[inside].sum() >= 0.95 - 1e-12, (epsilon, n, held)
        sampled = exact_bounds(np.arange(n + 1), n, oracle.p, oracle.q, sampled=True)
        assert (sampled.low < sampled.high).all()
        shares = np.linspace(0, 1, 101)
        laws = stats.binom.pmf(np.arange(n + 1), n, oracle.q + oracle.gap * shares[:, None])
        for share, chances in zip(shares, laws, strict=True):
            inside = (sampled.low <= share + 1e-12) & (share - 1e-12 <= sampled.high)
            assert chances[inside].sum() >= 0.95 - 1e-12, (epsilon, n, share)


def test_three_yes_of_thirty_may_still_be_a_third_of_the_class() -> None:
    oracle = RandomizedResponse(1.0)
    assert exact_interval(3, 30, oracle.p, oracle.q) == exact_interval(8, 30, oracle.p, oracle.q) == (0.0, 11 / 30)
    assert exact_interval(29, 30, oracle.p, oracle.q) == (19 / 30, 1.0)
    # Where nobody lies, nobody said yes: a point is then the truth.
    assert exact_interval(0, 30, 1.0, 0.0) == (0.0, 0.0)


def test_an_interval_is_a_point_only_where_one_person_more_would_not_be_missed() -> None:
    for epsilon, n in itertools.product((4.0, 6.0, 10.0), (10, 30, 100)):
        oracle = RandomizedResponse(epsilon)
        bounds = exact_bounds(np.arange(n + 1), n, oracle.p, oracle.q)
        for count in np.flatnonzero(bounds.low == bounds.high):
            held, at = round(bounds.low[count] * n), int(count)
            assert held == n or count_law(held + 1, n, oracle.p, oracle.q).at_most(at) <= 0.025
            assert held == 0 or count_law(held - 1, n, oracle.p, oracle.q).at_least(at) <= 0.025


GRR = GeneralizedRandomizedResponse


@pytest.mark.parametrize(
    ("oracle", "n", "held"), [(GRR(6.0, 2), 100, 50), (GRR(4.0, 4), 10, 2), (GRR(1.0, 1000), 1000, 1)]
)
def test_the_share_of_a_value_that_hardly_anybody_else_reports_is_enclosed_as_often_as_stated(
    oracle: FrequencyOracle, n: int, held: int
) -> None:
    assert coverage(oracle, n, held) >= 0.95


def test_a_normal_law_would_have_been_wrong_there() -> None:
    assert coverage(GRR(6.0, 2), 100, 50, score_interval) < 0.8
    assert coverage(GRR(4.0, 4), 10, 2, score_interval) < 0.8


@pytest.mark.parametrize(
    ("k", "epsilon"), crossed([4, 1000], [0.1, 1.0, 3.0, 6.0, 10.0])
)  # of 2 and 30 the law of all intervals asks more
def test_intervals_of_shares_cover_94_per_cent_and_more_over_the_whole_grid(epsilon: float, k: int) -> None:
    for place, (oracle, n) in enumerate(crossed(oracles(epsilon, k), (10, 100, 1000), 3)):
        between = sorted({1, 2, 3, n // 100, n // 10, n // 3, n // 2, n - 1} - {0})
        for held in (0, *shared(between, 2, place), n):
            assert coverage(oracle, n, held) >= 0.94, (oracle, n, held)


def test_intervals_of_many_shares_at_once_stay_exact_far_out_in_the_tails() -> None:
    # Of 1 000 values each may be missed 5.1e-5 of the time: there the normal law is wrong for tallies of hundreds.
    for oracle, n in ((GRR(1.0, 1000), 10_000), (GRR(1.0, 100), 20_000), (GRR(3.0, 30), 2000)):
        for held, rule in itertools.product((0, 1, n // 100, n // 3), ("sidak", "bonferroni")):
            missed = 1 - coverage(oracle, n, held, among=1000, rule=rule)
            assert missed <= 1.5 * 0.05 / 1000, (oracle, n, held, missed)


def test_a_tally_of_ten_million_is_searched_from_a_good_guess() -> None:
    oracle, n = RandomizedResponse(1.0), EXACT_USERS
    low, high = (round(end * n) for end in exact_interval(n // 3, n, oracle.p, oracle.q))
    for held, count_is in ((low, "at_least"), (high, "at_most")):
        step = -1 if count_is == "at_least" else 1
        inside, outside = (getattr(count_law(h, n, oracle.p, oracle.q), count_is)(n // 3) for h in (held, held + step))
        assert outside <= 0.025 < inside


def score_ends(share: float, constant: float, slope: float, z: float, n: int, sampled: bool) -> list[Decimal]:
    """Both roots of (f̂ - f)² = z² (a + b f + [sampled] f (1-f))/n, in eighty digits."""
    with localcontext(prec=80):
        found, factor = Decimal(share), Decimal(z) ** 2 / n
        square = 1 + factor * sampled
        middle = found + factor * (Decimal(slope) + sampled) / 2
        reach = (middle**2 - square * (found**2 - factor * Decimal(constant))).sqrt()
        return [(middle - reach) / square, (middle + reach) / square]


@pytest.mark.parametrize("sampled", [False, True])
def test_score_interval_keeps_its_width_where_the_error_is_a_billionth_of_the_share(sampled: bool) -> None:
    for randomizer, n in itertools.product(comparable(50.0, 3), (10**6, 10**12, 10**18)):
        for share in (1e-9, 0.3, 0.999):
            bounds = score_interval(share, randomizer, n, sampled=sampled)
            ends = score_ends(share, *affine_variance(randomizer), quantile(0.95), n, sampled)
            rounding = 1e-9 * float(ends[1] - ends[0]) + 4e-16 * share
            for end, exact in zip((bounds.low, bounds.high), ends, strict=True):
                assert abs(Decimal(float(end)) - exact) <= rounding, (randomizer, n, share)


def test_score_interval_of_one_variance_for_all_shares_is_z_times_the_standard_deviation() -> None:
    # Symmetric encoding has n·Var = e^{ε/2}/(e^{ε/2}-1)² for every share: at ε = 50 an error of 4e-12 of 10^12 people.
    bounds = score_interval(0.3, SymmetricUnaryEncoding(50.0, 2), 10**12)
    width = 2 * quantile(0.95) * math.exp(-12.5) / -math.expm1(-25) / 1e6
    assert math.isclose(float(bounds.high - bounds.low), width, rel_tol=1e-4)


def test_variance_is_affine_in_the_share_for_every_mechanism() -> None:
    shares = np.linspace(0, 1, 7)
    for randomizer in comparable(1.3, 9):
        constant, slope = affine_variance(randomizer)
        assert np.allclose(randomizer.variance_of_shares(shares, 1), constant + slope * shares, rtol=1e-10)


@pytest.mark.parametrize("rule", ["bonferroni", "sidak"])
def test_simultaneous_intervals_enclose_all_shares_95_times_in_100(rule: str) -> None:
    # 2 000 repetitions: at a true coverage of 0.945 fewer than `fewest` enclosed has probability 1e-9 (exact binomial).
    repeats = 2000
    fewest = stats.binom.isf(1 - 1e-9, repeats, 0.945) / repeats
    for randomizer in comparable(1.0, 16):
        population = Population.zipf(16, 20_000)
        raw = randomizer.estimate(randomizer.sample_tally(population, np.random.default_rng(9), repeats))
        bounds = score_interval(raw, randomizer, population.n, 0.95, among=16, rule=rule)
        together = bounds.encloses(population.shares[:, None]).all(axis=0).mean()
        assert fewest <= together <= 0.99, (randomizer, together)
        single = score_interval(raw, randomizer, population.n).encloses(population.shares[:, None]).mean(axis=1)
        assert (single >= fewest).all() and not (
            score_interval(raw, randomizer, population.n).encloses(population.shares[:, None]).all(axis=0).mean() > 0.8
        ), "single intervals must not pass for simultaneous ones"


def test_sidak_is_never_wider_than_bonferroni_and_exact_for_independent_estimates() -> None:
    for m in (1, 2, 50, 4096):
        assert quantile(0.95, m, "sidak") <= quantile(0.95, m, "bonferroni") + 1e-12
        inside = stats.norm.cdf(quantile(0.95, m, "sidak")) - stats.norm.cdf(-quantile(0.95, m, "sidak"))
        assert math.isclose(inside**m, 0.95, rel_tol=1e-9)
    assert math.isclose(quantile(0.95), 1.959963984540054, rel_tol=1e-12)


def test_clamping_never_changes_whether_the_truth_is_enclosed() -> None:
    oracle, n = GeneralizedRandomizedResponse(0.5, 10), 100
    estimates = (np.arange(n + 1) / n - oracle.q) / oracle.gap
    bounds = score_interval(estimates, oracle, n)
    for share in (0.0, 0.02, 0.5, 1.0):
        assert np.array_equal(bounds.encloses(share), bounds.encloses(share) & bounds.clamped().encloses(share))
    assert (bounds.clamped().low >= 0).all() and (bounds.clamped().high <= 1).all()


def test_exact_interval_refuses_impossible_counts_and_says_nothing_where_nothing_was_learned() -> None:
    assert exact_interval(3, 10, 0.5, 0.5) == (0.0, 1.0)
    for count, n in ((-1, 10), (11, 10), (0, 0), (5, MOST_USERS + 1)):
        with pytest.raises(ParameterError, match="count must be"):
            exact_interval(count, n, 0.7, 0.3)
    with pytest.raises(ParameterError, match="confidence"):
        exact_interval(1, 10, 0.7, 0.3, confidence=1.0)
    assert exact_interval(3, 10, 0.3, 0.7) == exact_interval(7, 10, 0.7, 0.3)
