"""A figure as SVG without a browser: its marks, axes and names as Plotly draws them from the description.

The sheet is made by the server, from the scene that its reader may see: what a masked result does not hold, no printed
figure can show. A test compares the vocabulary of all figures of all pages with what is drawn here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import pairwise
from textwrap import wrap

import numpy as np

from explorer.figures.plot import Axis, Figure, Trace, also, axis_name
from explorer.paper import legends, symbols, traces
from explorer.paper.annotations import notes
from explorer.paper.letters import width_of
from explorer.paper.scales import AxisWriter, Scale, ends_of, names_along, nice
from explorer.paper.traces import INK, LETTER, lettered
from ldpcore.numerics.arrays import Reals

WIDTH, HEIGHT, SIZE = 760.0, 400.0, 14.0  # on a sheet
_GRID, _AXIS, _TOP = "#DDE2E8", "#8A94A0", 14.0
_ORDER = {"heatmap": 0, "bar": 1, "scatter": 2}
_LONGEST = 26  # letters of a name beside an axis
_SHADES = 70.0  # the room of what the shades of a map mean


@dataclass(frozen=True)
class _Plot:
    """The place of the plot on the paper."""

    left: float
    right: float
    top: float
    bottom: float

    def along(self, letter: str, domain: Sequence[float]) -> tuple[float, float]:
        """The two ends of a part of the plot."""
        if letter == "x":
            wide = self.right - self.left
            return self.left + domain[0] * wide, self.left + domain[1] * wide
        tall = self.bottom - self.top
        return self.bottom - domain[0] * tall, self.bottom - domain[1] * tall


def svg(figure: Figure, write: AxisWriter, alt: str) -> str:
    """The whole figure without its title, as wide as its place; `alt` describes it in words."""
    height, inside = drawn(figure, write, WIDTH, HEIGHT)
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="ldp-plot" direction="ltr" fill="none" role="img" '
        f'viewBox="0 0 {WIDTH:g} {height:.0f}" font-family="Arial, Helvetica, sans-serif" '
        f'aria-label="{escape(alt, quote=True)}">'
    )
    return opening + inside + "</svg>"


def drawn(figure: Figure, write: AxisWriter, width: float, tall: float) -> tuple[float, str]:
    """The content and the height of a picture of this width and height of its plot, with everything below it."""
    plot = _plot_of(figure, write, width, tall)
    scales = _scales(figure, plot)
    rows = legends.rows(figure, width - 16)
    height = tall + _below(figure, scales, write) + legends.height(rows) + 8
    parts = [
        *_axes(figure, scales, write),
        *_marks(figure, scales, write),
        *notes(figure, scales | _whole(plot)),
        *legends.drawn(rows, height - legends.height(rows)),
    ]
    return height, "".join(parts)


def sketch(figure: Figure, write: AxisWriter) -> str:
    """The figure for a screen that Plotly has not reached yet, which stretches it to its place (`sketch.js`).

    `data-plot` is the place of the plot in it; the data, the two kinds of axes and the legend are groups of
    their own, for the first follow the plot, the others stay as large as letters are.
    """
    figure, write = _in_full(figure), replace(write, powers=True)
    plot = _plot_of(figure, write)
    scales = _scales(figure, plot)
    axes = [f'<g class="{name[0]}">{"".join(_axes(figure, scales, write, name))}</g>' for name in scales]
    data = "".join((*_marks(figure, scales, write), *notes(figure, scales | _whole(plot))))
    place = f"{plot.left:.1f} {plot.right:.1f} {plot.top:.1f} {plot.bottom:.1f}"
    parts = [f'<svg fill="none" aria-hidden="true" data-plot="{place}">', *axes, f'<g class="data">{data}</g>']
    return _on_screen(figure, "".join((*parts, *legends.entries(figure), "</svg>")))


def _in_full(figure: Figure) -> Figure:
    """A figure whose texts have their sizes, as Plotly takes them from the template."""
    font = {"size": figure.layout.get("template", {}).get("layout", {}).get("font", {}).get("size", SIZE)}
    notes = [{**note, "font": font | note.get("font", {})} for note in figure.layout.get("annotations", ())]
    data = [also(trace, textfont={**font, **trace.get("textfont", {})}) for trace in figure.data]
    full = Figure(data, {**figure.layout, "annotations": notes})
    for name in _axis_names(figure):
        axis = figure.axis(name)
        if not ({"dtick", "tickvals"} & set(axis) or axis.get("type") == "log" or names_along(figure, name)):
            full.put(**{name: axis | {"dtick": _step(name, ends_of(figure, name, ()), axis)}})
    return full


def _step(name: str, ends: tuple[float, float], axis: Axis) -> float:
    """The distance of Plotly's values along an axis of a laptop's usual figure."""
    low, high = axis.get("domain", (0.0, 1.0))
    room = (high - low) * (WIDTH / 80 if name[0] == "x" else HEIGHT / 40)
    most = float(axis.get("nticks", 0)) or min(max(room, 4.0), 9.0) + 1
    return nice(abs(ends[1] - ends[0]) / most, (2.0, 5.0, 10.0))


def _on_screen(figure: Figure, drawn: str) -> str:
    """A drawing in the colors of the screen in place of those of paper."""
    described = figure.layout.get("template", {}).get("layout", {})
    axis = described.get("xaxis", {})
    colors = {
        INK: described.get("font", {}).get("color", INK),
        _GRID: axis.get("gridcolor", _GRID),
        _AXIS: axis.get("linecolor", _AXIS),
    }
    return re.sub("|".join(colors), lambda color: str(colors[color[0]]), drawn)


def _axis_names(figure: Figure) -> list[str]:
    return sorted(figure.axes)


def _scales(figure: Figure, plot: _Plot) -> dict[str, Scale]:
    scales = {}
    for name in _axis_names(figure):
        axis, names = figure.axis(name), names_along(figure, name)
        places = plot.along(name[0], axis.get("domain", (0.0, 1.0)))
        scales[name] = Scale(name[0], axis, ends_of(figure, name, names), places, names)
    for name, scale in scales.items():
        if other := scale.axis.get("scaleanchor"):
            anchor = f"{other[0]}axis{other[1:]}"
            scales |= {name: scale.as_wide(scales[anchor]), anchor: scales[anchor].as_wide(scale)}
    return scales


def _whole(plot: _Plot) -> dict[str, Scale]:
    """The plot as a whole, in shares of which notes are placed."""
    return {f"{letter}paper": Scale(letter, {}, (0.0, 1.0), plot.along(letter, (0.0, 1.0))) for letter in "xy"}


def _plot_of(figure: Figure, write: AxisWriter, width: float = WIDTH, tall: float = HEIGHT) -> _Plot:
    """The plot with room for the texts left of it, and for the shades of a map right of it."""
    rough = _scales(figure, _Plot(80, width - 20, _TOP, tall - 8))
    left = max((_beside(name, scale, write) for name, scale in rough.items() if _outermost(name, scale)), default=12.0)
    shaded = any(trace["type"] == "heatmap" and trace.get("showscale", True) for trace in figure.data)
    above = 36.0 if any(scale.axis.get("side") == "top" for scale in rough.values()) else 0.0
    hanging = any(trace.get("textposition") == "outside" for trace in figure.data)
    first, last = _hanging_over(rough, write)
    right = width - max(_SHADES if shaded else 16, last)
    return _Plot(max(left, first), right, _TOP + above + 14 * hanging, tall - 8)


def _hanging_over(scales: Mapping[str, Scale], write: AxisWriter) -> tuple[float, float]:
    """The reach of the first and the last value along the lying axes beyond the plot, with a margin."""
    lying = [scale for name, scale in scales.items() if name[0] == "x" and scale.visible and not _turned(scale, write)]
    ticks = [(at, width_of(text, SIZE - 1) / 2) for scale in lying for at, text in scale.ticks(write)]
    if not ticks:
        return 0.0, 0.0
    start, stop = min(scale.places[0] for scale in lying), max(scale.places[1] for scale in lying)
    return max(half - (at - start) + 3 for at, half in ticks), max(half - (stop - at) + 3 for at, half in ticks)


def _outermost(name: str, scale: Scale) -> bool:
    return name[0] == "y" and scale.visible


def _beside(name: str, scale: Scale, write: AxisWriter) -> float:
    """The width of an upright axis: its values or names, and its title in its lines."""
    names = (line for _, text in scale.ticks(write) for line in _in_lines(text))
    longest = max((width_of(line, SIZE - 1) for line in names), default=0.0)
    lines = len(_title_lines(scale)) if _title_lines(scale)[0] else 0
    return 18 + longest + 1.25 * SIZE * lines


def _title_lines(scale: Scale) -> list[str]:
    return str(scale.axis.get("title", {}).get("text", "")).split("<br>")


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _in_lines(text: str) -> list[str]:
    """A name beside an upright axis, in two or three lines where it is long."""
    lines = wrap(text, _LONGEST) or [""]
    return [*lines[:2], _shortened(" ".join(lines[2:]))] if len(lines) > 2 else lines


def _below(figure: Figure, scales: Mapping[str, Scale], write: AxisWriter) -> float:
    """The height between the plot and the legend: values or turned names, and the titles of the lowest axes."""
    lying = [scale for name, scale in scales.items() if name[0] == "x" and scale.visible]
    room = [_turned_room(scale, write) + _titled(scale) for scale in lying]
    return max(room, default=0.0) + 12


def _titled(scale: Scale) -> float:
    """The height of a lying axis's title."""
    lines = _title_lines(scale)
    return 22 + 1.25 * SIZE * (len(lines) - 1) if lines[0] else 0.0


def _turned(scale: Scale, write: AxisWriter) -> bool:
    """Whether names along a lying axis must lean back to be read."""
    ticks = scale.ticks(write)
    if len(ticks) < 2:
        return False
    apart = min(abs(second[0] - first[0]) for first, second in pairwise(ticks))
    return apart < LETTER * SIZE * max(len(_shortened(text)) for _, text in ticks)


def _turned_room(scale: Scale, write: AxisWriter) -> float:
    longest = max((len(_shortened(text)) for _, text in scale.ticks(write)), default=0)
    return 8 + 0.58 * LETTER * SIZE * longest if _turned(scale, write) else (18.0 if longest else 0.0)


def _anchor(scales: Mapping[str, Scale], name: str) -> Scale:
    """The axis at whose beginning an axis stands."""
    other = "y" if name[0] == "x" else "x"
    anchor = str(scales[name].axis.get("anchor", other + name[5:]))
    return scales.get(f"{anchor[0]}axis{anchor[1:]}") or scales[f"{other}axis"]


def _axes(figure: Figure, scales: Mapping[str, Scale], write: AxisWriter, only: str = "") -> Iterator[str]:
    """Grids, lines, values and titles, of one axis only where it is named."""
    for name, scale in scales.items():
        if scale.visible and only in ("", name):
            yield from (_lying if name[0] == "x" else _upright)(scale, _anchor(scales, name), write)


def _grid(scale: Scale, at: float, path: str) -> str:
    if not scale.axis.get("showgrid", True):
        return ""
    return f'<path d="{path}" stroke="{_GRID}" stroke-width="1"/>'


def _tick(text: str) -> str:
    """A value or a name along an axis, in a group of its own."""
    return f'<g class="tick">{text}</g>'


def _title(text: str) -> str:
    """The title of an axis: its quantity."""
    return f'<g class="title">{text}</g>'


def _lying(scale: Scale, beside: Scale, write: AxisWriter) -> Iterator[str]:
    low, high = beside.places
    top = scale.axis.get("side") == "top"
    line, away = (min(low, high), -1) if top else (max(low, high), 1)
    turned = _turned(scale, write)
    for at, text in scale.ticks(write):
        yield _grid(scale, at, f"M{at:.1f},{low:.1f}V{high:.1f}")
        yield f'<path d="M{at:.1f},{line:.1f}v{5 * away}" stroke="{_AXIS}"/>'
        y = line + (19 if turned and away > 0 else 8 * away)
        lean = f"rotate(-35 {at:.1f} {y:.1f})" if turned else ""
        down = "" if turned or away < 0 else ".95em"
        yield _tick(lettered(at, y, _shortened(text), SIZE - 1, INK, "end" if turned else "middle", lean, down))
    start, stop = scale.places
    yield f'<path d="M{start:.1f},{line:.1f}H{stop:.1f}" stroke="{_AXIS}"/>'
    for place, title in enumerate(_title_lines(scale)[::away]):
        below = line + (_turned_room(scale, write) + 18 + 1.25 * SIZE * place) * away
        yield _title(lettered((start + stop) / 2, below, title, SIZE)) if title else ""


def _upright(scale: Scale, beside: Scale, write: AxisWriter) -> Iterator[str]:
    left, right = sorted(beside.places)
    ticks = [(at, _in_lines(text)) for at, text in scale.ticks(write)]
    for at, names in ticks:
        yield _grid(scale, at, f"M{left:.1f},{at:.1f}H{right:.1f}")
        if scale.axis.get("ticks", "outside"):
            yield f'<path d="M{left:.1f},{at:.1f}h-5" stroke="{_AXIS}"/>'
        away = 8 if scale.axis.get("ticks", "outside") else 4
        middle = 0.34 - 0.52 * (len(names) - 1)
        lines = (
            lettered(left - away, at, name, SIZE - 1, INK, "end", down=f"{middle + 1.04 * place:.2g}em")
            for place, name in enumerate(names)
        )
        yield _tick("".join(lines))
    start, stop = scale.places
    yield f'<path d="M{left:.1f},{start:.1f}V{stop:.1f}" stroke="{_AXIS}"/>'
    titles = [line for line in _title_lines(scale) if line]
    taken = 16 + max((width_of(name, SIZE - 1) for _, names in ticks for name in names), default=0.0)
    for place, line in enumerate(reversed(titles)):
        x, y = left - taken - 1.25 * SIZE * place, (start + stop) / 2
        yield _title(lettered(x, y, line, SIZE, INK, "middle", f"rotate(-90 {x:.1f} {y:.1f})"))


def _marks(figure: Figure, scales: Mapping[str, Scale], write: AxisWriter) -> Iterator[str]:
    """All traces, maps below bars below lines, as Plotly lays them; each in its own part of the plot."""
    before: dict[str, Trace] = {}
    slots, bases = _slots(figure), dict[tuple[str, str], Reals]()
    order = sorted(range(len(figure.data)), key=lambda place: _layer(figure.data[place]))
    for place in order:
        trace = figure.data[place]
        across, up = (scales[axis_name(trace, letter)] for letter in "xy")
        if trace["type"] == "heatmap":
            drawn = [*traces.cells(trace, across, up), *_shades(trace, across, up, write)]
        elif trace["type"] == "bar":
            drawn = list(traces.bars(trace, across, up, slots[place], _stacked(figure, trace, bases)))
        else:
            drawn = list(traces.scatter(trace, across, up, before.get(axis_name(trace, "y"))))
            before[axis_name(trace, "y")] = trace
        opacity = trace.get("opacity", 1) if trace["type"] != "bar" else 1
        inside = "".join(drawn) if opacity == 1 else f'<g opacity="{opacity:g}">{"".join(drawn)}</g>'
        yield _cut(inside, across, up) if trace.get("cliponaxis", True) else inside


def _layer(trace: Trace) -> tuple[int, int]:
    return _ORDER[trace["type"]], trace.get("zorder", 0)


def _cut(inside: str, across: Scale, up: Scale) -> str:
    """A part of the plot that cuts whatever leaves it: a picture inside the picture, which needs no name of its own."""
    (left, right), (bottom, top) = across.places, up.places
    box = f"{left - 2:.1f} {top - 2:.1f} {right - left + 4:.1f} {bottom - top + 4:.1f}"
    x, y, width, height = box.split()
    return f'<svg x="{x}" y="{y}" width="{width}" height="{height}" viewBox="{box}">{inside}</svg>'


def _slots(figure: Figure) -> dict[int, tuple[float, float]]:
    """The places of the rows of bars: side by side, or all in one."""
    gap = float(figure.layout.get("bargap", 0.2))
    mode, half = figure.layout.get("barmode", "group"), (1 - gap) / 2
    slots = {}
    for place, trace in enumerate(figure.data):
        if trace["type"] == "bar":
            beside = [at for at, other in enumerate(figure.data) if _together(trace, other)]
            size = 2 * half / len(beside)
            start = -half + beside.index(place) * size
            slots[place] = (start, start + size) if mode == "group" else (-half, half)
    return slots


def _together(trace: Trace, other: Trace) -> bool:
    """Whether two rows of bars share their places."""
    alike = all(axis_name(trace, letter) == axis_name(other, letter) for letter in "xy")
    return other["type"] == "bar" and alike and other.get("orientation") == trace.get("orientation")


def _stacked(figure: Figure, trace: Trace, bases: dict[tuple[str, str], Reals]) -> Reals | None:
    """The bases of a row of bars that stands on those before it; none where it stands on nothing."""
    if figure.layout.get("barmode") != "stack":
        return None
    key = (axis_name(trace, "x"), axis_name(trace, "y"))
    values = np.asarray(trace["x" if trace.get("orientation") == "h" else "y"], dtype=float)
    base = bases.get(key, np.zeros(values.shape))
    bases[key] = base + np.nan_to_num(values)
    return base


def _shades(trace: Trace, across: Scale, up: Scale, write: AxisWriter) -> Iterator[str]:
    """The shades of a map, as a strip beside it with its two ends and its middle."""
    if not trace.get("showscale", True):
        return
    shades = np.asarray(trace["z"], dtype=float)
    low, high = float(trace.get("zmin", np.nanmin(shades))), float(trace.get("zmax", np.nanmax(shades)))
    (bottom, top), right = up.places, max(across.places) + 16
    for step in range(40):
        share, tall = step / 40, (bottom - top) / 40
        color = symbols.shade(trace["colorscale"], (step + 0.5) / 40)
        y = bottom - (share * (bottom - top)) - tall
        yield f'<rect x="{right:g}" y="{y:.1f}" width="12" height="{tall + 0.3:.1f}" fill="{color}"/>'
    for share in (0.0, 0.5, 1.0):
        at = bottom - share * (bottom - top)
        yield lettered(right + 16, at + 4, write.number(low + share * (high - low)), SIZE - 2, INK, "start")
