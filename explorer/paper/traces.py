"""The traces of a printed figure: lines and dots, areas, bars, error bars and the cells of a map."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

import numpy as np

from explorer.figures.plot import Bars, Many, Trace, errors
from explorer.figures.theme import unescape
from explorer.paper import symbols
from explorer.paper.scales import Scale
from ldpcore.numerics.arrays import Reals

INK = "#0E141D"
LETTER = 0.53  # the width of a letter of Arial as a share of its size, on average
_SIDES = {"left": "end", "right": "start", "center": "middle"}
_SPAN = re.compile(r'<span style="color:([#\w]+)">(.*?)</span>')
_PLAIN: Mapping[str, Any] = {}


def lettered(
    x: float, y: float, text: str, size: float, color: str = INK, anchor: str = "middle", turn: str = "", down: str = ""
) -> str:
    """A text at a place or below it; of Plotly's markup, colors stay and the rest is left out."""
    turned = (f' dy="{down}"' if down else "") + (f' transform="{turn}"' if turn else "")
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size:g}" fill="{color}"'
    return f"<text {place}{turned}>{''.join(_colored(text))}</text>"


def _colored(text: str) -> Iterator[str]:
    """A text in its parts, each in its color."""
    parts = _SPAN.split(text.replace("<b>", "").replace("</b>", ""))
    for before, color, inside in zip(parts[::3], [*parts[1::3], ""], [*parts[2::3], ""], strict=True):
        yield escape(unescape(before), quote=False)
        if color:
            yield f'<tspan fill="{color}">{escape(unescape(inside), quote=False)}</tspan>'


def scatter(trace: Trace, across: Scale, up: Scale, before: Trace | None) -> Iterator[str]:
    """Lines, the areas below or between them, dots with their error bars, and texts."""
    x, y, mode = across.at(trace["x"]), up.at(trace["y"]), trace.get("mode", "lines")
    along = _stepped(trace, x, y)
    if trace.get("fill"):
        yield _filled(trace, *along, across, up, before)
    if "lines" in mode:
        yield _line(trace, *along)
    yield from _bars_of_error(trace, x, y, across, up)
    if "markers" in mode:
        yield from _dots(trace, x, y)
    if "text" in mode:
        yield from _texts(trace, x, y)


def _stepped(trace: Trace, x: Reals, y: Reals) -> tuple[Reals, Reals]:
    """The points of a line, or of the stairs that go on level (`hv`), turn first (`vh`) or half-way (`hvh`)."""
    shape = trace.get("line", _PLAIN).get("shape", "linear")
    if shape == "linear":
        return x, y
    first, second = (np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]), (np.repeat(x, 2)[:-1], np.repeat(y, 2)[1:])
    half = np.concatenate([x[:1], np.repeat((x[1:] + x[:-1]) / 2, 2), x[-1:]]), np.repeat(y, 2)
    return {"hv": first, "vh": second, "hvh": half}[shape]


def _runs(x: Reals, y: Reals) -> Iterator[list[tuple[float, float]]]:
    """The parts of a line that have no gap."""
    run: list[tuple[float, float]] = []
    for point in zip(x.tolist(), y.tolist(), strict=True):
        if np.isfinite(point).all():
            run.append(point)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _path(points: Sequence[tuple[float, float]]) -> str:
    near = [(min(max(x, -2000.0), 4000.0), min(max(y, -2000.0), 4000.0)) for x, y in points]
    return "M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in near)


def _line(trace: Trace, x: Reals, y: Reals) -> str:
    pen = trace.get("line", _PLAIN)
    width = float(pen.get("width", 2))
    path = "".join(_path(run) for run in _runs(x, y))
    if not width or not path:
        return ""
    dash = symbols.dashes(pen.get("dash", "solid"), width)
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<path d="{path}" fill="none" stroke="{pen.get("color", INK)}" stroke-width="{width:g}"{dashed}/>'


def _filled(trace: Trace, x: Reals, y: Reals, across: Scale, up: Scale, before: Trace | None) -> str:
    """The area down to nothing, between this line and the one before, or inside the line itself."""
    paint = trace.get("fillcolor", "rgba(0,0,0,0.1)")
    if trace["fill"] == "toself":
        return f'<path d="{"".join(_path(run) + "Z" for run in _runs(x, y))}" fill="{paint}"/>'
    parts = []
    if trace["fill"] == "tonexty" and before is not None:
        edge = _stepped(before, across.at(before["x"]), up.at(before["y"]))
        low = list(zip(edge[0].tolist(), edge[1].tolist(), strict=True))
        high = list(zip(x.tolist(), y.tolist(), strict=True))
        whole = [point for point in (*high, *reversed(low)) if np.isfinite(point).all()]
        parts = [whole] if whole else []
    else:
        floor = up.floor()
        parts = [[(run[0][0], floor), *run, (run[-1][0], floor)] for run in _runs(x, y)]
    return f'<path d="{"".join(_path(part) + "Z" for part in parts)}" fill="{paint}"/>' if parts else ""


def each(values: Any, place: int, usual: Any = None) -> Any:
    """One of several values, or the one that holds for all."""
    if values is None:
        return usual
    if not isinstance(values, (list, tuple, np.ndarray)):
        return values
    return values[place] if len(values) else usual  # of marks that are all out of sight


def _dots(trace: Trace, x: Reals, y: Reals) -> Iterator[str]:
    marker = trace.get("marker", _PLAIN)
    opacity = float(marker.get("opacity", 1))
    for place, (left, top) in enumerate(zip(x.tolist(), y.tolist(), strict=True)):
        if np.isfinite([left, top]).all():
            symbol, size = each(marker.get("symbol"), place, "circle"), float(each(marker.get("size"), place, 6))
            color = each(marker.get("color"), place, INK)
            yield symbols.mark(str(symbol), left, top, size, color, dict(marker.get("line", _PLAIN)), opacity)


def _texts(trace: Trace, x: Reals, y: Reals) -> Iterator[str]:
    height, _, side = str(trace.get("textposition", "middle center")).partition(" ")
    font = trace.get("textfont", _PLAIN)
    size = float(font.get("size", 12))
    lower, aside = (
        {"top": -8.0, "bottom": 8 + 0.8 * size}.get(height, 0.35 * size),
        {"left": -8, "right": 8}.get(side, 0),
    )
    for place, text in enumerate(trace.get("text", ())):
        if text and np.isfinite([x[place], y[place]]).all():
            color = each(font.get("color"), place, INK)
            yield lettered(x[place] + aside, y[place] + lower, str(text), size, color, _SIDES[side])


def _bars_of_error(trace: Trace, x: Reals, y: Reals, across: Scale, up: Scale) -> Iterator[str]:
    """Thin bars to both sides of every point, from their quantities."""
    for letter, scale in (("x", across), ("y", up)):
        bars, along = errors(trace, letter), trace["x"] if letter == "x" else trace["y"]
        if not bars or not len(x):
            continue
        values = np.asarray(range(len(x)) if isinstance(along[0], str) else along, dtype=float)
        more = _spread(bars.get("array", bars.get("value", 0)), values)
        less = _spread(bars.get("arrayminus", bars.get("valueminus", more)), values)
        ends = zip(scale.at(values - less).tolist(), scale.at(values + more).tolist(), strict=True)
        for place, (start, stop) in enumerate(ends):
            start = scale.places[0] if scale.log and not np.isfinite(start) else start
            if np.isfinite([start, stop, x[place], y[place]]).all():
                yield _bar_of_error(bars, letter, (start, stop), float(x[place]), float(y[place]))


def _spread(one: float | Many, values: Reals) -> Reals:
    """A number for each value, where one may hold for all."""
    return np.broadcast_to(np.asarray(one, dtype=float), values.shape)


def _bar_of_error(bars: Bars, letter: str, ends: tuple[float, float], x: float, y: float) -> str:
    start, stop = ends
    cap = float(bars.get("width", 4))
    if letter == "x":
        path = f"M{start:.1f},{y:.1f}H{stop:.1f}" + "".join(f"M{e:.1f},{y - cap:.1f}v{2 * cap:g}" for e in ends)
    else:
        path = f"M{x:.1f},{start:.1f}V{stop:.1f}" + "".join(f"M{x - cap:.1f},{e:.1f}h{2 * cap:g}" for e in ends)
    return (
        f'<path d="{path}" fill="none" stroke="{bars.get("color", INK)}" stroke-width="{bars.get("thickness", 2):g}"/>'
    )


def bars(trace: Trace, across: Scale, up: Scale, share: tuple[float, float], base: Reals | None) -> Iterator[str]:
    """Bars with their error bars and texts; `share` is each one's place in its slot, from -0.5 to 0.5."""
    lying = trace.get("orientation") == "h"
    along, tall = (up, across) if lying else (across, up)
    middles, sizes = (trace["y"], trace["x"]) if lying else (trace["x"], trace["y"])
    places = (
        np.array([along.names.index(name) for name in middles]) if along.names else np.asarray(middles, dtype=float)
    )
    widths = _spread(trace.get("width", share[1] - share[0]), places)
    shift: Any = 0.0 if "width" in trace else (share[0] + share[1]) / 2
    if "offset" in trace:  # where a bar begins, as seen from its place
        shift = np.asarray(trace["offset"], dtype=float) + widths / 2
    values = np.asarray(sizes, dtype=float)
    under = _spread(trace.get("base", 0.0), values) if base is None else base
    empty = base is None and "base" not in trace
    floors = np.full(values.shape, tall.floor()) if empty else tall.at(under)
    tips = tall.at(values if empty else under + values)
    middle = along.at(places + shift) if not along.log else along.at(places)
    for place, (at, low, tip) in enumerate(zip(middle.tolist(), floors.tolist(), tips.tolist(), strict=True)):
        if np.isfinite([at, tip]).all():
            low = low if np.isfinite(low) else tall.places[0]
            yield _bar(trace, place, lying, (at, along.length(float(widths[place]))), (low, tip))
    yield from _bars_of_error(trace, *((tips, middle) if lying else (middle, tips)), across, up)
    yield from _bar_texts(trace, lying, middle, floors, tips, tall)


def _bar(trace: Trace, place: int, lying: bool, at: tuple[float, float], ends: tuple[float, float]) -> str:
    marker = trace.get("marker", _PLAIN)
    opacity = float(marker.get("opacity", 1)) * float(trace.get("opacity", 1))
    color, (middle, width), (low, high) = each(marker.get("color"), place, INK), at, sorted(ends)
    x, y, wide, tall = (
        (low, middle - width / 2, high - low, width) if lying else (middle - width / 2, low, width, high - low)
    )
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{tall:.1f}" fill="{color}"'
        + (f' opacity="{opacity:g}"' if opacity != 1 else "")
        + "/>"
    )


def _bar_texts(trace: Trace, lying: bool, middle: Reals, floors: Reals, tips: Reals, tall: Scale) -> Iterator[str]:
    """The texts at bars: beside their tips, or inside where they are long enough."""
    if trace.get("textposition", "none") == "none":
        return
    template = trace.get("texttemplate", "")
    sources = {"%{customdata}": "customdata", "%{x}": "x", "%{y}": "y"}
    held: Mapping[str, Any] = trace
    texts = template if isinstance(template, list) else held[sources.get(template, "text")]
    inks = trace.get("insidetextfont", _PLAIN).get("color")
    for place, text in enumerate(texts):
        tip, at, said = float(tips[place]), float(middle[place]), str(text)
        if not np.isfinite([tip, at]).all():
            continue
        if not lying:
            yield lettered(at, tip - 5, said, 12)
        elif abs(tip - float(floors[place])) > 7 * len(said) + 10:
            yield lettered(float(floors[place]) + 6, at + 4, said, 12, each(inks, place, "#FFFFFF"), "start")
        else:
            yield lettered(tip + 5, at + 4, said, 12, INK, "start")


def cells(trace: Trace, across: Scale, up: Scale) -> Iterator[str]:
    """A map: one field for each number, and the number in it where the figure says so."""
    grid = np.asarray(trace["z"], dtype=float)
    x = np.asarray(trace["x"] if trace.get("x") is not None else range(grid.shape[1]), dtype=float)
    y = np.asarray(trace["y"] if trace.get("y") is not None else range(grid.shape[0]), dtype=float)
    written = np.asarray(trace.get("text", grid), dtype=object)
    low, high = float(trace.get("zmin", np.nanmin(grid))), float(trace.get("zmax", np.nanmax(grid)))
    left, right = (across.at(edge) for edge in _edges(x))
    lower, upper = (up.at(edge) for edge in _edges(y))
    for row in range(grid.shape[0]):
        top, bottom = sorted((float(lower[row]), float(upper[row])))
        for column in range(grid.shape[1]):
            if np.isfinite(grid[row, column]):
                color = symbols.shade(trace["colorscale"], (grid[row, column] - low) / ((high - low) or 1))
                begin, end = sorted((float(left[column]), float(right[column])))
                yield (
                    f'<rect x="{begin:.1f}" y="{top:.1f}" width="{end - begin + 0.3:.1f}" '
                    f'height="{bottom - top + 0.3:.1f}" fill="{color}"/>'
                )
                if trace.get("texttemplate"):
                    bright = sum(int(color[place : place + 2], 16) for place in (1, 3, 5)) > 380
                    text = str(written[row][column])
                    yield lettered((begin + end) / 2, (top + bottom) / 2 + 4, text, 12, INK if bright else "#FFFFFF")


def _edges(middles: Reals) -> tuple[Reals, Reals]:
    """Half-way to the neighbors, on both sides."""
    if len(middles) == 1:
        return middles - 0.5, middles + 0.5
    between = (middles[1:] + middles[:-1]) / 2
    first, last = 2 * middles[0] - between[0], 2 * middles[-1] - between[-1]
    return np.concatenate([[first], between]), np.concatenate([between, [last]])
