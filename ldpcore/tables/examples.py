"""Invented sums that show sensitivity: visits to a doctor, seats sold in a cinema, ages, x, x + x and 5x."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class SumExample:
    """A sum of `times` x over invented records, the upper bounds that are compared, and a newcomer's record.

    `held` says how many records have each value; none is below 0. The sum moves by `times` where one x moves by one.
    """

    held: tuple[tuple[float, int], ...]
    least: float
    most: float
    step: float
    assumed: float  # the upper bound that somebody would assume
    newcomer: float
    times: float = 1.0

    @property
    def values(self) -> NDArray[np.float64]:
        """The records one by one, in rising order."""
        values, counts = zip(*self.held, strict=True)
        return np.repeat(np.array(values, dtype=np.float64), counts)

    @property
    def bounds(self) -> NDArray[np.float64]:
        """The upper bounds that are compared, evenly spaced."""
        steps = round((self.most - self.least) / self.step)
        return np.linspace(self.least, self.most, steps + 1)


# How often 200 people went to a doctor in a year.
_VISITS = (
    *((0, 22), (1, 34), (2, 34), (3, 27), (4, 21), (5, 16), (6, 12), (7, 9), (8, 6), (9, 5), (10, 4), (12, 3)),
    *((14, 2), (15, 2), (17, 1), (19, 1), (23, 1)),
)
# How many of its 1 000 seats a cinema sold on 60 evenings.
_SEATS = (
    *((152, 1), (198, 2), (247, 3), (304, 4), (351, 6), (396, 7), (448, 7), (503, 6), (552, 5), (601, 4)),
    *((649, 3), (702, 3), (748, 2), (803, 2), (851, 1), (897, 1), (1000, 3)),
)
# How old 200 people are.
_AGES = (
    *((0, 3), (2, 3), (4, 4), (7, 5), (9, 5), (12, 5), (14, 5), (17, 6), (19, 6), (22, 6), (24, 7), (27, 7), (29, 7)),
    *((32, 8), (34, 8), (37, 8), (39, 8), (42, 7), (44, 8), (47, 7), (49, 8), (52, 7), (54, 7), (57, 7), (59, 6)),
    *((62, 6), (64, 5), (67, 5), (69, 5), (72, 4), (74, 4), (77, 3), (79, 3), (82, 2), (84, 2), (87, 1), (91, 1)),
    (94, 1),
)
_EVENLY = tuple((place / 50, 1) for place in range(1, 51))


def _function(times: float) -> SumExample:
    """A function of x, which 50 people have evenly spread between 0 and 1; nothing keeps the next x from being 2."""
    return SumExample(_EVENLY, 0.01, 1.01, 0.01, 1.0, 2.0, times)


EXAMPLES: Mapping[str, SumExample] = MappingProxyType(
    {
        "visits": SumExample(_VISITS, 1.0, 101.0, 1.0, 100.0, 101.0),
        "cinema": SumExample(_SEATS, 10.0, 1000.0, 10.0, 1000.0, 1000.0),
        "ages": SumExample(_AGES, 30.0, 130.0, 1.0, 125.0, 130.0),
        "once": _function(1.0),
        "twice": _function(2.0),
        "five": _function(5.0),
    }
)
