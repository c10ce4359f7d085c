"""Reports that were really collected: the reports, the expected lies, and the rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from explorer.facts.naming import opened
from explorer.figures import plot
from explorer.figures.marks import OTHER, THEORY
from explorer.figures.theme import Look, escape
from explorer.pages.frequencies.figures.answers import (
    RULED_ANSWERS,
    AnswerPlaces,
    arrows_beyond,
    bars_of_lies,
    bars_of_the_rest,
    in_rows,
    labels_of,
    popular,
    span_of,
    two_digits,
)
from explorer.pages.frequencies.figures.collected import MOST_BARS, two_panels
from explorer.text.catalogue import Words
from ldpcore.estimating.intervals import Bounds
from ldpcore.experiments.frequencies import RealReportsResult
from ldpcore.experiments.named import PerhapsNamed

PANEL = {"xaxis": "x2"}


def real(answer: PerhapsNamed[RealReportsResult], look: Look, words: Words) -> plot.Figure:
    """The reports on the left with the number from lies alone; on the right the rest, scaled up; no truth is known."""
    result, names = opened(answer)
    order = popular(result.estimates, MOST_BARS)
    labels = labels_of(order, result.oracle.k, names, words)
    usual, spread = result.at(1.0)
    span = span_of(float(np.clip(usual, 0, 1).max()), spread)
    figure = two_panels(labels, look, words, range=[0, _highest(result)])
    figure.layout["xaxis2"] = {
        "range": list(span),
        "title": {"text": escape(words["x"])},
        "zeroline": True,
        "zerolinewidth": 2,
        "domain": [0.46, 1],
        "anchor": "y",
        "zerolinecolor": look.ghost,
    }
    _arrived(figure, result, order, labels, look, words)
    _left(figure, result, order, labels, look, words)
    if result.experiment.silent:
        figure.add(_worst(result.worst.clamped(), order, labels, words))
    figure.add(arrows_beyond(100 * result.estimates[order], span, words, **PANEL))
    return figure


def _highest(result: RealReportsResult) -> float:
    """The end of the picture of reports: the highest number of them, or of lies alone at the strictest level."""
    return min(100 * two_digits(1.05 * max(float(result.supported.max()), 0.5 / result.oracle.k)), 110)


def _arrived(
    figure: plot.Figure, result: RealReportsResult, order: AnswerPlaces, labels: Sequence[str], look: Look, words: Words
) -> None:
    """The reports for each answer: the expected ones if nobody held it, and the rest."""
    lies, supported = np.full(len(labels), 100 * result.oracle.q), 100 * result.supported[order]
    figure.add(bars_of_lies(lies, labels, look, words))
    hover = words.hover("hover_left", x="%{customdata:.3g}", y="%{text}")
    figure.add(bars_of_the_rest(supported - lies, lies, labels, words, customdata=supported, hovertemplate=hover))


def _left(
    figure: plot.Figure, result: RealReportsResult, order: AnswerPlaces, labels: Sequence[str], look: Look, words: Words
) -> None:
    """The rest, scaled up to everybody, with its intervals."""
    estimates = 100 * result.estimates[order]
    figure.add_bar(
        x=estimates,
        **in_rows(labels),
        textposition="none",
        orientation="h",
        name=escape(words["estimate"]),
        error_x=_ends(result.bounds, order, estimates, look.ink),
        marker={"color": THEORY, "opacity": 0.5},
        hovertemplate=words.hover("hover", x="%{x:.3g}", y="%{text}"),
        **PANEL,
    )


def _ends(bounds: Bounds, order: AnswerPlaces, estimates: Any, color: str) -> dict[str, Any]:
    """An interval around each bar, which may end on one side of it."""
    return {
        "type": "data",
        "array": 100 * bounds.high[order] - estimates,
        "arrayminus": estimates - 100 * bounds.low[order],
        "color": color,
        "thickness": 1.5,
        "width": 3 if len(order) <= RULED_ANSWERS else 0,
    }


def _worst(bounds: Bounds, order: AnswerPlaces, labels: Sequence[str], words: Words) -> plot.Trace:
    """The possible range of the people who did not report: a wide pale bar behind the interval."""
    low, high = 100 * bounds.low[order], 100 * bounds.high[order]
    return plot.bar(
        x=high - low,
        base=low,
        **in_rows(labels),
        textposition="none",
        orientation="h",
        width=0.25,
        name=escape(words["worst"]),
        marker={"color": OTHER, "opacity": 0.45},
        customdata=np.stack([low, high], axis=1),
        hovertemplate=words.hover("hover_worst", low="%{customdata[0]:.3g}", high="%{customdata[1]:.3g}", y="%{text}"),
        **PANEL,
    )
