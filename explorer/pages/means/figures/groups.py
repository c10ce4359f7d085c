"""Two panels, one above the other: two groups, and their difference."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from explorer.facts.naming import opened
from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN, OTHER, THEORY
from explorer.figures.theme import Look, escape
from explorer.pages.means.facts import called
from explorer.pages.means.figures.scales import ABOVE, in_full, span_of
from explorer.text.catalogue import Words
from ldpcore.experiments.means import TwoGroupsResult
from ldpcore.experiments.named import PerhapsNamed

WIDE = 30  # times the error of noise of one half of the scale: what a picture of groups reaches


def _room(*sizes: int) -> float:
    """The reach of the picture of groups to either side, in halves of the scale: more for small ones, at any level."""
    return max(1.5, marks.round_up(WIDE * math.sqrt(sum(1 / size for size in sizes)), (1, 1.5, 2, 3, 5, 7)))


def groups(answer: PerhapsNamed[TwoGroupsResult], look: Look, words: Words) -> plot.Figure:
    """The means of two groups with their intervals above, and their difference below, with zero."""
    result, names = opened(answer)
    both = (result.experiment.first, result.experiment.second)
    scale, rows = both[0].scale, [escape(words.write(name)) for name in called(names)]
    room = _room(both[0].n, both[1].n)
    span, reach = span_of(scale, room), room * scale.half
    figure = marks.canvas(
        look,
        words,
        margin={"t": ABOVE * look.font_size},
        xaxis={"range": span, "anchor": "y", "side": "top", **in_full(scale)},
        yaxis={"domain": [0.36, 1], "range": [-0.7, 1.7], "tickvals": [1, 0], "ticktext": rows, "automargin": True},
        xaxis2={
            "range": [-reach, reach],
            "anchor": "y2",
            "title": {"text": escape(words["x_gap"])},
            **in_full(scale),
        },
        yaxis2={"domain": [0, 0.3], "range": [-1, 1], "visible": False, "anchor": "x2"},
    )
    ends, rise = [scale.low, scale.low, None, scale.high, scale.high], [-0.7, 1.7, None, -0.7, 1.7]
    bounds: Any = marks.guide(ends, rise, words["bounds"], look.ghost, dash="dot")  # type: ignore[arg-type]
    figure.add(bounds | {"showlegend": False})
    below = marks.SECOND
    figure.add(marks.guide([0, 0], [-1, 1], words["zero"], look.ghost, **below))
    for place, color in enumerate((THEORY, DRAWN)):
        at, height = float((result.first, result.second)[place][0]), 1 - place
        _interval(figure, at, result.interval_of(place), height, span, color, words, showlegend=False)
        if look.truth:
            stroke, true = [height - 0.4, height + 0.4], both[place].mean
            figure.add(marks.truth([true, true], stroke, words["truth"], look, showlegend=not place))
    _interval(figure, result.estimate, result.interval, 0, [-reach, reach], OTHER, words, **below)
    if look.truth:
        figure.add(marks.truth([result.truth] * 2, [-0.8, 0.8], words["truth"], look, showlegend=False, **below))
    return figure


def _interval(
    figure: plot.Figure,
    at: float,
    ends: tuple[float, float],
    height: float,
    span: list[float],
    color: str,
    words: Words,
    **more: Any,
) -> None:
    """An interval as far as the picture goes, and the estimate in it; an arrow where that is beyond the picture."""
    middle, reach = (span[0] + span[1]) / 2, (span[1] - span[0]) / 2
    (place,), (symbol,) = marks.within(np.array([at]), reach, middle)
    wide = np.clip(np.array(ends), span[0], span[1])
    bar = marks.line(wide, [height, height], words["interval"], color, width=12, opacity=0.4, hoverinfo="skip", **more)
    figure.add(bar)
    symbols = ["diamond" if symbol == "circle" else symbol]  # of the point and not of the series: an arrow is a finding
    marker = {"symbol": symbols, "size": 14, "color": color}
    hover = words.hover("hover", x="%{customdata:,.4g}")
    dot = marks.dots([place], [height], words["estimate"], marker=marker, customdata=[at], hovertemplate=hover, **more)
    figure.add(dot)
