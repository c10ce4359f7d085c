"""People on their numbers and their reports; one report, and its probability from either of two people."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from explorer.facts.naming import opened
from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN, OTHER, THEORY
from explorer.figures.theme import Look, escape
from explorer.pages.means.figures.scales import FAR, REACH, in_full, span_of, within
from explorer.text.catalogue import Words
from ldpcore.experiments import means
from ldpcore.experiments.named import PerhapsNamed
from ldpcore.numerics.arrays import Reals

LINES = 60  # people whose number is tied to their report
FEW = 5  # single reports up to here are bars, more are a curve
HIGHEST = 0.6  # density: a needle is higher
TURN = (math.sqrt(5) - 1) / 2  # spreads heights evenly, however many there are


def survey(answer: PerhapsNamed[means.MeanSurveyResult], look: Look, words: Words) -> plot.Figure:
    """People on their numbers above, each one's report below, and both means as needles that meet in the middle."""
    result: means.MeanSurveyResult = opened(answer)[0]
    scale = result.scale
    figure = marks.canvas(
        look,
        words,
        yaxis={"range": [0, 1], "visible": False},
        xaxis={"range": span_of(scale, REACH), **in_full(scale)},
        margin={"l": 2 * look.font_size},
    )
    ends, rise = [scale.low, scale.low, None, scale.high, scale.high], [0, 1, None, 0, 1]
    figure.add(marks.guide(ends, rise, words["bounds"], look.ghost, dash="dot", showlegend=False))  # type: ignore[arg-type]
    heights = np.asarray((np.arange(len(result.reports)) * TURN) % 1, dtype=np.float64)
    if look.truth:
        _people(figure, result, heights, look, words)
    _reports(figure, result, heights, look, words)
    _needle(figure, result, words)
    return figure


def _people(figure: plot.Figure, result: means.MeanSurveyResult, heights: Reals, look: Look, words: Words) -> None:
    """True numbers as dots, the ways from some of them to their reports, and the true mean as a needle."""
    some = slice(None, None, -(-len(heights) // LINES))
    gaps = np.full(len(heights[some]), np.nan)
    x = np.column_stack([result.values[some], result.reports[some], gaps]).ravel()
    y = np.column_stack([0.6 + 0.35 * heights[some], 0.05 + 0.35 * heights[some], gaps]).ravel()
    ways = marks.line(x, y, words["ways"], look.ghost, width=1, opacity=0.45, meta="decoration", hoverinfo="skip")
    figure.add(ways | {"showlegend": False})
    marker = {"color": look.ink, "opacity": 0.55, "line": {"width": 0}}
    hover = words.hover("hover_value", x="%{x:,.4g}")
    figure.add(
        marks.dots(result.values, 0.6 + 0.35 * heights, words["values"], size=7, marker=marker, hovertemplate=hover)
    )
    if result.clipping is not None and result.clipping.moved:
        before = result.unclipped_truth
        figure.add(marks.guide([before, before], [0.52, 1], words["before"], look.ink, dash="dot"))
    figure.add(marks.truth([result.truth, result.truth], [0.52, 1], words["truth"], look))


def _reports(figure: plot.Figure, result: means.MeanSurveyResult, heights: Reals, look: Look, words: Words) -> None:
    """Reports as dots where they are, and arrows at the edge for those that leave the picture."""
    at, symbols = within(result.scale, result.reports, REACH)
    hover = words.hover("hover", x="%{customdata:,.4g}")
    marker = {"opacity": 0.75, "symbol": symbols, "size": 8, "line": {"width": 0}}
    figure.add(
        marks.dots(
            at, 0.05 + 0.35 * heights, words["reports"], marker=marker, customdata=result.reports, hovertemplate=hover
        )
    )


def _needle(figure: plot.Figure, result: means.MeanSurveyResult, words: Words) -> None:
    """The mean of all reports, and the interval around it."""
    (at,), (symbol,) = within(result.scale, result.estimate, REACH)
    span = span_of(result.scale, REACH)
    ends = np.clip(np.array(result.interval), span[0], span[1])
    wide = {"width": 12, "opacity": 0.4, "meta": "decoration", "hoverinfo": "name", "showlegend": False}
    figure.add(marks.line(ends, [0.47, 0.47], words["interval"], OTHER, **wide))
    figure.add(marks.line([at, at], [0, 0.47], words["estimate"], OTHER, width=4, hoverinfo="skip", showlegend=False))
    marker = {"symbol": "diamond" if symbol == "circle" else symbol, "size": 15, "color": OTHER}
    hover = words.hover("hover_mean", x="%{customdata:,.5g}")
    figure.add(
        marks.dots([at], [0.47], words["estimate"], marker=marker, customdata=[result.estimate], hovertemplate=hover)
    )


def report(answer: PerhapsNamed[means.NumberReportResult], look: Look, words: Words) -> plot.Figure:
    """The probability of each report from either person, and the report that was sent."""
    result: means.NumberReportResult = opened(answer)[0]
    question, single = result.experiment, not len(result.grid) and len(result.atoms) <= FEW
    mixed = len(result.atoms) <= FEW and question.randomizer.slug in ("onebit", "hm")
    high = HIGHEST if mixed else 1.05
    figure = _reports_axes(result, mixed, high, look, words)
    people = (
        ("first", THEORY, "solid", result.first, result.first_chances),
        ("second", DRAWN, "dash", result.second, result.second_chances),
    )
    curved = not (mixed or single or look.predicting)
    peak = max(float(_density(result, *laws).max()) for _, _, _, *laws in people) if curved else 1.0
    for place, (name, color, dash, law, chance) in enumerate(people):
        if look.predicting:
            at = [float(question.scale.outward((question.first, question.second)[place]))] * 2
            figure.add(marks.guide(at, [0, high], words[name], color, dash=dash))
            continue
        if not single:
            x, y = result.grid if len(result.grid) else result.atoms, _density(result, law, chance)
            hover = words.hover("hover", x="%{x:,.4g}", y="%{customdata:.3g}")
            more: dict[str, Any] = {"dash": dash, "customdata": y, "hovertemplate": hover}
            curve = marks.line(question.scale.outward(x), y / peak, words[name], color, **more)
            figure.add(marks.filled(curve, color))
        if 0 < len(result.atoms) <= FEW:
            figure.add(_stems(result, chance, words, name, color, place, showlegend=single))
    _sent(figure, result, high, words)
    return figure


def _reports_axes(result: means.NumberReportResult, mixed: bool, high: float, look: Look, words: Words) -> plot.Figure:
    """Axes on which the largest density is 1; densities as they are where chances (of a bit, of both) stand beside."""
    scale, bits = result.experiment.scale, result.experiment.randomizer.slug == "onebit"
    figure = marks.canvas(
        look,
        words,
        y="y" if mixed else "y_peak",
        yaxis={"range": [0, high], "visible": not bits},
        xaxis={"range": span_of(scale, FAR), **in_full(scale)},
    )
    if mixed:
        chances = {
            "overlaying": "y",
            "side": "left" if bits else "right",
            "range": [0, 105],
            "dtick": 25,
            "showgrid": bits,
            "title": {"text": escape(words["y_single"])},
        }
        figure.put(yaxis2=chances, margin={"r": 8 if bits else 4.6 * look.font_size})
    return figure


def _density(result: means.NumberReportResult, law: Reals, chances: Reals) -> Reals:
    """The density of reports over the scale; chances of whole numbers as one, to compare with noise of any kind."""
    if len(result.grid):
        return law
    randomizer: Any = result.experiment.randomizer
    return np.asarray(chances * randomizer.steps / 2, dtype=np.float64)


def _stems(
    result: means.NumberReportResult, chances: Reals, words: Words, name: str, color: str, place: int, **more: Any
) -> plot.Trace:
    """Single reports as bars side by side, at the edge where they are beyond it."""
    scale = result.experiment.scale
    at, _ = within(scale, scale.outward(result.atoms), FAR)
    wide = 0.2 * scale.half
    hover = words.hover("hover_single", x="%{customdata:,.4g}", y="%{y:.3g}")
    return plot.bar(
        x=at + (place - 0.5) * wide,
        y=100 * chances,
        width=wide,
        name=escape(words[name]),
        yaxis="y2",
        marker={"color": color, "opacity": 0.85},
        customdata=scale.outward(result.atoms),
        hovertemplate=hover,
        **more,
    )


def _sent(figure: plot.Figure, result: means.NumberReportResult, high: float, words: Words) -> None:
    """The report that one of the two sent."""
    scale, sent = result.experiment.scale, float(result.experiment.scale.outward(result.decoded))
    (at,), (symbol,) = within(scale, sent, FAR)
    figure.add(marks.guide([at, at], [0, 0.9 * high], words["sent"], OTHER, dash="dot", showlegend=False))
    marker = {"symbol": "diamond" if symbol == "circle" else symbol, "size": 15, "color": OTHER}
    hover = words.hover("hover_sent", x="%{customdata:,.4g}")
    figure.add(marks.dots([at], [0.03 * high], words["sent"], marker=marker, customdata=[sent], hovertemplate=hover))
