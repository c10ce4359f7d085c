"""Random subsets, one person's or everybody's: how often each of k items is picked by millions, from one tree.

Blocks of items are halved. People with the same number of picks in a block are alike, and how many of j picks fall in
its left half is hypergeometric, so a histogram of people by picks is split by multinomial draws alone. People who
must pick an own item start at that item and climb: the picks in the neighboring block, given those so far, are again
hypergeometric; people from both blocks then stand at the parent and are alike. O(k log k), however many people.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import scipy
from numpy.typing import NDArray

from ldpcore.numerics.arrays import Counts, Reals


@dataclass
class Halving:
    """One draw for k items and subsets of `size` picks; histograms are (blocks, repetitions, picks inside)."""

    k: int
    size: int
    rng: np.random.Generator
    log_factorials: Reals = field(init=False)

    def __post_init__(self) -> None:
        self.log_factorials = np.asarray(scipy.special.gammaln(np.arange(self.k + 1) + 1.0))

    def draw(self, own: Counts, free: Counts) -> Counts:
        """How often each item is picked: own[v, r] people pick v and others at random, free[r] pick all at random."""
        height = (self.k - 1).bit_length()
        foreign = self.climb(own, height)
        guests = np.zeros((1, own.shape[1], self.k + 1), dtype=np.int64)
        guests[0, :, self.size] = free
        for level in reversed(range(height)):
            guests = self.descend(guests, level)
            guests += foreign[level][: len(guests)]
        return np.asarray(own + guests[: self.k, :, 1])

    def blocks(self, level: int) -> Counts:
        """The number of items in each block of this level: 2^level, but the last ones may be smaller or empty."""
        starts = np.arange(1 << max((self.k - 1).bit_length() - level, 0)) << level
        return np.asarray(np.clip(self.k - starts, 0, 1 << level))

    def climb(self, own: Counts, height: int) -> list[Counts]:
        """The people who come, level by level, from the block beside one's own, by the number of picks made here."""
        sizes = self.blocks(0)
        hosts = np.zeros((len(sizes), own.shape[1], 1), dtype=np.int64)
        hosts[: self.k, :, 0] = own
        arrivals = []
        for level in range(height):
            sizes = self.blocks(level)
            arrived = np.zeros((len(sizes), own.shape[1], (1 << level) + 1), dtype=np.int64)
            parents = np.zeros((len(sizes) // 2, own.shape[1], 2 << level), dtype=np.int64)
            for size, beside, members in pairs(sizes, sizes[np.arange(len(sizes)) ^ 1]):
                picks, people = occupied(hosts[members])
                if not picks.size:
                    continue
                low, drawn = self.split(people, self.size - 1 - picks, beside, self.k - size - beside)
                add(arrived, members ^ 1, low, drawn.sum(axis=-2))
                add(parents, members >> 1, low + picks[0], diagonals(drawn))
            hosts = parents
            arrivals.append(arrived)
        return arrivals

    def descend(self, guests: Counts, level: int) -> Counts:
        """The histograms of both halves, from those of the blocks one level up."""
        sizes = self.blocks(level)
        halves = np.zeros((len(sizes), guests.shape[1], (1 << level) + 1), dtype=np.int64)
        for left, right, members in pairs(sizes[::2], sizes[1::2]):
            picks, people = occupied(guests[members])
            if not picks.size:
                continue
            low, drawn = self.split(people, picks, left, right)
            add(halves, 2 * members, low, drawn.sum(axis=-2))
            add(halves, 2 * members + 1, picks[0] - low - (drawn.shape[-1] - 1), diagonals(drawn[..., ::-1]))
        return halves

    def split(self, people: Counts, picks: Counts, good: int, bad: int) -> tuple[int, Counts]:
        """How many of each person's picks fall among the good items: one more axis, from the number returned on."""
        # Cells rarer than 1e-30 are cut (Serfling's bound); no uniform double could ever reach them.
        least = np.minimum(np.minimum(picks, good + bad - picks), min(good, bad))
        center, reach = picks * good / max(good + bad, 1), np.sqrt(35.0 * least)
        low = max(int(np.floor((center - reach).min())), 0)
        hits = np.arange(low, min(int(np.ceil((center + reach).max())), good) + 1)
        missed = picks[:, None] - hits
        possible = (missed >= 0) & (missed <= bad)
        logs, missed = self.log_factorials, np.where(possible, missed, 0)
        weight = -(logs[hits] + logs[good - hits] + logs[missed] + logs[bad - missed])
        weight[~possible] = -np.inf
        law = np.exp(weight - weight.max(axis=1, keepdims=True))
        law /= law.sum(axis=1, keepdims=True)
        # Likeliest first: NumPy's multinomial stops once everybody is placed, so the tails cost nothing. Of 10^15
        # people rounding leaves a few over in the last cell, an impossible one, and they go to the likeliest.
        order = np.argsort(-law, axis=1, kind="stable")
        drawn = self.rng.multinomial(people, np.pad(np.take_along_axis(law, order, axis=1), ((0, 0), (0, 1))))
        drawn[..., 0] += drawn[..., -1]
        return low, np.take_along_axis(drawn, np.argsort(order, axis=1)[None, None], axis=-1)


def pairs(first: Counts, second: Counts) -> list[tuple[int, int, NDArray[np.int64]]]:
    """Blocks that are alike, by the sizes of the two blocks concerned; blocks without items are left out."""
    kinds = {(int(a), int(b)) for a, b in zip(first, second, strict=True) if a}
    return [(a, b, np.flatnonzero((first == a) & (second == b))) for a, b in sorted(kinds)]


def occupied(histograms: Counts) -> tuple[Counts, Counts]:
    """The range of picks that somebody has, empty if there is nobody, and the histograms over it."""
    some = np.flatnonzero(histograms.any(axis=(0, 1)))
    low, high = (int(some[0]), int(some[-1]) + 1) if some.size else (0, 0)
    return np.arange(low, high), histograms[:, :, low:high]


def diagonals(drawn: Counts) -> Counts:
    """Sums over i + l constant, for the last two axes (i, l): each row is shifted by its number, then all are added."""
    *front, rows, columns = drawn.shape
    padded = np.zeros((*front, rows, columns + rows), dtype=np.int64)
    padded[..., :columns] = drawn
    shifted = padded.reshape(*front, -1)[..., : rows * (columns + rows - 1)]
    return np.asarray(shifted.reshape(*front, rows, columns + rows - 1).sum(axis=-2))


def add(histograms: Counts, members: NDArray[np.int64], start: int, people: Counts) -> None:
    """Add people to the histograms of these blocks, from `start` picks on; those beyond either end must be zero."""
    first, last = max(start, 0), min(start + people.shape[-1], histograms.shape[-1])
    np.add.at(histograms[:, :, first:last], members, people[:, :, first - start : last - start])


def random_subsets(k: int, size: int, own: Counts, rng: np.random.Generator) -> NDArray[np.bool_]:
    """One row of k marks per person, `size` of them set; own[i] >= 0 is marked for certain.

    Numbers are drawn until enough different ones are there. All labels are treated alike, so the set is uniform.
    """
    if 2 * size > k and (own < 0).all():
        return ~random_subsets(k, k - size, own, rng)
    marks = np.zeros(len(own) * k, dtype=np.bool_)
    starts = np.arange(len(own), dtype=np.uint32) * np.uint32(k)
    marks[starts[own >= 0] + own[own >= 0]] = True
    missing = np.where(own >= 0, size - 1, size)
    people = np.flatnonzero(missing)
    while people.size:
        draws = np.repeat(starts[people], missing[people])
        draws += rng.integers(k, size=draws.size, dtype=np.uint32)
        marks[draws] = True
        missing[people] = size - np.count_nonzero(marks.reshape(-1, k)[people], axis=1)
        people = people[missing[people] > 0]
    return marks.reshape(-1, k)
