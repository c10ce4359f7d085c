"""Bisection against every number that it skips: the least one that fits, asked for as few times as halving takes."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldpcore.numerics import bisection
from ldpcore.numerics.bisection import least, least_up_to, least_whole

WHOLE = st.integers(-(10**12), 10**12)
NUMBERS = st.floats(-1e300, 1e300)


@given(WHOLE, st.integers(1, 10**12), st.integers(1, 10**12))
def test_the_least_whole_number_is_the_first_that_fits(low: int, first: int, more: int) -> None:
    asked: list[int] = []
    end, high = low + first, low + first + more
    assert least_whole(lambda n: not asked.append(n) and n >= end, low, high) == end
    assert all(low < n < high for n in asked) and len(asked) <= (high - low).bit_length()


@given(st.integers(1, 10**15), st.integers(1, 10**4))
def test_a_rough_search_ends_at_one_that_fits_a_part_above_the_least_at_most(end: int, part: int) -> None:
    found = least_up_to(lambda n: n >= end, 10**18, part=part)
    assert found is not None and end <= found <= end + max(found // part, 1) - 1


@given(st.integers(-1, 50), st.integers(0, 10**18), st.integers(1, 10**18))
def test_a_doubled_search_finds_the_first_or_says_that_the_most_does_not_fit(low: int, ahead: int, most: int) -> None:
    end = low + 1 + ahead
    found = least_up_to(lambda n: n >= end, max(most, low + 1), low)
    assert found == (end if end <= max(most, low + 1) else None)


def test_a_search_from_below_nothing_finds_nought() -> None:
    assert least_up_to(lambda n: n >= 0, 10**18, low=-1) == 0


@given(NUMBERS, NUMBERS, NUMBERS)
def test_the_least_number_is_the_very_double_that_fits_first(one: float, other: float, third: float) -> None:
    low, end, high = sorted((one, other, third))
    if low < end:
        assert least(lambda x: x >= end, low, high) == end
        assert least(lambda x: x > math.nextafter(end, low), low, high) == end


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6), st.floats(0, 1), st.integers(0, 40))
def test_few_halvings_end_above_the_least_and_near_it(low: float, wide: float, share: float, halvings: int) -> None:
    high = low + wide
    end = min(low + share * wide, high)
    found = least(lambda x: x >= end, low, high, halvings)
    assert end <= found <= end + (high - low) / 2**halvings * (1 + 1e-9) + 1e-9


def test_what_no_end_reaches_is_infinite() -> None:
    assert least(lambda x: False, 1.0, math.inf) == math.inf


def test_a_search_that_takes_the_wrong_half_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The laws bite for any numbers: one that keeps the last that does not fit breaks the first of them."""
    monkeypatch.setitem(globals(), "least_whole", lambda fits, low, high: bisection.least_whole(fits, low, high) - 1)
    with pytest.raises(AssertionError):
        test_the_least_whole_number_is_the_first_that_fits.hypothesis.inner_test(0, 5, 7)
    monkeypatch.setitem(
        globals(), "least", lambda fits, low, high: math.nextafter(bisection.least(fits, low, high), low)
    )
    with pytest.raises(AssertionError):
        test_the_least_number_is_the_very_double_that_fits_first.hypothesis.inner_test(1.0, 2.0, 3.0)
