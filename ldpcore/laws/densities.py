"""Divergences between two laws on the line, by quadrature: any two densities, any convex f, infinities included.

What `ldpcore.laws.divergences` sums over outcomes is here an integral, piece by piece between the points where a
density breaks and outward in pieces that double. Where the pieces no longer fall, the divergence is infinite.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ldpcore.laws.divergences import FDivergence
from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.quadrature import gauss_legendre
from ldpcore.parameters import ParameterError

PIECES = 60  # doublings outward: 10^18 times the scale
FINE = 1e-13  # of the sum: what a piece may add and count as nothing
FALLING = 0.9  # a tail whose pieces fall no faster than this never ends
POINTS = 40  # of Gauss and Legendre on each piece
STEEPEST = 345.0  # ln of a ratio whose square is still a double
COUNTS = 1e-9
DEPTH = 14  # halvings of a piece in which both rules differ

LogDensity = Callable[[Reals], Reals]


@dataclass(frozen=True)
class Densities:
    """Two densities by their logarithms; `breaks` are places where one of them jumps or bends, the middle included.

    The range ends at `low` and `high`, which may be infinite; `scale` is the width of the first pieces of a tail.
    """

    first: LogDensity
    second: LogDensity
    breaks: tuple[float, ...] = (0.0,)
    low: float = -math.inf
    high: float = math.inf
    scale: float = 1.0

    @classmethod
    def normal(cls, shift: float, deviation: float = 1.0, other: float | None = None) -> Densities:
        """Normal noise around 0 and around `shift`, of one standard deviation or of two."""
        wide = deviation if other is None else other
        return cls(
            lambda z: -((z / deviation) ** 2) / 2 - math.log(deviation * math.sqrt(2 * math.pi)),
            lambda z: -(((z - shift) / wide) ** 2) / 2 - math.log(wide * math.sqrt(2 * math.pi)),
            tuple(sorted({0.0, shift / 2, shift})),
            scale=max(deviation, wide),
        )

    @classmethod
    def laplace(cls, shift: float, scale: float = 1.0) -> Densities:
        """Laplace noise of one scale around 0 and around `shift`."""
        return cls(
            lambda z: -np.abs(z) / scale - math.log(2 * scale),
            lambda z: -np.abs(z - shift) / scale - math.log(2 * scale),
            tuple(sorted({0.0, shift})),
            scale=scale,
        )

    @classmethod
    def uniform(cls, one: tuple[float, float], other: tuple[float, float]) -> Densities:
        """Two uniform laws."""

        def flat(ends: tuple[float, float]) -> LogDensity:
            height = -math.log(ends[1] - ends[0])
            return lambda z: np.where((z > ends[0]) & (z < ends[1]), height, -np.inf)

        ends = sorted({*one, *other})
        return cls(flat(one), flat(other), tuple(ends), ends[0], ends[-1])

    def reversed(self) -> Densities:
        """The pair with the second law first."""
        return Densities(self.second, self.first, self.breaks, self.low, self.high, self.scale)

    def divergence(self, divergence: FDivergence) -> float:
        """D_f(P‖Q) = ∫ q f(p/q), plus f'(∞) times the mass of P where q is zero."""

        def inside(z: Reals) -> Reals:
            p, q = self.first(z), self.second(z)
            ratio = np.exp(np.clip(p - q, -STEEPEST, STEEPEST))
            with np.errstate(over="ignore", invalid="ignore"):
                terms = np.where(p - q < STEEPEST, np.exp(q), np.exp(p) / ratio) * divergence.f(ratio)
            steep = p - q >= STEEPEST
            if divergence.slope is not None and math.isfinite(divergence.slope):
                terms = np.where(steep, divergence.slope * np.exp(p), terms)
            else:  # f(t)/t may still grow: a term that counts here has no end that a double holds
                terms = np.where(steep & (terms > COUNTS), np.inf, terms)
            return np.where(np.isfinite(q), terms, 0.0)

        lost = self._integral(self._outside)
        if lost > FINE and divergence.slope is None:
            raise ParameterError("slope_missing", p=lost)
        beyond = 0.0 if lost <= FINE or divergence.slope is None else divergence.slope * lost
        return max(self._integral(inside) + beyond, 0.0)

    def _outside(self, z: Reals) -> Reals:
        """The density of P where Q has none."""
        return np.where(np.isfinite(self.second(z)), 0.0, np.exp(self.first(z)))

    def mass(self) -> tuple[float, float]:
        """The integrals of both densities: one each, or they are no densities."""
        return self._integral(lambda z: np.exp(self.first(z))), self._integral(lambda z: np.exp(self.second(z)))

    def kullback_leibler(self) -> float:
        """∫ p ln(p/q) in nats."""

        def gained(z: Reals) -> Reals:
            p, q = self.first(z), self.second(z)
            # p ln(p/q) - p + q is nowhere negative and has the same integral; p(x + e^(-x) - 1), x = ln(p/q).
            with np.errstate(over="ignore", invalid="ignore"):
                x = np.minimum(p - q, 1e300)
                inner = np.where(x < -700, np.exp(q), np.exp(p) * (x + np.expm1(-np.maximum(x, -700.0))))
            return np.where(np.isfinite(p), np.where(np.isfinite(q), inner, 0.0), np.exp(q))

        if self._integral(self._outside) > FINE:
            return math.inf
        return self._integral(gained)

    def total_variation(self) -> float:
        """½ ∫ |p - q|."""
        return self._integral(lambda z: np.abs(np.exp(self.first(z)) - np.exp(self.second(z)))) / 2

    def squared_hellinger(self) -> float:
        """∫ (√p - √q)², in [0, 2]."""
        return self._integral(lambda z: (np.exp(self.first(z) / 2) - np.exp(self.second(z) / 2)) ** 2)

    def chi_square(self) -> float:
        """∫ (p - q)²/q; infinite where q ends too soon or falls too fast."""

        def spread(z: Reals) -> Reals:
            p, q = self.first(z), self.second(z)
            with np.errstate(over="ignore", invalid="ignore"):
                x = np.minimum(p - q, 1e300)
                inner = np.exp(
                    np.minimum(
                        q
                        + 2 * np.log(np.maximum(np.abs(np.expm1(np.minimum(x, 700))), 1e-300))
                        + 2 * np.maximum(x - 700, 0),
                        700,
                    )
                )
            return np.where(np.isfinite(q), inner, 0.0)

        return math.inf if self._integral(self._outside) > FINE else self._integral(spread)

    def hockey_stick(self, gamma: float) -> float:
        """E_γ(P‖Q) = ∫ max(p - γ q, 0), for γ ≥ 1."""
        if not gamma >= 1:
            raise ParameterError("gamma_small", got=gamma)
        return self._integral(lambda z: np.maximum(np.exp(self.first(z)) - gamma * np.exp(self.second(z)), 0))

    def renyi(self, order: float) -> float:
        """ln(∫ p^a q^(1-a))/(a - 1), for a > 0; a = 1 is Kullback-Leibler."""
        if not 0 < order < math.inf:
            raise ParameterError("order_small", got=order)
        if order == 1:
            return self.kullback_leibler()
        if order > 1 and self._integral(self._outside) > FINE:
            return math.inf

        def exponent(z: Reals) -> Reals:
            p, q = self.first(z), self.second(z)
            with np.errstate(invalid="ignore"):
                return np.where(np.isfinite(p) & np.isfinite(q), order * p + (1 - order) * q, -np.inf)

        # Only where doubles would not hold it is the integrand divided by its peak, which is looked for coarsely.
        far = self.scale * np.concatenate([np.linspace(0, 4, 401), np.geomspace(4, 1e6, 800)])
        around = np.concatenate([place + side * far for place in self.breaks for side in (-1, 1)])
        peak = float(np.max(exponent(around[(around > self.low) & (around < self.high)]), initial=-np.inf))
        peak = peak if peak > 600 else 0.0
        total = self._integral(lambda z: np.exp(np.minimum(exponent(z) - peak, 700.0)))
        if total in (0.0, math.inf):
            return math.inf
        return max((math.log(total) + peak) / (order - 1), 0.0)

    def _integral(self, what: LogDensity) -> float:
        """The integral over the whole range."""
        inner = [self.low, *(place for place in self.breaks if self.low < place < self.high), self.high]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            ends = [place for place in inner if math.isfinite(place)]
            body = sum(_piece(what, one, other) for one, other in pairwise(ends))
            for sign, end in ((-1, self.low), (1, self.high)):
                if math.isinf(end):
                    body += _tail(what, ends[0] if sign < 0 else ends[-1], sign * self.scale, body)
        return body


def _piece(what: LogDensity, low: float, high: float, depth: int = DEPTH) -> float:
    """Gauss's rule of forty points, halved until both halves say the same as the whole."""
    whole = _rule(what, low, high)
    middle = (low + high) / 2
    halves = _rule(what, low, middle) + _rule(what, middle, high)
    if not math.isfinite(halves) or depth == 0 or abs(whole - halves) <= 1e-14 + 1e-13 * abs(halves):
        return halves
    return _piece(what, low, middle, depth - 1) + _piece(what, middle, high, depth - 1)


def _rule(what: LogDensity, low: float, high: float) -> float:
    places, weights = gauss_legendre(POINTS)
    half = (high - low) / 2
    return float(half * np.dot(weights, what(low + half * (1 + places))))


def _tail(what: LogDensity, start: float, step: float, body: float) -> float:
    """Outward in pieces that double; infinite where they have not ended and no longer fall."""
    total = 0.0
    pieces = list(_doubling(what, start, step))
    for piece in pieces:
        if not math.isfinite(piece) or piece > 1e280:
            return math.inf
        total += piece
    if abs(pieces[-1]) <= FINE * max(abs(total) + abs(body), 1e-300) or pieces[-1] == 0:
        return total
    ratio = pieces[-1] / pieces[-2] if pieces[-2] else 0.0
    return math.inf if abs(ratio) > FALLING else total + pieces[-1] * ratio / (1 - ratio)


def _doubling(what: LogDensity, start: float, step: float) -> Iterator[float]:
    width = step
    for _ in range(PIECES):
        ends = sorted((start, start + width))
        yield _piece(what, ends[0], ends[1])
        start, width = start + width, 2 * width
