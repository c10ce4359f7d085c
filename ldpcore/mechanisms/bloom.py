"""Candidates coded as Bloom filters: which bits each sets in each cohort, and which candidates collide.

Only the places of the bits are kept, two bytes each; tables of bits are made cohort by cohort where they are needed,
for at the largest numbers all of them together would take gigabytes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from ldpcore.costs import MEGABYTE, Cost
from ldpcore.numerics.arrays import Counts
from ldpcore.numerics.hashes import codes, scramble

BitPlaces = NDArray[np.uint16]
KEPT = 1 << 21  # places up to which the whole design is kept as one sparse matrix


@dataclass(frozen=True)
class BloomDesign:
    """k candidates, each hashed by `hashes` functions into the m bits of every cohort; all of it is public."""

    k: int
    m: int
    hashes: int
    cohorts: int

    @cached_property
    def positions(self) -> BitPlaces:
        """The bit that each function sets, (cohort, candidate, function); functions of one candidate may agree."""
        positions = np.empty((self.cohorts, self.k, self.hashes), dtype=np.uint16)
        numbers = np.arange(1, self.cohorts * self.hashes + 1, dtype=np.uint64)
        keys, words = scramble(numbers << np.uint64(32)).reshape(self.cohorts, self.hashes), codes(self.k)
        for cohort, own in enumerate(keys):
            # The upper half of the word times m, over 2^32: every bit gets its share of the words but for one in 2^32.
            hashed = scramble(np.bitwise_xor.outer(own, words)) >> np.uint64(32)
            positions[cohort] = ((hashed * np.uint64(self.m)) >> np.uint64(32)).T
        return positions

    def cost(self) -> Cost:
        """Shared bits, an inverse and a fit, k² numbers each; processor time for the loadings of every cohort too."""
        k, places = self.k, self.cohorts * self.k * self.hashes
        pairs = self.cohorts * k**2 * min(self.hashes**2 / self.m, 1.0)
        tables = 24 * min(places, KEPT) + 2 * places
        return Cost(26 * k**2 + tables + 24 * MEGABYTE, 1e-8 * pairs + 3e-10 * k**3 + 6e-9 * places * k)

    def table(self, cohort: int, candidates: Any = slice(None)) -> NDArray[np.bool_]:
        """Whether a candidate sets a bit in one cohort, (candidate, bit)."""
        places = self.positions[cohort, candidates].astype(np.int64)
        bits = np.zeros((len(places), self.m), dtype=np.bool_)
        np.put_along_axis(bits, places, True, axis=1)
        return bits

    @property
    def bits(self) -> NDArray[np.bool_]:
        """Whether a candidate sets a bit, (cohort, candidate, bit), all at once: for small designs."""
        return np.stack([self.table(cohort) for cohort in range(self.cohorts)])

    def sparse(self, cohort: int, dtype: Any = np.float64) -> Any:
        """The table of one cohort as a sparse matrix of ones, (candidate, bit)."""
        places = np.sort(self.positions[cohort], axis=1).astype(np.int32)
        fresh = np.ones(places.shape, dtype=np.bool_)
        fresh[:, 1:] = places[:, 1:] != places[:, :-1]  # functions of one candidate may agree
        ends = np.concatenate([[0], np.cumsum(fresh.sum(axis=1))]).astype(np.int32)
        indices = places[fresh]
        return scipy.sparse.csr_array((np.ones(len(indices), dtype=dtype), indices, ends), shape=(self.k, self.m))

    @cached_property
    def _kept(self) -> tuple[Any, ...]:
        return tuple(self.sparse(cohort) for cohort in range(self.cohorts))

    def tables(self) -> Iterator[Any]:
        """The sparse tables cohort after cohort; those of a design that is not too large are made once."""
        if self.positions.size <= KEPT:
            yield from self._kept
        else:
            yield from (self.sparse(cohort) for cohort in range(self.cohorts))

    def holders(self, counts: Counts, size: int, rng: np.random.Generator) -> tuple[Counts, Counts]:
        """People spread over the cohorts, `size` times: (cohort, time) people, and (cohort, bit, time) who set it."""
        even = np.full(self.cohorts, 1 / self.cohorts)
        spread = rng.multinomial(np.broadcast_to(counts[:, None], (self.k, size)), even)
        setting = np.empty((self.cohorts, self.m, size), dtype=np.int64)
        for cohort in range(self.cohorts):  # in whole numbers, which floats would lose beyond 2^53
            setting[cohort] = self.sparse(cohort, np.int64).T @ np.ascontiguousarray(spread[:, :, cohort])
        return spread.sum(axis=0).T, setting

    def differences(self, value: int, other: int) -> Counts:
        """For each cohort, how many bits only `value` sets and how many only `other` sets."""
        one, another = self.positions[:, value], self.positions[:, other]
        return np.stack([_alone(one, another), _alone(another, one)], axis=1)

    def farthest(self, alone: float, lacking: float, most: int = 20) -> list[tuple[int, int]]:
        """Pairs (v, w) with the largest sum, in any cohort, of `alone` per bit only v sets, `lacking` per bit only w.

        No sum exceeds h of either, so the search, which visits no set of bits twice, ends where enough pairs reach it.
        """
        alone, lacking = min(alone, 1e9), min(lacking, 1e9)  # infinite where a bit is left without noise
        limit, best = self.hashes * (alone + lacking), -1.0
        pairs: dict[tuple[int, int], None] = {}
        for patterns in map(self.table, range(self.cohorts)):
            rows, members = np.unique(np.packbits(patterns, axis=1), axis=0, return_index=True)
            distinct = patterns[members].astype(np.float32)
            sizes = distinct.sum(axis=1)
            for first in range(len(rows)):
                shared = distinct @ distinct[first]
                scores = alone * (sizes[first] - shared) + lacking * (sizes - shared)
                high = float(scores.max())
                if high > best * (1 + 1e-6):
                    best, pairs = high, {}
                if high >= best * (1 - 1e-6):
                    seconds = np.flatnonzero(scores >= best * (1 - 1e-6))[:most]
                    pairs |= dict.fromkeys((int(members[first]), int(members[second])) for second in seconds)
                if best >= limit * (1 - 1e-6) and len(pairs) >= most:
                    return list(pairs)
        return [(v, w) for v, w in pairs if v != w] or [(0, 1)]

    @cached_property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Candidates that set the same bits in every cohort, so that no number of reports tells them apart."""
        alike = np.zeros(self.k, dtype=np.int64)
        for cohort in range(self.cohorts):
            rows = np.column_stack([alike, np.packbits(self.table(cohort), axis=1)])
            alike = np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1)
            if alike.max() == self.k - 1:  # all apart, and further cohorts bring none together
                break
        members = defaultdict(list)
        for candidate, group in enumerate(alike.tolist()):
            members[group].append(candidate)
        return tuple(tuple(group) for group in members.values())


@lru_cache(maxsize=4)
def bloom_design(k: int, m: int, hashes: int, cohorts: int) -> BloomDesign:
    """The design with these numbers, whose tables are computed once."""
    return BloomDesign(k, m, hashes, cohorts)


def _alone(own: BitPlaces, others: BitPlaces) -> Counts:
    """How many bits each row of places sets of which the other's row sets none."""
    again = np.tril(own[:, :, None] == own[:, None, :], -1).any(axis=2)  # functions of one candidate may agree
    return np.asarray(((own[:, :, None] != others[:, None, :]).all(axis=2) & ~again).sum(axis=1), dtype=np.int64)
