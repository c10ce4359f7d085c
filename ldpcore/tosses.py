"""Coins that fall heads with exactly the probability asked for, many at a time."""

from __future__ import annotations

import math
from typing import Any

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


def heads_among(
    counts: Any,
    probability: float,
    otherwise: float,
    rng: np.random.Generator,
    size: tuple[int, ...] | None = None,
) -> Any:
    """How many of so many coins fall heads, drawn by the rarer side: heads of this probability, tails `otherwise`.

    Near 1 a probability has lost the tails that it leaves: at a level of 40 nobody of 10^18 people would ever lie.
    """
    if probability <= otherwise:
        return rng.binomial(counts, probability, size)
    return counts - rng.binomial(counts, otherwise, size)


def random_bytes(size: int, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Uniform random bytes, eight from each draw of the generator."""
    return random_words(-(-size // 8), rng).view(np.uint8)[:size]


def random_words(size: int, rng: np.random.Generator) -> NDArray[np.uint64]:
    """Uniform random 64-bit words."""
    return rng.integers(0, 2**64 - 1, size, dtype=np.uint64, endpoint=True)
