"""Lines of a table as quantities: the rows of a sheet beside its sentences, as released numbers or a ledger."""

from __future__ import annotations

from dataclasses import dataclass, replace

from explorer.facts import Count, Facts, Quantity
from ldpcore.numerics.digits import not_above
from ldpcore.tables.queries import REPLACE


@dataclass(frozen=True)
class ReleaseFacts:
    """A release, whatever its numbers: its question, its level, its noise, and the unit that it protects.

    The `key` tells it from every other one; two of one key have the same noise, however often they are saved.
    """

    key: str
    asked: str  # a "count", a "sum", a "mean", a mean as a "ratio" of two releases, "cells", or "reports" of everybody
    what: Quantity
    level: float
    noises: tuple[str, ...]  # the mechanism's slug for each part
    moves: tuple[float, ...]  # how far one person moves each part: of a ratio both, of cells each table
    scales: tuple[float, ...]  # of the noise of each part
    neighbors: str
    each: int = 0  # rows of one person at most, where a column says who; none where every row is a person
    bounds: tuple[float, float] | None = None  # of a sum and a mean
    of: tuple[int, ...] = ()  # which part each line is of; -1 where it is of all, as is the only line of one part
    delta: float = 0.0  # of normal noise, and of reports that may fail to keep their level
    who: str = ""  # a fingerprint of the column that says who is one person; none where every row is a person
    everybody: bool = True  # whether all rows are asked, without a condition
    declared: tuple[float, ...] = ()  # the level of each part, where its noise does not say it by its scale
    read_off: bool = False  # whether which cells there are was read off the table, which no level bounds

    @property
    def reported(self) -> bool:
        """Whether everybody has sent a report: there is no one noise, and no program to draw it for a curator."""
        return self.asked == "reports"

    @property
    def by_person(self) -> bool:
        """Whether the release is a sum over people whose number is public, not over rows that come and go."""
        return self.bounds is not None and self.neighbors == REPLACE

    @property
    def adds(self) -> tuple[float, float]:
        """The ends of one person's addition to a sum, with all selected rows of that person."""
        assert self.bounds is not None
        low, high = self.bounds
        rows = (int(self.everybody), max(self.each, 1))
        return min(rows[0] * low, rows[1] * low), max(rows[0] * high, rows[1] * high)

    @property
    def levels(self) -> tuple[float, ...]:
        """The level of each part, rounded down to nine digits."""
        return tuple(map(not_above, self.declared)) or tuple(
            not_above(moved / scale) for moved, scale in zip(self.moves, self.scales, strict=True)
        )


@dataclass(frozen=True)
class Lines:
    """The values of each column, by the names of their heads; `named` where the first column is words of the data.

    `heading` holds the facts of the heading, and `release` what is released.
    """

    kind: str
    head: tuple[str, ...]
    rows: tuple[tuple[Quantity, ...], ...]
    named: bool = False
    heading: tuple[tuple[str, Quantity], ...] = ()
    release: ReleaseFacts | None = None

    def numbered(self) -> Lines:
        """The lines with their places where words of the data stood."""
        if not self.named:
            return self
        rows = tuple((Count(place), *row[1:]) for place, row in enumerate(self.rows, 1))
        return replace(self, head=("place", *self.head[1:]), rows=rows)

    @property
    def facts(self) -> Facts:
        """The facts of the heading."""
        return dict(self.heading)
