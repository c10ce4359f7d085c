"""Coins that fall heads with exactly the probability asked for, many at a time."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray


def toss(probability: float, size: int, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Independent coins, True with this probability, the float taken at its word to its last binary digit.

    A coin is True when a uniform random fraction is below the probability. One random byte of the fraction decides
    255 coins of 256; only the undecided ones draw their next byte. So a coin costs about one byte, where a uniform
    float costs eight, and a probability of e^-50, which no float of 53 random bits can meet, is met exactly.
    """
    scaled = probability * 256  # exact: a power of two
    first = math.floor(scaled)
    fraction = random_bytes(size, rng)
    heads = fraction < first
    if scaled > first:
        undecided = np.flatnonzero(fraction == first)
        if len(undecided):
            heads[undecided] = toss(scaled - first, len(undecided), rng)
    return heads


def random_bytes(size: int, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Uniform random bytes, eight from each draw of the generator."""
    return random_words(-(-size // 8), rng).view(np.uint8)[:size]


def random_words(size: int, rng: np.random.Generator) -> NDArray[np.uint64]:
    """Uniform random 64-bit words."""
    return rng.integers(0, 2**64 - 1, size, dtype=np.uint64, endpoint=True)
