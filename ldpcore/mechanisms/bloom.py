"""Candidates coded as Bloom filters: which bits each sets in each cohort, and which candidates collide."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from ldpcore.hashes import codes, scramble
from ldpcore.populations import Counts


@dataclass(frozen=True)
class BloomDesign:
    """k candidates, each hashed by `hashes` functions into the m bits of every cohort; all of it is public."""

    k: int
    m: int
    hashes: int
    cohorts: int

    @cached_property
    def positions(self) -> Counts:
        """The bit that each function sets, (cohort, candidate, function); functions of one candidate may agree."""
        keys = scramble(np.arange(1, self.cohorts * self.hashes + 1, dtype=np.uint64) << np.uint64(32))
        words = scramble(np.bitwise_xor.outer(keys, codes(self.k))).reshape(self.cohorts, self.hashes, self.k)
        # The upper half of the word times m, over 2^32: every bit gets its share of the words but for one in 2^32.
        bits = ((words >> np.uint64(32)) * np.uint64(self.m)) >> np.uint64(32)
        return np.swapaxes(bits, 1, 2).astype(np.int64)

    @cached_property
    def bits(self) -> NDArray[np.bool_]:
        """Whether a candidate sets a bit, (cohort, candidate, bit)."""
        bits = np.zeros((self.cohorts, self.k, self.m), dtype=np.bool_)
        np.put_along_axis(bits, self.positions, True, axis=2)
        return bits

    @cached_property
    def matrix(self) -> Any:
        """The same as a sparse matrix of whole numbers: a row for each bit of each cohort, a column per candidate."""
        cohort, candidate, bit = np.nonzero(self.bits)
        ones = np.ones(len(bit), dtype=np.int64)
        return scipy.sparse.csr_array((ones, (cohort * self.m + bit, candidate)), shape=(self.cohorts * self.m, self.k))

    @cached_property
    def holdings(self) -> Any:
        """From people by (cohort, candidate) to people who set a bit by (cohort, bit), as a sparse matrix."""
        cohort, candidate, bit = np.nonzero(self.bits)
        shape = (self.cohorts * self.m, self.cohorts * self.k)
        ones = np.ones(len(bit), dtype=np.int64)
        return scipy.sparse.csr_array((ones, (cohort * self.m + bit, cohort * self.k + candidate)), shape=shape)

    def holders(self, counts: Counts, size: int, rng: np.random.Generator) -> tuple[Counts, Counts]:
        """People spread over the cohorts, `size` times: (cohort, time) people, and (cohort, bit, time) who set it."""
        even = np.full(self.cohorts, 1 / self.cohorts)
        spread = rng.multinomial(np.broadcast_to(counts[:, None], (self.k, size)), even)
        people = np.moveaxis(spread, 2, 0).astype(np.int64)
        setting = self.holdings @ people.reshape(self.cohorts * self.k, size)
        return people.sum(axis=1), np.asarray(setting).reshape(self.cohorts, self.m, size)

    def differences(self, value: int, other: int) -> Counts:
        """For each cohort, how many bits only `value` sets and how many only `other` sets."""
        first, second = self.bits[:, value], self.bits[:, other]
        return np.stack([(first & ~second).sum(axis=1), (second & ~first).sum(axis=1)], axis=1)

    def farthest(self, alone: float, lacking: float, most: int = 20) -> list[tuple[int, int]]:
        """Pairs (v, w) with the largest sum, in any cohort, of `alone` per bit only v sets, `lacking` per bit only w.

        No sum exceeds h of either, so the search, which visits no set of bits twice, ends where enough pairs reach it.
        """
        alone, lacking = min(alone, 1e9), min(lacking, 1e9)  # infinite where a bit is left without noise
        limit, best = self.hashes * (alone + lacking), -1.0
        found: dict[tuple[int, int], None] = {}
        for patterns in self.bits:
            rows, members = np.unique(np.packbits(patterns, axis=1), axis=0, return_index=True)
            distinct = patterns[members].astype(np.float32)
            sizes = distinct.sum(axis=1)
            for first in range(len(rows)):
                shared = distinct @ distinct[first]
                scores = alone * (sizes[first] - shared) + lacking * (sizes - shared)
                high = float(scores.max())
                if high > best * (1 + 1e-6):
                    best, found = high, {}
                if high >= best * (1 - 1e-6):
                    seconds = np.flatnonzero(scores >= best * (1 - 1e-6))[:most]
                    found |= dict.fromkeys((int(members[first]), int(members[second])) for second in seconds)
                if best >= limit * (1 - 1e-6) and len(found) >= most:
                    return list(found)
        return [(v, w) for v, w in found if v != w] or [(0, 1)]

    @cached_property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Candidates that set the same bits in every cohort, so that no number of reports tells them apart."""
        found = defaultdict(list)
        for candidate, key in enumerate(np.packbits(np.swapaxes(self.bits, 0, 1).reshape(self.k, -1), axis=1)):
            found[key.tobytes()].append(candidate)
        return tuple(tuple(group) for group in found.values())


@lru_cache(maxsize=16)
def bloom_design(k: int, m: int, hashes: int, cohorts: int) -> BloomDesign:
    """The design with these numbers, whose tables are computed once."""
    return BloomDesign(k, m, hashes, cohorts)
