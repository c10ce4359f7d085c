"""The mean that the page about means estimates from private reports, with its interval, for its sheets."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from explorer.declarations import Listing
from explorer.facts import Exact, Name, Number, QuantityRange, Share, Term, near
from explorer.facts.lines import Lines, ReleaseFacts
from explorer.facts.naming import opened
from explorer.facts.numbers import rounded_interval
from explorer.pages.means.settings import Means
from explorer.scenes import RunQuestion
from ldpcore.experiments.means import MeanSurveyResult


def mean(asked: Means, level: float, own: object, answer: RunQuestion) -> Lines | None:
    """The estimate, its interval, and the public bounds of the column."""
    result, names = opened(answer(asked.survey(level)))
    assert isinstance(result, MeanSurveyResult)
    low, high = result.interval
    spread, scale = (high - low) / 4, result.scale
    unit = Name(names[0]) if names and names[0] else Term("units.points")
    estimate, around = near(result.estimate, spread), rounded_interval(result.interval, spread)
    row = (unit, estimate, around, QuantityRange(Exact(scale.low), Exact(scale.high)))
    heading = (("confidence", Share(asked.confidence, 3)), ("n", Number(asked.numbers.n, 12)))
    heads = ("mean", "value", "interval", "bounds")
    return Lines("estimated", heads, (row,), heading=heading, release=of_mean(asked, level))


def of_mean(asked: Means, level: float, own: object = None) -> ReleaseFacts | None:
    """The release of everybody's reports on an own table."""
    return asked.source.release("asking.mean_of", level, asked.randomizer(level))


LISTINGS: Mapping[str, Listing[Means]] = MappingProxyType(
    {"everybody": Listing(mean, of_mean), "plan": Listing(mean, of_mean, on_screen=False)}
)
