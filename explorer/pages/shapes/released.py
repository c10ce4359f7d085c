"""The quantiles that the page about shapes reads back from private reports, for its sheet."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from explorer.declarations import Listing
from explorer.facts import Exact, Number, Quantity, QuantityRange, Share
from explorer.facts.lines import Lines, ReleaseFacts
from explorer.facts.naming import opened
from explorer.pages.shapes.facts import place
from explorer.pages.shapes.settings import SHARES, SURE, Shapes
from explorer.scenes import RunQuestion
from ldpcore.experiments.shapes.quantiles import QuantileIntervalsResult
from ldpcore.mechanisms.squarewave import SquareWave


def quantiles(asked: Shapes, level: float, own: object, answer: RunQuestion) -> Lines | None:
    """The numbers below which some shares of people lie; none where nothing but an even spread was read."""
    result, _ = opened(answer(asked.quantiles(level)))
    assert isinstance(result, QuantileIntervalsResult)
    if result.read.flat:
        return None
    scale = asked.numbers.scale
    rows = tuple(
        (Share(share), place(value, scale), QuantityRange(place(low, scale), place(high, scale)))
        for share, value, (low, high) in zip(SHARES, result.values.tolist(), result.intervals, strict=True)
    )
    heading: dict[str, Quantity] = {"n": Number(asked.numbers.n, 12), "confidence": Share(SURE, 3)}
    heading |= {"low": Exact(scale.low), "high": Exact(scale.high)}
    heads, release = ("below", "value", "interval"), of_shape(asked, level)
    return Lines("read", heads, rows, heading=tuple(heading.items()), release=release)


def of_shape(asked: Shapes, level: float, own: object = None) -> ReleaseFacts | None:
    """The release of everybody's reports on an own table."""
    return asked.source.release("release.shape_of", level, SquareWave(level), asked.bins)


LISTINGS: Mapping[str, Listing[Shapes]] = MappingProxyType({"shape": Listing(quantiles, of_shape)})
