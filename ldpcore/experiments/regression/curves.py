"""Errors along the number of people and along the side of the cells, with privacy and without."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ldpcore.costs import MEGABYTE, Cost
from ldpcore.estimating.regression import USUAL, ReportSplit, Tuning, cells_of, expected_direct_error, expected_error
from ldpcore.estimating.tunings import STOPS, automatic, threshold_for
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.parameters import Declared, Epsilon, Users
from ldpcore.people.curves import CurveModel
from ldpcore.people.partitions import MOST_CELLS, Partition
from ldpcore.questions import Progress, Public, Question, no_progress

CROWD, PER_DECADE = (10**3, 10**9), 4  # the axis of people
FAR = 10**15  # as far as errors are looked up
WIDEST = 1024  # cells up to which an axis of sides goes
FINEST_EXACT = (256, 32)  # cells along an axis up to which cell means are integrated, on the line and in the plane
FURTHER: tuple[int, ...] = tuple(along for power in range(9, 24) for along in (2**power, 3 * 2 ** (power - 1)))
FEWEST = 2  # honest answers
GAINED = 0.01  # of the error of 0 everywhere, below which cells are said to gain nothing
LEAST = 1e-18


def sizes_to(last: int, first: int = CROWD[0]) -> Counts:
    """Numbers of people, four for each power of ten."""
    decades = round(math.log10(last / first))
    return np.round(np.geomspace(first, last, PER_DECADE * decades + 1)).astype(np.int64)


@lru_cache(maxsize=256)
def tuned_errors(model: CurveModel, kind: ReportSplit, epsilon: float, last: int = FAR) -> Reals:
    """The expected squared error with the automatic tuning, from a thousand people to 10¹⁵, or not as far."""
    return np.array([tuned_error(model, int(n), epsilon, kind) for n in sizes_to(last)])


def tuned_error(model: CurveModel, n: int, epsilon: float, kind: ReportSplit) -> float:
    """The expected squared error of n people with the automatic tuning."""
    tuning = automatic(epsilon, n, model.dimensions, model.roughness, kind)
    error = expected_error(model, n, tuning.randomizer(epsilon, model.dimensions, kind), tuning.threshold)
    return max(error, LEAST)  # an exact fit, up to rounding


@lru_cache(maxsize=64)
def direct_errors(model: CurveModel) -> Reals:
    """The expected squared error of honest answers with the best side of the list, from ten people to 10¹⁵."""
    return np.minimum.accumulate([best_direct(model, int(n)) for n in sizes_to(FAR, FEWEST)])


def best_direct(model: CurveModel, n: int) -> float:
    """The smallest expected squared error of honest answers, whatever the side."""
    exact = min(direct_error(model, n, side) for side in sides(model))
    return min(exact, *(direct_error(model, n, side) for side in finer(model)))


def direct_error(model: CurveModel, n: int, side: float) -> float:
    """The expected squared error of honest answers; for sides finer than the grid of places by its law.

    The bias goes on as slopes and jumps say, the variance of K cell means is Kσ²/n whatever the design, and a
    share e^(-n/K) of the cells, in which nobody is, are set to 0.
    """
    d = model.dimensions
    if 1 / side <= FINEST_EXACT[d - 1]:
        return expected_direct_error(model, n, Partition(side, d))
    last = 1 / FINEST_EXACT[d - 1]
    floor = cells_of(model, Partition(last, d)).floor
    per_side = model.roughness.bias(side, d) / max(model.roughness.bias(last, d), 1e-300)
    steps, chances = model.noise
    k, variance = side**-d, float(steps**2 @ chances)
    square = float(model.weights @ model.curve**2)
    return max(floor * per_side + k * variance / n + math.exp(-n / k) * square, LEAST)


def sides(model: CurveModel) -> tuple[float, ...]:
    """The sides that are compared, the widest first."""
    most = min(MOST_CELLS, WIDEST)
    finest = model.places.shape[0] ** (1 / model.dimensions)
    return tuple(1 / stop for stop in STOPS if stop**model.dimensions <= most and stop <= finest / 2)


def finer(model: CurveModel) -> tuple[float, ...]:
    """Sides that are finer than those compared, down to where honest answers are best at all."""
    last = round(1 / sides(model)[-1])
    return tuple(1 / along for along in sorted({*STOPS, *FURTHER}) if along > last)


def people_for(error: float, sizes: Counts, errors: Reals) -> float:
    """The number of people that bring the squared error down to this, by lines between logarithms; infinite if none."""
    falling = np.minimum.accumulate(errors)
    if error < falling[-1]:
        return math.inf
    if error >= falling[0]:
        return float(sizes[0])
    logs = np.interp(-math.log(error), -np.log(falling), np.log(sizes.astype(np.float64)))
    return math.exp(float(logs))


@dataclass(frozen=True)
class ChoiceOfSide(Question["ChoiceOfSideResult"], Declared):
    """The best side of the cells: narrow ones drown in noise, wide ones miss the curve."""

    model: CurveModel
    n: Users
    epsilon: Epsilon
    tuning: Tuning = USUAL
    kind: ReportSplit = "both"

    def run(self, progress: Progress = no_progress) -> ChoiceOfSideResult:
        listed = sides(self.model)
        private = [self.private(side) for side in listed]
        honest = [direct_error(self.model, self.n, side) for side in listed]
        floors = [cells_of(self.model, self._cells(side)).floor for side in listed]
        progress(1.0)
        here = self.private(self.tuning.side)
        beyond = np.array([direct_error(self.model, self.n, side) for side in finer(self.model)])
        flat = float(self.model.weights @ self.model.curve**2)
        return ChoiceOfSideResult(
            self, np.array(listed), np.array(private), np.array(honest), np.array(floors), here, beyond, flat
        )

    def cost(self) -> Cost:
        return Cost(16 * MEGABYTE, 0.05)

    def _cells(self, side: float) -> Partition:
        return Partition(side, self.model.dimensions)

    def private(self, side: float) -> float:
        """The expected squared error with cells of this side; the threshold follows the noise."""
        tuning, d = self.tuning, self.model.dimensions
        level = threshold_for(self.epsilon, self.n, side, d, self.kind, tuning.part)
        own = Tuning(side, level, tuning.bound, tuning.part)
        return expected_error(self.model, self.n, own.randomizer(self.epsilon, d, self.kind), level)


@dataclass(frozen=True, eq=False)
class ChoiceOfSideResult(Public):
    """Expected squared errors over the side of the cells, with privacy and without, and the bias alone.

    `beyond` goes on with honest answers on sides finer than are listed, and `flat` is the error of 0 everywhere.
    """

    experiment: ChoiceOfSide
    sides: Reals
    private: Reals
    honest: Reals
    floors: Reals
    here: float
    beyond: Reals
    flat: float

    @property
    def best(self) -> float:
        """The side at which the private error is smallest."""
        return float(self.sides[int(self.private.argmin())])

    @property
    def best_honest(self) -> float:
        """The side at which the error of honest answers is smallest, of those listed and of finer ones."""
        if self.beyond.min() < self.honest.min():
            return finer(self.experiment.model)[int(self.beyond.argmin())]
        return float(self.sides[int(self.honest.argmin())])

    @property
    def honest_error(self) -> float:
        """The squared error of honest answers at their best side."""
        return float(min(self.beyond.min(), self.honest.min()))

    @property
    def helpless(self) -> bool:
        """Whether the best cells are hardly better than 0 everywhere: less than a hundredth of its error is gained."""
        return float(self.private.min()) > (1 - GAINED) * self.flat

    @property
    def ends(self) -> bool:
        """Whether the finest cells that are listed are the best, so that still finer ones may be better."""
        return int(self.private.argmin()) == len(self.private) - 1
