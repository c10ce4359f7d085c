"""The exact mean absolute error of an estimate from everybody's report, for crowds of every size.

E|S| = 2/π ∫ (1 - Re φ(t))/t² dt over t > 0 for every S with a mean, φ being its characteristic function, since
∫ (1 - cos tx)/t² dt = π|x|/2. Of independent reports ln φ adds up, so that a billion people cost no more than a
hundred. Where S takes whole numbers alone φ repeats itself, and the periods of 1/t² add up to 1/(4 sin²(t/2)), between
0 and π. Nothing is drawn and no law replaced by a normal one; what is left is the error of quadrature, below a
ten-thousandth of the answer, and far below where crowds are large.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.polynomial.chebyshev import chebvander
from numpy.typing import NDArray

from ldpcore.estimating.errorlaws import NoiseErrorLaw, PiecewiseErrorLaw
from ldpcore.estimating.reportlaws import error_law
from ldpcore.mechanisms.base import FrequencyOracle, NumberRandomizer
from ldpcore.mechanisms.geometric import LocalGeometric
from ldpcore.mechanisms.hybrid import HybridMechanism
from ldpcore.mechanisms.onebit import BinaryMechanism
from ldpcore.mechanisms.values import inside
from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.quadrature import gauss_legendre
from ldpcore.parameters import ParameterError
from ldpcore.people.populations import Population, PopulationLaw, SmoothPopulation

Logs = NDArray[np.complex128]
NODES, TURN = 12, 6.0  # points of a panel, within which nothing turns by more radians
AT_ONCE = 12  # panels between two looks at whether φ is gone
GONE = 1e-14  # of |φ|: what is smaller is no longer told from 0
STEADY, GROWTH = 6000.0, 1.15  # radians that the farthest reports turn, after which panels grow by so much each
MANY = 10  # different numbers: of more, φ fades so early that a tenth of these turns is enough
FINEST = 1e20  # how much finer than the farthest report the finest part of a law may be
QUANTILES = 10**4  # of a crowd whose numbers all differ
LISTED = 33  # different numbers that are gone through one by one; more are put on as many places
NOTHING = 1e-300  # in the place of a φ of 0
MOST_RATE = 600.0  # of noise in whole numbers: beyond, there is none


@dataclass(frozen=True)
class Spectrum:
    """The law of a sum by ln φ, and a bound on its distance from its mean in all but a trillionth of cases."""

    log: Callable[[Reals], Logs]
    wide: float
    steady: float = STEADY
    noisy: bool = False  # whether every report carries noise: φ of few turns little in the end, and fades slowly

    def whole(self) -> float:
        """E|S| of a sum of whole numbers: 1/2π ∫ (1 - Re φ)/sin²(t/2) up to π.

        Beyond where φ is gone it is 1/sin² alone, whose integral is 2 cot(t/2). Of noisy reports panels grow as in
        `real`: one to three of them are left there, for the φ of more is gone.
        """
        panels = max(math.ceil(math.pi * self.wide / TURN), 4)
        total, start = 0.0, 0
        while start < panels:
            end = min(start + AT_ONCE, panels)
            t, weights = _nodes(np.linspace(start, end, end - start + 1) * (math.pi / panels))
            logs = self.log(t)
            total += float(weights @ (_away(logs) / np.sin(t / 2) ** 2))
            start = end
            if start < panels and _gone(logs):
                total += 2 / math.tan(math.pi * start / panels / 2)
                break
            if self.noisy and t[-1] * self.wide > self.steady:
                edges = np.geomspace(start, panels, math.ceil(math.log(panels / start) / math.log(GROWTH)) + 1)
                t, weights = _nodes(edges * (math.pi / panels))
                total += float(weights @ (_away(self.log(t)) / np.sin(t / 2) ** 2))
                break
        return total / (2 * math.pi)

    def real(self) -> float:
        """E|S| of a sum of real numbers: 2/π ∫ (1 - Re φ)/t², and beyond where φ is gone 1/t.

        The panels are of one width while the farthest reports turn φ; then φ turns little, and they grow.
        """
        total, start, width = 0.0, 0.0, TURN / self.wide
        growth: Reals = np.ones(AT_ONCE)
        while width < FINEST * self.wide:
            edges = start + np.concatenate([[0.0], np.cumsum(width * growth)])
            t, weights = _nodes(edges)
            logs = self.log(t)
            total += float(weights @ (_away(logs) / t**2))
            start, width = float(edges[-1]), width * float(growth[-1])
            if _gone(logs):
                break
            if start * self.wide > self.steady:
                growth = np.asarray(GROWTH ** np.arange(1.0, AT_ONCE + 1), dtype=np.float64)
        return 2 / math.pi * (total + 1 / start)


def _gone(logs: Logs) -> bool:
    """Whether nothing is left of φ in the last panel."""
    return bool(np.exp(logs.real[-NODES:]).max() < GONE)


def _nodes(edges: Reals) -> tuple[Reals, Reals]:
    """The points and weights of Gauss and Legendre in each panel."""
    places, weights = gauss_legendre(NODES)
    half, middle = np.diff(edges) / 2, (edges[1:] + edges[:-1]) / 2
    return (middle[:, None] + half[:, None] * places).ravel(), (half[:, None] * weights).ravel()


def _away(logs: Logs) -> Reals:
    """1 - Re e^{a + ib}, which keeps its digits near 0."""
    return np.asarray(-np.expm1(logs.real) * np.cos(logs.imag) + 2 * np.sin(logs.imag / 2) ** 2)


def _turned(angles: Reals) -> Logs:
    """e^{iθ} - 1, which keeps its digits near 0."""
    half = np.sin(angles / 2)
    return np.asarray(-2 * half * half + 1j * np.sin(angles))


def _log1p(away: Logs) -> Logs:
    """ln(1 + w): of its real part ½ ln(1 + 2a + a² + b²), where NumPy's own loses digits near 0."""
    a, b = away.real, away.imag
    squares = 2 * a + a * a + b * b
    near = squares > -0.5
    size = np.log1p(np.where(near, squares, 0.0)) / 2
    if not near.all():
        size = np.where(near, size, np.log(np.maximum(np.hypot(1 + a, b), NOTHING)))
    return np.asarray(size + 1j * np.arctan2(b, 1 + a))


@dataclass(frozen=True, eq=False)
class KeptLaw:
    """Numbers of [-1, 1] and the number of people who hold each, so that smooth functions of them add up.

    Many different numbers are put on Chebyshev's points: with these weights, of which some are negative, every
    polynomial of a degree below their number adds up as it does over everybody.
    """

    numbers: Reals
    people: Reals

    @classmethod
    def of(cls, people: PopulationLaw, number: Callable[[Any], Reals] = inside) -> KeptLaw:
        """The numbers that a function makes of what each person holds."""
        if not isinstance(people, Population):
            few = SmoothPopulation(people.shape, min(people.n, QUANTILES))
            return cls._fitted(number(few.at(np.arange(few.n))), np.full(few.n, people.n / few.n))
        numbers, counts = number(people.values), np.asarray(people.counts, dtype=np.float64)
        return cls(numbers, counts) if people.k <= LISTED else cls._fitted(numbers, counts)

    @classmethod
    def _fitted(cls, numbers: Reals, people: Reals) -> KeptLaw:
        """Numbers with weights, as many as are gone through one by one."""
        places = np.cos(math.pi * (np.arange(LISTED) + 0.5) / LISTED)
        sums = people @ chebvander(numbers, LISTED - 1)
        sums[1:] *= 2
        return cls(places, np.asarray(chebvander(places, LISTED - 1) @ sums / LISTED))


def coins(people: Reals, heads: Reals, noise: float | None = None) -> float:
    """E|C - E C| of the number C of heads among independent coins, `people` of each chance, none above ½ where rare.

    `heads` are chances of one head; a negative one is that of one head less. C - E C is a whole number less a rest of
    half a step at most, for which |d - f| = (1 - |f|)|d| + |f||d ∓ 1| at every whole number d. With a `noise` of so
    many nats a step, everybody adds two-sided geometric noise of that rate.
    """
    excess, chances = float(people @ heads), np.abs(heads)
    steps = round(excess)
    rest, n = excess - steps, float(people.sum())
    steady = 0.0 if noise is None else math.sinh(min(noise, MOST_RATE) / 2) ** 2
    deviation = math.sqrt(max(float(people @ (chances * (1 - chances))), 0.0) + (n / (2 * steady) if steady else 0.0))

    def log(t: Reals) -> Logs:
        thrown = (_log1p(chances * _turned(t[:, None] * np.sign(heads))) * people).sum(axis=1)
        moved = _log1p(abs(rest) * _turned(-math.copysign(1.0, rest) * t))
        still = -n * np.log1p(np.sin(t / 2) ** 2 / steady) if steady else 0.0
        return np.asarray(thrown - 1j * steps * t + moved + still)

    wide = 8 * deviation + 40 * (1 if noise is None else max(1.0, 1 / noise))
    return Spectrum(log, min(wide, n + 1) if noise is None else wide, noisy=noise is not None).whole()


def count_error(oracle: FrequencyOracle, held: int, n: int) -> float:
    """E|ĉ - c| of the estimated number ĉ of people who hold a value, where c of n do.

    Every report supports a value on its own, with probability p where its sender holds it and q otherwise, so that what
    is counted is a sum of coins; ĉ is that less n q, over p - q.
    """
    chances = [_rarer(p, spread) for p, spread in zip((oracle.p, oracle.q), oracle.spreads, strict=True)]
    return coins(np.array([held, n - held], dtype=np.float64), np.array(chances)) / oracle.gap


def _rarer(p: float, spread: float) -> float:
    """The chance of a head, or minus that of a tail where that is rarer: p(1 - p) keeps the digits that 1 - p loses."""
    return -spread / p if p > 0.5 else p


def mean_error(randomizer: NumberRandomizer, people: PopulationLaw, times: int = 1) -> float | None:
    """E|m̂ - m| of the mean that is estimated on [-1, 1], or of the average of `times` such means.

    None where no formula says the law of a report.
    """
    n = people.n * times
    if isinstance(randomizer, HybridMechanism) and not randomizer.weight:
        return mean_error(randomizer.parts[1], people, times)
    if isinstance(randomizer, BinaryMechanism):
        return 2 * randomizer.z0 * _bits(randomizer, people, times) / n
    if isinstance(randomizer, LocalGeometric):
        held = KeptLaw.of(people, lambda x: 2 * randomizer.place(x)[1] - 1)
        return 2 / randomizer.steps * coins(times * held.people, (held.numbers + 1) / 2, randomizer.noise.rate) / n
    try:
        law = error_law(randomizer)
    except ParameterError:
        return None
    if isinstance(law, NoiseErrorLaw):
        return _sum_of_noise(law, n) / n
    return _sum_of_pieces(law, people, times) / n if isinstance(law, PiecewiseErrorLaw) else None


def _bits(randomizer: BinaryMechanism, people: PopulationLaw, times: int) -> float:
    """E|C - E C| of the number of bits that are +1."""
    if isinstance(people, Population) and people.k <= LISTED:  # each by its rarer side, which no sum over them mixes
        up, down = (randomizer.chances(people.values, sign) for sign in (1, -1))
        return coins(times * np.asarray(people.counts, dtype=np.float64), np.where(up > down, -down, up))
    held = KeptLaw.of(people, lambda x: randomizer.target(x) / randomizer.bound)
    return coins(times * held.people, (1 + held.numbers * math.tanh(randomizer.epsilon / 2)) / 2)


def _sum_of_noise(law: NoiseErrorLaw, n: int) -> float:
    """E|S| of a sum of n noises alone: of normal noise σ√(2n/π)."""
    if not law.laplace:
        return law.scale * math.sqrt(2 * n / math.pi)

    def log(t: Reals) -> Logs:
        return np.asarray(-n * np.log1p((law.scale * t) ** 2), dtype=np.complex128)

    return Spectrum(log, law.scale * (8 * math.sqrt(2 * n) + 40)).real()


def _sum_of_pieces(law: PiecewiseErrorLaw, people: PopulationLaw, times: int) -> float:
    """E|S| of a sum of bits and of uniform numbers around what people hold, each `times` times."""
    held, reach, n = KeptLaw.of(people), max(law.z0, law.reach) + 1, people.n * times
    deviation = math.sqrt(n * law.variances[1])

    def log(t: Reals) -> Logs:
        return np.asarray((_log1p(_pieces(law, t[:, None], held.numbers)) * held.people).sum(axis=1) * times)

    wide = min(8 * deviation + 12 * reach, n * reach)
    return Spectrum(log, wide, STEADY / min(len(held.numbers), MANY)).real()


def _pieces(law: PiecewiseErrorLaw, t: Reals, x: Reals) -> Logs:
    """φ - 1 of Z - x: each part less its own weight, so that digits near 0 are kept."""
    lean = x / law.z0 if law.z0 else np.zeros_like(x)
    parts = (
        (law.bits * (1 + lean) / 2, law.z0 - x, 0.0),
        (law.bits * (1 - lean) / 2, -law.z0 - x, 0.0),
        (law.near, law.slope * x - x, law.half),
        (law.rest, -x, law.reach),
    )
    total = np.zeros(np.broadcast_shapes(t.shape, x.shape), dtype=np.complex128)
    for weight, center, half in parts:
        if np.any(weight):
            flat = _flat(half * t)
            total += weight * (_turned(center * t) * (1 + flat) + flat)
    return total


def _flat(y: Reals) -> Reals:
    """sin(y)/y - 1, which keeps its digits near 0."""
    return np.where(y < 1e-2, -(y**2) / 6 * (1 - y**2 / 20), np.sinc(y / math.pi) - 1)
