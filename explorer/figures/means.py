"""The pictures of the means page: people and their reports, one report, errors along every axis, groups, and the plan.

Axes of numbers are measured by the public bounds and by nothing else: too much noise leaves the picture.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from explorer.facts.means import called
from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN, OTHER, THEORY
from explorer.figures.theme import PALETTE, Look, escape, style
from explorer.naming import opened, short_of
from explorer.text.catalogue import Words
from ldpcore.experiments import means
from ldpcore.experiments.means.curves import CROWD, LEVELS
from ldpcore.populations import Reals
from ldpcore.scales import PublicScale

REACH, FAR = 4.0, 8.0  # so many halves of the scale to either side of its middle
LINES = 60  # people whose number is tied to their report
POINT = 4  # every fourth is enough for a curve without corners
FEW = 5  # single reports up to here are bars, more are a curve
WIDE = 30  # times the error of noise of one half of the scale: what a picture of groups reaches
HIGHEST = 0.6  # density: a needle is higher
UPRIGHT = 8.0  # letters beside an upright axis whose numbers are written in full
ABOVE = 3.6  # letters above a picture whose upper axis stands on top, so that the axes of two panels never meet
TURN = (math.sqrt(5) - 1) / 2  # spreads heights evenly, however many there are


def _span(scale: PublicScale, reach: float) -> list[float]:
    """Around the middle of the scale."""
    middle = scale.low + scale.half
    return [middle - reach * scale.half, middle + reach * scale.half]


def _within(scale: PublicScale, values: Any, reach: float) -> tuple[Reals, list[str]]:
    """Values of the reader's unit moved to the edges of a picture, and the symbol of each."""
    return marks.within(np.atleast_1d(np.asarray(values, dtype=float)), reach * scale.half, scale.low + scale.half)


def _in_full(scale: PublicScale) -> dict[str, Any]:
    """Numbers along an axis written in full as long as people can read them."""
    return {"exponentformat": "none", "separatethousands": True} if 0.1 <= scale.half < 1e7 else {}


def survey(answer: Any, look: Look, words: Words) -> plot.Figure:
    """People on their numbers above, each one's report below, and both means as needles that meet in the middle."""
    result: means.MeanSurveyResult = opened(answer)[0]
    scale = result.scale
    figure = marks.canvas(
        look,
        words,
        yaxis={"range": [0, 1], "visible": False},
        xaxis={"range": _span(scale, REACH), **_in_full(scale)},
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
    at, symbols = _within(result.scale, result.reports, REACH)
    out = np.array([symbol != "circle" for symbol in symbols])
    hover = words.hover("hover", x="%{customdata:,.4g}")
    marker = {"opacity": 0.75, "symbol": symbols, "size": np.where(out, 10, 7).tolist(), "line": {"width": 0}}
    figure.add(
        marks.dots(
            at, 0.05 + 0.35 * heights, words["reports"], marker=marker, customdata=result.reports, hovertemplate=hover
        )
    )


def _needle(figure: plot.Figure, result: means.MeanSurveyResult, words: Words) -> None:
    """The mean of all reports, and the interval around it."""
    (at,), (symbol,) = _within(result.scale, result.estimate, REACH)
    span = _span(result.scale, REACH)
    ends = np.clip(np.array(result.interval), span[0], span[1])
    wide = {"width": 12, "opacity": 0.4, "meta": "decoration", "hoverinfo": "name", "showlegend": False}
    figure.add(marks.line(ends, [0.47, 0.47], words["interval"], OTHER, **wide))
    figure.add(marks.line([at, at], [0, 0.47], words["estimate"], OTHER, width=4, hoverinfo="skip", showlegend=False))
    marker = {"symbol": "diamond" if symbol == "circle" else symbol, "size": 15, "color": OTHER}
    hover = words.hover("hover_mean", x="%{customdata:,.5g}")
    figure.add(
        marks.dots([at], [0.47], words["estimate"], marker=marker, customdata=[result.estimate], hovertemplate=hover)
    )


def report(answer: Any, look: Look, words: Words) -> plot.Figure:
    """How likely each report is from either person, and the one that was sent."""
    result: means.OneReportResult = opened(answer)[0]
    question, scale = result.experiment, result.experiment.scale
    single = not len(result.grid) and len(result.atoms) <= FEW
    bits = question.randomizer.slug == "onebit"
    chances = {
        "overlaying": "y",
        "side": "left" if bits else "right",
        "range": [0, 105],
        "dtick": 25,
        "showgrid": bits,
        "title": {"text": escape(words["y_single"])},
    }
    figure = marks.canvas(
        look,
        words,
        yaxis={"range": [0, HIGHEST], "visible": not bits},
        xaxis={"range": _span(scale, FAR), **_in_full(scale)},
    )
    if len(result.atoms) <= FEW and question.randomizer.slug in ("onebit", "hm"):
        figure.layout["yaxis2"] = chances
        figure.layout["margin"] = {"r": 8 if bits else 4.6 * look.font_size}
    people = (
        ("first", THEORY, "solid", result.first, result.first_chances),
        ("second", DRAWN, "dash", result.second, result.second_chances),
    )
    for place, (name, color, dash, law, chance) in enumerate(people):
        if not single:
            x, y = (result.grid, law) if len(result.grid) else (result.atoms, _density(result, chance))
            hover = words.hover("hover", x="%{x:,.4g}", y="%{y:.3g}")
            curve = marks.line(scale.outward(x), y, words[name], color, dash=dash, hovertemplate=hover)
            figure.add(marks.filled(curve, color))
        if 0 < len(result.atoms) <= FEW:
            figure.add(_stems(result, chance, words, name, color, place, showlegend=single))
    _sent(figure, result, words)
    return figure


def _density(result: means.OneReportResult, chances: Reals) -> Reals:
    """Chances of whole numbers as a density over the scale, so that they compare with noise of any kind."""
    randomizer: Any = result.experiment.randomizer
    return np.asarray(chances * randomizer.steps / 2, dtype=np.float64)


def _stems(
    result: means.OneReportResult, chances: Reals, words: Words, name: str, color: str, place: int, **more: Any
) -> plot.Trace:
    """Single reports as bars side by side, at the edge where they are beyond it."""
    scale = result.experiment.scale
    at, _ = _within(scale, scale.outward(result.atoms), FAR)
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


def _sent(figure: plot.Figure, result: means.OneReportResult, words: Words) -> None:
    """The report that one of the two sent."""
    scale, sent = result.experiment.scale, float(result.experiment.scale.outward(result.decoded))
    (at,), (symbol,) = _within(scale, sent, FAR)
    figure.add(marks.guide([at, at], [0, 0.9 * HIGHEST], words["sent"], OTHER, dash="dot", showlegend=False))
    marker = {"symbol": "diamond" if symbol == "circle" else symbol, "size": 15, "color": OTHER}
    hover = words.hover("hover_sent", x="%{customdata:,.4g}")
    figure.add(marks.dots([at], [0.03 * HIGHEST], words["sent"], marker=marker, customdata=[sent], hovertemplate=hover))


def variance(answer: Any, present: Any, look: Look, words: Words) -> plot.Figure:
    """The standard deviation of one report for every number, one curve for each mechanism."""
    result: means.VarianceOverXResult = opened(answer)[0]
    beside: means.SideBySideResult = opened(present)[0]
    scale = beside.experiment.numbers.scale
    room, top = 0.05 * scale.half, FAR * scale.half
    figure = marks.canvas(
        look,
        words,
        xaxis={"range": [scale.low - room, scale.high + room], **_in_full(scale)},
        yaxis={"range": [0, top], **_in_full(scale)},
        margin={"l": UPRIGHT * look.font_size},
    )
    x = scale.outward(result.x[::POINT])
    for place, (member, variances) in enumerate(zip(result.members, result.variances, strict=True)):
        drawn, y = style(member.slug, means.slugs()), scale.half * np.sqrt(variances[::POINT])
        name = words.write(short_of(member.slug))
        hover = words.hover("hover", x="%{x:,.4g}", y="%{y:,.4g}", member=short_of(member.slug))
        figure.add(marks.line(x, y, name, drawn.color, dash=drawn.dash, hovertemplate=hover))
        if y.min() > top:
            marker = {"symbol": "triangle-up", "size": 14, "color": drawn.color}
            at = scale.low + scale.half * (2 * place + 1) / len(means.slugs())
            arrow = marks.dots([at], [0.96 * top], name, marker=marker, meta="decoration", hoverinfo="name")
            figure.add(arrow | {"showlegend": False})
    return figure


def levels(answer: Any, present: Any, look: Look, words: Words) -> plot.Figure:
    """The error of the mean along the level, one curve for each mechanism; where worst cases cross, and the present."""
    (result, names), (beside, _) = opened(answer), opened(present)
    worst, numbers = names[-1] == "worst", beside.experiment.numbers
    unit = numbers.scale.half / math.sqrt(numbers.n)
    figure = marks.canvas(
        look, words, xaxis=marks.logarithmic(*LEVELS), yaxis=marks.logarithmic(0.03 * unit, 2000 * unit)
    )
    here = beside.experiment.epsilon
    for row, slug in enumerate(result.slugs):
        drawn = style(slug, means.slugs())
        y = unit * np.sqrt((result.worst if worst else result.average)[row])
        hover = words.hover("hover", x="%{x:.3g}", y="%{y:,.4g}", member=short_of(slug))
        name = words.write(short_of(slug))
        figure.add(marks.line(result.levels, y, name, drawn.color, dash=drawn.dash, hovertemplate=hover))
    if worst:
        figure.add(_crossings(result, unit, look, words))
    best = beside.best(worst)
    figure.add(
        marks.guide(
            [here, here], [0.03 * unit, 2000 * unit], words["present"], look.ghost, dash="dot", showlegend=False
        )
    )
    if LEVELS[0] <= here <= LEVELS[1]:
        figure.add(marks.ring(here, beside.error(best, worst), words["present"], look))
    return figure


def _crossings(result: means.AgainstLevelResult, unit: float, look: Look, words: Words) -> plot.Trace:
    """Where two worst cases cross."""
    at = [crossing.level for crossing in result.crossings]
    heights = []
    for crossing in result.crossings:
        member = means.at(crossing.better, crossing.level * (1 + 1e-12), result.experiment.settings)
        heights.append(unit * math.sqrt(member.worst_variance()) if member is not None else math.nan)
    named = [
        words.fill("cross", better=short_of(crossing.better), worse=short_of(crossing.worse))
        for crossing in result.crossings
    ]
    marker = {"symbol": "circle", "size": 10, "color": look.paper, "line": {"color": look.ink, "width": 2}}
    return marks.dots(
        at,
        heights,
        words["crossings"],
        marker=marker,
        customdata=named,
        hovertemplate=words.hover("hover_cross", x="%{x:.5g}", told="%{customdata}"),
    )


def users(answer: Any, present: Any, look: Look, words: Words) -> plot.Figure:
    """The error of the mean along the number of people, simulated crowds on it, and what sampling alone would add."""
    result: means.AgainstUsersResult = opened(answer)[0]
    here: means.MeanSurveyResult = opened(present)[0]
    half, hover = here.scale.half, words.hover("hover", x="%{x:,.3g}", y="%{y:,.3g}")
    figure = marks.canvas(
        look,
        words,
        marks.line(result.sizes, result.exact, words["theory"], hovertemplate=hover),
        xaxis=marks.logarithmic(*CROWD, dtick=1),
        yaxis=marks.logarithmic(half * 1e-6, half * 100),
    )
    if look.truth and result.sampling.any():
        figure.add(
            marks.line(
                result.sizes, result.sampling, words["sampling"], look.ghost, dash="dash", width=2, hovertemplate=hover
            )
        )
    bars = {"type": "data", "array": 2 * result.spread_of_dots * result.simulated, "color": DRAWN, "thickness": 1.5}
    figure.add(marks.dots(result.dots, result.simulated, words["simulated"], size=8, error_y=bars, hovertemplate=hover))
    figure.add(marks.guide(list(CROWD), [2 * half] * 2, words["useless"], look.ghost, dash="dot"))
    figure.add(marks.ring(here.n, here.standard_error, words["present"], look))
    return figure


def _room(*sizes: int) -> float:
    """How many halves of the scale the picture of groups reaches to either side: more for small ones, at any level."""
    return max(1.5, marks.round_up(WIDE * math.sqrt(sum(1 / size for size in sizes)), (1, 1.5, 2, 3, 5, 7)))


def groups(answer: Any, look: Look, words: Words) -> plot.Figure:
    """The means of two groups with their intervals above, and their difference below, with zero."""
    result, names = opened(answer)
    both = (result.experiment.first, result.experiment.second)
    scale, rows = both[0].scale, [escape(words.write(name)) for name in called(names)]
    room = _room(both[0].n, both[1].n)
    span, reach = _span(scale, room), room * scale.half
    figure = marks.canvas(
        look,
        words,
        margin={"t": ABOVE * look.font_size},
        xaxis={"range": span, "anchor": "y", "side": "top", **_in_full(scale)},
        yaxis={"domain": [0.36, 1], "range": [-0.7, 1.7], "tickvals": [1, 0], "ticktext": rows, "automargin": True},
        xaxis2={
            "range": [-reach, reach],
            "anchor": "y2",
            "title": {"text": escape(words["x_gap"])},
            **_in_full(scale),
        },
        yaxis2={"domain": [0, 0.3], "range": [-1, 1], "visible": False, "anchor": "x2"},
    )
    ends, rise = [scale.low, scale.low, None, scale.high, scale.high], [-0.7, 1.7, None, -0.7, 1.7]
    bounds: Any = marks.guide(ends, rise, words["bounds"], look.ghost, dash="dot")  # type: ignore[arg-type]
    figure.add(bounds | {"showlegend": False})
    below = {"xaxis": "x2", "yaxis": "y2"}
    figure.add(marks.guide([0, 0], [-1, 1], words["zero"], look.ghost, **below))
    for place, color in enumerate((THEORY, DRAWN)):
        at, height = float((result.first, result.second)[place][0]), 1 - place
        _interval(figure, at, result.interval_of(place), height, span, color, words, showlegend=False)
        if look.truth:
            stroke, true = [height - 0.4, height + 0.4], both[place].mean
            figure.add(marks.truth([true, true], stroke, words["truth"], look, showlegend=not place))
    _interval(figure, result.estimate, result.interval, 0, [-reach, reach], OTHER, words, **below)
    if look.truth:
        figure.add(marks.truth([result.truth] * 2, [-0.8, 0.8], words["truth"], look, showlegend=False, **below))
    return figure


def _interval(
    figure: plot.Figure,
    at: float,
    ends: tuple[float, float],
    height: float,
    span: list[float],
    color: str,
    words: Words,
    **more: Any,
) -> None:
    """An interval as far as the picture goes, and the estimate in it; an arrow where that is beyond the picture."""
    middle, reach = (span[0] + span[1]) / 2, (span[1] - span[0]) / 2
    (place,), (symbol,) = marks.within(np.array([at]), reach, middle)
    wide = np.clip(np.array(ends), span[0], span[1])
    bar = marks.line(wide, [height, height], words["interval"], color, width=12, opacity=0.4, hoverinfo="skip", **more)
    figure.add(bar)
    marker = {"symbol": "diamond" if symbol == "circle" else symbol, "size": 14, "color": color}
    hover = words.hover("hover", x="%{customdata:,.4g}")
    dot = marks.dots([place], [height], words["estimate"], marker=marker, customdata=[at], hovertemplate=hover, **more)
    figure.add(dot)


def spread(answer: Any, look: Look, words: Words) -> plot.Figure:
    """The variance among people as both halves estimate it, round by round; and what one bit shows of it."""
    result: means.SpreadResult = opened(answer)[0]
    whole, rounds = result.experiment.numbers.scale.half**2, np.arange(1, len(result.means) + 1)
    figure = marks.canvas(
        look,
        words,
        margin={"t": ABOVE * look.font_size},
        xaxis={"range": [-100, 200], "anchor": "y", "side": "top"},
        yaxis={"domain": [0.52, 1], "range": [0.2, len(rounds) + 0.8]},
        xaxis2={"range": [0, 100], "anchor": "y2", "title": {"text": escape(words["x_bit"])}},
        yaxis2={
            "domain": [0, 0.46],
            "range": [-0.6, 3.6],
            "tickvals": [3, 2, 1, 0],
            "automargin": True,
            "ticktext": [escape(words[row]) for row in ("bit", "bit_alike", "square", "square_alike")],
            "title": {"text": escape(words["y_bit"])},
        },
        bargap=0.2,
    )
    estimated = 100 * result.estimates / whole
    at, symbols = marks.within(estimated, 150, 50)
    marker, hover = {"symbol": symbols}, words.hover("hover", x="%{customdata:.3g}", y="%{y}")
    figure.add(marks.dots(at, rounds, words["estimates"], marker=marker, hovertemplate=hover, customdata=estimated))
    if look.truth:
        true = 100 * result.truth / whole
        figure.add(marks.truth([true, true], [0.2, len(rounds) + 0.8], words["truth"], look))
        chances = 100 * np.array([*result.bit_about_x, *result.bit_about_square])
        figure.add_bar(
            x=chances,
            y=[3, 2, 1, 0],
            orientation="h",
            name=escape(words["chance"]),
            xaxis="x2",
            yaxis="y2",
            marker={"color": [THEORY, PALETTE[4]] * 2},
            hovertemplate=words.hover("hover_bit", x="%{x:.4g}"),
        )
    return figure


def plan(answer: Any, look: Look, words: Words) -> plot.Figure:
    """How many people the wish takes along the level, for each mechanism, and where the page stands."""
    result: means.MeanPlanResult = opened(answer)[0]
    question = result.experiment
    grid = np.geomspace(*LEVELS, 49)
    unit = question.n / question.allowed
    figure = marks.canvas(
        look,
        words,
        xaxis=marks.logarithmic(*LEVELS),
        yaxis=marks.logarithmic(min(unit / 100, question.n), max(unit * 1e6, question.n), dtick=1),
    )
    for slug in means.slugs():
        drawn, own = style(slug, means.slugs()), slug == result.needs[0].slug
        hover = words.hover("hover", x="%{x:.3g}", y="%{y:,.4g}", member=short_of(slug))
        figure.add(
            marks.line(
                grid,
                result.people_along(slug, grid),
                words.write(short_of(slug)),
                drawn.color,
                dash=drawn.dash,
                width=4 if own else 1.5,
                hovertemplate=hover,
            )
        )
    own_need = result.needs[0]
    if own_need.people:
        ends = [question.n, own_need.people]
        figure.add(marks.guide([question.epsilon] * 2, ends, words["gap"], DRAWN, dash="solid", width=6, opacity=0.5))
    figure.add(marks.ring(question.epsilon, question.n, words["present"], look))
    return figure
