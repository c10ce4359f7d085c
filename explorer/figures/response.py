"""The pictures of the randomized-response page: what an answer proves, repeated surveys, and what lies cost."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from explorer.figures import plot
from explorer.figures.theme import PALETTE, Look, escape, layout
from ldpcore.experiments.response import (
    CoinDesignResult,
    DeniabilityResult,
    PeopleNeededResult,
    RepeatedSurveysResult,
    SurveyPlanResult,
)

Words = Mapping[str, str]
THEORY, DRAWN, OTHER = PALETTE[0], PALETTE[1], PALETTE[2]
TICKS = (0.05, 0.1, 0.2, 0.5, 1, 2, 5)
LEVELS = {
    "type": "log", "range": [math.log10(0.045), math.log10(9)], "tickvals": TICKS, "ticktext": [str(t) for t in TICKS],
}  # fmt: skip
SYMBOLS = ("square", "diamond", "triangle-up")


def _line(x: Any, y: Any, name: str, color: str = THEORY, **more: Any) -> plot.Trace:
    line = {"color": color, "width": more.pop("width", 3), "dash": more.pop("dash", "solid")}
    return plot.scatter(x=x, y=y, mode=more.pop("mode", "lines"), name=escape(name), line=line, **more)


def _guide(x: Sequence[float], y: Sequence[float], name: str, look: Look) -> plot.Trace:
    """A line to compare with, which carries no number of its own."""
    return _line(x, y, name, look.ghost, width=2, dash="dash", meta="decoration", hoverinfo="name")


def _ring(x: float, y: float, name: str, look: Look) -> plot.Trace:
    """Where the page's own numbers stand on a curve."""
    marker = {"size": 18, "symbol": "circle-open", "color": look.ink, "line": {"width": 3}}
    return plot.scatter(x=[x], y=[y], mode="markers", name=escape(name), marker=marker)


def deniability(result: DeniabilityResult, look: Look, words: Words) -> plot.Figure:
    """The chance of a true yes after either answer, along what was known before."""
    before, prior = 100 * result.priors, 100 * result.experiment.prior
    figure = plot.Figure(
        _line(before, 100 * result.after_yes, words["after_yes"], DRAWN, meta="pin", hovertemplate=words["hover"]),
        layout(look, words["title"], words["x"], words["y"], xaxis={"range": [-2, 102]}, yaxis={"range": [-2, 104]}),
    )
    figure.add(_line(before, 100 * result.after_no, words["after_no"], dash="dash", hovertemplate=words["hover"]))
    figure.add(_guide([0, 100], [0, 100], words["before"], look))
    figure.add(_ring(prior, 100 * result.chosen_after_yes, words["present"], look))
    return figure


def surveys(result: RepeatedSurveysResult, look: Look, words: Words) -> plot.Figure:
    """Many surveys sorted by their estimates, beside the numbers that the exact law expects."""
    edges, truth = 100 * result.edges, 100 * result.truth
    # Five standard deviations, rounded up to a quarter of a decade so that the axis holds still; at least a few bins.
    reach = 500 * 10 ** (math.ceil(4 * math.log10(max(result.standard_deviation, 1e-9))) / 4)
    expected = result.experiment.repeats * result.chances
    width = edges[1:] - edges[:-1]
    reach = max(reach, 2.5 * float(width[0]))
    middle = (edges[1:] + edges[:-1]) / 2
    figure = plot.Figure(
        plot.bar(x=middle, y=result.counts, width=width, name=escape(words["surveys"]),
                 marker={"color": DRAWN, "opacity": 0.65}, hovertemplate=words["hover"]),
        layout(look, words["title"], words["x"], words["y"], bargap=0,
               xaxis={"range": [truth - reach, truth + reach]}),
    )  # fmt: skip
    figure.add(_line(middle, expected, words["law"], meta="pin", mode="lines+markers", marker={"size": 5}))
    if look.truth:
        figure.add_scatter(
            x=[truth, truth], y=[0.0, float(expected.max())], mode="lines", name=escape(words["truth"]),
            line={"color": look.ink, "width": 2.5}, hoverinfo="name",
        )  # fmt: skip
    return figure


def needed(result: PeopleNeededResult, present: float, look: Look, words: Words) -> plot.Figure:
    """How many times as many people, along the level."""
    figure = plot.Figure(
        _line(result.levels, result.factors, words["factor"], meta="pin", hovertemplate=words["hover"]),
        layout(look, words["title"], words["x"], words["y"], xaxis=LEVELS,
               yaxis={"type": "log", "range": [-0.15, 3.4], "dtick": 1}),
    )  # fmt: skip
    figure.add(_guide([0.01, 60], [1, 1], words["direct"], look))
    figure.add(_ring(present, result.factor, words["present"], look))
    return figure


def coins(result: CoinDesignResult, names: Mapping[str, str], look: Look, words: Words) -> plot.Figure:
    """The error of the best coins along the level, and where this design and some well-known ones stand."""
    top = math.ceil(math.log10(100 * result.errors.max()) * 2) / 2
    figure = plot.Figure(
        _line(result.levels, 100 * result.errors, words["best"], meta="pin", hovertemplate=words["hover"]),
        layout(look, words["title"], words["x"], words["y"], xaxis=LEVELS,
               yaxis={"type": "log", "range": [top - 3, top], "dtick": 1}),
    )  # fmt: skip
    for place, (slug, (level, error)) in enumerate(result.known.items()):
        marker = {"size": 11, "symbol": SYMBOLS[place], "color": OTHER, "line": {"color": look.paper, "width": 1}}
        figure.add_scatter(
            x=[level], y=[100 * error], mode="markers", name=escape(names[slug]), marker=marker,
            hovertemplate=words["hover"],
        )  # fmt: skip
    if result.case == "finite":
        figure.add(_ring(result.level, 100 * result.standard_deviation, words["present"], look))
    return figure


def plan(result: SurveyPlanResult, present: float, look: Look, words: Words) -> plot.Figure:
    """How many people the wish takes along the level, and where the page stands."""
    question = result.experiment
    low = math.floor(math.log10(max(min(result.truthful_people, question.n), 1)))
    figure = plot.Figure(
        _line(result.levels, result.along, words["needed"], meta="pin", hovertemplate=words["hover"]),
        layout(look, words["title"], words["x"], words["y"], xaxis=LEVELS,
               yaxis={"type": "log", "range": [low - 0.15, max(low + 5, math.log10(question.n) + 0.3)], "dtick": 1}),
    )  # fmt: skip
    figure.add(_guide([0.01, 60], [result.truthful_people] * 2, words["truthful"], look))
    figure.add(_ring(present, question.n, words["present"], look))
    return figure
