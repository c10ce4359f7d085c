"""Short exercises about the theory: the drawing of each and the numbers in its text, all computed by the core."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from explorer.facts import Count, Exact, Facts, Number, Share
from ldpcore.experiments.trust.statistics import NOISES, ManyStatistics
from ldpcore.laws import divergences
from ldpcore.laws.products import distance_of
from ldpcore.limits.confusion import confusion, widest_confused
from ldpcore.limits.errorlosses import Absolute, Exponential, Huber, Loss, Root, Squared, regularity
from ldpcore.limits.moduli import bounded_hellinger, bounded_tv, heavy_tv
from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.binomials import log_choose_each

FAIR, UNFAIR = np.array([0.5, 0.5]), np.array([0.4, 0.6])
FIRST, SECOND = np.array([0.1, 0.2, 0.3, 0.4]), np.array([0.4, 0.2, 0.3, 0.1])
ASKED, OTHERS = np.array([0.1, 0.2, 0.3, 0.4]), np.array([0.4, 0.1, 0.4, 0.1])
GROUP = 100  # people in a test
LOSSES: dict[str, Loss] = {
    "squared": Squared(),
    "absolute": Absolute(),
    "huber": Huber(),
    "root": Root(),
    "exponential": Exponential(),
}


@dataclass(frozen=True)
class ExerciseCurve:
    """One line of a small picture, by the key of its name."""

    name: str
    x: Reals
    y: Reals


@dataclass(frozen=True)
class Exercise:
    """A short exercise: its key, the page that it belongs to, its numbers, and the lines of its picture."""

    slug: str
    page: str
    facts: Callable[[], Facts]
    curves: Callable[[], tuple[ExerciseCurve, ...]]


def uniform_distance(n: int) -> float:
    """TV of n numbers below 1 and of n numbers below 1 - 1/n: the chance that one of them gives the first away."""
    return -math.expm1(n * math.log1p(-1 / n))


def _product_facts() -> Facts:
    parts = {f"uniform_{n}": Exact(round(uniform_distance(n), 4)) for n in (10, 100, 1000)}
    affinity = divergences.hellinger_affinity(FAIR, UNFAIR)
    return {**parts, "affinity": Exact(round(affinity, 4)), "exact": Number(distance_of(FAIR, UNFAIR, 100).low)}


def _products() -> tuple[ExerciseCurve, ...]:
    n = np.arange(1.0, 101.0)
    affinity = divergences.hellinger_affinity(FAIR, UNFAIR) ** n
    divergence = divergences.kullback_leibler(FAIR, UNFAIR)
    exact = np.array([distance_of(FAIR, UNFAIR, int(each)).low for each in n])
    return (
        ExerciseCurve("times", n, np.minimum(n * divergences.total_variation(FAIR, UNFAIR), 1)),
        ExerciseCurve("pinsker", n, np.minimum(np.sqrt(n * divergence / 2), 1)),
        ExerciseCurve("root", n, np.asarray(np.sqrt(1 - affinity**2), dtype=np.float64)),
        ExerciseCurve("exact", n, exact),
        ExerciseCurve("least", n, 1 - affinity),
    )


def mixture(share: float, tosses: int) -> Reals:
    """The law of one or two tosses of a coin that always shows heads, in a share of cases, and else always tails."""
    return np.array([share, *[0.0] * (2**tosses - 2), 1 - share])


def _hull_facts() -> Facts:
    twice = divergences.total_variation(np.full(4, 0.25), mixture(0.5, 2))
    return {"alone": Number(0.5), "mixed": Count(0), "twice": Number(twice)}


def _hulls() -> tuple[ExerciseCurve, ...]:
    share = np.linspace(0, 1, 101)
    return tuple(
        ExerciseCurve(
            name,
            share,
            np.array([divergences.total_variation(np.full(2**n, 0.5**n), mixture(float(w), n)) for w in share]),
        )
        for name, n in (("once", 1), ("twice", 2))
    )


def three_ways(p: Reals, q: Reals) -> tuple[float, float, float]:
    """Total variation as the first law's excess, as its shortfall, and as half of all differences."""
    gap = p - q
    return float(np.maximum(gap, 0).sum()), float(np.maximum(-gap, 0).sum()), float(np.abs(gap).sum() / 2)


def _way_facts() -> Facts:
    more, less, half = three_ways(FIRST, SECOND)
    return {"more": Number(more), "less": Number(less), "half": Number(half), "alone": Number(0.5)}


def _ways() -> tuple[ExerciseCurve, ...]:
    place = np.arange(1.0, 5.0)
    return ExerciseCurve("first", place, FIRST), ExerciseCurve("second", place, SECOND)


def _logarithms() -> tuple[ExerciseCurve, ...]:
    ratio = np.linspace(1, 4, 61)
    return ExerciseCurve("distance", ratio, ratio - 1), ExerciseCurve("logarithm", ratio, np.log(ratio))


def shapes(t: Reals) -> dict[str, Reals]:
    """The function f of each divergence, at ratios t above 0."""
    return {
        "kl": t * np.log(t),
        "tv": np.abs(t - 1) / 2,
        "chi2": (t - 1) ** 2,
        "h2": (np.sqrt(t) - 1) ** 2,
    }


def _shapes() -> tuple[ExerciseCurve, ...]:
    t = np.linspace(0.005, 2.5, 120)
    return tuple(ExerciseCurve(name, t, y) for name, y in shapes(t).items())


def eta_weight(eta: Reals, power: float) -> Reals:
    """The factor of a lower bound that depends on η: η(1 - η)^power, for a modulus in proportion."""
    return np.asarray(eta * (1 - eta) ** power, dtype=np.float64)


def _eta_facts() -> Facts:
    at = eta_weight(np.array([1 / 3, 1 / 2]), 2)
    return {"best": Exact(round(1 / 3, 3)), "gain": Exact(round(float(at[0] / at[1]), 3))}


def _etas() -> tuple[ExerciseCurve, ...]:
    eta = np.linspace(0, 1, 101)
    return ExerciseCurve("squared", eta, eta_weight(eta, 2)), ExerciseCurve("absolute", eta, eta_weight(eta, 1))


def chance_of_plus(asked: Reals) -> Reals:
    """The chance of a plus from one bit at level 1, when half of the people hold each column's number in either row."""
    return np.asarray((1 + asked.mean(axis=0) * math.tanh(0.5)) / 2, dtype=np.float64)


def _half_facts() -> Facts:
    apart, alike = chance_of_plus(np.array([[1.0, -1.0], [1.0, -1.0]])).tolist()
    return {"apart": Share(apart, 3), "alike": Share(alike, 3)}


def _halves() -> tuple[ExerciseCurve, ...]:
    deviation = np.linspace(0, 1, 61)
    people = np.stack([-deviation, deviation])
    return (
        ExerciseCurve("number", deviation, chance_of_plus(people)),
        ExerciseCurve("square", deviation, chance_of_plus(2 * people**2 - 1)),
    )


def _loss_facts() -> Facts:
    return {name: Exact(round(regularity(loss), 4)) for name, loss in LOSSES.items() if name != "exponential"}


def _losses() -> tuple[ExerciseCurve, ...]:
    t = np.linspace(0.05, 4, 80)
    return tuple(ExerciseCurve(name, t, np.asarray(loss(1.5 * t) / loss(t))) for name, loss in LOSSES.items())


def _modulus_facts() -> Facts:
    near = 0.1
    return {
        "tv": Exact(round(float(bounded_tv(2.0, near)), 4)),
        "hellinger": Exact(round(float(bounded_hellinger(2.0, near)), 4)),
        "heavy": Exact(round(float(heavy_tv(2.0, 1.0, near)), 4)),
    }


def _moduli() -> tuple[ExerciseCurve, ...]:
    distance = np.linspace(0, 1.5, 151)
    return (
        ExerciseCurve("tv", distance, np.asarray(bounded_tv(2.0, distance))),
        ExerciseCurve("hellinger", distance, np.asarray(bounded_hellinger(2.0, distance))),
        ExerciseCurve("heavy", distance, np.asarray(heavy_tv(2.0, 1.0, np.minimum(distance, 1)))),
    )


def smooth(x: Reals) -> dict[str, Reals]:
    """A curve of each smoothness β with C = 1: a cusp, a kink, a bow."""
    return {"cusp": np.sqrt(np.abs(x)), "kink": np.abs(x), "bow": x**2 / 2}


def _smooth() -> tuple[ExerciseCurve, ...]:
    x = np.linspace(-1, 1, 161)
    return tuple(ExerciseCurve(name, x, y) for name, y in smooth(x).items())


def distance_after_bit(answers: Reals, epsilon: float) -> float:
    """TV of the reports of ASKED and OTHERS after one bit about a function with these values, -1 to 1."""
    return abs(float((ASKED - OTHERS) @ answers)) / 2 * math.tanh(epsilon / 2)


FUNCTIONS: dict[str, Reals] = {
    "best": np.array([-1.0, 1.0, -1.0, 1.0]),
    "even": np.array([-1.0, -1 / 3, 1 / 3, 1.0]),
    "last": np.array([-1.0, -1.0, -1.0, 1.0]),
    "middle": np.array([-1.0, 1.0, 1.0, -1.0]),
}


def _bit_facts() -> Facts:
    at_one = {name: Number(round(distance_after_bit(values, 1.0), 12)) for name, values in FUNCTIONS.items()}
    return {**at_one, "open": Number(divergences.total_variation(ASKED, OTHERS))}


def _bits() -> tuple[ExerciseCurve, ...]:
    level = np.linspace(0.02, 6, 100)
    return tuple(
        ExerciseCurve(name, level, np.array([distance_after_bit(values, float(each)) for each in level]))
        for name, values in FUNCTIONS.items()
    )


def _gap_facts() -> Facts:
    width = widest_confused(0.5, GROUP, 1.0)
    return {"n": Count(GROUP), "gap": Number(width), "half": Number(width / 2)}


def _gaps() -> tuple[ExerciseCurve, ...]:
    apart = np.linspace(0, 1, 101)
    exact = np.array([confusion(float(each), GROUP, 1.0) for each in apart])
    affinity = (1 - (math.tanh(0.5) * apart) ** 2) ** (GROUP / 2)  # of the pair about one half, the nearest of all
    return ExerciseCurve("exact", apart, exact), ExerciseCurve("affinity", apart, affinity)


def reported(distance: Reals, epsilon: float) -> Reals:
    """The largest difference of means while one bit from everybody is within `distance` in Hellinger's distance."""
    return np.asarray(np.minimum(bounded_hellinger(2.0, distance) / math.tanh(epsilon / 2), 2.0), dtype=np.float64)


def _report_facts() -> Facts:
    near = np.array([0.1])
    private, direct = float(reported(near, 1.0)[0]), float(bounded_hellinger(2.0, near)[0])
    return {"private": Number(private), "direct": Number(direct), "factor": Exact(round(private / direct, 3))}


def _reports() -> tuple[ExerciseCurve, ...]:
    distance = np.linspace(0, 1.4, 141)
    levels = {"half": 0.5, "one": 1.0, "three": 3.0}
    private = [ExerciseCurve(name, distance, reported(distance, level)) for name, level in levels.items()]
    return (ExerciseCurve("direct", distance, bounded_hellinger(2.0, distance)), *private)


def wrong(n: int) -> tuple[float, float]:
    """The chance that n people's estimate is off by an eighth, and that its nearest of three shares is the wrong one.

    The shares are 1/4, 1/2 and 3/4; each is true one time in three, and everybody tosses the coins of level 1.
    """
    heads, off, missed = np.arange(n + 1), 0.0, 0.0
    shares = (0.25, 0.5, 0.75)
    estimate = 0.5 + (heads / n - 0.5) / math.tanh(0.5)
    nearest = np.abs(estimate[:, None] - np.array(shares)).argmin(axis=1)
    for place, share in enumerate(shares):
        yes = 0.5 + math.tanh(0.5) * (share - 0.5)
        law = np.exp(log_choose_each(n, heads) + heads * math.log(yes) + (n - heads) * math.log1p(-yes))
        off += float(law[np.abs(estimate - share) >= 0.125].sum()) / len(shares)
        missed += float(law[nearest != place].sum()) / len(shares)
    return off, missed


def _packing_facts() -> Facts:
    off, missed = wrong(100)
    return {"off": Share(off), "missed": Share(missed)}


def _packing() -> tuple[ExerciseCurve, ...]:
    n = np.arange(5, 401, 5)
    both = np.array([wrong(int(each)) for each in n])
    return ExerciseCurve("off", n.astype(np.float64), both[:, 0]), ExerciseCurve(
        "missed", n.astype(np.float64), both[:, 1]
    )


SEVERAL = ManyStatistics(1.0, 50, 1e-6)  # one person moves each of 50 counts by one


def _several_facts() -> Facts:
    names = {"laplace": "by_laplace", "analytic": "by_normal", "classical": "by_classical"}
    errors = {key: Number(SEVERAL.error(name, SEVERAL.k)) for name, key in names.items()}
    return {**errors, "k": Count(SEVERAL.k), "crossing": Count(SEVERAL.run().crossing)}


def _several() -> tuple[ExerciseCurve, ...]:
    k = np.arange(1, SEVERAL.k + 1)
    errors = {name: np.array([SEVERAL.error(name, int(each)) for each in k]) for name in NOISES}
    return tuple(ExerciseCurve(name, k.astype(np.float64), each) for name, each in errors.items())


EXERCISES = (
    Exercise("products", "distinguish", _product_facts, _products),
    Exercise("hulls", "distinguish", _hull_facts, _hulls),
    Exercise("ways", "distinguish", _way_facts, _ways),
    Exercise("logarithm", "distinguish", dict, _logarithms),
    Exercise("shapes", "distinguish", dict, _shapes),
    Exercise("several", "trust", _several_facts, _several),
    Exercise("bits", "means", _bit_facts, _bits),
    Exercise("halves", "means", _half_facts, _halves),
    Exercise("eta", "limits", _eta_facts, _etas),
    Exercise("losses", "limits", _loss_facts, _losses),
    Exercise("modulus", "limits", _modulus_facts, _moduli),
    Exercise("smooth", "limits", dict, _smooth),
    Exercise("gap", "limits", _gap_facts, _gaps),
    Exercise("reports", "limits", _report_facts, _reports),
    Exercise("packing", "limits", _packing_facts, _packing),
)
