"""Random numbers of the operating system: NumPy's laws, no seed, no copy, no repetition in a child."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import subprocess
import sys
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import ldpcore
from ldpcore.mechanisms import REGISTRY
from ldpcore.mechanisms.base import CentralRelease
from ldpcore.randomness import SystemBits, placed, secure
from tests.cases import for_each
from tests.library.members import design_of
from tests.statistics import accept_counts, accept_sample

ROOT = Path(__file__).resolve().parent.parent.parent


def test_numbers_have_their_laws() -> None:
    """Exact tails and the Dvoretzky-Kiefer-Wolfowitz band, 1e-10 for each assertion: the bits are fresh each time."""
    rng = secure()
    whole = np.bincount(rng.integers(10, size=20_000), minlength=10)
    assert accept_counts(whole, np.full(10, 0.1))
    assert accept_counts(np.bincount(rng.binomial(3, 0.3, 20_000), minlength=4), stats.binom(3, 0.3).pmf(np.arange(4)))
    for sample, law in (
        (rng.random(20_000), stats.uniform()),
        (np.array([rng.random() for _ in range(5000)]), stats.uniform()),
        (rng.standard_normal(20_000), stats.norm()),
        (rng.laplace(size=20_000), stats.laplace()),
        (rng.standard_exponential(20_000), stats.expon()),
    ):
        ordered = np.sort(sample)
        assert accept_sample(ordered, law.cdf(ordered))
    words = rng.integers(0, 2**64 - 1, 4000, dtype=np.uint64, endpoint=True)
    ones = int(np.bitwise_count(words).sum())
    assert accept_counts(np.array([64 * 4000 - ones, ones]), np.array([0.5, 0.5]))
    fractions = rng.random((50, 40)) * 2.0**53
    assert fractions.shape == (50, 40) and (fractions == np.rint(fractions)).all()


def test_every_word_is_asked_of_the_operating_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the system says nothing but zeros, every uniform number is zero: no other source is mixed in."""
    monkeypatch.setattr(os, "urandom", bytes)
    rng = secure()
    assert not rng.random(100).any() and rng.random() == 0
    assert not rng.integers(0, 2**64 - 1, 100, dtype=np.uint64, endpoint=True).any()
    assert not np.random.Generator(SystemBits()).random(100).any()


def test_it_cannot_be_copied_stored_or_set_back() -> None:
    rng = secure()
    for repeat in (copy.copy, copy.deepcopy, pickle.dumps):
        for source in (rng, rng.bit_generator):
            with pytest.raises(TypeError, match="must not be"):
                repeat(source)
    with pytest.raises(TypeError, match="no state"):
        _ = rng.bit_generator.state
    with pytest.raises(TypeError, match="no state"):
        rng.bit_generator.state = {}
    children = rng.spawn(2)
    assert not np.array_equal(children[0].random(4), children[1].random(4))  # alike with a chance of 2^-212
    assert isinstance(rng.bit_generator.spawn(1)[0], SystemBits)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a system without fork has no children that could repeat")
def test_a_child_does_not_repeat_its_parent() -> None:
    script = (
        "import os, sys\nfrom ldpcore.randomness import secure\n"
        "rng = secure(); rng.standard_normal(3)\n"
        "child = os.fork()\n"
        "if child: os.waitpid(child, 0)\n"
        "print(rng.integers(2**62), flush=True)\n"
        "if not child: os._exit(0)\n"
    )
    told = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True, encoding="utf-8"
    )
    first, second = told.stdout.split()
    assert first != second  # alike with a chance of 2^-62


def test_a_generator_that_nobody_uses_goes() -> None:
    rng: Any = secure()
    rng.standard_normal(3)
    bits = weakref.ref(rng.bit_generator)
    del rng
    gc.collect()
    assert bits() is None


@for_each("member", REGISTRY, ids=lambda member: member.slug)
def test_every_mechanism_draws_from_it(member: Any) -> None:
    design, values = design_of(member)
    reports = design.privatize(values, secure())
    assert design.tally(reports).n == len(values)
    if issubclass(member, CentralRelease):
        assert len(reports) == len(values)


def test_secure_is_reached_from_the_front() -> None:
    assert isinstance(ldpcore.randomness.secure(), np.random.Generator)


@pytest.mark.parametrize("spans", [range(1, 60), range(61, 4097, 97), (255, 256, 257, 4095, 4096)])
def test_whole_numbers_are_equally_probable_by_enumeration_of_all_words(spans: Any) -> None:
    """Of the 65 536 narrow words each number below the span takes as many, and fewer than the span are left out."""
    words = np.arange(1 << 16, dtype=np.uint16)
    for span in spans:
        drawn, fair = placed(words, span, 16)
        often = np.bincount(drawn[fair], minlength=span)
        assert len(often) == span and (often == (1 << 16) // span).all() and np.count_nonzero(~fair) < span


@pytest.mark.parametrize("span", [3, 4097, 10**6 + 3, 2**20 - 1, 2**28])
def test_whole_numbers_of_more_places_are_equally_probable_at_the_ends_of_all_their_words(span: int) -> None:
    """The words of a number stand in a row, and at most its first is left out; whole numbers of Python say which."""
    most, rng = 1 << 32, np.random.default_rng(0)
    for number in {0, 1, span // 2, span - 2, span - 1, *rng.integers(span, size=200).tolist()}:
        first, beyond = -(-number * most // span), -(-(number + 1) * most // span)
        drawn, fair = placed(np.array([first, first + 1, beyond - 1], dtype=np.uint32), span, 32)
        assert (drawn == number).all() and fair[1:].all()
        assert beyond - first - (not fair[0]) == most // span


def test_whole_numbers_of_many_places_are_their_lowest_bits() -> None:
    words = np.arange(64, dtype=np.uint64) + (np.uint64(1) << np.uint64(40))
    drawn, fair = placed(words, 5, 64)
    assert np.bincount(drawn[fair].astype(np.int64)).tolist() == [8] * 5 and np.count_nonzero(~fair) == 24


def test_numbers_that_are_taken_modulo_are_not_equally_probable() -> None:
    """A planted mistake: what the enumeration would say of the shortcut."""
    often = np.bincount(np.arange(1 << 16) % 10)
    assert often.min() < often.max()


@pytest.mark.parametrize(
    ("low", "high", "kind"),
    [
        (0, 9, np.int64),
        (-5, 5, np.int8),
        (250, 255, np.uint8),
        (-(2**63), -(2**63) + 2, np.int64),
        (2**63 - 2, 2**63 + 2, np.uint64),
        (-(2**40), -(2**40) + 6, np.int64),
        (7, 7, np.int64),
    ],
)
def test_whole_numbers_lie_between_their_ends_with_equal_probability(low: int, high: int, kind: Any) -> None:
    """Exact tails, 1e-10 for each assertion."""
    drawn = secure().integers(low, high, (100, 50), dtype=kind, endpoint=True)
    assert drawn.dtype == kind and drawn.shape == (100, 50)
    values, counts = np.unique(drawn, return_counts=True)
    assert values.tolist() == list(range(low, high + 1))
    if low < high:
        assert accept_counts(counts, np.full(len(values), 1 / len(values)))


def test_wide_whole_numbers_fill_their_range() -> None:
    rng = secure()
    for span in (3 * 2**40, 2**63 + 1, 2**50):
        drawn = rng.integers(0, span, 4000, dtype=np.uint64)
        ordered = np.sort(drawn / span)
        assert accept_sample(ordered, ordered) and int(drawn.max()) < span
    assert np.array_equal(np.unique(rng.integers(np.array([1, 2]), size=(200, 2))[:, 1]), [0, 1])  # by NumPy itself


def test_whole_numbers_that_numpy_refuses_are_refused() -> None:
    rng = secure()
    for low, high, kind in ((5, 5, np.int64), (0, 300, np.uint8), (-1, 3, np.uint16), (3, 1, np.int64)):
        with pytest.raises(ValueError, match=r"low >|high|low is out"):
            rng.integers(low, high, 10, dtype=kind)


def test_whole_numbers_come_from_the_operating_system_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the system says nothing but ones, the largest number comes out, whatever the range."""
    monkeypatch.setattr(os, "urandom", lambda count: b"\xff" * count)
    rng = secure()
    assert {int(rng.integers(span, size=3)[0]) for span in (10, 1000, 10**6)} == {9, 999, 10**6 - 1}


def test_no_buffer_of_whole_numbers_is_kept_that_a_fork_could_repeat() -> None:
    """Each block is asked for when it is drawn: nothing of it is left in the generator."""
    rng = secure()
    rng.integers(10, size=100_000)
    assert not [value for value in vars(rng).values() if np.size(value) > 1]
