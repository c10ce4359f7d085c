"""Public cells: a bounded box, cut into cubes before anybody looks at the data.

The box is [0, 1]^d; `Box` brings numbers of any unit there by public bounds, and people outside it are in no cell.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Declared, Interval, ParameterError

MOST_CELLS = 1 << 16
OUTSIDE = -1  # the cell of people outside the box
_EDGE = 1e-9  # a side whose inverse is as near to a whole number as this cuts the axis into that many cells

Side = Annotated[
    float, Interval("h", 0, 1, (0.001, 1), scale="log", open_low=True, small=(0.5, 0.4), extreme=(1.0, 0.01))
]
Dimensions = Annotated[int, Interval("d", 1, 3, (1, 2), integer=True, small=(1, 2))]


@dataclass(frozen=True)
class Partition(Declared):
    """Cubes of side h that cover [0, 1]^d, ⌈1/h⌉ along each axis; where 1/h is no whole number, the last are cut."""

    side: Side
    dimensions: Dimensions = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.k > MOST_CELLS:
            raise ParameterError("partition_cells", most=MOST_CELLS, least=finest(self.dimensions), got=self.k)

    @property
    def along(self) -> int:
        """The number of cells along one axis."""
        return max(1, math.ceil(1 / self.side - _EDGE))

    @property
    def k(self) -> int:
        """The number of cells."""
        return int(self.along**self.dimensions)

    @property
    def volume(self) -> float:
        """h^d, the volume of a cell that is not cut."""
        return float(self.side**self.dimensions)

    @property
    def edges(self) -> Reals:
        """The ends of the cells along an axis, from 0 to 1."""
        return np.append(np.minimum(np.arange(self.along) * self.side, 1.0), 1.0)

    def cells(self, places: ArrayLike) -> NDArray[np.int64]:
        """The cell of each place (one row each), the first axis counting slowest; −1 outside the box."""
        x = np.asarray(places, dtype=np.float64).reshape(-1, self.dimensions)
        steps = np.clip(np.floor(x / self.side + _EDGE), 0, self.along - 1).astype(np.int64)
        index = np.ravel_multi_index(tuple(steps.T), (self.along,) * self.dimensions)
        return np.where(((x >= 0) & (x <= 1)).all(axis=1), index, OUTSIDE).astype(np.int64)

    def middle(self, cell: int) -> tuple[float, ...]:
        """The middle of a cell."""
        steps = np.unravel_index(cell, (self.along,) * self.dimensions)
        middles = (self.edges[1:] + self.edges[:-1]) / 2
        return tuple(float(middles[step]) for step in steps)


def finest(dimensions: int) -> float:
    """The smallest side that makes no more cells than are allowed."""
    return float(1 / math.floor(MOST_CELLS ** (1 / dimensions) + _EDGE))


@dataclass(frozen=True)
class Box:
    """Public bounds of one axis, L < U: v becomes (v - L)/(U - L), and nothing is moved."""

    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise ParameterError("scale_order", low=self.low, high=self.high)

    def inward(self, values: ArrayLike) -> Reals:
        """Numbers of the reader's unit on the scale of the box; those outside stay outside."""
        return (np.asarray(values, dtype=np.float64) - self.low) / (self.high - self.low)

    def outward(self, places: Any) -> Reals:
        """Places in the box in the reader's unit."""
        return np.asarray(self.low + np.asarray(places, dtype=np.float64) * (self.high - self.low), dtype=np.float64)
