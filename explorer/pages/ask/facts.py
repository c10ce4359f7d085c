"""The findings of a room: the quantities of its reports, of hands that were shown, and of rounds, for the texts."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import singledispatch

import numpy as np

from explorer.facts import (
    Count,
    Exact,
    Facts,
    Level,
    Name,
    Number,
    Odds,
    PercentagePoints,
    Quantity,
    QuantityRange,
    Share,
    Truth,
)
from explorer.facts.naming import opened, title_of
from explorer.poll.collected import DIGITS
from explorer.poll.questions import PollQuestion
from ldpcore.experiments.named import NamedResult, PerhapsNamed
from ldpcore.experiments.polls import RoomAnswersResult, RoomReachResult, RoomRoundsResult, ShownHandsResult
from ldpcore.mechanisms.base import CategoryRandomizer, FrequencyOracle
from ldpcore.people.scales import PublicScale
from ldpcore.protocols.tossing import PieceToss, SetToss

FINE = 20  # parts of an interval: nobody reads an end more finely


@singledispatch
def facts(result: object) -> Facts:
    """The quantities of a result."""
    raise TypeError(f"a result must be one about a room; got {type(result).__name__}")


def near(value: float, width: float) -> Quantity:
    """A number in the reader's unit, to a twentieth of the width of its interval."""
    if not (math.isfinite(value) and width > 0):
        return Exact(value)
    return Exact(round(value, -math.floor(math.log10(width / FINE))) + 0.0)


def shares(ends: tuple[float, float]) -> QuantityRange:
    """Two shares, as precisely as their distance tells."""
    spread = max((ends[1] - ends[0]) / FINE, 1e-3)
    return QuantityRange(*(Share(end, spread=spread) for end in ends))


def numbers(ends: tuple[float, float], scale: PublicScale) -> QuantityRange:
    """Two means on the scale of [-1, 1] in the reader's unit, as precisely as their distance tells."""
    low, high = (float(scale.outward(end)) for end in ends)
    return QuantityRange(near(low, high - low), near(high, high - low))


def kind_of(result: PerhapsNamed[RoomAnswersResult]) -> str:
    """The kind of question: one with answers to choose from, whose names come along, or yes and no."""
    answers, names = opened(result)
    if not isinstance(answers.question.toss, SetToss):
        return "number"
    return "choice" if len(names) > 1 else "yesno"


def reading(result: PerhapsNamed[RoomAnswersResult], *beside: object) -> str:
    """The case of the question and its reports: with hands beside them, without any yet, or plain."""
    kind = kind_of(result)
    if beside:
        return f"{kind} hands"
    answers = opened(result)[0]
    low, high = answers.intervals[leader(answers)]
    least = 0.0 if isinstance(answers.question.toss.mechanism, CategoryRandomizer) else -1.0
    return f"{kind} nothing" if low <= least and high >= 1 else kind


def repeating(result: RoomRoundsResult) -> str:
    """Whether phones repeat their first reports or toss anew."""
    return "kept" if result.question.kept else "fresh"


def leader(result: RoomAnswersResult) -> int:
    """The answer that the sentence is about: a yes, or the one of the largest estimate."""
    toss = result.question.toss
    return 0 if isinstance(toss, SetToss) and toss.k == 2 else int(np.argmax(result.estimates))


@facts.register(NamedResult)
def _named(result: NamedResult[RoomAnswersResult]) -> Facts:
    answers, names = result.result, result.names
    said = {"question": Name(names[0]), **facts(answers)}
    if len(names) > 1:
        said["top"] = Name(names[1 + int(np.argmax(answers.estimates))])
    return said


@facts.register
def _answers(result: RoomAnswersResult) -> Facts:
    question, toss = result.question, result.question.toss
    common: dict[str, Quantity] = {
        "n": Count(question.n),
        "confidence": Share(question.confidence, 3),
        "level": Level(round(toss.level, DIGITS)),
        "exact": Exact(toss.level),
        "mechanism": title_of(toss.mechanism.slug),
        "odds": Odds(toss.level),
    }
    return {**common, **(_of_answers(result) if isinstance(toss, SetToss) else _of_numbers(result))}


def lies(toss: SetToss) -> float:
    """The chance that a report speaks for an answer that is not its sender's."""
    mechanism = toss.mechanism
    assert isinstance(mechanism, FrequencyOracle)
    return float(mechanism.q)


def _of_answers(result: RoomAnswersResult) -> Facts:
    """The leading answer, and the number of reports for it."""
    question, place = result.question, leader(result)
    toss = question.toss
    assert isinstance(toss, SetToss)
    low, high = result.intervals[place]
    return {
        "interval": shares((low, high)),
        "estimate": Share(min(max(float(result.estimates[place]), 0.0), 1.0), spread=max((high - low) / FINE, 1e-3)),
        "said": Count(question.totals[place]),
        "unsaid": Count(question.n - question.totals[place]),
        "own": Share(float(toss.own)),
        "lies": Share(lies(toss)),
        "k": Count(toss.k),
        "size": Count(toss.size),
    }


def _of_numbers(result: RoomAnswersResult) -> Facts:
    """The place of the mean, in the reader's unit."""
    question, ((low, high),) = result.question, result.intervals
    scale, guess = question.scale, min(max(float(result.estimates[0]), -1.0), 1.0)
    quantities = {
        "interval": numbers((low, high), scale),
        "estimate": near(float(scale.outward(guess)), (high - low) * scale.half),
        "low": Exact(scale.low),
        "high": Exact(scale.high),
    }
    if isinstance(question.toss, PieceToss):
        return quantities | {"own": Share(float(question.toss.own))}
    return quantities | {"said": Count(question.totals[1]), "unsaid": Count(question.totals[0])}


@facts.register
def _hands(result: ShownHandsResult) -> Facts:
    """The true share of the first answer, or the true mean."""
    first = result.values[0]
    return {"shown": Truth(Number(first, 4) if len(result.values) == 1 else Share(first, 3))}


@facts.register
def _rounds(result: RoomRoundsResult) -> Facts:
    return {
        "rounds": Count(result.question.rounds),
        "total": Level(round(result.level, DIGITS)),
        "odds_total": Odds(result.level),
        "right": Share(result.right, 3),
        "agreed": Share(posterior(result.level), 3),
        "once": Share(result.told_apart[1], 3),
    }


def posterior(level: float) -> float:
    """The largest chance of naming one of two equally likely answers when every report of a phone speaks for it."""
    return 1 / (1 + math.exp(-level))


def reached(result: RoomReachResult, asked: PollQuestion) -> Facts:
    """The precision that `asked` people bring: in percentage points, or in the unit of the question."""
    if asked.kind == "number":
        span = asked.high - asked.low
        return {f"reach_{n}": Number(span * reach, 2) for n, reach in _by_people(result)}
    points = {f"reach_{n}": Number(100 * reach, 2) for n, reach in _by_people(result)}
    return points | {f"reach_{result.question.people[-1]}": PercentagePoints(result.reaches[-1])}


def _by_people(result: RoomReachResult) -> Iterator[tuple[int, float]]:
    return zip(result.question.people, result.reaches, strict=True)
