"""Drawings of the library's own, for notebooks: a table as HTML, and bars with whiskers as SVG.

Lines and letters take the color of the text around them, so that both stand on light and on dark paper. All text in
them is escaped here.
"""

from __future__ import annotations

import builtins
import math
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

MOST = 60  # rows that are shown; the others are counted
WIDE, BESIDE, ROW = 300, 150, 20  # of the bars, of their labels, and of each
LETTERS = 22  # of a label beside a bar
TICKS = 5


class SelfDrawn(ABC):
    """A value that a notebook draws by itself, and that `show` draws there or prints elsewhere."""

    @abstractmethod
    def _repr_html_(self) -> str:
        """The value as HTML."""

    def show(self) -> None:
        """Draw the value below the cell of a notebook; print it where there is none."""
        display = vars(builtins).get("display")  # IPython puts it there
        if display is None:
            sys.stdout.write(f"{self}\n")
        else:
            display(self)


@dataclass(frozen=True)
class Bar:
    """A bar: its label, its value, and the ends of its whisker where it has one."""

    label: str
    value: float
    low: float = math.nan
    high: float = math.nan


def label_of(label: object) -> str:
    """A label as text: the parts of one that has several, side by side."""
    return " ".join(map(str, label)) if isinstance(label, tuple) else str(label)


def drawing(title: str, *parts: str) -> str:
    """Drawings and tables side by side, below a title."""
    inside = "".join(f"<div>{part}</div>" for part in parts)
    row = "display:flex;flex-wrap:wrap;gap:1.5em;align-items:flex-start"
    return f'<div><p><strong>{escape(title)}</strong></p><div style="{row}">{inside}</div></div>'


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Rows below a head; numbers stand on the right, the first column on the left."""
    held = list(rows)
    above = "".join(_cell("th", place, each) for place, each in enumerate(head))
    lines = ["".join(_cell("td", place, each) for place, each in enumerate(row)) for row in held[:MOST]]
    if len(held) > MOST:
        lines.append(_cell("td", 0, f"and {len(held) - MOST} more"))
    below = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table><thead><tr>{above}</tr></thead><tbody>{below}</tbody></table>"


def _cell(tag: str, place: int, held: object) -> str:
    side = "right" if place else "left"
    return f'<{tag} style="text-align:{side}">{escape(number(held) if isinstance(held, float) else str(held))}</{tag}>'


def number(value: float) -> str:
    """A number in four digits."""
    return f"{value:.4g}"


def bars(shown: Sequence[Bar], name: str) -> str:
    """Bars from zero, with whiskers, along an axis in round numbers; `name` says what is drawn."""
    shown = [bar for bar in shown[:MOST] if math.isfinite(bar.value)]
    ends = [end for bar in shown for end in (bar.value, bar.low, bar.high) if math.isfinite(end)]
    low, high = min([0.0, *ends]), max([0.0, *ends])
    high = high if high > low else low + 1
    step = _step(high - low)
    first, last = math.floor(low / step), math.ceil(high / step)

    def at(value: float) -> float:
        return round(BESIDE + WIDE * (value / step - first) / (last - first), 1)

    tall = ROW * len(shown)
    ticks = [place * step for place in range(first, last + 1)]
    lines = "".join(_tick(at(tick), tall, f"{tick:.12g}", strong=tick == 0) for tick in ticks)
    rows = "".join(
        _row(bar, ROW * place, *map(at, (0, bar.value, bar.low, bar.high))) for place, bar in enumerate(shown)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{BESIDE + WIDE + 30}" height="{tall + 40}" role="img" '
        f'aria-label="{escape(name, quote=True)}" fill="currentColor" stroke="none" font-size="12" '
        f'direction="ltr" font-family="sans-serif">{lines}{rows}'
        f'<text x="{BESIDE + WIDE / 2:g}" y="{tall + 34}" text-anchor="middle">{escape(name)}</text></svg>'
    )


def _step(span: float) -> float:
    """The distance of ticks: 1, 2 or 5 times a power of ten, for a handful of them."""
    power = 10.0 ** math.floor(math.log10(span / TICKS))
    return next(times * power for times in (1, 2, 5, 10) if times * power * TICKS >= span * (1 - 1e-9))


def _tick(x: float, tall: int, text: str, strong: bool) -> str:
    return (
        f'<path d="M{x} 0V{tall}" stroke="currentColor" stroke-opacity="{0.7 if strong else 0.15}"/>'
        f'<text x="{x}" y="{tall + 16}" text-anchor="middle">{text}</text>'
    )


def _row(bar: Bar, top: int, zero: float, end: float, low: float, high: float) -> str:
    label = bar.label if len(bar.label) <= LETTERS else bar.label[: LETTERS - 1] + "…"
    made = (
        f'<text x="{BESIDE - 8}" y="{top + 14}" text-anchor="end">{escape(label)}</text>'
        f'<rect x="{min(zero, end)}" y="{top + 4}" width="{abs(end - zero):.1f}" height="{ROW - 8}" '
        'fill-opacity="0.35"/>'
    )
    if math.isfinite(low) and math.isfinite(high):
        middle = top + ROW // 2
        path = f"M{low} {middle}H{high}M{low} {middle - 4}v8M{high} {middle - 4}v8"
        made += f'<path class="whisker" d="{path}" fill="none" stroke="currentColor" stroke-width="1.5"/>'
    return made
