"""Reports that were really collected: their mean with its interval, between the public bounds, as HTML."""

from __future__ import annotations

from functools import partial

from explorer.facts import Exact, Quantity
from explorer.figures.theme import PALETTE, Look
from explorer.rooms.response.drawings.intervals import IntervalRow, intervals
from explorer.text.catalogue import Words
from ldpcore.experiments.means import RealMeanResult
from ldpcore.people.scales import PublicScale


def share_of(scale: PublicScale, value: float) -> float:
    """Where a number lies between the bounds, from 0 to 1; beyond them, where it is."""
    return (value - scale.low) / (scale.high - scale.low)


def mark(scale: PublicScale, share: float) -> Quantity:
    """How a place between the bounds is written."""
    return Exact(float(f"{scale.low + share * (scale.high - scale.low):.4g}"))


def real(result: RealMeanResult, look: Look, words: Words) -> str:
    """The mean of the reports, which may lie beyond the bounds, and where the mean of the numbers lies."""
    question, scale = result.question, result.question.scale
    ends = (share_of(scale, result.interval[0]), share_of(scale, result.interval[1]))
    row = IntervalRow(words["row"], ends, share_of(scale, question.mean), PALETTE[1])
    kind = "ldp-intervals ldp-alone"
    return intervals([row], look, words, kind=kind, scale=partial(mark, scale))


def table(result: RealMeanResult, look: Look, words: Words) -> list[list[object]]:
    """The mean of the reports, and both ends of the interval."""
    values = zip(("estimate", "from", "to"), (result.question.mean, *result.interval), strict=True)
    rows = [[words[f"row_{name}"], value] for name, value in values]
    return [[words["row_number"], words["row_value"]], *rows]
