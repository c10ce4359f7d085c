"""The people's true values: finite atoms with counts, so that a billion people cost no more than a hundred."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.fingerprints import Fingerprinted, fingerprint
from ldpcore.numerics.arrays import Counts, RealOrWhole, Reals
from ldpcore.parameters import Choice, Declared, ParameterError, Users, declaration

Smooth = Annotated[str, Choice("X", ("uniform", "skewed", "peaked"))]
LISTED = 10**7  # people with numbers of their own who are gone through one by one


@dataclass(frozen=True, eq=False, repr=False)
class Population(Fingerprinted):
    """`counts[i]` people hold `values[i]`; values are categories 0 … k-1, numbers, vectors or (x, y) rows."""

    values: RealOrWhole
    counts: Counts

    def __post_init__(self) -> None:
        counts = np.array(self.counts, dtype=np.int64)
        values = np.array(self.values)
        if counts.ndim != 1 or len(counts) != len(values):
            raise ParameterError("counts_unpaired", counts=counts.size, values=len(values))
        if (counts < 0).any():
            raise ParameterError("counts_negative", got=int(counts.min()))
        small = int(counts.max(initial=0)) * len(counts) < 2**63  # else whole numbers of any length add them up
        declaration(Users).check("n", int(counts.sum()) if small else sum(map(int, counts)))
        for name, array in (("values", values), ("counts", counts)):
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    @classmethod
    def of_categories(cls, counts: ArrayLike) -> Population:
        """The population in which `counts[v]` people hold category v."""
        counts = np.asarray(counts, dtype=np.int64)
        return cls(np.arange(len(counts)), counts)

    @classmethod
    def uniform(cls, k: int, n: int) -> Population:
        """n people spread over k categories as evenly as whole people allow."""
        return cls.of_shares(np.full(k, 1 / k), n)

    def evened(self) -> Population:
        """A population of the same size and number of categories, spread evenly: its public part and nothing else."""
        return Population.uniform(self.k, self.n)

    @classmethod
    def zipf(cls, k: int, n: int, exponent: float = 1.0) -> Population:
        """n people whose v-th most frequent category has a share proportional to v^(-exponent)."""
        weights = np.arange(1, k + 1, dtype=np.float64) ** -exponent
        return cls.of_shares(weights / weights.sum(), n)

    @classmethod
    def two_point(cls, k: int, n: int, share: float) -> Population:
        """n people, a `share` of whom hold category 1 and the others category 0 of k."""
        shares = np.zeros(k)
        shares[:2] = 1 - share, share
        return cls.of_shares(shares, n)

    @classmethod
    def of_shares(cls, shares: ArrayLike, n: int) -> Population:
        """n people apportioned to the shares by largest remainders."""
        exact = np.asarray(shares, dtype=np.float64) * n
        counts = np.floor(exact).astype(np.int64)
        short = n - int(counts.sum())
        if short < 0:  # rounding up in `exact` can only add a few people at huge n: take them from the largest
            counts[np.argmax(counts)] += short
        else:
            each, rest = divmod(short, len(counts))
            counts += each
            counts[np.argsort(counts - exact, kind="stable")[:rest]] += 1
        return cls.of_categories(counts)

    @classmethod
    def of_numbers(cls, numbers: ArrayLike) -> Population:
        """The people who hold these numbers, one each; equal numbers become one atom."""
        values, counts = np.unique(np.asarray(numbers, dtype=np.float64), return_counts=True)
        return cls(values, counts)

    @cached_property
    def n(self) -> int:
        """The number of people."""
        return int(self.counts.sum())

    @property
    def k(self) -> int:
        """The number of different values listed, including those that nobody holds."""
        return len(self.counts)

    @property
    def shares(self) -> Reals:
        """The true share of each value, f_v = n_v / n."""
        return np.asarray(self.counts / self.n, dtype=np.float64)

    def mean_of(self, function: Callable[[NDArray[Any]], Reals]) -> float:
        """The mean over all people of a function of their value."""
        return float(np.dot(self.counts, function(self.values)) / self.n)

    def quantiles(self, shares: ArrayLike) -> Reals:
        """The numbers below which these shares of people lie; where many numbers do, the middle of them.

        Shares are taken as they are written, 0.1 as 1/10, so that a tenth of ten people is exactly one.
        """
        order = np.argsort(self.values, kind="stable")
        running, held = np.cumsum(self.counts[order]), self.values[order]
        wanted = [Fraction(str(float(share))) * self.n for share in np.atleast_1d(np.asarray(shares))]
        ends = [(max(math.ceil(many), 1), min(math.floor(many) + 1, self.n)) for many in wanted]
        low, high = held[np.searchsorted(running, np.array(ends))].T
        return np.asarray(low + (high - low) / 2, dtype=np.float64).reshape(np.shape(shares))

    def at(self, places: NDArray[np.int64]) -> NDArray[Any]:
        """The values of the people at these places of the list of everybody, value after value."""
        return self.values[np.searchsorted(np.cumsum(self.counts), places, side="right")]

    def without(self, places: NDArray[np.int64]) -> Population | None:
        """The population without the people at these places; None where nobody is left."""
        atoms = np.searchsorted(np.cumsum(self.counts), places, side="right")
        left = self.counts - np.bincount(atoms, minlength=self.k)
        return Population(self.values, left) if left.any() else None

    def users(self, chunk: int = 1 << 17) -> Iterator[NDArray[Any]]:
        """The people's values, value after value, in chunks of bounded memory."""
        ends = np.cumsum(self.counts)
        for start in range(0, self.n, chunk):
            stop = min(start + chunk, self.n)
            inside = np.minimum(ends, stop) - np.clip(ends - self.counts, start, stop)
            yield np.repeat(self.values, np.maximum(inside, 0), axis=0)

    def __fingerprint__(self) -> str:
        return self._digest

    @cached_property
    def _digest(self) -> str:
        """A digest, made once for each population, for copies from a cache too: there may be millions of numbers."""
        return fingerprint((self.values, self.counts))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Population) and fingerprint(self) == fingerprint(other)

    def __hash__(self) -> int:
        return hash(fingerprint(self))

    def __repr__(self) -> str:
        return f"Population(n={self.n}, k={self.k}, fingerprint={fingerprint(self)!r})"


@dataclass(frozen=True)
class SmoothPopulation(Declared):
    """n invented people whose numbers in [-1, 1] are all different: the middle quantiles of a smooth law.

    The i-th of them holds q((i + ½)/n) with q(u) = 2u - 1, 2u³ - 1 (many low numbers, few high ones) or (2u - 1)³.
    """

    shape: Smooth
    n: Users

    def at(self, places: NDArray[np.int64]) -> Reals:
        """The numbers of the people at these places."""
        u = (np.asarray(places, dtype=np.float64) + 0.5) / self.n
        if self.shape == "skewed":
            return np.asarray(2 * u**3 - 1, dtype=np.float64)
        return np.asarray((2 * u - 1) ** (1 if self.shape == "uniform" else 3), dtype=np.float64)

    def users(self, chunk: int = 1 << 17) -> Iterator[Reals]:
        """The people's numbers, in chunks of bounded memory."""
        for start in range(0, self.n, chunk):
            yield self.at(np.arange(start, min(start + chunk, self.n)))

    def mean_of(self, function: Callable[[Reals], Reals]) -> float:
        """The mean of a function of their numbers: over everybody up to 10⁷ people, over 10⁶ quantiles beyond.

        For the smooth functions that are asked about, the latter is right to about 1e-12.
        """
        listed = self if self.n <= LISTED else SmoothPopulation(self.shape, 10**6)
        return float(sum(float(function(part).sum()) for part in listed.users()) / listed.n)


PopulationLaw = Population | SmoothPopulation
