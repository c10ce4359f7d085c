"""Estimated shares with their intervals on one scale, as HTML that grows with the page: no chart is needed.

The scale stays where it is, whatever the level: the shares that exist, and a little beyond them on both sides, where a
raw estimate may fall that is no share.
"""

from __future__ import annotations

import math

from explorer.drawings.intervals import IntervalRow, intervals
from explorer.figures.theme import PALETTE, Look
from explorer.text.catalogue import Words
from ldpcore.experiments.frequencies.enclosing import Enclosing
from ldpcore.experiments.response import ClassSurveyResult, Estimated, RealAnswersResult
from ldpcore.experiments.response.classes import CuratorSurveyResult
from ldpcore.questions import Result


def real(
    result: RealAnswersResult,
    *beside: *tuple[Enclosing, *tuple[CuratorSurveyResult, ...], Look, Words],
) -> str:
    """The shares of the people meant first, the ones asked or the population behind them; then of others.

    Where some did not answer, the worst case stands beside; of a sample, its estimate without lying.
    """
    around, *curators, look, words = beside
    inner = curators[0].interval if curators else None
    rows = [
        IntervalRow(words["asked"], result.interval, result.estimate, PALETTE[1], inner),
        IntervalRow(words["sampled"], result.sampled_interval, result.estimate, PALETTE[1]),
    ]
    worst, color = result.sampled_worst_interval if around.sampled else result.worst_interval, PALETTE[4]
    silent = [IntervalRow(words["worst"], worst, math.nan, color)] if result.experiment.silent else []
    if not around.sampled:
        return intervals([rows[0], *silent, rows[1]], look, words, kind="ldp-intervals ldp-alone")
    direct = IntervalRow(words["direct"], result.direct_interval, result.projected, PALETTE[2])
    return intervals([rows[1], *silent, rows[0], direct], look, words, kind="ldp-intervals ldp-alone")


def table(result: Result, *beside: *tuple[*tuple[Result, ...], Look, Words]) -> list[list[object]]:
    """The numbers of a drawing: shares of yes in percent, as they are computed; the true one unless people predict."""
    *others, look, words = beside
    curators = [each for each in others if isinstance(each, CuratorSurveyResult)]
    if not isinstance(result, Estimated):
        return []
    shares = {"reported": result.answered_yes / result.experiment.n, "estimate": result.estimate}
    ends = {"": result.interval}
    if isinstance(result, ClassSurveyResult) and look.truth:
        shares = {"truth": result.truth} | shares
    if isinstance(result, RealAnswersResult):
        ends |= {"_sampled": result.sampled_interval, "_direct": result.direct_interval}
        if result.experiment.silent:
            ends |= {"_worst": result.worst_interval, "_sampled_worst": result.sampled_worst_interval}
    if curators and look.truth:
        ends |= {"_curator": curators[0].interval}
    for name, (low, high) in ends.items():
        shares |= {f"low{name}": low, f"high{name}": high}
    rows = [[words[f"row_{name}"], 100 * share] for name, share in shares.items()]
    return [[words["row_number"], words["row_share"]], *rows]
