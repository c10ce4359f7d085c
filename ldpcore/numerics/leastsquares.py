"""Least squares with matrices of thousands of columns, in little more memory than the matrix itself."""

from __future__ import annotations

import numpy as np
import scipy

from ldpcore.numerics.arrays import Reals

AT_ONCE = 1 << 19  # numbers of a table held at a time, 4 MB


def inverted(gram: Reals) -> Reals | None:
    """The inverse of a symmetric matrix, made in its place; None where it is not positive definite."""
    inverse, trouble = scipy.linalg.lapack.dpotrf(gram.T, lower=1, overwrite_a=1)
    if trouble:
        return None
    inverse, trouble = scipy.linalg.lapack.dpotri(inverse, lower=1, overwrite_c=1)
    if trouble:
        return None
    step = max(1, AT_ONCE // len(inverse))
    for start in range(0, len(inverse), step):  # what lies above the diagonal is not filled in
        rows = slice(start, min(start + step, len(inverse)))
        inverse[:start, rows] = inverse[rows, :start].T
        inner = inverse[rows, rows]
        inverse[rows, rows] = np.tril(inner) + np.tril(inner, -1).T
    return np.asarray(inverse)


def nonnegative(gram: Reals, right: Reals) -> Reals:
    """The x >= 0 with the smallest ½xᵀGx - bᵀx, exactly: block principal pivoting (Júdice, Pires 1994).

    Each round solves for the free variables and exchanges all that break x >= 0 or Gx >= b; when that stops helping,
    only the last of them, which cannot cycle.
    """
    k = len(right)
    free, x, slack = np.zeros(k, dtype=np.bool_), np.zeros(k), -right
    fewest, tries = k + 1, 3
    limit = 1e-10 * max(float(np.abs(right).max(initial=0)), 1e-300)
    scale = float(gram.diagonal().max())
    while (wrong := np.flatnonzero(np.where(free, x < -limit / scale, slack < -limit))).size:
        if wrong.size < fewest:
            fewest, tries = wrong.size, 3
        elif tries:
            tries -= 1
        else:
            wrong = wrong[-1:]
        free[wrong] = ~free[wrong]
        x = np.zeros(k)
        if free.any():
            # The transpose is the same matrix in the order that LAPACK factors in place.
            factor = scipy.linalg.cho_factor(
                gram[np.ix_(free, free)].T, lower=True, overwrite_a=True, check_finite=False
            )
            x[free] = scipy.linalg.cho_solve(factor, right[free], check_finite=False)
            del factor
        slack = gram @ x - right
    return np.maximum(x, 0.0)
