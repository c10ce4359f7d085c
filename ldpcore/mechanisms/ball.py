"""Ball sampling: a direction of the sphere, likelier on the half where the own vector points."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.laws.channels import Pair
from ldpcore.mechanisms.base import Witness
from ldpcore.mechanisms.directions import Directions
from ldpcore.mechanisms.possible import PossibleReports
from ldpcore.mechanisms.vectors import Vector, VectorRandomizer
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Dimension, Epsilon, Interval

Radius = Annotated[
    float, Interval("r", 0, 1e6, (0.5, 10), scale="log", open_low=True, small=(1.0, 2.0), extreme=(1e-3, 1e5))
]


@dataclass(frozen=True)
class BallSampling(VectorRandomizer):
    """Round x, ‖x‖₂ ≤ r, to a direction ±x/‖x‖ without bias, then send one of its half sphere, e^ε times likelier.

    The report u counts as B·u, B = r·(e^ε+1)/(e^ε-1)·(√π/2)·d·Γ((d-1)/2+1)/Γ(d/2+1); the variance of a coordinate is
    B²/d - x². A vector longer than r is shortened first; r = √d holds the whole cube [-1, 1]^d.
    """

    epsilon: Epsilon
    d: Dimension
    radius: Radius = 1.0

    slug: ClassVar[str] = "ball"
    title: ClassVar[str] = "Ball sampling"
    reference: ClassVar[str] = (
        "Duchi, Jordan, Wainwright (2018), Minimax optimal procedures for locally private estimation, section 4.2.3"
    )

    def inside(self, values: ArrayLike) -> Reals:
        """Rows shortened to length r where they are longer, their direction kept."""
        held = self.rows(values)
        if np.einsum("ij,ij->i", held, held).max(initial=0.0) <= (1 - 1e-12) * self.radius**2:  # infinite: not so
            return held
        largest = np.maximum(np.abs(held).max(axis=1, keepdims=True), 1e-300)
        longer = np.linalg.norm(held / largest, axis=1, keepdims=True) * (largest / self.radius)  # never overflows
        return np.asarray(held / np.maximum(longer, 1.0), dtype=np.float64)

    @property
    def pull(self) -> float:
        """tanh(ε/2): how much likelier the own half sphere is than the other one, for a vector of full length."""
        return math.tanh(self.epsilon / 2)

    @property
    def constant(self) -> float:
        """1/E|u₁| = √π Γ((d+1)/2)/Γ(d/2), as far as a half sphere's middle lies from its center, inverted."""
        return math.sqrt(math.pi) * math.exp(math.lgamma((self.d + 1) / 2) - math.lgamma(self.d / 2))

    @property
    def bound(self) -> float:
        """B, the length of a decoded report."""
        return self.radius * self.constant / self.pull

    def decoded(self, reports: Any) -> Reals:
        return np.asarray(self.bound * np.asarray(reports), dtype=np.float64)

    def variance_at(self, values: ArrayLike) -> Reals:
        # uu^T is the same for u and -u, so that a half sphere has the second moments of the sphere, 1/d each.
        x = self.inside(values)
        return np.asarray(self._beyond + (self.radius - x) * (self.radius + x), dtype=np.float64)

    def worst_variance(self) -> float:
        return self._beyond + self.radius**2

    @property
    def _beyond(self) -> float:
        """B²/d - r², which is r²/sinh²(ε/2) for d = 1 and keeps its digits at large ε."""
        share = max(self.constant**2 / self.d, 1.0)
        return self.radius**2 * (share / math.sinh(self.epsilon / 2) ** 2 + (share - 1))

    def worst(self) -> tuple[Vector, Vector]:
        return (self.radius, *(0,) * (self.d - 1)), (-self.radius, *(0,) * (self.d - 1))

    def witness(self) -> Witness:
        # Any direction of the first half sphere, away from its edge.
        return Witness(*self.worst(), (1, *(0,) * (self.d - 1)))

    def compare(self, value: Any, other: Any) -> Pair:
        # Two half spheres cut the sphere into four wedges; each law is constant on its half, with angle θ between.
        x, y = self.one(value), self.one(other)
        lengths = float(np.linalg.norm(x)), float(np.linalg.norm(y))
        cosine = float(x @ y) / (lengths[0] * lengths[1]) if min(lengths) > 0 else 1.0
        share = math.acos(min(max(cosine, -1.0), 1.0)) / math.pi
        apart = 1 - share
        wedges = np.array([apart, share, share, apart]) / 2
        signs = np.array([1, 1, -1, -1]), np.array([1, -1, 1, -1])
        logs = [
            np.array([self._log_side(sign, length) for sign in side])
            for side, length in zip(signs, lengths, strict=True)
        ]
        possible = wedges > 0
        laws = [2 * wedges * np.exp(log) for log in logs]
        names = ("both", "value", "other", "neither")
        return Pair(laws[0], laws[1], names, np.where(possible, logs[0] - logs[1], 0.0))

    def _log_side(self, sign: int, length: float) -> float:
        """ln P(the half sphere on this side of a vector of this length), ln ½(1 ± ρ tanh(ε/2)) with ρ = length/r."""
        share = min(length / self.radius, 1.0)
        if sign > 0 or share * self.pull < 0.5:
            return math.log1p(sign * share * self.pull) - math.log(2)
        rare = 1 / (1 + math.exp(self.epsilon))  # (1 - tanh(ε/2))/2, with all its digits
        return math.log((1 - share) / 2 + share * rare)

    def log_density(self, report: Any, value: Any) -> float:
        held = self.one(value)
        side = 1 if float(np.asarray(report, dtype=np.float64) @ held) >= 0 else -1
        area = math.log(2) + self.d / 2 * math.log(math.pi) - math.lgamma(self.d / 2)
        return self._log_side(side, float(np.linalg.norm(held))) + math.log(2) - area

    def possible(self, reports: NDArray[Any]) -> PossibleReports:
        squares = np.einsum("ij,ij->i", reports, reports)
        return np.abs(squares - 1) <= 1e-6, f"a row of {self.d} numbers of length 1"

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> Reals:
        return self.directions(values, rng).sent(self.pull)

    def directions(self, values: ArrayLike, rng: np.random.Generator) -> Directions:
        """The random draws behind the reports, the same at every level, so that many levels can be compared on them."""
        x = self.inside(values)
        length = np.sqrt(np.einsum("ij,ij->i", x, x)) / self.radius
        luck = 2 * rng.random(len(x)) - 1
        normal = rng.standard_normal(x.shape)
        sizes = np.sqrt(np.einsum("ij,ij->i", normal, normal))
        positive = np.einsum("ij,ij->i", normal, x) >= 0
        normal /= np.where(positive, sizes, -sizes)[:, None]
        return Directions(normal, length, luck)
