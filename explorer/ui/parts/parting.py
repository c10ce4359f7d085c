"""The value that parts a table's people into two groups."""

from __future__ import annotations

from typing import Any

import streamlit as st

from explorer.facts import Name
from explorer.settings.numbers import relation
from explorer.settings.questions import starting_values
from explorer.settings.typed import PLAIN, Habits, plain_number
from explorer.text.escaping import markdown
from explorer.ui import links, typed
from explorer.ui.parts.bounds import bound
from explorer.ui.shown import Shown
from ldpcore.tables.table import Table


def parting_value(shown: Shown, table: Table, column: str) -> str:
    """The value that parts the people, as links write it: a number from which on, or one label against all others."""
    start = starting_values(table, column)
    usual, key = (start[0] if start else ""), f"{shown.slug}_split"
    asked = links.requested(key, shown.label("split"), usual, _text(table, column, shown), str)
    box, written = f"{key}_{table.digest[:8]}_{table.columns.index(column)}", typed.habits(table)
    numbers = relation(table, column) == "ge"
    if numbers and links.set_anew(box) and bound(st.session_state.get(box, usual), written) is None:
        del st.session_state[box]
    if asked is not None or box not in st.session_state:
        text = usual if asked is None else asked
        st.session_state[box] = written.respelled(text) if numbers else text
    if not numbers:
        text = str(st.text_input(shown.label("split"), max_chars=80, key=box, on_change=links.touch))
    else:
        text = _number(shown, box, written, usual)
    if not table.own:
        links.record(key, text, usual)
    return text


def _number(shown: Shown, box: str, written: Habits, usual: str) -> str:
    """A number that parts the people, as links write it."""
    text = typed.box(shown.label("split"), "", box, written)
    value = bound(text, written)
    if value is None:
        st.warning(markdown(shown.catalogue.label("split_form", shown.slug, {"text": Name(text[:40])})))
    return usual if value is None else plain_number(value)


def _text(table: Table, column: str, shown: Shown) -> Any:
    """A reader of a value from a link."""

    def read(asked: str) -> str:
        if relation(table, column) == "ge" and bound(asked, PLAIN) is None:
            raise links.UnusableError("split unusable", shown.slug)
        return asked

    return read
