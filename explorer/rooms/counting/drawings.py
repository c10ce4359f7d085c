"""A flow of steps, drawn twice: side by side for wide screens, one below the other for phones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from explorer.figures.theme import Look
from explorer.text.catalogue import Words
from ldpcore.experiments.counting.releases import CountingResult


@dataclass(frozen=True)
class Step:
    """One box: what it is, the number in it, and a word on it."""

    title: str
    value: str
    note: str = ""


def steps(result: CountingResult, look: Look, words: Words) -> str:
    """Data, question, noise, release: what leaves the curator is the true answer plus noise."""
    boxes = ("data", "query", "noise", "output")
    return flow([Step(words[box], words[f"{box}_number"], words[f"{box}_note"]) for box in boxes], look, words["alt"])


def flow(steps: Sequence[Step], look: Look, alt: str) -> str:
    """The steps as boxes with arrows between them; the tall copy is for phones and silent for screen readers."""
    return (
        f'<div class="ldp-wide" role="img" aria-label="{escape(alt)}">{_side_by_side(steps, look)}</div>'
        f'<div class="ldp-tall" role="img" aria-label="{escape(alt)}">{_stacked(steps, look)}</div>'
    )


def _side_by_side(steps: Sequence[Step], look: Look) -> str:
    width, gap = 210, 46
    boxes = "".join(_box(step, i * (width + gap), 0, width, look) for i, step in enumerate(steps))
    arrows = "".join(
        _arrow(i * (width + gap) - gap + 6, 60, i * (width + gap) - 6, 60, look) for i in range(1, len(steps))
    )
    return _svg(boxes + arrows, len(steps) * (width + gap) - gap, 120)


def _stacked(steps: Sequence[Step], look: Look) -> str:
    width, height, gap = 340, 120, 36
    boxes = "".join(_box(step, 0, i * (height + gap), width, look) for i, step in enumerate(steps))
    arrows = "".join(
        _arrow(width / 2, i * (height + gap) - gap + 4, width / 2, i * (height + gap) - 4, look)
        for i in range(1, len(steps))
    )
    return _svg(boxes + arrows, width, len(steps) * (height + gap) - gap)


def _box(step: Step, x: float, y: float, width: float, look: Look) -> str:
    middle = x + width / 2
    return (
        f'<rect x="{x + 1}" y="{y + 1}" width="{width - 2}" height="118" rx="12" fill="{look.faint}" '
        f'fill-opacity="0.45" stroke="{look.ghost}" stroke-width="1.5"/>'
        f'<text x="{middle}" y="{y + 30}" font-size="19" fill="{look.ink}">{escape(step.title)}</text>'
        f'<text x="{middle}" y="{y + 68}" font-size="32" font-weight="600" fill="{look.accent}">'
        f"{escape(step.value)}</text>"
        f'<text x="{middle}" y="{y + 100}" font-size="18" fill="{look.ink}">{escape(step.note)}</text>'
    )


def _arrow(x1: float, y1: float, x2: float, y2: float, look: Look) -> str:
    feather = ((-7, -11), (7, -11)) if x1 == x2 else ((-11, -7), (-11, 7))
    head = " ".join(f"{x2 + dx},{y2 + dy}" for dx, dy in ((0, 0), *feather))
    return (
        f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{look.ink}" stroke-width="2.5"/>'
        f'<polygon points="{head}" fill="{look.ink}"/>'
    )


def _svg(inside: str, width: float, height: float) -> str:
    return (
        f'<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg" aria-hidden="true" '
        f'text-anchor="middle" font-family="inherit">{inside}</svg>'
    )
