"""A box for a number or a day in the reader's own notation; a text that means two values is answered with a choice."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Protocol

import streamlit as st

from explorer.facts import Name
from explorer.settings.typed import AskError, DoubtError, Habits, NumberOrDay, value_fact
from explorer.ui import links, session
from explorer.ui.caught import caught
from explorer.ui.language import catalogue
from ldpcore.tables.table import Table

LONGEST = 64  # letters of a number or a day


class BoxPlace(Protocol):
    """The place of a box and a choice: the page, or a column of it."""

    @property
    def text_input(self) -> Callable[..., object]: ...

    @property
    def segmented_control(self) -> Callable[..., object]: ...


def habits(table: Table | None = None) -> Habits:
    """The writing of numbers and days: as in the reader's own table, else as in the language."""
    held = session.own()
    own = held is not None and table is not None and table.own and held.table.digest[:8] == table.digest[:8]
    return Habits.of(catalogue().language, held.understood.reading if own and held is not None else None)


def box(
    label: str,
    start: str,
    key: str,
    written: Habits,
    kind: str = "number",
    place: BoxPlace = st,
    then: Callable[[], object] = links.touch,
    help: str | None = None,  # noqa: A002 - as Streamlit calls it
) -> str:
    """The text in a box; below it stands the choice between two values, where it means two.

    `then` is what a change of the text calls, typed or chosen.
    """
    text = str(place.text_input(label, links.default(key, "", start), LONGEST, key, on_change=caught(then), help=help))
    with suppress(AskError):  # the caller says why the text cannot be used
        try:
            written.read(text, kind)
        except DoubtError as doubt:
            _ask_which(doubt, key, written, place, then)
    return text


def _ask_which(doubt: DoubtError, key: str, written: Habits, place: BoxPlace, then: Callable[[], object]) -> None:
    """Ask which of two values is meant; the answer is written into the box, unmistakably."""
    choice, label = f"{key}_which", catalogue().label("asking.which", facts={"text": Name(doubt.text)})
    place.segmented_control(
        label,
        doubt.meant,
        format_func=lambda value: catalogue().write(value_fact(value)),
        key=choice,
        on_change=caught(partial(_settle, choice, key, written, then)),
    )


def _settle(choice: str, key: str, written: Habits, then: Callable[[], object]) -> None:
    """Write the value that is meant into its box."""
    meant: NumberOrDay | None = st.session_state.pop(choice, None)
    if meant is not None:
        links.put(key, written.spelled(meant))
    then()
