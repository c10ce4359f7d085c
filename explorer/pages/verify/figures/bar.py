"""The bar that may touch its promise and not cross it, above the two laws that it comes from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from explorer.facts import Count, Number
from explorer.facts.odds import odds_at as written_ratio
from explorer.figures import marks, plot
from explorer.figures.theme import Look, escape
from explorer.pages.verify.facts import value as written_value
from explorer.pages.verify.figures.reports import rows_of_matrix
from explorer.pages.verify.figures.scale import (
    BROKEN,
    DRAWN,
    FIRST,
    KEPT,
    LONGEST,
    NAMED,
    SECOND,
    Lower,
    shortened,
    stretched,
)
from explorer.text.catalogue import Words
from ldpcore.experiments.verify import SLACK, MechanismVerdict
from ldpcore.experiments.verify.matrixpromises import MatrixPromiseResult, RefusedResult
from ldpcore.experiments.verify.owncounts import OwnAuditResult
from ldpcore.experiments.verify.promises import TwoLawsResult
from ldpcore.numerics.arrays import Reals

RATIOS = (1, 1.1, 1.5, 3, 10, 100, 1000, 20000)
BAR = marks.SECOND
HEIGHT, IN_LECTURES = (0.55, 0.78), (0.44, 0.82)  # where what is below ends and the bar begins; large type takes room


def largest_ratio(
    result: MechanismVerdict | MatrixPromiseResult | RefusedResult,
    *more: *tuple[*tuple[TwoLawsResult, ...], Look, Words],
) -> plot.Figure | str:
    """The largest ratio as a bar beside its promise, of a mechanism or of a matrix; none without a matrix."""
    if isinstance(result, RefusedResult):
        return ""
    *laws, look, words = more
    if isinstance(result, MatrixPromiseResult):
        return ratio_of_matrix(result, look, words)
    return ratio_of_mechanism(result, laws[0], look, words)


def ratio_of_mechanism(verdict: MechanismVerdict, laws: TwoLawsResult, look: Look, words: Words) -> plot.Figure:
    """The largest ratio of a mechanism; below it, its source: the laws of two values' reports."""
    names = [words.fill("law", value=written_value(value)) for value in laws.values]
    if laws.reports is None:
        labels = [words.get(f"class_{name}", name) for name in laws.names]
        lower = _bars(labels, laws.first, laws.second, laws.attained, laws.highest, names, look, words)
        lower[1]["range"] = [-0.6, laws.most - 0.4]
    else:
        lower = _densities(laws, laws.reports, names, look, words)
    return _with_bar(verdict.level, verdict.claim.epsilon, lower, look, words)


def ratio_of_matrix(result: MatrixPromiseResult, look: Look, words: Words) -> plot.Figure:
    """The largest ratio of a typed matrix as a bar beside its promise; below it, the matrix itself."""
    return _with_bar(
        result.level, result.question.promise, rows_of_matrix(result, _heights(look)[0], look, words), look, words
    )


def own_counts(result: OwnAuditResult, look: Look, words: Words) -> plot.Figure:
    """The proof in the reader's own counts as the bar; below it, the frequency of each outcome under both inputs."""
    first, second = (np.array(shares) for shares in result.shares)
    proof, places = result.proof, np.arange(len(first))
    chosen = np.sort(np.argsort(-np.maximum(first, second), kind="stable")[:DRAWN])
    telling = ((places == proof.outcome) != proof.complement) & (result.level > 0) & look.truth
    lower = _bars(
        [words.fill("outcome", place=Count(int(place) + 1)) for place in chosen],
        first[chosen],
        second[chosen],
        telling[chosen],
        float(max(first.max(), second.max())),
        [words.fill("law", value=Count(place)) for place in (1, 2)],
        look,
        words,
    )
    return _with_bar(result.level, result.question.promise, lower, look, words)


def _heights(look: Look) -> tuple[float, float]:
    """The end of the lower picture, and the beginning of the bar."""
    return IN_LECTURES if look.lecture else HEIGHT


def _with_bar(level: float, promise: float, lower: Lower, look: Look, words: Words) -> plot.Figure:
    """A figure whose upper part is the bar, as long as the level, on the field that the promise allows."""
    traces, xaxis, yaxis = lower
    axis = {
        "anchor": "y2",
        "range": [0, stretched(LONGEST)],
        "tickvals": [stretched(math.log(ratio)) for ratio in RATIOS],
        "ticktext": [words.write(Number(ratio)) for ratio in RATIOS],
        "showgrid": False,
        "title": {"text": escape(words["bar_x"]), "standoff": 4},
    }
    ceiling, floor = _heights(look)
    figure = marks.canvas(
        look,
        words,
        xaxis={"anchor": "y"} | xaxis,
        xaxis2=axis,
        yaxis={"domain": [0, ceiling]} | yaxis,
        barmode="group",
        yaxis2={"domain": [floor, 1], "anchor": "x2", "visible": False, "range": [0, 1], "fixedrange": True},
    )
    _promised(figure, promise, look, words)
    if not math.isnan(level):
        _bar(figure, level, promise, look, words)
    for trace in traces:
        figure.add(trace)
    return figure


def _block(left: float, right: float, half: float, name: str, color: str, **more: Any) -> plot.Trace:
    """A piece of a bar, from one place to another."""
    return plot.scatter(
        x=[left, right, right, left, left],
        y=[0.5 - half, 0.5 - half, 0.5 + half, 0.5 + half, 0.5 - half],
        mode="lines",
        line={"width": 0},
        fill="toself",
        fillcolor=color,
        name=escape(name),
        meta="decoration",
        hoveron="fills",
        hoverinfo="name",
        **BAR,
        **more,
    )


def _promised(figure: plot.Figure, promise: float, look: Look, words: Words) -> None:
    """The field that the promise allows, and its end as a line; without an end where the promise has none."""
    inside = promise <= LONGEST
    end = stretched(promise) if inside else stretched(LONGEST)
    figure.add(_block(0, end, 0.5, words["promise"], look.faint, showlegend=False))
    if inside:
        figure.add(
            marks.line(
                [end, end],
                [0, 1],
                words["promise"],
                look.ink,
                width=3,
                meta="decoration",
                cliponaxis=False,
                hovertemplate=words.hover("times", ratio=written_ratio(promise)),
                **BAR,
            )
        )


def _bar(figure: plot.Figure, level: float, promise: float, look: Look, words: Words) -> None:
    """The bar: green as far as the promise goes, red beyond, an arrow where it leaves the picture."""
    edge, kept = stretched(LONGEST), min(level, promise)
    end, turn = (min(stretched(part), edge) for part in (min(level, LONGEST), min(kept, LONGEST)))
    figure.add(_block(0, turn, 0.28, words["bar"], KEPT))
    if level > promise * (1 + SLACK) or math.isinf(level):
        figure.add(_block(turn if math.isfinite(promise) else 0, end, 0.28, words["beyond"], BROKEN))
    arrow = {"symbol": "triangle-right", "size": 18, "color": BROKEN if level > promise else KEPT}
    if level > LONGEST:
        figure.add(
            plot.scatter(
                x=[edge],
                y=[0.5],
                mode="markers",
                marker=arrow,
                showlegend=False,
                cliponaxis=False,
                meta="decoration",
                hoverinfo="skip",
                **BAR,
            )
        )
    right = end > 0.62 * edge
    figure.add(
        plot.scatter(
            x=[end * 0.985 if right else end + 0.012 * edge],
            y=[0.5],
            mode="text",
            showlegend=False,
            hoverinfo="skip",
            text=[f"<b>{escape(words.fill('times', ratio=written_ratio(level)))}</b>"],
            meta="decoration",
            textposition="middle left" if right else "middle right",
            cliponaxis=False,
            textfont={"size": look.font_size + 4, "color": "#FFFFFF" if right else look.ink},
            **BAR,
        )
    )


def _triangles(x: Any, y: Any, look: Look, words: Words) -> plot.Trace:
    """The triangles above the reports that attain the largest ratio."""
    return plot.scatter(
        x=x,
        y=y,
        mode="markers",
        name=escape(words["attained"]),
        hoverinfo="name",
        meta="decoration",
        marker={"symbol": "triangle-down", "size": 11, "color": look.ink},
    )


def _bars(
    names: Sequence[str],
    first: Reals,
    second: Reals,
    attained: Any,
    highest: float,
    laws: Sequence[str],
    look: Look,
    words: Words,
) -> Lower:
    """Two bars for each report, one for each value, and a triangle above the reports that betray most."""
    places = list(range(len(first)))
    labels = [escape(name) for name in names] or [words.write(Count(place + 1)) for place in places]
    hover = words.hover("hover", x="%{customdata}", y="%{y:.3g}")
    traces = [
        plot.bar(x=places, y=law, name=escape(name), marker={"color": color}, customdata=labels, hovertemplate=hover)
        for law, name, color in ((first, laws[0], FIRST), (second, laws[1], SECOND))
    ]
    higher, ends = np.maximum(first, second), np.flatnonzero(attained)
    top = min(1.2 * marks.round_up(highest, (1, 1.5, 2, 3, 5, 7)), 1.12)
    if len(ends):
        traces.append(_triangles(ends, np.minimum(higher[ends] + 0.05 * top, 0.97 * top), look, words))
    named = 0 < len(names) <= NAMED
    ticks = {"tickmode": "array", "tickvals": places, "ticktext": [shortened(label) for label in labels]}
    xaxis = (ticks if named else {"showticklabels": False}) | {"range": [-0.6, len(places) - 0.4], "showgrid": False}
    return traces, xaxis, {"range": [0, top], "nticks": 5}


def _densities(laws: TwoLawsResult, reports: Reals, names: Sequence[str], look: Look, words: Words) -> Lower:
    """Two densities as shares of the higher peak, and a triangle where their ratio is largest."""
    heights = [law / laws.highest for law in (laws.first, laws.second)]
    hover = words.hover("density_hover", x="%{x:.3g}", y="%{y:.3g}")
    traces = [
        marks.line(reports, height, name, color, dash=dash, hovertemplate=hover)
        for height, name, color, dash in zip(heights, names, (FIRST, SECOND), ("solid", "dash"), strict=True)
    ]
    traces[0] = marks.filled(traces[0], FIRST)
    ends = np.flatnonzero(laws.attained)
    if len(ends):
        traces.append(_triangles(reports[ends], np.maximum(*heights)[ends] + 0.06, look, words))
    yaxis = {"range": [0, 1.15], "nticks": 4, "title": {"text": escape(words["density"])}}
    return traces, {"range": [float(reports[0]), float(reports[-1])]}, yaxis
