"""The small picture of an exercise: its lines between two axes, their names below; words grow with the page.

Streamlit takes SVG out of HTML, so that lines are images whose address holds them.
"""

from __future__ import annotations

from html import escape
from urllib.parse import quote

import numpy as np

from explorer.facts import Number
from explorer.figures.theme import PALETTE, Look
from explorer.pages.reference.exercises import ExerciseCurve
from explorer.text.catalogue import Words
from ldpcore.numerics.arrays import Reals

WIDE, HIGH = 480, 200  # of the picture's own units
DASHES = ("", "10 5", "3 4", "14 4 3 4", "6 3")  # so that lines differ without their colors


def picture(curves: tuple[ExerciseCurve, ...], look: Look, words: Words) -> str:
    """All lines of an exercise with the ends of both axes and a legend, as HTML."""
    (left, right), (low, high) = ends = (
        _ends([curve.x for curve in curves]),
        _ends([*(curve.y for curve in curves), np.zeros(1)]),  # heights are seen from 0 on
    )
    lines = "".join(_line(curve, place, ends, look) for place, curve in enumerate(curves))
    axes = f'<path d="M0 0V{HIGH}H{WIDE}" fill="none" stroke="{look.ink}" stroke-width="1.5"/>'
    drawn = _image(f"-3 -3 {WIDE + 6} {HIGH + 6}", axes + lines, words["alt"], "width:100%;height:auto;display:block")
    names = "".join(_name(curve, place, look, words) for place, curve in enumerate(curves))
    top, below = _axis("y", low, high, words), _axis("x", left, right, words)
    return (
        f'<div class="ldp-exercise" style="max-width:34rem;direction:ltr">{top}{drawn}'
        f'<div style="text-align:right">{below}</div><div>{names}</div></div>'
    )


def _ends(values: list[Reals]) -> tuple[float, float]:
    """The least and the largest of all values."""
    return min(float(each.min()) for each in values), max(float(each.max()) for each in values)


def _axis(name: str, low: float, high: float, words: Words) -> str:
    """The name of an axis, and its two ends."""
    ends = " … ".join(words.write(Number(end)) for end in (low, high))
    return f"<div>{escape(words[name])} ({escape(ends)})</div>"


def _line(curve: ExerciseCurve, place: int, ends: tuple[tuple[float, float], tuple[float, float]], look: Look) -> str:
    (left, right), (low, high) = ends
    across, up = (curve.x - left) / (right - left) * WIDE, (high - curve.y) / (high - low) * HIGH
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(across, up, strict=True))
    return (
        f'<polyline points="{points}" fill="none" stroke="{_color(place, look)}" stroke-width="3" '
        f'stroke-dasharray="{DASHES[place]}"/>'
    )


def _name(curve: ExerciseCurve, place: int, look: Look, words: Words) -> str:
    """The stroke of a line and its name."""
    pen = f'stroke="{_color(place, look)}" stroke-width="3" stroke-dasharray="{DASHES[place]}"'
    stroke = _image("0 0 36 8", f'<path d="M0 4H36" {pen}/>', "", "width:2.2em;height:.5em;vertical-align:middle")
    return f'<span style="display:inline-block;margin-right:1.4em">{stroke} {escape(words[curve.name])}</span>'


def _image(box: str, inside: str, alt: str, style: str) -> str:
    """Lines as an image with its own address, and its description in words."""
    drawn = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">{inside}</svg>'
    return f'<img src="data:image/svg+xml,{quote(drawn)}" alt="{escape(alt)}" style="{style}">'


def _color(place: int, look: Look) -> str:
    """The color of a line: the first has the accent, which is lighter in the dark; the others follow the palette."""
    return look.accent if place == 0 else PALETTE[place]
