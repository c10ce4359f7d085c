"""All reports of a mechanism or a matrix: as a heat map, or by what each does to one value."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from explorer.facts import Count, Name, Number
from explorer.figures import marks, plot
from explorer.figures.theme import PALETTE, Look, escape
from explorer.rooms.verify.facts import level as written_level
from explorer.rooms.verify.facts import report_of, true_value
from explorer.rooms.verify.figures.scale import (
    BROKEN,
    FIRST,
    LONGEST,
    NAMED,
    axis_of_levels,
    shortened,
    stretched,
    written_each,
)
from explorer.text.catalogue import Words
from ldpcore.estimating.audit import outputs_of_largest_loss
from ldpcore.experiments.verify import MechanismVerdict
from ldpcore.experiments.verify.matrixpromises import MatrixPromiseResult
from ldpcore.experiments.verify.promises import TwoLawsResult
from ldpcore.laws.channels import Finite

ROWS, COLUMNS = 40, 50  # the largest heat map


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
    factors = verdict.factors
    assert factors is not None
    rows, columns = [words["own"], words["other"]], [words["yes"], words["no"]]
    return _heat_map(factors, rows, columns, (0, 1) if look.truth else None, look, words)


def typed_matrix(result: MatrixPromiseResult, look: Look, words: Words) -> plot.Figure:
    """A typed matrix, or what of it betrays most where it is too large; above, the reports that break the promise."""
    channel, leak = result.question.channel, result.leak
    part, rows, columns = betraying(channel, (leak.value, leak.other))
    worst = (rows.index(leak.value), rows.index(leak.other))
    figure = _heat_map(
        part,
        [words.fill("law", value=true_value(result, row)) for row in rows],
        [words.fill("report", place=report_of(result, column)) for column in columns],
        worst if look.truth else None,
        look,
        words,
    )
    guilty = [place for place, column in enumerate(columns) if column in set(result.beyond.tolist())]
    marker = {"symbol": "triangle-down", "size": 14, "color": BROKEN}
    figure.layout["yaxis"] |= {"autorange": False, "range": [len(rows) - 0.5, -0.95]}
    figure.add_scatter(
        x=guilty or [None],
        y=[-0.72] * max(len(guilty), 1),
        mode="markers",
        name=escape(words["guilty"]),
        marker=marker,
        hoverinfo="name",
        meta="decoration",
    )
    return figure


def _heat_map(
    channel: Finite,
    rows: Sequence[str],
    columns: Sequence[str],
    worst: tuple[Any, Any] | None,
    look: Look,
    words: Words,
) -> plot.Figure:
    """One row for each value, one column for each report; frames round the two entries whose ratio is largest."""
    matrix = np.asarray(channel.matrix)
    shade = [[0, look.paper], [0.5, PALETTE[4]], [1, "#003F66" if not look.dark else "#BFE3FF"]]
    small = matrix.size <= 24
    names = np.array([[words.fill("cell", row=Name(row), column=Name(column)) for column in columns] for row in rows])
    figure = marks.canvas(
        look,
        words,
        plot.heatmap(
            z=matrix,
            zmin=0,
            zmax=1,
            colorscale=shade,
            name=escape(words["cells"]),
            x=list(range(len(columns))),
            y=list(range(len(rows))),
            hovertemplate=words.hover("hover", x="%{customdata}", y="%{z:.3g}"),
            customdata=np.array([[escape(name) for name in line] for line in names]),
            texttemplate="%{text}" if small else None,
            text=[[words.write(Number(float(cell), 2)) for cell in row] for row in matrix] if small else None,
            colorbar={"thickness": 12, "outlinewidth": 0},
            showscale=not small,
            showlegend=False,
        ),
        xaxis=_named(columns, NAMED),
        yaxis=_named(rows, ROWS) | {"autorange": "reversed"},
    )
    if worst is not None and len(rows) > 1:
        _frames(figure, channel, (int(worst[0]), int(worst[1])), words)
    return figure


def _frames(figure: plot.Figure, channel: Finite, worst: tuple[int, int], words: Words) -> None:
    """Frames round the two entries of the first column whose ratio is the largest; no number in a cell is crossed."""
    attained = np.flatnonzero(outputs_of_largest_loss(channel.pair(*worst)))
    if attained.size:
        x, half = int(attained[0]), 0.46
        across, down = (-half, half, half, -half, -half), (-half, -half, half, half, -half)
        figure.add_scatter(
            x=[*(x + aside for aside in across), None] * 2,
            y=[y for row in worst for y in (*(row + aside for aside in down), None)],
            mode="lines",
            name=escape(words["pair"]),
            showlegend=True,
            meta="decoration",
            line={"width": 3, "color": BROKEN},
            hoverinfo="name",
        )


def _named(names: Sequence[str], most: int) -> dict[str, Any]:
    """The ticks of an axis of names; none where they would cover each other."""
    if len(names) > most:
        return {"showticklabels": False, "showgrid": False}
    texts = [escape(shortened(name)) for name in names]
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
    ends, edge = [float(x[0]), max(float(x[-1]), float(laws.most - 1))], stretched(LONGEST)
    figure = marks.canvas(
        look,
        words,
        xaxis={"range": ends, "showticklabels": laws.reports is not None},
        yaxis=axis_of_levels((-10, -3, -1, *([0] if look.lecture else [-0.1, 0, 0.1]), 1, 3, 10), [-edge, edge], words),
    )
    if look.truth:
        written = written_each(
            np.nan_to_num(y, nan=0.0, posinf=math.inf, neginf=-math.inf).tolist(), words, written_level
        )
        curve = marks.line(
            x,
            np.sign(y) * np.sqrt(np.minimum(np.abs(y), 2 * LONGEST)),
            words["loss"],
            FIRST,
            customdata=written,
            hovertemplate=words.hover("hover", x="%{x:.3g}", y="%{customdata}"),
        )
        figure.add(curve if laws.reports is not None else curve | {"line": curve["line"] | {"shape": "hv"}})
    for sign in (1, -1) if verdict.claim.epsilon <= LONGEST else ():
        at = sign * stretched(verdict.claim.epsilon)
        figure.add(marks.guide(ends, [at, at], words["promise"], look.ink, showlegend=sign > 0))
    return figure
