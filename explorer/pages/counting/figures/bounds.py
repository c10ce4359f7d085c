"""Sensitivity in one picture: above the records and the bound, below the noise and the bias at every bound."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN, OTHER, THEORY
from explorer.figures.theme import PALETTE, Look, escape
from explorer.text.catalogue import Words
from ldpcore.experiments.counting.bounding import BoundedSumResult

KEPT, CUT = PALETTE[4], PALETTE[3]
ABOVE = {"yaxis": "y2"}  # the panel of the records, over the same bounds


@dataclass(frozen=True)
class Extent:
    """The width of a bar of records, the number of records in the upper panel, and the largest error in the lower one.

    Errors are drawn in units of `unit`.
    """

    width: float
    top: float
    error: float
    unit: float = 1.0


# Ten times the assumed bound, the noise of ε = 0.1, stands at two thirds of the height; of functions of x that of 5x,
# so that they can be compared.
_OF_X = Extent(0.02, 2, 75)
EXTENTS: Mapping[str, Extent] = MappingProxyType(
    {
        "visits": Extent(1, 50, 1500),
        "cinema": Extent(50, 10, 15, 1000),
        "ages": Extent(5, 25, 1875),
        "once": _OF_X,
        "twice": _OF_X,
        "five": _OF_X,
    }
)


def noise_and_bias(result: BoundedSumResult, look: Look, words: Words) -> plot.Figure:
    """The records below and above the bound; and along all bounds the noise, the bias, and the error from both."""
    question, extent = result.experiment, EXTENTS[result.experiment.example]
    floor, ceiling = (
        (0.72, 0.6) if look.lecture else (0.74, 0.67)
    )  # where the upper panel begins, and the lower one ends
    figure = marks.canvas(
        look,
        words,
        barmode="overlay",
        bargap=0.1,
        xaxis={"range": [-0.02 * question.records.most, 1.05 * question.records.most], "anchor": "y"},
        yaxis={"range": [0, extent.error], "domain": [0, ceiling], "nticks": 5},
        yaxis2={
            "range": [0, extent.top],
            "domain": [floor, 1],
            "anchor": "x",
            "nticks": 3,
            "title": {"text": escape(words["y_records"])},
        },
    )
    _records(figure, result, extent, look, words)
    hover = words.hover("hover", x="%{x:,.4g}", y="%{y:,.3g}")
    for values, name, color, dash, width in (
        (result.errors, "error", THEORY, "solid", 5),
        (result.scales, "noise", DRAWN, "dash", 2.5),
        (result.cuts, "cut", CUT, "dot", 3.5),
    ):
        curve = marks.line(
            result.bounds, values / extent.unit, words[name], color, dash=dash, width=width, hovertemplate=hover
        )
        figure.add(curve)
    best = [float(result.bounds[result.best])], [float(result.errors[result.best]) / extent.unit]
    figure.add(marks.dots(*best, words["best"], OTHER, 14, marker={"symbol": "diamond"}, hovertemplate=hover))
    figure.add(marks.ring(question.bound, result.error / extent.unit, words["present"], look))
    return figure


def _records(figure: plot.Figure, result: BoundedSumResult, extent: Extent, look: Look, words: Words) -> None:
    """The records in bars, those above the bound in the color of values cut off, the bound, and the newcomer."""
    question, values = result.experiment, result.values
    held, hover = values <= question.bound, words.hover("bar_hover", x="%{x:,.4g}", y="%{y:,}")
    places = np.rint(values / extent.width)
    for chosen, name, color in ((held, "kept", KEPT), (~held, "above", CUT)):
        bins, counts = np.unique(places[chosen], return_counts=True)
        below = np.array([np.count_nonzero(places[held] == each) for each in bins]) if name == "above" else 0 * counts
        bars = plot.bar(
            x=bins * extent.width,
            y=counts,
            base=below,  # a bar that the bound parts has both colors, one upon the other
            width=0.9 * extent.width,
            name=escape(words[name]),
            marker={"color": color},
            showlegend=False,
            hovertemplate=hover,
            **ABOVE,
        )
        figure.add(bars)
    line = marks.guide(
        [question.bound] * 2, [0, 0.8 * extent.top], words["bound"], look.ink, dash="solid", showlegend=False, **ABOVE
    )
    figure.add(line)
    _newcomer(figure, result, extent, look, words)


def _newcomer(figure: plot.Figure, result: BoundedSumResult, extent: Extent, look: Look, words: Words) -> None:
    """The record that may come, and the level that it causes where the bound is assumed and not enforced."""
    question, most = result.experiment, result.experiment.records.most
    record, end = question.records.newcomer, 1.035 * most
    marker = {"symbol": "triangle-right" if record > end else "x", "color": look.ink, "line": {"width": 0}}
    comes = marks.dots([min(record, end)], [0.12 * extent.top], words["newcomer"], size=12, marker=marker, **ABOVE)
    figure.add(plot.also(comes, cliponaxis=False, hoverinfo="name", meta="decoration", showlegend=False))
    near = 0 <= min(record, end) - question.bound < 0.06 * most  # then its words stand beside the line of the bound
    beside = question.bound if near else min(record, end)
    said = words["comes"] + "\u00a0\u00a0"  # room to the line
    figure.add(marks.label(beside, 0.9 * extent.top, said, look, textposition="middle left", cliponaxis=False, **ABOVE))
