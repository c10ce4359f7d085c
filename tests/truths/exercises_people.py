"""What the exercises find, recomputed: by solving, enumerating or integrating what their formulas only state."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import count, pairwise, product
from typing import Any

import numpy as np
from scipy import integrate, optimize, special, stats

from explorer.facts import Facts
from ldpcore.experiments.exercises.deployments import LevelsInUseResult
from ldpcore.experiments.exercises.notions import NotionOfPrivacyResult
from ldpcore.experiments.exercises.people import OwnLevelsResult
from ldpcore.experiments.exercises.schedules import ConsistencyScheduleResult
from ldpcore.experiments.trust.statistics import ManyStatisticsResult
from tests.truths import Context, Expected, Near, of


def gaussian_size(epsilon: float, delta: float, change: float) -> float:
    """The smallest σ whose normal densities, this change apart, break the level with probability δ, by bisection."""

    def excess(log_sigma: float) -> float:
        sigma = math.exp(log_sigma)
        near, far = change / (2 * sigma), epsilon * sigma / change
        kept = special.ndtr(near - far)
        lost = math.exp(epsilon + special.log_ndtr(-near - far))
        return math.log(max(kept - lost, 1e-300)) - math.log(delta)

    return math.exp(optimize.brentq(excess, math.log(change) - 5, math.log(change) + 12, xtol=1e-13))


@of(ManyStatisticsResult)
def several(result: Any, told: Facts, context: Context) -> Expected:
    asked = result.experiment
    one = gaussian_size(asked.epsilon, asked.delta, 1.0)
    crossing = next(k for k in count(1) if math.sqrt(2) * k / asked.epsilon > one * math.sqrt(k))
    return {"by_normal": one * math.sqrt(asked.k), "crossing": crossing}


@of(OwnLevelsResult)
def levels(result: Any, told: Facts, context: Context) -> Expected:
    """By events instead of reports: the largest of the log ratios of all sets of pairs of reports."""
    asked = result.experiment
    events = [[pair for pair in range(4) if chosen >> pair & 1] for chosen in range(1, 16)]
    inputs = [(first, second) for first in range(4) for second in range(4)]
    laws = {held: _two_reports(asked.epsilon, asked.second, asked.listens == "listens", held) for held in inputs}
    near = [(a, b) for a in inputs for b in inputs if (a[0] == b[0]) != (a[1] == b[1])]
    whole = max(
        math.log(math.fsum(laws[a][pair] for pair in event)) - math.log(math.fsum(laws[b][pair] for pair in event))
        for a, b in near
        for event in events
    )
    return {"whole": Near(whole, 1e-9 * whole + 1e-13), "anew": Near(asked.reads * whole, 1e-9 * asked.reads * whole)}


def _two_reports(first: float, second: float, listens: bool, held: tuple[int, int]) -> list[float]:
    """The chances of the pairs of reports, by hyperbolic functions."""
    chances = []
    for one, two in product((0, 1), repeat=2):
        limit = (1, 3)[one] if listens else 2
        agrees = (one == (held[0] >= 2), two == (held[1] >= limit))
        signs = [1 if right else -1 for right in agrees]
        chances.append((1 + signs[0] * math.tanh(first / 2)) * (1 + signs[1] * math.tanh(second / 2)) / 4)
    return chances


def _densities(noise: str, level: float) -> tuple[Callable[[float], float], Callable[[float], float]]:
    """The logarithms of the densities of a report for 0 and for 1."""
    if noise == "laplace":
        return (lambda z: math.log(level / 2) - level * abs(z)), (lambda z: math.log(level / 2) - level * abs(z - 1))
    peak = math.log(level / math.sqrt(2 * math.pi))
    return (lambda z: peak - (level * z) ** 2 / 2), (lambda z: peak - (level * (z - 1)) ** 2 / 2)


def _over_reports(noise: str, level: float, of: Callable[[float, float], float], order: float = 1.0) -> float:
    """The sum, or the integral, of a function of both logarithms of densities over all reports.

    The first density to the power of an order lies around the order's own distance from the second.
    """
    if noise == "coin":
        odds = math.log(1 + math.exp(-level)), math.log(1 + math.exp(level))
        return of(-odds[0], -odds[1]) + of(-odds[1], -odds[0])
    zero, one = _densities(noise, level)
    wide = 45 / level if noise == "laplace" else 12 / level + order - 1
    steps = max(33, math.ceil(4 * wide * level) + 1)
    ends = np.concatenate(
        [np.linspace(-wide, 0, steps), np.linspace(0, 1, 17)[1:], np.linspace(1, 1 + wide, steps)[1:]]
    )
    return math.fsum(
        integrate.quad(lambda z: of(zero(z), one(z)), low, high, epsabs=1e-14, epsrel=1e-11)[0]
        for low, high in pairwise(ends)
    )


def exact_level(noise: str, level: float, delta: float) -> float:
    """The smallest ε at which the part of one law above e^ε times the other is δ, by integration and halving."""

    def excess(epsilon: float) -> float:
        above = _over_reports(noise, level, lambda p, q: max(math.exp(p) - math.exp(epsilon + q), 0.0))
        return above - delta

    if excess(0.0) <= 0:
        return 0.0
    return float(optimize.brentq(excess, 0.0, level**2 / 2 + 8 * level + 1, xtol=1e-9))


@of(NotionOfPrivacyResult)
def notions(result: Any, told: Facts, context: Context) -> Expected:
    """By integrals over the reports, and by the worst of many thresholds."""
    asked = result.experiment
    noise, level = asked.noise, asked.epsilon
    own = Near(exact_level(noise, level, asked.delta), 1e-5)

    def divergence(order: float) -> float:
        if order == 1:
            return _over_reports(noise, level, lambda p, q: math.exp(p) * (p - q))
        top = (order - 1) * level * (order * level / 2 if noise == "normal" else 1)  # or the integral overflows

        def weighed(p: float, q: float) -> float:
            return math.exp(order * p + (1 - order) * q - top)

        return (math.log(_over_reports(noise, level, weighed, order)) + top) / (order - 1)

    found: dict[str, Callable[[], float]] = {
        "pure": lambda: level,
        "approximate": lambda: own.value,
        "renyi": lambda: divergence(asked.order),
        "concentrated": lambda: divergence(1),
        "gaussian": lambda: _normal_shift(noise, level),
    }
    expected: dict[str, Any] = {"own": own, "keeps": "known" if math.isfinite(own.value) else "unknown"}
    if asked.notion == "pure" and noise == "normal":
        return expected
    parameter = found[asked.notion]()
    expected["parameter"] = Near(parameter, 1e-5 * (1 + parameter))
    if asked.notion == "pure":
        expected["times"] = Near(level, 1e-12)
    expected["implied"] = Near(_implied(asked, parameter), 2e-3 * (1 + parameter))
    return expected


def _thresholds(noise: str, level: float) -> list[tuple[float, float]]:
    """Both errors of guesses by a threshold."""
    if noise == "coin":
        lie = 1 / (1 + math.exp(level))
        return [(lie, lie)]
    law = stats.laplace(scale=1 / level) if noise == "laplace" else stats.norm(scale=1 / level)
    return [(float(law.sf(t)), float(law.cdf(t - 1))) for t in np.linspace(-3, 4, 2801)]


def _normal_shift(noise: str, level: float) -> float:
    return max(float(stats.norm.isf(x) - stats.norm.ppf(y)) for x, y in _thresholds(noise, level) if min(x, y) > 1e-12)


def _implied(asked: Any, parameter: float) -> float:
    """The level of the worst that has this number: a coin, the bound of an order, or normal noise."""
    if asked.notion == "pure":
        return exact_level("coin", parameter, asked.delta)
    if asked.notion == "gaussian":
        return exact_level("normal", parameter, asked.delta)
    if asked.notion == "approximate":
        return parameter

    def by(order: float) -> float:
        bound = parameter * (order if asked.notion == "concentrated" else 1)
        return bound + math.log((order - 1) / order) - (math.log(asked.delta) + math.log(order)) / (order - 1)

    if asked.notion == "renyi":
        return max(by(asked.order), 0.0)
    return max(min(by(order) for order in 1 + np.geomspace(1e-2, 1e5, 20001)), 0.0)


@of(LevelsInUseResult)
def deployments(result: Any, told: Facts, context: Context) -> Expected:
    """From one person: what their report, set right, varies by, over both truths and both reports."""
    asked = result.experiment
    truth = math.exp(asked.epsilon) / (1 + math.exp(asked.epsilon))
    right = {1: truth / (2 * truth - 1), 0: (truth - 1) / (2 * truth - 1)}  # estimates from a yes and from a no
    law = [(0.5 * (truth if held == said else 1 - truth), right[said]) for held in (0, 1) for said in (0, 1)]
    mean = math.fsum(chance * each for chance, each in law)
    variance = math.fsum(chance * (each - mean) ** 2 for chance, each in law)
    off = math.sqrt(variance / asked.n)
    curated = math.sqrt(0.25 / asked.n + 2 / (asked.epsilon * asked.n) ** 2)
    return {
        "worth": round(asked.n * 0.25 / variance),
        "off": off,
        "models": "alike" if float(f"{off:.3g}") == float(f"{curated:.3g}") else "apart",
    }


@of(ConsistencyScheduleResult)
def consistency(result: Any, told: Facts, context: Context) -> Expected:
    """By fractions, dimension by dimension; and by walking back along ln n to where the noise was last above 1."""
    asked = result.experiment
    a, b = (Fraction(each).limit_denominator(10**6) for each in (asked.a, asked.b))

    def power(d: int) -> Fraction:
        return 1 - 2 * b - 2 * d * a

    most = sum(1 for d in range(1, 200) if power(d) > 0)  # it falls with d
    honest = sum(1 for d in range(1, 200) if 1 - d * a > 0)
    left = float(power(asked.dimensions))

    def noise(log_n: float) -> float:
        return log_n**3 / asked.epsilon**2 * math.exp(-left * log_n)

    found = {"power": left, "most": most, "most_honest": honest, "at_million": noise(math.log(10**6))}
    if left > 0:
        logs = np.geomspace(0.5, 1e5, 400_001)
        above = logs[np.log(logs) * 3 - 2 * math.log(asked.epsilon) - left * logs >= 0]
        last = float(above[-1]) / math.log(10) if len(above) and above[-1] > math.log(2) else 0.0
        found["tens"] = Near(last, 1e-4 * (1 + last))  # type: ignore[assignment]
    return found
