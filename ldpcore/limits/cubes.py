"""Least errors of d private means at once, of answers in [-1, 1]: Le Cam, Fano and Assouad on the corners of a cube.

Everybody sends one report of level ε. For Le Cam and Assouad it may depend on the reports before it: KL is summed along
what people know in one world, which is the same for all that it is compared with. For Fano it may not.

What a report says of worlds P and P' is bounded through φ(γ) = ∫γ d(P - P'), |γ| ≤ 1: as q(z|x) lies between q(z) and
e^ε q(z) for the smallest q(z),
|M - M'|(z) ≤ q(z)·(e^ε-1)/2·|φ(γ_z)| and M, M' ≥ q(z), so that KL ≤ ½∫(M - M')²/min(M, M') ≤ (e^ε-1)²/8·Σ q(z)φ(γ_z)².
Worlds that differ in one of d independent answers have orthogonal differences: their squares of φ sum to that of one,
however large d is (Bessel). Reference: Duchi, Jordan, Wainwright (2018), Minimax optimal procedures for locally private
estimation, section 5, with smaller constants.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ldpcore.laws.guessing import assouad, fano, le_cam
from ldpcore.limits.confusion import TRIED, coins_confused
from ldpcore.numerics.peaks import highest
from ldpcore.parameters import Dimension, Epsilon, Users, declaration


@dataclass(frozen=True)
class CubeBound:
    """The sum of d squared errors is at least `value`, for worlds whose means are `delta` away from 0."""

    value: float
    delta: float


def _checked(d: int, n: int, epsilon: float = 1.0) -> None:
    for name, declared, value in (("d", Dimension, d), ("n", Users, n), ("epsilon", Epsilon, epsilon)):
        declaration(declared).check(name, value)


def cube_le_cam(d: int, n: int, epsilon: float) -> CubeBound:
    """dδ²·(1 - TV)/2, for people who answer all d questions alike, 1 with chance ½ ± δ/2; TV ≤ (e^ε-1)δ√n/2.

    Largest where TV ≤ 2/3, or for the farthest worlds.
    """
    _checked(d, n, epsilon)
    grown = math.expm1(epsilon) * math.sqrt(n) / 2
    delta = min(2 / (3 * grown), 1.0)
    return CubeBound(d * delta**2 * le_cam(grown * delta), delta)


def cube_fano(d: int, n: int, epsilon: float) -> CubeBound:
    """δ²/2·(1 - (I + ln 2)/ln 2d), for 2d worlds in which one answer leans by δ to one side; I ≤ n(e^ε-1)²δ²/(8d).

    Largest where I ≤ ½ ln d, or for the farthest worlds.
    """
    _checked(d, n, epsilon)
    grown = n * math.expm1(epsilon) ** 2 / (8 * d)
    if d == 1:
        return CubeBound(0.0, 0.0)
    square = min(math.log(d) / (2 * grown), 1.0)
    return CubeBound(square / 2 * fano(grown * square, 2 * d), math.sqrt(square))


def cube_assouad(d: int, n: int, epsilon: float) -> CubeBound:
    """δ²/2·Σ(1 - TV_j), for independent answers that lean by ±δ; Σ TV_j² ≤ n(e^ε-1)²δ²/(4(1-δ²)).

    The loss of two corners is at least δ² where they differ, which is what the lemma needs. With r = δ/√(1-δ²) and
    TV_j ≤ gr it is largest where g(3r + r³) = 2, and so r = 2 sinh(x) with sinh(3x) = 1/g.
    """
    _checked(d, n, epsilon)
    grown = math.expm1(epsilon) / 2 * math.sqrt(n / d)
    leaning = 2 * math.sinh(math.asinh(1 / grown) / 3)
    delta = leaning / math.hypot(1, leaning)
    return CubeBound(assouad(delta**2 / 2, np.full(d, grown * leaning)), delta)


def cube_direct(d: int, n: int) -> CubeBound:
    """The bound without privacy, where each answer is judged by itself: TV_j is that of n coins, exactly."""
    _checked(d, n)
    deltas = np.minimum(TRIED / math.sqrt(n), 1.0)
    return CubeBound(*highest(lambda delta: d * delta**2 / 2 * coins_confused(n, delta), deltas))
