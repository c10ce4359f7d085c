"""Two rows of up to twelve bars, drawn by hand: a pointer paints across them, arrow keys move one at a time.

The browser paints while a finger is down and tells the server when it is lifted, or when a key has moved a bar. Each
bar is a slider to a screen reader; each row is one stop of the tab key.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st

from explorer.figures.theme import PALETTE
from explorer.ui import internals, scripts
from explorer.ui.caught import caught
from explorer.ui.shown import Shown

BarRows = Sequence[Sequence[float]]
_HTML = """
<div class="ldp-bars">
  <div class="size"><span class="count"></span><button type="button" class="fewer">−</button
    ><button type="button" class="more">+</button></div>
  <div class="world"><span class="name"></span><div class="row" role="group"></div></div>
  <div class="world"><span class="name"></span><div class="row" role="group"></div></div>
  <p class="hint"></p>
</div>
"""

_CSS = """
.ldp-bars { color: var(--st-text-color); font: .875rem var(--st-font); user-select: none; -webkit-user-select: none; }
.size { display: flex; align-items: center; gap: .4rem; }
.size .count { flex: 1; }
.size button { width: 2.25rem; height: 2.25rem; font: 1.1rem var(--st-font); color: inherit; cursor: pointer;
  background: var(--st-secondary-background-color); border: 1px solid var(--st-border-color);
  border-radius: var(--st-button-radius); }
.size button:disabled { opacity: .4; cursor: default; }
.world { margin-top: .5rem; }
.row { display: flex; direction: ltr; align-items: flex-end; gap: 2px; height: 6.5rem; margin-top: .2rem;
  border-bottom: 2px solid currentColor; cursor: crosshair; touch-action: none; }
.bar { flex: 1; height: 100%; display: flex; align-items: flex-end; background: var(--st-secondary-background-color);
  border-radius: 3px 3px 0 0; outline-offset: 1px; }
.bar i { display: block; width: 100%; min-height: 2px; border-radius: 3px 3px 0 0; }
.bar:focus-visible, button:focus-visible { outline: 2px solid var(--st-primary-color); }
.hint { margin: .4rem 0 0; }
"""

_BARS = internals.component("ldp_bars", html=_HTML, css=_CSS, js=scripts.joined(Path(__file__).with_suffix(".js")))
_KEY = "drawn_bars"


def top(rows: Sequence[Sequence[float]]) -> float:
    """The height of a full bar: ten, or the next round number above the highest."""
    highest, full = max(max(row) for row in rows), 10.0
    while full < highest:
        full *= 2 if str(full)[0] in "15" else 2.5
    while full / 10 >= highest:
        full /= 10
    return full


def show(shown: Shown, rows: BarRows, ends: tuple[int, int], heard: Callable[[BarRows], None]) -> None:
    """Show two rows of heights; `heard` gets both as they were drawn. `ends` are the fewest and the most bars."""
    worlds = [shown.label("bars_first"), shown.label("bars_second")]
    data = {
        "rows": [list(map(float, row)) for row in rows],
        "top": top(rows),
        "least": ends[0],
        "most": ends[1],
        "colors": [PALETTE[2], PALETTE[6]],
        "decimal": shown.catalogue.separators[0],
        "words": {**shown.labels.strings("drawn"), "worlds": worlds},
    }

    @caught
    def hear() -> None:
        heard(st.session_state[_KEY]["rows"])

    # In a tuple: the values of a dict are looked through for tables, which takes loading pandas.
    _BARS(data=(data,), key=_KEY, on_rows_change=hear, height="content")
