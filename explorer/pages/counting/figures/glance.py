"""Noisy answers, their mean absolute error and their running mean in one picture, all in the unit of the answer.

Both parts have the same still axis with the true answer in its middle; one below the other, in a lecture side by side.
"""

from __future__ import annotations

import numpy as np

from explorer.figures import centers, marks, plot
from explorer.figures.marks import DRAWN, OTHER, THEORY
from explorer.figures.theme import Look, escape
from explorer.text.catalogue import Words
from ldpcore.experiments.averaging.running import AveragingResult
from ldpcore.experiments.counting.fromtruth import FromTruthResult
from ldpcore.experiments.counting.neighbors import REACH
from ldpcore.experiments.counting.releases import CountingResult

DECADES = 3  # of the number of releases that are averaged


def glance(
    drawn: CountingResult | FromTruthResult[CountingResult],
    averages: AveragingResult | FromTruthResult[AveragingResult],
    look: Look,
    words: Words,
) -> plot.Figure:
    """Ten releases around the true answer within their mean absolute error, and the mean of a thousand settling."""
    (result, away), (averaged, _) = centers.drawn(drawn), centers.drawn(averages)
    reach, answer = REACH * result.experiment.mechanism.span, result.experiment.answer
    upright = {"range": [answer - reach, answer + reach], **centers.in_full(reach, answer)}
    titled = {"title": {"text": marks.low_title(words[centers.titled("y", away, look)])}}
    high, low = ([0, 1], [0, 1]) if look.lecture else ([0.64, 1], [0, 0.39])
    left, right = ([0, 0.44], [0.57, 0.98]) if look.lecture else ([0, 1], [0, 1])
    figure = marks.canvas(
        look,
        words,
        y=centers.titled("y", away, look),
        xaxis={"range": [0.4, len(result.releases) + 0.6], "dtick": 1, "domain": left, "anchor": "y"},
        yaxis=upright | titled | {"domain": high},
        xaxis2={
            "type": "log",
            "range": [-0.05, DECADES + 0.05],
            "dtick": 1,
            "domain": right,
            "anchor": "y2",
            "title": {"text": escape(words["averaged_x"])},
        },
        yaxis2=upright | titled | {"domain": low, "anchor": "x2"},
    )
    _released(figure, result, look, words)
    _averaged(figure, averaged, look, words)
    return figure


def _released(figure: plot.Figure, result: CountingResult, look: Look, words: Words) -> None:
    """The releases in their order, within one mean absolute error around the truth."""
    answer, error = result.experiment.answer, result.error
    ends = [0.4, len(result.releases) + 0.6]
    low, high = [answer - error] * 2, [answer + error] * 2
    for trace in marks.band(ends, low, high, words["error"], OTHER):
        figure.add(trace)
    figure.add(marks.truth(ends, [answer, answer], words["truth"], look))
    reach = REACH * result.experiment.mechanism.span
    places, symbols = marks.within(result.releases, reach, answer)
    marker = {"symbol": marks.upright(symbols), "size": 13, "color": DRAWN}
    order, hover = np.arange(1, len(places) + 1), words.hover("hover", x="%{x}", y="%{customdata:,.6g}")
    dots = marks.dots(order, places, words["releases"], marker=marker, hovertemplate=hover)
    figure.add(plot.also(dots, customdata=result.releases, showlegend=False, cliponaxis=False))
    figure.add(marks.dots([None], [None], words["releases"], DRAWN, 13, meta="decoration"))


def _averaged(figure: plot.Figure, result: AveragingResult, look: Look, words: Words) -> None:
    """The running mean within two standard errors around the truth."""
    curve, truth = result.curve(DECADES), result.truth
    for trace in marks.band(curve.repeats, truth + curve.low, truth + curve.high, words["band"], THEORY):
        figure.add(plot.also(trace, **marks.SECOND))
    again = {"showlegend": False, **marks.SECOND}
    figure.add(marks.truth([1, 10.0**DECADES], [truth, truth], words["truth"], look, **again))
    hover = words.hover("mean_hover", n="%{x:,}", x="%{y:,.6g}")
    figure.add(
        marks.line(result.repeats, result.means, words["mean"], DRAWN, width=2.5, hovertemplate=hover, **marks.SECOND)
    )
