"""The pictures of the averaging page: the growing pile under its battery, the running mean, and its leak.

Every axis of releases has the true answer in its middle, and every range follows the settings alone, so that a level
can be seen beside another. A reader who must not know the answer sees distances from it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from explorer.facts import Exact, Names
from explorer.figures import centers, marks, plot
from explorer.figures.marks import DRAWN, OTHER, THEORY
from explorer.figures.theme import PALETTE, Look, escape
from explorer.text.catalogue import Words
from ldpcore.estimating.estimatedanswers import EstimatedAnswer
from ldpcore.experiments.averaging.piles import PileResult
from ldpcore.experiments.averaging.ratios import AveragedRatio
from ldpcore.experiments.averaging.running import AttackResult, AveragingPlanResult
from ldpcore.experiments.counting.fromtruth import FromTruthResult
from ldpcore.numerics.arrays import Reals

DOTS = 200  # more releases than this are bars
MARKS = (10, 1_000, 100_000, 1_000_000)
EMPTY = PALETTE[9]


def pile(drawn: PileResult | FromTruthResult[PileResult], look: Look, words: Words) -> plot.Figure:
    """The releases in columns around the truth, their mean in a lane of its own, and the rest of the total."""
    result, away = centers.drawn(drawn)
    reach, releases, truth = result.experiment.reach, len(result.singles), result.truth
    top = max(0.3 * releases, 6.0)
    step = marks.round_up(top / 4)
    figure = marks.canvas(
        look,
        words,
        x=centers.titled("x", away, look),
        barmode="stack",
        bargap=0.06,
        legend={"traceorder": "normal"},
        xaxis={
            "title": {"text": escape(words[centers.titled("x", away, look)]), "standoff": 16},
            "range": [truth - reach, truth + reach],
            "anchor": "y",
            **centers.in_full(reach, truth),
        },
        yaxis={"range": [-0.2 * top, top], "domain": [0, 0.85], "tick0": 0, "dtick": step},
        xaxis2={"anchor": "y2", "range": [0, result.experiment.total], "visible": False, "fixedrange": True},
        yaxis2={"domain": [0.9, 1], "range": [-1, 1], "visible": False, "fixedrange": True},
    )
    figure.add(marks.truth([truth, truth], [-0.2 * top, top], words["truth"], look))
    (_dots if releases <= DOTS else _bars)(figure, result, look, words)
    _overfull(figure, result, top, words)
    _mean(figure, result, -0.1 * top, words)
    _battery(figure, result, look, words)
    return figure


def _dots(figure: plot.Figure, result: PileResult, look: Look, words: Words) -> None:
    """The releases as dots in their columns; those that the total no longer pays for are pale."""
    order = np.arange(1, len(result.singles) + 1)
    symbols = np.array(["triangle-left", "circle", "triangle-right"])[result.beyond + 1].tolist()
    colors = np.where((order <= result.affordable) | look.predicting, DRAWN, look.ghost).tolist()
    marker = {"size": 10 if look.lecture else 8, "symbol": _once(symbols), "color": _once(colors)}
    hover = words.hover("hover", n="%{text}", x="%{customdata:,.6g}")
    # A name of its own for every pile of releases: a new one falls from above, and the handle only moves it.
    figure.add(
        marks.dots(
            result.truth + result.centers[result.columns],
            result.heights - 0.5,
            words["releases"],
            marker=marker,
            showlegend=False,
            text=order.tolist(),
            customdata=result.truth + result.singles,
            hovertemplate=hover,
            uid=f"falling-{_seed(result)}",
        )
    )
    for name, color in (("paid", DRAWN), ("unpaid", look.ghost)):
        figure.add(marks.dots([None], [None], words[name], color, 9, meta="decoration"))


def _once(texts: list[str]) -> list[str] | str:
    """A text that all points have in common, sent once."""
    return texts if len(set(texts)) > 1 else texts[0]


def _seed(result: PileResult) -> int:
    """The seed of the releases in the pile."""
    question = result.experiment.question
    return question.ratio.seed if isinstance(question, AveragedRatio) else question.seed


def _bars(figure: plot.Figure, result: PileResult, look: Look, words: Words) -> None:
    """The columns as bars, where there are too many releases for dots; the ones that the total pays for below."""
    width, hover = 2 * result.experiment.reach / len(result.centers), words.hover("bar_hover", x="%{x:,.6g}", y="%{y}")
    for name, color in (("paid", DRAWN), ("unpaid", look.ghost)):
        figure.add_bar(
            x=result.truth + result.centers,
            y=result.counts(name == "paid") + (result.counts(name != "paid") if look.predicting else 0),
            name=escape(words[name]),
            width=0.94 * width,
            marker={"color": color},
            hovertemplate=hover,
        )


def _overfull(figure: plot.Figure, result: PileResult, top: float, words: Words) -> None:
    """An arrow above each column that leaves the picture; where none does, the legend keeps its entry and height."""
    high = np.bincount(result.columns, minlength=len(result.centers)).astype(np.float64)
    over = np.flatnonzero(high > top)
    at, number = (
        (result.truth + result.centers[over], high[over]) if len(over) else (np.array([np.nan]), np.array([np.nan]))
    )
    marker = {"symbol": "triangle-up", "size": 13, "color": DRAWN}
    hover = words.hover("bar_hover", x="%{x:,.6g}", y="%{customdata}")
    figure.add(
        marks.dots(
            at,
            np.full(len(at), 0.96 * top),
            words["overfull"],
            marker=marker,
            customdata=number,
            hovertemplate=hover,
            meta="decoration",
        )
    )


def _mean(figure: plot.Figure, result: PileResult, lane: float, words: Words) -> None:
    """The mean of all releases below the pile, with two of its standard deviations to either side."""
    reach, half, truth = result.experiment.reach, 2 * result.averaged.spread, result.truth
    mean = truth + result.offset
    at, symbols = marks.within(np.array([mean]), reach, truth)
    ends = np.clip([mean - half, mean + half], truth - reach, truth + reach)
    figure.add(
        marks.line(
            ends, [lane, lane], words["spread"], OTHER, width=8, opacity=0.4, meta="decoration", hoverinfo="name"
        )
    )
    marker = {"symbol": ["diamond" if symbols[0] == "circle" else symbols[0]], "size": 14, "color": OTHER}
    hover = words.hover("mean_hover", x="%{customdata:,.6g}")
    figure.add(marks.dots(at, [lane], words["mean"], marker=marker, customdata=[mean], hovertemplate=hover))


def _battery(figure: plot.Figure, result: PileResult, look: Look, words: Words) -> None:
    """The rest of the total in its frame; the frame is red where it is used up."""
    total, color = result.experiment.total, OTHER if result.left > 0 else EMPTY
    corners, heights = [0, total, total, 0, 0], [-1, -1, 1, 1, -1]
    edge = look.ink if result.left > 0 else EMPTY
    figure.add(marks.outline(corners, heights, words["battery"], edge, width=2, **marks.SECOND))
    figure.add_bar(
        x=[result.left],
        y=[0],
        orientation="h",
        width=1.9,
        opacity=0.45,
        marker={"color": color},
        showlegend=False,
        hoverinfo="skip",
        meta="decoration",
        **marks.SECOND,
    )
    figure.add(marks.label(total / 2, 0, words["battery"], look, **marks.SECOND))


def _decades(repeats: int) -> int:
    """The number of decades on an axis of repetitions: whole steps of three, so that it holds still."""
    return max(3, 3 * math.ceil(math.log10(repeats) / 3 - 1e-9))


def _logarithmic(low: float, high: float, room: float = 0.0) -> dict[str, Any]:
    """A log axis from 10^low to 10^high with whole powers alone, every one or every third."""
    return {"type": "log", "range": [low - room, high + room], "dtick": 1 if high - low <= 8 else 3}


def path(drawn: PileResult | FromTruthResult[PileResult], look: Look, words: Words) -> plot.Figure:
    """The running mean, between the edges that most means stay within around the truth, and a curator's beside it."""
    result, away = centers.drawn(drawn)
    truth, means = result.truth, result.truth + result.averaged.offsets
    averaged, reach, repeats = result.averaged, result.experiment.reach, result.experiment.question.repeats
    decades = _decades(repeats)
    curve = averaged.curve(decades)
    figure = marks.canvas(
        look,
        words,
        marks.band(curve.repeats, truth + curve.low, truth + curve.high, words["band"], THEORY),
        y=centers.titled("y", away, look),
        xaxis=_logarithmic(0, decades, 0.05 * decades),
        yaxis={
            "range": [truth - reach, truth + reach],
            **centers.in_full(reach, truth),
        },
    )
    _trusted(figure, result, curve.repeats, words)
    figure.add(marks.truth([1, 10.0**decades], [truth, truth], words["truth"], look))
    prices = result.experiment.question.prices(averaged.repeats)
    few = {"mode": "lines+markers", "marker": {"size": 9}} if repeats <= 20 else {}
    figure.add(
        marks.line(
            averaged.repeats,
            means,
            words["mean"],
            DRAWN,
            width=2.5,
            hovertemplate=_hover(words),
            customdata=prices,
            **few,
        )
    )
    _marked(figure, result, look, words)
    _spent(figure, result, (truth - reach, truth + reach), look, words)
    return figure


def _trusted(figure: plot.Figure, result: PileResult, repeats: Reals, words: Words) -> None:
    """The band of a curator's Laplace noise at the present level, beside the estimate without one."""
    question = result.experiment.question
    if not isinstance(question, AveragedRatio) and isinstance(mechanism := question.mechanism, EstimatedAnswer):
        half = 2 * mechanism.trusted.average_spread(repeats)
        for trace in marks.band(repeats, result.truth - half, result.truth + half, words["trusted"], OTHER, 0.35):
            figure.add(trace)


def _marked(figure: plot.Figure, result: PileResult, look: Look, words: Words) -> None:
    """The mean after the round numbers of releases that the path has passed."""
    averaged, repeats = result.averaged, result.experiment.question.repeats
    at = [mark for mark in MARKS if mark <= repeats]
    if not at:
        return
    ink = {"symbol": "diamond", "size": 12, "color": look.paper, "line": {"color": look.ink, "width": 2.5}}
    heights = result.truth + averaged.offsets[np.searchsorted(averaged.repeats, at)]
    name = words.fill("marks", marks=Names(tuple(words.write(Exact(mark)) for mark in at)))
    prices = result.experiment.question.prices(np.array(at))
    figure.add(marks.dots(at, heights, name, marker=ink, hovertemplate=_hover(words), customdata=prices))


def _hover(words: Words) -> str:
    """The hover text of a point of the path."""
    return words.hover("hover", n="%{x:,}", x="%{y:,.6g}", price="%{customdata:,.6g}")


def _spent(figure: plot.Figure, result: PileResult, ends: tuple[float, float], look: Look, words: Words) -> None:
    """The place where the total pays for no further release."""
    if result.affordable >= 1:
        place = float(result.affordable)
        figure.add(marks.guide([place, place], ends, words["spent"], EMPTY))


def plan(result: AveragingPlanResult, attack: AttackResult, look: Look, words: Words) -> plot.Figure:
    """The chance that the average, or the median, is within the width, along the number of releases, and the wish."""
    decades, wanted = math.log10(attack.repeats[-1]), 100 * result.experiment.confidence
    hover = words.hover("hover", n="%{x:,.4g}", y="%{y:.2f}")
    figure = marks.canvas(
        look,
        words,
        marks.line(attack.repeats, 100 * attack.average, words["average"], hovertemplate=hover),
        xaxis=_logarithmic(0, decades, 0.03 * decades),
        yaxis={"range": [-3, 104]},
    )
    if not np.isnan(attack.median).all():  # only of noise whose likeliest answer it is
        figure.add(
            marks.line(attack.repeats, 100 * attack.median, words["median"], DRAWN, dash="dash", hovertemplate=hover)
        )
    figure.add(marks.guide([1, attack.repeats[-1]], [wanted, wanted], words["wanted"], OTHER))
    if result.repeats is not None:
        figure.add(
            marks.dots(
                [result.repeats],
                [wanted],
                words["needed"],
                OTHER,
                13,
                marker={"symbol": "diamond"},
                hovertemplate=hover,
            )
        )
    figure.add(marks.ring(attack.experiment.repeats, 100 * attack.present[0], words["present"], look))
    return figure
