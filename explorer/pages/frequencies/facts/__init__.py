"""The findings of the page about frequencies: the quantities of its results, under the names in its texts."""

from __future__ import annotations

import math
from functools import lru_cache, singledispatch
from typing import Any

from explorer.facts import (
    Count,
    Facts,
    Level,
    Name,
    Names,
    Number,
    PercentagePoints,
    Quantity,
    QuantityRange,
    Said,
    Share,
    Term,
    Truth,
    likeness,
    reached,
    written_alike,
)
from explorer.facts.naming import called, opened, short_of, title_of
from explorer.facts.recommendations import planned
from explorer.pages.frequencies.facts.reports import form, reported
from ldpcore.estimating.adviser import Advice, Option
from ldpcore.estimating.intervals import Bounds
from ldpcore.experiments import frequencies
from ldpcore.experiments.frequencies import collecting
from ldpcore.experiments.frequencies.decoding import DecodingResult
from ldpcore.experiments.frequencies.enclosing import Enclosing
from ldpcore.experiments.frequencies.weighing import WeighedAdvice
from ldpcore.mechanisms.base import FrequencyOracle
from ldpcore.questions import Result

Labels = tuple[str, ...]


def facts(result: Result) -> Facts:
    """The quantities of a result, with the names of its answers."""
    inner, names = opened(result)
    return _facts(inner, names)


@singledispatch
def _facts(result: object, names: Labels = ()) -> Facts:
    raise TypeError(f"a result about frequencies must have its facts registered; got {type(result).__name__}")


@lru_cache(maxsize=8)  # each scene asks two or three times, and each language again
def _kept(randomizer: FrequencyOracle) -> float:
    """The level that a report keeps, which Bloom filters search for among their pairs of words."""
    return randomizer.guarantee().epsilon


def _of_crowd(n: int) -> Quantity:
    """The crowd that a count is off in; one person is no crowd."""
    return Said.of("of_crowds.one") if n == 1 else Said.of("of_crowds.many", n=Count(n))


@_facts.register
def _collected(result: frequencies.FrequencyResult, names: Labels = ()) -> Facts:
    randomizer: Any = result.experiment.randomizer
    top, spread, kept = result.top, result.typical_error, _kept(randomizer)
    lost = not math.isfinite(spread)
    quantities: dict[str, Quantity] = {
        "epsilon": Level(randomizer.epsilon),
        "n": Count(result.experiment.population.n),
        "k": Count(randomizer.k),
        "mechanism": title_of(randomizer.slug),
        "reference": Name(randomizer.reference),
        "off": Count(result.off),
        "error": PercentagePoints(spread, 3),
        "absolute": PercentagePoints(result.mean_absolute_error[0], 3),
        "law": Term(f"cases.{'exact' if result.mean_absolute_error[1] else 'normal'}"),
        "top": Truth(called(top, randomizer.k, names)),
        "top_share": Truth(Share(result.truth[top], spread=spread)),
        "top_estimate": Share(result.first[top], spread=spread),
        "halved": PercentagePoints(result.typical_error_at(0.5), 3),
        "fourfold": PercentagePoints(result.typical_error_with(4), 3),
        "repeats": Count(result.experiment.repeats),
        "kept": Number(kept, 4),
        "told": Term("cases.lost" if lost else "cases.known"),
        "of_crowd": _of_crowd(result.experiment.population.n),
        "curator": Term("cases.none"),
        "hold": Term("cases.alone"),
        "meant": Term("cases.asked"),
        "promise": Term(f"cases.{'same' if written_alike(kept, randomizer.epsilon, 4) else 'stricter'}"),
    }
    return quantities | _lies(randomizer)


def _lies(randomizer: Any) -> dict[str, Quantity]:
    """The chances of reports to speak for answers, where they do: for the own one, and for any other."""
    if not isinstance(randomizer, FrequencyOracle):
        return {}
    return {
        "p": Number(randomizer.p, 4),
        "q": Number(randomizer.q, 4),
        "own": Share(randomizer.p, 3),
        "lies": Share(randomizer.q, 3),
        "factor": Number(1 / randomizer.gap),
    }


@_facts.register
def _brought(result: frequencies.RealReportsResult, names: Labels = ()) -> Facts:
    question, oracle, top, spread = result.experiment, result.oracle, result.top, result.spread
    k = oracle.k

    def interval(bounds: Bounds) -> QuantityRange:
        inside = bounds.clamped()
        digits = max(spread, float(inside.high[top] - inside.low[top]) / 10 or 1e-3)
        return QuantityRange(
            Share(float(inside.low[top]), spread=digits), Share(float(inside.high[top]), spread=digits)
        )

    return {
        **_lies(oracle),
        "epsilon": reached(oracle.guarantee().epsilon),
        "n": Count(question.n),
        "k": Count(k),
        "mechanism": title_of(oracle.slug),
        "reference": Name(oracle.reference),
        "top": called(top, k, names),
        "top_estimate": Share(float(result.estimates[top]), spread=spread),
        "top_interval": interval(result.bounds),
        "top_worst": interval(result.worst),
        "top_reports": Count(question.counts[top]),
        "error": PercentagePoints(spread, 3),
        "hold": Term("cases.together" if question.together else "cases.alone"),
        "silent": Count(question.silent),
        "meant": Term("cases.everybody" if question.sampled else "cases.asked"),
        "surely": Share(question.confidence, 3),
        "certainty": Said.of(
            f"certainties.{'together' if question.together else 'alone'}", surely=Share(question.confidence, 3)
        ),
        "invited": Count(question.n + question.silent),
    }


@_facts.register
def _curator(result: collecting.CuratorCountsResult, names: Labels = ()) -> Facts:
    return {"curator": Term("cases.there"), "curator_reach": PercentagePoints(result.reach)}


@_facts.register
def _enclosing(result: Enclosing, names: Labels = ()) -> Facts:
    return {
        "hold": Term("cases.together" if result.together else "cases.alone"),
        "meant": Term("cases.everybody" if result.sampled else "cases.asked"),
    }


@_facts.register
def _decoding(result: DecodingResult, names: Labels = ()) -> Facts:
    k, off = len(result.decoded), [math.sqrt(error) for error in result.errors()]
    group = result.collisions[0] if result.collisions else ()
    return {
        "words": Count(k),
        "proven": Count(int(result.recovered.sum())),
        "missed": Truth(Count(len(result.missed))),
        "invented": Truth(Count(len(result.invented))),
        "groups": Count(len(result.collisions)),
        "group": Names(tuple(called(word, k, names) for word in group)),
        "parted": Term("cases.lost" if result.undetermined.all() else "cases.known"),
        "raw_off": Truth(PercentagePoints(off[0], 3)),
        "fit_off": Truth(PercentagePoints(off[1], 3)),
        "closer": Truth(likeness(off[0], off[1])),
    }


@_facts.register
def _advice(result: Advice, names: Labels = ()) -> Facts:
    first, runner = result.options[0], min(1, len(result.options) - 1)
    return {
        **_option(first),
        "next": title_of(result.options[runner].randomizer.slug),
        "margin": Number(result.margins[runner], 4),
        "members": Count(len(result.options)),
        "criterion": Term(f"criterion_options.{result.experiment.criterion}"),
    }


@_facts.register
def _weighed(result: WeighedAdvice, names: Labels = ()) -> Facts:
    by, options = result.experiment.by, result.advice.options
    least = min(range(len(options)), key=lambda place: (float(f"{result.weights[place]:.9e}"), place))
    return {
        **_advice(result.advice, names),
        "by": Term(f"cost_options.{by}"),
        "leader": title_of(options[least].randomizer.slug),
        "least_cost": cost(by, float(result.weights[least])),
        "best_cost": cost(by, float(result.weights[0])),
        "last": Count(result.last),
    }


def cost(by: str, value: float) -> Quantity:
    """The cost of a mechanism, in the unit of the weighed quantity."""
    if by == "error":
        return PercentagePoints(value, 3)
    return Share(value, 3) if by == "guess" else Number(value)


def _option(option: Option) -> dict[str, Quantity]:
    """The best mechanism's name, error and costs."""
    return {
        "best": title_of(option.randomizer.slug),
        "best_error": PercentagePoints(option.typical_error, 3),
        "best_bits": Number(option.bits),
        "best_operations": Number(option.randomizer.operations()),
        "best_guess": Share(option.randomizer.best_guess(), 3),
    }


@_facts.register
def _top(result: frequencies.TopTenResult, names: Labels = ()) -> Facts:
    k, false = result.experiment.population.k, result.false.tolist()
    return {
        "size": Count(len(result.true_top)),
        "list": Count(len(result.first)),
        "right": Truth(Number(result.mean_right, 6 if written_alike(result.mean_right, len(result.first)) else 3)),
        "finding": Truth(Term(f"cases.{_finding(result)}")),
        "found": Truth(Share(result.mean_right / len(result.true_top), 3)),
        "standard_error": Truth(Number(result.standard_error, 2)),
        "listed": Count(result.experiment.repeats),
        "false_count": Truth(Count(len(false))),
        "false": Truth(Names(tuple(called(v, k, names) for v in false))),
    }


def _finding(result: frequencies.TopTenResult) -> str:
    """Whether the list has one answer alone, and whether all on it are said to belong there."""
    if len(result.first) == 1 and result.experiment.repeats == 1:
        return "right" if result.mean_right else "wrong"
    if len(result.first) == 1:
        return "single"
    return "all" if result.mean_right == len(result.first) else "some"


@_facts.register
def _rule(result: collecting.OneRuleResult, names: Labels = ()) -> Facts:
    top, k = int(result.rules.truth.argmax()), len(result.rules.truth)
    quantities: dict[str, Quantity] = {
        "least_rule": Term(f"rules.{result.least.rule.slug}"),
        "rule": Term(f"rules.{result.experiment.rule}"),
        "asked": Count(result.experiment.estimate.repeats),
        "favorite": Truth(called(top, k, names)),
        "chance": Number(result.raw.chance),
        "top_mean": Truth(Share(float(result.mean(result.chosen)[top]), 3)),
        "top_truth": Truth(Share(float(result.rules.truth[top]), 3)),
    }
    for prefix, row in (("", result.chosen), ("raw_", result.raw)):
        quantities[f"{prefix}bias"] = Number(row.bias_squared)
        quantities[f"{prefix}variance"] = Number(row.variance)
        quantities[f"{prefix}squared"] = Number(row.mean_squared_error)
    return quantities


def ruled(result: collecting.OneRuleResult) -> str:
    """The case of the texts about rules: all of them or one, by the kind of report, and whether answers look alike."""
    numbers = "" if isinstance(result.experiment.estimate.randomizer, FrequencyOracle) else "numbers"
    lost = "" if math.isfinite(result.raw.mean_squared_error) else "lost"
    return " ".join(part for part in ("split" if result.experiment.by == "split" else "", numbers, lost) if part)


@_facts.register
def _report(result: frequencies.CategoryReportResult, names: Labels = ()) -> Facts:
    value, k = result.experiment.value, result.experiment.randomizer.k
    return {
        "guess": called(result.guess, k, names),
        "belief": Share(float(result.posterior[result.guess]), 3),
        "value": Truth(called(value, k, names)),
        "times_loss": Number(math.exp(result.loss), 4),
        "times_promised": Number(math.exp(_kept(result.experiment.randomizer)), 4),
        "form": Term(f"forms.{form(result)}"),
        **reported(result, names),
    }


@_facts.register
def _best_mechanism(result: frequencies.BestMechanismResult, names: Labels = ()) -> Facts:
    if result.slug is None or result.said is None:
        return {}
    return {"planned": short_of(result.slug), "least": Level(result.said)}


@_facts.register
def _rivals(result: frequencies.RivalPlansResult, names: Labels = ()) -> Facts:
    return {}


def best_first(best: frequencies.BestMechanismResult, plan: frequencies.FrequencyPlanResult, *rivals: object) -> str:
    """Whether another mechanism needs a smaller level than one's own, or one's own none."""
    if best.said is None or best.slug == plan.experiment.randomizer.slug:
        return ""
    return "" if plan.said is not None and plan.said <= best.said else "better"


@_facts.register
def _plan(result: frequencies.FrequencyPlanResult, names: Labels = ()) -> Facts:
    question = result.experiment
    return {
        "n": Count(question.n),
        "share": Share(question.share, 4),
        "width": PercentagePoints(question.width, 4),
        "confidence": Share(question.confidence, 4),
        "reach": PercentagePoints(result.width, 3),
        "people": Count(result.people if math.isfinite(result.people) else 0),
        "reaching": Term(f"cases.{_reaching(result.width)}"),
        "floor": PercentagePoints(result.floor, 3),
        "plan": Term(f"cases.{result.case}"),
        "offers": Term(f"cases.{result.case if math.isfinite(result.width) else 'never'}"),
        "whom": Term(f"cases.{_whom(result)}"),
        "needed": planned(result.epsilon) if result.said is None else Level(result.said),
        "yours": short_of(question.randomizer.slug),
        "meant": Term("cases.everybody" if question.sampled else "cases.asked"),
    }


def _reaching(width: float) -> str:
    """How near a plan comes: not at all, as near as can be, or within a width."""
    return "never" if math.isinf(width) else "exact" if width == 0 else "within"


def _whom(result: frequencies.FrequencyPlanResult) -> str:
    """The case of a plan; where some level keeps it, the people it is about: everybody, or those asked alone."""
    if result.case != "possible":
        return result.case
    return "everybody" if result.experiment.sampled else "asked"
