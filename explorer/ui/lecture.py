"""The switches of a lecture, which belong to no page: lecture or not, truth hidden or not, language, step of a way.

A widget's state is gone where it is not drawn, as while pages are turned; the switches are kept beside it.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import streamlit as st

from explorer.text import languages
from explorer.text.conventions import PSEUDO
from explorer.ui.sessionkeys import ROOM
from explorer.ways import ORDER, Point

SWITCHES = ("lecture", "hide")
WAY = ("way", "step")
ALL = (*SWITCHES, "lang", *WAY)
OPTIONS = MappingProxyType(dict.fromkeys(SWITCHES, ("true", "false")) | {"lang": languages(), "way": ORDER})


def _kept() -> dict[str, Any]:
    """The switches of this session; at first as its first link sets them."""
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
    """Turn a switch by a key; its widget gets a new key then, for what the browser says of the old one is late."""
    switch(key, not switched(key))
    _kept()[f"{key}_pressed"] = _pressed(key) + 1


def widget(key: str) -> str:
    """The key of a switch's widget."""
    return f"{key}{_pressed(key) or ''}"


def _pressed(key: str) -> int:
    """How often a switch has been turned by a key."""
    return int(_kept().get(f"{key}_pressed", 0))


def unusable() -> dict[str, str]:
    """The address's unusable requests about the room."""
    asked = {key: st.query_params.get(key, "") for key in OPTIONS if key in st.query_params}
    known = {key: (*map(str.lower, OPTIONS[key]), PSEUDO if key == "lang" else "false") for key in asked}
    return {key: text for key, text in asked.items() if text.lower() not in known[key]}


def chosen_language() -> str | None:
    """The language that was chosen, or that the first link asked for, if any."""
    code: str | None = _kept().get("lang")
    return code


def spoken() -> str | None:
    """The language that was chosen or asked for, if any."""
    code: str | None = chosen_language() or st.query_params.get("lang")
    return code


def speak(language: str) -> None:
    """Choose a language; from now on links carry it."""
    _kept()["lang"] = language


def point() -> Point | None:
    """The room's step of a way, if it is on one; whether the truth is hidden there is a switch of its own."""
    kept: Point | None = _kept().get("way")
    return None if kept is None else Point(kept.way, kept.place, switched("hide"))


def stand(point: Point | None) -> None:
    """Stand at a step of a way, with the truth hidden or shown as the step says; or on none."""
    _kept()["way"] = point
    if point is not None:
        show(point.hidden)


def show(hidden: bool) -> None:
    """Hide the truth or show it, by a key."""
    if switched("hide") != hidden:
        press("hide")


def written() -> dict[str, str]:
    """The room's state as links write it: only unusual settings."""
    here = point()
    return written_at(here) if here is not None else _written(switched("hide"))


def written_at(point: Point) -> dict[str, str]:
    """The room's state as links would write it at a step of a way."""
    return dict(zip(WAY, (point.way.slug, str(point.place)), strict=True)) | _written(point.hidden)


def _written(hidden: bool) -> dict[str, str]:
    """The switches and the language."""
    on = {"hide": hidden, "lecture": switched("lecture")}
    language = spoken()
    return {key: "true" for key, turned in on.items() if turned} | ({"lang": language} if language else {})
