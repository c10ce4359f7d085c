"""The pictures of the counting page: released values around the truth, their error, crowds, categories, the plan."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from explorer.figures import plot
from explorer.figures.theme import PALETTE, Look, escape, layout
from ldpcore.experiments.counting import (
    AfterwardsResult,
    CategoryCountsResult,
    CountingResult,
    CountPlanResult,
    CrowdsResult,
    ErrorCurveResult,
    RatioOfReleasesResult,
    ReleaseHistogram,
)

Words = Mapping[str, str]
THEORY, DRAWN, OTHER = PALETTE[0], PALETTE[1], PALETTE[2]


def half_range(scale: float) -> float:
    """How far an axis reaches around the truth: constant over a quarter of a decade of noise, so it holds still."""
    return float(6 * 10 ** (math.ceil(round(4 * math.log10(scale), 9)) / 4))


def _truth(figure: plot.Figure, look: Look, words: Words, x: list[float], y: list[float]) -> None:
    """The true value as a line in ink, unless people are predicting."""
    if look.truth:
        figure.add_scatter(
            x=x, y=y, mode="lines", name=words["truth"], line={"color": look.ink, "width": 2.5}, hoverinfo="name"
        )


def _line(x: Any, y: Any, name: str, color: str = THEORY, **more: Any) -> plot.Trace:
    return plot.scatter(x=x, y=y, mode="lines", name=escape(name), line={"color": color, "width": 3}, **more)


def _dots(x: Any, y: Any, name: str, color: str = DRAWN, size: int = 11, **more: Any) -> plot.Trace:
    marker = {"color": color, "size": size, "line": {"color": "#FFFFFF", "width": 1}}
    return plot.scatter(x=x, y=y, mode="markers", name=escape(name), marker=marker, **more)


def _center(result: CountingResult, look: Look) -> float:
    """The middle of an axis: the truth, or while people predict the middle of what was released."""
    return float(result.experiment.answer if look.truth else np.median(result.releases))


def releases(result: CountingResult, look: Look, words: Words) -> plot.Figure:
    """The density of the released number around the truth, and the first releases as dots below it.

    While people predict, only the dots: the tip of the density would point at the truth.
    """
    answer, mechanism = result.experiment.answer, result.experiment.mechanism
    reach, middle = half_range(result.error), _center(result, look)
    top = 1.1 * 10**0.25 / (2 * reach / 6)
    figure = plot.Figure(
        layout=layout(look, words["title"], words["x"], words["y"], xaxis={"range": [middle - reach, middle + reach]},
                      yaxis={"range": [-0.09 * top, top], "rangemode": "normal", "nticks": 5}),
    )  # fmt: skip
    if look.truth:
        x = answer + reach * np.linspace(-1, 1, 241)
        law = _line(x, mechanism.density(x, answer), words["density"], meta="pin", fill="tozeroy",
                    fillcolor="rgba(0,114,178,0.12)", hovertemplate=words["density_hover"])  # fmt: skip
        figure.add(law)
    _truth(figure, look, words, [answer, answer], [0, top])
    height = np.full(len(result.releases), -0.04 * top)
    figure.add(_dots(result.releases, height, words["releases"], hovertemplate="%{x:,.4g}<extra></extra>"))
    return figure


def one_after_the_other(result: CountingResult, look: Look, words: Words) -> plot.Figure:
    """Ten releases in their order, to be replayed one by one in the browser."""
    answer, values, middle = result.experiment.answer, result.releases, _center(result, look)
    reach, order = half_range(result.error), np.arange(1, len(values) + 1)
    frames = [
        {"data": [{"x": order[:shown], "y": values[:shown]}], "traces": [0], "name": str(shown)}
        for shown in range(len(values) + 1)
    ]
    figure = plot.Figure(
        _dots(order, values, words["releases"], hovertemplate="%{x}: %{y:,.4g}<extra></extra>"),
        layout(look, words["title"], words["x"], words["y"],
               xaxis={"range": [0.4, len(values) + 0.6], "dtick": 1}, yaxis={"range": [middle - reach, middle + reach]},
               updatemenus=[_replay(words["replay"])]),
        frames=frames,
    )  # fmt: skip
    _truth(figure, look, words, [0.4, len(values) + 0.6], [answer, answer])
    return figure


def _replay(label: str) -> dict[str, Any]:
    """A button in the browser that shows the frames one after the other."""
    play = {"frame": {"duration": 700, "redraw": False}, "transition": {"duration": 0}, "fromcurrent": False}
    button = {"label": escape(label), "method": "animate", "args": [None, play]}
    return {"type": "buttons", "buttons": [button], "x": 1, "xanchor": "right", "y": 1.02, "yanchor": "bottom"}


def error_curve(result: ErrorCurveResult, present: CountingResult, look: Look, words: Words) -> plot.Figure:
    """The exact mean absolute error as a line, the simulated one as dots with two standard errors."""
    epsilons = np.array(result.experiment.epsilons)
    figure = plot.Figure(
        _line(epsilons, result.exact, words["theory"], hovertemplate=words["hover"], meta="pin"),
        layout(look, words["title"], words["x"], words["y"],
               xaxis={"type": "log", "range": [math.log10(epsilons[0]) - 0.1, math.log10(epsilons[-1]) + 0.1]},
               yaxis={"type": "log"}),
    )  # fmt: skip
    bars = {"type": "data", "array": 2 * result.standard_error, "color": DRAWN, "thickness": 1.5}
    figure.add(_dots(epsilons, result.simulated, words["simulated"], size=8, error_y=bars))
    level = present.experiment.mechanism.epsilon
    figure.add(_ring([level], [present.error], words["present"], look))
    return figure


def _ring(x: list[float], y: list[float], name: str, look: Look) -> plot.Trace:
    """Where the page's own numbers stand on a curve."""
    marker = {"size": 18, "symbol": "circle-open", "color": look.ink, "line": {"width": 3}}
    return plot.scatter(x=x, y=y, mode="markers", name=escape(name), marker=marker)


def crowds(result: CrowdsResult, look: Look, words: Words) -> plot.Figure:
    """The error as a share of crowds of every size: a straight line down on two log axes."""
    n = result.experiment.n
    figure = plot.Figure(
        _line(result.sizes, 100 * result.shares, words["theory"], hovertemplate=words["hover"], meta="pin"),
        layout(look, words["title"], words["x"], words["y"], xaxis={"type": "log", "range": [-0.1, 9.1]},
               yaxis={"type": "log", "range": [-9, max(5, math.ceil(math.log10(100 * result.shares[0])))]}),
    )  # fmt: skip
    figure.add_scatter(
        x=[1, 1e9], y=[100, 100], mode="lines", name=words["useless"], meta="decoration",
        line={"color": look.ghost, "dash": "dash", "width": 2}, hoverinfo="name",
    )  # fmt: skip
    figure.add(_ring([n], [100 * result.error_share], words["present"], look))
    return figure


def many(result: ReleaseHistogram, look: Look, words: Words) -> plot.Figure:
    """R releases sorted into bins, beside the numbers that the exact law expects."""
    middle = (result.edges[1:] + result.edges[:-1]) / 2
    figure = plot.Figure(
        plot.bar(x=middle, y=result.counts[1:-1], name=words["releases"], marker={"color": DRAWN, "opacity": 0.65},
                 width=np.diff(result.edges), hovertemplate=words["hover"]),
        layout(look, words["title"], words["x"], words["y"], bargap=0),
    )  # fmt: skip
    expected = result.experiment.repeats * result.law[1:-1]
    figure.add(_line(middle, expected, words["theory"], meta="pin"))
    _truth(figure, look, words, [result.experiment.answer] * 2, [0.0, float(expected.max())])
    return figure


def categories(result: CategoryCountsResult, names: Sequence[str], look: Look, words: Words) -> plot.Figure:
    """Noisy bars with the mean absolute error as bars, and the true counts as strokes."""
    labels = [escape(name if len(name) <= 24 else name[:23] + "…") for name in names]
    positions = list(range(len(names)))
    bars = {"type": "constant", "value": result.error, "color": look.ink, "thickness": 1.5}
    figure = plot.Figure(
        plot.bar(x=positions, y=result.noisy, name=words["noisy"], marker={"color": DRAWN, "opacity": 0.8},
                 error_y=bars,
                 hovertemplate="%{y:,.1f}<extra></extra>"),
        layout(look, words["title"], words["x"], words["y"],
               xaxis={"tickmode": "array", "tickvals": positions, "ticktext": labels}),
    )  # fmt: skip
    if look.truth:
        stroke = {"symbol": "line-ew-open", "size": 22, "color": look.ink, "line": {"width": 4}}
        figure.add_scatter(x=positions, y=result.experiment.counts, mode="markers", name=words["truth"], marker=stroke)
    return figure


def afterwards(result: AfterwardsResult, look: Look, words: Words) -> plot.Figure:
    """The bias that clamping causes along all true counts; without clamping it is zero everywhere."""
    question = result.experiment
    figure = plot.Figure(
        _line(result.counts, result.rounded_and_clamped, words["both"], DRAWN, hovertemplate=words["hover"]),
        layout(look, words["title"], words["x"], words["y"]),
    )
    figure.add(_line(result.counts, np.zeros(len(result.counts)), words["raw"], hoverinfo="name"))
    if look.truth:
        figure.add(_ring([question.answer], [result.bias], words["present"], look))
    return figure


def plan(result: CountPlanResult, look: Look, words: Words) -> plot.Figure:
    """The chance of being within the width, along all levels; where the page stands, and where it must go."""
    question = result.experiment
    levels = np.geomspace(0.001, 50, 200)
    chance = -np.expm1(-question.width * levels / question.mechanism.sensitivity)
    figure = plot.Figure(
        _line(levels, 100 * chance, words["theory"], hovertemplate=words["hover"], meta="pin"),
        layout(look, words["title"], words["x"], words["y"],
               xaxis={"type": "log", "range": [-3.1, 1.8]}, yaxis={"range": [-2, 104]}),
    )  # fmt: skip
    figure.add_scatter(
        x=[0.001, 50], y=[100 * question.confidence] * 2, mode="lines", name=words["wanted"], meta="decoration",
        line={"color": OTHER, "dash": "dash", "width": 2}, hoverinfo="name",
    )  # fmt: skip
    figure.add(_ring([question.mechanism.epsilon], [100 * result.chance], words["present"], look))
    return figure


def ratio(result: RatioOfReleasesResult, look: Look, words: Words) -> plot.Figure:
    """Simulated means, each the ratio of a noisy sum and a noisy count, beside the true mean."""
    counts, edges = np.histogram(result.ratios, bins=60)
    figure = plot.Figure(
        plot.bar(x=(edges[1:] + edges[:-1]) / 2, y=counts, width=np.diff(edges), name=words["ratios"],
                 marker={"color": DRAWN, "opacity": 0.65}, hovertemplate=words["hover"]),
        layout(look, words["title"], words["x"], words["y"], bargap=0),
    )  # fmt: skip
    _truth(figure, look, words, [result.truth] * 2, [0.0, float(counts.max())])
    return figure
