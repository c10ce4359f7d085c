"""The number of Bloom bits each two candidates have in common, counted in pieces of bounded memory."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ldpcore.mechanisms.bloom import BloomDesign
from ldpcore.mechanisms.unary import blocks
from ldpcore.numerics.leastsquares import AT_ONCE


def shared_bits(design: BloomDesign) -> NDArray[np.uint16]:
    """Shared bits over all cohorts, for each two of the k candidates: at most C h, so that two bytes hold it."""
    k, m, hashes = design.k, design.m, design.hashes
    total = np.zeros((k, k), dtype=np.uint16)
    if m <= 8 * hashes:  # most candidates share bits
        for cohort in range(design.cohorts):
            bits = design.table(cohort).astype(np.float32)
            for rows in blocks(k, AT_ONCE // k):
                total[rows] += (bits[rows] @ bits.T).astype(np.uint16)
        return total
    for table in design.tables():
        for rows in blocks(k, int(AT_ONCE * m / (k * hashes**2))):
            pairs = (table[rows] @ table.T).tocoo()  # each pair once, for `+=` would count it once only
            total[rows][pairs.coords] += pairs.data.astype(np.uint16)
    return total
