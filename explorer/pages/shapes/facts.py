"""The findings of the page about shapes: the quantities of its results, in the reader's unit, by name."""

from __future__ import annotations

import math
from functools import singledispatch

from explorer.facts import (
    Count,
    Exact,
    Facts,
    Level,
    Number,
    PercentagePoints,
    Quantity,
    QuantityRange,
    Share,
    Term,
    Times,
    Truth,
    written_alike,
)
from explorer.facts.naming import opened
from explorer.facts.numbers import unit_of
from explorer.pages.shapes.settings import SHARES
from ldpcore.estimating.waves import Fit
from ldpcore.experiments import means
from ldpcore.experiments.named import PerhapsNamed
from ldpcore.experiments.shapes import distributions as shapes
from ldpcore.mechanisms.squarewave import SquareWave
from ldpcore.people.scales import PublicScale
from ldpcore.questions import Result


def facts(result: Result) -> Facts:
    """The quantities of a result, in the unit of its column."""
    inner, names = opened(result)
    return {**_facts(inner), "unit": unit_of(names)}


@singledispatch
def _facts(result: object) -> Facts:
    raise TypeError(f"a result about shapes must have its facts registered; got {type(result).__name__}")


def way(distance: float, scale: PublicScale) -> Number:
    """A share of the scale in the reader's unit."""
    return Number(2 * scale.half * distance, 2)


def place(value: float, scale: PublicScale) -> Number:
    """A number of the scale, to about a thousandth of it."""
    size = abs(value) / (2 * scale.half)
    return Number(value, max(1, min(3 + math.ceil(math.log10(size)), 12)) if size > 0 else 3)


def spread(half: QuantityRange) -> str:
    """Whether the ends of a middle half are written alike."""
    return "alike" if _told(half.low) == _told(half.high) else "apart"


def _told(end: Quantity) -> float:
    """A number as it is written."""
    assert isinstance(end, Number)
    return end.value if end.value == math.floor(end.value) else float(f"{end.value:.{end.digits - 1}e}")


def wave(epsilon: float) -> Facts:
    """The three numbers of the square wave on [0, 1]."""
    made = SquareWave(epsilon)
    return {"b": Number(made.b, 4), "p": Number(made.p, 4), "q": Number(made.q, 4), "pull": Share(made.pull, 2)}


@_facts.register
def _shape(result: shapes.ReconstructionResult) -> Facts:
    question, scale = result.experiment, result.experiment.numbers.scale
    estimated, true = result.quantiles(SHARES).tolist(), result.true_quantiles(SHARES).tolist()
    return {
        **wave(question.epsilon),
        "alpha": Level(question.epsilon),
        "n": Count(result.n),
        "bins": Count(question.bins),
        "low": Exact(scale.low),
        "high": Exact(scale.high),
        "steps": Count(result.fit.steps),
        "smoothing": Term(f"smoothing_options.{question.smoothing}"),
        "median": place(estimated[2], scale),
        "true_median": Truth(place(true[2], scale)),
        "half": (half := QuantityRange(place(estimated[1], scale), place(estimated[3], scale))),
        "spread": Term(f"halves.{spread(half)}"),
        "true_half": Truth(true_half := QuantityRange(place(true[1], scale), place(true[3], scale))),
        "true_spread": Truth(Term(f"halves.{spread(true_half)}")),
        "distance": Truth(way(result.distance, scale)),
        "gap": Truth(PercentagePoints(result.gap, 3)),
        "off": Truth(Number(abs(estimated[2] - true[2]), 2)),
    }


def climbing(result: PerhapsNamed[shapes.ClimbResult]) -> str:
    """Whether plain and smoothed EM end alike: after as many steps, as far off."""
    climb, _ = opened(result)
    ends = {fit.steps for fit in (climb.plain, climb.smoothed)}
    alike = written_alike(climb.distance(climb.plain), climb.distance(climb.smoothed), 2)
    return "alike" if alike and len(ends) == 1 else ""


def _end(fit: Fit) -> Term:
    """Whether EM stopped by itself, or was cut off with the last step that is kept."""
    return Term(f"ends.{'cut' if fit.steps >= shapes.STEPS[-1] else 'stopped'}")


@_facts.register
def _climb(result: shapes.ClimbResult) -> Facts:
    scale = result.experiment.numbers.scale
    return {
        "plain_end": _end(result.plain),
        "smoothed_end": _end(result.smoothed),
        "plain_steps": Count(result.plain.steps),
        "smoothed_steps": Count(result.smoothed.steps),
        "plain_distance": Truth(way(result.distance(result.plain), scale)),
        "smoothed_distance": Truth(way(result.distance(result.smoothed), scale)),
        "most_steps": Count(shapes.STEPS[-1]),
        "climbs": Truth(Term(f"ends.{climbing(result) or 'apart'}")),
    }


@_facts.register
def _report(result: means.NumberReportResult) -> Facts:
    question, loss = result.experiment, result.loss
    scale, made = question.scale, question.randomizer
    first, second, sent = (float(scale.outward(x)) for x in (question.first, question.second, result.report))
    likelier, other = ("first", "second") if loss >= 0 else ("second", "first")
    return {
        **wave(made.claim().epsilon),
        "first": place(first, scale),
        "second": place(second, scale),
        "report": place(sent, scale),
        "times": Number(math.exp(min(abs(loss), 700.0))),
        "more": Term(f"persons.{likelier}"),
        "less": Term(f"persons.{other}"),
        "belief": Share(1 / (1 + math.exp(-abs(loss))), 3),
        "guess": Share(result.best_guess, 3),
        "limit": Times(made.claim().epsilon),
        "reach": Number(SquareWave(made.claim().epsilon).width * scale.half),
        "sender": Truth(Term(f"persons.{('first', 'second')[result.sender]}")),
    }


# --- which sentence holds ---------------------------------------------------------------------------------------------


def reading(result: PerhapsNamed[shapes.ReconstructionResult]) -> str:
    """Whether EM has moved at all."""
    inner, _ = opened(result)
    return "nothing" if inner.flat else ""
