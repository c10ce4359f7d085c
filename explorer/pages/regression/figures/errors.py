"""The error of a curve over the number of its cells, and the plan."""

from __future__ import annotations

import numpy as np

from explorer.facts.naming import opened
from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN, OTHER
from explorer.figures.theme import PALETTE, Look
from explorer.text.catalogue import Words
from ldpcore.experiments import regression
from ldpcore.experiments.named import PerhapsNamed
from ldpcore.experiments.regression.curves import WIDEST
from ldpcore.experiments.regression.plan import PLAN_LEVELS
from ldpcore.people.partitions import Partition


def sides(answer: PerhapsNamed[regression.ChoiceOfSideResult], look: Look, words: Words) -> plot.Figure:
    """The squared error over the number of cells: a valley in both worlds, and its bottom further to the left."""
    result: regression.ChoiceOfSideResult = opened(answer)[0]
    along, last = np.round(1 / result.sides), WIDEST ** (1 / result.experiment.model.dimensions)
    figure = marks.canvas(look, words, xaxis=marks.logarithmic(1, last), yaxis=marks.logarithmic(1e-5, 3, dtick=1))
    hover = words.hover("hover", x="%{x:,}", y="%{y:.2g}")
    figure.add(marks.line(along, result.private, words["private"], DRAWN, width=4, hovertemplate=hover))
    figure.add(marks.line(along, result.honest, words["honest"], OTHER, hovertemplate=hover))
    figure.add(marks.line(along, result.floors, words["floor"], look.ghost, dash="dot", width=2, hovertemplate=hover))
    cells = Partition(result.experiment.tuning.side, result.experiment.model.dimensions)
    figure.add(marks.ring(cells.along, result.here, words["present"], look))
    return figure


def plan(answer: PerhapsNamed[regression.CurvePlanResult], look: Look, words: Words) -> plot.Figure:
    """The number of people for the wish along the level, and the page's place."""
    result: regression.CurvePlanResult = opened(answer)[0]
    question, along = result.experiment, np.where(np.isfinite(result.along), result.along, np.nan)
    figure = marks.canvas(
        look,
        words,
        xaxis=marks.logarithmic(PLAN_LEVELS[0], PLAN_LEVELS[-1]),
        yaxis=marks.logarithmic(10, 1e15, dtick=2),
    )
    hover = words.hover("hover", x="%{x:.3g}", y="%{y:,.3g}")
    figure.add(marks.line(list(PLAN_LEVELS), along, words["needed"], DRAWN, width=4, hovertemplate=hover))
    if np.isfinite(result.honest):
        figure.add(
            marks.line(
                [PLAN_LEVELS[0], PLAN_LEVELS[-1]], [result.honest] * 2, words["honest"], OTHER, hovertemplate=hover
            )
        )
    if np.isfinite(result.needed):
        ends = [question.n, result.needed]
        figure.add(
            marks.guide([question.epsilon] * 2, ends, words["gap"], PALETTE[4], dash="solid", width=6, opacity=0.8)
        )
    figure.add(marks.ring(question.epsilon, question.n, words["present"], look))
    return figure


def label_errors(result: regression.LabelErrorsResult, look: Look, words: Words) -> plot.Figure:
    """The expected error of the sign rule along the number of people, with squares that stay and ones that narrow."""
    ends = float(result.sizes[0]), float(result.sizes[-1])
    figure = marks.canvas(
        look,
        words,
        x="x_people",
        y="y_people",
        xaxis=marks.logarithmic(*ends, dtick=1),
        yaxis={"range": [0, 55]},
    )
    hover = words.hover("hover_people", x="%{x:,}", y="%{y:.3g}")
    for name, errors, color, dash in (
        ("kept_people", result.kept, DRAWN, "dash"),
        ("private_people", result.private, DRAWN, "solid"),
        ("honest_people", result.honest, OTHER, "solid"),
        ("best_people", np.full(len(result.sizes), result.best), look.ink, "dot"),
    ):
        figure.add(marks.line(result.sizes, 100 * errors, words[name], color, dash=dash, hovertemplate=hover))
    figure.add(marks.ring(result.experiment.n, 100 * result.here, words["present"], look))
    return figure
