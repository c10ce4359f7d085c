"""Numbers are written for people, and what was written can be read back."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.ui.grids import MOST_STEPS, even_grid, log_grid
from tests import written as numbers

NARROW = "\u202f"


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (2584, "2 584"),
        (882, "882"),
        (10**9, "1 000 000 000"),
        (10**12, "1 × 10¹²"),
        (10.162349, "10.2"),
        (10.0, "10"),
        (1.1435958, "1.14"),
        (0.0, "0"),
        (-14.134, "−14.1"),
        (4.3e9, "4.3 × 10⁹"),
        (1.5e-7, "1.5 × 10⁻⁷"),
        (999.96, "1 000"),
        (0.00012345, "0.000123"),
        (math.inf, "∞"),
        (-math.inf, "−∞"),
        (math.nan, "–"),
    ],
)
def test_a_number_is_written_for_people(value: float, written: str) -> None:
    assert numbers.people(value) == written.replace(" ", NARROW)


def test_a_share_is_written_as_a_percentage() -> None:
    assert numbers.percent(10 / 882) == f"1.1{NARROW}%"
    assert numbers.percent(882 / 2584, 4) == f"34.13{NARROW}%"
    assert numbers.percent(10 / 5) == f"200{NARROW}%"
    assert numbers.percent(10 / 2584, 3) == f"0.387{NARROW}%"


def test_a_level_is_written_as_odds() -> None:
    assert numbers.odds(0.1) == f"1.11{NARROW}:{NARROW}1"
    assert numbers.odds(math.log(3)) == f"3{NARROW}:{NARROW}1"
    assert numbers.times(800) == "∞"


@given(st.floats(min_value=-1e15, max_value=1e15, allow_nan=False))
def test_a_written_number_is_read_back_to_its_digits(value: float) -> None:
    assert numbers.read(numbers.significant(value, 3)) == pytest.approx(value, rel=6e-3, abs=1e-300)


@given(st.one_of(st.integers(-(2**53), 2**53), st.floats(1e-6, 1e15)))
def test_a_stop_of_a_control_loses_no_digit(value: float) -> None:
    assert numbers.read(numbers.exact(value)) == value


@given(st.floats(allow_nan=False))
def test_no_number_shows_seventeen_digits(value: float) -> None:
    assert sum(letter.isdigit() for letter in numbers.people(value)) <= 12


def test_the_numbers_of_a_sentence_can_be_read() -> None:
    sentence = f"At ε = 0.1 off by 10: 1.1{NARROW}% of 2{NARROW}584, or 4.3{NARROW}×{NARROW}10⁹, or −3."
    assert numbers.readings(sentence) == pytest.approx([0.1, 10, 0.011, 2584, 4.3e9, -3])


def test_the_grid_of_a_log_control_is_round_and_has_both_ends() -> None:
    assert log_grid(0.01, 10)[:4] == [0.01, 0.015, 0.02, 0.03]
    assert {0.1, 1.0, 5.0, 10.0} <= set(log_grid(0.01, 10))
    assert log_grid(1, 10**9, integer=True)[-2:] == [5 * 10**8, 10**9]
    assert all(type(stop) is int for stop in log_grid(1, 1000, integer=True))


@given(st.floats(-100, 100), st.floats(1e-3, 1e6))
def test_an_even_slider_has_both_ends_and_round_stops_and_not_too_many(low: float, width: float) -> None:
    high = low + width
    grid = even_grid(low, high)
    assert grid[0] == low and grid[-1] == high and grid == sorted(set(grid))
    assert len(grid) <= MOST_STEPS + 3
    inner = grid[1:-1]
    steps = {f"{(b - a) / (inner[1] - inner[0]):.4g}" for a, b in pairwise(inner)}
    assert len(inner) > MOST_STEPS / 2.6 - 3 and steps == {"1"}


def test_an_even_slider_stops_where_people_would() -> None:
    assert even_grid(0, 1) == [place / 100 for place in range(101)]
    assert {0.5, 0.9, 0.95, 0.99, 0.999} <= set(even_grid(0.5, 0.999))
