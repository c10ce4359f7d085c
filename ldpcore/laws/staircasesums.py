"""Sums of staircase noises: the chance to lie within a width and the mean size, by inversion."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ldpcore.laws.staircases import StaircaseLaw
from ldpcore.laws.uniformsums import UniformSums, sinc
from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.quadrature import gauss_legendre

FAINT = 1e-11  # of an integral: what lies beyond its end
LEFT = 3e-9  # of one that ends before: what sums with two wide rounding errors have beyond
FARTHEST = 1.2e4, 1e3  # radians: where it ends at the latest, and at the earliest
WAVE = 8.0  # radians of the fastest wave in one panel


@dataclass(frozen=True)
class StaircaseSums:
    """The laws of sums of N noises, within 10⁻⁸, by φ(t) = ((1-γ)sinc(γt) + γ sinc((1-γ)t))/(1 + sin²(t/2)/sinh²(ε/2)).

    Where φ^N fades too late, sums with no wide rounding error or one are told exactly and only the others are inverted,
    whose transform fades like 1/t².
    """

    noise: StaircaseLaw
    repeats: int

    def within(self, width: float) -> float:
        """P(|sum of N noises| ≤ w) = 2/π ∫ sin(wt)/t φ(t)^N dt."""
        if self.repeats == 1:
            return 1 - float(self.noise.beyond(width))
        if width <= 0 or self._never_beyond(width):
            return float(width > 0)
        t, weights = self._grid(width)
        parts = self._parts(t)
        chance, turned = 0.0, 1 - self._away(parts)
        if self._split:
            none, one = self._few(parts)
            chance, turned = self._few_within(width), turned - none - one
        chance += 2 / math.pi * float((np.sin(width * t) / t * weights) @ turned)
        return min(max(chance, 0.0), 1.0)

    def mean_size(self) -> float:
        """E|sum of N noises| = 2/π ∫ (1 - φ(t)^N)/t² dt, beyond the end of which φ^N adds nothing to 1/t²."""
        if self.repeats == 1:
            return self.noise.mean_absolute()
        (t, weights), size, known = self._grid(0.0), 0.0, 0.0
        parts = self._parts(t)
        away = self._away(parts)
        if self._split:
            known, size = self._shares[0], self._even_size()
            away = away - (known - self._few(parts)[0])
        return size + 2 / math.pi * (float(weights @ (away / t**2)) + (1 - known) / self._end)

    @property
    def _shares(self) -> tuple[float, float, float]:
        """The chances that none of the rounding errors is wide, just one, and two."""
        y, n = self.noise.gamma, self.repeats
        narrow = math.exp((n - 2) * math.log1p(-y))
        return narrow * (1 - y) ** 2, n * y * (1 - y) * narrow, n * (n - 1) / 2 * y * y * narrow

    def _parts(self, t: Reals) -> tuple[Reals, Reals, Reals]:
        """1 - sinc(γt) and 1 - sinc((1-γ)t), and ln of their divisor."""
        y = self.noise.gamma
        return sinc(y * t)[1], sinc((1 - y) * t)[1], np.log1p((np.sin(t / 2) / self.noise.height) ** 2)

    def _away(self, parts: tuple[Reals, Reals, Reals]) -> Reals:
        """1 - φ^N, which keeps its digits near 0."""
        narrow, wide, shrunk = parts
        y, n = self.noise.gamma, self.repeats
        lost = -(1 - y) * narrow - y * wide
        with np.errstate(divide="ignore"):
            logs = np.where(lost < 0.5, np.log1p(-np.minimum(lost, 0.5)), np.log(np.abs(1 - lost)))
        powers = n * (logs - shrunk)
        return np.asarray(np.where((lost > 1) & (n % 2 == 1), 1 + np.exp(powers), -np.expm1(powers)), dtype=np.float64)

    def _few(self, parts: tuple[Reals, Reals, Reals]) -> tuple[Reals, Reals]:
        """The parts of φ^N from sums without a wide rounding error, and with one."""
        narrow, wide, shrunk = parts
        n, (none, one, _) = self.repeats, self._shares
        faded = (1 + narrow) ** (n - 1) if n <= 64 else np.exp((n - 1) * np.log1p(np.maximum(narrow, -0.9)))
        faded = faded * np.exp(-n * shrunk)
        return none * faded * (1 + narrow), one * faded * (1 + wide)

    @cached_property
    def _wholes(self) -> tuple[Reals, Reals]:
        """Whole numbers, and the chance that the whole parts add up to each."""
        most, fall = math.ceil(80 / self.noise.rate) + 20, math.exp(-self.noise.rate)
        i = np.arange(1.0, most)
        grown = np.concatenate([[1.0], np.cumprod((self.repeats + i - 1) / i * fall)])
        one = grown * math.exp(self.repeats * math.log1p(-fall))
        return np.arange(-most + 1.0, most), np.convolve(one, one[::-1])

    def _few_within(self, width: float) -> float:
        """The chance that a sum lies within the width and has one wide rounding error at most."""
        (j, law), y, (none, one, _) = self._wholes, self.noise.gamma, self._shares
        even, others = UniformSums(self.repeats), UniformSums(self.repeats - 1)

        def below(edge: float) -> float:
            z = edge - j
            wide = others.shortfall((z + 1 - y) / y) - others.shortfall((z - 1 + y) / y)
            return float(law @ (none * even.at_most(z / y) + one * y / (2 - 2 * y) * wide))

        return below(width) - below(-width)

    def _even_size(self) -> float:
        """E|sum| of sums without a wide rounding error, times their probability."""
        (j, law), y = self._wholes, self.noise.gamma
        sizes = y * (2 * UniformSums(self.repeats).shortfall(j / y)) - j
        return self._shares[0] * float(law @ sizes)

    def _never_beyond(self, width: float) -> bool:
        """Whether P(|sum| > w) is below 10⁻¹⁷ by Markov's inequality for e^{ts}, at some shares t of the rate."""
        y, rate = self.noise.gamma, self.noise.rate
        for share in (*(2.0**-i for i in range(20)), 0.75, 0.9):
            tilt = rate * min(share, 0.98)
            grown = math.log((1 - y) * _sinhc(y * tilt) + y * _sinhc((1 - y) * tilt))
            grown -= math.log1p(-((math.sinh(tilt / 2) / self.noise.height) ** 2))
            if self.repeats * grown - tilt * width < -40:
                return True
        return False

    @property
    def _end(self) -> float:
        """The end of the integral: where φ^N is gone, or where sums with two wide rounding errors are."""
        latest, earliest = FARTHEST
        split = math.sqrt(self._shares[2] / (math.pi * LEFT)) / (1 - self.noise.gamma)
        return min(max(split, earliest), latest) if self._split else self._faded

    @property
    def _split(self) -> bool:
        """Whether φ^N fades too late."""
        return self._faded > FARTHEST[0]

    @cached_property
    def _faded(self) -> float:
        """The t from which on ∫ |φ|^N/t is below 10⁻¹¹, by bounds that fall with t; infinite beyond the latest."""
        t = np.geomspace(min(self._begin, 1.0), 2 * FARTHEST[0], 200)
        n, y, height = self.repeats, self.noise.gamma, self.noise.height
        bound = np.log((1 - y) * _at_most(y * t) + y * _at_most((1 - y) * t))
        peaks = np.minimum(np.log(2 * height / t), bound)  # |sin(γt) + e^{-ε} sin((1-γ)t)| ≤ |1 - e^{-ε+it}|
        before_first = np.maximum(-np.log1p((t / (math.pi * height)) ** 2), np.interp(math.pi, t, peaks))
        least = np.where(t < math.pi, np.minimum(before_first, peaks), peaks)
        faint = np.minimum(n * least, n * np.log(2 * height / t) + math.log(min(1.0, 2 * height) / n)) < math.log(FAINT)
        return float(t[np.argmax(faint)]) if faint.any() else math.inf

    @property
    def _begin(self) -> float:
        """The width of φ^N around 0."""
        return 1 / math.sqrt(self.noise.variance() * self.repeats)

    def _edges(self, end: float) -> Reals:
        """Ends of panels, which double away from 0 and from each multiple of 2π, where φ^N has its peaks."""
        first, near = self._begin, min(2 * self.noise.height / math.sqrt(self.repeats), math.pi)
        start = _doubled(min(first, math.pi), min(end, math.pi))
        if end <= math.pi:
            return np.array([0.0, *start])
        half = np.array(_doubled(near, math.pi))
        periods = 2 * math.pi * np.arange(1, math.ceil((end - math.pi) / (2 * math.pi)) + 1)
        around = (periods[:, None] + np.concatenate([-half[::-1], [0.0], half])).ravel()
        edges = np.unique(np.concatenate([[0.0], start, around]))
        return np.append(edges[edges < end], end)

    def _grid(self, width: float) -> tuple[Reals, Reals]:
        """Gauss points in panels that are cut finer where sin(wt) swings."""
        edges = self._edges(self._end)
        lengths = np.diff(edges)
        pieces = 1 + (lengths * (width + min(self.repeats, 6)) / WAVE).astype(np.int64)
        starts, sizes = np.repeat(edges[:-1], pieces), np.repeat(lengths / pieces, pieces)
        starts = starts + sizes * (np.arange(len(sizes)) - np.repeat(np.cumsum(pieces) - pieces, pieces))
        points, weights = gauss_legendre(16)
        halves = sizes[:, None] / 2
        return (starts[:, None] + halves * (points + 1)).ravel(), (halves * weights).ravel()


def _doubled(first: float, last: float) -> list[float]:
    """A number, its double, and further doublings up to the last one."""
    steps = [first]
    while steps[-1] < last:
        steps.append(2 * steps[-1])
    return [step for step in steps if step < last] + [last]


def _at_most(y: Reals) -> Reals:
    """A bound of |sin(y)/y| that falls: e^{-y²/6} up to the first zero, but no less than the second peak."""
    return np.where(y < math.pi, np.maximum(np.exp(-y * y / 6), 0.2173), np.minimum(0.2173, 1 / y))


def _sinhc(y: float) -> float:
    """sinh(y)/y."""
    return math.sinh(y) / y if y > 1e-8 else 1.0
