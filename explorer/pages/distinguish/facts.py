"""The findings of the page about two worlds: the quantities of its results, under the names in its texts."""

from __future__ import annotations

import math
from functools import singledispatch

from explorer.facts import (
    Count,
    Exact,
    Facts,
    Level,
    Number,
    Quantity,
    QuantityRange,
    Said,
    Share,
    Term,
    Truth,
    below_all,
    is_all,
    likeness,
    reached,
)
from explorer.facts.naming import title_of
from ldpcore.experiments import distinguish
from ldpcore.laws.contraction import information_constant
from ldpcore.laws.products import Bracket

NEAR = 1e-4  # ends that lie no farther apart are told as one number


@singledispatch
def facts(result: object) -> Facts:
    """The quantities of a result."""
    raise TypeError(f"a result about two worlds must have its facts registered; got {type(result).__name__}")


def _common(asked: distinguish.TwoWorlds) -> Facts:
    """The facts for every view: level, mechanism, and the distance of the worlds themselves."""
    return {
        "alpha": Level(asked.epsilon),
        "times": Number(math.exp(min(asked.epsilon, 700.0))),
        "k": Count(asked.worlds.k),
        "mechanism": title_of(asked.slug),
        "tanh": Share(math.tanh(asked.epsilon / 2), 3),
        "square": Share(math.tanh(asked.epsilon / 2) ** 2, 3),
    }


@facts.register
def _errors(result: distinguish.TellApartResult) -> Facts:
    size = result.experiment.size
    found = 1.0 if size == 1 else result.reached
    guess, open_guess = (1 + result.distance) / 2, (1 + result.direct_distance) / 2
    return {
        **_common(result.experiment),
        "size": Share(size, 3),
        "accusing": Term(f"cases.{'never' if size == 0 else 'always' if size == 1 else 'sometimes'}"),
        "delta": Share(result.experiment.delta, 3),
        "own_level": Truth(reached(result.level)),
        "allowed": Share(result.allowed, 3),
        "reached": Truth(Share(found, 3)),
        "open": Share(result.open, 3),
        "rivals": Truth(likeness(found, result.open)),
        "distance": Truth(Share(result.distance, 3)),
        "open_distance": Share(result.direct_distance, 3),
        "guess": Truth(Share(guess, 3)),
        "open_guess": Share(open_guess, 3),
        "guesses": Truth(likeness(guess, open_guess)),
        "best_guess": Share(1 / (1 + math.exp(-result.experiment.epsilon)), 3),
        "constant": Number(information_constant(result.experiment.epsilon)),
    }


def promise(result: distinguish.TellApartResult) -> str:
    """Whether the promise may fail."""
    return "slack" if result.experiment.delta else "strict"


@facts.register
def _before(result: distinguish.BeforeAfterResult) -> Facts:
    question = result.experiment
    return {
        **_common(question),
        "left": Truth(Share(result.of("tv").left, 3)),
        "factor": Exact(question.gamma),
        "order": Exact(question.order),
    }


@facts.register
def _sides(result: distinguish.InequalitiesResult) -> Facts:
    return {
        **_common(result.experiment),
        "sides": Count(len(result.sides)),
        "tightest": Term(f"before.{result.tightest.slug}"),
        "nearest": Truth(Share(result.tightest.share, 3)),
    }


def pictured(result: object) -> str:
    """The case of the view's present picture."""
    if isinstance(result, distinguish.InequalitiesResult):
        return "sides"
    if isinstance(result, distinguish.ManyPeopleResult):
        return "many"
    if isinstance(result, distinguish.InformationResult):
        return "bits"
    assert isinstance(result, distinguish.BeforeAfterResult)
    return "left" if result.of("tv").before > 0 else "same"


def between(ends: Bracket) -> Quantity:
    """A known share, or the two ends between which it lies."""
    if ends.high - ends.low <= NEAR:
        return Share((ends.low + ends.high) / 2, 3)
    return QuantityRange(Share(ends.low, 3), Share(ends.high, 3))


def _needed(people: int | None, distance: Bracket) -> Quantity:
    """The crowd that is needed: to the last person where distances are exact, else to three digits, and about."""
    if people is None or distance.exact or people < 1000:
        return Said.of("crowds.exact", n=Count(people or 0))
    return Said.of("crowds.about", n=Count(float(f"{people:.2e}")))


@facts.register
def _many(result: distinguish.ManyPeopleResult) -> Facts:
    question = result.experiment
    needed, direct = result.needed, result.needed_direct
    return {
        **_common(question),
        "n": Count(question.n),
        "here": Truth(between(Bracket((1 + result.here.low) / 2, (1 + result.here.high) / 2))),
        "here_open": between(Bracket((1 + result.here_direct.low) / 2, (1 + result.here_direct.high) / 2)),
        "crowd_open": _needed(direct, result.direct[-1]),
        "crowd": Truth(_needed(needed, result.private[-1])),
        "price": Truth(Number(needed / direct, 2)) if needed and direct else Number(0),
        "right": Share((1 + distinguish.RIGHT) / 2, 2),
        "reaching": Truth(Term(f"cases.{reachable(result)}")),
    }


def reachable(result: distinguish.ManyPeopleResult) -> str:
    """Whether some crowd tells the worlds apart."""
    return "reachable" if result.needed_direct and (result.needed or math.isnan(result.here.low)) else "never"


@facts.register
def _best(result: distinguish.MinimaxResult) -> Facts:
    accused, missed = result.errors
    return {
        **_common(result.experiment),
        "accused": Share(accused, 3),
        "missed": Share(missed, 3),
        "sum": Truth(below_all(result.test.attained)),
        "certificate": Truth(below_all(result.test.certificate)),
        "worlds": Count(len(result.first) + len(result.second)),
        "families": Term("cases.several" if len(result.first) > 1 else "cases.single"),
    }


def tested(result: distinguish.MinimaxResult) -> str:
    """The case of a best test that is no better than a guess; empty elsewhere."""
    return "helpless" if is_all(result.test.attained) else ""


@facts.register
def _guess(result: distinguish.GuessingResult) -> Facts:
    question = result.experiment
    breach = result.breaches["assouad"]
    return {
        **_common(question),
        "n": Count(question.n),
        "groups": Count(question.groups),
        "corners": Count(2**question.groups),
        "nats": Truth(Number(result.information)),
        "blind": Number(result.blind),
        "differ": Count(0 if breach is None else round(breach.needed)),
        "loses": Number(0.0 if breach is None else breach.loss),
        "wrong": Truth(Share(min(result.here["best"], 1.0), 3)),
        **{game: Truth(Number(result.here[game])) for game in (*distinguish.GAMES, "best")},
    }


def bounded(result: distinguish.GuessingResult) -> str:
    """The case of the loss that counts, and whether anybody can lose at all."""
    return "silent" if result.here["best"] < distinguish.SILENT else result.experiment.loss


@facts.register
def _information(result: distinguish.InformationResult) -> Facts:
    return {
        **_common(result.experiment),
        "bits": Truth(Number(result.here / math.log(2))),
        "open_bits": Number(result.open / math.log(2)),
        "nats": Truth(Number(result.here)),
        "share": Truth(Share(result.here / result.open if result.open else 0.0, 2)),
    }
