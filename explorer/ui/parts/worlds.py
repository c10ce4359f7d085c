"""Which two worlds are told apart, and through which mechanism."""

from __future__ import annotations

from typing import Annotated

import streamlit as st

from explorer.facts.refusals import reason
from explorer.settings.distinguish import KINDS, bars
from explorer.text.escaping import markdown
from explorer.ui import controls, links
from explorer.ui.page import Shown
from ldpcore.experiments.distinguish import MOST, Worlds, members
from ldpcore.mechanisms.base import CategoryRandomizer
from ldpcore.parameters import Interval, ParameterError, Probability

Answers = Annotated[int, Interval("k", 2, MOST, (2, MOST), integer=True)]
Shift = Annotated[float, Interval("s", 0, 6, (0, 6))]
USUAL = ("3 2 1 1", "1 1 2 3")
LONGEST = 200


def chosen(shown: Shown) -> tuple[str, Worlds]:
    """The kind of worlds, and both."""
    kind = controls.choice(shown, "kind", KINDS, default=KINDS[0])
    if kind == "coins":
        first = controls.number(shown, "first", Probability, default=0.3)
        return kind, Worlds.coins(first, controls.number(shown, "second", Probability, default=0.6))
    if kind == "people":
        return kind, Worlds.people(controls.number(shown, "k", Answers, default=2))
    if kind == "bells":
        shift = controls.number(shown, "shift", Shift, default=1.0)
        return kind, Worlds.bells(shift, controls.number(shown, "cells", Answers, default=8))
    return kind, _typed(shown)


def _typed(shown: Shown) -> Worlds:
    """Two rows of numbers; what cannot be used stays in its box, one sentence says why, and the last ones hold."""
    texts = []
    for name, usual in zip(("bars_first", "bars_second"), USUAL, strict=True):
        key, label = f"{shown.slug}_{name}", shown.label(name)
        links.widget_value(key, label, usual, _usable, str)
        tip = shown.label("bars_help")
        text = st.text_input(label, links.first_value(key), LONGEST, key, help=tip, on_change=links.touch)
        links.record(key, text, usual)
        texts.append(text)
    try:
        worlds = Worlds.weights(bars(texts[0]), bars(texts[1]))
    except ParameterError as problem:
        st.warning(markdown(reason(problem)), icon=":material/edit:")
        kept: Worlds = st.session_state.get("_distinguish_bars_usable", Worlds.weights(bars(USUAL[0]), bars(USUAL[1])))
        return kept
    st.session_state["_distinguish_bars_usable"] = worlds
    return worlds


def _usable(text: str) -> str:
    """Reads a row of bars from a link."""
    try:
        bars(text)
    except ParameterError:
        raise links.UnusableError("bars unusable", "distinguish") from None
    return text


def mechanism(shown: Shown, k: int) -> str:
    """One of the mechanisms whose channel can be listed whole."""
    listed = members(k)
    member = controls.member(shown, CategoryRandomizer, default="grr", fits=lambda member: member in listed)  # type: ignore[type-abstract]
    return member.slug
