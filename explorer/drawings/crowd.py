"""A crowd as dots, each a person: the yeses, the known answers, and the person looked at."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape

import numpy as np
from numpy.typing import NDArray

from explorer.facts import Count
from explorer.figures.theme import Look
from explorer.text.catalogue import Words

MOST_DOTS = 800  # more dots than this cannot be told apart
LEAST_ACROSS = 6.5  # the least width of a panel in dots, lest few people become balloons
REPORT = "#D55E00"
WIDER = 2.0  # a crowd's width as a multiple of its height, which is scarce on a phone and in a hall
SIZE = 0.78  # of a dot, in places
PEOPLE_STYLE = """<style>
.ldp-crowd { display: grid; grid-template-columns: 1fr 1fr; column-gap: clamp(.75rem, 4%, 3rem); margin-bottom: .5rem; }
.ldp-crowd > div { display: grid; grid-row: span 3; grid-template-rows: subgrid; min-width: 0; align-items: start; }
.ldp-crowd svg { display: block; width: 100%; height: auto; max-height: max(7rem, var(--ldp-room, 100vh)); }
.ldp-crowd .area { display: flex; flex-direction: column; justify-content: flex-end; overflow: hidden;
  height: clamp(6rem, var(--ldp-room, 14rem), 22rem); border-radius: .4rem; margin: .4rem 0; }
.ldp-crowd .head { margin-bottom: .2rem; }
.ldp-everybody { --ldp-room: calc(var(--ldp-height, 28rem) - 11.25rem); }
.ldp-person { --ldp-room: calc(var(--ldp-height, 28rem) - 14.75rem); }
.ldp-name { font-weight: 600; }
.ldp-quiet { font-size: .875rem; opacity: .85; }
.ldp-cards { display: grid; grid-template-columns: repeat(4, 1fr); gap: .75rem; margin-bottom: .75rem; }
@media (max-width: 640px) { .ldp-crowd .head .ldp-quiet { display: block; } }
@media (max-width: 640px) { .ldp-cards { grid-template-columns: 1fr 1fr; gap: .5rem; } }
.ldp-cards button, .ldp-coins { color: inherit; background: none; font: inherit; text-align: start; cursor: pointer; }
.ldp-cards button { border: 1.5px solid; border-radius: .75rem; padding: .5rem .75rem; min-height: 6.5rem; }
.ldp-coins { border: 1px solid; border-radius: 1rem; padding: .15rem .75rem; margin-bottom: .5rem; font-size: .875rem; }
@media print { .ldp-coins { display: none; } }
.ldp-cards .value { font-size: 1.6rem; font-weight: 650; line-height: 1.3; }
.ldp-cards .small { font-size: .875rem; }
.ldp-cards .wait { border-style: dashed; }
</style>"""


Bits = NDArray[np.bool_]


def _blank(n: int) -> Bits:
    return np.zeros(n, dtype=np.bool_)


@dataclass(frozen=True, eq=False)
class Panel:
    """One of the two crowds: its yeses, its known answers, and the person looked at."""

    name: str
    waiting: str
    color: str
    yes: Bits
    known: Bits | bool
    ring: int | None = None

    @property
    def columns(self) -> int:
        """The number of dots in a row."""
        return math.ceil(math.sqrt(WIDER * len(self.yes)))

    def drawn(self, look: Look, words: Words, more: str = "") -> str:
        """The crowd under its name; a person who is not known yet is a speck."""
        n, columns = len(self.yes), self.columns
        known = np.broadcast_to(np.asarray(self.known, dtype=np.bool_), n)
        if known.all():  # all as hollow dots, row by row, and then the yes on top
            dots = self._rows(self.color, SIZE) + self._rows(look.paper, 0.72 * SIZE)
        else:
            dots = self._rows(look.ghost, 0.25 * SIZE) + self._single(known & ~self.yes, look)
        dots += self._dots(known & self.yes, self.color, SIZE) + self._circle(look)
        wide, high = max(columns, LEAST_ACROSS), math.ceil(n / columns)
        edge = 0.15  # room for the ring around someone at the edge
        box = f"{-0.5 - edge} {-0.5 - edge} {wide + 2 * edge:.4g} {high + 2 * edge:.4g}"
        svg = (
            f'<svg viewBox="{box}" preserveAspectRatio="xMinYMin" xmlns="http://www.w3.org/2000/svg" '
            f'aria-hidden="true" stroke-linecap="round" fill="none">{dots}</svg>'
        )
        return _panel(self.name, words, " · ".join(filter(None, (self.counted(words), more))), svg)

    def _rows(self, color: str, size: float) -> str:
        """The dots of all people: a dashed line for each row, whose dashes have no length."""
        n, columns = len(self.yes), self.columns
        whole = "".join(f"M0 {row}H{columns - 0.5}" for row in range(n // columns))
        last = f"M0 {n // columns}H{n % columns - 0.5}" if n % columns else ""
        return f'<path d="{whole}{last}" stroke="{color}" stroke-width="{size:.3g}" stroke-dasharray="0 1"/>'

    def _dots(self, who: Bits, color: str, size: float) -> str:
        """Dots of some people, each by their place."""
        path = "".join(f"M{place % self.columns} {place // self.columns}h0" for place in np.flatnonzero(who))
        return f'<path d="{path}" stroke="{color}" stroke-width="{size:.3g}"/>' if path else ""

    def _single(self, no: Bits, look: Look) -> str:
        return self._dots(no, self.color, SIZE) + self._dots(no, look.paper, 0.72 * SIZE)

    def _circle(self, look: Look) -> str:
        """The ring around the person looked at."""
        if self.ring is None:
            return ""
        wide = max(0.09, self.columns / 110)
        x, y = self.ring % self.columns, self.ring // self.columns
        radius = max(0.55, self.columns / 40)
        return f'<circle cx="{x}" cy="{y}" r="{radius:.3g}" stroke="{look.accent}" stroke-width="{wide:.3g}"/>'

    def counted(self, words: Words) -> str:
        """The numbers of filled and of hollow dots."""
        if not np.all(self.known):
            return self.waiting
        yes = int(self.yes.sum())
        return _counted(words, yes, len(self.yes) - yes)


def _counted(words: Words, yes: int, no: int) -> str:
    return words.fill("told", yes=Count(yes), no=Count(no))


def _panel(name: str, words: Words, count: str, inside: str) -> str:
    alt = f"{words[f'{name}_alt']} {count}"
    return (
        f'<div role="img" aria-label="{escape(alt)}">'
        f'<div class="head"><span class="ldp-name">{escape(words[name])}</span> '
        f'<span class="ldp-quiet">{escape(words[f"{name}_note"])}</span></div>'
        f'{inside}<div class="ldp-quiet">{escape(count)}</div></div>'
    )
