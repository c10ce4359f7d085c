"""Estimates with their intervals on one scale, as HTML that grows with the page: no chart is needed.

The scale stays where it is, whatever the level: the shares that exist, and a little beyond them on both sides, where a
raw estimate may fall that is no share.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from html import escape

from explorer.facts import Exact, Quantity, Share
from explorer.figures.theme import Look
from explorer.text.catalogue import Words
from ldpcore.people.scales import PublicScale

LOW, HIGH = -0.25, 1.25  # raw estimates further out than this are drawn at the edge, with an arrow
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
INTERVAL_STYLE = """<style>
.ldp-intervals { margin: .25rem 0; direction: ltr; }
.ldp-intervals .track { position: relative; height: 1.9rem; }
.ldp-intervals .track > * { position: absolute; }
.ldp-intervals .shares { top: .5rem; height: .9rem; border-radius: .2rem; }
.ldp-intervals .reach { top: .5rem; height: .9rem; border-radius: .25rem; min-width: 3px; opacity: .55; }
.ldp-intervals .inner { top: .8rem; height: .3rem; border-radius: .15rem; min-width: 6px; }
.ldp-intervals .point { top: .45rem; width: 1rem; height: 1rem; margin-left: -.5rem; border-radius: 50%;
  box-sizing: border-box; }
.ldp-intervals .edge { top: .05rem; font-size: 1.2rem; line-height: 1.8rem; transform: translateX(-50%); }
.ldp-intervals .truth { top: .1rem; width: .22rem; height: 1.7rem; margin-left: -.11rem; }
.ldp-intervals .ticks { position: relative; height: 1.3rem; font-size: .875rem; }
.ldp-intervals .ticks span { position: absolute; transform: translateX(-50%); white-space: nowrap; }
.ldp-intervals .name { font-size: .9rem; margin-top: .35rem; }
.ldp-intervals .ldp-quiet { font-size: .875rem; opacity: .85; }
.ldp-alone { display: flex; flex-direction: column; justify-content: space-evenly; font-size: 1.1rem;
  min-height: min(var(--ldp-height, 20rem), 26rem); }
.ldp-alone .name { font-size: 1.1rem; }
</style>"""


@dataclass(frozen=True)
class IntervalRow:
    """One interval: its name, its ends unless they are hidden, the estimate, its color, and a curator's."""

    name: str
    interval: tuple[float, float] | None
    estimate: float
    color: str
    inner: tuple[float, float] | None = None

    def waiting(self, look: Look) -> IntervalRow:
        """The row alone, on its empty scale, while people predict."""
        return replace(self, interval=None, estimate=math.nan, inner=None) if look.predicting else self


def intervals(
    rows: Sequence[IntervalRow],
    look: Look,
    words: Words,
    truth: float | None = None,
    kind: str = "ldp-intervals",
    scale: Callable[[float], Quantity] = Share,
) -> str:
    """The rows one below the other on the scale of shares; `scale` gives the writing of its marks."""
    rows = [row.waiting(look) for row in rows]
    body = "".join(f"<div>{_row(row, look, truth)}</div>" for row in rows)
    entries = {"legend": True, "legend_truth": truth is not None, "legend_curator": any(row.inner for row in rows)}
    legend = [words[name] for name, there in entries.items() if there]
    return (
        f'{INTERVAL_STYLE}<div class="{kind}" role="img" aria-label="{escape(words["alt"])}">{body}'
        f'{ticks(words, scale)}<div class="ldp-quiet">{escape(" ".join(legend))}</div></div>'
    )


def ticks(words: Words, scale: Callable[[float], Quantity] = Share, marked: Sequence[float] = TICKS) -> str:
    """The marks below the scale."""
    written = "".join(
        f'<span style="left: {place(share):.3f}%">{escape(words.write(scale(share)))}</span>' for share in marked
    )
    return f'<div class="ticks">{written}</div>'


def place(share: float) -> float:
    """The place of a share, in per cent of the track's width, with a little room on both sides."""
    inside = min(max(share, LOW), HIGH)
    return 2 + 96 * (inside - LOW) / (HIGH - LOW)


def _span(kind: str, low: float, high: float, color: str) -> str:
    start, end = place(low), place(high)
    return f'<div class="{kind}" style="left: {start:.3f}%; width: {end - start:.3f}%; background: {color}"></div>'


def _row(row: IntervalRow, look: Look, truth: float | None) -> str:
    return f'<div class="name">{escape(row.name)}</div>{track(row, look, truth)}'


def track(row: IntervalRow, look: Look, truth: float | None = None) -> str:
    """One interval on its scale, with the estimate in it, and the true share where it is known."""
    parts = [_span("shares", 0, 1, look.faint)]
    if row.interval is not None:
        parts.append(_span("reach", *row.interval, row.color))
    if truth is not None:
        parts.append(f'<div class="truth" style="left: {place(truth):.3f}%; background: {look.ink}"></div>')
    if math.isfinite(row.estimate):
        parts.append(_point(row, look))
    if row.inner is not None:
        parts.append(_span("inner", *row.inner, look.accent))
    return f'<div class="track">{"".join(parts)}</div>'


def _point(row: IntervalRow, look: Look) -> str:
    """The raw estimate: a dot, hollow where it is no share, an arrow where it is off the scale."""
    left = f"left: {place(row.estimate):.3f}%"
    if not LOW <= row.estimate <= HIGH:
        arrow = "◀" if row.estimate < 0 else "▶"
        return f'<div class="edge" style="{left}; color: {row.color}">{arrow}</div>'
    fill = look.paper if not -1e-3 <= row.estimate <= 1 + 1e-3 else row.color
    return f'<div class="point" style="{left}; background: {fill}; border: 3px solid {row.color}"></div>'


def share_of(scale: PublicScale, value: float) -> float:
    """The place of a number between the bounds, from 0 to 1; beyond them, below 0 or above 1."""
    return (value - scale.low) / (scale.high - scale.low)


def mark(scale: PublicScale, share: float) -> Quantity:
    """The writing of a place between the bounds."""
    return Exact(float(f"{scale.low + share * (scale.high - scale.low):.4g}"))
