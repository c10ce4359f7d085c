"""The typeface of Persian: all letters of its texts, small, for Persian alone; and the calendar of its readers."""

from __future__ import annotations

import re
from datetime import date, timedelta
from itertools import pairwise

import pytest

from explorer.text import languages, typefaces
from explorer.text.conventions import PSEUDO, conventions_of
from ldpcore.reading.calendars import solar_hijri

LEAP = (1304, 1309, 1313, 1342, 1346, 1350, 1370, 1375, 1379, 1383, 1387, 1391, 1395, 1399, 1403, 1408, 1412)  # printed
MOST = 120_000  # letters that a first visit in Persian may take besides


def test_the_rules_are_small_and_for_persian_alone() -> None:
    assert 0 < len(typefaces.style("fa", "Source Sans")) < MOST // 2
    assert typefaces.style(PSEUDO) == "", "whose letters are those of English"
    assert [language for language in languages() if typefaces.style(language)] in ([], ["fa"])
    assert typefaces.page_style("en") == "" and 'html[lang=fa] { --st-font: "Vazirmatn"' in typefaces.page_style("fa")


def test_letters_of_other_scripts_keep_their_typeface() -> None:
    ranges = re.findall(r"unicode-range: ([^;]+);", typefaces.style("fa"))
    assert len(ranges) == 2 and all("U+0041" not in each and "U+0020" not in each for each in ranges)


@pytest.mark.parametrize(
    ("day", "written"),
    [
        (date(2024, 3, 20), (1403, 1, 1)),
        (date(2024, 2, 29), (1402, 12, 10)),
        (date(2025, 3, 20), (1403, 12, 30)),
        (date(1979, 2, 11), (1357, 11, 22)),
        (date(1925, 12, 15), (1304, 9, 24)),
        (date(2000, 1, 1), (1378, 10, 11)),
    ],
)
def test_days_are_those_of_printed_calendars(day: date, written: tuple[int, int, int]) -> None:
    assert solar_hijri(day) == written


def test_every_day_of_three_centuries_follows_the_day_before() -> None:
    days = [solar_hijri(date(1800, 1, 1) + timedelta(each)) for each in range(110_000)]
    lengths = {1: 31, 2: 31, 3: 31, 4: 31, 5: 31, 6: 31, 7: 30, 8: 30, 9: 30, 10: 30, 11: 30}
    for (year, month, day), after in pairwise(days):
        ends = day >= lengths.get(month, 29)
        assert after == (year, month, day + 1) or (
            ends and after[2] == 1 and after[:2] in ((year, month + 1), (year + 1, 1))
        )
    long_years = {year for year, month, day in days if (month, day) == (12, 30)}
    assert long_years >= set(LEAP)
    assert long_years & set(range(1395, 1413)) == {1395, 1399, 1403, 1408, 1412}


def test_a_day_is_written_in_words_and_digits_of_the_language() -> None:
    assert conventions_of("fa").day(date(2026, 11, 29)) == "۸ آذر ۱۴۰۵"
    assert conventions_of("fa").day(date(600, 1, 1)), "before that calendar, by the western one"
