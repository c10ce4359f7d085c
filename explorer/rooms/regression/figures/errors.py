"""Errors of a curve along the number of people and the side of the cells, the conditions, the price, and the plan."""

from __future__ import annotations

from typing import Any

import numpy as np

from explorer.facts import Term
from explorer.facts.naming import opened
from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN, OTHER, THEORY
from explorer.figures.theme import PALETTE, Look
from explorer.text.catalogue import Words
from ldpcore.experiments import regression
from ldpcore.experiments.regression.curves import CROWD
from ldpcore.experiments.regression.plan import LEVELS
from ldpcore.experiments.regression.schedules import FIRST, LAST
from ldpcore.people.partitions import Partition

BROKEN = PALETTE[9]
LINES = {"side": PALETTE[0], "threshold": PALETTE[2], "bound": PALETTE[3], "noise": PALETTE[5], "growth": PALETTE[6]}
LEAST, MOST = 3e-7, 3.0  # squared errors along the number of people
SMALL, LARGE = 1e-4, 1e8  # what must vanish, along a schedule


def users(answer: Any, present: Any, look: Look, words: Words) -> plot.Figure:
    """The squared error along the number of people: tuned for each, honest, and with the cells of the page."""
    result: regression.ErrorOverUsersResult = opened(answer)[0]
    here: regression.CurveSurveyResult = opened(present)[0]
    figure = marks.canvas(
        look, words, xaxis=marks.logarithmic(*CROWD, dtick=1), yaxis=marks.logarithmic(LEAST, MOST, dtick=1)
    )
    hover = words.hover("hover", x="%{x:,.3g}", y="%{y:.2g}")
    private = marks.line(result.sizes, result.private, words["private"], DRAWN, width=4, hovertemplate=hover)
    figure.add(private)
    if look.truth:
        figure.add(marks.line(result.sizes, result.honest, words["honest"], OTHER, hovertemplate=hover))
        figure.add(
            marks.line(result.sizes, result.fixed, words["fixed"], THEORY, dash="dash", width=2, hovertemplate=hover)
        )
        figure.add(marks.guide(list(CROWD), [result.floor] * 2, words["floor"], look.ghost, dash="dot"))
    figure.add(marks.dots(result.dots, result.simulated, words["simulated"], size=9, hovertemplate=hover))
    if look.truth:
        figure.add(marks.ring(here.experiment.n, here.expected**2, words["present"], look))
    return figure


def sides(answer: Any, look: Look, words: Words) -> plot.Figure:
    """The squared error over the number of cells: a valley in both worlds, and its bottom further to the left."""
    result: regression.ChoiceOfSideResult = opened(answer)[0]
    along = np.round(1 / result.sides)
    figure = marks.canvas(look, words, xaxis=marks.logarithmic(1, 1024), yaxis=marks.logarithmic(1e-5, 3, dtick=1))
    hover = words.hover("hover", x="%{x:,}", y="%{y:.2g}")
    figure.add(marks.line(along, result.private, words["private"], DRAWN, width=4, hovertemplate=hover))
    figure.add(marks.line(along, result.honest, words["honest"], OTHER, hovertemplate=hover))
    figure.add(marks.line(along, result.floors, words["floor"], look.ghost, dash="dot", width=2, hovertemplate=hover))
    figure.add(marks.ring(Partition(result.experiment.tuning.side).along, result.here, words["present"], look))
    return figure


def schedule(answer: Any, look: Look, words: Words) -> plot.Figure:
    """Above, what must vanish, along the number of people; below, the error of the schedule."""
    result: regression.ScheduleCheckResult = opened(answer)[0]
    both = result.experiment.model is not None
    axis = marks.logarithmic(FIRST, LAST, room=0.0, dtick=2) | {"anchor": "y2" if both else "y"}
    below = {"domain": [0, 0.34], "title": {"text": marks.low_title(words["y_error"])}}
    more: dict[str, Any] = {"yaxis2": marks.logarithmic(1e-4, 1e4, tickvals=[0.01, 100]) | below} if both else {}
    figure = marks.canvas(
        look,
        words,
        xaxis=axis,
        yaxis=marks.logarithmic(SMALL, LARGE, dtick=3) | ({"domain": [0.44, 1]} if both else {}),
        **more,
    )
    for condition in result.experiment.schedule.conditions():
        name = words.fill("line", what=Term(f"vanishing.{condition.name}"), met=Term(f"verdicts.{_met(condition.met)}"))
        usual = "dash" if condition.name == "growth" else "solid"  # at α = 1 and M = ln n two lines are one
        drawn = {"dash": usual if condition.met else "dot", "width": 3 if condition.met else 5}
        hover = words.hover("hover", x="%{x:.2g}", y="%{y:.2g}", what=Term(f"vanishing.{condition.name}"))
        values = np.clip(result.along[condition.name], 1e-30, 1e30)
        figure.add(marks.line(result.sizes, values, name, LINES[condition.name], hovertemplate=hover, **drawn))
    if both:
        hover = words.hover("hover_error", x="%{x:.2g}", y="%{y:.2g}")
        figure.add(marks.line(result.sizes, result.errors, words["error"], DRAWN, yaxis="y2", hovertemplate=hover))
    return figure


def _met(met: bool) -> str:
    return "met" if met else "violated"


def price(answer: Any, look: Look, words: Words) -> plot.Figure:
    """How many people privacy asks for, against honest answers of the same worth."""
    result: regression.PriceOfPrivacyResult = opened(answer)[0]
    ends = [1, 10**8]
    figure = marks.canvas(
        look, words, xaxis=marks.logarithmic(*ends, dtick=1), yaxis=marks.logarithmic(1, 1e14, dtick=2)
    )
    needed = np.where(np.isfinite(result.needed), result.needed, np.nan)
    hover = words.hover("hover", x="%{x:,.3g}", y="%{y:,.3g}")
    figure.add(marks.line(result.honest, needed, words["private"], DRAWN, width=4, hovertemplate=hover))
    figure.add(marks.guide(ends, ends, words["alike"], look.ghost))
    if look.truth:
        figure.add(marks.ring(result.worth, result.experiment.n, words["present"], look))
    return figure


def plan(answer: Any, look: Look, words: Words) -> plot.Figure:
    """How many people the wish takes along the level, and where the page stands."""
    result: regression.CurvePlanResult = opened(answer)[0]
    question, along = result.experiment, np.where(np.isfinite(result.along), result.along, np.nan)
    figure = marks.canvas(
        look, words, xaxis=marks.logarithmic(LEVELS[0], LEVELS[-1]), yaxis=marks.logarithmic(10**3, 1e15, dtick=2)
    )
    hover = words.hover("hover", x="%{x:.3g}", y="%{y:,.3g}")
    figure.add(marks.line(list(LEVELS), along, words["needed"], DRAWN, width=4, hovertemplate=hover))
    if np.isfinite(result.needed):
        ends = [question.n, result.needed]
        figure.add(
            marks.guide([question.epsilon] * 2, ends, words["gap"], PALETTE[4], dash="solid", width=6, opacity=0.8)
        )
    figure.add(marks.ring(question.epsilon, question.n, words["present"], look))
    return figure
