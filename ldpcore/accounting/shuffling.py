"""Shuffling the reports of n people before anybody sees them: the level that is left to tell one person apart.

A report of level α is, with probability e^{-α}, one that either of any two people could have sent: a clone of theirs.
Among the clones the two hide.
Reference: Feldman, McMillan, Talwar (2021), Hiding among the clones, theorems 3.1 and 3.2.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.numerics.binomials import more_than, no_more_than
from ldpcore.numerics.bisection import least

TAIL = 1e-18  # numbers of clones rarer than this count as no hiding at all
HIGHEST_LEVEL, NEAR = 12.0, 1e-3  # the largest level that is looked for, and how near to it halving ends
GUESSES, NODES, TURNS = 4, 16, 6  # steps of a guess, numbers of clones that it looks at, and how many wrong ones
BLOCKS = 120  # numbers of clones that are looked at: between two of them the smaller one, which hides less
FEW = 1e6  # clones up to which the chance of a vote is the difference of two tails


def delta_of(alpha: float, n: int, epsilon: float) -> float:
    """The δ at ε after shuffling n reports of level α, by the clone reduction; never too small."""
    return float(deltas(np.array([alpha]), np.array([n]), np.array([epsilon]))[0])


def deltas(alpha: Reals, n: ArrayLike, epsilon: Reals) -> Reals:
    """The δ at each ε after shuffling n reports of level α, for several triples at once; never too small.

    C ~ Bin(n-1, e^{-α}) clones say yes or no by a fair coin, one person by randomized response: of C + 1 votes with a
    yeses and b noes, P/Q = (p a + q b)/(q a + p b), p = e^α/(1+e^α), which grows with a. So the worst event is a > t.
    """
    clones, law, row, rest = _clones(alpha, np.asarray(n, dtype=np.float64))
    gain = _gain(alpha[row], epsilon[row], clones)
    chance = np.bincount(row, law * np.maximum(gain, 0.0), len(alpha)) + rest
    return np.where(epsilon >= alpha, 0.0, np.minimum(chance, 1.0))


def _gain(alpha: Reals, epsilon: Reals, clones: Reals) -> Reals:
    """P(a > t) - e^ε Q(a > t) among this number of clones."""
    own, wrong = np.exp(epsilon), np.exp(-alpha) / (1 + np.exp(-alpha))
    # P/Q > e^ε exactly where a > r b with r = (e^{ε+α} - 1)/(e^α - e^ε), so a > (C + 1) r/(1 + r).
    r = np.expm1(epsilon + alpha) / (own * np.expm1(np.maximum(alpha - epsilon, 1e-100)))
    most = np.floor((clones + 1) * (r / (1 + r)))
    # P(a > t) = P(yes > t) + p P(yes = t) of the clones' votes, and Q with 1 - p: hardly different where many hide.
    ahead = wrong * own * np.expm1(alpha - epsilon)  # p - e^ε (1 - p)
    return np.asarray(ahead * _exactly(most, clones) - np.expm1(epsilon) * more_than(most, clones, 0.5))


def numeric(alpha: float, n: int, delta: float) -> float:
    """The smallest ε at δ after shuffling n reports of level α, by the clone reduction."""
    if delta_of(alpha, n, 0.0) <= delta:
        return 0.0
    return least(lambda epsilon: delta_of(alpha, n, epsilon) <= delta, 0.0, alpha, halvings=48)


@lru_cache(maxsize=4096)
def largest_local(epsilon: float, n: int, delta: float) -> float:
    """The largest level α of single reports that shuffling n of them brings down to ε; at least ε itself."""
    return float(largest_locals(epsilon, [n], delta)[0])


def largest_locals(epsilon: ArrayLike, n: ArrayLike, delta: float) -> Reals:
    """The largest levels α that shuffling n reports brings down to ε, for several pairs: where halving ends.

    A guess says between which two neighbors that is, and both are tried: the lower one must do, the upper one must not.
    Where the guess was wrong, what they have said leads to another one.
    """
    levels, people = np.broadcast_arrays(np.asarray(epsilon, dtype=np.float64), np.asarray(n, dtype=np.float64))
    answers, open_ = levels.copy(), (people >= 2) & (levels < HIGHEST_LEVEL)
    if open_.any():
        answers[open_] = _Search(levels[open_], people[open_], delta).answers()
    return answers


class _Search:
    """Several pairs (ε, n) with the largest level that is known to do, the least that will not, and a place between."""

    def __init__(self, epsilon: Reals, n: Reals, delta: float) -> None:
        self.epsilon, self.n, self.delta = epsilon, n, delta
        self.safe, self.unsafe = epsilon.copy(), np.full(len(n), math.inf)
        # Were the clones as many as expected and their votes normal, these would be two normal laws so far apart.
        place = 2 * np.arcsinh(np.array([_apart(level, delta) for level in epsilon.tolist()]) * np.sqrt(n) / 4)
        # ln ln 1/δ then falls about like -2 ln sinh(α/2); each step tells the slope better.
        before, heights = place, np.full(len(n), math.nan)
        for _ in range(GUESSES):
            place = np.clip(place, 1.001 * epsilon, HIGHEST_LEVEL)
            height = self._height(_nearly(place, n, epsilon))
            usual, apart = -1 / np.tanh(place / 2), place - before
            slope = (height - heights) / np.where(apart == 0, math.nan, apart)
            self.slope = np.where(np.isfinite(slope), np.clip(slope, 4 * usual, usual / 4), usual)
            before, heights, place = place, height, place - height / self.slope
        self.place = np.clip(place, epsilon, HIGHEST_LEVEL)
        self.levels, self.heights = np.full((2, len(n)), math.nan)  # tried last, and found there

    def _height(self, chance: Reals) -> Reals:
        """The distance of ln ln 1/δ from its goal."""
        return np.log(-np.log(np.clip(chance, 1e-300, 1 - 1e-12))) - math.log(-math.log(self.delta))

    def answers(self) -> Reals:
        """The levels where halving ends for each pair."""
        answers, left, turn = np.empty(len(self.n)), np.arange(len(self.n)), 0
        while len(left):
            between = (self.safe <= self.place) & (self.place < self.unsafe)
            middle = (self.safe + np.minimum(self.unsafe, HIGHEST_LEVEL)) / 2
            self.place = np.where(between & (turn < TURNS), self.place, middle)
            low, high = _neighbors(self.epsilon[left], self.place[left])
            self._try(left, high, turn)
            self._try(left, np.where(self.safe[left] < high, low, 0.0), turn)
            answers[left] = np.where(self.safe[left] < HIGHEST_LEVEL, low, HIGHEST_LEVEL)
            left = left[(low > self.safe[left]) | (high < np.minimum(self.unsafe[left], HIGHEST_LEVEL))]
            turn += 1
        return answers

    def _try(self, which: Counts, levels: Reals, turn: int) -> None:
        """Try a level for some pairs, where its outcome is not yet known, and set the place to look next."""
        new = (levels > self.safe[which]) & (levels < self.unsafe[which])
        if not new.any():
            return
        which, levels = which[new], levels[new]
        chance = deltas(levels, self.n[which], self.epsilon[which])
        height, apart = self._height(chance), levels - self.levels[which]
        slope, usual = (height - self.heights[which]) / np.where(apart == 0, math.nan, apart), -1 / np.tanh(levels / 2)
        self.slope[which] = np.where(slope < 0, np.clip(slope, 4 * usual, usual / 64), self.slope[which])
        self.levels[which], self.heights[which] = levels, height
        good, place = chance <= self.delta, levels - height / self.slope[which]
        step = NEAR / 4 * levels * 2**turn  # beyond the level at least
        self.place[which] = np.where(good, np.maximum(place, levels + step), np.minimum(place, levels - step))
        self.safe[which] = np.where(good, levels, self.safe[which])
        self.unsafe[which] = np.where(good, self.unsafe[which], levels)


def _neighbors(low: Reals, place: Reals) -> tuple[Reals, Reals]:
    """The two levels between which halving would end, if exactly those up to this place would do."""
    high = np.full(len(low), HIGHEST_LEVEL)
    while (wide := high - low > NEAR * high).any():
        middle = (low + high) / 2
        low, high = np.where(wide & (middle <= place), middle, low), np.where(wide & (middle > place), middle, high)
    return low, high


def _nearly(alpha: Reals, n: Reals, epsilon: Reals) -> Reals:
    """The approximate `deltas`, from a few numbers of clones: a guess that is checked afterwards."""
    (low, high, _), alpha, n, epsilon = _range(alpha, n), alpha[:, None], n[:, None], epsilon[:, None]
    mean = (n - 1) * np.exp(-alpha)
    spread = np.sqrt(mean * -np.expm1(-alpha))
    ends = np.maximum(mean - 8 * spread, low[:, None]), np.minimum(mean + 4 * spread + 5, high[:, None])
    clones = np.linspace(*ends, NODES, axis=1)[..., 0]
    odds = -clones * np.log(np.expm1(alpha)) - scipy.special.gammaln(clones + 1) - scipy.special.gammaln(n - clones)
    law = np.exp(odds - odds.max(axis=1, keepdims=True))
    block = np.maximum((high - low + 1) / BLOCKS - 1, 0.0)[:, None] / 2  # as far as a block's first number lies off
    gain = np.maximum(_gain(alpha, epsilon, np.maximum(clones - block, 0.0)), 0.0)
    return np.asarray((law * gain).sum(axis=1) / law.sum(axis=1))


@lru_cache(maxsize=256)
def _apart(epsilon: float, delta: float) -> float:
    """The distance of two normal laws of deviation 1 at (ε, δ): Dong, Roth, Su (2022), corollary 2.13."""

    def farther(apart: float) -> bool:
        above, below = (math.erfc((epsilon / apart + sign * apart / 2) / math.sqrt(2)) / 2 for sign in (-1, 1))
        return above - math.exp(epsilon) * below > delta

    return least(farther, 0.0, 20.0, halvings=20)


def _clones(alpha: Reals, n: Reals) -> tuple[Reals, Reals, Counts, Reals]:
    """Numbers of clones, the chance of each up to the next, and their pairs; the chance of fewer than the first."""
    share, (low, high, enough) = np.exp(-alpha), _range(alpha, n)
    starts: Reals = np.floor(np.linspace(low, high + 1, BLOCKS + 1, axis=1))
    starts = np.where(starts > enough[:, None], (high + 1)[:, None], starts)
    fresh = np.diff(starts, axis=1, prepend=-1.0) > 0
    row, clones = np.nonzero(fresh)[0], starts[fresh]
    fewer = no_more_than(clones - 1, n[row] - 1, share[row])
    inside = row[:-1] == row[1:]  # the last one of each row is one too many
    first = np.flatnonzero(np.append(True, ~inside))
    rest = np.asarray(fewer[first] + TAIL, dtype=np.float64)
    return clones[:-1][inside], np.diff(fewer)[inside], row[:-1][inside], rest


def _range(alpha: Reals, n: Reals) -> tuple[Reals, Reals, Reals]:
    """The least and the largest number of clones considered, and one from which on all count as one block.

    Fewer clones hide less, so that the rare rest beyond adds less than 1 in 10^11.
    """
    share = np.exp(-alpha)
    mean, spread = (n - 1) * share, np.sqrt((n - 1) * share * -np.expm1(-alpha))
    reach = 9.2 * spread + 45  # Bernstein: beyond, less than the tail
    low, high = np.maximum(np.floor(mean - reach), 0.0), np.minimum(np.ceil(mean + reach), n - 1)
    return low, high, mean + 7 * spread + 12


def _exactly(yes: Reals, trials: Reals) -> Reals:
    """P(Bin(trials, ½) = yes); of many trials by Stirling's formula: two of their tails agree in too many digits."""
    differ = 2 * yes - trials
    many = (trials > FEW) & (np.abs(differ) < trials / 10)
    chance, few = np.empty(trials.shape), ~many
    chance[few] = more_than(yes[few] - 1, trials[few], 0.5) - more_than(yes[few], trials[few], 0.5)
    n, k, square = trials[many], yes[many], (differ[many] / trials[many]) ** 2
    # ½((1+x)ln(1+x) + (1-x)ln(1-x)) = x²/2 + x⁴/12 + x⁶/30 + …, x = (yes - no)/trials, to the last digit.
    rate = np.polyval([1 / (2 * m * (2 * m - 1)) for m in range(8, 0, -1)], square) * square
    logs = -n * rate + np.log(n / (2 * math.pi * k * (n - k))) / 2 + (1 / n - 1 / k - 1 / (n - k)) / 12
    chance[many] = np.exp(logs)
    return chance
