"""From counts of Bloom bits to shares: unbiased least squares, their exact variance, and the non-negative fit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from ldpcore.mechanisms.bloom import BloomDesign
from ldpcore.mechanisms.bloomshared import shared_bits
from ldpcore.mechanisms.unary import blocks
from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.leastsquares import AT_ONCE, inverted, nonnegative


@dataclass(frozen=True)
class BloomFit:
    """Least squares for y = X f, where y_(c,i) is C/n times the people of cohort c who set bit i, so that E y = X f."""

    design: BloomDesign

    @cached_property
    def shared(self) -> NDArray[np.uint16]:
        """How many bits each two candidates share over all cohorts, XᵀX: at most C h, so that two bytes hold it."""
        return shared_bits(self.design)

    @property
    def gram(self) -> Reals:
        """XᵀX as real numbers, made anew at each call."""
        return self.shared.astype(np.float64)

    @cached_property
    def solver(self) -> tuple[Reals, NDArray[np.bool_]]:
        """The inverse of XᵀX (its pseudo-inverse where it has none), and which candidates the bits determine."""
        k = self.design.k
        inverse = inverted(self.gram)
        if inverse is not None and all(self._inverts(inverse, rows) for rows in blocks(k, AT_ONCE // k)):
            return inverse, np.ones(k, dtype=np.bool_)
        del inverse
        values, vectors = scipy.linalg.eigh(self.gram, overwrite_a=True, driver="evr")
        kept = values > 1e-9 * values[-1]
        # A candidate is determined unless some direction that the bits cannot see involves it.
        determined = (vectors[:, ~kept] ** 2).sum(axis=1) < 1e-12
        vectors = vectors[:, len(kept) - np.count_nonzero(kept) :]  # the values ascend
        vectors /= np.sqrt(values[kept])
        return np.asarray(vectors @ vectors.T), determined

    def _inverts(self, inverse: Reals, rows: slice) -> bool:
        """Whether these rows of (XᵀX) times the inverse are those of one."""
        product = self.shared[rows].astype(np.float64) @ inverse
        product[np.arange(rows.stop - rows.start), np.arange(rows.start, rows.stop)] -= 1
        return bool(np.abs(product).max() < 1e-6)

    def counted(self, y: Reals) -> Reals:
        """Xᵀy."""
        parts = y.reshape(self.design.cohorts, self.design.m, -1)
        sums = np.zeros((self.design.k, parts.shape[2]))
        for table, part in zip(self.design.tables(), parts, strict=True):
            sums += table @ part
        return sums.reshape(self.design.k, *y.shape[1:])

    def shares(self, y: Reals) -> Reals:
        """(XᵀX)⁻¹Xᵀy, unbiased because linear; NaN for a candidate that the bits do not determine."""
        inverse, determined = self.solver
        shares = inverse @ self.counted(y)
        shares[~determined] = np.nan
        return np.asarray(shares)

    def variances(self, shares: ArrayLike, one: float, zero: float) -> Reals:
        """n·Var of every estimate, when a set bit is counted with variance `one` and another with `zero`.

        A person's part in the estimate of u is C Σ_i A_(u,ci) × (bit i, unbiased), with A = (XᵀX)⁻¹Xᵀ and c a random
        cohort: C Σ_c [(Σ_i A b_i)² + Σ_i A² × variance] - [the person holds u]², averaged over the people.
        """
        f = np.asarray(shares, dtype=np.float64)
        together, ones, zeros = spread(self.design, f.tobytes())
        total = together + one * ones + zero * zeros
        return np.where(self.solver[1], np.maximum(self.design.cohorts * total - f, 0.0), np.inf)

    @property
    def typical(self) -> Reals:
        """(x, y, z) of an average candidate, from its holders and any other: n·Var = C(x + one·y + zero·z) - f."""
        return np.asarray(self.each[0].mean(axis=0))

    @cached_property
    def each(self) -> tuple[Reals, Reals]:
        """`typical` of each candidate, whatever the noise is; and Σ_i |A| in its worst cohort, a bound of scores."""
        k = self.design.k
        sums, loaded = np.zeros((k, 2, 3)), np.zeros(k)
        for rows, table, loads, parts in self.pieces():
            squares, holders = loads**2, np.asarray(table.sum(axis=0), dtype=np.float64)
            # Of a candidate itself: its row of the table lies in this piece.
            mine, all_bits = parts[np.arange(rows.start, rows.stop), np.arange(parts.shape[1])], squares.sum(axis=0)
            set_bits = np.asarray(table[rows].multiply(squares.T).sum(axis=1)).ravel()
            seen = np.ravel(holders @ squares)
            own = np.stack([mine**2, set_bits, all_bits - set_bits], axis=1)
            everybody = np.stack([(parts**2).sum(axis=0), seen, k * all_bits - seen], axis=1)
            sums[rows, 0] += own
            sums[rows, 1] += (everybody - own) / (k - 1)
            loaded[rows] = np.maximum(loaded[rows], np.abs(loads).sum(axis=0))
        return sums, loaded

    def pieces(self) -> Iterator[tuple[slice, Any, Reals, Reals]]:
        """For some candidates u and a cohort: its table, A by (bit, u), and Σ_i A b_i by (who sets bits, u)."""
        k, inverse = self.design.k, self.solver[0]
        for rows in blocks(k, AT_ONCE // max(k, self.design.m)):
            part = np.ascontiguousarray(inverse[rows].T)
            for table in self.design.tables():
                loads = table.T @ part
                yield rows, table, loads, table @ loads

    def nonnegative_shares(self, y: Reals) -> Reals:
        """The non-negative shares that fit best; candidates that collide share their total evenly."""
        if y.ndim > 1:
            return np.stack([self.nonnegative_shares(column) for column in y.T], axis=1)
        groups = self.design.groups
        first = np.array([group[0] for group in groups])
        gram = self.shared[np.ix_(first, first)].astype(np.float64)
        if not self.solver[1][first].all() or len(groups) < self.design.k:
            # A trace of ridge: one answer, not many.
            gram[np.diag_indices(len(first))] += 1e-9 * gram.diagonal().max()
        totals = nonnegative(gram, self.counted(y)[first])
        shares = np.zeros(self.design.k)
        for group, total in zip(groups, totals, strict=True):
            shares[list(group)] = total / len(group)
        return shares


@lru_cache(maxsize=1)
def bloom_fit(design: BloomDesign) -> BloomFit:
    """The fit for a design, whose matrices are computed once; one design's at a time, for they are large."""
    return BloomFit(design)


@lru_cache(maxsize=8)
def spread(design: BloomDesign, shares: bytes) -> tuple[Reals, Reals, Reals]:
    """Three sums of each estimate, per person: Σ (Σ A b)² over cohorts, Σ A² over set bits and over clear ones."""
    f, fit = np.frombuffer(shares), bloom_fit(design)
    together, ones, zeros = (np.zeros(design.k) for _ in range(3))
    for rows, table, loads, parts in fit.pieces():
        held, squares = table.T @ f, loads**2
        together[rows] += f @ parts**2
        ones[rows] += held @ squares
        zeros[rows] += (f.sum() - held) @ squares
    return together, ones, zeros
