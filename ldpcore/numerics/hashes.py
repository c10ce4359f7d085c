"""A keyed hash of 64 bits: a value's word, combined with a seed by exclusive or, then scrambled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

HashWords = NDArray[np.uint64]


def codes(k: int) -> HashWords:
    """A word for each value whose bits look random, so that close values get hashes that are far apart."""
    return scramble(np.arange(1, k + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15))


def scramble(words: HashWords) -> HashWords:
    """Replaces words by their image under a fixed one-to-one map in which every bit reaches every bit.

    It is the finalizer of MurmurHash3: two multiplications between three shifts, here in place.
    """
    shifted = np.empty_like(words)
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        words ^= np.right_shift(words, np.uint64(33), out=shifted)
        words *= np.uint64(factor)
    words ^= np.right_shift(words, np.uint64(33), out=shifted)
    return words
