"""Whom an interval or a plan speaks of: the people asked, or everybody they stand for. One switch for a whole page."""

from __future__ import annotations

import streamlit as st

from explorer.ui import links
from explorer.ui.page import Shown

ASKED, EVERYBODY = "asked", "everybody"


def sampled(shown: Shown, default: str = ASKED) -> bool:
    """Whether everybody is meant; a view begins with its own default until the reader has chosen, for all views."""
    key, names = f"{shown.slug}_meant", shown.labels["meant_options"]

    def known(text: str) -> str:
        if text not in names:
            raise links.none_of(names)
        return text

    chosen = st.session_state["_held"]
    asked = links.requested(key, shown.label("meant"), default, known, str)
    if asked is not None:
        chosen[key] = asked
    current = chosen.get(key, default)
    widget = f"{key}_{default}"
    if st.session_state.get(widget, current) != current:  # chosen in another view
        st.session_state[widget] = current
    st.segmented_control(
        shown.label("meant"), list(names), default=current, required=True, format_func=names.__getitem__, key=widget,
        help=shown.label("meant_help"), width="stretch", on_change=_choose, args=(key, widget),
    )  # fmt: skip
    links.record(key, current, default)
    return bool(current == EVERYBODY)


def _choose(key: str, widget: str) -> None:
    links.set_stage_value(key, st.session_state[widget])
