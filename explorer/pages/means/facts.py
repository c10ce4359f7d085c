"""The findings of the page about means: the quantities of its results, in the reader's unit, by name."""

from __future__ import annotations

import math
from functools import singledispatch

from explorer.facts import Count, Exact, Facts, Level, Name, Number, Quantity, Said, Share, Term, Times, Truth, near
from explorer.facts.naming import opened, title_of
from explorer.facts.numbers import Labels, known, rounded_interval, unit_of
from explorer.facts.recommendations import planned
from explorer.text.numerals import read
from ldpcore.experiments import means
from ldpcore.experiments.named import PerhapsNamed
from ldpcore.mechanisms.base import Guarantee
from ldpcore.questions import Result


def facts(result: Result) -> Facts:
    """The quantities of a result, in the unit of its column."""
    answer, names = opened(result)
    return {**_facts(answer, names), "unit": unit_of(names)}


@singledispatch
def _facts(result: object, names: Labels = ()) -> Facts:
    raise TypeError(f"a result about means must have its facts registered; got {type(result).__name__}")


def reading(result: means.MeanSurveyResult) -> str:
    """The case of a survey: it tells nothing where its interval holds the whole scale, or is told as outside of it."""
    low, high = result.interval
    if low <= result.scale.low and high >= result.scale.high:
        return "nothing"
    rounded = near(result.estimate, result.standard_error).value
    return "inside" if result.scale.low <= rounded <= result.scale.high else "outside"


def _promise(claim: Guarantee) -> Facts:
    """A level alone, or one with a chance of failure."""
    return {"promise": Term("cases.delta" if claim.delta else "cases.pure"), "delta": Number(claim.delta)}


def _clipped(result: means.MeanSurveyResult) -> Facts:
    """The effect of the bounds on the numbers."""
    clipping = result.clipping
    case = "invented" if clipping is None else "moved" if clipping.moved else "unmoved"
    return {
        "clipped": Term(f"cases.{case}"),
        "moved": Truth(Count(clipping.moved if clipping else 0)),
        "bias": Truth(Number(clipping.bias if clipping else 0.0)),
        "before": Truth(known(result.unclipped_truth, result.standard_error, result.scale)),
    }


@_facts.register
def _survey(result: means.MeanSurveyResult, names: Labels = ()) -> Facts:
    question, spread, randomizer = result.experiment, result.standard_error, result.experiment.randomizer
    claim, low, high = randomizer.claim(), result.scale.low, result.scale.high
    return {
        **_promise(claim),
        **_clipped(result),
        "alpha": Level(claim.epsilon),
        "n": Count(result.n),
        "mechanism": title_of(randomizer.slug),
        "reference": Name(randomizer.reference),
        "low": Exact(low),
        "high": Exact(high),
        "confidence": Share(question.confidence, 3),
        "estimate": near(result.estimate, spread),
        "interval": rounded_interval(result.interval, max(spread, (result.interval[1] - result.interval[0]) / 40)),
        "truth": Truth(known(result.truth, spread, result.scale)),
        "error": Number(spread),
        "absolute": Number(result.mean_absolute_error),
        "shown": Count(len(result.reports)),
        "drawn": Term(f"cases.{'all' if len(result.reports) == result.n else 'some'}"),
        "beyond": Term(f"cases.{'all' if result.outside == len(result.reports) else 'some'}"),
        "one": Number(result.report_deviation),
        "outside": Count(result.outside),
        "reads": Truth(Term(f"cases.{reading(result)}")),
        "halved": Number(result.standard_error_at(0.5)),
        "fourfold": Number(result.standard_error_with(4)),
        "range": Number(high - low),
        "rule": Term(f"cases.{randomizer.slug}"),
        "meant": Term("cases.everybody" if question.sampled else "cases.asked"),
        "price": Truth(Number(result.price if math.isfinite(result.price) else 0.0)),
        "alike": Truth(Term(f"cases.{'apart' if math.isfinite(result.price) else 'alike'}")),
    }


@_facts.register
def _real(result: means.RealMeanResult, names: Labels = ()) -> Facts:
    question, (low, high) = result.question, result.interval
    spread = max((high - low) / 20, 1e-6 * question.scale.half)
    return {
        "alpha": Level(question.randomizer.claim().epsilon),
        "level": Level(question.randomizer.claim().epsilon),
        "n": Count(question.n),
        "mechanism": title_of(question.randomizer.slug),
        "confidence": Share(question.confidence, 3),
        "estimate": near(question.mean, spread),
        "interval": rounded_interval((low, high), spread),
        "low": Exact(question.scale.low),
        "high": Exact(question.scale.high),
        "error": Number(result.worst_error),
        "meant": Term("cases.everybody" if question.sampled else "cases.asked"),
    }


@_facts.register
def _report(result: means.NumberReportResult, names: Labels = ()) -> Facts:
    question, loss = result.experiment, result.loss
    places = question.scale.outward([question.first, question.second, result.decoded]).tolist()
    likelier, other = ("first", "second") if loss >= 0 else ("second", "first")
    senders = ("first", "second")
    return {
        **_promise(result.claim),
        "first": Number(places[0]),
        "second": Number(places[1]),
        "report": Number(places[2]),
        "times": Number(math.exp(min(abs(loss), 700.0))),
        "more": Term(f"persons.{likelier}"),
        "less": Term(f"persons.{other}"),
        "belief": Share(1 / (1 + math.exp(-abs(loss))), 3),
        "guess": Share(result.best_guess, 3),
        "limit": Times(result.claim.epsilon),
        "sender": Truth(Term(f"persons.{senders[result.sender]}")),
    }


@_facts.register
def _variance(result: means.VarianceOverXResult, names: Labels = ()) -> Facts:
    return {}  # its figure says it all


@_facts.register
def _beside(result: means.SideBySideResult, names: Labels = ()) -> Facts:
    best, here = result.best(), result.best(worst=False)
    return {
        "best": title_of(best),
        "best_one": Number(result.deviation(best)),
        "best_error": Number(result.error(best)),
        "here": title_of(here),
        "here_error": Number(result.error(here, worst=False)),
    }


def called(names: Labels) -> tuple[Quantity, Quantity]:
    """The names of the two groups: by a condition, by their shapes, or every other person."""
    own = names[1:]
    if len(own) == 4:
        column, one, other, value = own
        return _condition(column, one, value), _condition(column, other, value)
    if len(own) == 2:
        return Term(f"shape_options.{own[0]}"), Term(f"shape_options.{own[1]}")
    return Term("row_options.odd"), Term("row_options.even")


def _condition(column: str, sign: str, value: str) -> Said:
    quantity: Quantity = Name(value)
    if sign in ("≥", "<"):
        quantity = Exact(read(value))
    return Said.of("asking.compared", column=Name(column), relation=Name(sign), value=quantity)


@_facts.register
def _groups(result: means.TwoGroupsResult, names: Labels = ()) -> Facts:
    one, other = called(names)
    question, spread = result.experiment, result.standard_error
    return {
        "one_group": one,
        "other_group": other,
        "n_one": Count(question.first.n),
        "n_other": Count(question.second.n),
        "gap": near(result.estimate, spread),
        "between": rounded_interval(result.interval, spread),
        "gap_error": Number(spread),
        "true_gap": Truth(known(result.truth, spread, question.first.scale)),
    }


@_facts.register
def _plan(result: means.MeanPlanResult, names: Labels = ()) -> Facts:
    own, best, fewest = result.needs[0], result.best, result.fewest
    return {
        "width": Number(result.experiment.width),
        "reach": Number(own.reach),
        "needed": planned(own.epsilon),
        "people": Count(own.people or 0),
        "least": planned(best.epsilon if best else None),
        "planned": title_of(best.slug if best else own.slug),
        "fewest": title_of(fewest.slug),
        "leads": Term(f"cases.{'own' if fewest.slug == own.slug else 'other'}"),
        "fewest_people": Count(fewest.people or 0),
    }


# --- which sentence holds ---------------------------------------------------------------------------------------------


def apart(result: PerhapsNamed[means.TwoGroupsResult]) -> str:
    """Whether the reports tell two groups apart."""
    return "apart" if opened(result)[0].told_apart else "together"


def read_as(result: means.RealMeanResult) -> str:
    """The case of reports that were really collected."""
    return result.reading


def possible(result: PerhapsNamed[means.MeanPlanResult]) -> str:
    """Whether some level keeps the wish."""
    return "possible" if opened(result)[0].needs[0].epsilon is not None else "impossible"
