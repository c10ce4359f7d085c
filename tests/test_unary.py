"""Unary encodings: every bit tossed once; the published values; the aggregate against the route user by user."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import optimize, stats

from ldpcore.mechanisms.base import FrequencyOracle, LocalRandomizer
from ldpcore.mechanisms.unary import OptimizedUnaryEncoding, SymmetricUnaryEncoding, UnaryEncoding, count_columns
from ldpcore.numerics.tosses import toss
from ldpcore.people.populations import Population
from tests.cases import for_each
from tests.statistics import accept_counts

LEVELS = (0.1, 1.0, math.log(3), 4.0)
BOTH = (SymmetricUnaryEncoding, OptimizedUnaryEncoding)


def binned(observed: np.ndarray, law: np.ndarray, cells: int = 24) -> tuple[np.ndarray, np.ndarray]:
    """Counts of outcomes 0 … and their law, both gathered in cells of about equal probability."""
    cell = np.minimum((np.cumsum(law) * cells).astype(int), cells - 1)
    return np.bincount(cell[observed], minlength=cells), np.bincount(cell, weights=law, minlength=cells)


def law_of_count(oracle: FrequencyOracle, own: int, others: int) -> np.ndarray:
    """The exact law of Bin(own, p) + Bin(others, q), by convolution."""
    return np.convolve(
        stats.binom.pmf(np.arange(own + 1), own, oracle.p), stats.binom.pmf(np.arange(others + 1), others, oracle.q)
    )


def fits(observed: np.ndarray, law: np.ndarray) -> bool:
    return accept_counts(*binned(observed, law))


@for_each("k", [2, 3, 5])
@for_each("epsilon", LEVELS)
@for_each("cls", BOTH)
def test_the_channel_is_the_product_of_its_bits(cls: type[UnaryEncoding], epsilon: float, k: int) -> None:
    oracle = cls(epsilon, k)
    channel = oracle.channel()
    for value, (column, bits) in itertools.product(range(k), enumerate(channel.supports)):
        chances = np.where(np.arange(k) == value, oracle.p, oracle.q)
        expected = math.prod(chance if bit else 1 - chance for bit, chance in zip(bits, chances, strict=True))
        assert math.isclose(channel.matrix[value, column], expected, rel_tol=1e-12)
        assert np.array_equal(oracle.support(channel.reports[column]), bits)
    assert math.isclose(channel.loss(), epsilon, rel_tol=1e-12)


def test_values_at_level_one() -> None:
    symmetric, optimized = (cls(1.0, 10) for cls in BOTH)
    assert round(float(symmetric.variance_of_shares(0, 1)), 4) == 3.9177
    assert round(float(optimized.variance_of_shares(0, 1)), 4) == 3.6827
    assert (round(symmetric.p, 6), round(symmetric.q, 6)) == (0.622459, 0.377541)
    assert (round(optimized.p, 6), round(optimized.q, 6)) == (0.5, 0.268941)


def test_count_variances_of_ten_thousand_people() -> None:
    n = 10_000
    for epsilon, symmetric, optimized in ((0.5, 159169, 156708), (1, 39177, 36827), (2, 9207, 7241), (4, 1810, 760)):
        assert round(n**2 * float(SymmetricUnaryEncoding(epsilon, 4).variance_of_shares(0.3, n))) == symmetric
        assert round(n**2 * float(OptimizedUnaryEncoding(epsilon, 4).variance_of_shares(0, n))) == optimized
    assert round(n**2 * float(OptimizedUnaryEncoding(4.0, 4).variance_of_shares(0.1, n))) == 1760


@pytest.mark.parametrize("epsilon", [1e-6, 0.1, 1.0, 4.0, 50.0])
def test_variances_equal_their_closed_forms_at_both_ends(epsilon: float) -> None:
    half, whole = math.expm1(epsilon / 2), math.expm1(epsilon)
    for f in (0.0, 0.25, 1.0):
        symmetric = float(SymmetricUnaryEncoding(epsilon, 4).variance_of_shares(f, 1))
        optimized = float(OptimizedUnaryEncoding(epsilon, 4).variance_of_shares(f, 1))
        assert math.isclose(symmetric, math.exp(epsilon / 2) / half**2, rel_tol=1e-12)
        assert math.isclose(optimized, 4 * math.exp(epsilon) / whole**2 + f, rel_tol=1e-12)


@pytest.mark.parametrize("epsilon", LEVELS)
def test_rappor_asked_once_without_bloom_bits_is_the_symmetric_encoding(epsilon: float) -> None:
    f = 2 / (1 + math.exp(epsilon / 2))
    oracle = SymmetricUnaryEncoding(epsilon, 6)
    # RAPPOR replaces a bit by 1 with f/2, by 0 with f/2, and keeps it otherwise.
    assert math.isclose(oracle.p, f / 2 + (1 - f), rel_tol=1e-14) and math.isclose(oracle.q, f / 2, rel_tol=1e-14)
    assert math.isclose(2 * math.log((1 - f / 2) / (f / 2)), oracle.guarantee().epsilon, rel_tol=1e-12)


@pytest.mark.parametrize("epsilon", LEVELS)
def test_no_unary_encoding_of_its_level_is_better_for_rare_values(epsilon: float) -> None:
    def variance(a: float) -> float:
        p, q = 1 / (1 + math.exp(-a)), 1 / (1 + math.exp(epsilon - a))
        return q * (1 - q) / (p - q) ** 2

    best = optimize.minimize_scalar(variance, bounds=(-epsilon, epsilon), method="bounded", options={"xatol": 1e-9})
    assert math.isclose(best.fun, float(OptimizedUnaryEncoding(epsilon, 3).variance_of_shares(0, 1)), rel_tol=1e-9)
    assert abs(best.x) < 1e-3


def noised_twice(oracle: UnaryEncoding) -> np.ndarray:
    """P(own bit is 1), P(other bit is 1) where the own bit keeps its noise bit and is then tossed again."""
    return np.array([oracle.p + (1 - oracle.p) * oracle.q, oracle.q])


def test_a_bit_that_keeps_its_noise_and_is_tossed_again_breaks_the_level() -> None:
    p, q = noised_twice(OptimizedUnaryEncoding(1.0, 5))
    assert math.isclose(p, 0.5 + OptimizedUnaryEncoding(1.0, 5).q / 2)
    real = math.log(p * (1 - q) / (q * (1 - p)))
    assert math.isclose(real, math.log(math.e + 2), rel_tol=1e-12) and round(real, 4) == 1.5514


@pytest.mark.parametrize("cls", BOTH)
def test_every_bit_is_tossed_once_from_its_original_value(cls: type[UnaryEncoding]) -> None:
    # Rate 1e-9 for each bit; 100 000 reports of value 3.
    oracle, n = cls(1.0, 11), 100_000
    reports = oracle.privatize(np.full(n, 3), np.random.default_rng(7))
    ones = oracle.tally(reports).counts
    assert reports.shape == (n, 2) and reports.dtype == np.uint8
    for value, count in enumerate(ones):
        chance = oracle.p if value == 3 else oracle.q
        assert accept_counts([count, n - count], [chance, 1 - chance])
    wrong = noised_twice(oracle)[0]
    assert not accept_counts([ones[3], n - ones[3]], [wrong, 1 - wrong]), "the control must fail"


@pytest.mark.parametrize("cls", BOTH)
def test_both_routes_have_the_exact_law_of_a_count_and_a_blind_binomial_has_not(cls: type[UnaryEncoding]) -> None:
    # Rate 1e-9 each. n = 400, of whom 300 hold value 0; the control forgets that the people are fixed.
    oracle, population = cls(3.0, 9), Population.of_categories([300, 60, 40, 0, 0, 0, 0, 0, 0])
    law = law_of_count(oracle, 300, 100)
    rng = np.random.default_rng(11)
    assert fits(oracle.sample_tally(population, rng, 20_000).counts[0], law)
    assert fits(LocalRandomizer.sample_tally(oracle, population, rng, 3000).counts[0], law)
    blind = rng.binomial(400, 0.75 * oracle.p + 0.25 * oracle.q, 20_000)
    assert not fits(blind, law), "the control must fail"


@pytest.mark.parametrize("cls", BOTH)
def test_values_are_supported_independently_and_a_shared_draw_is_rejected(cls: type[UnaryEncoding]) -> None:
    # Independent counts add up to Bin(n, p) + Bin(n(k-1), q). Rate 1e-9 each.
    oracle, population = cls(1.0, 8), Population.of_categories([30, 10, 5, 5, 0, 0, 0, 0])
    law = law_of_count(oracle, 50, 50 * 7)
    rng = np.random.default_rng(12)
    assert fits(oracle.sample_tally(population, rng, 20_000).counts.sum(axis=0), law)
    assert fits(LocalRandomizer.sample_tally(oracle, population, rng, 3000).counts.sum(axis=0), law)
    marginals = [law_of_count(oracle, int(own), 50 - int(own)).cumsum() for own in population.counts]
    shared = rng.random(20_000)
    comonotone = sum(np.searchsorted(marginal, shared).clip(max=50) for marginal in marginals)
    assert not fits(np.asarray(comonotone), law), "the control must fail"


@pytest.mark.parametrize(("n", "k"), [(1, 2), (254, 7), (255, 8), (256, 9), (1021, 65), (3, 1024)])
def test_packed_bits_are_counted_column_by_column(n: int, k: int) -> None:
    bits = np.random.default_rng(n).random((n, k)) < 0.9
    assert np.array_equal(count_columns(np.packbits(bits, axis=1), k), bits.sum(axis=0))


def test_reports_of_a_chunk_stay_below_sixteen_megabytes() -> None:
    for k in (2, 1024, 65536):
        oracle = OptimizedUnaryEncoding(1.0, k)
        assert oracle.users_at_once() * k <= 16 * 2**20 * 8
        assert oracle.users_at_once() == min(1 << 17, (1 << 27) // k)


class Bytes:
    """A stand-in for a generator: each draw returns the bytes prepared for it."""

    def __init__(self, *draws: np.ndarray) -> None:
        self.draws = iter(draws)

    def integers(self, low: int, high: int, size: int, dtype: type, endpoint: bool) -> np.ndarray:
        drawn = np.asarray(next(self.draws), dtype=np.uint8)
        return np.concatenate([drawn, np.zeros(8 * size - len(drawn), dtype=np.uint8)]).view(dtype)


@pytest.mark.parametrize("numerator", [0, 1, 255, 256, 257, 32768, 40000, 65535, 65536])
def test_coins_are_exact_over_all_fractions_of_two_bytes(numerator: int) -> None:
    heads = sum(
        int(toss(numerator / 65536, 256, Bytes(np.arange(256), np.array([second]))).sum())  # type: ignore[arg-type]
        for second in range(256)
    )
    assert heads == numerator


def test_coins_of_tiny_and_sure_probability_are_met() -> None:
    rng = np.random.default_rng(1)
    assert not toss(math.exp(-50), 10**6, rng).any() and not toss(0.0, 100, rng).any()
    assert toss(1.0, 10**4, rng).all() and toss(0.5, 0, rng).shape == (0,)
    for probability in (1e-3, 0.3, 1 - 1e-3):  # rate 1e-10 each
        heads = int(toss(probability, 10**6, rng).sum())
        assert accept_counts([heads, 10**6 - heads], [probability, 1 - probability])
