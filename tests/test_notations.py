"""A number or a day is read in its writer's notation, asked about where it means two things, and never guessed."""
# ruff: noqa: RUF001 - these are the digits and marks that people write

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldpcore.reading.notations import ENGLISH, GERMAN, LONGEST, Ambiguous, Notation, Unreadable, read_day, read_number
from tests.cases import for_each

PLAIN = Notation(".", "")
CLEAR = [
    ("60000", 60000),
    ("3.5", 3.5),
    ("3,5", 3.5),
    ("0.500", 0.5),
    ("0,125", 0.125),
    ("1.234.567", 1234567),
    ("1,234,567", 1234567),
    ("1.234,5", 1234.5),
    ("1,234.5", 1234.5),
    ("60 000", 60000),
    ("60\u202f000,5", 60000.5),
    ("60'000", 60000),
    ("1234.567", 1234.567),
    ("-3,5", -3.5),
    ("\u22123.5", -3.5),
    ("+7", 7),
    (".5", 0.5),
    ("5.", 5.0),
    ("1e5", 1e5),
    ("2,5e-3", 0.0025),
    ("۶۰۰۰۰", 60000),
    ("۳٫۵", 3.5),
    ("۶۰٬۰۰۰", 60000),
    ("٣٫٥", 3.5),
    (" 42 ", 42),
]


@for_each(("text", "value"), CLEAR)
def test_what_can_be_read_in_one_way_only_is_read_whatever_the_notation(text: str, value: float) -> None:
    for notation in (None, ENGLISH, GERMAN, PLAIN, Notation(",", "")):
        number = read_number(text, notation)
        if notation in (ENGLISH, GERMAN) and not isinstance(number, (Ambiguous, Unreadable)) and number != value:
            assert read_number(text) == value, (text, notation)  # a notation may only decide what is ambiguous
        assert number == value and not isinstance(number, bool), (text, notation, number)


@pytest.mark.parametrize(
    ("text", "first", "second"), [("60.000", 60, 60000), ("120,000", 120000, 120), ("-1.500", -1.5, -1500)]
)
def test_what_two_notations_read_differently_is_asked_about_unless_one_of_them_is_known(
    text: str, first: float, second: float
) -> None:
    assert read_number(text) == Ambiguous(first, second)
    assert read_number(text, ENGLISH) == first and read_number(text, GERMAN) == second
    # A table whose numbers have no mark between thousands says nothing about this one.
    decimal = "." if "." in text else ","
    number = read_number(text, Notation(decimal, ""))
    assert isinstance(number, Ambiguous) and {number.first, number.second} == {first, second}
    assert abs(float(number.first)) < abs(float(number.second))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("x", "form"),
        ("1_0", "form"),
        ("1.2.3", "form"),
        ("12,34,567", "form"),
        ("1 2", "form"),
        ("--1", "form"),
        ("1e9999", "form"),
        ("nan", "form"),
        ("inf", "form"),
        ("½", "form"),
        ("²", "form"),
        ("1" * (LONGEST + 1), "long"),
        ("1" * 10**6, "long"),
        ("60,000.000,5", "form"),
        ("e5", "form"),
        (".", "form"),
    ],
)
def test_what_is_no_number_says_why(text: str, reason: str) -> None:
    for notation in (None, ENGLISH, GERMAN, PLAIN):
        number = read_number(text, notation)
        assert isinstance(number, Unreadable) and number.reason == reason and len(number.text) <= LONGEST


@given(st.integers(-(10**15), 10**15), st.sampled_from([ENGLISH, GERMAN]))
def test_whole_numbers_written_in_a_notation_are_read_back_in_it(value: int, notation: Notation) -> None:
    written = f"{value:,}".replace(",", notation.thousands)
    assert read_number(written, notation) == value
    assert read_number(str(value), notation) == value


@given(st.floats(-1e9, 1e9, allow_nan=False), st.sampled_from([ENGLISH, GERMAN]))
def test_decimals_written_in_a_notation_are_read_back_in_it(value: float, notation: Notation) -> None:
    english = f"{value:,.4f}"
    written = english.translate(str.maketrans({",": notation.thousands, ".": notation.decimal}))
    assert read_number(written, notation) == pytest.approx(float(english.replace(",", "")), rel=1e-15)


DAYS = [
    ("2024-12-31", date(2024, 12, 31)),
    ("2024/12/31", date(2024, 12, 31)),
    ("31.12.2024", date(2024, 12, 31)),
    ("3.4.2024", date(2024, 4, 3)),
    ("31/12/2024", date(2024, 12, 31)),
    ("12/31/2024", date(2024, 12, 31)),
    ("31-12-2024", date(2024, 12, 31)),
    ("4/4/2024", date(2024, 4, 4)),
    ("31 December 2024", date(2024, 12, 31)),
    ("Dec 31, 2024", date(2024, 12, 31)),
    ("31. Dezember 2024", date(2024, 12, 31)),
    ("1. März 2024", date(2024, 3, 1)),
    ("2024 Feb 29", date(2024, 2, 29)),
    ("۲۰۲۴-۱۲-۳۱", date(2024, 12, 31)),
]


@pytest.mark.parametrize(("text", "day"), DAYS)
def test_days_that_cannot_be_mistaken_are_read(text: str, day: date) -> None:
    assert read_day(text) == read_day(text, True) == read_day(text, False) == day


def test_a_day_that_may_be_a_month_is_asked_about_unless_the_order_is_known() -> None:
    for text in ("03/04/2024", "3-4-2024"):
        assert read_day(text) == Ambiguous(date(2024, 4, 3), date(2024, 3, 4))
        assert read_day(text, month_first=True) == date(2024, 3, 4)
        assert read_day(text, month_first=False) == date(2024, 4, 3)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        ("2024", "form"),
        ("31.12.24", "year"),
        ("12/31/24", "year"),
        ("31.2.2024", "form"),
        ("29.02.2023", "form"),
        ("13/13/2024", "form"),
        ("1/2-2024", "form"),
        ("2024-12-31T10:00", "form"),
        ("0000-01-01", "form"),
        ("12.31.2024", "form"),
        ("31 Foo 2024", "form"),
        ("31 Dec 24", "form"),
        ("1403-10-11-2", "form"),
        ("1" * 10**6, "long"),
    ],
)
def test_what_is_no_day_says_why(text: str, reason: str) -> None:
    day = read_day(text)
    assert isinstance(day, Unreadable) and day.reason == reason


def test_every_day_of_a_leap_year_is_read_back_in_every_clear_form() -> None:
    day = date(2024, 1, 1)
    while day.year == 2024:
        for form in ("%Y-%m-%d", "%d.%m.%Y", "%Y/%m/%d", "%d %B %Y"):
            assert read_day(day.strftime(form)) == day
        assert read_day(day.strftime("%m/%d/%Y"), True) == read_day(day.strftime("%d/%m/%Y"), False) == day
        day += timedelta(days=1)


@given(st.text(max_size=70))
def test_whatever_is_typed_is_read_or_refused(text: str) -> None:
    assert isinstance(read_number(text), (int, float, Ambiguous, Unreadable))
    assert isinstance(read_day(text), (date, Ambiguous, Unreadable))
