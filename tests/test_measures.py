"""The printed table of divergences: its values by other routes, and that no kept promise exceeds its bounds."""

from __future__ import annotations

import math

import numpy as np
import pytest

from explorer.pages.verify.drawings import beyond
from ldpcore import broken
from ldpcore.experiments.verify import at_small_parameters
from ldpcore.experiments.verify.measures import MEASURES, Measures, MeasuresOfMatrix
from ldpcore.laws.channels import Finite, Pair
from ldpcore.mechanisms import REGISTRY
from ldpcore.mechanisms.grr import RandomizedResponse


@pytest.mark.parametrize("level", [0.01, 0.5, 1.0, math.log(3), 4.0])
def test_one_bit_of_randomized_response_has_the_closed_forms(level: float) -> None:
    rows = {row.slug: row for row in Measures(RandomizedResponse(level)).run().rows}
    e = math.exp(level)
    closed = {
        "max": level,
        "tv": math.tanh(level / 2),
        "errors": 2 / (1 + e),
        "kl": level * math.tanh(level / 2),
        "renyi": math.log((e**2 + 1 / e) / (e + 1)),
        "chi2": (e - 1) ** 2 / e,
        "h2": 2 - 2 / math.cosh(level / 2),
    }
    for slug, value in closed.items():
        for got in (rows[slug].forth, rows[slug].back, rows[slug].allowed):
            assert got == pytest.approx(value, rel=1e-9, abs=1e-13), slug
    assert set(closed) == set(MEASURES)


COUNTABLE = []
for member in REGISTRY:
    made = at_small_parameters(member, np.random.default_rng(3))
    if made is not None and isinstance(made.compare(*made.worst()), Pair) and made.claim().delta == 0:
        COUNTABLE.append(made)


@pytest.mark.parametrize("mechanism", COUNTABLE, ids=lambda mechanism: mechanism.slug)
def test_no_kept_promise_goes_beyond_a_bound(mechanism: object) -> None:
    result = Measures(mechanism).run()  # type: ignore[arg-type]
    assert not [row.slug for row in result.rows if beyond(row, row.forth) or beyond(row, row.back)]


def test_many_mechanisms_were_looked_at() -> None:
    assert len(COUNTABLE) >= 10


BEYOND = (broken.ImpossibleAnswer(1.0), broken.KeptNoiseBit(1.0, 2), broken.ForgottenRepeats(1.0))


@pytest.mark.parametrize("mistake", BEYOND, ids=lambda mistake: mistake.slug)
def test_a_broken_promise_goes_beyond_the_first_bound(mistake: object) -> None:
    (row,) = (row for row in Measures(mistake).run().rows if row.slug == "max")  # type: ignore[arg-type]
    assert beyond(row, row.forth) or beyond(row, row.back)


def test_random_matrices_that_keep_a_promise_stay_within_all_bounds() -> None:
    """Two hundred random channels of four rows and six reports, each judged at its own level."""
    rng = np.random.default_rng(11)
    for _ in range(200):
        matrix = rng.dirichlet(np.ones(6), 4) + rng.uniform(0.02, 2)
        matrix /= matrix.sum(axis=1, keepdims=True)
        level = float(np.log(matrix.max(axis=0) / matrix.min(axis=0)).max())
        result = MeasuresOfMatrix(Finite(matrix), level).run()
        assert not [row.slug for row in result.rows if beyond(row, row.forth) or beyond(row, row.back)]
        stricter = MeasuresOfMatrix(Finite(matrix), 0.99 * level).run()
        assert beyond(stricter.rows[0], max(stricter.rows[0].forth, stricter.rows[0].back))
