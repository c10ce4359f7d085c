"""The best randomized tests between two families of laws, by linear programming, with the dual as certificate.

The first family is the hypothesis, the second what is held against it. A test gives each outcome the probability of
deciding for the second. Type I: the first is true and the second decided; type II: the reverse.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ldpcore.laws.divergences import testing_affinity
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import ParameterError


def family(laws: ArrayLike) -> Reals:
    """Laws as rows: one law may stand alone. Refused unless every row is a law."""
    rows = np.atleast_2d(np.asarray(laws, dtype=np.float64))
    if rows.ndim != 2 or rows.size == 0:
        raise ParameterError("laws_shapes", first=str(rows.shape), second=str(rows.shape))
    if not (rows >= 0).all():
        raise ParameterError("law_negative", got=float(rows.min()))
    wrong = np.abs(rows.sum(axis=1) - 1)
    if not (wrong <= 1e-9).all():
        raise ParameterError("law_sum", got=float(rows[int(np.argmax(wrong))].sum()))
    return rows


def families(first: ArrayLike, second: ArrayLike) -> tuple[Reals, Reals]:
    """Two families on the same outcomes."""
    one, other = family(first), family(second)
    if one.shape[1] != other.shape[1]:
        raise ParameterError("laws_shapes", first=str(one.shape), second=str(other.shape))
    return one, other


@dataclass(frozen=True, eq=False)
class CertifiedTest:
    """A test, the error or power it attains, and the two mixtures that prove it best: `certificate` is theirs."""

    chances: Reals  # of deciding for the second family, outcome by outcome
    attained: float
    certificate: float
    first_weights: Reals
    second_weights: Reals


def minimax_test(first: ArrayLike, second: ArrayLike) -> CertifiedTest:
    """inf over tests of the largest type I error plus the largest type II error.

    It equals the testing affinity of the two nearest mixtures, ρ_T(conv P₀, conv P₁): the minimax identity. Both sides
    are computed; they agree to the solver's accuracy. Reference: Le Cam (1986); Kraft (1955).
    """
    one, other = families(first, second)
    # min s + t with P₀φ ≤ s, P₁(1 - φ) ≤ t, 0 ≤ φ ≤ 1; the multipliers of the rows are the two mixtures.
    outcomes = one.shape[1]
    rows = np.block(
        [
            [one, -np.ones((len(one), 1)), np.zeros((len(one), 1))],
            [-other, np.zeros((len(other), 1)), -np.ones((len(other), 1))],
        ]
    )
    limits = np.concatenate([np.zeros(len(one)), -np.ones(len(other))])
    cost = np.concatenate([np.zeros(outcomes), [1.0, 1.0]])
    chances, prices = _solved(cost, rows, limits, [(0, 1)] * outcomes + [(0, None)] * 2)
    weights = _mixture(prices[: len(one)]), _mixture(prices[len(one) :])
    chances = chances[:outcomes]
    attained = float((one @ chances).max() + (1 - other @ chances).max())
    return CertifiedTest(chances, attained, testing_affinity(weights[0] @ one, weights[1] @ other), *weights)


def best_test(first: ArrayLike, second: ArrayLike, size: float) -> CertifiedTest:
    """The largest power against every law of the second family, of tests whose size is kept for every law of the first.

    Dual: λ·size + Σ max(Q̄ - λP̄, 0), least over mixtures P̄, Q̄ and λ ≥ 0: for one law against one this is the lemma of
    Neyman and Pearson. The multipliers give mixtures and λ, and with them the certificate.
    """
    if not 0 <= size <= 1:
        raise ParameterError("number_in", name="size", low=0.0, high=1.0, got=size)
    one, other = families(first, second)
    outcomes = one.shape[1]
    rows = np.block([[one, np.zeros((len(one), 1))], [-other, np.ones((len(other), 1))]])
    limits = np.concatenate([np.full(len(one), size), np.zeros(len(other))])
    cost = np.concatenate([np.zeros(outcomes), [-1.0]])
    chances, prices = _solved(cost, rows, limits, [(0, 1)] * (outcomes + 1))
    chances, price = chances[:outcomes], prices[: len(one)]
    weights = _mixture(price), _mixture(prices[len(one) :])
    gain = np.maximum(weights[1] @ other - price @ one, 0)
    certificate = min(float(price.sum() * size + gain.sum()), 1.0)
    return CertifiedTest(chances, float((other @ chances).min()), certificate, *weights)


def _solved(cost: Reals, rows: Reals, limits: Reals, bounds: list[Any]) -> tuple[Reals, Reals]:
    """The solution of a linear program, moved into the unit interval, and the price of each row."""
    solved: Any = scipy.optimize.linprog(cost, rows, limits, bounds=bounds, method="highs")
    return np.clip(solved.x, 0, 1), np.maximum(-solved.ineqlin.marginals, 0)


def _mixture(multipliers: Reals) -> Reals:
    """Multipliers as weights that sum to one; where none binds, every law alike."""
    total = multipliers.sum()
    size = len(multipliers)
    return np.asarray(multipliers / total if total > 0 else np.full(size, 1 / size), dtype=np.float64)
