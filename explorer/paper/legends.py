"""The legend of a printed figure: below it, in as many rows as it takes, readable without color."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from explorer.figures.plot import Figure, Marker, Trace
from explorer.figures.theme import unescape
from explorer.paper import symbols
from explorer.paper.traces import INK, LETTER, each, lettered

ROW = 20.0
_SIZE, _SAMPLE, _GAP = 13.0, 34.0, 18.0
LegendEntry = tuple[float, Trace]  # where it begins in its row


def named(figure: Figure) -> list[Trace]:
    """The traces in the legend, in their order."""
    return [
        trace
        for trace in figure.data
        if trace.get("name") and trace.get("showlegend", trace["type"] != "heatmap") and trace.get("opacity") != 0
    ]


def rows(figure: Figure, width: float) -> list[list[LegendEntry]]:
    """The entries of the legend, row by row."""
    lines: list[list[LegendEntry]] = []
    right = width
    for trace in named(figure):
        wide = _SAMPLE + LETTER * _SIZE * max(len(unescape(line)) for line in trace["name"].split("<br>")) + _GAP
        if right + wide > width:
            lines.append([])
            right = 0.0
        lines[-1].append((right, trace))
        right += wide
    return lines


def height(lines: Sequence[Sequence[LegendEntry]]) -> float:
    """The height of the rows together: one is as tall as its longest name has lines."""
    return sum((ROW * max(_lines(trace) for _, trace in line) for line in lines), 0.0)


def _lines(trace: Trace) -> int:
    return 1 + str(trace["name"]).count("<br>")


def drawn(lines: Sequence[Sequence[LegendEntry]], top: float) -> Iterator[str]:
    """Every explained mark with its name."""
    for place, line in enumerate(lines):
        y = top + height(lines[:place])
        for x, trace in line:
            yield from _sample(trace, 8 + x, y)
            for below, part in enumerate(trace["name"].split("<br>")):
                yield lettered(8 + x + _SAMPLE, y + 4.5 + 0.85 * ROW * below, part, _SIZE, INK, "start")


def entries(figure: Figure) -> Iterator[str]:
    """The entries of the legend, each where it would stand first: a screen finds their places by itself."""
    stacked = figure.layout.get("barmode") == "stack" and any(trace["type"] == "bar" for trace in figure.data)
    turned = stacked or any(trace.get("fill") == "tonexty" for trace in figure.data)  # Plotly begins with the uppermost
    order = figure.layout.get("legend", {}).get("traceorder", "reversed" if turned else "normal")
    for trace in named(figure)[:: -1 if order == "reversed" else 1]:
        name = lettered(40, 0, trace["name"], _SIZE, INK, "start", down=".39em")
        yield f'<g class="entry">{"".join(_sample(trace, 6, 0))}{name}</g>'


def _sample(trace: Trace, x: float, y: float) -> Iterator[str]:
    """A mark as it looks in the picture, on 28 points of room."""
    marker: Marker = trace.get("marker") or {}
    if trace["type"] == "bar":
        color, opacity = each(marker.get("color"), 0, INK), marker.get("opacity", 1)
        yield f'<rect x="{x + 6:g}" y="{y - 6:g}" width="16" height="12" fill="{color}" opacity="{opacity:g}"/>'
        return
    mode, pen = trace.get("mode", "lines"), trace.get("line") or {}
    faint = trace.get("opacity", 1)
    if trace.get("fill"):
        yield f'<rect x="{x:g}" y="{y - 5:g}" width="28" height="10" fill="{trace.get("fillcolor", "none")}"/>'
    if "lines" in mode and pen.get("width", 2):
        width = min(float(pen.get("width", 2)), 9.0)
        dash = symbols.dashes(pen.get("dash", "solid"), width)
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        paint = f'stroke="{pen.get("color", INK)}" stroke-width="{width:g}" opacity="{faint:g}"{dashed}'
        yield f'<path d="M{x:g},{y:g}h28" {paint}/>'
    if "markers" in mode:
        symbol, color = str(each(marker.get("symbol"), 0, "circle")), each(marker.get("color"), 0, INK)
        size = min(float(each(marker.get("size"), 0, 8)), 14.0)
        yield symbols.mark(symbol, x + 14, y, size, color, dict(marker.get("line") or {}))
