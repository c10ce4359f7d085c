"""Own ranges of a column's numbers and own groups of its values, as people type them.

A link carries the beginnings of ranges and the values of a cell, by their places; never the name of a group.
"""

from __future__ import annotations

from functools import partial

import streamlit as st

from explorer.facts import Count, Name, Names
from explorer.settings.cuts import Cut, Group, linked_cut, listed, read_edges, read_groups, unlinked
from explorer.settings.typed import PLAIN, AskError, Habits
from explorer.text.escaping import markdown
from explorer.ui import links, typed
from explorer.ui.language import catalogue
from explorer.ui.shown import Shown
from ldpcore.tables.table import Table, shortened

MOST_LETTERS = 20_000
MOST_LINKED = 300  # values of a column whose places a link carries


def cut(shown: Shown, table: Table, name: str) -> Cut:
    """The cut of a column; an empty one where the reader has typed nothing."""
    if table.kind(name) == "number":
        return _edges(shown, table, name)
    return _groups(shown, table, name) if table.kind(name) == "category" else Cut()


def _place(shown: Shown, table: Table, name: str) -> str:
    """The key of a column's cut: of a built-in table the link knows it."""
    whose = f"{table.digest[:8]}_" if table.own else ""
    return f"{shown.slug}_cut_{whose}{table.columns.index(name)}"


def _label(shown: Shown, which: str, table: Table, name: str) -> str:
    return shown.catalogue.label(which, shown.slug, {"column": Name(shortened(table.head(name)))})


def _arrived(key: str, label: str, read: partial[Cut]) -> Cut | None:
    """The cut that a link brings; None where it brings none."""

    def judged(text: str) -> Cut:
        try:
            return read(text) if text else Cut()
        except (ValueError, IndexError):
            raise links.UnusableError("cut unusable", "counting") from None

    return links.requested(key, label, Cut(), judged, lambda _: "")


def _edges(shown: Shown, table: Table, name: str) -> Cut:
    """The beginnings of ranges of numbers."""
    key, label, written = _place(shown, table, name), _label(shown, "edges", table, name), typed.habits(table)
    box = f"{key}_text"
    arrived = None if table.own else _arrived(key, label, partial(_numbers))
    if arrived is not None:
        links.put(box, "; ".join(map(written.spelled, arrived.edges)))
    first = links.default(box, "", links.first_value(box, "") or "")
    help_ = shown.label("edges_help")
    text = st.text_input(label, first, MOST_LETTERS, box, help=help_, placeholder="20; 40; 60", on_change=links.touch)
    made = _usable(text, written)
    if not table.own:
        links.record(key, linked_cut(made, ()), "")
    return made


def _numbers(text: str) -> Cut:
    """The ranges of a link."""
    return Cut(read_edges(text.replace("_", " "), PLAIN))


def _usable(text: str, written: Habits) -> Cut:
    """The typed ranges; an unreadable text is told, and the usual ranges stay."""
    try:
        return Cut(read_edges(text, written))
    except AskError as problem:
        _refuse(problem)
        return Cut()


def _groups(shown: Shown, table: Table, name: str) -> Cut:
    """The groups of values that share a cell, and whether all others do."""
    key, label, known = _place(shown, table, name), _label(shown, "groups", table, name), listed(table, name)
    box, switch = f"{key}_text", f"{key}_together"
    arrived = None if table.own else _arrived(key, label, partial(unlinked, known=known))
    if arrived is not None:
        links.put(box, "\n".join(_line(group) for group in arrived.groups))
        links.put(switch, arrived.together)
    first = links.default(box, "", links.first_value(box, "") or "")
    help_ = shown.label("groups_help")
    text = st.text_area(label, first, 110, MOST_LETTERS, box, help=help_, on_change=links.touch)
    try:
        groups = read_groups(text, known)
    except AskError as problem:
        _refuse(problem)
        groups = ()
    start = links.default(switch, False, bool(links.first_value(switch, False)))
    together = st.toggle(shown.label("together"), start, switch, on_change=links.touch, disabled=not groups)
    _absent(shown, groups, known)
    made = Cut(groups=groups, together=bool(groups) and together)
    if not table.own and len(known) <= MOST_LINKED:
        links.record(key, linked_cut(made, known), "")
    return made


def _line(group: Group) -> str:
    """A group of a link as it is typed."""
    return "; ".join(group.values)


def _absent(shown: Shown, groups: tuple[Group, ...], known: tuple[str, ...]) -> None:
    """Tell the typed values that no row holds: a cell of nobody, or a slip of the pen."""
    there = set(known)
    missing = [shortened(value) for group in groups for value in group.values if value not in there]
    if missing and shown.look.truth:
        facts = {"values": Names(tuple(missing)), "count": Count(len(missing))}
        st.warning(shown.catalogue.markdown(None, "asking.not_there", facts), icon=":material/search_off:")


def _refuse(problem: AskError) -> None:
    st.error(markdown(catalogue().write(problem.reason)), icon=":material/block:")
