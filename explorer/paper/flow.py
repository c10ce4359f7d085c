"""A drawing of HTML laid out on paper without a browser: words in lines, scales, crowds, bars and tables in one column.

It knows the few classes of the app's own drawings. Parts that stand side by side on a wide screen
stand so here where both columns of a page are taken, and in one column below each other. Every letter has its room.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from types import MappingProxyType
from xml.etree import ElementTree as ET

from explorer.paper.apart import LARGE, LEADING, SMALL, apart
from explorer.paper.letters import width_of, wrapped
from explorer.paper.shapes import DrawingOrigin, box, circle, painted, seen_through, shapes
from explorer.paper.traces import INK, lettered

SIZE = 13.5  # of letters, in units
WIDE = 600.0  # from here on columns stand side by side
GAP = 24.0
_HIGH = 150.0  # of bars and curves
_GRID = "#DDE2E8"
_BLOCKS = frozenset("div svg table".split())
_LETTERS: Mapping[str, float] = MappingProxyType({"ldp-quiet": SMALL, "big": LARGE})
_LEFT_OUT = re.compile(r'<style>.*?</style>|<button.*?</button>| xmlns="[^"]*"', re.DOTALL)  # for screens alone


@dataclass
class Flow:
    """The layout so far: its shapes, and the place of the next one."""

    width: float
    x: float = 0.0
    y: float = 0.0
    shapes: list[str] = field(default_factory=list)

    def draw(self, steps: str, fill: str = "none", stroke: str = "none", width: float = 1.0, more: str = "") -> None:
        """Draw one shape."""
        self.shapes.append(painted(steps, fill, stroke, width, more))

    def words(self, text: str, size: float = SIZE, color: str = INK) -> None:
        """Write a text in as many lines as it takes."""
        for line in wrapped(" ".join(text.split()), self.width, size):
            self.y += LEADING * size
            self.shapes.append(lettered(self.x, self.y - 0.3 * size, escape(line, quote=False), size, color, "start"))

    def label(self, at: float, text: str, size: float = SMALL, down: float = 0.0) -> None:
        """Write a text around a place along the width, moved in where it would be cut."""
        half = width_of(text, size) / 2
        x = min(max(at, half), max(self.width - half, half))
        self.shapes.append(lettered(self.x + x, self.y + down, escape(text, quote=False), size, INK))

    def inside(self, x: float, width: float) -> Flow:
        """A column of its own that begins here."""
        return Flow(width, self.x + x, self.y, self.shapes)


def laid_out(drawing: str, width: float, margin: float = 10.0) -> tuple[float, str]:
    """The height and the shapes of a drawing of this width."""
    root = ET.fromstring(f"<div>{_LEFT_OUT.sub('', drawing)}</div>")
    flow = Flow(width - 2 * margin, margin, margin / 2)
    _block(flow, root)
    return flow.y + margin, "".join(flow.shapes)


def _block(flow: Flow, node: ET.Element) -> None:
    """Lay out an element: by its class, as a line of words, or its parts below one another."""
    kinds = node.get("class", "").split()
    ways = [_WAYS[kind] for kind in kinds if kind in _WAYS] or [_WAYS.get(node.tag, _parts)]
    ways[0](flow, node)


def _parts(flow: Flow, node: ET.Element) -> None:
    """Lay out an element's parts below one another; words between blocks are lines of their own."""
    if not any(each.tag in _BLOCKS for each in node):
        _line(flow, node)
        return
    size = _size(node)
    if (node.text or "").strip():
        flow.words(node.text or "", size)
    for child in node:
        _block(flow, child)
        if (child.tail or "").strip():
            flow.words(child.tail or "", size)


def _line(flow: Flow, node: ET.Element) -> None:
    """Lay out words alone."""
    text = " ".join("".join(node.itertext()).split())
    if text:
        flow.words(text, _size(node))


def _size(node: ET.Element) -> float:
    return next((_LETTERS[kind] for kind in node.get("class", "").split() if kind in _LETTERS), SIZE)


def _svg(flow: Flow, node: ET.Element, most: float = 0.0) -> None:
    """Lay out a picture, as wide as there is room; one that is stretched is as high as bars are."""
    left, top, wide, high = (float(each) for each in node.attrib["viewBox"].split())
    stretched = node.get("preserveAspectRatio") == "none"
    scale = flow.width / wide if stretched else min(flow.width / wide, most / high if most else _lettered_at(node))
    down = _HIGH / high if stretched else scale
    inside = "".join(
        apart(list(shapes(node, DrawingOrigin(flow.x - scale * left, flow.y - down * top + 4, scale, down))))
    )
    flow.shapes.append(_cut(inside, flow.x, flow.y + 4, flow.width, _HIGH) if stretched else inside)
    flow.y += down * high + 8


def _lettered_at(node: ET.Element) -> float:
    """The scale at which a picture's usual letters are as large as those of a paper may be; of dots, that of dots."""
    sizes = sorted(float(each.get("font-size", 16)) for each in node.iter("text"))
    return LARGE / sizes[len(sizes) // 2] if sizes else 26.0


def _cut(inside: str, x: float, y: float, width: float, height: float) -> str:
    """A part of a picture that cuts whatever leaves it."""
    place = f"{x:.1f} {y:.1f} {width:.1f} {height:.1f}"
    said = (f'{name}="{part}"' for name, part in zip(("x", "y", "width", "height"), place.split(), strict=True))
    return f'<svg {" ".join(said)} viewBox="{place}">{inside}</svg>'


def _heading(flow: Flow, node: ET.Element) -> None:
    """Lay out a name and its description."""
    flow.words(": ".join("".join(part.itertext()).strip() for part in node))


def _each(flow: Flow, node: ET.Element) -> None:
    """Lay out sentences, each in lines of its own."""
    for part in node:
        flow.words("".join(part.itertext()))


def _side_by_side(flow: Flow, node: ET.Element) -> None:
    """Lay out columns, or one below the other where a page's column is narrow."""
    parts = [each for each in node if each.tag == "div"]
    if flow.width < WIDE:
        for part in parts:
            _block(flow, part)
            flow.y += 6
        return
    wide = (flow.width - GAP * (len(parts) - 1)) / len(parts)
    ends = []
    for place, part in enumerate(parts):
        column = flow.inside(place * (wide + GAP), wide)
        _block(column, part)
        ends.append(column.y)
    flow.y = max(ends, default=flow.y) + 6


def _named(node: ET.Element, name: str) -> str:
    """The value of a property in a style."""
    match = re.search(rf"(?:^|[;\s]){name}:\s*([^;]+)", node.get("style", ""))
    return match[1].strip() if match else ""


def _share(node: ET.Element, name: str) -> float:
    """The value of a property in per cent, as a share."""
    text = _named(node, name)
    return float(text[:-1]) / 100 if text.endswith("%") else 0.0


def _track(flow: Flow, node: ET.Element) -> None:
    """Lay out an interval on its scale."""
    for part in node:
        x, wide = flow.x + _share(part, "left") * flow.width, max(_share(part, "width") * flow.width, 3.0)
        color, y = _named(part, "background"), flow.y
        match part.get("class"):
            case "shares":
                flow.draw(box(x, y + 8, wide, 13, 3), color)
            case "reach":
                flow.draw(box(x, y + 8, wide, 13, 4), seen_through(color, 0.55))
            case "inner":
                flow.draw(box(x, y + 12, wide, 5, 2), color)
            case "truth":
                flow.draw(box(x - 1.5, y + 2, 3, 25), color)
            case "point":
                flow.draw(circle(x, y + 14.5, 6, 6), color, _named(part, "border").rpartition(" ")[2], 2.5)
            case _:
                flow.label(x - flow.x, "←" if "◀" in "".join(part.itertext()) else "→", LARGE, 20)
    flow.y += 29


def _ticks(flow: Flow, node: ET.Element) -> None:
    """Lay out the marks below a scale, with the measured quantity at its end."""
    for part in node:
        text = "".join(part.itertext())
        flow.label(_share(part, "left") * flow.width if _named(part, "left") else flow.width, text, SMALL, SMALL)
    flow.y += 1.5 * SMALL + 2


def _area(flow: Flow, node: ET.Element) -> None:
    """Lay out a box that is filled to a share of people, as of those who say yes."""
    color = _named(node, "border").rpartition(" ")[2]
    flow.y += 6
    flow.draw(box(flow.x, flow.y, flow.width, 110, 5), "none", color, 2)
    for part in node:
        high = 110 * _share(part, "height")
        flow.draw(box(flow.x, flow.y + 110 - high, flow.width, high), _named(part, "background"))
    flow.y += 116


def _heap(flow: Flow, node: ET.Element) -> None:
    """Lay out bars side by side."""
    wide = flow.width / max(len(node), 1)
    for place, part in enumerate(node):
        high = max(_HIGH * _share(part, "height"), 1.5)
        flow.draw(box(flow.x + place * wide, flow.y + 4 + _HIGH - high, wide - 2, high), _named(part, "background"))
    flow.y += _HIGH + 4


def _ends(flow: Flow, node: ET.Element) -> None:
    """Lay out the names of the first and the last of some bars."""
    parts = ["".join(part.itertext()) for part in node]
    if sum(width_of(part, SMALL) for part in parts) > flow.width - 12:
        for part in parts:
            flow.words(part, SMALL)
        return
    for part, at in zip(parts, (0.0, flow.width), strict=False):
        flow.label(at, part, SMALL, SMALL + 2)
    flow.y += 1.5 * SMALL


def _rounds(flow: Flow, node: ET.Element) -> None:
    """Lay out bars with the texts above and below them."""
    wide, most = flow.width / max(len(node), 1), 8.0
    for place, part in enumerate(node):
        (bar,) = part
        high = _HIGH * float(_named(bar, "height").removesuffix("rem")) / most
        middle, x = (place + 0.5) * wide, flow.x + place * wide + 0.1 * wide
        dashed = "" if "past" in bar.get("class", "") else ' stroke-dasharray="5 4"'
        flow.draw(
            box(x, flow.y + 18 + _HIGH - high, 0.8 * wide, high, 3),
            _named(bar, "background"),
            _named(bar, "border-color"),
            2,
            dashed,
        )
        flow.label(middle, (part.text or "").strip(), SMALL, 13 + _HIGH - high)
        flow.label(middle, (bar.tail or "").strip(), SMALL, 18 + _HIGH + 14)
    flow.y += _HIGH + 38


def _rule(flow: Flow, node: ET.Element) -> None:
    """Lay out the picture of a tossed device, and its instruction."""
    room = min(0.3 * flow.width, 100.0)
    pictures, words = flow.inside(0, room), flow.inside(room + 10, flow.width - room - 10)
    for part, column in zip(node, (pictures, words), strict=False):
        for svg in part.iter():
            if svg.tag == "svg":
                _svg(column, svg, 34.0)
        if column is words:
            _line(column, part)
    flow.y = max(pictures.y, words.y) + 6


def _people(flow: Flow, node: ET.Element) -> None:
    """Lay out the meaning of each mark."""
    for part in node:
        for mark in part:
            _mark(flow, mark, flow.x + 6, flow.y + 9)
        column = flow.inside(18, flow.width - 18)
        column.words("".join(part.itertext()))
        flow.y = column.y


def _mark(flow: Flow, node: ET.Element, x: float, y: float) -> None:
    """Draw a mark of a person: a dot or a box."""
    color = _named(node, "background")
    flow.draw(circle(x, y, 5.5, 5.5) if _named(node, "border-radius") else box(x - 5, y - 5, 10, 10), color)


def _curves(flow: Flow, node: ET.Element) -> None:
    """Lay out curves with a line at the report, and marks on it."""
    top = flow.y + 4
    for part in node:
        x, y = flow.x + _share(part, "left") * flow.width, top + _share(part, "top") * _HIGH
        if part.tag == "svg":
            _svg(flow, part)
        elif part.get("class") == "report":
            flow.draw(box(x - 1, top, 2, _HIGH), _named(part, "background"))
        else:
            _mark(flow, part, x, y)


def _answers(flow: Flow, node: ET.Element) -> None:
    """Lay out two columns for each answer; the reported one stands on a ground of its own."""
    wide, high = flow.width / max(len(node), 1), _HIGH - 20
    for place, group in enumerate(node):
        x = flow.x + place * wide
        if ground := _named(group, "background"):
            flow.draw(box(x + 4, flow.y, wide - 8, _HIGH + 4, 6), ground)
        for at, column in enumerate(group):
            bar, said = column
            tall, middle = high * _share(bar, "height"), place * wide + (0.3 + 0.4 * at) * wide
            flow.draw(
                box(flow.x + middle - 0.14 * wide, flow.y + _HIGH + 4 - tall, 0.28 * wide, tall),
                _named(bar, "background"),
            )
            flow.label(middle, "".join(said.itertext()), SMALL, _HIGH - tall)
    flow.y += _HIGH + 6


def _filled(flow: Flow, node: ET.Element) -> None:
    """Lay out a bar with an edge that is filled in part, or several parts of one on nothing."""
    edge = _named(node, "border-color") or "none"
    flow.y += 4
    flow.draw(box(flow.x, flow.y, flow.width, 14, 3), _named(node, "background") or "none", edge, 1.5)
    for part in node:
        x, wide = flow.x + _share(part, "left") * flow.width, max(_share(part, "width") * flow.width, 2.0)
        flow.draw(box(x, flow.y, wide, 14), _named(part, "background"))
    flow.y += 20


def _said(flow: Flow, node: ET.Element) -> None:
    """Lay out a bar, and its number."""
    text = "".join(node.itertext()).strip()
    room = width_of(text, SIZE) + 10
    bar, count = flow.inside(0, flow.width - room), flow.inside(flow.width - room + 6, room)
    for part in node:
        _filled(bar, part)
    count.words(text)
    flow.y = max(bar.y, count.y)


def _answer_lines(flow: Flow, node: ET.Element) -> None:
    """Lay out a line for each answer: its name, its number of reports, and its interval."""
    for line in node:
        if any("head" in part.get("class", "").split() for part in line):
            flow.words(" · ".join("".join(part.itertext()) for part in line), SMALL)
            continue
        for part in line:
            _block(flow, part)


def _table(flow: Flow, node: ET.Element) -> None:
    """Lay out rows and columns; the first column has the most room."""
    rows = [list(row) for row in node.iter("tr")]
    count = max(map(len, rows), default=1)
    longest = (width_of(word, SIZE) + 12 for row in rows for word in "".join(row[0].itertext()).split())
    first = max(0.42 * flow.width, *longest)
    other = (flow.width - first) / max(count - 1, 1)
    for row in rows:
        ends = []
        for place, cell in enumerate(row):
            column = flow.inside(0 if place == 0 else first + (place - 1) * other, (other if place else first) - 8)
            for words, size in _cell(cell):
                column.words(words, size)
            ends.append(column.y)
        flow.y = max(ends, default=flow.y) + 4
        flow.draw(box(flow.x, flow.y, flow.width, 0.8), _GRID)
        flow.y += 2


def _cell(node: ET.Element) -> Iterator[tuple[str, float]]:
    """The words of a cell, those inside of it smaller and below."""
    if (node.text or "").strip():
        yield node.text or "", SIZE
    for child in node:
        yield "".join(child.itertext()), SMALL


def _only(wide: bool) -> Callable[[Flow, ET.Element], None]:
    """The layout of a part that exists for wide or for narrow screens alone, drawn where it fits."""

    def draw(flow: Flow, node: ET.Element) -> None:
        if (flow.width >= WIDE) == wide:
            _parts(flow, node)

    return draw


_WAYS: Mapping[str, Callable[[Flow, ET.Element], None]] = MappingProxyType(
    {
        "track": _track,
        "ticks": _ticks,
        "ldp-crowd": _side_by_side,
        "ldp-poll": _side_by_side,
        "area": _area,
        "heap": _heap,
        "ends": _ends,
        "ldp-rounds": _rounds,
        "ldp-rule": _rule,
        "people": _people,
        "curves": _curves,
        "answers": _answers,
        "bar": _filled,
        "said": _said,
        "ldp-answers": _answer_lines,
        "ldp-wide": _only(True),
        "ldp-tall": _only(False),
        "svg": _svg,
        "table": _table,
        "head": _heading,
        "tells": _each,
    }
)
