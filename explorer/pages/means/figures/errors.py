"""The error of one report over the number itself, and the people that a wish takes along the level."""

from __future__ import annotations

import numpy as np

from explorer.facts.naming import opened, short_of
from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN
from explorer.figures.theme import Look, style
from explorer.pages.means.figures.scales import FAR, UPRIGHT, in_full
from explorer.text.catalogue import Words
from ldpcore.experiments import means
from ldpcore.experiments.named import PerhapsNamed
from ldpcore.parameters import LEVEL_AXIS

POINT = 4  # every fourth is enough for a curve without corners


def variance(
    answer: PerhapsNamed[means.VarianceOverXResult],
    present: PerhapsNamed[means.SideBySideResult],
    look: Look,
    words: Words,
) -> plot.Figure:
    """The standard deviation of one report for every number, one curve for each mechanism, the best one bold."""
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
    x, worst = scale.outward(result.x[::POINT]), None
    for place, (member, variances) in enumerate(zip(result.members, result.variances, strict=True)):
        drawn, y = style(member.slug, means.slugs()), scale.half * np.sqrt(variances[::POINT])
        name = words.write(short_of(member.slug))
        hover = words.hover("hover", x="%{x:,.4g}", y="%{y:,.4g}", member=short_of(member.slug))
        best = member.slug == beside.best()
        wide = 5 if best else 2
        figure.add(marks.line(x, y, name, drawn.color, dash=drawn.dash, width=wide, hovertemplate=hover))
        if best:
            flat = float(np.ptp(y)) < 1e-6 * float(y.max())
            at = scale.low + scale.half if flat else float(x[int(y.argmax())])
            worst = marks.ring(at, float(y.max()), words["worst"], look, showlegend=False)
        if y.min() > top:
            marker = {"symbol": "triangle-up", "size": 14, "color": drawn.color}
            at = scale.low + scale.half * (2 * place + 1) / len(means.slugs())
            arrow = marks.dots([at], [0.96 * top], name, marker=marker, meta="decoration", hoverinfo="name")
            figure.add(arrow | {"showlegend": False})
    if worst is not None:  # last, for among the curves it would say which one is the best
        figure.add(worst)
    return figure


def plan(answer: PerhapsNamed[means.MeanPlanResult], look: Look, words: Words) -> plot.Figure:
    """The number of people for the wish along the level, for each mechanism, and the page's place."""
    result: means.MeanPlanResult = opened(answer)[0]
    question = result.experiment
    grid = np.geomspace(*LEVEL_AXIS, 49)
    unit = question.normal
    figure = marks.canvas(
        look,
        words,
        xaxis=marks.logarithmic(*LEVEL_AXIS),
        # Every second power: all eight would lie on each other on a phone in larger type.
        yaxis=marks.logarithmic(min(unit / 100, question.n), max(unit * 1e6, question.n), dtick=2),
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
