"""The averaged numbers: whose, between which public bounds, through which mechanism; and the two groups."""

from __future__ import annotations

import streamlit as st

from explorer.facts import Count, Exact, Name, Number, Truth
from explorer.settings.numbers import ColumnNumbers, PeopleSource
from explorer.ui import asking, cache, controls
from explorer.ui.parts.bounds import public_bounds
from explorer.ui.shown import Shown
from ldpcore.parameters import Users
from ldpcore.people.scales import SHAPES, Clipping
from ldpcore.tables.table import Table, shortened

SOURCES = ("column", *SHAPES)
MOST_PEOPLE = 10**9


def source(shown: Shown, usual: str = SOURCES[0], n: int = 10_000, table: Table | None = None) -> PeopleSource:
    """A column between its bounds, of a `table` or of the chosen one, or invented people; one sentence says where
    nothing can be averaged."""
    chosen = controls.choice(shown, "source", SOURCES, default=usual)
    if chosen == "column":
        if (of_column := _of_column(shown, table)) is not None:
            return of_column
        chosen = SHAPES[0]
    return PeopleSource.of_shape(chosen, controls.number(shown, "n", Users, default=n, high=MOST_PEOPLE))


def _of_column(shown: Shown, table: Table | None) -> PeopleSource | None:
    """The numbers of a column; None, and a sentence, where there are none."""
    table = controls.dataset(shown) if table is None else table
    columns = table.of_kind("number")
    if not columns:
        st.warning(shown.say("column absent"))
        return None
    column = asking.column(shown, table, kinds=("number",), default=columns[-1])
    assert column is not None
    (low, high), old = public_bounds(shown, table, column)
    scope: cache.Scope = "session" if table.own else "global"
    numbers = cache.run(ColumnNumbers(table, column, low, high), scope)
    if numbers is None or numbers.clipping is None:
        st.warning(shown.say("column empty", column=Name(shortened(table.head(column))), n=Count(table.n)))
        return None
    _remark(shown, numbers.clipping, low, high)
    return PeopleSource(numbers, "", column, table.own, table, old)


def _remark(shown: Shown, clipping: Clipping, low: float, high: float) -> None:
    """Say how many numbers were moved to their bounds, and what that does to their mean."""
    facts = {
        "low": Exact(low),
        "high": Exact(high),
        "n": Count(clipping.n),
        "moved": Truth(Count(clipping.moved)),
        "below": Truth(Count(clipping.below)),
        "above": Truth(Count(clipping.above)),
        "bias": Truth(Number(clipping.bias)),
        "missing": Count(clipping.missing),
    }
    st.caption(shown.say("mapping", **facts))
    st.caption(shown.say("clipping", **facts))
