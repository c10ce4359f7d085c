"""The limits for several questions at once."""

from __future__ import annotations

import numpy as np

from explorer.figures import marks, plot
from explorer.figures.theme import Look, style
from explorer.text.catalogue import Words
from ldpcore.experiments import limits

DRAWN_METHODS = ("split", "sampled", "hypercube", "tuned")


def vectors(result: limits.VectorBoundsResult, look: Look, words: Words) -> plot.Figure:
    """The number of questions: three limits for every method along it, and the promise of our methods."""
    question = result.experiment
    unit = 1 / np.sqrt(question.n)
    figure = marks.canvas(
        look,
        words,
        yaxis=marks.logarithmic(0.01 * unit, 1e4 * unit, dtick=1),
        xaxis=marks.logarithmic(
            1, 100, tickvals=[1, 2, 5, 10, 20, 50, 100], ticktext=["1", "2", "5", "10", "20", "50", "100"]
        ),
    )
    hover = words.hover("hover", x="%{x}", y="%{y:.3g}")
    bounds = (("le_cam", result.le_cam, "dot"), ("fano", result.fano, "dash"), ("assouad", result.assouad, "dashdot"))
    for slug, squared, dash in bounds:
        bound = np.where(squared > 0, np.sqrt(squared), np.nan)
        figure.add(marks.line(result.dimensions, bound, words[slug], look.ghost, dash=dash, hovertemplate=hover))
    lower = np.sqrt(result.lower)
    figure.add(marks.line(result.dimensions, lower, words["lower"], look.ink, width=4, hovertemplate=hover))
    for slug, errors in zip(result.methods, np.sqrt(result.errors), strict=True):
        if slug in DRAWN_METHODS:
            drawn = style(slug, result.methods)
            figure.add(
                marks.line(result.dimensions, errors, words[slug], drawn.color, dash=drawn.dash, hovertemplate=hover)
            )
    figure.add(marks.ring(question.d, float(np.sqrt(result.here.lower)), words["present"], look, showlegend=False))
    return figure
