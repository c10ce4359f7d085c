"""Errors of a curve along the number of people, with the conditions below, and over the cells; and the plan."""

from __future__ import annotations

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
from ldpcore.experiments.regression.curves import CROWD, WIDEST
from ldpcore.experiments.regression.plan import LEVELS
from ldpcore.people.partitions import Partition

BROKEN = PALETTE[9]
LEAST, MOST = 3e-7, 3.0  # squared errors along the number of people
LARGEST, SMALLEST, LEGEND = 15.0, 1.5, 10.0  # dots of what must vanish, along the people and beside their name


def users(answer: Any, present: Any, checked: Any, look: Look, words: Words) -> plot.Figure:
    """The squared error along the number of people, however cells are chosen; below, the conditions as a checklist."""
    result: regression.ErrorOverUsersResult = opened(answer)[0]
    here: regression.CurveSurveyResult = opened(present)[0]
    asked: regression.ScheduleCheckResult = opened(checked)[0]
    figure = marks.canvas(
        look,
        words,
        xaxis=marks.logarithmic(*CROWD, dtick=1) | {"anchor": "y2"},
        yaxis=marks.logarithmic(LEAST, MOST, dtick=1) | {"domain": [0.4, 1]},
        yaxis2=_rows(asked, words),
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
        within = (asked.sizes >= CROWD[0]) & (asked.sizes <= CROWD[1])
        line = {"dash": "dashdot", "width": 2, "hovertemplate": hover}
        figure.add(marks.line(asked.sizes[within], asked.errors[within], words["schedule"], PALETTE[3], **line))
    _checklist(figure, asked, words)
    return figure


def _rows(asked: regression.ScheduleCheckResult, words: Words) -> dict[str, Any]:
    """An axis of conditions, the first one on top."""
    names = [condition.name for condition in asked.experiment.schedule.conditions()]
    return {
        "domain": [0, 0.34],
        "range": [len(names) - 0.5, -0.5],
        "tickvals": list(range(len(names))),
        "ticktext": [words.write(Term(f"rows.{name}")) for name in names],
        "automargin": True,
        "title": {"text": escape(words["y_rows"])},
    }


def _checklist(figure: plot.Figure, asked: regression.ScheduleCheckResult, words: Words) -> None:
    """One row for each condition: dots that shrink with what must vanish, or crosses where it does not."""
    within = (asked.sizes >= CROWD[0]) & (asked.sizes <= CROWD[1])
    sizes, conditions = asked.sizes[within], asked.experiment.schedule.conditions()
    for met, color, symbol in ((True, THEORY, "circle"), (False, BROKEN, "x")):
        x, y, large, verdicts = [np.array([np.nan])], [np.array([np.nan])], [np.array([LEGEND])], [""]
        for row, condition in enumerate(conditions):
            if condition.met == met:
                values = asked.along[condition.name][within]
                x, y = [*x, sizes], [*y, np.full(len(sizes), row)]
                large.append(np.clip(LARGEST * np.sqrt(values / values[0]), SMALLEST, LARGEST))
                verdicts += [words.write(verdict(condition))] * len(sizes)
        hover = words.hover("hover_row", verdict="%{customdata}")
        marker = {"symbol": symbol, "size": np.concatenate(large)}
        dots = marks.dots(np.concatenate(x), np.concatenate(y), words["met" if met else "violated"], color)
        more = {"yaxis": "y2", "customdata": verdicts, "hovertemplate": hover}
        figure.add(dots | more | {"marker": dots["marker"] | marker})


def sides(answer: Any, look: Look, words: Words) -> plot.Figure:
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


def plan(answer: Any, look: Look, words: Words) -> plot.Figure:
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
