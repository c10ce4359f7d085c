"""The pictures of the page about shapes: the histogram read back with its quantiles, EM's way, and one report.

Heights are measured by an even spread, which is 1, so that they mean the same at every number of bins.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from explorer.facts import Count, Hidden
from explorer.facts.naming import opened
from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN, OTHER, THEORY
from explorer.figures.theme import PALETTE, Look
from explorer.pages.shapes.settings import SHARES
from explorer.text.catalogue import Words
from ldpcore.experiments import means
from ldpcore.experiments.named import PerhapsNamed
from ldpcore.experiments.shapes import distributions as shapes
from ldpcore.mechanisms.squarewave import SquareWave
from ldpcore.numerics.arrays import Reals
from ldpcore.people.scales import PublicScale

HIGHEST = 5.0  # times an even spread
SHELF = -0.5  # below the heights, where quantiles are marked
ASIDE = 0.55  # of the scale: the widest wave reaches half of it beyond either bound
PATH = ("#A9B8C6", "#8FB0CC", "#75A7D1", "#5B9DD6", "#4193DA", "#2789DE", "#0D7FE2", "#0072B2")  # from pale to deep


def _axis(scale: PublicScale, aside: float = ASIDE) -> dict[str, Any]:
    """The axis of the public bounds and the space beside them, in the reader's unit."""
    whole = 2 * scale.half
    full = {"exponentformat": "none", "separatethousands": True} if 0.1 <= scale.half < 1e7 else {}
    return {"range": [scale.low - aside * whole, scale.high + aside * whole]} | full


def stairs(shares: Reals, edges: Reals) -> tuple[Reals, Reals]:
    """A histogram as an outline."""
    heights = np.concatenate([[0.0], np.repeat(shares, 2), [0.0]])
    return np.repeat(edges, 2), heights


def _edges(scale: PublicScale, bins: int) -> Reals:
    return np.linspace(scale.low, scale.high, bins + 1)


def shape(answer: PerhapsNamed[shapes.ReconstructionResult], look: Look, words: Words) -> plot.Figure:
    """The reports, wide and flat; the histogram read back, with its quantiles on a shelf; the truth of both."""
    result: shapes.ReconstructionResult = opened(answer)[0]
    scale, bins = result.experiment.numbers.scale, result.experiment.bins
    heights = {"range": [SHELF, HIGHEST], "tickvals": list(range(int(HIGHEST) + 1))}
    figure = marks.canvas(look, words, xaxis=_axis(scale), yaxis=heights)
    hover = words.hover("hover", x="%{x:,.4g}", y="%{y:.2f}")
    x, y = stairs(result.counts / result.n * bins, result.edges)
    arrived = marks.line(x, y, words["reports"], look.ghost, hovertemplate=hover)
    figure.add(marks.filled(arrived, DRAWN) | {"line": {"color": DRAWN, "width": 1.5}})
    edges = _edges(scale, bins)
    x, y = stairs(result.fit.shares * bins, edges)
    read = marks.line(x, y, words["read"], THEORY, width=4, hovertemplate=hover)
    figure.add(marks.filled(read, THEORY))
    if look.truth:
        x, y = stairs(result.truth * bins, edges)
        figure.add(marks.truth(x, y, words["truth"], look, width=2))
    _quantiles(figure, result, look, words)
    return figure


def _quantiles(figure: plot.Figure, result: shapes.ReconstructionResult, look: Look, words: Words) -> None:
    """The numbers below which five shares of people lie: diamonds as read back, strokes in ink for the truth."""
    levels = np.array(SHARES)
    if look.truth:
        gaps, true = np.full(len(levels), np.nan), result.true_quantiles(levels)
        x, y = np.column_stack([true, true, gaps]).ravel(), np.tile([SHELF, 0.0, np.nan], len(levels))
        figure.add(marks.truth(x, y, words["truth"], look, width=2, showlegend=False))
    hover = words.hover("hover_marked", x="%{x:,.4g}", share="%{customdata:.0f}")
    read, marker = result.quantiles(levels), {"symbol": "diamond"}
    spots = marks.dots(
        read, np.full(len(levels), SHELF / 2), words["marked"], OTHER, size=13, marker=marker, hovertemplate=hover
    )
    figure.add(plot.also(spots, customdata=100 * levels))


def steps(answer: PerhapsNamed[shapes.ClimbResult], look: Look, words: Words) -> plot.Figure:
    """The shares after some steps of plain EM, from pale to deep, the smoothed ones at the stop, and the truth."""
    result: shapes.ClimbResult = opened(answer)[0]
    scale, bins = result.experiment.numbers.scale, result.experiment.bins
    figure = marks.canvas(look, words, xaxis=_axis(scale, 0.02), yaxis={"range": [0, HIGHEST]})
    edges = _edges(scale, bins)
    hover = words.hover("hover", x="%{x:,.4g}", y="%{y:.2f}")
    climbed = _climbed(result)
    for (step, shares), color in zip(climbed, _deeper(len(climbed), look), strict=True):
        x, y = stairs(shares * bins, edges)
        waits = look.predicting and step > 0  # at which one it stops is asked
        if waits and step != climbed[-1][0]:
            continue
        many, y = (Hidden(), np.full_like(y, np.nan)) if waits else (Count(step), y)
        line = marks.line(x, y, words.fill("step", step=many), color, width=2, hovertemplate=hover)
        figure.add(
            line | {"showlegend": step in (climbed[0][0], climbed[-1][0])}
        )  # shades in between speak for themselves
    x, y = stairs(result.smoothed.shares * bins, edges)
    figure.add(marks.line(x, y, words["smoothed"], DRAWN, width=4, hovertemplate=hover))
    if look.truth:
        x, y = stairs(result.truth * bins, edges)
        figure.add(marks.truth(x, y, words["truth"], look, width=2))
    return figure


def _climbed(result: shapes.ClimbResult) -> list[tuple[int, Reals]]:
    """The shares of plain EM after some steps, those at its stop among them."""
    kept, last = list(result.plain.kept), result.plain.steps
    return kept if kept[-1][0] == last else [*kept, (last, result.plain.shares)]


def _deeper(many: int, look: Look) -> list[str]:
    """A row of `many` colors from quiet to loud, as far from each other as they can be."""
    path = PATH[::-1] if look.dark else PATH
    return [path[round(place)] for place in np.linspace(0, len(path) - 1, many)]


def report(answer: PerhapsNamed[means.NumberReportResult], look: Look, words: Words) -> plot.Figure:
    """The two square waves of two people's reports, and the report that was sent."""
    result: means.NumberReportResult = opened(answer)[0]
    question, scale = result.experiment, result.experiment.scale
    wave = question.randomizer
    assert isinstance(wave, SquareWave)
    figure = marks.canvas(look, words, xaxis=_axis(scale), yaxis={"range": [0, HIGHEST]})
    people = (("first", question.first, THEORY, "solid"), ("second", question.second, PALETTE[1], "dash"))
    for name, x, color, dash in people:
        ends = np.array(wave.breakpoints(x))
        heights = np.array([wave.q, wave.p, wave.q])
        across, up = stairs(heights, scale.outward(ends))
        hover = words.hover("hover", x="%{x:,.4g}", y="%{y:.3g}")
        curve = marks.filled(marks.line(across, up, words[name], color, dash=dash, hovertemplate=hover), color)
        at = float(scale.outward(x))
        figure.add(marks.guide([at, at], [0, HIGHEST], words[name], color, dash=dash) if look.predicting else curve)
    sent = float(scale.outward(result.report))
    figure.add(marks.guide([sent, sent], [0, 0.3 * HIGHEST], words["sent"], OTHER, dash="dot", showlegend=False))
    hover = words.hover("hover_sent", x="%{x:,.4g}")
    figure.add(
        marks.dots(
            [sent], [0.04 * HIGHEST], words["sent"], OTHER, size=15, marker={"symbol": "diamond"}, hovertemplate=hover
        )
    )
    return figure
