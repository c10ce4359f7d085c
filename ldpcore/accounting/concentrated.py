"""The worst losses of a ρ-concentrated release (zCDP), as a curve: at least those of normal noise.

Each order a of Rényi's divergence bounds δ at every ε; the least of these bounds holds, and so does the largest convex
curve of α = e^ε below it, for E_α[P, Q] is convex. Of a convex curve there is a pair of laws whose losses have it, and
what is composed of the pairs betrays at least as much as what is composed of the releases.
Zhu, Dong, Wang (2022), Optimal accounting of differential privacy via characteristic function, on dominating pairs;
the bound of an order: Canonne, Kamath, Steinke (2020), The discrete Gaussian, proposition 12.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import ClassVar

import numpy as np

from ldpcore.accounting.composition import ORDERS, concentrated_of, gaussian_divergences
from ldpcore.accounting.privacylosses import TAIL, Lattice
from ldpcore.accounting.releases import AccountedRelease
from ldpcore.numerics.arrays import Reals

PLACES = 2048  # of the curve, on either side of ε = 0
ROUNDING = 1e-12  # of the bounds themselves, relative: they are computed a trifle too large


def failure(rho: float, epsilon: Reals) -> Reals:
    """The largest δ at each ε ≥ 0: by every order, and by the distance of both laws.

    |P - Q| ≤ √(KL/2) and √(1 - e^{-KL}), and KL ≤ ρ: Pinsker's inequality, and that of Bretagnolle and Huber.
    """
    orders = np.array(ORDERS)[:, None]
    logs = (orders - 1) * (orders * rho - epsilon + np.log1p(-1 / orders)) - np.log(orders)
    apart = min(math.sqrt(rho / 2), math.sqrt(-math.expm1(-rho)))
    with np.errstate(over="ignore"):
        return np.asarray(np.minimum(np.exp(logs.min(axis=0)) * (1 + ROUNDING), apart), dtype=np.float64)


class ConcentratedLosses(AccountedRelease):
    """Losses of a release known by its ρ alone, at their worst; the ρ of many add up to the ρ of all."""

    pool: ClassVar[str] = "concentrated"

    def pooled(self, rho: float, step: float) -> Lattice:
        return worst_losses(rho).lattice(step)

    def divergences(self) -> Reals:
        return gaussian_divergences(self.rho)

    def lattice(self, step: float) -> Lattice:
        return self.pooled(self.rho, step)

    def reach(self) -> float:
        return concentrated_of(self.rho, TAIL)

    def width(self) -> float:
        return min(worst_losses(self.rho).spread(), self.reach())


@dataclass(frozen=True, eq=False)
class WorstLosses:
    """Losses in rising order with their probabilities under the first input, and the mass of certain betrayal."""

    losses: Reals
    first: Reals
    certain: float

    def lattice(self, step: float) -> Lattice:
        """These losses on whole multiples of a step."""
        return Lattice.of_outcomes(self.first, self.losses, step, self.certain)

    def spread(self) -> float:
        """The standard deviation of the losses."""
        mass = float(self.first.sum())
        mean = float(np.dot(self.first, self.losses)) / mass
        return math.sqrt(float(np.dot(self.first, (self.losses - mean) ** 2)) / mass)


@lru_cache(maxsize=256)
def worst_losses(rho: float) -> WorstLosses:
    """The losses of the largest convex curve that no ρ-concentrated release exceeds.

    With E(α) = max(1 - α, 0) + K(α), K(α) = δ(ln α) from α = 1 on, and by the other order of both inputs
    K(α) = α δ(-ln α) before. A corner of the curve at α where its slope rises by q is an outcome of chance q under the
    second input and α q under the first.
    """
    levels = np.linspace(0.0, concentrated_of(rho, TAIL), PLACES + 1)  # beyond, less than the tail is lost
    delta = failure(rho, levels)
    alpha = np.concatenate([[0.0], np.exp(-levels[:0:-1]), np.exp(levels)])
    excess = np.concatenate([[0.0], np.exp(-levels[:0:-1]) * delta[:0:-1], delta])
    corners = _below(alpha.tolist(), excess.tolist())
    edges = [_slope(alpha[one], excess[one], alpha[other], excess[other]) for one, other in pairwise(corners)]
    parts = np.array([*edges, (0.0, 0.0)])  # beyond the last corner the curve stays
    rises = np.maximum(np.diff(parts, axis=0).sum(axis=1), 0.0)
    places = alpha[corners[1:]]
    return WorstLosses(np.log(places), places * rises, float(excess[corners[-1]]))


def _slope(x: float, k: float, other_x: float, other_k: float) -> tuple[float, float]:
    """The slope of the curve between two places, that of max(1 - α, 0) and that of K: apart they keep their digits."""
    wide = other_x - x
    falling = -1.0 if other_x <= 1 else 0.0 if x >= 1 else -(1 - x) / wide
    return falling, (other_k - k) / wide


def _below(x: list[float], k: list[float]) -> list[int]:
    """The corners of the largest convex curve below the points."""
    corners, slopes = [0], list[tuple[float, float]]()
    for place in range(1, len(x)):
        slope = _slope(x[corners[-1]], k[corners[-1]], x[place], k[place])
        while slopes and slope[0] - slopes[-1][0] + slope[1] - slopes[-1][1] <= 0:
            corners.pop()
            slopes.pop()
            slope = _slope(x[corners[-1]], k[corners[-1]], x[place], k[place])
        corners.append(place)
        slopes.append(slope)
    return corners
