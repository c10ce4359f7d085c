"""The exponential mechanism: better candidates are exponentially likelier to be chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.mechanisms.selector import Selector
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import CandidateCount, Epsilon, Sensitivity


@dataclass(frozen=True)
class ExponentialMechanism(Selector):
    """Choose candidate r with probability P(r) = e^{ε q(r)/2Δ} / Σ e^{ε q/2Δ}, for choices that noise would spoil.

    With probability 1 - β the score of the chosen one is at most (2Δ/ε) ln(k/β) below the best.
    """

    epsilon: Epsilon
    k: CandidateCount
    sensitivity: Sensitivity = 1.0

    slug: ClassVar[str] = "exponential"
    title: ClassVar[str] = "Exponential mechanism"
    reference: ClassVar[str] = "McSherry, Talwar (2007), Mechanism design via differential privacy, definition 2"

    def logs(self, scores: ArrayLike) -> Reals:
        # ln P(r|q)/P(r|q') = ε(q(r) - q'(r))/2Δ + ln Σ e^{εq'/2Δ} - ln Σ e^{εq/2Δ} ≤ ε/2 + ε/2: each score moves by Δ.
        # The best score is taken off first, so that no power overflows however large the scores are.
        numbers = self.checked(scores)
        exponents = (numbers - numbers.max()) * (self.epsilon / (2 * self.sensitivity))
        return np.asarray(exponents - np.log(np.exp(exponents).sum()), dtype=np.float64)

    def select(self, scores: ArrayLike, rng: np.random.Generator, repeats: int | None = None) -> NDArray[np.int64]:
        law = self.probabilities(scores)
        return np.asarray(rng.choice(self.k, repeats, p=law / law.sum()), dtype=np.int64)

    def worst(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        # A hopeless candidate comes nearer while all others step back: the loss is ε in the limit, reached to 1e-20.
        behind = -(46 / self.epsilon + 2) * 2 * self.sensitivity
        return self.two_lists(behind + self.sensitivity, behind)
