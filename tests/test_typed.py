"""What people type is read as they mean it, asked about where it has two meanings, and written to be read back."""

from __future__ import annotations

import ast
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from explorer.settings.typed import PLAIN, AskError, DoubtError, Habits
from ldpcore.reading.matrices import LETTERS
from ldpcore.reading.readings import Reading
from tools.serving import ROOT

ENGLISH, GERMAN = Habits.of("en"), Habits.of("de")
POINTED = Habits.of("en", Reading(";", decimal=",", thousands="."))  # a German file on an English screen
BARE = Habits.of("en", Reading(";", decimal=","))
SWISS = Habits.of("de", Reading(decimal=".", thousands="'"))
EVERY = (PLAIN, ENGLISH, GERMAN, Habits.of("qps"), POINTED, BARE, SWISS, Habits.of("de", Reading(month_first=True)))


@pytest.mark.parametrize(
    ("habits", "text", "value"),
    [
        (ENGLISH, "33761", 33761),
        (ENGLISH, "33 761", 33761),
        (ENGLISH, "33\u202f761", 33761),
        (ENGLISH, "33,761", 33761),
        (ENGLISH, "1.5", 1.5),
        (ENGLISH, "-2e3", -2000),
        (ENGLISH, "1,5", 1.5),
        (ENGLISH, "1.234.567", 1234567),
        (GERMAN, "60.000", 60_000),
        (GERMAN, "3,5", 3.5),
        (GERMAN, "3.5", 3.5),
        (GERMAN, "1.234,5", 1234.5),
        (GERMAN, "1,234.5", 1234.5),
        (GERMAN, "0,500", 0.5),
        (POINTED, "60.000", 60_000),
        (POINTED, "120.000", 120_000),
        (POINTED, "3,5", 3.5),
        (POINTED, "3,500", 3.5),
        (BARE, "3,5", 3.5),
        (SWISS, "60'000", 60_000),
        (SWISS, "60.000", 60),
        (PLAIN, "3.125", 3.125),
        (PLAIN, "20,000", 20_000),
        (PLAIN, "1e4", 10_000),
    ],
)
def test_a_number_is_read_as_its_writer_means_it(habits: Habits, text: str, value: float) -> None:
    assert habits.number(text) == value


@pytest.mark.parametrize(
    ("habits", "text", "meant"),
    [
        (ENGLISH, "60.000", (60, 60_000)),
        (ENGLISH, "3.125", (3.125, 3125)),
        (GERMAN, "3,500", (3.5, 3500)),
        (BARE, "60.000", (60, 60_000)),
        (BARE, "3,500", (3.5, 3500)),
    ],
)
def test_a_number_of_two_meanings_is_asked_about(habits: Habits, text: str, meant: tuple[float, float]) -> None:
    with pytest.raises(DoubtError) as doubt:
        habits.number(text)
    assert set(doubt.value.meant) == set(meant)


@pytest.mark.parametrize("text", ["", "abc", "1,5,3", "nan", "inf", "1 2 x", "9" * 65])
def test_what_is_no_number_is_refused(text: str) -> None:
    for habits in EVERY:
        with pytest.raises(AskError, match="The value must be a number"):
            habits.number(text)


def test_days_are_read_in_every_usual_form_and_asked_about_where_month_and_day_may_be_changed() -> None:
    for habits in EVERY:
        for text in ("2024-12-31", "31.12.2024", "31. Dezember 2024", "December 31, 2024", "31/12/2024", "12/31/2024"):
            assert habits.day(text) == date(2024, 12, 31), text
    with pytest.raises(DoubtError):
        GERMAN.day("03/04/2024")
    assert Habits.of("en", Reading(month_first=True)).day("03/04/2024") == date(2024, 3, 4)
    with pytest.raises(AskError, match="four digits"):
        ENGLISH.day("1.2.24")


def test_what_is_written_into_a_box_is_read_back_by_the_same_reader() -> None:
    rng = np.random.default_rng(13)
    thousandths = [float(n) / 1000 for n in rng.integers(-(10**7), 10**7, 300)]
    values = [0, 1, -5, 60_000, 2**53, 1e-9, 1e300, -1.125, 3.5, 0.5, *thousandths, *rng.normal(0, 1e6, 100).tolist()]
    for habits in EVERY:
        for value in values:
            assert habits.number(habits.spelled(value)) == value, (habits, value)
        for day in (date(2024, 2, 29), date(1000, 1, 1), date(9999, 12, 31)):
            assert habits.day(habits.spelled(day)) == day


def test_no_box_takes_a_text_that_would_end_the_connection() -> None:
    places, boxes = {"text_input": 3, "text_area": 4}, 0  # where the largest number of letters stands, without a name
    for path in sorted(Path(ROOT / "explorer").rglob("*.py")):
        text = path.read_text("utf-8")
        for node in ast.walk(ast.parse(text)) if any(f".{place}" in text for place in places) else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in places:
                boxes += 1
                named = any(word.arg == "max_chars" for word in node.keywords)
                assert named or len(node.args) >= places[node.func.attr], (path, node.lineno)
    assert boxes >= 10
    assert LETTERS + 1 < 25_000_000  # digits and marks take a byte each, and a matrix holds nothing else
