"""The findings of the page about curves: the quantities of its results, under the names in its texts."""

from __future__ import annotations

import math
from functools import singledispatch

from explorer.facts import (
    Count,
    Exact,
    Facts,
    Level,
    Name,
    Number,
    Quantity,
    Scientific,
    Share,
    Term,
    Truth,
    likeness,
    written_alike,
)
from explorer.facts.naming import opened
from explorer.facts.recommendations import planned
from ldpcore.experiments import regression
from ldpcore.experiments.named import PerhapsNamed
from ldpcore.people.observed import ObservedPairs
from ldpcore.people.partitions import Partition
from ldpcore.questions import Result

Labels = tuple[str, ...]
NOTHING = 1e-6  # an error that rounding makes
LISTED = 10_000  # cells up to which their number is told in full


def facts(result: Result) -> Facts:
    """The quantities of a result."""
    bare, names = opened(result)
    return _facts(bare, names)


@singledispatch
def _facts(result: object, names: Labels = ()) -> Facts:
    raise TypeError(f"a result about curves must have its facts registered; got {type(result).__name__}")


def reading(result: regression.CurveSurveyResult) -> str:
    """The case of a survey: nothing where every cell sinks; of a table nobody knows the true curve."""
    if result.sunk == result.cells:
        return "nothing" if result.known else "lost"
    return "" if result.known else "table"


def many(value: float) -> Quantity:
    """A number of people, which may be more than anybody counts, or none where no number is enough."""
    return Count(rounded(math.ceil(value))) if math.isfinite(value) else Count(0)


def rounded(value: float) -> int:
    """A whole number to two digits."""
    return round(float(f"{value:.1e}"))


def _near(value: float) -> Number:
    return Number(value, 2)


def axes_of(result: regression.CurveSurveyResult, names: Labels) -> dict[str, Quantity]:
    """The names of the axes: by the columns of a table, by x and y where people are invented."""
    x, y = names or ("x", "y")
    return {"x_name": Name(x), "y_name": Name(y)}


@_facts.register
def _survey(result: regression.CurveSurveyResult, names: Labels = ()) -> Facts:
    question, tuning = result.experiment, result.experiment.tuning
    location, response = (noise.standard_deviation() for noise in question.randomizer.noises)
    cells, n = result.steps.partition, result.experiment.people.n
    source = question.source
    return {
        **axes_of(result, names),
        "alpha": Level(question.epsilon),
        "n": Count(n),
        "cells": Count(result.cells),
        "side": Number(tuning.side),
        "threshold": Number(tuning.threshold),
        "bound": Number(tuning.bound),
        "part": Share(tuning.part),
        "sunk": Count(result.sunk),
        "left": Count(result.cells - result.sunk),
        "error": Truth(_near(result.error)),
        "absolute": Truth(_near(result.absolute_error)),
        "honest": Truth(_near(result.direct_error)),
        "closeness": Truth(likeness(result.error, result.direct_error, 2)),
        "flat": Truth(_near(result.flat_error)),
        "floor": Truth(_near(result.floor)),
        "leaving": Truth(Term(f"verdicts.{_leaving(result)}")),
        "moved": Truth(Share(result.truncated)),
        "location_noise": Number(location),
        "response_noise": Number(response),
        "cell_noise": Share(location / math.sqrt(n) / cells.volume),
        "water": Share(tuning.threshold),
        "kind": Term(f"kind_options.{question.kind}"),
        "zero": Term(f"verdicts.{'zero' if result.known else 'middle'}"),
        "missing": Count(source.missing if isinstance(source, ObservedPairs) else 0),
    }


def _leaving(result: regression.CurveSurveyResult) -> str:
    """Whether these cells leave some of the error to any number of people; of a table nobody knows."""
    if not result.known:
        return "unknown"
    return "some" if result.floor > NOTHING else "nothing"


@_facts.register
def _curator(result: regression.CuratorCurveResult, names: Labels = ()) -> Facts:
    location, response = (noise.standard_deviation() for noise in result.experiment.randomizer.noises)
    return {
        "curator_error": Truth(_near(result.error)),
        "curator_location": Number(location),
        "curator_response": Number(response),
    }


@_facts.register
def _report(result: regression.OnePointResult, names: Labels = ()) -> Facts:
    question, (location, response) = result.experiment, result.deviations
    return {
        "x": Truth(Number(question.x)),
        "y": Truth(Number(question.y)),
        "cell": Truth(Count(result.cell + 1)),
        "numbers": Count(2 * len(result.location)),
        "each": Count(len(result.location)),
        "guess": Count(result.guess + 1),
        "verdict": Truth(Term(f"verdicts.{'right' if result.right else 'wrong'}")),
        "sd_location": Number(location),
        "sd_response": Number(response),
        "apart": Share(result.told_apart, 3),
    }


@_facts.register
def _sides(result: regression.ChoiceOfSideResult, names: Labels = ()) -> Facts:
    question, d = result.experiment, result.experiment.model.dimensions
    honest = round(1 / result.best_honest) ** d
    return {
        "space": Term(f"cases.{'plane' if d == 2 else 'line'}"),
        "best": Count(round(1 / result.best) ** d),
        "best_honest": Count(honest if honest <= LISTED else rounded(honest)),
        "best_error": _near(math.sqrt(float(result.private.min()))),
        "honest_error": _near(math.sqrt(result.honest_error)),
        "here": _near(math.sqrt(result.here)),
        "cells_here": Count(Partition(question.tuning.side, d).k),
    }


def valley(result: regression.ChoiceOfSideResult) -> str:
    """The case of the error over the number of cells: a valley, its edge, one cell alone, or nowhere better than 0."""
    if result.helpless:
        return "flat"
    if result.best == 1:
        return "single"
    return "edge" if result.ends else "valley"


@_facts.register
def _labels(result: regression.LabelSurveyResult, names: Labels = ()) -> Facts:
    question = result.experiment
    x, y, minus, plus = names if len(names) == 4 else ("x₁", "x₂", "−1", "+1")
    n = question.source.people(question.n, question.seed).n
    return {
        "label_level": Level(question.epsilon),
        "labels": Count(n),
        "right": Truth(Share(result.right, 3)),
        "honest_right": Truth(Share(result.honest_right, 3)),
        "best_right": Truth(Share(result.best, 3)),
        "squares": Count(result.partition.k),
        "differing": Truth(Count(result.differing)),
        "first": Name(x),
        "second": Name(y),
        "minus": Name(minus),
        "plus": Name(plus),
        "label_noise": Number(question.mechanism.noises[0].standard_deviation()),
        "rivals": Truth(Term(f"rivals.{_rivals(result)}")),
    }


def _rivals(result: regression.LabelSurveyResult) -> str:
    """Whether the rule of honest answers is right as often, and whether anybody knows the best one."""
    alike = "alike" if written_alike(result.right, result.honest_right) else "apart"
    return f"{alike}_table" if isinstance(result.experiment.source, ObservedPairs) else alike


@_facts.register
def _errors(result: regression.LabelErrorsResult, names: Labels = ()) -> Facts:
    question = result.experiment
    return {
        "label_level": Level(question.epsilon),
        "labels": Count(question.n),
        "squares": Count(question.along**2),
        "wrong": Truth(Share(result.here, 3)),
        "honest_wrong": Truth(Share(result.honest_here, 3)),
        "rivals": Truth(Term(f"rivals.{'alike' if written_alike(result.here, result.honest_here) else 'apart'}")),
        "best_wrong": Share(result.best, 3),
        "left_wrong": Truth(Share(result.left, 3)),
    }


def classified_case(result: PerhapsNamed[regression.LabelSurveyResult | regression.LabelErrorsResult]) -> str:
    """The picture of the classes: one crowd, or more people."""
    return "people" if isinstance(opened(result)[0], regression.LabelErrorsResult) else ""


@_facts.register
def _plan(result: regression.CurvePlanResult, names: Labels = ()) -> Facts:
    question = result.experiment
    return {
        "level": Level(question.epsilon),
        "wish": Exact(question.wish),
        "needed": planned(result.level),
        "people": many(result.needed),
        "reach": _near(result.error),
        "price": Count(rounded(result.price) if math.isfinite(result.price) else 0),
        "honest_people": many(result.honest),
        "crowd": Count(question.n),
        "most": Scientific(1e15, 1),
    }


def beside(
    survey: PerhapsNamed[regression.CurveSurveyResult],
    curator: PerhapsNamed[regression.CuratorCurveResult] | None = None,
) -> str:
    """The curve beside the private steps, where it is not honest answers."""
    if curator is None:
        return ""
    reported, curated = opened(survey)[0].error, opened(curator)[0].error
    if written_alike(reported, curated, 2):
        return "curator alike"
    return "curator" if curated < reported else "curator dearer"


def possible(result: regression.CurvePlanResult) -> str:
    """Whether some level will do, and some number of people."""
    level = "possible" if result.level is not None else "impossible"
    return level if math.isfinite(result.needed) else "hopeless"
