"""Typed numbers and days, in their writer's own notation; a text with two meanings is answered by a question.

A table's own reading decides how its marks are meant, else the language of the page; `ldpcore.reading.notations` reads.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

from explorer.facts import Day, Exact, Name, Quantity, Said
from explorer.text import LANGUAGE
from explorer.text.catalogue import catalogue_of
from explorer.text.conventions import conventions_of
from ldpcore.reading.calendars import solar_hijri
from ldpcore.reading.notations import (
    ENGLISH,
    GERMAN,
    PERSIAN,
    SOLAR_YEARS,
    UNSEEN,
    Ambiguous,
    Notation,
    Unreadable,
    read_day,
    read_number,
)
from ldpcore.tables.table import shortened

if TYPE_CHECKING:
    from ldpcore.reading.readings import Reading

NumberOrDay = float | date
_PERSIAN_MARK, _PERSIAN_PERCENT = "\u066b", "\u066a"
_PERSIAN_DIGITS = str.maketrans("0123456789", "۰۱۲۳۴۵۶۷۸۹")
_LANGUAGES = {".": ENGLISH, ",": GERMAN, _PERSIAN_MARK: PERSIAN}


class AskError(ValueError):
    """A question that cannot be asked, and the reason as the catalogue says it."""

    def __init__(self, key: str, **facts: Quantity) -> None:
        self.reason = Said.of(f"asking.{key}", **facts)
        super().__init__(catalogue_of(LANGUAGE).write(self.reason))


class DoubtError(AskError):
    """A text that means one of two values; only its writer knows which."""

    def __init__(self, text: str, meant: Ambiguous) -> None:
        self.text, self.meant = text, (meant.first, meant.second)
        first, second = map(value_fact, self.meant)
        super().__init__("doubt", text=Name(shortened(text)), first=first, second=second)


@dataclass(frozen=True)
class Habits:
    """The habits of a reader in writing numbers: the marks, and whether a table has shown what they mean.

    `month_first` is known of a table whose days say so.
    """

    notation: Notation = ENGLISH
    sure: bool = False
    month_first: bool | None = None

    @classmethod
    def of(cls, language: str, reading: Reading | None = None) -> Habits:
        """The habits of a language; of a table, as far as its reading tells: cells of a workbook have no marks."""
        spoken = _LANGUAGES.get(conventions_of(language).decimal, ENGLISH)
        if reading is None:
            return cls(spoken)
        if reading.sheet and reading.decimal == "." and not reading.thousands:
            reading = replace(reading, decimal=spoken.decimal)
        month_first = True if reading.month_first else None
        if reading.thousands:
            return cls(Notation(reading.decimal, reading.thousands), sure=True, month_first=month_first)
        own = spoken if spoken.decimal == reading.decimal else Notation(reading.decimal)
        return cls(own, month_first=month_first)

    def number(self, text: str) -> float:
        """The number in a text, refused where there is none or where there are two.

        A language is only a guess: its mark between thousands is taken at its word, three digits behind its decimal
        mark are not, for they are thousands to others.
        """
        believed = self.sure or (self.notation.thousands and self.notation.thousands in text)
        meant = read_number(text, self.notation if believed else replace(self.notation, thousands=""))
        if isinstance(meant, Unreadable):
            raise AskError("no_number", text=Name(shortened(meant.text)))
        if isinstance(meant, Ambiguous):
            raise DoubtError(text, meant)
        return int(meant) if meant == int(meant) and abs(meant) < 2**53 else meant

    def between(self, text: str, low: float, high: float, whole: bool = False) -> float:
        """The number in a text that lies in a range; of two possible ones, the only one that does."""
        bare = text.translate(UNSEEN).strip()
        share = bare.endswith(("%", _PERSIAN_PERCENT)) and high <= 1
        plain = bare[:-1] if share else text
        try:
            meant = [self.number(plain)]
        except DoubtError as doubt:
            meant = [value for value in doubt.meant if not isinstance(value, date)]
        values = [value / 100 if share else value for value in meant]
        fitting = [value for value in values if low <= value <= high and (value == int(value) or not whole)]
        if len(fitting) > 1:
            first, second = map(Exact, fitting)
            raise AskError("doubt_between", text=Name(shortened(text)), first=first, second=second)
        if not fitting:
            key = "whole_outside" if whole else "number_outside"
            raise AskError(key, text=Name(shortened(text)), low=Exact(low), high=Exact(high))
        return int(fitting[0]) if whole else fitting[0]

    def day(self, text: str) -> date:
        """The day in a text; refused where there is none or where there are two."""
        meant = read_day(text, self.month_first)
        if isinstance(meant, Unreadable):
            key = "no_year" if meant.reason == "year" else "no_date"
            raise AskError(key, text=Name(shortened(meant.text)))
        if isinstance(meant, Ambiguous):
            raise DoubtError(text, meant)
        return meant

    def read(self, text: str, kind: str) -> NumberOrDay:
        """A number or a day, as the column's kind asks."""
        return self.day(text) if kind == "date" else self.number(text)

    def respelled(self, text: str, kind: str = "number") -> str:
        """A text of a link as these habits type it; one that is no value stays."""
        try:
            return self.spelled(PLAIN.read(text, kind))
        except AskError:
            return text

    def spelled(self, value: NumberOrDay) -> str:
        """A value as it is typed, so that these habits read it back: 0,5 or 60000 or 31.12.2024."""
        if self.notation == PERSIAN:
            return _in_persian(value)
        if isinstance(value, date):
            return value.strftime("%d.%m.%Y") if self.notation.decimal == "," else value.isoformat()
        mantissa, marked, power = plain_number(value).partition("e")
        whole, point, fraction = mantissa.partition(".")
        if len(fraction) == 3 and not self.sure:
            fraction += "0"  # 1.125 means 1125 to others; 1.1250 does to nobody
        return whole + (self.notation.decimal if point else "") + fraction + marked + power


def _in_persian(value: NumberOrDay) -> str:
    """A value in Persian digits, a day by the calendar of Iran: no mark of theirs means anything else to others."""
    if isinstance(value, date):
        year, month, day = solar_hijri(value) if value.year > SOLAR_YEARS[0] + 621 else (0, 0, 0)
        return f"{year}/{month:02}/{day:02}".translate(_PERSIAN_DIGITS) if year in SOLAR_YEARS else value.isoformat()
    plain = plain_number(value)
    if "e" in plain and 1e-7 < abs(value) < 1e15:
        plain = f"{Decimal(plain):f}"
    return plain.replace(".", _PERSIAN_MARK).translate(_PERSIAN_DIGITS)


PLAIN = Habits(ENGLISH, sure=True)  # how links and the page itself write


def plain_number(value: float) -> str:
    """A number as links write it: every digit, no grouping."""
    return repr(int(value)) if value == int(value) and abs(value) < 2**53 else repr(float(value))


def plain(value: NumberOrDay) -> str:
    """A number or a day as links write it."""
    return value.isoformat() if isinstance(value, date) else plain_number(value)


def value_fact(value: NumberOrDay) -> Quantity:
    """A number or a day as a quantity for texts."""
    return Day(value) if isinstance(value, date) else Exact(value)
