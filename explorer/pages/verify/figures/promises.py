"""The cost of smaller promises, the power of the best test, the rest after merging reports."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from explorer.facts import Count, Number
from explorer.figures import marks, plot
from explorer.figures.theme import Look
from explorer.pages.verify.facts import level as written_level
from explorer.pages.verify.figures.scale import BROKEN, FIRST, LONGEST, axis_of_levels, stretched
from explorer.text.catalogue import Words
from ldpcore.experiments.verify import MergedMatrix
from ldpcore.experiments.verify.matrixpromises import MatrixPromiseResult, NeededDeltaResult
from ldpcore.experiments.verify.promises import BestTestResult, SmallerPromiseResult

PROMISES = (0.01, 12.0)  # the axis of promises, on all δ curves


def smaller(curve: SmallerPromiseResult, *more: *tuple[*tuple[NeededDeltaResult, ...], Look, Words]) -> plot.Figure:
    """The failure probability that makes a smaller level true; none from the exact level on.

    The curve is that of one pair of values, or over all pairs of rows of a matrix, of which `NeededDelta` tells more.
    """
    *needed, look, words = more
    return _delta_curve(curve, needed[0] if needed else curve, "rows" if needed else "curve", look, words)


def _delta_curve(
    curve: SmallerPromiseResult, asked: SmallerPromiseResult | NeededDeltaResult, name: str, look: Look, words: Words
) -> plot.Figure:
    few = len(curve.epsilons) < 20  # of a large matrix few points are exact, and the line between them is not
    figure = marks.canvas(look, words, xaxis=_promises(words), yaxis={"range": [-0.03, 1.05]})
    if look.truth:
        trace = marks.line(
            curve.epsilons,
            curve.deltas,
            words[name],
            FIRST,
            mode="lines+markers" if few else "lines",
            hovertemplate=words.hover("hover", x="%{x:.3g}", y="%{y:.3g}"),
        )
        figure.add(trace if few else marks.filled(trace, FIRST))
        if math.isfinite(curve.level):
            figure.add(marks.guide([curve.level] * 2, [0, 1], words["level"], look.ink))
        figure.add(marks.ring(asked.alpha, asked.needed, words["stricter"], look))
    else:
        figure.add(marks.guide([asked.alpha] * 2, [0, 1], words["stricter"], look.ghost))
    return figure


def _promises(words: Words) -> dict[str, Any]:
    """The axis of promises."""
    ticks = (0.01, 0.03, 0.1, 0.3, 1, 3, 10)
    written = [words.write(Number(tick)) for tick in ticks]
    return marks.logarithmic(*PROMISES, tickvals=ticks, ticktext=written)


def power(result: BestTestResult, look: Look, words: Words) -> plot.Figure:
    """The chance that the best test of one report finds one value, against its chance of accusing the other."""
    hover = words.hover("hover", x="%{x:.3g}", y="%{y:.4g}")
    sizes = 100 * result.sizes
    figure = marks.canvas(look, words, xaxis={"range": [-2, 102]}, yaxis={"range": [-2, 104]})
    figure.add(marks.guide([0, 100], [0, 100], words["guessing"], look.ghost, dash="dot"))
    if look.truth:
        color = BROKEN if result.beyond else FIRST
        best = marks.line(sizes, 100 * result.best, words["best"], color, hovertemplate=hover)
        figure.add(marks.filled(best, color))
        figure.add(marks.ring(100 * result.size, 100 * result.reached, words["present"], look))
    elif look.predicting:
        figure.add(marks.ring(100 * result.size, math.nan, words["present"], look))
    figure.add(
        marks.line(sizes, 100 * result.bound, words["bound"], look.ink, dash="dash", width=2, hovertemplate=hover)
    )
    return figure


def ladder(merged: MergedMatrix, promise: MatrixPromiseResult, look: Look, words: Words) -> plot.Figure:
    """The level as reports are merged two by two: it falls or stays, and with one report left it is zero."""
    counts, levels = (np.array(side, dtype=float) for side in zip(*merged.ladder, strict=True))
    levels[levels < 1e-12] = 0  # what rounding leaves of nothing
    ends = [-0.03 * stretched(LONGEST), 1.06 * stretched(LONGEST)]
    figure = marks.canvas(
        look,
        words,
        yaxis=axis_of_levels((0, 0.1, 0.5, 1, 2, 5, 10), ends, words),
        xaxis={
            "type": "log",
            "range": [math.log10(counts[0]) + 0.15, -0.12],
            "tickvals": counts,
            "ticktext": [words.write(Count(int(count))) for count in counts],
        },
    )
    if look.truth:
        written = [words.write(written_level(float(level))) for level in levels]
        line = marks.line(
            counts,
            np.sqrt(np.minimum(levels, LONGEST)),
            words["merged"],
            FIRST,
            mode="lines+markers+text",
            marker={"size": 11},
            text=written,
            textposition="top right",
            cliponaxis=False,
            hovertemplate=words.hover("hover", x="%{x}", y="%{text}"),
        )
        figure.add(line)
        own = float(merged.merged.matrix.shape[1]), stretched(min(merged.merged_leak.amount, LONGEST))
        figure.add(marks.ring(*own, words["present"], look))
    elif look.predicting:
        figure.add(marks.ring(merged.merged.matrix.shape[1], math.nan, words["present"], look))
    at = stretched(min(promise.question.promise, LONGEST))
    figure.add(marks.guide([2 * counts[0], 0.5], [at, at], words["promise"], BROKEN))
    return figure
