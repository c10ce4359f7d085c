"""Laplace noise on a curator's numeric answer."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.laws.averages import average_error, average_within, median_within
from ldpcore.laws.channels import LaplaceShift, laplace_cdf
from ldpcore.mechanisms.additivenoise import AdditiveNoise
from ldpcore.mechanisms.base import Witness
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Epsilon, Neighbors, Sensitivity


@dataclass(frozen=True)
class LaplaceMechanism(AdditiveNoise):
    """Release f(D) + Lap(b) with b = Δ/ε, the standard way to publish a number.

    Mean absolute error b, standard deviation b√2. Real numbers are meant: on a computer's finite ones the last bits
    of the noise can betray the answer, so a publisher must round to a grid with a mechanism made for it.
    """

    epsilon: Epsilon
    sensitivity: Sensitivity = 1.0
    neighbors: Neighbors = "add-remove"

    slug: ClassVar[str] = "laplace"
    title: ClassVar[str] = "Laplace mechanism"
    reference: ClassVar[str] = "Dwork, McSherry, Nissim, Smith (2006), Calibrating noise to sensitivity"

    @property
    def scale(self) -> float:
        """b = Δ/ε."""
        return self.sensitivity / self.epsilon

    def release(self, answer: ArrayLike, rng: np.random.Generator, repeats: int | None = None) -> Reals:
        answer = np.asarray(answer, dtype=np.float64)
        if repeats is None:
            return np.asarray(answer + rng.laplace(0, self.scale, answer.shape), dtype=np.float64)
        return np.asarray(answer[..., None] + rng.laplace(0, self.scale, (*answer.shape, repeats)), dtype=np.float64)

    def variance(self) -> float:
        return 2 * self.scale**2

    def mean_absolute_error(self) -> float:
        return self.scale

    def compare(self, value: float, other: float) -> LaplaceShift:
        return LaplaceShift(self.scale, abs(value - other))

    def worst(self) -> tuple[float, float]:
        return 0.0, self.sensitivity

    def witness(self) -> Witness:
        # Anywhere beyond the two answers; one sensitivity away is safely inside the plateau.
        return Witness(0.0, self.sensitivity, -self.sensitivity)

    def log_density(self, report: float, value: float) -> float:
        return -abs(report - value) / self.scale - math.log(2 * self.scale)

    def density(self, report: ArrayLike, answer: float) -> Reals:
        """(1/2b) e^{-|z - f(D)|/b}."""
        distance = np.abs(np.asarray(report, dtype=np.float64) - answer)
        return np.asarray(np.exp(-distance / self.scale) / (2 * self.scale), dtype=np.float64)

    def cdf(self, report: ArrayLike, answer: float) -> Reals:
        return laplace_cdf(np.asarray(report, dtype=np.float64) - answer, self.scale)

    def within(self, width: float) -> float:
        """The probability that the noise is at most `width` either way, 1 - e^{-w/b}."""
        return -math.expm1(-width / self.scale)

    def width(self, confidence: float) -> float:
        """The distance that the noise stays within with this probability, b ln(1/(1-c))."""
        return -self.scale * math.log1p(-confidence)

    def total_absolute_error(self, repeats: int, rng: np.random.Generator) -> float:
        """The sum of |noise| over `repeats` releases, drawn at once: exponentials add up to a gamma variable."""
        return float(self.scale * rng.standard_gamma(repeats))

    def sum_of_noise(self, repeats: ArrayLike, rng: np.random.Generator) -> Reals:
        """The sum of independent noises, drawn at once: Lap(b) is b√(2E)·Z, and exponentials add up to a gamma."""
        mixing = rng.standard_gamma(np.asarray(repeats, dtype=np.float64))
        return np.asarray(self.scale * np.sqrt(2 * mixing) * rng.standard_normal(mixing.shape), dtype=np.float64)

    def relative(self, distances: ArrayLike) -> Reals:
        """e^{-|x|/b}."""
        return np.asarray(np.exp(-np.abs(distances) / self.scale), dtype=np.float64)

    def third_moment(self) -> float:
        return 6 * self.scale**3

    def error_of_difference(self, share: float) -> float:
        """b(1 + f + f²)/(1 + f)."""
        return self.scale * (1 + share + share * share) / (1 + share)

    def level_within(self, width: float, confidence: float) -> float:
        return -self.sensitivity * math.log1p(-confidence) / width

    def average_error(self, repeats: ArrayLike) -> Reals:
        return average_error(self.scale, repeats)

    def average_within(self, width: float, repeats: int) -> float:
        return average_within(width, self.scale, repeats)

    def median_within(self, width: float, repeats: int) -> float:
        return median_within(width, self.scale, repeats)
