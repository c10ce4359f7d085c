"""Cards of HTML that lead somewhere: the page is told the name of the one chosen, and nothing is loaded anew."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from explorer.ui import scripts
from explorer.ui.caught import caught

_CARDS = st.components.v2.component(
    "ldp_cards",
    html='<div class="ldp-offers"></div>\n',
    css=Path(__file__).with_suffix(".css").read_text("utf-8"),
    js=scripts.joined(Path(__file__).with_suffix(".js")),
    isolate_styles=False,
)


def show(html: str, key: str, go: Callable[[str], None]) -> None:
    """Show cards, whose maker has escaped whatever they say; `go` is told the name of the one that is chosen."""
    state: Any = st.session_state

    @caught
    def chosen() -> None:
        go(str(state[key]["go"]))

    _CARDS(data={"html": html}, key=key, height="content", on_go_change=chosen)
