"""Sensitivity to be touched: x, x + x and 5x of a person's x, and the visitors of a cinema."""

from __future__ import annotations

from typing import Annotated

import streamlit as st

from explorer.facts import Count, Number, Term
from explorer.ui import controls
from explorer.ui.shown import Shown
from ldpcore.parameters import Interval
from ldpcore.tables.functions import FUNCTIONS, most_moved

CINEMA = "cinema"
Seats = Annotated[int, Interval("s", 1, 100_000, (10, 1000), scale="log", integer=True)]


def touch(shown: Shown) -> None:
    """Choose a function, and read how far one person moves it and which noise that takes."""
    with shown.more():
        chosen = controls.choice(shown, "function", (*FUNCTIONS, CINEMA))
        high = controls.number(shown, "seats", Seats, default=200, low=10, high=1000) if chosen == CINEMA else 1
        moved = most_moved(FUNCTIONS.get(chosen, FUNCTIONS["once"]), 0, high)
        st.caption(
            shown.say("sensitivity", moved=Number(moved), high=Count(high), function=Term(f"functions.{chosen}"))
        )
