"""Two-sided geometric noise on a curator's whole number: Laplace noise that a computer keeps exactly."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.laws.channels import Pair
from ldpcore.mechanisms.additivenoise import AdditiveNoise
from ldpcore.mechanisms.base import Witness
from ldpcore.mechanisms.geometricnoise import TwoSidedGeometric
from ldpcore.mechanisms.geometricsums import GeometricSums
from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.roots import brent_root
from ldpcore.parameters import Epsilon, Neighbors, ParameterError, WholeSensitivity


@dataclass(frozen=True)
class DiscreteLaplaceMechanism(AdditiveNoise):
    """Release f(D) + W with P(W = j) = tanh(ε/2Δ)·e^{-ε|j|/Δ}, for counts and other whole numbers.

    Mean absolute error 1/sinh(ε/Δ), below the Δ/ε of Laplace noise, by little at small levels; and what is released is
    a whole number, whose last bits betray nothing.
    """

    epsilon: Epsilon
    sensitivity: WholeSensitivity = 1
    neighbors: Neighbors = "add-remove"

    slug: ClassVar[str] = "discretelaplace"
    title: ClassVar[str] = "Discrete Laplace mechanism"
    reference: ClassVar[str] = (
        "Ghosh, Roughgarden, Sundararajan (2012), Universally utility-maximizing privacy mechanisms, SIAM J. Comput. 41"
    )
    whole: ClassVar[bool] = True

    @property
    def scale(self) -> float:
        """b = Δ/ε: e^{-1/b} is how much less likely each further whole number is."""
        return self.sensitivity / self.epsilon

    @property
    def noise(self) -> TwoSidedGeometric:
        """The noise, of which one step costs ε/Δ."""
        return TwoSidedGeometric(self.epsilon / self.sensitivity)

    def release(self, answer: ArrayLike, rng: np.random.Generator, repeats: int | None = None) -> Reals:
        answer = np.asarray(answer, dtype=np.float64)
        if not (answer == np.rint(answer)).all():
            raise ParameterError("answer_not_whole", got=float(answer[answer != np.rint(answer)].flat[0]))
        shape = answer.shape if repeats is None else (*answer.shape, repeats)
        noise = self.noise.draw(int(np.prod(shape)), rng).reshape(shape)
        return np.asarray((answer if repeats is None else answer[..., None]) + noise, dtype=np.float64)

    def width(self, confidence: float) -> float:
        """The least whole number that the noise stays within with this probability: P(|W| > w) = 2a^{w+1}/(1 + a).

        a = e^{-ε/Δ}. The formula names a number next to it at most, and the law itself decides.
        """
        rate = self.noise.rate
        least = max(math.floor(-math.log((1 - confidence) * (1 + math.exp(-rate)) / 2) / rate) - 1, 0)
        while 2 * float(self.noise.at_most(-least - 1)) > 1 - confidence:
            least += 1
        return float(least)

    def variance(self) -> float:
        return self.noise.variance

    def mean_absolute_error(self) -> float:
        return self.noise.mean_absolute()

    def compare(self, value: float, other: float) -> Pair:
        return self.noise.shifted(int(value), int(other))

    def worst(self) -> tuple[float, float]:
        return 0.0, float(self.sensitivity)

    def witness(self) -> Witness:
        # Any whole number that lies beyond both answers.
        return Witness(0.0, float(self.sensitivity), -1.0)

    def log_density(self, report: float, value: float) -> float:
        return float(self.noise.logs(report - value))

    def cdf(self, report: ArrayLike, answer: float) -> Reals:
        return self.noise.at_most(np.asarray(report, dtype=np.float64) - answer)

    def relative(self, distances: ArrayLike) -> Reals:
        """e^{-ε|j|/Δ}."""
        return np.asarray(np.exp(-self.noise.rate * np.abs(distances)), dtype=np.float64)

    def third_moment(self) -> float:
        return self.noise.third_moment()

    def level_within(self, width: float, confidence: float) -> float:
        """The root of 2a^{⌊w⌋+1}/(1 + a) = 1 - c, a = e^{-ε/Δ}, which falls as ε grows."""

        steps, left = math.floor(width) + 1, -math.log1p(-confidence)  # ln 1/(1 - c)

        def short(rate: float) -> float:
            return math.log(2) - rate * steps - math.log1p(math.exp(-rate)) + left

        root = brent_root(short, 0.0, (left + 1) / steps, xtol=1e-15, rtol=1e-14)
        return self.sensitivity * root * (1 + 1e-12)  # rounded towards the confidence

    def error_of_difference(self, share: float) -> float:
        return self.noise.size_of_difference(share)

    def sum_of_noise(self, repeats: ArrayLike, rng: np.random.Generator) -> Reals:
        return np.asarray(self.noise.totals(np.asarray(repeats, dtype=np.float64), rng), dtype=np.float64)

    def total_absolute_error(self, repeats: int, rng: np.random.Generator) -> float:
        """The sum of |noise|, drawn at once: |W| is 0 or a geometric number, and such numbers add up."""
        return float(self.noise.total_size(repeats, rng))

    def average_error(self, repeats: ArrayLike) -> Reals:
        sizes = [
            GeometricSums(self.noise).mean_size(int(n)) / n
            for n in np.atleast_1d(np.asarray(repeats, dtype=np.float64))
        ]
        return np.reshape(np.array(sizes), np.shape(repeats))

    def average_within(self, width: float, repeats: int) -> float:
        return GeometricSums(self.noise).within(math.floor(width * repeats * (1 + 1e-15)), repeats)
