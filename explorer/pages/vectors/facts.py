"""The findings of the page about vectors: the quantities of its results, under the names in its texts."""

from __future__ import annotations

import math
from functools import singledispatch

from explorer.facts import Count, Facts, Level, Name, Names, Number, Quantity, Said, Share, Term, Times, Truth, likeness
from explorer.facts.naming import opened
from explorer.facts.recommendations import planned
from ldpcore.experiments import vectors
from ldpcore.experiments.named import PerhapsNamed
from ldpcore.experiments.vectors.corners import PRINTED
from ldpcore.mechanisms.hypercube import HypercubeSampling
from ldpcore.mechanisms.splitting import SampledCoordinates
from ldpcore.questions import Result

HALF = 50.0  # half the scale of made-up answers, 0 to 100


def facts(result: Result) -> Facts:
    """The quantities of a result."""
    inner, names = opened(result)
    return _facts(inner, names)


@singledispatch
def _facts(result: object, names: tuple[str, ...] = ()) -> Facts:
    raise TypeError(f"a result about vectors must have its facts registered; got {type(result).__name__}")


def called(slug: str) -> Term:
    """The name of a method."""
    return Term(f"methods.{slug}")


def in_words(slug: str) -> Term:
    """The name of a method within a sentence."""
    return Term(f"called.{slug}")


def points(share: float) -> Number:
    """An error as points of the scale from 0 to 100."""
    return Number(HALF * share, 3)


@_facts.register
def _dimensions(result: vectors.AgainstDimensionResult, names: tuple[str, ...] = ()) -> Facts:
    question, best = result.experiment, result.best
    cube = HypercubeSampling(question.epsilon, question.d)
    tuned, sampled = result.at("tuned"), result.at("sampled")
    return {
        "alpha": Level(question.epsilon),
        "d": Count(question.d),
        "n": Count(question.n),
        "best": in_words(best),
        "best_error": points(result.at(best)),
        "best_absolute": points(math.sqrt(2 / math.pi) * result.at(best)),  # of a normal law
        "split_error": points(result.at("split")),
        "sampled_error": points(sampled),
        "tuned_error": points(tuned),
        "rivals": likeness(HALF * tuned, HALF * sampled),
        "alone": points(result.alone),
        "times": Number(result.at(best) / result.alone, 2),
        "split_times": Number(result.at("split") / result.at("split", 1), 3),
        "b": Number(cube.bound, 4),
        "asked": Count(SampledCoordinates(question.epsilon, question.d).m),
        "part": Number(question.epsilon / question.d, 3),
        "z0": Number(1 / math.tanh(question.epsilon / 2), 4),
    }


def person(place: int, other: str = "one") -> Term:
    """The name of one of the two people."""
    return Term(f"people.{'first' if place == 0 else other}")


def corner(signs: list[int]) -> str:
    """A corner of the cube by its signs."""
    return " ".join("+" if sign > 0 else "−" for sign in signs)


@_facts.register
def _corners(result: vectors.CornersResult, names: tuple[str, ...] = ()) -> Facts:
    question, loss = result.experiment, result.loss
    likelier = 0 if loss >= 0 else 1
    other = names[0] if names else "one"
    gap = result.level / question.epsilon - 1  # none where the rule keeps its level
    digits = max(5, 2 - math.floor(math.log10(gap))) if gap > 1e-9 else 3  # enough to tell the two levels apart
    return {
        "sent": Name(corner(result.corners[result.sent].tolist())),
        "times": Number(math.exp(min(abs(loss), 700.0))),
        "more": person(likelier, other),
        "less": person(1 - likelier, other),
        "guess": Share(result.best_guess, 3),
        "limit": Times(question.epsilon, digits),
        "real": Number(result.level, digits),
        "real_ratio": Times(result.level, digits),
        "bound": Number(result.bound, 4),
        "corners": Count(len(result.corners)),
        "questions": Count(question.d),
        "rule": Term(f"ties_options.{question.rule}"),
        "ties": Term(f"cases.{_tied(question)}"),
        "first": person(0),
        "second": person(1, other),
        "sender": Truth(person(result.sender, other)),
    }


def _tied(question: vectors.Corners) -> str:
    """The case of a rule about ties: part of both halves as printed, something between both, or nothing to speak of."""
    if question.d % 2:
        return "aside"
    return {PRINTED: "printed", "split": "between"}.get(question.rule, "aside")


def leaking(result: PerhapsNamed[vectors.CornersResult]) -> str:
    """Whether some corner is likelier from one of the two than was promised."""
    return "leaks" if opened(result)[0].leaking.any() else "keeps"


@_facts.register
def _survey(result: vectors.VectorSurveyResult, names: tuple[str, ...] = ()) -> Facts:
    question, rows = result.experiment, result.experiment.rows
    truth, estimates = rows.outward(result.truth), rows.outward(result.chosen)
    called_columns: tuple[Quantity, ...] = (
        tuple(map(Name, names)) if names else tuple(Term(f"asked.q{place + 1}") for place in range(rows.d))
    )
    first = Number(float(estimates[0]), 3)
    return {
        "columns": Count(rows.d),
        "people": Count(rows.n),
        "missing": Count(rows.missing),
        "method": in_words(question.chosen),
        "list": Names(called_columns, 8),
        "share": Share(result.widths / 2, 2),
        "confidence": Share(question.confidence, 3),
        "moved": Truth(Count(sum(rows.moved))),
        "first_column": called_columns[0],
        "first_estimate": first,
        "first_truth": Truth(Number(float(truth[0]), 3)),
        "survey_best": in_words(result.best),
    }


def _crowd(people: int | None) -> Said:
    """A number of people, or that it takes more than there are."""
    return Said.of("crowds.endless") if people is None else Said.of("crowds.people", n=Count(people))


def telling(result: PerhapsNamed[vectors.VectorSurveyResult]) -> str:
    """The case of a survey whose intervals are wider than the scale; empty elsewhere."""
    return "nothing" if opened(result)[0].widths / 2 >= 1.005 else ""  # as it is written


def possible(result: vectors.VectorPlanResult) -> str:
    """Whether any level is enough."""
    return "possible" if result.best is not None else "impossible"


@_facts.register
def _plan(result: vectors.VectorPlanResult, names: tuple[str, ...] = ()) -> Facts:
    question, best, fewest = result.experiment, result.best, result.fewest
    least = min(need.reach for need in result.needs)
    split = next(need for need in result.needs if need.slug == "split")
    return {
        "width": Share(question.width, 2),
        "plan_confidence": Share(question.confidence, 3),
        "needed": planned(best.epsilon if best else None),
        "fewest": in_words(fewest.slug),
        "fewest_people": Count(fewest.people or 0),
        "crowd": _crowd(fewest.people),
        "reach": Share(least, 2),
        "split_people": _crowd(split.people),
        "enough": Term(f"cases.{'some' if fewest.people else 'none'}"),
        "each": Share(1 - (1 - question.confidence) / question.d, 5),
    }
