"""The two settings of the stage: the privacy level along its stops, and the view.

No widget of Streamlit's holds them: the stage says where its handle was let go, the link state keeps it.
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from explorer.declarations import PageSettings, View
from explorer.facts import Name
from explorer.heads import all_stops, declared_level, usual_stops
from explorer.settings.typed import Habits, plain_number
from explorer.ui import links, ranges
from explorer.ui.sessionkeys import FROM_BEHIND, ROW, STOPS
from explorer.ui.shown import Shown

MOST_STOPS = 4  # of one's own, between those of the grid


def asked(shown: Shown, default: float) -> float:
    """The page's level: the link's, the handle's, or the page's own."""
    low, high = declared_level().extreme
    name = shown.label("epsilon")
    return links.stage_value("epsilon", name, default, links.reader(declared_level(), low, high), plain_number)


def stops(level: float) -> tuple[float, ...]:
    """The places where the handle can rest: the usual grid, and levels between that were linked, typed or taken."""
    kept = [stop for stop in STOPS.get() if stop != level]
    if level not in usual_stops():
        kept = [*kept[1 - MOST_STOPS :], level]
        STOPS.keep(tuple(kept))
    return all_stops(level, kept)


def typed(shown: Shown, text: str) -> None:
    """Take a level that was typed beside the handle, in the reader's own notation; or say why it cannot be used."""
    low, high = declared_level().extreme
    written = Habits.of(shown.catalogue.language)
    links.type_in(shown.label("epsilon"), text, lambda text: written.between(text, low, high), move)


def move(level: float) -> None:
    """Take the level where the handle was let go."""
    links.set_stage_value("epsilon", float(level))


def likely(slug: str, views: tuple[str, ...]) -> str:
    """The probable view, before the settings are known that may take one away; empty for the first."""
    key = f"{slug}_tab"
    asked = links.asked_of(key)
    return (asked[0] if asked[0] in views else "") if asked else links.held(key, "")


def view(shown: Shown, views: Mapping[str, View[PageSettings]], titles: Mapping[str, str]) -> str:
    """The slug of the chosen view."""
    key, first = f"{shown.slug}_tab", next(iter(views))

    def known(text: str) -> str:
        if text in views:
            return text
        if text in titles:
            raise links.UnusableError("unusable.view", asked=Name(titles[text]))
        raise links.none_of(titles[slug] for slug in views)

    row = tuple(slug for slug, each in views.items() if each.first)
    if arrived():  # the presenter steps back: to the last view of the page before
        links.hold(key, row[-1])
    asked = links.requested(key, shown.label("view"), first, known, titles.__getitem__)
    chosen = links.held(key, first) if asked is None else asked
    links.hold(key, chosen)
    links.record(key, chosen, first)
    if chosen not in views:  # another setting has taken the view away
        chosen = first
        links.hold(key, chosen)
        links.record(key, chosen, first)
    ROW.keep((row if chosen in row else (chosen, *row), chosen))
    return chosen


def passed() -> tuple[tuple[str, ...], str]:
    """The views that the presenter's keys pass, and the chosen one; no views on a page without a stage."""
    return ROW.get()


def pass_none() -> None:
    """Let the presenter's keys pass pages alone, until a page says which views it has."""
    ROW.keep(((), ""))


def leave(back: bool) -> None:
    """Note whether the presenter leaves the page backwards."""
    FROM_BEHIND.keep(back)


def arrived() -> bool:
    """Whether the presenter has come to this page backwards, which is forgotten by asking."""
    return FROM_BEHIND.take()


def look_at(slug: str, chosen: str) -> None:
    """Take another view, or a row of a figure: `report 3` is the view `report` with `<page>_value` at 3."""
    (view, _, row), key = chosen.partition(" "), f"{slug}_value"
    if row and ranges.is_slider(key):  # which holds a number
        links.put(key, float(row))
    elif row:
        st.session_state.pop(key, None)
        links.put(key, row)
    links.set_stage_value(f"{slug}_tab", view)


def pointed_at(slug: str) -> str:
    """The row or column of a figure that was clicked since the last call; empty where none was."""
    key = f"{slug}_value"
    pointed = str(links.first_value(key, ""))
    links.put(key, "")
    return pointed
