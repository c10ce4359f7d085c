"""The conventions of a language for digits, signs, lists and plurals: the Unicode consortium's data (CLDR).

All of it is looked up once per language; a number is then translated sign by sign from its neutral form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache

from babel import Locale
from babel.lists import format_list
from babel.numbers import get_decimal_symbol

from explorer.text.numerals import NARROW

PSEUDO = "qps"  # the pseudo-language: English texts, in the digits and the direction of Persian
_ZEROS = {"latn": "0", "arab": "\u0660", "arabext": "\u06f0", "deva": "\u0966", "beng": "\u09e6"}
_SIMPLE = frozenset("0123456789." + NARROW)  # what stands in the right order whatever the direction of the sentence
_GROUPED = re.compile(rf"(?<=\d){NARROW}(?=\d{{3}})")
_LEFT_TO_RIGHT, _AS_IT_IS, _END = "\u2066", "\u2068", "\u2069"  # isolates: invisible, keep the order of what is inside

SOLAR_MONTHS = (
    *("فروردین", "اردیبهشت", "خرداد", "تیر", "مرداد", "شهریور"),
    *("مهر", "آبان", "آذر", "دی", "بهمن", "اسفند"),
)
_CYCLES = (-61, 9, 38, 199, 426, 686, 756, 818, 1111, 1181, 1210, 1635, 2060, 2097, 2192, 2262, 2324, 2394, 2456, 3178)


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


@dataclass(frozen=True)
class Conventions:
    """The conventions of a language for numbers, lists and data in a sentence."""

    locale: Locale
    plural: Callable[[Decimal], str]
    direction: str
    decimal: str
    group: str  # between groups of three digits: the house's narrow space, or the sign that belongs to other digits
    signs: dict[int, str]  # from the neutral signs to those of the language

    @property
    def separators(self) -> str:
        """The decimal sign and the sign between groups, as Plotly wants them."""
        return self.decimal + self.group

    @property
    def zero(self) -> str:
        """The digit 0."""
        return self.signs[ord("0")]

    @property
    def formula_decimal(self) -> str:
        """The decimal sign inside a formula, whose fonts have the digits 0 to 9 alone; braces keep a comma close."""
        return "{,}" if self.decimal == "," else "."

    def number(self, neutral: str) -> str:
        """A neutral number in the digits of the language."""
        written = _GROUPED.sub(self.group, neutral).translate(self.signs)
        if self.zero != "0":
            written = written.replace(NARROW + self.signs[ord("%")], self.signs[ord("%")])  # Persian sets it close
        if self.direction == "ltr" or _SIMPLE.issuperset(neutral):
            return written
        return _LEFT_TO_RIGHT + written + _END

    def data(self, text: str) -> str:
        """Data that may read in the other direction than the sentence around them."""
        return text if self.direction == "ltr" else _AS_IT_IS + text + _END

    def day(self, value: date) -> str:
        """`29 Feb 2024`, `29.02.2024`; in Persian by the calendar of Iran."""
        if self.locale.language == "fa" and value.year > 621:
            year, month, day = solar_hijri(value)
            return f"{day} {SOLAR_MONTHS[month - 1]} {year}".translate(self.signs)
        from babel.dates import format_date  # where a day is told: no first picture tells one

        return format_date(value, "medium", self.locale)

    def listed(self, items: Sequence[str]) -> str:
        """`a, b and c`."""
        return format_list(items, locale=self.locale)


@lru_cache(maxsize=32)
def conventions_of(language: str) -> Conventions:
    """The conventions of a language; English joins lists without a comma before the last item, as the pages do."""
    own = {PSEUDO: "fa", "en": "en_GB"}.get(language, language)
    locale = Locale.parse(own)
    system = locale.default_numbering_system
    symbols = locale.number_symbols[system]
    decimal = get_decimal_symbol(locale, numbering_system=system)
    zero = _ZEROS.get(system, "0")
    signs = {ord("0") + digit: chr(ord(zero) + digit) for digit in range(10)}
    signs |= {ord("."): decimal, ord("%"): symbols["percentSign"].strip("\u200e\u200f\u061c")}
    plural = Locale.parse("en" if language == PSEUDO else own).plural_form
    group = NARROW if zero == "0" else symbols["group"]
    return Conventions(locale, plural, locale.text_direction, decimal, group, signs)
