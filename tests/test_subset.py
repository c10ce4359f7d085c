"""Subset selection: the printed numbers, its twin for ω = 1, and the tree against every enumeration."""

from __future__ import annotations

import math
import tracemalloc

import numpy as np
import pytest

import ldpcore
from ldpcore.estimating.adviser import comparable
from ldpcore.laws.channels import column_extremes
from ldpcore.mechanisms.grr import GeneralizedRandomizedResponse
from ldpcore.mechanisms.randomsubsets import Halving, random_subsets
from ldpcore.mechanisms.subset import SubsetSelection
from ldpcore.parameters import ParameterError
from ldpcore.people.populations import Population
from tests.conformance import follows_joint_law, joint_law, two_routes
from tests.rationing import at_night, shared
from tests.statistics import accept_counts, accept_normal, accept_spread, accept_variance


def test_the_printed_numbers_at_k_10() -> None:
    oracle = SubsetSelection(1.0, 10)
    assert oracle.omega == 3
    assert oracle.p == pytest.approx(0.538102, abs=5e-7) and oracle.q == pytest.approx(0.273544, abs=5e-7)
    assert oracle.variance_of_shares(0.0, 1) == pytest.approx(2.8392, abs=5e-5)
    assert oracle.bits() == pytest.approx(math.log2(math.comb(10, 3)), rel=1e-12)
    e = math.e
    assert oracle.q == pytest.approx((3 * e * 2 + 7 * 3) / (9 * (3 * e + 7)), rel=1e-14)
    assert oracle.forced == pytest.approx((oracle.p - 0.3) / 0.7, rel=1e-14)


def test_subsets_of_one_value_are_generalized_randomized_response() -> None:
    for epsilon, k in ((0.3, 2), (1.0, 5), (3.0, 40)):
        subset, direct = SubsetSelection(epsilon, k, 1), GeneralizedRandomizedResponse(epsilon, k)
        for name in ("p", "q", "gap"):
            assert getattr(subset, name) == pytest.approx(getattr(direct, name), rel=1e-13)
        assert subset.channel().matrix == pytest.approx(direct.channel().matrix, rel=1e-12)
        assert subset.best_guess() == pytest.approx(direct.best_guess()) and subset.bits() == pytest.approx(
            math.log2(k)
        )
        population = Population.zipf(k, 1000)
        assert subset.variance(population) == pytest.approx(direct.variance(population), rel=1e-12)


def test_the_default_size_is_the_best_size_or_next_to_it() -> None:
    for epsilon in (0.2, 1.0, 2.5):
        for k in (4, 10, 37, 200):
            variances = [float(SubsetSelection(epsilon, k, size).variance_of_shares(0.0, 1)) for size in range(1, k)]
            chosen = SubsetSelection(epsilon, k)
            assert abs(chosen.omega - 1 - int(np.argmin(variances))) <= 1
            assert chosen.variance_of_shares(0.0, 1) <= min(variances) * 1.05
    assert SubsetSelection(1.0, 10) == SubsetSelection(1.0, 10, 3) and SubsetSelection(50.0, 10).omega == 1


def test_no_mechanism_has_a_smaller_mean_error_over_all_values() -> None:
    # Of an affine variance the mean over all values is its value at 1/k. Rare values are another matter.
    rare = []
    for epsilon in np.geomspace(0.05, 10, 60).tolist():
        for k in (2, 3, 4, 5, 7, 10, 20, 50, 100, 1000):
            chosen = SubsetSelection(epsilon, k)
            sizes = [SubsetSelection(epsilon, k, size) for size in range(1, min(k, chosen.omega + 3))]
            best = min(float(oracle.variance_of_shares(1 / k, 1)) for oracle in sizes[-5:])
            assert chosen.variance_of_shares(1 / k, 1) <= 1.03 * best, (epsilon, k)
            for other in comparable(epsilon, k):
                assert chosen.variance_of_shares(1 / k, 1) <= other.variance_of_shares(1 / k, 1) * (1 + 1e-9), other
            alone = SubsetSelection(epsilon, k, 1).variance_of_shares(0, 1)
            rare.append(float(chosen.variance_of_shares(0, 1) / alone))
    assert 1.1 < max(rare) < 7 / 6


def test_a_subset_must_leave_something_out() -> None:
    with pytest.raises(ParameterError, match="omega must be less than k = 5; got 5"):
        SubsetSelection(1.0, 5, 5)


def test_full_enumeration_gives_the_level_at_small_k() -> None:
    for k, omega in ((2, 1), (3, 1), (3, 2), (5, 2), (5, 4), (7, 3)):
        channel = SubsetSelection(1.3, k, omega).channel()
        assert channel.matrix.shape == (k, math.comb(k, omega))
        assert {round(column_extremes(column)[0], 12) for column in channel.matrix.T} == {1.3}


BLOCKS = [
    (3, [1, 0, 2, 0]),
    (2, [2, 0, 1, 0]),
    (2, [1, 0, 0, 0, 2]),
    (3, [0, 1, 0, 1, 1, 0]),
    (4, [2, 0, 0, 0, 0, 0, 1]),
]


@pytest.mark.parametrize(
    ("omega", "counts"),
    shared(BLOCKS, 2),
)
def test_tally_has_its_joint_law_where_blocks_are_uneven(omega: int, counts: list[int]) -> None:
    k = len(counts)
    oracle, population = SubsetSelection(1.0, k, omega), Population.of_categories(counts)
    law, rng = joint_law(oracle, population), np.random.default_rng(k)
    assert follows_joint_law(oracle.sample_tally(population, rng, 20_000).counts, law)
    own, others = population.counts[:, None], population.n - population.counts[:, None]
    independent = rng.binomial(own, oracle.p, (k, 20_000)) + rng.binomial(others, oracle.q, (k, 20_000))
    assert not follows_joint_law(independent, law), "independent binomials have the right margins only"


def test_one_persons_subset_is_uniform_among_those_allowed() -> None:
    rng, codes = np.random.default_rng(1), 1 << np.arange(6)
    for size, own in ((1, -1), (3, -1), (5, -1), (3, 2), (5, 0)):
        marks = random_subsets(6, size, np.full(40_000, own), rng)
        assert (marks.sum(axis=1) == size).all()
        allowed = [code for code in range(64) if code.bit_count() == size and (own < 0 or code >> own & 1)]
        law = np.zeros(64)
        law[allowed] = 1 / len(allowed)
        assert accept_counts(np.bincount(marks @ codes, minlength=64), law)


def pair_chances(oracle: SubsetSelection, value: int) -> np.ndarray:
    """P(i and j are both reported | value), from the two-part recipe and not from p and q."""
    k, omega, forced = oracle.k, oracle.omega, oracle.forced
    both = np.full((k, k), omega * (omega - 1) / (k * (k - 1)))
    np.fill_diagonal(both, omega / k)
    certain = np.full((k, k), (omega - 1) * (omega - 2) / ((k - 1) * (k - 2)))
    np.fill_diagonal(certain, (omega - 1) / (k - 1))
    certain[value], certain[:, value] = (omega - 1) / (k - 1), (omega - 1) / (k - 1)
    certain[value, value] = 1
    return forced * certain + (1 - forced) * both


@at_night
def test_both_routes_agree_in_every_direction_at_moderate_n() -> None:
    """Weighted sums of the tally: mean and variance of both routes against exact covariances (rate 1e-10 each).

    By day the joint law of a few people is compared, here and in `conformance.py`.
    """
    oracle, population = SubsetSelection(1.0, 40), Population.zipf(40, 3000)
    both = [pair_chances(oracle, value) for value in range(40)]
    means = np.array([np.diag(chances) for chances in both])
    assert np.diag(means) == pytest.approx(np.full(40, oracle.p), rel=1e-12)
    covariance = sum(
        count * (chances - np.outer(mean, mean))
        for count, chances, mean in zip(population.counts, both, means, strict=True)
    )
    rng = np.random.default_rng(2)
    sampled, by_users, margins = two_routes(oracle, population, rng)
    assert (sampled.sum(axis=0) == 3000 * oracle.omega).all() and (by_users.sum(axis=0) == 3000 * oracle.omega).all()
    assert not (margins.sum(axis=0) == 3000 * oracle.omega).all()
    rejected = 0
    for weights in (np.arange(40) % 2, np.arange(40) < 5, *rng.normal(size=(4, 40))):
        mean, variance = population.counts @ means @ weights, weights @ covariance @ weights
        assert all(accept_spread(weights @ tallies - mean, variance) for tallies in (sampled, by_users))
        rejected += not accept_variance(weights @ margins - mean, variance)
    assert rejected > 0, "independent binomials miss the covariances"


def test_more_people_than_a_hypergeometric_draw_admits_keep_their_law() -> None:
    for n in (10**9, 10**18):
        oracle, population = SubsetSelection(1.0, 300), Population.zipf(300, n)
        tally = oracle.sample_tally(population, np.random.default_rng(3))
        assert sum(tally.counts.tolist()) == n * oracle.omega
        scores = (oracle.estimate(tally) - population.shares) / np.sqrt(oracle.variance(population))
        assert accept_normal(float(np.abs(scores).max()), 0, 1, 1e-9 / 300)


def test_the_tree_conserves_picks_for_any_k_and_size() -> None:
    rng = np.random.default_rng(4)
    for k in (2, 3, 7, 8, 9, 33, 100):
        for size in sorted({1, 2, k // 2, k - 1} - {0, k}):
            own, free = rng.integers(0, 50, size=(k, 3)), rng.integers(0, 200, size=3)
            counts = Halving(k, size, rng).draw(own, free)
            assert (counts >= own).all() and (counts <= own.sum(axis=0) + free).all()
            assert (counts.sum(axis=0) == size * (own.sum(axis=0) + free)).all()


def test_a_million_reports_are_drawn_looked_at_and_counted_in_little_more_memory_than_they_take() -> None:
    design, n = ldpcore.build("subset", 1.0, 50), 10**6
    values = np.random.default_rng(0).integers(50, size=n)
    tracemalloc.start()
    reports = design.privatize(values, np.random.default_rng(1))
    drawn = tracemalloc.get_traced_memory()[1]
    tracemalloc.reset_peak()
    kept = tracemalloc.get_traced_memory()[0]
    tally = design.tally(reports)
    counted = tracemalloc.get_traced_memory()[1] - kept
    tracemalloc.stop()
    assert reports.nbytes == 2 * n * 13 and tally.n == n
    assert drawn < 60e6 and counted < 45e6


@pytest.mark.parametrize("place", [0, 80_659, 80_660, 99_999])
def test_an_impossible_report_is_refused_by_its_place_in_whichever_chunk_it_stands(place: int) -> None:
    design = ldpcore.build("subset", 1.0, 50)
    reports = np.tile(np.arange(13, dtype=np.uint16), (100_000, 1))
    reports[place, 1] = 0
    with pytest.raises(ldpcore.Refusal) as refused:
        design.tally(reports)
    assert refused.value.fields["place"] == place
