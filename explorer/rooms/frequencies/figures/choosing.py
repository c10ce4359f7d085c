"""Errors along an axis, which mechanism is the best where, and what a wished precision takes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from explorer.facts import Number
from explorer.facts.naming import category_slugs, short_of
from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN, OTHER
from explorer.figures.theme import Look, escape, ink_on, style
from explorer.rooms.frequencies.facts import cost
from explorer.rooms.frequencies.figures.answers import NO_ERROR, axis_of_rows, in_rows, two_digits
from explorer.text.catalogue import Words
from ldpcore.estimating.adviser import Option
from ldpcore.experiments.frequencies import (
    BestMechanismResult,
    Curve,
    ErrorCurveResult,
    FrequencyPlanResult,
    FrequencyResult,
    WhichOneResult,
)
from ldpcore.experiments.frequencies.weighing import WeighedAdvice, weight


def error_curve(result: ErrorCurveResult, present: FrequencyResult, look: Look, words: Words) -> plot.Figure:
    """The expected error of each mechanism as a line, the simulated one as dots with two standard errors."""
    question = result.experiment
    along, metric = question.along, question.metric
    figure = marks.canvas(
        look,
        words,
        title=f"title_{along}",
        x=f"x_{along}",
        y=f"y_{metric}",
        xaxis=marks.logarithmic(question.low, question.high),
        yaxis=_of_errors(result),
    )
    for curve in result.curves:
        _line_and_dots(figure, result, curve, words)
    own: Any = present.experiment.randomizer
    here = {"epsilon": own.epsilon, "n": present.experiment.population.n, "k": own.k}[along]
    figure.add(marks.ring(here, present.expected(metric), words["present"], look))
    return figure


def _line_and_dots(figure: plot.Figure, result: ErrorCurveResult, curve: Curve, words: Words) -> None:
    """The expected error of one mechanism, and the simulated one."""
    drawn, name = style(curve.slug, category_slugs()), words.write(short_of(curve.slug))
    hover = words.hover("hover", x="%{x:.4g}", y="%{y:.3g}", member=short_of(curve.slug))
    figure.add_scatter(
        x=result.x,
        y=curve.line,
        mode="lines",
        name=escape(name),
        line=drawn.line(),
        legendgroup=curve.slug,
        hovertemplate=hover,
    )
    reach = {"type": "data", "array": 2 * curve.dot_errors, "color": drawn.color, "thickness": 1.5}
    figure.add_scatter(
        x=result.dot_x,
        y=curve.dots,
        mode="markers",
        error_y=reach,
        marker=drawn.points(9),
        name=escape(words.fill("simulated", member=short_of(curve.slug))),
        legendgroup=curve.slug,
        showlegend=len(result.curves) == 1,
        hovertemplate=hover,
    )


def _of_errors(result: ErrorCurveResult) -> dict[str, Any]:
    """An axis of errors: along the level as far as its curves reach, else as far as at level 1, and well beyond."""
    low, high = result.usual()
    room = 1.5 if result.experiment.along == "epsilon" else 100
    return marks.logarithmic(two_digits(low / room), two_digits(high * room))


def which(result: WeighedAdvice, look: Look, words: Words) -> plot.Figure:
    """What every mechanism costs as a bar, the one of least error on top, in the color it has everywhere."""
    advice, by = result.advice, result.experiment.by
    labels = [escape(words.write(short_of(option.randomizer.slug))) for option in advice.options]
    colors = [style(option.randomizer.slug, category_slugs()).color for option in advice.options]
    notes = [_beside(words, by, option, margin) for option, margin in zip(advice.options, advice.margins, strict=True)]
    short = [words.fill("beside_error", margin=Number(margin)) for margin in advice.margins]  # a phone has room for it
    percent = 100 if by in ("error", "guess") else 1
    bars = plot.bar(
        x=percent * result.weights,
        **in_rows(labels),
        customdata=notes,
        texttemplate=short if by == "error" else "%{customdata}",
        textposition="auto",
        insidetextanchor="start",
        insidetextfont={"color": [ink_on(color) for color in colors]},
        orientation="h",
        marker={"color": colors},
        name=escape(words["bars"]),
        showlegend=False,
        hovertemplate=words.hover(f"hover_{by}", x="%{x:.3g}", y="%{text}", told="%{customdata}"),
    )
    return marks.canvas(look, words, bars, x=f"x_{by}", yaxis=axis_of_rows(labels), xaxis=_costs(result))


def _beside(words: Words, by: str, option: Option, margin: float) -> str:
    """What stands in a mechanism's bar: the quantity that is looked at, in words."""
    if by == "error":
        return words.fill("beside", margin=Number(margin), bits=Number(option.bits))
    return words.fill(f"beside_{by}", cost=cost(by, weight(option, by)))


def _costs(result: WeighedAdvice) -> dict[str, Any]:
    """An axis of costs, the same at every level: chances whole, bits and operations over powers of ten."""
    by = result.experiment.by
    if by == "error":
        return {"range": [0, 100 * marks.round_up(2.2 * result.advice.usual_error(), (1, 1.5, 2, 3, 5, 7))]}
    if by == "guess":
        return {"range": [0, 104]}
    return marks.logarithmic(0.8, 4 * marks.round_up(result.highest))


def changes(result: WhichOneResult, look: Look, words: Words) -> plot.Figure:
    """The best mechanism for every number of answers: one stretch after the other."""
    adviser, low, high = result.experiment.adviser, *result.range_of_k
    stretches: list[tuple[str, float, float]] = []
    start: float = low
    for change in result.along_k:
        stretches.append((change.before, start, change.at))
        start = change.at
    last = result.along_k[-1].after if result.along_k else adviser.best(adviser.epsilon, low)
    stretches.append((last, start, high))
    family = [slug for slug in category_slugs() if slug in result.members]
    labels = [escape(words.write(short_of(slug))) for slug in family]
    figure = marks.canvas(look, words, yaxis=axis_of_rows(labels), xaxis=marks.logarithmic(low, high))
    for slug, begins, ends in stretches:
        if slug:
            figure.add(
                marks.line(
                    [begins, ends],
                    [family.index(slug)] * 2,
                    labels[family.index(slug)],
                    style(slug, category_slugs()).color,
                    width=14,
                    showlegend=False,
                    hovertemplate=words.hover("hover", member=short_of(slug), x="%{x:,}"),
                )
            )
    k = adviser.population.k
    here = adviser.best(adviser.epsilon, k)
    if here in family:
        figure.add(marks.ring(k, family.index(here), words["present"], look))
    return figure


def plan(best: BestMechanismResult, result: FrequencyPlanResult, look: Look, words: Words) -> plot.Figure:
    """The half-width of the interval along all levels; the one that is wanted, and where the page stands."""
    question = result.experiment
    levels, widths = question.curve()
    usual = question.usual() if math.isfinite(question.usual()) else NO_ERROR
    ends = widths if len(widths) else np.array([usual / 30, usual * 30])
    low, high = min(float(ends.min()), question.width), max(float(ends.max()), question.width)
    figure = marks.canvas(
        look,
        words,
        marks.line(
            levels, 100 * widths, words["theory"], hovertemplate=words.hover("hover", x="%{x:.3g}", y="%{y:.3g}")
        ),
        xaxis=marks.logarithmic(0.01, 10),
        yaxis=marks.logarithmic(100 * two_digits(low / 1.5), 100 * two_digits(high * 1.5)),
    )
    figure.add(marks.guide([0.01, 10], [100 * question.width] * 2, words["wanted"], OTHER))
    if result.epsilon is not None and 0.01 <= result.epsilon <= 10:
        figure.add(_kept(result.epsilon, question.width, words["needed"], OTHER, 13, "diamond"))
    own: Any = question.randomizer
    if best.slug not in (None, own.slug) and best.epsilon is not None and 0.01 <= best.epsilon <= 10:
        figure.add(_kept(best.epsilon, question.width, words["best"], DRAWN, 15, "star"))
    figure.add(marks.ring(own.epsilon, 100 * result.width, words["present"], look))
    return figure


def _kept(level: float, width: float, name: str, color: str, size: int, symbol: str) -> plot.Trace:
    """The level at which the wanted width is kept."""
    return marks.dots([level], [100 * width], name, color, size, marker={"symbol": symbol}, hoverinfo="name")
