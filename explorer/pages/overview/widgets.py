"""The surroundings of the overview's picture: the project's name, the ways as cards, and other choices."""

from __future__ import annotations

import streamlit as st

from explorer.pages.overview import cards
from explorer.ui import cards as offers
from explorer.ui import lecture, links
from explorer.ui.shown import Shown


def lead(shown: Shown) -> None:
    """The name of the project, and its purpose in one line."""
    with shown.notice.container(key="lead"):
        st.markdown(shown.say("lead"))


def around(shown: Shown) -> None:
    """The three large cards beside the picture, all others below it."""
    dark, present = shown.look.dark, lecture.written()
    kept = {key: text for key, text in present.items() if key in (cards.LECTURE, "lang")}
    with shown.aside.container(key="ways"):
        offers.show(cards.ways(shown.catalogue, dark, kept), "offers_ways", _switch)
    html = cards.others(shown.catalogue, dark, kept, links.travelling())
    offers.show(html, "offers_others", _switch)


def _switch(name: str) -> None:
    """Turn the lecture on or off, whose switch stands on its card."""
    if name == cards.LECTURE:
        links.touch()
        lecture.press(name)
