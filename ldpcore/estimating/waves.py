"""From the reports of a square wave to the distribution of everybody's numbers: EM, with and without smoothing.

The matrix of P(report in a cell | number in a bin) is a constant plus a band whose rows are all alike, so that one step
of EM costs two running sums. Where it is small, it is made all the same: two products with it are fewer calls. Cells
are as wide as bins and lie on the same grid.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from ldpcore.mechanisms.squarewave import SquareWave
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.parameters import Choice, Declared, Interval
from ldpcore.people.populations import Population

Bins = Annotated[int, Interval("k", 2, 4096, (16, 1024), scale="log", integer=True, small=(2, 16), extreme=(2, 1024))]
Smoothing = Annotated[str, Choice("S", ("plain", "smoothed"))]
Map = Callable[[Reals], Reals]
WaveSteps = Annotated[int, Interval("t", 0, 100_000, (1, 10_000), scale="log", integer=True)]
MOST_STEPS = 10_000
SMALL = 9000  # entries of a matrix: the usual 64 bins have 8 192, and of as many BLAS makes no use of a second core
AT_ONCE = 1 << 17  # probabilities of cells that are held at once


@dataclass(frozen=True)
class WaveInBins(Declared):
    """The square wave between k bins of [0, 1] and cells of the same width that cover all reports.

    P(cell | bin) = q·|cell inside the reports| + (p - q)·E|cell ∩ [x - b, x + b]|, x even in the bin.
    """

    wave: SquareWave
    bins: Bins

    @cached_property
    def aside(self) -> int:
        """The number of cells below 0, and above 1."""
        return math.ceil(self.wave.b * self.bins)

    @property
    def cells(self) -> int:
        """The number of cells."""
        return self.bins + 2 * self.aside

    @cached_property
    def background(self) -> Reals:
        """q·|cell|: the first and the last cell may reach beyond the last report."""
        b, width = self.wave.b, 1 / self.bins
        inside = np.full(self.cells, width)
        if self.aside:
            inside[[0, -1]] = b - (self.aside - 1) * width
        return self.wave.q * inside

    @cached_property
    def band(self) -> Reals:
        """(p - q)·E|cell ∩ wave| by the distance of cell and bin, from 0 on: a plateau, then a slope of two cells.

        That is λ times the mean, over the wave, of the triangle by which a cell at that distance is reached.
        """
        half, distances = self.wave.b * self.bins, np.arange(self.aside + 2)
        if half < 1:
            reached = np.array([1 - half / 2, half / 4, *[0.0] * self.aside])
        else:
            reached = (_triangles(half - distances) - _triangles(-half - distances)) / (2 * half)
        return np.asarray(self.wave.pull * reached, dtype=np.float64)

    @cached_property
    def flat(self) -> int:
        """The last distance on the plateau of the band."""
        return int(np.flatnonzero(np.abs(self.band - self.band[0]) <= 1e-14 * self.band[0])[-1])

    def forward(self, shares: Reals) -> Reals:
        """The law of a report's cell, for people of these shares."""
        padded = np.zeros(self.cells)
        padded[self.aside : self.aside + self.bins] = shares
        return np.asarray(self.background * shares.sum() + self._around(padded), dtype=np.float64)

    def backward(self, weights: Reals) -> Reals:
        """The mean of these weights over the cells of each bin's reports: the transposed matrix."""
        around = self._around(weights)[self.aside : self.aside + self.bins]
        return np.asarray(around + float(self.background @ weights), dtype=np.float64)

    def _around(self, values: Reals) -> Reals:
        """Σ over cells of band(|distance|)·value: a running sum for the plateau, the few other distances one by one."""
        band, flat, size = self.band, self.flat, len(values)
        running = np.zeros(size + 2 * flat + 1)
        np.cumsum(values, out=running[flat + 1 : flat + 1 + size])
        running[flat + 1 + size :] = running[flat + size]
        total = band[0] * (running[2 * flat + 1 :] - running[:size])
        for distance in range(flat + 1, min(len(band), size)):
            if weight := band[distance]:
                total[distance:] += weight * values[:-distance]
                total[:-distance] += weight * values[distance:]
        return np.asarray(total, dtype=np.float64)

    def matrix(self) -> Reals:
        """The whole matrix, a row for each cell: for small cases."""
        far = np.zeros(max(self.cells - len(self.band), 0))
        distances = np.abs(np.arange(self.cells)[:, None] - self.aside - np.arange(self.bins))
        return np.asarray(self.background[:, None] + np.append(self.band, far)[distances], dtype=np.float64)

    def maps(self, seen: NDArray[np.bool_]) -> tuple[Map, Map]:
        """From the shares of bins to the law of these cells, and from weights of these cells back to the bins."""
        if self.cells * self.bins <= SMALL:
            matrix = self.matrix()[seen]
            return (lambda shares: matrix @ shares), (lambda weights: weights @ matrix)

        def backward(weights: Reals) -> Reals:
            everywhere = np.zeros(self.cells)
            everywhere[seen] = weights
            return self.backward(everywhere)

        return (lambda shares: self.forward(shares)[seen]), backward

    def cell_laws(self, values: Reals) -> Reals:
        """The laws of the reports' cells, a row for each of these numbers."""
        edges = (np.arange(self.cells + 1) - self.aside) / self.bins
        own = np.clip(2 * edges - 1, -self.wave.reach, self.wave.reach)
        laws = np.ascontiguousarray(np.diff(self.wave.cdf(own[:, None], values), axis=0).T)
        return np.asarray(laws / laws.sum(axis=1, keepdims=True), dtype=np.float64)

    def sample(self, population: Population, rng: np.random.Generator) -> Counts:
        """The number of reports in each cell: a multinomial draw for each number, or for each report where fewer.

        Both are exact; the first costs the same for a billion people, the second for a number each.
        """
        if population.n * 3e-8 < population.k * (1e-5 + self.cells * 5e-8):
            return sum(
                (self.cells_of(self.wave.privatize(users, rng)) for users in population.users()),
                start=np.zeros(self.cells, dtype=np.int64),
            )
        total, rows = np.zeros(self.cells, dtype=np.int64), max(AT_ONCE // self.cells, 1)
        held = population.counts > 0
        values, counts = np.asarray(population.values[held], dtype=np.float64), population.counts[held]
        for start in range(0, len(values), rows):
            part = slice(start, start + rows)
            total += rng.multinomial(counts[part], self.cell_laws(values[part])).sum(axis=0)
        return total

    def cells_of(self, reports: Any) -> Counts:
        """The number of these reports in each cell."""
        place = np.floor((np.asarray(reports, dtype=np.float64) + 1) / 2 * self.bins).astype(np.int64) + self.aside
        return np.bincount(np.clip(place, 0, self.cells - 1), minlength=self.cells).astype(np.int64)


def _triangles(u: Any) -> Reals:
    """∫ of max(1 - |t|, 0) up to u: from 0 below -1 to 1 above 1."""
    inside = np.clip(u, -1, 1)
    return np.asarray(np.where(inside < 0, (1 + inside) ** 2 / 2, 1 - (1 - inside) ** 2 / 2), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Fit:
    """The result of EM: shares that sum to one, the steps it took, and the mean log likelihood after each."""

    shares: Reals
    steps: int
    likelihoods: Reals
    kept: tuple[tuple[int, Reals], ...] = ()


@dataclass(frozen=True)
class WaveDecoder(Declared):
    """EM for the shares f of bins from the counts of cells: f ← f·Mᵀ(c/Mf)/n; smoothed, then each bin takes a quarter
    from either neighbor.

    Plain EM climbs to the maximum of the likelihood, which is ragged; it stops where a step gains less than
    10⁻³e^ε/n in the mean of the logarithm, smoothed EM where it gains less than 10⁻³/n (Li et al. 2020, section 5.5).
    """

    channel: WaveInBins
    smoothing: Smoothing = "smoothed"
    most: WaveSteps = MOST_STEPS

    def decode(self, counts: NDArray[Any], keep: tuple[int, ...] = ()) -> Fit:
        """The shares at the stop; those after the steps of `keep` too."""
        last, likelihoods, kept = np.full(self.channel.bins, 1 / self.channel.bins), [], []
        total = float(counts.sum())
        epsilon = self.channel.wave.epsilon if self.smoothing == "plain" else 0.0
        enough = 1e-3 * math.exp(epsilon) / total
        for step, (shares, likelihood) in enumerate(self.climb(counts)):
            last = shares
            if step in keep:
                kept.append((step, shares))
            likelihoods.append(likelihood)
            if step >= self.most or (step and abs(likelihood - likelihoods[-2]) < enough):
                break
        return Fit(last, len(likelihoods) - 1, np.array(likelihoods), tuple(kept))

    def climb(self, counts: NDArray[Any]) -> Iterator[tuple[Reals, float]]:
        """The shares before each step, from even ones on, and the mean log likelihood of a report under them."""
        seen = np.asarray(counts) > 0
        parts = np.asarray(counts, dtype=np.float64)[seen] / float(counts.sum())
        forward, backward = self.channel.maps(seen)
        shares = np.full(self.channel.bins, 1 / self.channel.bins)
        while True:
            law = forward(shares)
            yield shares, float(parts @ np.log(law))
            shares = shares * backward(parts / law)
            if self.smoothing == "smoothed":
                shares = smoothed(shares)
            shares = shares / shares.sum()


def smoothed(shares: Reals) -> Reals:
    """The shares after every bin keeps half and gives a quarter to either neighbor; the ends keep what would leave."""
    inner = shares / 2
    quarter = shares / 4
    inner[1:] += quarter[:-1]
    inner[:-1] += quarter[1:]
    inner[0] += quarter[0]
    inner[-1] += quarter[-1]
    return inner
