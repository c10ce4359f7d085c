"""A show of hands beside the reports: typed by the presenter, kept in the session alone, drawn as a stroke."""

from __future__ import annotations

import streamlit as st

from explorer.poll.collected import YES_PLACE
from explorer.poll.questions import PollQuestion
from explorer.settings.typed import AskError
from explorer.text.escaping import markdown
from explorer.ui import links, typed
from explorer.ui.shown import Shown

MOST = 5000  # hands, as many as a room has phones


def hands(shown: Shown, asked: PollQuestion, serial: int) -> tuple[float, ...]:
    """The number of hands for each answer, or the true mean; empty where nothing has been typed."""
    with st.popover(shown.label("hands_open"), icon=":material/pan_tool:", key=f"{shown.slug}_hands"):
        st.caption(shown.say("hands"))
        if asked.kind == "number":
            return _mean(shown, asked, serial)
        names = asked.answers or tuple(shown.label(name) for name in ("hands_yes", "hands_no"))
        counts = [_count(shown, name, f"{serial}_{place}") for place, name in enumerate(names, YES_PLACE)]
    return tuple(map(float, counts)) if any(counts) else ()


def _count(shown: Shown, name: str, place: str) -> int:
    """The hands for one answer."""
    key = f"{shown.slug}_hands_{place}"
    return int(st.number_input(markdown(name), 0, MOST, 0, 1, key=key, on_change=links.touch))


def _mean(shown: Shown, asked: PollQuestion, serial: int) -> tuple[float, ...]:
    """The true mean, between the public bounds."""
    written = typed.habits()
    text = typed.box(shown.label("hands_mean"), "", f"{shown.slug}_hands_{serial}", written)
    if not text.strip():
        return ()
    try:
        return (written.between(text, asked.low, asked.high),)
    except AskError as problem:
        st.warning(markdown(shown.catalogue.write(problem.reason)), icon=":material/edit:")
        return ()
