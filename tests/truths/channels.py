"""Truths about channels and worlds: what a mechanism or a matrix betrays, and what a limit leaves to a guess."""

from __future__ import annotations

import math
from itertools import permutations
from typing import Any

import numpy as np
from scipy import stats

from explorer.facts import Facts
from explorer.pages.verify.facts import report_of, true_value
from ldpcore.experiments import limits, verify
from ldpcore.experiments.verify import matrixpromises, measures, mistakes, owncounts, promises
from ldpcore.limits.errorlosses import loss_of
from tests.truths import Context, Expected, Near, of
from tests.truths.laws import binomials, delta, level


def attained(mechanism: Any) -> float:
    """The level of a mechanism, where its witness says that it is largest."""
    witness = mechanism.witness()
    own, seen = (mechanism.log_density(witness.report, each) for each in (witness.value, witness.other))
    return math.inf if seen == -math.inf else float(own - seen)


@of(verify.MechanismVerdict)
def _verdict(result: verify.MechanismVerdict, facts: Facts, context: Context) -> Expected:
    fails = max(result.check.delta, result.claim.delta)
    mechanism, report = result.check.mechanism, result.witness.report
    own: Any
    if not fails:
        own = attained(mechanism)
        own = own if math.isinf(own) else Near(own, 1e-8 * max(own, 1.0))
    else:
        laws = result.laws
        own = level(laws.first / laws.first.sum(), laws.second / laws.second.sum(), fails)
        own = Near(own, 0.05 * own + 1e-6)
    place, reports = ("classes" if result.laws.outcomes else "sorted"), ()
    if result.channel is not None:
        first, second = (result.channel.matrix[int(each)] for each in result.pair)  # type: ignore[call-overload]
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = np.abs(np.log(first) - np.log(second))
        ratios = np.where((first == 0) & (second == 0), 0.0, ratios)
        most = ratios >= ratios.max() * (1 - 1e-9) if np.isfinite(ratios.max()) else np.isinf(ratios)
        place, reports = "reports", tuple(str(result.channel.reports[at]) for at in np.flatnonzero(most))
    elif isinstance(report, float):
        place = "number"
    number = report if place == "number" else ""
    return {"level": own, "ratio": own, "place": place, "reports": list(reports), "report": number}


def matrix_level(matrix: np.ndarray) -> float:
    """The largest ratio in any column, in logarithms."""
    return max((level(one, other) for one, other in permutations(matrix, 2)), default=0.0)


@of(matrixpromises.MatrixPromiseResult)
def _matrix(result: matrixpromises.MatrixPromiseResult, facts: Facts, context: Context) -> Expected:
    matrix, promise, leak = result.question.channel.matrix, result.question.promise, result.leak
    own = matrix_level(matrix)
    column = int(leak.reports[0]) if leak.reports.size else 0
    first, second = float(matrix[leak.value, column]), float(matrix[leak.other, column])
    here = math.inf if second == 0 < first else math.log(first / second) if first else 0.0
    assert own == here or math.isclose(own, here, rel_tol=1e-9, abs_tol=1e-12), "what is named attains the level"
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.log(matrix.max(axis=0)) - np.log(matrix.min(axis=0))
    beyond = int(((ratios > promise * (1 + 1e-9)) & (matrix.max(axis=0) > 0)).sum())
    return {
        "level": own if math.isinf(own) else Near(own, 1e-9),
        "ratio": own,
        "first": true_value(result, leak.value),
        "second": true_value(result, leak.other),
        "report": report_of(result, column),
        "beyond": beyond,
    }


@of(verify.MergedMatrix)
def _merged(result: verify.MergedMatrix, facts: Facts, context: Context) -> Expected:
    before, after = matrix_level(result.question.channel.matrix), matrix_level(result.merged.matrix)
    return {"before": before, "after": after if math.isinf(after) else Near(after, 1e-9)}


@of(matrixpromises.NeededDeltaResult)
def _needed(result: matrixpromises.NeededDeltaResult, facts: Facts, context: Context) -> Expected:
    matrix = context.asked.channel.matrix
    fails = max((delta(one, other, result.alpha) for one, other in permutations(matrix, 2)), default=0.0)
    return {"needed": Near(fails, 1e-9)}


@of(promises.SmallerPromiseResult)
def _smaller(result: promises.SmallerPromiseResult, facts: Facts, context: Context) -> Expected:
    """The curve of what fails is convex: at any level it lies below its chords and above its neighbors' lines."""
    low, high = np.interp(result.alpha, result.epsilons, result.deltas), 0.0
    place = int(np.searchsorted(result.epsilons, result.alpha))
    if 2 <= place < len(result.epsilons):
        x, y = result.epsilons, result.deltas
        high = y[place - 1] + (y[place - 1] - y[place - 2]) / (x[place - 1] - x[place - 2]) * (
            result.alpha - x[place - 1]
        )
        return {"needed": Near((low + high) / 2, abs(low - high) / 2 + 1e-12)}
    return {"needed": Near(float(low), 0.05 * float(low) + 1e-9)}


@of(promises.BestTestResult)
def _test(result: promises.BestTestResult, facts: Facts, context: Context) -> Expected:
    """The best power is concave in the size: it lies above the chords of those drawn."""
    chord = float(np.interp(result.size, result.sizes, result.best))
    return {"power": Near(chord, 2e-3)}


@of(measures.MeasuresResult)
def _measures(result: measures.MeasuresResult, facts: Facts, context: Context) -> Expected:
    """What a test must err at least in sum is what total variation leaves."""
    tv = next(row for row in result.rows if row.slug == "tv")
    return {"errors": Near(1 - tv.forth, 1e-12)}


@of(verify.AuditResult)
def _audit(result: verify.AuditResult, facts: Facts, context: Context) -> Expected:
    bound, error = result.bounds[-1], 1 - result.audit.confidence
    own, other = bound.hits if bound.likelier == 0 else bound.hits[::-1]
    tries = bound.tries if bound.likelier == 0 else bound.tries[::-1]
    fails = result.claim.delta
    if not fails:
        share = stats.beta.ppf(error, own, other + 1) if own else 0.0
        proven = math.log(max(share / (1 - share), 1.0)) if share < 1 else math.inf
    else:
        low = stats.beta.ppf(error / 2, own, tries[0] - own + 1) if own else 0.0
        high = stats.beta.ppf(1 - error / 2, other + 1, tries[1] - other) if other < tries[1] else 1.0
        proven = math.log(max((low - fails) / high, 1.0))
    exact = attained(result.audit.mechanism) if not fails else result.exact
    return {
        "proven": Near(float(proven), 1e-6),
        "ends": "endless" if math.isinf(exact) else "finite",
        "exact": exact if math.isinf(exact) else Near(exact, 1e-8 * max(exact, 1.0)),
        "own_share": own / max(tries[0], 1),
        "other_share": other / max(tries[1], 1),
    }


@of(owncounts.OwnAuditResult)
def _own_audit(result: owncounts.OwnAuditResult, facts: Facts, context: Context) -> Expected:
    """Every event of one outcome, and of all but one, in both directions, each with its part of the error."""
    question = result.question
    first, second = np.array(question.first), np.array(question.second)
    events = [(first, second, False)]
    if len(first) > 2:
        events.append((first.sum() - first, second.sum() - second, True))
    error = (1 - question.confidence) / (2 * len(first) * len(events)) / 2
    found = []
    for one, other, complement in events:
        for likelier, (own, rival, n, m) in enumerate(
            ((one, other, first.sum(), second.sum()), (other, one, second.sum(), first.sum()))
        ):
            for outcome, (a, b) in enumerate(zip(own.tolist(), rival.tolist(), strict=True)):
                low = stats.beta.ppf(error, a, n - a + 1) if a else 0.0
                high = stats.beta.ppf(1 - error, b + 1, m - b) if b < m else 1.0
                found.append((math.log(low / high) if low > high else 0.0, outcome, complement, likelier))
    best, outcome, complement, likelier = max(found, key=lambda each: each[0])
    if best == 0:
        outcome, complement, likelier = 0, False, 0
    return {
        "proven": Near(best, 1e-9),
        "ratio": best,
        "outcome": outcome + 1,
        "event": "all_but_one" if complement else "one",
        "likelier": likelier + 1,
    }


@of(verify.GalleryResult)
def _gallery(result: verify.GalleryResult, facts: Facts, context: Context) -> Expected:
    return {"fakes": sum(type(each.mechanism).__module__.startswith("ldpcore.broken") for each in result.exhibits)}


@of(mistakes.Guesses)
def _guesses(result: mistakes.Guesses, facts: Facts, context: Context) -> Expected:
    pairs = zip(context.asked.given, context.asked.sound, strict=False)
    judged = [guess == sound for guess, sound in pairs if guess is not None]
    score = "some" if not judged or not all(judged) else "single" if len(judged) == 1 else "all"
    return {"right": sum(judged), "score": score}


# --- limits ----------------------------------------------------------------------------------------------------------


@of(limits.RateResult)
def _rate(result: limits.RateResult, facts: Facts, context: Context) -> Expected:
    """The mean loss of crowds that are drawn, near the exact risk; none where none are drawn."""
    here, loss = result.here, loss_of(result.experiment.loss)
    if math.isnan(here.achieved):
        return {"achieved": math.nan}
    if not math.isnan(here.exact):
        assert abs(here.achieved - here.exact) <= 4 * max(here.high - here.low, 1e-12), (here.achieved, here.exact)
    assert here.low <= here.achieved <= here.high
    return {"achieved": Near(loss.error(here.achieved), 1e-9 * loss.error(here.achieved))}


@of(limits.WorstWorldsResult)
def _worlds(result: limits.WorstWorldsResult, facts: Facts, context: Context) -> Expected:
    """n bits about whether somebody is where the first world has more: two binomials."""
    question = result.experiment
    if result.atoms:
        first, second = result.first_weights, result.second_weights
        share, other = float(first[first > second].sum()), float(second[first > second].sum())
        within = 1e-9
    else:
        x, first, second = result.xs, result.first_curve, result.second_curve
        more = first > second
        share, other = (float(np.trapezoid(np.where(more, law, 0), x)) for law in (first, second))
        within = 2e-2
    lie = 1 / (1 + math.exp(question.epsilon))
    one, rival = (lie + (1 - 2 * lie) * min(each, 1.0) for each in (share, other))
    distance = binomials(question.n, one, rival) if abs(one - rival) > 1e-15 else 0.0
    return {"guess": Near((1 + distance) / 2, within)}
