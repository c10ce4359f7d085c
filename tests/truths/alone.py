"""Truths about answers that are estimated without a curator: laws enumerated from the rows of the table."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import signal, stats

from explorer.facts import Facts
from ldpcore.estimating.absoluteerrors import mean_error
from ldpcore.estimating.estimatedanswers import EstimatedAnswer, EstimatedCount
from ldpcore.experiments.counting.alone import EstimatesInCrowdsResult, OneEstimateResult, ReportBetsResult
from ldpcore.experiments.counting.releases import CountPlanResult
from ldpcore.people.populations import Population
from ldpcore.tables.queries import Mean
from tests.truths import Context, Expected, Near, of
from tests.truths.rows import added, true_answer


@dataclass(frozen=True)
class Estimated:
    """The mean absolute error and the standard deviation of an estimate, found again."""

    error: float
    deviation: float


def law(held: int, n: int, level: float) -> tuple[Any, Any]:
    """Every estimate of a count less the truth, and its chance: two binomials, where they are not negligible."""
    honest, parts, start = 1 / (1 + math.exp(-level)), [], 0
    for many, chance in ((held, honest), (n - held, math.exp(-level) * honest)):
        reach = 12 * math.sqrt(many * honest * (1 - honest)) + 60
        low, high = max(0, math.floor(many * chance - reach)), min(many, math.ceil(many * chance + reach))
        parts.append(stats.binom.pmf(np.arange(low, high + 1), many, chance))
        start += low
    chances = np.maximum(signal.convolve(*parts), 0)
    yes = start + np.arange(len(chances))
    return (yes - n * math.exp(-level) * honest) / math.tanh(level / 2) - held, chances


def again(mechanism: EstimatedAnswer, context: Context, times: int = 1, level: float | None = None) -> Estimated:
    """An estimate, or an average of so many, at the level of the mechanism or at another one."""
    rows, level = added(context), mechanism.epsilon if level is None else level
    times = 1 if mechanism.kept else times
    if isinstance(mechanism, EstimatedCount):
        errors, chances = law(int(sum(rows)) * times, len(rows) * times, level)
        return Estimated(float(chances @ np.abs(errors)) / times, math.sqrt(float(chances @ errors**2)) / times)
    query = context.asked.question.query
    low, high = (min(query.low, 0.0), max(query.high, 0.0)) if query.where.conditions else (query.low, query.high)
    scaled, counts = np.unique([2 * (value - low) / (high - low) - 1 for value in rows], return_counts=True)
    people, randomizer = Population(scaled, counts * times), mechanism.at_level(level).randomizer
    unit = (high - low) / 2 * (1 if isinstance(query, Mean) else len(rows))
    off = mean_error(randomizer, people)  # type: ignore[arg-type]
    assert off is not None
    return Estimated(unit * off, unit * math.sqrt(float(randomizer.variance(people))))


def counted(result: Any, context: Context) -> Expected:
    """The first view of *Counting*: estimates, their error, and that of simulated ones."""
    true, mechanism = true_answer(context), result.experiment.mechanism
    one, half = again(mechanism, context), again(mechanism, context, level=max(mechanism.epsilon / 2, 1e-3))
    spread = math.sqrt(max(one.deviation**2 - one.error**2, 0.0) / result.rounds)
    return {
        "answer": true,
        "error": Near(one.error, 1e-5 * one.error),
        "single": Near(one.error, 1e-5 * one.error),
        "deviation": Near(one.deviation, 1e-6 * one.deviation),
        "of_answer": Near(one.error / abs(true), 1e-5 * one.error / abs(true)) if true else math.inf,
        "of_crowd": Near(one.error / result.experiment.n, 1e-5 * one.error / result.experiment.n),
        "simulated": Near(one.error, 7 * spread),
        "standard_error": Near(spread, 1e-3 * spread),
        "tenth": Near(one.error / 10, 1e-5 * one.error),
        **beside(mechanism, context),
        "halved": Near(half.error, 1e-5 * half.error),
    }


def beside(mechanism: EstimatedAnswer, context: Context) -> Expected:
    """How an estimate stands beside that of ten times as many people, and beside a curator's Laplace noise."""
    fresh = replace(mechanism, again=True)
    one, ten = again(fresh, context), again(fresh, context, 10)
    moved = 1.0 if isinstance(mechanism, EstimatedCount) else 2 * mechanism.unit / mechanism.n
    trusted = math.sqrt(2) * moved / mechanism.epsilon
    nearer = one.error / ten.error
    return {
        "nearer": Near(nearer, 1e-5 * nearer),
        "closer": "alone" if one.deviation < trusted else "curator",
    }


def averaged(result: Any, context: Context) -> Expected:
    """The mean of many estimates, and of four times as many."""
    times, mechanism = result.experiment.repeats, result.experiment.mechanism
    one, many, four = (again(mechanism, context, each) for each in (1, times, 4 * times))
    fresh = [again(replace(mechanism, again=True), context, each) for each in (times, 4 * times)]
    return {
        "single": Near(one.error, 1e-5 * one.error),
        "deviation": Near(one.deviation, 1e-6 * one.deviation),
        "error": Near(many.error, 1e-5 * many.error),
        "average_error": Near(many.error, 1e-5 * many.error),
        "standard_error": Near(many.deviation, 1e-5 * many.deviation),
        "error_of_four": Near(four.error, 1e-5 * four.error),
        "fresh_error": Near(fresh[0].error, 1e-5 * fresh[0].error),
        "fresh_of_four": Near(fresh[1].error, 1e-5 * fresh[1].error),
        **beside(mechanism, context),
    }


@of(OneEstimateResult)
def _estimate(result: OneEstimateResult, told: Facts, context: Context) -> Expected:
    released, rows = told["released"].value, added(context)  # type: ignore[attr-defined]
    errors, chances = law(int(sum(rows)), len(rows), result.experiment.mechanism.epsilon)
    order = np.argsort(np.abs(errors), kind="stable")
    width = float(np.abs(errors)[order][np.searchsorted(np.cumsum(chances[order]), 0.95)])
    ends = Near(released - width, 1e-6 * width), Near(released + width, 1e-6 * width)
    return {"off": abs(released - true_answer(context)), "likely": ends}


def inside(rows: list[float], level: float, width: float) -> float:
    """How often an estimated count is within the width."""
    errors, chances = law(int(sum(rows)), len(rows), level)
    return float(chances[np.abs(errors) <= width * (1 + 1e-12) + 1e-9].sum())


@of(ReportBetsResult)
def _bets(result: ReportBetsResult, told: Facts, context: Context) -> Expected:
    half = -result.experiment.apart / 2
    rounds = zip(result.offsets, result.inside, strict=True)
    return bets_won([(offset > half) == inside for offset, inside in rounds])


def bets_won(won: list[bool]) -> Expected:
    """The bets that are won, and whether these are all or none."""
    return {"right": sum(won), "winning": "all" if all(won) else "some" if any(won) else "none"}


@of(CountPlanResult)
def _plan(result: CountPlanResult, told: Facts, context: Context) -> Expected:
    """The level is enough, and a hundredth less is not; of the width the law is asked."""
    if context.asked.curated():
        return {}
    rows, question = added(context), result.experiment
    enough, less = (inside(rows, result.epsilon * share, question.width) for share in (1.0, 1 - 1e-6))
    assert less < question.confidence <= enough + 1e-9
    errors, chances = law(int(sum(rows)), len(rows), question.mechanism.epsilon)
    order = np.argsort(np.abs(errors), kind="stable")
    reach = float(np.abs(errors)[order][np.searchsorted(np.cumsum(chances[order]), question.confidence)])
    within = inside(rows, question.mechanism.epsilon, question.width)
    return {
        "needed": Near(result.epsilon, 1e-2 * result.epsilon),
        "reach": Near(reach, 1e-6 * reach),
        "within": Near(within, 1e-9),
    }


@of(EstimatesInCrowdsResult)
def _estimates(result: EstimatesInCrowdsResult, told: Facts, context: Context) -> Expected:
    rows = added(context)
    errors, chances = law(10 * int(sum(rows)), 10 * len(rows), result.experiment.mechanism.epsilon)
    off = float(chances @ np.abs(errors))
    return {
        "true_share": sum(rows) / len(rows),
        "error_of_ten_crowds": Near(off, 1e-6 * off),
        "of_ten_crowds": Near(off / (10 * len(rows)), 1e-6 * off / len(rows)),
    }
