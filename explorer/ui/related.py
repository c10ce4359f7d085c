"""The line below a stage that leads from a page to its exercises, and from an exercise to its page."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

import streamlit as st

from explorer.exercises import PAGE, exercise, exercises_of
from explorer.ui import lecture
from explorer.ui.shown import Shown
from explorer.ways import Link


def show(shown: Shown, page: str, view: str) -> None:
    """The links; nothing on a page that no exercise belongs to."""
    label = "belongs" if page == PAGE else "exercises"
    links = [_anchor(link, title) for link, title in related(shown, page, view)]
    if links:
        st.html(f'<p class="ldp-quiet ldp-related">{escape(shown.label(label))} {" · ".join(links)}</p>')


def related(shown: Shown, page: str, view: str) -> Iterator[tuple[Link, str]]:
    """The exercises of a page; of an exercise its page; each with its name."""
    catalogue = shown.catalogue
    if page == PAGE:
        theirs = exercise(view).page
        yield Link(theirs, {}), catalogue.text(theirs, "name")
    for each in exercises_of(page):
        yield each.link, catalogue.text(PAGE, f"view {each.slug}")


def _anchor(link: Link, title: str) -> str:
    room = {key: text for key, text in lecture.written().items() if key not in lecture.WAY}
    return f'<a href="./{escape(str(link.beside(room)))}" target="_self">{escape(title)}</a>'
