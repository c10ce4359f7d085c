"""The room that this session presents: its key, the links that lead to it, and the view that its phones are shown.

The key lies in the session, in the memory of this window (a page loaded anew goes on), and in a link of its own for
another device, behind its #; never in a link of a page, on a sheet or in a QR code.
"""

from __future__ import annotations

from contextlib import suppress
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import streamlit as st

from explorer.facts import Name
from explorer.poll.denials import DenialError, Reason
from explorer.text.catalogue import catalogue_of
from explorer.ui import internals, lecture, links, scripts
from explorer.ui.caught import caught
from explorer.ui.language import language
from explorer.ui.sessionkeys import DROPPED, POINTED, PRESENTER, REACHED, ROOM_REFUSED

if TYPE_CHECKING:
    from explorer.poll.rooms import Presenter, Room, Rooms

PAGE = "ask"
GONE = (Reason.UNKNOWN, Reason.KEY)
_MEMORY = internals.component(
    "ldp_presenting", html='<div class="ldp-unseen"></div>\n', js=scripts.joined(Path(__file__).with_suffix(".js"))
)


def _rooms() -> Rooms:
    """The rooms of this server; whoever presents none never loads them."""
    from explorer.poll.rooms import rooms

    return rooms()


def presenter() -> Presenter | None:
    """The presenter of a room opened in this session or taken over by its key."""
    return PRESENTER.get()


def keep(held: Presenter) -> None:
    """Go on as the presenter of a room; its phones are told anew what the screen shows."""
    PRESENTER.keep(held)
    DROPPED.keep(False)
    POINTED.take()


def drop() -> None:
    """Stop presenting, in this window too."""
    PRESENTER.take()
    DROPPED.keep(True)


def look() -> Room | None:
    """The presented room, if any; a forgotten one is no longer presented."""
    held = presenter()
    if held is None:
        return None
    try:
        return _rooms().look(held)
    except DenialError as problem:
        refuse(problem)
        return None


def refuse(problem: DenialError) -> None:
    """Note why a room refused something, for the page to say; a room that is gone is no longer presented."""
    if problem.reason in GONE:
        drop()
    ROOM_REFUSED.keep(problem)


def refused() -> str:
    """The reason of the room's last refusal, said once; empty where there was none."""
    problem = ROOM_REFUSED.take()
    if not isinstance(problem, DenialError):
        return ""
    from explorer.poll.telling import sentence

    return sentence(problem, language())


def come(key: str) -> None:
    """Take a room over by the key from a link or this window; a key of no room is refused."""
    from explorer.poll.rooms import Presenter

    code, _, secret = key.partition(".")
    held = Presenter(code.upper(), secret)
    try:
        _rooms().look(held)
    except DenialError as problem:
        refuse(problem)
    else:
        keep(held)


def remember() -> None:
    """Let this window remember the key, report its kept one, and tell whether rooms have addresses of their own."""
    held = presenter()
    data = {"held": "" if held is None else f"{held.code}.{held.key}", "drop": DROPPED.get()}
    unknown = held is not None and REACHED.get() is None
    data["tried"] = f"{links.address()}/room/{held.code}/state?since=0" if held is not None and unknown else ""
    _MEMORY(
        data=data,
        key="presenting",
        height="content",
        on_back_change=caught(_back),
        on_reached_change=caught(_reach),
    )


def _back() -> None:
    """Take up a key of this window that the session does not know: of an earlier session, or from a link."""
    state: Any = st.session_state
    links.touch()
    come(str(state["presenting"]["back"]))


def _reach() -> None:
    """Note that this window has tried the address of a room."""
    state: Any = st.session_state
    links.touch()
    REACHED.keep(bool(state["presenting"]["reached"]))


def own_link() -> str:
    """The link with which the presenter goes on from another device."""
    held = presenter()
    assert held is not None
    return f"{links.address()}/{PAGE}#key={held.code}.{held.key}"


def address(code: str) -> str:
    """The phones' address of a room: one of its own, or a page of Streamlit's where the host shows no others."""
    return f"{links.address()}/room{'?code=' if REACHED.get() is False else '/'}{code}"


def short(code: str) -> str:
    """The typed address of a room, up to the code, which stands beside it or is asked for there."""
    return address(code).partition("://")[2].removesuffix(code).removesuffix("?code=")


def cover() -> str:
    """The screen behind Q while a room is presented, as HTML: its code, large enough for the last row."""
    held = presenter()
    if held is None:
        return ""
    from explorer.ui import share

    code, pin = f'<p class="ldp-code">{escape(held.code)}</p>', ""
    with suppress(DenialError):  # the next page that shows the room says what is wrong with it
        pin = _rooms().look(held).pin
    said = catalogue_of(language()).label("door.pin_is", PAGE, {"pin": Name(pin)}) if pin else ""
    beside = escape(" · ".join(filter(None, (short(held.code), said))))
    return f"{share.qr_svg(address(held.code))}{code}<p>{beside}</p>"


def point(slug: str) -> None:
    """Tell the phones of the room which view the screen shows now; the room's own page tells them itself."""
    held = presenter()
    if held is None:
        return
    screen = "" if slug == PAGE else _screen(slug)
    if screen == POINTED.get():
        return
    try:
        _rooms().point(held, screen)
    except DenialError as problem:
        if problem.reason in GONE:
            drop()
    POINTED.keep(screen)


def _screen(slug: str) -> str:
    """The present view as a path of this app, in the language of its visitor, with the truth hidden if it is."""
    parts = urlsplit(links.link(slug).removeprefix(links.address()))
    kept = [(key, text) for key, text in parse_qsl(parts.query) if key != "lang"]
    kept += [("hide", "true")] if lecture.switched("hide") else []
    return parts.path + (f"?{urlencode(kept)}" if kept else "")
