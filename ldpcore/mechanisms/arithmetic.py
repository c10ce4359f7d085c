"""The level on a real computer: coins of exact probabilities have an exact level, floating-point noise has not.

A level is proved for real numbers. `toss` and NumPy's bounded integers meet a probability to the last binary digit, so
that the chances of reports made of them are fractions, and the largest ratio of two of them is a fraction too. They
presume a generator whose bits are fair: `ldpcore.randomness.secure()` takes those of the operating system.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

GRID = 2**53  # `Generator.random` draws multiples of 1/GRID

EXACT = "drawn by coins and whole numbers alone: the probabilities are fractions, and this is their level"
AT_MOST = "drawn by coins and whole numbers alone: the probabilities are fractions, and their level is at most this"
BITS = "drawn by a coin on the grid of 2^-53: the probabilities are fractions, and this is their level"
WHOLE = (
    "whole numbers, so that no digit behind the point betrays anything; drawn through floating-point logarithms, which "
    "are right to some 2^-50 of each probability and cut off what is rarer than 2^-53: no exact level is claimed"
)
FINITE = (
    "one of finitely many reports, drawn by comparing a multiple of 2^-53 with floating-point chances, which are right "
    "to some 2^-50: no exact level is claimed"
)
FLOATING = (
    "floating-point numbers: which of them can come out at all depends on the value, in the last digits, so that the "
    "level, which holds for real numbers, is not kept against someone who reads them all (Mironov 2012); where that "
    "matters, take a mechanism whose reports are whole numbers or bits"
)
UNBOUNDED = "some report is possible for one value only at these probabilities, so that no level holds"


@dataclass(frozen=True)
class Arithmetic:
    """The level that the machine keeps, with its odds e^ε as a fraction, or None; and the reason, in words.

    >>> import ldpcore
    >>> exact = ldpcore.build("grr", 1.0, 3).arithmetic()
    >>> abs(exact.epsilon - 1.0) < 1e-15
    True
    >>> ldpcore.build("locallaplace", 1.0, ldpcore.Numbers(0, 1)).arithmetic().epsilon is None
    True
    """

    odds: Fraction | None
    words: str

    @property
    def epsilon(self) -> float | None:
        """The level of the fractions, rounded once: ln of the odds; infinite where a report proves its value."""
        if self.odds is None:
            return None
        excess = self.odds - 1
        # ln(1 + x) keeps the digits of small levels.
        return (
            math.log1p(float(excess)) if excess < 1 else math.log(self.odds.numerator) - math.log(self.odds.denominator)
        )


def coined(drawn: float, k: int) -> Arithmetic:
    """Exact: with this probability all k reports are drawn alike, otherwise the own one is sent."""
    # The own one has 1 - λ + λ/k, any other λ/k.
    chance = min(Fraction(drawn), Fraction(1))
    return Arithmetic((1 - chance + chance / k) / (chance / k), EXACT)


def one_bit(first: float, second: float) -> Arithmetic:
    """Exact: one bit is 1 with either of two chances, each met by a number on the grid of 2^-53."""
    a, b = _on_grid(first), _on_grid(second)
    pairs = ((a, b), (b, a), (1 - a, 1 - b), (1 - b, 1 - a))
    if any(not below and above for above, below in pairs):
        return Arithmetic(None, UNBOUNDED)  # a report that proves its value
    return Arithmetic(max((above / below for above, below in pairs if below), default=Fraction(1)), BITS)


def _on_grid(chance: float) -> Fraction:
    """The probability that a multiple of 1/GRID is below a chance."""
    return Fraction(math.ceil(Fraction(chance) * GRID), GRID)
