"""Numbers and days as people write them: in a given notation, or in any where they cannot be mistaken.

"60.000" is sixty to some and sixty thousand to others: what can be taken two ways is a value that says both, and what
cannot be read is a value that says why. No pattern is used, and what is too long is refused before it is looked at.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Literal

from ldpcore.reading.calendars import SOLAR_MONTHS, solar_day

LONGEST = 64  # letters of a number or a day
BLANKS = " \u00a0\u202f\u2009'’"  # between thousands only
ZEROS = (0x6F0, 0x660)  # of the Persian and of the Arabic digits
UNSEEN = dict.fromkeys((0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)))  # turn texts around
PLAIN = UNSEEN | str.maketrans(
    {"\u2212": "-", "\u066b": "\ue000", "\u066c": "\ue001"}  # a minus sign, and the marks of these digits
    | {chr(zero + digit): str(digit) for zero in ZEROS for digit in range(10)}
)
_BETWEEN = UNSEEN | str.maketrans("−;|؛،", "-    ")
_PERSIAN_DIGITS = frozenset(chr(ZEROS[0] + digit) for digit in range(10))
SOLAR_YEARS = range(1200, 1500)  # years in Persian digits that are years of Iran's calendar: 1821 to 2120
_LETTERS = str.maketrans("يىك", "ییک") | dict.fromkeys((0x640, *range(0x64B, 0x653)))  # of Arabic keyboards
MONTHS = (
    ("january", "jan", "januar", "jänner", "ژانویه"),
    ("february", "feb", "februar", "فوریه"),
    ("march", "mar", "märz", "mrz", "مارس"),
    ("april", "apr", "آوریل"),
    ("may", "mai", "مه", "می"),
    ("june", "jun", "juni", "ژوئن"),
    ("july", "jul", "juli", "ژوئیه", "جولای"),
    ("august", "aug", "اوت", "آگوست"),
    ("september", "sep", "sept", "سپتامبر"),
    ("october", "oct", "oktober", "okt", "اکتبر"),
    ("november", "nov", "نوامبر"),
    ("december", "dec", "dezember", "dez", "دسامبر"),
)


@dataclass(frozen=True)
class Notation:
    """A decimal mark and a mark between thousands; an empty one says that nothing is known of such a mark."""

    decimal: str = "."
    thousands: str = ""


ENGLISH, GERMAN = Notation(".", ","), Notation(",", ".")
PERSIAN = Notation("\ue000", "\ue001")  # the marks of its own digits, as `PLAIN` writes them
EVERY = (ENGLISH, GERMAN, PERSIAN)


def in_latin(text: str) -> str:
    """A text with its Persian and Arabic numbers as programs write them: digits 0 to 9, a point, nothing in between.

    What stands between digits and is no mark between thousands stays, so that no reader takes it for a number.
    """
    if text.isascii():
        return text
    first, *rest = text.translate(PLAIN).replace(PERSIAN.decimal, ".").split(PERSIAN.thousands)
    made, before = [first], first
    for piece in rest:
        thousands = len(piece) >= 3 and _all_digits(piece[:3]) and not _all_digits(piece[3:4])
        fits = thousands and 1 <= _digits_at_end(before) <= 3
        made += [piece] if fits else ["\u066c", piece]
        before = piece
    return "".join(made)


def parts_of(text: str) -> list[str]:
    """The numbers of a line with blanks, semicolons or strokes between them, in any script, each as it is written."""
    return text.translate(_BETWEEN).split()


def float_of(part: str) -> float:
    """The number of such a part, with a decimal point or a decimal comma; ValueError where it is none."""
    return float(in_latin(part).replace(",", "."))


def _digits_at_end(text: str) -> int:
    """The number of digits that end a text, four at most."""
    end = text[-4:]
    return next((place for place, letter in enumerate(reversed(end)) if not _all_digits(letter)), len(end))


def spelled_alike(words: str) -> str:
    """Words in small letters, however a Persian keyboard writes them: its letters, and a blank for a joiner."""
    return " ".join(words.lower().translate(_LETTERS).translate(UNSEEN).replace("\u200c", " ").split())


@dataclass(frozen=True)
class Ambiguous:
    """Two numbers or two days that one text may mean."""

    first: float | date
    second: float | date


@dataclass(frozen=True)
class Unreadable:
    """A text that is no number or no day: nothing at all, too long, two digits of a year, or another form."""

    reason: Literal["empty", "long", "year", "form"]
    text: str = ""


def read_number(text: str, notation: Notation | None = None) -> float | Ambiguous | Unreadable:
    """The number in a text; whole ones are whole numbers of Python.

    A notation decides how its own marks are meant. Without one, or where it knows no mark between thousands, a text
    that two notations read differently is `Ambiguous`, what the notation says first. What does not fit the notation at
    all is read in the others if it can be read in one way only.
    """
    plain = _plain(text)
    if isinstance(plain, Unreadable):
        return plain
    others = [value for value in (_in(plain, other) for other in EVERY) if value is not None]
    own = _in(plain, notation) if notation is not None else None
    if own is not None and notation is not None and notation.thousands:
        return own
    readings = list(dict.fromkeys(others if own is None else [own, *others]))
    if not readings:
        return Unreadable("form", _as_written(text))
    return readings[0] if len(readings) == 1 else Ambiguous(readings[0], readings[1])


def _plain(text: str) -> str | Unreadable:
    """The text without blanks around it, its digits and signs in their plain form."""
    if len(text) > LONGEST:
        return Unreadable("long", text[:LONGEST])
    plain = text.translate(PLAIN).strip()
    return plain or Unreadable("empty")


def _as_written(text: str) -> str:
    """The text as its writer sees it, for the sentence that refuses it."""
    return text.translate(UNSEEN).strip()


def _in(plain: str, notation: Notation) -> float | None:
    """The number that a text is in this notation; None where it is none."""
    sign = -1 if plain.startswith("-") else 1
    mantissa, marked, power = (plain[1:] if plain[:1] in ("-", "+") else plain).lower().partition("e")
    whole, point, fraction = mantissa.partition(notation.decimal)
    digits = _grouped(whole, notation.thousands) if whole else ""
    if digits is None or not (digits or fraction) or not _all_digits(fraction, empty=True):
        return None
    if not point and not marked:
        return sign * int(digits)
    exponent = power[1:] if power[:1] in ("-", "+") else power
    if marked and not (_all_digits(exponent) and len(exponent) <= 3):
        return None
    value = float(f"{digits or 0}.{fraction or 0}e{power or 0}")
    return sign * value if math.isfinite(value) else None


def _grouped(whole: str, thousands: str) -> str | None:
    """The digits of a whole part, with or without one kind of mark between thousands; None where it is none."""
    if _all_digits(whole):
        return whole
    for mark in (thousands, *BLANKS) if thousands else BLANKS:
        first, *rest = whole.split(mark)
        # Nobody writes a zero before a mark between thousands: 0.500 is a half.
        fits = _all_digits(first) and len(first) <= 3 and first[0] != "0"
        if rest and fits and all(len(group) == 3 and _all_digits(group) for group in rest):
            return first + "".join(rest)
    return None


def _all_digits(text: str, empty: bool = False) -> bool:
    return (text.isascii() and text.isdigit()) or (empty and not text)


def read_day(text: str, month_first: bool | None = None) -> date | Ambiguous | Unreadable:
    """The day in a text: 2024-12-31, 31.12.2024, 31 December 2024, Dec 31, 2024; a year has four digits.

    Points put the day first. Slashes and hyphens may put either first: where both are days they are `Ambiguous`, day
    first, unless `month_first` decides. A year from ۱۲۰۰ to ۱۴۹۹ in Persian digits is one of Iran's calendar.
    """
    plain, solar = _plain(text), not _PERSIAN_DIGITS.isdisjoint(text)
    if isinstance(plain, Unreadable):
        return plain
    unread = Unreadable("form", _as_written(text))
    parts = list(_parts(plain))
    if len(parts) != 3:
        return unread
    named = [place for place, part in enumerate(parts) if not part.isdigit()]
    if named:
        return _named_day(parts, named, solar) or unread
    marks = {letter for letter in plain if letter in "./-"}
    if len(marks) != 1 or any(letter.isspace() or letter == "," for letter in plain):
        return unread
    if len(parts[0]) == 4:
        return day_of(parts[0], parts[1], parts[2], solar) or unread
    if len(parts[2]) != 4:
        return Unreadable("year", _as_written(text))
    first, second = day_of(parts[2], parts[1], parts[0], solar), day_of(parts[2], parts[0], parts[1], solar)
    if marks == {"."} or month_first is False:
        second = None if first or marks == {"."} else second
    elif month_first:
        first = None if second else first
    days = list(dict.fromkeys(day for day in (first, second) if day))
    if not days:
        return unread
    return days[0] if len(days) == 1 else Ambiguous(days[0], days[1])


def _parts(plain: str) -> Iterator[str]:
    """The runs of digits and the runs of letters, whatever stands between them."""
    run = ""
    for letter in plain + " ":
        kind = letter.isdigit() if letter.isalnum() else None
        if run and (kind is None or kind != run[0].isdigit()):
            yield run
            run = ""
        if kind is not None:
            run += letter


def _named_day(parts: list[str], named: list[int], solar: bool) -> date | None:
    """A day whose month is a word: the year is the number of four digits."""
    word = spelled_alike(parts[named[0]])
    if word in SOLAR_MONTHS:
        month, solar = str(SOLAR_MONTHS.index(word) + 1), True
    else:
        month = next((str(at) for at, names in enumerate(MONTHS, start=1) if word in names), "")
    numbers = sorted((part for place, part in enumerate(parts) if place != named[0]), key=len)
    if len(named) > 1 or not month or len(numbers[1]) != 4 or len(numbers[0]) > 2:
        return None
    return day_of(numbers[1], month, numbers[0], solar)


def day_of(year: str, month: str, day: str, solar: bool = False) -> date | None:
    """The day of these digits; `solar`, where a year of Iran's calendar is one of that."""
    if len(year) != 4 or not (1 <= len(month) <= 2 and 1 <= len(day) <= 2):
        return None
    if not all(map(_all_digits, (year, month, day))) or int(year) < 1000:
        return None
    try:
        return (solar_day if solar and int(year) in SOLAR_YEARS else date)(int(year), int(month), int(day))
    except ValueError:
        return None
