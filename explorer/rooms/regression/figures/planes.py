"""Maps of the plane: a surface from private reports beside the true one; the rules of classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.facts.naming import opened
from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN, OTHER
from explorer.figures.theme import PALETTE, Look, escape
from explorer.text.catalogue import Words
from ldpcore.experiments import regression
from ldpcore.experiments.regression.classes import CROWD, LEVELS
from ldpcore.numerics.arrays import Reals
from ldpcore.people.curves import PLANE, ClassModel, curve

FINE = 40  # places along each axis of the true map
DOTS = 300  # people who are drawn with their labels
LOWER, UPPER = PALETTE[0], PALETTE[1]
LIMIT = 1.2


def _shades(look: Look) -> list[list[Any]]:
    return [[0, LOWER], [0.5, look.paper], [1, UPPER]]


def plane(answer: Any, look: Look, words: Words) -> plot.Figure:
    """The private map on the left, the true one on the right; a cell that was set to 0 is crossed out."""
    result: regression.CurveSurveyResult = opened(answer)[0]
    cells = result.steps.partition
    middles = (cells.edges[1:] + cells.edges[:-1]) / 2
    heights = np.clip(result.steps.heights.reshape(cells.along, cells.along).T, -LIMIT, LIMIT)
    figure = _side_by_side(look, words)
    figure.add(_map(middles, heights, words["private"], look, words, showscale=not look.truth))
    sunk = np.argwhere(result.steps.sunk.reshape(cells.along, cells.along))
    marker = {"symbol": "x-thin", "size": 9, "line": {"width": 2, "color": look.ghost}}
    x, y = (middles[sunk[:, axis]] if len(sunk) else np.array([np.nan]) for axis in (0, 1))  # the legend stays
    crosses = marks.dots(x, y, words["sunk"], marker=marker, meta="decoration", hoverinfo="name", showlegend=True)
    figure.add(crosses)
    if look.truth:
        steps = (np.arange(FINE) + 0.5) / FINE
        places = np.column_stack([part.ravel() for part in np.meshgrid(steps, steps, indexing="ij")])
        true = curve(result.experiment.source.function, places).reshape(FINE, FINE).T  # type: ignore[union-attr]
        figure.add(_map(steps, true, words["truth"], look, words, showscale=True, **marks.SECOND))
    return figure


def _side_by_side(look: Look, words: Words) -> plot.Figure:
    """Room for two maps of the same square."""
    square = {"range": [0, 1], "showgrid": False}
    right = {"domain": [0.53, 1], "anchor": "y2", "title": {"text": escape(words["x_true"])}, "visible": look.truth}
    return marks.canvas(
        look,
        words,
        showlegend=True,  # of a single entry Plotly makes none by itself
        xaxis=square | {"domain": [0, 0.47]},
        yaxis=square,
        xaxis2=square | right,
        yaxis2=square | {"anchor": "x2", "visible": False},
    )


def _map(at: Reals, heights: Reals, name: str, look: Look, words: Words, **more: Any) -> plot.Trace:
    """Heights over a square, in the shades that both maps share."""
    return plot.heatmap(
        x=at,
        y=at,
        z=heights,
        name=escape(name),
        hovertemplate=words.hover("hover", x="%{x:.3g}", y="%{y:.3g}", z="%{z:.3g}"),
        **more,
        colorbar={"thickness": 10, "outlinewidth": 0},
        zmin=-1.0,
        zmax=1.0,
        colorscale=_shades(look),
        showlegend=False,
    )


def classes(answer: Any, look: Look, words: Words) -> plot.Figure:
    """The private guess of every cell; people with their labels, the best border and that of honest answers on it."""
    result: regression.LabelSurveyResult = opened(answer)[0]
    source, cells = result.experiment.source, result.partition
    first, second = source.boxes
    spans = [{"range": [box.low, box.high], "showgrid": False} for box in (first, second)]
    figure = marks.canvas(look, words, xaxis=spans[0], yaxis=spans[1])
    middles = (cells.edges[1:] + cells.edges[:-1]) / 2
    guesses = result.guesses.reshape(cells.along, cells.along)
    hover = words.hover("hover", x="%{x:.3g}", y="%{y:.3g}", z="%{z:+d}")
    pale = [[0, _pale(LOWER)], [0.5, _pale(LOWER)], [0.5, _pale(UPPER)], [1, _pale(UPPER)]]
    figure.add(
        plot.heatmap(
            x=first.outward(middles),
            y=second.outward(middles),
            z=guesses.T,
            name=escape(words["private"]),
            zmin=-1,
            zmax=1,
            colorscale=pale,
            showscale=False,
            showlegend=False,
            hovertemplate=hover,
        )
    )
    if look.truth:
        _people(figure, result, words)
        honest = result.honest.reshape(cells.along, cells.along)
        figure.add(_border(result, honest, words["honest"], OTHER, dash="dash", width=3))
        if isinstance(source, ClassModel):
            best = np.where(source.curve >= 0, 1, -1).reshape(PLANE, PLANE)
            figure.add(_border(result, best, words["best"], look.ink, width=3))
    return figure


def _pale(color: str) -> str:
    red, green, blue = (int(color[place : place + 2], 16) for place in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.35)"


def _people(figure: plot.Figure, result: regression.LabelSurveyResult, words: Words) -> None:
    """Some of the people, drawn at random, at their true places with their true labels."""
    question, (first, second) = result.experiment, result.experiment.source.boxes
    people, rng = question.source.people(question.n, question.seed), np.random.default_rng(question.seed)
    some = people.at(np.sort(rng.integers(0, people.n, min(DOTS, people.n))))
    shaken = some[:, :2] + (rng.random((len(some), 2)) - 0.5) / (
        PLANE if isinstance(question.source, ClassModel) else 1e9
    )
    for label, name, color in ((-1, "minus", LOWER), (1, "plus", UPPER)):
        rows = shaken[some[:, 2] == label]
        figure.add(
            marks.dots(
                first.outward(rows[:, 0]),
                second.outward(rows[:, 1]),
                words[name],
                color,
                size=7,
                hoverinfo="name",
                meta="decoration",
            )
        )


def _border(
    result: regression.LabelSurveyResult, rule: NDArray[np.int64], name: str, color: str, **more: Any
) -> plot.Trace:
    """Where a rule of one guess for each square changes its mind, as strokes between the squares."""
    first, second = result.experiment.source.boxes
    along = len(rule)
    ends = np.minimum(np.arange(along + 1) / along, 1.0) if along == PLANE else result.partition.edges
    across, up = (np.argwhere(np.diff(rule, axis=axis) != 0) for axis in (0, 1))
    gaps = np.full(len(across) + len(up), np.nan)
    x = np.concatenate(
        [np.repeat(ends[across[:, :1] + 1], 2, axis=1), ends[np.stack([up[:, 0], up[:, 0] + 1], axis=1)]]
    )
    y = np.concatenate(
        [ends[np.stack([across[:, 1], across[:, 1] + 1], axis=1)], np.repeat(ends[up[:, 1:] + 1], 2, axis=1)]
    )
    right, top = (np.column_stack([part, gaps]).ravel() for part in (first.outward(x), second.outward(y)))
    return marks.line(right, top, name, color, hoverinfo="name", meta="decoration", **more)


def accuracy(answer: Any, look: Look, words: Words) -> plot.Figure:
    """How often the private rule is right, over the number of people or over the level."""
    result, names = opened(answer)
    over = names[0] == "users"
    x, y = (result.sizes, result.over_users) if over else (result.levels, result.over_levels)
    ends = CROWD if over else LEVELS
    figure = marks.canvas(look, words, xaxis=marks.logarithmic(*ends), yaxis={"range": [45, 101]})
    hover = words.hover("hover", x="%{x:,.3g}", y="%{y:.3g}")
    figure.add(marks.line(x, 100 * y, words["private"], DRAWN, width=4, hovertemplate=hover))
    honest: Reals = result.honest if over else np.full(len(x), result.honest_here)
    if look.truth:
        figure.add(marks.line(x, 100 * honest, words["honest"], OTHER, dash="dash", hovertemplate=hover))
        figure.add(
            marks.guide(
                [float(end) for end in ends],
                [100 * result.experiment.model.best] * 2,
                words["best"],
                look.ink,
                dash="dot",
            )
        )
        question = result.experiment
        figure.add(marks.ring(question.n if over else question.epsilon, 100 * result.here, words["present"], look))
    return figure
