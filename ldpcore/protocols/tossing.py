"""Tosses of a phone: whole weights over 2⁵³, so that the law of what it sends is exact, rounding included.

A phone draws whole numbers below 2⁵³ until one lies below the sum of all weights, and sends the report that the number
falls to when the weights are laid side by side. A likelier report weighs `near`, a rarer one `far`, and near/far is
rounded down: the level of what is sent, ln(near/far), is known exactly and never exceeds the one that was promised.
Each toss is one of the registered mechanisms at that level, so that estimates, errors and intervals are its own.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Annotated, ClassVar

import numpy as np

from ldpcore.mechanisms.base import CategoryRandomizer, NumberRandomizer, ReportTally
from ldpcore.mechanisms.grr import GeneralizedRandomizedResponse, RandomizedResponse
from ldpcore.mechanisms.onebit import OneBit
from ldpcore.mechanisms.piecewise import PiecewiseMechanism
from ldpcore.mechanisms.subset import SubsetSelection
from ldpcore.parameters import Declared, Epsilon, Interval, ParameterError, declaration

UNIT = 1 << 53  # the whole numbers below it are drawn with equal chances, and a double holds each of them
MOST_ANSWERS = 12  # of one question; C(12, 6) = 924 sets are laid side by side at most
GRID = 1 << 20  # cells between the left ends of the pieces of the smallest and the largest number
MOST_LEVEL = 15.0  # of a piece: at a higher one it has so few cells that rounding their number adds to the variance
DIGITS = 60  # of e^ε and of logarithms of weights
TOSS_BARS = 32  # stretches of the reports of the piecewise mechanism that are counted, for a picture

AnswerCount = Annotated[int, Interval("k", 2, MOST_ANSWERS, (2, MOST_ANSWERS), integer=True)]
GridSteps = Annotated[int, Interval("S", 1, 1000, (1, 1000), integer=True)]
Weight = Annotated[int, Interval("w", 1, UNIT, (1, UNIT), scale="log", integer=True)]
Size = Annotated[int, Interval(r"\omega", 1, MOST_ANSWERS - 1, (1, MOST_ANSWERS - 1), integer=True)]
Report = int | tuple[int, ...]


def power(epsilon: float) -> Fraction:
    """e^ε, rounded down at the sixtieth digit."""
    declaration(Epsilon).check("epsilon", epsilon)
    with localcontext(prec=DIGITS):
        return Fraction(Decimal(epsilon).exp().next_minus())


def logarithm(ratio: Fraction) -> float:
    """ln of a ratio, to the nearest double: as rounding keeps the order, one that is at most e^ε gives at most ε."""
    with localcontext(prec=DIGITS):
        return float((Decimal(ratio.numerator) / Decimal(ratio.denominator)).ln())


class Toss(Declared, ABC):
    """The weights of one question, and everything that follows from them; answers are whole numbers from 0 on."""

    kind: ClassVar[str]

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.total > UNIT:
            raise ParameterError("toss_weights", got=self.total)

    @property
    @abstractmethod
    def mechanism(self) -> CategoryRandomizer | NumberRandomizer:
        """The registered mechanism that this toss carries out, at the level of the weights."""

    @property
    @abstractmethod
    def answers(self) -> int:
        """The number of true answers."""

    @property
    @abstractmethod
    def total(self) -> int:
        """The sum of the weights of all reports, which is the same for every answer."""

    @property
    @abstractmethod
    def ratio(self) -> Fraction:
        """The largest ratio of the weights of one report under two answers: e to the level, exactly."""

    @property
    @abstractmethod
    def places(self) -> int:
        """The number of counters that a tally keeps."""

    @abstractmethod
    def report(self, answer: int, draw: int) -> Report:
        """The report for an answer where this number, from 0 to below the total, was drawn."""

    @abstractmethod
    def admits(self, report: object) -> bool:
        """Whether this toss can make a report; what comes from elsewhere may be anything."""

    @abstractmethod
    def law(self, answer: int) -> Iterator[tuple[Report, Fraction]]:
        """Every report with its exact probability under an answer."""

    @abstractmethod
    def increments(self, report: Report) -> Iterator[tuple[int, int]]:
        """The counters that a report raises, in rising order, and by how much."""

    @abstractmethod
    def tally(self, totals: Sequence[int], n: int) -> ReportTally:
        """The mechanism's tally of n reports, from the counters."""

    @cached_property
    def level(self) -> float:
        """The level of a message, ln of the ratio."""
        return logarithm(self.ratio)

    def keeps(self, epsilon: float) -> bool:
        """Whether the level is at most ε, decided in whole numbers."""
        return self.ratio <= power(epsilon)

    def shape(self) -> dict[str, str | int]:
        """The form that a phone needs: the kind of toss and its whole numbers."""
        return {"kind": self.kind, **self.parameters()}


@dataclass(frozen=True)
class SetToss(Toss):
    """A report is a set of `size` of the k answers; one with the own answer weighs `near`, one without it `far`.

    With sets of one answer this is generalized randomized response, and with k = 2 randomized response; with larger
    ones it is subset selection.
    """

    k: AnswerCount
    size: Size
    near: Weight
    far: Weight

    kind: ClassVar[str] = "sets"

    def __post_init__(self) -> None:
        if self.size >= self.k:
            raise ParameterError("subset_too_large", k=self.k, got=self.size)
        super().__post_init__()

    @classmethod
    def at(cls, epsilon: float, k: int, size: int = 1) -> SetToss:
        """The weights for a level: as fine as 2⁵³ allows, near/far rounded down."""
        factor, with_own, without = power(epsilon), math.comb(k - 1, size - 1), math.comb(k - 1, size)
        far = max(math.floor(UNIT / (with_own * factor + without)), 1)
        near = min(math.floor(factor * far), (UNIT - without * far) // with_own)
        return cls(k, size, near, far)

    @cached_property
    def mechanism(self) -> CategoryRandomizer:
        if self.size > 1:
            return SubsetSelection(self.level, self.k, self.size)
        return RandomizedResponse(self.level) if self.k == 2 else GeneralizedRandomizedResponse(self.level, self.k)

    @property
    def answers(self) -> int:
        return self.k

    @property
    def total(self) -> int:
        with_own = math.comb(self.k - 1, self.size - 1)
        return with_own * self.near + (math.comb(self.k, self.size) - with_own) * self.far

    @property
    def ratio(self) -> Fraction:
        # A set with one of two answers weighs near under it and far under the other; near is never the smaller one.
        return Fraction(max(self.near, self.far), min(self.near, self.far))

    @property
    def places(self) -> int:
        return self.k

    @property
    def own(self) -> Fraction:
        """The probability that the own answer is in the report."""
        return Fraction(math.comb(self.k - 1, self.size - 1) * self.near, self.total)

    def _weights(self, answer: int) -> Iterator[tuple[tuple[int, ...], int]]:
        """All sets in the order in which they are laid side by side: those with the own answer first."""
        for weight, own in ((self.near, True), (self.far, False)):
            for chosen in combinations(range(self.k), self.size):
                if (answer in chosen) is own:
                    yield chosen, weight

    def report(self, answer: int, draw: int) -> Report:
        for chosen, weight in self._weights(answer):
            if draw < weight:
                return chosen
            draw -= weight
        raise ParameterError("toss_draw", total=self.total, got=draw + self.total)

    def admits(self, report: object) -> bool:
        if not isinstance(report, tuple) or len(report) != self.size:
            return False
        whole = all(type(value) is int and 0 <= value < self.k for value in report)
        return whole and list(report) == sorted(set(report))

    def law(self, answer: int) -> Iterator[tuple[Report, Fraction]]:
        return ((chosen, Fraction(weight, self.total)) for chosen, weight in self._weights(answer))

    def increments(self, report: Report) -> Iterator[tuple[int, int]]:
        assert isinstance(report, tuple)  # `admits` has said so
        return ((value, 1) for value in report)

    def tally(self, totals: Sequence[int], n: int) -> ReportTally:
        return ReportTally(np.array(totals, dtype=np.int64), n)


@dataclass(frozen=True)
class BitToss(Toss):
    """A report is one bit: for step s of S it is 1 with weight `least` + `step`·s, of 2·`least` + S·`step` in all.

    That is the one-bit mechanism on numbers that are rounded to a public grid, exactly.
    """

    steps: GridSteps
    least: Weight
    step: Weight

    kind: ClassVar[str] = "bit"

    @classmethod
    def at(cls, epsilon: float, steps: int) -> BitToss:
        """The weights for a level: as fine as 2⁵³ allows, the likelier end rounded down."""
        factor = power(epsilon)
        least = max(math.floor(UNIT / (factor + 1)), 1)
        return cls(steps, least, min(math.floor((factor - 1) * least / steps), (UNIT - 2 * least) // steps))

    @cached_property
    def mechanism(self) -> OneBit:
        return OneBit(self.level)

    @property
    def answers(self) -> int:
        return self.steps + 1

    @property
    def total(self) -> int:
        return 2 * self.least + self.steps * self.step

    @property
    def ratio(self) -> Fraction:
        # The weight of a 1 rises from `least` to `least` + S·`step`, and that of a 0 falls between the same two.
        return Fraction(self.least + self.steps * self.step, self.least)

    @property
    def places(self) -> int:
        return 2

    def _up(self, answer: int) -> int:
        return self.least + self.step * answer

    def report(self, answer: int, draw: int) -> Report:
        return int(draw < self._up(answer))

    def admits(self, report: object) -> bool:
        return type(report) is int and report in (0, 1)

    def law(self, answer: int) -> Iterator[tuple[Report, Fraction]]:
        up = Fraction(self._up(answer), self.total)
        yield from ((0, 1 - up), (1, up))

    def increments(self, report: Report) -> Iterator[tuple[int, int]]:
        assert isinstance(report, int)  # `admits` has said so
        yield report, 1

    def tally(self, totals: Sequence[int], n: int) -> ReportTally:
        return ReportTally(np.asarray(totals[1]), n)


@dataclass(frozen=True)
class PieceToss(Toss):
    """A report is one of `steps`·`stride` + `width` cells; those of the own piece weigh `near`, all others `far`.

    For step s of S the piece is `width` cells from cell `stride`·s on: the piecewise mechanism on a grid. A report is
    right on average after a line that `decoded` knows exactly; its variance is the mechanism's to a part in a thousand
    up to `MOST_LEVEL`.
    """

    steps: GridSteps
    stride: Weight
    width: Weight
    near: Weight
    far: Weight

    kind: ClassVar[str] = "piece"

    @classmethod
    def at(cls, epsilon: float, steps: int) -> PieceToss:
        """The weights for a level, near/far rounded down; the piece is e^{-ε/2} as wide as its left ends lie apart."""
        factor, stride = power(epsilon), max(GRID // steps, 1)
        apart = steps * stride
        width = max(round(apart * math.exp(-epsilon / 2)), 1)
        far = max(math.floor(UNIT / (width * factor + apart)), 1)
        return cls(steps, stride, width, min(math.floor(factor * far), (UNIT - apart * far) // width), far)

    @cached_property
    def mechanism(self) -> PiecewiseMechanism:
        return PiecewiseMechanism(self.level)

    @property
    def answers(self) -> int:
        return self.steps + 1

    @property
    def cells(self) -> int:
        """The number of different reports."""
        return self.steps * self.stride + self.width

    @property
    def total(self) -> int:
        return self.width * self.near + self.steps * self.stride * self.far

    @property
    def ratio(self) -> Fraction:
        return Fraction(max(self.near, self.far), min(self.near, self.far))

    @property
    def places(self) -> int:
        return TOSS_BARS + 2

    @property
    def own(self) -> Fraction:
        """The probability that a report is in the own piece."""
        return Fraction(self.width * self.near, self.total)

    def report(self, answer: int, draw: int) -> Report:
        start, inside = self.stride * answer, self.width * self.near
        if draw < inside:
            return start + draw // self.near
        cell = (draw - inside) // self.far
        return cell if cell < start else cell + self.width

    def admits(self, report: object) -> bool:
        return type(report) is int and 0 <= report < self.cells

    def law(self, answer: int) -> Iterator[tuple[Report, Fraction]]:
        start, near, far = self.stride * answer, Fraction(self.near, self.total), Fraction(self.far, self.total)
        return ((cell, near if start <= cell < start + self.width else far) for cell in range(self.cells))

    def bar(self, report: int) -> int:
        """The stretch, of `BARS` equally wide ones, in which a report lies."""
        return report * TOSS_BARS // self.cells

    def increments(self, report: Report) -> Iterator[tuple[int, int]]:
        assert isinstance(report, int)  # `admits` has said so
        yield from ((self.bar(report), 1), (TOSS_BARS, report), (TOSS_BARS + 1, report * report))

    @cached_property
    def line(self) -> tuple[Fraction, Fraction]:
        """(a, b) with E[report] = a + b s for step s: all cells weigh far, and those of the piece near - far more."""
        more, cells = self.near - self.far, self.cells
        everywhere = self.far * cells * (cells - 1)
        within = more * self.width * (self.width - 1)
        return Fraction(everywhere + within, 2 * self.total), Fraction(more * self.width * self.stride, self.total)

    def decoded(self, cell: int | Fraction) -> Fraction:
        """A report, or a mean of reports, on the scale of [-1, 1] and right on average: 2(z - a)/(bS) - 1."""
        start, rise = self.line
        return 2 * (cell - start) / (rise * self.steps) - 1

    def tally(self, totals: Sequence[int], n: int) -> ReportTally:
        return ReportTally(np.asarray(float(n * self.decoded(Fraction(totals[TOSS_BARS], n))) if n else 0.0), n)


KINDS: Mapping[str, type[Toss]] = {cls.kind: cls for cls in (SetToss, BitToss, PieceToss)}


def of_shape(shape: Mapping[str, str | int]) -> Toss:
    """The toss that a shape describes."""
    numbers = {name: value for name, value in shape.items() if name != "kind"}
    return KINDS[str(shape["kind"])](**numbers)


def among(epsilon: float, k: int) -> SetToss:
    """The toss for one of k answers: of generalized randomized response and subset selection the one that errs less.

    Compared is the mean over all answers of the variance where all are equally frequent; a tie goes to single answers.
    """
    declaration(AnswerCount).check("k", k)
    shares = np.full(k, 1 / k)
    size = SubsetSelection(epsilon, k).omega
    single, several = SetToss.at(epsilon, k), SetToss.at(epsilon, k, size)
    errors = [float(toss.mechanism.variance_of_shares(shares, 1).mean()) for toss in (single, several)]
    return several if errors[1] < errors[0] else single


def best_toss(epsilon: float, steps: int) -> BitToss | PieceToss:
    """The toss for a number on a grid of `steps` steps: of one bit and piece the one whose worst variance is less.

    A piece keeps at most `MOST_LEVEL`, so that its intervals hold what they promise.
    """
    declaration(GridSteps).check("steps", steps)
    bit, piece = BitToss.at(epsilon, steps), PieceToss.at(min(epsilon, MOST_LEVEL), steps)
    return piece if piece.mechanism.worst_variance() < bit.mechanism.worst_variance() else bit
