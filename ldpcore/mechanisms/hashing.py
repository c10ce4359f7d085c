"""Local hashing: hash the value into a few cells with a function of one's own, then answer which cell by a coin."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.mechanisms.arithmetic import Arithmetic, coined
from ldpcore.mechanisms.base import ReportTally
from ldpcore.mechanisms.independent import IndependentSupport
from ldpcore.mechanisms.possible import PossibleReports
from ldpcore.mechanisms.unary import blocks
from ldpcore.numerics.arrays import Counts
from ldpcore.numerics.hashes import HashWords, codes, scramble
from ldpcore.numerics.tosses import random_words, toss
from ldpcore.parameters import DomainSize, Epsilon

REPORT = np.dtype([("seed", np.uint64), ("cell", np.uint32)])
MOST_CELLS = 65536
_BLOCK = 1 << 15  # hashes computed at once: words that stay in the processor's cache


class LocalHashing(IndependentSupport):
    """Report (seed, cell): the cell of the true value with e^ε/(e^ε+g-1), any other of the g cells with 1/(e^ε+g-1).

    A report supports the values that its hash sends to its cell, every other value with q = 1/g. That, the variance
    and `sample_tally` are exact for an ideal hash, under which the cells of different values are independent; the
    level ε holds for any hash whatsoever.
    """

    @property
    @abstractmethod
    def g(self) -> int:
        """The number of cells."""

    @property
    def rounded(self) -> int:
        return self.g

    @property
    def log_odds(self) -> tuple[float, float]:
        return self.epsilon - math.log(self.g - 1), -math.log(self.g - 1)

    def possible(self, reports: NDArray[Any]) -> PossibleReports:
        possible = np.asarray(reports["cell"] < self.g, dtype=np.bool_)
        return possible, f"a seed and a cell from 0 to {self.g - 1}"

    def arithmetic(self) -> Arithmetic:
        return coined(self.g * self.p * math.exp(-self.epsilon), self.g)

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> NDArray[np.void]:
        true = self.categories(values)
        reports = np.empty(len(true), dtype=REPORT)
        reports["seed"] = random_words(len(true), rng)
        # The last cell takes the few hashes that g does not divide: at most g of 2^64, far below any float's rounding.
        hashes = scramble(reports["seed"] ^ codes(self.k)[true])
        cells = np.minimum(hashes // np.uint64(self._width), np.uint64(self.g - 1))
        # A lie is uniform on all g cells, the own one included, so lies have probability g/(e^ε+g-1).
        lies = toss(self.g * self.p * math.exp(-self.epsilon), len(true), rng)
        cells[lies] = rng.integers(self.g, size=np.count_nonzero(lies), dtype=np.uint64)
        reports["cell"] = cells
        return reports

    @property
    def _width(self) -> int:
        """How many of the 2^64 hashes fall into one cell."""
        return int(2**64 // self.g)

    def supports(self, reports: NDArray[np.void]) -> NDArray[np.bool_]:
        hashes = scramble(np.bitwise_xor.outer(reports["seed"], codes(self.k)))
        low, width = self._cell_bounds(reports)
        return np.asarray(hashes - low[:, None] < width[:, None])

    def _cell_bounds(self, reports: NDArray[np.void]) -> tuple[HashWords, HashWords]:
        """Where each report's cell begins among the 2^64 hashes, and how many it takes."""
        cells = reports["cell"].astype(np.uint64)
        last = 2**64 - (self.g - 1) * self._width
        width = np.where(cells == self.g - 1, np.uint64(last), np.uint64(self._width))
        return cells * np.uint64(self._width), width

    def support(self, report: Any) -> NDArray[np.bool_]:
        """The values that one report supports; its hash is a seed, or a table that lists the cell of every value."""
        function, cell = report
        if isinstance(function, tuple):
            return np.asarray(np.array(function) == cell)
        return np.asarray(self.supports(np.array([(function, cell)], dtype=REPORT))[0])

    def report_of(self, support: NDArray[np.bool_]) -> tuple[tuple[int, ...], int]:
        return tuple(np.where(support, 0, 1).tolist()), 0

    def tally(self, reports: NDArray[np.void]) -> ReportTally:
        """Every value is hashed with every report's seed: k n hashes, in blocks that stay in the cache."""
        counts = np.zeros(self.k, dtype=np.int64)
        low, width = self._cell_bounds(reports)
        seeds, table = np.ascontiguousarray(reports["seed"]), codes(self.k)
        for users in blocks(len(reports), _BLOCK):
            for values in blocks(self.k, _BLOCK // (users.stop - users.start)):
                counts[values] += count_hits(seeds[users], table[values], low[users], width[users])
        return ReportTally(counts, len(reports))

    def bits(self) -> float:
        return 64 + math.log2(self.g)

    def operations(self) -> float:
        return 4


def count_hits(seeds: HashWords, table: HashWords, low: HashWords, width: HashWords) -> Counts:
    """For each value, how many seeds hash it into their cell: low <= hash < low + width in one comparison."""
    hashes = scramble(np.bitwise_xor.outer(table, seeds))
    hashes -= low  # wraps around below `low`, and is then beyond every width
    return np.array([np.count_nonzero(row) for row in hashes < width], dtype=np.int64)


@dataclass(frozen=True)
class BinaryLocalHashing(LocalHashing):
    """Hash into g = 2 cells and answer by randomized response: one bit and a seed, p = e^ε/(e^ε+1), q = 1/2.

    n·Var = ((e^ε+1)/(e^ε-1))² - f for a value of share f: one more than OUE's, for one bit beside a seed of 64.
    """

    epsilon: Epsilon
    k: DomainSize

    slug: ClassVar[str] = "blh"
    title: ClassVar[str] = "Binary local hashing"
    reference: ClassVar[str] = "Bassily, Smith (2015), Local, private, efficient protocols for succinct histograms"

    @property
    def g(self) -> int:
        return 2


@dataclass(frozen=True)
class OptimizedLocalHashing(LocalHashing):
    """Hash into g = round(e^ε)+1 cells and answer as with g values: the error of OUE in a few bytes.

    p = e^ε/(e^ε+g-1), q = 1/g, so n·Var is about 4e^ε/(e^ε-1)² where f is small. Beyond ε = 11 g stays at 65 536.
    """

    epsilon: Epsilon
    k: DomainSize

    slug: ClassVar[str] = "olh"
    title: ClassVar[str] = "Optimized local hashing"
    reference: ClassVar[str] = (
        "Wang, Blocki, Li, Jha (2017), Locally differentially private protocols for frequency estimation"
    )

    @property
    def g(self) -> int:
        return min(round(math.exp(self.epsilon)) + 1, MOST_CELLS)
