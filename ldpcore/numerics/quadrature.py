"""Points and weights of Gauss and Legendre on [-1, 1], computed once for each number of points."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ldpcore.numerics.arrays import Reals


@lru_cache(maxsize=64)
def gauss_legendre(points: int) -> tuple[Reals, Reals]:
    """Points and weights, exact for polynomials of degree below twice their number; nobody may write to them."""
    places, weights = (np.asarray(each, dtype=np.float64) for each in np.polynomial.legendre.leggauss(points))
    places.flags.writeable = weights.flags.writeable = False
    return places, weights
