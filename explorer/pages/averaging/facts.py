"""The findings of the page about averaging: the quantities of its results, under the names in its texts."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import singledispatch

from explorer.facts import Exact, Facts, Level, Number, Share, Term, Truth, precise, reached
from explorer.facts.noising import case_of, follows, noise_facts, reports_facts
from explorer.facts.recommendations import planned
from ldpcore.estimating.estimatedanswers import EstimatedAnswer
from ldpcore.experiments.averaging import running as averaging
from ldpcore.experiments.averaging.piles import PileResult
from ldpcore.experiments.averaging.ratios import AveragedRatio, AveragedRatioResult
from ldpcore.experiments.averaging.shared import SharedBudgetResult
from ldpcore.experiments.counting.fromtruth import FromTruthResult
from ldpcore.experiments.recommending import sayable
from ldpcore.mechanisms.additivenoise import AdditiveNoise
from ldpcore.mechanisms.noisyanswers import NoisyAnswers

ALIKE = 0.005  # of a level: nearer prices are the same, but for rounding up


def by_reports(drawn: PileResult | FromTruthResult[PileResult]) -> str:
    """The case of texts without a curator, by people's behavior when they are asked again; empty with one."""
    result = drawn.result if isinstance(drawn, FromTruthResult) else drawn
    question = result.experiment.question
    if isinstance(question, AveragedRatio) or not isinstance(question.mechanism, EstimatedAnswer):
        return ""
    return "local kept" if question.mechanism.kept else case_of(question.mechanism)


def way_of(result: averaging.AveragingPlanResult) -> str:
    """The case of a plan: empty where asking again will do, or where once is more than enough; its own otherwise."""
    least = result.repeats == 1 and (sayable(result.once) or math.inf) >= result.experiment.mechanism.epsilon
    return "least" if least else "" if result.case == "possible" else result.case


@singledispatch
def facts(result: object) -> Facts:
    """The quantities of a result."""
    raise TypeError(f"a result about averaging must have its facts registered; got {type(result).__name__}")


@facts.register
def _from_truth(result: FromTruthResult) -> Facts:  # type: ignore[type-arg]
    return facts(result.result)


@facts.register
def _averaged(result: averaging.AveragingResult) -> Facts:
    noise = result.experiment.mechanism
    return {
        "kind": Term("kinds.single"),
        "epsilon": Level(noise.epsilon),
        "repeats": Exact(result.experiment.repeats),
        "error": follows(noise, Number(result.error)),
        "standard_error": follows(noise, Number(result.standard_error)),
        "spent": reached(result.spent),
        **_making(noise, result.experiment.repeats),
        "answer": Truth(precise(result.experiment.answer)),
        "average": Truth(precise(result.average)),
        "off": Number(abs(float(result.offsets[-1])), 2),
        "error_of_four": follows(noise, Number(result.error_at(4))),
        "spent_of_four": reached(result.spent_at(4)),
    }


def _making(noise: NoisyAnswers, times: int) -> Facts:
    """The source of one answer's noise."""
    if isinstance(noise, EstimatedAnswer):
        facts_of = {name: fact for name, fact in reports_facts(noise).items() if name != "error"}
        return {**facts_of, **_fresh(noise, times)}
    assert isinstance(noise, AdditiveNoise)
    return {
        "scale": Number(noise.scale),
        "single": Number(noise.mean_absolute_error()),
        "sensitivity": Number(noise.sensitivity),
        **noise_facts(noise),
    }


def _fresh(estimate: EstimatedAnswer, times: int) -> Facts:
    """The errors and costs of surveys, and of four times as many, where people throw fresh coins each time."""
    fresh = replace(estimate, again=True)
    nearer = estimate.deviation < estimate.trusted.standard_deviation()
    return {
        "closer": follows(estimate, Term(f"cases.{'alone' if nearer else 'curator'}")),
        "fresh_error": follows(fresh, Number(float(fresh.average_error(times)))),
        "fresh_of_four": follows(fresh, Number(float(fresh.average_error(4 * times)))),
        "fresh_spent_of_four": reached(averaging.AveragingExperiment(fresh, 0.0, 1).price(4 * times)),
    }


@facts.register
def _averaged_ratio(result: AveragedRatioResult) -> Facts:
    ratio, (error, spread) = result.experiment.ratio, result.error
    return {
        "kind": Term("kinds.ratio"),
        "epsilon": Level(result.experiment.epsilon),
        "half": reached(ratio.sum_noise.epsilon),
        **noise_facts(ratio.sum_noise),
        "repeats": Exact(result.experiment.repeats),
        "tries": Exact(ratio.repeats),
        "error": Number(error),
        "error_spread": Number(spread, 2),
        "standard_error": Number(result.spread),
        "spent": reached(result.spent),
        "sum_scale": Number(ratio.sum_noise.scale),
        "count_scale": Number(ratio.count_noise.scale),
        "sum_sensitivity": Number(ratio.sum_noise.sensitivity),
        "single": Number(ratio.count_noise.mean_absolute_error()),
        "count_sensitivity": Number(ratio.count_noise.sensitivity),
        "answer": Truth(precise(result.truth)),
        "average": Truth(Number(result.average, 6)),
        "off": Number(abs(float(result.offsets[-1])), 2),
        "error_of_four": Number(result.error_at(4)),
        "spent_of_four": reached(result.spent_at(4)),
    }


@facts.register
def _pile(result: PileResult) -> Facts:
    return {
        **facts(result.averaged),
        "total": Level(result.experiment.total),
        "left": reached(result.left),
        "affordable": Exact(result.affordable),
        "piled": Exact(len(result.singles)),
        "battery": Term(f"batteries.{'empty' if result.left <= 0 else 'charged'}"),
    }


@facts.register
def _attack(result: averaging.AttackResult) -> Facts:
    average, median = result.present
    ahead = "alone" if math.isnan(median) else result.ahead
    other = average if math.isnan(median) else median
    return {"chance": Share(average, 3), "median": Share(other, 3), "ahead": Term(f"estimators.{ahead}")}


@facts.register
def _shared(result: SharedBudgetResult) -> Facts:
    return {
        "shared": Number(result.error),
    }


@facts.register
def _plan(result: averaging.AveragingPlanResult) -> Facts:
    question, spent = result.experiment, result.spent or 0.0
    # Only of normal noise is a level beyond all numbers, and there many releases cost as much as one.
    once = result.once if math.isfinite(result.once) else spent
    said = sayable(once) or once
    return {
        "width": Number(question.width),
        "confidence": Share(question.confidence, 3),
        "once": planned(once),
        "alone": Term(f"cases.{'known' if once else 'none'}"),
        "needed": Exact(result.repeats or result.most),
        "price": reached(spent),
        "prices": Term(f"cases.{'alike' if abs(said - spent) <= ALIKE * said else 'apart'}"),
        "reached": Term(f"plans.{result.case}"),
    }
