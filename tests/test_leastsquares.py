"""Inverses and non-negative fits are right, and the largest design fits into a small memory."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest
from scipy import optimize

from ldpcore.mechanisms.bloom import BloomDesign
from ldpcore.mechanisms.bloomfit import BloomFit
from ldpcore.numerics.leastsquares import inverted, nonnegative

MEGABYTE = 1 << 20


@pytest.mark.parametrize("k", [1, 2, 7, 800])
def test_the_inverse_made_in_place_is_the_inverse(k: int) -> None:
    rng = np.random.default_rng(k)
    square = rng.normal(size=(k, k))
    gram = square @ square.T + k * np.eye(k)
    found = inverted(gram.copy())
    assert found is not None and np.array_equal(found, found.T)
    assert np.allclose(found @ gram, np.eye(k), atol=1e-9)


def test_a_matrix_that_has_no_inverse_has_none() -> None:
    assert inverted(np.ones((3, 3))) is None
    assert inverted(np.array([[1.0, 2.0], [2.0, 1.0]])) is None


def test_the_non_negative_fit_is_that_of_another_solver() -> None:
    rng = np.random.default_rng(2)
    for rows, columns in ((30, 8), (60, 25), (200, 60)):
        design, seen = rng.normal(size=(rows, columns)), rng.normal(size=rows)
        fitted, _ = optimize.nnls(design, seen)
        assert np.allclose(nonnegative(design.T @ design, design.T @ seen), fitted, atol=1e-8)


@pytest.mark.parametrize(
    ("k", "m", "hashes", "cohorts"), [(40, 64, 2, 5), (40, 6, 2, 5), (9, 5, 3, 1), (300, 30, 3, 4)]
)
def test_tables_in_pieces_are_the_whole_table(k: int, m: int, hashes: int, cohorts: int) -> None:
    design = BloomDesign(k, m, hashes, cohorts)
    bits = design.bits
    for cohort, (table, whole) in enumerate(zip(design.tables(), bits, strict=True)):
        assert np.array_equal(table.toarray().astype(bool), whole) and np.array_equal(design.table(cohort), whole)
        assert np.array_equal(design.table(cohort, [1, 0]), whole[[1, 0]])
    stacked = np.concatenate(list(bits.swapaxes(1, 2))).astype(float)  # a row for each bit of each cohort
    fit = BloomFit(design)
    assert np.array_equal(fit.shared, stacked.T @ stacked)
    y = np.random.default_rng(1).normal(size=len(stacked))
    assert np.allclose(fit.counted(y), stacked.T @ y)
    if fit.solver[1].all():
        assert np.allclose(fit.shares(y), np.linalg.lstsq(stacked, y)[0], atol=1e-7)
    alike = {row.tobytes() for row in np.packbits(bits.swapaxes(0, 1).reshape(k, -1), axis=1)}
    assert len(design.groups) == len(alike) and sorted(sum(design.groups, ())) == list(range(k))


def peak(work: Any) -> int:
    """The most memory that was held beyond what was there before."""
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        work()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
