"""What surrounds every page: navigation, the room's switches, presenter keys, presets, the cold-link guard."""

from __future__ import annotations

from typing import Any

import streamlit as st

from explorer import navigation
from explorer.figures.theme import Look
from explorer.text import languages, listing
from explorer.ui import links, style
from explorer.ui.language import catalogue


def look() -> Look:
    """The look of this reader's screen: dark or light, in a lecture or not, the truth shown or not."""
    dark = st.context.theme.type == "dark"
    separators = catalogue().separators
    return Look(dark=dark, lecture=switched("lecture"), truth=not switched("hide"), separators=separators)


def switched(key: str) -> bool:
    """Whether one of the room's switches is on."""
    return bool(st.session_state.get(key))


def columns(look: Look) -> tuple[Any, Any]:
    """Where the stage stands, and where the settings: beside it, below it on a phone and in a lecture."""
    room = st.container(key="room")
    if look.lecture:
        return room.container(), room.container()
    stage, settings = room.columns([3, 1], gap="medium")
    return stage, settings


def pages() -> dict[str, list[Any]]:
    """The pages as Streamlit wants them, by group; an icon of theirs would also be the window's, fetched elsewhere."""
    return {
        title: [
            st.Page(entry.path, title=entry.name, url_path=entry.slug, default=entry.slug == navigation.DEFAULT)
            for entry in members
        ]
        for title, members in navigation.groups().items()
    }


def guard() -> None:
    """Without the mark that `app.py` sets, the old automatic mode is running this page: hand over to the app."""
    if not st.session_state.pop("_entered", False):
        st.navigation(pages(), position="hidden")
        st.rerun()


def run() -> None:
    """The whole app, once per run."""
    _arrive()
    labels = catalogue().labels("app")
    found = pages()
    lecture = switched("lecture")
    page = st.navigation(found, position="hidden" if lecture else "sidebar")
    name = next(entry.name for entry in navigation.entries() if entry.slug == (page.url_path or navigation.DEFAULT))
    st.set_page_config(page_title=f"{name} · {labels['title']}", layout="wide", page_icon=style.ICON)
    st.html(style.EVERYWHERE + (style.LECTURE if lecture else "") + (style.DARK if look().dark else ""))
    if not lecture:
        with st.sidebar:
            _switches(labels, page.url_path or navigation.DEFAULT)
    st.session_state["_entered"] = True
    page.run()
    _foot(labels, [member for members in found.values() for member in members], page)


def _arrive() -> None:
    """The room's switches as the first link of a session sets them."""
    for key in links.SWITCHES:
        if key not in st.session_state:
            st.session_state[key] = st.query_params.get(key, "").lower() == "true"


def _switches(labels: Any, slug: str) -> None:
    """The room's switches, and the way back to the defaults."""
    st.toggle(labels["lecture"], key="lecture", help=labels["lecture_help"], on_change=links.touch)
    st.toggle(labels["hide"], key="hide", help=labels["hide_help"], on_change=links.touch)
    if len(languages()) > 1:
        names = {code: str(listing("labels", code)["app"]["language"]) for code in languages()}
        st.selectbox(
            labels["languages"], list(names), format_func=names.__getitem__, key="lang", on_change=_speak,
            label_visibility="collapsed",
        )  # fmt: skip
    st.button(labels["reset"], "reset", on_click=links.ask, args=(slug, {}), icon=":material/restart_alt:")


def _speak() -> None:
    """Another language was chosen: from now on links carry it."""
    links.touch()
    st.session_state["_chose_language"] = True


def _foot(labels: Any, found: list[Any], page: Any) -> None:
    """Previous and next by presenter keys, and a quiet line: these are true values."""
    place = [member.url_path for member in found].index(page.url_path)
    with st.container(horizontal=True, vertical_alignment="center", key="foot"):
        if place > 0 and st.button(labels["previous"], "previous", shortcut="PageUp", icon=":material/arrow_back:"):
            _turn(found[place - 1])
        if place < len(found) - 1 and st.button(
            labels["next"], "next", shortcut="PageDown", icon=":material/arrow_forward:", icon_position="right"
        ):
            _turn(found[place + 1])
        if switched("lecture"):
            _switches(labels, page.url_path or navigation.DEFAULT)
        st.caption(labels["simulation"])


def _turn(page: Any) -> None:
    """Go to another page; the level and the data are asked for again there, the room's switches stay."""
    st.switch_page(page, query_params={})


def presets(slug: str) -> None:
    """Buttons that set the whole page for a lecture."""
    for preset in listing("labels").get("presets", ()):
        if preset["page"] == slug and st.button(
            preset["title"], f"preset_{slug}_{preset['title']}", icon=":material/co_present:"
        ):
            links.ask(slug, preset["parameters"])
            st.rerun()


def page_links() -> None:
    """The way into every other page, by its question, in groups; the level and the data come along."""
    for title, members in navigation.groups().items():
        others = [entry for entry in members if entry.slug != navigation.DEFAULT]
        if others:
            st.caption(title)
        for entry in others:
            _link(entry, entry.question, dict(st.session_state.get("_project", {})), entry.icon)


def lecture_links() -> None:
    """Links that set a whole page."""
    found = {entry.slug: entry for entry in navigation.entries()}
    for preset in listing("labels").get("presets", ()):
        if preset["page"] in found:
            _link(found[preset["page"]], preset["title"], preset["parameters"], "co_present")


def _link(entry: navigation.Entry, label: str, parameters: dict[str, str], icon: str) -> None:
    st.page_link(entry.path, label=label, icon=f":material/{icon}:", query_params=parameters)
