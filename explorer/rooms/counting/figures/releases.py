"""The pictures of the counting page: two laws one person apart, releases, their error, crowds, categories, the plan.

Every axis of releases counts from the true answer and reaches as far at every level, so that too much noise leaves the
picture, too little is a needle, and the answer itself stands nowhere.
"""

from __future__ import annotations

import itertools

import numpy as np

from explorer.facts import Interval, Number
from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN, OTHER, THEORY
from explorer.figures.theme import PALETTE, Look, escape
from explorer.rooms.counting.figures.cells import LONGEST_TICK, axis_of_cells, true_counts
from explorer.text.catalogue import Words
from ldpcore.experiments.counting.neighbors import REACH, BetsResult, TwoTablesResult
from ldpcore.experiments.counting.ratios import RatioOfReleasesResult
from ldpcore.experiments.counting.releases import (
    AfterwardsResult,
    AgainstUsersResult,
    CategoryCountsResult,
    CountingResult,
    CountPlanResult,
    ErrorCurveResult,
    ReleaseHistogram,
)
from ldpcore.tables.table import shortened

WITHOUT = PALETTE[5]


def bells(result: TwoTablesResult, look: Look, words: Words) -> plot.Figure:
    """How likely each release is with and without one person, and below where the release stands in the whole crowd."""
    distances, sensitivity = result.distances(), result.experiment.mechanism.sensitivity
    inside = marks.line(
        distances,
        result.relative(distances),
        words["with"],
        hovertemplate=words.hover("bell_hover", x="%{x:,.3g}", y="%{y:.3g}"),
    )
    outside = marks.line(
        distances,
        result.relative(distances, -sensitivity),
        words["without"],
        WITHOUT,
        dash="dash",
        hovertemplate=words.hover("bell_hover", x="%{x:,.3g}", y="%{y:.3g}"),
    )
    floor, ceiling = (0.48, 0.12) if look.lecture else (0.38, 0.14)  # large type takes more room between the two
    figure = marks.canvas(
        look,
        words,
        [marks.filled(inside), outside],
        xaxis={"range": [-result.reach, result.reach], "zeroline": False, "anchor": "y"},
        yaxis={"range": [0, 1.12], "domain": [floor, 1], "nticks": 4},
        xaxis2={"anchor": "y2", "range": _whole(result), "title": {"text": escape(words["map_x"])}},
        yaxis2={"domain": [0, ceiling], "range": [-1, 1], "visible": False, "fixedrange": True},
    )
    if look.truth:
        at, symbols = marks.within(np.array([result.offset]), result.reach)
        dropped = {"symbol": symbols, "size": 15, "color": DRAWN}
        hover = words.hover("dot_hover", x=Number(result.offset))
        figure.add(marks.dots(at, [0.04], words["released"], marker=dropped, hovertemplate=hover, cliponaxis=False))
    _map(figure, result, look, words)
    return figure


def _whole(result: TwoTablesResult) -> list[float]:
    """Every answer that there could be, and a little room."""
    low, high = result.experiment.low, result.experiment.high
    room = 0.06 * (high - low)
    return [low - room, high + room]


def _map(figure: plot.Figure, result: TwoTablesResult, look: Look, words: Words) -> None:
    """The release among all possible answers, and what 95 of 100 noises stay within."""
    low, high = _whole(result)
    if not look.truth:  # the distance and the place of a release together would give the answer away
        figure.layout["xaxis2"] |= {"range": [0, 1], "showticklabels": False}
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
    released = float(np.clip(result.released, low, high))
    quiet = {"showlegend": False, "hoverinfo": "skip", "meta": "decoration"}
    figure.add(marks.dots([released], [0], words["released"]) | quiet | beside)


def bets(result: BetsResult, look: Look, words: Words) -> plot.Figure:
    """Twenty releases in their rows; who was in the table is told by color and shape, unless people bet."""
    places, symbols = marks.within(result.offsets, result.reach)
    rounds, sensitivity = np.arange(1, len(places) + 1), result.experiment.mechanism.sensitivity
    half = -sensitivity / 2
    figure = marks.canvas(
        look,
        words,
        xaxis={"range": [-result.reach, result.reach]},
        yaxis={"range": [len(places) + 0.8, 0.2], "nticks": 5},
    )
    groups = ((result.inside, words["with"], THEORY), (~result.inside, words["without"], WITHOUT))
    for chosen, name, color in groups if look.truth else ((rounds > 0, words["released"], DRAWN),):
        shapes = [symbol for symbol, mine in zip(symbols, chosen, strict=True) if mine]
        marker = {"symbol": shapes, "size": 12, "color": color}
        hover = words.hover("hover", x="%{x:,.3g}", y="%{y}")
        figure.add(marks.dots(places[chosen], rounds[chosen], name, marker=marker, hovertemplate=hover))
    figure.add(marks.guide([half, half], [0.2, len(places) + 0.8], words["middle"], look.ghost))
    return figure


def one_after_the_other(result: CountingResult, look: Look, words: Words) -> plot.Figure:
    """Ten releases in their order, each as far from the true answer as it fell."""
    reach = REACH * result.experiment.mechanism.sensitivity
    places, symbols = marks.within(result.offsets(), reach)
    order = np.arange(1, len(places) + 1)
    figure = marks.canvas(
        look, words, xaxis={"range": [0.4, len(places) + 0.6], "dtick": 1}, yaxis={"range": [-reach, reach]}
    )
    figure.add(marks.truth([0.4, len(places) + 0.6], [0, 0], words["truth"], look))
    marker = {"symbol": marks.upright(symbols), "size": 13, "color": DRAWN}
    hover = words.hover("hover", x="%{x}", y="%{y:,.3g}")
    figure.add(marks.dots(order, places, words["releases"], marker=marker, hovertemplate=hover))
    return figure


def error_curve(result: ErrorCurveResult, present: CountingResult, look: Look, words: Words) -> plot.Figure:
    """The exact mean absolute error as a line, the simulated one as dots with two standard errors."""
    epsilons = np.array(result.experiment.epsilons)
    hover = words.hover("hover", x="%{x:.3g}", y="%{y:,.3g}")
    figure = marks.canvas(
        look,
        words,
        marks.line(epsilons, result.exact, words["theory"], hovertemplate=hover),
        xaxis=marks.logarithmic(epsilons[0], epsilons[-1]),
        yaxis=marks.logarithmic(result.exact.min() / 2, result.exact.max() * 2),
    )
    bars = {"type": "data", "array": 2 * result.standard_error, "color": DRAWN, "thickness": 1.5}
    figure.add(marks.dots(epsilons, result.simulated, words["simulated"], size=8, error_y=bars, hovertemplate=hover))
    figure.add(marks.ring(present.experiment.mechanism.epsilon, present.error, words["present"], look))
    return figure


def crowds(result: AgainstUsersResult, look: Look, words: Words) -> plot.Figure:
    """The error as a share of crowds of every size: a straight line down on two log axes."""
    n, sensitivity = result.experiment.n, result.experiment.mechanism.sensitivity
    hover = words.hover("hover", x="%{x:,.3g}", y="%{y:.3g}")
    figure = marks.canvas(
        look,
        words,
        marks.line(result.sizes, 100 * result.shares, words["theory"], hovertemplate=hover),
        xaxis={"type": "log", "range": [-0.3, 9.3]},
        yaxis=marks.logarithmic(1e-8 * sensitivity, 1e4 * sensitivity),
    )
    figure.add(marks.guide([1, 1e9], [100, 100], words["useless"], look.ghost))
    figure.add(marks.ring(n, 100 * result.error_share, words["present"], look))
    return figure


def many(result: ReleaseHistogram, look: Look, words: Words) -> plot.Figure:
    """R releases sorted into bins, as shares, beside what the exact law expects."""
    away = result.edges - result.experiment.answer
    middle, repeats = (away[1:] + away[:-1]) / 2, result.experiment.repeats
    hover = words.hover("hover", x="%{x:,.3g}", y="%{y:.3g}")
    figure = marks.canvas(
        look,
        words,
        plot.bar(
            x=middle,
            y=100 * result.counts[1:-1] / repeats,
            name=escape(words["releases"]),
            marker={"color": DRAWN, "opacity": 0.65},
            width=np.diff(away),
            hovertemplate=hover,
        ),
        bargap=0,
        xaxis={"range": [away[0], away[-1]]},
        yaxis={"range": [0, 20]},
    )
    figure.add(marks.line(middle, 100 * result.law[1:-1], words["theory"], hovertemplate=hover))
    return figure


def categories(result: CategoryCountsResult, look: Look, words: Words) -> plot.Figure:
    """Noisy bars with the mean absolute error as bars, and the true counts as strokes."""
    names, edges = result.experiment.names, itertools.pairwise(result.experiment.edges)
    ranges = [words.write(Interval(Number(low, 6), Number(high, 6))) for low, high in edges]
    labels, ticks = (ranges or [escape(shortened(name, most)) for name in names] for most in (60, LONGEST_TICK))
    places = list(range(len(names)))
    top = marks.round_up(1.15 * max((*result.experiment.counts, 10)))
    bars = {"type": "constant", "value": result.error, "color": look.ink, "thickness": 1.5}
    figure = marks.canvas(
        look,
        words,
        plot.bar(
            x=places,
            y=result.noisy,
            name=escape(words["noisy"]),
            marker={"color": DRAWN, "opacity": 0.8},
            error_y=bars,
            text=labels,
            textposition="none",
            hovertemplate=words.hover("hover", x="%{text}", y="%{y:,.1f}"),
        ),
        yaxis={"range": [-top / 4, top]},
        xaxis=axis_of_cells(places, ticks),
    )
    if look.truth:
        figure.add(true_counts(places, result.experiment.counts, labels, 22, look, words))
    return figure


def afterwards(result: AfterwardsResult, look: Look, words: Words) -> plot.Figure:
    """The bias that clamping causes near the lower end; the upper one is its mirror; without it there is none."""
    question = result.experiment
    hover, reach, end = words.hover("hover", x="%{x:,}", y="%{y:.3g}"), REACH / 6, min(question.n, REACH)
    near = result.counts <= end
    figure = marks.canvas(
        look,
        words,
        marks.line(result.counts[near], result.rounded_and_clamped[near], words["both"], DRAWN, hovertemplate=hover),
        yaxis={"range": [-reach, reach]},
        xaxis={"range": [-0.03 * end, 1.03 * end]},
    )
    figure.add(marks.guide([0, end], [0, 0], words["raw"], THEORY))
    if look.truth:
        figure.add(marks.ring(min(question.answer, end), result.bias, words["present"], look))
    return figure


def plan(result: CountPlanResult, look: Look, words: Words) -> plot.Figure:
    """The chance of being within the width, along all levels; where the page stands, and where it must go."""
    question = result.experiment
    levels = np.geomspace(0.001, 50, 200)
    chance = -np.expm1(-question.width * levels / question.mechanism.sensitivity)
    figure = marks.canvas(
        look,
        words,
        marks.line(
            levels, 100 * chance, words["theory"], hovertemplate=words.hover("hover", x="%{x:.3g}", y="%{y:.1f}")
        ),
        xaxis={"type": "log", "range": [-3.2, 1.9]},
        yaxis={"range": [-2, 104]},
    )
    figure.add(marks.guide([0.001, 50], [100 * question.confidence] * 2, words["wanted"], OTHER))
    if result.possible:
        figure.add(
            marks.dots(
                [result.epsilon],
                [100 * question.confidence],
                words["needed"],
                OTHER,
                13,
                marker={"symbol": "diamond"},
                hoverinfo="name",
            )
        )
    figure.add(marks.ring(question.mechanism.epsilon, 100 * result.chance, words["present"], look))
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
