"""What a computer makes of a level: coins of exact probabilities have an exact level, floating-point noise has not.

A level is proved for real numbers. `toss` and NumPy's bounded integers meet a probability to the last binary digit, so
that the chances of reports made of them are fractions, and the largest ratio of two of them is a fraction too. They
presume a generator whose bits are fair: `ldpcore.randomness.secure()` takes those of the operating system.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ldpcore.mechanisms.base import Mechanism
from ldpcore.mechanisms.bloomrandomizer import BloomRandomizer
from ldpcore.mechanisms.coins import TwoCoins
from ldpcore.mechanisms.coordinates import CoordinateByCoordinate
from ldpcore.mechanisms.discretelaplace import DiscreteLaplaceMechanism
from ldpcore.mechanisms.exponential import ExponentialMechanism
from ldpcore.mechanisms.geometric import LocalGeometric
from ldpcore.mechanisms.grr import DirectAnswer
from ldpcore.mechanisms.hadamard import HadamardResponse
from ldpcore.mechanisms.hashing import LocalHashing
from ldpcore.mechanisms.hypercube import HypercubeSampling
from ldpcore.mechanisms.noisymax import ReportNoisyMax
from ldpcore.mechanisms.onebit import BinaryMechanism
from ldpcore.mechanisms.subset import SubsetSelection
from ldpcore.mechanisms.unary import UnaryEncoding

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


@dataclass(frozen=True)
class Arithmetic:
    """What the machine promises: the exact level and its odds e^ε as a fraction, or None, and why, in words.

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


def _direct(mechanism: DirectAnswer) -> Fraction:
    # With probability λ all k are drawn alike: own 1 - λ + λ/k, any other λ/k.
    return _mixed(Fraction(mechanism.k * mechanism.q), mechanism.k)


def _hashed(mechanism: LocalHashing) -> Fraction:
    return _mixed(Fraction(mechanism.g * mechanism.p * math.exp(-mechanism.epsilon)), mechanism.g)


def _mixed(drawn: Fraction, k: int) -> Fraction:
    drawn = min(drawn, Fraction(1))
    return (1 - drawn + drawn / k) / (drawn / k)


def _unary(mechanism: UnaryEncoding) -> Fraction:
    # Two rows differ in two bits: the own one is 0 with probability miss, any other 1 with q.
    miss, q = Fraction(mechanism.miss), Fraction(mechanism.q)
    return max((1 - miss) / q, q / (1 - miss)) * max((1 - q) / miss, miss / (1 - q))


def _hadamard(mechanism: HadamardResponse) -> Fraction:
    wrong = Fraction(math.exp(-mechanism.epsilon) * mechanism.p)
    return (1 - wrong) / wrong


def _subset(mechanism: SubsetSelection) -> Fraction:
    # With probability 1 - λ the own value is put in for certain; each of the C(k-1, ω-1) sets that hold it is as likely
    # as any other, and all C(k, ω) are where nothing is put in: their numbers are as k to ω.
    free, k, omega = min(Fraction(mechanism.free), Fraction(1)), mechanism.k, mechanism.omega
    return ((1 - free) * Fraction(k, omega) + free) / free


def _bloom(mechanism: BloomRandomizer) -> Fraction:
    kept, raised = Fraction(mechanism.reported.kept), Fraction(mechanism.reported.raised)
    return (kept * (1 - raised) / (raised * (1 - kept))) ** int(mechanism.parameters()["hashes"])


def _on_grid(chance: float) -> Fraction:
    """The probability that a multiple of 1/GRID is below a chance."""
    return Fraction(math.ceil(Fraction(chance) * GRID), GRID)


def _bit(mechanism: BinaryMechanism) -> Fraction | None:
    return _ratio(*(_on_grid(float(mechanism.chances(np.array(end)))) for end in mechanism.extremes()))


def _coins(mechanism: TwoCoins) -> Fraction | None:
    return _ratio(_on_grid(mechanism.yes_given_yes), _on_grid(mechanism.yes_given_no))


def _ratio(first: Fraction, second: Fraction) -> Fraction | None:
    pairs = ((first, second), (second, first), (1 - first, 1 - second), (1 - second, 1 - first))
    if any(not below and above for above, below in pairs):
        return None  # a report that proves its value
    return max((above / below for above, below in pairs if below), default=Fraction(1))


COUNTED: tuple[tuple[type[Mechanism], Callable[[Any], Fraction | None], str], ...] = (
    (DirectAnswer, _direct, EXACT),
    (LocalHashing, _hashed, EXACT),
    (UnaryEncoding, _unary, EXACT),
    (HadamardResponse, _hadamard, EXACT),
    (SubsetSelection, _subset, EXACT),
    (BloomRandomizer, _bloom, AT_MOST),
    (TwoCoins, _coins, BITS),
    (BinaryMechanism, _bit, BITS),
)
NOT_FLOATING: tuple[tuple[type[Mechanism], str], ...] = (
    (LocalGeometric, WHOLE),
    (DiscreteLaplaceMechanism, WHOLE),
    (HypercubeSampling, FINITE),
    (ExponentialMechanism, FINITE),
    (ReportNoisyMax, FINITE),
)
UNBOUNDED = "some report is possible for one value only at these probabilities, so that no level holds"


def arithmetic_of(mechanism: Mechanism) -> Arithmetic:
    """What the machine promises of a mechanism: read off how its reports are drawn."""
    for kind, odds, words in COUNTED:
        if isinstance(mechanism, kind):
            exact = odds(mechanism)
            return Arithmetic(exact, words if exact is not None else UNBOUNDED)
    if isinstance(mechanism, CoordinateByCoordinate):
        # Which coordinates are asked for is drawn without looking at their values; each is sent by the same mechanism.
        inner = arithmetic_of(mechanism.inner)
        return Arithmetic(None if inner.odds is None else inner.odds**mechanism.m, inner.words)
    return Arithmetic(None, next((words for kind, words in NOT_FLOATING if isinstance(mechanism, kind)), FLOATING))
