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

from explorer.text.bidirectional import AS_IT_IS, END, LEFT_TO_RIGHT
from explorer.text.numerals import NARROW
from ldpcore.reading.calendars import SOLAR_MONTHS, solar_hijri

PSEUDO = "qps"  # the pseudo-language: English texts, in the digits and the direction of Persian
_ZEROS = {"latn": "0", "arab": "\u0660", "arabext": "\u06f0", "deva": "\u0966", "beng": "\u09e6"}
_SIMPLE = frozenset("0123456789." + NARROW)  # what stands in the right order whatever the direction of the sentence
_GROUPED = re.compile(rf"(?<=\d){NARROW}(?=\d{{3}})")


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
        return LEFT_TO_RIGHT + written + END

    def data(self, text: str) -> str:
        """Data that may read in the other direction than the sentence around them."""
        return text if self.direction == "ltr" else AS_IT_IS + text + END

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
