"""The pictures of the counting page: two laws one person apart, bets, crowds, and every level with the plan.

Every axis of releases has the true answer in its middle and reaches as far at every level, so that too much noise
leaves the picture and too little is a needle. A reader who must not know the answer sees distances from it.
"""

from __future__ import annotations

import numpy as np

from explorer.facts import Count, Number
from explorer.figures import centers, marks, plot
from explorer.figures.marks import DRAWN, OTHER, THEORY
from explorer.figures.theme import PALETTE, Look, escape
from explorer.text.catalogue import Words
from ldpcore.experiments.counting.alone import EstimatesInCrowdsResult, OneEstimateResult, ReportBetsResult
from ldpcore.experiments.counting.fromtruth import FromTruthResult
from ldpcore.experiments.counting.neighbors import REACH, BetsResult, TwoTablesResult
from ldpcore.experiments.counting.ratios import RatioOfReleasesResult
from ldpcore.experiments.counting.releases import AgainstUsersResult, CountPlanResult, ErrorCurveResult

WITHOUT, SURE = PALETTE[5], 0.95
WIDEST = 50.0  # percentage points to either side that the picture of crowds shows


Law = TwoTablesResult | OneEstimateResult


def bells(drawn: Law | FromTruthResult[Law], look: Look, words: Words) -> plot.Figure:
    """The probability of each release with and without one person, and below the release's place in the whole crowd."""
    law: tuple[Law, bool] = centers.drawn(drawn)
    result, away = law
    answer, reach = result.experiment.answer, result.reach
    inside, outside = _laws(result, words)
    floor, ceiling = (0.48, 0.12) if look.lecture else (0.38, 0.14)  # large type takes more room between the two
    figure = marks.canvas(
        look,
        words,
        [marks.filled(inside), outside],
        x=centers.titled("x", away, look),
        y="y_whole" if result.stepped else "y",
        xaxis={
            "range": [answer - reach, answer + reach],
            "zeroline": False,
            "anchor": "y",
            **centers.in_full(reach, answer),
        },
        yaxis={"range": [0, 1.12], "domain": [floor, 1], "nticks": 4},
        xaxis2={"anchor": "y2", "range": _whole(result), "title": {"text": escape(words["map_x"])}},
        yaxis2={"domain": [0, ceiling], "range": [-1, 1], "visible": False, "fixedrange": True},
    )
    if look.truth or look.predicting:  # how far one release fell says little of how far they fall on average
        at, symbols = marks.within(np.array([result.released]), reach, answer)
        dropped = {"symbol": symbols, "size": 15, "color": DRAWN}
        dot = marks.dots(at, [0.04], words["released"], marker=dropped, cliponaxis=False)
        hover = words.hover("dot_hover", x=Number(result.released, 4))
        figure.add(plot.also(dot, hovertemplate=hover) if look.truth else plot.also(dot, hoverinfo="skip"))
    if isinstance(drawn, FromTruthResult):
        result = drawn.result
    _map(figure, result, look, words)
    return figure


def _laws(result: Law, words: Words) -> tuple[plot.Trace, plot.Trace]:
    """The probability of each released number with the person and without; single numbers in steps."""
    answer = result.experiment.answer
    drawn = {
        "hovertemplate": words.hover("bell_hover", x="%{x:,.6g}", y="%{y:.3g}"),
        **({"shape": "hvh"} if result.stepped else {}),
    }
    (places, heights), (others, lower) = result.curve(other=False), result.curve(other=True)
    inside = marks.line(answer + places, heights, words["with"], **drawn)
    return inside, marks.line(answer + others, lower, words["without"], WITHOUT, dash="dash", **drawn)


def _whole(result: Law) -> list[float]:
    """The range of all possible answers, and a little room."""
    low, high = result.experiment.low, result.experiment.high
    room = 0.06 * (high - low)
    return [low - room, high + room]


def _map(figure: plot.Figure, result: Law, look: Look, words: Words) -> None:
    """The release among all possible answers, and the range of 95 of 100 noises."""
    low, high = _whole(result)
    if not look.truth:  # the distance and the place of a release together would give the answer away
        if look.predicting:
            figure.add(plot.scatter(x=[None], y=[None], showlegend=False, meta="decoration", **marks.SECOND))
        else:  # for readers who never learn of it there is no such axis
            figure.layout["yaxis"]["domain"] = [0, 1]
            del figure.layout["xaxis2"], figure.layout["yaxis2"]
        return
    left, right = (float(np.clip(end, low, high)) for end in result.likely)
    beside = marks.SECOND
    figure.add(
        marks.line(
            [left, right],
            [0, 0],
            words["likely"],
            DRAWN,
            width=10,
            opacity=0.35,
            meta="decoration",
            hoverinfo="name",
            **beside,
        )
    )
    answer = result.experiment.answer
    figure.add(marks.truth([answer, answer], [-0.9, 0.9], words["truth"], look, **beside))
    middle = (low + high) / 2  # a release beyond all answers points to where it lies
    at, symbols = marks.within(np.array([result.released - middle]), (high - low) / 2)
    quiet = {"showlegend": False, "hoverinfo": "skip", "meta": "decoration", "cliponaxis": False}
    marker = {"symbol": symbols, "size": 11, "color": DRAWN}
    figure.add(plot.also(marks.dots(at + middle, [0], words["released"], marker=marker), **quiet, **beside))


def bets(result: BetsResult | ReportBetsResult, look: Look, words: Words) -> plot.Figure:
    """Twenty releases in their rows; color and shape tell the person in the table, unless people bet."""
    places, symbols = marks.within(result.offsets, result.reach)
    rounds, half = np.arange(1, len(places) + 1), result.middle
    figure = marks.canvas(
        look,
        words,
        xaxis={"range": [-result.reach, result.reach]},
        yaxis={"range": [len(places) + 0.8, 0.2], "nticks": 5},
    )
    figure.add(marks.guide([half, half], [0.2, len(places) + 0.8], words["middle"], look.ghost))
    groups = ((result.inside, words["with"], THEORY), (~result.inside, words["without"], WITHOUT))
    for chosen, name, color in groups if look.truth else ((rounds > 0, words["released"], DRAWN),):
        shapes = [symbol for symbol, mine in zip(symbols, chosen, strict=True) if mine]
        marker = {"symbol": shapes, "size": 12, "color": color}
        hover = words.hover("hover", x="%{x:,.3g}", y="%{y}")
        figure.add(marks.dots(places[chosen], rounds[chosen], name, marker=marker, hovertemplate=hover))
    return figure


def crowds(result: AgainstUsersResult | EstimatesInCrowdsResult, look: Look, words: Words) -> plot.Figure:
    """The effect of noise on shares of crowds of every size, a row each: large for few people, a needle for many."""
    here = result.sizes == result.experiment.n
    rows = np.arange(len(result.sizes))
    names = [words.fill("crowd", n=Count(int(size))) for size in result.sizes]
    figure = marks.canvas(
        look,
        words,
        barmode="overlay",
        bargap=0.35,
        xaxis={"range": [-WIDEST, WIDEST], "zeroline": True},
        yaxis={"range": [len(rows) - 0.4, -0.6], "tickvals": rows.tolist(), "ticktext": [*map(escape, names)]},
    )
    hover = words.hover("hover", n="%{text}", y="%{customdata:.3g}")
    colors, own = np.where(here, OTHER, DRAWN).tolist(), {"symbol": "square"}
    for name, reach, shade in (("likely", result.likely(SURE), 0.35), ("mean", result.shares, 1.0)):
        for side in (1, -1):
            figure.add(
                plot.bar(
                    y=rows,
                    x=side * 100 * reach,
                    orientation="h",
                    name=escape(words[name]),
                    marker={"color": colors, "opacity": shade},
                    text=[escape(name) for name in names],
                    textposition="none",
                    customdata=100 * reach,
                    hovertemplate=hover,
                    showlegend=False,
                    **({} if side > 0 else {"meta": "decoration"}),
                )
            )
        color = marks.see_through(DRAWN, shade)  # a mark's own opacity is lost in a legend
        figure.add(marks.dots([None], [None], words[name], color, 12, marker=own, meta="decoration"))
    figure.add(marks.dots([None], [None], words["present"], OTHER, 12, marker=own, meta="decoration"))
    _cut_off(figure, np.flatnonzero(100 * result.likely(SURE) > WIDEST).tolist(), look, words)
    return figure


def _cut_off(figure: plot.Figure, rows: list[int], look: Look, words: Words) -> None:
    """An arrow at both ends of each bar that leaves the picture; where none does, the legend keeps its entry."""
    edge, marker = 0.97 * WIDEST, {"size": 13, "color": look.ink, "line": {"color": look.paper, "width": 1}}
    for side, symbol in ((1, "triangle-right"), (-1, "triangle-left")):
        at, there = ([side * edge] * len(rows), rows) if rows else ([None], [None])
        arrows = marks.dots(at, there, words["beyond"], marker={**marker, "symbol": symbol}, hoverinfo="skip")
        figure.add(plot.also(arrows, meta="decoration", showlegend=side > 0))


def every_level(curve: ErrorCurveResult, plan: CountPlanResult, look: Look, words: Words) -> plot.Figure:
    """The distance of releases at every level, as a funnel; the wished width across it, and the level that keeps it."""
    question, levels = plan.experiment, np.array(curve.experiment.epsilons)
    reach, hover = REACH * question.mechanism.span, words.hover("hover", x="%{x:.3g}", y="%{y:,.3g}")
    wide = np.array(
        [question.mechanism.at_level(level).width(question.confidence) for level in curve.experiment.epsilons]
    )
    ends = [float(levels[0]), float(levels[-1])]
    figure = marks.canvas(
        look,
        words,
        marks.band(levels, -wide, wide, words["within"], THEORY),
        xaxis=marks.logarithmic(ends[0], ends[1], 0.02),
        yaxis={"range": [-reach, reach]},
    )
    figure.add(marks.line(levels, curve.exact, words["theory"], hovertemplate=hover))
    bars = {"type": "data", "array": 2 * curve.standard_error, "color": DRAWN, "thickness": 1.5}
    figure.add(marks.dots(levels, curve.simulated, words["simulated"], size=8, error_y=bars, hovertemplate=hover))
    figure.add(marks.guide(ends, [question.width] * 2, words["wanted"], OTHER))
    figure.add(marks.guide(ends, [-question.width] * 2, words["wanted"], OTHER, showlegend=False))
    if plan.possible:
        marker = {"symbol": "diamond"}
        figure.add(
            marks.dots([plan.epsilon], [question.width], words["needed"], OTHER, 14, marker=marker, hoverinfo="name")
        )
    figure.add(marks.ring(question.mechanism.epsilon, plan.width, words["present"], look))
    return figure


def ratio(result: RatioOfReleasesResult, look: Look, words: Words) -> plot.Figure:
    """Simulated means, each the ratio of a noisy sum and a noisy count, as distances from the true mean."""
    question = result.experiment
    reach = question.reach or (question.high - question.low) / 2
    counts, edges = np.histogram(result.ratios - result.truth, bins=np.linspace(-reach, reach, 62))
    figure = marks.canvas(
        look,
        words,
        plot.bar(
            x=(edges[1:] + edges[:-1]) / 2,
            y=100 * counts / len(result.ratios),
            width=np.diff(edges),
            name=escape(words["ratios"]),
            marker={"color": DRAWN, "opacity": 0.65},
            hovertemplate=words.hover("hover", x="%{x:,.3g}", y="%{y:.3g}"),
        ),
        bargap=0,
        xaxis={"range": [-reach, reach]},
        yaxis={"range": [0, 20]},
    )
    figure.add(marks.truth([0, 0], [0, 20], words["truth"], look))
    return figure
