"""The shapes of a drawing in their places on paper: every move, scale and inherited style is written into each shape.

A path has four steps alone (M, L, C, Z), a box with round corners is a path, and a translucent one says so by its
color: so that a reader of the shapes, as `explorer.paper.pdf`, needs to know no more.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from html import escape
from xml.etree import ElementTree as ET

from explorer.paper.traces import lettered

_STEP = re.compile(r"([MLHVAZmlhvaz])([^MLHVAZmlhvaz]*)")
_NUMBER = re.compile(r"-?\d*\.?\d+(?:e-?\d+)?")
_TURN = re.compile(r"translate\(([^)]*)\)")
_HANDED = ("fill", "stroke", "stroke-width", "stroke-linecap", "text-anchor", "font-size")
_ROUND = 0.5522847498  # how far the handles of a quarter of a circle reach


@dataclass(frozen=True)
class DrawingOrigin:
    """The place of a drawing: its corner, and the size of its unit along and down."""

    x: float
    y: float
    across: float
    down: float

    def at(self, x: float, y: float) -> tuple[float, float]:
        """A point of the drawing."""
        return self.x + self.across * x, self.y + self.down * y

    def moved(self, x: float, y: float) -> DrawingOrigin:
        """The place of a part that is moved inside."""
        return replace(self, x=self.x + self.across * x, y=self.y + self.down * y)


def shapes(node: ET.Element, place: DrawingOrigin, handed: Mapping[str, str] | None = None) -> Iterator[str]:
    """All shapes inside an element of SVG, each with its complete style."""
    said = dict(handed or {}) | {name: node.attrib[name] for name in _HANDED if name in node.attrib}
    if moved := _TURN.search(node.attrib.get("transform", "")):
        x, y, *_ = (*map(float, _NUMBER.findall(moved[1])), 0.0)
        place = place.moved(x, y)
    tag = node.tag.rpartition("}")[2]
    if tag == "text":
        yield _text(node, place, said)
    elif tag in ("path", "rect", "circle", "line"):
        yield from _painted(_steps(tag, node.attrib, place), node.attrib, said, place)
    else:
        for child in node:
            yield from shapes(child, place, said)


def painted(steps: str, fill: str = "none", stroke: str = "none", width: float = 1.0, more: str = "") -> str:
    """A path on paper."""
    edge = f' stroke-width="{width:.3g}"{more}' if stroke != "none" else ""
    return f'<path d="{steps}" fill="{fill}" stroke="{stroke}"{edge}/>'


def _text(node: ET.Element, place: DrawingOrigin, said: Mapping[str, str]) -> str:
    """A line of letters."""
    size = float(said.get("font-size", 16)) * place.down
    x, y = place.at(float(node.attrib["x"]), float(node.attrib["y"]))
    text = escape("".join(node.itertext()).strip(), quote=False)
    return lettered(x, y, text, round(size, 2), _color(said), said.get("text-anchor", "start"), "", node.get("dy", ""))


def _color(said: Mapping[str, str]) -> str:
    return said.get("fill", "#000000")


def _painted(steps: str, own: Mapping[str, str], said: Mapping[str, str], place: DrawingOrigin) -> Iterator[str]:
    """The filled part of a shape, then its edge."""
    fill, stroke = _color(said), said.get("stroke", "none")
    if fill != "none":
        yield painted(steps, seen_through(fill, float(own.get("fill-opacity", 1)) * float(own.get("opacity", 1))))
    if stroke != "none":
        scale = 1.0 if "vector-effect" in own else place.down
        dashes = [float(each) * (1.0 if "vector-effect" in own else place.across) for each in _dashes(own)]
        more = f' stroke-dasharray="{" ".join(f"{each:.3g}" for each in dashes)}"' if dashes else ""
        more += ' stroke-linecap="round"' if said.get("stroke-linecap") == "round" else ""
        yield painted(steps, "none", stroke, scale * float(said.get("stroke-width", 1)), more)


def _dashes(own: Mapping[str, str]) -> list[str]:
    return _NUMBER.findall(own.get("stroke-dasharray", ""))


def seen_through(color: str, opacity: float) -> str:
    """A color of six digits with this opacity."""
    if opacity >= 1 or len(color) != 7:
        return color
    red, green, blue = (int(color[place : place + 2], 16) for place in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity:g})"


def _steps(tag: str, own: Mapping[str, str], place: DrawingOrigin) -> str:
    """The steps of a shape, on paper."""
    number = {name: float(own[name]) for name in own if name in _NUMBERS}
    match tag:
        case "path":
            return "".join(_walked(own["d"], place))
        case "line":
            first, second = place.at(number["x1"], number["y1"]), place.at(number["x2"], number["y2"])
            return _step("M", first) + _step("L", second)
        case "circle":
            x, y = place.at(number["cx"], number["cy"])
            return circle(x, y, number["r"] * place.across, number["r"] * place.down)
    x, y = place.at(number["x"], number["y"])
    corner = min(number.get("rx", 0.0), number["width"] / 2, number["height"] / 2) * place.down
    return box(x, y, number["width"] * place.across, number["height"] * place.down, corner)


_NUMBERS = frozenset("x y width height rx r cx cy x1 y1 x2 y2".split())


def _step(letter: str, *points: tuple[float, float]) -> str:
    return letter + " ".join(f"{x:.2f},{y:.2f}" for x, y in points)


def box(x: float, y: float, width: float, height: float, corner: float = 0.0) -> str:
    """A box, perhaps with round corners."""
    if corner <= 0:
        corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
        return "".join(_step("L" if place else "M", each) for place, each in enumerate(corners)) + "Z"
    right, low, k = x + width, y + height, corner * (1 - _ROUND)
    return "".join(
        (
            _step("M", (x + corner, y)),
            _step("L", (right - corner, y)),
            _step("C", (right - k, y), (right, y + k), (right, y + corner)),
            _step("L", (right, low - corner)),
            _step("C", (right, low - k), (right - k, low), (right - corner, low)),
            _step("L", (x + corner, low)),
            _step("C", (x + k, low), (x, low - k), (x, low - corner)),
            _step("L", (x, y + corner)),
            _step("C", (x, y + k), (x + k, y), (x + corner, y)),
            "Z",
        )
    )


def circle(x: float, y: float, across: float, down: float) -> str:
    """An ellipse in four quarters."""
    a, b = _ROUND * across, _ROUND * down
    return "".join(
        (
            _step("M", (x + across, y)),
            _step("C", (x + across, y + b), (x + a, y + down), (x, y + down)),
            _step("C", (x - a, y + down), (x - across, y + b), (x - across, y)),
            _step("C", (x - across, y - b), (x - a, y - down), (x, y - down)),
            _step("C", (x + a, y - down), (x + across, y - b), (x + across, y)),
            "Z",
        )
    )


def _walked(d: str, place: DrawingOrigin) -> Iterator[str]:
    """The steps of a path, on paper; a second point behind an M is a line to it."""
    x = y = 0.0
    start = (0.0, 0.0)
    for letter, inside in _STEP.findall(d):
        numbers, relative = [float(each) for each in _NUMBER.findall(inside)], letter.islower()
        kind = letter.upper()
        if kind == "Z":
            x, y = start
            yield "Z"
            continue
        size = {"M": 2, "L": 2, "H": 1, "V": 1, "A": 7}[kind]
        for first in range(0, len(numbers), size):
            part = numbers[first : first + size]
            before = (x, y)
            x, y = _next(kind, part, before, relative)
            if kind == "M" and first == 0:
                start = (x, y)
                yield _step("M", place.at(x, y))
            elif kind == "A":
                yield from (_step("C", *(place.at(*point) for point in each)) for each in _arc(before, part, (x, y)))
            else:
                yield _step("L", place.at(x, y))


def _next(kind: str, part: list[float], before: tuple[float, float], relative: bool) -> tuple[float, float]:
    """The end of a step."""
    x, y = before if relative else (0.0, 0.0)
    if kind == "H":
        return x + part[0], before[1]
    if kind == "V":
        return before[0], y + part[0]
    return x + part[-2], y + part[-1]


def _arc(
    start: tuple[float, float], part: list[float], end: tuple[float, float]
) -> Iterator[tuple[tuple[float, float], ...]]:
    """A piece of a circle in curves of at most a quarter: the handles that W3C's notes on arcs give."""
    radius, large, sweep = part[0], bool(part[3]), bool(part[4])
    across, down = (end[0] - start[0]) / 2, (end[1] - start[1]) / 2
    half = math.hypot(across, down)
    radius = max(radius, half)
    away = math.sqrt(max(radius**2 - half**2, 0.0)) / half * (1 if large != sweep else -1)
    x, y = (start[0] + end[0]) / 2 - away * down, (start[1] + end[1]) / 2 + away * across
    first = math.atan2(start[1] - y, start[0] - x)
    turn = (math.atan2(end[1] - y, end[0] - x) - first) % (2 * math.pi)
    turn = turn if sweep else turn - 2 * math.pi
    pieces = max(1, math.ceil(abs(turn) / (math.pi / 2) - 1e-9))
    step = turn / pieces
    reach = 4 / 3 * math.tan(step / 4) * radius
    for place in range(pieces):
        one, other = first + place * step, first + (place + 1) * step
        from_, to = _on(x, y, radius, one), _on(x, y, radius, other)
        yield (
            (from_[0] - reach * math.sin(one), from_[1] + reach * math.cos(one)),
            (to[0] + reach * math.sin(other), to[1] - reach * math.cos(other)),
            to,
        )


def _on(x: float, y: float, radius: float, angle: float) -> tuple[float, float]:
    return x + radius * math.cos(angle), y + radius * math.sin(angle)
