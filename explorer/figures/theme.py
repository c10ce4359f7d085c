"""The look of every figure: one small template, ten colours, and a fixed colour, marker and dash per slug.

Needs no Plotly: styles, layouts and figures are plain dictionaries (see `explorer.figures.plot`), so that pages without
charts can ask for the look too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import numpy as np

from explorer.figures.plot import Axis, Figure, Marker, Meta, Pen, Trace, along, axis_name, errors

# Okabe and Ito's colours for all kinds of colour vision, and three more that keep their distance in lightness.
PALETTE = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#56B4E9",
    "#E69F00",
    "#7B3294",
    "#8C6D31",
    "#5F6B76",
    "#B2182B",
)
IN_THE_DARK = MappingProxyType({"#7B3294": "#A86AE8", "#B2182B": "#D63A48"})  # too near to dark paper as they are
MARKERS = ("circle", "square", "diamond", "triangle-up", "cross", "x", "star", "hexagon", "pentagon", "bowtie")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "8px,3px", "2px,5px", "12px,2px", "1px,2px")
LARGEST_FAMILY = 50
POWERS = 1e6  # from which on numbers that are not written in full are powers of ten
LONGEST_UPRIGHT = 24  # letters of the upright axis' title that stand in one line
LONGEST_IN_LECTURE = 16
MOST_IN_A_ROW = 30  # letters of all labels along the lower axis that a phone shows without turning them


@dataclass(frozen=True)
class Look:
    """A figure's surroundings: a dark screen, a lecture hall, whether the truth may show."""

    dark: bool = False
    lecture: bool = False
    truth: bool = True
    separators: str = ".\u202f"  # decimal mark and group mark, in the reader's language
    asks: bool = True  # whether it asks what is hidden, as it does while people predict
    printed: tuple[tuple[float, float], ...] = ()  # what a text prints of the same question, as points of the picture

    @property
    def predicting(self) -> bool:
        """Whether people predict the hidden truth, and are asked for it."""
        return self.asks and not self.truth

    @property
    def ink(self) -> str:
        """The colour of text, and of the truth."""
        return "#E8ECF1" if self.dark else "#0E141D"

    @property
    def paper(self) -> str:
        """The colour of the page."""
        return "#12161C" if self.dark else "#FFFFFF"

    @property
    def faint(self) -> str:
        """The colour of grids and of other faint parts."""
        return "#343D49" if self.dark else "#DDE2E8"

    @property
    def ghost(self) -> str:
        """The colour of quiet lines behind the data."""
        return "#8A94A0"

    @property
    def accent(self) -> str:
        """The one accent colour."""
        return "#7CB8EE" if self.dark else "#0B5FA5"

    @property
    def font_size(self) -> int:
        """The size of a figure's text in pixels."""
        return 22 if self.lecture else 14


@dataclass(frozen=True)
class Style:
    """The colour, marker and dash of one slug."""

    color: str
    marker: str
    dash: str

    def line(self, width: float = 2.5) -> Pen:
        """Plotly's description of the line."""
        return {"color": self.color, "dash": self.dash, "width": width}

    def points(self, size: float = 8) -> Marker:
        """Plotly's description of the markers."""
        return {"color": self.color, "symbol": self.marker, "size": size}


def style(slug: str, family: Sequence[str]) -> Style:
    """The style of a slug within its family (the registered slugs of a kind, in order).

    The first ten have colors, markers and dashes of their own; every further ten repeat the colors, with markers and
    dashes shifted by 3 and by 7 places, so that any two of fifty differ in at least two of the three.
    """
    position = list(family).index(slug)
    if position >= LARGEST_FAMILY:
        raise ValueError(f"a family has at most {LARGEST_FAMILY} members; {slug} is number {position + 1}")
    turn, place = divmod(position, len(PALETTE))
    return Style(PALETTE[place], MARKERS[(place + 3 * turn) % 10], DASHES[(place + 7 * turn) % 10])


@lru_cache(maxsize=8)
def ink_on(color: str) -> str:
    """Black or white, whichever is read better on this color (WCAG 2.2, contrast ratio of relative luminances)."""
    shares = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "#000000" if (luminance + 0.05) ** 2 > 1.05 * 0.05 else "#FFFFFF"


def template(look: Look) -> dict[str, Any]:
    """The small explicit template: paper, ink, grid, font and legend, and nothing else."""
    axis = {
        "gridcolor": look.faint,
        "linecolor": look.ghost,
        "zeroline": False,
        "showline": True,
        "ticks": "outside",
        "tickcolor": look.ghost,
        "title": {"standoff": 8},
        "exponentformat": "power",
        "autotickangles": [0, -35, -60],  # a name that leans back ends at its place, and the last one is not dropped
    }
    size = look.font_size
    return {
        "layout": {
            "font": {"family": '"Source Sans", sans-serif', "size": size, "color": look.ink},
            "title": {
                "font": {"size": size + 3},
                "x": 0,
                "y": 1,
                "yref": "container",
                "yanchor": "top",
                "pad": {"t": 6, "l": 8},
            },
            "paper_bgcolor": look.paper,
            "plot_bgcolor": look.paper,
            "colorway": list(PALETTE),
            "xaxis": axis,
            "yaxis": axis,
            "margin": {"l": 8, "r": 8, "t": 3 * size, "b": 8},
            "legend": {"orientation": "h", "x": 0, "y": 0, "yref": "container", "yanchor": "bottom", "maxheight": 1},
            "hoverlabel": {"font": {"size": size}, "align": "left"},
            "separators": look.separators,
        }
    }


def layout(look: Look, title: str, x: str, y: str, **more: Any) -> dict[str, Any]:
    """A figure's layout: the title states the finding, both axes are named with their unit; `more` is Plotly's."""
    described: dict[str, Any] = {
        "template": template(look),
        "title": {"text": escape(title)},
        "xaxis": {"title": {"text": escape(x)}} | more.pop("xaxis", {}),
        "yaxis": {"title": {"text": _in_two_lines(escape(y), look)}} | more.pop("yaxis", {}),
        "height": 560 if look.lecture else 440,
        "dragmode": False,
    }
    return described | more


def _in_two_lines(title: str, look: Look) -> str:
    """A title that stands upright beside a low picture: a long one is broken where its halves are most alike."""
    if len(title) <= (LONGEST_IN_LECTURE if look.lecture else LONGEST_UPRIGHT):
        return title
    blanks = [place for place, letter in enumerate(title) if letter == " "]
    if not blanks:
        return title
    middle = min(blanks, key=lambda place: abs(2 * place - len(title)))
    return f"{title[:middle]}<br>{title[middle + 1 :]}"


def set_margins(figure: Figure, look: Look) -> None:
    """Give a finished figure its margins: room for ticks and titles of numbers, and for the legend on a phone.

    Measured: letting Plotly find them (`automargin`) draws the figure two or three times, 25 ms of a slider's move; so
    only axes that are labeled with text, whose length nobody knows beforehand, may do it.
    """
    size, layout_, axes = look.font_size, figure.layout, figure.axes
    texts = {axis for trace in figure.data for axis in ("x", "y") if _is_text(along(trace, axis))}
    for name, axis in axes.items():
        if name[0] in texts or _is_long(axis.get("ticktext", ()), name[0]):
            figure.put(**{name: axis | {"automargin": True}})
        if look.lecture and name[0] == "y" and axis.get("type") == "log":
            figure.put(**{name: figure.axis(name) | _powers(axis)})
    raised = any(name[0] == "x" and axis.get("type") == "log" for name, axis in axes.items())
    below = (4.1 if raised else 3.6) * size  # ticks and title; the browser adds what the legend takes at its width
    layout_["meta"] = Meta(below=below) | layout_.get("meta", {})
    titles = [axis.get("title", {}).get("text", "") for name, axis in axes.items() if name[0] == "y"]
    lines = 1 + max((title.count("<br>") for title in titles), default=0)
    full = max((_beyond_usual(axis) for name, axis in axes.items() if name[0] == "y"), default=0.0)
    wide = 0.7 if _has_long_powers(layout_.get("yaxis", {})) else full
    usual = {"l": (3.3 + wide + 1.3 * lines) * size, "r": 8, "t": 0.8 * size, "b": below}
    layout_["margin"] = {**usual, **layout_.get("margin", {})}


def light_up(figure: Figure, look: Look) -> None:
    """Give lines, marks and letters that dark paper would swallow their lighter shade there."""
    if look.dark:
        figure.data = [_lit(trace) for trace in figure.data]


def _lit(part: Any) -> Any:
    """A part of a figure's description with every color in its lighter shade."""
    return {name: _lit(value) if isinstance(value, dict) else _shade(name, value) for name, value in part.items()}


def _shade(name: str, value: Any) -> Any:
    """A color, or the colors of several marks, in the lighter shade; any other value stays."""
    if name != "color":
        return value
    if isinstance(value, (list, tuple)):
        return [_shade(name, each) for each in value]
    return IN_THE_DARK.get(value, value) if isinstance(value, str) else value


def _beyond_usual(axis: Axis) -> float:
    """The extra width of large numbers along an axis beyond the usual four digits, in sizes of a letter."""
    if axis.get("type") == "log" or "ticktext" in axis or "range" not in axis:
        return 0.0
    low, high = sorted(map(float, axis["range"]))
    largest = max(abs(low), abs(high))
    if axis.get("separatethousands"):  # in full
        return 0.5 * max(len(f"{largest:,.0f}") + (low < 0) - 4, 0)
    return 0.5 * (len("1.15×10⁸") + (low < 0) - 4) if largest >= POWERS else 0.0


def _has_long_powers(axis: Axis) -> bool:
    """Whether an axis is marked with powers of ten like 10⁻¹⁰, the longest ticks of numbers."""
    return axis.get("type") == "log" and min(axis.get("range", (0,))) <= -10


def _powers(axis: Axis) -> Axis:
    """The ticks of an upright log axis in large type: Plotly puts at least five, and they lie on each other."""
    (low, high), (start, end) = sorted(axis["range"]), axis.get("domain", (0, 1))
    if high - low < 1.5 or "tickvals" in axis:
        return {}
    return {"dtick": max(int(np.ceil((high - low) / (4 * (end - start)))), axis.get("dtick", 1))}


def _is_long(ticks: Sequence[str], letter: str) -> bool:
    """Whether labels may need more room than numbers do: long ones, and too many in a row for a phone."""
    in_a_row = sum(len(text) + 1 for text in ticks) if letter == "x" else 0
    return any(len(text) > 5 for text in ticks) or in_a_row > MOST_IN_A_ROW


def _is_text(values: Any) -> bool:
    """Whether a trace's coordinates are words."""
    return values is not None and len(values) > 0 and isinstance(values[0], str)


def escape(text: str) -> str:
    """Data as text in Plotly's pseudo-HTML: shown as written (`$x$` would start a formula)."""
    safe = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return safe.replace("$", "&#36;")


_PLAIN = (("&#36;", "$"), ("&gt;", ">"), ("&lt;", "<"), ("&amp;", "&"), ("<br>", " "))


def unescape(text: str) -> str:
    """The text behind Plotly's pseudo-HTML."""
    for written, meant in _PLAIN:
        text = text.replace(written, meant)
    return text


def _plain(value: Any) -> Any:
    """A plain Python value: NumPy's scalars print differently."""
    return value.item() if isinstance(value, np.generic) else value


HEADS: Mapping[str, str] = MappingProxyType({"series": "series", "value": "value"})


def _bars(trace: Trace, letter: str, values: Sequence[Any]) -> dict[str, list[Any]]:
    """The lengths of the error bars of a trace: one for both sides, or up and down."""
    bars = errors(trace, letter)
    up, down = bars.get("array"), bars.get("arrayminus")
    if bars.get("type") == "constant":
        up, down = [bars["value"]] * len(values), None
        if "valueminus" in bars:
            down = [bars["valueminus"]] * len(values)
    if up is None:
        return {}
    return {f"± {letter}": list(up)} if down is None else {f"+ {letter}": list(up), f"− {letter}": list(down)}


def _columns(trace: Trace) -> dict[str, list[Any]]:
    """The numbers of one trace: x, y, its error bars, and z where it has one."""
    read: dict[str, list[Any]] = {}
    if trace.get("z") is not None:
        grid = np.asarray(trace["z"])
        across = list(trace["x"]) if trace.get("x") is not None else list(range(grid.shape[1]))
        down = list(trace["y"]) if trace.get("y") is not None else list(range(grid.shape[0]))
        read["x"] = [value for _ in down for value in across]
        read["y"] = [value for value in down for _ in across]
        read["z"] = list(grid.ravel())
        return read
    for letter in ("x", "y"):
        if (places := along(trace, letter)) is not None:
            read |= {letter: list(places)} | _bars(trace, letter, list(places))
    return read


def axis_of(figure: Figure, trace: Trace, letter: str) -> Axis:
    """The axis along which a trace is drawn."""
    return figure.axis(axis_name(trace, letter))


def _title(figure: Figure, trace: Trace, column: str) -> str:
    """The head of a column of a trace: its axis's name, with the sign of an error bar."""
    sign, _, letter = column.rpartition(" ")
    title = unescape(axis_of(figure, trace, letter).get("title", {}).get("text", "")) or letter
    return f"{sign} {title}".strip()


def _named(axis: Axis, values: list[Any], texts: Any) -> list[Any]:
    """Places along an axis of names as those names, whole where the trace brings them along.

    An axis of numbers stays one, however its ticks are written.
    """
    ticks = [unescape(text) for text in axis.get("ticktext", ())]
    whole = isinstance(texts, (list, tuple)) and len(texts) == len(values)  # ticks may be cut to where no letter is
    written = texts if whole else ticks
    if "ticktext" in axis and all(any(letter.isalpha() for letter in str(text)) for text in written):
        names = dict(zip(axis["tickvals"], ticks, strict=True))
        if whole:
            values = list(texts)
        elif all(value in names for value in values):
            values = [names[value] for value in values]
    return [unescape(value) if isinstance(value, str) else value for value in values]


def figure_table(figure: Figure, heads: Mapping[str, str] = HEADS) -> list[list[object]]:
    """The numbers of a figure, derived from its traces: a header, then one row per point.

    Places on an axis of names are those names; error bars are told with both ends where these differ. Traces named by
    `meta = "decoration"` (bands' edges, guides) carry no number of their own and are left out.
    """
    traces: list[tuple[str, dict[tuple[str, str], list[Any]]]] = []
    for trace in (trace for trace in figure.data if trace.get("meta") != "decoration"):
        read = {}
        for column, values in _columns(trace).items():
            title = heads["value"] if column == "z" else _title(figure, trace, column)
            axis = axis_of(figure, trace, column) if column in ("x", "y") else {}
            read[column, title] = _named(axis, values, None if "z" in trace else trace.get("text"))
        traces.append((unescape(trace.get("name") or ""), read))
    columns = sorted(
        dict.fromkeys(column for _, read in traces for column in read), key=lambda pair: pair[0] not in "xy"
    )
    rows: list[list[object]] = [[heads["series"], *(title for _, title in columns)]]
    for series, read in traces:
        for position in range(max((len(values) for values in read.values()), default=0)):
            cells = (read[each][position] if position < len(read.get(each, ())) else None for each in columns)
            rows.append([series, *(_plain(cell) for cell in cells)])
    return rows
