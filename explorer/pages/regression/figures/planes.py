"""Maps of the plane: a surface from private reports beside the true one; the rules of classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.facts.naming import opened
from explorer.figures import marks, plot
from explorer.figures.marks import OTHER
from explorer.figures.theme import PALETTE, Look, escape
from explorer.pages.regression.figures.errors import label_errors
from explorer.text.catalogue import Words
from ldpcore.experiments import regression
from ldpcore.experiments.named import PerhapsNamed
from ldpcore.people.curves import PLANE, ClassModel

DOTS = 300  # people who are drawn with their labels
LOWER, UPPER = PALETTE[0], PALETTE[1]


def classes(
    answer: PerhapsNamed[regression.LabelSurveyResult | regression.LabelErrorsResult], look: Look, words: Words
) -> plot.Figure:
    """The rule of one crowd in the plane, or the errors of rules along the number of people."""
    result: Any = opened(answer)[0]
    if isinstance(result, regression.LabelErrorsResult):
        return label_errors(result, look, words)
    return _plane(result, look, words)


def _plane(result: regression.LabelSurveyResult, look: Look, words: Words) -> plot.Figure:
    """The private guess of every cell; people with their labels, the best border and that of honest answers on it."""
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
    """The border where a rule of one guess for each square changes, as strokes between the squares."""
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
