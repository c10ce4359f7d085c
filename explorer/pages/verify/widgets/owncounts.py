"""Counts of an audit that the reader ran: two lines of whole numbers, and their error in one sentence."""

from __future__ import annotations

import streamlit as st

from explorer.pages.verify.settings import Counted
from explorer.text.refusals import reason
from explorer.ui import controls, links
from explorer.ui.sessionkeys import AUDITED
from explorer.ui.shown import Shown
from ldpcore.experiments.verify.owncounts import CountsError, OwnAudit, read_counts
from ldpcore.parameters import Confidence


def counts(shown: Shown) -> Counted:
    """The controls of the counts; unusable ones leave the last ones."""
    usual = Counted()
    with shown.more():
        confidence = controls.number(shown, "confidence", Confidence, default=0.95, low=0.5, high=0.999)
    texts = [_line(shown, name, held) for name, held in (("first", usual.first), ("second", usual.second))]
    problem = None
    try:
        first, second = map(read_counts, texts)
        OwnAudit(first, second)
        AUDITED.keep((first, second))
    except CountsError as refused:
        problem = refused
    first, second = AUDITED.get() or (usual.first, usual.second)
    if problem is not None:
        st.error(shown.say("counts refused", problem=reason(problem)), icon=":material/edit:")
    return Counted(first, second, confidence)


def _line(shown: Shown, name: str, usual: tuple[int, ...]) -> str:
    """One line of counts: key `<page>_counts_<name>`."""
    key, label = f"{shown.slug}_counts_{name}", shown.label(f"counts_{name}")
    default = ", ".join(map(str, usual))

    def whole(text: str) -> str:
        try:
            return ", ".join(map(str, read_counts(text)))
        except CountsError:
            raise links.UnusableError("counts unusable", shown.slug) from None

    links.widget_value(key, label, default, whole, str)
    tip = shown.label("counts_help")
    text = str(st.text_input(label, links.default(key, ""), 4000, key, help=tip, on_change=links.touch))
    links.record(key, text, default)
    return text
