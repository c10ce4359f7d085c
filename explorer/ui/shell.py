"""The frame of every page: navigation, the room's switches, presenter keys, ways, presets, the cold-link guard."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from html import escape
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Literal
from urllib.parse import urlsplit

import streamlit as st

from explorer import navigation
from explorer.facts import Count
from explorer.figures.theme import Look
from explorer.host.turns import turns
from explorer.paper.leaving import Audience, is_near, link_for
from explorer.text import languages, listing, typefaces
from explorer.text.conventions import PSEUDO
from explorer.ui import keys, lecture, levels, links, notes, presenting, session, starttable, style, way
from explorer.ui.caught import caught
from explorer.ui.internals import own_copy
from explorer.ui.language import catalogue, language
from explorer.ui.sessionkeys import BROUGHT, ENTERED, TURN
from explorer.ways import Link

PHONES = "room"  # the address of the page for phones


def look() -> Look:
    """The look of this reader's screen: dark or light, in a lecture or not, the truth shown or not."""
    dark = st.context.theme.type == "dark"
    separators = catalogue().separators
    return Look(
        dark=dark, lecture=lecture.switched("lecture"), truth=not lecture.switched("hide"), separators=separators
    )


def pages() -> dict[str, list[Any]]:
    """The pages as Streamlit wants them, by group; an icon of theirs would also be the window's, fetched elsewhere."""
    spoken = language()
    return {
        title: [_page(entry, entry.name(spoken)) for entry in members]
        for title, members in navigation.groups(spoken).items()
    }


def _page(entry: navigation.PageEntry, title: str) -> Any:
    """A page; the root, which has no address of its own, runs the overview's file."""
    if entry.slug != navigation.DEFAULT:
        return own_copy(_declared(entry, title))
    return st.Page(_running(entry.path), title=title, url_path="start", default=True)


@lru_cache(maxsize=128)
def _declared(entry: navigation.PageEntry, title: str, visibility: Literal["visible", "hidden"] = "visible") -> Any:
    """A page by its file, for which Streamlit asks the disk five times: once for all runs, which take copies of it."""
    return st.Page(entry.path, title=title, url_path=entry.slug, visibility=visibility)


@lru_cache(maxsize=64)
def _running(path: Path) -> Callable[[], None]:
    """The function that runs the file of a page, as it is now."""

    def run() -> None:
        module = ModuleType(path.stem)
        module.__file__ = str(path)
        exec(_compiled(path, path.stat().st_mtime_ns), module.__dict__)

    return run


@lru_cache(maxsize=64)
def _compiled(path: Path, changed: int) -> CodeType:
    """The file of a page, compiled once."""
    return compile(path.read_bytes(), path, "exec")


def _addressed(listed: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """The listed pages and, unseen, the overview under its own name, which people type, and the page for phones."""
    overview = next(entry for entry in navigation.entries() if entry.slug == navigation.DEFAULT)
    title, members = next(iter(listed.items()))
    named = own_copy(_declared(overview, members[0].title, "hidden"))
    phones = st.Page(_show_phone, title=_phone_title(), url_path=PHONES, visibility="hidden")
    return listed | {title: [*members, named, phones]}


def _phone_title() -> str:
    """The title of the page for phones, which its own window alone shows."""
    if not _is_phone():
        return PHONES
    from explorer.ui import phone

    return phone.title()


def _show_phone() -> None:
    """Show the page for phones: no other page loads it, or what it knows of rooms."""
    from explorer.ui import phone

    phone.show()


def _is_phone() -> bool:
    """Whether the address is that of the page for phones."""
    return urlsplit(st.context.url or "").path.rstrip("/").endswith(f"/{PHONES}")


def guard() -> None:
    """Hand over to the app where Streamlit's old automatic mode runs this page, without the mark that `app.py` sets."""
    if not ENTERED.take():
        st.navigation(_addressed(pages()), position="hidden")
        st.rerun()


def run() -> None:
    """The whole app, once per run."""
    with turns().building(arriving=not links.page() and not _beside()):
        _run()


def _beside() -> bool:
    """Whether this is the page for phones or the notes' window, which ask again and again and arrive at no page."""
    return notes.asked() or _is_phone()


def _run() -> None:
    labels = catalogue().labels("app")
    listed = pages()
    projected = lecture.switched("lecture")
    bare = projected or notes.asked()
    page = st.navigation(_addressed(listed), position="hidden" if bare else "sidebar", expanded=True)
    st.set_page_config(page_title=f"{page.title} · {labels['title']}", layout="wide", page_icon=style.ICON)
    if page.url_path == PHONES:
        page.run()
        return
    st.html(style.EVERYWHERE + (style.LECTURE if projected else "") + (style.DARK if look().dark else ""))
    if rules := typefaces.style(language(), "Source Sans"):  # as Streamlit's theme calls its own
        st.html(f"<style>{rules}</style>")
    if notes.asked():
        notes.show(catalogue())
        return
    slug = page.url_path or navigation.DEFAULT
    members = {member.url_path or navigation.DEFAULT: member for group in listed.values() for member in group}
    if (turn := TURN.take()) is not None:
        st.switch_page(members[turn[0]], query_params=turn[1] | lecture.written())
    way.follow(slug)
    starttable.take()  # before the sidebar, which offers to forget it
    if not projected:
        with st.sidebar:
            _switches(labels, slug)
    ENTERED.keep(True)
    BROUGHT.keep(False)
    levels.pass_none()
    way.task(slug, partial(_step, slug, 1))
    page.run()
    _foot(labels, tuple(members), slug)


def note_brought(brought: bool) -> None:
    """Note whether the view is about the reader's own data, for the foot of the page."""
    BROUGHT.keep(brought)


def _switches(labels: Any, slug: str) -> None:
    """The room's switches, and the way back to the defaults."""
    state = st.session_state
    for key in lecture.SWITCHES:
        widget = lecture.widget(key)
        state[widget] = lecture.switched(key)
        st.toggle(labels[key], key=widget, help=labels[f"{key}_help"], on_change=_turn, args=(key, widget))
    offered = dict.fromkeys((*languages(), language()))  # the pseudo-language only where a link asked for it
    if len(offered) > 1:
        names = {code: _own_name(code) for code in offered}
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


def _own_name(code: str) -> str:
    """The name of a language in itself; the catalogue of each would have to be made for it."""
    return catalogue().label("app.language") if code == PSEUDO else listing("labels", code).text("app", "language")


@caught
def _forget() -> None:
    """Forget the reader's table, from any page."""
    links.touch()
    session.forget()


@caught
def _turn(key: str, widget: str) -> None:
    """Turn one of the room's switches."""
    if widget == lecture.widget(key):  # a former one says what it was, until the browser has heard that it is gone
        links.touch()
        lecture.switch(key, bool(st.session_state[widget]))


@caught
def _speak() -> None:
    """Choose another language."""
    links.touch()
    lecture.speak(str(st.session_state["lang"]))


def _foot(labels: Any, slugs: tuple[str, ...], slug: str) -> None:
    """The ways on and back, where there is one, and a quiet line: these are true values."""
    on_way = lecture.point() is not None
    back, on = way.ends() if on_way else (slug != slugs[0], slug != slugs[-1])
    with st.container(horizontal=True, vertical_alignment="center", key="foot"):
        if back:
            st.button(labels["previous"], "previous", on_click=_step, args=(slug, -1), icon=":material/arrow_back:")
        if on:
            st.button(
                labels["next"],
                "next",
                on_click=_step,
                args=(slug, 1),
                icon=":material/arrow_forward:",
                icon_position="right",
            )
        if lecture.switched("lecture"):
            _switches(labels, slug)
        st.caption(labels["room" if slug == presenting.PAGE else "brought" if BROUGHT.get() else "simulation"])
        st.caption(way.place(slug) if on_way else _place(slugs, slug))
        if on_way:
            st.button(catalogue().label("way.leave"), "leave", on_click=_leave, type="tertiary")
    presenting.point(slug)
    _keys(slug)


def _place(slugs: tuple[str, ...], slug: str) -> str:
    """The place of this view among the page's, and of this page among all."""
    row, chosen = levels.passed()
    views = {"view": Count(row.index(chosen) + 1 if row else 1), "views": Count(len(row) or 1)}
    return catalogue().label("place", facts={**views, "page": Count(slugs.index(slug) + 1), "pages": Count(len(slugs))})


def _keys(slug: str) -> None:
    """The presenter's keys, and the link that Q projects, which says no more of an own table than a public one."""
    mine = session.own() is not None
    readers = Audience(own=mine and links.known().get("data") == session.slug())
    projected, link = lecture.switched("lecture"), link_for(readers, links.link(slug, same_room=True), slug)
    answers: dict[str, Callable[[], object]] = {
        "next": partial(_step, slug, 1),
        "previous": partial(_step, slug, -1),
        "view": partial(_pass, slug, 1),
        "back": partial(_pass, slug, -1),
        "home": partial(_home, slug),
        "hide": _hide,
        "draw": partial(links.draw_again, slug),
        "again": links.touch,
        "gone": session.gone,
    }
    code = _code(link) if projected else ""
    keys.listen(slug, catalogue(), projected, code, mine, way.signal(), way.turns(slug), answers)


def _code(link: str) -> str:
    """The screen behind Q: the code of the presented room, whose phones are led to this view, or of the view itself.

    The view may open on this machine alone.
    """
    from explorer.ui import share  # on a projector alone

    near = f" {escape(catalogue().label('near'))}" if is_near(link) else ""
    return presenting.cover() or f"{share.qr_svg(link)}<p>{escape(link)}{near}</p>"


@caught
def _step(slug: str, by: int) -> None:
    """Go to the next step of the way, or view of the page, or page; back likewise, there to the last view."""
    if lecture.point() is not None:
        lead(slug, way.further(slug) if by > 0 else way.back(slug))
    elif not _pass(slug, by):
        slugs = [entry.slug for entry in navigation.entries()]
        place = slugs.index(slug) + by
        if 0 <= place < len(slugs):
            TURN.keep((slugs[place], {}))
            levels.leave(back=by < 0)


def _pass(slug: str, by: int) -> bool:
    """Go to the next view of the page, or to the one before; whether there is one."""
    row, chosen = levels.passed()
    place = row.index(chosen) + by if row else -1
    there = 0 <= place < len(row)
    if there:
        links.set_stage_value(f"{slug}_tab", row[place])
    return there


def _home(slug: str) -> None:
    """Go to the first page; the step of the way waits, and one key leads back to it."""
    lead(slug, Link.of("/"))


@caught
def _leave() -> None:
    """Leave the way, and stay on the page."""
    links.touch()
    lecture.stand(None)


def lead(slug: str, link: Link | None) -> None:
    """Lead the reader from a page to a link: the page is set anew, or another one is turned to."""
    if link is None:
        return
    if link.page == slug:
        links.request(slug, link.parameters)
    else:
        links.depart(link.parameters)
        TURN.keep((link.page, dict(link.parameters)))


def _hide() -> None:
    links.touch()
    lecture.press("hide")


def presets(slug: str) -> None:
    """Buttons that set the whole page for a lecture."""
    for place, preset in enumerate(catalogue().listing("labels").tables("presets")):
        if preset.text("page") == slug:
            st.button(
                preset.text("title"),
                f"preset_{place}",
                on_click=caught(links.request),
                args=(slug, preset.strings("parameters")),
                icon=":material/co_present:",
            )
