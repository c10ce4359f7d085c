"""The pictures of exercises about several numbers and several people."""

from __future__ import annotations

import math

from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN, OTHER, THEORY
from explorer.figures.theme import Look
from explorer.text.catalogue import Words
from ldpcore.experiments.trust.statistics import MOST, ManyStatisticsResult

ERRORS = (0.1, 1e6)  # of the upright axis: noise on each count
STROKES = {"laplace": (THEORY, "solid"), "analytic": (DRAWN, "solid"), "classical": (OTHER, "dash")}


def several(result: ManyStatisticsResult, look: Look, words: Words) -> plot.Figure:
    """The noise on each count along their number: Laplace's is straight, the normal one grows like a root."""
    asked = result.experiment
    across, up = marks.logarithmic(1, MOST, dtick=1), marks.logarithmic(*ERRORS, dtick=1)
    figure = marks.canvas(look, words, xaxis=across, yaxis=up)
    hover = words.hover("hover", x="%{x:,}", y="%{y:.3g}")
    for name, (color, dash) in STROKES.items():
        if look.truth or name == "laplace":
            figure.add(marks.line(result.ks, result.curves[name], words[name], color, dash=dash, hovertemplate=hover))
    here = min(asked.error("laplace", asked.k), asked.error("analytic", asked.k)) if look.truth else math.nan
    figure.add(marks.ring(min(asked.k, MOST), here, words["present"], look))
    return figure
