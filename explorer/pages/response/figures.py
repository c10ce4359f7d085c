"""The pictures of the randomized-response page: the proof in an answer, and repeated surveys."""

from __future__ import annotations

import math

import numpy as np

from explorer.facts import Count
from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN
from explorer.figures.theme import PALETTE, Look, escape
from explorer.text.catalogue import Words
from ldpcore.experiments.response import DeniabilityResult
from ldpcore.experiments.response.classes import CuratorSurveyResult, SurveyHistogramResult
from ldpcore.numerics.arrays import Reals
from ldpcore.questions import Result

CURATOR = PALETTE[2]


def deniability(result: DeniabilityResult, *beside: *tuple[*tuple[Result, ...], Look, Words]) -> plot.Figure:
    """The chance of a true yes after either answer, along the chance before.

    The coins' cost, the look and the words come after.
    """
    *_, look, words = beside
    before, prior = 100 * result.priors, 100 * result.experiment.prior
    hover = words.hover("hover", x="%{x:.3g}", y="%{y:.3g}")
    after_yes = marks.line(before, 100 * result.after_yes, words["after_yes"], DRAWN, hovertemplate=hover)
    after_no = marks.line(before, 100 * result.after_no, words["after_no"], dash="dash", hovertemplate=hover)
    filled = plot.also(after_yes, fill="tonexty", fillcolor="rgba(213,94,0,0.12)")  # what an answer can change
    figure = marks.canvas(look, words, [after_no, filled], xaxis={"range": [-2, 102]}, yaxis={"range": [-2, 104]})
    figure.add(marks.guide([0, 100], [0, 100], words["before"], look.ghost))
    ends = [100 * share for share in (result.chosen_after_no, result.chosen_after_yes) if math.isfinite(share)]
    figure.add(marks.guide([prior] * len(ends), ends, words["present"], look.ink, dash="solid", showlegend=False))
    figure.add(marks.ring(prior, ends[-1], words["present"], look))
    return figure


def surveys(
    result: SurveyHistogramResult, *beside: *tuple[*tuple[CuratorSurveyResult, ...], Look, Words]
) -> plot.Figure:
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
    if look.truth or look.predicting:  # every survey is counted from there
        figure.add(marks.truth([0, 0], [0, 0.08 * _top(result)], words["truth"], look))
        if result.outside:  # an empty label would leave its place behind where the next picture is drawn quickly
            beyond = words.fill("outside", outside=Count(result.outside))
            figure.add(marks.label(0, 0.9 * _top(result), beyond, look))
    return figure


def _top(result: SurveyHistogramResult) -> float:
    """The height of the picture: about twice the bell of two fair coins, whatever the level and the truth."""
    deviation = math.sqrt(0.75 / result.experiment.survey.n)
    return 80 * result.unit / deviation


def _staircase(edges: Reals, heights: Reals) -> tuple[Reals, Reals]:
    """A law of whole numbers as steps, down to zero at both ends."""
    x = np.repeat(edges, 2)
    y = np.concatenate([[0.0], np.repeat(heights, 2), [0.0]])
    return x, y
