"""Contraction by a channel: laws pushed forward, and how much every distance between them shrinks.

For a channel of level α: total variation by tanh(α/2) at most, Kullback-Leibler, χ² and squared Hellinger by
tanh(α/2)² at most. Randomized response attains all of them.
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ldpcore.laws.besttests import family
from ldpcore.laws.divergences import total_variation
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import ParameterError


def pushed(law: ArrayLike, channel: ArrayLike) -> Reals:
    """The law of the report: Σ P(x) Q(z|x), a row vector times a matrix."""
    rows, held = family(channel), family(law)[0]
    if len(held) != len(rows):
        raise ParameterError("laws_shapes", first=str(held.shape), second=str(rows.shape))
    return np.asarray(held @ rows, dtype=np.float64)


def dobrushin(channel: ArrayLike) -> float:
    """The contraction of total variation, the largest distance between two rows. Reference: Dobrushin (1956)."""
    rows = family(channel)
    return max((total_variation(one, other) for one, other in combinations(rows, 2)), default=0.0)


def strong_contraction(channel: ArrayLike) -> float:
    """The contraction of χ², which is that of Kullback-Leibler and of squared Hellinger too.

    It is attained on two inputs: the largest β(1 - β)Σ(p - q)²/(βp + (1 - β)q) over pairs of rows and 0 < β < 1.
    Reference: Choi, Ruskai, Seneta (1994); Ordentlich and Polyanskiy (2021), Strong data processing constant is
    achieved by binary inputs.
    """
    return max((_two_inputs(one, other) for one, other in combinations(family(channel), 2)), default=0.0)


def _two_inputs(p: Reals, q: Reals) -> float:
    """sup over β of the Györfi-Vajda divergence: concave in β, for 1 - Σ pq/(βp + (1 - β)q) is."""
    possible = (p > 0) | (q > 0)
    p, q = p[possible], q[possible]

    def kept(beta: float) -> float:
        return float(beta * (1 - beta) * ((p - q) ** 2 / (beta * p + (1 - beta) * q)).sum())

    best = scipy.optimize.minimize_scalar(
        lambda beta: -kept(beta), bounds=(0, 1), method="bounded", options={"xatol": 1e-12}
    )
    # Where one row allows what the other excludes, the supremum may lie at an end.
    ends = float(p[q == 0].sum()), float(q[p == 0].sum())
    return min(max(-float(best.fun), *ends), 1.0)


def largest_contraction(epsilon: float) -> float:
    """tanh(α/2): the share of a total variation that passes a channel of level α, at most; of others its square."""
    return math.tanh(epsilon / 2)


def information_constant(epsilon: float) -> float:
    """min(4, e^{2α})(e^α - 1)². Reference: Duchi, Jordan, Wainwright (2018), Theorem 1; loose above α = ln 2."""
    if epsilon > 300:
        return math.inf
    return min(4.0, math.exp(2 * epsilon)) * math.expm1(epsilon) ** 2


def printed_distance(epsilon: float, distance: float, n: int) -> float:
    """The total variation of n private reports at most, by Pinsker alone, as limits print it: √(constant·n/2)·TV."""
    return min(math.sqrt(information_constant(epsilon) * n / 2) * distance, 1.0) if distance else 0.0


def largest_distance(epsilon: float, distance: float, n: int, squared_hellinger: float = 2.0) -> float:
    """The largest total variation of n private reports of two laws, by the laws' own distances: the least of three.

    n·tanh(α/2)·TV, one report after the other; √(constant·n/2)·TV by Pinsker; and √(1 - ρ^{2n}) with the affinity
    ρ = 1 - H²/2 of one report (Le Cam), where H² is at most tanh²(α/2) times that of the laws, itself at most 2·TV.
    """
    if not distance:
        return 0.0
    left = largest_contraction(epsilon)
    square = left**2 * min(squared_hellinger, 2 * distance, 2.0)
    together = math.sqrt(-math.expm1(2 * n * math.log1p(-square / 2))) if square < 2 else 1.0
    return min(n * left * distance, printed_distance(epsilon, distance, n), together)
