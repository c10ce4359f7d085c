"""Moduli of continuity: the largest difference of θ between two worlds of at most a given distance.

ω_d(ε) = sup{|θ(P₀) - θ(P₁)| : d(P₀, P₁) ≤ ε}, for total variation (in [0, 1]) and Hellinger's distance (its square in
[0, 2]). Exact formulas for three models. Reference: Donoho, Liu (1991), Geometrizing rates of convergence II.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.numerics.arrays import Reals


def _within(distance: ArrayLike, most: float) -> Reals:
    return np.clip(np.asarray(distance, dtype=np.float64), 0, most)


def tv_from_hellinger(distance: ArrayLike) -> Reals:
    """The largest total variation at a Hellinger distance: h√(1 - h²/4), attained by (½ ± s) against (½ ∓ s)."""
    h = _within(distance, np.sqrt(2))
    return np.asarray(h * np.sqrt(1 - h**2 / 4), dtype=np.float64)


def bounded_tv(width: float, distance: ArrayLike) -> Reals:
    """(max f - min f)·ε, for θ = E f over all laws: ∫ f dσ of a signed measure with ε at either sign."""
    return np.asarray(width * _within(distance, 1), dtype=np.float64)


def bounded_hellinger(width: float, distance: ArrayLike) -> Reals:
    """(max f - min f)·h√(1 - h²/4), for θ = E f over all laws."""
    return np.asarray(width * tv_from_hellinger(distance), dtype=np.float64)


def heavy_tv(kappa: float, bound: float, distance: ArrayLike) -> Reals:
    """2C^{1/κ} ε^{(κ-1)/κ}, for the mean over all laws with E|X|^κ ≤ C.

    Hölder's inequality on either sign of P₀ - P₁; attained by an ε-th of the people at ±(C/ε)^{1/κ}, the others at 0.
    """
    return np.asarray(2 * bound ** (1 / kappa) * _within(distance, 1) ** (1 - 1 / kappa), dtype=np.float64)


def heavy_hellinger(kappa: float, bound: float, distance: ArrayLike) -> Reals:
    """2C^{1/κ}√c w((w² + c)/2)^{-1/κ} with c = h²/2 and w² the smaller of 2 - c and κc/(2 - κ).

    The pair has p people at t, q at -t and the others at 0, and its mirror image; √p - √q = √c, √p + √q = w. For κ ≥ 2
    it has nobody at 0 and the modulus is 2C^{1/κ} h√(1 - h²/4).
    """
    c = _within(distance, np.sqrt(2)) ** 2 / 2
    most = 2 - c
    square = most if kappa >= 2 else np.minimum(most, kappa * c / (2 - kappa))
    some = c > 0
    people = np.where(some, (square + c) / 2, 1.0)
    gap = np.sqrt(c * square) * people ** (-1 / kappa)
    return np.asarray(np.where(some, 2 * bound ** (1 / kappa) * gap, 0.0), dtype=np.float64)


def endpoint_tv(most: float, distance: ArrayLike) -> Reals:
    """M·ε, for the end of a uniform law on [0, θ], θ ≤ M: the total variation of two of them is 1 - a/b."""
    return np.asarray(most * _within(distance, 1), dtype=np.float64)


def endpoint_hellinger(most: float, distance: ArrayLike) -> Reals:
    """M(1 - (1 - h²/2)²): the affinity of two uniform laws is √(a/b)."""
    h2 = _within(distance, np.sqrt(2)) ** 2
    return np.asarray(most * h2 * (1 - h2 / 4), dtype=np.float64)
