"""What the exercises about distances find, recomputed: by long decimals, by people and tosses one by one, by events."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from itertools import combinations, pairwise
from typing import Any

import numpy as np
from scipy import stats

from explorer.facts import Facts
from ldpcore.experiments.exercises.distances import (
    FUNCTIONS_OF_ANSWERS,
    TWO_LAWS,
    DivergenceFamilyResult,
    LogarithmStepResult,
    ManyCoinsResult,
    MixedCoinsResult,
    PackedTestResult,
    ThreeWaysResult,
)
from tests.truths import Context, Expected, Near, of

DIGITS = 50
Law = list[Decimal]


def reported(law: tuple[float, ...], epsilon: float) -> Law:
    """The law of reports, answer by answer: the own one e^ε times as likely as each other."""
    weight = Decimal(epsilon).exp()
    held = [Decimal(str(share)) for share in law]
    return [
        sum((share * (weight if to == at else 1) for at, share in enumerate(held)), Decimal())
        / (weight + len(held) - 1)
        for to in range(len(held))
    ]


def distance(measure: str, order: float, p: Law, q: Law) -> Decimal:
    """A divergence by a formula of its own, and not by its function of the ratio."""
    pairs = list(zip(p, q, strict=True))
    match measure:
        case "kl":
            return sum((a * (a.ln() - b.ln()) for a, b in pairs), Decimal())
        case "tv":
            return 1 - sum((min(a, b) for a, b in pairs), Decimal())
        case "chi2":
            return sum((a * a / b for a, b in pairs), Decimal()) - 1
        case "h2":
            return 2 - 2 * sum(((a * b).sqrt() for a, b in pairs), Decimal())
    a = Decimal(order)
    return (sum(((a * x.ln() + (1 - a) * y.ln()).exp() for x, y in pairs), Decimal()) - 1) / (a * (a - 1))


def nearly(distance: float, within: float) -> float | Near:
    """A distance from sums of probabilities, right to an absolute error; near 1, where it is told as 1, itself."""
    return Near(distance, within) if distance < 0.9 else distance


@of(DivergenceFamilyResult)
def families(result: Any, told: Facts, context: Context) -> Expected:
    asked = result.experiment
    with localcontext(prec=DIGITS):
        reports = [reported(law, asked.epsilon) for law in TWO_LAWS[asked.laws]]
        after, before = float(distance(asked.measure, asked.order, *reports)), told["before"].value  # type: ignore[attr-defined]
        return {"after": after, "keeping": "alike" if f"{after:.3g}" == f"{before:.3g}" else "apart"}


@of(ManyCoinsResult)
def products(result: Any, told: Facts, context: Context) -> Expected:
    asked = result.experiment
    yes = math.exp(asked.epsilon) / (1 + math.exp(asked.epsilon))
    heads = np.arange(asked.n + 1)
    # Somebody whose coin shows heads reports so with probability `yes`, anybody else with the rest.
    chances = [share * yes + (1 - share) * (1 - yes) for share in (asked.first, asked.second)]
    first, second = (stats.binom.pmf(heads, asked.n, chance) for chance in chances)
    root = 1 - float(np.sqrt(first * second).sum()) ** 2
    # Of nearly equal laws 1 - ρ² keeps few digits: there the bound is checked to four places.
    return {
        "exact": nearly(float(np.abs(first - second).sum()) / 2, 1e-9),
        "root": nearly(math.sqrt(max(root, 0.0)), 1e-9 if root > 1e-3 else 1e-4),
    }


@of(MixedCoinsResult)
def hulls(result: Any, told: Facts, context: Context) -> Expected:
    asked = result.experiment
    yes = math.exp(asked.epsilon) / (1 + math.exp(asked.epsilon))
    heads = np.arange(asked.n + 1)
    showing = stats.binom.pmf(heads, asked.n, yes)
    hidden = stats.binom.pmf(heads, asked.n, 1 - yes)
    mixture = asked.share * showing + (1 - asked.share) * hidden
    return {"mixed": nearly(1 - float(np.minimum(mixture, stats.binom.pmf(heads, asked.n, 0.5)).sum()), 1e-12)}


@of(ThreeWaysResult)
def ways(result: Any, told: Facts, context: Context) -> Expected:
    asked = result.experiment
    with localcontext(prec=DIGITS):
        p, q = (reported(law, asked.epsilon) for law in TWO_LAWS[asked.laws])
        events = [event for size in range(5) for event in combinations(range(4), size)]
        total = float(max(sum((p[z] - q[z] for z in event), Decimal()) for event in events))
        values = [Decimal(value) for value in FUNCTIONS_OF_ANSWERS[asked.function]]
        means = [sum((v * x for v, x in zip(values, law, strict=True)), Decimal()) for law in (p, q)]
        by_function = float(abs(means[0] - means[1]) / 2)
    return {"more": total, "less": total, "total": total, "by_function": by_function}


@of(LogarithmStepResult)
def logarithm(result: Any, told: Facts, context: Context) -> Expected:
    # The probabilities of one report of randomized response, from its two answers.
    with localcontext(prec=DIGITS):
        weight = Decimal(result.experiment.epsilon).exp()
        a, b = weight / (1 + weight), 1 / (1 + weight)
        return {"linear": float((a - b) / b), "rooted": float((a - b) / (a * b).sqrt())}


@of(PackedTestResult)
def packing(result: Any, told: Facts, context: Context) -> Expected:
    asked = result.experiment
    yes = math.exp(asked.epsilon) / (1 + math.exp(asked.epsilon))
    shares = [place / (asked.shares + 1) for place in range(1, asked.shares + 1)]
    laws = [stats.binom.pmf(np.arange(asked.n + 1), asked.n, s * yes + (1 - s) * (1 - yes)) for s in shares]
    # Between two neighbors the estimate changes sides where the reports have their middle; there both err alike.
    middles = [(one + two) / 2 for one, two in pairwise(shares)]
    cuts = [asked.n * (s * yes + (1 - s) * (1 - yes)) for s in middles]
    named = np.searchsorted(np.round(cuts, 9), np.arange(asked.n + 1), side="left")
    missed = sum(float(law[named != place].sum()) for place, law in enumerate(laws)) / asked.shares
    best = sum(np.sort(np.array(laws), axis=0)[:-1].sum(axis=0)) / asked.shares
    rivals = "alike" if f"{missed:.3g}" == f"{best:.3g}" else "apart"
    return {"missed": missed, "best": float(best), "rivals": rivals}
