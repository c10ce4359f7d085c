"""Boxes and texts that are written into a printed figure and belong to no trace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from explorer.figures.plot import Figure
from explorer.figures.theme import unescape
from explorer.paper.scales import Scale
from explorer.paper.traces import INK, LETTER, lettered

SIZE = 14.0  # of letters that say none
_ANCHORS = {"left": "start", "center": "middle", "right": "end"}


def notes(figure: Figure, scales: Mapping[str, Scale]) -> Iterator[str]:
    """The boxes and texts that belong to no trace."""
    for shape in figure.layout.get("shapes", ()):
        across, up = (scales[_referred(shape, letter)] for letter in "xy")
        left, right = sorted((float(across.at(shape["x0"])), float(across.at(shape["x1"]))))
        top, bottom = sorted((float(up.at(shape["y0"])), float(up.at(shape["y1"]))))
        line = shape.get("line", {})
        yield (
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="{bottom - top:.1f}" '
            f'fill="{shape.get("fillcolor", "none")}" stroke="{line.get("color", INK)}" '
            f'stroke-width="{line.get("width", 2):g}"/>'
        )
    for note in figure.layout.get("annotations", ()):
        yield from _note(note, *(scales[_referred(note, letter)] for letter in "xy"))


def _note(note: Mapping[str, Any], across: Scale, up: Scale) -> Iterator[str]:
    """A text at a place, line by line, with its ground where it has one."""
    x, y, lines = float(across.at(note["x"])), float(up.at(note["y"])), str(note["text"]).split("<br>")
    size = float(note.get("font", {}).get("size", SIZE))
    if "bgcolor" in note:
        wide = LETTER * SIZE * len(unescape(lines[0])) + 8
        paint = f'fill="{note["bgcolor"]}" opacity="{note.get("opacity", 1):g}"'
        box = f'x="{-wide / 2:.1f}" y="-10" width="{wide:.1f}" height="20"'
        yield f'<rect {box} transform="translate({x:.1f},{y:.1f})" {paint}/>'
    tall = 1.3 * size * len(lines)
    top = y - {"bottom": tall, "top": 0.0}.get(note.get("yanchor", "middle"), tall / 2)
    for place, line in enumerate(lines):
        color, side = note.get("font", {}).get("color", INK), _ANCHORS[note.get("xanchor", "center")]
        yield lettered(x, y, line, size, color, side, down=f"{top - y + 1.3 * size * place + size:.1f}")


def _referred(note: Mapping[str, Any], letter: str) -> str:
    reference = str(note.get(f"{letter}ref", letter))
    return f"{letter}paper" if reference == "paper" else f"{letter}axis{reference[1:]}"
