"""The columns of a table that are asked about at once, each between its bounds; and the corners to draw."""

from __future__ import annotations

from string import ascii_lowercase

import streamlit as st

from explorer.pages.vectors.settings import MOST_COLUMNS, PEOPLE, Columns, TableRows, VectorsSettings, invented
from explorer.ui import asking, cache, controls
from explorer.ui.parts.bounds import public_bounds
from explorer.ui.shown import Shown
from ldpcore.experiments.vectors.corners import PRINTED
from ldpcore.experiments.vectors.plan import VectorWidth
from ldpcore.mechanisms.hypercube import THRESHOLD_RULES
from ldpcore.tables.table import Table, shortened

DRAWN = {"two": 2, "three": 3}


def corner(shown: Shown, asked: VectorsSettings, first: tuple[int, str, str]) -> tuple[int, str, str]:
    """The number of questions drawn, the rule about ties, and the other person."""
    usual = next(name for name, d in DRAWN.items() if d == first[0])
    drawn = controls.choice(shown, "drawn", tuple(DRAWN), default=usual)
    rule = controls.choice(shown, "ties", (PRINTED, *THRESHOLD_RULES), default=first[1])
    return DRAWN[drawn], rule, controls.choice(shown, "other", PEOPLE, default=first[2])


def width(shown: Shown, asked: VectorsSettings, first: float) -> float:
    """The wished distance from all means, as a share of the scale."""
    return float(controls.number(shown, "width", VectorWidth, default=first, low=0.005, high=0.5))


def columns(shown: Shown, asked: VectorsSettings) -> Columns:
    """Several columns of a table between their bounds; invented people, and a sentence, where there are none."""
    table = controls.dataset(shown)
    options = {name: asking.called(table, name, 24) for name in table.of_kind("number")}
    if not options:
        st.warning(shown.say("column absent"))
        return invented()
    chosen = _chosen(shown, table, options)
    with shown.more():
        typed = [
            public_bounds(shown, table, name, letter) for name, letter in zip(chosen, ascii_lowercase, strict=False)
        ]
    ends, old = zip(*typed, strict=True)
    read = TableRows(table, chosen, ends)
    rows = cache.run(read, "session" if table.own else "global")
    if rows is None:
        st.warning(shown.say("column empty"))
        return invented()
    return Columns(rows, tuple(shortened(table.head(name), 24) for name in chosen), old, read)


def _chosen(shown: Shown, table: Table, options: dict[str, str]) -> tuple[str, ...]:
    """Some of the columns; names of an own table's stay in the session."""
    usual = list(options)[:MOST_COLUMNS]
    if table.own:
        key = f"own_{table.digest[:8]}_columns"
        picked = st.multiselect(
            shown.label("columns"),
            list(options),
            usual,
            format_func=options.__getitem__,
            key=key,
            max_selections=MOST_COLUMNS,
        )
        return tuple(picked) or tuple(usual)
    return controls.several(shown, "columns", options, usual, MOST_COLUMNS) or tuple(usual)
