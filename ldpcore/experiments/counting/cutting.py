"""Laplace noise cut off at a width, which it always keeps, and the price: what it gives away."""

from __future__ import annotations

import math


def proof(level: float, sensitivity: float, width: float) -> float:
    """The chance that Laplace noise cut off at ±w gives away for certain who moves it by Δ: P(X > w - Δ).

    Elsewhere the ratio of both densities is e^ε at most, so this is δ(ε) exactly. With b = Δ/ε and w ≥ Δ it is
    (e^ε - 1)/(2(e^{w/b} - 1)) (Geng, Ding, Guo, Kumar 2018, *Truncated Laplacian mechanism*); where w < Δ the
    numbers that both tables allow are fewer, and none are left at w < Δ/2.
    """
    b, begins = sensitivity / level, width - sensitivity
    if begins <= -width:
        return 1.0
    mass = -2 * math.expm1(-width / b)  # twice the probability that is left between both ends
    if begins >= 0:
        return -math.exp(-begins / b) * math.expm1(-sensitivity / b) / mass
    return (-math.expm1(begins / b) - math.expm1(-width / b)) / mass
