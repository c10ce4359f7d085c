"""The pictures of the randomized-response page: what an answer proves, repeated surveys, and what lies cost."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN, OTHER
from explorer.figures.theme import PALETTE, Look, escape
from explorer.text.catalogue import Words
from ldpcore.experiments.response import (
    LEAST,
    LEVELS,
    MOST,
    CoinDesignResult,
    DeniabilityResult,
    PeopleNeededResult,
    SurveyPlanResult,
)
from ldpcore.experiments.response.classes import SurveyHistogramResult
from ldpcore.numerics.arrays import Reals

CURATOR = PALETTE[2]
SYMBOLS = ("square", "diamond", "triangle-up")


def deniability(result: DeniabilityResult, look: Look, words: Words) -> plot.Figure:
    """The chance of a true yes after either answer, along what was known before."""
    before, prior = 100 * result.priors, 100 * result.experiment.prior
    hover = words.hover("hover", x="%{x:.3g}", y="%{y:.3g}")
    after_yes = marks.line(before, 100 * result.after_yes, words["after_yes"], DRAWN, hovertemplate=hover)
    after_no = marks.line(before, 100 * result.after_no, words["after_no"], dash="dash", hovertemplate=hover)
    between = {"fill": "tonexty", "fillcolor": "rgba(213,94,0,0.12)"}  # what an answer can change
    figure = marks.canvas(
        look, words, [after_no, after_yes | between], xaxis={"range": [-2, 102]}, yaxis={"range": [-2, 104]}
    )
    figure.add(marks.guide([0, 100], [0, 100], words["before"], look.ghost))
    ends = [100 * result.chosen_after_no, 100 * result.chosen_after_yes]
    figure.add(marks.guide([prior, prior], ends, words["present"], look.ink, dash="solid", showlegend=False))
    figure.add(marks.ring(prior, ends[1], words["present"], look))
    return figure


def surveys(result: SurveyHistogramResult, *beside: Any) -> plot.Figure:
    """Many surveys as steps around the truth, beside the steps that the exact law expects; an area is a share.

    A curator's law, the look and the words come after.
    """
    *curators, look, words = beside
    edges, reach = 100 * result.edges, 100 * result.experiment.reach
    middle, repeats = (edges[1:] + edges[:-1]) / 2, result.experiment.survey.repeats
    hover = words.hover("hover", x="%{x:.3g}", share="%{customdata:.3g}")
    figure = marks.canvas(
        look,
        words,
        plot.bar(
            x=middle,
            y=100 * result.per_unit(result.counts / repeats),
            width=np.diff(edges),
            name=escape(words["surveys"]),
            marker={"color": DRAWN, "opacity": 0.65, "line": {"width": 0}},
            customdata=100 * result.counts / repeats,
            hovertemplate=hover,
        ),
        bargap=0,
        xaxis={"range": [-reach, reach]},
        yaxis={"range": [0, _top(result)]},
    )
    expected = 100 * result.per_unit(result.chances)
    figure.add(marks.line(*_staircase(edges, expected), words["law"], width=2, hoverinfo="skip"))
    for curator in curators:
        x = np.unique(np.concatenate([np.linspace(-reach, reach, 201), reach * np.linspace(-0.05, 0.05, 81)]))
        y = 100 * result.unit * curator.law(x / 100)
        hover = words.hover("hover_curator", x="%{x:.3g}")
        figure.add(marks.line(x, y, words["curator"], CURATOR, width=2, hovertemplate=hover))
    if look.truth:
        figure.add(marks.truth([0, 0], [0, 0.08 * _top(result)], words["truth"], look))
    return figure


def _top(result: SurveyHistogramResult) -> float:
    """How high the picture goes: about twice the bell of two fair coins, whatever the level and the truth."""
    deviation = math.sqrt(0.75 / result.experiment.survey.n)
    return 80 * result.unit / deviation


def _staircase(edges: Reals, heights: Reals) -> tuple[Reals, Reals]:
    """A law of whole numbers as steps, down to zero at both ends."""
    x = np.repeat(edges, 2)
    y = np.concatenate([[0.0], np.repeat(heights, 2), [0.0]])
    return x, y


def needed(result: PeopleNeededResult, look: Look, words: Words) -> plot.Figure:
    """How many times as many people, along the level."""
    present = result.experiment.design.guarantee().epsilon
    hover = words.hover("hover", x="%{x:.3g}", y="%{y:.4g}")
    curve = marks.line(result.levels, result.factors, words["factor"], hovertemplate=hover)
    figure = marks.canvas(
        look, words, curve, xaxis=marks.logarithmic(LEAST, MOST), yaxis={"type": "log", "range": [-0.35, 5], "dtick": 1}
    )
    figure.add(marks.guide([LEAST, MOST], [1, 1], words["direct"], look.ghost))
    figure.add(_between(present, 1, result.factor, words["more"]))
    figure.add(marks.ring(present, result.factor, words["present"], look))
    return figure


def _between(level: float, low: float, high: float, name: str) -> plot.Trace:
    """What the present level costs: the way from one number of people to another."""
    return marks.guide([level, level], [low, high], name, DRAWN, dash="solid", width=6, opacity=0.5)


def needed_table(result: PeopleNeededResult, look: Look, words: Words) -> list[list[object]]:
    """α and n side by side: the factor, the people in place of n direct answers, what n answers are worth."""
    rows = [(level, result.experiment.at(level).run()) for level in LEVELS]
    head: list[object] = [words[f"row_{name}"] for name in ("level", "factor", "people", "worth")]
    body: list[list[object]] = [[level, round(at.factor, 2), at.instead, at.effective] for level, at in rows]
    return [head, *body]


def coins(result: CoinDesignResult, look: Look, words: Words) -> plot.Figure:
    """The error of the best coins along the level, and where these coins and some well-known ones stand."""
    unit = 100 / math.sqrt(result.experiment.n)
    hover = words.hover("hover", x="%{x:.3g}", y="%{y:.3g}")
    figure = marks.canvas(
        look,
        words,
        marks.line(result.levels, 100 * result.errors, words["best"], hovertemplate=hover),
        xaxis=marks.logarithmic(LEAST, MOST),
        yaxis=marks.logarithmic(unit / 200, unit * 150),
    )
    for place, (slug, (level, error)) in enumerate(result.known.items()):
        marker = {"symbol": SYMBOLS[place], "line": {"color": look.paper, "width": 1}}
        figure.add(marks.dots([level], [100 * error], words[slug], OTHER, marker=marker, hovertemplate=hover))
    if result.case == "finite":
        figure.add(marks.ring(result.level, 100 * result.standard_deviation, words["present"], look))
    return figure


def plan(result: SurveyPlanResult, look: Look, words: Words) -> plot.Figure:
    """How many people the wish takes along the level, and where the page stands."""
    question = result.experiment
    present, truthful = question.design.guarantee().epsilon, result.truthful_people
    least = max(truthful, 2.0)  # where nobody else is meant, truthful answers leave no doubt, whoever is asked
    ends = min(least / 4, question.n), max(least * 1e5, question.n)
    hover = words.hover("hover", x="%{x:.3g}", y="%{y:,.4g}")
    figure = marks.canvas(
        look,
        words,
        marks.line(result.levels, np.maximum(result.along, 1), words["needed"], hovertemplate=hover),
        xaxis=marks.logarithmic(LEAST, MOST),
        yaxis=marks.logarithmic(*ends) | {"dtick": 1},
    )
    if question.sampled:
        figure.add(marks.guide([LEAST, MOST], [truthful, truthful], words["truthful"], look.ghost))
    if result.people:
        figure.add(_between(present, question.n, result.people, words["gap"]))
    figure.add(marks.ring(present, question.n, words["present"], look))
    return figure
