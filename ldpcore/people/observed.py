"""People of a table: two or three of their numbers as places in a public box, and a response between public bounds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.fingerprints import Fingerprinted, fingerprint
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import ParameterError
from ldpcore.people.partitions import Box
from ldpcore.people.populations import Population
from ldpcore.people.scales import UNIT, PublicScale


@dataclass(frozen=True, eq=False)
class ObservedPairs(Fingerprinted):
    """Rows (x, y) in [0, 1]^d × [-1, 1]: x may lie outside the box, y is moved inside its bounds.

    `missing` people have no number in one of the columns and do not take part.
    """

    rows: Population
    boxes: tuple[Box, ...]
    scale: PublicScale = UNIT
    missing: int = 0

    @classmethod
    def of(
        cls,
        columns: tuple[ArrayLike, ...],
        bounds: tuple[tuple[float, float], ...],
        responses: ArrayLike,
        scale: PublicScale = UNIT,
    ) -> ObservedPairs:
        """The people with these numbers; anybody who lacks one (NaN, infinite) is counted as missing."""
        boxes = tuple(Box(*ends) for ends in bounds)
        raw = np.column_stack([np.asarray(part, dtype=np.float64) for part in (*columns, responses)])
        present = raw[np.isfinite(raw).all(axis=1)]
        if not len(present):
            raise ParameterError("values_none", n=len(raw))
        inward = [box.inward(present[:, axis]) for axis, box in enumerate(boxes)]
        rows, counts = np.unique(np.column_stack([*inward, scale.inward(present[:, -1])]), axis=0, return_counts=True)
        return cls(Population(rows, counts), boxes, scale, len(raw) - len(present))

    @property
    def dimensions(self) -> int:
        """The number of columns that are places."""
        return len(self.boxes)

    @property
    def n(self) -> int:
        """The number of people who take part."""
        return self.rows.n

    @property
    def outside(self) -> int:
        """The number of them who lie outside the box, and are counted nowhere."""
        x = self.rows.values[:, :-1]
        return int(self.rows.counts[((x < 0) | (x > 1)).any(axis=1)].sum())

    @property
    def places(self) -> Reals:
        """The places of the people."""
        return np.asarray(self.rows.values[:, :-1], dtype=np.float64)

    def people(self, n: int, seed: int) -> Population:
        """All the people: a table is no random sample."""
        return self.rows

    def __fingerprint__(self) -> str:
        return fingerprint((self.rows, self.boxes, self.scale, self.missing))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ObservedPairs) and fingerprint(self) == fingerprint(other)

    def __hash__(self) -> int:
        return hash(fingerprint(self))
