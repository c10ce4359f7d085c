"""The privacy account: levels add up under sequential composition, exactly as they are written.

Levels are decimal numbers and their sum is a decimal number: ten times 0.1 is 1, where binary floating point gives
0.9999999999999999 and would let an eleventh question through on another day.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, InvalidOperation
from numbers import Rational

from ldpcore.questions import Public
from ldpcore.refusals import Refusal

MOST_DIGITS = 40
# Sums of levels with at most 40 places on either side of the point need no more than 80 digits and a few for carries.
_EXACT = Context(prec=160, Emax=MAX_EMAX, Emin=MIN_EMIN)


class BudgetError(Refusal):
    """A question that the account refuses, in one sentence: the object, the rule and the value."""


def level_of(value: str | int | float | Decimal) -> Decimal:
    """A privacy level as it is written: "0.1" and 0.1 are one tenth, not the nearest binary fraction."""
    text = repr(value) if isinstance(value, float) else str(value).strip()
    try:
        level = Decimal(text)
    except InvalidOperation:
        raise BudgetError("level_no_number", got=text[:40]) from None
    if not level.is_finite() or level <= 0:
        raise BudgetError("level_outside", got=text[:40])
    # `as_tuple` rather than `adjusted`: digits are counted on both sides of the point as they are written in full.
    _, digits, exponent = level.as_tuple()
    if len(digits) + max(int(exponent), 0) > MOST_DIGITS or -int(exponent) > MOST_DIGITS:
        raise BudgetError("level_digits", most=MOST_DIGITS, got=text[:40])
    return level


def _whole(times: int) -> int:
    if isinstance(times, bool) or not isinstance(times, Rational) or times != int(times) or not 1 <= times <= 10**18:
        raise BudgetError("times_not_whole", got=times)
    return int(times)


def spent(level: str | int | float | Decimal, times: int) -> Decimal:
    """The joint cost of `times` releases of one level: N ε, exactly."""
    return _EXACT.multiply(level_of(level), Decimal(_whole(times)))


@dataclass(frozen=True)
class LedgerEntry:
    """One line of the account: a question, its level, and how often it was asked."""

    question: str
    level: Decimal
    times: int = 1

    @property
    def cost(self) -> Decimal:
        """The level times the number of times it was asked."""
        return _EXACT.multiply(self.level, Decimal(self.times))


@dataclass(frozen=True)
class Ledger(Public):
    """A total level and the questions paid from it; what exceeds the total is refused before it is answered.

    Sequential composition: releases with levels ε₁ ... ε_m about the same people are together (Σ ε_i)-private.
    Dwork, McSherry, Nissim, Smith (2006), Calibrating noise to sensitivity.
    """

    total: Decimal
    entries: tuple[LedgerEntry, ...] = ()

    @classmethod
    def of(cls, total: str | int | float | Decimal) -> Ledger:
        """An empty account with this total."""
        return cls(level_of(total))

    @property
    def spent(self) -> Decimal:
        """The exact sum of all costs."""
        total = Decimal(0)
        for entry in self.entries:
            total = _EXACT.add(total, entry.cost)
        return total

    @property
    def left(self) -> Decimal:
        """The level that is left to spend."""
        return _EXACT.subtract(self.total, self.spent)

    def affordable(self, level: str | int | float | Decimal) -> int:
        """The number of further questions of this level that fit."""
        return int(_EXACT.divide_int(self.left, level_of(level)))

    def asked(self, question: str, level: str | int | float | Decimal, times: int = 1) -> Ledger:
        """The account after one more question; refused where it costs more than is left."""
        entry = LedgerEntry(question, level_of(level), _whole(times))
        if entry.cost > self.left:
            left, total, got = (_shortest(amount) for amount in (self.left, self.total, entry.cost))
            raise BudgetError("budget_exceeded", left=left, total=total, got=got)
        return replace(self, entries=(*self.entries, entry))

    def without(self, place: int) -> Ledger:
        """The account without the entry at a place, for a plan that is still being made."""
        return replace(self, entries=self.entries[:place] + self.entries[place + 1 :])

    def running(self) -> tuple[Decimal, ...]:
        """The level spent after each entry."""
        return tuple(replace(self, entries=self.entries[: place + 1]).spent for place in range(len(self.entries)))

    def floating(self) -> float:
        """The sum in binary floating point, one question after the other; for comparison only.

        At most the first 10⁵ questions are added.
        """
        total, questions = 0.0, 0
        for entry in self.entries:
            for _ in range(min(entry.times, 100_000 - questions)):
                total += float(entry.level)
            questions += min(entry.times, 100_000 - questions)
        return total


def _shortest(level: Decimal) -> Decimal:
    return Decimal(written(level))


def written(level: Decimal) -> str:
    """A decimal number in full and without empty decimals: 1, 0.1, 100000."""
    text = f"{level:f}"
    return (text.rstrip("0").rstrip(".") or "0") if "." in text else text
