"""Reports that were really collected: their mean with its interval, between the public bounds, as HTML."""

from __future__ import annotations

from functools import partial

from explorer.drawings.intervals import IntervalRow, intervals, mark, share_of
from explorer.figures.theme import PALETTE, Look
from explorer.text.catalogue import Words
from ldpcore.experiments.means import RealMeanResult


def real(result: RealMeanResult, look: Look, words: Words) -> str:
    """The mean of the reports, which may lie beyond the bounds, and the possible mean of the numbers."""
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
