"""The kind for regression: one person's (x, y) becomes a report on public cells, from which a curve is estimated."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable
from functools import cached_property
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.costs import MEGABYTE, Cost
from ldpcore.laws.channels import Comparison
from ldpcore.laws.laplaceshifts import LaplaceShifts
from ldpcore.mechanisms.base import LocalRandomizer, ReportTally
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Interval, ParameterError
from ldpcore.people.partitions import OUTSIDE, Dimensions, Partition, Side
from ldpcore.people.populations import Population

ResponseBound = Annotated[
    float, Interval("M", 0, 1e9, (0.1, 10), scale="log", open_low=True, small=(1.0, 2.5), extreme=(1e-6, 1e6))
]
LevelShare = Annotated[float, Interval("w", 0, 1, (0.05, 0.95), open_low=True, open_high=True, small=(0.5, 0.2))]
_CHUNK = 1 << 21  # numbers of the reports that are held at once


class PairRandomizer(LocalRandomizer):
    """A local randomizer of (x, y), x in the box [0, 1]^d and y forced into [-M, M], reported cell by cell.

    The estimates are the shares of people in the cells, μ_n(A_j), where they are reported, and then the mean over all
    people of [y]·1{x in A_j}, ν_n(A_j). A value is a row of d coordinates and y; outside the box nothing is counted.
    """

    epsilon: float
    side: Side
    dimensions: Dimensions
    bound: ResponseBound
    locates: ClassVar[bool] = True  # whether the cells' shares are among the estimates

    def __post_init__(self) -> None:
        super().__post_init__()
        Partition(self.side, self.dimensions)  # too many cells are refused here and not by the first report

    @cached_property
    def partition(self) -> Partition:
        """The public cells."""
        return Partition(self.side, self.dimensions)

    @property
    @abstractmethod
    def noises(self) -> tuple[LaplaceMechanism, ...]:
        """The noise in each cell: of the location where it is reported, and of the response."""

    @abstractmethod
    def noise_sums(self, n: int, rounds: int | None, rng: np.random.Generator) -> Reals:
        """The noise of n reports added up, for every estimate: (2k,), or (2k, rounds)."""

    def pairs(self, values: ArrayLike) -> tuple[NDArray[np.int64], Reals]:
        """Everybody's cell (−1 outside the box) and truncated response; anything but a row of numbers is refused."""
        rows = np.asarray(values)
        if rows.ndim != 2 or rows.dtype.kind not in "iuf" or rows.shape[1] != self.dimensions + 1:
            width = rows.shape[1] if rows.ndim == 2 else 0
            raise ParameterError("values_not_rows", width=self.dimensions + 1, dtype=str(rows.dtype), got=width)
        if np.isnan(rows.astype(np.float64, copy=False)).any():
            raise ParameterError("values_nan")
        return self.partition.cells(rows[:, :-1]), np.clip(rows[:, -1].astype(np.float64), -self.bound, self.bound)

    def sums(self, counts: ArrayLike, cells: NDArray[np.int64], responses: Reals) -> Reals:
        """The sums of these people's reports without noise: the people in each cell, and their responses."""
        inside, k = cells != OUTSIDE, self.partition.k
        weights, own = np.asarray(counts, dtype=np.float64)[inside], cells[inside]
        parts = [np.bincount(own, weights, k)] if self.locates else []
        return np.concatenate([*parts, np.bincount(own, weights * responses[inside], k)])

    def truth(self, population: Population) -> Reals:
        return self.sums(population.counts, *self.pairs(population.values)) / population.n

    def estimate(self, tally: ReportTally) -> Reals:
        if tally.n < 1:
            raise ParameterError("no_reports")
        return np.asarray(tally.counts / tally.n, dtype=np.float64)

    def variance(self, population: Population) -> Reals:
        # Given everybody's value only the noise is random, and it is the same for everybody.
        self.pairs(population.values)
        return np.concatenate([np.full(self.partition.k, noise.variance() / population.n) for noise in self.noises])

    def sample_tally(self, population: Population, rng: np.random.Generator, repeats: int | None = None) -> ReportTally:
        # Exact: what people hold adds up to what it adds up to, and the sum of n Laplace numbers is b√(2G)Z.
        sums = self.sums(population.counts, *self.pairs(population.values))
        noise = self.noise_sums(population.n, repeats, rng)
        return ReportTally((sums if repeats is None else sums[:, None]) + noise, population.n)

    def tally(self, reports: Reals) -> ReportTally:
        return ReportTally(reports.sum(axis=0), len(reports))

    def users_at_once(self) -> int:
        return max(1, min(super().users_at_once(), _CHUNK // (2 * self.partition.k)))

    def between(self, value: Any, other: Any, noise: LaplaceMechanism, located: bool) -> LaplaceShifts:
        """The difference between two people's reports of one kind: in both cells, or in the one cell there is."""
        (one, two), y = self.pairs(np.array([value, other]))
        held = np.ones(2) if located else y
        if one == two:
            return LaplaceShifts.of((noise.scale, float(held[0] - held[1]) if one != OUTSIDE else 0.0))
        shifts = [float(size) for cell, size in zip((one, two), held, strict=True) if cell != OUTSIDE]
        return LaplaceShifts.of(*((noise.scale, shift) for shift in shifts))

    def worst(self) -> tuple[Any, Any]:
        return max(self.candidates(), key=lambda pair: self.compare(*pair).loss())

    def candidates(self) -> Iterable[tuple[Any, Any]]:
        """Pairs among which the worst is: two cells, one cell with opposite responses, and inside against outside."""
        first, last = self.partition.middle(0), self.partition.middle(self.partition.k - 1)
        yield (*first, self.bound), (*last, self.bound)
        yield (*first, self.bound), (*first, -self.bound)
        yield (*first, self.bound), (*(2.0,) * self.dimensions, self.bound)

    @abstractmethod
    def compare(self, value: Any, other: Any) -> Comparison:
        """The laws of the reports of two people."""

    def one_hot(self, cells: NDArray[np.int64], held: Reals) -> Reals:
        """For each person a row of zeros, with what they hold in their own cell."""
        rows = np.zeros((len(cells), self.partition.k))
        inside = np.flatnonzero(cells != OUTSIDE)
        rows[inside, cells[inside]] = held[inside]
        return rows

    def tally_cost(self, atoms: int) -> Cost:
        """The cost of a tally of `atoms` different people and its estimate: a bin for each, a normal for each cell."""
        return Cost(96 * atoms + 128 * self.partition.k + MEGABYTE, 4e-8 * atoms + 2e-7 * self.partition.k)


def log_laplace(report: Reals, center: Reals, scale: float) -> float:
    """ln of the density of independent Laplace numbers around their centers."""
    return float(-np.abs(report - center).sum() / scale - len(report) * math.log(2 * scale))
