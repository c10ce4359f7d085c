"""The pictures of exercises about lower bounds."""

from __future__ import annotations

import math

import numpy as np

from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN, OTHER, THEORY
from explorer.figures.theme import PALETTE, Look
from explorer.text.catalogue import Words
from ldpcore.experiments.exercises import bounds

ROOM = 0.03  # beyond both ends of an axis
RATIOS = (1.0, 12.0)  # of the upright axis: how many times as much an error costs
FURTHEST = 2.0  # of the upright axis: how far a density leaves its course


def modulus(result: bounds.ModulusOfMeanResult, look: Look, words: Words) -> plot.Figure:
    """The modulus along the distance, between the slowest growth and the fastest that a mean has."""
    asked, far = result.experiment, bounds.FARTHEST[result.experiment.metric]
    figure = marks.canvas(look, words, xaxis=_from_zero(far), yaxis=_from_zero(2.2))
    hover = words.hover("hover", x="%{x:.3g}", y="%{y:.3g}")
    onward = np.linspace(asked.distance, 2 * asked.distance, 31)
    figure.add(marks.line(result.distances, result.modulus, words["modulus"], hovertemplate=hover))
    figure.add(marks.guide(onward.tolist(), result.most(onward).tolist(), words["most"], DRAWN))
    floor = result.floor(result.distances)
    figure.add(marks.guide(result.distances.tolist(), floor.tolist(), words["floor"], OTHER, dash="dot"))
    if asked.model == "jump":
        figure.add(marks.dots([0.0], [0.0], words["same"], THEORY, cliponaxis=False, hoverinfo="name"))
    here, there = (result.here, result.twice) if look.truth else (math.nan, math.nan)
    figure.add(marks.ring(asked.distance, here, words["present"], look))
    diamond = {"size": 16, "symbol": "diamond-open", "color": look.ink, "line": {"width": 3}}
    figure.add(
        plot.scatter(
            x=[2 * asked.distance],
            y=[there],
            mode="markers",
            name=words["twice"],
            marker=diamond,
            cliponaxis=False,
            hoverinfo="skip",
        )
    )
    return figure


def gap(result: bounds.UnseenGapResult, look: Look, words: Words) -> plot.Figure:
    """The error sum of the best test along the difference of two shares, below the affinity of all reports."""
    figure = marks.canvas(look, words, xaxis=_from_zero(1), yaxis=_from_zero(1))
    hover = words.hover("hover", x="%{x:.3g}", y="%{y:.3g}")
    figure.add(marks.line(result.differences, result.hardest, words["exact"], hovertemplate=hover))
    figure.add(
        marks.line(result.differences, result.affinity, words["affinity"], DRAWN, dash="dash", hovertemplate=hover)
    )
    figure.add(marks.guide([0, 1], [result.experiment.eta] * 2, words["wanted"], look.ghost, dash="dot"))
    if look.truth and result.nearest < 1:
        figure.add(marks.dots([result.nearest], [result.experiment.eta], words["nearest"], OTHER, hoverinfo="name"))
    if look.truth:
        figure.add(marks.ring(result.gap, result.height, words["present"], look))
    return figure


def eta(result: bounds.ChoiceOfEtaResult, look: Look, words: Words) -> plot.Figure:
    """The lower bound along η, with its best place."""
    asked = result.experiment
    up = marks.logarithmic(1e-3 / math.sqrt(asked.n), 1, dtick=1)
    figure = marks.canvas(look, words, xaxis=_from_zero(1), yaxis=up)
    hover = words.hover("hover", x="%{x:.3g}", y="%{y:.3g}")
    figure.add(marks.line(result.etas, result.errors, words["bound"], hovertemplate=hover))
    if look.truth:
        figure.add(marks.dots([asked.best], [result.top], words["best"], DRAWN, size=13, hovertemplate=hover))
    figure.add(marks.ring(asked.eta, result.here if look.truth else math.nan, words["present"], look))
    return figure


def elbows(result: bounds.QuadraticElbowsResult, look: Look, words: Words) -> plot.Figure:
    """The speeds along the smoothness: each rises to one half, and has its elbow there."""
    figure = marks.canvas(look, words, xaxis=_from_zero(bounds.SMOOTHEST), yaxis=_from_zero(0.55))
    hover = words.hover("hover", x="%{x:.3g}", y="%{y:.3g}")
    colors = {"direct": look.ink, "listening": THEORY, "silent": DRAWN}
    for name, color in colors.items():
        figure.add(marks.line(result.smooth, result.curves[name], words[name], color, hovertemplate=hover))
    if look.truth:
        places = list(bounds.ELBOWS.values())
        figure.add(marks.dots(places, [0.5] * len(places), words["elbow"], PALETTE[5], hoverinfo="name"))
    for name in colors:
        here = result.here(name) if look.truth else math.nan
        more = {"showlegend": name == "silent"}
        figure.add(marks.ring(result.experiment.s, here, words["present"], look, **more))
    return figure


def losses(result: bounds.LossGrowthResult, look: Look, words: Words) -> plot.Figure:
    """How many times as much a larger error costs, along the error, below the largest such number."""
    asked = result.experiment
    across, up = marks.logarithmic(*bounds.ERRORS, dtick=1), marks.logarithmic(*RATIOS)
    figure = marks.canvas(look, words, xaxis=across, yaxis=up)
    hover = words.hover("hover", x="%{x:.3g}", y="%{y:.3g}")
    seen = np.where(result.ratios <= 10 * RATIOS[1], result.ratios, math.nan)  # the rest is far above the picture
    figure.add(marks.line(result.errors, seen, words["ratio"], hovertemplate=hover))
    if math.isfinite(asked.top):
        figure.add(marks.guide(bounds.ERRORS, [asked.top] * 2, words["top"], DRAWN))
    figure.add(marks.ring(1.0, float(asked.ratio(1.0)) if look.truth else math.nan, words["present"], look))
    return figure


def smooth(result: bounds.SmoothnessBandResult, look: Look, words: Words) -> plot.Figure:
    """The room that smoothness leaves around the course of a density near a place."""
    up = {"range": [-FURTHEST * 1.05, FURTHEST * 1.05]}
    figure = marks.canvas(look, words, xaxis={"range": [-1.03, 1.03]}, yaxis=up)
    for trace in marks.band(result.places, -result.off, result.off, words["allowed"], THEORY):
        figure.add(trace)
    hover = words.hover("hover", x="%{x:.2f}", y="%{y:.3g}")
    figure.add(marks.line(result.places, result.off, words["edge"], THEORY, hovertemplate=hover))
    return figure


def _from_zero(end: float) -> dict[str, object]:
    """A linear axis from 0, with a little room at both ends."""
    return {"range": [-ROOM * end, (1 + ROOM) * end]}
