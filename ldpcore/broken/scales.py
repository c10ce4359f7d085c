"""Famous mistakes in the scale of the noise: one that shrinks with the table, one that the data themselves set."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.broken.central import MiscalibratedLaplace
from ldpcore.laws.channels import Comparison, Pair, laplace_cdf, masses
from ldpcore.mechanisms.base import Mechanism, Witness
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Epsilon, Interval, Sensitivity

ScaleRows = Annotated[int, Interval("n", 1, 10**6, (1, 10**6), scale="log", integer=True, small=(5, 20))]


@dataclass(frozen=True)
class ShareNoiseOnCount(MiscalibratedLaplace):
    """A count of n people with b = Δ/(nε), the noise that its share would need: the level is nε.

    A share moves by Δ/n when one person changes and the count by Δ; dividing after the noise is too late. The larger
    the table, the less it is protected: twenty people at ε = 1 get level 20.
    """

    epsilon: Epsilon
    rows: ScaleRows = 20
    sensitivity: ClassVar[float] = 1.0  # type: ignore[misc]
    neighbors: ClassVar[str] = "add-remove"  # type: ignore[misc]

    slug: ClassVar[str] = "share-noise"
    title: ClassVar[str] = "The noise of a share on a count"
    reference: ClassVar[str] = (
        "DataResponsibly/DataSynthesizer, issue 34 (2021): Wrong conditional distributions sensitivity"
    )

    @property
    def scale(self) -> float:
        # A share moves by 1/n.
        return 1 / (self.rows * self.epsilon)


@dataclass(frozen=True)
class UnequalLaplace(Comparison):
    """Laplace noise of two different scales around two centers: beyond every bound in the tails."""

    scales: tuple[float, float]
    centers: tuple[float, float]

    def loss(self) -> float:
        # ln p(z)/q(z) = ln(b'/b) - |z - c|/b + |z - c'|/b' runs to infinity with |z| unless the scales are equal.
        if self.scales[0] != self.scales[1]:
            return math.inf
        return abs(self.centers[0] - self.centers[1]) / self.scales[0]

    def log_ratio(self, report: float) -> float:
        """ln p(z)/q(z), linear between the two centers and beyond them."""
        one, other = (
            -math.log(scale) - abs(report - center) / scale
            for scale, center in zip(self.scales, self.centers, strict=True)
        )
        return one - other

    def delta(self, epsilon: float) -> float:
        """The exact δ of both directions, interval by interval between the points where the ratio crosses e^ε."""
        return max(self._excess(epsilon, 1), self._excess(epsilon, -1))

    def _excess(self, epsilon: float, sign: int) -> float:
        edges = np.array(sorted({*self.centers, *self._crossings(sign * epsilon)}))
        inside = [low + (high - low) / 2 for low, high in itertools.pairwise(edges)]
        middles = [edges[0] - 1.0, *inside, edges[-1] + 1.0]
        above = np.array([sign * self.log_ratio(middle) > epsilon for middle in middles])
        own, other = self._masses(edges)[::sign]  # the reverse direction swaps the laws
        return float(max((own - math.exp(min(epsilon, 700.0)) * other)[above].sum(), 0.0))

    def _crossings(self, level: float) -> list[float]:
        """The places where ln p/q equals the level: one root at most on each of the three straight pieces."""
        low, high = sorted(self.centers)
        roots = []
        for start, stop, bounds in (
            (low - 1, low, (-math.inf, low)),
            (low, high, (low, high)),
            (high, high + 1, (high, math.inf)),
        ):
            at, slope = self.log_ratio(start), self.log_ratio(stop) - self.log_ratio(start)
            root = start + (level - at) * (stop - start) / slope if slope else math.nan
            if bounds[0] < root < bounds[1]:
                roots.append(root)
        return roots

    def _masses(self, edges: Reals) -> tuple[Reals, Reals]:
        first, second = (
            masses(laplace_cdf(edges - center, scale), laplace_cdf(center - edges, scale))
            for scale, center in zip(self.scales, self.centers, strict=True)
        )
        return first, second

    def cut(self, pieces: int = 64) -> Pair:
        """The events of equal steps over eight scales on either side of each center, and of the tails."""
        around = max((pieces - 1) // 2, 2)
        edges = [
            np.linspace(center - 8 * scale, center + 8 * scale, around)
            for scale, center in zip(self.scales, self.centers, strict=True)
        ]
        first, second = self._masses(np.unique(np.concatenate(edges)))
        return Pair(first, second)


@dataclass(frozen=True)
class BoundsReadFromData(Mechanism):
    """A sum with b = max(x)/ε, the largest record taken from the table itself: no finite level.

    Without the person of the record r the largest is 1, and the noise is Lap(1/ε); with them it is Lap(r/ε) around a
    sum that is larger by r. The width of the noise tells the tables apart: ln of the ratio of the densities grows like
    |z|·ε(1 - 1/r). Local sensitivity must never set the scale.
    """

    epsilon: Epsilon
    record: Sensitivity = 10.0

    slug: ClassVar[str] = "bounds-from-data"
    title: ClassVar[str] = "Noise as wide as the largest record in the table"
    reference: ClassVar[str] = (
        "IBM/differential-privacy-library, issue 20 (2020): bounds that are not given are read from the data, "
        "with a warning"
    )

    def scale(self, answer: float) -> float:
        """b of the table whose sum is larger by `answer`: 0 without the person, r with them."""
        return max(answer, 1.0) / self.epsilon

    def release(self, answer: float, rng: np.random.Generator, repeats: int | None = None) -> Reals:
        """The noisy sum, counted from the sum of everybody else."""
        return np.asarray(answer + rng.laplace(0, self.scale(answer), repeats), dtype=np.float64)

    def compare(self, value: float, other: float) -> UnequalLaplace:
        return UnequalLaplace((self.scale(value), self.scale(other)), (value, other))

    def worst(self) -> tuple[float, float]:
        return self.record, 0.0

    def witness(self) -> Witness:
        # The loss has no largest place; thirty of the narrow scales out it is far beyond the promise.
        return Witness(self.record, 0.0, self.record + 30 / self.epsilon)

    def log_density(self, report: float, value: float) -> float:
        return -abs(report - value) / self.scale(value) - math.log(2 * self.scale(value))

    def cdf(self, report: ArrayLike, answer: float) -> Reals:
        """The probability that the released number is at most `report`."""
        return laplace_cdf(np.asarray(report, dtype=np.float64) - answer, self.scale(answer))
