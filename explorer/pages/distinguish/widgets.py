"""The two worlds to be told apart, and their mechanism."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import streamlit as st

from explorer.facts import Name
from explorer.pages.distinguish.settings import KINDS, Distinguish, GroupsOfTable, grouped, in_cells
from explorer.settings.drawnbars import bars
from explorer.settings.numbers import splitting
from explorer.ui import asking, cache, controls
from explorer.ui.parts.bounds import public_bounds
from explorer.ui.parts.drawnworlds import USUAL_BARS, by_hand
from explorer.ui.parts.parting import parting_value
from explorer.ui.shown import Shown
from ldpcore.experiments.distinguish import MOST_OUTCOMES, WorldPair, members
from ldpcore.mechanisms.base import CategoryRandomizer
from ldpcore.parameters import Interval, Probability
from ldpcore.tables.table import Table, shortened

WorldAnswers = Annotated[int, Interval("k", 2, MOST_OUTCOMES, (2, MOST_OUTCOMES), integer=True)]
Shift = Annotated[float, Interval("s", 0, 6, (0, 6))]


def chosen(shown: Shown) -> Distinguish:
    """Both worlds, and the mechanism between them and the collector."""
    kind, worlds, parted = _chosen(shown)
    return Distinguish(worlds, kind, mechanism(shown, worlds.k), parted)


def _chosen(shown: Shown) -> tuple[str, WorldPair, GroupsOfTable | None]:
    """The kind of worlds, both, and the groups of a table behind them."""
    kind = controls.choice(shown, "kind", KINDS, default=KINDS[0])
    if kind == "coins":
        first = controls.number(shown, "first", Probability, default=0.3)
        return kind, WorldPair.coins(first, controls.number(shown, "second", Probability, default=0.6)), None
    if kind == "people":
        return kind, WorldPair.people(controls.number(shown, "k", WorldAnswers, default=2)), None
    if kind == "groups":
        return kind, *_groups(shown)
    if kind == "bells":
        shift = controls.number(shown, "shift", Shift, default=1.0)
        return kind, WorldPair.bells(shift, controls.number(shown, "cells", WorldAnswers, default=8)), None
    return kind, by_hand(shown), None


def _groups(shown: Shown) -> tuple[WorldPair, GroupsOfTable | None]:
    """Two groups of a table; where there are no two, a sentence, and the first bars."""
    table = controls.dataset(shown, default="income")
    columns = table.of_kind("number", "category", "truth")
    column = asking.column(shown, table, kinds=("number", "category", "truth"), default=_telling(table))
    others = splitting(table, column) if column else ()
    if column is None or not others or len(columns) < 2:
        st.warning(shown.say("groups absent"))
        return _usual(), None
    ends = public_bounds(shown, table, column)[0] if in_cells(table, column) else (0.0, 100.0)
    by = _parting(shown, table, others)
    value = parting_value(shown, table, by)
    scope: cache.Scope = "session" if table.own else "global"
    groups = cache.run(GroupsOfTable(table, column, by, value, ends), scope)
    if groups is None:
        st.warning(shown.say("groups empty", column=Name(shortened(table.head(by))), value=Name(shortened(value, 24))))
        groups = grouped(table, column, by, ends=ends)
    if groups is None:
        return _usual(), None
    st.caption(shown.say("groups", **groups.facts()))
    return groups.worlds, groups.parted


def _telling(table: Table) -> str | None:
    """The last column of numbers, which people would rather keep to themselves; else the last one of answers."""
    return next(iter([*table.of_kind("number")[::-1], *table.of_kind("category", "truth")[::-1]]), None)


def _parting(shown: Shown, table: Table, others: Sequence[str]) -> str:
    """The column whose values part people; the name of an own one stays in the session."""
    if table.own:
        key = f"own_{table.digest[:8]}_by"
        return str(st.selectbox(shown.label("group"), others, format_func=shortened, key=key))
    return controls.choice(shown, "group", {name: asking.called(table, name) for name in others})


def _usual() -> WorldPair:
    return WorldPair.weights(bars(USUAL_BARS[0]), bars(USUAL_BARS[1]))


def mechanism(shown: Shown, k: int) -> str:
    """One of the mechanisms whose channel can be listed whole."""
    listed = members(k)
    member = controls.member(shown, CategoryRandomizer, default="grr", fits=lambda member: member in listed)  # type: ignore[type-abstract]
    return member.slug
