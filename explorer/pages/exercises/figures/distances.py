"""The pictures of exercises about distances of laws."""

from __future__ import annotations

import math

import numpy as np

from explorer.facts import Number
from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN, OTHER, THEORY
from explorer.figures.theme import Look, escape
from explorer.text.catalogue import Words
from ldpcore.experiments.exercises.distances import (
    ANSWER_COUNT,
    CROWDS,
    FAMILY_LEVELS,
    MIXED,
    MOST_REPORTING,
    PACKED_CROWDS,
    RATIOS,
    DivergenceFamilyResult,
    LogarithmStepResult,
    ManyCoinsResult,
    MixedCoinsResult,
    PackedTestResult,
    ThreeWaysResult,
    likelihood_ratios,
)
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import LEVEL_AXIS

UNIT, SHARES = (-0.02, 1.04), (-2, 102)  # axes of numbers from 0 to 1, and of per cent
STEPS = (0.008, 3e4)  # of a logarithm and of its bounds


def families(result: DivergenceFamilyResult, look: Look, words: Words) -> plot.Figure:
    """An answer or a report at each ratio on the function of a divergence; and their average along the level."""
    heights = result.experiment.divergence.f(RATIOS)
    top = marks.round_up(float(heights.max()), (1, 1.5, 2, 3, 5, 7))
    floor = min(-0.04 * top, 1.1 * float(heights.min()))
    high, low = ([0, 1], [0, 1]) if look.lecture else ([0.47, 1], [0, 0.25])
    one, two = ([0, 0.44], [0.58, 0.98]) if look.lecture else ([0, 1], [0, 1])
    least, most = _reach(result)
    figure = marks.canvas(
        look,
        words,
        xaxis={"range": [-0.1, 4.3], "domain": one, "anchor": "y"},
        yaxis={"range": [floor, 1.04 * top], "domain": high},
        xaxis2=marks.logarithmic(
            *LEVEL_AXIS, dtick=1, domain=two, anchor="y2", title={"text": escape(words["x_left"])}
        ),
        yaxis2=marks.logarithmic(
            least, most, nticks=5, domain=low, anchor="x2", title={"text": marks.low_title(words["y_left"])}
        ),
    )
    hover = words.hover("hover", x="%{x:.3g}", y="%{y:.3g}")
    figure.add(marks.line(RATIOS, heights, words["function"], THEORY, hovertemplate=hover))
    figure.add(_at_ratios(result, result.answers, words["answers"], look.ink, words))
    if look.truth:
        figure.add(_at_ratios(result, result.reports, words["reports"], DRAWN, words))
    figure.add(_average(result.before, top, words["before"], look.ink))
    quiet = {"showlegend": False, "dash": "dash", **marks.SECOND}
    if math.isfinite(result.before):
        figure.add(marks.guide(list(LEVEL_AXIS), [result.before] * 2, words["before"], look.ink, **quiet))
    if look.truth:
        figure.add(_average(result.after, top, words["left"], DRAWN, shown=False))
        hover = words.hover("hover_left", x="%{x:.3g}", y="%{y:.3g}")
        curve = marks.line(FAMILY_LEVELS, result.left, words["left"], DRAWN, hovertemplate=hover, **marks.SECOND)
        figure.add(curve)
    here = result.after if look.truth else math.nan
    figure.add(marks.ring(result.experiment.epsilon, here, words["present"], look, **marks.SECOND))
    return figure


def _reach(result: DivergenceFamilyResult) -> tuple[float, float]:
    """The ends of the axis of distances, whatever the level is."""
    finite = result.before if math.isfinite(result.before) else 0.0
    return float(result.left.min()) / 2, 2 * max(float(result.left.max()), finite)


def _average(height: float, top: float, name: str, color: str, shown: bool = True) -> plot.Trace:
    """The average of all dots, at the ratio 1; beyond the picture an arrow to it."""
    marker = {"symbol": "triangle-up" if height > top else "diamond", "size": 15, "color": color}
    place = [min(height, top)]
    return marks.dots([1], place, name, marker=marker, hoverinfo="name", cliponaxis=False, showlegend=shown)


def _at_ratios(
    result: DivergenceFamilyResult, pair: tuple[Reals, Reals], name: str, color: str, words: Words
) -> plot.Trace:
    """A dot for each outcome on the curve, as large as it is likely in the second law; beyond the picture an arrow."""
    ratios = likelihood_ratios(*pair)
    places, symbols = marks.within(ratios, reach=2.2, middle=2.1)
    marker = {"symbol": symbols, "size": np.maximum(32 * np.sqrt(pair[1]), 9).tolist(), "color": color, "opacity": 1}
    hover = words.hover("hover_ratio", x="%{customdata}", y="%{y:.3g}")
    written = [words.write(Number(float(each))) for each in ratios]
    heights = result.experiment.divergence.f(places)
    return marks.dots(places, heights, name, marker=marker, customdata=written, hovertemplate=hover, cliponaxis=False)


def products(result: ManyCoinsResult, look: Look, words: Words) -> plot.Figure:
    """The total variation of all reports along the number of people, below n times that of one and other bounds."""
    across = marks.logarithmic(1, MOST_REPORTING, dtick=1)
    figure = marks.canvas(look, words, xaxis=across, yaxis={"range": UNIT})
    hover = words.hover("hover", x="%{x:,}", y="%{y:.3g}")
    strokes = {
        "times": (look.ghost, "dot"),
        "pinsker": (OTHER, "dashdot"),
        "root": (THEORY, "dash"),
        "exact": (DRAWN, "solid"),
        "least": (THEORY, "dot"),
    }
    for name, (color, dash) in strokes.items():
        if look.truth or name == "times":
            width = 4 if name == "exact" else 2.5
            more = {"dash": dash, "width": width, "hovertemplate": hover}
            figure.add(marks.line(CROWDS, result.curves[name], words[name], color, **more))
    here = result.here["exact"] if look.truth else math.nan
    figure.add(marks.ring(result.experiment.n, here, words["present"], look))
    return figure


def hulls(result: MixedCoinsResult, look: Look, words: Words) -> plot.Figure:
    """The distance of mixtures from fair tosses: a valley between both coins alone."""
    figure = marks.canvas(look, words, xaxis={"range": SHARES}, yaxis={"range": UNIT})
    hover = words.hover("hover", x="%{x:.3g}", y="%{y:.3g}")
    figure.add(marks.guide([0, 100], [result.alone] * 2, words["alone"], look.ink))
    if look.truth:
        once = marks.line(100 * MIXED, result.once, words["once"], THEORY, dash="dash", hovertemplate=hover)
        figure.add(once)
        figure.add(marks.line(100 * MIXED, result.tossed, words["tossed"], DRAWN, width=4, hovertemplate=hover))
    here = result.here if look.truth else math.nan
    figure.add(marks.ring(100 * result.experiment.share, here, words["present"], look))
    return figure


def ways(result: ThreeWaysResult, look: Look, words: Words) -> plot.Figure:
    """The difference of both laws at each report, upward where the first has more; of the answers as strokes."""
    places = np.arange(1, ANSWER_COUNT + 1)
    across = {"range": [0.4, ANSWER_COUNT + 0.6], "tick0": 1, "dtick": 1}
    reach = 1.2 * float(np.abs(result.answers).max())
    upright = {"range": [-reach, reach]}
    figure = marks.canvas(look, words, xaxis=across, yaxis=upright, barmode="overlay", bargap=0.35)
    hover = words.hover("hover", x="%{x}", y="%{y:.3g}")
    if look.truth:
        for name, color, sign in (("more", THEORY, 1), ("less", DRAWN, -1)):
            heights = np.where(sign * result.reports > 0, result.reports, 0.0)
            figure.add_bar(x=places, y=heights, name=escape(words[name]), marker={"color": color}, hovertemplate=hover)
    figure.add(marks.strokes(places, result.answers, words["answers"], look, 44, hovertemplate=hover))
    return figure


def logarithm(result: LogarithmStepResult, look: Look, words: Words) -> plot.Figure:
    """The logarithm of the largest ratio and two bounds on it, along the level."""
    across, up = marks.logarithmic(*LEVEL_AXIS, dtick=1), marks.logarithmic(*STEPS, dtick=1)
    figure = marks.canvas(look, words, xaxis=across, yaxis=up)
    hover = words.hover("hover", x="%{x:.3g}", y="%{y:.4g}")
    for name, color, dash in (
        ("logarithm", look.ink, "solid"),
        ("root", THEORY, "dash"),
        ("linear", DRAWN, "solid"),
    ):
        if look.truth or name == "logarithm":
            traced = marks.line(result.levels, result.curves[name], words[name], color, dash=dash, hovertemplate=hover)
            figure.add(traced)
    here = result.linear if look.truth else math.nan
    figure.add(marks.ring(result.experiment.epsilon if look.truth else math.nan, here, words["present"], look))
    return figure


def packing(result: PackedTestResult, look: Look, words: Words) -> plot.Figure:
    """How often an estimate is off and its nearest share wrong, along the number of people; and what is proved."""
    across = marks.logarithmic(1, MOST_REPORTING, dtick=1)
    figure = marks.canvas(look, words, xaxis=across, yaxis={"range": SHARES})
    hover = words.hover("hover", x="%{x:,}", y="%{y:.3g}")
    for name, color, dash in (("off", look.ghost, "dash"), ("missed", DRAWN, "solid"), ("proved", THEORY, "dashdot")):
        if look.truth or name == "off":
            heights = 100 * result.curves[name]
            figure.add(marks.line(PACKED_CROWDS, heights, words[name], color, dash=dash, hovertemplate=hover))
    here = 100 * result.here["missed"] if look.truth else math.nan
    figure.add(marks.ring(result.experiment.n, here, words["present"], look))
    return figure
