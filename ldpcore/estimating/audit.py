"""Does a mechanism keep its promise? The exact level from the report laws, and what many trials alone can prove.

The exact side reads `Comparison`s. The empirical side sees nothing but counts: one half of the trials chooses the
event that betrays most, the other half measures it, and an exact binomial bound says what that proves. Counts are
drawn at once, so a billion trials cost what a thousand do.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.estimating.shares import share_at_least, share_at_most
from ldpcore.laws.channels import LARGEST as LARGEST  # read here by what tells levels
from ldpcore.laws.channels import Comparison, Pair
from ldpcore.mechanisms.base import Mechanism
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.parameters import Confidence, ParameterError, Probability, Repeats, declaration

CAUTION = 1e-6  # measured: choosing at the stated confidence itself loses up to a fifth of ε to lucky rare events
Events = NDArray[np.bool_]


# --- exact -----------------------------------------------------------------------------------------------------------


def keeps_its_promise(mechanism: Mechanism) -> bool:
    """Whether the level recomputed from the report laws is within the level that is claimed."""
    real, claim = mechanism.guarantee(), mechanism.claim()
    return real.epsilon <= claim.epsilon * (1 + 1e-9) and real.delta <= claim.delta * (1 + 1e-9) + 1e-15


def standing(real: float, claimed: float) -> Literal["stricter", "attained", "broken"]:
    """Whether a real level is below a claimed one, at it or above it, to nine digits."""
    if math.isclose(real, claimed, rel_tol=1e-9):
        return "attained"
    return "stricter" if real < claimed else "broken"


def level_at(laws: Comparison, delta: float = 0.0) -> float:
    """The smallest ε with E_γ ≤ δ at γ = e^ε, in both directions; with δ = 0 the largest log ratio itself."""
    return laws.level(delta)


def delta_curve(laws: Comparison, epsilons: ArrayLike) -> Reals:
    """δ(ε) at each ε: the chance of failure that makes a smaller level true."""
    return np.array([laws.delta(float(epsilon)) for epsilon in np.atleast_1d(np.asarray(epsilons, dtype=np.float64))])


def outputs_of_largest_loss(laws: Pair) -> Events:
    """The outcomes at which the largest |ln(P/Q)| is attained, to the last few digits."""
    ratios = np.abs(laws.ratios())
    largest = float(ratios.max(initial=0.0))
    if largest == 0:
        return np.zeros(len(ratios), dtype=np.bool_)
    return np.asarray((ratios == largest) | (ratios > largest * (1 - 1e-12)), dtype=np.bool_)


def outputs_beyond(laws: Pair, epsilon: float) -> tuple[Events, bool]:
    """The event that attains E_γ at γ = e^ε, {P > γQ}, and whether it is the reverse direction, {Q > γP}."""
    ratios = laws.ratios()
    if math.isinf(epsilon):
        return np.zeros(len(ratios), dtype=np.bool_), False
    forth, back = ratios > epsilon, -ratios > epsilon
    with np.errstate(over="ignore"):
        gain = [
            float((own * -np.expm1(np.minimum(epsilon - sign * ratios, 0)))[event].sum())
            for own, sign, event in ((laws.first, 1, forth), (laws.second, -1, back))
        ]
    return (back, True) if gain[1] > gain[0] else (forth, False)


def power_bound(size: ArrayLike, epsilon: float, delta: float = 0.0) -> Reals:
    """The largest power of a test of this size on one report, min(γe^ε + δ, 1 - e^(-ε)(1 - δ - γ), 1).

    Both lines are the guarantee itself: of the event that rejects, and of the event that does not.
    Reference: Wasserman and Zhou (2010), A statistical framework for differential privacy; Kairouz, Oh, Viswanath
    (2015), The composition theorem for differential privacy.
    """
    size = np.asarray(size, dtype=np.float64)
    if math.isinf(epsilon):  # no promise: a report may prove its value
        return np.ones_like(size)
    steep = size * math.exp(min(epsilon, LARGEST)) + delta
    return np.asarray(
        np.clip(np.minimum(steep, 1 - np.exp(-epsilon) * (1 - delta - size)), size, 1.0), dtype=np.float64
    )


def best_power(laws: Pair, size: ArrayLike) -> Reals:
    """The power of the best test of Q against P at each size: reject where P/Q is largest, tossing a coin on the edge.

    By the lemma of Neyman and Pearson; the corners are joined by straight lines, which are the coins.
    """
    order = np.argsort(-laws.ratios(), kind="stable")
    sizes = np.concatenate([[0.0], np.cumsum(laws.second[order])])
    powers = np.concatenate([[0.0], np.cumsum(laws.first[order])])
    # Where the size stands still the power jumps: of equal sizes the last one, which has the largest power, counts.
    last = np.append(np.diff(sizes) > 0, True)
    return np.asarray(np.interp(np.asarray(size, dtype=np.float64), sizes[last], powers[last]), dtype=np.float64)


# --- empirical -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Trials:
    """The number of times each outcome came from either input; before each trial a fair coin chose the input."""

    first: Counts
    second: Counts

    @classmethod
    def draw(cls, laws: Pair, trials: int, rng: np.random.Generator) -> Trials:
        """One multinomial draw over input and outcome together, at a cost that does not depend on `trials`."""
        both = np.concatenate([laws.first, laws.second])
        counts = rng.multinomial(trials, both / both.sum())
        return cls(counts[: len(laws.first)], counts[len(laws.first) :])

    @property
    def n(self) -> int:
        """The number of trials."""
        return int(self.first.sum() + self.second.sum())

    def __add__(self, other: Trials) -> Trials:
        return Trials(self.first + other.first, self.second + other.second)


@dataclass(frozen=True, eq=False)
class LowerBound:
    """The lower bound that trials prove: ε is at least `epsilon`, wrong in at most 1 - confidence of audits.

    `event` lists the outcomes that betray; `likelier` is 0 where the event points to the first input, else 1.
    `hits` and `tries` count the event and the trials of the measuring half, for the first and the second input.
    """

    epsilon: float
    event: Events
    likelier: int
    hits: tuple[int, int]
    tries: tuple[int, int]

    @property
    def shares(self) -> tuple[float, float]:
        """The share of trials in which the event was seen, under the first and the second input."""
        return self.hits[0] / max(self.tries[0], 1), self.hits[1] / max(self.tries[1], 1)


def proven(own: ArrayLike, other: ArrayLike, tries: tuple[int, int], error: float, delta: float = 0.0) -> Reals:
    """The lower bound on ε from one event that was seen `own` and `other` times under the two inputs.

    With δ = 0: given that the event happened, the fair coin had chosen the own input with probability P/(P + Q), so
    one exact binomial bound on that share bounds ln(P/Q), its log odds. With δ > 0: ln((P - δ)/Q) with an exact lower
    bound for P and an exact upper bound for Q, each wrong with at most half of `error`.
    """
    own, other = np.asarray(own, dtype=np.float64), np.asarray(other, dtype=np.float64)
    if delta == 0:
        share = share_at_least(own, own + other, error)
        ratio = np.divide(share, 1 - share, out=np.zeros_like(share), where=share < 1)
    else:
        low, high = share_at_least(own, tries[0], error / 2), share_at_most(other, tries[1], error / 2)
        ratio = (low - delta) / high
    return np.log(np.maximum(ratio, 1.0))


def choose_event(seen: Trials, error: float, delta: float = 0.0) -> tuple[Events, int]:
    """The event that would prove most on these trials: outcomes whose observed ratio exceeds a threshold.

    Judged by a lower bound that is far more cautious than the final one: of many candidates the luckiest must not win.
    """
    order = np.argsort(np.log(seen.second + 0.5) - np.log(seen.first + 0.5), kind="stable")
    best, chosen = -1.0, (np.zeros(len(order), dtype=np.bool_), 0)
    for likelier, ranking in enumerate((order, order[::-1])):
        own, other = (seen.second, seen.first) if likelier else (seen.first, seen.second)
        tries = int(own.sum()), int(other.sum())
        bounds = proven(np.cumsum(own[ranking]), np.cumsum(other[ranking]), tries, error * CAUTION, delta)
        cut = int(np.argmax(bounds))
        if bounds[cut] > best:
            event = np.zeros(len(order), dtype=np.bool_)
            event[ranking[: cut + 1]] = True
            best, chosen = float(bounds[cut]), (event, likelier)
    return chosen


def judge(chosen_on: Trials, measured_on: Trials, confidence: float, delta: float = 0.0) -> LowerBound:
    """The bound that one half of the trials proves about the event that the other half chose."""
    error = 1 - confidence
    event, likelier = choose_event(chosen_on, error, delta)
    hits = int(measured_on.first[event].sum()), int(measured_on.second[event].sum())
    tries = int(measured_on.first.sum()), int(measured_on.second.sum())
    own, other = likelier, 1 - likelier
    epsilon = proven(hits[own], hits[other], (tries[own], tries[other]), error, delta)
    return LowerBound(float(epsilon), event, likelier, hits, tries)


def audit_path(
    laws: Comparison, grid: tuple[int, ...], rng: np.random.Generator, confidence: float = 0.95, delta: float = 0.0
) -> tuple[LowerBound, ...]:
    """The bounds of one continuing audit: after each number of trials in the rising grid, on all trials up to then.

    Each bound has the stated confidence by itself; that all of them hold at once is not promised.
    """
    _check(grid, confidence, delta)
    pair = laws.cut()
    halves = [Trials(np.zeros(len(pair.first), dtype=np.int64), np.zeros(len(pair.first), dtype=np.int64))] * 2
    bounds = []
    for goal in grid:
        shares = goal // 2, goal - goal // 2
        halves = [half + Trials.draw(pair, share - half.n, rng) for half, share in zip(halves, shares, strict=True)]
        bounds.append(judge(halves[0], halves[1], confidence, delta))
    return tuple(bounds)


def _check(grid: tuple[int, ...], confidence: float, delta: float) -> None:
    for trials in grid:
        declaration(Repeats).check("trials", trials)
    if list(grid) != sorted(grid):
        raise ParameterError("trials_not_rising", got=grid)
    declaration(Confidence).check("confidence", confidence)
    declaration(Probability).check("delta", delta)
