"""The error of the average and of the median of N releases with Laplace noise: exact laws."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.quadrature import gauss_legendre

_EXACT_UP_TO = 100_000


def central_binomial(repeats: ArrayLike) -> Reals:
    """C(2N, N)/4^N, about 1/√(πN): whole numbers divided below 1 000, a series with error N⁻⁵ from there on."""
    n = np.atleast_1d(np.asarray(repeats, dtype=np.float64))
    # ln Γ would lose four digits at N = 10^12; the series of Γ(N + 1/2)/Γ(N + 1) loses none.
    series = 1 - 1 / (8 * n) + 1 / (128 * n**2) + 5 / (1024 * n**3) - 21 / (32768 * n**4)
    shares = series / np.sqrt(np.pi * n)
    for place in np.flatnonzero(n < 1000):
        whole = int(n.flat[place])
        shares.flat[place] = math.comb(2 * whole, whole) / 4**whole
    return np.asarray(shares.reshape(np.shape(repeats)), dtype=np.float64)


def average_error(scale: float, repeats: ArrayLike) -> Reals:
    """The mean absolute error of an average of N releases, 2b·C(2N, N)/4^N: b, 0.75 b, 0.625 b, ..., 2b/√(πN)."""
    return np.asarray(2 * scale * central_binomial(repeats), dtype=np.float64)


def average_within(width: float, scale: float, repeats: int) -> float:
    """P(|average of N releases of Lap(b) - truth| <= w): exact up to N = 100 000, then within 10⁻¹⁰.

    The sum of N Lap(1) is positive and Gamma(N-j) with weight C(N-1+j, j)/2^(N+j), and symmetric: a sum of positive
    terms. Beyond, the normal law with its first correction for the kurtosis 3/N, whose error is of order N⁻².
    """
    distance = width / scale  # in scales; the sum must stay within N times as much
    if repeats > _EXACT_UP_TO:
        z = distance * math.sqrt(repeats / 2)
        density = math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
        return min(math.erf(z / math.sqrt(2)) - (z**3 - 3 * z) * density / (4 * repeats), 1.0)
    shapes, weights = gamma_shapes(repeats)
    return min(float(2 * weights @ scipy.special.gammainc(shapes, repeats * distance)), 1.0)


@lru_cache(maxsize=64)
def gamma_shapes(repeats: int) -> tuple[Reals, Reals]:
    """The gamma shapes N-j of the positive half and their weights; those whose weights are below 10⁻¹⁸ are left out."""
    most = min(repeats, math.ceil(14 * math.sqrt(repeats)) + 40)
    j = repeats - np.arange(1, most + 1, dtype=np.float64)
    # C(N-1+j, j) = exp(-ln(N+j) - ln B(N, j+1)); betaln keeps the digits that differences of ln Γ would lose.
    weights = np.exp(-np.log(repeats + j) - scipy.special.betaln(repeats, j + 1) - (repeats + j) * math.log(2))
    return repeats - j, np.asarray(weights / (2 * weights.sum()), dtype=np.float64)


def median_within(width: float, scale: float, repeats: int) -> float:
    """P(|median of N releases - truth| <= w), exact; the median of an even number is the mean of its two middle ones.

    For odd N the median exceeds w when more than half of the releases do: a binomial tail, 1 - 2 I_q(m, m) with
    m = (N+1)/2. It is what maximizes the likelihood of Laplace noise, and needs about half as many as the average.
    """
    beyond = math.exp(-width / scale) / 2
    if repeats % 2:
        middle = (repeats + 1) // 2
        return max(0.0, 1 - 2 * float(scipy.special.betainc(middle, middle, beyond)))
    return min(max(0.0, 1 - 2 * _even_median_exceeds(width / scale, repeats // 2)), 1.0)


def _even_median_exceeds(w: float, m: int) -> float:
    """P((X_(m) + X_(m+1))/2 > w) of 2m releases of Lap(1).

    Given X_(m) = x the m above it are independent: beyond w the mean exceeds w too, and below w it does when all m
    exceed 2w - x, so that P = P(X_(m) > w) + ∫ C F(x)^(m-1) (1 - F(2w-x))^m f(x) dx over x <= w. The part x < 0 is
    ½ e^(-2mw) C(2m,m)/4^m; with t = 2e^x - 1 = T e^(-s/m) the part between 0 and w has the integral below.
    """
    both = float(scipy.special.betainc(m + 1, m, math.exp(-w) / 2))
    central = float(central_binomial(m))
    top = 2 * math.expm1(w) + 1 if w < 300 else math.inf  # T = 2e^w - 1
    if math.isinf(top):
        return both  # nothing is left of the others
    points, weights = gauss_legendre(64)
    reach = min(m * math.log(top), 45.0)
    s = (points + 1) * reach / 2
    inner = float(weights @ (np.exp(-s) / (1 + top * np.exp(-s / m)))) * reach / 2
    beyond = -w + math.log(2 - math.exp(-w))  # ln(1 - (1 - e^-w)²), also where the difference is rounded away
    return both + central * (math.exp(-2 * m * w) / 2 + math.exp(m * beyond) * inner)
