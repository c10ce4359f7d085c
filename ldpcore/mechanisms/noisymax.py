"""Report-noisy-max: each score gets noise of its own, and the place of the largest is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.mechanisms.selector import Selector
from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.quadrature import gauss_legendre
from ldpcore.parameters import CandidateCount, Epsilon, Sensitivity

AT_ONCE = 1 << 20  # noisy scores drawn in one block


@dataclass(frozen=True)
class ReportNoisyMax(Selector):
    """Add exponential noise of mean 2Δ/ε to each score and tell which is largest: never worse than P(r) ∝ e^{εq(r)/2Δ}.

    P(r) = p_r ∫₀¹ Π_{j≠r} (1 - p_j t) dt with p_j = e^{-ε(max q - q(j))/2Δ}: the same law as permute-and-flip, which
    looks at the candidates in random order and takes each with probability p_j.
    """

    epsilon: Epsilon
    k: CandidateCount
    sensitivity: Sensitivity = 1.0

    slug: ClassVar[str] = "noisymax"
    title: ClassVar[str] = "Report noisy max"
    reference: ClassVar[str] = (
        "McKenna, Sheldon (2020), Permute-and-flip, NeurIPS; with noise: Ding, Kifer, Steinke, Wang, Xiao, Zhang (2021)"
    )

    @property
    def scale(self) -> float:
        """The mean of the noise on one score, 2Δ/ε."""
        return 2 * self.sensitivity / self.epsilon

    def logs(self, scores: ArrayLike) -> Reals:
        # ln P(r|q)/P(r|q') ≤ ε, attained by a hopeless candidate: its p_r moves by e^ε and the integral stays.
        # A polynomial of degree k - 1, for which Gauss and Legendre's k/2 points are exact; all factors are positive.
        numbers = self.checked(scores)
        exponents = (numbers - numbers.max()) / self.scale
        t, weights = _points(self.k)
        each = np.log1p(-np.exp(exponents)[:, None] * t)
        others = each.sum(axis=0) - each
        return np.asarray(exponents + np.log(np.exp(others) @ weights), dtype=np.float64)

    def select(self, scores: ArrayLike, rng: np.random.Generator, repeats: int | None = None) -> NDArray[np.int64]:
        numbers, rounds = self.checked(scores), 1 if repeats is None else repeats
        size = max(1, AT_ONCE // self.k)
        blocks = (min(size, rounds - done) for done in range(0, rounds, size))
        chosen = np.concatenate(
            [(numbers + self.scale * rng.standard_exponential((block, self.k))).argmax(axis=1) for block in blocks]
        )
        return np.asarray(chosen[0] if repeats is None else chosen, dtype=np.int64)

    def worst(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        # One of equals falls back while all others come forward: p_r falls from 1 to e^{-ε}, the others' stay 1.
        return self.two_lists(0.0, -float(self.sensitivity))


def _points(k: int) -> tuple[Reals, Reals]:
    """Points and weights on [0, 1] that are exact for polynomials of degree k - 1."""
    nodes, weights = gauss_legendre(k // 2 + 1)
    return (nodes + 1) / 2, weights / 2
