"""Truths about two laws of a report: levels, distances, tests and games, from probabilities one by one."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import optimize, stats

from explorer.facts import Facts
from ldpcore.experiments import distinguish
from ldpcore.experiments.distinguish.worlds import listed
from tests.truths import Context, Expected, Near, of


def laws_of(question: Any) -> tuple[np.ndarray, np.ndarray]:
    """The laws of the report in both worlds: what a person may hold, through the channel."""
    matrix = listed(question.slug, question.epsilon, question.worlds.k)
    first, second = (np.array(world) @ matrix for world in (question.worlds.first, question.worlds.second))
    return first / first.sum(), second / second.sum()


def apart(p: np.ndarray, q: np.ndarray) -> float:
    """The total variation."""
    return math.fsum(abs(one - other) for one, other in zip(p.tolist(), q.tolist(), strict=True)) / 2


def told(p: np.ndarray, q: np.ndarray) -> float:
    """The information in a report about which of two equally likely laws it came from, in nats."""
    middle = (p + q) / 2
    both = ((law[law > 0], middle[law > 0]) for law in (p, q))
    return sum(math.fsum((one * np.log(one / half)).tolist()) for one, half in both) / 2


def delta(p: np.ndarray, q: np.ndarray, epsilon: float) -> float:
    """What fails of a promise, in the worse direction."""
    return max(float(np.maximum(one - math.exp(epsilon) * other, 0).sum()) for one, other in ((p, q), (q, p)))


def level(p: np.ndarray, q: np.ndarray, fails: float = 0.0) -> float:
    """The smallest level that two laws keep, where so much may fail."""
    if not fails:
        possible = (p > 0) | (q > 0)
        with np.errstate(divide="ignore"):
            return float(np.abs(np.log(p[possible]) - np.log(q[possible])).max())
    if delta(p, q, 0.0) <= fails:
        return 0.0
    return float(optimize.brentq(lambda epsilon: delta(p, q, epsilon) - fails, 0, 60, xtol=1e-12))


def power(p: np.ndarray, q: np.ndarray, size: float) -> float:
    """How often the best test of p against q accuses rightly, where it may accuse wrongly this often."""
    with np.errstate(divide="ignore"):
        order = np.argsort(-np.where(p > 0, q / np.where(p > 0, p, 1), math.inf), kind="stable")
    wrong, right = np.concatenate([[0], np.cumsum(p[order])]), np.concatenate([[0], np.cumsum(q[order])])
    free = float(q[p == 0].sum())
    return max(float(np.interp(size, wrong, right)), free)


def many_apart(p: np.ndarray, q: np.ndarray, n: int) -> float:
    """The total variation of n reports: of two reports by binomials, of more by the law of the summed losses."""
    if n == 0 or apart(p, q) < 1e-15:
        return 0.0
    ratios = np.unique(np.round(np.log(p[(p > 0) & (q > 0)] / q[(p > 0) & (q > 0)]), 10))
    if len(ratios) == 2 and not ((p > 0) ^ (q > 0)).any():
        up = np.log(p / q) > ratios.mean()
        return float(binomials(n, float(p[up].sum()), float(q[up].sum())))
    return _summed(p, q, n)


def binomials(n: int, one: float, other: float) -> float:
    """The total variation of two binomial laws."""
    low, high = (min(one, other), max(one, other))
    # The likelihood ratio crosses 1 at one count: above it the larger share is the likelier.
    cut = math.floor(n * math.log((1 - low) / (1 - high)) / (math.log(high / low) + math.log((1 - low) / (1 - high))))
    return float(stats.binom.sf(cut, n, high) - stats.binom.sf(cut, n, low))


def _summed(p: np.ndarray, q: np.ndarray, n: int, cells: int = 1 << 20) -> float:
    both = (p > 0) & (q > 0)
    losses, weights = np.log(p[both] / q[both]), p[both]
    mean = float(weights @ losses) / weights.sum()
    deviation = math.sqrt(max(float(weights @ (losses - mean) ** 2) / weights.sum(), 1e-300))
    reach = min(n * (np.abs(losses).max() + 1e-12), abs(n * mean) + 12 * deviation * math.sqrt(n)) * 1.05 + 1e-9
    step = 2 * reach / cells
    places = losses / step
    low = np.floor(places).astype(int)
    single = np.zeros(cells)
    np.add.at(single, low % cells, weights * (1 - (places - low)))
    np.add.at(single, (low + 1) % cells, weights * (places - low))
    summed = np.fft.irfft(np.fft.rfft(single) ** n, cells)
    grid = np.fft.fftfreq(cells, 1 / cells) * step
    finite = float(np.maximum(summed, 0) @ np.maximum(1 - np.exp(-np.maximum(grid, 0)), 0))
    return finite + 1 - float(weights.sum()) ** n


@of(distinguish.TellApartResult)
def _tell_apart(result: distinguish.TellApartResult, facts: Facts, context: Context) -> Expected:
    question = result.experiment
    p, q = laws_of(question)
    distance = apart(p, q)
    own, found = level(p, q, question.delta), power(p, q, question.size)
    direct = facts["open"].value  # type: ignore[attr-defined]
    guess, direct_guess = (1 + distance) / 2, facts["open_guess"].value  # type: ignore[attr-defined]
    return {
        "own_level": Near(own, 1e-6 * max(own, 1)),
        "reached": Near(found, 1e-9),
        "rivals": "alike" if f"{found:.3g}" == f"{direct:.3g}" else "apart",
        "distance": Near(distance, 1e-9),
        "guess": Near(guess, 1e-9),
        "guesses": "alike" if f"{guess:.3g}" == f"{direct_guess:.3g}" else "apart",
    }


@of(distinguish.BeforeAfterResult)
def _before(result: distinguish.BeforeAfterResult, facts: Facts, context: Context) -> Expected:
    question = result.experiment
    before = apart(np.array(question.worlds.first), np.array(question.worlds.second))
    return {"left": Near(apart(*laws_of(question)) / before if before else 0.0, 1e-9)}


@of(distinguish.InequalitiesResult)
def _sides(result: distinguish.InequalitiesResult, facts: Facts, context: Context) -> Expected:
    """All inequalities once more: |p - q|, Σ(√p - √q)², Σ p ln(p/q), Σ√(pq), Σ min(p, q), Σ(p - q)²/q."""
    question = result.experiment
    p, q = laws_of(question)
    tv, hellinger = apart(p, q), float(((np.sqrt(p) - np.sqrt(q)) ** 2).sum())
    with np.errstate(divide="ignore", invalid="ignore"):
        forth = math.inf if ((p > 0) & (q == 0)).any() else float((p[p > 0] * np.log(p[p > 0] / q[p > 0])).sum())
        back = math.inf if ((q > 0) & (p == 0)).any() else float((q[q > 0] * np.log(q[q > 0] / p[q > 0])).sum())
        chi = math.inf if ((p > 0) & (q == 0)).any() else float(((p - q)[q > 0] ** 2 / q[q > 0]).sum())
    affinity, common = float(np.sqrt(p * q).sum()), float(np.minimum(p, q).sum())
    held = apart(np.array(question.worlds.first), np.array(question.worlds.second))
    times = math.exp(question.epsilon)
    constant = min(4, times**2) * (times - 1) ** 2
    pairs = [
        (tv, math.sqrt(forth / 2)),
        (hellinger / 2, tv),
        (tv, math.sqrt(hellinger)),
        (math.sqrt(hellinger), math.sqrt(forth)),
        (common, affinity),
        (affinity, math.sqrt(common * (2 - common))),
        (forth, math.log1p(chi)),
        (forth + back, constant * held**2),
        (level(p, q), question.epsilon),
    ]
    shares = [smaller / larger for smaller, larger in pairs if larger > 0 and math.isfinite(larger)]
    return {"nearest": Near(max(shares, default=0.0), 1e-6)}


@of(distinguish.InformationResult)
def _information(result: distinguish.InformationResult, facts: Facts, context: Context) -> Expected:
    question = result.experiment
    nats, whole = told(*laws_of(question)), told(np.array(question.worlds.first), np.array(question.worlds.second))
    within = 1e-9
    return {
        "nats": Near(nats, within),
        "bits": Near(nats / math.log(2), within),
        "share": Near(nats / whole if whole else 0.0, 1e-7),
    }


@of(distinguish.MinimaxResult)
def _minimax(result: distinguish.MinimaxResult, facts: Facts, context: Context) -> Expected:
    """The smallest sum of the worst chance of accusing wrongly and of missing, over all tests: a linear program."""
    question = result.experiment
    matrix, families = listed(question.slug, question.epsilon, question.worlds.k), question.worlds.families
    first, second = (np.array(family) @ matrix for family in families)
    columns = np.unique(np.round(np.concatenate([first, second]), 14), axis=1, return_inverse=True)[1].ravel()
    first, second = (
        np.stack([np.bincount(columns, row) for row in law / law.sum(axis=1, keepdims=True)]) for law in (first, second)
    )
    k = first.shape[1]
    rows = [np.concatenate([row, [-1, 0]]) for row in first] + [np.concatenate([-row, [0, -1]]) for row in second]
    ends = [0.0] * len(first) + [-1.0] * len(second)
    best = optimize.linprog([0.0] * k + [1, 1], rows, ends, bounds=[(0, 1)] * k + [(0, None)] * 2)
    return {"sum": Near(best.fun, 1e-6), "certificate": Near(best.fun, 1e-6)}


@of(distinguish.GuessingResult)
def _guessing(result: distinguish.GuessingResult, facts: Facts, context: Context) -> Expected:
    question = result.experiment
    p, q = laws_of(question)
    one, distance, groups = told(p, q), many_apart(p, q, question.n), question.groups
    wrong = (1 - distance) / 2
    learned = groups * min(question.n * one, math.log(2))
    best = {"each": groups * wrong, "any": 1 - (1 - wrong) ** groups, "first": wrong}[question.loss]
    within = 3e-3 * groups
    return {
        "nats": Near(one, 1e-9),
        "assouad": Near(groups * wrong, within),
        "le_cam": Near(wrong, within),
        "fano": Near(max(1 - (learned + math.log(2)) / (groups * math.log(2)), 0.0), 1e-8),
        "best": Near(best, within),
        "wrong": Near(min(best, 1.0), within),
    }


@of(distinguish.ManyPeopleResult)
def _many(result: distinguish.ManyPeopleResult, facts: Facts, context: Context) -> Expected:
    question = result.experiment
    p, q = laws_of(question)
    needed, direct, distance = result.needed, result.needed_direct, many_apart(p, q, question.n)
    if needed is not None and needed < 10**5:
        assert many_apart(p, q, needed) > 0.8 - 3e-3 and many_apart(p, q, needed - 1) < 0.8 + 3e-3, needed
    exact = needed is None or result.private[-1].exact or needed < 1000
    counted = 0 if needed is None else needed
    return {
        "here": Near((1 + distance) / 2, 3e-3),
        "crowd": ("exact" if exact else "about", {"n": Near(counted, 0.0 if exact else 0.005 * counted)}),
        "price": needed / direct if needed and direct else 0.0,
        "reaching": "reachable" if direct and (needed or math.isnan(result.here.low)) else "never",
    }
