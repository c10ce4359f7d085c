"""Many people: the chance that the best guess is right, and the loss that games of guessing prove for every guess."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN, OTHER, THEORY
from explorer.figures.theme import Look
from explorer.text.catalogue import Words
from ldpcore.experiments import distinguish
from ldpcore.experiments.distinguish import DOUBLED_USERS
from ldpcore.laws.products import Bracket

MOST_PEOPLE = 10**7  # in a group, along the axis
GAMES = {"assouad": (DRAWN, "solid"), "fano": (THEORY, "solid"), "le_cam": (OTHER, "dashdot")}


def _ends(crowd: tuple[Bracket, ...]) -> tuple[np.ndarray, np.ndarray]:
    """The lower and the upper ends of the share of right guesses, in per cent."""
    low, high = (np.array(ends) for ends in zip(*((each.low, each.high) for each in crowd), strict=True))
    return 50 * (1 + low), 50 * (1 + high)


def many(result: distinguish.ManyPeopleResult, look: Look, words: Words) -> plot.Figure:
    """The chance of the best guess from n reports: with privacy, without, and at most at this level."""
    hover = words.hover("hover", x="%{x:,}", y="%{y:.4g}")
    figure = marks.canvas(
        look, words, xaxis=marks.logarithmic(1, DOUBLED_USERS[-1], dtick=1), yaxis={"range": [48, 102]}
    )
    users = np.array(DOUBLED_USERS)
    figure.add(
        marks.line(users, _ends(result.direct)[0], words["direct"], look.ink, dash="dash", width=2, hovertemplate=hover)
    )
    figure.add(marks.line(users, 50 * (1 + result.bound), words["bound"], THEORY, hovertemplate=hover))
    if look.truth:
        low, high = _ends(result.private)
        for edge in marks.band(users, low, high, words["private"], DRAWN):
            figure.add(edge | {"showlegend": False})
        figure.add(marks.line(users, low, words["private"], DRAWN, width=4, hovertemplate=hover))
        figure.add(marks.ring(result.experiment.n, 50 * (1 + result.here.low), words["present"], look))
    return figure


def guess(result: distinguish.GuessingResult, look: Look, words: Words) -> plot.Figure:
    """The least loss of every guess in each game, crossed out where its condition is broken; or a guide."""
    users, groups = np.array(DOUBLED_USERS), result.experiment.groups
    hover = words.hover("hover", x="%{x:,}", y="%{y:.3g}")
    across, upright = marks.logarithmic(1, MOST_PEOPLE, dtick=1), {"range": [-0.02 * groups, 0.52 * groups]}
    figure = marks.canvas(look, words, xaxis=across, yaxis=upright)
    if not look.truth:
        figure.add(marks.guide([1, MOST_PEOPLE], [result.blind] * 2, words["blind"], look.ghost, showlegend=True))
        figure.add(marks.ring(result.experiment.n, math.nan, words["present"], look))
        return figure
    for game, (color, dash) in GAMES.items():
        name = words[game] if result.holds(game) else words[f"{game}_broken"]
        style: dict[str, Any] = {"dash": dash, "width": 4 if game == "assouad" else 3}
        if not result.holds(game):
            cross: dict[str, Any] = {
                "symbol": "x-thin",
                "size": 9,
                "color": color,
                "line": {"width": 2, "color": color},
            }
            style = {"dash": "dot", "width": 2, "mode": "lines+markers", "marker": cross}
        figure.add(marks.line(users, result.curves[game], name, color, hovertemplate=hover, **style))
    figure.add(
        marks.line(users, result.curves["best"], words["best"], look.ink, dash="dash", width=2, hovertemplate=hover)
    )
    figure.add(marks.ring(result.experiment.n, result.here["best"], words["present"], look))
    return figure
