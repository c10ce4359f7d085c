"""Two-sided geometric noise on a curator's whole number: Laplace noise that a computer keeps exactly."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.laws.channels import Pair
from ldpcore.mechanisms.base import CentralRelease, Witness
from ldpcore.mechanisms.geometricnoise import TwoSidedGeometric
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Epsilon, Neighbors, ParameterError, WholeSensitivity


@dataclass(frozen=True)
class DiscreteLaplaceMechanism(CentralRelease):
    """Release f(D) + W with P(W = j) = tanh(ε/2Δ)·e^{-ε|j|/Δ}, for counts and other whole numbers.

    Mean absolute error 1/sinh(ε/Δ), a little below the Δ/ε of Laplace noise; and what is released is a whole number,
    whose last bits betray nothing.
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

    @classmethod
    def instead_of(cls, noise: LaplaceMechanism) -> DiscreteLaplaceMechanism:
        """At the same level, for a query that one person moves by whole numbers."""
        return cls(noise.epsilon, int(noise.sensitivity), noise.neighbors)

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
