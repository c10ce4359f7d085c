"""Public bounds, by which a number of any unit becomes one of [-1, 1] and an estimate a number of that unit again.

The bounds are chosen before anybody looks at the data. Numbers outside are moved to the nearer one, and counted.
"""

from __future__ import annotations

import numbers
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.fingerprints import Fingerprinted, fingerprint
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Choice, ParameterError, declaration
from ldpcore.people.populations import Population, PopulationLaw, SmoothPopulation

LARGEST_BOUND = 1e14
GRID = 201  # different numbers of a synthetic population
SHAPES: tuple[str, ...] = ("skewed", "two-point", "constant", "uniform", "bell")
Shape = Annotated[str, Choice("X", SHAPES)]


@dataclass(frozen=True)
class PublicScale:
    """The public bounds L < U: v becomes x = (2v - L - U)/(U - L), moved into [-1, 1]."""

    low: float = -1.0
    high: float = 1.0

    def __post_init__(self) -> None:
        for name in ("low", "high"):
            bound: Any = getattr(self, name)
            real = isinstance(bound, numbers.Real) and not isinstance(bound, bool)
            if not real or not abs(float(bound)) <= LARGEST_BOUND:
                raise ParameterError("scale_bound", name=name, got=bound)
        if not self.low < self.high:
            raise ParameterError("scale_order", low=self.low, high=self.high)

    @property
    def half(self) -> float:
        """Half the distance of the bounds: the length in the reader's unit that is 1 on the scale of [-1, 1]."""
        return (self.high - self.low) / 2

    def inward(self, values: ArrayLike) -> Reals:
        """Numbers of the reader's unit on the scale of [-1, 1], those outside moved to the nearer end."""
        inside = np.clip(np.asarray(values, dtype=np.float64), self.low, self.high)
        return np.clip((inside - self.low + (inside - self.high)) / (self.high - self.low), -1.0, 1.0)

    def outward(self, x: ArrayLike) -> Reals:
        """Numbers of [-1, 1], and estimates or reports beyond, in the reader's unit."""
        return np.asarray(self.low + (np.asarray(x, dtype=np.float64) + 1) * self.half, dtype=np.float64)


UNIT = PublicScale()


@dataclass(frozen=True)
class Clipping:
    """The effect of moving numbers inside the bounds: the number moved, and the mean's shift. Gaps do not count."""

    n: int
    below: int
    above: int
    missing: int
    mean: float
    clipped_mean: float

    @classmethod
    def of(cls, present: Reals, scale: PublicScale, missing: int) -> Clipping:
        """The effect of the bounds on the numbers that are present."""
        below, above = int((present < scale.low).sum()), int((present > scale.high).sum())
        inside = np.clip(present, scale.low, scale.high)
        return cls(len(present), below, above, missing, float(present.mean()), float(inside.mean()))

    @property
    def moved(self) -> int:
        """The number of people whose numbers were moved."""
        return self.below + self.above

    @property
    def bias(self) -> float:
        """The shift of the mean by clipping, which no number of people and no level removes."""
        return self.clipped_mean - self.mean


@dataclass(frozen=True, eq=False)
class ScaledNumbers(Fingerprinted):
    """People with a number each, on the scale of public bounds, and the effect of clipping on them."""

    people: PopulationLaw
    scale: PublicScale = UNIT
    clipping: Clipping | None = None

    @classmethod
    def of(cls, values: ArrayLike, low: float, high: float) -> ScaledNumbers:
        """The people who hold these numbers; people without one (NaN, infinite) are counted and left out."""
        numbers, scale = np.asarray(values), PublicScale(low, high)
        if numbers.ndim != 1 or numbers.dtype.kind not in "iuf":
            raise ParameterError("values_not_numbers", dtype=str(numbers.dtype), axes=numbers.ndim)
        present: NDArray[Any] = numbers[np.isfinite(numbers)]
        if not len(present):
            raise ParameterError("values_none", n=len(numbers))
        clipping = Clipping.of(present, scale, len(numbers) - len(present))
        return cls(Population.of_numbers(scale.inward(present)), scale, clipping)

    @classmethod
    def synthetic(cls, shape: str, n: int, low: float = -1.0, high: float = 1.0) -> ScaledNumbers:
        """n invented people of a named shape on 201 numbers between the bounds."""
        return cls(numbers_of_shape(shape, n), PublicScale(low, high))

    @classmethod
    def smooth(cls, shape: str, n: int, low: float = -1.0, high: float = 1.0) -> ScaledNumbers:
        """n invented people whose numbers are all different."""
        return cls(SmoothPopulation(shape, n), PublicScale(low, high))

    @property
    def n(self) -> int:
        """The number of people who take part."""
        return self.people.n

    @cached_property
    def mean(self) -> float:
        """The true mean of the clipped numbers, in the reader's unit."""
        return float(self.scale.outward(self.people.mean_of(lambda x: x)))

    @cached_property
    def variance(self) -> float:
        """The true variance among these people, in the square of the reader's unit."""
        mean = self.people.mean_of(lambda x: x)
        return self.people.mean_of(lambda x: (x - mean) ** 2) * self.scale.half**2

    def hidden(self) -> ScaledNumbers:
        """Numbers for as many people, all in the middle of the scale, shown while others predict."""
        return ScaledNumbers(Population(np.array([0.0]), np.array([self.n])), self.scale)

    def __fingerprint__(self) -> str:
        return fingerprint((self.people, self.scale, self.clipping))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ScaledNumbers) and fingerprint(self) == fingerprint(other)

    def __hash__(self) -> int:
        return hash(fingerprint(self))


def numbers_of_shape(shape: str, n: int) -> Population:
    """n people on 201 even steps of [-1, 1]: skewed like incomes, at both ends, all alike, uniform, or bell-shaped."""
    declaration(Shape).check("shape", shape)
    x = np.linspace(-1, 1, GRID)
    if shape == "constant":
        return Population(np.array([0.3]), np.array([n]))
    if shape == "two-point":
        return Population(np.array([-1.0, 1.0]), Population.of_shares([0.7, 0.3], n).counts)
    weights = {
        "skewed": (x + 1.02) * np.exp(-5 * (x + 1)),
        "uniform": np.ones(GRID),
        "bell": np.exp(-((x / 0.35) ** 2) / 2),
    }[shape]
    return Population(x, Population.of_shares(weights / weights.sum(), n).counts)
