"""What belongs to the room and not to a page: lecture or not, the truth hidden or not, the language.

A widget's state is gone where it is not drawn, as while pages are turned; the room is kept beside it.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import streamlit as st

from explorer.text import languages
from explorer.text.conventions import PSEUDO
from explorer.ui.sessionkeys import ROOM

SWITCHES = ("lecture", "hide")
ALL = (*SWITCHES, "lang")
OPTIONS = MappingProxyType(dict.fromkeys(SWITCHES, ("true", "false")) | {"lang": languages()})


def _kept() -> dict[str, Any]:
    """The room of this session; at first as its first link sets it."""
    kept = ROOM.held()
    if not kept:
        kept |= {key: st.query_params.get(key, "").lower() == "true" for key in SWITCHES}
        if (language := st.query_params.get("lang", "").lower()) in (*languages(), PSEUDO):
            kept["lang"] = language  # it stays while pages are turned
    return kept


def switched(key: str) -> bool:
    """Whether a switch is on."""
    return bool(_kept()[key])


def switch(key: str, on: bool) -> None:
    """Turn a switch, whether its widget is drawn or not."""
    _kept()[key] = on


def press(key: str) -> None:
    """Turn a switch by a key; its widget is another one from then on, for what the browser says of this one is late."""
    switch(key, not switched(key))
    _kept()[f"{key}_pressed"] = _pressed(key) + 1


def widget(key: str) -> str:
    """The key of a switch's widget."""
    return f"{key}{_pressed(key) or ''}"


def _pressed(key: str) -> int:
    """How often a switch has been turned by a key."""
    return int(_kept().get(f"{key}_pressed", 0))


def unusable() -> dict[str, str]:
    """What the address asks of the room in vain."""
    asked = {key: st.query_params.get(key, "") for key in ALL if key in st.query_params}
    known = {key: (*map(str.lower, OPTIONS[key]), PSEUDO if key == "lang" else "false") for key in asked}
    return {key: text for key, text in asked.items() if text.lower() not in known[key]}


def spoken() -> str | None:
    """The language that was chosen or asked for, if any."""
    code: str | None = _kept().get("lang") or st.query_params.get("lang")
    return code


def speak(language: str) -> None:
    """Choose a language; from now on links carry it."""
    _kept()["lang"] = language


def written() -> dict[str, str]:
    """The room as links write it: only what is not as usual."""
    on = {key: "true" for key in SWITCHES if switched(key)}
    language = spoken()
    return on | ({"lang": language} if language else {})
