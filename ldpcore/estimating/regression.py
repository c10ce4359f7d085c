"""From reports to a curve: the thresholded ratio, the direct means, the classifier; and their exact errors.

Reference: Berrett, Györfi, Walk (2021), Electronic Journal of Statistics 15, 2430-2453. Errors are integrals over the
law of the places; expectations follow the normal law of the sums, by quadrature over the estimated share of a cell.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any

import numpy as np
import scipy
from numpy.typing import NDArray

from ldpcore.mechanisms.pairs import LevelShare, PairRandomizer, ResponseBound
from ldpcore.mechanisms.partition import PartitionReports
from ldpcore.mechanisms.partitionhalves import HalfAndHalf
from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.quadrature import gauss_legendre
from ldpcore.parameters import Choice, Declared, Interval
from ldpcore.people.curves import ClassModel, CurveModel
from ldpcore.people.partitions import OUTSIDE, Dimensions, Partition, Side
from ldpcore.people.populations import Population

Threshold = Annotated[float, Interval("c", 0, 1e15, (0.01, 2), scale="log", open_low=True, small=(0.1, 0.5))]
ReportSplit = Annotated[str, Choice(r"\text{reports}", ("both", "halves"))]
POINTS = 40  # of Gauss and Legendre, over the logarithm of a cell's estimated share
TAIL = 9.0  # standard deviations beyond which nothing is integrated


@dataclass(frozen=True)
class Tuning(Declared):
    """The public settings, fixed before anybody answers: cells' side, threshold, largest response, split level."""

    side: Side = 0.125
    threshold: Threshold = 0.1
    bound: ResponseBound = 1.5
    part: LevelShare = 0.4

    def randomizer(self, epsilon: float, dimensions: Dimensions = 1, kind: ReportSplit = "both") -> PairRandomizer:
        """The mechanism that everybody uses at a level."""
        if kind == "halves":
            return HalfAndHalf(epsilon, self.side, dimensions, self.bound)
        return PartitionReports(epsilon, self.side, dimensions, self.bound, self.part)


USUAL = Tuning()


# --- estimators ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class CellSteps:
    """A step function on public cells: the estimated share of people in each, its height, and where it was set to 0."""

    partition: Partition
    shares: Reals
    heights: Reals
    sunk: NDArray[np.bool_]

    def at(self, places: Reals) -> Reals:
        """The height at each place; 0 outside the box."""
        cells = self.partition.cells(places)
        return np.where(cells == OUTSIDE, 0.0, self.heights[cells])


def quotient(estimates: Reals, partition: Partition, threshold: float) -> CellSteps:
    """m̃(x) = ν̃(A_j)/μ̃(A_j) for x in A_j where μ̃(A_j) ≥ c·h^d, and 0 where the cell does not reach the threshold."""
    shares, sums = estimates[: partition.k], estimates[partition.k :]
    sunk = shares < threshold * partition.volume
    heights = np.divide(sums, shares, out=np.zeros(partition.k), where=~sunk)
    return CellSteps(partition, shares, heights, np.asarray(sunk, dtype=np.bool_))


def direct(people: Population, partition: Partition) -> CellSteps:
    """The mean response of the people in each cell, untouched by noise or truncation; 0 where nobody is."""
    cells, k = partition.cells(people.values[:, :-1]), partition.k
    inside = cells != OUTSIDE
    counts = np.bincount(cells[inside], people.counts[inside].astype(np.float64), k)
    sums = np.bincount(cells[inside], people.counts[inside] * people.values[inside, -1], k)
    heights = np.divide(sums, counts, out=np.zeros(k), where=counts > 0)
    return CellSteps(partition, counts / people.n, heights, counts == 0)


def classified(sums: Reals) -> NDArray[np.int64]:
    """The sign of each cell's sum of responses; +1 where the sum is 0."""
    return np.where(np.asarray(sums) >= 0, 1, -1).astype(np.int64)


def squared_error(model: CurveModel, steps: CellSteps) -> float:
    """∫ (m - m̃)² dμ over the law of the places."""
    return float(np.dot(model.weights, (model.curve - steps.at(model.places)) ** 2))


# --- what a cell holds -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Cells:
    """Integrals over cells: μ, ∫ m dμ and ∫ m² dμ; mean and mean square of responses, truncated and as they are."""

    share: Reals
    curve: Reals
    square: Reals
    response: Reals
    second: Reals
    raw: Reals
    raw_second: Reals

    @property
    def floor(self) -> float:
        """∫ (m - cell mean)² dμ: the error that no number of people removes while the cells stay."""
        within = self.square - np.divide(self.curve**2, self.share, out=np.zeros_like(self.share), where=self.share > 0)
        return max(float(within.sum()), 0.0)  # an exact fit, up to rounding


@lru_cache(maxsize=512)
def cells_of(model: CurveModel | ClassModel, partition: Partition, bound: float = math.inf) -> Cells:
    """The integrals over each cell, as sums over the grid of places."""
    cells, k = partition.cells(model.places), partition.k

    def over(values: Any) -> Reals:
        return np.asarray(np.bincount(cells, model.weights * values, k), dtype=np.float64)

    steps, chances = model.noise if isinstance(model, CurveModel) else (np.array([-1.0, 1.0]), np.zeros(2))
    if isinstance(model, ClassModel):  # labels of one size: the mean is the curve, the square is 1
        mean, second = model.curve, np.ones_like(model.curve)
        return Cells(over(1.0), over(mean), over(mean**2), over(mean), over(second), over(mean), over(second))
    y = np.add.outer(model.curve, steps)
    cut = np.clip(y, -bound, bound)
    return Cells(
        over(1.0),
        over(model.curve),
        over(model.curve**2),
        over(cut @ chances),
        over(cut**2 @ chances),
        over(y @ chances),
        over(y**2 @ chances),
    )


# --- expected errors -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Normal:
    """The normal law of a cell's two estimates: means, variances and covariance of μ̃ and ν̃."""

    share: Reals
    response: Reals
    share_variance: Reals
    response_variance: Reals
    covariance: Reals


def normal_law(cells: Cells, n: int, randomizer: PairRandomizer) -> Normal:
    """The normal law for n people drawn at random: the variance of sampling plus that of the noise."""
    p, nu, location, response = cells.share, cells.response, *(noise.variance() for noise in randomizer.noises)
    # Everybody reports both: Var = (p - p² + σ²)/n, Cov = (ν - pν)/n. Halves report 2B·(...): E[4B²] = 2, no one both.
    times, shared = (2, 0) if isinstance(randomizer, HalfAndHalf) else (1, 1)
    return Normal(
        p,
        nu,
        (times * (p + location) - p**2) / n,
        (times * (cells.second + response) - nu**2) / n,
        (shared * nu - p * nu) / n,
    )


def ratio_moments(law: Normal, floor: float) -> tuple[Reals, Reals]:
    """E[a] and E[a²] of a = ν̃/μ̃·1{μ̃ ≥ floor}: given μ̃ = u, ν̃ is normal, and u is integrated out."""
    spread = np.sqrt(law.share_variance)
    low = np.maximum(law.share - TAIL * spread, floor)
    high = np.maximum(law.share + TAIL * spread, low * (1 + 1e-12))
    width = np.log(high / low) / 2
    nodes, weights = gauss_legendre(POINTS)
    u = low[:, None] * np.exp(width[:, None] * (nodes + 1))
    scores = (u - law.share[:, None]) / spread[:, None]
    density = np.exp(-(scores**2) / 2) / (math.sqrt(2 * math.pi) * spread[:, None])
    mass = density * u * weights * width[:, None]
    slope = law.covariance / law.share_variance
    center = law.response[:, None] + slope[:, None] * (u - law.share[:, None])
    left = np.maximum(law.response_variance - slope * law.covariance, 0.0)[:, None]
    return (mass * center / u).sum(axis=1), (mass * (center**2 + left) / u**2).sum(axis=1)


def expected_error(model: CurveModel, n: int, randomizer: PairRandomizer, threshold: float) -> float:
    """E ∫ (m - m̃)² dμ of the thresholded ratio, for n people drawn at random."""
    partition = randomizer.partition
    cells = cells_of(model, partition, randomizer.bound)
    mean, square = ratio_moments(normal_law(cells, n, randomizer), threshold * partition.volume)
    # ∫_j (m - a)² dμ = ∫ m² - 2a ∫ m + a² μ, and only a is random.
    return float((cells.square - 2 * mean * cells.curve + square * cells.share).sum())


def expected_direct_error(model: CurveModel, n: int, partition: Partition) -> float:
    """E ∫ (m - m̂)² dμ of the direct means: given N > 0 people in a cell their mean has the variance σ²/N."""
    cells = cells_of(model, partition)
    p = np.maximum(cells.share, 1e-300)
    mean = cells.raw / p
    variance = np.maximum(cells.raw_second / p - mean**2, 0.0)
    empty = np.exp(n * np.log1p(-np.minimum(cells.share, 1 - 1e-16)))
    inverse = mean_inverse(n * cells.share)
    square = mean**2 * (1 - empty) + variance * inverse
    return float((cells.square - 2 * mean * (1 - empty) * cells.curve + square * cells.share).sum())


def mean_inverse(rate: Reals) -> Reals:
    """E[1/N; N > 0] for a Poisson number of people: by Ei where few are expected, 1/λ + 1/λ² + 2/λ³ + … where many."""
    many = np.maximum(rate, 40.0)
    asymptotic = (1 + (1 + (2 + (6 + (24 + 120 / many) / many) / many) / many) / many) / many
    few = np.minimum(rate, 40.0)
    exact = np.exp(-few) * (
        scipy.special.expi(np.maximum(few, 1e-12)) - np.euler_gamma - np.log(np.maximum(few, 1e-12))
    )
    return np.where(rate > 40, asymptotic, np.where(rate > 1e-9, exact, rate))


def expected_accuracy(model: ClassModel, n: int, randomizer: PairRandomizer | None, partition: Partition) -> float:
    """The chance that the sign of a cell's sum is right about a new person; without a randomizer, of the bare sums."""
    cells = cells_of(model, partition)
    noise = randomizer.noises[-1].variance() if randomizer is not None else 0.0
    spread = np.sqrt(np.maximum(cells.second - cells.response**2 + noise, 1e-300) / n)
    plus = scipy.special.ndtr(cells.response / spread)
    upper = (cells.share + cells.curve) / 2  # the share of all people who are in the cell with the label +1
    return float((plus * upper + (1 - plus) * (cells.share - upper)).sum())


def accuracy(model: ClassModel, partition: Partition, guesses: NDArray[np.int64]) -> float:
    """The chance that a rule of one guess for each cell is right about a new person."""
    cells = cells_of(model, partition)
    return float((cells.share + guesses * cells.curve).sum() / 2)
