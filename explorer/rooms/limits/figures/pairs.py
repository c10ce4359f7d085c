"""Two worlds that differ in what is asked for, and hardly in what people send."""

from __future__ import annotations

import numpy as np

from explorer.figures import marks, plot
from explorer.figures.theme import PALETTE, Look, escape
from explorer.text.catalogue import Words
from ldpcore.experiments import limits
from ldpcore.limits.problems import HeavyMean
from ldpcore.numerics.arrays import Reals

FIRST, SECOND = PALETTE[2], PALETTE[6]  # as where two worlds are told apart
WIDE, ASIDE = 0.025, 0.06  # a bar and the room beside the last ones, as shares of the picture
FEWEST, MOST = 0.1, 100.0  # per cent of the people, where a few of them far out are the whole difference
NEAR = 0.4  # how much of the range is drawn then: worlds one unit from the middle stand apart, a level of 1 is inside


def worlds(result: limits.WorldsResult, look: Look, words: Words) -> plot.Figure:
    """Both laws of what one person holds, as densities or as bars at single values."""
    return _atoms(result, look, words) if result.atoms else _densities(result, look, words)


def _densities(result: limits.WorldsResult, look: Look, words: Words) -> plot.Figure:
    """Both densities; the first is the same at every level, so that it measures the picture."""
    ends = result.experiment.problem.range
    top = 1.8 * float(result.first.curve(np.linspace(*ends, 401)).max())
    figure = marks.canvas(look, words, y="y_density", yaxis={"range": [0, top]}, xaxis={"range": list(ends)})
    hover = words.hover("hover_density", x="%{x:.3g}", y="%{y:.3g}")
    first = marks.line(result.xs, result.first_curve, words["first"], FIRST, width=4, hovertemplate=hover)
    figure.add(marks.filled(first, FIRST))
    figure.add(marks.line(result.xs, result.second_curve, words["second"], SECOND, dash="dash", hovertemplate=hover))
    return figure


def _atoms(result: limits.WorldsResult, look: Look, words: Words) -> plot.Figure:
    """Two bars at each value; what lies beyond the picture is an arrow at its edge."""
    few = isinstance(result.experiment, limits.Worlds) and isinstance(result.experiment.problem, HeavyMean)
    low, high = (NEAR * end if few else end for end in result.experiment.problem.range)
    low, high = low - ASIDE * (high - low), high + ASIDE * (high - low)
    up = marks.logarithmic(FEWEST, MOST, dtick=1) if few else {"range": [0, 105]}
    figure = marks.canvas(look, words, xaxis={"range": [low, high]}, yaxis=up, barmode="overlay")
    width = WIDE * (high - low)
    hover = words.hover("hover", x="%{customdata[0]:.3g}", y="%{customdata[1]:.3g}")
    for aside, name, color, weights in (
        (-1, "first", FIRST, result.first_weights),
        (1, "second", SECOND, result.second_weights),
    ):
        held = weights > 0
        places, shares = result.places[held], 100 * weights[held]
        known = np.column_stack([places, shares])
        style = {"name": escape(words[name]), "customdata": known, "hovertemplate": hover}
        offset = -width if aside < 0 else 0
        figure.add_bar(x=places, y=shares, marker={"color": color}, width=width, offset=offset, **style)
        figure.add(_tops(known, aside * width / 2, (low, high), FEWEST if few else 0.0, color) | style)
    return figure


def _tops(known: Reals, aside: float, ends: tuple[float, float], least: float, color: str) -> plot.Trace:
    """A dot on every bar, for those that are too low to be seen; an arrow where there is no bar in the picture."""
    middle, reach = sum(ends) / 2, (ends[1] - ends[0]) / 2
    at, symbols = marks.within(known[:, 0] + aside, reach, middle)
    tops = np.maximum(known[:, 1], least)
    marker = {"symbol": symbols}
    return marks.dots(at, tops, "", color, size=9, marker=marker, showlegend=False, meta="decoration")
