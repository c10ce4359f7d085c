"""The known columns of a row, and the column whose favorite is chosen."""

from __future__ import annotations

import streamlit as st

from explorer.pages.trust.settings import CandidateVotes, KnownColumns, Trust, known_first
from explorer.ui import asking, controls, units
from explorer.ui.shown import Shown
from ldpcore.tables.table import Table, displayed

MOST = 12  # columns that anybody knows


def known(shown: Shown, asked: Trust, first: KnownColumns) -> KnownColumns:
    """The known columns of the page's table; at first without the one that names persons."""
    who = units.who(first.table)
    columns = first.columns if who not in first.columns else known_first(first.table, who)
    return KnownColumns(first.table, _columns(shown, first.table, columns), who)


def _columns(shown: Shown, table: Table, first: tuple[str, ...]) -> tuple[str, ...]:
    """The known columns; their names travel in the link only where the table is a built-in one."""
    if table.own:
        named = dict(zip(table.columns, displayed(table.columns), strict=True))
        place = f"trust_known_{table.digest[:8]}"
        return tuple(
            st.multiselect(
                shown.label("columns"),
                list(named),
                list(first),
                format_func=named.__getitem__,
                key=place,
                max_selections=MOST,
            )
        )
    options = {name: asking.called(table, name) for name in table.columns}
    return controls.several(shown, "columns", options, first, MOST)


def vote(shown: Shown, asked: Trust, first: CandidateVotes) -> CandidateVotes:
    """The column whose favorite is chosen; where there is none with several values, an invented vote."""
    table = asked.source.table
    names = [] if table is None else [name for name in table.of_kind("category", "truth") if _several(asked, name)]
    if table is None or not names:
        return first
    column = asking.column(shown, table, "category", default=names[0])
    return CandidateVotes.of_column(table, column) if column in names else first


def _several(asked: Trust, name: str) -> bool:
    """Whether a column has at least two values, and people who share them."""
    assert asked.source.table is not None
    table = asked.source.table
    return 1 < table.distinct(name) <= (table.n - table.missing(name)) / 2
