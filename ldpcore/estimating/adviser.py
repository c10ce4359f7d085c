"""The mechanism for categories with the smallest expected error, its lead, and where the choice changes.

Nothing is simulated: the candidates are unbiased and their variances exact. The variance of an estimate is affine in
the true share, so that its mean over all k values is the variance of a value whose share is 1/k, whatever the
population; the population matters only for its rarest and its most frequent value.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, replace
from typing import Annotated, Any, cast

import numpy as np

from ldpcore.mechanisms import of_kind
from ldpcore.mechanisms.base import CategoryRandomizer, FrequencyOracle
from ldpcore.numerics.bisection import least
from ldpcore.parameters import Choice, Declared, Epsilon, Interval, ParameterError
from ldpcore.people.populations import Population
from ldpcore.questions import Progress, Public, Question, no_progress

Bits = Annotated[float, Interval("B", 1, 1e9, (1, 65536), scale="log")]
Criterion = Annotated[str, Choice("E", ("mean", "rare", "worst"))]
UNLIMITED = 1e9  # bits: more than any report takes
STRICTEST, WEAKEST = 1e-6, 50.0  # the levels among which a plan looks
TRIED = 160  # levels from 1 to the weakest, each 2.5 % above the one before


def member_at(member: type[CategoryRandomizer], epsilon: float, k: int) -> CategoryRandomizer | None:
    """The member for k categories at this level, its other parameters at their defaults; None where there is none.

    None too for a member that is declared by other parameters than a level and k, such as a form for two values only.
    """
    if {field.name for field in fields(member) if field.default is MISSING} != {"epsilon", "k"}:  # type: ignore[arg-type]
        return None
    make: Any = member
    try:
        return cast(CategoryRandomizer, make(epsilon=epsilon, k=k))
    except ParameterError:
        return None


def tuned_anew(randomizer: CategoryRandomizer, epsilon: float) -> CategoryRandomizer | None:
    """The randomizer at another level, its other parameters chosen for it; None for one not declared by a level."""
    member: Any = type(randomizer)
    required = {field.name for field in fields(member) if field.default is MISSING}
    if "epsilon" not in required or not required <= {"epsilon", "k"}:
        return None
    given = {"epsilon": epsilon, "k": randomizer.k}
    return cast(CategoryRandomizer, member(**{name: given[name] for name in required}))


def level_needed(randomizer: CategoryRandomizer, fits: Callable[[CategoryRandomizer], bool]) -> float | None:
    """The strictest level at which the mechanism satisfies a condition, to eight digits; None where no level does.

    While what a design rounds stays the same, its errors fall with the level: the real design is at its best just
    before the rounding changes, and there the pieces are compared. Beyond a change it may err more for a while.
    """
    if tuned_anew(randomizer, STRICTEST) is None:
        return None
    if fits(_at(randomizer, STRICTEST)):
        return STRICTEST
    if not isinstance(randomizer, FrequencyOracle):
        return _first_that_fits(randomizer, fits)
    if not fits(_at(randomizer, WEAKEST)):
        return None
    first, last = (_at(randomizer, level).rounded for level in (STRICTEST, WEAKEST))
    pieces = range(abs(last - first) + 1)

    def end(piece: int) -> float:
        return _end_of_piece(randomizer, first, piece, last)

    fitting = bisect_left(pieces, True, key=lambda piece: fits(_at(randomizer, end(piece))))
    earlier = range(max(fitting - 4, 0), fitting)
    fitting = next((piece for piece in earlier if fits(_at(randomizer, end(piece)))), fitting)
    low, high = end(fitting - 1) if fitting else STRICTEST, end(fitting)
    logs = math.log(low), math.log(high)  # at most 18 apart, and so one part in 10⁹ after 35 halvings
    level = math.exp(least(lambda log: fits(_at(randomizer, math.exp(log))), *logs, halvings=35))
    return min(level, high)


def _first_that_fits(randomizer: CategoryRandomizer, fits: Callable[[CategoryRandomizer], bool]) -> float | None:
    """The strictest level where errors may rise again beyond 1: of sums of noise less is proved at some high levels."""

    def fits_at(log: float) -> bool:
        return fits(_at(randomizer, math.exp(log)))

    before = math.log(STRICTEST)
    for log in np.linspace(0.0, math.log(WEAKEST), TRIED).tolist():
        if fits_at(log):
            return math.exp(least(fits_at, before, log, halvings=35))
        before = log
    return None


def _at(randomizer: CategoryRandomizer, level: float) -> CategoryRandomizer:
    tuned = tuned_anew(randomizer, level)
    assert tuned is not None  # asked only of mechanisms that are declared by a level
    return tuned


def _end_of_piece(randomizer: CategoryRandomizer, first: int, piece: int, last: int) -> float:
    """The weakest level at which the rounded number is still at most `piece` steps from its first."""
    low, high = STRICTEST, WEAKEST
    if piece >= abs(last - first):
        return high
    beyond = least(lambda level: abs(_at(randomizer, level).rounded - first) > piece, low, high)
    return math.nextafter(beyond, low)


def candidates(epsilon: float, k: int, among: tuple[str, ...] = ()) -> tuple[CategoryRandomizer, ...]:
    """Every registered mechanism for k categories at this level, or those of these slugs."""
    members = of_kind(CategoryRandomizer)  # type: ignore[type-abstract]
    built = [member_at(member, epsilon, k) for member in members if not among or member.slug in among]
    return tuple(randomizer for randomizer in built if randomizer is not None)


def treats_values_alike(member: type[CategoryRandomizer]) -> bool:
    """Whether the error of a value depends on its share alone, and not on which value it is."""
    return member.variance is CategoryRandomizer.variance


def comparable(epsilon: float, k: int, among: tuple[str, ...] = ()) -> tuple[CategoryRandomizer, ...]:
    """The candidates that treat all values alike, among which the adviser chooses.

    A Bloom filter does not: it confuses some words more than others, and serves where nobody can list them beforehand.
    """
    members = of_kind(CategoryRandomizer)  # type: ignore[type-abstract]
    slugs = tuple(
        member.slug for member in members if treats_values_alike(member) and (not among or member.slug in among)
    )
    return candidates(epsilon, k, slugs) if slugs else ()


@dataclass(frozen=True)
class Option:
    """One mechanism, its expected squared error, and what a report costs."""

    randomizer: CategoryRandomizer
    error: float
    bits: float
    affordable: bool

    @property
    def typical_error(self) -> float:
        """The root of the expected squared error."""
        return math.sqrt(self.error)


@dataclass(frozen=True)
class Adviser(Question["Advice"], Declared):
    """The choice of a mechanism for a population: least mean squared error over values, for a rare or the worst one.

    `among` restricts the choice to these slugs; reports of more than `bits` bits are out of the question.
    """

    population: Population
    epsilon: Epsilon
    bits: Bits = UNLIMITED
    criterion: Criterion = "mean"
    among: tuple[str, ...] = ()

    def run(self, progress: Progress = no_progress) -> Advice:
        options = [self.option(randomizer) for randomizer in comparable(self.epsilon, self.population.k, self.among)]
        # Equal errors keep the order of the registry, but for rounding in the last digits.
        ranked = sorted(options, key=lambda option: (not option.affordable, float(f"{option.error:.9e}")))
        return Advice(self, tuple(ranked))

    def option(self, randomizer: CategoryRandomizer) -> Option:
        """The error and the bits of one mechanism."""
        bits = randomizer.bits()
        return Option(randomizer, self.error(randomizer), bits, bits <= self.bits)

    def error(self, randomizer: CategoryRandomizer) -> float:
        """The exact expected squared error of the criterion."""
        # An affine variance is largest at the rarest or at the most frequent value.
        ends = [float(self.population.shares.min()), float(self.population.shares.max())]
        shares = {"mean": [1 / randomizer.k], "rare": [0.0], "worst": ends}
        return float(np.max(randomizer.variance_of_shares(np.array(shares[self.criterion]), self.population.n)))


@dataclass(frozen=True)
class Advice(Public):
    """The mechanisms in order of their expected error, the affordable ones first."""

    experiment: Adviser
    options: tuple[Option, ...]

    @property
    def best(self) -> Option | None:
        """The affordable mechanism of least expected error."""
        return self.options[0] if self.options and self.options[0].affordable else None

    def usual_error(self) -> float:
        """The largest typical error of all options at level 1 for an even crowd, which measures a still picture."""
        usual = replace(self.experiment, epsilon=1.0, population=self.experiment.population.evened())
        return max(option.typical_error for option in usual.run().options)

    @property
    def margins(self) -> tuple[float, ...]:
        """The ratio of each option's error to the best one's; also the ratio of the people it needs."""
        return tuple(option.error / self.options[0].error for option in self.options)
