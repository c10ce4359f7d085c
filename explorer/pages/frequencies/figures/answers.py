"""Answers one below the other, so that their names can be read, on axes that hold still."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.facts.naming import called
from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN, THEORY
from explorer.figures.theme import Look, escape
from explorer.text.catalogue import Words
from ldpcore.numerics.arrays import Reals

AnswerPlaces = NDArray[np.intp]
NAMED_ANSWERS = RULED_ANSWERS = 20
NO_ERROR = 0.3  # measures a picture where the typical error has no end


def popular(shares: Reals, most: int) -> AnswerPlaces:
    """The most frequent values, in order; equal ones as they are listed."""
    return np.asarray(np.argsort(-shares, kind="stable")[:most])


def in_order(estimates: Reals, names: tuple[str, ...], most: int) -> AnswerPlaces:
    """The order of answers in a picture, by public knowledge alone: few by name, of many the largest estimates.

    So the order says nothing of the truth, and stays when the truth returns.
    """
    k = len(estimates)
    return (
        np.array(sorted(range(k), key=lambda place: _alphabetic(place, names)), np.intp)
        if k <= most
        else popular(estimates, most)
    )


def _alphabetic(place: int, names: tuple[str, ...]) -> tuple[bool, float, str]:
    """The sorting key of names: numbers first, by their value; then names. Made-up answers stand as they are listed."""
    if not names:
        return False, place, ""
    try:
        return False, float(names[place]), ""
    except ValueError:
        return True, 0.0, names[place].casefold()


def two_digits(value: float) -> float:
    """Two digits, so that rounding at one stop of the level never moves an axis."""
    return float(f"{value:.2g}")


def span_of(highest: float, error: float) -> tuple[float, float]:
    """The span from noise alone at level 1 to above the largest share with it, in per cent."""
    usual = error if math.isfinite(error) else NO_ERROR
    return -100 * two_digits(0.2 * highest + 2 * usual), 100 * two_digits(1.1 * highest + 2 * usual)


def labels_of(order: Sequence[int] | AnswerPlaces, k: int, names: tuple[str, ...], words: Words) -> list[str]:
    """The names along an axis."""
    return [escape(words.write(called(int(place), k, names))) for place in order]


def axis_of_rows(labels: Sequence[str], room: int | None = None) -> dict[str, Any]:
    """An axis of answers by their places, the first one on top; of few every name is written, of many about ten."""
    step = 1 if len(labels) <= NAMED_ANSWERS else math.ceil(len(labels) / 10)
    places = list(range(0, len(labels), step))
    return {
        "tickmode": "array",
        "tickvals": places,
        "ticktext": [labels[place] for place in places],
        "range": [(len(labels) if room is None else room) - 0.4, -0.6],
        "showgrid": False,
        "zeroline": False,
        "ticks": "",
    }


def in_rows(labels: Sequence[str], first: int = 0) -> dict[str, Any]:
    """The places of the marks of some answers on such an axis, one below the other, and their names."""
    return {"y": list(range(first, first + len(labels))), "text": list(labels)}


def bars_of_lies(lies: Reals, labels: Sequence[str], look: Look, words: Words) -> plot.Trace:
    """The reports that would speak for each answer if nobody held it, in gray."""
    return plot.bar(
        x=lies,
        **in_rows(labels),
        textposition="none",
        orientation="h",
        name=escape(words["lies"]),
        marker={"color": look.ghost, "opacity": 0.4},
        hovertemplate=words.hover("hover_lies", x="%{x:.3g}", y="%{text}"),
    )


def bars_of_the_rest(rest: Reals, lies: Reals, labels: Sequence[str], words: Words, **more: Any) -> plot.Trace:
    """The reports for each answer beyond lies, or short of them, from where these end."""
    return plot.bar(
        x=rest,
        base=lies,
        **in_rows(labels),
        textposition="none",
        orientation="h",
        name=escape(words["left"]),
        marker={"color": THEORY, "opacity": 0.85},
        **more,
    )


def true_strokes(shares: Reals, labels: Sequence[str], look: Look, words: Words, **more: Any) -> plot.Trace:
    """The true shares as strokes in ink, as high as the row of their answer on any screen."""
    stroke = {"type": "constant", "value": 0.4, "thickness": 3, "width": 0, "color": look.ink}
    marker = {"symbol": "line-ns-open", "size": 8, "color": look.ink, "line": {"width": 3}}
    return plot.scatter(
        x=shares,
        **in_rows(labels),
        mode="markers",
        name=escape(words["truth"]),
        marker=marker,
        error_y=stroke,
        hovertemplate=words.hover("hover_truth", x="%{x:.3g}", y="%{text}"),
        **more,
    )


def arrows_beyond(values: Reals, span: tuple[float, float], words: Words, **more: Any) -> plot.Trace:
    """Arrows at the edges, for bars that leave the picture; where none does, the legend keeps its entry and height."""
    low, high = span
    at, symbols = marks.within(values, (high - low) / 2, (high + low) / 2)
    out = [place for place, symbol in enumerate(symbols) if symbol != "circle"]
    marker = {"symbol": [symbols[place] for place in out] or ["triangle-right"], "size": 12, "color": DRAWN}
    return plot.scatter(
        x=at[out] if out else [None],
        y=out or [None],
        mode="markers",
        marker=marker,
        name=escape(words["beyond"]),
        hoverinfo="skip",
        meta="decoration",
        **more,
    )
