"""The reports, and the expected lies taken out of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from explorer.facts.naming import opened
from explorer.figures import marks, plot
from explorer.figures.marks import OTHER, THEORY
from explorer.figures.theme import Look, escape
from explorer.pages.frequencies.figures.answers import (
    RULED_ANSWERS,
    AnswerPlaces,
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
from ldpcore.experiments.frequencies import FrequencyResult
from ldpcore.experiments.frequencies.collecting import CuratorCountsResult
from ldpcore.experiments.frequencies.enclosing import Enclosing
from ldpcore.experiments.named import PerhapsNamed
from ldpcore.numerics.arrays import Reals

MOST_BARS = 40  # answers whose bars a person can still tell apart
LISTED = 100  # answers whose reports can be opened


def bars(
    answer: PerhapsNamed[FrequencyResult],
    *more: *tuple[Enclosing, *tuple[CuratorCountsResult, ...], Look, Words],
) -> plot.Figure:
    """The reports on the left, with the expected lies; on the right the rest of them, scaled up, and the truth."""
    around, *beside, look, words = more
    result, names = opened(answer)
    order = in_order(result.first, names, MOST_BARS)
    labels, supported = labels_of(order, result.experiment.population.k, names, words), result.supported
    span = span_of(result.highest, result.usual_error)
    figure = two_panels(labels, look, words)
    estimates = {"range": list(span), "title": {"text": escape(words["x"])}, "zeroline": True, "zerolinewidth": 2}
    if supported is None:
        figure.put(xaxis=estimates)
    else:
        _arriving(figure, result, supported[order], labels, look, words)
        figure.put(xaxis2={**estimates, "domain": [0.46, 1], "anchor": "y", "zerolinecolor": look.ghost})
    values = [value if value < LISTED else None for value in order.tolist()]
    figure.layout["meta"] = {"rows": {"view": "report", "values": values}}  # a click opens such a report
    panel = {} if supported is None else {"xaxis": "x2"}
    _estimates(figure, result, around.bounds(result), order, labels, span, look, words, panel)
    if look.truth:  # a curator's numbers would tell it
        for curator in beside:
            figure.add(_curator(curator, around.reaches(curator), order, labels, words, panel))
        figure.add(true_strokes(100 * result.truth[order], labels, look, words, **panel))
    return figure


def two_panels(labels: Sequence[str], look: Look, words: Words, **reports: Any) -> plot.Figure:
    """Room for the reports beside their meaning for the people, one row for each answer; `reports` of its axis."""
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
    """The number of reports for each answer: the expected ones if nobody held it, and the rest."""
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
    order: AnswerPlaces,
    labels: Sequence[str],
    span: tuple[float, float],
    look: Look,
    words: Words,
    panel: dict[str, str],
) -> None:
    """The rest, scaled up to everybody: bars with their intervals, and arrows."""
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
    order: AnswerPlaces,
    labels: Sequence[str],
    words: Words,
    panel: dict[str, str],
) -> plot.Trace:
    """The release of a trusted curator, with an interval that is often too thin to be seen."""
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
