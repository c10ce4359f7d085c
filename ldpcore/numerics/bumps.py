"""A bump that is smooth without end: κ₀(u) = exp(-1/(1-4u²)) between -½ and ½, its derivatives, area and roughness."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.quadrature import gauss_legendre

FINE = 4001  # places of the table, and at which the largest derivative is looked for


@lru_cache(maxsize=16)
def _numerator(order: int) -> np.polynomial.Polynomial:
    """P with κ₀^(m) = P(u)/(1-4u²)^{2m}·κ₀: P ← P'w² + 8u(2mw - 1)P, w = 1 - 4u²."""
    polynomial = np.polynomial.Polynomial
    if order == 0:
        return polynomial([1.0])
    before, w, u = _numerator(order - 1), polynomial([1.0, 0.0, -4.0]), polynomial([0.0, 1.0])
    return before.deriv() * w**2 + 8 * u * (2 * (order - 1) * w - 1) * before


def bump(u: ArrayLike, order: int = 0) -> Reals:
    """κ₀^(order)(u); 0 outside (-½, ½)."""
    places = np.asarray(u, dtype=np.float64)
    w = np.maximum(1 - 4 * places**2, 1e-3)  # e^-1000 is 0
    inside = np.abs(places) < 0.5
    if order == 0:
        return np.asarray(np.where(inside, np.exp(-1 / w), 0.0))
    return np.asarray(np.where(inside, _numerator(order)(places) * np.exp(-1 / w - 2 * order * np.log(w)), 0.0))


def area(low: ArrayLike = -0.5, high: ArrayLike = 0.5) -> Reals:
    """∫ κ₀ from low to high; ‖κ₀‖₁ = 0.2219969."""
    return _up_to(high) - _up_to(low)


def _up_to(place: ArrayLike) -> Reals:
    """∫ κ₀ up to a place: a cubic between the entries of a table, with their known slopes, right to about 1e-15."""
    sums, slopes, step = _table()
    scaled = (np.clip(np.asarray(place, dtype=np.float64), -0.5, 0.5) + 0.5) / step
    at = np.minimum(scaled.astype(np.int64), FINE - 2)
    t = scaled - at
    rise = sums[at + 1] - sums[at]
    bent = (1 - t) * (slopes[at] * step - rise) - t * (slopes[at + 1] * step - rise)
    return np.asarray(sums[at] + t * rise + t * (1 - t) * bent)


@lru_cache(maxsize=1)
def _table() -> tuple[Reals, Reals, float]:
    """∫ κ₀ up to each of many places, by quadrature between them; κ₀ there; and the distance between places."""
    places = np.linspace(-0.5, 0.5, FINE)
    nodes, weights = gauss_legendre(12)
    step = float(places[1] - places[0])
    parts = bump(places[:-1, None] + (nodes + 1) * step / 2) @ weights * step / 2
    return np.concatenate([[0.0], np.cumsum(parts)]), bump(places), step


@lru_cache(maxsize=1)
def whole() -> float:
    """‖κ₀‖₁."""
    return float(area())


@lru_cache(maxsize=16)
def largest(order: int) -> tuple[float, float]:
    """‖κ₀^(order)‖∞ and a u ≥ 0 where it is attained: a grid, then a parabola through the three highest places."""
    places = np.linspace(0, 0.5, FINE)
    heights = np.abs(bump(places, order))
    top = int(np.argmax(heights))
    if top == 0:
        return float(heights[0]), 0.0
    left, middle, right = heights[top - 1 : top + 2]
    place = float(places[top] + (right - left) / (2 * (2 * middle - left - right)) * (places[1] - places[0]))
    return float(np.abs(bump(place, order))), place
