"""The cost of a piece of work, estimated from its parameters before it runs: peak memory and processor time.

The bytes are an upper bound beyond what is idle; the seconds are of an ordinary processor of 2024, right to a factor
of a few: enough to tell what may be done at once from what must be queued.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields, is_dataclass

import numpy as np

MEGABYTE = 1 << 20
EACH = 1e-6  # seconds that a question takes, as a rule, for each number that it carries


@dataclass(frozen=True)
class Cost:
    """Bytes at the peak and seconds of one processor."""

    bytes: float
    seconds: float

    def then(self, other: Cost) -> Cost:
        """The cost of this work and the other, one after the other."""
        return Cost(max(self.bytes, other.bytes), self.seconds + other.seconds)

    def times(self, repeats: float) -> Cost:
        """The cost of this work done `repeats` times, one after the other."""
        return Cost(self.bytes, self.seconds * repeats)


LITTLE = Cost(8 * MEGABYTE, 0.05)  # what is over before anybody notices


class Bulk(ABC):
    """A value that holds many numbers without being an array."""

    @property
    @abstractmethod
    def n(self) -> int:
        """The number of numbers it holds."""


def carried(value: object) -> int:
    """How many numbers a question carries: the items of its arrays, and of a table the rows."""
    if isinstance(value, np.ndarray):
        return value.size
    if isinstance(value, Bulk):
        return value.n
    if is_dataclass(value):
        return sum(carried(getattr(value, each.name)) for each in fields(value))
    if isinstance(value, (tuple, list)):
        return len(value) + (sum(map(carried, value)) if value and is_dataclass(value[0]) else 0)
    return 0
