"""The words in everybody's Bloom bits: unbiased shares with intervals, and the non-negative ones that fit best."""

from __future__ import annotations

import numpy as np

from explorer.facts.naming import opened
from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN, OTHER, THEORY
from explorer.figures.theme import Look, escape
from explorer.pages.frequencies.figures.answers import (
    AnswerPlaces,
    axis_of_rows,
    in_order,
    in_rows,
    labels_of,
    span_of,
    true_strokes,
)
from explorer.text.catalogue import Words
from ldpcore.experiments.frequencies.decoding import DecodingResult
from ldpcore.experiments.frequencies.enclosing import Enclosing
from ldpcore.experiments.named import PerhapsNamed

WORDS = 20


def decoding(answer: PerhapsNamed[DecodingResult], around: Enclosing, look: Look, words: Words) -> plot.Figure:
    """Bars of the non-negative shares, colored by the words' proofs; dots of the unbiased ones with intervals."""
    result: DecodingResult
    result, names = opened(answer)
    order = in_order(result.decoded, names, WORDS)
    labels = labels_of(order, len(result.decoded), names, words)
    span = span_of(*result.usual())
    figure = marks.canvas(
        look,
        words,
        yaxis=axis_of_rows(labels),
        barmode="overlay",
        bargap=0.3,
        xaxis={"range": list(span), "zeroline": True},
    )
    _by_proof(figure, result, order, labels, look, words)
    figure.add(_unbiased(result, around, order, labels, words))
    if look.truth:
        figure.add(true_strokes(100 * result.truth[order], labels, look, words))
    return figure


def _by_proof(
    figure: plot.Figure, result: DecodingResult, order: AnswerPlaces, labels: list[str], look: Look, words: Words
) -> None:
    """The non-negative shares as bars, in a color for the proof of each word."""
    shared, proven = result.colliding[order], result.recovered[order]
    kinds = (
        ("proven", THEORY, proven & ~shared),
        ("lost", look.ghost, ~proven & ~shared),
        ("colliding", OTHER, shared),
    )
    for name, color, which in kinds:
        places = np.flatnonzero(which).tolist()
        figure.add_bar(  # of none too: a legend that has no entry for it would tell that
            x=100 * result.decoded[order[places]] if places else [None],
            y=places or [None],
            text=[labels[place] for place in places],
            textposition="none",
            orientation="h",
            name=escape(words[name]),
            marker={"color": color, "opacity": 0.7},
            hovertemplate=words.hover("hover", x="%{x:.3g}", y="%{text}"),
        )


def _unbiased(
    result: DecodingResult, around: Enclosing, order: AnswerPlaces, labels: list[str], words: Words
) -> plot.Trace:
    """The unbiased shares as dots with their intervals."""
    raw, bounds = 100 * result.raw[order], around.bounds(result)
    interval = {
        "type": "data",
        "array": 100 * bounds.high[order] - raw,
        "arrayminus": raw - 100 * bounds.low[order],
        "color": DRAWN,
        "thickness": 1.5,
        "width": 3,
    }
    hover = words.hover("hover_raw", x="%{x:.3g}", y="%{text}")
    return marks.dots(
        raw, in_rows(labels)["y"], words["raw"], DRAWN, 9, error_x=interval, text=labels, hovertemplate=hover
    )
