"""The findings about one bit from each, recomputed: by channels, reports, exact binomials and solved distances."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
from scipy import optimize, stats

from explorer.facts import Facts, Number
from ldpcore.experiments.exercises.bit import (
    BitAboutSpreadResult,
    BitAboutTwoResult,
    BitEstimateResult,
    LeftByChannelResult,
    ReportModulusResult,
)
from ldpcore.laws.contraction import pushed
from ldpcore.laws.divergences import total_variation
from ldpcore.mechanisms.onebit import OneBit
from tests.truths import Context, Expected, Near, of


def after_bit(first: Any, second: Any, phi: Any, epsilon: float) -> float:
    """The total variation of the reports of two laws, each pushed through the channel of `OneBit` at φ/‖φ‖∞."""
    plus = OneBit(epsilon).chances(np.asarray(phi) / np.abs(phi).max())
    channel = np.column_stack([plus, 1 - plus])
    return total_variation(*(pushed(np.asarray(law), channel) for law in (first, second)))


def best_of_signs(first: Any, second: Any, epsilon: float) -> tuple[float, tuple[float, ...]]:
    """The largest such distance over all functions with values 1 and -1, where a linear objective has its largest."""
    tried = [(after_bit(first, second, signs, epsilon), signs) for signs in product((1.0, -1.0), repeat=len(first))]
    return max(tried, key=lambda pair: pair[0])


@of(BitAboutTwoResult)
def asking(result: Any, told: Facts, context: Context) -> Expected:
    asked = result.experiment
    first, second = asked.worlds.first, asked.worlds.second
    most, _ = best_of_signs(first, second, asked.epsilon)
    left = after_bit(first, second, asked.phi, asked.epsilon)
    signs = np.where(np.subtract(first, second) >= 0, "1", "-1")
    kept = [str(int(value.value)) for value in told_values(result)]
    assert kept == list(signs), (kept, signs)
    return {
        "left": Near(left, 1e-11),
        "best": Near(most, 1e-11),
        "bound": Near(most, 1e-11),
        "part": Near(left / most if most else 1.0, 1e-9),
        "best_phi": told_values(result),
    }


def told_values(result: Any) -> tuple[Any, ...]:
    """The values of the best function as they are told."""
    return tuple(Number(value) for value in result.best.values)


@of(BitEstimateResult)
def estimate(result: Any, told: Facts, context: Context) -> Expected:
    """Every number of pluses with its probability: the mean square of what it says, around the mean of the crowd."""
    asked = result.experiment
    chances = OneBit(asked.epsilon).chances(np.asarray(asked.phi) / np.abs(asked.phi).max())
    plus = math.fsum(np.asarray(asked.people) * chances)
    size = max(map(abs, asked.phi)) * (math.exp(asked.epsilon) + 1) / math.expm1(asked.epsilon)
    counts = np.arange(asked.n + 1)
    says = size * (2 * counts - asked.n) / asked.n
    mean = math.fsum(np.asarray(asked.people) * np.asarray(asked.phi))
    second = math.fsum(stats.binom.pmf(counts, asked.n, plus) * (says - mean) ** 2)
    return {"spread": Near(math.sqrt(second), 1e-8 * max(math.sqrt(second), 1e-3)), "plus": plus}


@of(BitAboutSpreadResult)
def halves(result: Any, told: Facts, context: Context) -> Expected:
    """The chances by the channel itself, and the reports by halving an interval of sizes of exact binomials."""
    asked = result.experiment
    bit = OneBit(asked.epsilon)
    held = np.array([-asked.deviation, asked.deviation])
    plus, alike = (float(bit.chances(2 * each**2 - 1).mean()) for each in (held, 0 * held))

    def apart(n: int) -> float:
        rise, fall = math.log(plus / alike), math.log((1 - alike) / (1 - plus))
        cut = math.floor(n * fall / (rise + fall))
        return max(
            float(stats.binom.sf(each, n, plus) - stats.binom.sf(each, n, alike)) for each in range(cut - 2, cut + 3)
        )

    low, high = 0, 1
    while apart(high) < 0.8:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if apart(middle) >= 0.8 else (middle, high)
    return {"plus": plus, "alike": alike, "needed": Near(high, 1e-6 * high)}


@of(ReportModulusResult)
def reports(result: Any, told: Facts, context: Context) -> Expected:
    """The widest pair of means around each center whose reports are near enough, by solving for the width."""
    asked = result.experiment
    near, pull = 1 / math.sqrt(asked.n), math.tanh(asked.epsilon / 2)

    def widest(pull: float) -> float:
        return max(_wide(float(center), near, pull) for center in np.linspace(-1, 1, 21))

    private, direct = widest(pull), widest(1.0)
    return {"private": Near(private, 1e-7 * private), "factor": Near(private / direct, 1e-6 * private / direct)}


def _wide(center: float, near: float, pull: float) -> float:
    """The largest width of two means around a center, inside of -1 to 1, whose reports are within a distance."""

    def excess(width: float) -> float:
        chances = [(1 + pull * (center + side * width / 2)) / 2 for side in (-1, 1)]
        roots = [np.sqrt([max(chance, 0.0), max(1 - chance, 0.0)]) for chance in chances]
        return float(np.linalg.norm(roots[0] - roots[1])) - near

    most = 2 * (1 - abs(center))
    return most if excess(most) <= 0 else float(optimize.brentq(excess, 0.0, most, xtol=1e-15))


@of(LeftByChannelResult)
def differing(result: Any, told: Facts, context: Context) -> Expected:
    """The reports listed anew: of randomized response by its two chances, of a row of bits by every row."""
    asked = result.experiment
    first, second, growth = asked.worlds.first, asked.worlds.second, math.exp(asked.epsilon)
    half = math.fsum(np.abs(np.subtract(first, second))) / 2
    if asked.slug == "grr":
        left = half * (growth - 1) / (growth + asked.worlds.k - 1)
    else:
        assert asked.slug == "oue", "only these two are among the samples"
        left = math.fsum(_row_gap(bits, first, second, 1 / (growth + 1)) for bits in product((0, 1), repeat=len(first)))
    bound = half * math.tanh(asked.epsilon / 2)
    keeping = "same" if not half else "alike" if f"{left:.3g}" == f"{half:.3g}" else "apart"
    return {"left": Near(left, 1e-11), "part": Near(left / bound if bound else 1.0, 1e-8), "keeping": keeping}


def _row_gap(bits: tuple[int, ...], first: Any, second: Any, q: float) -> float:
    """Half of the difference of a row's chances in two laws: a held bit is 1 in half of cases, any other with q."""
    others = math.prod(q if bit else 1 - q for bit in bits)
    each = [others * 0.5 / (q if bit else 1 - q) for bit in bits]
    return abs(math.fsum((p - r) * chance for p, r, chance in zip(first, second, each, strict=True))) / 2
