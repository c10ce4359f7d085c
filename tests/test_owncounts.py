"""Counts that somebody brings from an audit of their own prove what they can, and hardly ever more than is true."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from ldpcore.broken.central import HalvedNoise
from ldpcore.experiments.verify import owncounts
from ldpcore.experiments.verify.owncounts import CountsError, OwnAudit, read_counts
from ldpcore.questions import no_progress, seconds


@pytest.mark.parametrize("text", ["530, 470", "530 470", "530;470", "530|470\n", " 530\t470 "])
def test_counts_are_read_with_any_separator(text: str) -> None:
    assert read_counts(text) == (530, 470)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "counts_none"),
        ("1.5 2", "count_not_whole"),
        ("-3, 4", "count_not_whole"),
        ("1 " * 1001, "counts_many"),
        ("yes no", "count_not_whole"),
    ],
)
def test_what_is_no_count_is_refused(text: str, key: str) -> None:
    with pytest.raises(CountsError) as caught:
        read_counts(text)
    assert caught.value.key == key


@pytest.mark.parametrize(
    ("first", "second", "key"),
    [
        ((1, 2), (1, 2, 3), "outcomes_unpaired"),
        ((5,), (5,), "counts_single"),
        ((0, 0), (1, 2), "counts_empty"),
    ],
)
def test_counts_that_are_no_audit_are_refused(first: tuple[int, ...], second: tuple[int, ...], key: str) -> None:
    with pytest.raises(CountsError) as caught:
        OwnAudit(first, second)
    assert caught.value.key == key


@pytest.mark.parametrize(("p", "q"), [(0.5, 0.5), (0.9, 0.1), (0.3, 0.05), (1.0, 0.5), (0.02, 0.01)])
def test_more_than_is_true_is_proven_less_often_than_the_error_allows(p: float, q: float) -> None:
    """Every pair of counts of 14 and 9 runs, enumerated with its exact probability; at 80 % confidence."""
    level = max(math.log(a) - math.log(b) if b else math.inf for a, b in ((p, q), (q, p), (1 - p, 1 - q)) if a)
    level = max(level, math.log(1 - q) - math.log(1 - p) if p < 1 else 0.0)
    wrong = 0.0
    for one, other in itertools.product(range(15), range(10)):
        chance = stats.binom.pmf(one, 14, p) * stats.binom.pmf(other, 9, q)
        if chance and OwnAudit((one, 14 - one), (other, 9 - other), confidence=0.8).run().level > level * (1 + 1e-12):
            wrong += chance
    assert wrong <= 0.2


def test_half_the_noise_is_caught_by_its_own_counts_and_sound_noise_is_not() -> None:
    """100 000 runs on each input, in the classes of the exact law; a false alarm has probability 1e-9."""
    rng, confidence = np.random.default_rng(5), 1 - 1e-9
    for mechanism, caught in ((HalvedNoise(1.0), True),):
        laws = mechanism.compare(*mechanism.worst()).cut()
        counts = [tuple(rng.multinomial(10**5, law / law.sum()).tolist()) for law in (laws.first, laws.second)]
        result = OwnAudit(*counts, promise=1.0, confidence=confidence).run()
        assert (result.verdict == "caught") == caught
        assert OwnAudit(*counts, promise=2.0, confidence=confidence).run().verdict != "caught"


def test_the_order_of_inputs_and_outcomes_changes_nothing_but_names() -> None:
    one = OwnAudit((3, 90, 7), (60, 30, 10)).run()
    turned = OwnAudit((60, 30, 10), (3, 90, 7)).run()
    moved = OwnAudit((90, 7, 3), (30, 10, 60)).run()
    assert one.level == turned.level == moved.level > 0
    assert one.proof.likelier == 1 - turned.proof.likelier and one.proof.outcome == 0 and moved.proof.outcome == 2


def test_what_is_hidden_is_the_proof_alone() -> None:
    result = OwnAudit((530, 470), (180, 820)).run().masked()
    assert math.isnan(result.level) and result.shares == ((0.53, 0.47), (0.18, 0.82))


COUNTS = st.one_of(st.integers(0, 5), st.integers(0, 10**6), st.sampled_from((0, 10**9)))


@given(st.lists(st.tuples(COUNTS, COUNTS), min_size=2, max_size=200), st.sampled_from((0.5, 0.95, 0.999)))
def test_the_best_proof_is_that_of_all_outcomes_though_few_are_looked_at(
    pairs: list[tuple[int, int]], confidence: float
) -> None:
    first, second = (np.array(counts) for counts in zip(*[*pairs, (1, 1)], strict=True))
    n, m, error = int(first.sum()), int(second.sum()), (1 - confidence) / (8 * len(first))
    levels = owncounts._levels(first, second, n, m, error)
    level, place = owncounts._best(first, second, n, m, error, 0.0, no_progress)
    assert level == max(float(levels.max()), 0.0)
    assert not level or levels[place] == level


def test_an_audit_of_very_many_runs_and_outcomes_is_long_work_that_says_how_far_it_is() -> None:
    usual, large = OwnAudit((530, 470), (180, 820)), OwnAudit((10**15, 7) * 500, (7, 10**15) * 500)
    assert seconds(usual) < 0.05 and seconds(large) > 1
    shares: list[float] = []
    few = OwnAudit(tuple(range(1, 301)), tuple(range(301, 1, -1)))
    assert few.run(shares.append).level > 0 and shares == sorted(shares) and shares[-1] <= 1
