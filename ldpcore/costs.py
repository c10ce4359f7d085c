"""What a piece of work takes, estimated from its parameters before it runs: memory at its peak, and processor time.

The bytes are an upper bound beyond what is idle; the seconds are of an ordinary processor of 2024, right to a factor
of a few: enough to tell what may be done at once from what must be queued.
"""

from __future__ import annotations

from dataclasses import dataclass

MEGABYTE = 1 << 20


@dataclass(frozen=True)
class Cost:
    """Bytes at the peak and seconds of one processor."""

    bytes: float
    seconds: float

    def then(self, other: Cost) -> Cost:
        """Of both, one after the other."""
        return Cost(max(self.bytes, other.bytes), self.seconds + other.seconds)

    def times(self, repeats: float) -> Cost:
        """Of the same work again and again."""
        return Cost(self.bytes, self.seconds * repeats)


LITTLE = Cost(8 * MEGABYTE, 0.05)  # what is over before anybody notices


class Question:
    """What can be run, and says beforehand what that takes."""

    def cost(self) -> Cost:
        """An estimate from the parameters alone."""
        return LITTLE
