"""The pictures of the averaging page: the running mean and its price, the error, the attacker, the shared total, the
ledger and the plan."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from explorer.figures import plot
from explorer.figures.theme import PALETTE, Look, escape, layout
from ldpcore.accounting import Ledger
from ldpcore.experiments.averaging import (
    MOST,
    AttackResult,
    AveragingExperiment,
    AveragingPlanResult,
    AveragingResult,
    SharedBudgetResult,
)

Words = Mapping[str, str]
THEORY, DRAWN, OTHER = PALETTE[0], PALETTE[1], PALETTE[2]
BAND = "rgba(0,114,178,0.16)"


def _line(x: Any, y: Any, name: str, color: str = THEORY, **more: Any) -> plot.Trace:
    line = {"color": color, "width": more.pop("width", 3), "dash": more.pop("dash", "solid")}
    return plot.scatter(x=x, y=y, mode="lines", name=escape(name), line=line, **more)


def _marks(x: Any, y: Any, name: str, look: Look, symbol: str = "diamond", **more: Any) -> plot.Trace:
    marker = {"size": 12, "symbol": symbol, "color": look.paper, "line": {"color": look.ink, "width": 2.5}}
    return plot.scatter(x=x, y=y, mode="markers", name=escape(name), marker=marker, **more)


def _ring(x: float, y: float, name: str, look: Look) -> plot.Trace:
    """Where the page's own numbers stand on a curve."""
    marker = {"size": 18, "symbol": "circle-open", "color": look.ink, "line": {"width": 3}}
    return plot.scatter(x=[x], y=[y], mode="markers", name=escape(name), marker=marker)


def _decades(repeats: int) -> int:
    """How many decades an axis of repetitions spans: whole steps of three, so that it holds still."""
    return max(3, 3 * math.ceil(math.log10(repeats) / 3 - 1e-9))


def _logarithmic(low: float, high: float) -> dict[str, Any]:
    """A log axis from 10^low to 10^high with whole powers alone, every one or every third."""
    return {"type": "log", "range": [low, high], "dtick": 1 if high - low <= 8 else 3}


def _plain_axis(low: float, high: float) -> dict[str, Any]:
    """A linear axis whose numbers are written in full as long as people can read them."""
    written = {"exponentformat": "none", "separatethousands": True} if max(abs(low), abs(high)) < 1e8 else {}
    return {"range": [low, high], **written}


def _reach(scale: float) -> float:
    """How far the axis reaches around the truth: constant over half a decade of the noise, so that it holds still."""
    return float(3.2 * 10 ** (math.ceil(round(2 * math.log10(scale), 9)) / 2))


def _priced(look: Look, words: Words, decades: int, epsilon: float, **more: Any) -> dict[str, Any]:
    """A layout whose lower axis counts releases and whose upper axis tells what they cost together."""
    low, high = -0.15, decades + 0.15
    price = math.log10(epsilon)
    described = layout(
        look, words["title"], words["x"], words["y"],
        xaxis=_logarithmic(low, high), **more,
    )  # fmt: skip
    described["margin"] = {"t": 6 * look.font_size}  # room for a second axis and its title
    described["xaxis2"] = {
        **_logarithmic(low + price, high + price), "overlaying": "x", "side": "top", "showgrid": False,
        "title": {"text": escape(words["price"]), "standoff": 4},
    }  # fmt: skip
    return described


def _second_axis(epsilon: float, decades: int, y: float) -> plot.Trace:
    """Nothing to be seen: an axis is drawn only where a trace uses it."""
    return plot.scatter(
        x=[epsilon, epsilon * 10**decades], y=[y, y], xaxis="x2", mode="markers", opacity=0, showlegend=False,
        hoverinfo="skip", meta="decoration",
    )  # fmt: skip


def path(result: AveragingResult, look: Look, words: Words) -> plot.Figure:
    """The running mean inside its exact band of two standard errors, over the number of releases and over its price."""
    question = result.experiment
    answer, scale, epsilon = question.answer, question.mechanism.scale, question.mechanism.epsilon
    decades, reach = _decades(question.repeats), _reach(scale)
    # While people predict, not even the middle of the axis may tell.
    middle = answer if look.truth else float(result.means[0])
    figure = plot.Figure(
        layout=_priced(look, words, decades, epsilon, yaxis=_plain_axis(middle - reach, middle + reach)),
    )
    if look.truth:
        _band(figure, question, decades, words["band"])
        figure.add(_line([1, 10.0**decades], [answer, answer], words["truth"], look.ink, width=2))
    told = np.stack([result.standard_errors, result.repeats * epsilon], axis=1)
    figure.add(
        _line(result.repeats, result.means, words["mean"], DRAWN, width=2.5, meta="pin", customdata=told,
              hovertemplate=words["hover"])
    )  # fmt: skip
    if len(result.means) <= 20:
        figure.data[-1].update(mode="lines+markers", marker={"size": 9})
    marked = result.marked
    if marked:
        figure.add(_marks(marked, [result.at(mark) for mark in marked], words["marks"], look))
    if not look.truth:
        figure.add(_second_axis(epsilon, decades, middle))
    return figure


def _band(figure: plot.Figure, question: AveragingExperiment, decades: int, name: str) -> None:
    """The exact band of two standard errors, drawn far beyond the path; it lies on the axis of the price."""
    grid = np.geomspace(1, 10.0**decades, 20 * decades + 1)
    half = 2 * question.mechanism.scale * np.sqrt(2 / grid)
    price = grid * question.mechanism.epsilon
    figure.add_scatter(
        x=np.concatenate([price, price[::-1]]), y=question.answer + np.concatenate([-half, half[::-1]]), xaxis="x2",
        mode="lines", line={"width": 0}, fill="toself", fillcolor=BAND, name=escape(name), hoverinfo="skip",
        meta="decoration",
    )  # fmt: skip


def error(result: AveragingResult, look: Look, words: Words) -> plot.Figure:
    """How far this path is from the truth, beside the exact mean error: a straight line down on two log axes."""
    question = result.experiment
    scale, epsilon = question.mechanism.scale, question.mechanism.epsilon
    decades = _decades(question.repeats)
    top = math.log10(scale)
    figure = plot.Figure(
        _line(result.repeats, result.errors, words["theory"], meta="pin", hovertemplate=words["hover"]),
        _priced(look, words, decades, epsilon, yaxis=_logarithmic(top - decades / 2 - 1.5, top + 1)),
    )
    figure.add(
        _line(result.repeats, np.abs(result.means - question.answer), words["path"], DRAWN, width=1.5,
              hovertemplate=words["hover"])
    )  # fmt: skip
    figure.add(_ring(question.repeats, result.error, words["present"], look))
    figure.add(_second_axis(epsilon, decades, scale))
    return figure


def attacker(result: AttackResult, look: Look, words: Words) -> plot.Figure:
    """The chance that the rounded average, or median, is the exact answer."""
    question = result.experiment
    low, high = math.log10(result.repeats[0]), math.log10(result.repeats[-1])
    figure = plot.Figure(
        _line(result.repeats, 100 * result.average, words["average"], meta="pin", hovertemplate=words["hover"]),
        layout(look, words["title"], words["x"], words["y"],
               xaxis=_logarithmic(low - 0.1, high + 0.1), yaxis={"range": [-3, 104]}),
    )  # fmt: skip
    figure.add(
        _line(result.repeats, 100 * result.median, words["median"], DRAWN, dash="dash", hovertemplate=words["hover"])
    )
    figure.add(_ring(question.repeats, 100 * result.present[0], words["present"], look))
    return figure


def shared(result: SharedBudgetResult, look: Look, words: Words) -> plot.Figure:
    """The error where N questions share one total: of each answer, of their average, and of one answer alone."""
    question = result.experiment
    numbers, scale = result.repeats, question.mechanism.scale
    bottom, decades = math.log10(scale), math.ceil(math.log10(numbers[-1]))
    figure = plot.Figure(
        _line(numbers, result.average, words["average"], meta="pin", hovertemplate=words["hover"]),
        layout(look, words["title"], words["x"], words["y"], xaxis=_logarithmic(-0.3, decades + 0.3),
               yaxis=_logarithmic(bottom - 0.5, bottom + 7.5)),
    )  # fmt: skip
    bars = {"type": "data", "array": 2 * result.standard_error, "color": DRAWN, "thickness": 1.5}
    figure.add_scatter(
        x=numbers, y=result.simulated, mode="markers", name=escape(words["simulated"]), error_y=bars,
        marker={"color": DRAWN, "size": 8},
    )  # fmt: skip
    figure.add(_line(numbers, result.single, words["single"], PALETTE[3], dash="dot", width=2))
    figure.add(_line([1, MOST], [scale, scale], words["once"], OTHER, dash="dash", width=2))
    figure.add(_ring(question.repeats, result.error, words["present"], look))
    return figure


def ledger(account: Ledger, look: Look, words: Words) -> plot.Figure:
    """What is spent after each entry, as steps that may not cross the total."""
    running = [float(level) for level in account.running()]
    names = [shortened_entry(entry.question, entry.times) for entry in account.entries]
    total = float(account.total)
    places = list(range(1, len(names) + 1))
    figure = plot.Figure(
        plot.bar(x=places, y=running, name=escape(words["spent"]), marker={"color": THEORY}, customdata=names,
                 hovertemplate="%{customdata}: %{y:.6g}<extra></extra>"),
        layout(look, words["title"], words["x"], words["y"],
               xaxis={"range": [0.4, max(len(names), 4) + 0.6], "dtick": 1 if len(names) <= 20 else None},
               yaxis={"range": [0, 1.15 * total]}),
    )  # fmt: skip
    across: Sequence[float] = [0.4, max(len(names), 4) + 0.6]
    figure.add(_line(across, [total, total], words["total"], OTHER, dash="dash", meta="decoration"))
    return figure


def shortened_entry(question: str, times: int) -> str:
    """An entry's name for hover text."""
    short = escape(question if len(question) <= 40 else question[:39] + "…")
    return short if times == 1 else f"{short} × {times}"


def plan(result: AveragingPlanResult, attack: AttackResult, look: Look, words: Words) -> plot.Figure:
    """The chance of being within the width along the number of releases; the wanted confidence as a dashed line."""
    question = result.experiment
    low, high = math.log10(attack.repeats[0]), math.log10(attack.repeats[-1])
    figure = plot.Figure(
        _line(attack.repeats, 100 * attack.average, words["theory"], meta="pin", hovertemplate=words["hover"]),
        layout(look, words["title"], words["x"], words["y"],
               xaxis=_logarithmic(low - 0.1, high + 0.1), yaxis={"range": [-3, 104]}),
    )  # fmt: skip
    wanted = [100 * question.confidence] * 2
    figure.add(_line([10**low, 10**high], wanted, words["wanted"], OTHER, dash="dash", width=2, meta="decoration"))
    if result.repeats is not None:
        figure.add(_ring(result.repeats, 100 * attack.present[0], words["needed"], look))
    return figure
