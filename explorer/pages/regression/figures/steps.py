"""The private steps over the true curve, with the shares of the cells in the water below; and one person's report.

Where a share does not reach the water line, c times an even share, its step is set to 0: as the level falls, the noise
grows and the water with it, and the steps go under one by one. Axes are those of the public bounds.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from explorer.facts.naming import opened
from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN, OTHER, THEORY
from explorer.figures.theme import PALETTE, Look, escape
from explorer.text.catalogue import Words
from ldpcore.estimating.regression import CellSteps
from ldpcore.experiments import regression
from ldpcore.experiments.named import PerhapsNamed
from ldpcore.numerics.arrays import Reals
from ldpcore.people.curves import CurveModel, curve

REACH = 1.5  # halves of the response's scale to either side of its middle
DEEP, HIGH = -0.5, 3.0  # of an even share: how far down and up the picture of the cells reaches
POINTS = 481  # of the true curve
SUNK = PALETTE[9]
WATER = "rgba(0,114,178,0.28)"
NOISE = 14.0  # how far the numbers of one report are drawn


def steps(
    answer: PerhapsNamed[regression.CurveSurveyResult],
    *more: *tuple[*tuple[PerhapsNamed[regression.CurveSurveyResult], ...], Look, Words],
) -> plot.Figure:
    """Above, the steps over the curve, beside those of honest answers or of a curator; below, cells in the water.

    `more` are the look and the words, after the curator's curve where that is asked for.
    """
    *beside, look, words = more
    result: regression.CurveSurveyResult = opened(answer)[0]
    source = result.experiment.source
    box, scale = source.boxes[0], source.scale
    middle, reach = scale.low + scale.half, REACH * scale.half
    figure = marks.canvas(
        look,
        words,
        xaxis={"range": [box.low, box.high], "anchor": "y2"},
        yaxis={"domain": [0.42 if look.lecture else 0.34, 1], "range": [middle - reach, middle + reach]},
        yaxis2={
            "domain": [0, 0.36 if look.lecture else 0.28],
            "range": [DEEP, HIGH],
            "tickvals": [0, 1, 2],
            "title": {"text": marks.low_title(words["y_cells"])},
        },
        bargap=0.06,
    )
    if look.truth:
        _known(figure, result, look, words)
        if beside:
            figure.add(_stairs(result, opened(beside[0])[0].steps, words, "with_curator", PALETTE[3], width=3))
        else:
            figure.add(_stairs(result, result.direct, words, "direct", OTHER, width=2))
    figure.add(_risers(result, look))
    figure.add(_stairs(result, result.steps, words, "private", DRAWN, width=5))
    _sunk(figure, result, look, words)
    _beyond(figure, result, middle, reach, words)
    _cells(figure, result, look, words)
    return figure


def _known(figure: plot.Figure, result: regression.CurveSurveyResult, look: Look, words: Words) -> None:
    """The true curve, where it is known."""
    source = result.experiment.source
    if isinstance(source, CurveModel):
        x = np.linspace(0, 1, POINTS)
        right, heights = source.boxes[0].outward(x), source.scale.outward(curve(source.function, x[:, None]))
        known = marks.truth(right, heights, words["truth"], look)
        hover = words.hover("hover", x="%{x:.3g}", y="%{y:.3g}")
        figure.add(plot.also(known, hovertemplate=hover, hoverinfo=None))


def _ends(result: regression.CurveSurveyResult) -> Reals:
    """The ends of the cells, in the reader's unit."""
    return result.experiment.source.boxes[0].outward(result.steps.partition.edges)


def _stairs(
    result: regression.CurveSurveyResult, drawn: CellSteps, words: Words, name: str, color: str, **more: Any
) -> plot.Trace:
    """One stroke for each cell that is not set to 0; they meet where the heights jump."""
    ends, alive = _ends(result), ~drawn.sunk
    heights = result.experiment.source.scale.outward(drawn.heights)
    heights = np.where(alive, heights, np.nan)
    x = np.column_stack([ends[:-1], ends[1:], ends[1:]]).ravel()
    y = np.column_stack([heights, heights, np.full(len(heights), np.nan)]).ravel()
    hover = words.hover("hover", x="%{x:.3g}", y="%{y:.3g}")
    return marks.line(x, y, words[name], color, hovertemplate=hover, **more)


def _risers(result: regression.CurveSurveyResult, look: Look) -> plot.Trace:
    """The whole step function as one thin line, which ties the steps together."""
    ends, heights = _ends(result), result.experiment.source.scale.outward(result.steps.heights)
    x, y = np.repeat(ends, 2)[1:-1], np.repeat(heights, 2)
    return marks.line(x, y, "", DRAWN, width=1, opacity=0.55, meta="decoration", hoverinfo="skip", showlegend=False)


def _sunk(figure: plot.Figure, result: regression.CurveSurveyResult, look: Look, words: Words) -> None:
    """The cells that were set to 0, as strokes of their own; the legend keeps its entry where there is none."""
    ends, sunk = _ends(result), result.steps.sunk
    zero = float(result.experiment.source.scale.outward(0.0))
    gaps = np.full(len(sunk), np.nan)
    x = np.column_stack([ends[:-1], ends[1:], gaps])[sunk].ravel()
    y = np.column_stack([np.full(len(sunk), zero)] * 2 + [gaps])[sunk].ravel()
    if not len(x):
        x, y = np.array([np.nan]), np.array([np.nan])
    figure.add(marks.line(x, y, words["sunk"], SUNK, width=5, dash="2px,3px", hoverinfo="name"))


def _beyond(
    figure: plot.Figure, result: regression.CurveSurveyResult, middle: float, reach: float, words: Words
) -> None:
    """Arrows at the edge for steps that leave the picture."""
    heights = result.experiment.source.scale.outward(result.steps.heights)
    at, symbols = marks.within(heights, reach, middle)
    out = np.array([symbol != "circle" for symbol in symbols])
    ends = _ends(result)
    marker = {"symbol": [name for name, beyond in zip(marks.upright(symbols), out, strict=True) if beyond], "size": 12}
    hover = words.hover("hover", x="%{x:.3g}", y="%{customdata:.3g}")
    middles = (ends[1:] + ends[:-1]) / 2
    dots = marks.dots(
        middles[out], at[out], words["beyond"], marker=marker, customdata=heights[out], hovertemplate=hover
    )
    figure.add(dots | {"showlegend": False})


def _cells(figure: plot.Figure, result: regression.CurveSurveyResult, look: Look, words: Words) -> None:
    """The estimated share of people in each cell as a multiple of an even share, in the water up to the threshold."""
    ends, sunk = _ends(result), result.steps.sunk
    shares = result.steps.shares / result.steps.partition.volume
    colors = [SUNK if under else DRAWN for under in sunk]
    hover = words.hover("hover_cell", x="%{x:.3g}", y="%{customdata:.3g}")
    figure.add(
        plot.bar(
            x=(ends[1:] + ends[:-1]) / 2,
            y=np.clip(shares, DEEP, HIGH),
            width=np.diff(ends) * 0.86,
            yaxis="y2",
            name=escape(words["cells"]),
            marker={"color": colors, "opacity": 0.8},
            customdata=shares,
            hovertemplate=hover,
            showlegend=False,
        )
    )
    _water(figure, [float(ends[0]), float(ends[-1])], min(result.experiment.tuning.threshold, HIGH), look, words)


def _water(figure: plot.Figure, bounds: list[float], line: float, look: Look, words: Words) -> None:
    """The water from the bottom of the panel up to the threshold: a cell below its line is set to 0."""
    floor = plot.scatter(
        x=bounds,
        y=[DEEP, DEEP],
        mode="lines",
        line={"width": 0},
        hoverinfo="skip",
        showlegend=False,
        meta="decoration",
        yaxis="y2",
    )
    water = plot.scatter(
        x=bounds,
        y=[line, line],
        mode="lines",
        fill="tonexty",
        fillcolor=WATER,
        yaxis="y2",
        name=escape(words["water"]),
        meta="decoration",
        hoverinfo="name",
        line={"color": PALETTE[4] if look.dark else THEORY, "width": 2.5},
    )
    figure.add(floor)
    figure.add(water)


def report(answer: PerhapsNamed[regression.OnePointResult], look: Look, words: Words) -> plot.Figure:
    """One person's report: a number for each cell about their place, and one about their response."""
    result: regression.OnePointResult = opened(answer)[0]
    ends = result.experiment.mechanism.partition.edges
    middles, widths = (ends[1:] + ends[:-1]) / 2, np.diff(ends)
    figure = marks.canvas(
        look,
        words,
        xaxis={"range": [0, 1], "anchor": "y2"},
        yaxis={"domain": [0.55, 1], "range": [-NOISE, NOISE]},
        yaxis2={"domain": [0, 0.45], "range": [-NOISE, NOISE], "title": {"text": escape(words["y_response"])}},
        bargap=0.15,
    )
    rows = ((result.location, "location", THEORY, "y"), (result.response, "response", DRAWN, "y2"))
    for numbers, name, color, axis in rows:
        hover = words.hover("hover", x="%{x:.3g}", y="%{customdata:.3g}")
        figure.add(
            plot.bar(
                x=middles,
                width=0.86 * widths,
                y=np.clip(numbers, -NOISE, NOISE),
                name=escape(words[name]),
                yaxis=axis,
                marker={"color": color},
                customdata=numbers,
                hovertemplate=hover,
            )
        )
        if look.truth:
            held = 1.0 if name == "location" else float(np.clip(result.experiment.y, *_bounds(result)))
            figure.add(_held(ends[result.cell : result.cell + 2], held, axis, words, look, showlegend=axis == "y"))
    return figure


def _bounds(result: regression.OnePointResult) -> tuple[float, float]:
    bound = result.experiment.tuning.bound
    return -bound, bound


def _held(ends: Reals, height: float, axis: str, words: Words, look: Look, **more: Any) -> plot.Trace:
    """The report without noise: one bar in the person's own cell."""
    low, high = (float(end) for end in ends)
    x = [low, low, high, high, low]
    return marks.line(
        x,
        [0, height, height, 0, 0],
        words["held"],
        look.ink,
        width=2.5,
        yaxis=axis,
        meta="decoration",
        hoverinfo="name",
        **more,
    )
