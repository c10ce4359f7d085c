"""The fast Walsh-Hadamard transform, and a whole population's random outputs drawn through its butterfly."""

from __future__ import annotations

import numpy as np

from ldpcore.numerics.arrays import Counts


def walsh_hadamard(histogram: Counts) -> Counts:
    """H times the histogram along its first axis by log₂ K additions and subtractions; whole numbers stay exact."""
    size, *rest = histogram.shape
    transformed = histogram
    for bit in range(size.bit_length() - 1):
        blocks = transformed.reshape(-1, 2, 1 << bit, *rest)
        transformed = np.stack([blocks[:, 0] + blocks[:, 1], blocks[:, 0] - blocks[:, 1]], axis=1)
    return transformed.reshape(size, *rest)


def uniform_on_halves(masks: Counts, rng: np.random.Generator) -> Counts:
    """The histogram of outputs y of people who each draw y uniformly with |mask & y| even; masks[r] hold mask r.

    Bit by bit from the top: a person forgets the bit of the mask, learns a fair bit of y, and keeps the parity of the
    bits shared so far, so that people with one state (bits of y, rest of the mask, parity) are alike: binomials with
    chance 1/2. The last set bit of a mask is not free: it is the parity, which makes the total even.
    """
    size, repeats = masks.shape
    states = np.stack([masks, np.zeros_like(masks)])  # parity, then bits of y above, bits of the mask below
    for bit in reversed(range(size.bit_length() - 1)):
        even, odd = states.reshape(2, -1, 2, 1 << bit, repeats)
        (even_clear, even_set), (odd_clear, odd_set) = np.moveaxis(even, 1, 0), np.moveaxis(odd, 1, 0)
        after = np.empty((2, size >> (bit + 1), 2, 1 << bit, repeats), dtype=np.int64)
        clear = np.stack([even_clear, odd_clear])
        shared = np.stack([even_set, odd_set])
        clear_ones, shared_ones = heads(clear, rng), heads(shared, rng)
        # Where nothing is left of the mask, the bit is the parity.
        shared_ones[0, :, 0], shared_ones[1, :, 0] = 0, shared[1, :, 0]
        after[:, :, 0] = clear - clear_ones + shared - shared_ones
        after[:, :, 1] = clear_ones + shared_ones[::-1]
        states = after
    return np.asarray(states[0].reshape(size, repeats))


def heads(tosses: Counts, rng: np.random.Generator, words: int = 2) -> Counts:
    """Bin(m, 1/2) for each m: few tosses are the ones among m random bits, which is faster than NumPy's inversion."""
    heads = np.zeros(tosses.size, dtype=np.int64)
    flat = tosses.ravel()
    many = flat > 64 * words
    heads[many] = rng.binomial(flat[many], 0.5)
    at = np.flatnonzero((flat > 0) & ~many)
    left = flat[at]
    while at.size:
        coins = rng.integers(2**64 - 1, size=at.size, dtype=np.uint64, endpoint=True)
        heads[at] += np.bitwise_count(coins >> (64 - np.minimum(left, 64)).astype(np.uint64))
        left = left - 64
        at, left = at[left > 0], left[left > 0]
    return heads.reshape(tosses.shape)
