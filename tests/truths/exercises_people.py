"""What the exercises find, recomputed: by solving, enumerating or integrating what their formulas only state."""

from __future__ import annotations

import math
from itertools import count
from typing import Any

from scipy import optimize, special

from explorer.facts import Facts
from ldpcore.experiments.trust.statistics import ManyStatisticsResult
from tests.truths import Context, Expected, of


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
