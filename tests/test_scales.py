"""Public bounds: the map and its way back, what clipping counts, and what is refused in one sentence."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from ldpcore.fingerprints import fingerprint
from ldpcore.parameters import ParameterError
from ldpcore.people.populations import Population, SmoothPopulation
from ldpcore.people.scales import SHAPES, PublicScale, ScaledNumbers, numbers_of_shape
from ldpcore.tables.table import TableError, built_in


def test_the_map_takes_the_bounds_to_the_ends_and_back() -> None:
    scale = PublicScale(0.0, 200.0)
    assert scale.inward([0, 50, 100, 200, 300, -1]).tolist() == [-1, -0.5, 0, 1, 1, -1]
    assert scale.outward([-1, 0, 1, 2]).tolist() == [0, 100, 200, 300] and scale.half == 100
    far = PublicScale(1e14 - 4, 1e14)
    assert far.outward(far.inward([1e14 - 1])).tolist() == [1e14 - 1]


@pytest.mark.parametrize(
    ("low", "high", "sentence"),
    [
        (1.0, 1.0, "low must be less than high; got 1 and 1"),
        (2.0, 1.0, "low must be less than high; got 2 and 1"),
        (None, 1.0, "low must be a number"),
        (0.0, None, "high must be a number"),
        (-math.inf, 1.0, "low must be a number"),
        (0.0, math.inf, "high must be a number"),
        (math.nan, 1.0, "low must be a number"),
        ("0", 1.0, "low must be a number"),
        (False, True, "low must be a number"),
        (0.0, 1e15, "high must be a number"),
    ],
)
def test_bounds_that_bound_nothing_are_refused(low: Any, high: Any, sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        PublicScale(low, high)
    with pytest.raises(ParameterError, match=sentence):
        ScaledNumbers.of([0.5], low, high)


def test_clipping_is_counted_and_its_bias_is_the_difference_of_two_means() -> None:
    numbers = ScaledNumbers.of([-5.0, 0.0, 2.0, 30.0, math.nan, math.inf], 0, 10)
    found = numbers.clipping
    assert found is not None and (found.n, found.below, found.above, found.moved, found.missing) == (4, 1, 1, 2, 2)
    assert found.mean == 6.75 and found.clipped_mean == 3 and found.bias == -3.75
    assert numbers.mean == pytest.approx(3) and numbers.n == 4
    still = ScaledNumbers.of([1.0, 2.0], 0, 10).clipping
    assert still is not None and not still.moved and ScaledNumbers.synthetic("bell", 10).clipping is None


def test_everybody_outside_and_a_constant_column_work() -> None:
    outside = ScaledNumbers.of([100.0, 200.0], 0, 10)
    assert outside.people.k == 1 and outside.mean == 10 and outside.clipping.moved == 2 and outside.variance == 0
    constant = ScaledNumbers.of(np.full(9, 3), 0, 4)
    assert constant.mean == 3 and constant.variance == 0 and constant.clipping.bias == 0


@pytest.mark.parametrize(
    "values",
    [["1", "2"], np.array(["2024-01-01"], dtype="datetime64[D]"), [[1.0]], [True, False], [math.nan], [], [None]],
)
def test_what_holds_no_numbers_is_refused(values: Any) -> None:
    with pytest.raises(ParameterError, match="values must"):
        ScaledNumbers.of(values, 0, 1)


def test_columns_of_dates_and_of_words_are_refused_by_the_table_and_numbers_go_through() -> None:
    table = built_in("income")
    numbers = ScaledNumbers.of(table.numbers("income"), 0, 100_000)
    assert numbers.n == table.n and numbers.clipping.missing == 0
    assert numbers.mean == pytest.approx(np.clip(table.numbers("income"), 0, 100_000).mean())
    clinic = built_in("clinic")
    for column in clinic.of_kind("category", "date"):
        with pytest.raises(TableError, match="must hold numbers"):
            clinic.numbers(column)


@pytest.mark.parametrize("shape", SHAPES)
def test_invented_people_are_so_many_and_keep_their_shape_when_they_grow(shape: str) -> None:
    small, large = ScaledNumbers.synthetic(shape, 1000, 0, 50), ScaledNumbers.synthetic(shape, 10**9, 0, 50)
    assert small.n == 1000 and large.n == 10**9
    assert small.mean == pytest.approx(large.mean, abs=0.2) and 0 <= large.mean <= 50
    assert fingerprint(small) != fingerprint(large)
    with pytest.raises(ParameterError, match="shape must be one of"):
        numbers_of_shape("nowhere", 10)


@pytest.mark.parametrize(
    ("shape", "mean", "square"), [("uniform", 0, 1 / 3), ("skewed", -0.5, 4 / 7), ("peaked", 0, 1 / 7)]
)
def test_smooth_people_are_all_different_and_have_the_moments_of_their_law(
    shape: str, mean: float, square: float
) -> None:
    people = SmoothPopulation(shape, 300_000)
    values = np.concatenate(list(people.users()))
    assert len(np.unique(values)) == people.n and np.abs(values).max() <= 1
    for crowd in (people, SmoothPopulation(shape, 10**9)):
        assert crowd.mean_of(lambda x: x) == pytest.approx(mean, abs=1e-10)
        assert crowd.mean_of(lambda x: x**2) == pytest.approx(square, abs=1e-10)
    assert people.at(np.array([5, 70_000])).tolist() == values[[5, 70_000]].tolist()


def test_people_are_found_by_their_place_and_leave() -> None:
    people = Population(np.array([0.1, 0.5, 0.9]), np.array([2, 0, 3]))
    everybody = next(people.users())
    assert people.at(np.arange(5)).tolist() == everybody.tolist()
    left = people.without(np.array([0, 4]))
    assert left is not None and left.counts.tolist() == [1, 0, 2]
    assert people.without(np.arange(5)) is None
    assert people.mean_of(lambda x: x**2) == pytest.approx((everybody**2).mean())
