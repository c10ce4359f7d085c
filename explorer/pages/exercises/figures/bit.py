"""The pictures of exercises about one bit from each."""

from __future__ import annotations

import math

import numpy as np

from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN, OTHER, THEORY
from explorer.figures.theme import PALETTE, Look, escape
from explorer.text.catalogue import Words
from ldpcore.experiments.exercises.bit import (
    LEFT_LEVELS,
    LEVELS,
    BitAboutSpreadResult,
    BitAboutTwoResult,
    BitEstimateResult,
    LeftByChannelResult,
    ReportModulusResult,
    report_modulus,
)
from ldpcore.limits.moduli import bounded_hellinger
from ldpcore.parameters import LEVEL_AXIS

DIFFERENCE = PALETTE[6]
DISTANCES = np.geomspace(1e-3, math.sqrt(2), 121)
DEVIATIONS = np.linspace(0, 1, 81)
MIDDLE_LEVEL = 1.0  # whose error the picture of an estimate is made for, at every level
FEW = 60  # values of an estimate in the picture that are dots
REACH = 4.0  # of those errors, to either side


def asking(result: BitAboutTwoResult, look: Look, words: Words) -> plot.Figure:
    """The distance after a bit along the level, about this φ and the best; below, φ on the difference of the laws."""
    asked, gap = result.experiment, np.subtract(result.experiment.worlds.first, result.experiment.worlds.second)
    figure = marks.canvas(
        look,
        words,
        xaxis=marks.logarithmic(*LEVEL_AXIS, dtick=1) | {"anchor": "y"},
        yaxis={"domain": [0.5, 1], "range": [-0.04 * _top(result), 1.08 * _top(result)]},
        xaxis2={
            "range": [0.4, asked.worlds.k + 0.6],
            "anchor": "y2",
            "dtick": 1,
            "title": {"text": escape(words["x_answers"])},
        },
        yaxis2={
            "domain": [0, 0.3],
            "range": [-1.2, 1.2],
            "tickvals": [-1, 0, 1],
            "anchor": "x2",
            "title": {"text": marks.low_title(words["y_phi"])},
        },
    )
    hover = words.hover("hover", x="%{x:.3g}", y="%{y:.3g}")
    answers = np.arange(1, asked.worlds.k + 1)
    figure.add_bar(
        x=answers, y=gap, width=0.6, name=words["gap"], marker={"color": DIFFERENCE}, hoverinfo="y", **marks.SECOND
    )
    figure.add(marks.dots(answers, asked.phi, words["phi"], DRAWN, 11, hoverinfo="y", **marks.SECOND))
    if look.truth:
        figure.add(marks.line(LEVELS, result.curve(best=True), words["best"], THEORY, dash="dash", hovertemplate=hover))
        figure.add(marks.line(LEVELS, result.curve(best=False), words["yours"], DRAWN, hovertemplate=hover))
    figure.add(marks.ring(asked.epsilon, result.left if look.truth else math.nan, words["present"], look))
    return figure


def _top(result: BitAboutTwoResult) -> float:
    """The upper end of the axis of distances: what the laws' own distance asks for."""
    return marks.round_up(result.apart) if result.apart else 1.0


def estimate(result: BitEstimateResult, look: Look, words: Words) -> plot.Figure:
    """The law of the estimate on an axis made for level 1; arrows say where more of it lies beyond the picture."""
    reach = REACH * result.spread_at(MIDDLE_LEVEL)
    ends = result.mean - reach, result.mean + reach
    top = _highest(result)
    figure = marks.canvas(look, words, xaxis={"range": list(ends)}, yaxis={"range": [-0.03 * top, 1.1 * top]})
    if look.truth:
        values, chances = result.law()
        inside = (values >= ends[0]) & (values <= ends[1])
        few = "markers" if inside.sum() <= FEW else "lines"
        hover = words.hover("hover", x="%{x:.3g}", y="%{y:.3g}")
        shape = {"mode": few, "marker": {"size": 8, "color": DRAWN}}
        drawn = marks.line(values[inside], 100 * chances[inside], words["law"], DRAWN, hovertemplate=hover, **shape)
        figure.add(drawn)
        figure.add(
            marks.line(
                [max(result.mean - result.spread, ends[0]), min(result.mean + result.spread, ends[1])],
                [0.5 * top] * 2,
                words["spread"],
                THEORY,
                width=6,
                hoverinfo="name",
            )
        )
        _arrows(figure, result, ends, 0.1 * top, words)
    figure.add(marks.truth([result.mean] * 2, [0, 1.05 * top], words["mean"], look, dash="dot"))
    return figure


def _arrows(
    figure: plot.Figure, result: BitEstimateResult, ends: tuple[float, float], height: float, words: Words
) -> None:
    """An arrow at either edge beyond which some of the estimates lie, as high as its neighbor."""
    beyond = [share if share > 1e-3 else math.nan for share in result.beyond(*ends)]
    marker = {"symbol": ["triangle-left", "triangle-right"], "size": 14, "color": OTHER}
    places = np.asarray(ends) + np.array([0.01, -0.01]) * (ends[1] - ends[0])
    heights = np.where(np.isnan(beyond), np.nan, height)
    hover = words.hover("hover_beyond", y="%{customdata:.1%}")
    figure.add(marks.dots(places, heights, words["beyond"], marker=marker, customdata=beyond, hovertemplate=hover))


def _highest(result: BitEstimateResult) -> float:
    """The largest probability of one estimate at any level, in per cent: that at an end, farthest from a fair coin."""
    asked = result.experiment
    ends = [type(asked)(level, asked.people, asked.phi, asked.n).run().law()[1].max() for level in LEVEL_AXIS]
    return 100 * float(max(ends))


def halves(result: BitAboutSpreadResult, look: Look, words: Words) -> plot.Figure:
    """The chance of a plus along the standard deviation: about the number it is flat, about its square it rises."""
    asked = result.experiment
    hover = words.hover("hover", x="%{x:.2f}", y="%{y:.3g}")
    figure = marks.canvas(look, words, xaxis={"range": [-0.02, 1.02]}, yaxis={"range": [-3, 103]})
    flat = np.full(DEVIATIONS.size, 100 * result.about_number)
    figure.add(marks.line(DEVIATIONS, flat, words["number"], OTHER, dash="dash", hovertemplate=hover))
    if look.truth:
        square = 100 * np.array([asked.plus_about_square(float(each)) for each in DEVIATIONS])
        figure.add(marks.line(DEVIATIONS, square, words["square"], DRAWN, hovertemplate=hover))
    figure.add(marks.ring(asked.deviation, 100 * result.plus if look.truth else math.nan, words["present"], look))
    return figure


def reports(result: ReportModulusResult, look: Look, words: Words) -> plot.Figure:
    """The modulus along Hellinger's distance of reports: of one bit, and of the numbers themselves."""
    asked = result.experiment
    across, up = marks.logarithmic(1e-3, math.sqrt(2), dtick=1), marks.logarithmic(1e-3, 3, dtick=1)
    figure = marks.canvas(look, words, xaxis=across, yaxis=up)
    hover = words.hover("hover", x="%{x:.3g}", y="%{y:.3g}")
    direct = bounded_hellinger(2.0, DISTANCES)
    figure.add(marks.line(DISTANCES, direct, words["direct"], THEORY, dash="dash", hovertemplate=hover))
    if look.truth:
        private = report_modulus(DISTANCES, asked.epsilon)
        figure.add(marks.line(DISTANCES, private, words["private"], DRAWN, hovertemplate=hover))
    here = asked.n**-0.5
    figure.add(marks.ring(here, result.private if look.truth else math.nan, words["present"], look))
    return figure


def differing(result: LeftByChannelResult, look: Look, words: Words) -> plot.Figure:
    """The distance that a mechanism leaves of two laws along the level, below the most that its level allows."""
    top, asked = marks.round_up(result.apart) if result.apart else 1.0, result.experiment
    figure = marks.canvas(
        look, words, xaxis=marks.logarithmic(*LEVEL_AXIS, dtick=1), yaxis={"range": [-0.04 * top, 1.08 * top]}
    )
    hover = words.hover("hover", x="%{x:.3g}", y="%{y:.3g}")
    figure.add(marks.guide(list(LEVEL_AXIS), [result.apart] * 2, words["apart"], look.ghost, dash="dot"))
    bound = result.apart * np.tanh(LEVELS / 2)
    figure.add(marks.line(LEVELS, bound, words["bound"], THEORY, dash="dash", hovertemplate=hover))
    if look.truth:
        figure.add(marks.line(LEFT_LEVELS, result.curve, words["left"], DRAWN, hovertemplate=hover))
    figure.add(marks.ring(asked.epsilon, result.left if look.truth else math.nan, words["present"], look))
    return figure
