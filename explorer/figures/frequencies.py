"""The pictures of the frequencies page: lies taken out of reports, the ranking, errors, the top list, rules, the plan.

Answers stand below one another, so that their names can be read. Axes of shares are measured by the crowd and by the
mechanism at level 1, whatever the present level is: too much noise leaves the picture, too little is a needle.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.facts import Number, Share, Term
from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN, OTHER, THEORY
from explorer.figures.theme import Look, escape, layout, style
from explorer.naming import called, category_slugs, opened, short_of
from explorer.text.catalogue import Words
from ldpcore.adviser import Advice
from ldpcore.experiments.collecting import ComparisonResult, CuratorCountsResult, OneRuleResult
from ldpcore.experiments.frequencies import (
    ErrorCurveResult,
    FrequencyPlanResult,
    FrequencyResult,
    TopTenResult,
    WhichOneResult,
)
from ldpcore.populations import Reals

Places = NDArray[np.intp]
MOST_BARS = 40  # of so many answers a person can still tell the bars apart
MOST_POINTS = 2000
COMPARED_ANSWERS = 10
RULED_ANSWERS = 20
WRONG_ANSWERS = 5
NAMED_ANSWERS = 20
NO_ERROR = 0.3  # measures a picture where the typical error has no end


def popular(shares: Reals, most: int) -> Places:
    """The most frequent values, in order; equal ones as they are listed."""
    return np.asarray(np.argsort(-shares, kind="stable")[:most])


def _order(result: FrequencyResult, look: Look, most: int) -> Places:
    """By the truth, or by what the collector sees while people predict."""
    return popular(result.truth if look.truth else result.first, most)


def _even(value: float) -> float:
    """Two digits, so that rounding at one stop of the level never moves an axis."""
    return float(f"{value:.2g}")


def _span(highest: float, error: float) -> tuple[float, float]:
    """From what noise alone reaches at level 1 to above the largest share with it, in per cent."""
    usual = error if math.isfinite(error) else NO_ERROR
    return -100 * _even(0.2 * highest + 2 * usual), 100 * _even(1.1 * highest + 2 * usual)


def _labels(order: Sequence[int] | Places, k: int, names: tuple[str, ...], words: Words) -> list[str]:
    """The names along an axis."""
    return [escape(words.write(called(int(place), k, names))) for place in order]


def _rows(labels: Sequence[str], room: int | None = None) -> dict[str, Any]:
    """An axis of answers by their places, the first one on top; of few every name is written, of many about ten."""
    step = 1 if len(labels) <= NAMED_ANSWERS else math.ceil(len(labels) / 10)
    places = list(range(0, len(labels), step))
    return {
        "tickmode": "array", "tickvals": places, "ticktext": [labels[place] for place in places],
        "range": [(len(labels) if room is None else room) - 0.4, -0.6], "showgrid": False, "zeroline": False,
        "ticks": "",
    }  # fmt: skip


def _along(labels: Sequence[str], first: int = 0) -> dict[str, Any]:
    """Where the marks of some answers stand on such an axis, one below the other, and what they are called."""
    return {"y": list(range(first, first + len(labels))), "text": list(labels)}


def _truth(shares: Reals, labels: Sequence[str], look: Look, words: Words, **more: Any) -> plot.Trace:
    """The true shares as strokes in ink, as high as the row of their answer on any screen."""
    stroke = {"type": "constant", "value": 0.4, "thickness": 3, "width": 0, "color": look.ink}
    marker = {"symbol": "line-ns-open", "size": 8, "color": look.ink, "line": {"width": 3}}
    return plot.scatter(
        x=shares, **_along(labels), mode="markers", name=escape(words["truth"]), marker=marker, error_y=stroke,
        hovertemplate=words.hover("hover_truth", x="%{x:.3g}", y="%{text}"), **more,
    )  # fmt: skip


def _beyond(values: Reals, span: tuple[float, float], words: Words, **more: Any) -> plot.Trace:
    """Arrows at the edges, for bars that leave the picture."""
    low, high = span
    at, symbols = marks.within(values, (high - low) / 2, (high + low) / 2)
    out = [place for place, symbol in enumerate(symbols) if symbol != "circle"]
    marker = {"symbol": [symbols[place] for place in out], "size": 12, "color": DRAWN}
    return plot.scatter(
        x=at[out], y=out, mode="markers", marker=marker, name=escape(words["beyond"]),
        showlegend=bool(out), hoverinfo="skip", meta="decoration", **more,
    )  # fmt: skip


def bars(answer: Any, *more: Any) -> plot.Figure:
    """Left what arrives, with the lies that were to be expected; right what is left of it, scaled up, and the truth."""
    *beside, look, words = more
    result, names = opened(answer)
    order = _order(result, look, MOST_BARS)
    labels, supported = _labels(order, result.experiment.population.k, names, words), result.supported
    alone = supported is None
    span = _span(result.highest, result.usual_error)
    figure = plot.Figure(
        layout=layout(
            look, words["title"], words["x_reports"], words["y"], barmode="overlay", bargap=0.28,
            xaxis={"domain": [0, 0.4], "anchor": "y", "showgrid": False},
            yaxis=_rows(labels),
        )
    )  # fmt: skip
    estimates = {"range": list(span), "title": {"text": escape(words["x"])}, "zeroline": True, "zerolinewidth": 2}
    if alone:
        figure.layout["xaxis"] = estimates
    else:
        _arriving(figure, result, supported[order], labels, look, words)
        figure.layout["xaxis2"] = estimates | {"domain": [0.46, 1], "anchor": "y", "zerolinecolor": look.ghost}
    panel = {} if alone else {"xaxis": "x2"}
    _estimates(figure, result, order, labels, span, look, words, panel)
    if look.truth:  # a curator's numbers would tell it
        for curator in beside:
            figure.add(_curator(curator, order, labels, words, panel))
        figure.add(_truth(100 * result.truth[order], labels, look, words, **panel))
    return figure


def _arriving(
    figure: plot.Figure, result: FrequencyResult, supported: Reals, labels: Sequence[str], look: Look, words: Words
) -> None:
    """How many reports speak for each answer: so many would if nobody held it, and the rest."""
    oracle: Any = result.experiment.randomizer
    lies = np.full(len(labels), 100 * oracle.q)
    chance = 2 / math.sqrt(result.experiment.population.n)
    figure.layout["xaxis"] |= {"range": [0, min(100 * _even(1.05 * result.most_supported() + chance), 110)]}
    figure.add_bar(
        x=lies, **_along(labels), textposition="none", orientation="h", name=escape(words["lies"]),
        marker={"color": look.ghost, "opacity": 0.4},
        hovertemplate=words.hover("hover_lies", x="%{x:.3g}", y="%{text}"),
    )  # fmt: skip
    figure.add_bar(
        x=100 * supported - lies, base=lies, **_along(labels), textposition="none", orientation="h",
        name=escape(words["left"]),
        marker={"color": THEORY, "opacity": 0.85}, hovertemplate=words.hover("hover_left", x="%{x:.3g}", y="%{text}"),
    )  # fmt: skip


def _estimates(
    figure: plot.Figure, result: FrequencyResult, order: Places, labels: Sequence[str], span: tuple[float, float],
    look: Look, words: Words, panel: dict[str, str],
) -> None:  # fmt: skip
    """What is left, scaled up to everybody: bars with their intervals, and arrows."""
    shown, bounds = 100 * result.first[order], result.bounds()
    interval = {
        "type": "data", "array": 100 * bounds.high[order] - shown, "arrayminus": shown - 100 * bounds.low[order],
        "color": look.ink, "thickness": 1.5, "width": 3 if len(order) <= RULED_ANSWERS else 0,
    }  # fmt: skip
    figure.add_bar(
        x=shown, **_along(labels), textposition="none", orientation="h", name=escape(words["estimate"]),
        error_x=interval, marker={"color": THEORY, "opacity": 0.5},
        hovertemplate=words.hover("hover", x="%{x:.3g}", y="%{text}"), **panel,
    )  # fmt: skip
    figure.add(_beyond(shown, span, words, **panel))


def _curator(
    result: CuratorCountsResult, order: Places, labels: Sequence[str], words: Words, panel: dict[str, str]
) -> plot.Trace:
    """What a trusted curator would release, with an interval that is often too thin to be seen."""
    reach = {"type": "constant", "value": 100 * result.reach, "color": OTHER, "thickness": 4, "width": 0}
    hover, rows = words.hover("hover_curator", x="%{x:.3g}", y="%{text}"), _along(labels)
    return marks.dots(
        100 * result.shares[order], rows["y"], words["curator"], OTHER, 11, marker={"symbol": "diamond"},
        error_x=reach, text=rows["text"], hovertemplate=hover, **panel,
    )  # fmt: skip


def ranks(answer: Any, look: Look, words: Words) -> plot.Figure:
    """All answers in order of their popularity: a line of the truth in the cloud of what the collector estimates."""
    result, _ = opened(answer)
    order = _order(result, look, len(result.truth))
    kept = np.arange(len(order))
    if len(order) > MOST_POINTS:
        kept = np.unique(np.geomspace(1, len(order), MOST_POINTS).round().astype(int)) - 1
    places, rank = order[kept], (kept + 1).astype(np.float32)
    figure = plot.Figure(
        plot.scattergl(x=rank, y=(100 * result.first[places]).astype(np.float32), mode="markers",
                       name=escape(words["estimate"]), marker={"color": THEORY, "size": 5, "opacity": 0.6},
                       hovertemplate=words.hover("hover", x="%{x:,}", y="%{y:.3g}")),
        layout(look, words["title"], words["x"], words["y"], xaxis=marks.logarithmic(1, len(order), dtick=1),
               yaxis={"range": list(_span(result.highest, result.usual_error)), "zeroline": True}),
    )  # fmt: skip
    if look.truth:
        figure.add(
            marks.line(rank, 100 * result.truth[places], words["truth"], look.ink, width=2.5,
                       hovertemplate=words.hover("hover_truth", x="%{x:,}", y="%{y:.3g}"))
        )  # fmt: skip
    return figure


def compare(answer: Any, look: Look, words: Words) -> plot.Figure:
    """The most frequent answers as each mechanism estimates them, with the typical error of each."""
    found, names = opened(answer)
    comparison: ComparisonResult = found
    first, family, results = comparison.results[0], category_slugs(), comparison.results
    k = first.experiment.population.k
    order = _order(first, look, COMPARED_ANSWERS)
    labels, apart = _labels(order, k, names, words), 0.8 / len(results)
    usual = max((result.usual_error for result in results if math.isfinite(result.usual_error)), default=NO_ERROR)
    rows = np.arange(len(order), dtype=np.float64)
    figure = plot.Figure(
        layout=layout(look, words["title"], words["x"], words["y"], yaxis=_rows(labels),
                      xaxis={"range": list(_span(first.highest, usual)), "zeroline": True})
    )  # fmt: skip
    for position, result in enumerate(results):
        slug = result.experiment.randomizer.slug
        drawn = style(slug, family)
        reach = {"type": "constant", "value": 100 * result.typical_error, "color": drawn.color, "thickness": 1.5}
        name = words.fill("member", member=short_of(slug), off=Share(result.typical_error))
        figure.add_scatter(
            x=100 * result.first[order], y=rows + apart * (position - (len(results) - 1) / 2), mode="markers",
            name=escape(name), text=labels, marker=drawn.points(9), error_x=reach | {"width": 2},
            hovertemplate=words.hover("hover", x="%{x:.3g}", y="%{text}"),
        )  # fmt: skip
    if look.truth:
        figure.add(_truth(100 * first.truth[order], labels, look, words))
    return figure


def error_curve(result: ErrorCurveResult, present: FrequencyResult, look: Look, words: Words) -> plot.Figure:
    """The expected error of each mechanism as a line, the simulated one as dots with two standard errors."""
    question = result.experiment
    along, metric = question.along, question.metric
    figure = plot.Figure(
        layout=layout(look, words[f"title_{along}"], words[f"x_{along}"], words[f"y_{metric}"],
                      xaxis=marks.logarithmic(question.low, question.high), yaxis=_of_errors(result)),
    )  # fmt: skip
    for curve in result.curves:
        drawn, name = style(curve.slug, category_slugs()), words.write(short_of(curve.slug))
        hover = words.hover("hover", x="%{x:.4g}", y="%{y:.3g}", member=short_of(curve.slug))
        figure.add_scatter(
            x=result.x, y=curve.line, mode="lines", name=escape(name), line=drawn.line(), meta="pin",
            legendgroup=curve.slug, hovertemplate=hover,
        )  # fmt: skip
        reach = {"type": "data", "array": 2 * curve.dot_errors, "color": drawn.color, "thickness": 1.5}
        figure.add_scatter(
            x=result.dot_x, y=curve.dots, mode="markers", error_y=reach, marker=drawn.points(9),
            name=escape(words.fill("simulated", member=short_of(curve.slug))), legendgroup=curve.slug,
            showlegend=len(result.curves) == 1, hovertemplate=hover,
        )  # fmt: skip
    own: Any = present.experiment.randomizer
    here = {"epsilon": own.epsilon, "n": present.experiment.population.n, "k": own.k}[along]
    figure.add(marks.ring(here, present.expected(metric), words["present"], look))
    return figure


def _of_errors(result: ErrorCurveResult) -> dict[str, Any]:
    """An axis of errors: along the level as far as its curves reach, else as far as at level 1, and well beyond."""
    low, high = result.usual()
    room = 1.5 if result.experiment.along == "epsilon" else 100
    return marks.logarithmic(_even(low / room), _even(high * room))


def which(result: Advice, look: Look, words: Words) -> plot.Figure:
    """Every mechanism's typical error as a bar, the smallest on top, in the color it has everywhere."""
    options = result.options
    labels = [escape(words.write(short_of(option.randomizer.slug))) for option in options]
    colors = [style(option.randomizer.slug, category_slugs()).color for option in options]
    errors = np.array([100 * option.typical_error for option in options])
    told = [
        words.fill("beside", margin=Number(margin), bits=Number(option.bits))
        for option, margin in zip(options, result.margins, strict=True)
    ]
    top = 100 * marks.round_up(1.4 * result.usual_error(), (1, 1.5, 2, 3, 5, 7))
    found = plot.bar(
        x=errors, **_along(labels), customdata=told, texttemplate="%{customdata}", textposition="auto",
        insidetextanchor="start", orientation="h", marker={"color": colors, "opacity": 0.85},
        name=escape(words["bars"]), showlegend=False,
        hovertemplate=words.hover("hover", x="%{x:.3g}", y="%{text}", told="%{customdata}"),
    )  # fmt: skip
    return plot.Figure(
        found,
        layout(look, words["title"], words["x"], words["y"], yaxis=_rows(labels), xaxis={"range": [0, top]}),
    )


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
    figure = plot.Figure(
        layout=layout(look, words["title"], words["x"], words["y"], yaxis=_rows(labels),
                      xaxis=marks.logarithmic(low, high)),
    )  # fmt: skip
    for slug, begins, ends in stretches:
        if slug:
            figure.add(
                marks.line([begins, ends], [family.index(slug)] * 2, labels[family.index(slug)],
                           style(slug, category_slugs()).color, width=14, showlegend=False,
                           hovertemplate=words.hover("hover", member=short_of(slug), x="%{x:,}"))
            )  # fmt: skip
    k = adviser.population.k
    here = adviser.best(adviser.epsilon, k)
    if here in family:
        figure.add(marks.ring(k, family.index(here), words["present"], look))
    return figure


def top(answer: Any, look: Look, words: Words) -> plot.Figure:
    """How often each of the most frequent answers is listed, and the answers that are listed most often wrongly."""
    found, names = opened(answer)
    result: TopTenResult = found
    repeats, k, size = result.experiment.repeats, len(result.belongs), len(result.true_top)
    wrong = popular(np.where(result.belongs, 0.0, result.chosen / repeats), WRONG_ANSWERS)
    wrong = wrong[(result.chosen[wrong] > 0) & ~result.belongs[wrong]]
    labels = _labels(np.concatenate([result.true_top, wrong]), k, names, words)
    room = min(size + WRONG_ANSWERS, k)  # the wrong ones have their place where there are none
    figure = plot.Figure(
        layout=layout(look, words["title"], words["x"], words["y"], yaxis=_rows(labels, room),
                      xaxis={"range": [0, 104]}, bargap=0.25),
    )  # fmt: skip
    right = "found" if look.truth else "listed"
    for name, color, listed, first in ((right, THEORY, result.true_top, 0), ("wrong", DRAWN, wrong, size)):
        if len(listed):
            figure.add_bar(
                x=100 * result.chosen[listed] / repeats, **_along(labels[first : first + len(listed)], first),
                textposition="none", orientation="h", name=escape(words[name]), marker={"color": color, "opacity": 0.8},
                hovertemplate=words.hover("hover", x="%{x:.3g}", y="%{text}"),
            )  # fmt: skip
    return figure


def after(answer: Any, look: Look, words: Words) -> plot.Figure:
    """The mean over all repetitions, answer by answer: raw beside one rule, and the truth.

    The means lie near the truth, so that while people predict the first repetition stands in their place.
    """
    found, names = opened(answer)
    result: OneRuleResult = found
    order = popular(result.found.truth if look.truth else result.raw.first, RULED_ANSWERS)
    labels = _labels(order, len(result.found.truth), names, words)
    highest = float(result.found.truth.max()) if look.truth else 0.5
    figure = plot.Figure(
        layout=layout(look, words["title" if look.truth else "title_hidden"], words["x"], words["y"],
                      yaxis=_rows(labels),
                      xaxis={"range": list(_span(highest, math.sqrt(result.expected))), "zeroline": True})
    )  # fmt: skip
    rows = ((result.raw, THEORY, "circle", -0.16), (result.chosen, DRAWN, "diamond", 0.16))
    for row, color, symbol, aside in rows if result.experiment.rule != "raw" else rows[:1]:
        shown = result.mean(row) if look.truth else row.first
        spread = {"type": "data", "array": 100 * np.sqrt(row.split.variance[order]), "color": color, "width": 2}
        figure.add_scatter(
            x=100 * shown[order], y=np.arange(len(order)) + aside, mode="markers", error_x=spread | {"thickness": 1.5},
            name=escape(words["raw" if row.rule.slug == "raw" else "rule"]), text=labels,
            marker={"color": color, "symbol": symbol, "size": 9},
            hovertemplate=words.hover("hover", x="%{x:.3g}", y="%{text}"),
        )  # fmt: skip
    if look.truth:
        figure.add(_truth(100 * result.found.truth[order], labels, look, words))
    return figure


def split(answer: Any, look: Look, words: Words) -> plot.Figure:
    """Where the mean squared error of each rule comes from: bias² and variance, one beside the other."""
    found, _ = opened(answer)
    result: OneRuleResult = found
    rows, chosen = result.found.rows, result.experiment.rule
    labels = [
        escape(words.fill("chosen" if row.rule.slug == chosen else "other", rule=Term(f"rules.{row.rule.slug}")))
        for row in rows
    ]
    usual = result.expected if math.isfinite(result.expected) else NO_ERROR**2
    figure = plot.Figure(
        layout=layout(look, words["title"], words["x"], words["y"], yaxis=_rows(labels), barmode="stack",
                      xaxis={"range": [0, 2 * _even(usual)]}),
    )  # fmt: skip
    parts = (("variance", THEORY, [row.variance for row in rows]), ("bias", DRAWN, [row.bias_squared for row in rows]))
    for name, color, values in parts:
        figure.add_bar(
            x=values, **_along(labels), textposition="none", orientation="h", name=escape(words[name]),
            marker={"color": color, "opacity": 0.85}, hovertemplate=words.hover("hover", x="%{x:.3g}", y="%{text}"),
        )  # fmt: skip
    return figure


def plan(result: FrequencyPlanResult, look: Look, words: Words) -> plot.Figure:
    """The half-width of the interval along all levels; the one that is wanted, and where the page stands."""
    question = result.experiment
    levels, widths = question.curve()
    usual = question.usual() if math.isfinite(question.usual()) else NO_ERROR
    ends = widths if len(widths) else np.array([usual / 30, usual * 30])
    low, high = min(float(ends.min()), question.width), max(float(ends.max()), question.width)
    figure = plot.Figure(
        marks.line(levels, 100 * widths, words["theory"], meta="pin",
                   hovertemplate=words.hover("hover", x="%{x:.3g}", y="%{y:.3g}")),
        layout(look, words["title"], words["x"], words["y"], xaxis=marks.logarithmic(0.01, 10),
               yaxis=marks.logarithmic(100 * _even(low / 1.5), 100 * _even(high * 1.5))),
    )  # fmt: skip
    figure.add(marks.guide([0.01, 10], [100 * question.width] * 2, words["wanted"], OTHER))
    if result.epsilon is not None and 0.01 <= result.epsilon <= 10:
        figure.add(marks.dots([result.epsilon], [100 * question.width], words["needed"], OTHER, 13,
                              marker={"symbol": "diamond"}, hoverinfo="name"))  # fmt: skip
    own: Any = question.randomizer
    figure.add(marks.ring(own.epsilon, 100 * result.width, words["present"], look))
    return figure
