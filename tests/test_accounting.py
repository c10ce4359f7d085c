"""The privacy account adds decimal numbers exactly and refuses what exceeds the total."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldpcore.accounting import BudgetError, Ledger, level_of, spent, written

LEVELS = st.decimals("0.000000001", "50", allow_nan=False, places=9)


def ten_tenths() -> Ledger:
    ledger = Ledger.of("1")
    for place in range(10):
        ledger = ledger.asked(f"run {place + 1}", 0.1)
    return ledger


def test_ten_times_a_tenth_is_one_and_floating_point_says_something_else() -> None:
    ledger = ten_tenths()
    assert ledger.spent == 1
    assert ledger.left == 0
    assert written(ledger.spent) == "1"
    assert ledger.floating() == 0.9999999999999999


def test_an_eleventh_question_is_refused_in_one_sentence_and_changes_nothing() -> None:
    ledger = ten_tenths()
    with pytest.raises(BudgetError, match=r"at most what is left, 0 of 1; got 0\.1"):
        ledger.asked("one more", "0.1")
    with pytest.raises(BudgetError, match="at most what is left"):
        ledger.asked("a tiny one", "1e-30")
    assert len(ledger.entries) == 10
    assert ledger.affordable("0.1") == 0


def test_a_million_runs_at_a_tenth_cost_a_hundred_thousand() -> None:
    assert spent(0.1, 10**6) == 100_000
    assert [spent("0.1", times) for times in (10, 1000, 100_000)] == [1, 100, 10_000]
    assert spent(0.1, 10**12) == Decimal(10) ** 11


@given(st.lists(st.tuples(LEVELS, st.integers(1, 10**12)), max_size=30))
def test_the_sum_is_exact_for_any_decimal_levels(questions: list[tuple[Decimal, int]]) -> None:
    ledger = Ledger.of("9" * 30)
    exact = Fraction(0)
    for level, times in questions:
        ledger = ledger.asked("?", level, times)
        exact += Fraction(level) * times
    assert Fraction(ledger.spent) == exact
    assert Fraction(ledger.left) == Fraction(10**30 - 1) - exact
    if questions:
        assert ledger.running()[-1] == ledger.spent


def test_levels_of_very_different_size_lose_no_digit() -> None:
    ledger = Ledger.of("1e30").asked("huge", "123456789012345678901234567890").asked("tiny", "1e-30")
    assert written(ledger.spent) == "123456789012345678901234567890.000000000000000000000000000001"


def test_as_many_questions_are_affordable_as_fit_and_not_one_more() -> None:
    ledger = Ledger.of("0.3")
    assert ledger.affordable("0.1") == 3  # 0.3 / 0.1 is 2.9999999999999996 in binary
    assert ledger.asked("three", "0.1", 3).left == 0


def test_a_level_is_what_is_written_and_not_the_nearest_binary_fraction() -> None:
    assert level_of(0.1) == Decimal("0.1") == level_of(" 0.1 ")
    assert level_of(3) == 3


WRONG = ("0", "-1", "nan", "inf", "abc", "", "1e99", "1e40", "0." + "1" * 50, float("nan"), 0.0)


@pytest.mark.parametrize("level", WRONG)
def test_a_level_that_is_no_positive_number_is_refused_in_one_sentence(level: str | float) -> None:
    with pytest.raises(BudgetError, match=r"^a level must .*; got "):
        level_of(level)


@pytest.mark.parametrize("level", ["1e39", "9" * 40, "1e-40", "0." + "1" * 40])
def test_every_level_that_is_taken_is_read_back_as_it_is_written(level: str) -> None:
    assert level_of(written(level_of(level))) == level_of(level)


@pytest.mark.parametrize("times", [0, -1, 1.5, True, 10**19])
def test_a_question_is_asked_a_whole_number_of_times(times: int) -> None:
    with pytest.raises(BudgetError, match="whole number of times"):
        spent("0.1", times)


def test_an_entry_can_be_taken_back() -> None:
    ledger = ten_tenths()
    assert ledger.without(3).spent == Decimal("0.9")
    assert ledger.without(0).entries[0].question == "run 2"
