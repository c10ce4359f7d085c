"""The pictures of the page about promises: the bar that may touch its promise and not cross it, reports, δ, tests.

The bar's axis is stretched by a square root of the level, the same at every stop, so that a promise of 0.01 has a bar
and one of 10 still fits. Where the truth is hidden, results come without it, and what would be drawn of it is left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from explorer.facts import Count, Name, Number, Quantity
from explorer.facts.verify import level as written_level
from explorer.facts.verify import ratio as written_ratio
from explorer.facts.verify import value as written_value
from explorer.figures import marks, plot
from explorer.figures.theme import PALETTE, Look, escape, layout
from explorer.text.catalogue import Words
from ldpcore.audit import outputs_of_largest_loss
from ldpcore.channels import Finite
from ldpcore.experiments.matrixpromises import MatrixPromiseResult, NeededDeltaResult, RefusedResult
from ldpcore.experiments.mistakes import Guesses
from ldpcore.experiments.promises import (
    BestTestResult,
    SmallerPromiseResult,
    TwoLawsResult,
)
from ldpcore.experiments.verify import SLACK, AuditResult, GalleryResult, MechanismVerdict, MergedMatrix
from ldpcore.populations import Reals

FIRST, SECOND, KEPT, BROKEN = PALETTE[0], PALETTE[5], PALETTE[2], PALETTE[1]
NAMED, DRAWN = 16, 64  # so many bars carry their report's name, and so many are drawn at all
ROWS, COLUMNS = 40, 50  # the largest heat map
LONGEST = 10.8  # the level at the right end of the bar's axis
RATIOS = (1, 1.1, 1.5, 3, 10, 100, 1000, 20000)
PROMISES = (0.01, 12.0)  # the axis of promises, on all δ curves
BAR = {"xaxis": "x2", "yaxis": "y2"}


# --- the bar, and the two laws below it ------------------------------------------------------------------------------


def largest_ratio(verdict: MechanismVerdict, laws: TwoLawsResult, look: Look, words: Words) -> plot.Figure:
    """The largest ratio as a bar beside its promise; below it, where it comes from: the laws of two values' reports."""
    names = [words.fill("law", value=written_value(value)) for value in laws.values]
    if laws.reports is None:
        shown = [words.get(f"class_{name}", name) for name in laws.names]
        lower = _bars(shown, laws.first, laws.second, laws.attained, laws.highest, names, look, words)
        lower[1]["range"] = [-0.6, laws.most - 0.4]
    else:
        lower = _densities(laws, laws.reports, names, look, words)
    return _with_bar(verdict.level, verdict.claim.epsilon, lower, look, words)


def ratio_of_matrix(result: MatrixPromiseResult, look: Look, words: Words) -> plot.Figure:
    """The same for a typed matrix: its worst pair of rows below the bar."""
    first, second, attained = result.laws.first, result.laws.second, outputs_of_largest_loss(result.laws)
    chosen = np.arange(len(first))
    if len(chosen) > DRAWN:
        chosen = np.sort(np.argsort(-np.abs(result.laws.ratios()), kind="stable")[:DRAWN])
    one, other = result.leak.value, result.leak.other
    names = [words.fill("law", value=Count(row + 1)) for row in (one, other)]
    shown = [words.fill("report", place=Count(int(column) + 1)) for column in chosen]
    marked = attained[chosen] & look.truth
    lower = _bars(
        shown, first[chosen], second[chosen], marked, float(max(first.max(), second.max())), names, look, words
    )
    if one == other:  # a matrix of one row, which is its own neighbor
        lower[0][1]["showlegend"] = False
    return _with_bar(result.level, result.question.promise, lower, look, words)


Lower = tuple[list[plot.Trace], dict[str, Any], dict[str, Any]]  # the traces and the two axes of the lower part


def _with_bar(level: float, promise: float, lower: Lower, look: Look, words: Words) -> plot.Figure:
    """A figure whose upper part is the bar, as long as the level, on the field that the promise allows."""
    traces, xaxis, yaxis = lower
    axis = {
        "anchor": "y2", "range": [0, _place(LONGEST)], "tickvals": [_place(math.log(ratio)) for ratio in RATIOS],
        "ticktext": [words.write(Number(ratio)) for ratio in RATIOS], "showgrid": False,
        "title": {"text": escape(words["bar_x"]), "standoff": 4},
    }  # fmt: skip
    figure = plot.Figure(
        layout=layout(
            look, words["title"], words["x"], words["y"], xaxis={"anchor": "y"} | xaxis, xaxis2=axis,
            yaxis={"domain": [0, 0.55]} | yaxis, barmode="group",
            yaxis2={"domain": [0.78, 1], "anchor": "x2", "visible": False, "range": [0, 1], "fixedrange": True},
        )
    )  # fmt: skip
    _promised(figure, promise, look, words)
    if not math.isnan(level):
        _bar(figure, level, promise, look, words)
    for trace in traces:
        figure.add(trace)
    return figure


def _place(level: float) -> float:
    """Where a level lies on the bar's axis."""
    return math.sqrt(level)


def _block(left: float, right: float, half: float, name: str, color: str, **more: Any) -> plot.Trace:
    """A piece of a bar, from one place to another."""
    return plot.scatter(
        x=[left, right, right, left, left], y=[0.5 - half, 0.5 - half, 0.5 + half, 0.5 + half, 0.5 - half],
        mode="lines", line={"width": 0}, fill="toself", fillcolor=color, name=escape(name), meta="decoration",
        hoveron="fills", hoverinfo="name", **BAR, **more,
    )  # fmt: skip


def _promised(figure: plot.Figure, promise: float, look: Look, words: Words) -> None:
    """The field that the promise allows, and its end as a line; without an end where the promise has none."""
    inside = promise <= LONGEST
    end = _place(promise) if inside else _place(LONGEST)
    figure.add(_block(0, end, 0.5, words["promise"], look.faint, showlegend=False))
    if inside:
        figure.add(
            marks.line([end, end], [0, 1], words["promise"], look.ink, width=3, meta="decoration", cliponaxis=False,
                       hovertemplate=words.hover("times", ratio=written_ratio(promise)), **BAR)
        )  # fmt: skip


def _bar(figure: plot.Figure, level: float, promise: float, look: Look, words: Words) -> None:
    """The bar: green as far as the promise goes, red beyond, an arrow where it leaves the picture."""
    edge, kept = _place(LONGEST), min(level, promise)
    end, turn = (min(_place(part), edge) for part in (min(level, LONGEST), min(kept, LONGEST)))
    figure.add(_block(0, turn, 0.28, words["bar"], KEPT))
    if level > promise * (1 + SLACK) or math.isinf(level):
        figure.add(_block(turn if math.isfinite(promise) else 0, end, 0.28, words["beyond"], BROKEN))
    arrow = {"symbol": "triangle-right", "size": 18, "color": BROKEN if level > promise else KEPT}
    if level > LONGEST:
        figure.add(plot.scatter(x=[edge], y=[0.5], mode="markers", marker=arrow, showlegend=False, cliponaxis=False,
                                meta="decoration", hoverinfo="skip", **BAR))  # fmt: skip
    right = end > 0.62 * edge
    figure.add(
        plot.scatter(
            x=[end * 0.985 if right else end + 0.012 * edge], y=[0.5], mode="text", showlegend=False, hoverinfo="skip",
            text=[f"<b>{escape(words.fill('times', ratio=written_ratio(level)))}</b>"], meta="decoration",
            textposition="middle left" if right else "middle right", cliponaxis=False,
            textfont={"size": look.font_size + 4, "color": "#FFFFFF" if right else look.ink}, **BAR,
        )
    )  # fmt: skip


def _triangles(x: Any, y: Any, look: Look, words: Words) -> plot.Trace:
    """Above the reports that attain the largest ratio."""
    return plot.scatter(
        x=x, y=y, mode="markers", name=escape(words["attained"]), hoverinfo="name", meta="decoration",
        marker={"symbol": "triangle-down", "size": 11, "color": look.ink},
    )  # fmt: skip


def _bars(
    names: Sequence[str], first: Reals, second: Reals, attained: Any, highest: float, laws: Sequence[str], look: Look,
    words: Words,
) -> Lower:  # fmt: skip
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
    ticks = {"tickmode": "array", "tickvals": places, "ticktext": [_short(label) for label in labels]}
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


def _short(name: str) -> str:
    return name if len(name) <= 22 else name[:21] + "…"


# --- reports in full -------------------------------------------------------------------------------------------------


def kind_of_reports(verdict: MechanismVerdict, *_: TwoLawsResult) -> str:
    """How all reports can be shown: as a matrix, by what each report does to one value, or by their ratios."""
    if verdict.channel is not None:
        return "heat"
    return "losses" if verdict.factors is None else "factors"


def reports(verdict: MechanismVerdict, laws: TwoLawsResult, look: Look, words: Words) -> plot.Figure:
    """All reports of a mechanism, in the way that suits their number."""
    kind = kind_of_reports(verdict)
    if kind == "losses":
        return _losses(verdict, laws, look, words)
    return (_heat if kind == "heat" else _factors)(verdict, look, words)


def _heat(verdict: MechanismVerdict, look: Look, words: Words) -> plot.Figure:
    """The whole channel of a small mechanism."""
    channel = verdict.channel
    assert channel is not None
    rows = [words.fill("law", value=Count(value)) for value in range(len(channel.matrix))]
    names = [str(report) for report in channel.reports]
    return _heat_map(channel, rows, names, verdict.pair if look.truth else None, look, words)


def _factors(verdict: MechanismVerdict, look: Look, words: Words) -> plot.Figure:
    """For many values: how a report treats the value that a person holds, and any one other value."""
    found = verdict.factors
    assert found is not None
    rows, columns = [words["own"], words["other"]], [words["yes"], words["no"]]
    return _heat_map(found, rows, columns, (0, 1) if look.truth else None, look, words)


def typed_matrix(result: MatrixPromiseResult, look: Look, words: Words) -> plot.Figure:
    """A typed matrix, or what of it betrays most where it is too large; above, the reports that break the promise."""
    channel, leak = result.question.channel, result.leak
    part, rows, columns = betraying(channel, (leak.value, leak.other))
    worst = (rows.index(leak.value), rows.index(leak.other))
    figure = _heat_map(
        part, [words.fill("law", value=Count(row + 1)) for row in rows],
        [words.fill("report", place=Count(column + 1)) for column in columns], worst if look.truth else None, look,
        words,
    )  # fmt: skip
    guilty = [place for place, column in enumerate(columns) if column in set(result.beyond.tolist())]
    marker = {"symbol": "triangle-down", "size": 14, "color": BROKEN}
    figure.layout["yaxis"] |= {"autorange": False, "range": [len(rows) - 0.5, -0.95]}
    figure.add_scatter(
        x=guilty or [None], y=[-0.72] * max(len(guilty), 1), mode="markers", name=escape(words["guilty"]),
        marker=marker, hoverinfo="name", meta="decoration",
    )  # fmt: skip
    return figure


def _heat_map(
    channel: Finite, rows: Sequence[str], columns: Sequence[str], worst: tuple[Any, Any] | None, look: Look,
    words: Words,
) -> plot.Figure:  # fmt: skip
    """One row for each value, one column for each report; rings on the two entries whose ratio is largest."""
    matrix = np.asarray(channel.matrix)
    shade = [[0, look.paper], [0.5, PALETTE[4]], [1, "#003F66" if not look.dark else "#BFE3FF"]]
    small = matrix.size <= 24
    names = np.array([[words.fill("cell", row=Name(row), column=Name(column)) for column in columns] for row in rows])
    figure = plot.Figure(
        plot.heatmap(
            z=matrix, zmin=0, zmax=1, colorscale=shade, name=escape(words["cells"]), x=list(range(len(columns))),
            y=list(range(len(rows))), hovertemplate=words.hover("hover", x="%{customdata}", y="%{z:.3g}"),
            customdata=np.array([[escape(name) for name in line] for line in names]),
            texttemplate="%{text}" if small else None,
            text=[[words.write(Number(float(cell), 2)) for cell in row] for row in matrix] if small else None,
            colorbar={"thickness": 12, "outlinewidth": 0}, showscale=not small, showlegend=False,
        ),
        layout(look, words["title"], words["x"], words["y"], xaxis=_named(columns, NAMED),
               yaxis=_named(rows, ROWS) | {"autorange": "reversed"}),
    )  # fmt: skip
    if worst is not None and len(rows) > 1:
        _rings(figure, channel, (int(worst[0]), int(worst[1])), small, words)
    return figure


def _rings(figure: plot.Figure, channel: Finite, worst: tuple[int, int], small: bool, words: Words) -> None:
    """Rings on the two entries of the first column whose ratio is the largest."""
    attained = np.flatnonzero(outputs_of_largest_loss(channel.pair(*worst)))
    if attained.size:
        marker = {"symbol": "circle-open", "size": 34 if small else 14, "color": BROKEN, "line": {"width": 3}}
        figure.add_scatter(
            x=[int(attained[0])] * 2, y=list(worst), mode="markers", name=escape(words["pair"]), meta="decoration",
            marker=marker, hoverinfo="name",
        )  # fmt: skip


def _named(names: Sequence[str], most: int) -> dict[str, Any]:
    """The ticks of an axis of names; none where they would cover each other."""
    if len(names) > most:
        return {"showticklabels": False, "showgrid": False}
    texts = [escape(_short(name)) for name in names]
    return {"tickmode": "array", "tickvals": list(range(len(names))), "ticktext": texts, "showgrid": False}


def betraying(channel: Finite, worst: tuple[int, int]) -> tuple[Finite, list[int], list[int]]:
    """What of a channel can be drawn: all of it, else the worst two rows, and the columns that betray most."""
    matrix = np.asarray(channel.matrix)
    rows, columns = list(range(len(matrix))), np.arange(matrix.shape[1])
    if len(columns) > COLUMNS:
        order = np.argsort(-np.abs(channel.pair(*worst).ratios()), kind="stable")
        columns = np.sort(order[:COLUMNS])
    if len(rows) > ROWS:
        rows = sorted(set(worst))
    return Finite(matrix[rows][:, columns]), rows, columns.tolist()


def _losses(verdict: MechanismVerdict, laws: TwoLawsResult, look: Look, words: Words) -> plot.Figure:
    """ln of the ratio of the two laws, report by report: a line that stays between two promises."""
    if laws.reports is None:
        x, y = np.arange(len(verdict.laws.first), dtype=float), np.sort(verdict.laws.ratios())
    else:
        with np.errstate(divide="ignore", invalid="ignore"):
            x, y = laws.reports, np.log(laws.first) - np.log(laws.second)
    ends, edge = [float(x[0]), max(float(x[-1]), float(laws.most - 1))], _place(LONGEST)
    ticks = (-10, -3, -1, -0.1, 0, 0.1, 1, 3, 10)
    figure = plot.Figure(
        layout=layout(
            look, words["title"], words["x"], words["y"],
            xaxis={"range": ends, "showticklabels": laws.reports is not None},
            yaxis={"range": [-edge, edge], "tickvals": [math.copysign(_place(abs(tick)), tick) for tick in ticks],
                   "ticktext": [words.write(Number(tick)) for tick in ticks]},
        )
    )  # fmt: skip
    if look.truth:
        written = _each(np.nan_to_num(y, nan=0.0, posinf=math.inf, neginf=-math.inf).tolist(), words, written_level)
        curve = marks.line(
            x, np.sign(y) * np.sqrt(np.minimum(np.abs(y), 2 * LONGEST)), words["loss"], FIRST, meta="pin",
            customdata=written, hovertemplate=words.hover("hover", x="%{x:.3g}", y="%{customdata}"),
        )  # fmt: skip
        figure.add(curve if laws.reports is not None else curve | {"line": curve["line"] | {"shape": "hv"}})
    for sign in (1, -1) if verdict.claim.epsilon <= LONGEST else ():
        at = sign * _place(verdict.claim.epsilon)
        figure.add(marks.guide(ends, [at, at], words["promise"], look.ink, showlegend=sign > 0))
    return figure


# --- δ, tests, merging -----------------------------------------------------------------------------------------------


def delta_of_pair(result: SmallerPromiseResult, look: Look, words: Words) -> plot.Figure:
    """The curve of the pair of values that is shown."""
    return _delta_curve(result, result, look, words)


def delta_of_matrix(curve: SmallerPromiseResult, asked: NeededDeltaResult, look: Look, words: Words) -> plot.Figure:
    """The curve of a whole matrix, over all pairs of its rows."""
    return _delta_curve(curve, asked, look, words)


def _delta_curve(
    curve: SmallerPromiseResult, asked: SmallerPromiseResult | NeededDeltaResult, look: Look, words: Words
) -> plot.Figure:
    """What must be allowed to go wrong for a smaller level to be true; nothing from the exact level on."""
    few = len(curve.epsilons) < 20  # of a large matrix few points are exact, and the line between them is not
    figure = plot.Figure(
        layout=layout(look, words["title"], words["x"], words["y"], xaxis=_promises(words),
                      yaxis={"range": [-0.03, 1.05]})
    )  # fmt: skip
    if look.truth:
        trace = marks.line(curve.epsilons, curve.deltas, words["curve"], FIRST, meta="pin",
                           mode="lines+markers" if few else "lines",
                           hovertemplate=words.hover("hover", x="%{x:.3g}", y="%{y:.3g}"))  # fmt: skip
        figure.add(trace if few else marks.filled(trace, FIRST))
        if math.isfinite(curve.level):
            figure.add(marks.guide([curve.level] * 2, [0, 1], words["level"], look.ink))
        figure.add(marks.ring(asked.alpha, asked.needed, words["stricter"], look))
    else:
        figure.add(marks.guide([asked.alpha] * 2, [0, 1], words["stricter"], look.ghost))
    return figure


def _promises(words: Words) -> dict[str, Any]:
    """The axis of promises."""
    ticks = (0.01, 0.03, 0.1, 0.3, 1, 3, 10)
    written = [words.write(Number(tick)) for tick in ticks]
    return marks.logarithmic(*PROMISES, tickvals=ticks, ticktext=written)


def power(result: BestTestResult, look: Look, words: Words) -> plot.Figure:
    """How often the best test of one report finds one value, against how often it accuses the other."""
    hover = words.hover("hover", x="%{x:.3g}", y="%{y:.4g}")
    sizes = 100 * result.sizes
    figure = plot.Figure(
        layout=layout(
            look, words["title"], words["x"], words["y"], xaxis={"range": [-2, 102]}, yaxis={"range": [-2, 104]}
        ),
    )
    figure.add(marks.guide([0, 100], [0, 100], words["guessing"], look.ghost, dash="dot"))
    if look.truth:
        color = BROKEN if result.beyond else FIRST
        best = marks.line(sizes, 100 * result.best, words["best"], color, meta="pin", hovertemplate=hover)
        figure.add(marks.filled(best, color))
        figure.add(marks.ring(100 * result.size, 100 * result.reached, words["present"], look))
    figure.add(
        marks.line(sizes, 100 * result.bound, words["bound"], look.ink, dash="dash", width=2, hovertemplate=hover)
    )
    return figure


def ladder(merged: MergedMatrix, promise: MatrixPromiseResult, look: Look, words: Words) -> plot.Figure:
    """The level as reports are merged two by two: it falls or stays, and with one report left it is zero."""
    counts, levels = (np.array(side, dtype=float) for side in zip(*merged.ladder, strict=True))
    levels[levels < 1e-12] = 0  # what rounding leaves of nothing
    most = _place(LONGEST)
    ticks = (0, 0.01, 0.1, 0.5, 1, 2, 5, 10)
    figure = plot.Figure(
        layout=layout(
            look, words["title"], words["x"], words["y"],
            yaxis={"range": [-0.03 * most, 1.06 * most], "tickvals": [_place(tick) for tick in ticks],
                   "ticktext": [words.write(Number(tick)) for tick in ticks]},
            xaxis={"type": "log", "range": [math.log10(counts[0]) + 0.15, -0.12], "tickvals": counts,
                   "ticktext": [words.write(Count(int(count))) for count in counts]},
        )
    )  # fmt: skip
    if look.truth:
        written = [words.write(written_level(float(level))) for level in levels]
        line = marks.line(
            counts, np.sqrt(np.minimum(levels, LONGEST)), words["merged"], FIRST, mode="lines+markers+text", meta="pin",
            marker={"size": 11}, text=written, textposition="top right", cliponaxis=False,
            hovertemplate=words.hover("hover", x="%{x}", y="%{text}"),
        )  # fmt: skip
        figure.add(line)
        own = float(merged.merged.matrix.shape[1]), _place(min(merged.merged_leak.amount, LONGEST))
        figure.add(marks.ring(*own, words["present"], look))
    at = _place(min(promise.question.promise, LONGEST))
    figure.add(marks.guide([2 * counts[0], 0.5], [at, at], words["promise"], BROKEN))
    return figure


def unreadable(result: RefusedResult, look: Look, words: Words) -> str:
    """Nothing can be drawn of what is no matrix yet."""
    return ""


# --- audits ----------------------------------------------------------------------------------------------------------


def audit(result: AuditResult, look: Look, words: Words) -> plot.Figure:
    """What more and more trials prove, in parts of the promise, closing in from below on the exact level."""
    trials, bounds = np.array(result.audit.trials[: len(result.bounds)], dtype=float), result.epsilons
    claim, unit = result.claim.epsilon, _unit(result.claim.epsilon, result.exact)
    ends, whole = [50.0, 2e9], 210.0
    figure = plot.Figure(
        layout=layout(look, words["title"], words["x"], words["y"], yaxis={"range": [-6, whole], "dtick": 50},
                      xaxis={"type": "log", "dtick": 1, "range": [math.log10(end) for end in ends]})
    )  # fmt: skip
    if math.isfinite(claim):
        figure.add(marks.guide(ends, [100 * claim / unit] * 2, words["promise"], look.ink))
    if look.truth and math.isfinite(result.exact):
        exact = min(100 * result.exact / unit, 2 * whole)
        color = KEPT if result.exact <= claim * (1 + SLACK) else BROKEN
        figure.add(marks.line(ends, [exact] * 2, words["exact"], color, width=2, hoverinfo="name"))
    shares = 100 * bounds / unit
    beyond = np.minimum(shares, 0.97 * whole)
    marker = {"size": 11, "color": FIRST, "symbol": ["triangle-up" if share > whole else "circle" for share in shares]}
    figure.add(
        marks.line(trials, beyond, words["proven"], FIRST, mode="lines+markers", meta="pin", marker=marker,
                   customdata=[words.write(written_level(bound)) for bound in bounds.tolist()],
                   hovertemplate=words.hover("hover", x="%{x:,.3g}", y="%{customdata}"))
    )  # fmt: skip
    return figure


def _unit(claim: float, exact: float) -> float:
    """What a hundred per cent are: the promise, or the exact level where nothing finite was promised."""
    return next((level for level in (claim, exact) if 0 < level < math.inf), 1.0)


def gallery(result: GalleryResult, guesses: Guesses, look: Look, words: Words) -> plot.Figure:
    """What each exhibit promises, what its audit proves, and, once revealed, its exact level."""
    places = list(range(1, len(result.exhibits) + 1))
    proven = [float(exhibit.audit.epsilons[-1]) for exhibit in result.exhibits]
    top = 4.5
    figure = plot.Figure(
        plot.bar(x=places, y=[min(bound, top) for bound in proven], width=0.55, name=escape(words["proven"]),
                 marker={"color": FIRST}, customdata=_each(proven, words, written_level),
                 hovertemplate=words.hover("hover", x="%{x}", y="%{customdata}")),
        layout(look, words["title"], words["x"], words["y"], yaxis={"range": [0, top]},
               xaxis={"range": [0.4, len(places) + 0.6], "dtick": 1}),
    )  # fmt: skip
    claims = [exhibit.claim.epsilon for exhibit in result.exhibits]
    stroke = {"symbol": "line-ew-open", "size": 30, "color": look.ink, "line": {"width": 4}}
    figure.add_scatter(
        x=places, y=claims, mode="markers", name=escape(words["promise"]), marker=stroke,
        hovertemplate=words.hover("claim_hover", x="%{x}", y="%{y:.4g}"),
    )  # fmt: skip
    if guesses.sound and look.truth:
        levels = [exhibit.real.epsilon for exhibit in result.exhibits]
        at, symbols = marks.within(np.array(levels), top)
        colors = [KEPT if exhibit.sound else BROKEN for exhibit in result.exhibits]
        marker = {"symbol": marks.upright(symbols), "size": 14, "color": colors}
        figure.add(
            marks.dots(places, at, words["exact"], marker=marker, customdata=_each(levels, words, written_level),
                       hovertemplate=words.hover("exact_hover", x="%{x}", y="%{customdata}"))
        )  # fmt: skip
    return figure


def _each(values: Iterable[float], words: Words, quantity: Callable[[float], Quantity]) -> list[str]:
    """Numbers as people read them."""
    return [words.write(quantity(value)) for value in values]
