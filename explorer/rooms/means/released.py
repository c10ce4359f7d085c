"""The mean that the page about means estimates of private reports, with its interval: what its sheets list."""

from __future__ import annotations

from explorer.facts import Exact, Interval, Name, Number, Share, Term
from explorer.facts.lines import Lines
from explorer.facts.naming import opened
from explorer.rooms.means.facts import between, near
from explorer.rooms.means.settings import Means
from explorer.scenes import Answer
from ldpcore.experiments.means import MeanSurveyResult


def mean(asked: Means, level: float, own: object, answer: Answer) -> Lines | None:
    """The estimate, its interval, and the public bounds of the column."""
    result, names = opened(answer(asked.survey(level)))
    assert isinstance(result, MeanSurveyResult)
    low, high = result.interval
    spread, scale = (high - low) / 4, result.scale
    unit = Name(names[0]) if names and names[0] else Term("units.points")
    estimate, around = near(result.estimate, spread), between(result.interval, spread)
    row = (unit, estimate, around, Interval(Exact(scale.low), Exact(scale.high)))
    heading = (("confidence", Share(asked.confidence, 3)), ("n", Number(asked.numbers.n, 12)))
    release = asked.source.release("asking.mean_of", level, asked.randomizer(level))
    return Lines("estimated", ("mean", "value", "interval", "bounds"), (row,), heading=heading, release=release)
