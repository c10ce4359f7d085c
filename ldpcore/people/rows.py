"""Several numbers of each person, every one between public bounds of its own: rows of [-1, 1]^d, and what clipping did.

People who lack one of the numbers do not take part: a report with a gap would tell that there is one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.fingerprints import Fingerprinted, fingerprint
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Dimension, ParameterError, declaration
from ldpcore.people.populations import Population
from ldpcore.people.scales import Clipping, PublicScale

ATOMS = 12  # different rows of an invented crowd


@dataclass(frozen=True, eq=False)
class NumberRows(Fingerprinted):
    """People with d numbers each, on public scales; the number of people left out; the effect of the bounds."""

    people: Population
    scales: tuple[PublicScale, ...]
    missing: int = 0
    clippings: tuple[Clipping, ...] = ()

    @classmethod
    def of(cls, columns: Sequence[ArrayLike], scales: Sequence[PublicScale]) -> NumberRows:
        """The people of a table's columns, row by row; those with a gap (NaN, infinite) are left out and counted."""
        declaration(Dimension).check("d", len(columns))
        held = [np.asarray(column, dtype=np.float64) for column in columns]
        if len({column.shape for column in held}) > 1 or len(scales) != len(held):
            raise ParameterError("columns_lengths", got=tuple(len(column) for column in held))
        rows = np.stack(held, axis=1)
        complete = np.isfinite(rows).all(axis=1)
        if not complete.any():
            raise ParameterError("values_none", n=len(rows))
        kept = rows[complete]
        between, missing = list(zip(kept.T, scales, strict=True)), len(rows) - len(kept)
        inward = np.stack([scale.inward(column) for column, scale in between], axis=1)
        values, counts = np.unique(inward, axis=0, return_counts=True)
        clippings = tuple(Clipping.of(column, scale, missing) for column, scale in between)
        return cls(Population(values, counts), tuple(scales), missing, clippings)

    @classmethod
    def invented(cls, d: int, n: int, low: float = 0.0, high: float = 100.0) -> NumberRows:
        """n people of twelve kinds with d answers each; neighboring answers of a person are alike."""
        declaration(Dimension).check("d", d)
        kinds, places = np.arange(ATOMS)[:, None], np.arange(d)
        values = 0.85 * np.sin(1.7 * kinds + 0.45 * places + 0.3) * (1 - kinds / (2 * ATOMS)) - 0.15
        return cls(Population(values, Population.zipf(ATOMS, n, 0.5).counts), (PublicScale(low, high),) * d)

    @property
    def d(self) -> int:
        """The number of numbers that everybody has."""
        return len(self.scales)

    @property
    def n(self) -> int:
        """The number of people who take part."""
        return self.people.n

    @property
    def moved(self) -> tuple[int, ...]:
        """The number of numbers in each column that were moved to a bound."""
        return tuple(clipping.moved for clipping in self.clippings)

    @property
    def halves(self) -> Reals:
        """Half the distance of each column's bounds: the length in its unit that is 1 on the scale of [-1, 1]."""
        return np.array([scale.half for scale in self.scales])

    @property
    def means(self) -> Reals:
        """The true means, on [-1, 1]."""
        return np.asarray(self.people.counts @ self.people.values / self.n, dtype=np.float64)

    def outward(self, x: ArrayLike) -> Reals:
        """One number of each column, from [-1, 1] to its unit."""
        held = np.asarray(x, dtype=np.float64)
        return np.array([float(scale.outward(one)) for scale, one in zip(self.scales, held, strict=True)])

    def hidden(self) -> NumberRows:
        """Rows for the same number of people, all in the middle of every scale, shown while others predict."""
        return NumberRows(Population(np.zeros((1, self.d)), np.array([self.n])), self.scales, self.missing)

    def __fingerprint__(self) -> str:
        return fingerprint((self.people, self.scales, self.missing, self.clippings))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NumberRows) and fingerprint(self) == fingerprint(other)

    def __hash__(self) -> int:
        return hash(fingerprint(self))
