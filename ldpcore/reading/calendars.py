"""Days in the calendar of Iran, whose year begins in March: as it counts a day, and the day that it names."""

from __future__ import annotations

from datetime import date, timedelta

SOLAR_MONTHS = (
    *("فروردین", "اردیبهشت", "خرداد", "تیر", "مرداد", "شهریور"),
    *("مهر", "آبان", "آذر", "دی", "بهمن", "اسفند"),
)
_CYCLES = (-61, 9, 38, 199, 426, 686, 756, 818, 1111, 1181, 1210, 1635, 2060, 2097, 2192, 2262, 2324, 2394, 2456, 3178)
_LAST = _CYCLES[-1] - 2  # a year whose next one is known too


def solar_hijri(day: date) -> tuple[int, int, int]:
    """The year, month and day of Iran's calendar, for days from 622 to 3798.

    Years of 366 days come every fourth year, now and then every fifth; the years where such a cycle begins anew are
    listed. Reference: Borkowski (1996), The Persian calendar for 3000 years, Earth, Moon, and Planets 74.
    """
    year = day.year - 621
    begins = _new_year(year)
    if day < begins:
        year, begins = year - 1, _new_year(year - 1)
    gone = (day - begins).days
    return (
        (year, 1 + gone // 31, 1 + gone % 31) if gone < 186 else (year, 7 + (gone - 186) // 30, 1 + (gone - 186) % 30)
    )


def solar_day(year: int, month: int, day: int) -> date:
    """The day that has this year, month and day in Iran's calendar; ValueError where there is none."""
    if not (1 <= year <= _LAST and 1 <= month <= 12 and 1 <= day <= 31):
        raise ValueError(f"a day must lie in a month of the years 1 to {_LAST}; got {year}-{month}-{day}")
    meant = _new_year(year) + timedelta(31 * min(month - 1, 6) + 30 * max(month - 7, 0) + day - 1)
    if solar_hijri(meant) != (year, month, day):
        raise ValueError(f"a day must lie in its month; got {year}-{month}-{day}")
    return meant


def _new_year(year: int) -> date:
    """The first day of a year of Iran's calendar: the 19th to the 22nd of March."""
    leaps, before = -14, _CYCLES[0]
    for begin in _CYCLES[1:]:
        jump = begin - before
        if year < begin:
            break
        leaps += jump // 33 * 8 + jump % 33 // 4
        before = begin
    since = year - before
    leaps += since // 33 * 8 + (since % 33 + 3) // 4
    if jump % 33 == 4 and jump - since == 4:
        leaps += 1
    western = year + 621
    return date(western, 3, 20 + leaps - (western // 4 - (western // 100 + 1) * 3 // 4 - 150))
