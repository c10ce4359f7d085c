"""The list of the most popular answers, and what may follow the raw estimate."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from explorer.facts import Term
from explorer.facts.naming import opened
from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN, THEORY
from explorer.figures.theme import Look, escape
from explorer.rooms.frequencies.figures.answers import (
    NO_ERROR,
    RULED_ANSWERS,
    axis_of_rows,
    in_rows,
    labels_of,
    popular,
    span_of,
    true_strokes,
    two_digits,
)
from explorer.text.catalogue import Words
from ldpcore.experiments.frequencies import (
    TopTenResult,
)
from ldpcore.experiments.frequencies.collecting import OneRuleResult

WRONG_ANSWERS = 5


def top(answer: Any, look: Look, words: Words) -> plot.Figure:
    """How often each of the most frequent answers is listed, and the answers that are listed most often wrongly."""
    inner, names = opened(answer)
    result: TopTenResult = inner
    repeats, k, size = result.experiment.repeats, len(result.belongs), len(result.true_top)
    wrong = popular(np.where(result.belongs, 0.0, result.chosen / repeats), WRONG_ANSWERS)
    wrong = wrong[(result.chosen[wrong] > 0) & ~result.belongs[wrong]]
    labels = labels_of(np.concatenate([result.true_top, wrong]), k, names, words)
    room = min(size + WRONG_ANSWERS, k)  # the wrong ones have their place where there are none
    figure = marks.canvas(look, words, yaxis=axis_of_rows(labels, room), xaxis={"range": [0, 104]}, bargap=0.25)
    right = "found" if look.truth else "listed"
    for name, color, listed, first in ((right, THEORY, result.true_top, 0), ("wrong", DRAWN, wrong, size)):
        if len(listed):
            figure.add_bar(
                x=100 * result.chosen[listed] / repeats,
                **in_rows(labels[first : first + len(listed)], first),
                textposition="none",
                orientation="h",
                name=escape(words[name]),
                marker={"color": color, "opacity": 0.8},
                hovertemplate=words.hover("hover", x="%{x:.3g}", y="%{text}"),
            )
    return figure


def after(answer: Any, look: Look, words: Words) -> plot.Figure:
    """The mean over all repetitions, answer by answer: raw beside one rule, and the truth.

    The means lie near the truth, so that while people predict the first repetition stands in their place.
    """
    inner, names = opened(answer)
    result: OneRuleResult = inner
    order = popular(result.rules.truth if look.truth else result.raw.first, RULED_ANSWERS)
    labels = labels_of(order, len(result.rules.truth), names, words)
    highest = float(result.rules.truth.max()) if look.truth else 0.5
    figure = marks.canvas(
        look,
        words,
        title="title" if look.truth else "title_hidden",
        yaxis=axis_of_rows(labels),
        xaxis={"range": list(span_of(highest, math.sqrt(result.expected))), "zeroline": True},
    )
    rows = ((result.raw, THEORY, "circle", -0.16), (result.chosen, DRAWN, "diamond", 0.16))
    for row, color, symbol, aside in rows if result.experiment.rule != "raw" else rows[:1]:
        shares = result.mean(row) if look.truth else row.first
        spread = {"type": "data", "array": 100 * np.sqrt(row.split.variance[order]), "color": color, "width": 2}
        figure.add_scatter(
            x=100 * shares[order],
            y=np.arange(len(order)) + aside,
            mode="markers",
            error_x=spread | {"thickness": 1.5},
            name=escape(words["raw" if row.rule.slug == "raw" else "rule"]),
            text=labels,
            marker={"color": color, "symbol": symbol, "size": 9},
            hovertemplate=words.hover("hover", x="%{x:.3g}", y="%{text}"),
        )
    if look.truth:
        figure.add(true_strokes(100 * result.rules.truth[order], labels, look, words))
    return figure


def split(answer: Any, look: Look, words: Words) -> plot.Figure:
    """Where the mean squared error of each rule comes from: bias² and variance, one beside the other."""
    inner, _ = opened(answer)
    result: OneRuleResult = inner
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
