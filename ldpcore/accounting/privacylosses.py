"""Laws of the privacy loss ln P/Q: composed by convolution, always on the pessimistic side, with the error stated.

A loss between two points of a lattice is split between them so that the masses under both inputs stay: the result is a
mechanism that betrays at least as much, and what it adds vanishes with the square of the step. The sum over k releases
is k powers of one Fourier transform. Losses beyond the window count as certain betrayal.
References: Meiser, Mohammadi (2018), Tight on budget?; Koskela, Jälkö, Honkela (2020), Computing tight differential
privacy guarantees using FFT; Doroshenko, Ghazi, Kamath, Kumar, Manurangsi (2022), Connect the dots.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ldpcore.laws.channels import Pair
from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.bisection import least_whole
from ldpcore.parameters import ParameterError
from ldpcore.questions import Progress, no_progress, part

MOST_POINTS = 1 << 21  # of a law: more, and composing it would take more than 150 MB
WIDE = 1 << 19  # points from which on a narrower window is looked for
TAIL = 1e-15  # what each end of the window may lose; it is added to what may go wrong
TILTS = np.geomspace(1 / 16, 16, 33)
BLOCKS = 2000  # blocks in which a law is seen where only its tails are bounded


def refuse_too_many(points: float) -> None:
    """Refuse a lattice of more points than `MOST_POINTS` before an array of them is made."""
    if not points <= MOST_POINTS:
        raise ParameterError("losses_many", most=MOST_POINTS, got=points)


@dataclass(frozen=True, eq=False)
class Losses:
    """Privacy losses in falling order, their law under the first input, and the mass of certain betrayal."""

    losses: Reals
    first: Reals
    certain: float = 0.0

    def delta(self, epsilon: float) -> float:
        """E[max(1 - e^{ε - loss}, 0)], what may go wrong at ε: Σ max(P - e^ε Q, 0) without its cancellation."""
        kept = len(self.losses) - int(self.losses[::-1].searchsorted(epsilon, side="right"))
        return float(np.dot(self.first[:kept], -np.expm1(epsilon - self.losses[:kept]))) + self.certain

    def level(self, delta: float) -> float:
        """The smallest ε that needs no more than δ: between two losses δ is A - B e^ε, which solves for ε."""
        if self.delta(0.0) <= delta:
            return 0.0
        if delta < self.certain or (delta == self.certain and not len(self.losses)):
            return math.inf
        # δ suffices at the loss before that of `kept`, and there no longer.
        kept = least_whole(lambda place: self.delta(float(self.losses[place])) > delta, 0, len(self.losses))
        own, rest = self.first[:kept], self.losses[:kept]
        # B e^ε is taken relative to the last loss, Σ P e^{last - loss} e^{ε - last}, so that nothing overflows.
        share = (float(own.sum()) + self.certain - delta) / float(np.dot(own, np.exp(rest[-1] - rest)))
        return max(float(rest[-1]) + math.log(share), 0.0) if share > 0 else float(self.losses[0])


@dataclass(frozen=True, eq=False)
class Lattice:
    """A law of losses on whole multiples of a step, from the `lowest` multiple on."""

    step: float
    lowest: int
    masses: Reals
    certain: float = 0.0

    @classmethod
    def of_outcomes(cls, first: ArrayLike, losses: ArrayLike, step: float, certain: float = 0.0) -> Lattice:
        """Outcomes with these probabilities and losses, each split between the two points around it.

        The share w above keeps P as it is and Q as well: w e^{-(a+h)} + (1 - w) e^{-a} = e^{-loss}.
        """
        p, exact = np.asarray(first, dtype=np.float64), np.asarray(losses, dtype=np.float64) / step
        refuse_too_many(float(exact.max() - exact.min()) + 2)
        # A point that is missed by rounding alone is meant; but 0 is no point for a loss, however small.
        exact = np.where((np.abs(exact - np.rint(exact)) < 1e-9) & (np.rint(exact) != 0), np.rint(exact), exact)
        below = np.floor(exact).astype(np.int64)
        above = np.expm1(-(exact - below) * step) / math.expm1(-step)
        lowest = int(below.min())
        masses = np.zeros(int(below.max()) - lowest + 2)
        np.add.at(masses, below - lowest, p * (1 - above))
        np.add.at(masses, below - lowest + 1, p * above)
        return cls(step, lowest, masses, certain)

    @classmethod
    def of_cells(cls, first: Reals, second: Reals, lowest: int, step: float, certain: float = 0.0) -> Lattice:
        """A law with a density: the masses under both inputs of the losses between each two points."""
        with np.errstate(over="ignore", invalid="ignore"):
            left = np.exp(-step * (lowest + np.arange(len(first))))
            above = (first - second / left) / -math.expm1(-step)
        above = np.clip(np.where(np.isfinite(above), above, first), 0.0, first)
        masses = np.append(first - above, 0.0)
        masses[1:] += above
        return cls(step, lowest, masses, certain)

    @property
    def points(self) -> Reals:
        """The losses, in rising order."""
        return np.asarray(self.step * np.arange(self.lowest, self.lowest + len(self.masses)), dtype=np.float64)

    def falling(self) -> Losses:
        """The losses and their masses in falling order, as questions about ε and δ need them."""
        return Losses(self.points[::-1], self.masses[::-1], self.certain)

    def logs(self, tilts: Reals) -> Reals:
        """ln E[e^{t loss}], from above, for tilts of either sign: in blocks, each at the end that makes it larger."""
        wide = -(-len(self.masses) // BLOCKS)
        starts = np.arange(0, len(self.masses), wide)
        masses = np.add.reduceat(self.masses, starts)
        ends = self.step * (self.lowest + np.minimum(starts + wide, len(self.masses)) - 1)
        begins = self.step * (self.lowest + starts)
        with np.errstate(divide="ignore"):
            logs = np.log(masses)
        exponents = np.where(tilts[:, None] > 0, tilts[:, None] * ends, tilts[:, None] * begins) + logs
        return np.asarray(np.logaddexp.reduce(exponents, axis=1), dtype=np.float64)


Parts = Sequence[tuple[Lattice, int]]


def spread(parts: Parts) -> float:
    """The standard deviation of the sum of all losses."""
    total = 0.0
    for law, times in parts:
        mass = float(law.masses.sum())
        mean = float(np.dot(law.masses, law.points)) / mass
        total += times * float(np.dot(law.masses, (law.points - mean) ** 2)) / mass
    return math.sqrt(total)


def _told(parts: Parts, progress: Progress) -> Iterator[tuple[Lattice, int]]:
    """The parts one by one, each with a word to `progress`."""
    for done, each in enumerate(parts):
        progress(done / len(parts))
        yield each


def window(parts: Parts, progress: Progress = no_progress) -> tuple[float, float]:
    """Ends that the sum of all losses passes with a probability of at most `TAIL` each, by Chernoff's bound.

    Where the usual tilts leave a `WIDE` window, for what is rare lies far out, those of the widest law between
    the same ends are tried too, by which Hoeffding's bound holds: √(2 ln(1/`TAIL`) Σ h²), h half the width of each law.
    """
    low, high = _ends(parts, spread(parts), progress)
    if (high - low) / parts[0][0].step > WIDE:
        widest = math.sqrt(math.fsum(times * (law.step * len(law.masses) / 2) ** 2 for law, times in parts))
        lower, higher = _ends(parts, widest, progress)
        low, high = max(low, lower), min(high, higher)
    return low, high


def _ends(parts: Parts, deviation: float, progress: Progress) -> tuple[float, float]:
    """Chernoff's ends by tilts around the one that fits a normal law of this standard deviation."""
    tilts = math.sqrt(-2 * math.log(TAIL)) / max(deviation, 1e-300) * TILTS
    up, down = np.zeros(len(tilts)), np.zeros(len(tilts))
    for law, times in _told(parts, progress):
        up += times * law.logs(tilts)
        down += times * law.logs(-tilts)
    most = math.fsum(times * float(law.points[-1]) for law, times in parts)
    least = math.fsum(times * float(law.points[0]) for law, times in parts)
    high = min(float(((up - math.log(TAIL)) / tilts).min()), most)
    return max(-float(((down - math.log(TAIL)) / tilts).min()), least), high


def convolved(parts: Parts, progress: Progress = no_progress) -> tuple[Losses, float]:
    """The law of the sum of independent losses, each with its number of times, and the error of rounding and window.

    `progress` is told what share is done, at each part, and may raise to abandon the work.
    """
    step = parts[0][0].step
    low, high = window(parts, part(progress, 0.0, 0.5))
    refuse_too_many((high - low) / step + 2)
    lowest = math.floor(low / step)
    size = scipy.fft.next_fast_len(math.ceil(high / step) - lowest + 1, real=True)
    product = np.ones(size // 2 + 1, dtype=np.complex128)
    for law, times in _told(parts, part(progress, 0.5, 1.0)):
        places = (law.lowest + np.arange(len(law.masses))) % size
        product = product * _power(scipy.fft.rfft(np.bincount(places, law.masses, size)), times)
    masses = np.roll(scipy.fft.irfft(product, size), -(lowest % size))
    missed = -math.expm1(math.fsum(times * math.log1p(-law.certain) for law, times in parts if law.certain < 1))
    missed = 1.0 if any(law.certain >= 1 for law, _ in parts) else missed
    total = sum(times for _, times in parts)
    lost = 2 * TAIL + 1e-16 * (total + 64) * math.log2(size + 1)
    losses = np.asarray(step * np.arange(lowest + size - 1, lowest - 1, -1), dtype=np.float64)
    # What came around the ends is at most twice the tail; it counts as certain betrayal, like what may be rounded away.
    return Losses(losses, np.maximum(masses[::-1], 0.0), min(missed + lost, 1.0)), lost


def _power(values: NDComplex, times: int) -> NDComplex:
    """values**times by squaring."""
    product: NDComplex | None = None
    square = values
    while times:
        if times & 1:
            product = square if product is None else product * square
        times >>= 1
        if times:
            square = square * square
    assert product is not None
    return product


def of_pair(laws: Pair, step: float) -> Lattice:
    """The losses of a finite channel for one pair of inputs; reports that the second excludes betray for certain."""
    ratios, possible = laws.ratios(), laws.first > 0
    finite = possible & np.isfinite(ratios)
    certain = float(laws.first[possible & ~finite].sum())
    return Lattice.of_outcomes(laws.first[finite], ratios[finite], step, certain)


def coin_losses(epsilon: float, delta: float, step: float) -> Lattice:
    """The losses of the worst (ε, δ)-private release: certain betrayal with probability δ, else ε or -ε by a coin."""
    p, q = 1 / (1 + math.exp(-epsilon)), math.exp(-epsilon) / (1 + math.exp(-epsilon))
    pure = of_pair(Pair(np.array([p, q]), np.array([q, p]), log_ratio=np.array([epsilon, -epsilon])), step)
    rest = 1 - delta or 1.0  # what betrays all for certain has any law besides
    return Lattice(step, pure.lowest, rest * pure.masses, delta)


def common_step(levels: Iterable[float]) -> float:
    """The largest step of which all levels are whole multiples, as decimal numbers of nine places; 0 where none is."""
    whole = [round(level * 10**9) for level in levels]
    if any(not math.isclose(one / 10**9, level, rel_tol=1e-12) for one, level in zip(whole, levels, strict=True)):
        return 0.0
    return math.gcd(*whole) / 10**9


NDComplex = np.ndarray[tuple[int, ...], np.dtype[np.complex128]]
