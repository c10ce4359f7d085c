"""What arrives, the lies that were to be expected taken out of it, and how mechanisms compare."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from explorer.facts import Share
from explorer.facts.naming import category_slugs, opened, short_of
from explorer.figures import marks, plot
from explorer.figures.marks import OTHER, THEORY
from explorer.figures.theme import Look, escape, style
from explorer.rooms.frequencies.figures.answers import (
    NO_ERROR,
    RULED_ANSWERS,
    Places,
    arrows_beyond,
    axis_of_rows,
    bars_of_lies,
    bars_of_the_rest,
    in_order,
    in_rows,
    labels_of,
    span_of,
    true_strokes,
    two_digits,
)
from explorer.text.catalogue import Words
from ldpcore.estimating.intervals import Bounds
from ldpcore.experiments.frequencies import (
    FrequencyResult,
)
from ldpcore.experiments.frequencies.collecting import ComparisonResult, CuratorCountsResult
from ldpcore.numerics.arrays import Reals

MOST_BARS = 40  # of so many answers a person can still tell the bars apart
MOST_POINTS = 2000
LISTED = 100  # answers whose reports can be opened
COMPARED_ANSWERS = 10


def bars(answer: Any, *more: Any) -> plot.Figure:
    """Left what arrives, with the lies that were to be expected; right what is left of it, scaled up, and the truth."""
    around, *beside, look, words = more
    result, names = opened(answer)
    order = in_order(result, look, MOST_BARS)
    labels, supported = labels_of(order, result.experiment.population.k, names, words), result.supported
    alone = supported is None
    span = span_of(result.highest, result.usual_error)
    figure = two_panels(labels, look, words)
    estimates = {"range": list(span), "title": {"text": escape(words["x"])}, "zeroline": True, "zerolinewidth": 2}
    if alone:
        figure.layout["xaxis"] = estimates
    else:
        _arriving(figure, result, supported[order], labels, look, words)
        figure.layout["xaxis2"] = estimates | {"domain": [0.46, 1], "anchor": "y", "zerolinecolor": look.ghost}
    values = [value if value < LISTED else None for value in order.tolist()]
    figure.layout["meta"] = {"rows": {"view": "report", "values": values}}  # a click opens such a report
    panel = {} if alone else {"xaxis": "x2"}
    _estimates(figure, result, around.bounds(result), order, labels, span, look, words, panel)
    if look.truth:  # a curator's numbers would tell it
        for curator in beside:
            figure.add(_curator(curator, around.reaches(curator), order, labels, words, panel))
        figure.add(true_strokes(100 * result.truth[order], labels, look, words, **panel))
    return figure


def two_panels(labels: Sequence[str], look: Look, words: Words, **reports: Any) -> plot.Figure:
    """Room for what arrives beside what it says of the people, one row for each answer; `reports` of its axis."""
    return marks.canvas(
        look,
        words,
        x="x_reports",
        barmode="overlay",
        bargap=0.28,
        xaxis={"domain": [0, 0.4], "anchor": "y", "showgrid": False, **reports},
        yaxis=axis_of_rows(labels),
    )


def _arriving(
    figure: plot.Figure, result: FrequencyResult, supported: Reals, labels: Sequence[str], look: Look, words: Words
) -> None:
    """How many reports speak for each answer: so many would if nobody held it, and the rest."""
    oracle: Any = result.experiment.randomizer
    lies = np.full(len(labels), 100 * oracle.q)
    chance = 2 / math.sqrt(result.experiment.population.n)
    figure.layout["xaxis"] |= {"range": [0, min(100 * two_digits(1.05 * result.most_supported() + chance), 110)]}
    figure.add(bars_of_lies(lies, labels, look, words))
    hover = words.hover("hover_left", x="%{x:.3g}", y="%{text}")
    figure.add(bars_of_the_rest(100 * supported - lies, lies, labels, words, hovertemplate=hover))


def _estimates(
    figure: plot.Figure,
    result: FrequencyResult,
    bounds: Bounds,
    order: Places,
    labels: Sequence[str],
    span: tuple[float, float],
    look: Look,
    words: Words,
    panel: dict[str, str],
) -> None:
    """What is left, scaled up to everybody: bars with their intervals, and arrows."""
    estimates = 100 * result.first[order]
    interval = {
        "type": "data",
        "array": 100 * bounds.high[order] - estimates,
        "arrayminus": estimates - 100 * bounds.low[order],
        "color": look.ink,
        "thickness": 1.5,
        "width": 3 if len(order) <= RULED_ANSWERS else 0,
    }
    figure.add_bar(
        x=estimates,
        **in_rows(labels),
        textposition="none",
        orientation="h",
        name=escape(words["estimate"]),
        error_x=interval,
        marker={"color": THEORY, "opacity": 0.5},
        hovertemplate=words.hover("hover", x="%{x:.3g}", y="%{text}"),
        **panel,
    )
    figure.add(arrows_beyond(estimates, span, words, **panel))


def _curator(
    result: CuratorCountsResult,
    reaches: Reals,
    order: Places,
    labels: Sequence[str],
    words: Words,
    panel: dict[str, str],
) -> plot.Trace:
    """What a trusted curator would release, with an interval that is often too thin to be seen."""
    reach = {"type": "data", "array": 100 * reaches[order], "color": OTHER, "thickness": 4, "width": 0}
    hover, rows = words.hover("hover_curator", x="%{x:.3g}", y="%{text}"), in_rows(labels)
    return marks.dots(
        100 * result.shares[order],
        rows["y"],
        words["curator"],
        OTHER,
        11,
        marker={"symbol": "diamond"},
        error_x=reach,
        text=rows["text"],
        hovertemplate=hover,
        **panel,
    )


def ranks(answer: Any, look: Look, words: Words) -> plot.Figure:
    """All answers in order of their popularity: a line of the truth in the cloud of what the collector estimates."""
    result, _ = opened(answer)
    order = in_order(result, look, len(result.truth))
    kept = np.arange(len(order))
    if len(order) > MOST_POINTS:
        kept = np.unique(np.geomspace(1, len(order), MOST_POINTS).round().astype(int)) - 1
    places, rank = order[kept], (kept + 1).astype(np.float32)
    figure = marks.canvas(
        look,
        words,
        plot.scatter(
            x=rank,
            y=(100 * result.first[places]).astype(np.float32),
            mode="markers",
            name=escape(words["estimate"]),
            marker={"color": THEORY, "size": 5, "opacity": 0.6},
            hovertemplate=words.hover("hover", x="%{x:,}", y="%{y:.3g}"),
        ),
        xaxis=marks.logarithmic(1, len(order), dtick=1),
        yaxis={"range": list(span_of(result.highest, result.usual_error)), "zeroline": True},
    )
    if look.truth:
        figure.add(
            marks.line(
                rank,
                100 * result.truth[places],
                words["truth"],
                look.ink,
                width=2.5,
                hovertemplate=words.hover("hover_truth", x="%{x:,}", y="%{y:.3g}"),
            )
        )
    return figure


def compare(answer: Any, look: Look, words: Words) -> plot.Figure:
    """The most frequent answers as each mechanism estimates them, with the typical error of each."""
    inner, names = opened(answer)
    comparison: ComparisonResult = inner
    first, family, results = comparison.results[0], category_slugs(), comparison.results
    k = first.experiment.population.k
    order = in_order(first, look, COMPARED_ANSWERS)
    labels, apart = labels_of(order, k, names, words), 0.8 / len(results)
    usual = max((result.usual_error for result in results if math.isfinite(result.usual_error)), default=NO_ERROR)
    rows = np.arange(len(order), dtype=np.float64)
    figure = marks.canvas(
        look, words, yaxis=axis_of_rows(labels), xaxis={"range": list(span_of(first.highest, usual)), "zeroline": True}
    )
    for position, result in enumerate(results):
        slug = result.experiment.randomizer.slug
        drawn = style(slug, family)
        reach = {"type": "constant", "value": 100 * result.typical_error, "color": drawn.color, "thickness": 1.5}
        name = words.fill("member", member=short_of(slug), off=Share(result.typical_error))
        figure.add_scatter(
            x=100 * result.first[order],
            y=rows + apart * (position - (len(results) - 1) / 2),
            mode="markers",
            name=escape(name),
            text=labels,
            marker=drawn.points(9),
            error_x=reach | {"width": 2},
            hovertemplate=words.hover("hover", x="%{x:.3g}", y="%{text}"),
        )
    if look.truth:
        figure.add(true_strokes(100 * first.truth[order], labels, look, words))
    return figure
