"""Moduli of continuity by a linear program, a route that knows no formula of `ldpcore/limits/moduli.py`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from ldpcore.numerics.arrays import Reals

RATIOS = 48  # directions between one world and the other, on either side of equal weights


@dataclass(frozen=True)
class FiniteModel:
    """All laws on finitely many values f, or those with E|f|^κ ≤ C: their moduli by a linear program.

    A pair (P₀, P₁) is a sum of weighted directions (a, 1 - a) at each value. The affinity Σ√(pq) is concave, so that a
    sum of directions never has more than its pair: what is found is attained. Total variation needs three directions.
    """

    values: tuple[float, ...]
    kappa: float | None = None
    bound: float = 1.0

    def tv(self, distance: float) -> float:
        """ω_TV: Σ min(p, q) ≥ 1 - ε."""
        shares = np.array([0.0, 0.5, 1.0])
        return self._largest(shares, np.minimum(shares, 1 - shares), 1 - distance)

    def hellinger(self, distance: float, ratios: int = RATIOS) -> float:
        """ω_H: Σ√(pq) ≥ 1 - h²/2."""
        # Directions are dense where laws hardly differ, for there the optimum of a small distance lies.
        tilt = np.concatenate([np.geomspace(min(distance, 1) / 50, 1, ratios), [0.0]])
        shares = np.unique(np.concatenate([(1 - tilt) / 2, (1 + tilt) / 2]))
        return self._largest(shares, np.sqrt(shares * (1 - shares)), 1 - distance**2 / 2)

    def _largest(self, shares: Reals, common: Reals, least: float) -> float:
        values, many = np.array(self.values), len(self.values)
        first, second = np.tile(shares, many), np.tile(1 - shares, many)
        f = np.repeat(values, len(shares))
        limits, sides = [-np.tile(common, many)], [-least]
        if self.kappa is not None:
            moments = np.abs(f) ** self.kappa
            limits += [moments * first, moments * second]
            sides += [self.bound, self.bound]
        answer = scipy.optimize.linprog(
            -f * (first - second), np.array(limits), sides, np.array([first, second]), [1, 1], method="highs"
        )
        if answer.x is None:
            raise ValueError(f"no law has a moment of {self.bound}")
        return max(float(np.dot(answer.x, f * (first - second))), 0.0)
