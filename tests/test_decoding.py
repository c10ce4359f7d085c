"""Bloom bits are decoded without bias or without negative shares, and what they cannot tell apart is named."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import optimize, stats

from ldpcore.experiments.frequencies.decoding import Decoding
from ldpcore.mechanisms.rappor import Rappor
from ldpcore.people.populations import Population
from tests.rationing import ALL

COLLECTIONS = 300 if ALL else 150
TOWN = Population.zipf(40, 10**6)


def test_the_non_negative_fit_is_that_of_another_solver_on_the_same_bits() -> None:
    rappor = Rappor.usual(3.0, 40, m=64, cohorts=8)
    tally = rappor.sample_tally(TOWN, np.random.default_rng(3))
    stacked = np.concatenate(list(rappor.design.bits.swapaxes(1, 2))).astype(float)
    fitted, _ = optimize.nnls(stacked, rappor.shares_of_bits(tally))
    assert np.allclose(rappor.decode(tally), fitted, atol=1e-8)


def test_a_collection_is_decoded_in_both_ways_and_repeats_itself() -> None:
    question = Decoding(Rappor.usual(1.0, 40), TOWN)
    result, again = question.run(), question.run()
    assert np.array_equal(result.raw, again.raw) and np.array_equal(result.recovered, again.recovered)
    assert (result.decoded >= 0).all() and result.raw.min() < 0 and not result.undetermined.any()
    deviation = np.sqrt(question.randomizer.variance(TOWN))
    assert (np.abs(result.raw - result.truth) < stats.norm.isf(1e-9 / 80) * deviation).all()  # rate 1e-10, normal
    raw, decoded = result.errors()
    assert math.isclose(raw, ((result.raw - result.truth) ** 2).mean()) and decoded < raw
    assert result.recovered[0] and set(result.missed) | set(np.flatnonzero(result.recovered)) == set(range(40))
    assert len(result.invented) == 0  # everybody's word is held by somebody


def test_words_that_share_all_their_bits_are_named_and_only_their_total_is_known() -> None:
    rappor = Rappor.usual(6.0, 40, m=8, hashes=1, cohorts=1)
    result = Decoding(rappor, TOWN).run()
    assert result.collisions == rappor.collisions() and len(result.collisions) > 0
    for group, (truth, decoded) in zip(result.collisions, result.totals, strict=True):
        assert len(group) > 1 and result.undetermined[list(group)].all()
        assert len(set(result.decoded[list(group)])) == 1
        assert decoded == pytest.approx(truth, abs=0.02)


def test_no_absent_word_is_found_more_often_than_the_confidence_allows() -> None:
    """Words that nobody holds, over so many collections: any is found in at most 5 % of them (binomial, rate 1e-9)."""
    population = Population.of_categories([60_000, 30_000, 10_000] + [0] * 37)
    rappor = Rappor.usual(4.0, 40, m=64, cohorts=8)
    runs = [Decoding(rappor, population, seed=seed).run() for seed in range(COLLECTIONS)]
    assert sum(len(run.invented) > 0 for run in runs) <= stats.binom.isf(1e-9, COLLECTIONS, 0.05)
    assert all(run.recovered[0] for run in runs)


def test_intervals_around_words_hold_alone_or_all_at_once() -> None:
    """At a coverage of 0.94 fewer than `fewest` collections would hold with probability 1e-9 (binomial)."""
    rappor, fewest = Rappor.usual(4.0, 40, m=64, cohorts=8), stats.binom.isf(1 - 1e-9, COLLECTIONS, 0.94)
    runs = [Decoding(rappor, TOWN, seed=seed).run() for seed in range(COLLECTIONS)]
    for rule in ("sidak", "bonferroni"):
        together = sum(run.bounds(True, rule).encloses(run.truth).all() for run in runs)  # type: ignore[arg-type]
        assert together >= fewest, rule
    assert (sum(run.bounds().encloses(run.truth).astype(int) for run in runs) >= fewest).all()
