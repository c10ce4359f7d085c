"""Lower and upper bounds on the error of every private estimate, from the moduli of a problem.

A lower bound holds for whatever n people may send at level ε, sequentially and adaptively too; the upper bound for the
best way to ask. Reference: Rohde, Steinberger (2020), Geometrizing rates of convergence under local differential
privacy constraints; Steinberger (2019), Statistisches Schätzen unter differential privacy, lecture notes, chapter 3.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.losses import Loss, regularity
from ldpcore.parameters import Epsilon, Interval, ParameterError, Users, declaration
from ldpcore.populations import Reals
from ldpcore.problems.base import Problem

SHARPER = math.sqrt(8)  # of the distance in total variation that no test of private reports can see
PARTS = 240  # values of η that are tried, 1/3 and 1/2 among them: each gives a valid bound
ETA = Interval(r"\eta", 0, 1, (0.05, 0.95), open_low=True, open_high=True)


def _checked(n: int, epsilon: float | None = None) -> None:
    declaration(Users).check("n", n)
    if epsilon is not None:
        declaration(Epsilon).check("epsilon", epsilon)


def effective_size(n: int, epsilon: float) -> float:
    """n(e^ε - 1)²: private rates are those of a modulus at this size; above ε = ln 2 it exceeds n."""
    _checked(n, epsilon)
    return float(n * math.expm1(epsilon) ** 2)


def hellinger_gap(n: int, eta: ArrayLike) -> Reals:
    """√(η₀|ln η₀|/n), η₀ = η(2-η): worlds that are nearer are confused by every test, with error sum above η."""
    below = np.asarray(eta, dtype=np.float64)
    eta0 = below * (2 - below)
    return np.asarray(np.sqrt(eta0 * -np.log(eta0) / n), dtype=np.float64)


def tv_gap(n: int, epsilon: float, eta: ArrayLike) -> Reals:
    """(1-η)/√(2n(e^ε-1)²): the same for every test of private reports, in total variation."""
    return np.asarray((1 - np.asarray(eta, dtype=np.float64)) / math.sqrt(2 * effective_size(n, epsilon)))


@dataclass(frozen=True)
class LowerBound:
    """The bound, the η at which it is attained, and the modulus that decides there."""

    value: float
    eta: float
    decides: Literal["tv", "hellinger"]


def lower_bound(problem: Problem, loss: Loss, n: int, epsilon: float, eta: float | None = None) -> LowerBound:
    """l(½ max(ω_H(√(η₀|ln η₀|/n)), ω_TV((1-η)/√(2n(e^ε-1)²))))·η/2, at one η or at the best (Korollar 3.4).

    The moduli and the losses at hand are continuous where it matters, so that limits from the left are values.
    """
    _checked(n, epsilon)
    etas = _etas(eta)
    return _largest(problem, loss, n, etas, tv_gap(n, epsilon, etas))


def sharp_lower_bound(problem: Problem, loss: Loss, n: int, epsilon: float) -> LowerBound:
    """The same with 2(1-η)/√(n(e^ε-1)²), for TV(QP₀ⁿ, QP₁ⁿ) ≤ (e^ε-1)√n/2·TV(P₀, P₁): at least 2√2 times the gap.

    For the smallest q(z) of a report z, |M - M'|(z) ≤ q(z)(e^ε-1)·TV and M, M' ≥ q(z), so that the divergence is
    KL ≤ ½∫(M - M')²/min(M, M') ≤ ½(e^ε-1)²·TV², summed along what was reported before; then Pinsker's inequality.
    """
    _checked(n, epsilon)
    etas = _etas(None)
    return _largest(problem, loss, n, etas, SHARPER * tv_gap(n, epsilon, etas))


def _largest(problem: Problem, loss: Loss, n: int, etas: Reals, gap: Reals) -> LowerBound:
    """The largest over η, with these distances in total variation."""
    open_gap, private_gap = problem.hellinger(hellinger_gap(n, etas)), problem.tv(gap)
    values = loss(np.maximum(open_gap, private_gap) / 2) * etas / 2
    best = int(np.argmax(values))
    decides: Literal["tv", "hellinger"] = "tv" if private_gap[best] >= open_gap[best] else "hellinger"
    return LowerBound(float(values[best]), float(etas[best]), decides)


def private_lower_bound(problem: Problem, loss: Loss, size: float) -> float:
    """What the modulus of total variation alone gives at an effective size n(e^ε-1)²."""
    etas = _etas(None)
    return float((loss(problem.tv((1 - etas) / math.sqrt(2 * size)) / 2) * etas / 2).max())


def direct_lower_bound(problem: Problem, loss: Loss, n: int, eta: float | None = None) -> float:
    """The same without privacy: only the Hellinger modulus is left."""
    _checked(n)
    etas = _etas(eta)
    return float((loss(problem.hellinger(hellinger_gap(n, etas)) / 2) * etas / 2).max())


def _etas(eta: float | None) -> Reals:
    if eta is None:
        return np.arange(1, PARTS) / PARTS
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
    """Why the upper bound does not apply: it needs a convex model, a linear θ, a regular loss and ω_TV from above.

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


def printed_heavy(kappa: float, bound: float, n: int, epsilon: float, eta: float = 0.5) -> float:
    """(η/8)(C/2)^{2/κ}((1-η)²/(2n(e^ε-1)²))^{(κ-1)/κ}: from a simpler pair of worlds, smaller than `lower_bound`."""
    if not kappa > 1:
        raise ParameterError("number_above", name="kappa", low=1, got=kappa)
    gap = float(tv_gap(n, epsilon, eta))
    return float(eta / 8 * (bound / 2) ** (2 / kappa) * gap ** (2 * (kappa - 1) / kappa))
