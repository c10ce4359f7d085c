"""One report: the best test between two families of worlds, and the information that it carries."""

from __future__ import annotations

import math

import numpy as np

from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN
from explorer.figures.theme import Look, escape
from explorer.pages.distinguish.figures.worlds import FIRST, SECOND
from explorer.text.catalogue import Words
from ldpcore.experiments import distinguish
from ldpcore.parameters import LEVEL_AXIS

FEW = 32  # reports with a bar of their own


def best(result: distinguish.MinimaxResult, look: Look, words: Words) -> plot.Figure:
    """The likeliest reports: the probability of each in the hardest mixtures, and of an accusation at it."""
    order = result.telling(FEW)
    rows, room = np.arange(1, len(order) + 1), min(result.places, FEW)
    across = {"range": [0.3, room + 0.7], "tick0": 0, "dtick": 1 if room <= FEW // 2 else 5}
    figure = marks.canvas(look, words, xaxis=across, yaxis={"range": [0, 105]}, barmode="group", bargap=0.2)
    first, second = (mixture[order] for mixture in result.mixtures)
    top = max(float(first.max()), float(second.max()))
    hover = words.hover("hover_report", x="%{x}", y="%{customdata:.3g}")
    for law, name, color in ((first, "first", FIRST), (second, "second", SECOND)):
        # While people predict the bars keep their shape and not their numbers: those of two reports are the errors.
        more = {"customdata": 100 * law, "hovertemplate": hover} if look.truth else {"hoverinfo": "name"}
        figure.add_bar(x=rows, y=100 * law / top, name=escape(words[name]), marker={"color": color}, **more)
    if look.truth:
        chances = 100 * result.test.chances[order]
        marker = {"symbol": "diamond", "size": 12, "color": look.ink}
        hover = words.hover("hover", x="%{x}", y="%{y:.3g}")
        accused = marks.dots(rows, chances, words["accuses"], marker=marker, hovertemplate=hover, cliponaxis=False)
        figure.add(accused)
    return figure


def information(result: distinguish.InformationResult, look: Look, words: Words) -> plot.Figure:
    """Bits about the world in one report, along the level; never more than without privacy."""
    bit = math.log(2)
    top = marks.round_up(result.open / bit, (1, 2, 3, 5)) if result.open > 0 else 1.0
    figure = marks.canvas(look, words, xaxis=marks.logarithmic(*LEVEL_AXIS), yaxis={"range": [-0.02 * top, 1.04 * top]})
    figure.add(marks.guide(list(LEVEL_AXIS), [result.open / bit] * 2, words["open"], look.ink))
    hover = words.hover("hover", x="%{x:.3g}", y="%{y:.3g}")
    if look.truth:
        reported = marks.line(result.levels, result.along / bit, words["told"], DRAWN, hovertemplate=hover)
        figure.add(marks.filled(reported, DRAWN))
        figure.add(marks.ring(result.experiment.epsilon, result.here / bit, words["present"], look))
    return figure
