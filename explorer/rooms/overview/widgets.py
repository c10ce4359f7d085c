"""What stands around the overview's picture: what this is, the ways as cards, and what else one can choose."""

from __future__ import annotations

from functools import partial

import streamlit as st

from explorer.rooms.overview import cards
from explorer.ui import cards as offers
from explorer.ui import links, room, shell, way
from explorer.ui.shown import Shown
from explorer.ways import ORDER, way_of


def lead(shown: Shown) -> None:
    """The name of the whole, and in one line what it is."""
    with shown.notice.container(key="lead"):
        st.markdown(shown.say("lead"))


def around(shown: Shown) -> None:
    """The three large cards beside the picture, all others below it."""
    look, carried, spoken = shown.look, links.travelling(), room.spoken()
    extra = f"&lang={spoken}" if spoken else ""
    go = partial(_go, shown.slug)
    with shown.aside.container(key="ways"):
        offers.show(cards.ways(shown.catalogue, look.dark, look.lecture, extra), "offers_ways", go)
    html = cards.others(shown.catalogue, look.dark, look.lecture, carried, extra)
    offers.show(html, "offers_others", go)


def _go(slug: str, name: str) -> None:
    """Do what was chosen: a way begins, a page or a decision is turned to, or the lecture is switched on or off."""
    kind, _, which = name.partition("-")
    offered = cards.links(links.travelling())
    if name == cards.LECTURE:
        links.touch()
        room.press(cards.LECTURE)
    elif kind == "way" and which in ORDER:
        shell.lead(slug, way.begin(way_of(which)))
    elif name in offered:
        shell.lead(slug, offered[name])
