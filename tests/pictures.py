"""What the eye sees of a figure: its ink on a grid, so that two pictures can be compared without a browser."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from explorer.figures.plot import Figure
from tests.scenes import axis_of, numeric

WIDE, HIGH = 240, 120  # cells; one cell is about four pixels of a figure on a laptop
_DOT = 2  # cells to either side of the middle of a dot


def ink(figure: Figure) -> np.ndarray:
    """What is drawn in each cell: nothing, a tint, a line; each trace adds its own weight."""
    picture = np.zeros((HIGH, WIDE))
    for place, trace in enumerate(figure.data):
        drawn = _drawn(figure, trace)
        picture += (1 + 0.1 * place) * drawn
    return picture


def changed(one: Figure, other: Figure) -> tuple[float, float]:
    """How many cells differ: as a share of what is drawn in either picture, and of the whole picture."""
    first, second = ink(one), ink(other)
    different = np.abs(first - second) > 0.05
    covered = (first > 0) | (second > 0)
    return float(different.sum() / max(covered.sum(), 1)), float(different.mean())


def rings(figure: Figure) -> list[tuple[float, float]]:
    """Where the rings stand, in shares of the picture."""
    rings = []
    for trace in figure.data:
        symbol = str(trace.get("marker", {}).get("symbol"))
        if re.fullmatch("(circle|triangle-(up|down|left|right))-open", symbol) and len(trace["x"]) == 1:
            x, y = _places(figure, trace)
            rings += [(float(x[0]), float(y[0]))] if np.isfinite([x[0], y[0]]).all() else []
    return rings


def _unit(axis: dict[str, Any], values: Any) -> np.ndarray:
    """Values along an axis, in shares of the whole picture; what cannot be shown is nowhere."""
    low, high = axis.get("range") or (-0.5, max(len(numeric(values)), 1) - 0.5)  # names stand at 0, 1, 2, ...
    numbers = numeric(values)
    if axis.get("type") == "log":
        with np.errstate(divide="ignore", invalid="ignore"):
            numbers = np.log10(numbers)
    start, end = axis.get("domain", (0, 1))
    return start + (numbers - low) / (high - low) * (end - start)


def _places(figure: Figure, trace: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    across, up = axis_of(figure, trace, "x"), axis_of(figure, trace, "y")
    return _unit(across, _numbered(across, trace.get("x"))), _unit(up, _numbered(up, trace.get("y")))


def _numbered(axis: dict[str, Any], values: Any) -> Any:
    """Names along an axis as their places."""
    if values is not None and len(values) and isinstance(values[0], str):
        order = list(axis.get("categoryarray", dict.fromkeys(values)))
        return [order.index(value) for value in values]
    return values


def empty_panels(figure: Figure) -> list[str]:
    """Panels whose lines and dots all lie beyond their axes; bars of nothing are something."""
    seen: dict[str, float] = {}
    for trace in figure.data:
        panel = f"{trace.get('xaxis', 'x')} {trace.get('yaxis', 'y')}"
        drawn = 1.0 if trace["type"] == "bar" else float(_drawn(figure, trace).sum())
        seen[panel] = seen.get(panel, 0.0) + drawn
    return [panel for panel, ink_of in seen.items() if not ink_of > 0]


def cut_bells(figure: Figure) -> list[str]:
    """The curves that rise once and fall once, below half of their height at both sides, with a tip beyond the axis."""
    return [
        str(trace.get("name"))
        for trace in figure.data
        if trace["type"] == "scatter" and "lines" in trace.get("mode", "lines") and _is_cut_bell(figure, trace)
    ]


def _is_cut_bell(figure: Figure, trace: dict[str, Any]) -> bool:
    x, y = _places(figure, trace)
    (left, right), (low, top) = (axis_of(figure, trace, letter).get("domain", (0, 1)) for letter in "xy")
    heights = (y - low)[(left <= x) & (x <= right) & np.isfinite(y)] if len(x) == len(y) else np.empty(0)
    if len(heights) < 5:
        return False
    tip, steps = int(np.argmax(heights)), np.diff(heights)
    bell = (steps[:tip] >= -1e-9).all() and (steps[tip:] <= 1e-9).all()
    steep = max(heights[0], heights[-1]) <= heights[tip] / 2
    return bool(bell and steep and heights[tip] > (top - low) * (1 + 1e-6))


def _drawn(figure: Figure, trace: dict[str, Any]) -> np.ndarray:
    """The ink of one trace."""
    if trace["type"] == "heatmap":
        return _cells(trace)
    x, y = _places(figure, trace)
    if trace["type"] == "bar":
        return np.maximum(_bars(figure, trace, x, y), _whiskers(figure, trace, x, y))
    mode, picture = trace.get("mode", "lines"), np.zeros((HIGH, WIDE))
    if "lines" in mode:
        picture = np.maximum(picture, _line(x, y))
        if trace.get("fill"):
            picture = np.maximum(picture, 0.3 * _under(figure, trace, x, y))
    if "markers" in mode or "text" in mode:
        picture = np.maximum(picture, _dots(x, y, str(trace.get("marker", {}).get("symbol", ""))))
    return np.maximum(picture, _whiskers(figure, trace, x, y))


def _whiskers(figure: Figure, trace: dict[str, Any], x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """How far the error bars of a trace reach to either side."""
    picture = np.zeros((HIGH, WIDE))
    for letter, across in (("x", y), ("y", x)):
        if bars := trace.get(f"error_{letter}"):
            axis = axis_of(figure, trace, letter)
            tips = numeric(_numbered(axis, trace.get(letter))) + numeric(trace.get("base", 0))
            up = numeric(bars.get("value") if bars.get("type") == "constant" else bars.get("array"))
            down = numeric(bars["arrayminus"]) if bars.get("arrayminus") is not None else up
            along = np.column_stack([_unit(axis, tips - down), _unit(axis, tips + up), np.full(len(tips), np.nan)])
            fixed = np.repeat(across, 3)
            picture = np.maximum(picture, _line(*((along.ravel(), fixed) if letter == "x" else (fixed, along.ravel()))))
    return picture


def _cells(trace: dict[str, Any]) -> np.ndarray:
    grid = np.asarray(trace["z"], dtype=float)
    low, high = trace.get("zmin", np.nanmin(grid)), trace.get("zmax", np.nanmax(grid))
    shade = np.nan_to_num((grid - low) / ((high - low) or 1))
    down = np.minimum(np.arange(HIGH) * grid.shape[0] // HIGH, grid.shape[0] - 1)
    across = np.minimum(np.arange(WIDE) * grid.shape[1] // WIDE, grid.shape[1] - 1)
    return shade[down][:, across]


def _mark(picture: np.ndarray, x: np.ndarray, y: np.ndarray, reach: int = 0) -> None:
    """Ink in the cells at these places, and so many cells around them."""
    seen = np.isfinite(x) & np.isfinite(y) & (x >= 0) & (x <= 1) & (y >= 0) & (y <= 1)
    column = np.minimum((x[seen] * WIDE).astype(int), WIDE - 1)
    row = np.minimum((y[seen] * HIGH).astype(int), HIGH - 1)
    for up in range(-reach, reach + 1):
        for aside in range(-reach, reach + 1):
            picture[np.clip(row + up, 0, HIGH - 1), np.clip(column + aside, 0, WIDE - 1)] = 1


def _line(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Ink along the pieces of a line, each gone along in steps of half a cell."""
    picture, ends = np.zeros((HIGH, WIDE)), np.array([x[:-1], x[1:], y[:-1], y[1:]])
    x1, x2, y1, y2 = ends[:, np.isfinite(ends).all(axis=0)]
    length = np.maximum(np.abs(x2 - x1) * WIDE, np.abs(y2 - y1) * HIGH)
    steps = np.minimum(2 * length, 4 * (WIDE + HIGH)).astype(int) + 1
    piece = np.repeat(np.arange(len(steps)), steps + 1)
    along = np.arange(len(piece)) - np.repeat(np.cumsum(steps + 1) - (steps + 1), steps + 1)
    share = along / steps[piece]
    _mark(picture, x1[piece] + share * (x2 - x1)[piece], y1[piece] + share * (y2 - y1)[piece])
    return picture


def _under(figure: Figure, trace: dict[str, Any], x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The tint between a line and the floor, or between it and the line before."""
    below = np.zeros_like(y)
    if str(trace["fill"]).startswith("tonext"):
        position = next(place for place, each in enumerate(figure.data) if each is trace)
        before = _places(figure, figure.data[position - 1])
        below = np.interp(x, before[0], before[1]) if len(before[0]) else below
    columns = (np.arange(WIDE) + 0.5) / WIDE
    known = np.isfinite(x) & np.isfinite(y)
    if known.sum() < 2:
        return np.zeros((HIGH, WIDE))
    order = np.argsort(x[known], kind="stable")
    top = np.interp(columns, x[known][order], y[known][order], left=np.nan, right=np.nan)
    floor = np.interp(columns, x[known][order], below[known][order])
    level = ((np.arange(HIGH) + 0.5) / HIGH)[:, None]
    return np.asarray((level <= np.maximum(top, floor)) & (level >= np.minimum(top, floor)), dtype=float)


def _dots(x: np.ndarray, y: np.ndarray, symbol: str) -> np.ndarray:
    picture = np.zeros((HIGH, WIDE))
    _mark(picture, x, y, _DOT + bool(re.search("open", symbol)))
    return picture


def _bars(figure: Figure, trace: dict[str, Any], x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Bars from their base to their value, upright or lying."""
    lying = trace.get("orientation") == "h"
    middle, tip = (y, x) if lying else (x, y)
    along = axis_of(figure, trace, "y" if lying else "x")
    across = axis_of(figure, trace, "x" if lying else "y")
    base = _unit(across, np.broadcast_to(numeric(trace.get("base", 0)), tip.shape) + 0.0)
    if across.get("type") != "log":
        tip = tip + (base - _unit(across, 0.0)) if trace.get("base") is not None else tip
    half = numeric(trace.get("width", 0.8)) * abs(_unit(along, 1.0) - _unit(along, 0.0)) / 2
    half = np.broadcast_to(half, middle.shape)
    picture = np.zeros((WIDE, HIGH) if lying else (HIGH, WIDE))
    places = (np.arange(picture.shape[1]) + 0.5) / picture.shape[1]
    level = ((np.arange(picture.shape[0]) + 0.5) / picture.shape[0])[:, None]
    for center, reach, low, high in zip(middle, half, base, tip, strict=True):
        if np.isfinite([center, high]).all():
            low = max(low, 0.0) if np.isfinite(low) else 0.0
            inside = (np.abs(places - center) <= max(reach, 0.5 / len(places))) & (level <= max(low, high))
            picture[inside & (level >= min(low, high))] = 1
    return picture.T if lying else picture
