"""The kind of mechanism that takes several numbers of one person at once; laws of vectors attach to it."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.mechanisms.base import LocalRandomizer, ReportTally
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import ParameterError
from ldpcore.people.populations import Population, PopulationLaw

Vector = tuple[float, ...]


class VectorRandomizer(LocalRandomizer):
    """A local randomizer of d numbers of one person, a row of [-1, 1]^d, from which the d means are estimated.

    Rows outside the domain are moved to its edge first: without that no level holds. A report becomes a row that is
    right on average when it is `decoded`; the estimate is the mean of these.
    """

    epsilon: float
    d: int

    @abstractmethod
    def decoded(self, reports: Any) -> Reals:
        """Reports as rows of d unbiased numbers."""

    @abstractmethod
    def variance_at(self, values: ArrayLike) -> Reals:
        """The exact variance of every coordinate of the decoded report of people who hold these rows."""

    @abstractmethod
    def worst_variance(self) -> float:
        """The largest variance that a coordinate of one person's decoded report can have."""

    def most_variance(self, means: Reals) -> Reals:
        """The largest variance of each coordinate's report, averaged over any people with these estimated means."""
        return np.full(self.d, self.worst_variance())

    def inside(self, values: ArrayLike) -> Reals:
        """Rows moved into the domain: each number to the nearer end of [-1, 1]."""
        return np.asarray(np.clip(self.rows(values), -1.0, 1.0), dtype=np.float64)

    def rows(self, values: ArrayLike) -> Reals:
        """Rows of d numbers, refused where a value is no such row."""
        held = np.asarray(values)
        if held.dtype.kind not in "iuf" or held.ndim != 2 or held.shape[1] != self.d:
            width = held.shape[1] if held.ndim == 2 else 1
            raise ParameterError("values_not_rows", width=self.d, dtype=str(held.dtype), got=width)
        if np.isnan(held.astype(np.float64, copy=False)).any():
            raise ParameterError("values_nan")
        return np.asarray(held, dtype=np.float64)

    def one(self, value: Any) -> Reals:
        """One person's numbers, moved into the domain."""
        return np.asarray(self.inside(np.asarray(value)[None])[0], dtype=np.float64)

    def truth(self, population: Population) -> Reals:
        return np.asarray(population.counts @ self.inside(population.values) / population.n, dtype=np.float64)

    def variance(self, population: Population) -> Reals:
        return np.asarray(population.shares @ self.variance_at(population.values) / population.n, dtype=np.float64)

    def worst(self) -> tuple[Vector, Vector]:
        return (1,) * self.d, (-1,) * self.d

    def tally(self, reports: Any) -> ReportTally:
        decoded = self.decoded(reports)
        return ReportTally(np.asarray(decoded.sum(axis=0)), len(decoded))

    def estimate(self, tally: ReportTally) -> Reals:
        if tally.n < 1:
            raise ParameterError("no_reports")
        return np.asarray(tally.counts / tally.n, dtype=np.float64)

    def user_by_user(
        self, population: PopulationLaw, rng: np.random.Generator, repeats: int | None = None
    ) -> ReportTally:
        # Many rounds of few people are one long list, in the same chunks of bounded memory.
        size = self.users_at_once() // population.n
        if repeats is None or size < 2:
            return super().user_by_user(population, rng, repeats)
        everybody, parts = np.concatenate(list(population.users())), []
        for done in range(0, repeats, size):
            rounds = min(size, repeats - done)
            reports = self.privatize(np.tile(everybody, (rounds, 1)), rng).reshape(rounds, population.n, self.d)
            parts.append(np.stack([self.tally(each).counts for each in reports], axis=-1))
        return ReportTally(np.concatenate(parts, axis=-1), population.n)

    def users_at_once(self) -> int:
        # The rows of one chunk and what is made of them take some 16 MB, however long a row is.
        return max(1, (1 << 19) // self.d)


def in_rounds(parts: list[NDArray[Any]], n: int, repeats: int | None) -> ReportTally:
    """Rounds that were drawn in parts, as one tally: without a second axis where no repetitions were asked for."""
    counts = np.concatenate(parts, axis=-1)
    return ReportTally(counts[..., 0] if repeats is None else counts, n)
