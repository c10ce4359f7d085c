"""Distances of two laws on finitely many outcomes, by every measure that the theory uses.

Natural logarithms; total variation lies in [0, 1], squared Hellinger in [0, 2] without a factor ½. A divergence is
infinite where the first law allows what the second excludes and the measure cannot forgive it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import ParameterError


def laws(p: ArrayLike, q: ArrayLike) -> tuple[Reals, Reals]:
    """Two probability vectors of one length, refused unless both are non-negative and sum to one."""
    first, second = (np.asarray(law, dtype=np.float64) for law in (p, q))
    if first.ndim != 1 or first.shape != second.shape:
        raise ParameterError("laws_shapes", first=str(first.shape), second=str(second.shape))
    for law in (first, second):
        if not (law >= 0).all():
            raise ParameterError("law_negative", got=float(law.min()))
        if not math.isclose(law.sum(), 1, abs_tol=1e-9):
            raise ParameterError("law_sum", got=float(law.sum()))
    return first, second


@dataclass(frozen=True)
class FDivergence:
    """D_f(P‖Q) = Σ q f(p/q), for f convex on (0, ∞) with f(1) = 0.

    Where q = 0 the outcome counts p·f'(∞) with the recession slope f'(∞) = lim f(t)/t; `f` is given its limit at 0.
    Reference: Csiszár (1967).
    """

    slug: str
    f: Callable[[Reals], Reals]
    slope: float | None = None

    def __call__(self, p: ArrayLike, q: ArrayLike) -> float:
        first, second = laws(p, q)
        shared = second > 0
        inside = float(np.dot(second[shared], self.f(first[shared] / second[shared])))
        outside = float(first[~shared].sum())
        if outside == 0:  # also for an infinite slope: ∞ · 0 = 0
            return max(inside, 0.0)
        if self.slope is None:
            raise ParameterError("slope_missing", p=outside)
        return max(inside + self.slope * outside, 0.0)


def _kullback_leibler(t: Reals) -> Reals:
    return np.asarray(scipy.special.xlogy(t, t), dtype=np.float64)


def _total_variation(t: Reals) -> Reals:
    return np.abs(t - 1) / 2


def _chi_square(t: Reals) -> Reals:
    return (t - 1) ** 2


def _squared_hellinger(t: Reals) -> Reals:
    return (np.sqrt(t) - 1) ** 2


F_DIVERGENCES: tuple[FDivergence, ...] = (
    FDivergence("kl", _kullback_leibler, math.inf),
    FDivergence("tv", _total_variation, 0.5),
    FDivergence("chi2", _chi_square, math.inf),
    FDivergence("h2", _squared_hellinger, 1.0),
)


def power_divergence(order: float) -> FDivergence:
    """D_a(P‖Q) = (Σ p^a q^(1-a) - 1)/(a(a - 1)) for a > 0, with f(t) = (t^a - 1 - a(t - 1))/(a(a - 1)).

    Order ½ is twice squared Hellinger, 1 Kullback-Leibler, 2 half of χ². Reference: Cressie, Read (1984), Multinomial
    goodness-of-fit tests.
    """
    if not order > 0:
        raise ParameterError("order_small", got=order)

    def f(t: Reals) -> Reals:
        if order == 1:
            return np.asarray(scipy.special.xlogy(t, t) - (t - 1), dtype=np.float64)
        with np.errstate(divide="ignore"):  # t^a by its logarithm: near t = 1 the digits of t^a - 1 stay
            raised = np.expm1(order * np.log(t))
        return np.asarray((raised - order * (t - 1)) / (order * (order - 1)), dtype=np.float64)

    return FDivergence("power", f, math.inf if order >= 1 else 1 / (1 - order))


def total_variation(p: ArrayLike, q: ArrayLike) -> float:
    """sup_A |P(A) - Q(A)| = ½ Σ |p - q|, in [0, 1]."""
    first, second = laws(p, q)
    return min(float(np.abs(first - second).sum()) / 2, 1.0)


def testing_affinity(p: ArrayLike, q: ArrayLike) -> float:
    """The smallest sum of both errors of a test of P against Q, Σ min(p, q) = 1 - TV."""
    return float(np.minimum(*laws(p, q)).sum())


testing_affinity.__test__ = False  # type: ignore[attr-defined]  # the name is the literature's; pytest collects `test*`


def kullback_leibler(p: ArrayLike, q: ArrayLike) -> float:
    """Σ p ln(p/q) in nats; infinite where q = 0 < p."""
    # rel_entr(p, q) - p + q is the same sum, but term by term non-negative.
    first, second = laws(p, q)
    return max(float((scipy.special.rel_entr(first, second) - first + second).sum()), 0.0)


def chi_square(p: ArrayLike, q: ArrayLike) -> float:
    """Σ (p - q)²/q; infinite where q = 0 < p, and where it is beyond the largest number."""
    first, second = laws(p, q)
    if (first[second == 0] > 0).any():
        return math.inf
    shared = second > 0
    with np.errstate(over="ignore"):  # beyond the largest number it is as good as infinite
        return float(((first[shared] - second[shared]) ** 2 / second[shared]).sum())


def squared_hellinger(p: ArrayLike, q: ArrayLike) -> float:
    """Σ (√p - √q)², in [0, 2]."""
    first, second = laws(p, q)
    return float(((np.sqrt(first) - np.sqrt(second)) ** 2).sum())


def hellinger_affinity(p: ArrayLike, q: ArrayLike) -> float:
    """Σ √(p q): 1 for equal laws, 0 for disjoint ones; over independent repetitions it multiplies."""
    first, second = laws(p, q)
    return float(np.sqrt(first * second).sum())


def hockey_stick(p: ArrayLike, q: ArrayLike, gamma: float) -> float:
    """E_γ(P‖Q) = sup_A (P(A) - γ Q(A)) = Σ max(p - γ q, 0), for γ ≥ 1; E_1 is the total variation."""
    if not gamma >= 1:
        raise ParameterError("gamma_small", got=gamma)
    first, second = laws(p, q)
    if math.isinf(gamma):
        return float(first[second == 0].sum())
    return float(np.maximum(first - gamma * second, 0).sum())


def max_divergence(p: ArrayLike, q: ArrayLike) -> float:
    """D_∞(P‖Q) = max ln(p/q), the smallest ε with P(A) ≤ e^ε Q(A) for every event A."""
    first, second = laws(p, q)
    if (first[second == 0] > 0).any():
        return math.inf
    held = first > 0
    return max(float((np.log(first[held]) - np.log(second[held])).max()), 0.0)


def renyi(p: ArrayLike, q: ArrayLike, order: float) -> float:
    """D_a(P‖Q) = ln(Σ p^a q^(1-a)) / (a - 1), for a > 0; a = 1 is Kullback-Leibler, a = ∞ the max divergence."""
    if not order > 0:
        raise ParameterError("order_small", got=order)
    if order == 1:
        return kullback_leibler(p, q)
    if math.isinf(order):
        return max_divergence(p, q)
    first, second = laws(p, q)
    if order > 1 and (first[second == 0] > 0).any():
        return math.inf
    held = (first > 0) & (second > 0)
    if not held.any():
        return math.inf
    surplus = (order - 1) * (np.log(first[held]) - np.log(second[held]))
    if np.abs(surplus).max() > 1:
        return max(float(scipy.special.logsumexp(np.log(first[held]) + surplus)) / (order - 1), 0.0)
    # ln Σ p e^s = log1p(Σ p (e^s - 1) - lost mass): for nearly equal laws or orders near 1 the digits stay.
    lost = float(first[~held].sum())
    return max(math.log1p(float(np.dot(first[held], np.expm1(surplus))) - lost) / (order - 1), 0.0)


def pinsker(divergence: float) -> float:
    """The largest total variation that a Kullback-Leibler divergence leaves possible, √(KL/2), at most 1."""
    return min(math.sqrt(divergence / 2), 1.0)
