"""Mixing the reports of n people before anybody sees them: what each of them may then be told apart by.

A report of level α is, with probability e^{-α}, one that either of any two people could have sent: a clone of theirs.
Among the clones the two hide. The closed form bounds what the numeric reduction computes.
Reference: Feldman, McMillan, Talwar (2021), Hiding among the clones, theorems 3.1 and 3.2.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import scipy

from ldpcore.populations import Counts, Reals

TAIL = 1e-18  # numbers of clones rarer than this count as no hiding at all
SECANTS, NEAR = 6, 5e-4  # steps towards the largest level, and how near: the search that follows answers for it
BLOCKS = 120  # numbers of clones that are looked at: between two of them the smaller one, which hides less


def closed_form(alpha: float, n: float, delta: float) -> float | None:
    """ln(1 + ((e^α-1)/(e^α+1))(8√(e^α ln(4/δ))/√n + 8e^α/n)), for α ≤ ln(n/(16 ln(2/δ))); None for larger ones."""
    if n <= 0 or not alpha <= math.log(n / (16 * math.log(2 / delta))):
        return None
    own = math.exp(alpha)
    excess = math.tanh(alpha / 2) * (8 * math.sqrt(own * math.log(4 / delta) / n) + 8 * own / n)
    return min(math.log1p(excess), alpha)


def delta_of(alpha: float, n: int, epsilon: float) -> float:
    """What may go wrong at ε after shuffling n reports of level α, by the clone reduction; never too small.

    C ~ Bin(n-1, e^{-α}) clones say yes or no by a fair coin, one person by randomized response: of C + 1 votes with a
    yeses and b noes, P/Q = (p a + q b)/(q a + p b), p = e^α/(1+e^α), which grows with a. So the worst event is a > t.
    """
    if epsilon >= alpha:
        return 0.0
    clones, law, rest = _clones(n, alpha)
    p = 1 / (1 + math.exp(-alpha))
    # P/Q > e^ε exactly where a > r b with r = (e^{ε+α} - 1)/(e^α - e^ε), so a > (C + 1) r/(1 + r).
    r = math.expm1(epsilon + alpha) / (math.exp(epsilon) * math.expm1(alpha - epsilon))
    most = np.floor((clones + 1) * (r / (1 + r)))
    with_yes, with_no = _above(most - 1, clones), _above(most, clones)
    gain = p * with_yes + (1 - p) * with_no - math.exp(epsilon) * ((1 - p) * with_yes + p * with_no)
    return min(float(np.dot(law, np.maximum(gain, 0.0))) + rest, 1.0)


def numeric(alpha: float, n: int, delta: float) -> float:
    """The smallest ε at δ after shuffling n reports of level α, by the clone reduction."""
    if delta_of(alpha, n, 0.0) <= delta:
        return 0.0
    low, high = 0.0, alpha
    for _ in range(48):
        middle = (low + high) / 2
        low, high = (low, middle) if delta_of(alpha, n, middle) <= delta else (middle, high)
    return high


@lru_cache(maxsize=4096)
def largest_local(epsilon: float, n: int, delta: float, most: float = 12.0) -> float:
    """The largest level α of single reports that shuffling n of them brings down to ε; ε itself always will do."""
    low, high = epsilon, max(most, epsilon)
    if n < 2:
        return low
    safe, unsafe = _around(epsilon, n, delta, high)
    if safe >= high or (unsafe > high and delta_of(high, n, epsilon) <= delta):
        return high
    while high - low > 1e-3 * high:
        middle = (low + high) / 2
        good = middle <= safe or (middle < unsafe and delta_of(middle, n, epsilon) <= delta)
        low, high = (middle, high) if good else (low, middle)
    return low


def _around(epsilon: float, n: int, delta: float, most: float) -> tuple[float, float]:
    """Two levels beside the largest one, which spare its search most questions: one will do, the other will not.

    ln ln 1/δ falls almost like a line of slope -1 in α, for about e^{-α} n clones hide, so that a secant leads there.
    None beyond `most` is tried.
    """
    safe, unsafe, wanted = epsilon, math.inf, math.log(-math.log(delta))
    # Were the clones as many as expected and their votes normal, these would be two normal laws so far apart.
    place = 2 * math.asinh(_apart(epsilon, delta) * math.sqrt(n) / 4)
    place = place if place > 1.5 * epsilon else epsilon * (1 + NEAR)  # a few people hardly hide anybody
    before: tuple[float, float] | None = None
    for _ in range(SECANTS):
        if not safe < place < min(unsafe, most):
            place = most if place >= most and unsafe > most else (safe + min(unsafe, most)) / 2
        chance = delta_of(place, n, epsilon)
        safe, unsafe = (place, unsafe) if chance <= delta else (safe, place)
        if safe >= most or unsafe - safe < NEAR * unsafe:
            break
        if 0 < chance < 1:
            height = math.log(-math.log(chance)) - wanted
            slope = (height - before[1]) / (place - before[0]) if before else -1.0
            before = place, height
            place -= height / min(slope, -0.1)
            place += math.copysign(NEAR / 2, height) * place  # a little beyond, so that soon both sides are known
        else:
            place = 0.0
    return safe, unsafe


@lru_cache(maxsize=256)
def _apart(epsilon: float, delta: float) -> float:
    """The distance of two normal laws of deviation 1 at (ε, δ): Dong, Roth, Su (2022), corollary 2.13."""
    low, high = 0.0, 20.0
    for _ in range(20):
        middle = (low + high) / 2
        above, below = (math.erfc((epsilon / middle + sign * middle / 2) / math.sqrt(2)) / 2 for sign in (-1, 1))
        low, high = (middle, high) if above - math.exp(epsilon) * below <= delta else (low, middle)
    return low


@lru_cache(maxsize=4096)
def _clones(n: int, alpha: float) -> tuple[Reals, Reals, float]:
    """Numbers of clones, the chance of each up to the next, and the chance that there are fewer than the first."""
    share = math.exp(-alpha)
    mean, spread = (n - 1) * share, math.sqrt((n - 1) * share * -math.expm1(-alpha))
    reach = 9.2 * spread + 45  # Bernstein: beyond, less than the tail
    low, high = max(math.floor(mean - reach), 0), min(math.ceil(mean + reach), n - 1)
    starts: Counts = np.unique(np.linspace(low, high + 1, BLOCKS + 1).astype(np.int64))
    # P(fewer than c) by the regularized incomplete beta function, which keeps its digits for a billion people.
    fewer = scipy.special.betainc(np.maximum(n - starts, 1e-300), np.maximum(starts, 1e-300), 1 - share)
    fewer = np.where(starts <= 0, 0.0, np.where(starts >= n, 1.0, fewer))
    law = np.diff(fewer)
    return starts[:-1].astype(np.float64), np.asarray(law, dtype=np.float64), float(fewer[0]) + TAIL


def _above(most: Reals, trials: Reals) -> Reals:
    """P(Bin(trials, ½) > most)."""
    inside = np.clip(most, -1, trials)
    tail = scipy.special.betainc(np.maximum(inside + 1, 1e-300), np.maximum(trials - inside, 1e-300), 0.5)
    return np.where(inside < 0, 1.0, np.where(inside >= trials, 0.0, tail))
