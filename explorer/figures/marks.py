"""The marks that all figures share: canvas, line, dots, ring at the present level, guide, truth, band, arrows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from explorer.figures import plot
from explorer.figures.theme import PALETTE, Look, escape, layout
from explorer.text.catalogue import Words
from ldpcore.numerics.arrays import Reals

THEORY, DRAWN, OTHER = PALETTE[0], PALETTE[1], PALETTE[2]
SECOND = {"xaxis": "x2", "yaxis": "y2"}  # the panel beside or below the first


def canvas(
    look: Look,
    words: Words,
    drawn: plot.Trace | Iterable[plot.Trace] = (),
    *,
    title: str = "title",
    x: str = "x",
    y: str = "y",
    **more: object,
) -> plot.Figure:
    """A picture whose title and axes are named by the page's own words, with its first traces; `more` is Plotly's."""
    return plot.Figure(drawn, layout(look, words[title], words[x], words[y], **more))


def line(x: plot.AxisData, y: plot.AxisData, name: str, color: str = THEORY, **more: object) -> plot.Trace:
    """An exact law or formula."""
    pen = {"color": color, "width": more.pop("width", 3), "dash": more.pop("dash", "solid")}
    pen |= {"shape": more.pop("shape")} if "shape" in more else {}
    return plot.scatter(x=x, y=y, mode=more.pop("mode", "lines"), name=escape(name), line=pen, **more)


def dots(
    x: plot.AxisData, y: plot.AxisData, name: str, color: str = DRAWN, size: float = 11, **more: object
) -> plot.Trace:
    """The values that were drawn at random."""
    own = more.pop("marker", {})
    assert isinstance(own, dict)
    marker = {"color": color, "size": size, "line": {"color": "#FFFFFF", "width": 1}} | own
    return plot.scatter(x=x, y=y, mode="markers", name=escape(name), marker=marker, **more)


def ring(x: float, y: float, name: str, look: Look, **more: object) -> plot.Trace:
    """The ring at the page's own numbers on a curve; whole at the edge of a picture too."""
    marker = {"size": 18, "symbol": "circle-open", "color": look.ink, "line": {"width": 3}}
    return plot.scatter(
        x=[x], y=[y], mode="markers", name=escape(name), marker=marker, cliponaxis=False, hoverinfo="skip", **more
    )


def label(x: float, y: float, text: str, look: Look, **more: object) -> plot.Trace:
    """Words in the picture, which follow the handle as its points do."""
    described = {"hoverinfo": "skip", "showlegend": False, "meta": "decoration", "textfont": {"color": look.ink}} | more
    return plot.scatter(x=[x], y=[y], mode="text", text=[escape(text)], name=escape(text), **described)


def strokes(x: plot.AxisData, y: plot.AxisData, name: str, look: Look, size: int, **more: object) -> plot.Trace:
    """Lying strokes in ink, each across its own bar."""
    marker = {"symbol": "line-ew-open", "size": size, "color": look.ink, "line": {"width": 4}}
    return plot.scatter(x=x, y=y, mode="markers", name=escape(name), marker=marker, **more)


def printed(points: Sequence[tuple[float, float]], name: str, look: Look) -> plot.Trace:
    """The numbers in a text, as quiet crosses beside what is drawn here; a point that is none is a name alone."""
    x, y = np.array(points).T
    size = 16 if look.lecture else 11
    marker = {"symbol": "x-thin-open", "size": size, "color": look.ghost, "line": {"color": look.ghost, "width": 2.5}}
    return plot.scatter(x=x, y=y, mode="markers", name=escape(name), marker=marker, cliponaxis=False, hoverinfo="name")


def hold_rings(figure: plot.Figure) -> None:
    """Keep every ring in the picture: one beyond an axis stands at its edge, as an open arrow to its place."""
    for trace in figure.data:
        if trace.get("marker", {}).get("symbol") == "circle-open" and trace.get("cliponaxis") is False:
            for letter, arrows in (("x", ("left", "right")), ("y", ("down", "up"))):
                _hold(trace, figure.axis(plot.axis_name(trace, letter)), letter, arrows)


def _hold(trace: plot.Trace, axis: plot.Axis, letter: str, arrows: tuple[str, str]) -> None:
    """Keep a ring on one axis."""
    low, high = sorted(axis.get("range", (-np.inf, np.inf)))
    value = float(np.asarray(plot.along(trace, letter), dtype=float)[0])
    with np.errstate(divide="ignore", invalid="ignore"):
        place = float(np.log10(value)) if axis.get("type") == "log" else value
    if low <= place <= high or np.isnan(place):
        return
    hair = 1e-6 * (high - low)  # what lies beyond an axis by its last digit is not drawn at all
    edge = float(np.clip(place, low + hair, high - hair))
    turned = axis.get("range", (0, 1))[0] > axis.get("range", (0, 1))[1]
    held = [10**edge if axis.get("type") == "log" else edge]
    if letter == "x":
        trace["x"] = held
    else:
        trace["y"] = held
    trace["marker"] = trace["marker"] | {"symbol": f"triangle-{arrows[(place > high) != turned]}-open"}


def guide(x: Sequence[float], y: Sequence[float], name: str, color: str, **more: object) -> plot.Trace:
    """A line to compare with, which carries no number of its own."""
    more = {"dash": "dash", "width": 2} | more
    return line(x, y, name, color, meta="decoration", hoverinfo="name", **more)


def outline(x: Sequence[float], y: Sequence[float], name: str, color: str, **more: object) -> plot.Trace:
    """The edge of a figure's data, silent and whole at the edge of a picture too."""
    more = {"width": 2.5, "meta": "decoration", "hoverinfo": "skip", "showlegend": False, "cliponaxis": False} | more
    return line(x, y, name, color, **more)


def truth(x: plot.AxisData, y: plot.AxisData, name: str, look: Look, **more: object) -> plot.Trace:
    """A true value, in ink; only for readers who may see it."""
    return line(x, y, name, look.ink, **{"width": 2.5, "hoverinfo": "name"} | more)


def band(
    x: plot.AxisData,
    low: plot.AxisData,
    high: plot.AxisData,
    name: str,
    color: str,
    share: float = 0.18,
    **more: object,
) -> list[plot.Trace]:
    """The area between two edges."""
    edge = {"mode": "lines", "line": {"width": 0}, "hoverinfo": "skip", **more}
    lower = plot.scatter(x=x, y=low, showlegend=False, meta="decoration", **edge)
    upper = plot.scatter(
        x=x, y=high, name=escape(name), fill="tonexty", fillcolor=see_through(color, share), meta="decoration", **edge
    )
    return [lower, upper]


def see_through(color: str, share: float = 0.18) -> str:
    """A translucent color."""
    red, green, blue = (int(color[place : place + 2], 16) for place in (1, 3, 5))
    return f"rgba({red},{green},{blue},{share})"


def filled(trace: plot.Trace, color: str = THEORY) -> plot.Trace:
    """A line with the area under it tinted."""
    return trace | {"fill": "tozeroy", "fillcolor": see_through(color, 0.14)}


def within(values: Reals, reach: float, middle: float = 0.0) -> tuple[Reals, list[str]]:
    """Values moved to the edges of a still picture, and the symbol of each: a dot, or an arrow to its place."""
    edge = 0.97 * reach
    clipped = np.clip(values, middle - edge, middle + edge)
    symbols = np.where(
        values > middle + edge, "triangle-right", np.where(values < middle - edge, "triangle-left", "circle")
    )
    return clipped, [str(symbol) for symbol in symbols]


def upright(symbols: Sequence[str]) -> list[str]:
    """The symbols from `within`, turned for an axis that stands upright: arrows up and down."""
    turned = {"triangle-right": "triangle-up", "triangle-left": "triangle-down"}
    return [turned.get(symbol, symbol) for symbol in symbols]


def round_up(value: float, steps: Sequence[float] = (1, 2, 5)) -> float:
    """The next round number: 1, 2 or 5 times a power of ten, so that an axis betrays little of its values."""
    if not value > 0:
        return 1.0
    power = 10.0 ** np.floor(np.log10(value))
    return float(next((step * power for step in steps if step * power >= value * (1 - 1e-12)), 10 * power))


def low_title(title: str) -> str:
    """The title of a low panel's upright axis, its unit in a line of its own."""
    return escape(title).replace(" (", "<br>(")


def logarithmic(low: float, high: float, room: float = 0.05, **more: object) -> dict[str, object]:
    """A log axis that shows exactly this range, with a little room beyond both ends."""
    first, last = float(np.log10(low)), float(np.log10(high))
    aside = room * (last - first)
    return {"type": "log", "range": [first - aside, last + aside]} | more
