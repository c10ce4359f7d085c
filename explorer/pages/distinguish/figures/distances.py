"""Distances before and after a channel, and the inequalities between them: bars may touch their marks, never cross."""

from __future__ import annotations

import math
from functools import singledispatch
from typing import Any

from explorer.facts import Number
from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN, OTHER, THEORY
from explorer.figures.theme import PALETTE, Look, escape
from explorer.pages.distinguish.figures.crowds import many
from explorer.pages.distinguish.figures.single import information
from explorer.text.catalogue import Words
from ldpcore.experiments import distinguish

ENDS = (1e-6, 1e5)  # of the axis of distances
REACH = 125.0  # of the axis of sides: beyond the limit there is room for what crosses it


@singledispatch
def before(result: object, look: Look, words: Words) -> plot.Figure:
    """The picture of distances or of inequalities."""
    raise TypeError(f"a result must be about distances; got {type(result).__name__}")


@singledispatch
def before_table(result: object, look: Look, words: Words) -> list[list[object]] | None:
    """The numbers of that picture, infinite ones included; none of a curve, whose figure holds them."""
    return None


def _rows(look: Look, words: Words, slugs: list[str], xaxis: dict[str, Any], x: str) -> plot.Figure:
    """An empty picture with a row for each name."""
    places = list(range(len(slugs)))[::-1]
    named = [f"<s>{escape(words[slug])}</s>" if slug == "misprint" else escape(words[slug]) for slug in slugs]
    names = {"tickvals": places, "ticktext": named, "automargin": True}
    upright = {"range": [-0.6, len(slugs) - 0.4]} | names
    return marks.canvas(look, words, x=x, xaxis=xaxis, yaxis=upright, bargap=0.35)


def _strokes(values: list[float], name: str, color: str, size: int, words: Words) -> plot.Trace:
    """One upright stroke in each row; a value beyond the picture, or an infinite one, is an arrow."""
    places = list(range(len(values)))[::-1]
    at = [min(max(value, ENDS[0]), ENDS[1]) for value in values]
    symbols = [
        "triangle-right" if value > ENDS[1] else "triangle-left" if value < ENDS[0] else "line-ns" for value in values
    ]
    sizes = [size if symbol == "line-ns" else 14 for symbol in symbols]
    # Plotly draws markers of several sizes paler than others unless it is told not to.
    marker = {"symbol": symbols, "size": sizes, "line": {"width": 4, "color": color}, "color": color, "opacity": 1}
    hover, written = words.hover("hover", x="%{customdata}"), [words.write(Number(value)) for value in values]
    return marks.dots(at, places, words[name], marker=marker, customdata=written, hovertemplate=hover, cliponaxis=False)


before.register(distinguish.ManyPeopleResult, many)
before.register(distinguish.InformationResult, information)


@before.register
def _distances(result: distinguish.BeforeAfterResult, look: Look, words: Words) -> plot.Figure:
    """The distances of the reports as bars; as strokes the worlds' own, and the largest here and at this level."""
    passed = result.passed
    slugs, places = [each.slug for each in passed], list(range(len(passed)))[::-1]
    figure = _rows(look, words, slugs, marks.logarithmic(*ENDS, dtick=2), "x")
    if look.truth:
        lengths = [each.after if each.after >= ENDS[0] else math.nan for each in passed]
        figure.add_bar(
            x=lengths,
            y=places,
            orientation="h",
            name=escape(words["left"]),
            marker={"color": DRAWN},
            hovertemplate=words.hover("hover", x="%{x:.3g}"),
        )
    level = PALETTE[4] if look.dark else THEORY
    figure.add(_strokes([each.allowed for each in passed], "allowed", level, 44, words))
    if look.truth:
        figure.add(_strokes([each.channel for each in passed], "channel", OTHER, 26, words))
    figure.add(_strokes([each.before for each in passed], "before", look.ink, 26, words))
    return figure


@before.register
def _sides(result: distinguish.InequalitiesResult, look: Look, words: Words) -> plot.Figure:
    """The smaller side of each inequality as a part of its larger one; the misprint alone crosses the limit."""
    sides = list(result.sides)
    figure = _rows(look, words, [each.slug for each in sides] + ["misprint"], {"range": [0, REACH]}, "x_sides")
    hover = words.hover("hover_sides", x="%{x:.4g}")
    if look.truth and result.misprint is not None:
        wrong = 100 * result.misprint.share
        for shares, places, name, color in (
            ([100 * each.share for each in sides], list(range(len(sides), 0, -1)), "smaller", DRAWN),
            ([min(wrong, REACH)], [0], "false", look.ghost),
        ):
            figure.add_bar(
                x=shares,
                y=places,
                orientation="h",
                name=escape(words[name]),
                marker={"color": color},
                hovertemplate=hover if name == "smaller" else words.hover("hover_sides", x=f"{wrong:.4g}"),
            )
    figure.add(
        marks.line([100, 100], [-0.6, len(sides) + 0.6], words["larger"], THEORY, meta="decoration", hoverinfo="name")
    )
    return figure


@before_table.register
def _distance_rows(result: distinguish.BeforeAfterResult, look: Look, words: Words) -> list[list[object]]:
    rows: list[list[object]] = [[words["y"], words["before"], words["left"], words["channel"], words["allowed"]]]
    rows.extend([words[each.slug], each.before, each.after, each.channel, each.allowed] for each in result.passed)
    return rows


@before_table.register
def _side_rows(result: distinguish.InequalitiesResult, look: Look, words: Words) -> list[list[object]]:
    rows: list[list[object]] = [[words["y"], words["smaller"], words["larger"]]]
    misprint = [] if result.misprint is None else [result.misprint]
    rows.extend([words[each.slug], each.smaller, each.larger] for each in (*result.sides, *misprint))
    return rows
