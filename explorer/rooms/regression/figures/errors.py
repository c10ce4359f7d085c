"""Errors of a curve along the number of people, with the conditions below, and over the cells; and the plan."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from explorer.facts import Term
from explorer.facts.naming import opened
from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN, OTHER, THEORY
from explorer.figures.theme import PALETTE, Look, escape
from explorer.rooms.regression.facts import verdict
from explorer.text.catalogue import Words
from ldpcore.experiments import regression
from ldpcore.experiments.named import PerhapsNamed
from ldpcore.experiments.regression.curves import CROWD, WIDEST
from ldpcore.experiments.regression.plan import LEVELS
from ldpcore.people.partitions import Partition

BROKEN = PALETTE[9]
LEAST, MOST = 3e-7, 3.0  # squared errors along the number of people
ABOVE = 3.6  # letters above a picture whose upper axis stands on top
LARGEST, SMALLEST = 12.0, 1.5  # dots of what must vanish, along the people
CHECKED, WIDE = (10**3, 10**5, 10**7, 10**9), 0.33  # people for whom these are drawn, and how far to either side


def users(
    answer: PerhapsNamed[regression.ErrorOverUsersResult],
    present: PerhapsNamed[regression.CurveSurveyResult],
    checked: PerhapsNamed[regression.ScheduleCheckResult],
    look: Look,
    words: Words,
) -> plot.Figure:
    """The squared error along the number of people, however cells are chosen; below, the conditions as a checklist."""
    result: regression.ErrorOverUsersResult = opened(answer)[0]
    here: regression.CurveSurveyResult = opened(present)[0]
    asked: regression.ScheduleCheckResult = opened(checked)[0]
    figure = marks.canvas(
        look,
        words,
        margin={"t": ABOVE * look.font_size},
        xaxis=marks.logarithmic(*CROWD, dtick=1) | {"anchor": "y", "side": "top"},
        yaxis=marks.logarithmic(LEAST, MOST, dtick=3) | {"domain": [0.24, 1]},
        xaxis2=_columns(asked, words),
        yaxis2={"domain": [0, 0.18], "range": [-1, 1], "visible": False, "anchor": "x2"},
    )
    hover = words.hover("hover", x="%{x:,.3g}", y="%{y:.2g}")
    figure.add(marks.line(result.sizes, result.private, words["private"], DRAWN, width=4, hovertemplate=hover))
    if look.truth:
        figure.add(marks.line(result.sizes, result.honest, words["honest"], OTHER, hovertemplate=hover))
        figure.add(
            marks.line(result.sizes, result.fixed, words["fixed"], THEORY, dash="dash", width=2, hovertemplate=hover)
        )
        floor = marks.guide(list(CROWD), [result.floor] * 2, words["floor"], look.ghost, dash="dot")
        figure.add(floor | {"showlegend": False})  # the note names the dotted line and the dots
    dots = marks.dots(result.dots, result.simulated, words["simulated"], size=9, hovertemplate=hover)
    figure.add(dots | {"showlegend": False})
    if look.truth:
        figure.add(marks.ring(here.experiment.n, here.expected**2, words["present"], look))
        within = (asked.sizes >= CROWD[0]) & (asked.sizes <= CROWD[1])
        line = {"dash": "dashdot", "width": 2, "hovertemplate": hover}
        figure.add(marks.line(asked.sizes[within], asked.errors[within], words["schedule"], PALETTE[3], **line))
    elif look.predicting:
        figure.add(marks.ring(here.experiment.n, math.nan, words["present"], look))
    _checklist(figure, asked, words)
    return figure


def _columns(asked: regression.ScheduleCheckResult, words: Words) -> dict[str, Any]:
    """An axis of conditions, one column for each."""
    names = [condition.name for condition in asked.experiment.schedule.conditions()]
    return {
        "range": [-0.5, len(names) - 0.5],
        "tickvals": list(range(len(names))),
        "ticktext": [words.write(Term(f"columns.{name}")) for name in names],
        "title": {"text": escape(words["x_columns"])},
        "anchor": "y2",
        "showgrid": False,
    }


def _checklist(figure: plot.Figure, asked: regression.ScheduleCheckResult, words: Words) -> None:
    """In each condition's column, dots that shrink with what must vanish, or crosses where it does not."""
    chosen = np.searchsorted(asked.sizes, CHECKED)
    aside = np.linspace(-WIDE, WIDE, len(chosen))
    for met, color, symbol in ((True, THEORY, "circle"), (False, BROKEN, "x")):
        x, large, verdicts = [np.array([np.nan])], [np.array([SMALLEST])], [""]
        for column, condition in enumerate(asked.experiment.schedule.conditions()):
            if condition.met == met:
                values = asked.along[condition.name][chosen]
                x.append(column + aside)
                large.append(np.clip(LARGEST * np.sqrt(values / values[0]), SMALLEST, LARGEST))
                verdicts += [words.write(verdict(condition))] * len(chosen)
        hover = words.hover("hover_condition", verdict="%{customdata}")
        places = np.concatenate(x)
        dots = marks.dots(places, 0 * places, words["met" if met else "violated"], color)
        marker = dots["marker"] | {"symbol": symbol, "size": np.concatenate(large)}
        more = {"customdata": verdicts, "hovertemplate": hover, "marker": marker, "showlegend": False}
        figure.add(plot.also(dots, **more, **marks.SECOND))


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
    """How many people the wish takes along the level, and where the page stands."""
    result: regression.CurvePlanResult = opened(answer)[0]
    question, along = result.experiment, np.where(np.isfinite(result.along), result.along, np.nan)
    figure = marks.canvas(
        look, words, xaxis=marks.logarithmic(LEVELS[0], LEVELS[-1]), yaxis=marks.logarithmic(10, 1e15, dtick=2)
    )
    hover = words.hover("hover", x="%{x:.3g}", y="%{y:,.3g}")
    figure.add(marks.line(list(LEVELS), along, words["needed"], DRAWN, width=4, hovertemplate=hover))
    if np.isfinite(result.honest):
        figure.add(
            marks.line([LEVELS[0], LEVELS[-1]], [result.honest] * 2, words["honest"], OTHER, hovertemplate=hover)
        )
    if np.isfinite(result.needed):
        ends = [question.n, result.needed]
        figure.add(
            marks.guide([question.epsilon] * 2, ends, words["gap"], PALETTE[4], dash="solid", width=6, opacity=0.8)
        )
    figure.add(marks.ring(question.epsilon, question.n, words["present"], look))
    return figure
