"""Staircase noise on a curator's numeric answer: of all noise that keeps its level for real numbers it errs least."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.laws.channels import Pair
from ldpcore.laws.staircasesums import StaircaseSums
from ldpcore.mechanisms.additivenoise import AdditiveNoise
from ldpcore.mechanisms.base import Witness
from ldpcore.mechanisms.staircasenoise import StaircaseNoise
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Epsilon, Neighbors, Sensitivity


@dataclass(frozen=True)
class StaircaseMechanism(AdditiveNoise):
    """Release f(D) + X, where the density of X falls by e^ε once in each Δ, at (k + γ)Δ with γ = 1/(1 + e^{ε/2}).

    No noise that keeps ε for real answers has a smaller mean absolute error, Δ/(2 sinh(ε/2)): at low levels it is
    nearly Laplace noise, at high ones its error falls like e^{-ε/2} where that of Laplace noise falls like 1/ε. A
    person who moves the answer by less than Δ is not hidden any better.
    """

    epsilon: Epsilon
    sensitivity: Sensitivity = 1.0
    neighbors: Neighbors = "add-remove"

    slug: ClassVar[str] = "staircase"
    title: ClassVar[str] = "Staircase noise"
    reference: ClassVar[str] = (
        "Geng, Kairouz, Oh, Viswanath (2015), The staircase mechanism in differential privacy, IEEE J. Sel. Top. "
        "Signal Process. 9"
    )
    peaked: ClassVar[bool] = False

    @cached_property  # asked for at every point of a density
    def noise(self) -> StaircaseNoise:
        """The noise, in units of what one person moves."""
        return StaircaseNoise(self.epsilon)

    @property
    def scale(self) -> float:
        """Δ/(2 sinh(ε/2)), which is Δ/ε at low levels."""
        return self.mean_absolute_error()

    def jumps(self, reach: float) -> Reals:
        ends = (np.arange(max(math.ceil(reach / self.sensitivity), 0)) + self.noise.gamma) * self.sensitivity
        return np.asarray(ends[ends < reach], dtype=np.float64)

    def release(self, answer: ArrayLike, rng: np.random.Generator, repeats: int | None = None) -> Reals:
        answer = np.asarray(answer, dtype=np.float64)
        answer = answer if repeats is None else np.repeat(answer[..., None], repeats, -1)
        return np.asarray(answer + self.sensitivity * self.noise.draw(answer.shape, rng), dtype=np.float64)

    def variance(self) -> float:
        return self.sensitivity**2 * self.noise.variance()

    def mean_absolute_error(self) -> float:
        return self.sensitivity * self.noise.mean_absolute()

    def compare(self, value: float, other: float) -> Pair:
        return self.noise.shifted(abs(value - other) / self.sensitivity)

    def worst(self) -> tuple[float, float]:
        return 0.0, self.sensitivity

    def witness(self) -> Witness:
        # Everywhere beyond both first steps one answer is a step farther; the middle of a step is safely inside.
        return Witness(0.0, self.sensitivity, -(self.noise.gamma + 0.5) * self.sensitivity)

    def log_density(self, report: float, value: float) -> float:
        steps = math.floor(abs(report - value) / self.sensitivity + 1 - self.noise.gamma)
        return math.log(self.noise.height / self.sensitivity) - self.epsilon * steps

    def cdf(self, report: ArrayLike, answer: float) -> Reals:
        away = (np.asarray(report, dtype=np.float64) - answer) / self.sensitivity
        half = self.noise.beyond(np.abs(away)) / 2
        return np.where(away < 0, half, 1 - half)

    def relative(self, distances: ArrayLike) -> Reals:
        """e^{-kε} on the k-th step below the first."""
        steps = self.noise.steps(np.asarray(distances, dtype=np.float64) / self.sensitivity)
        return np.asarray(np.exp(-self.epsilon * steps), dtype=np.float64)

    def width(self, confidence: float) -> float:
        return self.sensitivity * self.noise.width(confidence)

    def level_within(self, width: float, confidence: float) -> float:
        return self.noise.level_within(width / self.sensitivity, confidence)

    def third_moment(self) -> float:
        return self.sensitivity**3 * self.noise.third_moment()

    def error_of_difference(self, share: float) -> float:
        return self.sensitivity * self.noise.size_of_difference(share)

    def sum_of_noise(self, repeats: ArrayLike, rng: np.random.Generator) -> Reals:
        return np.asarray(self.sensitivity * self.noise.totals(repeats, rng), dtype=np.float64)

    def total_absolute_error(self, repeats: int, rng: np.random.Generator) -> float:
        """The sum of |noise| over `repeats` releases, drawn at once from its exact law."""
        return self.sensitivity * self.noise.total_size(repeats, rng)

    def average_error(self, repeats: ArrayLike) -> Reals:
        many = np.atleast_1d(np.asarray(repeats, dtype=np.float64))
        sizes = [self.sensitivity * StaircaseSums(self.noise, int(n)).mean_size() / n for n in many]
        return np.reshape(np.array(sizes), np.shape(repeats))

    def average_within(self, width: float, repeats: int) -> float:
        return StaircaseSums(self.noise, repeats).within(width * repeats / self.sensitivity)
