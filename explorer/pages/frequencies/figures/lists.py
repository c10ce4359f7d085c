"""The list of the most popular answers, and the rules after the raw estimate."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from explorer.facts import Term
from explorer.facts.naming import opened
from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN, THEORY
from explorer.figures.theme import Look, escape
from explorer.pages.frequencies.figures.answers import (
    NO_ERROR,
    RULED_ANSWERS,
    AnswerPlaces,
    axis_of_rows,
    in_order,
    in_rows,
    labels_of,
    popular,
    span_of,
    true_strokes,
    two_digits,
)
from explorer.pages.frequencies.figures.collected import MOST_BARS
from explorer.text.catalogue import Words
from ldpcore.experiments.frequencies import FrequencyResult, TopTenResult
from ldpcore.experiments.frequencies.collecting import OneRuleResult
from ldpcore.experiments.named import PerhapsNamed
from ldpcore.numerics.arrays import Reals

MOST_POINTS = 2000
_NAMED = {"x": "%{x:.3g}", "y": "%{text}"}


def top(
    answer: PerhapsNamed[TopTenResult], survey: PerhapsNamed[FrequencyResult], look: Look, words: Words
) -> plot.Figure:
    """All answers with their estimates in the first repetition, the edge of the collector's list, and the truth.

    Few answers stand by name, many by the rank of their estimate: the collector sees no more.
    """
    result: TopTenResult
    result, names = opened(answer)
    usual: FrequencyResult = opened(survey)[0]
    shares, few = result.experiment.population.shares, len(result.estimates) <= MOST_BARS
    order = in_order(result.estimates, names, MOST_BARS) if few else popular(result.estimates, len(shares))
    span, places = span_of(usual.highest, usual.usual_error), _seen(order, result.first)
    labels = labels_of(order, len(shares), names, words) if few else []
    figure = marks.canvas(
        look,
        words,
        y="y" if few else "y_many",
        yaxis=axis_of_rows(labels) if few else _ranks(len(order)),
        xaxis={"range": list(span), "zeroline": True},
    )
    listed, right = np.isin(order, result.first), result.belongs[order]
    parts = ("rest", ~listed), ("found", listed & right), ("wrong", listed & ~right)
    for name, those in parts if look.truth else parts[:2]:  # without the truth nobody knows which of the list are wrong
        seen = places[those[places]]
        figure.add(_ranked(name, seen, result.estimates[order[seen]], span, labels, look, words))
    least = 100 * float(np.nan_to_num(result.estimates[result.first[-1]]))
    ends = [-0.5, len(order) - 0.5] if few else [1, len(order)]
    figure.add(marks.guide([least, least], ends, words["begins"], look.ink, dash="dot"))
    if look.truth:
        true = 100 * shares[order[places]]
        figure.add(true_strokes(true, labels, look, words) if few else _true_dots(true, places, look, words))
    return figure


def _true_dots(shares: Reals, places: AnswerPlaces, look: Look, words: Words) -> plot.Trace:
    """The true shares of many answers, each where its estimate stands."""
    hover = words.hover("hover_truth_many", x="%{x:.3g}", y="%{y:,}")
    return marks.dots(shares, places + 1, words["truth"], look.ink, 5, hovertemplate=hover)


def _ranked(
    name: str,
    places: AnswerPlaces,
    estimates: Reals,
    span: tuple[float, float],
    labels: list[str],
    look: Look,
    words: Words,
) -> plot.Trace:
    """The estimates of some answers in their rows or at their ranks, on the list or not; beyond the picture an arrow.

    Where there are none the legend keeps its entry.
    """
    color, size = {"rest": (look.ghost, 8 if labels else 6), "found": (THEORY, 11), "wrong": (DRAWN, 11)}[name]
    at, symbols = marks.within(100 * estimates, (span[1] - span[0]) / 2, sum(span) / 2)
    legend = words[name if look.truth or name == "rest" else "listed"]
    if not len(places):
        return marks.dots([None], [None], legend, color, size, hoverinfo="skip")
    if labels:
        hover = {"text": [labels[place] for place in places], "hovertemplate": words.hover("hover", **_NAMED)}
        return marks.dots(at, places, legend, color, size, marker={"symbol": symbols}, **hover)
    hover = {"hovertemplate": words.hover("hover_many", x="%{x:.3g}", y="%{y:,}")}
    return marks.dots(at, places + 1, legend, color, size, marker={"symbol": symbols}, **hover)


def _ranks(k: int) -> dict[str, Any]:
    """An axis of many ranks by powers of ten, the first one on top."""
    return {"type": "log", "range": [math.log10(1.2 * k), -0.15], "dtick": 1, "showgrid": False}


def _seen(order: AnswerPlaces, listed: AnswerPlaces) -> AnswerPlaces:
    """The places that are drawn, of thousands the list, the first ones, and ever fewer behind them."""
    if len(order) <= MOST_POINTS:
        return np.arange(len(order))
    spread = np.geomspace(1, len(order), MOST_POINTS - len(listed)).round().astype(np.intp) - 1
    return np.union1d(np.flatnonzero(np.isin(order, listed)), spread)


def after(answer: PerhapsNamed[OneRuleResult], look: Look, words: Words) -> plot.Figure:
    """One rule answer by answer, or all rules by the sources of their error."""
    result: OneRuleResult
    result, names = opened(answer)
    return _split(result, look, words) if result.experiment.by == "split" else _shares(result, names, look, words)


def _shares(result: OneRuleResult, names: tuple[str, ...], look: Look, words: Words) -> plot.Figure:
    """The mean over all repetitions, answer by answer: raw beside one rule, and the truth.

    The means lie near the truth, so that the first repetition stands in their place where that is hidden, and while
    people predict it is raw and alone.
    """
    order = in_order(result.raw.first, names, RULED_ANSWERS)
    labels = labels_of(order, len(result.rules.truth), names, words)
    figure = marks.canvas(
        look,
        words,
        title="title" if look.truth else "title_hidden",
        yaxis=axis_of_rows(labels),
        xaxis={"range": list(span_of(result.highest, math.sqrt(result.expected))), "zeroline": True},
    )
    if look.predicting:
        figure.add(_once(result, order, labels, words))
    rows = ((result.raw, THEORY, "circle", -0.16), (result.chosen, DRAWN, "diamond", 0.16))
    for row, color, symbol, aside in rows if result.experiment.rule != "raw" else rows[:1]:
        shares = 100 * (result.mean(row) if look.truth else row.first)[order]
        spread = {"type": "data", "array": 100 * np.sqrt(row.split.variance[order]), "color": color, "width": 2}
        figure.add_scatter(
            x=shares,
            y=np.arange(len(order)) + aside,
            mode="markers",
            error_x=spread | {"thickness": 1.5},
            name=escape(words["raw" if row.rule.slug == "raw" else "rule"]),
            text=labels,
            marker={"color": color, "symbol": symbol, "size": 9},
            hovertemplate=words.hover("hover", **_NAMED),
        )
    if look.truth:
        figure.add(true_strokes(100 * result.rules.truth[order], labels, look, words))
    return figure


def _once(result: OneRuleResult, order: AnswerPlaces, labels: list[str], words: Words) -> plot.Trace:
    """The raw estimates of the first repetition, as a collector sees them."""
    hover = words.hover("hover", **_NAMED)
    marker = {"symbol": "circle-open", "line": {"width": 2}}
    shares, rows = 100 * result.raw.first[order], np.arange(len(order))
    return marks.dots(shares, rows, words["once"], THEORY, marker=marker, text=labels, hovertemplate=hover)


def _split(result: OneRuleResult, look: Look, words: Words) -> plot.Figure:
    """The sources of each rule's mean squared error: bias² and variance, one beside the other."""
    rows, chosen = result.rules.rows, result.experiment.rule
    labels = [
        escape(words.fill("chosen" if row.rule.slug == chosen else "other", rule=Term(f"rules.{row.rule.slug}")))
        for row in rows
    ]
    usual = result.expected if math.isfinite(result.expected) else NO_ERROR**2
    figure = marks.canvas(
        look, words, yaxis=axis_of_rows(labels), barmode="stack", xaxis={"range": [0, 2 * two_digits(usual)]}
    )
    parts = (("variance", THEORY, [row.variance for row in rows]), ("bias", DRAWN, [row.bias_squared for row in rows]))
    for name, color, values in parts:
        figure.add_bar(
            x=values,
            **in_rows(labels),
            textposition="none",
            orientation="h",
            name=escape(words[name]),
            marker={"color": color, "opacity": 0.85},
            hovertemplate=words.hover("hover", x="%{x:.3g}", y="%{text}"),
        )
    return figure
