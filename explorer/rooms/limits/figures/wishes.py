"""How many people a wish takes at least and at most; and the limits for several questions at once."""

from __future__ import annotations

import numpy as np

from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN, THEORY
from explorer.figures.theme import Look, style
from explorer.text.catalogue import Words
from ldpcore.experiments import limits
from ldpcore.experiments.limits import LEVELS
from ldpcore.experiments.vectors import METHODS

MOST_PEOPLE = 1e18
DRAWN_METHODS = ("split", "sampled", "hypercube", "tuned")


def plan(result: limits.LimitPlanResult, look: Look, words: Words) -> plot.Figure:
    """Along the level, how many people every method needs, and how many are enough; the present ones as a ring."""
    question = result.experiment
    least, enough = (np.where(along < MOST_PEOPLE, along, np.nan) for along in result.along)
    most = float(np.nanmax(np.concatenate([least, enough, [1e3]])))
    figure = marks.canvas(
        look, words, xaxis=marks.logarithmic(*LEVELS), yaxis=marks.logarithmic(1, most, dtick=2 if most < 1e13 else 3)
    )
    hover = words.hover("hover", x="%{x:.3g}", y="%{y:,.3g}")
    figure.add(marks.line(result.levels, enough, words["enough"], DRAWN, width=4, hovertemplate=hover))
    figure.add(marks.line(result.levels, least, words["least"], THEORY, width=4, hovertemplate=hover))
    if result.direct is not None:
        ends = [float(end) for end in LEVELS]
        figure.add(marks.guide(ends, [result.direct] * 2, words["direct"], look.ink))
    figure.add(marks.ring(question.epsilon, question.n, words["present"], look))
    return figure


def vectors(result: limits.VectorBoundsResult, look: Look, words: Words) -> plot.Figure:
    """Along the number of questions: three limits for every method, and what our methods promise."""
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
            drawn = style(slug, METHODS)
            figure.add(
                marks.line(result.dimensions, errors, words[slug], drawn.color, dash=drawn.dash, hovertemplate=hover)
            )
    figure.add(marks.ring(question.d, float(np.sqrt(result.here.lower)), words["present"], look, showlegend=False))
    return figure
