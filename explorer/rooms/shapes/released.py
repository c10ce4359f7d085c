"""The quantiles that the page about shapes reads back from private reports: what its sheet lists."""

from __future__ import annotations

from explorer.facts import Exact, Number, Share
from explorer.facts.lines import Lines
from explorer.facts.naming import opened
from explorer.rooms.shapes.facts import place
from explorer.rooms.shapes.settings import SHARES, Shapes
from explorer.scenes import Answer
from ldpcore.experiments.shapes.distributions import ReconstructionResult
from ldpcore.mechanisms.squarewave import SquareWave


def quantiles(asked: Shapes, level: float, own: object, answer: Answer) -> Lines | None:
    """The numbers below which some shares of people lie; none where nothing but an even spread was read."""
    result, _ = opened(answer(asked.shape(level)))
    assert isinstance(result, ReconstructionResult)
    if result.flat:
        return None
    scale = result.experiment.numbers.scale
    values = result.quantiles(SHARES).tolist()
    rows = tuple((Share(share), place(value, scale)) for share, value in zip(SHARES, values, strict=True))
    heading = (("n", Number(result.n, 12)), ("low", Exact(scale.low)), ("high", Exact(scale.high)))
    release = asked.source.release("release.shape_of", level, SquareWave(level), asked.bins)
    return Lines("read", ("below", "value"), rows, heading=heading, release=release)
