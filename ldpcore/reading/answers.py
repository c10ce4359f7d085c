"""A count of answers as people write it down: "560 no, 340 yes", "340 ja von 900", "۳۴۰ بله از ۹۰۰".

Words say which number is which, wherever they stand; without words only "83 of 200" and "83/200" say it, and what says
nothing is refused, so that two fields can be asked for.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ldpcore.reading.notations import PLAIN, spelled_alike

LONGEST = 200  # letters
MOST_PEOPLE = 10**9  # people
Role = Literal["yes", "no", "of", "people"]
YES_WORDS = frozenset("yes yeah ja oui si sí بله بلی آری آره".split())
NO_WORDS = frozenset("no nope nein nee non نه خیر نخیر".split())  # never a single n, which counts everybody: n = 900
BEFORE_ALL = frozenset("of von aus sur از".split())  # the number of all follows
OF = BEFORE_ALL | frozenset("insgesamt total asked gesamt befragt befragte befragten کل مجموع مجموعا جمع".split())
PEOPLE = frozenset(
    "people persons person answers respondents personen leute menschen teilnehmer antworten نفر پاسخ".split()
)
BREAKS = frozenset(["and", "und", "et", "و", ",", ";", "،", "؛", "(", ")", "[", "]", "·", "+", "&"])
GROUPS = ",.'’\u00a0\u202f\ue001"  # between thousands, if three digits and no fourth follow


@dataclass(frozen=True)
class YesCount:
    """The number of people who said yes, of those who answered."""

    yes: int
    n: int


@dataclass(frozen=True)
class AnswersRefused:
    """The reason why a text is no count of answers.

    "form": it does not say which number is which, so ask for two fields; "share": shares are no counts; "sum": yes and
    no do not add up to all; "range": more yes than people, nobody, or too many; "long" and "empty".
    """

    reason: Literal["form", "share", "sum", "range", "long", "empty"]
    yes: int | None = None
    n: int | None = None


def read_answers(text: str) -> YesCount | AnswersRefused:
    """The number of yes and of people in a text, or why it cannot be used."""
    if len(text) > LONGEST:
        return AnswersRefused("long")
    plain = text.translate(PLAIN)
    if not plain.strip():
        return AnswersRefused("empty")
    if any(mark in plain for mark in "%٪‰"):
        return AnswersRefused("share")
    tokens = list(_tokens(plain))
    if any(mark in plain for mark in "<>~≈±≤≥?"):  # about so many is no count
        return AnswersRefused("form")
    if any(isinstance(token, float) for token in tokens):
        return AnswersRefused("share")
    roles = _roles(tokens)
    return AnswersRefused("form") if roles is None else _answers(roles)


def _answers(roles: dict[Role, int]) -> YesCount | AnswersRefused:
    """The numbers of yes and of all, from any two of yes, no and all, or from three that agree."""
    yes, no, n = roles.get("yes"), roles.get("no"), roles.get("of")
    if sum(value is not None for value in (yes, no, n)) < 2:
        return AnswersRefused("form")
    if yes is not None and no is not None and n is not None and yes + no != n:
        return AnswersRefused("sum", yes, n)
    if n is None:
        n = (yes or 0) + (no or 0)
    if yes is None:
        yes = n - (no or 0)
    if not (0 <= yes <= n and 1 <= n <= MOST_PEOPLE):
        return AnswersRefused("range", yes, n)
    return YesCount(yes, n)


def _roles(tokens: list[int | float | str]) -> dict[Role, int] | None:
    """The role of each number; None where a number has none, or two have the same."""
    numbered: list[tuple[Role | None, int]] = []
    spare: list[Role] = []
    for clause in _clauses(tokens):
        numbers = [int(token) for token in clause if not isinstance(token, str)]
        words = [role for role in map(_role, clause) if role is not None]
        if not numbers:  # "(no names)" says nothing, for no number stands beside it
            continue
        named = [role for role, _ in itertools.groupby(word for word in words if word != "people")]
        if clause[0] in BEFORE_ALL and len(numbers) == 1:  # "of 900 said yes": the yes is of others
            numbered.append(("of", numbers[0]))
            spare += named[1:]
        elif len(named) == len(numbers):
            numbered += zip(named, numbers, strict=True)
        elif len(numbers) == 1 and not named:
            numbered.append(("people" if words else None, numbers[0]))
        else:
            return None
    return _settled(numbered, spare)


def _settled(numbered: list[tuple[Role | None, int]], spare: list[Role]) -> dict[Role, int] | None:
    """The roles when numbers without a word get those left: "340 of 900 said no", "83/200", "900 people, 340 yes"."""
    settled: dict[Role, int] = {}
    bare = [(role, number) for role, number in numbered if role in (None, "people")]
    for role, number in numbered:
        if role not in (None, "people"):
            assert role is not None
            if role in settled:
                return None
            settled[role] = number
    if len(bare) > 1 or (spare and not bare) or len(spare) > 1:
        return None
    for role, number in bare:
        if spare or "of" in settled:
            meant: Role = spare[0] if spare else "yes"
        elif role == "people":
            meant = "of"
        else:
            return None
        if meant in settled:
            return None
        settled[meant] = number
    return settled


def _role(token: int | float | str) -> Role | None:
    if not isinstance(token, str):
        return None
    for role, words in (("yes", YES_WORDS), ("no", NO_WORDS), ("of", OF), ("people", PEOPLE)):
        if token in words:
            return role  # type: ignore[return-value]
    return None


def _clauses(tokens: list[int | float | str]) -> Iterator[list[int | float | str]]:
    """The tokens between commas, brackets and "and"; a word for all of them, before a number, begins one of its own."""
    clause: list[int | float | str] = []
    for place, token in enumerate(tokens):
        begins = token in BEFORE_ALL and any(not isinstance(later, str) for later in tokens[place + 1 : place + 3])
        if token in BREAKS or begins:
            yield clause
            clause = []
        if token not in BREAKS:
            clause.append(token)
    yield clause


def _tokens(plain: str) -> Iterator[int | float | str]:
    """Whole numbers with or without marks between thousands, words in lower case, marks; a decimal is a float."""
    place, last = 0, len(plain)
    while place < last:
        letter = plain[place]
        if letter.isdecimal() or (letter == "-" and plain[place + 1 : place + 2].isdecimal()):
            end, number = number_at(plain, place)
            yield number
            place = end
        elif letter.isalpha():
            end = place + 1
            while end < last and (plain[end].isalpha() or plain[end] == "\u200c"):
                end += 1
            yield spelled_alike(plain[place:end])
            place = end
        else:
            if letter == "/":
                yield "of"
            elif letter.isnumeric():  # a fraction or a raised digit
                yield 0.5
            elif not letter.isspace():
                yield letter
            place += 1


def number_at(plain: str, place: int) -> tuple[int, int | float]:
    """The end of the number that begins here, and its value."""
    end = place + 1
    while end < len(plain) and plain[end].isdecimal():
        end += 1
    digits, marks = plain[place:end], GROUPS + " "
    grouped = len(digits.lstrip("-")) <= 3
    while grouped:  # by one mark throughout
        mark, group, beyond = plain[end : end + 1], plain[end + 1 : end + 4], plain[end + 4 : end + 5]
        grouped = bool(mark) and mark in marks and len(group) == 3 and group.isdecimal() and not beyond.isdecimal()
        if grouped:
            digits, end, marks = digits + group, end + 4, mark
    if plain[end : end + 1] in (".", ",", "\ue000") and plain[end + 1 : end + 2].isdecimal():
        return len(plain), 0.5  # a decimal is no count, whatever follows
    return end, int(digits)
