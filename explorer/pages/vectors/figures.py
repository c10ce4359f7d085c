"""The pictures of the page about vectors: errors along the questions, the corners that leak, columns, the plan."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from explorer.facts import Count, Name, Number
from explorer.facts.naming import opened
from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN, OTHER, THEORY
from explorer.figures.theme import PALETTE, Look, escape, style
from explorer.pages.vectors.facts import HALF, called, corner
from explorer.text.catalogue import Words
from ldpcore.experiments import vectors
from ldpcore.experiments.named import PerhapsNamed
from ldpcore.experiments.vectors.curves import DIMENSIONS, DOTTED
from ldpcore.parameters import LEVEL_AXIS

LEAK = PALETTE[9]
BUBBLE = 0.9  # the radius of a corner that is certain
APART = 3.2  # between the two cubes
NUMBERED = (1, 2, 5, 10, 20, 50, 100)  # numbers of questions that are written along the axis


def _error_axis(n: int) -> dict[str, Any]:
    """Errors in points, measured by the root of the number of people alone."""
    unit = math.sqrt(5000 / n)
    return marks.logarithmic(0.05 * unit, 5000 * unit, dtick=1)


def dimensions(result: vectors.AgainstDimensionResult, look: Look, words: Words) -> plot.Figure:
    """The error of each mean along the number of questions, one line for each method, simulated crowds on it."""
    question = result.experiment
    figure = marks.canvas(
        look,
        words,
        yaxis=_error_axis(question.n),
        xaxis=marks.logarithmic(1, DIMENSIONS[-1], tickvals=NUMBERED, ticktext=[str(d) for d in NUMBERED]),
    )
    split, best = (HALF * result.exact[vectors.METHODS.index(slug)] for slug in ("split", result.best))
    for trace in marks.band(result.dimensions, best, split, words["wasted"], PALETTE[0]):
        figure.add(trace | {"showlegend": False})
    for row, slug in enumerate(vectors.METHODS):
        drawn, name = style(slug, vectors.METHODS), words.write(called(slug))
        hover = words.hover("hover", x="%{x}", y="%{y:,.3g}", method=called(slug))
        wide = 5 if slug == result.best else 2.5
        y = HALF * result.exact[row]
        figure.add(
            marks.line(result.dimensions, y, name, drawn.color, dash=drawn.dash, width=wide, hovertemplate=hover)
        )
        if question.means:
            dots = marks.dots(
                DOTTED,
                HALF * result.dots[row],
                name,
                drawn.color,
                size=10,
                hovertemplate=hover,
                marker={"symbol": drawn.marker},
                showlegend=False,
            )
            figure.add(dots)
    ends = [1, DIMENSIONS[-1]]
    figure.add(marks.guide(ends, [2 * HALF] * 2, words["useless"], look.ghost, dash="dot", showlegend=False))
    figure.add(marks.ring(question.d, HALF * result.at(result.best), words["present"], look, showlegend=False))
    return figure


def _flat(corners: Any) -> tuple[np.ndarray, np.ndarray]:
    """Corners as points of a plane: a square, or a cube seen from aside."""
    x, y = corners[:, 0].astype(float), corners[:, 1].astype(float)
    if corners.shape[1] == 3:
        x, y = 0.78 * x + 0.42 * corners[:, 2], 0.78 * y + 0.36 * corners[:, 2]
    return x, y


def corners(answer: PerhapsNamed[vectors.CornersResult], look: Look, words: Words) -> plot.Figure:
    """Two cubes, one for each person: a bubble's area is its probability; leaking ones are red, the sent one framed."""
    result: vectors.CornersResult = opened(answer)[0]
    figure = marks.canvas(
        look,
        words,
        yaxis={"range": [-1.75, 1.75], "visible": False, "scaleanchor": "x"},  # circles are round
        xaxis={"range": [-1.75, APART + 1.75], "visible": False},
    )
    x, y = _flat(result.corners)
    square = {"size": 34, "symbol": "square-open", "color": OTHER, "line": {"width": 3}}
    quiet: dict[str, Any] = {"hoverinfo": "skip", "meta": "decoration"}
    for place, (name, law, color) in enumerate((("first", result.first, THEORY), ("second", result.second, DRAWN))):
        right, at = x + place * APART, result.sent
        figure.add(_skeleton(result.corners, right, y, words, look))
        kept, leaks = ~result.leaking, result.leaking
        figure.add(_bubbles(right[kept], y[kept], law[kept], words[name], color))
        if leaks.any():
            red = _bubbles(right[leaks], y[leaks], law[leaks], words["beyond"], LEAK, 0.6)
            figure.add(red | {"showlegend": not place})
            figure.add(_ratios(result, right, y, look, words))
        figure.add(_named_corners(result, right, y, law, words[name], color, look, words))
        sent = marks.dots([right[at]], [y[at]], words["sent"], OTHER, marker=square, **quiet, showlegend=not place)
        figure.add(sent)
    return figure


def _bubbles(x: Any, y: Any, law: Any, name: str, color: str, tint: float = 0.3) -> plot.Trace:
    """A circle around every corner whose area is the corner's probability, with a gap behind each."""
    turn = np.append(np.linspace(0, 2 * math.pi, 33), np.nan)
    radius = BUBBLE * np.sqrt(law)[:, None]
    across, up = x[:, None] + radius * np.cos(turn), y[:, None] + radius * np.sin(turn)
    quiet = {"meta": "decoration", "hoverinfo": "skip", "fillcolor": marks.see_through(color, tint)}
    return marks.line(across.ravel(), up.ravel(), name, color, width=1.5, **quiet, fill="toself")


def _ratios(result: vectors.CornersResult, x: Any, y: Any, look: Look, words: Words) -> plot.Trace:
    """The likelihood ratio of each corner that leaks, below it."""
    leaks = result.leaking
    ratios = np.exp(np.abs(np.log(result.first[leaks]) - np.log(result.second[leaks])))
    labels = [words.fill("times", ratio=Number(float(ratio), 3)) for ratio in ratios]
    below = marks.dots(
        x[leaks], y[leaks] - 0.3, words["beyond"], LEAK, size=1, text=labels, textposition="bottom center"
    )
    font = {"size": look.font_size, "color": look.ink}
    return plot.also(below, mode="text", textfont=font, hoverinfo="skip", meta="decoration", showlegend=False)


def _named_corners(
    result: vectors.CornersResult, x: Any, y: Any, law: Any, person: str, color: str, look: Look, words: Words
) -> plot.Trace:
    """A dot at every corner with its signs, and its probability from one person."""
    dots = marks.dots(
        x,
        y,
        words["corner"],
        color,
        size=6,
        text=[corner(signs) for signs in result.corners.tolist()],
        customdata=100 * law,
        hovertemplate=words.hover("hover", corner="%{text}", share="%{customdata:.3g}", person=Name(person)),
        textposition="top center",
        showlegend=False,
        textfont={"size": look.font_size, "color": look.ink},
    )
    return dots | {"mode": "markers+text"}


def _skeleton(signs: Any, x: Any, y: Any, words: Words, look: Look) -> plot.Trace:
    """The edges of a square or a cube: between corners that differ in one coordinate."""
    across: list[float | None] = []
    up: list[float | None] = []
    for one in range(len(signs)):
        for other in range(one + 1, len(signs)):
            if (signs[one] != signs[other]).sum() == 1:
                across += [x[one], x[other], None]
                up += [y[one], y[other], None]
    return marks.line(
        across, up, words["edges"], look.ghost, width=1.5, meta="decoration", hoverinfo="skip", showlegend=False
    )


def corner_table(answer: PerhapsNamed[vectors.CornersResult], look: Look, words: Words) -> list[list[object]]:
    """The probability of every corner, from either person."""
    result: vectors.CornersResult = opened(answer)[0]
    head: list[object] = [words["corner"], words["first"], words["second"]]
    return [
        head,
        *(
            [corner(signs), float(one), float(other)]
            for signs, one, other in zip(result.corners.tolist(), result.first, result.second, strict=True)
        ),
    ]


def table(answer: PerhapsNamed[vectors.VectorSurveyResult], look: Look, words: Words) -> plot.Figure:
    """Every column's mean between its bounds: the chosen method with its interval, the others as marks, the truth."""
    result, names = opened(answer)
    d = result.experiment.rows.d
    labels = _columns(names, d, words)
    figure = marks.canvas(
        look,
        words,
        xaxis={"range": [-20, 120]},
        yaxis={"range": [d - 0.4, -0.6], "tickvals": list(range(d)), "ticktext": labels, "automargin": True},
    )
    ends, rise = _strokes(np.array([0.0, 100.0]), np.array([-0.6, -0.6]), np.array([d - 0.4, d - 0.4]))
    figure.add(marks.guide(ends, rise, words["bounds"], look.ghost, dash="dot"))
    places, reach, center = np.arange(d), 50 * result.widths, 50 * (1 + result.chosen)
    drawn = style(result.experiment.chosen, vectors.METHODS)
    low, high = np.clip(center - reach, -19, 119), np.clip(center + reach, -19, 119)
    up, across = _strokes(places, low, high)
    figure.add(marks.line(across, up, words["interval"], drawn.color, width=12, opacity=0.35, hoverinfo="skip"))
    for row, slug in enumerate(vectors.METHODS):
        mark, own = style(slug, vectors.METHODS), slug == result.experiment.chosen
        values = 50 * (1 + result.estimates[row])
        at, symbols = marks.within(values, 70, 50)
        shapes = [mark.marker if symbol == "circle" else symbol for symbol in symbols]
        hover = words.hover("hover", x="%{customdata:.3g}", method=called(slug))
        figure.add(
            marks.dots(
                at,
                places + (row - 2) * 0.11,
                words.write(called(slug)),
                mark.color,
                size=14 if own else 9,
                marker={"symbol": shapes, "opacity": 1 if own else 0.75},
                customdata=values,
                hovertemplate=hover,
            )
        )
    if look.truth:
        across, up = _strokes(50 * (1 + result.truth), places - 0.36, places + 0.36)
        figure.add(marks.truth(across, up, words["truth"], look, width=3))
    return figure


def _columns(names: tuple[str, ...], d: int, words: Words) -> list[str]:
    """The names of the columns, or the questions of invented people."""
    questions = [words.fill("question", d=Count(place + 1)) for place in range(d)]
    return [escape(name) for name in [words.write(Name(name)) for name in names] or questions]


def _strokes(at: Any, start: Any, stop: Any) -> tuple[Any, Any]:
    """Strokes across an axis: the place of each, and its two ends, with a gap behind each."""
    gaps = np.full(len(at), np.nan)
    return np.column_stack([at, at, gaps]).ravel(), np.column_stack([start, stop, gaps]).ravel()


def plan(result: vectors.VectorPlanResult, look: Look, words: Words) -> plot.Figure:
    """The number of people for the wish along the level, for each method, and the page's place."""
    question = result.experiment
    grid = np.geomspace(*LEVEL_AXIS, 41)
    unit = question.d * (0.05 / question.width) ** 2
    figure = marks.canvas(
        look,
        words,
        xaxis=marks.logarithmic(*LEVEL_AXIS),
        yaxis=marks.logarithmic(min(30 * unit, question.n), max(3e8 * unit, question.n), dtick=1),
    )
    for slug in vectors.METHODS:
        drawn = style(slug, vectors.METHODS)
        hover = words.hover("hover", x="%{x:.3g}", y="%{y:,.4g}", method=called(slug))
        figure.add(
            marks.line(
                grid,
                result.people_along(slug, grid),
                words.write(called(slug)),
                drawn.color,
                dash=drawn.dash,
                width=5 if slug == result.fewest.slug else 2.5,
                hovertemplate=hover,
            )
        )
    if result.fewest.people:
        ends = [question.n, result.fewest.people]
        figure.add(
            marks.guide(
                [question.epsilon] * 2, ends, words["gap"], OTHER, dash="solid", width=6, opacity=0.5, showlegend=False
            )
        )
    figure.add(marks.ring(question.epsilon, question.n, words["present"], look, showlegend=False))
    return figure
