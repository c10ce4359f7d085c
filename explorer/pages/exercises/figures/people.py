"""The pictures of exercises about several numbers and several people."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN, OTHER, THEORY
from explorer.figures.theme import PALETTE, Look, escape
from explorer.text.catalogue import Words
from ldpcore.experiments.exercises.deployments import LEVELS_SHOWN, WITH_CURATOR, WITHOUT_CURATOR, LevelsInUseResult
from ldpcore.experiments.exercises.notions import NotionOfPrivacyResult
from ldpcore.experiments.exercises.people import OwnLevelsResult
from ldpcore.experiments.exercises.schedules import CROWD_AXIS, MILLION, ConsistencyScheduleResult
from ldpcore.experiments.trust.statistics import MOST, ManyStatisticsResult
from ldpcore.numerics.arrays import Reals

ERRORS = (0.1, 1e6)  # of the upright axis: noise on each count
STROKES = {"laplace": (THEORY, "solid"), "analytic": (DRAWN, "solid"), "classical": (OTHER, "dash")}
VANISHING = (1e-9, 1e9)  # of quantities along the number of people
REACH = 6.0  # of log ratios, up and down
CHANGED = {"first": (True, False), "second": (False, True), "both": (True, True)}  # whose number changes
COLORS = {"first": THEORY, "second": DRAWN, "both": OTHER}
WIDTH = 0.26  # of a bar; the pairs of reports stand at whole numbers


def several(result: ManyStatisticsResult, look: Look, words: Words) -> plot.Figure:
    """The noise on each count along their number: Laplace's is straight, the normal one grows like a root."""
    asked = result.experiment
    across, up = marks.logarithmic(1, MOST, dtick=1), marks.logarithmic(*ERRORS, dtick=1)
    figure = marks.canvas(look, words, xaxis=across, yaxis=up)
    hover = words.hover("hover", x="%{x:,}", y="%{y:.3g}")
    for name, (color, dash) in STROKES.items():
        if look.truth or name == "laplace":
            figure.add(marks.line(result.ks, result.curves[name], words[name], color, dash=dash, hovertemplate=hover))
    here = min(asked.error("laplace", asked.k), asked.error("analytic", asked.k)) if look.truth else math.nan
    figure.add(marks.ring(min(asked.k, MOST), here, words["present"], look))
    return figure


def levels(result: OwnLevelsResult, look: Look, words: Words) -> plot.Figure:
    """The log ratio of each pair of reports for three changes, and the lines of the larger level and of the sum."""
    places = np.arange(4.0)
    across = {"range": [-0.6, 3.6], "tickvals": places.tolist()}
    across["ticktext"] = [words[f"pair_{place:02b}"] for place in range(4)]
    figure = marks.canvas(look, words, xaxis=across, yaxis={"range": [-REACH, REACH]}, barmode="overlay")
    for name, line, dash, color in _lines(result, look):
        figure.add(marks.guide([-0.5, 3.5], [line, line], words[name], color, dash=dash, width=2.5))
    hover = words.hover("hover", x="%{text}", y="%{customdata:.3g}")
    for number, (name, changed) in enumerate(CHANGED.items()):
        ratios, x = result.ratios(changed), places + (number - 1) * (WIDTH + 0.02)
        shown = np.clip(ratios, -REACH, REACH)
        told = {"customdata": ratios, "text": across["ticktext"], "hovertemplate": hover, "textposition": "none"}
        figure.add(
            plot.bar(x=x, y=shown, width=WIDTH, name=escape(words[name]), marker={"color": COLORS[name]}, **told)
        )
        _beyond(figure, x, ratios, words, COLORS[name])
    return figure


def _lines(result: OwnLevelsResult, look: Look) -> tuple[tuple[str, float, str, str], ...]:
    """The larger level, the sum of both, and what fresh answers for every reading would cost."""
    asked = result.experiment
    return (
        ("larger", max(asked.epsilon, asked.second), "solid", look.ink),
        ("sum", asked.epsilon + asked.second, "dash", look.ink),
        ("anew", result.anew if look.truth else math.nan, "dot", PALETTE[4]),
    )


def _beyond(figure: plot.Figure, x: Reals, ratios: Reals, words: Words, color: str) -> None:
    """Arrows at the edge for bars that leave the picture."""
    at, symbols = marks.within(ratios, REACH)
    out = np.array([symbol != "circle" for symbol in symbols])
    marker = {"symbol": [name for name, far in zip(marks.upright(symbols), out, strict=True) if far], "size": 12}
    arrows = marks.dots(x[out], at[out], words["beyond"], color, marker=marker, hoverinfo="name")
    figure.add(arrows | {"showlegend": False})


def notions(result: NotionOfPrivacyResult, look: Look, words: Words) -> plot.Figure:
    """The two errors of the best guesses about one noise, above the least errors that the notion permits."""
    axis = {"range": [-0.02, 1.02], "dtick": 0.25}
    figure = marks.canvas(look, words, xaxis=axis, yaxis=axis)
    hover = words.hover("hover", x="%{x:.3g}", y="%{y:.3g}")
    figure.add(marks.guide([0, 1], [1, 0], words["blind"], look.ghost, dash="dot"))
    figure.add(marks.line(result.alarms, result.missed, words["guesses"], DRAWN, hovertemplate=hover))
    if look.truth:
        least = marks.line(
            result.alarms, result.permitted, words["permitted"], THEORY, dash="dash", hovertemplate=hover
        )
        figure.add(least)
    even = result.experiment.laws.even
    figure.add(marks.ring(even, even, words["ring"], look))
    return figure


def deployments(result: LevelsInUseResult, look: Look, words: Words) -> plot.Figure:
    """The error of a share over the level, with a curator and without, and the levels in use on both lines."""
    asked = result.experiment
    errors = 100 * 0.4 / math.sqrt(asked.n), 100 * 150 / math.sqrt(asked.n)
    figure = marks.canvas(
        look, words, xaxis=marks.logarithmic(*LEVELS_SHOWN, dtick=1), yaxis=marks.logarithmic(*errors, dtick=1)
    )
    hover = words.hover("hover", x="%{x:.3g}", y="%{y:.3g}")
    ends = [float(result.levels[0]), float(result.levels[-1])]
    figure.add(marks.line(result.levels, 100 * result.curated, words["curated"], THEORY, hovertemplate=hover))
    figure.add(marks.guide(ends, [100 * asked.honest] * 2, words["honest"], OTHER))
    figure.add(_in_use(WITH_CURATOR, asked.curated, "with_curator", THEORY, words))
    if look.truth:
        figure.add(marks.line(result.levels, 100 * result.reported, words["reported"], DRAWN, hovertemplate=hover))
        figure.add(_in_use(WITHOUT_CURATOR, asked.reported, "without_curator", DRAWN, words))
    here = 100 * asked.reported(asked.epsilon) if look.truth else math.nan
    figure.add(marks.ring(asked.epsilon, here, words["at_alpha"], look))
    return figure


def _in_use(
    published: dict[str, float], error: Callable[[float], float], name: str, color: str, words: Words
) -> plot.Trace:
    """The levels in use as dots on the line of their kind, each with its name."""
    levels = list(published.values())
    texts = [words[f"use_{each}"] for each in published]
    hover = words.hover("hover_use", who="%{text}", x="%{x:.3g}", y="%{y:.3g}")
    more = {"text": texts, "hovertemplate": hover}
    return marks.dots(levels, [100 * error(level) for level in levels], words[name], color, size=13, **more)


def consistency(result: ConsistencyScheduleResult, look: Look, words: Words) -> plot.Figure:
    """The quantities that must vanish along the people, with privacy and in honesty, and the number of cells."""
    figure = marks.canvas(
        look, words, xaxis=marks.logarithmic(*CROWD_AXIS, dtick=3), yaxis=marks.logarithmic(*VANISHING, dtick=3)
    )
    hover = words.hover("hover", x="%{x:.2g}", y="%{y:.2g}")
    for name, values, color, dash in (
        ("cells", result.cells, look.ghost, "dot"),
        ("side", result.side, PALETTE[3], "solid"),
        ("threshold", result.threshold, PALETTE[4], "dash"),
        ("in_honesty", result.honest, OTHER, "solid"),
        ("noise", result.noise, DRAWN, "solid"),
    ):
        if look.truth or name != "noise":
            width = 4 if name == "noise" else 2.5
            figure.add(
                marks.line(result.sizes, values, words[name], color, dash=dash, width=width, hovertemplate=hover)
            )
    figure.add(marks.ring(MILLION, result.here if look.truth else math.nan, words["million"], look))
    return figure
