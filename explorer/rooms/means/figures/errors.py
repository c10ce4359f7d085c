"""The error of the mean along every axis: the number itself, the level, the number of people; and the plan."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from explorer.facts.naming import opened, short_of
from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN
from explorer.figures.theme import Look, style
from explorer.rooms.means.figures.scales import FAR, UPRIGHT, in_full
from explorer.text.catalogue import Words
from ldpcore.experiments import means
from ldpcore.experiments.means.curves import CROWD, LEVELS

POINT = 4  # every fourth is enough for a curve without corners


def variance(answer: Any, present: Any, look: Look, words: Words) -> plot.Figure:
    """The standard deviation of one report for every number, one curve for each mechanism."""
    result: means.VarianceOverXResult = opened(answer)[0]
    beside: means.SideBySideResult = opened(present)[0]
    scale = beside.experiment.numbers.scale
    room, top = 0.05 * scale.half, FAR * scale.half
    figure = marks.canvas(
        look,
        words,
        xaxis={"range": [scale.low - room, scale.high + room], **in_full(scale)},
        yaxis={"range": [0, top], **in_full(scale)},
        margin={"l": UPRIGHT * look.font_size},
    )
    x = scale.outward(result.x[::POINT])
    for place, (member, variances) in enumerate(zip(result.members, result.variances, strict=True)):
        drawn, y = style(member.slug, means.slugs()), scale.half * np.sqrt(variances[::POINT])
        name = words.write(short_of(member.slug))
        hover = words.hover("hover", x="%{x:,.4g}", y="%{y:,.4g}", member=short_of(member.slug))
        figure.add(marks.line(x, y, name, drawn.color, dash=drawn.dash, hovertemplate=hover))
        if y.min() > top:
            marker = {"symbol": "triangle-up", "size": 14, "color": drawn.color}
            at = scale.low + scale.half * (2 * place + 1) / len(means.slugs())
            arrow = marks.dots([at], [0.96 * top], name, marker=marker, meta="decoration", hoverinfo="name")
            figure.add(arrow | {"showlegend": False})
    return figure


def levels(answer: Any, present: Any, look: Look, words: Words) -> plot.Figure:
    """The error of the mean along the level, one curve for each mechanism; where worst cases cross, and the present."""
    (result, names), (beside, _) = opened(answer), opened(present)
    worst, numbers = names[-1] == "worst", beside.experiment.numbers
    unit = numbers.scale.half / math.sqrt(numbers.n)
    figure = marks.canvas(
        look, words, xaxis=marks.logarithmic(*LEVELS), yaxis=marks.logarithmic(0.03 * unit, 2000 * unit)
    )
    here = beside.experiment.epsilon
    for row, slug in enumerate(result.slugs):
        drawn = style(slug, means.slugs())
        y = unit * np.sqrt((result.worst if worst else result.average)[row])
        hover = words.hover("hover", x="%{x:.3g}", y="%{y:,.4g}", member=short_of(slug))
        name = words.write(short_of(slug))
        figure.add(marks.line(result.levels, y, name, drawn.color, dash=drawn.dash, hovertemplate=hover))
    if worst:
        figure.add(_crossings(result, unit, look, words))
    best = beside.best(worst)
    figure.add(
        marks.guide(
            [here, here], [0.03 * unit, 2000 * unit], words["present"], look.ghost, dash="dot", showlegend=False
        )
    )
    if LEVELS[0] <= here <= LEVELS[1]:
        figure.add(marks.ring(here, beside.error(best, worst), words["present"], look))
    return figure


def _crossings(result: means.AgainstLevelResult, unit: float, look: Look, words: Words) -> plot.Trace:
    """Where two worst cases cross."""
    at = [crossing.level for crossing in result.crossings]
    heights = []
    for crossing in result.crossings:
        member = means.at(crossing.better, crossing.level * (1 + 1e-12), result.experiment.settings)
        heights.append(unit * math.sqrt(member.worst_variance()) if member is not None else math.nan)
    named = [
        words.fill("cross", better=short_of(crossing.better), worse=short_of(crossing.worse))
        for crossing in result.crossings
    ]
    marker = {"symbol": "circle", "size": 10, "color": look.paper, "line": {"color": look.ink, "width": 2}}
    return marks.dots(
        at,
        heights,
        words["crossings"],
        marker=marker,
        customdata=named,
        hovertemplate=words.hover("hover_cross", x="%{x:.5g}", told="%{customdata}"),
    )


def users(answer: Any, present: Any, look: Look, words: Words) -> plot.Figure:
    """The error of the mean along the number of people, simulated crowds on it, and what sampling alone would add."""
    result: means.AgainstUsersResult = opened(answer)[0]
    here: means.MeanSurveyResult = opened(present)[0]
    half, hover = here.scale.half, words.hover("hover", x="%{x:,.3g}", y="%{y:,.3g}")
    figure = marks.canvas(
        look,
        words,
        marks.line(result.sizes, result.exact, words["theory"], hovertemplate=hover),
        xaxis=marks.logarithmic(*CROWD, dtick=1),
        yaxis=marks.logarithmic(half * 1e-6, half * 100),
    )
    if look.truth and result.sampling.any():
        figure.add(
            marks.line(
                result.sizes, result.sampling, words["sampling"], look.ghost, dash="dash", width=2, hovertemplate=hover
            )
        )
    bars = {"type": "data", "array": 2 * result.spread_of_dots * result.simulated, "color": DRAWN, "thickness": 1.5}
    figure.add(marks.dots(result.dots, result.simulated, words["simulated"], size=8, error_y=bars, hovertemplate=hover))
    figure.add(marks.guide(list(CROWD), [2 * half] * 2, words["useless"], look.ghost, dash="dot"))
    figure.add(marks.ring(here.n, here.standard_error, words["present"], look))
    return figure


def plan(answer: Any, look: Look, words: Words) -> plot.Figure:
    """How many people the wish takes along the level, for each mechanism, and where the page stands."""
    result: means.MeanPlanResult = opened(answer)[0]
    question = result.experiment
    grid = np.geomspace(*LEVELS, 49)
    unit = question.normal
    figure = marks.canvas(
        look,
        words,
        xaxis=marks.logarithmic(*LEVELS),
        yaxis=marks.logarithmic(min(unit / 100, question.n), max(unit * 1e6, question.n), dtick=1),
    )
    for slug in means.slugs():
        drawn, own = style(slug, means.slugs()), slug == result.needs[0].slug
        hover = words.hover("hover", x="%{x:.3g}", y="%{y:,.4g}", member=short_of(slug))
        figure.add(
            marks.line(
                grid,
                result.people_along(slug, grid),
                words.write(short_of(slug)),
                drawn.color,
                dash=drawn.dash,
                width=4 if own else 1.5,
                hovertemplate=hover,
            )
        )
    own_need = result.needs[0]
    if own_need.people:
        ends = [question.n, own_need.people]
        figure.add(marks.guide([question.epsilon] * 2, ends, words["gap"], DRAWN, dash="solid", width=6, opacity=0.5))
    figure.add(marks.ring(question.epsilon, question.n, words["present"], look))
    return figure
