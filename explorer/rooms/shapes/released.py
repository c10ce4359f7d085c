"""The quantiles that the page about shapes reads back from private reports: what its sheet lists."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from explorer.facts import Exact, Number, Share
from explorer.facts.lines import Lines, Release
from explorer.facts.naming import opened
from explorer.rooms.shapes.facts import place
from explorer.rooms.shapes.settings import SHARES, Shapes
from explorer.scenes import Answer, Listing
from ldpcore.mechanisms.squarewave import SquareWave


def quantiles(asked: Shapes, level: float, own: object, answer: Answer) -> Lines | None:
    """The numbers below which some shares of people lie; none where nothing but an even spread was read."""
    result, _ = opened(answer(asked.shape(level)))
    if result.flat:
        return None
    scale = result.experiment.numbers.scale
    values = result.quantiles(SHARES).tolist()
    rows = tuple((Share(share), place(value, scale)) for share, value in zip(SHARES, values, strict=True))
    heading = (("n", Number(result.n, 12)), ("low", Exact(scale.low)), ("high", Exact(scale.high)))
    return Lines("read", ("below", "value"), rows, heading=heading, release=of_shape(asked, level))


def of_shape(asked: Shapes, level: float, own: object = None) -> Release | None:
    """What everybody's reports release of an own table."""
    return asked.source.release("release.shape_of", level, SquareWave(level), asked.bins)


LISTINGS: Mapping[str, Listing] = MappingProxyType({"shape": Listing(quantiles, of_shape)})
