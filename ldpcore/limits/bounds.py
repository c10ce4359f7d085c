"""Lower and upper bounds on the error of every private estimate, from the moduli of a problem.

A lower bound holds for whatever n people may send at level ε, sequentially and adaptively too; the upper bound for the
best way to ask. Reference: Rohde, Steinberger (2020), Geometrizing rates of convergence under local differential
privacy constraints; Steinberger (2019), Statistisches Schätzen unter differential privacy, lecture notes, chapter 3.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.limits.confusion import TRIED, coins_confused
from ldpcore.limits.errorlosses import Loss, regularity
from ldpcore.limits.problems.base import Problem
from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.peaks import highest
from ldpcore.parameters import Epsilon, Interval, Users, declaration

SHARPER = math.sqrt(8)  # of the distance in total variation that no test of private reports can see
PARTS = 240  # values of η that are tried, 1/3 and 1/2 among them, and some between the best: each gives a valid bound
ETA = Interval(r"\eta", 0, 1, (0.05, 0.95), open_low=True, open_high=True)


def _checked(n: int, epsilon: float | None = None) -> None:
    declaration(Users).check("n", n)
    if epsilon is not None:
        declaration(Epsilon).check("epsilon", epsilon)


def effective_size(n: int, epsilon: float) -> float:
    """The effective size n(e^ε - 1)², at which a modulus gives private rates; above ε = ln 2 it exceeds n."""
    _checked(n, epsilon)
    return float(n * math.expm1(epsilon) ** 2)


def hellinger_gap(n: int, eta: ArrayLike) -> Reals:
    """√(η₀|ln η₀|/n), η₀ = η(2-η): worlds that are nearer are confused by every test, with error sum above η."""
    below = np.asarray(eta, dtype=np.float64)
    eta0 = below * (2 - below)
    return np.asarray(np.sqrt(eta0 * -np.log(eta0) / n), dtype=np.float64)


def tv_gap(n: int, epsilon: float, eta: ArrayLike) -> Reals:
    """(1-η)/√(2n(e^ε-1)²): the total variation below which every test of private reports confuses worlds."""
    return np.asarray((1 - np.asarray(eta, dtype=np.float64)) / math.sqrt(2 * effective_size(n, epsilon)))


@dataclass(frozen=True)
class LowerBound:
    """The bound, the η at which it is attained, and its argument: a modulus, or coins that are counted."""

    value: float
    eta: float
    decides: Literal["tv", "hellinger", "coins"]


def lower_bound(problem: Problem, loss: Loss, n: int, epsilon: float, eta: float | None = None) -> LowerBound:
    """l(½ max(ω_H(√(η₀|ln η₀|/n)), ω_TV((1-η)/√(2n(e^ε-1)²))))·η/2, at one η or at the best (Korollar 3.4).

    The moduli and the losses at hand are continuous where it matters, so that limits from the left are values.
    """
    _checked(n, epsilon)

    def gaps(etas: Reals) -> tuple[Reals, Reals]:
        return problem.hellinger(hellinger_gap(n, etas)), problem.tv(tv_gap(n, epsilon, etas))

    value, best = highest(lambda etas: loss(np.maximum(*gaps(etas)) / 2) * etas / 2, _etas(eta))
    from_chance, from_privacy = gaps(np.array([best]))
    return LowerBound(value, best, "tv" if from_privacy[0] >= from_chance[0] else "hellinger")


@lru_cache(maxsize=4096)
def sharp_lower_bound(problem: Problem, loss: Loss, n: int, epsilon: float) -> LowerBound:
    """The largest proven lower bound: from privacy by a sharper inequality, or from chance alone."""
    _checked(n, epsilon)
    private, chance = (
        private_lower_bound(problem, loss, effective_size(n, epsilon)),
        chance_lower_bound(problem, loss, n),
    )
    return private if private.value >= chance.value else chance


def private_lower_bound(problem: Problem, loss: Loss, size: float) -> LowerBound:
    """l(½ω_TV(2(1-η)/√size))·η/2 at the effective size n(e^ε-1)²: 2√2 times the distance of `tv_gap`.

    For TV(QP₀ⁿ, QP₁ⁿ) ≤ (e^ε-1)√n/2·TV(P₀, P₁): for the smallest q(z) of a report z, |M - M'|(z) ≤ q(z)(e^ε-1)·TV and
    M, M' ≥ q(z), so that the divergence is KL ≤ ½∫(M - M')²/min(M, M') ≤ ½(e^ε-1)²·TV², summed along what was reported
    before; then Pinsker's inequality. It holds for every pair of laws, hence for every problem and every loss.
    """
    whole = 1 - math.sqrt(size) / 2  # worlds that have nothing in common are confused as often
    etas = _etas(None) if whole <= 0 else np.unique(np.append(_etas(None), whole))

    def lost(etas: Reals) -> Reals:
        gap = SHARPER * (1 - etas) / math.sqrt(2 * size)
        # At `whole` the distance is 1, but for the last digit.
        return loss(problem.tv(np.where(gap > 1 - 1e-12, 1.0, gap)) / 2) * etas / 2

    return LowerBound(*highest(lost, etas), "tv")


@lru_cache(maxsize=1024)
def chance_lower_bound(problem: Problem, loss: Loss, n: int) -> LowerBound:
    """The largest lower bound without privacy: from the Hellinger modulus, or from n coins where the model has them.

    Two laws with nobody in common that differ by ω_TV(1) mix to ½ ± δ/2 of either in a convex model; a linear θ then
    differs by δ·ω_TV(1), and what n people hold tells no more than n coins: l(½δ·ω_TV(1))·η/2, η their least error sum.
    """
    _checked(n)
    known = LowerBound(*_direct(problem, loss, n, _etas(None)), "hellinger")
    if not (problem.convex and problem.linear and problem.exact_tv):
        return known
    whole = problem.tv(1.0)
    value, delta = highest(
        lambda deltas: loss(deltas * whole / 2) * coins_confused(n, deltas) / 2,
        np.minimum(TRIED / math.sqrt(n), 1.0),
    )
    return max(known, LowerBound(value, float(coins_confused(n, delta)), "coins"), key=lambda bound: bound.value)


def direct_lower_bound(problem: Problem, loss: Loss, n: int, eta: float | None = None) -> float:
    """A lower bound without privacy, with error sum `eta` or the best one: by the Hellinger modulus."""
    _checked(n)
    return _direct(problem, loss, n, _etas(eta))[0]


def _direct(problem: Problem, loss: Loss, n: int, etas: Reals) -> tuple[float, float]:
    """The bound by the Hellinger modulus at the best of these error sums, or between them, and that error sum."""
    return highest(lambda etas: loss(problem.hellinger(hellinger_gap(n, etas)) / 2) * etas / 2, etas)


def _etas(eta: float | None) -> Reals:
    if eta is None:
        return np.arange(1, PARTS + 1) / PARTS
    ETA.check("eta", eta)
    return np.array([eta])


@dataclass(frozen=True)
class Constant:
    """C₀ = (1 + 16a)·a^exponent, exponent = ⌈2 ln C/ln(3/2)⌉, C = √(2 ln 2a) + 2."""

    a: float
    c: float
    exponent: int
    c0: float


def constant(loss: Loss) -> Constant:
    """The constant of the upper bound; a loss that is not regular is refused (Satz 3.10)."""
    a = regularity(loss)
    c = math.sqrt(2 * math.log(2 * a)) + 2
    exponent = math.ceil(2 * math.log(c) / math.log(1.5))
    return Constant(a, c, exponent, (1 + 16 * a) * a**exponent)


def obstacles(problem: Problem, loss: Loss) -> tuple[str, ...]:
    """The reasons why the upper bound does not apply: it needs a convex model, linear θ, regular loss and known ω_TV.

    Its model must be dominated too: the moduli here are those of laws with a density, or on a grid, as well.
    """
    said = {
        "not_convex": not problem.convex,
        "not_linear": not problem.linear,
        "modulus_unknown": not problem.exact_tv,
        "loss_irregular": loss.regularity is None,
    }
    return tuple(slug for slug, holds in said.items() if holds)


def upper_bound(problem: Problem, loss: Loss, n: int, epsilon: float) -> float | None:
    """C₀·l(ω_TV(√(2/n)·(e^ε+1)/(e^ε-1))) for the best way to ask; None where there are obstacles (Korollar 3.14)."""
    _checked(n, epsilon)
    if obstacles(problem, loss):
        return None
    gap = math.sqrt(2 / n) / math.tanh(epsilon / 2)
    return constant(loss).c0 * float(loss(problem.tv(gap)))


def sandwich(problem: Problem, loss: Loss, n: int, epsilon: float) -> tuple[float, float | None]:
    """¼·l(½ω_TV(1/√(9n(e^ε-1)²))), and the upper bound where it applies (Bemerkung 3.15)."""
    gap = 1 / math.sqrt(9 * effective_size(n, epsilon))
    return float(loss(problem.tv(gap) / 2)) / 4, upper_bound(problem, loss, n, epsilon)
