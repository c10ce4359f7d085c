"""Estimated shares with their intervals on one scale, as HTML that grows with the page: no chart is needed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from explorer.figures.theme import PALETTE, Look
from explorer.numbers import percent
from ldpcore.experiments.response import RealAnswersResult

LOW, HIGH = -0.5, 1.5  # raw estimates further out than this are drawn at the edge, with an arrow
STYLE = """<style>
.ldp-intervals { margin: 1rem 0 .5rem; }
.ldp-intervals .track { position: relative; height: 1.9rem; }
.ldp-intervals .track > * { position: absolute; }
.ldp-intervals .shares { top: .55rem; height: .8rem; border-radius: .2rem; }
.ldp-intervals .reach { top: .7rem; height: .5rem; border-radius: .25rem; min-width: 3px; }
.ldp-intervals .point { top: .45rem; width: 1rem; height: 1rem; margin-left: -.5rem; border-radius: 50%;
  box-sizing: border-box; }
.ldp-intervals .edge { top: .05rem; font-size: 1.2rem; line-height: 1.8rem; transform: translateX(-50%); }
.ldp-intervals .truth { top: .1rem; width: .22rem; height: 1.7rem; margin-left: -.11rem; }
.ldp-intervals .ticks { position: relative; height: 1.3rem; font-size: .875rem; }
.ldp-intervals .ticks span { position: absolute; transform: translateX(-50%); white-space: nowrap; }
.ldp-intervals .name { font-size: .9rem; margin-top: .35rem; }
</style>"""


@dataclass(frozen=True)
class Row:
    """One interval: what it is about, its ends, the estimate in it (where there is one), and its color."""

    name: str
    interval: tuple[float, float]
    estimate: float
    color: str


def intervals(rows: Sequence[Row], look: Look, words: Mapping[str, str], truth: float | None = None) -> str:
    """The rows one below the other on the scale of shares, longer where a raw estimate is no share."""
    estimates = [row.estimate for row in rows if math.isfinite(row.estimate)]
    low, high = max(min([0.0, *estimates]), LOW), min(max([1.0, *estimates]), HIGH)
    # Five hundredths beyond a raw estimate, so that its dot is not cut.
    scale = Scale(low - (0.05 if low < 0 else 0.0), high + (0.05 if high > 1 else 0.0))
    body = "".join(_row(row, scale, look, truth if look.truth else None) for row in rows)
    ticks = "".join(
        f'<span style="left: {scale.place(share):.3f}%">{percent(share)}</span>'
        for share in (0.0, 0.25, 0.5, 0.75, 1.0)
    )
    legend = escape(words["legend"] if truth is None or not look.truth else words["legend_truth"])
    return (
        f'{STYLE}<div class="ldp-intervals" role="img" aria-label="{escape(words["alt"])}">{body}'
        f'<div class="ticks">{ticks}</div><div class="ldp-quiet">{legend}</div></div>'
    )


def real(result: RealAnswersResult, look: Look, words: Mapping[str, str]) -> str:
    """The people asked, the population they were drawn from, and the same people had they told the truth."""
    rows = [
        Row(words["asked"], result.interval, result.estimate, PALETTE[1]),
        Row(words["sampled"], result.sampled_interval, result.estimate, PALETTE[1]),
        Row(words["direct"], result.direct_interval, result.projected, PALETTE[2]),
    ]
    return intervals(rows, look, words)


@dataclass(frozen=True)
class Scale:
    """Where a share stands between the two ends of the track, with a little room on both sides."""

    low: float
    high: float

    def place(self, share: float) -> float:
        """Per cent of the track's width."""
        inside = min(max(share, self.low), self.high)
        return 4 + 90 * (inside - self.low) / (self.high - self.low)


def _row(row: Row, scale: Scale, look: Look, truth: float | None) -> str:
    zero, one = scale.place(0), scale.place(1)
    start, end = (scale.place(end) for end in row.interval)
    marks = [
        f'<div class="shares" style="left: {zero:.3f}%; width: {one - zero:.3f}%; background: {look.faint}"></div>',
        f'<div class="reach" style="left: {start:.3f}%; width: {end - start:.3f}%; background: {row.color}"></div>',
    ]
    if truth is not None:
        marks.append(f'<div class="truth" style="left: {scale.place(truth):.3f}%; background: {look.ink}"></div>')
    if math.isfinite(row.estimate):
        marks.append(_point(row, scale, look))
    return f'<div class="name">{escape(row.name)}</div><div class="track">{"".join(marks)}</div>'


def _point(row: Row, scale: Scale, look: Look) -> str:
    """The raw estimate: a dot, hollow where it is no share, an arrow where it is off the scale."""
    left = f"left: {scale.place(row.estimate):.3f}%"
    if not scale.low <= row.estimate <= scale.high:
        arrow = "◀" if row.estimate < 0 else "▶"
        return f'<div class="edge" style="{left}; color: {row.color}">{arrow}</div>'
    fill = look.paper if not -1e-9 <= row.estimate <= 1 + 1e-9 else row.color
    return f'<div class="point" style="{left}; background: {fill}; border: 3px solid {row.color}"></div>'
