"""Figures as plain descriptions, in Plotly's words, which Plotly itself sees only when the browser is to draw them.

Measured: Plotly's own objects judge and copy every property of every trace, four times as long as all else that a page
does for a slider's move. So a figure is put together from dictionaries; that Plotly accepts each of them is tested.
"""

from __future__ import annotations

import base64
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Required, TypeAlias, TypedDict, cast

import numpy as np
from numpy.typing import NDArray

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
AxisData = Sequence[object] | NDArray[np.generic]  # what stands along an axis
Many = Sequence[float] | NDArray[np.generic]  # one number for each mark


class Text(TypedDict, total=False):
    """Words, as a title has them."""

    text: str
    standoff: float


class Font(TypedDict, total=False):
    """The look of letters."""

    family: str
    size: float
    color: str | Sequence[str]


class Pen(TypedDict, total=False):
    """The look of a line."""

    color: str
    width: float
    dash: str
    shape: str


class Marker(TypedDict, total=False):
    """The look of dots and bars: all of them, or each by itself."""

    color: str | Sequence[str]
    symbol: str | Sequence[str]
    size: float | Many
    opacity: float
    line: Pen


class Bars(TypedDict, total=False):
    """Error bars: their lengths to both sides, or up and down."""

    type: str
    array: Many
    arrayminus: Many
    value: float
    valueminus: float
    color: str
    width: float
    thickness: float


class Axis(TypedDict, total=False):
    """An axis: its title, its ends, the texts along it, and its place."""

    title: Text
    type: str
    range: Sequence[float]
    autorange: str
    domain: Sequence[float]
    anchor: str
    matches: str
    scaleanchor: str
    side: str
    visible: bool
    tickvals: Sequence[float]
    ticktext: Sequence[str]
    categoryarray: Sequence[str]
    nticks: int
    dtick: float
    tick0: float
    ticks: str
    showticklabels: bool
    showgrid: bool
    zeroline: bool
    zerolinewidth: float
    zerolinecolor: str
    gridcolor: str
    linecolor: str
    automargin: bool


class Trace(TypedDict, total=False):
    """One series of a figure, as far as anybody here reads it; Plotly knows more."""

    type: Required[str]
    x: AxisData
    y: AxisData
    z: AxisData
    name: str
    mode: str
    text: str | AxisData
    marker: Marker
    line: Pen
    fill: str
    fillcolor: str
    opacity: float
    error_x: Bars
    error_y: Bars
    xaxis: str
    yaxis: str
    orientation: str
    width: float | Many
    offset: float | Many
    base: float | Many
    textposition: str
    texttemplate: str
    textfont: Font
    insidetextfont: Font
    showlegend: bool
    showscale: bool
    colorscale: Sequence[Sequence[object]]
    zmin: float
    zmax: float
    zorder: int
    cliponaxis: bool
    customdata: AxisData
    meta: str | Meta
    hoverinfo: str


class Box(TypedDict, total=False):
    """A rectangle that belongs to no series, from corner to corner."""

    x0: float
    x1: float
    y0: float
    y1: float
    xref: str
    yref: str
    fillcolor: str
    line: Pen


class Note(TypedDict, total=False):
    """A text that belongs to no series, at a place."""

    x: float
    y: float
    xref: str
    yref: str
    xanchor: str
    yanchor: str
    text: str
    font: Font
    bgcolor: str
    opacity: float


class Meta(TypedDict, total=False):
    """The facts of a figure that the stage needs and Plotly does not."""

    below: float
    least: float
    rows: Mapping[str, object]


class Legend(TypedDict, total=False):
    """The look of the series' names in the legend."""

    traceorder: str


class Layout(TypedDict, total=False):
    """The whole figure but its series, as far as anybody here reads it; Plotly knows more."""

    title: Text
    template: Template
    font: Font
    xaxis: Axis
    yaxis: Axis
    xaxis2: Axis
    yaxis2: Axis
    legend: Legend
    annotations: Sequence[Note]
    shapes: Sequence[Box]
    bargap: float
    barmode: str
    margin: Mapping[str, float]
    meta: Meta


class Template(TypedDict, total=False):
    """The part that all figures have in common."""

    layout: Layout


AXIS = re.compile(r"[xy]axis\d*")
_PACKED = {"f": "f8", "i": "f8", "u": "f8"}  # Plotly reads no integers of eight bytes


def _trace(kind: str, **described: object) -> Trace:
    return cast("Trace", {"type": kind} | described)


def also(trace: Trace, **more: object) -> Trace:
    """A series described in more words of Plotly's."""
    return cast("Trace", {**trace, **more})


def along(trace: Trace, letter: str) -> AxisData | None:
    """The data along an axis, x or y; none where there are none."""
    return trace.get("x") if letter == "x" else trace.get("y")


def errors(trace: Trace, letter: str) -> Bars:
    """The error bars along an axis, x or y; empty where there are none."""
    return (trace.get("error_x") if letter == "x" else trace.get("error_y")) or {}


def axis_name(trace: Trace, letter: str) -> str:
    """The name in the layout of the axis that a series is drawn along."""
    named = trace.get("xaxis", "x") if letter == "x" else trace.get("yaxis", "y")
    return f"{letter}axis{named[1:]}"


scatter = partial(_trace, "scatter")
bar = partial(_trace, "bar")
heatmap = partial(_trace, "heatmap")


@dataclass(init=False)
class Figure:
    """Traces, a layout, and frames where something moves by itself."""

    data: list[Trace] = field(default_factory=list)
    layout: Layout = field(default_factory=Layout)
    frames: list[dict[str, object]] = field(default_factory=list)

    def __init__(
        self,
        data: Trace | Iterable[Trace] = (),
        layout: Mapping[str, object] | None = None,
        frames: Iterable[dict[str, object]] = (),
    ) -> None:
        self.data = [cast("Trace", data)] if isinstance(data, dict) else list(data)
        self.layout, self.frames = cast("Layout", dict(layout or {})), list(frames)

    def add(self, trace: Trace) -> None:
        """Add a trace, drawn above the others."""
        self.data.append(trace)

    def add_scatter(self, **described: object) -> None:
        """Add a line or cloud of points."""
        self.add(scatter(**described))

    def add_bar(self, **described: object) -> None:
        """Add a row of bars."""
        self.add(bar(**described))

    @property
    def bare(self) -> bool:
        """Whether a figure holds no value: nothing but words and guides, and bars without length."""
        return not any(_shows(trace) for trace in self.data if trace.get("meta") != "decoration")

    @property
    def axes(self) -> dict[str, Axis]:
        """The axes by their names in the layout."""
        return cast("dict[str, Axis]", {name: part for name, part in self.layout.items() if AXIS.fullmatch(name)})

    def axis(self, name: str) -> Axis:
        """The axis of a name in the layout."""
        return cast("Mapping[str, Axis]", self.layout)[name]

    def put(self, **parts: object) -> None:
        """Replace parts of the layout, in Plotly's words, by those given."""
        self.layout |= cast("Layout", parts)

    def plain(self) -> dict[str, Json]:
        """The whole figure in JSON's own kinds of values."""
        description = _plain(vars(self))
        assert isinstance(description, dict)
        return description

    def json(self) -> str:
        """The whole figure as Plotly reads it in the browser."""
        return json.dumps(self.plain(), separators=(",", ":"), allow_nan=False)


def _shows(trace: Trace) -> bool:
    """Whether a trace has a mark that can be seen."""
    values = np.asarray(trace.get("x" if trace.get("orientation") == "h" else "y", ()), dtype=object).ravel()
    return any(bool(value) for value in values) if trace["type"] == "bar" else len(values) > 0


def _plain(value: Any) -> Json:
    """A value as JSON holds it: long columns of numbers as packed bytes, and an undefined number as null."""
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, np.ndarray):
        packed = _PACKED.get(value.dtype.kind) if value.ndim == 1 else None
        if packed is None:
            return _plain(value.tolist())
        return {"dtype": packed, "bdata": base64.b64encode(value.astype(f"<{packed}").tobytes()).decode("ascii")}
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, (str, int)) else [_plain(part) for part in value]
