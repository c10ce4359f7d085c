"""Pictures for papers: a figure as wide as a column, letters of 7 to 9 points, its title off and its source inside."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from html import escape, unescape
from types import MappingProxyType

from explorer.figures import theme
from explorer.figures.plot import Axis, Figure, Trace
from explorer.paper.flow import laid_out
from explorer.paper.letters import strange, wrapped
from explorer.paper.printing import SIZE, drawn
from explorer.paper.scales import AxisWriter
from explorer.paper.tex import tex
from explorer.paper.traces import lettered

COLUMNS: Mapping[str, float] = MappingProxyType({"one": 8.5, "two": 17.5})  # centimeters
_TALL: Mapping[str, float] = MappingProxyType({"one": 270.0, "two": 380.0})  # of the plot, in units
POINTS = 72 / 2.54  # in a centimeter
_UNIT = 0.59  # points
_SMALLEST, _LARGEST = 12.0, 15.0  # letters in units: 7.1 and 8.9 points
_BESIDE, _SAMPLE = 96.0, 70.0  # what the values along an axis take, and a mark that is explained with its margins
_SIZES = re.compile(r'font-size="([\d.]+)"')
_TEXTS = re.compile(r"(<(?:text|tspan)[^>]*>)([^<]+)|(</tspan>)([^<]+)")


@dataclass(frozen=True)
class About:
    """The text inside a picture: title, description, version and seed, source, link.

    A warning, where there is one, is also seen.
    """

    title: str
    shows: str
    version: str
    source: str
    link: str
    warning: str = ""

    @property
    def origin(self) -> str:
        """The picture's origin, in one line."""
        return " · ".join(part for part in (self.warning, self.version, self.source, self.link) if part)

    @property
    def caption(self) -> str:
        """The caption beside the picture."""
        return "\n".join(part for part in (self.title, self.shows, self.origin) if part)


def plate(picture: Figure | str, write: AxisWriter, column: str, about: About, in_tex: bool = False) -> str:
    """The picture as SVG, as wide as one column or both; `in_tex` writes its letters as TeX reads them."""
    width = POINTS * COLUMNS[column] / _UNIT
    height, inside = laid_out(picture, width) if isinstance(picture, str) else _drawn(picture, write, width, column)
    inside = _SIZES.sub(lambda size: f'font-size="{min(max(float(size[1]), _SMALLEST), _LARGEST):g}"', inside)
    for line in wrapped(about.warning, width - 16, _SMALLEST) if about.warning else ():
        height += 1.3 * _SMALLEST
        inside += lettered(8, height - 8, line, _SMALLEST, anchor="start")
    if in_tex:
        inside = _TEXTS.sub(lambda match: (match[1] or match[3]) + _as_tex(match[2] or match[4]), inside)
    high = COLUMNS[column] * height / width
    inner = {"title": about.title, "desc": about.shows, "metadata": about.origin}
    said = "".join(f"<{name}>{escape(text, quote=False)}</{name}>" for name, text in inner.items())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{10 * COLUMNS[column]:g}mm" height="{10 * high:.2f}mm" '
        f'viewBox="0 0 {width:.1f} {height:.1f}" fill="none" role="img" direction="ltr" '
        f'font-family="Helvetica, Arial, sans-serif">{said}{inside}</svg>'
    )


def _drawn(figure: Figure, write: AxisWriter, width: float, column: str) -> tuple[float, str]:
    """The height and the shapes of a figure of this width."""
    tall = _TALL[column]
    return drawn(_fitted(figure, width, tall), replace(write, powers=True), width, tall)


def as_pdf(svg: str, column: str, about: About) -> bytes:
    """The picture as PDF; a letter that no typeface has is refused (`pdf.UnwritableError`)."""
    from explorer.paper.pdf import pdf  # only here: no page needs it to be shown

    said = {"Title": about.title, "Subject": about.shows, "Creator": about.version, "Keywords": about.origin}
    return pdf(svg, POINTS * COLUMNS[column], said)


def unsettable(svg: str) -> str:
    """The letters of a picture that no typeface of its PDF has, each once."""
    return strange(unescape("".join(match[2] or match[4] for match in _TEXTS.finditer(svg))))


def _as_tex(text: str) -> str:
    return escape(tex(unescape(text)), quote=False)


def _fitted(figure: Figure, width: float, tall: float) -> Figure:
    """The figure with its titles, and the names of its marks, in as many lines as they take."""
    layout: dict[str, object] = {**figure.layout}
    for name, axis in figure.axes.items():
        if axis.get("title", {}).get("text"):
            low, high = axis.get("domain", (0.0, 1.0))
            room = (high - low) * (width - _BESIDE if name[0] == "x" else tall)
            text = axis["title"]["text"].replace("<br>", " ")
            layout[name] = axis | {"title": axis["title"] | {"text": "<br>".join(wrapped(text, room, SIZE))}}
    data = [
        trace | {"name": "<br>".join(wrapped(trace["name"], width - _SAMPLE, SIZE))} if trace.get("name") else trace
        for trace in figure.data
    ]
    return Figure(data, layout)


def panels(figure: Figure) -> list[Figure]:
    """The figure's parts that have a place of their own, from left to right and from top to bottom."""
    parts: dict[tuple[float, ...], list[Trace]] = {}
    for trace in figure.data:
        across, up = (theme.axis_of(figure, trace, letter).get("domain", (0.0, 1.0)) for letter in "xy")
        parts.setdefault((-up[1], across[0], across[1], up[0]), []).append(trace)
    layout = {**figure.layout, **{name: _titled(figure, name) for name in figure.axes}}
    return [Figure(parts[place], layout) for place in sorted(parts)]


def _titled(figure: Figure, name: str) -> Axis:
    """An axis whose missing texts are taken from the neighbor that has them."""
    axis = figure.axis(name)
    alike = (
        other
        for key, other in figure.axes.items()
        if key[0] == name[0] and other.get("title", {}).get("text")
        if all(other.get(part) == axis.get(part) for part in ("range", "type", "domain"))
    )
    return axis if axis.get("title", {}).get("text") else {**axis, "title": next(alike, axis).get("title", {})}
