"""The pictures of the frequencies page: estimated shares, their error, the ranking, the top ten, the plan."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.figures import plot
from explorer.figures.theme import PALETTE, Look, escape, layout, style
from explorer.naming import category_slugs, short
from explorer.numbers import people, percent, significant
from ldpcore.experiments.frequencies import (
    AfterEstimateResult,
    ErrorCurveResult,
    FrequencyPlanResult,
    FrequencyResult,
    TopTenResult,
    WhichOneResult,
)
from ldpcore.mechanisms import by_slug
from ldpcore.populations import Reals

Words = Mapping[str, str]
Places = NDArray[np.intp]
THEORY, DRAWN, OTHER = PALETTE[0], PALETTE[1], PALETTE[2]
MOST_BARS = 40  # of so many answers a person can still read the names
MOST_POINTS = 2000
COMPARED_ANSWERS = 10
TOP_ANSWERS = 20
WRONG_ANSWERS = 5


def quantized(value: float) -> float:
    """The next eighth of a decade, so that an axis holds still while a slider moves."""
    return float(10 ** (math.ceil(round(8 * math.log10(value), 9)) / 8))


def popular(shares: Reals, most: int) -> Places:
    """The most frequent values, in order; equal ones as they are listed."""
    return np.asarray(np.argsort(-shares, kind="stable")[:most])


def _order(result: FrequencyResult, look: Look, most: int) -> Places:
    """By the truth, or by what the collector sees while people predict."""
    return popular(result.truth if look.truth else result.first, most)


def _range(shares: Reals, deviation: float) -> list[float]:
    """From a little below what noise alone reaches to a little above the largest interval, in per cent."""
    reach = max(4.5 * deviation, 1e-9) if math.isfinite(deviation) else 0.3
    return [-100 * quantized(reach), 100 * quantized(float(shares.max()) + reach)]


def _names(names: Sequence[str], order: Places, longest: int = 18) -> list[str]:
    """The names along an axis, short enough to stand there."""
    found = [names[index] for index in order]
    return [escape(name if len(name) <= longest else name[: longest - 1] + "…") for name in found]


def _axis(names: Sequence[str], order: Places) -> dict[str, Any]:
    """An axis of answers, each with its name; of names that are numbers, as in a made-up crowd, ten will do."""
    numbered = all(names[place].isdecimal() for place in order)
    places = np.arange(0, len(order), math.ceil(len(order) / 10) if numbered else 1)
    return {
        "tickmode": "array", "tickvals": places.tolist(), "ticktext": _names(names, order[places]),
        "range": [-0.6, len(order) - 0.4],
        "zeroline": False, "showgrid": False,
    }  # fmt: skip


def _zero() -> dict[str, Any]:
    """The line where nobody is: estimates fall below it."""
    return {"zeroline": True, "zerolinewidth": 1.5, "rangemode": "normal"}


def _truth(figure: plot.Figure, look: Look, words: Words, y: Reals, hover: Sequence[str]) -> None:
    """The true shares as strokes in ink, unless people are predicting."""
    if look.truth:
        # The stroke is a bar along x, so that it is as wide as its answer on any screen.
        stroke = {"type": "constant", "value": 0.4, "thickness": 3, "width": 0, "color": look.ink}
        marker = {"symbol": "line-ew-open", "size": 8, "color": look.ink, "line": {"width": 3}}
        figure.add_scatter(
            x=np.arange(len(y)), y=y, mode="markers", name=escape(words["truth"]), marker=marker, error_x=stroke,
            text=hover, hovertemplate=words["hover_truth"],
        )  # fmt: skip


def bars(result: FrequencyResult, names: Sequence[str], look: Look, words: Words) -> plot.Figure:
    """The most frequent answers: what the collector estimates, with an interval around it, and the truth."""
    order, bounds = _order(result, look, MOST_BARS), result.bounds()
    shown, labels = 100 * result.first[order], _names(names, order, 40)
    interval = {
        "type": "data", "array": 100 * bounds.high[order] - shown, "arrayminus": shown - 100 * bounds.low[order],
        "color": look.ink, "thickness": 1.5, "width": 3 if len(order) <= TOP_ANSWERS else 0,
    }  # fmt: skip
    figure = plot.Figure(
        plot.bar(x=np.arange(len(order)), y=shown, name=escape(words["estimate"]), error_y=interval, text=labels,
                 marker={"color": THEORY, "opacity": 0.75}, textposition="none", hovertemplate=words["hover"]),
        layout(look, words["title"], words["x"], words["y"], xaxis=_axis(names, order),
               yaxis={"range": _range(result.truth, result.typical_error)} | _zero(), bargap=0.25),
    )  # fmt: skip
    _truth(figure, look, words, 100 * result.truth[order], labels)
    return figure


def ranks(result: FrequencyResult, look: Look, words: Words) -> plot.Figure:
    """All answers in order of their popularity: a line of the truth in the cloud of what the collector estimates."""
    order = _order(result, look, len(result.truth))
    kept = np.arange(len(order))
    if len(order) > MOST_POINTS:
        kept = np.unique(np.geomspace(1, len(order), MOST_POINTS).round().astype(int)) - 1
    places, rank = order[kept], (kept + 1).astype(np.float32)
    figure = plot.Figure(
        plot.scattergl(x=rank, y=(100 * result.first[places]).astype(np.float32), mode="markers",
                       name=escape(words["estimate"]), marker={"color": THEORY, "size": 5, "opacity": 0.6},
                       hovertemplate=words["hover"]),
        layout(look, words["title"], words["x_ranks"], words["y"],
               xaxis={"type": "log", "range": [-0.05, math.log10(len(order)) + 0.05], "dtick": 1},
               yaxis={"range": _range(result.truth, result.typical_error)} | _zero()),
    )  # fmt: skip
    if look.truth:
        figure.add_scatter(
            x=rank, y=100 * result.truth[places], mode="lines", name=escape(words["truth"]),
            line={"color": look.ink, "width": 2.5}, hovertemplate=words["hover_truth"],
        )  # fmt: skip
    return figure


def compare(results: Sequence[FrequencyResult], names: Sequence[str], look: Look, words: Words) -> plot.Figure:
    """The most frequent answers as each mechanism estimates them, side by side, with the typical error of each."""
    first, family = results[0], category_slugs()
    order = popular(first.truth, COMPARED_ANSWERS) if look.truth else np.arange(min(len(names), COMPARED_ANSWERS))
    labels, apart = _names(names, order, 40), 0.8 / len(results)
    figure = plot.Figure(
        layout=layout(look, words["title"], words["x"], words["y"], xaxis=_axis(names, order),
                      yaxis={"range": _range(first.truth, max(r.typical_error for r in results))} | _zero()),
    )  # fmt: skip
    for position, result in enumerate(results):
        member = type(result.experiment.randomizer)
        look_of = style(member.slug, family)
        bars_ = {"type": "constant", "value": 100 * result.typical_error, "color": look_of.color, "thickness": 1.5}
        figure.add_scatter(
            x=np.arange(len(order)) + apart * (position - (len(results) - 1) / 2), y=100 * result.first[order],
            mode="markers", name=escape(f"{short(member)} ± {percent(result.typical_error)}"), text=labels,
            marker=look_of.points(9), error_y=bars_ | {"width": 2}, hovertemplate=words["hover"],
        )  # fmt: skip
    _truth(figure, look, words, 100 * first.truth[order], labels)
    return figure


def error_curve(result: ErrorCurveResult, present: FrequencyResult, look: Look, words: Words) -> plot.Figure:
    """The expected error of each mechanism as a line, the simulated one as dots with two standard errors."""
    question = result.experiment
    low, high = math.log10(question.low), math.log10(question.high)
    figure = plot.Figure(
        layout=layout(look, words[f"title_{question.along}"], words[f"x_{question.along}"],
                      words[f"y_{question.metric}"], xaxis={"type": "log", "range": [low - 0.05, high + 0.05]},
                      yaxis={"type": "log"}),
    )  # fmt: skip
    for curve in result.curves:
        drawn, name = style(curve.slug, category_slugs()), short(by_slug(curve.slug))
        figure.add_scatter(
            x=result.x, y=curve.line, mode="lines", name=escape(name), line=drawn.line(), meta="pin",
            legendgroup=curve.slug, hovertemplate=words["hover"],
        )  # fmt: skip
        bars_ = {"type": "data", "array": 2 * curve.dot_errors, "color": drawn.color, "thickness": 1.5}
        figure.add_scatter(
            x=result.dot_x, y=curve.dots, mode="markers", name=escape(f"{name}{words['simulated']}"), error_y=bars_,
            marker=drawn.points(9), legendgroup=curve.slug, showlegend=len(result.curves) == 1,
            hovertemplate=words["hover"],
        )  # fmt: skip
    experiment = present.experiment
    own: Any = experiment.randomizer
    here = {"epsilon": own.epsilon, "n": experiment.population.n, "k": own.k}[question.along]
    if question.low <= here <= question.high:
        ring = {"size": 18, "symbol": "circle-open", "color": look.ink, "line": {"width": 3}}
        figure.add_scatter(
            x=[here], y=[present.expected(question.metric)], mode="markers", name=escape(words["present"]), marker=ring
        )
    return figure


def which(result: WhichOneResult, look: Look, words: Words) -> plot.Figure:
    """Every mechanism's typical error as a bar, the smallest on top, in the color it has everywhere."""
    options = result.advice.options[::-1]
    names = [escape(short(type(option.randomizer))) for option in options]
    colors = [style(option.randomizer.slug, category_slugs()).color for option in options]
    told = [[people(margin), significant(option.bits)] for option, margin in
            zip(options, result.advice.margins[::-1], strict=True)]  # fmt: skip
    opacity = [0.85 if option.affordable else 0.25 for option in options]
    bars_ = plot.bar(
        x=[100 * option.typical_error for option in options], y=list(range(len(options))), orientation="h",
        marker={"color": colors, "opacity": opacity}, customdata=told, text=[f"× {row[0]}" for row in told],
        textposition="auto", name=escape(words["bars"]), hovertemplate=words["hover"],
    )  # fmt: skip
    axis = {"tickmode": "array", "tickvals": list(range(len(options))), "ticktext": names, "showgrid": False}
    return plot.Figure(
        bars_, layout(look, words["title"], words["x"], words["y"], yaxis=axis, xaxis={"rangemode": "tozero"})
    )


def top(result: TopTenResult, names: Sequence[str], look: Look, words: Words) -> plot.Figure:
    """How often each of the most frequent answers is listed, and the answers that are listed most often wrongly."""
    repeats = result.experiment.repeats
    wrong = popular(np.where(result.belongs, 0.0, result.chosen / repeats), WRONG_ANSWERS)
    wrong = wrong[(result.chosen[wrong] > 0) & ~result.belongs[wrong]]
    order = np.concatenate([result.true_top, wrong])
    figure = plot.Figure(
        layout=layout(look, words["title"], words["x"], words["y"], xaxis=_axis(names, order),
                      yaxis={"range": [0, 104]}, bargap=0.25),
    )  # fmt: skip
    size = len(result.true_top)
    for name, color, places in (("found", THEORY, slice(0, size)), ("wrong", DRAWN, slice(size, None))):
        listed = order[places]
        if len(listed):
            figure.add_bar(
                x=np.arange(len(order))[places], y=100 * result.chosen[listed] / repeats, name=escape(words[name]),
                marker={"color": color, "opacity": 0.8}, text=_names(names, listed, 40), textposition="none",
                hovertemplate=words["hover"],
            )  # fmt: skip
    return figure


def after(result: AfterEstimateResult, slug: str, names: Sequence[str], look: Look, words: Words) -> plot.Figure:
    """The mean over all repetitions, answer by answer: raw beside one rule, and the truth."""
    order = popular(result.truth, TOP_ANSWERS)
    labels, chosen = _names(names, order, 40), result.row(slug)
    figure = plot.Figure(layout=layout(look, words["title"], words["x"], words["y"], xaxis=_axis(names, order)))
    rows = ((result.row("raw"), THEORY, "circle", -0.16), (chosen, DRAWN, "diamond", 0.16))
    for row, color, marker, aside in rows if slug != "raw" else rows[:1]:
        deviation = np.sqrt(row.split.variance[order])
        bars_ = {"type": "data", "array": 100 * deviation, "color": color, "thickness": 1.5, "width": 2}
        figure.add_scatter(
            x=np.arange(len(order)) + aside, y=100 * (result.truth + row.split.bias)[order], mode="markers",
            name=escape(words["raw"] if row.rule.slug == "raw" else words["rule"]), error_y=bars_, text=labels,
            marker={"color": color, "symbol": marker, "size": 9}, hovertemplate=words["hover"],
        )  # fmt: skip
    _truth(figure, look, words, 100 * result.truth[order], labels)
    return figure


def split(result: AfterEstimateResult, slug: str, names: Sequence[str], look: Look, words: Words) -> plot.Figure:
    """Where the mean squared error of each rule comes from: bias² and variance, one on the other."""
    rows = result.rows[::-1]
    places = list(range(len(rows)))
    mark = [("▸ " if row.rule.slug == slug else "") + row.rule.title for row in rows]
    axis = {"tickmode": "array", "tickvals": places, "ticktext": [escape(name) for name in mark], "showgrid": False}
    figure = plot.Figure(
        layout=layout(look, words["title"], words["x"], words["y"], yaxis=axis, barmode="stack",
                      xaxis={"rangemode": "tozero"}),
    )  # fmt: skip
    parts = (("variance", THEORY, [row.variance for row in rows]), ("bias", DRAWN, [row.bias_squared for row in rows]))
    for name, color, values in parts:
        figure.add_bar(
            x=values, y=places, orientation="h", name=escape(words[name]), marker={"color": color, "opacity": 0.85},
            text=[escape(row.rule.title) for row in rows], textposition="none", hovertemplate=words["hover"],
        )  # fmt: skip
    return figure


AFTER = MappingProxyType({"shares": after, "split": split})


def plan(result: FrequencyPlanResult, look: Look, words: Words) -> plot.Figure:
    """The half-width of the interval along all levels; the one that is wanted, and where the page stands."""
    question = result.experiment
    levels, widths = question.curve()
    figure = plot.Figure(
        plot.scatter(x=levels, y=100 * widths, mode="lines", name=escape(words["theory"]), meta="pin",
                     line={"color": THEORY, "width": 3}, hovertemplate=words["hover"]),
        layout(look, words["title"], words["x"], words["y"], xaxis={"type": "log", "range": [-2.1, 1.1]},
               yaxis={"type": "log"}),
    )  # fmt: skip
    figure.add_scatter(
        x=[0.01, 10], y=[100 * question.width] * 2, mode="lines", name=escape(words["wanted"]), meta="decoration",
        line={"color": OTHER, "dash": "dash", "width": 2}, hoverinfo="name",
    )  # fmt: skip
    own: Any = question.randomizer
    ring = {"size": 18, "symbol": "circle-open", "color": look.ink, "line": {"width": 3}}
    figure.add_scatter(
        x=[own.epsilon], y=[100 * result.width], mode="markers", name=escape(words["present"]), marker=ring
    )
    return figure
