"""What the exercises find, recomputed: by solving, enumerating or integrating what their formulas only state."""

from __future__ import annotations

import math
from itertools import count, product
from typing import Any

from scipy import optimize, special

from explorer.facts import Facts
from ldpcore.experiments.exercises.people import OwnLevelsResult
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
