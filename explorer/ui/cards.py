"""Cards of HTML whose links lead to pages of the app without loading it anew, and whose buttons the page hears."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from explorer.ui import internals, scripts
from explorer.ui.caught import caught

_CARDS = internals.component(
    "ldp_cards",
    html='<div class="ldp-offers"></div>\n',
    css=Path(__file__).with_suffix(".css").read_text("utf-8"),
    js=scripts.joined(Path(__file__).with_suffix(".js")),
    isolate_styles=False,
)


def show(html: str, key: str, switch: Callable[[str], None]) -> None:
    """Show cards, whose maker has escaped their texts; `switch` gets the name of a pressed button."""
    state: Any = st.session_state

    @caught
    def pressed() -> None:
        switch(str(state[key]["pressed"]))

    _CARDS(data={"html": html}, key=key, height="content", on_pressed_change=pressed)
