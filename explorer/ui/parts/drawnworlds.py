"""Two worlds as rows of bars, drawn by hand or typed."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from explorer.settings.drawnbars import bars
from explorer.settings.typed import plain_number
from explorer.text.escaping import markdown
from explorer.ui import links
from explorer.ui.parts import bars as drawn
from explorer.ui.sessionkeys import BARS
from explorer.ui.shown import Shown
from ldpcore.experiments.distinguish import MOST_OUTCOMES, WorldPair
from ldpcore.parameters import ParameterError

USUAL_BARS = ("9 6 3 3", "3 3 6 9")
LONGEST = 200
ROWS = ("bars_first", "bars_second")


def by_hand(shown: Shown) -> WorldPair:
    """Two rows of bars, drawn or typed; an unusable text stays in its box, and one sentence says why."""
    place = st.container()
    with shown.more():
        texts = [_box(shown, name, usual) for name, usual in zip(ROWS, USUAL_BARS, strict=True)]
    kept = BARS.get() or (bars(USUAL_BARS[0]), bars(USUAL_BARS[1]))
    try:
        rows = bars(texts[0]), bars(texts[1])
        worlds = WorldPair.weights(*rows)
        BARS.keep(rows)
    except ParameterError as problem:
        place.warning(markdown(shown.catalogue.refusal(problem)), icon=":material/edit:")
        rows, worlds = kept, WorldPair.weights(*kept)
    for name, row, usual in zip(ROWS, rows, USUAL_BARS, strict=True):
        links.record(f"{shown.slug}_{name}", _written(row, "|"), usual.replace(" ", "|"))
    with place:
        drawn.show(shown, rows, (2, MOST_OUTCOMES), lambda heights: _drawn(shown, heights))
    return worlds


def _written(row: Sequence[float], between: str = " ") -> str:
    """Heights as boxes hold them; links put no blanks between."""
    return between.join(plain_number(float(height)) for height in row[:MOST_OUTCOMES])


def _box(shown: Shown, name: str, usual: str) -> str:
    """The heights of one row, as numbers."""
    key, label = f"{shown.slug}_{name}", shown.label(name)
    links.widget_value(key, label, usual, _usable, str)
    tip = shown.label("bars_help")
    text: str = st.text_input(label, links.default(key, ""), LONGEST, key, help=tip, on_change=links.touch)
    return text


def _drawn(shown: Shown, heights: Sequence[Sequence[float]]) -> None:
    """Type the drawn heights into the boxes, from which the link takes them."""
    links.touch()
    for name, row in zip(ROWS, heights, strict=True):
        links.put(f"{shown.slug}_{name}", _written(row))


def _usable(text: str) -> str:
    """A row of bars, read from a link."""
    try:
        return _written(bars(text))
    except ParameterError:
        raise links.UnusableError("bars unusable", "distinguish") from None
