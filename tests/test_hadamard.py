"""Hadamard response: the printed numbers, any k, exact decoding, and the butterfly against every enumeration."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import linalg

from ldpcore.mechanisms import hadamard
from ldpcore.mechanisms.butterfly import heads, uniform_on_halves, walsh_hadamard
from ldpcore.mechanisms.hadamard import HadamardResponse
from ldpcore.people.populations import Population
from tests.conformance import follows_joint_law, joint_law, two_routes
from tests.statistics import accept_counts, accept_normal, accept_spread, accept_variance


def test_variance_of_a_rare_value_is_the_printed_one_for_every_k() -> None:
    for k in (2, 10, 1024):
        oracle = HadamardResponse(1.0, k)
        assert oracle.variance_of_shares(0.0, 1) == pytest.approx(((math.e + 1) / (math.e - 1)) ** 2, rel=1e-14)
        assert oracle.variance_of_shares(0.0, 1) == pytest.approx(4.6827, abs=5e-5)


@pytest.mark.parametrize("k", [*range(2, 18), 31, 32, 33, 63, 64, 100])
def test_every_k_works_and_any_other_value_is_supported_exactly_half_of_the_time(k: int) -> None:
    oracle = HadamardResponse(1.0, k)
    assert oracle.size == 2 ** math.ceil(math.log2(k + 1)) and oracle.bits() == math.ceil(math.log2(k + 1))
    supports = oracle.supports(np.arange(oracle.size)).astype(int)
    shared = supports.T @ supports
    assert (np.diag(shared) == oracle.size // 2).all()
    assert (shared[~np.eye(k, dtype=bool)] == oracle.size // 4).all()
    matrix = linalg.hadamard(oracle.size)
    assert np.array_equal(supports.T == 1, matrix[1 : k + 1] == 1)
    assert oracle.channel().matrix.sum(axis=1) == pytest.approx(np.ones(k), abs=1e-12)


def test_fast_transform_is_the_matrix_product() -> None:
    histogram = np.random.default_rng(0).integers(0, 10**6, size=(64, 3))
    assert np.array_equal(walsh_hadamard(histogram), linalg.hadamard(64) @ histogram)
    oracle, reports = HadamardResponse(0.7, 40), np.random.default_rng(1).integers(64, size=500)
    assert np.array_equal(oracle.tally(reports).counts, oracle.supports(reports).sum(axis=0))
    huge = np.zeros(64, dtype=np.int64)
    huge[5] = 10**18
    assert set(oracle.decode(huge).tolist()) == {0, 10**18}, "whole numbers stay exact"


def test_the_butterfly_sends_each_mask_to_its_own_half_uniformly() -> None:
    size, people, rng = 16, 40_000, np.random.default_rng(2)
    for mask in range(1, size):
        masks = np.zeros((size, 1), dtype=np.int64)
        masks[mask] = people
        outputs = uniform_on_halves(masks, rng)[:, 0]
        own = np.array([(mask & y).bit_count() % 2 == 0 for y in range(size)])
        assert outputs.sum() == people and accept_counts(outputs, own / own.sum())


def test_fair_tosses_by_bits_and_by_binomials_have_one_law() -> None:
    rng = np.random.default_rng(3)
    for tosses in (1, 5, 64, 65, 128, 129, 300):
        counts = np.bincount(heads(np.full(40_000, tosses), rng), minlength=tosses + 1)
        law = np.exp(
            [math.lgamma(tosses + 1) - math.lgamma(x + 1) - math.lgamma(tosses - x + 1) for x in range(tosses + 1)]
        )
        assert accept_counts(counts, law / law.sum())


@pytest.mark.parametrize(("k", "counts"), [(4, [2, 0, 1, 0]), (5, [1, 0, 0, 2, 0]), (6, [1, 1, 0, 0, 0, 1])])
def test_tally_has_its_joint_law_beyond_the_smallest_k(k: int, counts: list[int]) -> None:
    oracle, population = HadamardResponse(1.2, k), Population.of_categories(counts)
    law = joint_law(oracle, population)
    assert follows_joint_law(oracle.sample_tally(population, np.random.default_rng(k), 20_000).counts, law)
    rng, others = np.random.default_rng(k), population.n - population.counts[:, None]
    independent = rng.binomial(population.counts[:, None], oracle.p, (k, 20_000)) + rng.binomial(
        others, 0.5, (k, 20_000)
    )
    assert not follows_joint_law(independent, law), "independent binomials have the right margins only"


def test_both_routes_agree_in_every_direction_at_moderate_n() -> None:
    """Weighted sums of the tally: mean and variance of both routes against the channel's covariances (rate 1e-10)."""
    oracle, population = HadamardResponse(1.0, 40), Population.zipf(40, 3000)
    channel, rng = oracle.channel(), np.random.default_rng(4)
    sampled, by_users, margins = two_routes(oracle, population, rng)
    rejected = 0
    for weights in (np.ones(40), *rng.normal(size=(4, 40))):
        score = channel.supports @ weights
        means = channel.matrix @ score
        mean, variance = population.counts @ means, population.counts @ (channel.matrix @ score**2 - means**2)
        assert all(accept_spread(weights @ tallies - mean, variance) for tallies in (sampled, by_users))
        rejected += not accept_variance(weights @ margins - mean, variance)
    assert rejected > 0, "independent binomials miss the covariances"


def test_a_billion_people_keep_their_law() -> None:
    for n in (10**9, 10**18):
        oracle, population = HadamardResponse(1.0, 1000), Population.zipf(1000, n)
        errors = oracle.estimate(oracle.sample_tally(population, np.random.default_rng(5))) - population.shares
        assert accept_normal(float(np.abs(errors / np.sqrt(oracle.variance(population))).max()), 0, 1, 1e-9 / 1000)


def test_repetitions_in_several_chunks_are_independent_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hadamard, "CELLS", 1 << 12)
    oracle, population = HadamardResponse(1.0, 60), Population.uniform(60, 10**6)
    counts = oracle.sample_tally(population, np.random.default_rng(6), 70).counts
    assert counts.shape == (60, 70) and len(np.unique(counts, axis=1).T) == 70
