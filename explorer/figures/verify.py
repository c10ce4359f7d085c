"""The pictures of the verify page: the bar that may touch its promise and not cross it, reports, δ, tests, audits."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from explorer.figures import plot
from explorer.figures.theme import PALETTE, Look, escape, layout
from explorer.numbers import scientific, significant, times
from ldpcore.audit import best_power, outputs_of_largest_loss, power_bound
from ldpcore.channels import Finite, Pair
from ldpcore.experiments.verify import (
    AuditResult,
    Densities,
    GalleryResult,
    MatrixVerdict,
    MechanismVerdict,
    MergedMatrix,
)
from ldpcore.matrices import Leak
from ldpcore.populations import Reals

Words = Mapping[str, str]
FIRST, SECOND, KEPT, BROKEN = PALETTE[0], PALETTE[5], PALETTE[2], PALETTE[1]
NAMED, DRAWN = 16, 64  # so many bars carry their report's name, and so many are drawn at all
ROWS, CELLS = 40, 2000  # the largest heat map


def reach(amount: float) -> float:
    """How far an axis goes: constant over a quarter of a decade, so that it holds still while a slider moves."""
    return float(10 ** (math.ceil(round(4 * math.log10(amount), 9)) / 4)) if amount > 0 else 1.0


def _line(x: Any, y: Any, name: str, color: str, **more: Any) -> plot.Trace:
    line = {"color": color, "width": more.pop("width", 3), "dash": more.pop("dash", "solid")}
    return plot.scatter(x=x, y=y, mode="lines", name=escape(name), line=line, **more)


def _ring(x: float, y: float, name: str, look: Look) -> plot.Trace:
    """Where the page's own numbers stand on a curve."""
    marker = {"size": 18, "symbol": "circle-open", "color": look.ink, "line": {"width": 3}}
    return plot.scatter(x=[x], y=[y], mode="markers", name=escape(name), marker=marker)


# --- the bar, and the two laws below it ------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Reports:
    """The outcomes that are drawn, with their probabilities given either value and where the ratio is largest."""

    names: tuple[str, ...]
    first: Reals
    second: Reals
    attained: Any

    @classmethod
    def of(cls, laws: Pair, names: Sequence[str] = ()) -> Reports:
        """Every outcome of two laws; only those that betray most where there are more than can be drawn."""
        attained, chosen = outputs_of_largest_loss(laws), np.arange(len(laws.first))
        if len(chosen) > DRAWN:
            chosen = np.sort(np.argsort(-np.abs(laws.ratios()), kind="stable")[:DRAWN])
        shown = tuple(names[int(index)] for index in chosen) if names else ()
        return cls(shown, laws.first[chosen], laws.second[chosen], attained[chosen])


def drawn_reports(verdict: MechanismVerdict, classes: Mapping[str, str]) -> Reports:
    """The reports of a small channel one by one, of a large one in classes of one likelihood ratio."""
    channel = verdict.channel
    if channel is not None and channel.matrix.shape[1] <= NAMED:
        return Reports.of(channel.pair(*verdict.pair), [str(report) for report in channel.reports])
    return Reports.of(verdict.laws, [classes.get(name, name) for name in verdict.laws.outcomes])


def largest_ratio(verdict: MechanismVerdict, classes: Mapping[str, str], look: Look, words: Words) -> plot.Figure:
    """The largest ratio as a bar beside the promise; below it, where it comes from: the laws of two values' reports."""
    if verdict.densities is None:
        lower = _bars(drawn_reports(verdict, classes), look, words)
    else:
        lower = _curves(verdict.densities, verdict.witness.report, look, words)
    return _with_bar(verdict.level, verdict.claim.epsilon, lower, look, words)


def ratio_of_matrix(level: float, promise: float, laws: Pair, look: Look, words: Words) -> plot.Figure:
    """The same for a typed matrix: its worst pair of rows below the bar."""
    shown = Reports.of(laws, _counted(words["x"], range(len(laws.first))))
    return _with_bar(level, promise, _bars(shown, look, words), look, words)


@dataclass(frozen=True, eq=False)
class Lower:
    """The lower part of the picture: its traces and its two axes."""

    traces: list[Any]
    xaxis: dict[str, Any]
    yaxis: dict[str, Any]


def _counted(noun: str, places: Iterable[int]) -> list[str]:
    """Report 1, report 2, …: places counted from 0 as people count them."""
    return [f"{noun} {place + 1}" for place in places]


def _with_bar(level: float, promise: float, lower: Lower, look: Look, words: Words) -> plot.Figure:
    """A figure whose upper part is the bar, as long as the level, and the line of the promise."""
    finite = [value for value in (level, promise) if math.isfinite(value)]
    length = 1.3 * reach(max([*finite, 1e-9])) if max(finite, default=0) > 0 else 1.0
    steps = _ratio_ticks(length)
    axis = {
        "domain": [0, 1], "anchor": "y2", "range": [0, length], "tickvals": np.log(steps), "showgrid": False,
        "ticktext": [_tick(step) for step in steps], "title": {"text": escape(words["bar_x"]), "standoff": 2},
    }  # fmt: skip
    above = []
    if math.isfinite(promise):
        above.append(
            _line([promise, promise], [0, 1], words["promise"], look.ink, xaxis="x2", yaxis="y2", meta="decoration",
                  hovertemplate=f"× {_ratio(promise)}<extra></extra>")
        )  # fmt: skip
    if look.truth:
        above.append(_bar(level, promise, length, look, words))
    return plot.Figure(
        [*above, *lower.traces],
        layout(
            look, words["title"], words["x"], words["y"], xaxis={"domain": [0, 1]} | lower.xaxis, xaxis2=axis,
            yaxis={"domain": [0, 0.6]} | lower.yaxis, barmode="group",
            yaxis2={"domain": [0.84, 1], "anchor": "x2", "visible": False, "range": [0, 1]},
        ),
    )  # fmt: skip


def _bar(level: float, promise: float, length: float, look: Look, words: Words) -> plot.Trace:
    """The bar itself, with its ratio written where there is room."""
    kept = level <= promise * (1 + 1e-9) and math.isfinite(level)
    short = math.isfinite(level) and len(_ratio(level)) <= 6
    return plot.bar(
        x=[min(level, length)], y=[0.5], width=0.62, orientation="h", xaxis="x2", yaxis="y2", name=escape(words["bar"]),
        marker={"color": KEPT if kept else BROKEN}, showlegend=False, meta="decoration", cliponaxis=False,
        text=f"  × {_ratio(level)}  ", textposition="outside" if short else "inside", insidetextanchor="end",
        textfont={"size": look.font_size + 2}, hovertemplate=f"× {_ratio(level)}<extra></extra>",
    )  # fmt: skip


def _ratio_ticks(length: float) -> list[float]:
    """Round ratios from 1 to e^length: even steps where they are close to 1, powers of ten where they are far."""
    if length < math.log(2):
        span = math.expm1(length)
        power = 10.0 ** math.floor(math.log10(span))
        step = next(power * part for part in (0.2, 0.5, 1, 2) if span / (power * part) <= 5)
        return [1 + step * count for count in range(int(span / step) + 1)]
    if length < math.log(30):
        return [ratio for ratio in (1, 1.5, 2, 3, 5, 10, 20) if math.log(ratio) <= length]
    step = math.ceil(length / math.log(10) / 5)
    return [10.0**power for power in range(0, int(length / math.log(10)) + 1, step)]


def _tick(ratio: float) -> str:
    """A round ratio on an axis: 1.5, 20, 10⁷."""
    return significant(ratio, 12) if ratio < 10_000 else scientific(ratio, 1).split("×")[-1].strip()


def _ratio(level: float) -> str:
    """e^level with as many digits as tell it from 1."""
    if math.isinf(level) or level == 0:
        return "∞" if level else "1"
    return times(level, 3 if level > 0.1 else min(3 - math.floor(math.log10(level)), 12))


def _triangles(x: Any, y: Any, look: Look, words: Words) -> plot.Trace:
    """Above the reports that attain the largest ratio."""
    return plot.scatter(
        x=x, y=y, mode="markers", name=escape(words["attained"]), hoverinfo="name", meta="decoration",
        marker={"symbol": "triangle-down", "size": 11, "color": look.ink},
    )  # fmt: skip


def _bars(shown: Reports, look: Look, words: Words) -> Lower:
    """Two bars for each report, one for each value, and a triangle above the reports that betray most."""
    named, places = 0 < len(shown.names) <= NAMED, list(range(len(shown.first)))
    traces: list[Any] = [
        plot.bar(x=places, y=law, name=escape(name), marker={"color": color}, customdata=list(shown.names) or places,
                 hovertemplate=words["hover"])
        for law, name, color in ((shown.first, words["first"], FIRST), (shown.second, words["second"], SECOND))
    ]  # fmt: skip
    higher, ends = np.maximum(shown.first, shown.second), np.flatnonzero(shown.attained)
    top = min(1.15 * reach(float(higher.max())), 1.12)
    if len(ends) and look.truth:
        traces.append(_triangles(ends, higher[ends] + 0.04 * top, look, words))
    ticks = {"tickmode": "array", "tickvals": places, "ticktext": [escape(_short(name)) for name in shown.names]}
    xaxis = (ticks if named else {"showticklabels": False}) | {"range": [-0.6, len(places) - 0.4]}
    return Lower(traces, xaxis, {"range": [0, top]})


def _short(name: str) -> str:
    return name if len(name) <= 22 else name[:21] + "…"


def _curves(laws: Densities, report: float, look: Look, words: Words) -> Lower:
    """Two densities, and a triangle above a report at which their ratio is largest, where the axis reaches it."""
    low, high = float(laws.reports[0]), float(laws.reports[-1])
    top = 1.1 * reach(max(float(laws.first.max()), float(laws.second.max())))
    traces: list[Any] = [
        _line(laws.reports, law, name, color, hovertemplate=words["density_hover"])
        for law, name, color in ((laws.first, words["first"], FIRST), (laws.second, words["second"], SECOND))
    ]
    if look.truth and low <= report <= high:
        height = max(float(np.interp(report, laws.reports, law)) for law in (laws.first, laws.second))
        traces.append(_triangles([report], [height + 0.05 * top], look, words))
    return Lower(traces, {"range": [low, high]}, {"range": [0, top], "title": {"text": escape(words["density"])}})


# --- reports in full -------------------------------------------------------------------------------------------------


def heat(verdict: MechanismVerdict, look: Look, words: Words) -> plot.Figure:
    """The whole channel of a small mechanism."""
    channel = verdict.channel
    assert channel is not None
    rows = [f"{words['value']} {value}" for value in range(len(channel.matrix))]
    return _heat_map(channel, rows, [str(report) for report in channel.reports], verdict.pair, look, words)


def factors(verdict: MechanismVerdict, look: Look, words: Words) -> plot.Figure:
    """For many values: how a report treats the value that a person holds, and any one other value."""
    found = verdict.factors
    assert found is not None
    return _heat_map(found, [words["own"], words["other"]], [words["yes"], words["no"]], (0, 1), look, words)


def typed_matrix(channel: Finite, leak: Leak, look: Look, words: Words) -> plot.Figure:
    """A typed matrix, or what of it betrays most where it is too large to draw."""
    part, rows, columns = betraying(channel, (leak.value, leak.other))
    worst = rows.index(leak.value), rows.index(leak.other)
    return _heat_map(part, _counted(words["value"], rows), _counted(words["x"], columns), worst, look, words)


def _heat_map(
    channel: Finite, rows: Sequence[str], columns: Sequence[str], worst: tuple[int, int], look: Look, words: Words
) -> plot.Figure:
    """One row for each value, one column for each report; rings on the two entries whose ratio is largest."""
    matrix = np.asarray(channel.matrix)
    top = reach(float(matrix.max()))
    worst = (int(worst[0]), int(worst[1]))
    shade = [[0, look.paper], [0.5, PALETTE[4]], [1, "#003F66" if not look.dark else "#BFE3FF"]]
    written = matrix.size <= 24
    figure = plot.Figure(
        plot.heatmap(
            z=matrix, zmin=0, zmax=min(top, 1.0), colorscale=shade, name=escape(words["cells"]),
            x=list(range(len(columns))), y=list(range(len(rows))), hovertemplate=words["hover"],
            customdata=np.array([[f"{row}, {column}" for column in columns] for row in rows]),
            texttemplate="%{text}" if written else None,
            text=[[significant(float(cell), 2) for cell in row] for row in matrix] if written else None,
            colorbar={"thickness": 12, "outlinewidth": 0}, showscale=not written,
        ),
        layout(look, words["title"], words["x"], words["y"], xaxis=_named(columns, NAMED),
               yaxis=_named(rows, ROWS) | {"autorange": "reversed"}),
    )  # fmt: skip
    attained = outputs_of_largest_loss(channel.pair(*worst))
    if attained.any() and look.truth and len(rows) > 1:
        column = int(np.flatnonzero(attained)[0])
        figure.add_scatter(
            x=[column, column], y=list(worst), mode="markers", name=escape(words["pair"]), meta="decoration",
            marker={"symbol": "circle-open", "size": 34 if written else 14, "color": BROKEN, "line": {"width": 3}},
            hoverinfo="name",
        )  # fmt: skip
    return figure


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
    if len(columns) > CELLS // ROWS:
        order = np.argsort(-np.abs(channel.pair(*worst).ratios()), kind="stable")
        columns = np.sort(order[: CELLS // ROWS])
    if len(rows) > ROWS:
        rows = sorted(set(worst))
    return Finite(matrix[rows][:, columns]), rows, columns.tolist()


def losses(verdict: MechanismVerdict, look: Look, words: Words) -> plot.Figure:
    """ln of the ratio of the two densities, report by report: a line that stays between two promises."""
    laws = verdict.densities
    if laws is None:
        x, y = np.arange(len(verdict.laws.first), dtype=float), np.sort(verdict.laws.ratios())
    else:
        with np.errstate(divide="ignore", invalid="ignore"):
            x, y = laws.reports, np.log(laws.first) - np.log(laws.second)
    claim = verdict.claim.epsilon
    bounded = [abs(float(value)) for value in (y.min(), y.max(), claim) if math.isfinite(value)]
    high = 1.15 * reach(max([*bounded, 1e-9]))
    figure = plot.Figure(
        _line(x, y, words["loss"], FIRST, meta="pin", hovertemplate=words["hover"]),
        layout(look, words["title"], words["x"], words["y"], xaxis={"range": [float(x[0]), float(x[-1])]},
               yaxis={"range": [-high, high]}),
    )  # fmt: skip
    if laws is None:
        figure.data[0]["line"] |= {"shape": "hv"}
        figure.layout["xaxis"] |= {"showticklabels": False}
    if math.isfinite(claim):
        for sign in (1, -1):
            figure.add(
                _line([float(x[0]), float(x[-1])], [sign * claim] * 2, words["promise"], look.ink, dash="dash", width=2,
                      meta="decoration", showlegend=sign > 0, hoverinfo="name")
            )  # fmt: skip
    return figure


# --- δ, tests, merging -----------------------------------------------------------------------------------------------


def delta_of_pair(verdict: MechanismVerdict, look: Look, words: Words, stricter: tuple[float, float]) -> plot.Figure:
    """The curve of the pair of values that is shown."""
    return _delta_curve(verdict.epsilons, verdict.deltas, verdict.level, stricter, look, words)


def delta_of_matrix(verdict: MatrixVerdict, look: Look, words: Words, stricter: tuple[float, float]) -> plot.Figure:
    """The curve of a whole matrix, over all pairs of its rows."""
    return _delta_curve(verdict.epsilons, verdict.deltas, verdict.leak.amount, stricter, look, words)


def _delta_curve(
    epsilons: Reals, deltas: Reals, level: float, stricter: tuple[float, float], look: Look, words: Words
) -> plot.Figure:
    """What must be allowed to go wrong for a smaller level to be true; nothing from the exact level on."""
    end = 1.1 * reach(max(float(epsilons[-1]), stricter[0]))
    if math.isfinite(level):
        epsilons, deltas = np.append(epsilons, end), np.append(deltas, 0.0)
    figure = plot.Figure(
        _line(epsilons, deltas, words["curve"], FIRST, meta="pin", hovertemplate=words["hover"]),
        layout(look, words["title"], words["x"], words["y"], xaxis={"range": [0, end]}, yaxis={"range": [-0.02, 1.02]}),
    )
    if (
        len(epsilons) < 20
    ):  # a large matrix is asked at few levels only: the dots are exact, the line between them is not
        figure.data[0].update(mode="lines+markers", marker={"size": 8})
    if math.isfinite(level) and look.truth:
        figure.add(
            _line([level, level], [0, 1], words["level"], look.ink, dash="dash", width=2, meta="decoration",
                  hoverinfo="name")
        )  # fmt: skip
    figure.add(_ring(*stricter, words["stricter"], look))
    return figure


def power(laws: Pair, promise: float, delta: float, size: float, look: Look, words: Words) -> plot.Figure:
    """How often the best test of one report finds one value, against how often it accuses the other."""
    # The corners of both lines are among the points, so that straight lines between the points are exact.
    corners = np.cumsum(laws.second[np.argsort(-laws.ratios(), kind="stable")])
    kink = math.exp(-promise) * (1 - delta) / (1 + math.exp(-promise))
    sizes = np.unique(np.clip(np.concatenate([[0.0, kink, 1.0], corners]), 0, 1))
    bound = power_bound(sizes, promise, delta)
    figure = plot.Figure(
        _line(100 * sizes, 100 * bound, words["bound"], look.ink, dash="dash", width=2, hovertemplate=words["hover"]),
        layout(look, words["title"], words["x"], words["y"], xaxis={"range": [-2, 102]}, yaxis={"range": [-2, 104]}),
    )
    figure.add(
        _line(100 * sizes, 100 * best_power(laws, sizes), words["best"], FIRST, meta="pin",
              hovertemplate=words["hover"])
    )  # fmt: skip
    figure.add(_line([0, 100], [0, 100], words["guessing"], look.ghost, dash="dot", width=2, meta="decoration"))
    reached = float(best_power(laws, [size])[0])
    figure.add(_ring(100 * size, 100 * reached, words["present"], look))
    return figure


def ladder(verdict: MergedMatrix, look: Look, words: Words) -> plot.Figure:
    """The level as reports are merged two by two: it falls or stays, and with one report left it is zero."""
    counts, levels = (np.array(side, dtype=float) for side in zip(*verdict.ladder, strict=True))
    levels[levels < 1e-12] = 0  # what rounding leaves of nothing
    own = (float(verdict.merged.matrix.shape[1]), verdict.merged_leak.amount)
    finite = [float(level) for level in (*levels, own[1]) if math.isfinite(level)]
    top = 1.2 * reach(max([*finite, 1e-9])) if max(finite, default=0) > 0 else 1.0
    figure = plot.Figure(
        plot.scatter(
            x=counts, y=np.minimum(levels, top), mode="lines+markers+text", name=escape(words["merged"]),
            line={"color": FIRST, "width": 3}, marker={"size": 11}, hovertemplate=words["hover"],
            text=["∞" if math.isinf(level) else significant(float(level)) for level in levels],
            textposition="top right", meta="pin", cliponaxis=False,
        ),
        layout(look, words["title"], words["x"], words["y"], yaxis={"range": [-0.03 * top, 1.08 * top]},
               xaxis={"type": "log", "range": [math.log10(counts[0]) + 0.15, -0.12], "tickvals": counts,
                      "ticktext": [str(int(count)) for count in counts]}),
    )  # fmt: skip
    figure.add(_ring(own[0], min(own[1], top), words["present"], look))
    return figure


# --- audits ----------------------------------------------------------------------------------------------------------


def audit(result: AuditResult, look: Look, words: Words) -> plot.Figure:
    """What more and more trials prove about ε, closing in from below on the exact level."""
    trials, bounds = np.array(result.audit.trials, dtype=float), result.epsilons
    finite = [value for value in (*bounds, result.exact, result.claim.epsilon) if math.isfinite(value)]
    top = 1.15 * reach(max([*map(float, finite), 1e-9]))
    ends = [trials[0] / 2, trials[-1] * 2]
    figure = plot.Figure(
        layout=layout(look, words["title"], words["x"], words["y"], yaxis={"range": [-0.03 * top, top]},
                      xaxis={"type": "log", "dtick": 1, "range": [math.log10(end) for end in ends]})
    )  # fmt: skip
    if math.isfinite(result.claim.epsilon):
        figure.add(
            _line(ends, [result.claim.epsilon] * 2, words["promise"], BROKEN, dash="dash", width=2, hoverinfo="name")
        )
    if look.truth and math.isfinite(result.exact):
        figure.add(_line(ends, [result.exact] * 2, words["exact"], look.ink, width=2, hoverinfo="name"))
    figure.add_scatter(
        x=trials, y=bounds, mode="lines+markers", name=escape(words["proven"]), meta="pin", line={"color": FIRST},
        marker={"size": 10}, hovertemplate=words["hover"],
    )  # fmt: skip
    return figure


def gallery(result: GalleryResult, revealed: bool, look: Look, words: Words) -> plot.Figure:
    """What each exhibit promises, what its audit proves, and, once revealed, its exact level."""
    places = list(range(1, len(result.exhibits) + 1))
    proven = [float(exhibit.audit.epsilons[-1]) for exhibit in result.exhibits]
    claims = [exhibit.claim.epsilon for exhibit in result.exhibits]
    top = 1.25 * reach(max(*proven, *claims))
    seen = [exhibit.audit.bounds[-1].hits for exhibit in result.exhibits]
    figure = plot.Figure(
        plot.bar(x=places, y=proven, width=0.55, name=escape(words["proven"]), marker={"color": FIRST}, customdata=seen,
                 hovertemplate=words["hover"]),
        layout(look, words["title"], words["x"], words["y"], yaxis={"range": [0, top]},
               xaxis={"range": [0.4, len(places) + 0.6], "dtick": 1}),
    )  # fmt: skip
    stroke = {"symbol": "line-ew-open", "size": 30, "color": BROKEN, "line": {"width": 4}}
    figure.add_scatter(
        x=places, y=claims, mode="markers", name=escape(words["promise"]), marker=stroke,
        hovertemplate=words["claim_hover"],
    )  # fmt: skip
    if revealed:
        levels = [exhibit.real.epsilon for exhibit in result.exhibits]
        beyond = [level > 0.97 * top for level in levels]
        figure.add_scatter(
            x=places, y=[min(level, 0.97 * top) for level in levels], mode="markers", name=escape(words["exact"]),
            marker={"symbol": ["arrow-up" if far else "diamond" for far in beyond], "size": 14, "color": look.ink},
            customdata=[significant(level, 4) for level in levels], hovertemplate=words["exact_hover"],
        )  # fmt: skip
    return figure
