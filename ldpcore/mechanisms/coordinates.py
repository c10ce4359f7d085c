"""Several numbers coordinate by coordinate: each at a part of the level, or a few drawn at random at a larger part."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.laws.channels import Pair, classes, together
from ldpcore.mechanisms.arithmetic import Arithmetic
from ldpcore.mechanisms.base import ATOMS_AT_ONCE, NumberRandomizer, ReportTally, Witness
from ldpcore.mechanisms.hybrid import HybridMechanism
from ldpcore.mechanisms.locallaplace import LocalLaplace
from ldpcore.mechanisms.onebit import OneBit
from ldpcore.mechanisms.piecewise import PiecewiseMechanism
from ldpcore.mechanisms.possible import PossibleReports
from ldpcore.mechanisms.vectors import VectorRandomizer, in_rounds
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.numerics.tosses import subset_tallies
from ldpcore.parameters import Choice
from ldpcore.people.populations import Population

EACH: Mapping[str, Any] = MappingProxyType(
    {member.slug: member for member in (LocalLaplace, OneBit, PiecewiseMechanism, HybridMechanism)}
)
Each = Annotated[str, Choice(r"\mathcal{M}", tuple(EACH))]


class CoordinateByCoordinate(VectorRandomizer):
    """m of the d coordinates, drawn at random, each through a mechanism for one number at level ε/m, times d/m.

    The m reports are independent, so that their losses add up to ε; which coordinates they are betrays nothing. A
    report is a row of numbers, not a number (NaN) where a coordinate was not asked for.
    """

    gaps: ClassVar[bool] = True

    each: str

    @property
    @abstractmethod
    def m(self) -> int:
        """The number of coordinates that one person reports."""

    @property
    def inner(self) -> NumberRandomizer:
        """The mechanism of one coordinate."""
        made: NumberRandomizer = EACH[self.each](self.epsilon / self.m)
        return made

    def decoded(self, reports: Any) -> Reals:
        return np.nan_to_num(np.asarray(reports, dtype=np.float64)) * (self.d / self.m)

    def variance_at(self, values: ArrayLike) -> Reals:
        x = self.inside(values)
        return self._variance_of(x.ravel()).reshape(x.shape)

    def _variance_of(self, x: Reals) -> Reals:
        # E[Z²] = (d/m)(v(x) + x²), for a coordinate is asked for with probability m/d and then counts d/m times.
        own, weight = self.inner.variance_at(x), self.d / self.m
        return np.asarray(own * weight + x * x * (weight - 1), dtype=np.float64)

    def worst_variance(self) -> float:
        # Every variance here is a polynomial of degree two in |x|: its largest value lies at one of the two ends.
        return float(self._variance_of(np.array([0.0, 1.0])).max())

    def compare(self, value: Any, other: Any) -> Pair:
        """The laws of two rows' reports, Σ over the coordinates asked for; each choice's probability cancels."""
        pairs = list(zip(self.one(value).tolist(), self.one(other).tolist(), strict=True))
        if len(laws_of := {pair: self._one(*pair) for pair in dict.fromkeys(pairs)}) == 1:
            pairs = pairs[: self.m]  # whichever they are, the laws are the same
        parts = [laws_of[pair] for pair in pairs]
        kept: list[Pair | None] = [Pair(np.ones(1), np.ones(1), (), np.zeros(1)), *[None] * self.m]
        for place, part in enumerate(parts):
            for count in range(min(place + 1, self.m), max(self.m - len(parts) + place, 0), -1):
                kept[count] = _either(kept[count], kept[count - 1], part)
            if self.m - len(parts) + place >= 0:
                kept[self.m - len(parts) + place] = None
        laws, ways = kept[self.m], math.comb(len(parts), self.m)
        assert laws is not None
        return Pair(laws.first / ways, laws.second / ways, (), laws.log_ratio)

    def _one(self, x: float, y: float) -> Pair:
        """The laws of one coordinate's report, of noise without jumps on finitely many events."""
        laws = self.inner.compare(x, y)
        return laws if isinstance(laws, Pair) else laws.cut()

    def witness(self) -> Witness:
        one = self.inner.witness()
        report = np.full(self.d, np.nan)
        report[: self.m] = float(self.inner.decoded(np.array([one.report]))[0])
        return Witness((one.value,) * self.d, (one.other,) * self.d, report)

    def log_density(self, report: Any, value: Any) -> float:
        inner, asked = self.inner, np.asarray(report, dtype=np.float64)
        held, places = self.one(value), np.flatnonzero(~np.isnan(asked))
        chosen = -math.log(math.comb(self.d, self.m)) if len(places) == self.m else -math.inf
        return chosen + sum(inner.log_density(float(asked[place]), float(held[place])) for place in places)

    def possible(self, reports: NDArray[Any]) -> PossibleReports:
        asked = ~np.isnan(reports)
        possible = (asked.sum(axis=1) == self.m) & np.isfinite(np.where(asked, reports, 0.0)).all(axis=1)
        return possible, f"{self.m} of {self.d} finite numbers and nothing elsewhere"

    def arithmetic(self) -> Arithmetic:
        # Which coordinates are asked for is drawn without looking at their values; each is sent by the same mechanism.
        inner = self.inner.arithmetic()
        return Arithmetic(None if inner.odds is None else inner.odds**self.m, inner.words)

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> Reals:
        true, inner = self.inside(values), self.inner
        if self.m == self.d:
            return inner.decoded(inner.privatize(true.ravel(), rng)).reshape(true.shape)
        order = rng.random(true.shape).argpartition(self.m - 1, axis=1)[:, : self.m]
        asked = np.take_along_axis(true, order, axis=1)
        reports = np.full(true.shape, np.nan)
        sent = inner.decoded(inner.privatize(asked.ravel(), rng)).reshape(asked.shape)
        np.put_along_axis(reports, order, sent, axis=1)
        return reports

    def sample_tally(self, population: Population, rng: np.random.Generator, repeats: int | None = None) -> ReportTally:
        # Exact: given who is asked for what, coordinates are independent, and people of one row exchangeable.
        x, rounds = self.inside(population.values), 1 if repeats is None else repeats
        if population.n <= (cells := population.k * (self.m + 1)) or cells > ATOMS_AT_ONCE // 8:
            return self.user_by_user(population, rng, repeats)
        size = max(1, ATOMS_AT_ONCE // (population.k * (self.m + 1 + self.d)))
        starts = range(0, rounds, size)
        parts = [self._sums(x, population.counts, min(size, rounds - done), rng) for done in starts]
        return in_rounds(parts, population.n, repeats)

    def _sums(self, x: Reals, counts: Counts, rounds: int, rng: np.random.Generator) -> NDArray[Any]:
        """The sums of all decoded reports: one row for each coordinate, one column for each round."""
        picks = np.zeros((self.m + 1, len(counts), rounds), dtype=np.int64)
        picks[self.m] = counts[:, None]
        asked = np.tile(picks[self.m], (self.d, 1, 1)) if self.m == self.d else subset_tallies(picks, self.d, rng)
        # Every coordinate is as many rounds of its own.
        people, values = np.moveaxis(asked, 0, 1).reshape(len(counts), -1), np.repeat(x, rounds, axis=1)
        return self.inner.counted(values, people, rng).reshape(self.d, rounds) * (self.d / self.m)


def _either(without: Pair | None, before: Pair | None, part: Pair) -> Pair | None:
    """Choices that leave a coordinate out beside choices that take it, as one pair of laws."""
    if before is None:
        return without
    taken = together(before, part)
    if without is None:
        return taken
    first, second = (np.concatenate(pair) for pair in ((without.first, taken.first), (without.second, taken.second)))
    return classes(first, second, np.concatenate([without.ratios(), taken.ratios()]))
