"""Truths about people who are asked one after the other: from the history of a run, or from all that may be sent."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
from scipy import stats

from explorer.facts import Facts
from ldpcore.experiments import overview, protocols
from ldpcore.mechanisms.laplace import LaplaceMechanism
from tests.truths import Context, Expected, Near, of


@of(overview.PrivacyLossOfReportResult)
def _overview(result: overview.PrivacyLossOfReportResult, told: Facts, context: Context) -> Expected:
    question = result.experiment
    mechanism, report = question.mechanism, question.report
    if isinstance(mechanism, LaplaceMechanism):
        loss = (abs(report - 1) - abs(report - 0)) / mechanism.scale
    else:
        loss = mechanism.epsilon * (1 if report == 0 else -1)
    more, less = ("first", "second") if loss > 0 else ("second", "first")
    return {"times": math.exp(abs(loss)), "more": more, "less": less}


def middle(result: object) -> float:
    """The mean, and median, of people whose numbers are spread evenly between two ends."""
    crowd = result.experiment.example.crowd  # type: ignore[attr-defined]
    return float((crowd.center - crowd.half_width + crowd.center + crowd.half_width) / 2)


@of(protocols.OneRunResult)
def _run(result: protocols.OneRunResult, told: Facts, context: Context) -> Expected:
    last = float(result.path.belief[len(result.path.values) - 1])
    return {"estimate": last, "error": abs(last - middle(result))}


@of(protocols.NextQuestionResult)
def _person(result: protocols.NextQuestionResult, told: Facts, context: Context) -> Expected:
    question = result.experiment
    run = question.example.drawn(question.epsilon, question.n, question.seed)
    place, lie = question.person - 1, 1 / (1 + math.exp(question.epsilon))
    low, high, value = float(run.asked_low[place]), float(run.asked_high[place]), float(run.values[place])
    sure = float(value > low) if low == high else min(max((value - low) / (high - low), 0), 1)
    assert value - 1e-12 <= question.example.crowd.high and value + 1e-12 >= question.example.crowd.low
    return {"from": low, "to": high, "value": value, "chance": lie + (1 - 2 * lie) * sure}


@of(protocols.TwoPeopleResult)
def _pair(result: protocols.TwoPeopleResult, told: Facts, context: Context) -> Expected:
    """Each answer is true with probability e^α/(1 + e^α), whatever was sent before."""
    question = result.experiment

    def law(first: int, second: int) -> dict[tuple[int, int], float]:
        chances = {}
        for one, two in product((0, 1), repeat=2):
            level = question.epsilon * (2 if question.design == "breaks" and one else 1)
            true, truly = 1 / (1 + math.exp(-question.epsilon)), 1 / (1 + math.exp(-level))
            asked = 3 if question.design == "ignores" else (2, 4)[one]
            chance = true if (first >= 3) == bool(one) else 1 - true
            chances[one, two] = chance * (truly if (second >= asked) == bool(two) else 1 - truly)
        return chances

    joint, mirror = law(question.first, question.second), law(5 - question.first, 5 - question.second)
    ones = {one: joint[one, 0] + joint[one, 1] for one in (0, 1)}
    mirrored = {one: mirror[one, 0] + mirror[one, 1] for one in (0, 1)}
    whole = math.fsum(chance * math.log(chance / mirror[both]) for both, chance in joint.items())
    part = math.fsum(chance * math.log(chance / mirrored[one]) for one, chance in ones.items())
    return {
        **{f"p{one}": chance for one, chance in ones.items()},
        **{f"p{one}{two}": chance for (one, two), chance in joint.items()},
        "branch": ones[question.history],
        "path": joint[question.history, 1],
        "divergence": whole,
        "part1": part,
        "part2": Near(whole - part, 1e-9 * max(abs(whole), 1)),
    }


@of(protocols.AgainstSilenceResult)
def _against(result: protocols.AgainstSilenceResult, told: Facts, context: Context) -> Expected:
    """The error of those who listen beside that of those who do not, which is told openly."""
    question, silent = result.experiment, told["silent"].value  # type: ignore[attr-defined]
    place = [int(users) for users in result.users].index(question.n)
    error = float((result.simulated if question.example.slug == "steps" else result.theory)[place])
    seen, low, high = (float(each[place]) for each in (result.simulated, result.low, result.high))
    # What was computed for the crowd lies where its runs fell: a second route that needs no formula.
    assert low * 0.8 <= error <= high * 1.25 or abs(seen - error) < 0.1 * error, (low, error, high)
    closeness = "alike" if f"{error:.3g}" == f"{silent:.3g}" else "apart"
    return {"listening": error, "factor": max(silent / error, error / silent), "closeness": closeness}


@of(protocols.MoreRoundsResult)
def _rounds(result: protocols.MoreRoundsResult, told: Facts, context: Context) -> Expected:
    """k rounds at α/k each over one at α, of one bit about numbers spread evenly in c ± w, by their variances."""
    question = result.experiment
    crowd, k = question.crowd, question.k

    def variance(rounds: int) -> float:
        stretch = (1 / math.tanh(question.epsilon / rounds / 2)) ** 2
        x = np.linspace(-1, 1, 200_001) * crowd.half_width + crowd.center
        square, mean = float(np.mean(x**2)), float(np.mean(x))
        return float(stretch * crowd.reach**2 - square) / rounds + square - mean**2

    ratio = math.sqrt(variance(k) / variance(1))
    again = "once" if k == 1 else "even" if f"{ratio:.3g}" == "1" else "better" if ratio < 1 else "worse"
    return {"ratio": Near(ratio, 2e-4 * ratio), "again": again}


@of(protocols.SearchPathResult)
def _path(result: protocols.SearchPathResult, told: Facts, context: Context) -> Expected:
    grid = result.experiment.grid
    found = result.places[-1] * grid.delta - grid.reach if grid.tests else 0.0
    return {"found": found, "off": Near(abs(found - middle(result)), 1e-12)}


@of(protocols.SearchTailResult)
def _tail(result: protocols.SearchTailResult, told: Facts, context: Context) -> Expected:
    question, limit = result.experiment, float(result.limits[result.place]) * (1 + 1e-12)
    grid, crowd, n = question.grid, question.example.crowd, question.n
    places = [grid.delta * place - grid.reach for place in range(1, grid.cells)] if grid.tests else [0.0]
    far = np.abs(np.array(places) - crowd.center) > limit
    lie = 1 / (1 + math.exp(question.epsilon))
    alone = question.alone()
    yes = lie + (1 - 2 * lie) * min(max((1 + crowd.center / crowd.reach) / 2, 0), 1)
    tail = math.fsum(stats.binom.pmf(np.arange(n + 1), n, yes)[far[alone.ends() - 1]])
    law, groups = {1: 1.0}, question.groups()
    for test, size in enumerate(groups.groups.tolist(), 1):
        after: dict[int, float] = {}
        for place, chance in law.items():
            cut = (place - 1) * grid.delta - grid.reach + (grid.cells - test + 1) * grid.delta / 2
            above = min(max((crowd.center + crowd.half_width - cut) / (2 * crowd.half_width), 0), 1)
            share = lie + (1 - 2 * lie) * above
            up = float(stats.binom.sf(size // 2, size, share))
            down = float(stats.binom.cdf(size // 2, size, share))
            after[place] = after.get(place, 0.0) + chance * down
            after[place + 1] = after.get(place + 1, 0.0) + chance * up
        law = after
    listened = math.fsum(chance for place, chance in law.items() if far[place - 1])
    return {
        "alone": Near(tail, 1e-7 * tail + 1e-12),
        "groups": Near(listened, 1e-7 * listened + 1e-12),
        "either": "rare" if max(tail, listened) < 1e-6 else "told",
    }
