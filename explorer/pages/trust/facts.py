"""The findings of the page about trust: the quantities of its results, in the reader's unit, by name."""

from __future__ import annotations

import math
from functools import singledispatch

from explorer.facts import (
    Count,
    Exact,
    Facts,
    Level,
    Name,
    Names,
    Number,
    Quantity,
    Said,
    Share,
    Term,
    Truth,
    likeness,
    near,
)
from explorer.facts.naming import called, opened
from explorer.facts.numbers import known, rounded_interval, unit_of
from explorer.facts.recommendations import planned
from ldpcore.experiments import trust
from ldpcore.questions import Result
from ldpcore.tables.table import shortened

Labels = tuple[str, ...]


def facts(result: Result) -> Facts:
    """The quantities of a result, in the unit of its column."""
    inner, names = opened(result)
    quantities = _facts(inner, names)
    return quantities if isinstance(inner, trust.BestChoiceResult) else {**quantities, "unit": unit_of(names)}


@singledispatch
def _facts(result: object, names: Labels = ()) -> Facts:
    raise TypeError(f"a result about trust must have its facts registered; got {type(result).__name__}")


@_facts.register
def _curves(result: trust.ErrorsOverPeopleResult, names: Labels = ()) -> Facts:
    return {}  # what its texts say is of the people there are


@_facts.register
def _now(result: trust.ErrorsNowResult, names: Labels = ()) -> Facts:
    question, here = result.experiment, result.here
    return {
        "epsilon": Level(question.epsilon),
        "n": Count(question.numbers.n),
        "delta": Number(question.delta),
        "low": Exact(question.numbers.scale.low),
        "high": Exact(question.numbers.scale.high),
        "curator": Number(here["curator"]),
        "shuffled": Number(here["shuffled"]),
        "local": Number(here["local"]),
        "factor": Number(result.factor),
        "price": Term(f"cases.{'some' if result.factor >= 1 else 'none'}"),
        "alpha": Number(result.alpha),
        "shuffling": Term(f"cases.{'helps' if here['local'] > 1.01 * here['shuffled'] else 'useless'}"),
        "sampled": Truth(Number(result.sampled)),
    }


@_facts.register
def _pictures(result: trust.TwoPicturesResult, names: Labels = ()) -> Facts:
    survey, inner, outer = result.survey, result.error("curator"), result.error("local")
    return {
        "release": near(result.release, inner),
        "estimate": near(survey.estimate, outer),
        "inner": Number(inner, 2),
        "outer": Number(outer, 2),
        "points": Term(f"cases.{'some' if outer < (survey.scale.high - survey.scale.low) / 2 else 'none'}"),
        "mean": Truth(known(survey.truth, inner, survey.scale)),
        "reports": rounded_interval((float(survey.reports.min()), float(survey.reports.max())), outer),
    }


@_facts.register
def _people(result: trust.PeopleByModelResult, names: Labels = ()) -> Facts:
    return {f"people_{model}": _crowd(result.here[model]) for model in trust.MODELS}


def _crowd(people: float) -> Quantity:
    """A number of people, or the word for one that is too large."""
    return Count(people) if math.isfinite(people) else Term("cases.endless")


@_facts.register
def _found(result: trust.WhoIsAloneResult, names: Labels = ()) -> Facts:
    return {
        "rows": Count(result.n),
        "alone": Truth(Count(result.alone)),
        "smallest": Truth(Count(result.smallest)),
        "part": Truth(Share(result.alone / max(result.n, 1))),
        "columns": Names(result.columns, 4),
        "known": Count(len(result.columns)),
        **_helping(result, "away", True),
        **_helping(result, "coarse", False),
        **_pair(result),
        "one": Term(f"cases.{'column' if result.who else 'row'}"),
        "telling": Truth(Count(len(result.telling))),
        "single": Truth(Names(tuple(map(_by_itself, result.telling)), 3)),
    }


def _helping(result: trust.WhoIsAloneResult, name: str, away: bool) -> Facts:
    """The best way to hide people, and whether any would."""
    best = result.best(away)
    helps = "none" if best is None else "fewer" if best.alone < result.alone else "larger"
    best = best or result.present
    return {
        f"{name}_helps": Truth(Term(f"helps.{helps}")),
        f"{name}_way": Truth(way_of(best)),
        f"{name}_alone": Truth(Count(best.alone)),
        f"{name}_smallest": Truth(Count(best.smallest)),
    }


def _pair(result: trust.WhoIsAloneResult) -> Facts:
    """The effect of two columns that are coarser at once, where that is more than one has."""
    best = result.pair or result.present
    return {
        "pair_helps": Truth(Term(f"helps.{'none' if result.pair is None else 'fewer'}")),
        "pair_way": Truth(way_of(best)),
        "pair_alone": Truth(Count(best.alone)),
        "pair_smallest": Truth(Count(best.smallest)),
    }


def way_of(crowds: trust.AnonymityCrowds) -> Quantity:
    """The name of a table with one column coarser or away, or two at once, or with the known columns."""
    if crowds.parts:
        first, second = map(_part, crowds.parts)
        return Said.of("coarser.pair", first=first, second=second)
    return Said.of(f"coarser.{crowds.way}", column=Name(crowds.column), step=Number(crowds.step, 6))


def _part(crowds: trust.AnonymityCrowds) -> Quantity:
    """One of two columns that are coarser at once, in few letters: both stand in a line of the picture."""
    column = Name(shortened(crowds.column, 14))
    return Said.of(f"coarser.half_{crowds.way}", column=column, step=Number(crowds.step, 6))


def _by_itself(crowds: trust.AnonymityCrowds) -> Quantity:
    """The number of people whom a single column gives away."""
    return Said.of("coarser.telling", column=Name(crowds.column), alone=Count(crowds.alone))


@_facts.register
def _choose(result: trust.BestChoiceResult, names: Labels = ()) -> Facts:
    counts = result.experiment.counts
    ordered = sorted(counts, reverse=True)
    chosen, noisy = result.right("exponential"), result.right("noisymax")
    return {
        "candidates": Count(len(counts)),
        "chosen_by": Share(chosen, 3),
        "noisy_by": Share(noisy, 3),
        "rivals": likeness(chosen, noisy),
        "favorite": Truth(called(result.best, len(counts), names)),
        "lead": Truth(Count(ordered[0] - ordered[1])),
        "voters": Count(sum(counts)),
        "blind": Share(1 / len(counts), 3),
    }


@_facts.register
def _plan(result: trust.TrustPlanResult, names: Labels = ()) -> Facts:
    question = result.experiment
    levels = {
        f"level_{model}": planned(level) if level is not None else Term("cases.never")
        for model, level in result.levels.items()
    }
    span = 2 * question.numbers.scale.half
    return {
        **levels,
        "width": Share(question.width),
        "confidence": Share(question.confidence, 3),
        "absolute": Number(span * question.width),
    }
