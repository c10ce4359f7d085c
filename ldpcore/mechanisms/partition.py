"""Noise in every cell: reports from which a curve is learned over all people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.laws.laplaceshifts import LaplaceShifts
from ldpcore.mechanisms.base import Witness
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.mechanisms.pairs import LevelShare, PairRandomizer, ResponseBound, log_laplace
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Epsilon
from ldpcore.people.partitions import Dimensions, Side

REFERENCE = (
    "Berrett, Györfi, Walk (2021), Strongly universally consistent nonparametric regression with privatised data"
)


class EveryCell(PairRandomizer):
    """All noise at once: a report is one number for each cell and each kind of noise, side by side."""

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> Reals:
        cells, responses = self.pairs(values)
        kinds = (np.ones(len(cells)), responses)[-len(self.noises) :]
        blocks = [noise.release(self.one_hot(cells, held), rng) for noise, held in zip(self.noises, kinds, strict=True)]
        return np.concatenate(blocks, axis=1)

    def noise_sums(self, n: int, rounds: int | None, rng: np.random.Generator) -> Reals:
        shape = (self.partition.k,) if rounds is None else (self.partition.k, rounds)
        return np.concatenate([noise.sum_of_noise(np.full(shape, n), rng) for noise in self.noises])

    def compare(self, value: Any, other: Any) -> LaplaceShifts:
        # The triangle inequality in each number: |Z_j - a| - |Z_j - b| ≤ |a - b|. Two cells are touched at most, and
        # |y|, |y'| ≤ M; all bounds are attained at once beyond the centers, so that the loss is their sum.
        kinds = (True, False)[-len(self.noises) :]
        laws = [self.between(value, other, noise, kind) for noise, kind in zip(self.noises, kinds, strict=True)]
        return LaplaceShifts(tuple(part for law in laws for part in law.parts))

    def witness(self) -> Witness:
        # Beyond both centers in every number: far above where the first person has something, far below elsewhere.
        value, other = self.worst()
        own, foreign = self._centers(value), self._centers(other)
        return Witness(value, other, np.where(own > foreign, 1, -1) * (1 + 2 * max(1.0, self.bound)))

    def log_density(self, report: Reals, value: Any) -> float:
        k, centers = self.partition.k, self._centers(value)
        return sum(
            log_laplace(report[place * k : (place + 1) * k], centers[place * k : (place + 1) * k], noise.scale)
            for place, noise in enumerate(self.noises)
        )

    def _centers(self, value: Any) -> Reals:
        """One person's report without noise."""
        cells, responses = self.pairs(np.array([value]))
        kinds = (np.ones(1), responses)[-len(self.noises) :]
        return np.concatenate([self.one_hot(cells, held)[0] for held in kinds])


@dataclass(frozen=True)
class PartitionReports(EveryCell):
    """Send W_j = 1{x in A_j} + σ_W ζ_j and Z_j = [y]·1{x in A_j} + σ_Z ξ_j for every cell, the noise of unit variance.

    2^{3/2}(1/σ_W + M/σ_Z) = ε, split by w: σ_W = 2^{3/2}/(wε), σ_Z = 2^{3/2}M/((1-w)ε). The ratio of the sums is a
    curve, cell by cell. There is noise in empty cells too, or a report would say where its sender is not.
    """

    epsilon: Epsilon
    side: Side
    dimensions: Dimensions
    bound: ResponseBound
    part: LevelShare

    slug: ClassVar[str] = "cells"
    title: ClassVar[str] = "Location and response in every cell"
    reference: ClassVar[str] = REFERENCE

    @classmethod
    def usual(
        cls, epsilon: float = 1.0, side: float = 0.125, dimensions: int = 1, bound: float = 1.0, part: float = 0.4
    ) -> PartitionReports:
        """The mechanism with eight cells along one axis, for responses of at most 1."""
        return cls(epsilon, side, dimensions, bound, part)

    @property
    def noises(self) -> tuple[LaplaceMechanism, ...]:
        # Lap(b) has the standard deviation b√2: b_W = 2/(wε), b_Z = 2M/((1-w)ε).
        location = LaplaceMechanism(self.part * self.epsilon, 2.0)
        return location, LaplaceMechanism((1 - self.part) * self.epsilon, 2 * self.bound)


@dataclass(frozen=True)
class ResponseReports(EveryCell):
    """Send Z_j = [y]·1{x in A_j} + σ_Z ξ_j for every cell and nothing else: the whole level, σ_Z = 2^{3/2}M/ε.

    Enough to classify: with labels y = ±1 the sign of a cell's sum is the guess for everybody in it.
    """

    epsilon: Epsilon
    side: Side
    dimensions: Dimensions
    bound: ResponseBound

    slug: ClassVar[str] = "responses"
    title: ClassVar[str] = "Response in every cell"
    reference: ClassVar[str] = REFERENCE
    locates: ClassVar[bool] = False

    @classmethod
    def usual(
        cls, epsilon: float = 1.0, side: float = 0.125, dimensions: int = 2, bound: float = 1.0
    ) -> ResponseReports:
        """The mechanism with sixty-four cells of the plane, for labels of plus and minus one."""
        return cls(epsilon, side, dimensions, bound)

    @property
    def noises(self) -> tuple[LaplaceMechanism, ...]:
        return (LaplaceMechanism(self.epsilon, 2 * self.bound),)
