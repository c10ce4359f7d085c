"""The distance from the truth that an average of N releases with Laplace noise reaches with a given chance."""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

import scipy

from ldpcore.laws.averages import gamma_shapes
from ldpcore.numerics.roots import brent_root

_SUMMED = 400  # from here on a sum's quantiles come from its cumulants


@lru_cache(maxsize=4096)
def average_reach(tail: float, repeats: int) -> float:
    """The w with P(average of N releases - truth > wb) = `tail`, in scales b: exact up to N = 400, then within 10⁻⁹.

    Beyond, the normal law with all corrections up to N⁻³, from the cumulants (2k)!/k of Lap(1).
    """
    if not 0 < tail < 0.5:
        return 0.0 if tail >= 0.5 else math.inf

    def over(z: float) -> float:
        left = sum_beyond(z, repeats) if repeats > _SUMMED else _beyond(z * math.sqrt(2 * repeats), repeats)
        return math.log(max(left, 1e-300)) - math.log(tail)

    normal = -NormalDist().inv_cdf(tail)
    # One exponential tail beyond the normal law: ln(1/tail) scales more than hold it for every N.
    z = brent_root(over, normal / 2, 2 * normal - math.log(tail), xtol=1e-12, rtol=1e-13)
    return z * math.sqrt(2 / repeats)


def _beyond(total: float, repeats: int) -> float:
    """P(the sum of N Lap(1) > total), by gamma laws."""
    shapes, weights = gamma_shapes(repeats)
    return float(weights @ scipy.special.gammaincc(shapes, total))


def sum_beyond(z: float, repeats: int) -> float:
    """P(the sum of N Lap(1) > z√(2N)) for large N: Φ(-z) and its corrections in Hermite polynomials."""
    hermite = [1.0, z]
    for degree in range(1, 11):
        hermite.append(z * hermite[-1] - degree * hermite[-2])
    n = float(repeats)  # cumulants of the standardized sum: 3/N, 30/N², 630/N³
    bend = hermite[3] / 8 / n + (hermite[5] / 24 + hermite[7] / 128) / n**2
    bend += (hermite[7] / 64 + hermite[9] / 192 + hermite[11] / 3072) / n**3
    return math.erfc(z / math.sqrt(2)) / 2 + math.exp(-z * z / 2) / math.sqrt(2 * math.pi) * bend
