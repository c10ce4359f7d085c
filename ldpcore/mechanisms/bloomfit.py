"""From counts of Bloom bits to shares: unbiased least squares, their exact variance, and the non-negative fit."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from ldpcore.mechanisms.bloom import BloomDesign
from ldpcore.populations import Reals


@dataclass(frozen=True)
class BloomFit:
    """Least squares for y = X f, where y_(c,i) is C/n times the people of cohort c who set bit i, so that E y = X f."""

    design: BloomDesign

    @cached_property
    def gram(self) -> Reals:
        """How many bits each two candidates share over all cohorts, XᵀX."""
        return np.asarray((self.design.matrix.T @ self.design.matrix).toarray(), dtype=np.float64)

    @cached_property
    def solver(self) -> tuple[Reals, NDArray[np.bool_]]:
        """The inverse of XᵀX (its pseudo-inverse where it has none), and which candidates the bits determine."""
        k = self.design.k
        try:
            inverse = scipy.linalg.cho_solve(scipy.linalg.cho_factor(self.gram), np.eye(k))
            if np.abs(self.gram @ inverse - np.eye(k)).max() < 1e-6:
                return np.ascontiguousarray(inverse), np.ones(k, dtype=np.bool_)
        except scipy.linalg.LinAlgError:
            pass
        values, vectors = scipy.linalg.eigh(self.gram)
        kept = values > 1e-9 * values[-1]
        # A candidate is determined unless some direction that the bits cannot see involves it.
        determined = (vectors[:, ~kept] ** 2).sum(axis=1) < 1e-12
        return np.asarray((vectors[:, kept] / values[kept]) @ vectors[:, kept].T), determined

    def shares(self, y: Reals) -> Reals:
        """(XᵀX)⁻¹Xᵀy, unbiased because linear; NaN for a candidate that the bits do not determine."""
        inverse, determined = self.solver
        found = inverse @ (self.design.matrix.T @ y)
        found[~determined] = np.nan
        return np.asarray(found)

    def variances(self, shares: ArrayLike, one: float, zero: float) -> Reals:
        """n·Var of every estimate, when a set bit is counted with variance `one` and another with `zero`.

        A person's part in the estimate of u is C Σ_i A_(u,ci) × (bit i, unbiased), with A = (XᵀX)⁻¹Xᵀ and c a random
        cohort: C Σ_c [(Σ_i A b_i)² + Σ_i A² × variance] - [the person holds u]², averaged over the people.
        """
        f = np.asarray(shares, dtype=np.float64)
        together, ones, zeros = spread(self.design, f.tobytes())
        total = together + one * ones + zero * zeros
        return np.where(self.solver[1], np.maximum(self.design.cohorts * total - f, 0.0), np.inf)

    @cached_property
    def typical(self) -> NDArray[np.float64]:
        """Of an average candidate, n·Var = C(x + one·y + zero·z) - f: (x, y, z) from its holders and from any other.

        What the noise is does not matter here, so every level and every p, q of a design shares these six numbers.
        """
        own, everybody = np.zeros(3), np.zeros(3)
        for loads, bits in zip(self.loadings(), self.design.bits.swapaxes(1, 2), strict=True):
            squares, holders = loads**2, bits.sum(axis=1, dtype=np.float64)
            set_bits = float((squares * bits).sum())
            own += ((loads * bits).sum(axis=0) ** 2).sum(), set_bits, squares.sum() - set_bits
            together = float((loads * ((bits @ bits.T.astype(np.float64)) @ loads)).sum())
            seen = float(squares.sum(axis=1) @ holders)
            everybody += together, seen, squares.sum() * self.design.k - seen
        k = self.design.k
        return np.array([own / k, (everybody - own) / (k * (k - 1))])

    def loadings(self) -> list[Reals]:
        """A cohort by cohort, (bit, candidate)."""
        m, matrix = self.design.m, self.design.matrix
        return [matrix[cohort * m : (cohort + 1) * m] @ self.solver[0] for cohort in range(self.design.cohorts)]

    def nonnegative_shares(self, y: Reals) -> Reals:
        """The non-negative shares that fit best; candidates that collide share their total evenly."""
        if y.ndim > 1:
            return np.stack([self.nonnegative_shares(column) for column in y.T], axis=1)
        groups = self.design.groups
        first = np.array([group[0] for group in groups])
        right = (self.design.matrix.T @ y)[first]
        gram = self.gram[np.ix_(first, first)]
        if not self.solver[1][first].all() or len(groups) < self.design.k:
            gram = gram + np.eye(len(first)) * 1e-9 * gram.diagonal().max()  # a trace of ridge: one answer, not many
        totals = nonnegative(gram, right)
        found = np.zeros(self.design.k)
        for group, total in zip(groups, totals, strict=True):
            found[list(group)] = total / len(group)
        return found


@lru_cache(maxsize=4)
def bloom_fit(design: BloomDesign) -> BloomFit:
    """The fit for a design, whose matrices are computed once."""
    return BloomFit(design)


@lru_cache(maxsize=8)
def spread(design: BloomDesign, shares: bytes) -> tuple[Reals, Reals, Reals]:
    """Of each estimate, per person: Σ (Σ A b)² over cohorts, and Σ A² over set bits and over clear ones; free of noise.

    So every level of a design and a population shares these numbers, which cost most.
    """
    f, fit = np.frombuffer(shares), bloom_fit(design)
    together, ones, zeros = (np.zeros(design.k) for _ in range(3))
    for loads, bits in zip(fit.loadings(), design.bits.astype(np.float64), strict=True):
        held, squares = bits.T @ f, loads**2
        together += np.einsum("iu,iu->u", loads, ((bits.T * f) @ bits) @ loads)
        ones += held @ squares
        zeros += (f.sum() - held) @ squares
    return together, ones, zeros


def nonnegative(gram: Reals, right: Reals) -> Reals:
    """The x >= 0 with the smallest ½xᵀGx - bᵀx, exactly: block principal pivoting (Júdice, Pires 1994).

    Each round solves for the free variables and exchanges all that break x >= 0 or Gx >= b; when that stops helping,
    only the last of them, which cannot cycle.
    """
    k = len(right)
    free, x, slack = np.zeros(k, dtype=np.bool_), np.zeros(k), -right
    fewest, patience = k + 1, 3
    limit = 1e-10 * max(float(np.abs(right).max(initial=0)), 1e-300)
    scale = float(gram.diagonal().max())
    while (wrong := np.flatnonzero(np.where(free, x < -limit / scale, slack < -limit))).size:
        if wrong.size < fewest:
            fewest, patience = wrong.size, 3
        elif patience:
            patience -= 1
        else:
            wrong = wrong[-1:]
        free[wrong] = ~free[wrong]
        x = np.zeros(k)
        if free.any():
            x[free] = scipy.linalg.solve(gram[np.ix_(free, free)], right[free], assume_a="pos")
        slack = gram @ x - right
    return np.maximum(x, 0.0)
