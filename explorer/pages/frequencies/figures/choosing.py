"""The best mechanism, and the cost of a wished precision."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from explorer.facts import Number
from explorer.facts.naming import category_slugs, short_of
from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN, OTHER
from explorer.figures.theme import Look, escape, ink_on, style
from explorer.pages.frequencies.facts import cost
from explorer.pages.frequencies.figures.answers import NO_ERROR, axis_of_rows, in_rows, two_digits
from explorer.text.catalogue import Words
from ldpcore.estimating.adviser import Option
from ldpcore.experiments.frequencies import BestMechanismResult, FrequencyPlan, FrequencyPlanResult, RivalPlansResult
from ldpcore.experiments.frequencies.weighing import WeighedAdvice, weight
from ldpcore.numerics.arrays import Reals


def which(result: WeighedAdvice, look: Look, words: Words) -> plot.Figure:
    """The cost of every mechanism as a bar, in the order of the list, the one of least error in its color.

    So the rows hold still along the level, and their order says nothing of the findings.
    """
    advice, by, family = result.advice, result.experiment.by, category_slugs()
    ranked = zip(advice.options, advice.margins, result.weights.tolist(), strict=True)
    options, margins, weights = zip(*sorted(ranked, key=lambda row: family.index(row[0].randomizer.slug)), strict=True)
    labels = [escape(words.write(short_of(option.randomizer.slug))) for option in options]
    best = advice.options[0]
    colors = [style(best.randomizer.slug, family).color if option is best else look.ghost for option in options]
    notes = [_beside(words, by, option, margin) for option, margin in zip(options, margins, strict=True)]
    short = [words.fill("beside_error", margin=Number(margin)) for margin in margins]  # a phone has room for it
    percent = 100 if by in ("error", "guess") else 1
    bars = plot.bar(
        x=percent * np.array(weights),
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
    """The text in a mechanism's bar: the weighed quantity, in words."""
    if by == "error":
        return words.fill("beside", margin=Number(margin), bits=Number(option.bits))
    return words.fill(f"beside_{by}", cost=cost(by, weight(option, by)))


def _costs(result: WeighedAdvice) -> dict[str, Any]:
    """An axis of costs, one for all levels: chances whole, bits and operations over powers of ten."""
    by = result.experiment.by
    if by == "error":
        return {"range": [0, 100 * marks.round_up(2.2 * result.advice.usual_error(), (1, 1.5, 2, 3, 5, 7))]}
    if by == "guess":
        return {"range": [0, 104]}
    return marks.logarithmic(0.8, 4 * marks.round_up(result.highest))


def plan(
    best: BestMechanismResult, result: FrequencyPlanResult, rivals: RivalPlansResult, look: Look, words: Words
) -> plot.Figure:
    """The half-width of the interval along all levels for each mechanism, the wanted one, and the page's place."""
    question, own = result.experiment, result.experiment.randomizer.slug
    levels, widths = question.curve()
    drawn = {**({own: (levels, widths)} if len(widths) else {}), **rivals.curves}
    low, high = _reached(question, [each for _, each in drawn.values()])
    figure = marks.canvas(
        look,
        words,
        xaxis=marks.logarithmic(0.01, 10),
        yaxis=marks.logarithmic(100 * two_digits(low / 1.5), 100 * two_digits(high * 1.5)),
    )
    for slug, (x, y) in drawn.items():
        figure.add(_half_widths(slug, x, y, slug == own, words))
    figure.add(marks.guide([0.01, 10], [100 * question.width] * 2, words["wanted"], OTHER))
    for slug, level in rivals.needed.items():
        if level is not None and 0.01 <= level <= 10:
            color, name = style(slug, category_slugs()).color, words.write(short_of(slug))
            figure.add(_kept(level, question.width, name, color, 11, "diamond", showlegend=False))
    if result.epsilon is not None and 0.01 <= result.epsilon <= 10:
        figure.add(_kept(result.epsilon, question.width, words["needed"], OTHER, 13, "diamond"))
    if best.slug not in (None, own, *rivals.needed) and best.epsilon is not None and 0.01 <= best.epsilon <= 10:
        figure.add(_kept(best.epsilon, question.width, words["best"], DRAWN, 15, "star"))
    present: Any = question.randomizer
    figure.add(marks.ring(present.epsilon, 100 * result.width, words["present"], look))
    return figure


def _reached(question: FrequencyPlan, curves: Sequence[Reals]) -> tuple[float, float]:
    """The least and the largest half-width that is drawn."""
    usual = question.usual() if math.isfinite(question.usual()) else NO_ERROR
    ends = np.concatenate([[question.width], *(curves or [np.array([usual / 30, usual * 30])])])
    return float(ends.min()), float(ends.max())


def _half_widths(slug: str, levels: Reals, widths: Reals, own: bool, words: Words) -> plot.Trace:
    """One mechanism's half-width along the level, in its usual color and dash."""
    drawn, name = style(slug, category_slugs()), words.write(short_of(slug))
    hover = words.hover("hover", x="%{x:.3g}", y="%{y:.3g}", member=short_of(slug))
    line = {**drawn.line(), **({"width": 5} if own else {})}
    return plot.scatter(x=levels, y=100 * widths, mode="lines", name=escape(name), line=line, hovertemplate=hover)


def _kept(level: float, width: float, name: str, color: str, size: int, symbol: str, **more: Any) -> plot.Trace:
    """The level at which the wanted width is kept."""
    return marks.dots([level], [100 * width], name, color, size, marker={"symbol": symbol}, hoverinfo="name", **more)
