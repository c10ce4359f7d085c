"""Reports that were really collected: exact coverage by enumeration, estimates by hand, and what is refused."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from ldpcore.estimating.adviser import candidates
from ldpcore.experiments.frequencies import RealReports
from ldpcore.mechanisms.base import FrequencyOracle
from ldpcore.mechanisms.grr import GeneralizedRandomizedResponse
from ldpcore.mechanisms.rappor import Rappor
from ldpcore.mechanisms.unary import OptimizedUnaryEncoding, SymmetricUnaryEncoding
from ldpcore.parameters import ParameterError
from ldpcore.people.populations import Population

ORACLES = [each for each in candidates(1.0, 4) if isinstance(each, FrequencyOracle)]


def test_there_are_oracles_of_every_kind() -> None:
    assert {"grr", "sue", "oue", "olh", "blh", "the", "subset", "hadamard"} <= {each.slug for each in ORACLES}


@pytest.mark.parametrize("oracle", ORACLES, ids=[each.slug for each in ORACLES])
def test_counts_of_the_mechanisms_own_reports_give_its_own_estimates(oracle: FrequencyOracle) -> None:
    people = Population.of_categories([60, 25, 10, 5])
    tally = oracle.sample_tally(people, np.random.default_rng(3))
    result = RealReports(oracle, tuple(map(int, tally.counts)), tally.n).run()
    assert np.allclose(result.estimates, oracle.estimate(tally))
    by_hand = (tally.counts / tally.n - oracle.q) / (oracle.p - oracle.q)
    assert np.allclose(result.estimates, by_hand)
    assert (result.bounds.low <= result.bounds.high).all()


def laws(n: int, k: int) -> list[tuple[int, ...]]:
    return [counts for counts in itertools.product(range(n + 1), repeat=k) if sum(counts) == n]


def test_every_share_of_three_answers_is_covered_by_enumeration() -> None:
    """All tables of eight direct answers of three: multinomial in a sample, a convolution of three in a census."""
    oracle, n, confidence = GeneralizedRandomizedResponse(1.0, 3), 8, 0.9
    tables = laws(n, 3)
    matrix = np.full((3, 3), oracle.q) + np.eye(3) * (oracle.p - oracle.q)
    for sampled, shares in itertools.product((False, True), ([0.5, 0.25, 0.25], [1, 0, 0], [0.625, 0.375, 0])):
        if sampled:
            chances = stats.multinomial.pmf(tables, n, np.array(shares) @ matrix)
        else:
            law = {(0, 0, 0): 1.0}
            for value, held in enumerate(np.array(shares) * n):
                for _ in range(int(held)):
                    new: dict[tuple[int, ...], float] = {}
                    for table, chance in law.items():
                        for report in range(3):
                            moved = tuple(count + (place == report) for place, count in enumerate(table))
                            new[moved] = new.get(moved, 0.0) + chance * matrix[value, report]
                    law = new
            chances = np.array([law.get(table, 0.0) for table in tables])
        assert chances.sum() == pytest.approx(1)
        for together in (False, True):
            inside = np.array(
                [
                    RealReports(oracle, table, n, confidence, together, sampled)
                    .run()
                    .bounds.clamped()
                    .encloses(np.clip(shares, 1e-12, 1 - 1e-12))
                    for table in tables
                ]
            )
            if together:
                assert chances[inside.all(axis=1)].sum() >= confidence - 1e-12
            else:
                assert ((chances[:, None] * inside).sum(axis=0) >= confidence - 1e-12).all()


def test_those_who_did_not_report_may_hold_any_answer() -> None:
    oracle = GeneralizedRandomizedResponse(2.0, 3)
    told = RealReports(oracle, (50, 30, 20), 100).run()
    silent = RealReports(oracle, (50, 30, 20), 100, silent=100).run()
    low, high = told.bounds.clamped().low, told.bounds.clamped().high
    assert np.allclose(silent.worst.low, low / 2) and np.allclose(silent.worst.high, high / 2 + 0.5)
    sampled = RealReports(oracle, (50, 30, 20), 100, sampled=True, silent=100).run()
    assert (sampled.worst.low <= silent.worst.low).all() and (sampled.worst.high >= silent.worst.high).all()


def test_counts_that_the_mechanism_hardly_ever_makes_are_not_believed() -> None:
    unary = OptimizedUnaryEncoding(1.0, 3)
    assert RealReports(unary, (100, 300, 280), 1000).run().reading == "far"
    assert RealReports(unary, (330, 290, 270), 1000).run().reading == ""
    few = RealReports(SymmetricUnaryEncoding(0.01, 3), (1, 0, 1), 1).run()
    assert few.reading == "nothing" and not math.isnan(few.spread)


def test_a_true_collection_is_hardly_ever_called_impossible() -> None:
    """The chance of "far" where nobody holds two of three answers, from the exact laws of independent bits."""
    oracle, n = OptimizedUnaryEncoding(1.0, 3), 60
    few = stats.binom.cdf(range(n + 1), n, oracle.q)
    one = stats.binom.pmf(range(n + 1), n, oracle.q)[few * 3 < 0.001].sum()
    assert 2 * one < 0.001


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ((GeneralizedRandomizedResponse(1.0, 3), (5, 5, 5), 16), "reports_unlike"),
        ((OptimizedUnaryEncoding(1.0, 3), (5, 50, 5), 16), "reports_fewer"),
        ((Rappor.usual(1.0, 3), (5, 5, 5), 15), "reports_uncounted"),
        ((OptimizedUnaryEncoding(1.0, 3), (5, 5), 16), "population_categories"),
    ],
)
def test_tables_that_the_mechanism_cannot_make_are_refused(given: tuple[object, ...], key: str) -> None:
    with pytest.raises(ParameterError) as refused:
        RealReports(*given)  # type: ignore[arg-type]
    assert refused.value.key == key
