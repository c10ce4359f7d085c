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
from ldpcore.randomness import SystemBits, secure
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


@pytest.mark.parametrize("member", REGISTRY, ids=lambda member: member.slug)
def test_every_mechanism_draws_from_it(member: Any) -> None:
    design, values = design_of(member)
    reports = design.privatize(values, secure())
    assert design.tally(reports).n == len(values)
    if issubclass(member, CentralRelease):
        assert len(reports) == len(values)


def test_secure_is_reached_from_the_front() -> None:
    assert isinstance(ldpcore.randomness.secure(), np.random.Generator)
