"""A typed matrix as shaded cells, below its bar."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from explorer.facts import Name, Number
from explorer.figures import plot
from explorer.figures.theme import PALETTE, Look, escape
from explorer.pages.verify.facts import report_of, true_value
from explorer.pages.verify.figures.scale import BROKEN, NAMED, Lower, shortened
from explorer.text.catalogue import Words
from ldpcore.estimating.audit import outputs_of_largest_loss
from ldpcore.experiments.verify.matrixpromises import MatrixPromiseResult
from ldpcore.laws.channels import Finite

ROWS, COLUMNS = 24, 50  # the largest heat map


def rows_of_matrix(result: MatrixPromiseResult, ceiling: float, look: Look, words: Words) -> Lower:
    """A typed matrix as shaded cells, or its most betraying part where it is too large.

    Frames stand round the two entries whose ratio is largest, and a triangle above each report that breaks the promise.
    """
    channel, leak = result.question.channel, result.leak
    part, rows, columns = betraying(channel, (leak.value, leak.other))
    names = [words.fill("law", value=true_value(result, row)) for row in rows]
    reports = [words.fill("report", place=report_of(result, column)) for column in columns]
    traces = [_cells(part, names, reports, ceiling, look, words)]
    if look.truth and len(rows) > 1:
        traces += _frames(part, (rows.index(leak.value), rows.index(leak.other)), words)
    beyond = set(result.beyond.tolist())
    guilty = [place for place, column in enumerate(columns) if column in beyond]
    traces.append(
        plot.scatter(
            x=guilty or [None],
            y=[-0.72] * max(len(guilty), 1),
            mode="markers",
            name=escape(words["guilty"]),
            marker={"symbol": "triangle-down", "size": 14, "color": BROKEN},
            hoverinfo="name",
            meta="decoration",
        )
    )
    upright = {"autorange": False, "range": [len(rows) - 0.5, -0.95], "title": {"text": escape(words["y_matrix"])}}
    return traces, _named(reports, NAMED), _named(names, ROWS) | upright


def _cells(
    channel: Finite, rows: Sequence[str], columns: Sequence[str], ceiling: float, look: Look, words: Words
) -> plot.Trace:
    """One row for each value, one column for each report, the darker the likelier; few cells say their number."""
    matrix = np.asarray(channel.matrix)
    shade = [[0, look.paper], [0.5, PALETTE[4]], [1, "#003F66" if not look.dark else "#BFE3FF"]]
    small = matrix.size <= 24
    names = np.array([[words.fill("cell", row=Name(row), column=Name(column)) for column in columns] for row in rows])
    return plot.heatmap(
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
        colorbar={"thickness": 12, "outlinewidth": 0, "y": 0, "yanchor": "bottom", "len": ceiling},
        showscale=not small,
        showlegend=False,
    )


def _frames(channel: Finite, worst: tuple[int, int], words: Words) -> list[plot.Trace]:
    """Frames round the two entries of the first column whose ratio is the largest; no number in a cell is crossed."""
    attained = np.flatnonzero(outputs_of_largest_loss(channel.pair(*worst)))
    if not attained.size:
        return []
    x, half = int(attained[0]), 0.46
    across, down = (-half, half, half, -half, -half), (-half, -half, half, half, -half)
    return [
        plot.scatter(
            x=[*(x + aside for aside in across), None] * 2,
            y=[y for row in worst for y in (*(row + aside for aside in down), None)],
            mode="lines",
            name=escape(words["attained"]),
            showlegend=True,
            meta="decoration",
            line={"width": 3, "color": BROKEN},
            hoverinfo="name",
        )
    ]


def _named(names: Sequence[str], most: int) -> dict[str, Any]:
    """The ticks of an axis of names; none where they would cover each other."""
    if len(names) > most:
        return {"showticklabels": False, "showgrid": False}
    texts = [escape(shortened(name)) for name in names]
    return {"tickmode": "array", "tickvals": list(range(len(names))), "ticktext": texts, "showgrid": False}


def betraying(channel: Finite, worst: tuple[int, int]) -> tuple[Finite, list[int], list[int]]:
    """The drawable part of a channel: all of it, else the worst two rows, and the columns that betray most."""
    matrix = np.asarray(channel.matrix)
    rows, columns = list(range(len(matrix))), np.arange(matrix.shape[1])
    if len(columns) > COLUMNS:
        order = np.argsort(-np.abs(channel.pair(*worst).ratios()), kind="stable")
        columns = np.sort(order[:COLUMNS])
    if len(rows) > ROWS:
        rows = sorted(set(worst))
    return Finite(matrix[rows][:, columns]), rows, columns.tolist()
