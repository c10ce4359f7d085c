"""The joint cost of k releases, by the rules that need no more than their levels.

Each rule gives a level ε' that holds for all releases together, adaptively chosen, with what may go wrong δ. None is
smaller than the exact value; which of them is smallest depends on k, on the levels and on δ, so all are asked.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.accounting.privacylosses import Losses
from ldpcore.mechanisms.base import Guarantee
from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.binomials import log_choose_each
from ldpcore.parameters import ParameterError

ORDERS = tuple(1 + 10 ** (place / 40) for place in range(-80, 241))  # from 1.01 to a million
WINDOW = 40  # standard deviations to either side, at most, and outcomes beyond these: outside lies less than e^-700
TAIL = 40  # a probability of δ e^-40 moves no level


def basic(guarantees: Sequence[Guarantee]) -> Guarantee:
    """(Σ ε_i, Σ δ_i). Dwork, McSherry, Nissim, Smith (2006); Dwork, Kenthapadi, McSherry, Mironov, Naor (2006)."""
    return Guarantee(math.fsum(one.epsilon for one in guarantees), min(math.fsum(one.delta for one in guarantees), 1.0))


def advanced(levels: ArrayLike, slack: float, times: ArrayLike = 1.0) -> float:
    """√(2 ln(1/δ') Σ ε_i²) + Σ ε_i (e^{ε_i} - 1): grows like √k, and is worse than adding up for few or large levels.

    Dwork, Rothblum, Vadhan (2010), Boosting and differential privacy, theorem III.3, for levels that may differ.
    """
    each, counts = np.asarray(levels, dtype=np.float64), np.asarray(times, dtype=np.float64)
    squares, drift = float((counts * each**2).sum()), float((counts * each * np.expm1(each)).sum())
    return math.sqrt(2 * _surprise(slack) * squares) + drift


def advanced_of(epsilon: float, k: float, slack: float) -> float:
    """√(2k ln(1/δ')) ε + k ε (e^ε - 1), of k equal levels."""
    return math.sqrt(2 * k * _surprise(slack)) * epsilon + k * epsilon * math.expm1(epsilon)


def concentrated_of(rho: float, slack: float) -> float:
    """ρ + 2√(ρ ln(1/δ)), the level of a ρ-concentrated one. Bun, Steinke (2016), Concentrated DP, proposition 1.3."""
    return rho + 2 * math.sqrt(rho * _surprise(slack))


def concentration(epsilon: float) -> float:
    """ρ = ε²/2 of any ε-private release; concentrations add up. Bun, Steinke (2016), proposition 1.4."""
    return epsilon**2 / 2


@lru_cache(maxsize=256)
def coin_divergences(epsilon: float) -> Reals:
    """ln(p^a q^{1-a} + q^a p^{1-a})/(a - 1) of randomized response at `ORDERS`; no ε-private mechanism exceeds it."""
    excess, p, q = np.array(ORDERS) - 1, 1 / (1 + math.exp(-epsilon)), _other(epsilon)
    # ln p - ln q is ε, and p^a q^{1-a} = p e^{(a-1)ε}.
    logs = np.logaddexp(math.log(p) + excess * epsilon, math.log(q) - excess * epsilon)
    return np.asarray(np.maximum(logs, 0.0) / excess, dtype=np.float64)


def gaussian_divergences(rho: float) -> Reals:
    """a ρ of normal noise, at `ORDERS`. Mironov (2017), corollary 3."""
    return np.array(ORDERS) * rho


def renyi_level(divergences: Reals, slack: float) -> float:
    """min over orders of R(a) + ln(1 - 1/a) - ln(δ a)/(a - 1), where R sums the divergences of all releases.

    Mironov (2017), Rényi differential privacy, proposition 1; as a level: Canonne, Kamath, Steinke (2020), The discrete
    Gaussian, proposition 12. Every order gives a valid level, so that a grid of them does too.
    """
    orders = np.array(ORDERS)
    levels = divergences + np.log1p(-1 / orders) + (_surprise(slack) - np.log(orders)) / (orders - 1)
    return max(float(levels.min()), 0.0)


def coins(epsilon: float, k: int, window: float = WINDOW) -> Losses:
    """The losses of k-fold randomized response: the number of truths is Bin(k, p), and j truths lose (2j - k)ε."""
    p = 1 / (1 + math.exp(-epsilon))
    reach = window * math.sqrt(k * p * (1 - p)) + WINDOW
    most, least = min(k, math.floor(k * p + reach)), max(0, math.floor(k * p - reach))
    truths = np.arange(most, least - 1, -1, dtype=np.float64)
    logs = log_choose_each(k, truths) + truths * math.log(p) + (k - truths) * math.log(_other(epsilon))
    return Losses((2 * truths - k) * epsilon, np.exp(logs))


def optimal_of(epsilon: float, k: int, delta: float) -> float:
    """The smallest ε' with Σ_j C(k, j) max(p^j q^{k-j} - e^{ε'} q^j p^{k-j}, 0) ≤ δ: k coins are the worst there is.

    Kairouz, Oh, Viswanath (2015), The composition theorem for differential privacy, theorem 3.3: attained, hence exact.
    """
    if k < 1:
        raise ParameterError("k_small", got=k)
    window = math.sqrt(2 * (_surprise(delta) + TAIL))
    return min(coins(epsilon, k, min(window, WINDOW)).level(delta), k * epsilon)


def group(guarantee: Guarantee, size: int) -> Guarantee:
    """(gε, g e^{(g-1)ε} δ) for g people together. Dwork, Roth (2014), theorem 2.2; Vadhan (2017), lemma 2.2."""
    if guarantee.delta == 0:
        return Guarantee(size * guarantee.epsilon)
    exponent = math.log(size) + (size - 1) * guarantee.epsilon + math.log(guarantee.delta)
    return Guarantee(size * guarantee.epsilon, math.exp(min(exponent, 0.0)))


def _other(epsilon: float) -> float:
    """q = 1/(1 + e^ε), whose digits 1 - p would lose at large levels."""
    return math.exp(-epsilon) / (1 + math.exp(-epsilon))


def _surprise(delta: float) -> float:
    """ln(1/δ)."""
    if not 0 < delta < 1:
        raise ParameterError("number_between", name="delta", low=0, high=1, got=delta)
    return -math.log(delta)
