"""The marks of a printed figure: Plotly's symbols as outlines, its dashes as lengths, its color scales as colors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Any

_Points = tuple[tuple[float, float], ...]


def _regular(corners: int, turned: float = -90.0) -> _Points:
    """The corners of a regular shape, the first of them straight up."""
    angles = (math.radians(turned + 360 * place / corners) for place in range(corners))
    return tuple((math.cos(angle), math.sin(angle)) for angle in angles)


def _star() -> _Points:
    outer, inner = _regular(5), _regular(5, -54.0)
    return tuple(point for pair in zip(outer, ((0.42 * x, 0.42 * y) for x, y in inner), strict=True) for point in pair)


_TRIANGLE: _Points = ((0, -1), (0.9, 0.65), (-0.9, 0.65))
_CROSS: _Points = (
    (-0.35, -1),
    (0.35, -1),
    (0.35, -0.35),
    (1, -0.35),
    (1, 0.35),
    (0.35, 0.35),
    (0.35, 1),
    (-0.35, 1),
    (-0.35, 0.35),
    (-1, 0.35),
    (-1, -0.35),
    (-0.35, -0.35),
)
_HALF = math.sqrt(0.5)
OUTLINES: MappingProxyType[str, _Points] = MappingProxyType(
    {
        "square": ((-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85)),
        "diamond": ((0, -1.2), (1.2, 0), (0, 1.2), (-1.2, 0)),
        "triangle-up": _TRIANGLE,
        "triangle-down": tuple((x, -y) for x, y in _TRIANGLE),
        "triangle-right": tuple((-y, x) for x, y in _TRIANGLE),
        "triangle-left": tuple((y, x) for x, y in _TRIANGLE),
        "cross": _CROSS,
        "x": tuple((_HALF * (x - y), _HALF * (x + y)) for x, y in _CROSS),
        "star": _star(),
        "hexagon": _regular(6),
        "pentagon": _regular(5),
        "bowtie": ((-1, -0.8), (0, 0), (1, -0.8), (1, 0.8), (0, 0), (-1, 0.8)),
    }
)
STROKES: MappingProxyType[str, tuple[_Points, ...]] = MappingProxyType(
    {
        "line-ns": (((0, -1), (0, 1)),),
        "line-ew": (((-1, 0), (1, 0)),),
        "x-thin": (((-1, -1), (1, 1)), ((-1, 1), (1, -1))),
    }
)
_DASHES: MappingProxyType[str, tuple[int, ...]] = MappingProxyType(
    {
        "solid": (),
        "dot": (1, 1),
        "dash": (3, 3),
        "longdash": (5, 5),
        "dashdot": (3, 1, 1, 1),
        "longdashdot": (5, 2, 1, 2),
    }
)


def dashes(dash: str, width: float) -> str:
    """The lengths of a dash: named ones grow with the width of the line, others are given."""
    if dash in _DASHES:
        return " ".join(f"{part * max(width, 3):g}" for part in _DASHES[dash])
    return dash.replace("px", "").replace(",", " ")


def _path(points: _Points, radius: float) -> str:
    return "M" + "L".join(f"{radius * across:.2g},{radius * down:.2g}" for across, down in points)


def mark(symbol: str, x: float, y: float, size: float, color: str, pen: dict[str, Any], opacity: float = 1.0) -> str:
    """One mark: a filled shape with a pen around it, an open one in its color, or strokes."""
    shape, opened = symbol.removesuffix("-open"), symbol.endswith("-open")
    radius, width, at = size / 2, float(pen.get("width", 0)), f'transform="translate({x:.1f},{y:.1f})"'
    if shape in STROKES:
        stroke = color if opened else pen.get("color", color)
        path = "".join(_path(points, radius) for points in STROKES[shape])
        return f'<path d="{path}" {at} stroke="{stroke}" stroke-width="{width or 1:g}" opacity="{opacity:g}"/>'
    paint = f'fill="none" stroke="{color}" stroke-width="{width or 1:g}"' if opened else f'fill="{color}"'
    if not opened and width:
        paint += f' stroke="{pen.get("color", color)}" stroke-width="{width:g}"'
    paint += f' opacity="{opacity:g}"' if opacity != 1 else ""
    if shape == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" {paint}/>'
    return f'<path d="{_path(OUTLINES[shape], radius)}Z" {at} {paint}/>'


def shade(scale: Sequence[Sequence[Any]], share: float) -> str:
    """The color of a share of the way along a color scale."""
    share = min(max(share, 0.0), 1.0)
    stops = [(float(at), _channels(str(color))) for at, color in scale]
    for (start, first), (end, second) in pairwise(stops):
        if share <= end:
            part = (share - start) / (end - start) if end > start else 1.0
            mixed = (round(a + part * (b - a)) for a, b in zip(first, second, strict=True))
            return "#" + "".join(f"{channel:02x}" for channel in mixed)
    return "#" + "".join(f"{channel:02x}" for channel in stops[-1][1])


def _channels(color: str) -> tuple[int, ...]:
    if color.startswith("#"):
        return tuple(int(color[place : place + 2], 16) for place in (1, 3, 5))
    return tuple(int(float(part)) for part in color[color.index("(") + 1 :].rstrip(")").split(",")[:3])
