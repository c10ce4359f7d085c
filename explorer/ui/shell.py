"""What surrounds every page: navigation, the room's switches, presenter keys, presets, the cold-link guard."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from functools import partial
from html import escape
from typing import Any

import streamlit as st

from explorer import navigation
from explorer.facts import Count
from explorer.figures.theme import Look
from explorer.host.turns import turns
from explorer.paper.leaving import is_near
from explorer.text import languages
from explorer.text.catalogue import catalogue_of
from explorer.text.escaping import markdown
from explorer.ui import keys, levels, links, room, session, share, style
from explorer.ui.caught import caught
from explorer.ui.language import catalogue, language
from explorer.ui.sessionkeys import BROUGHT, ENTERED, TURN


def look() -> Look:
    """The look of this reader's screen: dark or light, in a lecture or not, the truth shown or not."""
    dark = st.context.theme.type == "dark"
    separators = catalogue().separators
    return Look(dark=dark, lecture=room.switched("lecture"), truth=not room.switched("hide"), separators=separators)


def pages() -> dict[str, list[Any]]:
    """The pages as Streamlit wants them, by group; an icon of theirs would also be the window's, fetched elsewhere."""
    spoken = language()
    return {
        title: [_page(entry, entry.name(spoken)) for entry in members]
        for title, members in navigation.groups(spoken).items()
    }


def _page(entry: navigation.Entry, title: str) -> Any:
    """A page; the root, which has no address of its own, runs the overview's file."""
    if entry.slug != navigation.DEFAULT:
        return st.Page(entry.path, title=title, url_path=entry.slug)

    def root() -> None:
        runpy.run_path(str(entry.path))

    return st.Page(root, title=title, url_path="start", default=True)


def _addressed(listed: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """The same and, unseen, the overview under its own name, which people type."""
    overview = next(entry for entry in navigation.entries() if entry.slug == navigation.DEFAULT)
    title, members = next(iter(listed.items()))
    named = st.Page(overview.path, title=members[0].title, url_path=overview.slug, visibility="hidden")
    return listed | {title: [*members, named]}


def guard() -> None:
    """Without the mark that `app.py` sets, the old automatic mode is running this page: hand over to the app."""
    if not ENTERED.take():
        st.navigation(_addressed(pages()), position="hidden")
        st.rerun()


def run() -> None:
    """The whole app, once per run."""
    labels = catalogue().labels("app")
    listed = pages()
    lecture = room.switched("lecture")
    page = st.navigation(_addressed(listed), position="hidden" if lecture else "sidebar", expanded=True)
    st.set_page_config(page_title=f"{page.title} · {labels['title']}", layout="wide", page_icon=style.ICON)
    st.html(style.EVERYWHERE + (style.LECTURE if lecture else "") + (style.DARK if look().dark else ""))
    if not lecture:
        with st.sidebar:
            _switches(labels, page.url_path or navigation.DEFAULT)
    members = [member for group in listed.values() for member in group]
    slug = page.url_path or navigation.DEFAULT
    place = [member.url_path or navigation.DEFAULT for member in members].index(slug)
    turn = TURN.take()
    if turn and 0 <= place + turn < len(members):
        st.switch_page(members[place + turn], query_params={})
    ENTERED.keep(True)
    BROUGHT.keep(False)
    levels.pass_none()
    with turns().building():
        page.run()
    _foot(labels, place, len(members), slug)


def note_brought(brought: bool) -> None:
    """Note whether the view is about data that the reader has brought, which the foot of the page says."""
    BROUGHT.keep(brought)


def _switches(labels: Any, slug: str) -> None:
    """The room's switches, and the way back to the defaults."""
    state = st.session_state
    for key in room.SWITCHES:
        widget = room.widget(key)
        state[widget] = room.switched(key)
        st.toggle(labels[key], key=widget, help=labels[f"{key}_help"], on_change=_turn, args=(key, widget))
    offered = dict.fromkeys((*languages(), language()))  # the pseudo-language only where a link asked for it
    if len(offered) > 1:
        names = {code: catalogue_of(code).label("app.language") for code in offered}
        state["lang"] = language()
        st.selectbox(
            labels["languages"],
            list(names),
            format_func=names.__getitem__,
            key="lang",
            on_change=_speak,
            label_visibility="collapsed",
        )
    if session.own() is not None:
        st.button(catalogue().label("own.forget"), "forget", on_click=_forget, icon=":material/delete:")
    st.button(labels["reset"], "reset", on_click=caught(links.request), args=(slug, {}), icon=":material/restart_alt:")


@caught
def _forget() -> None:
    """Forget the reader's table, from any page."""
    links.touch()
    session.forget()


@caught
def _turn(key: str, widget: str) -> None:
    """One of the room's switches was turned."""
    if widget == room.widget(key):  # a former one says what it was, until the browser has heard that it is gone
        links.touch()
        room.switch(key, bool(st.session_state[widget]))


@caught
def _speak() -> None:
    """Another language was chosen."""
    links.touch()
    room.speak(str(st.session_state["lang"]))


def _foot(labels: Any, place: int, pages: int, slug: str) -> None:
    """The ways on and back, where one is, and a quiet line: these are true values."""
    with st.container(horizontal=True, vertical_alignment="center", key="foot"):
        if place > 0:
            st.button(labels["previous"], "previous", on_click=_step, args=(slug, -1), icon=":material/arrow_back:")
        if place < pages - 1:
            st.button(
                labels["next"],
                "next",
                on_click=_step,
                args=(slug, 1),
                icon=":material/arrow_forward:",
                icon_position="right",
            )
        if room.switched("lecture"):
            _switches(labels, slug)
        st.caption(labels["brought" if BROUGHT.get() else "simulation"])
        row, chosen = levels.passed()
        views = {"view": Count(row.index(chosen) + 1 if row else 1), "views": Count(len(row) or 1)}
        st.caption(catalogue().label("place", facts={**views, "page": Count(place + 1), "pages": Count(pages)}))
    _keys(slug)


def _keys(slug: str) -> None:
    """The presenter's keys."""
    lecture, link = room.switched("lecture"), links.link(slug)
    answers: dict[str, Callable[[], object]] = {
        "next": partial(_step, slug, 1),
        "previous": partial(_step, slug, -1),
        "hide": _hide,
        "draw": partial(links.draw_again, slug),
        "again": links.touch,
        "gone": session.gone,
    }
    near = f" {escape(catalogue().label('near'))}" if is_near(link) else ""
    code = f"{share.qr_svg(link)}<p>{escape(link)}{near}</p>" if lecture else ""
    keys.listen(slug, catalogue(), lecture, code, session.own() is not None, answers)


@caught
def _step(slug: str, by: int) -> None:
    """To the next view of the page, or to the next page; back likewise, there to the last view."""
    row, chosen = levels.passed()
    place = row.index(chosen) + by if row else -1
    if 0 <= place < len(row):
        links.set_stage_value(f"{slug}_tab", row[place])
    else:
        TURN.keep(by)
        levels.leave(back=by < 0)


def _hide() -> None:
    links.touch()
    room.press("hide")


def presets(slug: str) -> None:
    """Buttons that set the whole page for a lecture."""
    for place, preset in enumerate(catalogue().listing("labels")["presets"]):
        if preset["page"] == slug:
            st.button(
                preset["title"],
                f"preset_{place}",
                on_click=caught(links.request),
                args=(slug, preset["parameters"]),
                icon=":material/co_present:",
            )


def decision_links() -> None:
    """What somebody has to decide, and the view where that is decided; the level and the data come along."""
    page_of = {entry.slug: entry for entry in navigation.entries()}
    for decision in catalogue().listing("labels")["decisions"]:
        entry = page_of[decision["page"]]
        carried = links.travelling() | decision["parameters"]
        _link(entry, f"**{markdown(decision['title'])}**", carried, entry.icon)
        st.caption(markdown(decision["say"]))


def page_links() -> None:
    """The way into every other page, by its question, in groups in two columns; the level and the data come along."""
    columns, filled = st.columns(2, gap="large"), [0, 0]
    for title, members in navigation.groups(language()).items():
        others = [entry for entry in members if entry.slug != navigation.DEFAULT]
        place = filled.index(min(filled))
        filled[place] += len(others)
        with columns[place]:
            if others:
                st.caption(title)
            for entry in others:
                _link(entry, entry.question(language()), links.travelling(), entry.icon)


def lecture_links() -> None:
    """A lecture in the order of telling, in two columns: where to go, what to ask the room first, what to say then."""
    page_of = {entry.slug: entry for entry in navigation.entries()}
    steps = list(enumerate(catalogue().listing("labels")["lecture"], 1))
    half = (len(steps) + 1) // 2
    for column, part in zip(st.columns(2, gap="large"), (steps[:half], steps[half:]), strict=True):
        with column:
            for place, step in part:
                _link(page_of[step["page"]], f"{place}. {markdown(step['title'])}", step["parameters"], "co_present")
                st.caption(f"*{markdown(step['ask'])}* {markdown(step['say'])}")


def _link(entry: navigation.Entry, label: str, parameters: dict[str, str], icon: str) -> None:
    st.page_link(entry.path, label=label, icon=f":material/{icon}:", query_params=parameters)
