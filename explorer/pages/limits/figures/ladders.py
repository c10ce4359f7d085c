"""The looseness of the bounds, rung by rung; and the speed at which errors fall, problem by problem."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

from explorer.facts import Number
from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN, OTHER, THEORY
from explorer.figures.theme import PALETTE, Look, escape, ink_on
from explorer.text.catalogue import Words
from ldpcore.experiments import limits

RUNGS = MappingProxyType(
    {
        "simple": PALETTE[4],
        "lower_half": THEORY,
        "lower": THEORY,
        "sharp": THEORY,
        "bits": OTHER,
        "achieved": DRAWN,
        "upper": PALETTE[8],
    }
)
LONGEST = 1e16  # times the handy limit
CROWDED = 1e12  # of them, beyond which a bar has no room for its number behind it


def constants(result: limits.ConstantsResult, look: Look, words: Words) -> plot.Figure:
    """Every bound as a bar, in multiples of the handy limit; an upper one that does not hold here has none."""
    rungs = [slug for slug in RUNGS if slug != "bits" or result.bits is not None]
    places = list(range(len(rungs)))[::-1]
    bounds = {slug: result.bound(slug) for slug in rungs}
    times = {slug: bound / result.simple for slug, bound in bounds.items() if bound is not None}
    names = [escape(words[slug]) for slug in rungs]  # what each is found to be stands in its bar
    figure = marks.canvas(
        look,
        words,
        bargap=0.35,
        xaxis=marks.logarithmic(0.3, LONGEST, room=0, dtick=5, automargin=True),
        yaxis={"range": [-0.6, len(rungs) - 0.4], "tickvals": places, "ticktext": names, "automargin": True},
    )
    listed = [slug for slug in rungs if slug in times]
    colors = [RUNGS[slug] for slug in listed]
    figure.add_bar(
        x=[times[slug] for slug in listed],
        y=[places[rungs.index(slug)] for slug in listed],
        orientation="h",
        text=[escape(words.write(Number(times[slug], 2))) for slug in listed],
        textposition=["inside" if times[slug] > CROWDED else "outside" for slug in listed],
        insidetextfont={"color": [ink_on(color) for color in colors]},
        name=escape(words["bounds"]),
        marker={"color": colors},
        hovertemplate=words.hover("hover", x="%{x:.3g}"),
        showlegend=False,
    )
    for slug in (slug for slug in rungs if slug not in times):
        figure.add(marks.label(1.3, places[rungs.index(slug)], words["absent"], look, textposition="middle right"))
    figure.add(marks.guide([1, 1], [-0.6, len(rungs) - 0.4], words["unit"], look.ink, showlegend=False))
    return figure


Rated = limits.ConstantsResult | limits.ExponentTableResult


def row_name(row: Any, words: Words) -> str:
    """The name of a problem in the table of exponents, with its parameters."""
    given = {name: Number(value) for name, value in row.parameters}
    slug = "derivative" if given.get("order", Number(0)).value else row.slug
    return words.fill(f"row_{slug}", **given)


def rates(result: Rated, look: Look, words: Words) -> plot.Figure:
    """The speed at which errors fall, or the looseness of the bounds on them."""
    if isinstance(result, limits.ConstantsResult):
        return constants(result, look, words)
    return exponents(result, look, words)


def exponents(result: limits.ExponentTableResult, look: Look, words: Words) -> plot.Figure:
    """Two dots for each problem, with a stroke between: the cost of privacy in the rate."""
    rows = result.rows
    places = np.arange(len(rows))
    figure = marks.canvas(
        look,
        words,
        xaxis={"range": [0, 2.1], "dtick": 0.5},
        yaxis={
            "range": [len(rows) - 0.4, -0.6],
            "tickvals": places.tolist(),
            "automargin": True,
            "ticktext": [escape(row_name(row, words)) for row in rows],
        },
    )
    private, direct = (np.array(side) for side in zip(*((row.private, row.direct) for row in rows), strict=True))
    gaps = np.full(len(rows), np.nan)
    figure.add(
        marks.line(
            np.column_stack([private, direct, gaps]).ravel(),
            np.column_stack([places, places, gaps]).ravel(),
            words["taken"],
            look.ghost,
            width=6,
            opacity=0.6,
            meta="decoration",
            hoverinfo="skip",
        )
    )
    hover = words.hover("hover", x="%{x:.3g}")
    figure.add(marks.dots(direct, places, words["direct"], look.ink, size=13, hovertemplate=hover))
    figure.add(marks.dots(private, places, words["private"], DRAWN, size=15, hovertemplate=hover))
    here = [place for place, row in enumerate(rows) if row.here]
    if here:
        square = {"size": 26, "symbol": "square-open", "color": OTHER, "line": {"width": 3}}
        around = (direct if look.predicting else private)[here]
        figure.add(marks.dots(around, here, words["here"], OTHER, marker=square, meta="decoration", hoverinfo="skip"))
    return figure


def rate_table(result: Rated, look: Look, words: Words) -> list[list[object]]:
    """Every exponent, with privacy and without; or every bound, in multiples of the handy limit."""
    if isinstance(result, limits.ConstantsResult):
        listed = {slug: result.bound(slug) for slug in RUNGS}
        held = {slug: bound / result.simple for slug, bound in listed.items() if bound is not None}
        named = [[words[slug], times] for slug, times in held.items()]
        return [[words["y"], words["x"]], *named]
    head: list[object] = [words["y"], words["private"], words["direct"]]
    return [head, *([row_name(row, words), float(row.private), float(row.direct)] for row in result.rows)]
