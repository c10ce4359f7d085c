"""Local hashing: all hash functions at small k; the published values; our hash against the ideal one."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from ldpcore.mechanisms.base import LocalRandomizer
from ldpcore.mechanisms.hashing import REPORT, BinaryLocalHashing, LocalHashing, OptimizedLocalHashing
from ldpcore.mechanisms.unary import OptimizedUnaryEncoding
from ldpcore.numerics.hashes import codes, scramble
from ldpcore.people.populations import Population
from tests.rationing import ALL, crossed
from tests.statistics import accept_counts
from tests.test_unary import fits, law_of_count

BOTH = (BinaryLocalHashing, OptimizedLocalHashing)


def all_reports(oracle: LocalHashing) -> tuple[np.ndarray, np.ndarray]:
    """Every hash function with every cell: the chance of each report for each value, and the values it supports."""
    tables = np.array(list(itertools.product(range(oracle.g), repeat=oracle.k)))
    tables, cells = np.repeat(tables, oracle.g, axis=0), np.tile(np.arange(oracle.g), len(tables))
    supports = tables == cells[:, None]
    weight = math.exp(oracle.epsilon)
    answer = np.where(supports, weight, 1.0) / (weight + oracle.g - 1)
    return answer.T / float(oracle.g) ** oracle.k, supports


@pytest.mark.parametrize(("k", "epsilons"), [(2, (0.1, 1.0, math.log(3), 2.5)), (3, (0.1, 1.0, 2.5)), (5, (0.3, 1.0))])
@pytest.mark.parametrize("cls", BOTH)
def test_over_all_hash_functions_a_report_is_its_set_of_values(
    cls: type[LocalHashing], k: int, epsilons: tuple[float, ...]
) -> None:
    for epsilon in epsilons:
        oracle = cls(epsilon, k)
        matrix, supports = all_reports(oracle)
        assert matrix.shape[1] == oracle.g ** (k + 1)
        assert np.allclose(matrix.sum(axis=1), 1, rtol=0, atol=1e-12)
        highest, lowest = matrix.max(axis=0), matrix.min(axis=0)
        assert math.isclose(np.log(highest / lowest).max(), epsilon, rel_tol=1e-11)
        assert math.isclose(highest.sum() / k, oracle.best_guess(), rel_tol=1e-11)
        # Merged by the set it supports, the enumeration is the short channel: nothing else in a report betrays.
        channel, place = oracle.channel(), 1 << np.arange(k)
        for value in range(k):
            merged = np.bincount(supports @ place, weights=matrix[value], minlength=1 << k)
            assert np.allclose(merged[channel.supports @ place], channel.matrix[value], rtol=1e-11, atol=0)
        for report, support in zip(channel.reports, channel.supports, strict=True):
            assert np.array_equal(oracle.support(report), support)


@pytest.mark.parametrize("table", [(0, 0, 0), (0, 1, 1), (0, 1, 2), (2, 3, 2)])
def test_the_level_holds_for_every_single_hash_function(table: tuple[int, ...]) -> None:
    oracle = OptimizedLocalHashing(1.0, 3)
    answers = [[oracle.log_density((table, cell), value) for cell in range(oracle.g)] for value in range(3)]
    losses = [abs(a - b) for one, other in itertools.combinations(answers, 2) for a, b in zip(one, other, strict=True)]
    assert max(losses) <= 1 + 1e-12 and (max(losses) > 1 - 1e-12 or len(set(table)) == 1)


def test_values_at_level_one() -> None:
    binary, optimized = (cls(1.0, 10) for cls in BOTH)
    assert optimized.g == 4 and binary.g == 2
    assert round(float(binary.variance_of_shares(0, 1)), 4) == 4.6827
    assert round(float(binary.variance_of_shares(1, 1)), 4) == round(4.6827 - 1, 4)
    assert round(float(optimized.variance_of_shares(0, 1)), 4) == 3.6917
    assert (round(optimized.p, 6), optimized.q) == (0.475367, 0.25)
    assert math.isclose(binary.p, math.e / (math.e + 1)) and binary.q == 0.5
    assert optimized.bits() == 66 and binary.bits() == 65


def test_binary_hashing_errs_alike_for_every_share_but_for_the_share_itself() -> None:
    # Given the values, ((e+1)/(e-1))² falls by f, because an own value is never supported by chance.
    for epsilon in (1e-6, 0.1, 1.0, 4.0):
        oracle, worst = BinaryLocalHashing(epsilon, 4), 1 / math.tanh(epsilon / 2) ** 2
        for f in (0.0, 0.3, 1.0):
            assert math.isclose(float(oracle.variance_of_shares(f, 1)), worst - f, rel_tol=1e-9)


def test_optimized_hashing_approaches_optimized_unary_encoding() -> None:
    ratios = []
    for epsilon in (math.log(2), math.log(3), math.log(20), math.log(5000)):
        olh, oue = (
            float(cls(epsilon, 9).variance_of_shares(0, 1)) for cls in (OptimizedLocalHashing, OptimizedUnaryEncoding)
        )
        ratios.append(olh / oue)
    assert np.allclose(ratios, 1, rtol=1e-9), "where e^ε is whole, g = e^ε + 1 is the best number of cells itself"
    assert OptimizedLocalHashing(0.1, 4).g == 2 and OptimizedLocalHashing(50.0, 4).g == 65536


def test_the_scrambler_is_the_published_one_and_loses_nothing() -> None:
    assert scramble(np.array([0, 1], dtype=np.uint64)).tolist() == [0, 0xB456BCFC34C2CB2C]
    assert len(np.unique(codes(65536))) == 65536
    flips = []
    for bit in range(64):
        words = np.random.default_rng(bit).integers(0, 2**63, 500, dtype=np.uint64)
        changed = scramble(words.copy()) ^ scramble(words ^ np.uint64(1 << bit))
        flips.append(float(np.bitwise_count(changed).mean()))
    assert 31 < min(flips) and max(flips) < 33, "every bit changes half of all bits"


def cells_of(seeds: np.ndarray, values: list[int], g: int) -> np.ndarray:
    """The cells of these values under our hash, one column per seed."""
    hashes = scramble(np.bitwise_xor.outer(codes(1024)[values], seeds))
    return (hashes // np.uint64(2**64 // g)).clip(max=g - 1).astype(np.int64)


def linear_cells(seeds: np.ndarray, values: list[int], g: int) -> np.ndarray:
    """A poor hash whose cells are uniform for each value, but not together: (seed + value) mod g."""
    return (seeds[None, :] % np.uint64(g) + np.array(values, dtype=np.uint64)[:, None]).astype(np.int64) % g


@pytest.mark.parametrize(
    ("values", "g"), crossed([[0], [0, 1], [6, 7], [0, 512], [1, 2, 3], [0, 4, 8], [5, 300, 1023]], [2, 4, 13])
)
def test_cells_of_one_two_and_three_values_are_uniform_together(values: list[int], g: int) -> None:
    # Rate 1e-9 each; a linear hash must fail wherever there is more than one value.
    seeds = np.random.default_rng(3).integers(0, 2**64 - 1, 400_000, dtype=np.uint64, endpoint=True)
    place = g ** np.arange(len(values))
    law = np.full(g ** len(values), float(g) ** -len(values))
    for hashing in (cells_of, linear_cells):
        together = np.bincount(place @ hashing(seeds, values, g), minlength=len(law))
        assert accept_counts(together, law) is (hashing is cells_of or len(values) == 1)


@pytest.mark.parametrize("cls", BOTH)
def test_user_by_user_with_our_hash_has_the_law_of_the_ideal_one(cls: type[LocalHashing]) -> None:
    # One count, and the sum of all counts, in which dependence between values would show. Rate 1e-9 each.
    oracle, population = cls(1.5, 12), Population.of_categories([60, 25, 10, 5] + [0] * 8)
    rng = np.random.default_rng(21)
    one, total = law_of_count(oracle, 60, 40), law_of_count(oracle, 100, 1100)
    for tally in (
        oracle.sample_tally(population, rng, 20_000),
        LocalRandomizer.sample_tally(oracle, population, rng, 3000 if ALL else 1500),
    ):
        assert fits(tally.counts[0], one) and fits(tally.counts.sum(axis=0), total)


def test_a_hash_whose_cells_hang_together_is_rejected() -> None:
    oracle, rng = OptimizedLocalHashing(1.5, 12), np.random.default_rng(22)
    values, total = np.repeat(np.arange(4), [60, 25, 10, 5]), law_of_count(oracle, 100, 1100)
    sums = []
    for _ in range(3000):
        cells = linear_cells(rng.integers(0, 2**63, 100, dtype=np.uint64), list(range(12)), oracle.g)
        own = cells[values, np.arange(100)]
        lies = rng.random(100) < oracle.g / (math.exp(1.5) + oracle.g - 1)
        answers = np.where(lies, rng.integers(oracle.g, size=100), own)
        sums.append(int((cells == answers).sum()))
    assert not fits(np.array(sums), total), "the control must fail"


@pytest.mark.parametrize("k", [2, 33, 700])
@pytest.mark.parametrize("epsilon", [0.2, 2.0, 8.0, 50.0])
def test_the_collector_counts_what_the_reports_support(epsilon: float, k: int) -> None:
    oracle = OptimizedLocalHashing(epsilon, k)
    values = np.random.default_rng(k).integers(k, size=1500)
    reports = oracle.privatize(values, np.random.default_rng(5))
    supported = oracle.supports(reports)
    assert reports.dtype == REPORT and reports["cell"].max() < oracle.g
    assert np.array_equal(oracle.tally(reports).counts, supported.sum(axis=0))
    assert np.array_equal(oracle.support(reports[7]), supported[7])
    if epsilon == 50.0:  # a lie has probability below 1e-16: client and collector hash alike
        assert supported[np.arange(1500), values].all()


def test_blocks_of_reports_and_values_leave_nothing_out() -> None:
    oracle = BinaryLocalHashing(1.0, 5)
    reports = oracle.privatize(np.zeros(70_001, dtype=int), np.random.default_rng(2))
    assert np.array_equal(oracle.tally(reports).counts, oracle.supports(reports).sum(axis=0))
